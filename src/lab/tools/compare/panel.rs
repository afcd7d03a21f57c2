//! The panel of the side column: which runs, how they are tied together, and the way from
//! difference to difference.
//!
//! Depends on `view::markup`. Invariant: every control has a name that keeps its focus.

use super::beside::{Beside, MAX_BESIDE, Other, device_name, policy, why_the_same};
use super::{Here, MAX_SENTENCES, State, Subject};
use crate::engine;
use crate::learn::compare::words::capital;
use crate::learn::compare::{Differences, Lockstep};
use crate::scenario::device::BUILT_IN;
use crate::trace::{Variant, Variants};
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};

pub(super) fn panel(state: &State, beside: &[Beside], subject: Option<&Subject<'_>>, here: &Here) -> String {
    let mut html = Markup::new();
    let html = &mut html;
    let scenario = here.made.run.trace.scenario();
    html.open("p", &[("class", "compare-who")]).text("On screen: ");
    html.leaf("b", &[], &format!("{}, {}", policy(scenario.policy().kind), device_name(&scenario.device().name)));
    if beside.is_empty() {
        html.text(". Choose what to set beside it.").close();
    } else {
        html.text(". Beside it, under the timeline: ");
        for (i, b) in beside.iter().enumerate() {
            html.text(if i == 0 { "" } else { "; " });
            html.leaf("b", &[("class", if b.other.is_changed() { "compare-changed" } else { "" })], &b.other.heading());
        }
        html.text(".").close();
        which(html, state, beside);
        match subject {
            Some(subject) if subject.differences.stops().is_empty() => no_difference(html, state, subject, here),
            Some(subject) => differences(html, subject, here),
            None => {
                html.leaf("p", &[("class", "verdict-bad")], "There is no such run: below the timeline it is said why.");
            }
        }
        lockstep(html, state.by);
        html.open("div", &[("class", "tool-row compare-save")]);
        button(html, "csv", "Save as CSV", true);
        button(html, "figure", "Save figure", true);
        html.close();
    }
    choices(html, state, here);
    std::mem::take(html).finish()
}

/// Which of several runs the differences are from.
fn which(html: &mut Markup, state: &State, beside: &[Beside]) {
    if beside.len() < 2 {
        return;
    }
    let current = state.with.filter(|with| beside.iter().any(|b| b.other == *with)).unwrap_or(beside[0].other);
    html.open("label", &[("class", "tool-row compare-with")]).leaf("span", &[], "Differences from");
    html.open("select", &[("name", "with"), ("data-keep", "compare-with")]);
    for b in beside {
        html.option(&b.other.key(), &b.other.short(), b.other == current);
    }
    html.close().close();
}

fn button(html: &mut Markup, word: &str, text: &str, is_on: bool) {
    let keep = format!("compare-{word}");
    // It keeps the focus that it has when there is nothing more to do.
    let disabled = if is_on { "" } else { "true" };
    html.leaf(
        "button",
        &[("type", "button"), ("class", "small"), ("data-do", word), ("data-keep", &keep), ("aria-disabled", disabled)],
        text,
    );
}

/// A button for each run that there may be, pressed if it is there.
fn choices(html: &mut Markup, state: &State, here: &Here) {
    let scenario = here.made.run.trace.scenario();
    html.leaf("h3", &[], "Set beside it");
    let policies = engine::kinds().filter(|&kind| kind != scenario.policy().kind).map(Other::Policy);
    let devices = (0..BUILT_IN.len()).filter(|&d| BUILT_IN[d].name != scenario.device().name).map(Other::Device);
    toggles(html, state, "Another policy", &policies.collect::<Vec<_>>());
    toggles(html, state, "Another device", &devices.collect::<Vec<_>>());
    rules(html, state);
    html.open("div", &[("class", "compare-choice"), ("role", "group"), ("aria-label", "This table before an edit")]);
    html.leaf("span", &[("class", "quiet")], "This table before an edit");
    html.open("div", &[("class", "tool-row")]);
    let is_pinned = state.others.contains(&Other::Pinned);
    let is_full = !is_pinned && state.others.len() >= MAX_BESIDE;
    button(html, "pin", if is_pinned { "Pin anew" } else { "Pin this run" }, !is_full);
    if !state.pin.is_empty() {
        toggle(html, state, Other::Pinned);
    }
    html.close().close();
    if is_full {
        html.leaf("p", &[("class", "tool-note")], &format!("At most {MAX_BESIDE} runs stand beside the one on screen."));
    }
}

/// A list of what may be changed, and a button for each run with changed rules that is there.
fn rules(html: &mut Markup, state: &State) {
    html.open("div", &[("class", "compare-choice"), ("role", "group"), ("aria-label", "Changed rules")]);
    html.open("label", &[]).leaf("span", &[("class", "quiet")], "Changed rules");
    let disabled = if state.others.len() >= MAX_BESIDE { "1" } else { "" };
    html.open("select", &[("name", "rule"), ("data-keep", "compare-rule"), ("disabled", disabled)]);
    html.option("", "Change a rule…", true);
    let others = Variant::ALL.into_iter().map(|variant| (variant, Other::Rules(Variants::NONE.with(variant))));
    for (variant, other) in others.filter(|(_, other)| !state.others.contains(other)) {
        html.option(&other.key(), variant.title(), false);
    }
    html.close().close().open("div", &[("class", "tool-row")]);
    state.others.iter().filter(|other| other.is_changed()).for_each(|&other| toggle(html, state, other));
    html.close().close();
}

