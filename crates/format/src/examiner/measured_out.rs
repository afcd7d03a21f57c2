//! What was measured on a GPU as logs of cuda_scheduling_examiner, one for each stream.
//!
//! Depends on `log_out`. Invariants: the fields are those of a simulated run's logs, so both open everywhere; beside them, each log has an object under
//! `blockstep` that says on what and how it was measured, which the examiner's scripts pass over.

use std::fmt::{self, Display, Formatter};

use super::log_out::{Stream, head, launch, with_names};
use crate::stem::seconds;
use blockstep_sim::measured::MeasuredBlock;
use blockstep_sim::record::Records;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{RowId, StreamId};

/// A kernel as it was launched and executed. Times are ns from the start of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredLaunch {
    /// Its row of the kernel table.
    pub row: RowId,
    /// The process that launched it, as its system numbers it.
    pub pid: u32,
    /// Before the call, and after it.
    pub called_ns: (i64, i64),
    /// The CPU that called.
    pub cpu: u32,
    /// Its blocks, by number.
    pub blocks: Vec<MeasuredBlock>,
    /// How long each of them was suspended, ns, and how often.
    pub suspended: Vec<(u64, u64)>,
}

/// Name and text of each log, in the order of the streams. A stream of which no kernel was measured has none. `trace` is a simulated run of
/// the scenario; `launches` stand in the order in which they began; `threads` is how many threads the GPU holds; `header`, an object in JSON,
/// says on what and how it was measured.
#[must_use]
pub fn write_measured_logs<'a>(
    trace: &'a Trace,
    records: &Records,
    launches: &'a [MeasuredLaunch],
    threads: u64,
    header: &'a str,
) -> Vec<(String, impl Display + 'a)> {
    let logs = with_names(trace, records, |stream| own(trace, launches, stream.id).next().is_some());
    let log = |(name, stream, is_only)| (name, fmt::from_fn(move |out| write_log(out, trace, launches, &stream, is_only, threads, header)));
    logs.into_iter().map(log).collect()
}

/// What was launched on a stream.
fn own<'l>(trace: &'l Trace, launches: &'l [MeasuredLaunch], stream: StreamId) -> impl Iterator<Item = &'l MeasuredLaunch> {
    launches.iter().filter(move |launch| trace.layout().stream_of(launch.row) == stream)
}

fn write_log(
    out: &mut Formatter<'_>,
    trace: &Trace,
    launches: &[MeasuredLaunch],
    stream: &Stream,
    is_only: bool,
    threads: u64,
    header: &str,
) -> fmt::Result {
    let pid = own(trace, launches, stream.id).next().map_or(0, |launch| launch.pid);
    head(out, trace, stream, is_only, threads, pid.into())?;
    write!(out, "\"blockstep\": {header},\n\"times\": [{{}}")?;
    for measured in own(trace, launches, stream.id) {
        let (called, returned) = measured.called_ns;
        let times = measured.blocks.iter().map(|block| (signed_seconds(block.start_ns), signed_seconds(block.end_ns)));
        let sms = measured.blocks.iter().map(|block| block.sm.unwrap_or(0));
        // 0: no thread waited for this kernel alone.
        let launch_times = [&*signed_seconds(called), &*signed_seconds(returned), "0"];
        launch(out, trace.scenario().row(measured.row), launch_times, times, sms, measured.cpu, &suspensions(measured))?;
    }
    out.write_str("\n]}\n")
}

/// What a log says of suspended blocks beside the examiner's fields; nothing where none was.
fn suspensions(measured: &MeasuredLaunch) -> String {
    if measured.suspended.iter().all(|&(_, count)| count == 0) {
        return String::new();
    }
    let times: Vec<String> = measured.suspended.iter().map(|&(ns, _)| seconds(ns)).collect();
    let counts: Vec<String> = measured.suspended.iter().map(|&(_, count)| count.to_string()).collect();
    format!(", \"block_suspended_times\": [{}], \"block_suspensions\": [{}]", times.join(","), counts.join(","))
}

fn signed_seconds(ns: i64) -> String {
    format!("{}{}", if ns < 0 { "-" } else { "" }, seconds(ns.unsigned_abs()))
}
