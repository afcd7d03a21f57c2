//! The form with its preview.
//!
//! Depends on `markup`, `wanted` and the words of steps. Invariant: every control has a label, and keeps
//! the focus when the form is written anew.

use super::wanted::{FONT, KINDS, Problem, SCALE, WIDTH, Wanted, held, is_ticked, name, stops};
use super::{Drawn, Query, latex};
use crate::draw::figure::Palette;
use crate::engine;
use crate::examples;
use crate::lab::tools::Here;
use crate::report::figure::{ChartKind, Subject};
use crate::scenario::Choice;
use crate::view::markup::Markup;
use crate::view::position::Stop;
use crate::view::quantity::{format_count, format_time};
use crate::view::sentence::{self, spoken};

/// Everything in the panel.
pub(super) fn form(here: &Here, memory: &Query, drawn: &Result<(Wanted, Drawn), Problem>, unsaved: Option<&str>) -> String {
    let mut html = Markup::new();
    let kind = held(memory, "figure", KINDS[0].0);
    html.open("div", &[("class", "tool-row")]);
    list(&mut html, ("figure", "Figure "), kind, &KINDS.map(|(value, name)| (value, name.to_owned())));
    html.close();
    match kind {
        "queues" => {
            html.leaf("p", &[("class", "tool-note")], &spoken(&here.made.run.trace, here.stop()));
        }
        "strip" => strip(&mut html, here, memory),
        "chart" => charts(&mut html, here, memory, drawn),
        _ => timeline(&mut html, here, memory),
    }
    let wrong = drawn.as_ref().err();
    look(&mut html, memory, wrong, kind);
    match drawn {
        Ok((_, drawn)) => {
            html.open("div", &[("class", "figure-preview")]).markup(&drawn.svg()).close();
            let (width, height) = drawn.picture.size();
            let size = format!("{} × {} px", format_count(width.into()), format_count(height.into()));
            html.leaf("p", &[("class", "tool-note")], &size);
        }
        Err(problem) => {
            html.leaf("p", &[("class", "verdict-bad"), ("role", "alert"), ("id", "figure-problem")], &problem.text);
        }
    }
    saves(&mut html, memory, drawn.is_err());
    latex::controls(&mut html, memory, drawn.is_err());
    if let Some(why) = unsaved {
        html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], why);
    }
    html.finish()
}

