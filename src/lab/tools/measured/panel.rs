//! The panel of the side column: what was read, what breaks a rule, and what differs from the run on screen.
//!
//! Depends on `view::markup`. Invariant: every control has a name that keeps its focus.

use super::conform;
use super::words::Said;
use super::{Laid, State, TOLERANCE_NS, View};
use crate::check::measured::{Check, Conformance, Violation};
use crate::scenario::device::BUILT_IN;
use crate::view::markup::Markup;
use crate::view::panels;
use crate::view::quantity::{format_count, format_time};

/// Most violations that are listed.
const MAX_VIOLATIONS: usize = 50;

/// What there is without logs.
pub(super) fn empty(state: &State) -> String {
    let mut html = Markup::new();
    problem(&mut html, &state.problem);
    if !state.mark.is_empty() && state.problem.is_empty() {
        html.leaf("p", &[("class", "verdict-bad")], "These logs are not here any more: open them again.");
    }
    html.leaf("p", &[], "Takes the logs that cuda_scheduling_examiner wrote on a real GPU, one for each benchmark of a run. It checks them against the rules, builds the scenario that they tell of, and lays the measured blocks over a run of it.");
    html.open("p", &[]).text("To open logs, press ").leaf("b", &[], "Open…").text(" at the top of the page and choose all logs of one run together, or drop them on the page. The config or scenario that was run may be among them.").close();
    html.leaf("p", &[("class", "tool-note")], "To get logs, run the examiner with a config on a computer with an NVIDIA GPU: each benchmark writes one JSON file, as its log_name says.");
    html.open("div", &[("class", "tool-row")]);
    button(&mut html, "try", "Try it with the run on screen");
    html.close();
    html.leaf("p", &[("class", "tool-note")], "That makes up logs of the run on screen as a GPU might have written them, with clocks that are a little off. Nothing of it was measured.");
    html.finish()
}

/// What there is with logs.
pub(super) fn panel(state: &State, view: &View<'_>, found: &Conformance, notes: &[String]) -> String {
    let mut html = Markup::new();
    let html = &mut html;
    problem(html, &state.problem);
    if view.is_made_up {
        html.leaf(
            "p",
            &[("class", "verdict-bad")],
            "Simulation up: these logs were made of a simulated run, with clocks that are off by up to 900 ns. Nothing here was measured.",
        );
    }
    read(html, view);
    settings(html, state, view);
    conformance(html, state, view, found);
    match &view.laid {
        Some(laid) => differences(html, view, laid),
        None => {
            html.leaf("h3", &[], "Against the run on screen");
            html.leaf("p", &[], "The scenario on screen has no kernel of these logs. Open what was run, or build it from the logs.");
        }
    }
    html.open("div", &[("class", "tool-row")]);
    button(html, "build", "Build the scenario from the logs");
    button(html, "csv", "Save blocks as CSV");
    button(html, "forget", "Close the logs");
    html.close();
    if !notes.is_empty() && state.fold(html, "notes", "What the scenario built from the logs assumes", true) {
        list(html, notes.iter().map(String::as_str), notes.len());
    }
    std::mem::take(html).finish()
}

fn problem(html: &mut Markup, problem: &str) {
    if !problem.is_empty() {
        html.open("div", &[("class", "verdict-bad"), ("role", "alert")]);
        problem.lines().take(20).for_each(|line| {
            html.leaf("p", &[], line);
        });
        html.close();
    }
}

