//! The wide part under the page's timeline: a picture of each run on the same scale, its current
//! step, its queues, and the tables of differences.
//!
//! Depends on `draw` and the page's panels. Invariants: pictures line up with the page's timeline; a
//! kernel has the colour that it has in the run on screen.

use super::beside::{Beside, Other, device_name, policy};
use super::{Asked, State, mapped, tables};
use crate::draw;
use crate::learn::compare::Lockstep;
use crate::runs::Simulation;
use crate::trace::{Trace, Variant};
use crate::units::{StepId, Time};
use crate::view::markup::Markup;
use crate::view::panels::{self, Look};
use crate::view::position::{self, Stop};
use crate::view::{queues, sentence};

/// Most operations shown in a queue.
const MAX_ITEMS: usize = 12;
/// Pictures narrower than this are compact.
const COMPACT_PX: f64 = 640.0;

pub(super) fn wide(state: &State, beside: &[Beside], asked: &mut Asked<'_>) -> String {
    let mut html = Markup::new();
    if beside.is_empty() {
        return String::new();
    }
    html.open("div", &[("class", "compare-wide")]);
    on_screen(&mut html, asked);
    for b in beside {
        run(&mut html, state, b, asked);
    }
    html.markup(&tables::tables(beside, asked));
    html.finish()
}

/// The run whose timeline stands above.
fn on_screen(html: &mut Markup, asked: &Asked<'_>) {
    let here = &asked.here;
    let trace = &here.made.run.trace;
    let scenario = trace.scenario();
    let name = format!("On screen, above: {}, {}", policy(scenario.policy().kind), device_name(&scenario.device().name));
    html.open("section", &[("class", "compare-run"), ("aria-label", &name)]).leaf("h3", &[("class", "compare-title")], &name);
    html.open("p", &[("class", "compare-step")]);
    step(html, trace, here.stop());
    html.close().close();
}

/// Where a run stands: the rule and the sentence of its last step.
fn step(html: &mut Markup, trace: &Trace, stop: Stop) {
    if let Some(last) = stop.position.checked_sub(1) {
        panels::chip(html, trace.step(StepId(last)).rule, true);
    }
    html.leaf("span", &[], &sentence::spoken(trace, stop));
}

/// A heading that tells at once if rules were changed.
fn heading(html: &mut Markup, other: Other) {
    let class = if other.is_changed() { "compare-title compare-changed" } else { "compare-title" };
    html.leaf("h3", &[("class", class)], &other.heading());
    if let Other::Rules(rules) = other {
        let what: Vec<&str> = rules.iter().map(Variant::sentence).collect();
        html.leaf("p", &[("class", "tool-note")], &format!("Not what the GPU does. {}", what.join(" ")));
    }
}

fn run(html: &mut Markup, state: &State, beside: &Beside, asked: &mut Asked<'_>) {
    html.open("section", &[("class", "compare-run"), ("aria-label", &beside.other.heading())]);
    heading(html, beside.other);
    match &beside.made {
        Err(why) => {
            html.leaf("p", &[("class", "verdict-bad")], &format!("This run cannot be made: {why}"));
        }
        Ok(made) => picture(html, state, beside, made, asked),
    }
    html.close();
}

fn picture(html: &mut Markup, state: &State, beside: &Beside, made: &Simulation, asked: &mut Asked<'_>) {
    let here = &asked.here;
    let trace = &made.run.trace;
    if let Some(cut) = trace.cut() {
        html.leaf("p", &[("class", "verdict-bad")], &format!("This is only the beginning of it: {cut}."));
    }
    let differences = asked.runs.differences(&here.made, made);
    let timeline = asked.runs.timeline(made);
    let stands = differences.position_in_b(here.made.side(), made.side(), state.by, here.position, here.at);
    let cursor = match state.by {
        Lockstep::Time => here.at,
        Lockstep::Decision => position::time_at(trace, stands),
    };
    let matching = differences.matching();
    let rows = here.made.run.trace.scenario().rows().len();
    let row = here.selected.and_then(|row| matching.row(false, row));
    let height = timeline.natural_height_px(state.others.len() > 1 || here.scale.width_px() < COMPACT_PX);
    let mut frame = timeline.frame(&here.scale, height, Some(cursor), row);
    mapped::frame(&mut frame, matching, rows);
    let name = format!("{}: timeline", beside.other.heading());
    html.open("div", &[("class", "compare-picture")]);
    html.markup(&draw::stacked(&[("", &frame)], &name, &timeline.summary(), here.options.is_dark)).close();
    let is_shown = state.queues.contains(&beside.other);
    let (word, keep) = (format!("queues {}", beside.other.key()), format!("compare-queues-{}", beside.other.key()));
    let toggle = [
        ("type", "button"),
        ("class", "small"),
        ("data-do", &*word),
        ("data-keep", &*keep),
        ("aria-expanded", if is_shown { "true" } else { "false" }),
    ];
    html.open("p", &[("class", "compare-step")]);
    step(html, trace, Stop { position: stands, at: cursor });
    html.leaf("button", &toggle, "Queues").close();
    if is_shown {
        let mut replay = made.run.replay();
        let snapshot = replay.seek(stands).clone();
        let last = stands.checked_sub(1).map(|i| trace.step(StepId(i))).filter(|step| step.at == cursor);
        let mut view = queues::queues(trace, &snapshot, last, cursor, MAX_ITEMS);
        mapped::view(&mut view, matching, rows);
        let look = Look { is_dark: here.options.is_dark, selected: here.selected };
        let diagram = mapped::operations(&panels::diagram(&view, look), matching);
        html.open("div", &[("class", "diagram-grid"), ("role", "group"), ("aria-label", &format!("Queues, {}", beside.other.heading()))]);
        html.markup(&diagram).close();
    }
}

/// The end of the longest of some runs.
pub(super) fn longest(timelines: impl Iterator<Item = Time>) -> Time {
    timelines.max().unwrap_or(Time(1))
}
