//! Making a table smaller and simpler, as long as it shows its effect.
//!
//! Depends on `scenario`. Invariants: what comes out shows the effect, and without any one of its
//! rows it does not; every change that is kept makes the table smaller or simpler by a fixed order,
//! so it ends; it follows from the table alone.

use super::Effect;
use super::tables::each;
use blockstep_sim::scenario::{BlockTimes, Draft, KernelDraft, NULL_STREAM, Release, TaskDraft};

/// Values in order of simplicity, in the unit of a field.
type Values = &'static [u64];

const S: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;

/// Block times and launch times of one address space.
const SECONDS: Values = &[S, 2 * S, 3 * S, S / 2, 4 * S, 3 * S / 2, 5 * S / 2, S / 5, S / 10];
const LAUNCHES: Values = &[0, S, S / 2, 2 * S, S / 5, S / 10];
/// Times where processes take turns.
const MILLISECONDS: Values = &[2 * MS, 4 * MS, MS, 3 * MS, 5 * MS, 6 * MS, 8 * MS, 10 * MS, 12 * MS, 15 * MS, 20 * MS, 30 * MS, 40 * MS];
const OFFSETS: Values = &[0, 2 * MS, MS, 3 * MS];
const HORIZONS: Values = &[5 * S, 6 * S, 8 * S, 10 * S];
const BLOCKS: Values = &[1, 2, 3, 4, 5, 6];
const THREADS: Values = &[1024, 512, 256];

/// A number of a row: reads it, sets it, and what is simpler.
type Field<T> = (fn(&T) -> Option<u64>, fn(&mut T, u64), Values);

const ROW: &[Field<KernelDraft>] = &[
    (|k| Some(k.copy_in_bytes), |k, v| k.copy_in_bytes = v, &[0, 256 << 20]),
    (|k| Some(k.copy_out_bytes), |k, v| k.copy_out_bytes = v, &[0, 256 << 20]),
    (|k| Some(k.blocks), |k, v| k.blocks = v, BLOCKS),
    (|k| Some(k.threads_per_block), |k, v| k.threads_per_block = v, THREADS),
];
const SPACE_ROW: &[Field<KernelDraft>] =
    &[(block_time, |k, v| k.block_time_ns = each(v), SECONDS), (|k| Some(k.start_ns), |k, v| k.start_ns = v, LAUNCHES)];
const PROCESS_ROW: &[Field<KernelDraft>] =
    &[(block_time, |k, v| k.block_time_ns = each(v), MILLISECONDS), (|k| Some(k.start_ns), |k, v| k.start_ns = v, OFFSETS)];
const TASK: &[Field<TaskDraft>] = &[
    (|t| Some(t.offset_ns), |t, v| t.offset_ns = v, OFFSETS),
    (|t| t.deadline_ns, |t, v| t.deadline_ns = Some(v), MILLISECONDS),
    (|t| t.period_ns, |t, v| t.period_ns = Some(v), MILLISECONDS),
];
const HORIZON: Field<Draft> = (|d| d.horizon_ns, |d, v| d.horizon_ns = Some(v), HORIZONS);

fn block_time(row: &KernelDraft) -> Option<u64> {
    match row.block_time_ns {
        BlockTimes::Each(ns) => Some(ns),
        BlockTimes::List(_) => None,
    }
}

/// The smallest table that can be made of one that shows the effect; the same if it does not.
#[must_use]
pub fn shrunk(effect: Effect, draft: Draft) -> Draft {
    let mut shrink = Shrink { effect, draft, is_changed: true };
    while std::mem::take(&mut shrink.is_changed) {
        shrink.drop_rows();
        shrink.merge_streams();
        shrink.simplify_tasks();
        shrink.simplify_numbers();
    }
    tidied(shrink.draft)
}

struct Shrink {
    effect: Effect,
    draft: Draft,
    is_changed: bool,
}

impl Shrink {
    /// Keeps a changed table if it shows the effect too.
    fn try_change(&mut self, change: impl FnOnce(&mut Draft)) -> bool {
        let mut changed = self.draft.clone();
        change(&mut changed);
        let is_kept = changed != self.draft && self.effect.shown_by(&changed).is_some();
        if is_kept {
            self.draft = changed;
            self.is_changed = true;
        }
        is_kept
    }

    fn drop_rows(&mut self) {
        for row in (0..self.draft.kernels.len()).rev() {
            self.try_change(|draft| *draft = without_row(draft, row));
        }
        // In order of launch.
        self.try_change(|draft| draft.kernels.sort_by_key(|k| (k.task.clone(), k.start_ns)));
    }

    /// Fewer streams, fewer with a priority.
    fn merge_streams(&mut self) {
        for i in (0..self.draft.streams.len()).rev() {
            self.try_change(|draft| drop(draft.streams.remove(i)));
        }
        if !self.draft.processes.is_empty() {
            return;
        }
        let names = stream_names(&self.draft);
        for (i, from) in names.iter().enumerate().skip(1).rev() {
            names[..i].iter().any(|to| {
                self.try_change(|draft| {
                    draft.kernels.iter_mut().filter(|k| k.stream == *from).for_each(|k| k.stream.clone_from(to));
                    *draft = pruned(std::mem::take(draft));
                })
            });
        }
    }

