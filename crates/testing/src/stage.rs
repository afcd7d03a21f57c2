//! Small scenarios in which processes take turns, and what came of them in a line or two.
//!
//! Depends on the library. Every process has a task of its own name in lower case.

use std::sync::Arc;

use blockstep_sim::check::{Violation, check};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Device, DeviceDraft, Draft, Interleave, KernelDraft, PolicyKind, ProcessDraft, Scenario, TaskDraft};
use blockstep_sim::trace::{Step, Trace};
use blockstep_sim::units::{Time, TimeRange};

/// One process for each name; its first letter, H, M or L, is its level.
pub fn stage(kind: PolicyKind, names: &[&str]) -> Draft {
    let level = |name: &str| match name.as_bytes()[0] {
        b'H' => Interleave::High,
        b'L' => Interleave::Low,
        _ => Interleave::Medium,
    };
    let process = |name: &&str| ProcessDraft { interleave: level(name), timeslice_ns: 4, ..ProcessDraft::named(*name) };
    let task = |name: &&str| TaskDraft { process: Some((*name).to_owned()), ..TaskDraft::named(name.to_lowercase()) };
    let mut draft = Draft {
        // A byte takes 1 ns to copy.
        device: DeviceDraft::Custom(Device { copy_bandwidth_bytes_per_s: 1_000_000_000, ..Device::default() }),
        processes: names.iter().map(process).collect(),
        tasks: names.iter().map(task).collect(),
        ..Draft::default()
    };
    draft.policy.kind = kind;
    draft
}

/// A kernel of a task: one block of `time` ns, launched at `start`; it has the process to itself.
pub fn work(name: &str, task: &str, start: u64, time: u64) -> KernelDraft {
    KernelDraft { task: Some(task.to_owned()), start_ns: start, stream: name.to_owned(), ..KernelDraft::named(name, 1, 64, time) }
}

/// Simulates and checks.
pub fn run(draft: &Draft) -> Run {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    let found = check(&run.trace, &Records::new(&run.trace));
    assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
    run
}

/// Other steps with the operations and decisions of a run, as a run of this scenario, which has the same streams.
pub fn retold(good: &Trace, scenario: &Arc<Scenario>, steps: impl IntoIterator<Item = Step>, end: Time) -> Trace {
    let mut trace = Trace::new(Arc::clone(scenario), Arc::clone(good.layout()));
    good.ops().iter().for_each(|&op| {
        trace.add_op(op);
    });
    for place in 0..good.decisions() {
        let made = good.made(place);
        trace.tell(made.told, made.deadline).unwrap();
    }
    steps.into_iter().for_each(|step| trace.add_step(step));
    trace.finish(end, None);
    trace
}

/// What the checker finds in a run after an edit of its steps.
pub fn found_after(good: &Trace, edit: impl FnOnce(&mut Vec<Step>)) -> Vec<Violation> {
    let mut steps = good.steps().to_vec();
    edit(&mut steps);
    let trace = retold(good, good.scenario(), steps, good.end());
    check(&trace, &Records::new(&trace))
}

/// `P0 0-4, P1 4-8`.
pub fn stays(run: &Run) -> String {
    let one = |(space, r): &(_, TimeRange)| format!("{} {}-{}", run.trace.space_name(*space), r.start, r.end);
    Records::new(&run.trace).residency.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// `K1:0 0-4 8-12, C1o 12-14`: blocks, then copies, in order of assignment.
pub fn executions(run: &Run) -> String {
    let records = Records::new(&run.trace);
    let runs = |runs: Vec<TimeRange>| runs.iter().map(|r| format!(" {}-{}", r.start, r.end)).collect::<String>();
    let blocks =
        records.blocks.iter().enumerate().map(|(i, b)| format!("{}:{}{}", run.trace.op_label(b.op), b.block, runs(records.block_runs(i))));
    let copies = records.copies.iter().enumerate().map(|(i, c)| format!("{}{}", run.trace.op_label(c.op), runs(records.copy_runs(i))));
    blocks.chain(copies).collect::<Vec<_>>().join(", ")
}

/// The lines of the trace's text form that cite one of these rules.
pub fn lines(run: &Run, rules: &[&str]) -> Vec<String> {
    run.trace.text().lines().filter(|l| rules.contains(&l.split(' ').nth(1).unwrap())).map(str::to_owned).collect()
}
