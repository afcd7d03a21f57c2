//! What the tool remembers: which runs stand beside the one on screen, and how they are tied to it.
//!
//! Depends on `beside`. Invariants: names and words are those of links of version 1; what names no run
//! is as if it were not there.

use serde::{Deserialize, Serialize};

use super::beside::{MAX_BESIDE, RunBeside, RunKey, differing, telling};
use crate::runs::scenario_mark;
use crate::tool::Context;
use blockstep_learn::compare::Lockstep;
use blockstep_protocol::Effect;

/// What the tool remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The runs beside the one on screen.
    #[serde(rename = "run")]
    pub others: Vec<RunKey>,
    /// Those whose queues are shown.
    pub queues: Vec<RunKey>,
    /// The scenario file that was pinned.
    pub pin: String,
    /// Whether that is the scenario before the last edit, which the reader did not pin.
    #[serde(rename = "edited")]
    pub is_pin_before_edit: bool,
    /// How the runs are tied together.
    pub by: Lockstep,
    /// Which of the others the differences are from.
    pub with: Option<RunKey>,
    /// A run that differs, offered where one does not.
    pub instead: Option<RunKey>,
    /// The mark of the scenario of which that is known.
    pub instead_of: String,
    /// How far the page's timeline was asked to reach, ns.
    pub reach: u64,
}

impl State {
    /// Adds a run, or takes it away.
    pub fn toggle(&mut self, other: RunKey) {
        if self.others.contains(&other) {
            self.others.retain(|o| *o != other);
        } else if self.others.len() < MAX_BESIDE {
            self.others.push(other);
            self.with = Some(other);
        }
    }

    pub fn toggle_queues(&mut self, other: RunKey) {
        if self.queues.contains(&other) {
            self.queues.retain(|o| *o != other);
        } else {
            self.queues.push(other);
        }
    }

    /// Keeps a scenario, and sets it beside the one on screen.
    pub(super) fn pin(&mut self, scenario: &str) {
        scenario.clone_into(&mut self.pin);
        self.is_pin_before_edit = false;
        if !self.others.contains(&RunKey::Pinned) {
            self.toggle(RunKey::Pinned);
        }
    }

    /// Sets the scenario before the last edit beside the one on screen, before all others; not in place of one that the reader
    /// pinned.
    fn set_before_edit(&mut self, scenario: &str) {
        if self.others.contains(&RunKey::Pinned) && !self.is_pin_before_edit {
            return;
        }
        scenario.clone_into(&mut self.pin);
        self.is_pin_before_edit = true;
        self.others.retain(|other| *other != RunKey::Pinned);
        self.others.insert(0, RunKey::Pinned);
        self.others.truncate(MAX_BESIDE);
        self.with = Some(RunKey::Pinned);
    }

    /// Puts a run in the place of the one that the differences are from.
    pub fn replace(&mut self, other: RunKey) {
        let with = self.with.filter(|with| self.others.contains(with)).or(self.others.first().copied());
        self.others.retain(|o| *o != other);
        match self.others.iter_mut().find(|o| Some(**o) == with) {
            Some(place) => *place = other,
            None => self.others.push(other),
        }
        self.with = Some(other);
    }

    /// Finds out which run differs from the one on screen, once for each.
    pub(super) fn look_for_another(&mut self, context: &mut Context<'_>) {
        let of = scenario_mark(&context.place.scenario);
        if self.instead_of != of {
            self.instead = differing(context);
            self.instead_of = of;
        }
    }

    /// Takes the runs that a word names; what it says of those that have no room.
    pub(super) fn open(&mut self, word: &str, context: &mut Context<'_>) -> Option<Effect> {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(word.as_bytes()).into_owned().collect();
        let of_kind = |kind: &'static str| pairs.iter().filter(move |(name, _)| name == kind);
        let keys = ["policy", "device", "variant", "pin"].into_iter().flat_map(of_kind).map(|(name, value)| format!("{name}={value}"));
        let mut named: Vec<RunKey> = keys.filter_map(|key| key.parse().ok()).collect();
        let more = named.len().saturating_sub(MAX_BESIDE);
        named.truncate(MAX_BESIDE);
        let left_out = format!("This link asks for {} runs. The first {MAX_BESIDE} are shown.", named.len() + more);
        if named.contains(&RunKey::Pinned) {
            let given = of_kind("pin").map(|(_, value)| value).next().filter(|given| !given.is_empty());
            given.unwrap_or(&context.place.scenario).clone_into(&mut self.pin);
            self.is_pin_before_edit = false;
        }
        if let Some((_, before)) = of_kind("before").next() {
            self.set_before_edit(before);
            return None;
        }
        if !named.is_empty() {
            self.with = named.first().copied();
            self.others = named;
        } else if self.others.is_empty() {
            self.others.extend(telling(context));
        }
        (more > 0).then_some(Effect::Complain(left_out))
    }

    /// The runs beside the one on screen, made.
    pub(super) fn beside(&self, context: &mut Context<'_>) -> Vec<RunBeside> {
        self.others.iter().map(|&other| RunBeside::new(other, &self.pin, context)).collect()
    }
}
