//! The engine against the oracle: two implementations of the contract, one trace.

use blockstep::engine::{self, Limits, Run};
use blockstep::record::Records;
use blockstep::scenario::{Draft, Scenario};
use blockstep::trace::{OpKind, Trace, op_name};
use blockstep::units::{OpId, TimeRange};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::arbitrary::{cases, drafts};
use crate::oracle;

/// The engine's run, in the form the oracle exports.
fn export(run: &Run) -> Value {
    let trace: &Trace = &run.trace;
    let records = Records::new(trace);
    let kernel = |op: OpId| trace.row_of(op).name.clone();
    let job = |op: OpId| trace.op(op).job.0;
    let runs = |runs: Vec<TimeRange>| -> Vec<_> { runs.iter().map(|r| (r.start, r.end)).collect() };
    let blocks = records.blocks.iter().enumerate().map(|(i, b)| {
        json!({"kernel": kernel(b.op), "job": job(b.op), "block": b.block, "sm": b.sm, "start_ns": b.start, "end_ns": b.end,
               "runs": runs(records.block_runs(i))})
    });
    let copies = records.copies.iter().enumerate().map(|(i, c)| {
        let kind = trace.op(c.op).kind;
        let direction = if kind == OpKind::CopyIn { "in" } else { "out" };
        json!({"op": op_name(&kernel(c.op), kind), "kernel": kernel(c.op), "job": job(c.op), "direction": direction,
               "start_ns": c.start, "end_ns": c.end, "runs": runs(records.copy_runs(i))})
    });
    let kernels = records.ops.iter().enumerate().map(|(i, r)| (OpId::at(i), r)).filter(|&(op, _)| trace.op(op).kind == OpKind::Kernel).map(
        |(op, r)| json!({"kernel": kernel(op), "job": job(op), "issued_ns": r.issued, "queued_ns": r.queued, "start_ns": r.start, "end_ns": r.end}),
    );
    let jobs = records.jobs.iter().map(|j| {
        json!({"task": trace.scenario().task(j.task).name, "job": j.job, "release_ns": j.release, "deadline_ns": j.deadline,
               "end_ns": j.end, "met": j.met})
    });
    json!({
        "version": 1, "scenario": trace.scenario().name(), "policy": trace.scenario().policy().kind, "end_ns": trace.end(),
        "blocks": blocks.collect::<Vec<_>>(), "copies": copies.collect::<Vec<_>>(),
        "kernels": kernels.collect::<Vec<_>>(), "jobs": jobs.collect::<Vec<_>>(),
    })
}

fn engine_trace(draft: &Draft) -> Value {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default()).unwrap();
    assert_eq!(run.trace.cut(), None);
    export(&run)
}

fn difference(draft: &Draft) -> Option<String> {
    let (ours, theirs) = (engine_trace(draft), oracle::simulate(draft).to_json());
    let text = |v: &Value| serde_json::to_string_pretty(v).unwrap();
    (ours != theirs)
        .then(|| similar::TextDiff::from_lines(text(&theirs), text(&ours)).unified_diff().header("oracle", "engine").to_string())
}

proptest! {
    #![proptest_config(cases(3000))]
    #[test]
    fn differential_engine_and_oracle_agree(draft in drafts()) {
        if let Some(diff) = difference(&draft) {
            return Err(TestCaseError::fail(diff));
        }
    }
}
