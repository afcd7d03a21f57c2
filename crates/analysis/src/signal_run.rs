//! Preemptive EDF run from a release of all tasks together, by a manager that learns of jobs and of their completion by signals.
//!
//! Depends on nothing but tasks. Invariant: exact; the run is that of the scenario which [`super::scenario::draft`] makes of the set.
//! Source: [EDF] III-D and VI-C; docs/semantics.md, section 7, *Signals*.

use super::Task;

/// What a signal takes and how long the run lasts, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalRun {
    /// From a guest to the RunList Manager: new work submitted, and batch completed.
    pub signal: u64,
    /// How long the run is. Deadlines up to its end are judged.
    pub until: u64,
}

/// A job that is not complete, or of which the manager does not know that.
#[derive(Clone, Copy, Debug)]
struct Job {
    task: usize,
    deadline: u64,
    left: u64,
    /// When signal A arrives.
    known: u64,
    /// When signal B does, once the job is complete.
    gone: Option<u64>,
}

impl SignalRun {
    /// Whether no deadline is missed up to the end. Deadlines must not be later than the periods.
    /// Takes time linear in the number of jobs times the number of tasks.
    #[must_use]
    pub fn holds(&self, set: &[Task]) -> bool {
        let (mut now, mut chosen) = (0_u64, None::<(usize, u64)>);
        let mut releases = vec![0_u64; set.len()];
        let mut jobs: Vec<Job> = Vec::new();
        while now < self.until {
            for (task, release) in releases.iter_mut().enumerate().filter(|(_, release)| **release == now) {
                if jobs.iter().any(|job| job.task == task && job.left > 0) {
                    return false;
                }
                let deadline = now.saturating_add(set[task].deadline);
                jobs.push(Job { task, deadline, left: set[task].cost, known: now.saturating_add(self.signal), gone: None });
                *release = now.saturating_add(set[task].period);
            }
            jobs.retain(|job| job.gone.is_none_or(|gone| gone > now));
            let known = jobs.iter().filter(|job| job.known <= now);
            let order = |job: &&Job| (job.deadline, chosen != Some((job.task, job.deadline)), job.task);
            chosen = known.min_by_key(order).map(|job| (job.task, job.deadline));
            // Whatever of the process is issued executes, known or not.
            let runs = chosen.and_then(|(task, _)| jobs.iter().position(|job| job.task == task && job.left > 0));
            let told = jobs.iter().flat_map(|job| [Some(job.known), job.gone]).flatten().filter(|&at| at > now);
            let completion = runs.map(|job| now.saturating_add(jobs[job].left));
            let next = releases.iter().copied().chain(told).chain(completion).min().unwrap_or(self.until).min(self.until);
            if let Some(job) = runs.map(|job| &mut jobs[job]) {
                job.left -= next - now;
                if job.left == 0 {
                    if next > job.deadline {
                        return false;
                    }
                    job.gone = Some(next.saturating_add(self.signal));
                }
            }
            now = next;
        }
        jobs.iter().all(|job| job.left == 0 || job.deadline > self.until)
    }
}
