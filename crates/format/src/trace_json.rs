//! The export of a run as JSON.
//!
//! Depends on `trace` and `record`. Invariant: fields and rows stand in the order of docs/file-format.md,
//! "Trace"; every row takes one line; a run with variants of the rules names them.

use std::fmt::Display;

use serde::Serialize;

use super::layout::{self, Each};
use blockstep_sim::record::{BlockRecord, CopyRecord, JobRecord, OpRecord, Records};
use blockstep_sim::scenario::{Evidence, PolicyKind, Turns};
use blockstep_sim::trace::{Cut, Op, OpKind, Trace, Variant};
use blockstep_sim::units::{JobNo, OpId, SmId, Time, TimeRange};

/// A trace; its tables are lists of the rows below.
#[derive(Serialize)]
struct TraceFile<'t, B, C, K, J, R, L> {
    version: u8,
    scenario: &'t str,
    policy: PolicyKind,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<&'t str>,
    #[serde(skip_serializing_if = "is_known")]
    evidence: Evidence,
    end_ns: Time,
    blocks: B,
    copies: C,
    kernels: K,
    jobs: J,
    #[serde(skip_serializing_if = "Option::is_none")]
    residency: Option<R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runlist: Option<L>,
}

#[derive(Serialize)]
struct Block<'t> {
    kernel: &'t str,
    job: JobNo,
    block: u32,
    sm: SmId,
    start_ns: Time,
    /// Of a block that spins.
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_on_ns: Option<Option<Time>>,
    end_ns: Option<Time>,
    runs: Vec<(Time, Time)>,
}

#[derive(Serialize)]
struct Copy<'t> {
    op: String,
    kernel: &'t str,
    job: JobNo,
    direction: &'static str,
    start_ns: Time,
    end_ns: Option<Time>,
    runs: Vec<(Time, Time)>,
}

#[derive(Serialize)]
struct Kernel<'t> {
    kernel: &'t str,
    job: JobNo,
    issued_ns: Time,
    queued_ns: Option<Time>,
    start_ns: Option<Time>,
    end_ns: Option<Time>,
}

#[derive(Serialize)]
struct Job<'t> {
    task: &'t str,
    job: JobNo,
    release_ns: Time,
    deadline_ns: Option<Time>,
    end_ns: Option<Time>,
    met: Option<bool>,
}

#[derive(Serialize)]
struct Stay {
    process: String,
    start_ns: Time,
    end_ns: Time,
}

fn is_known(evidence: &Evidence) -> bool {
    evidence.rules().is_none()
}

/// A whole run as a trace file; it is made as it is written.
///
/// # Errors
/// Why the run was cut, if it was: part of a run is not exported.
pub fn write_trace(trace: &Trace, records: &Records) -> Result<impl Display, Cut> {
    if let Some(cut) = trace.cut() {
        return Err(cut.clone());
    }
    let scenario = trace.scenario();
    let policy = scenario.policy().kind;
    let identity = move |op: OpId| (trace.row_of(op).name.as_str(), trace.op(op).job);
    let pairs = |runs: Vec<TimeRange>| runs.into_iter().map(|run| (run.start, run.end)).collect();
    let block = move |(i, b): (usize, &BlockRecord)| {
        let (kernel, job) = identity(b.op);
        Block {
            kernel,
            job,
            block: b.block,
            sm: b.sm,
            start_ns: b.start,
            goes_on_ns: records.went_on(i),
            end_ns: b.end,
            runs: pairs(records.block_runs(i)),
        }
    };
    let copy = move |(i, c): (usize, &CopyRecord)| {
        let ((kernel, job), op) = (identity(c.op), trace.op_name(c.op));
        let direction = if trace.op(c.op).kind == OpKind::CopyIn { "in" } else { "out" };
        Copy { op, kernel, job, direction, start_ns: c.start, end_ns: c.end, runs: pairs(records.copy_runs(i)) }
    };
    let kernel = move |(op, o): (&Op, &OpRecord)| {
        let kernel = scenario.row(op.row).name.as_str();
        Kernel { kernel, job: op.job, issued_ns: o.issued, queued_ns: o.queued, start_ns: o.start, end_ns: o.end }
    };
    let job = move |j: &JobRecord| {
        let task = scenario.task(j.task).name.as_str();
        Job { task, job: j.job, release_ns: j.release, deadline_ns: j.deadline, end_ns: j.end, met: j.met }
    };
    let stay = move |&(space, range): &(_, TimeRange)| Stay { process: trace.space_name(space), start_ns: range.start, end_ns: range.end };
    let names = move || scenario.runlist().entries().map(|channel| trace.space_name(channel));
    Ok(layout::file(TraceFile {
        version: 1,
        scenario: scenario.name(),
        policy,
        variants: trace.variants().iter().map(Variant::id).collect(),
        evidence: scenario.device().evidence(),
        end_ns: trace.end(),
        blocks: Each(move || records.blocks.iter().enumerate().map(block)),
        copies: Each(move || records.copies.iter().enumerate().map(copy)),
        kernels: Each(move || trace.ops().iter().zip(&records.ops).filter(|(op, _)| op.kind == OpKind::Kernel).map(kernel)),
        jobs: Each(move || records.jobs.iter().map(job)),
        residency: policy.takes_turns().then_some(Each(move || records.residency.iter().map(stay))),
        runlist: (policy.turns() == Turns::Runlist).then_some(Each(names)),
    }))
}
