//! The runs beside the one on screen: which there may be, what they are called, and how they are made.
//!
//! Invariant: a run with changed rules is called so wherever it is named.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::runs::{RunsError, Simulation};
use crate::tool::{Context, ReaderPlace};
use blockstep_learn::compare::words::Pair;
use blockstep_learn::divergence::first_difference;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::policy::about;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{Choice, Class, DeviceDraft, Draft, PolicyKind, StreamPriority};
use blockstep_sim::trace::{Variant, Variants};

/// Most runs beside the one on screen.
pub(super) const MAX_BESIDE: usize = 4;

/// What makes a run another one; written as its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum RunKey {
    Policy(PolicyKind),
    /// The same table on another device, by its place among the built-in ones.
    Device(usize),
    Rules(Variants),
    Pinned,
}

pub(super) struct RunBeside {
    pub(super) other: RunKey,
    pub(super) simulation: Result<Simulation, RunsError>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not the name of a run")]
pub struct NoRunKey(String);

impl FromStr for RunKey {
    type Err = NoRunKey;

    fn from_str(key: &str) -> Result<Self, NoRunKey> {
        Self::read(key).ok_or_else(|| NoRunKey(key.to_owned()))
    }
}

impl TryFrom<String> for RunKey {
    type Error = NoRunKey;

    fn try_from(key: String) -> Result<Self, NoRunKey> {
        key.parse()
    }
}

impl From<RunKey> for String {
    fn from(other: RunKey) -> Self {
        other.key()
    }
}

impl RunKey {
    /// What `key` writes.
    fn read(key: &str) -> Option<Self> {
        match key.split_once('=').unwrap_or((key, "")) {
            ("policy", word) => PolicyKind::from_word(word).map(Self::Policy),
            ("device", id) => BUILT_IN.iter().position(|device| device.id == id).map(Self::Device),
            ("variant", ids) => {
                let rules: Option<Variants> = ids.split(',').map(Variant::from_id).collect::<Option<Vec<_>>>().map(Variants::from_iter);
                rules.map(Self::Rules)
            }
            ("pin", _) => Some(Self::Pinned),
            _ => None,
        }
    }

    /// Its name in links and messages.
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Policy(kind) => format!("policy={}", kind.word()),
            Self::Device(device) => format!("device={}", BUILT_IN[device].id),
            Self::Rules(rules) => format!("variant={}", ids(rules)),
            Self::Pinned => "pin".to_owned(),
        }
    }

    /// A few words for a button or a cell.
    pub(super) fn short(self) -> String {
        match self {
            Self::Policy(kind) => about(kind).title.to_owned(),
            Self::Device(device) => device_name(BUILT_IN[device].name).to_owned(),
            Self::Rules(rules) => titles(rules),
            Self::Pinned => "Before the edit".to_owned(),
        }
    }

    /// The same where nothing else tells what kind of run it is.
    pub(super) fn heading(self) -> String {
        match self {
            Self::Policy(kind) => format!("Policy: {}", policy(kind)),
            Self::Device(_) => format!("On the {}", self.short()),
            Self::Rules(rules) => format!("Rules changed: {}", titles(rules)),
            Self::Pinned => self.short(),
        }
    }

    pub(super) fn is_changed(self) -> bool {
        matches!(self, Self::Rules(_))
    }

    fn make(self, pin: &str, context: &mut Context<'_>) -> Result<Simulation, RunsError> {
        let Context { place, runs } = context;
        match self {
            Self::Policy(kind) if kind == place.simulation.run.trace.scenario().policy().kind => Ok(place.simulation.clone()),
            Self::Policy(_) | Self::Device(_) => {
                let edited = runs.edited(&place.scenario, &self.key(), |draft| self.edit(draft))?;
                runs.beside(&edited, Variants::NONE)
            }
            Self::Rules(rules) => runs.beside(&place.scenario, rules),
            Self::Pinned => runs.beside(pin, Variants::NONE),
        }
    }

    /// What makes the table of another policy or device.
    fn edit(self, draft: &mut Draft) {
        match self {
            Self::Policy(kind) => draft.policy.kind = kind,
            Self::Device(place) => draft.device = DeviceDraft::BuiltIn(BUILT_IN[place].id.to_owned()),
            Self::Rules(_) | Self::Pinned => {}
        }
    }

    /// What the run on screen and this one are called in a sentence about both.
    fn names(self, place: &ReaderPlace) -> [String; 2] {
        let scenario = place.simulation.run.trace.scenario();
        match self {
            Self::Policy(kind) => [scenario.policy().kind, kind].map(|kind| format!("under {}", policy(kind))),
            Self::Device(device) => [&scenario.device().name, BUILT_IN[device].name].map(|name| format!("on the {}", device_name(name))),
            Self::Rules(_) => ["with the rules", "with changed rules"].map(str::to_owned),
            Self::Pinned => ["now", "before the edit"].map(str::to_owned),
        }
    }
}

impl RunBeside {
    pub(super) fn new(other: RunKey, pin: &str, context: &mut Context<'_>) -> Self {
        Self { other, simulation: other.make(pin, context) }
    }

