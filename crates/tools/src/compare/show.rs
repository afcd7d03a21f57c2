//! What the panel of the side column shows: which runs, how they are tied together, and the way from difference to
//! difference.
//!
//! Invariant: every run that could be set beside the one on screen is offered once.

use serde::{Deserialize, Serialize};

use super::beside::{MAX_BESIDE, RunBeside, RunKey, can_be_tried, device_name, policy, why_the_same};
use super::remembered::State;
use super::subject::{ComparedRun, MAX_SENTENCES};
use super::wide::CompareWide;
use crate::tool::ReaderPlace;
use blockstep_learn::compare::Differences;
use blockstep_learn::compare::words::capital;
use blockstep_sim::engine;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::trace::{Variant, Variants};
use blockstep_view::quantity::{format_count, format_time};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub on_screen: String,
    pub beside: Vec<NamedRun>,
    pub with: Option<RunKey>,
    /// How it stands beside the one on screen; `None` if there is none.
    pub standing: Option<CompareStanding>,
    pub choices: RunChoices,
    /// The part under the timeline, if any run is beside.
    pub wide: Option<CompareWide>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedRun {
    /// What makes it another run than the one on screen.
    pub other: RunKey,
    pub short: String,
    /// The same where nothing else tells what kind of run it is.
    pub heading: String,
    pub is_changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompareStanding {
    Impossible,
    Same {
        /// That they do, and why, if the table says so.
        verdict: String,
        instead: Option<NamedRun>,
    },
    Differs(Differing),
}

/// Where the reader stands among the differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differing {
    pub has_previous: bool,
    pub has_next: bool,
    pub now: CurrentDifference,
    /// The first step of each run that is not the same, in words, where that is worth saying.
    pub first: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CurrentDifference {
    At { head: String, sentences: Vec<String> },
    Between(String),
}

/// What can be set beside the run on screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunChoices {
    pub policies: Vec<RunToggle>,
    pub devices: Vec<RunToggle>,
    /// Rules that can be changed: the run, and the rule's title.
    pub rules: Vec<(RunKey, String)>,
    pub changed: Vec<RunToggle>,
    pub pin: PinChoice,
    pub is_full: bool,
}

/// A run that can be added or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunToggle {
    pub other: RunKey,
    pub label: String,
    /// More about it; may be empty.
    pub title: String,
    pub is_on: bool,
    pub is_disabled: bool,
}

/// The run before an edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinChoice {
    pub label: String,
    pub is_possible: bool,
    pub pinned: Option<RunToggle>,
    pub note: Option<String>,
}

pub(super) fn view(
    state: &State,
    beside: &[RunBeside],
    subject: Option<&ComparedRun<'_>>,
    wide: Option<CompareWide>,
    place: &ReaderPlace,
) -> View {
    let scenario = place.simulation.run.trace.scenario();
    let current = state.with.filter(|with| beside.iter().any(|b| b.other == *with)).or(beside.first().map(|b| b.other));
    View {
        on_screen: super::run(policy(scenario.policy().kind), device_name(&scenario.device().name)),
        beside: beside.iter().map(|b| named(b.other)).collect(),
        with: current.filter(|_| beside.len() > 1),
        standing: match subject {
            None if beside.is_empty() => None,
            None => Some(CompareStanding::Impossible),
            Some(subject) if subject.differences.stops().is_empty() => Some(same(state, subject, place)),
            Some(subject) => Some(CompareStanding::Differs(differing(subject, place))),
        },
        choices: choices(state, place),
        wide,
    }
}

fn named(other: RunKey) -> NamedRun {
    NamedRun { other, short: other.short(), heading: other.heading(), is_changed: other.is_changed() }
}

