//! How long a process drains under `edf`: blocks of graphics tasks to the end of a pixel, and nobody for longer than the watchdog lets it.
//!
//! Depends on `trace`. Invariant: it measures drains by itself. Source: [EDF] section VI-C; docs/semantics.md, section 7.

use std::collections::BTreeSet;

use super::{Invariant, Violation};
use crate::scenario::{Preemption, Turns};
use crate::trace::{Change, Rule, Step, Trace};
use crate::units::{OpId, SpaceId, Span, TaskId, Time};

pub(super) fn check(trace: &Trace) -> Vec<Violation> {
    let policy = trace.scenario().policy();
    if policy.kind.turns() != Turns::Deadlines {
        return Vec::new();
    }
    let mut book = Book {
        trace,
        gives_way_at_once: policy.preemption == Preemption::Thread,
        watchdog: policy.watchdog(),
        drain: None,
        longest: Span::ZERO,
        reset: BTreeSet::new(),
        found: Vec::new(),
    };
    trace.steps().iter().for_each(|step| book.step(step));
    book.found
}

struct Book<'a> {
    trace: &'a Trace,
    /// Whether the policy suspends compute tasks at once.
    gives_way_at_once: bool,
    watchdog: Option<Span>,
    /// Who drains, and since when.
    drain: Option<(SpaceId, Time)>,
    /// The longest time to the end of a pixel of the blocks that were suspended since the last process left.
    longest: Span,
    /// Processes that were reset.
    reset: BTreeSet<SpaceId>,
    found: Vec<Violation>,
}

impl Book<'_> {
    fn step(&mut self, step: &Step) {
        match step.change {
            Change::BlockSuspended { op, .. } => self.longest = self.longest.max(self.pixel(op)),
            Change::DrainStarted { space, .. } => self.drain = Some((space, step.at)),
            Change::ChannelReset { space } => {
                let is_due = self
                    .drain
                    .zip(self.watchdog)
                    .is_some_and(|((drains, since), watchdog)| drains == space && step.at.since(since) == watchdog);
                self.expect(is_due, step.at, |t| format!("{} was reset, but not when the watchdog's time was up", t.space_name(space)));
                self.reset.insert(space);
            }
            Change::Left { space } => self.left(space, step),
            Change::RunlistSubmitted { to: space, .. } | Change::SwitchStarted { to: space, .. } | Change::Entered { space } => {
                let is_there = !self.reset.contains(&space);
                self.expect(is_there, step.at, |t| format!("{} came back after its reset", t.space_name(space)));
            }
            Change::Chosen { claimant, .. } => {
                let task = self.trace.scenario().claimant(claimant).task;
                let is_there = !self.reset.contains(&self.space_of(task));
                self.expect(is_there, step.at, |t| format!("task {} was chosen after its reset", t.scenario().task(task).name));
            }
            _ => {}
        }
        if let (Some((space, since)), Some(watchdog)) = (self.drain, self.watchdog) {
            let is_in_time = step.at.since(since) <= watchdog;
            self.expect(is_in_time, step.at, |t| format!("{} drained for longer than the watchdog lets it", t.space_name(space)));
        }
    }

    fn left(&mut self, space: SpaceId, step: &Step) {
        let stayed = self.drain.map_or(Span::ZERO, |(_, since)| step.at.since(since));
        let was_reset = self.reset.contains(&space);
        self.expect(was_reset == (step.rule == Rule::S7), step.at, |t| format!("{} leaves by {}", t.space_name(space), step.rule.id()));
        if self.gives_way_at_once && !was_reset {
            // What is suspended has had its time; nothing else was a reason to stay.
            let (longest, name) = (self.longest, self.trace.space_name(space));
            self.expect(stayed >= longest, step.at, |_| format!("{name} left {} ns before the end of a pixel", longest.ns() - stayed.ns()));
            let most = self.trace.scenario().tasks().iter().filter_map(|task| task.pixel_latency).max().unwrap_or_default();
            self.expect(stayed <= most, step.at, |_| format!("{name} drained for {} ns", stayed.ns()));
        }
        (self.drain, self.longest) = (None, Span::ZERO);
    }

    fn pixel(&self, op: OpId) -> Span {
        self.trace.scenario().task(self.trace.row_of(op).task).pixel_latency.unwrap_or_default()
    }

    fn space_of(&self, task: TaskId) -> SpaceId {
        SpaceId(self.trace.scenario().task(task).process.0)
    }

    fn expect(&mut self, holds: bool, at: Time, what: impl FnOnce(&Trace) -> String) {
        if !holds {
            self.found.push(Violation { invariant: Invariant::Drain, at, what: what(self.trace) });
        }
    }
}