    /// Calls `then` with the run on screen and this one as a pair; `None` if there is no such run.
    pub(super) fn with_pair<T>(&self, place: &ReaderPlace, then: impl FnOnce(&Pair<'_>) -> T) -> Option<T> {
        let made = self.simulation.as_ref().ok()?;
        let [a, b] = self.other.names(place);
        Some(then(&Pair { sides: [place.simulation.side(), made.side()], names: [&a, &b] }))
    }
}

/// The most telling run to set beside the one on screen: under another policy, else on another device, else with a changed rule;
/// one that differs in what it does, if there is any.
pub(super) fn telling(context: &mut Context<'_>) -> Option<RunKey> {
    use PolicyKind::{Edf, Fifo, Priority, Runlist};
    let scenario = context.place.simulation.run.trace.scenario();
    let kind = scenario.policy().kind;
    let is_timed = scenario.tasks().iter().any(|task| task.class == Class::RealTime && task.deadline.is_some());
    let order = match (scenario.processes().len() > 1, is_timed) {
        (false, false) => [Priority, Fifo, Runlist, Edf],
        (false, true) => [Priority, Fifo, Edf, Runlist],
        (true, false) => [Priority, Runlist, Edf, Fifo],
        (true, true) => [Edf, Runlist, Priority, Fifo],
    };
    let mut otherwise = None;
    for other in order.into_iter().filter(|&other| other != kind).map(RunKey::Policy) {
        let Ok(made) = other.make("", context) else { continue };
        if !context.runs.differences(&context.place.simulation, &made).stops().is_empty() {
            return Some(other);
        }
        otherwise = otherwise.or(Some(other));
    }
    differing(context).or(otherwise)
}

/// Steps of a run that is tried with one rule after the other changed.
const MAX_TRIED: usize = 20_000;

/// Whether a run is short enough for every other one to be tried.
pub(super) fn can_be_tried(place: &ReaderPlace) -> bool {
    place.simulation.run.trace.steps().len() <= MAX_TRIED
}

/// The first policy, else the first device, else the first changed rule, with which the run is another one; none of a run
/// that is too long for that to be tried.
pub(super) fn differing(context: &mut Context<'_>) -> Option<RunKey> {
    let trace = Arc::clone(&context.place.simulation.run.trace);
    let own = trace.scenario().policy().kind;
    if !can_be_tried(&context.place) {
        return None;
    }
    let device = trace.scenario().device().name.clone();
    let devices = (0..BUILT_IN.len()).filter(|&d| BUILT_IN[d].name != device).map(RunKey::Device);
    let mut tables = engine::kinds().filter(|&kind| kind != own).map(RunKey::Policy).chain(devices);
    let is_other = |other: &RunKey| {
        let made = other.make("", context).ok();
        made.is_some_and(|made| !context.runs.differences(&context.place.simulation, &made).stops().is_empty())
    };
    tables.find(is_other).or_else(|| {
        // These need not be kept: only the step is looked for at which they part.
        let limits = Limits { max_steps: 2 * MAX_TRIED as u32 };
        let is_other = |variants: &Variants| {
            let run = engine::simulate_varied(trace.scenario(), *variants, limits);
            first_difference(&trace, &run.trace).is_some()
        };
        Variant::ALL.into_iter().map(|variant| Variants::NONE.with(variant)).find(is_other).map(RunKey::Rules)
    })
}

/// Why a run may be the same as the one on screen, if the table says so.
pub(super) fn why_the_same(other: RunKey, place: &ReaderPlace) -> Option<&'static str> {
    let scenario = place.simulation.run.trace.scenario();
    let RunKey::Policy(kind) = other else { return None };
    let kinds = [kind, scenario.policy().kind];
    let has_high = scenario.streams().iter().any(|stream| stream.priority == StreamPriority::High);
    // Channels and batches of one process take turns, too.
    let is_alone = scenario.processes().len() < 2 && !scenario.has_channels() && !scenario.has_batches();
    match kinds.iter().filter(|kind| !kind.takes_turns()).count() {
        2 if !has_high => Some("No stream here has high priority, so FIFO and priority give the same run."),
        0 | 1 if is_alone && (!has_high || !kinds.contains(&PolicyKind::Fifo)) => {
            Some("There is only one process here, so it never waits for its turn.")
        }
        _ => None,
    }
}

/// A policy's name in a sentence.
pub(super) fn policy(kind: PolicyKind) -> &'static str {
    about(kind).name
}

/// A device's name without what stands in brackets after it.
pub(super) fn device_name(name: &str) -> &str {
    match name.split(" (").next().unwrap_or_default() {
        "" => "device of this table",
        name => name,
    }
}

/// As words name them.
fn ids(rules: Variants) -> String {
    rules.iter().map(Variant::id).collect::<Vec<_>>().join(",")
}

fn titles(rules: Variants) -> String {
    rules.iter().map(Variant::title).collect::<Vec<_>>().join("; ")
}
