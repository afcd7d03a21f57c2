//! Signals to the RunList Manager and the runlists that it submits: what they tell, when they arrive, and what follows (M1 to M5).
//!
//! Depends on `trace`. Invariant: it counts by itself what is issued and complete, and keeps its own list of what is under way. Source:
//! [EDF] section III-D; docs/semantics.md, section 7.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Invariant, Violation};
use crate::scenario::Chain;
use crate::trace::{Change, Rule, Signal, Step, Trace};
use crate::units::{ClaimantId, JobNo, OpId, SpaceId, Span, Time};

pub(super) fn check(trace: &Trace) -> Vec<Violation> {
    let policy = trace.scenario().policy();
    let mut book = Book {
        trace,
        latency: policy.signal_time(),
        submission: policy.runlist_time(),
        now: Time::ZERO,
        live: BTreeMap::new(),
        said: BTreeSet::new(),
        known: BTreeSet::new(),
        under_way: VecDeque::new(),
        submitted: None,
        chosen: None,
        listed: None,
        found: Vec::new(),
    };
    for step in trace.steps() {
        if step.at != book.now {
            book.end_of_instant(Some(step.at));
        }
        book.now = step.at;
        book.step(step);
    }
    if trace.cut().is_none() {
        book.end_of_instant(None);
    }
    book.found
}

/// A claimant, and which job of it.
type Job = (ClaimantId, JobNo);

struct Book<'a> {
    trace: &'a Trace,
    latency: Span,
    submission: Span,
    now: Time,
    /// Issued, incomplete operations, by job.
    live: BTreeMap<Job, u32>,
    /// Jobs of which A was sent last.
    said: BTreeSet<Job>,
    /// Jobs of which A has arrived last.
    known: BTreeSet<Job>,
    under_way: VecDeque<(Time, Signal, Job)>,
    /// The runlist that is being submitted: for whom, until when.
    submitted: Option<(SpaceId, Time)>,
    /// The job chosen last, and the one for which the last runlist was submitted.
    chosen: Option<Job>,
    listed: Option<Job>,
    found: Vec<Violation>,
}

