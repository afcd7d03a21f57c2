//! What a policy of one's own is told: each request and end once, in its time and order, ticks, and kernels (P1 to P3, P6, P7).
//!
//! Depends on `trace`. Invariant: what the policy makes of it is not judged; its decisions are taken from the trace. Source:
//! docs/semantics.md, section 14.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use blockstep_policy::Program;

use super::{Invariant, Violation};
use crate::trace::{Change, Made, Rule, Step, Told, Trace};
use crate::units::{JobNo, TaskId, Time};

type Job = (TaskId, JobNo);

pub(super) fn check(trace: &Trace) -> Vec<Violation> {
    let mut book = Book {
        trace,
        now: Time::ZERO,
        unasked: BTreeMap::new(),
        asking: BTreeMap::new(),
        ends: BTreeMap::new(),
        ready: BTreeSet::new(),
        kernels: VecDeque::new(),
        ticks_until: None,
        decision: 0,
        found: Vec::new(),
    };
    if trace.scenario().own().is_some() {
        for step in trace.steps() {
            if step.at > book.now {
                book.end_of_instant();
            }
            book.now = step.at;
            book.step(step);
        }
        if trace.cut().is_none() {
            book.end_of_instant();
        }
    }
    book.found
}

struct Book<'a> {
    trace: &'a Trace,
    now: Time,
    /// Released jobs that have not asked, each with its release.
    unasked: BTreeMap<Job, Time>,
    /// By task: the job that has asked and of which the end was not told, and when it asked.
    asking: BTreeMap<TaskId, (JobNo, Time)>,
    /// Complete jobs of which the end was not told, each with when it is due.
    ends: BTreeMap<Job, Option<Time>>,
    ready: BTreeSet<TaskId>,
    /// Kernels that have joined their EE queue or completed, of which the policy is to be told.
    kernels: VecDeque<Told>,
    /// When the last tick or request was told.
    ticks_until: Option<Time>,
    /// The place of the next decision.
    decision: u32,
    found: Vec<Violation>,
}

impl Book<'_> {
    fn step(&mut self, step: &Step) {
        let has_operations = |task: TaskId| self.trace.scenario().task(task).has_operations();
        match step.change {
            Change::JobReleased { task, job } if has_operations(task) => {
                self.unasked.insert((task, job), step.at);
            }
            Change::JobCompleted { task, job } if has_operations(task) => {
                self.ends.insert((task, job), step.at.after(self.trace.scenario().task(task).wake));
            }
            Change::EeJoined { op, .. } if self.hears(Program::hears_launches) => {
                self.kernels.push_back(Told::Launch(self.trace.row_of(op).task, self.trace.op(op).job, op));
            }
            Change::KernelCompleted { op } if self.hears(Program::hears_finishes) => {
                self.kernels.push_back(Told::Finish(self.trace.row_of(op).task, self.trace.op(op).job, op));
            }
            Change::PolicyTold { decision } => {
                self.expect(decision == self.decision, "a decision is out of order");
                self.decision = decision.saturating_add(1);
                self.told(step.rule, self.trace.made(decision));
            }
            _ => {}
        }
    }

    fn hears(&self, of: fn(&Program) -> bool) -> bool {
        self.trace.scenario().own().is_some_and(|own| of(own.program()))
    }

    fn told(&mut self, rule: Rule, made: &Made) {
        // Of kernels it is told first.
        let is_first = made.told.kernel().is_some() || self.kernels.is_empty();
        self.expect(is_first, "something is told before a kernel");
        match made.told {
            Told::Launch(..) | Told::Finish(..) => {
                let right = if matches!(made.told, Told::Launch(..)) { Rule::P6 } else { Rule::P7 };
                let is_next = self.kernels.pop_front() == Some(made.told);
                self.expect(rule == right && is_next, "a kernel is told that was not next");
            }
            Told::Request(task, job) => {
                self.ticks_until = Some(self.now);
                let release = self.unasked.remove(&(task, job));
                let is_next = !self.unasked.range((task, JobNo(0))..(task, job)).any(|_| true);
                let due = self.trace.scenario().task(task).deadline.and_then(|relative| release?.after(relative));
                let is_alone = self.asking.insert(task, (job, self.now)).is_none();
                self.ready.insert(task);
                self.expect(rule == Rule::P1 && release.is_some() && is_next && is_alone, "a job asks that may not");
                self.expect(made.deadline == due, "a job asks with another deadline");
            }
            Told::End(task, job) => {
                let due = self.ends.remove(&(task, job)).flatten();
                let asked = self.asking.remove(&task).filter(|(asking, _)| *asking == job).map(|(_, at)| at);
                self.ready.remove(&task);
                // One that was due before its request follows that.
                let is_right = due.zip(asked).is_some_and(|(due, asked)| due.max(asked) == self.now);
                self.expect(rule == Rule::P2 && is_right, "an end is told that is not due");
            }
            Told::Tick => {
                let every = self.trace.scenario().own().and_then(|own| own.program().tick_every());
                let is_due = every.is_some_and(|every| self.now > Time::ZERO && self.now.ns().is_multiple_of(every));
                let is_right = is_due && self.ticks_until.replace(self.now) != Some(self.now) && !self.ready.is_empty();
                self.expect(rule == Rule::P3 && is_right, "a tick is told that is not due");
            }
        }
        let ready = made.ready.iter().map(|task| TaskId::at(usize::from(task.0)));
        self.expect(ready.eq(self.ready.iter().copied()), "others are ready than the policy is told");
    }

    /// Everything that is due was told.
    fn end_of_instant(&mut self) {
        let asks = self.unasked.keys().any(|(task, _)| !self.asking.contains_key(task));
        self.expect(!asks, "a job does not ask");
        let asking = |(task, job): &Job| self.asking.get(task).is_some_and(|(asking, _)| asking == job);
        let is_due = self.ends.iter().any(|(of, due)| asking(of) && due.is_some_and(|due| due <= self.now));
        self.expect(!is_due, "an end is not told");
        let is_told = self.kernels.is_empty();
        self.expect(is_told, "a kernel is not told");
    }

    fn expect(&mut self, holds: bool, what: &str) {
        if !holds {
            self.found.push(Violation { invariant: Invariant::Told, at: self.now, what: what.to_owned() });
        }
    }
}