pub(super) fn list(html: &mut Markup, (name, label): (&'static str, &str), current: &str, options: &[(&str, String)]) {
    html.open("label", &[]).text(label).open("select", &[("name", name), ("data-keep", name)]);
    for (value, title) in options {
        html.option(value, title, *value == current);
    }
    html.close().close();
}

/// A box to tick; `shown` tells the tool of those that are not.
fn tick(html: &mut Markup, memory: &Query, name: &'static str, label: &str) {
    let checked = if is_ticked(memory, name) { "1" } else { "" };
    html.single("input", &[("type", "hidden"), ("name", "shown"), ("value", name)]);
    html.open("label", &[]);
    html.single("input", &[("type", "checkbox"), ("name", name), ("value", "on"), ("checked", checked), ("data-keep", name)]);
    html.text(label).close();
}

fn timeline(html: &mut Markup, here: &Here, memory: &Query) {
    html.open("div", &[("class", "tool-row")]);
    let shown = if here.is_zoomed { "as on screen" } else { "as on screen (all of it)" };
    let part = held(memory, "part", "shown");
    list(html, ("part", "Part "), part, &[("shown", shown.to_owned()), ("all", "all of it, nothing selected".to_owned())]);
    tick(html, memory, "line", &format!("Line at {}", format_time(here.at.ns())));
    html.close();
}

/// Which chart, where there is any.
fn charts(html: &mut Markup, here: &Here, memory: &Query, drawn: &Result<(Wanted, Drawn), Problem>) {
    let (results, kind) = match drawn {
        Ok((Wanted { subject: Subject::Chart { results, kind, .. }, .. }, _)) => (results, kind),
        Err(problem) if problem.field == "beside" => {
            html.open("div", &[("class", "tool-row")]);
            others(html, here, memory);
            html.close();
            return;
        }
        _ => return,
    };
    let kinds: Vec<(String, String)> = ChartKind::of(results).iter().map(|kind| (kind.key(), kind.title(&here.made.run.trace))).collect();
    let options: Vec<(&str, String)> = kinds.iter().map(|(key, title)| (key.as_str(), title.clone())).collect();
    html.open("div", &[("class", "tool-row")]);
    list(html, ("chart", "Of "), &kind.key(), &options);
    if kind.has_several() {
        others(html, here, memory);
    }
    html.close();
}

/// Which run is drawn with the one on screen.
fn others(html: &mut Markup, here: &Here, memory: &Query) {
    let own = here.made.run.trace.scenario().policy().kind;
    let policies = engine::kinds().filter(|&kind| kind != own);
    let policies = policies.map(|kind| (format!("policy={}", kind.word()), format!("the same under {}", kind.word())));
    let all = examples::all().map(|example| (format!("example={}", example.id), format!("{} ({})", example.title, example.source)));
    let runs: Vec<(String, String)> = policies.chain(all).collect();
    let mut options = vec![("", "nothing".to_owned())];
    options.extend(runs.iter().map(|(key, name)| (key.as_str(), name.clone())));
    list(html, ("beside", "Beside it "), memory.get("beside"), &options);
}

fn strip(html: &mut Markup, here: &Here, memory: &Query) {
    let trace = &here.made.run.trace;
    let chosen = stops(memory, here);
    html.open("div", &[("class", "tool-row")]);
    html.leaf("button", &[("type", "button"), ("data-do", "add"), ("data-keep", "add")], "Add this step");
    if !chosen.is_empty() {
        html.leaf("button", &[("type", "button"), ("data-do", "clear"), ("data-keep", "clear")], "Remove all");
        let columns: Vec<(&str, String)> = [("", "as many as have room")]
            .into_iter()
            .chain([("1", "1"), ("2", "2"), ("3", "3"), ("4", "4"), ("5", "5"), ("6", "6")])
            .map(|(value, name)| (value, name.to_owned()))
            .collect();
        list(html, ("columns", "Beside each other "), memory.get("columns"), &columns);
    }
    html.close();
    if chosen.is_empty() {
        return;
    }
    html.open("ol", &[("class", "tool-list figure-steps")]);
    for (place, &stop) in chosen.iter().enumerate() {
        html.open("li", &[]).open("div", &[("class", "tool-row")]);
        let (go, keep) = (name(trace, stop), format!("step-{place}"));
        let is_at_step = stop == Stop::at_step(trace, stop.position);
        let to = if is_at_step { ("data-go", stop.position.to_string()) } else { ("data-go-time", stop.at.ns().to_string()) };
        html.leaf("button", &[("type", "button"), ("class", "link"), (to.0, &to.1), ("data-keep", &keep)], &go);
        for (word, sign, title) in [("earlier", "↑", "Move up"), ("later", "↓", "Move down"), ("remove", "✕", "Remove")] {
            let (act, keep, label) = (format!("{word} {place}"), format!("{word}-{place}"), format!("{title}: {go}"));
            let is_edge = (word == "earlier" && place == 0) || (word == "later" && place + 1 == chosen.len());
            let off = if is_edge { "true" } else { "" };
            html.leaf(
                "button",
                &[
                    ("type", "button"),
                    ("class", "small"),
                    ("data-do", &act),
                    ("data-keep", &keep),
                    ("aria-label", &label),
                    ("title", title),
                    ("aria-disabled", off),
                ],
                sign,
            );
        }
        html.close();
        if let Some(last) = (stop.position as usize).checked_sub(1).and_then(|i| trace.steps().get(i)) {
            html.leaf("p", &[("class", "tool-note")], &sentence::sentence(trace, last));
        }
        html.close();
    }
    html.close();
}

/// Width, letters, colours, title and legend.
fn look(html: &mut Markup, memory: &Query, wrong: Option<&Problem>, kind: &str) {
    html.open("div", &[("class", "tool-row")]);
    for (name, label, first) in [("width", "Width, px ", WIDTH), ("font", "Letters, px ", FONT)] {
        let is_wrong = wrong.is_some_and(|problem| problem.field == name);
        let (invalid, by) = if is_wrong { ("true", "figure-problem") } else { ("", "") };
        html.open("label", &[]).text(label);
        html.single(
            "input",
            &[
                ("type", "text"),
                ("inputmode", "numeric"),
                ("name", name),
                ("size", "5"),
                ("value", held(memory, name, first)),
                ("autocomplete", "off"),
                ("aria-invalid", invalid),
                ("aria-describedby", by),
                ("data-keep", name),
            ],
        );
        html.close();
    }
    let titles = |palette: Palette| match palette {
        Palette::Light => "light",
        Palette::Dark => "dark",
        Palette::Print => "print: greys and patterns",
    };
    let palettes: Vec<(&str, String)> = Palette::ALL.map(|palette| (palette.word(), titles(palette).to_owned())).to_vec();
    list(html, ("palette", "Colours "), held(memory, "palette", Palette::default().word()), &palettes);
    html.close();
    html.open("div", &[("class", "tool-row")]);
    tick(html, memory, "title", "Title");
    if kind != "timeline" {
        tick(html, memory, "legend", "Legend");
    }
    html.close();
}

fn saves(html: &mut Markup, memory: &Query, is_off: bool) {
    let off = if is_off { "1" } else { "" };
    let button = |html: &mut Markup, word: &str, name: &str, class: &str| {
        let attributes = [("type", "button"), ("class", class), ("data-do", word), ("data-keep", word), ("disabled", off)];
        html.leaf("button", &attributes, name);
    };
    html.open("div", &[("class", "tool-row")]);
    button(html, "svg", "Save SVG", "primary");
    button(html, "png", "Save PNG", "");
    let scales: Vec<(&str, String)> = ["1", "2", "3", "4"].map(|n| (n, format!("{n} ×"))).to_vec();
    list(html, ("scale", "PNG scale "), held(memory, "scale", SCALE), &scales);
    // So that Enter in a field shows the figure anew and saves nothing.
    html.raw("<button type=submit hidden></button>").close();
}
