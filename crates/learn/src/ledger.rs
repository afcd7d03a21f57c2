//! The ledger of a run: of every rule how often the run used it, and when.
//!
//! Depends on `view::breakdown` for what waited for how long. Invariants: a rule is used by a step
//! that cites it, and by a wait that it causes; everything is counted, though of very many waits
//! only the first are kept; the run is gone through once.

mod families;
mod needs;

pub use families::{FAMILIES, RuleFamily};
pub use needs::{hint, is_possible};

use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::{Change, Rule, Step, Trace};
use blockstep_sim::units::{OpId, Time};
use blockstep_view::breakdown::{Wait, breakdown_watched};

/// Waits kept of a rule, to be walked through.
pub const MAX_KEPT: usize = 10_000;

/// How often a run used every rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// In the order of [`Rule::ALL`].
    entries: Vec<LedgerEntry>,
}

/// How often a run used one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The rule that is counted.
    pub rule: Rule,
    /// Steps that it led to.
    pub cited: u64,
    /// The steps applied after the first of them, and after the last.
    cited_at: Option<(u32, u32)>,
    /// Times that something began to wait because of it.
    pub waits: u64,
    /// How long they lasted in all, ns.
    pub waited_ns: u128,
    /// The steps applied where the first of them begins, and where the last does.
    waits_at: Option<(u32, u32)>,
    /// By where they begin; at most [`MAX_KEPT`].
    first_waits: Vec<RuleWait>,
}

/// Something that a rule holds back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleWait {
    /// Steps applied where it begins: all of the instant.
    pub position: u32,
    /// What waits.
    pub op: OpId,
    /// Until then, or until the end of the run.
    pub until: Time,
    /// Whether the kernel executes and only the rest of its blocks waits.
    pub is_rest: bool,
}

impl Ledger {
    /// The ledger of a run; `records` are its own. Cost: that of the run's breakdown.
    #[must_use]
    pub fn new(run: &Run, records: &Records) -> Self {
        let trace = &run.trace;
        let mut ledger = Self { entries: Rule::ALL.into_iter().map(LedgerEntry::new).collect() };
        for (i, step) in trace.steps().iter().enumerate() {
            for rule in rules_of(step) {
                ledger.entry_mut(rule).cite(i as u32 + 1);
            }
        }
        breakdown_watched(run.replay(), records, &mut |wait| {
            if let Some(rule) = wait.kind.rule(trace.op(wait.op).kind) {
                ledger.entry_mut(rule).hold(trace, wait);
            }
        });
        for entry in &mut ledger.entries {
            entry.first_waits.sort_by_key(|wait| (wait.position, wait.op));
        }
        ledger
    }

    /// Every rule, in the order of [`Rule::ALL`].
    #[must_use]
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// One rule.
    #[must_use]
    pub fn entry(&self, rule: Rule) -> &LedgerEntry {
        &self.entries[place(rule)]
    }

    /// How many rules the run used.
    #[must_use]
    pub fn used(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_used()).count()
    }

    fn entry_mut(&mut self, rule: Rule) -> &mut LedgerEntry {
        &mut self.entries[place(rule)]
    }
}

/// The rules that a step uses: the one it cites, and where a process leaves, S4 with it.
pub fn rules_of(step: &Step) -> impl Iterator<Item = Rule> {
    let also = matches!(step.change, Change::Left { .. }).then_some(Rule::S4);
    std::iter::once(step.rule).chain(also.filter(|&rule| rule != step.rule))
}

/// Rules are numbered in the order of the list.
fn place(rule: Rule) -> usize {
    rule as usize
}

impl LedgerEntry {
    fn new(rule: Rule) -> Self {
        Self { rule, cited: 0, cited_at: None, waits: 0, waited_ns: 0, waits_at: None, first_waits: Vec::new() }
    }

    /// Whether the run used it at all.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.cited > 0 || self.waits > 0
    }

    /// The first waits that it caused, by where they begin.
    #[must_use]
    pub fn first_waits(&self) -> &[RuleWait] {
        &self.first_waits
    }

    /// What begins to wait because of it after so many steps.
    #[must_use]
    pub fn waits_from(&self, position: u32) -> &[RuleWait] {
        let (first, end) =
            (self.first_waits.partition_point(|h| h.position < position), self.first_waits.partition_point(|h| h.position <= position));
        &self.first_waits[first..end]
    }

    /// Steps applied at the first use.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        [self.cited_at, self.waits_at].into_iter().flatten().map(|(first, _)| first).min()
    }

    /// Steps applied at the last use.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        [self.cited_at, self.waits_at].into_iter().flatten().map(|(_, last)| last).max()
    }

    /// Steps applied at the next use after `position`; cost: the steps up to it.
    #[must_use]
    pub fn next(&self, trace: &Trace, position: u32) -> Option<u32> {
        let wait = self.first_waits.get(self.first_waits.partition_point(|h| h.position <= position)).map(|h| h.position);
        let cites = self.cited_at.filter(|&(_, last)| last > position).and_then(|_| {
            let after = trace.steps().get(position as usize..)?;
            after.iter().position(|step| self.is_cited_by(step)).map(|i| position + i as u32 + 1)
        });
        [wait, cites].into_iter().flatten().min()
    }

    /// Steps applied at the last use before `position`; cost: the steps from there.
    #[must_use]
    pub fn previous(&self, trace: &Trace, position: u32) -> Option<u32> {
        let wait = self.first_waits[..self.first_waits.partition_point(|h| h.position < position)].last().map(|h| h.position);
        let cites = self.cited_at.filter(|&(first, _)| first < position).and_then(|_| {
            let before = trace.steps().get(..position.saturating_sub(1) as usize).unwrap_or(trace.steps());
            before.iter().rposition(|step| self.is_cited_by(step)).map(|i| i as u32 + 1)
        });
        [wait, cites].into_iter().flatten().max()
    }

    /// Which of its steps the last one applied is, from 1; `None` if that is not one of them.
    #[must_use]
    pub fn ordinal(&self, trace: &Trace, position: u32) -> Option<u64> {
        let applied = trace.steps().get(..position as usize)?;
        self.is_cited_by(applied.last()?).then(|| applied.iter().filter(|step| self.is_cited_by(step)).count() as u64)
    }

    fn is_cited_by(&self, step: &Step) -> bool {
        rules_of(step).any(|rule| rule == self.rule)
    }

    fn cite(&mut self, position: u32) {
        self.cited += 1;
        self.cited_at = Some((self.cited_at.map_or(position, |(first, _)| first), position));
    }

    fn hold(&mut self, trace: &Trace, wait: Wait) {
        let position = trace.steps().partition_point(|step| step.at <= wait.range.start) as u32;
        self.waits += 1;
        self.waited_ns += u128::from(wait.range.end.since(wait.range.start).ns());
        self.waits_at = Some(self.waits_at.map_or((position, position), |(first, last)| (first.min(position), last.max(position))));
        if self.first_waits.len() < MAX_KEPT {
            self.first_waits.push(RuleWait { position, op: wait.op, until: wait.range.end, is_rest: wait.is_rest });
        }
    }
}

/// The rules that a run did not use, each with what a scenario needs for it.
#[must_use]
pub fn unused(ledger: &Ledger, scenario: &Scenario) -> Vec<(Rule, String)> {
    ledger.entries().iter().filter(|entry| !entry.is_used()).map(|entry| (entry.rule, hint(entry.rule, scenario))).collect()
}
