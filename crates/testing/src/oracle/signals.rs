//! The oracle's RunList Manager (docs/semantics.md, section 7, *Signals*): every signal ever sent is kept, and what is known is read off them.

use super::Run;

/// A signal that was sent.
pub(super) struct Sent {
    /// Place in `Run::jobs`.
    job: usize,
    /// A, new work submitted; else B, batch completed.
    is_work: bool,
    arrives: u64,
}

impl Run<'_> {
    /// Whether a job has an issued, incomplete operation.
    pub(super) fn has_issued(&self, job: usize) -> bool {
        self.ops.iter().any(|o| o.job == job && o.end.is_none())
    }

    /// Whether the manager takes a job to have one.
    pub(super) fn knows(&self, job: usize) -> bool {
        if self.m.policy.signal_ns == 0 {
            return self.has_issued(job);
        }
        let last = self.signals.iter().rfind(|s| s.job == job && s.arrives <= self.now);
        last.is_some_and(|s| s.is_work)
    }

    /// Step 4, first: of every job that has begun or ceased to have something issued, that is told.
    pub(super) fn send_signals(&mut self) {
        for job in 0..self.jobs.len() {
            let told = self.signals.iter().rfind(|s| s.job == job).is_some_and(|s| s.is_work);
            if self.m.policy.signal_ns > 0 && told != self.has_issued(job) {
                self.signals.push(Sent { job, is_work: !told, arrives: self.now + self.m.policy.signal_ns });
            }
        }
    }

    /// When the next signal arrives.
    pub(super) fn next_arrival(&self) -> Option<u64> {
        self.signals.iter().map(|s| s.arrives).filter(|&at| at > self.now).min()
    }
}