fn read(html: &mut Markup, view: &View<'_>) {
    let measured = &view.measured;
    let kernels: usize = measured.logs.iter().map(|log| log.kernels.len()).sum();
    let some = |n: usize, what: &str| format!("{} {what}{}", format_count(n as u64), if n == 1 { "" } else { "s" });
    let span = measured.extent().map(|(from, to)| format!(" in {}", format_time(to.abs_diff(from)))).unwrap_or_default();
    let names: Vec<&str> = measured.logs.iter().map(|log| log.scenario.as_str()).filter(|name| !name.is_empty()).take(1).collect();
    html.open("p", &[]);
    if let [name] = names[..] {
        html.leaf("b", &[], name).text(": ");
    }
    html.text(&format!(
        "{}, {}, {}{span}.",
        some(measured.logs.len(), "log"),
        some(kernels, "kernel"),
        some(measured.blocks().count(), "block")
    ));
    html.close();
    let notes = measured.notes();
    if !notes.is_empty() {
        html.open("div", &[("class", "tool-note")]);
        list(html, notes.iter().map(String::as_str), notes.len());
        html.close();
    }
}

fn settings(html: &mut Markup, state: &State, view: &View<'_>) {
    html.open("div", &[("class", "tool-row")]).open("label", &[]).leaf("span", &[], "Device");
    html.open("select", &[("name", "device"), ("data-keep", "measured-device")]);
    let inferred = view.inferred.device.name.trim_end_matches(" (from the logs)");
    html.option("", &format!("From the logs: {inferred}"), state.device.is_empty());
    for device in &BUILT_IN {
        html.option(device.id, device.name, state.device == device.id);
    }
    html.close().close();
    html.open("label", &[]).leaf("span", &[], "Tolerance");
    let value = if state.tolerance.is_empty() { format_time(TOLERANCE_NS) } else { state.tolerance.clone() };
    html.single(
        "input",
        &[
            ("type", "text"),
            ("name", "tolerance"),
            ("value", &value),
            ("size", "7"),
            ("data-keep", "measured-tolerance"),
            ("aria-describedby", "measured-tolerance-note"),
        ],
    );
    html.close().raw("<button type=submit hidden></button>").close();
    match state.tolerance_ns() {
        Ok(_) => html.leaf(
            "p",
            &[("class", "tool-note"), ("id", "measured-tolerance-note")],
            "What differs by no more than the tolerance counts as noise of the clocks.",
        ),
        Err(problem) => {
            let text = format!("{problem}. Until then it is {}.", format_time(TOLERANCE_NS));
            html.leaf("p", &[("class", "verdict-bad"), ("role", "alert"), ("id", "measured-tolerance-note")], &text)
        }
    };
    if state.device.is_empty() && state.fold(html, "device", "How the device was found", false) {
        list(html, view.inferred.notes.iter().map(String::as_str), view.inferred.notes.len());
    }
}

fn conformance(html: &mut Markup, state: &State, view: &View<'_>, found: &Conformance) {
    html.leaf("h3", &[], "Against the rules");
    let tolerance = format_time(view.tolerance_ns);
    let count = conform::count(found);
    let (class, text) = match count {
        0 => ("verdict-good", format!("Nothing that can be judged breaks a rule, with a tolerance of {tolerance}.")),
        1 => ("verdict-bad", format!("1 violation, with a tolerance of {tolerance}.")),
        _ => ("verdict-bad", format!("{} violations, with a tolerance of {tolerance}.", format_count(count))),
    };
    html.leaf("p", &[("class", class)], &text);
    if count > 0 {
        html.open("ol", &[("class", "tool-list measured-violations")]);
        for (i, violation) in found.violations.iter().enumerate().filter(|(i, _)| *i < MAX_VIOLATIONS || state.see == Some(i + 1)) {
            self::violation(html, i + 1, violation, state.see == Some(i + 1));
        }
        html.close();
        if count > MAX_VIOLATIONS as u64 {
            html.leaf("p", &[("class", "tool-note")], &format!("The first {MAX_VIOLATIONS} are listed."));
        }
    }
    if !found.unjudged.is_empty() && state.fold(html, "unjudged", "What these logs cannot tell", count == 0) {
        html.open("ul", &[("class", "tool-list")]);
        for of in &found.unjudged {
            html.open("li", &[]).leaf("b", &[], of.rules).text(": ").text(&of.why).close();
        }
        html.close();
    }
    if !found.judged.is_empty() && state.fold(html, "judged", "What was judged", false) {
        html.open("ul", &[("class", "tool-list")]);
        for of in &found.judged {
            html.open("li", &[]);
            name(html, of.check);
            let failed = if of.violations > 0 { format!("; violated by {}", format_count(of.violations)) } else { String::new() };
            html.text(&format!(" {} Looked at: {} {}{failed}.", of.check.sentence(), format_count(of.count), of.check.unit(of.count)))
                .close();
        }
        html.close();
    }
    if !found.assumptions.is_empty() && state.fold(html, "assumed", "What was assumed", false) {
        list(html, found.assumptions.iter().map(String::as_str), found.assumptions.len());
    }
}

