//! The list of rules, by what they are about.
//!
//! Invariant: in a family that is open each of its rules stands once, those that the run uses before the others.

use serde::{Deserialize, Serialize};

use blockstep_learn::ledger::{self, FAMILIES, Ledger, RuleFamily, hint};
use blockstep_sim::trace::{Rule, Trace, Variant, Variants};
use blockstep_sim::units::OpId;
use blockstep_view::quantity::{format_count, format_time};

/// What begins to wait at a step is named up to so many.
const MAX_WAITS: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    pub name: String,
    pub used: String,
    pub is_open: bool,
    pub entries: Vec<RuleEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEntry {
    pub rule: Rule,
    pub is_current: bool,
    /// How the run uses it, or why it does not.
    pub usage: Usage,
    /// What of it there is at the step, if the reader walks through its uses.
    pub at_step: Option<RuleAtStep>,
    pub switches: Vec<Switch>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Usage {
    Used {
        count: String,
        has_previous: bool,
        has_next: bool,
    },
    /// It does not: why.
    Unused(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleAtStep {
    /// Which of its steps this is, if it is one.
    pub cited: Option<String>,
    pub waits: Vec<WaitView>,
    /// How much more does, if not all is named.
    pub more: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitView {
    /// Whether only the rest of it waits.
    pub is_rest: bool,
    pub op: OpId,
    pub label: String,
    /// Until when.
    pub until: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    pub variant: Variant,
    pub is_on: bool,
    pub lead: String,
    pub sentence: String,
}

pub(super) struct RuleList<'a> {
    pub(super) ledger: &'a Ledger,
    pub(super) trace: &'a Trace,
    pub(super) position: u32,
    /// The rule through whose uses the reader walks.
    pub(super) walked: Option<Rule>,
    pub(super) variants: Variants,
    /// Families that are not as they are at first: open if the run uses one of their rules.
    pub(super) folds: &'a [usize],
}

impl RuleList<'_> {
    pub(super) fn families(&self) -> Vec<Family> {
        FAMILIES.iter().enumerate().map(|(place, family)| self.family(place, family)).collect()
    }

    fn family(&self, place: usize, family: &RuleFamily) -> Family {
        let belongs = |entry: &&ledger::LedgerEntry| family.has(entry.rule);
        let (used, unused): (Vec<_>, Vec<_>) = self.ledger.entries().iter().filter(belongs).partition(|entry| entry.is_used());
        let is_walked = |entry: &&ledger::LedgerEntry| self.walked == Some(entry.rule);
        let is_open = used.is_empty() == self.folds.contains(&place) || unused.iter().any(is_walked);
        Family {
            name: family.name.to_owned(),
            used: format!("{} of {} used", used.len(), used.len() + unused.len()),
            is_open,
            entries: if is_open { used.into_iter().chain(unused).map(|entry| self.entry(entry)).collect() } else { Vec::new() },
        }
    }

    fn entry(&self, entry: &ledger::LedgerEntry) -> RuleEntry {
        let position = self.position;
        let last = (position as usize).checked_sub(1).and_then(|i| self.trace.steps().get(i));
        let usage = if entry.is_used() {
            Usage::Used {
                count: count(self.trace, entry),
                has_previous: entry.first().is_some_and(|first| first < position),
                has_next: entry.last() > Some(position),
            }
        } else {
            Usage::Unused(format!("Not used. {}", hint(entry.rule, self.trace.scenario())))
        };
        let switches = Variant::ALL.into_iter().filter(|variant| variant.rules().first() == Some(&entry.rule));
        RuleEntry {
            rule: entry.rule,
            is_current: last.is_some_and(|step| step.rule == entry.rule),
            usage,
            at_step: if self.walked == Some(entry.rule) { self.at_step(entry) } else { None },
            switches: switches.map(|variant| Switch::new(variant, self.variants.has(variant))).collect(),
        }
    }

    fn at_step(&self, entry: &ledger::LedgerEntry) -> Option<RuleAtStep> {
        let cited = entry.ordinal(self.trace, self.position);
        let cited = cited.map(|n| format!("Here: step {} of {}.", format_count(n), format_count(entry.cited)));
        let waits = entry.waits_from(self.position);
        if cited.is_none() && waits.is_empty() {
            return None;
        }
        let end = self.trace.end();
        let one = |wait: &ledger::RuleWait| WaitView {
            is_rest: wait.is_rest,
            op: wait.op,
            label: self.trace.op_label(wait.op),
            until: if wait.until >= end { "to the end of the run".to_owned() } else { format!("until {}", format_time(wait.until.ns())) },
        };
        let more = Some(waits.len().saturating_sub(MAX_WAITS)).filter(|&more| more > 0);
        Some(RuleAtStep {
            cited,
            waits: waits.iter().take(MAX_WAITS).map(one).collect(),
            more: more.map(|more| format!("And {more} more.")),
        })
    }
}

impl Switch {
    fn new(variant: Variant, is_on: bool) -> Self {
        let others: Vec<_> = variant.rules()[1..].iter().map(|rule| rule.id()).collect();
        Self { variant, is_on, lead: instead(&others), sentence: variant.sentence().to_owned() }
    }
}

fn count(trace: &Trace, entry: &ledger::LedgerEntry) -> String {
    let at = |position: Option<u32>| position.and_then(|p| trace.steps().get(p as usize - 1)).map(|step| format_time(step.at.ns()));
    counted(entry.cited, entry.waits, u64::try_from(entry.waited_ns).ok(), at(entry.first()).zip(at(entry.last())))
}

/// `5 steps, delayed operations 3 times, 2.5 s in all, from 0 s to 3 s`: each part as far as there is one.
pub(super) fn counted(steps: u64, waits: u64, waited_ns: Option<u64>, from_to: Option<(String, String)>) -> String {
    let steps = match steps {
        0 => None,
        1 => Some("1 step".to_owned()),
        n => Some(format!("{} steps", format_count(n))),
    };
    let waited = waited_ns.map_or_else(|| "longer than can be said".to_owned(), format_time);
    let held = match waits {
        0 => None,
        1 => Some(format!("delayed an operation once, {waited}")),
        n => Some(format!("delayed operations {} times, {waited} in all", format_count(n))),
    };
    let when = from_to.map(|(from, to)| if from == to { format!("at {from}") } else { format!("from {from} to {to}") });
    [steps, held, when].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What is before the change, with the ids of other rules that it changes too.
pub(super) fn instead(others: &[&str]) -> String {
    if others.is_empty() { "Instead:".to_owned() } else { format!("Instead (with {}):", others.join(", ")) }
}