    /// Jobs released once, and fewer tasks.
    fn simplify_tasks(&mut self) {
        for i in 0..self.draft.tasks.len() {
            self.try_change(|draft| {
                let task = &mut draft.tasks[i];
                if let Some(period) = task.period_ns.take() {
                    task.release = Release::Once;
                    task.deadline_ns.get_or_insert(period);
                }
            });
            self.try_change(|draft| draft.tasks[i].deadline_ns = None);
        }
    }

    fn simplify_numbers(&mut self) {
        let of_space = if self.draft.processes.is_empty() { SPACE_ROW } else { PROCESS_ROW };
        for row in 0..self.draft.kernels.len() {
            for field in ROW.iter().chain(of_space) {
                self.simplify_number(field, |draft| draft.kernels.get_mut(row));
            }
        }
        for task in 0..self.draft.tasks.len() {
            for field in TASK {
                self.simplify_number(field, |draft| draft.tasks.get_mut(task));
            }
        }
        self.simplify_number(&HORIZON, |draft| Some(draft));
    }

    /// The simplest value of a field.
    fn simplify_number<T>(&mut self, &(get, set, values): &Field<T>, part: impl Fn(&mut Draft) -> Option<&mut T>) {
        let Some(now) = part(&mut self.draft).and_then(|part| get(part)) else { return };
        let simpler = values.iter().take_while(|&&value| value != now);
        let _ = simpler.into_iter().any(|&value| self.try_change(|draft| part(draft).into_iter().for_each(|part| set(part, value))));
    }
}

/// The table without one row, and without what only that row used.
#[must_use]
pub fn without_row(draft: &Draft, row: usize) -> Draft {
    let mut changed = draft.clone();
    let gone = changed.kernels.remove(row).name;
    for kernel in &mut changed.kernels {
        kernel.after.take_if(|after| *after == gone);
        kernel.waits_for.retain(|name| kernel.graph.is_none() || *name != gone);
        if kernel.graph.take_if(|graph| *graph == gone).is_some() {
            kernel.waits_for.clear();
        }
        let flags = [&mut kernel.until_begun, &mut kernel.until_all_begun, &mut kernel.until_completed];
        flags.into_iter().for_each(|names| names.retain(|name| *name != gone));
    }
    pruned(changed)
}

/// Without streams, tasks and processes that no row uses. What names no task or process has the first.
fn pruned(mut draft: Draft) -> Draft {
    draft.streams.retain(|s| draft.kernels.iter().any(|k| k.stream == s.name));
    let mut place = 0..;
    let kernels = &draft.kernels;
    draft.tasks.retain(|t| is_used(kernels.iter().map(|k| &k.task), &t.name, place.next() == Some(0)));
    let mut place = 0..;
    let tasks = &draft.tasks;
    draft.processes.retain(|p| is_used(tasks.iter().map(|t| &t.process), &p.name, place.next() == Some(0)));
    draft
}

fn is_used<'a>(mut names: impl Iterator<Item = &'a Option<String>>, name: &str, is_first: bool) -> bool {
    names.any(|used| used.as_deref().map_or(is_first, |used| used == name))
}

/// Streams in order of use.
fn stream_names(draft: &Draft) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for kernel in &draft.kernels {
        if !names.contains(&kernel.stream) {
            names.push(kernel.stream.clone());
        }
    }
    names
}

/// The same with names counted from the first again.
fn tidied(mut draft: Draft) -> Draft {
    let mut old = stream_names(&draft);
    old.retain(|name| name != NULL_STREAM);
    let renamed = |name: &str| old.iter().position(|n| n == name).map_or(name.to_owned(), |i| format!("S{}", i + 1));
    draft.kernels.iter_mut().for_each(|k| k.stream = renamed(&k.stream));
    draft.streams.iter_mut().for_each(|s| s.name = renamed(&s.name));
    draft.streams.sort_by(|a, b| a.name.cmp(&b.name));
    for (i, kernel) in draft.kernels.iter_mut().enumerate() {
        kernel.name = format!("K{}", i + 1);
    }
    for i in 0..draft.tasks.len() {
        let old = std::mem::replace(&mut draft.tasks[i].name, format!("T{i}"));
        draft.kernels.iter_mut().filter(|k| k.task.as_ref() == Some(&old)).for_each(|k| k.task = Some(format!("T{i}")));
    }
    for i in 0..draft.processes.len() {
        let old = std::mem::replace(&mut draft.processes[i].name, format!("P{i}"));
        draft.tasks.iter_mut().filter(|t| t.process.as_ref() == Some(&old)).for_each(|t| t.process = Some(format!("P{i}")));
    }
    draft
}