fn choices(state: &State, place: &ReaderPlace) -> RunChoices {
    let scenario = place.simulation.run.trace.scenario();
    let policies = engine::kinds().filter(|&kind| kind != scenario.policy().kind).map(RunKey::Policy);
    let devices = (0..BUILT_IN.len()).filter(|&d| BUILT_IN[d].name != scenario.device().name).map(RunKey::Device);
    let rules = Variant::ALL.into_iter().map(|variant| (RunKey::Rules(Variants::NONE.with(variant)), variant.title().to_owned()));
    let is_full = state.others.len() >= MAX_BESIDE;
    let is_pinned = state.others.contains(&RunKey::Pinned);
    RunChoices {
        policies: policies.map(|other| toggle(state, other)).collect(),
        devices: devices.map(|other| toggle(state, other)).collect(),
        rules: rules.filter(|(other, _)| !state.others.contains(other)).collect(),
        changed: state.others.iter().filter(|other| other.is_changed()).map(|&other| toggle(state, other)).collect(),
        pin: PinChoice {
            label: if is_pinned { "Pin again" } else { "Pin this run" }.to_owned(),
            is_possible: is_pinned || !is_full,
            pinned: (!state.pin.is_empty()).then(|| toggle(state, RunKey::Pinned)),
            note: (!is_pinned && is_full).then(|| format!("You can compare the run on screen with at most {MAX_BESIDE} other runs.")),
        },
        is_full,
    }
}

fn toggle(state: &State, other: RunKey) -> RunToggle {
    let is_on = state.others.contains(&other);
    let title = match other {
        RunKey::Rules(rules) => rules.iter().map(Variant::sentence).collect::<Vec<_>>().join(" "),
        RunKey::Device(device) => BUILT_IN[device].name.to_owned(),
        _ => String::new(),
    };
    RunToggle { other, label: other.short(), title, is_on, is_disabled: !is_on && state.others.len() >= MAX_BESIDE }
}

/// That there is no difference, why, and what to set beside it instead.
fn same(state: &State, subject: &ComparedRun<'_>, place: &ReaderPlace) -> CompareStanding {
    let mut verdict = vec![super::SAME];
    verdict.extend(why_the_same(subject.beside.other, place));
    if state.instead.is_none() && can_be_tried(place) {
        verdict.push("None of the other policies, devices and rules that were tried gives another run.");
    }
    let verdict = verdict.join(" ");
    CompareStanding::Same { verdict, instead: state.instead.filter(|other| !state.others.contains(other)).map(named) }
}

fn differing(subject: &ComparedRun<'_>, place: &ReaderPlace) -> Differing {
    let found = &*subject.differences;
    let at = found.at(place.at);
    let words = subject.beside.with_pair(place, |pair| {
        let now = at.map(|stop| CurrentDifference::At {
            head: format!("Difference {} of {}, at {}", count(stop + 1), count(found.stops().len()), format_time(place.at.ns())),
            sentences: pair.stop(found, stop, MAX_SENTENCES),
        });
        let first = pair.first(found).filter(|_| at.is_none_or(|stop| stop == 0));
        let steps = first.into_iter().flat_map(|steps| pair.names.into_iter().zip(steps));
        (now, steps.map(|(name, step)| format!("{}, {step}", capital(name))).collect())
    });
    let (now, first) = words.unwrap_or_default();
    Differing {
        has_previous: found.previous(place.at, place.position).is_some(),
        has_next: found.next(place.at, place.position).is_some(),
        now: now.unwrap_or_else(|| CurrentDifference::Between(between(found, place))),
        first,
    }
}

/// Where the reader stands when nothing differs.
fn between(found: &Differences, place: &ReaderPlace) -> String {
    let at = |stop: usize| format_time(found.stops()[stop].at.ns());
    let total = count(found.stops().len());
    match (found.previous(place.at, place.position), found.next(place.at, place.position)) {
        (None, Some(next)) => {
            let instants = if found.stops().len() == 1 { "instant" } else { "instants" };
            format!("The runs agree so far. They differ at {total} {instants}; the first is at {}.", at(next))
        }
        (Some(last), Some(next)) => format!(
            "The runs agree at this instant. It lies between differences {} and {} of {total}, at {} and {}.",
            count(last + 1),
            count(next + 1),
            at(last),
            at(next)
        ),
        (Some(last), None) => format!("The runs agree from here on. The last of {total} differences was at {}.", at(last)),
        (None, None) => String::new(),
    }
}

fn count(n: usize) -> String {
    format_count(n as u64)
}
