//! The oracle's context decision under `edf`: servers, deadlines, inheritance (docs/semantics.md, sections
//! 7 and 8), found anew by scanning every time.

use blockstep_sim::scenario::{Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, Release, TaskDraft};
use blockstep_sim::trace::OpKind;

use super::connections::Connections;
use super::turns::Turn;
use super::{Assigned, Model, Run, spins, vary};

#[derive(Clone)]
pub(super) struct Edf {
    /// Claimant and place in `Run::jobs` of the job chosen.
    pub(super) chosen: Option<(usize, usize)>,
    /// The job that the process drains for.
    drains_for: Option<(usize, usize)>,
    /// By claimant: current budget and deadline of its server.
    c: Vec<u64>,
    pub(super) d: Vec<u64>,
    /// Task and number of the job at the head of the chain whose runlist was submitted last.
    pub(super) listed: Option<(usize, u64)>,
}

impl Edf {
    pub(super) fn new(m: &Model) -> Self {
        Self { chosen: None, drains_for: None, c: vec![0; m.claimants.len()], d: vec![0; m.claimants.len()], listed: None }
    }
}

/// How many nanoseconds one job in its worst case, alone on the idle device, has an issued, incomplete operation; until it hangs, if it does.
pub(super) fn time_alone(draft: &Draft, tasks: &[TaskDraft], task: usize) -> u64 {
    let only = TaskDraft {
        release: Release::Once,
        offset_ns: 0,
        jobs: None,
        period_ns: None,
        deadline_ns: None,
        consumes: vec![],
        ..tasks[task].clone()
    };
    let kernels = draft.kernels.iter().filter(|k| k.task.as_ref().unwrap_or(&tasks[0].name) == &only.name).map(vary::at_worst);
    // Its batches are left out.
    let kernels = spins::alone(kernels.map(|k| KernelDraft { batch: None, ..k }).collect());
    let policy = PolicyDraft { kind: PolicyKind::Priority, ..draft.policy.clone() };
    let alone = Draft { tasks: vec![only], kernels, policy, batches: vec![], horizon_ns: None, ..draft.clone() };
    let model = Model::with_connections(&alone, &Connections::from_draft(draft));
    let mut run = super::run(&model);
    run.finish();
    let has_issued = |t: u64| run.ops.iter().any(|o| o.issued <= t && o.end.is_none_or(|end| t < end));
    let batches = (0..run.now).filter(|&t| has_issued(t) && !has_issued(t + 1)).count() as u64;
    let time = (0..run.now).filter(|&t| has_issued(t)).count() as u64 + batches * draft.policy.signal_ns;
    if run.ops.iter().any(|o| o.end.is_none()) { time.max(1) } else { time }
}

/// T of a task's server, where it has one.
pub(super) fn server_period(t: &TaskDraft) -> Option<u64> {
    let relative = t.deadline_ns.or(t.period_ns);
    if t.release == Release::Once { relative } else { t.period_ns.or(relative) }
}

