//! Launches with what their order follows from: when each certainly was at the head of its stream.
//!
//! Depends on `measured`. Invariant: a kernel came to the head of its stream not before `from` and not
//! after `by`, whatever the CPU and the copies did.

use std::collections::BTreeMap;

use super::CheckSettings;
use crate::measured::{Known, Launch, Measured, MeasuredBlock};
use crate::scenario::StreamPriority;

/// A launch with at least one block whose times can be.
pub(super) struct Kernel<'r> {
    pub(super) log: usize,
    pub(super) launch: usize,
    pub(super) what: &'r Launch,
    pub(super) issued: Option<(i64, i64)>,
    /// First and last begin of a block, last end.
    pub(super) begin: i64,
    pub(super) last_begin: i64,
    pub(super) end: i64,
    pub(super) from: i64,
    pub(super) by: i64,
}

/// What is taken for true of a log's stream.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    pub(super) process: usize,
    /// `None` if it is not known.
    pub(super) is_high: Option<bool>,
    pub(super) is_null: bool,
    pub(super) waits_for_null: bool,
    has_unseen: bool,
}

pub(super) struct Kernels<'r> {
    /// Log by log, in the order of each.
    pub(super) all: Vec<Kernel<'r>>,
    /// By log.
    pub(super) streams: Vec<Stream>,
    pub(super) processes: usize,
}

impl<'r> Kernels<'r> {
    pub(super) fn new(run: &'r Measured, settings: &CheckSettings) -> Self {
        let (streams, processes) = streams(run, settings);
        let mut has_null = vec![false; processes];
        for stream in &streams {
            has_null[stream.process] |= stream.is_null;
        }
        let tolerance = i64::try_from(settings.tolerance_ns).unwrap_or(i64::MAX);
        let mut all = Vec::new();
        for (log, of_log) in run.logs.iter().enumerate() {
            let stream = streams[log];
            // What comes to the head unseen, after a copy or a barrier, is known to be there once it begins.
            let is_seen = !stream.has_unseen && !has_null[stream.process];
            let mut ahead = i64::MIN;
            for (launch, what) in of_log.kernels.iter().enumerate() {
                let can_be = |b: &&MeasuredBlock| b.start_ns <= b.end_ns.saturating_add(tolerance);
                let starts = || what.blocks.iter().filter(can_be).map(|b| b.start_ns);
                let end = what.blocks.iter().filter(can_be).map(|b| b.end_ns).max();
                let (Some(begin), Some(last_begin), Some(end)) = (starts().min(), starts().max(), end) else { continue };
                let issued = what.issued();
                let from = issued.map_or(ahead, |(before, _)| before.max(ahead));
                let by = issued.filter(|_| is_seen).map_or(begin, |(_, after)| after.max(ahead).min(begin));
                all.push(Kernel { log, launch, what, issued, begin, last_begin, end, from, by });
                ahead = ahead.max(end);
            }
        }
        Self { all, streams, processes }
    }

    pub(super) fn stream(&self, kernel: &Kernel<'_>) -> Stream {
        self.streams[kernel.log]
    }
}

fn streams(run: &Measured, settings: &CheckSettings) -> (Vec<Stream>, usize) {
    let mut processes: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    let streams = run.logs.iter().enumerate().map(|(i, log)| {
        let count = processes.len();
        let process = *processes.entry(log.pid).or_insert(count);
        let known = settings.known.get(i).copied().unwrap_or_else(|| Known::from_log(log));
        let is_null = known.is_null == Some(true);
        Stream {
            process,
            is_high: if is_null { Some(false) } else { known.priority.map(|p| p == StreamPriority::High) },
            is_null,
            waits_for_null: known.waits_for_null != Some(false),
            has_unseen: known.has_unseen != Some(false),
        }
    });
    (streams.collect(), processes.len())
}