fn toggles(html: &mut Markup, state: &State, title: &str, others: &[Other]) {
    html.open("div", &[("class", "compare-choice"), ("role", "group"), ("aria-label", title)]);
    html.leaf("span", &[("class", "quiet")], title).open("div", &[("class", "tool-row")]);
    others.iter().for_each(|&other| toggle(html, state, other));
    html.close().close();
}

fn toggle(html: &mut Markup, state: &State, other: Other) {
    let is_on = state.others.contains(&other);
    let (word, keep) = (format!("toggle {}", other.key()), format!("compare-{}", other.key()));
    let title = match other {
        Other::Rules(rules) => rules.iter().map(Variant::sentence).collect::<Vec<_>>().join(" "),
        Other::Device(device) => BUILT_IN[device].name.to_owned(),
        _ => String::new(),
    };
    let is_closed = !is_on && state.others.len() >= MAX_BESIDE;
    let attributes = [
        ("type", "button"),
        ("class", "small"),
        ("aria-pressed", if is_on { "true" } else { "false" }),
        ("data-do", &*word),
        ("data-keep", &*keep),
        ("title", &*title),
        ("disabled", if is_closed { "1" } else { "" }),
    ];
    html.leaf("button", &attributes, &other.short());
}

fn lockstep(html: &mut Markup, by: Lockstep) {
    html.open("fieldset", &[("class", "switch")]).leaf("legend", &[], "The other runs stand");
    let choices = [
        (Lockstep::Time, "time", "By time", "Every run is shown at the same instant"),
        (Lockstep::Decision, "decision", "By decision", "Every run is shown right after what happened last on screen happened in it"),
    ];
    for (value, word, text, title) in choices {
        let keep = format!("compare-by-{word}");
        html.open("label", &[("title", title)]);
        let checked = if by == value { "1" } else { "" };
        html.single("input", &[("type", "radio"), ("name", "by"), ("value", word), ("checked", checked), ("data-keep", &keep)]);
        html.leaf("span", &[], text).close();
    }
    html.close();
}

/// That there is none, why, and what to set beside it instead.
fn no_difference(html: &mut Markup, state: &State, subject: &Subject<'_>, here: &Here) {
    html.open("p", &[("class", "verdict-good")]).text("The two runs do the same at every instant.");
    if let Some(why) = why_the_same(subject.beside.other, here) {
        html.text(" ").text(why);
    }
    html.close();
    if let Some(instead) = state.instead.filter(|other| !state.others.contains(other)) {
        let word = format!("instead {}", instead.key());
        html.open("div", &[("class", "tool-row")]);
        let attributes = [("type", "button"), ("class", "small primary"), ("data-do", &*word), ("data-keep", "compare-instead")];
        html.leaf("button", &attributes, &format!("One that differs: {}", instead.heading())).close();
    }
}

/// Where the reader stands among the differences, and the buttons from one to the next.
fn differences(html: &mut Markup, subject: &Subject<'_>, here: &Here) {
    let found = &*subject.differences;
    html.open("div", &[("class", "tool-row")]);
    button(html, "first", "First difference", true);
    button(html, "previous", "‹ Previous", found.previous(here.at, here.position).is_some());
    button(html, "next", "Next ›", found.next(here.at, here.position).is_some());
    html.close();
    subject.beside.with_pair(here, |pair, _| {
        html.open("div", &[("class", "compare-now")]);
        match found.at(here.at) {
            Some(stop) => {
                let head = format!("Difference {} of {}, at {}", count(stop + 1), count(found.stops().len()), format_time(here.at.ns()));
                html.leaf("p", &[("class", "compare-head")], &head).open("ul", &[("class", "tool-list")]);
                for sentence in pair.stop(found, stop, MAX_SENTENCES) {
                    html.leaf("li", &[], &sentence);
                }
                html.close();
            }
            None => {
                html.leaf("p", &[], &between(found, here));
            }
        }
        if let Some([a, b]) = pair.first(found).filter(|_| found.at(here.at).is_none_or(|stop| stop == 0)) {
            html.leaf("p", &[("class", "tool-note")], "The first step that is not the same:");
            html.open("ul", &[("class", "tool-list tool-note")]);
            for (name, step) in pair.names.iter().zip([a, b]) {
                html.leaf("li", &[], &format!("{}, {step}", capital(name)));
            }
            html.close();
        }
        html.close();
    });
}

/// Where the reader stands when nothing differs.
fn between(found: &Differences, here: &Here) -> String {
    let at = |stop: usize| format_time(found.stops()[stop].at.ns());
    let total = count(found.stops().len());
    let instants = if found.stops().len() == 1 { "instant".to_owned() } else { "instants".to_owned() };
    match (found.previous(here.at, here.position), found.next(here.at, here.position)) {
        (None, Some(next)) => format!("The runs agree so far. They differ at {total} {instants}, first at {}.", at(next)),
        (Some(last), Some(next)) => {
            format!(
                "Nothing differs at this instant: it lies between differences {} and {} of {total}, at {} and {}.",
                count(last + 1),
                count(next + 1),
                at(last),
                at(next)
            )
        }
        (Some(last), None) => format!("From here on the runs agree: the last of {total} differences was at {}.", at(last)),
        (None, None) => String::new(),
    }
}

fn count(n: usize) -> String {
    format_count(n as u64)
}
