//! The oracle's chains that stay resident (docs/semantics.md, section 8): who takes turns, and on which runlist.

use blockstep_sim::scenario::{Chain, PolicyKind, Preemption};

use super::Run;
use super::turns::Turn;

/// Claimant and place in `Run::jobs`.
type Job = (usize, usize);

impl Run<'_> {
    fn stays(&self) -> bool {
        self.m.policy.kind == PolicyKind::Edf && self.m.policy.chain == Chain::Resident
    }

    /// The claimant, a consumer, at the head of a pending job's chain, and the number of its job.
    fn head(&self, (of, job): Job) -> (usize, u64) {
        let (task, no) = (self.m.claimants[of].task, self.jobs[job].no);
        let own = self.own_deadline(of, no);
        match self.heir(task, no) {
            Some((deadline, consumer)) if own.is_none_or(|own| deadline <= own) => (consumer, no),
            _ => (of, no),
        }
    }

    /// First pending jobs of claimants, with work, in the chain of this one.
    fn chain(&self, of: Job) -> Vec<Job> {
        if !self.stays() {
            return vec![];
        }
        let pending = (0..self.m.claimants.len()).filter_map(|of| Some((of, self.pending(of)?)));
        pending.filter(|&job| self.has_issued(job.0, job.1) && self.head(job) == self.head(of)).collect()
    }

    /// The job of the chain whose process is next, if this one is the first of all; within a process by `order`.
    pub(super) fn in_turn(&self, first: Job, order: impl Fn(&Job) -> (bool, usize)) -> Job {
        let n = self.m.processes.len();
        let next = match self.turns.turn {
            Turn::Resident { channel, .. } => channel,
            _ => self.turns.last.map_or(0, |last| last + 1),
        };
        let order_of_processes: Vec<usize> = (0..n).map(|i| (next + i) % n).collect();
        let takers = self.chain(first);
        let of_process = |process: &usize| {
            let its = takers.iter().filter(|(of, _)| self.claimed(*of) == *process);
            its.min_by_key(|job| order(job)).copied()
        };
        order_of_processes.iter().find_map(of_process).unwrap_or(first)
    }

    /// Whether another process has work of the chosen job's chain.
    fn is_waited_for(&self, process: usize) -> bool {
        self.turns.edf.chosen.is_some_and(|chosen| {
            let known = self.pending(chosen.0) == Some(chosen.1);
            known && self.chain(chosen).iter().any(|(of, _)| self.claimed(*of) != process)
        })
    }

    /// Whether a timeslice of the resident process ends now for others of its chain.
    pub(super) fn is_turn_over(&self, process: usize) -> bool {
        let stayed = self.now - self.turns.slice_start;
        let is_end = stayed > 0 && stayed.is_multiple_of(self.process(process).timeslice_ns);
        self.stays() && self.m.policy.preemption != Preemption::None && is_end && self.is_waited_for(process)
    }

    /// When the timeslice of the resident process ends, whoever waits for that.
    pub(super) fn turn_end(&self, process: usize) -> Option<u64> {
        let slice = self.process(process).timeslice_ns;
        let over = (self.now - self.turns.slice_start) / slice;
        self.stays().then_some(self.turns.slice_start + (over + 1) * slice)
    }

    /// Whether the last runlist has the chosen job's chain; it has from now on.
    pub(super) fn lists_chosen(&mut self) -> bool {
        let head = self.turns.edf.chosen.filter(|_| self.stays()).map(|chosen| self.head(chosen));
        let was = std::mem::replace(&mut self.turns.edf.listed, head);
        head.is_some() && was == head
    }
}