impl Book<'_> {
    fn step(&mut self, step: &Step) {
        match step.change {
            Change::Issued { op } => *self.live.entry(self.job(op)).or_default() += 1,
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => {
                let job = self.job(op);
                if let Some(live) = self.live.get_mut(&job) {
                    *live = live.saturating_sub(1);
                }
            }
            Change::SignalSent { signal, claimant, job } => self.sent(step.rule, signal, (claimant, job)),
            Change::SignalArrived { signal, claimant, job } => self.arrived(step.rule, signal, (claimant, job)),
            Change::Chosen { claimant, job } => {
                let is_known = self.latency == Span::ZERO || self.known.contains(&(claimant, job));
                let is_live = self.live.get(&(claimant, job)).is_some_and(|&live| live > 0);
                if self.latency == Span::ZERO && !is_live {
                    let what = format!("job {} of claimant {} was chosen, but has nothing issued", job.0, claimant.0);
                    self.found.push(Violation { invariant: Invariant::Chosen, at: self.now, what });
                }
                self.expect(is_known, || format!("job {} of claimant {} was chosen, but is unknown", job.0, claimant.0));
                self.chosen = Some((claimant, job));
            }
            Change::Left { .. } | Change::DrainStarted { .. } if step.rule == Rule::E5 => {
                let left = self.known.iter().find(|job| self.live.get(job) == Some(&0)).copied();
                self.expect(left.is_none(), || "a process left while signal B was under way".to_owned());
            }
            Change::RunlistSubmitted { to, until } => {
                let is_right = self.submission > Span::ZERO && self.now.after(self.submission) == Some(until) && self.submitted.is_none();
                self.expect(is_right, || format!("a runlist is submitted until {} ns", until.ns()));
                self.submitted = Some((to, until));
                self.listed = self.chosen;
            }
            Change::SwitchStarted { to, .. } => self.follows_on_runlist(to),
            Change::Entered { space } if !self.has_switched(step) => self.follows_on_runlist(space),
            _ => {}
        }
    }

    fn job(&self, op: OpId) -> Job {
        (self.trace.row_of(op).claimant, self.trace.op(op).job)
    }

    /// M1, M3: something else is true than was said last.
    fn sent(&mut self, rule: Rule, signal: Signal, job: Job) {
        let is_live = self.live.get(&job).is_some_and(|&live| live > 0);
        let (tells, cites) = match signal {
            Signal::Submitted => (is_live && self.said.insert(job), Rule::M1),
            Signal::Completed => (!is_live && self.said.remove(&job), Rule::M3),
        };
        let is_right = tells && rule == cites && self.latency > Span::ZERO;
        self.expect(is_right, || format!("signal {} of job {} of claimant {} tells nothing", signal.letter(), job.1.0, job.0.0));
        self.under_way.push_back((self.now.after(self.latency).unwrap_or(Time::MAX), signal, job));
    }

    /// M2, M4: the one that was sent first.
    fn arrived(&mut self, rule: Rule, signal: Signal, job: Job) {
        let cites = if signal == Signal::Submitted { Rule::M2 } else { Rule::M4 };
        let is_right = self.under_way.pop_front() == Some((self.now, signal, job)) && rule == cites;
        self.expect(is_right, || format!("signal {} of job {} of claimant {} arrives then", signal.letter(), job.1.0, job.0.0));
        match signal {
            Signal::Submitted => self.known.insert(job),
            Signal::Completed => self.known.remove(&job),
        };
    }

    /// Whether a switch has ended with this step, which came after the runlist.
    fn has_switched(&self, step: &Step) -> bool {
        let before = self.trace.steps().partition_point(|s| s.at < step.at);
        let last = self.trace.steps()[..before].iter().rev();
        let mut turns = last.filter(|s| matches!(s.change, Change::SwitchStarted { .. } | Change::Entered { .. } | Change::Left { .. }));
        turns.next().is_some_and(|s| matches!(s.change, Change::SwitchStarted { until, .. } if until == step.at))
    }

    /// A switch, or without one the process, comes right after its runlist was submitted, unless the last one may have it.
    fn follows_on_runlist(&mut self, space: SpaceId) {
        let submitted = self.submitted.take();
        let is_listed = submitted.is_none() && self.is_in_chain_of_last();
        let is_right = self.submission == Span::ZERO || submitted == Some((space, self.now)) || is_listed;
        self.expect(is_right, || format!("address space {} follows on the runlist {submitted:?}", space.0));
    }

    /// Whether the job that is chosen has a consumer in common with the one for which the last runlist was submitted, each of them being one
    /// of its own: nobody else stays on it.
    fn is_in_chain_of_last(&self) -> bool {
        let scenario = self.trace.scenario();
        let consumers = |claimant: ClaimantId| {
            let task = scenario.claimant(claimant).task;
            let (mut found, mut left) = (BTreeSet::new(), vec![task]);
            while let Some(task) = left.pop() {
                if found.insert(task) {
                    left.extend(&scenario.task(task).consumers);
                }
            }
            found
        };
        let (Some((chosen, job)), Some((before, same))) = (self.chosen, self.listed) else { return false };
        let is_one = job == same && !consumers(chosen).is_disjoint(&consumers(before));
        is_one && scenario.policy().chain == Chain::Resident
    }

    /// Whatever has changed was told, and nothing was due before the next instant.
    fn end_of_instant(&mut self, next: Option<Time>) {
        if self.latency > Span::ZERO {
            let is_untold = |(job, live): &(&Job, &u32)| (**live > 0) != self.said.contains(job);
            let untold = self.live.iter().find(is_untold).map(|(job, _)| *job);
            self.expect(untold.is_none(), || format!("nothing is told of {untold:?}"));
        }
        let until = next.unwrap_or(self.trace.end());
        let is_past = |due: Time| if next.is_some() { due < until } else { due <= until };
        let signal = self.under_way.front().map(|(at, ..)| *at);
        for due in [signal, self.submitted.map(|(_, until)| until)].into_iter().flatten() {
            self.expect(!is_past(due), || format!("a signal or a runlist was due at {} ns", due.ns()));
        }
        self.live.retain(|job, live| *live > 0 || self.known.contains(job));
    }

    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.found.push(Violation { invariant: Invariant::Signals, at: self.now, what: what() });
        }
    }
}
