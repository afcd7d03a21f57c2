//! Rules that steps cite, where another rule would be the wrong reason: N2, and how a process leaves, E7 among it.
//!
//! Depends on `trace`. Invariant: a citation is judged by the steps before it alone. Source: docs/semantics.md, sections 4, 6 and 8.

use std::collections::BTreeSet;

use super::{Invariant, Violation};
use crate::scenario::Chain;
use crate::trace::{Change, Rule, Step, Trace};
use crate::units::{OpId, TaskId, Time};

pub(super) fn check(trace: &Trace) -> Vec<Violation> {
    let mut book = Book { trace, completed: None, drains: false, entered: Time::ZERO, chosen: None, found: Vec::new() };
    trace.steps().iter().for_each(|step| book.step(step));
    book.found
}

struct Book<'a> {
    trace: &'a Trace,
    /// The operation that completed last, and when.
    completed: Option<(OpId, Time)>,
    drains: bool,
    /// Since when the resident process is, and the task chosen last.
    entered: Time,
    chosen: Option<TaskId>,
    found: Vec<Violation>,
}

impl Book<'_> {
    fn step(&mut self, step: &Step) {
        if step.rule == Rule::E7 {
            let is_right = self.is_turn_over(step.at);
            self.expect(is_right, step.at, |_| "no timeslice ends there within a chain".to_owned());
        }
        match step.change {
            Change::Entered { .. } => self.entered = step.at,
            Change::Chosen { claimant, .. } => self.chosen = Some(self.trace.scenario().claimant(claimant).task),
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => self.completed = Some((op, step.at)),
            Change::EeJoined { op, .. } | Change::CeJoined { op, .. } if step.rule == Rule::N2 => {
                let is_right = self.waited_for_null(op, step.at);
                self.expect(is_right, step.at, |t| format!("{} did not wait for the NULL stream", t.op_label(op)));
            }
            Change::DrainStarted { .. } => self.drains = true,
            Change::Left { space } => {
                let is_right = !matches!((step.rule, self.drains), (Rule::S3, false) | (Rule::L3, true));
                self.expect(is_right, step.at, |t| format!("{} leaves by {}", t.space_name(space), step.rule.id()));
                self.drains = false;
            }
            _ => {}
        }
    }

    /// E7: whether the timeslice of the resident process ends, whose chosen job has a consumer, where chains stay resident.
    fn is_turn_over(&self, now: Time) -> bool {
        let scenario = self.trace.scenario();
        let Some(task) = self.chosen.map(|task| scenario.task(task)) else { return false };
        let stayed = now.since(self.entered).ns();
        let is_end = stayed > 0 && stayed.is_multiple_of(scenario.processes()[task.process.index()].timeslice_ns);
        is_end && scenario.policy().chain == Chain::Resident && !task.consumers.is_empty()
    }

    /// Whether what has just completed stood in the NULL stream before the operation, which waited for no producer.
    fn waited_for_null(&self, op: OpId, now: Time) -> bool {
        let (layout, info) = (self.trace.layout(), self.trace.op(op));
        let stream = layout.stream(info.stream);
        let null = layout.space(stream.space).null;
        let Some((completed, at)) = self.completed else { return false };
        let is_behind = at == now && completed < op && null == Some(self.trace.op(completed).stream);
        is_behind && !stream.is_null && !stream.non_blocking && !self.consumes(op, completed)
    }

    /// Whether the job of an operation consumes that of another, directly or through tasks without operations.
    fn consumes(&self, op: OpId, of: OpId) -> bool {
        let (scenario, producer) = (self.trace.scenario(), self.trace.row_of(of).task);
        let (mut asked, mut seen) = (vec![self.trace.row_of(op).task], BTreeSet::new());
        while let Some(task) = asked.pop().filter(|_| self.trace.op(op).job == self.trace.op(of).job) {
            for &next in scenario.task(task).consumes.iter().filter(|&&next| seen.insert(next)) {
                if next == producer {
                    return true;
                }
                if !scenario.task(next).has_operations() {
                    asked.push(next);
                }
            }
        }
        false
    }

    fn expect(&mut self, holds: bool, at: Time, what: impl FnOnce(&Trace) -> String) {
        if !holds {
            self.found.push(Violation { invariant: Invariant::Citation, at, what: what(self.trace) });
        }
    }
}
