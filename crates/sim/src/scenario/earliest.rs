//! How soon a job can be complete at best.
//!
//! Depends on the rest of `scenario`. Invariant: a lower bound for every job of every run, under
//! any policy and beside any other task; it rests on nothing but the order in which operations of
//! the job itself must run, and on how many blocks of a kernel an SM holds. Source: docs/semantics.md, sections 2
//! and 3.

use std::collections::BTreeMap;

use super::{BlockTimes, Call, Device, KernelRow, Scenario};
use crate::order;
use crate::units::{RowId, Span, TaskId};

impl Scenario {
    /// A time, from its release, before which no job of a task completes: its longest chain of
    /// operations that wait for each other, those of a stream, of the NULL stream and `after` rows,
    /// each kernel in as many rounds of blocks as the idle device takes.
    #[must_use]
    pub fn earliest_response(&self, task: TaskId) -> Span {
        self.earliest_response_in(task, &mut Vec::new())
    }

    /// The same for one task after the other, with memory that is empty at first.
    pub(super) fn earliest_response_in(&self, task: TaskId, scratch: &mut Vec<u128>) -> Span {
        let rows = &self.task(task).rows;
        if self.task(task).calls_in_turn {
            return self.earliest_in_turn(rows);
        }
        // By stream: when what was launched before is complete at the earliest. All zero between calls.
        scratch.resize(self.streams.len(), 0);
        let mut launched: Vec<usize> = (0..rows.len()).filter(|&i| self.row(rows[i]).after.is_none()).collect();
        order::by_number(&mut launched, |&i| self.row(rows[i]).start.ns());
        let mut ends = vec![0; rows.len()];
        let (mut null, mut blocking, mut all) = (0, 0, 0);
        for &i in &launched {
            let row = self.row(rows[i]);
            let is_null = self.streams[row.stream].is_null();
            let non_blocking = self.streams[row.stream].non_blocking;
            let stream = &mut scratch[row.stream];
            // Rules N1 and N2, within the job.
            let free = match (is_null, non_blocking) {
                (true, _) => blocking,
                (false, false) => null.max(*stream),
                (false, true) => *stream,
            };
            let end = free.max(u128::from(row.start.ns())) + length(row, &self.device);
            *stream = end;
            ends[i] = end;
            all = all.max(end);
            if !non_blocking {
                blocking = blocking.max(end);
            }
            if is_null {
                null = end;
            }
        }
        for &i in &launched {
            scratch[self.row(rows[i]).stream] = 0;
        }
        // Rows of a task are in table order, and wait for earlier ones only.
        for i in 0..rows.len() {
            let row = self.row(rows[i]);
            if let Some(after) = row.after.and_then(|after| rows.binary_search(&after).ok()) {
                ends[i] = ends[after] + u128::from(row.start.ns()) + length(row, &self.device);
                all = all.max(ends[i]);
            }
        }
        Span(u64::try_from(all).unwrap_or(u64::MAX))
    }
}

impl Scenario {
    /// The same where calls are made one after another: each begins when the one before has returned, which waits at least for what
    /// the job itself has put on the stream before.
    fn earliest_in_turn(&self, rows: &[RowId]) -> Span {
        let (mut by_stream, mut ends) = (BTreeMap::new(), vec![0; rows.len()]);
        let (mut thread, mut all, mut before_graph) = (0, 0, 0);
        for (i, &id) in rows.iter().enumerate() {
            let row = self.row(id);
            if let Some(node) = &row.node {
                let place = |row: &RowId| rows.binary_search(row).unwrap_or(0);
                let before = node.waits_for.iter().map(|before| ends[place(before)]).max().unwrap_or(before_graph);
                ends[i] = u128::max(before, thread) + length(row, &self.device);
                let (launch, stream) = (place(&node.graph), by_stream.entry(self.row(node.graph).stream).or_insert(0));
                *stream = u128::max(*stream, ends[i]);
                ends[launch] = ends[launch].max(ends[i]);
                all = all.max(ends[i]);
                continue;
            }
            let from = row.after.and_then(|after| rows.binary_search(&after).ok()).map_or(0, |after| ends[after]);
            thread = u128::max(thread, from + u128::from(row.start.ns())) + u128::from(row.call_time.ns());
            let stream = by_stream.entry(row.stream).or_insert(0);
            before_graph = *stream;
            if row.call.has_operation() {
                *stream = u128::max(*stream, thread) + length(row, &self.device);
                ends[i] = *stream;
            }
            // What an event has captured is left out: a bound may be too low.
            if row.waits_for_itself() || row.call == Call::SynchronizeStream {
                thread = thread.max(*stream);
            } else if row.call.waits_for_device() {
                thread = by_stream.values().copied().fold(thread, u128::max);
            }
            if !row.call.has_operation() {
                ends[i] = thread;
            }
            all = all.max(ends[i]).max(thread);
        }
        Span(u64::try_from(all).unwrap_or(u64::MAX))
    }
}

/// The least time of a row's operations, which run one after the other; at most 2^66.
fn length(row: &KernelRow, device: &Device) -> u128 {
    let copy = |copy: Option<super::Copy>| copy.map_or(0, |c| u128::from(c.time.ns()));
    copy(row.copy_in) + rounds(row, device).min(u128::from(u64::MAX)) + copy(row.copy_out)
}

/// The least time of a kernel's blocks on the idle device.
fn rounds(row: &KernelRow, device: &Device) -> u128 {
    let needs = row.needs;
    let fitting = |limit: u64, needed: u64| limit.checked_div(needed).unwrap_or(u64::MAX);
    let at_once = fitting(device.threads_per_sm, needs.threads.into())
        .min(device.blocks_per_sm)
        .min(fitting(device.shared_memory_per_sm, needs.shared_memory))
        .min(fitting(device.registers_per_sm, needs.registers));
    let at_once = (u128::from(at_once) * u128::from(device.sms)).max(1);
    let rounds = u128::from(row.blocks).div_ceil(at_once);
    match &row.times {
        BlockTimes::Each(ns) => rounds * u128::from(*ns),
        // Some place holds as many blocks as there are rounds; one holds its share of the work.
        BlockTimes::List(list) => {
            let of = |ns: Option<&u64>| ns.map_or(0, |&ns| u128::from(ns));
            let sum: u128 = list.iter().map(|&ns| u128::from(ns)).sum();
            of(list.iter().max()).max(rounds * of(list.iter().min())).max(sum.div_ceil(at_once))
        }
    }
}