impl Run<'_> {
    /// The first job, in order of release, of a claimant with an issued, incomplete operation that
    /// does not wait for a producer, as far as the manager knows.
    pub(super) fn pending(&self, of: usize) -> Option<usize> {
        (0..self.jobs.len()).find(|&job| self.is_pending(of, job))
    }

    /// The process of a claimant.
    pub(super) fn claimed(&self, of: usize) -> usize {
        self.m.tasks[self.m.claimants[of].task].process
    }

    fn is_pending(&self, of: usize, job: usize) -> bool {
        if self.jobs[job].task != self.m.claimants[of].task || !self.knows(of, job) || self.turns.reset.contains(&self.claimed(of)) {
            return false;
        }
        // Signal B is under way.
        if !self.has_issued(of, job) {
            return true;
        }
        let waits = self.waiting();
        (0..self.ops.len()).any(|op| self.is_of(op, of, job) && self.ops[op].end.is_none() && !waits[op])
    }

    /// Something of a claimant is issued, for which it is an arrival.
    pub(super) fn arrival(&mut self, of: usize) {
        let claimant = &self.m.claimants[of];
        let Some(q) = claimant.budget else { return };
        let edf = &mut self.turns.edf;
        let (c, d, now) = (edf.c[of], edf.d[of], self.now);
        let relative = claimant.relative.unwrap();
        if now >= d || c * relative >= (d - now) * q {
            edf.d[of] = now + relative;
            edf.c[of] = q;
        }
    }

    /// CBS, at the beginning of step 4.
    pub(super) fn replenish(&mut self) {
        for (of, claimant) in self.m.claimants.iter().enumerate() {
            if let Some(q) = claimant.budget
                && self.turns.edf.c[of] == 0
                && self.pending(of).is_some()
            {
                self.turns.edf.c[of] = q;
                self.turns.edf.d[of] += claimant.period.unwrap();
            }
        }
    }

    /// Who pays now.
    fn payer(&self) -> Option<usize> {
        let Turn::Resident { draining: false, .. } = self.turns.turn else { return None };
        self.turns.edf.chosen.map(|(of, _)| of).filter(|&of| self.m.claimants[of].budget.is_some())
    }

    pub(super) fn pay(&mut self, time: u64) {
        if let Some(of) = self.payer() {
            let c = &mut self.turns.edf.c[of];
            *c = c.saturating_sub(time);
        }
    }

    pub(super) fn exhaustion(&self) -> Option<u64> {
        let of = self.payer()?;
        let c = self.turns.edf.c[of];
        (c > 0 && self.pending(of).is_some()).then_some(self.now + c)
    }

    /// The deadline of a job as scheduling uses it: its own or its server's, or one inherited.
    pub(super) fn scheduling_deadline(&self, of: usize, no: u64) -> Option<u64> {
        let own = self.own_deadline(of, no);
        own.into_iter().chain(self.inherited(self.m.claimants[of].task, no)).min()
    }

    pub(super) fn own_deadline(&self, of: usize, no: u64) -> Option<u64> {
        let claimant = &self.m.claimants[of];
        let place = self.jobs.iter().position(|j| j.task == claimant.task && j.no == no)?;
        let begins = match claimant.is_batch {
            true => (0..self.ops.len()).filter(|&op| self.is_of(op, of, place)).map(|op| self.ops[op].issued).min()?,
            false => self.jobs[place].release,
        };
        match claimant.budget {
            _ if !self.m.tasks[claimant.task].is_real_time => None,
            Some(_) => Some(self.turns.edf.d[of]),
            None => Some(begins + claimant.relative.unwrap()),
        }
    }

    /// Whether an operation is of a claimant and of this job.
    pub(super) fn is_of(&self, op: usize, of: usize, job: usize) -> bool {
        self.ops[op].job == job && self.m.rows[self.ops[op].row].claimant == of
    }

    fn inherited(&self, task: usize, no: u64) -> Option<u64> {
        self.heir(task, no).map(|(deadline, _)| deadline)
    }

    /// From the consumers' jobs of the same number that have not supplied: their own deadlines
    /// if they have issued anything incomplete, and what they inherit themselves. With the consumer whose that is.
    pub(super) fn heir(&self, task: usize, no: u64) -> Option<(u64, usize)> {
        // Nobody waits for it any more, though the manager may take it to be pending.
        if self.has_supplied(task, no) {
            return None;
        }
        let mut found = vec![];
        for consumer in (0..self.m.tasks.len()).filter(|&c| self.m.tasks[c].producers.contains(&task)) {
            let job = (0..self.jobs.len()).find(|&j| self.jobs[j].task == consumer && self.jobs[j].no == no);
            if self.has_supplied(consumer, no) {
                continue;
            }
            if job.is_some_and(|j| self.has_issued(consumer, j) && self.knows(consumer, j)) {
                found.extend(self.own_deadline(consumer, no).map(|own| (own, consumer)));
            }
            found.extend(self.heir(consumer, no));
        }
        found.into_iter().min()
    }

    /// The job that would be chosen now.
    fn choice(&self) -> Option<(usize, usize)> {
        let pending = (0..self.m.claimants.len()).filter_map(|of| Some((of, self.pending(of)?)));
        let is_chosen = |next: &(usize, usize)| self.turns.edf.chosen.or(self.turns.edf.drains_for) == Some(*next);
        let key = |next: &(usize, usize)| match self.scheduling_deadline(next.0, self.jobs[next.1].no) {
            Some(deadline) => (0, i128::from(deadline), !is_chosen(next), next.0),
            None => (1, i128::from(self.m.tasks[self.m.claimants[next.0].task].draft.priority), !is_chosen(next), next.0),
        };
        pending.min_by_key(key).map(|first| self.in_turn(first, |job| (!is_chosen(job), job.0)))
    }

    /// One decision of the scheduler; whether there was one that may be followed by another.
    pub(super) fn edf_decides(&mut self) -> bool {
        let preemption = self.m.policy.preemption;
        let chosen = self.turns.edf.chosen;
        match self.turns.turn {
            Turn::Submitting { .. } | Turn::Switching { .. } | Turn::Shared => false,
            Turn::Nobody => {
                self.turns.edf.chosen = self.choice();
                self.turns.edf.drains_for = None;
                if let Some((of, _)) = self.turns.edf.chosen {
                    let is_listed = self.lists_chosen();
                    self.make_resident(self.claimed(of), is_listed);
                }
                false
            }
            Turn::Resident { channel: process, draining: true } => {
                self.drain_for_edf(process);
                self.turns.turn == Turn::Nobody
            }
            Turn::Resident { channel: process, draining: false } => {
                let goes_on = |(of, job): (usize, usize)| {
                    let is_in_gap = || self.has_rows_left(of, job) && (self.has_issued(of, job) || !self.waits_in_call(job));
                    if self.knows(of, job) { self.is_pending(of, job) } else { is_in_gap() }
                };
                if preemption == Preemption::None && chosen.is_some_and(goes_on) {
                    return false;
                }
                let choice = self.choice();
                let is_here = choice.is_some_and(|(of, _)| self.claimed(of) == process);
                if is_here {
                    self.turns.edf.chosen = choice;
                    if !self.is_turn_over(process) {
                        return false;
                    }
                }
                self.turns.edf.chosen = None;
                self.turns.edf.drains_for = choice.filter(|_| !is_here);
                self.turns.drains_since = self.now;
                self.drain_for_edf(process);
                self.turns.turn == Turn::Nobody
            }
        }
    }

    /// Whether rows of a job are incomplete: of a batch its own, of a task with batches those outside of them.
    fn has_rows_left(&self, of: usize, job: usize) -> bool {
        let task = self.m.claimants[of].task;
        if !self.m.claimants.iter().any(|other| other.is_batch && other.task == task) {
            return self.jobs[job].end.is_none();
        }
        let mut rows = self.m.tasks[task].rows.iter().filter(|&&row| self.m.rows[row].claimant == of);
        self.jobs[job].end.is_none() && rows.any(|&row| self.row_end(job, row).is_none())
    }

    /// The process drains on, or leaves because nothing holds it or the watchdog's time is up.
    fn drain_for_edf(&mut self, process: usize) {
        let stays = match self.m.policy.preemption {
            Preemption::Thread => self.pixel_ends().any(|end| end > self.now),
            Preemption::Block | Preemption::Kernel | Preemption::None => self.has_to_finish(process),
        };
        let is_too_long = self.m.policy.watchdog_ns.is_some_and(|ns| self.now - self.turns.drains_since >= ns);
        if stays && is_too_long {
            self.turns.reset.push(process);
        }
        if stays && !is_too_long {
            self.turns.turn = Turn::Resident { channel: process, draining: true };
        } else {
            self.leave(true);
        }
    }

    /// When each executing block of a graphics task has reached the end of a pixel at the latest, in this drain.
    fn pixel_ends(&self) -> impl Iterator<Item = u64> + '_ {
        let blocks = self.assigned.iter().filter(|a| self.executes(a) && self.ops[a.op].kind == OpKind::Kernel);
        let latency = |a: &Assigned| self.m.tasks[self.jobs[self.ops[a.op].job].task].draft.pixel_latency_ns;
        blocks.filter_map(latency).map(|latency| self.turns.drains_since + latency)
    }

    /// The next instant at which a drain may be over although nothing completes.
    pub(super) fn drain_timer(&self) -> Option<u64> {
        let pixels = self.pixel_ends().filter(|_| self.m.policy.preemption == Preemption::Thread);
        pixels.chain(self.m.policy.watchdog_ns.map(|ns| self.turns.drains_since + ns)).filter(|&at| at > self.now).min()
    }
}
