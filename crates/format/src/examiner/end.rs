//! When the run of an imported config ends.
//!
//! Depends on `scenario`. Invariants: a run without repeated benchmarks ends by itself; without a
//! time limit every iteration fits. Source: docs/semantics.md, section 9.

use super::Import;
use crate::error::Path;
use crate::json::Node;
use blockstep_sim::order::Names;
use blockstep_sim::scenario::{BlockTimes, Device, Draft, Release, TaskDraft};
use blockstep_sim::units::written::format_time;

impl Import<'_> {
    /// When the run ends if some benchmark repeats: docs/semantics.md, section 9, demands a horizon then.
    pub(super) fn end_of_run(&mut self, root: Node<'_>) {
        // Iterations that were written out are limited by time too.
        let repeats = |(t, time): &(&TaskDraft, &u64)| t.release == Release::Continuous || **time > 0;
        let limits: Vec<u64> = self.draft.tasks.iter().zip(&self.times).filter(repeats).map(|(_, &ns)| ns).collect();
        if limits.is_empty() {
            return;
        }
        let longest = limits.iter().copied().max().unwrap_or(0);
        if longest > 0 {
            self.draft.horizon_ns = Some(longest);
            if limits.iter().any(|&ns| ns != longest) {
                self.note(
                    &Path::Root.field("max_time"),
                    &format!("differs between benchmarks; the run ends for all at {}", format_time(longest)),
                );
            }
            return;
        }
        let bound = serial_time(&self.draft);
        match u64::try_from(bound) {
            Ok(ns) => {
                self.draft.horizon_ns = Some(ns);
                let message = "is 0: the run ends when the iterations would have been done one block after the other, the latest it can be";
                self.note(&Path::Root.field("max_time"), message);
            }
            Err(_) => self.reader.problem(root, &Path::Root.field("max_time"), || {
                format!("is 0, and the iterations may take {bound} ns, beyond the limit of {}; give a time", u64::MAX)
            }),
        }
    }

    /// Refuses a config of which nothing is left.
    pub(super) fn is_something(&mut self, root: Node<'_>) {
        if !self.draft.kernels.is_empty() || self.reader.problem_count() > 0 {
            return;
        }
        let at = Path::Root.field("benchmarks");
        let why = self.on_cpu.as_ref().map_or_else(String::new, |name| format!("{name} runs on the CPU alone; "));
        self.reader.problem(root.get("benchmarks").unwrap_or(root), &at, || {
            format!("{why}no benchmark launches a kernel, so there is nothing to simulate")
        });
    }
}

/// A time, in ns, by which everything is done whatever the schedule: at each instant before it a
/// block or copy executes or a CPU task waits to make its next call.
fn serial_time(draft: &Draft) -> u128 {
    let bandwidth = u128::from(Device::default().copy_bandwidth_bytes_per_s);
    let copy = |bytes: u64| (u128::from(bytes) * 1_000_000_000).div_ceil(bandwidth);
    let tasks = Names::from_names(draft.tasks.iter().map(|t| t.name.as_str()));
    let mut work: Vec<u128> = vec![0; draft.tasks.len()];
    for row in &draft.kernels {
        let BlockTimes::Each(block) = row.block_time_ns else { continue };
        let copies = copy(row.copy_in_bytes) + copy(row.copy_out_bytes) + copy(row.bytes);
        let time = u128::from(row.blocks) * u128::from(block) + u128::from(row.start_ns) + copies;
        if let Some(task) = tasks.get(0, row.task.as_deref().unwrap_or_default()) {
            work[task] = work[task].saturating_add(time);
        }
    }
    let all_jobs = |(t, work): (&TaskDraft, &u128)| work.saturating_mul(u128::from(t.jobs.unwrap_or(1)));
    let all = draft.tasks.iter().zip(&work).map(all_jobs).fold(0_u128, u128::saturating_add);
    all.saturating_add(draft.tasks.iter().map(|t| u128::from(t.offset_ns)).max().unwrap_or(0))
}
