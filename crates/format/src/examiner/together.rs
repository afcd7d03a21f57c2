//! `sync_every_iteration`: every benchmark begins an iteration when all have ended the one before.
//!
//! Depends on `scenario`. Invariants: iterations begin at the instants at which the examiner's barrier lets
//! them, or a note says that they do not; what was done is said. Source: the examiner's README and
//! `task_host.c`: a thread sleeps its release time once, then waits for all others before each iteration.

use std::ops::Range;

use super::Import;
use crate::error::Path;
use crate::json::Node;
use blockstep_sim::order::Names;
use blockstep_sim::scenario::{BlockTimes, Device, KernelDraft, NULL_STREAM, Release, TaskDraft};

/// Most kernel rows that iterations are written out to.
const MAX_ROWS: u128 = 10_000;

/// Most names of tasks that those written out consume.
const MAX_CONSUMED: u128 = 1_000_000;

/// What a benchmark of a config runs.
pub(super) struct Member {
    /// Its tasks in the draft: one, or those of a task host.
    pub(super) tasks: Range<usize>,
    /// How long it sleeps before its first iteration, ns.
    pub(super) release_ns: u64,
    /// Whether it is a task host.
    pub(super) is_host: bool,
}

impl Import<'_> {
    /// Makes the members' iterations begin together.
    pub(super) fn together(&mut self, node: Node<'_>, path: &Path<'_>, members: &[Member], separate: bool) {
        let latest = members.iter().map(|member| member.release_ns).max().unwrap_or(0);
        for member in members {
            for task in &mut self.draft.tasks[member.tasks.clone()] {
                task.offset_ns = task.offset_ns.saturating_add(latest - member.release_ns);
            }
        }
        if self.reader.problem_count() > 0 {
            // What is missing would be taken for what was meant.
            return;
        }
        let places: Vec<usize> = members.iter().flat_map(|member| member.tasks.clone()).collect();
        let first = match places.first() {
            Some(&first) if places.iter().any(|&i| self.draft.tasks[i].release == Release::Continuous) => first,
            _ if members.len() > 1 => return self.note(path, "every benchmark begins at the latest of the release times"),
            _ => return self.note(path, "changes nothing: there is nothing to wait for"),
        };
        if members.len() == 1 {
            return self.note(path, "changes nothing: there is one benchmark");
        }
        if members.iter().any(|member| member.is_host) {
            return self.note(path, "is ignored after the first iteration, because a task host is among the benchmarks");
        }
        let bounds = |i: usize| (self.draft.tasks[i].release, self.draft.tasks[i].jobs, self.times[i]);
        if places.iter().any(|&i| bounds(i) != bounds(first)) {
            let message =
                || "is true, but max_iterations or max_time differs between benchmarks; the examiner takes none of a benchmark's own then";
            return self.reader.problem(node, path, || message().to_owned());
        }
        let members = Names::from_names(places.iter().map(|&i| self.draft.tasks[i].name.as_str()));
        let is_member = |row: &KernelDraft| row.task.as_ref().is_some_and(|task| members.get(0, task).is_some());
        // One task makes its calls one after another, and a consumer makes its calls before its producers are complete.
        if self.draft.kernels.iter().any(|row| is_member(row) && (row.synchronous || !row.call.has_operation())) {
            return self.note(path, "is ignored after the first iteration, because a benchmark makes a call that waits for the GPU");
        }
        if separate {
            self.write_out(node, path, &places);
        } else {
            self.merge(path, &places);
        }
    }

    /// One task for all: its next job is released when all that the last one launched is complete.
    fn merge(&mut self, path: &Path<'_>, places: &[usize]) {
        let name = self.task_names.unique("All benchmarks");
        let first = places[0];
        let old = Names::from_names(places.iter().map(|&i| self.draft.tasks[i].name.as_str()));
        let mut task = TaskDraft { name: name.clone(), ..self.draft.tasks[first].clone() };
        task.offset_ns = places.iter().map(|&i| self.draft.tasks[i].offset_ns).max().unwrap_or(0);
        // By task: its first row.
        let mut rows = Names::default();
        for (i, row) in self.draft.kernels.iter_mut().enumerate() {
            if row.task.as_ref().is_some_and(|own| old.get(0, own).is_some()) {
                rows.place(0, row.task.replace(name.clone()).unwrap_or_default(), i);
            }
        }
        // The log of a benchmark is that of its stream from now on.
        for (_, of) in &mut self.log_names {
            if let Some(row) = rows.get(0, of) {
                of.clone_from(&self.draft.kernels[row].stream);
            }
        }
        let mut is_gone = vec![false; self.draft.tasks.len()];
        places[1..].iter().for_each(|&i| is_gone[i] = true);
        self.draft.tasks[first] = task;
        let mut gone = is_gone.iter();
        self.draft.tasks.retain(|_| gone.next() == Some(&false));
        let mut gone = is_gone.iter();
        self.times.retain(|_| gone.next() == Some(&false));
        self.note(
            path,
            "the benchmarks became one task, each with its own stream. Its jobs are the iterations; the next is released when all kernels of the last are complete",
        );
    }

    /// A task for every iteration of every benchmark, which consumes all tasks of the iteration before: a
    /// task cannot launch in several processes.
    fn write_out(&mut self, node: Node<'_>, path: &Path<'_>, places: &[usize]) {
        let tasks: Vec<TaskDraft> = places.iter().map(|&i| self.draft.tasks[i].clone()).collect();
        let rows: Vec<Vec<KernelDraft>> = tasks.iter().map(|task| self.rows_of(task)).collect();
        let waits = |row: &KernelDraft| row.after.is_some() || row.start_ns > 0;
        if rows.iter().any(|rows| rows.iter().any(waits) && rows.iter().any(|row| row.stream == NULL_STREAM)) {
            return self.note(path, "is ignored after the first iteration, because a benchmark waits between launches on the NULL stream");
        }
        let (time, offset) = (self.times[places[0]], tasks[0].offset_ns);
        let count = match (tasks[0].jobs.map(u128::from), time) {
            (Some(jobs), 0) => jobs,
            // None begins after the run's end.
            (jobs, time) => {
                let shortest = rows.iter().map(|rows| shortest(rows)).max().unwrap_or(0).max(1);
                let until = u128::from(time.saturating_sub(offset)).div_ceil(shortest).max(1);
                jobs.map_or(until, |jobs| jobs.min(until))
            }
        };
        let total = count.saturating_mul(rows.iter().map(|rows| rows.len() as u128).sum());
        if total > MAX_ROWS {
            let message = format!(
                "with use_processes the iterations are written out, which makes {total} kernels; the limit is {MAX_ROWS}: give fewer iterations or less time"
            );
            return self.reader.problem(node, path, || message);
        }
        let consumed = (count - 1).saturating_mul(tasks.len() as u128).saturating_mul(tasks.len() as u128);
        if consumed > MAX_CONSUMED {
            let message = format!(
                "with use_processes the iterations are written out, and each of {} tasks waits for all of the one before, which makes \
                 {consumed} names in consumes; the limit is {MAX_CONSUMED}: give fewer iterations or fewer benchmarks",
                tasks.len()
            );
            return self.reader.problem(node, path, || message);
        }
        let mut kernels = Names::default();
        for (i, row) in self.draft.kernels.iter().enumerate() {
            kernels.place(0, row.name.clone(), i);
        }
        for (&place, task) in places.iter().zip(&tasks) {
            self.draft.tasks[place] = TaskDraft { release: Release::Once, jobs: None, ..task.clone() };
        }
        let mut before: Vec<String> = tasks.iter().map(|task| task.name.clone()).collect();
        for iteration in 2..=count {
            let mut now = Vec::new();
            for (task, rows) in tasks.iter().zip(&rows) {
                let name = self.task_names.unique(&format!("{}, iteration {iteration}", task.name));
                let consumes = before.clone();
                self.draft.tasks.push(TaskDraft { name: name.clone(), release: Release::Once, jobs: None, consumes, ..task.clone() });
                self.times.push(time);
                self.repeat(rows, &kernels, &name, iteration, task.process.as_deref());
                now.push(name);
            }
            before = now;
        }
        let mut message =
            "every iteration became a task that consumes the tasks of the previous iteration; its response time counts from the start of \
             the run"
                .to_owned();
        if rows.iter().flatten().any(|row| row.after.is_none() && row.start_ns > 0) {
            message.push_str("; a delay before the first kernel is left out but in the first iteration");
        }
        self.note(path, &message);
    }

    fn rows_of(&self, task: &TaskDraft) -> Vec<KernelDraft> {
        self.draft.kernels.iter().filter(|row| row.task.as_ref() == Some(&task.name)).cloned().collect()
    }

    /// The rows of a later iteration; `kernels` has the places of those of the first one.
    fn repeat(&mut self, rows: &[KernelDraft], kernels: &Names<'_>, task: &str, iteration: u128, process: Option<&str>) {
        // What is launched later stands behind what all iterations launch at once, unless it has a stream of its own.
        let own = rows.iter().any(|row| row.after.is_some()).then(|| format!(", iteration {iteration}"));
        let mut names: Vec<(&str, String)> = Vec::new();
        for row in rows {
            let name = self.kernel_names.unique(&format!("{}, iteration {iteration}", row.name));
            let after =
                row.after.as_ref().map(|of| names.iter().find(|(old, _)| old == of).map_or_else(|| of.clone(), |(_, new)| new.clone()));
            let stream = format!("{}{}", row.stream, own.as_deref().unwrap_or_default());
            let start_ns = if after.is_some() { row.start_ns } else { 0 };
            let entry = self.draft.streams.iter().find(|s| s.name == row.stream && s.process.as_deref() == process).cloned();
            if let Some(mut entry) = entry.filter(|_| own.is_some())
                && names.is_empty()
            {
                entry.name.clone_from(&stream);
                self.draft.streams.push(entry);
            }
            let origin = kernels.get(0, &row.name).map(|i| self.origins[i].clone());
            names.push((&row.name, name.clone()));
            self.draft.kernels.push(KernelDraft { name, task: Some(task.to_owned()), stream, after, start_ns, ..row.clone() });
            self.origins.push(origin.unwrap_or_default());
        }
    }
}

/// The least time that an iteration takes, ns: one kernel follows the other in its stream.
fn shortest(rows: &[KernelDraft]) -> u128 {
    let bandwidth = u128::from(Device::default().copy_bandwidth_bytes_per_s);
    let copy = |bytes: u64| u128::from(bytes) * 1_000_000_000 / bandwidth;
    let of = |row: &KernelDraft| {
        let BlockTimes::Each(block) = row.block_time_ns else { return 0 };
        let delay = if row.after.is_some() { row.start_ns } else { 0 };
        u128::from(block) + u128::from(delay) + copy(row.copy_in_bytes) + copy(row.copy_out_bytes) + copy(row.bytes)
    };
    rows.iter().map(of).sum()
}