/// The rule that a check reads backwards, or its own name.
fn name(html: &mut Markup, check: Check) {
    match check.rule() {
        Some(rule) => panels::chip(html, rule, false),
        None => {
            html.leaf("span", &[("class", "chip"), ("title", check.sentence())], check.id());
        }
    }
}

fn violation(html: &mut Markup, number: usize, violation: &Violation, is_shown: bool) {
    html.open("li", &[("class", if is_shown { "is-current" } else { "" })]);
    name(html, violation.check);
    html.text(" ").text(&violation.sentence).text(" ");
    let (word, keep, label) = (format!("see {number}"), format!("measured-see-{number}"), format!("Show violation {number}"));
    let attributes = [
        ("type", "button"),
        ("class", "small"),
        ("data-do", &*word),
        ("data-keep", &*keep),
        ("aria-label", &*label),
        ("aria-pressed", if is_shown { "true" } else { "false" }),
    ];
    html.leaf("button", &attributes, "Show").close();
}

fn differences(html: &mut Markup, view: &View<'_>, laid: &Laid<'_>) {
    html.leaf("h3", &[], "Against the run on screen");
    html.open("table", &[("class", "tool-table measured-summary")]).open("tbody", &[]);
    for (name, value) in laid.summary(view) {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], name).leaf("td", &[], &value).close();
    }
    html.close().close();
    let [first, largest] = laid.differences(view);
    let others = laid.others(view);
    if first.is_empty() {
        let text = format!("No matched block starts or ends more than {} off.", format_time(view.tolerance_ns));
        html.leaf("p", &[("class", "verdict-good")], &text);
    } else {
        let title = if largest.is_empty() { "Differences, by kernel" } else { "First differences, by kernel" };
        said(html, "first", title, &first);
        if !largest.is_empty() {
            said(html, "largest", "Largest differences, by kernel", &largest);
        }
    }
    if !others.is_empty() {
        said(html, "other", "What else is not the same", &others);
    }
}

fn said(html: &mut Markup, kind: &str, title: &str, all: &[Said]) {
    html.leaf("h4", &[], title).open("ul", &[("class", "tool-list")]);
    for (i, said) in all.iter().enumerate() {
        html.open("li", &[]).text(&said.text);
        if let Some(at) = said.at {
            let (at_text, keep) = (at.to_string(), format!("measured-{kind}-{i}"));
            let label = format!("Go to {}", format_time(at.ns()));
            html.text(" ").leaf(
                "button",
                &[("type", "button"), ("class", "small"), ("data-go-time", &at_text), ("data-keep", &keep), ("aria-label", &label)],
                "Go there",
            );
        }
        html.close();
    }
    html.close();
}

fn list<'t>(html: &mut Markup, items: impl Iterator<Item = &'t str>, count: usize) {
    const MOST: usize = 30;
    html.open("ul", &[("class", "tool-list")]);
    items.take(MOST).for_each(|item| {
        html.leaf("li", &[], item);
    });
    if count > MOST {
        html.leaf("li", &[], &format!("… and {} more.", format_count((count - MOST) as u64)));
    }
    html.close();
}

fn button(html: &mut Markup, word: &str, text: &str) {
    let keep = format!("measured-{word}");
    html.leaf("button", &[("type", "button"), ("class", "small"), ("data-do", word), ("data-keep", &keep)], text);
}
