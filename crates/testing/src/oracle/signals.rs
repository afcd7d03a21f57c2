//! The oracle's RunList Manager (docs/semantics.md, section 7, *Signals*): every signal ever sent is kept, and what is known is read off them.

use super::Run;

/// A signal that was sent.
#[derive(Clone)]
pub(super) struct Sent {
    /// Claimant, and place in `Run::jobs`.
    of: (usize, usize),
    /// A, new work submitted; else B, batch completed.
    is_work: bool,
    arrives: u64,
}

impl Run<'_> {
    /// Whether a job has an issued, incomplete operation of a claimant.
    pub(super) fn has_issued(&self, of: usize, job: usize) -> bool {
        (0..self.ops.len()).any(|op| self.is_of(op, of, job) && self.ops[op].end.is_none())
    }

    /// Whether the manager takes a job to have one.
    pub(super) fn knows(&self, of: usize, job: usize) -> bool {
        if self.m.policy.signal_ns == 0 {
            return self.has_issued(of, job);
        }
        let last = self.signals.iter().rfind(|s| s.of == (of, job) && s.arrives <= self.now);
        last.is_some_and(|s| s.is_work)
    }

    /// Step 4, first: of every job that has begun or ceased to have something issued, that is told.
    pub(super) fn send_signals(&mut self) {
        let jobs = (0..self.m.claimants.len()).flat_map(|of| (0..self.jobs.len()).map(move |job| (of, job)));
        for (of, job) in jobs.collect::<Vec<_>>() {
            let told = self.signals.iter().rfind(|s| s.of == (of, job)).is_some_and(|s| s.is_work);
            if self.m.policy.signal_ns > 0 && told != self.has_issued(of, job) {
                self.signals.push(Sent { of: (of, job), is_work: !told, arrives: self.now + self.m.policy.signal_ns });
            }
        }
    }

    /// When the next signal arrives.
    pub(super) fn next_arrival(&self) -> Option<u64> {
        self.signals.iter().map(|s| s.arrives).filter(|&at| at > self.now).min()
    }
}
