//! The engine against the oracle: two implementations of the contract, one trace.

use std::collections::BTreeMap;

use blockstep_format::write_trace;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Call, Device, DeviceDraft, Draft, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, Scenario, TaskDraft};
use blockstep_sim::trace::{Change, Cut, Rule, Step};
use blockstep_sim::units::TaskId;
use blockstep_view::breakdown::breakdown;
use blockstep_view::reason::ReasonKind;
use proptest::prelude::*;
use serde_json::Value;

use blockstep_testing::arbitrary::{cases, drafts, owned, turns};
use blockstep_testing::batches::batched;
use blockstep_testing::oracle::{self, OracleTrace, Reason};

/// The run of the engine and that of the oracle.
fn both(draft: &Draft) -> (Run, OracleTrace) {
    (engine::simulate(&Scenario::new(draft).unwrap(), Limits::default()), oracle::simulate(draft))
}

/// A trace without when blocks that spin go on: the oracle does not note it, and the checker judges it.
pub(crate) fn without_spins(mut trace: Value) -> Value {
    for block in trace["blocks"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        block.remove("goes_on_ns");
    }
    trace
}

fn difference((run, theirs): &(Run, OracleTrace)) -> Option<String> {
    assert_eq!(run.trace.cut(), None);
    let ours = without_spins(serde_json::from_str(&write_trace(&run.trace, &Records::new(&run.trace)).unwrap().to_string()).unwrap());
    let theirs = theirs.to_json();
    let text = |v: &Value| serde_json::to_string_pretty(v).unwrap();
    (ours != theirs)
        .then(|| similar::TextDiff::from_lines(text(&theirs), text(&ours)).unified_diff().header("oracle", "engine").to_string())
}

/// The oracle does not tell registers from block slots.
fn reason(kind: ReasonKind) -> Reason {
    match kind {
        ReasonKind::Producer => Reason::Producer,
        ReasonKind::BehindInStream => Reason::Stream,
        ReasonKind::N1 => Reason::N1,
        ReasonKind::N2 => Reason::N2,
        ReasonKind::Graph => Reason::Graph,
        ReasonKind::Event => Reason::Event,
        ReasonKind::BehindInConnection => Reason::Connection,
        ReasonKind::NotLaunched => Reason::NotLaunched,
        ReasonKind::NotResident => Reason::NotResident,
        ReasonKind::A2 => Reason::A2,
        ReasonKind::X1 => Reason::X1,
        ReasonKind::Threads => Reason::R2,
        ReasonKind::SharedMemory => Reason::R3,
        ReasonKind::Registers | ReasonKind::Slots => Reason::R1,
        ReasonKind::AllAtOnce => Reason::R4,
        ReasonKind::CopyEngine => Reason::CopyEngine,
        other => panic!("{other:?} takes no time"),
    }
}

proptest! {
    #![proptest_config(cases(3000))]
    #[test]
    fn differential_engine_and_oracle_agree(draft in drafts()) {
        agree(&both(&draft))?;
    }
}

proptest! {
    #![proptest_config(cases(1500))]
    #[test]
    fn differential_runlist_agrees(draft in turns(PolicyKind::Runlist)) {
        agree(&both(&draft))?;
    }
}

proptest! {
    #![proptest_config(cases(1500))]
    #[test]
    fn differential_edf_agrees(draft in turns(PolicyKind::Edf)) {
        agree(&both(&draft))?;
    }

    #[test]
    fn differential_batches_agree(draft in batched()) {
        agree(&both(&draft))?;
    }
}

proptest! {
    #![proptest_config(cases(1500))]
    #[test]
    fn differential_own_agrees(draft in owned()) {
        own_agrees(&draft)?;
    }
}

/// Told the same at the same instants, and in the same steps.
fn own_agrees(draft: &Draft) -> Result<(), TestCaseError> {
    let ran = both(draft);
    let (run, theirs) = &ran;
    let failed = match run.trace.cut() {
        Some(Cut::PolicyFailed { at, .. }) => Some(*at),
        _ => None,
    };
    let told = |step: &Step| match step.change {
        Change::PolicyTold { decision } => {
            let told = run.trace.made(decision).told;
            let name = |task: TaskId| &run.trace.scenario().task(task).name;
            let of = match (told.kernel(), told.job()) {
                (Some(op), Some((_, job))) => format!(" {}#{}", run.trace.scenario().row(run.trace.op(op).row).name, job.0),
                (None, Some((task, job))) => format!(" {}#{}", name(task), job.0),
                (_, None) => String::new(),
            };
            Some((step.at.ns(), format!("{}{of}", told.word())))
        }
        _ => None,
    };
    let told: Vec<(u64, String)> = run.trace.steps().iter().filter_map(told).collect();
    prop_assert_eq!(&told, &theirs.told, "{}", run.trace.text());
    prop_assert_eq!(failed, theirs.failed);
    if failed.is_none() {
        agree(&ran)?;
    }
    Ok(())
}

/// Ticks while nothing executes are counted anew after a miss at the instant of one, as that comes after what the policy is told.
#[test]
fn differential_own_counts_ticks_after_a_miss() {
    let text = "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\non tick every 13 ns:\n  k = first in line\n  \
                if k is not none:\n    move k to line\nadmit first in line\n";
    let task = |name: &str, consumes: &[&str], deadline_ns| TaskDraft {
        consumes: consumes.iter().map(|&of| of.to_owned()).collect(),
        deadline_ns,
        ..TaskDraft::named(name)
    };
    // The consumer's kernel stands before the producer's in one stream: nothing ever executes.
    let kernel =
        |name: &str, task: &str| KernelDraft { task: Some(task.to_owned()), stream: "S1".to_owned(), ..KernelDraft::named(name, 1, 32, 1) };
    let draft = Draft {
        policy: PolicyDraft { kind: PolicyKind::Own, text: text.to_owned(), ..PolicyDraft::default() },
        tasks: vec![task("consumer", &["producer"], Some(13)), task("producer", &[], None)],
        kernels: vec![kernel("KC", "consumer"), kernel("KP", "producer")],
        ..Draft::default()
    };
    let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let told = run.trace.steps().iter().filter(|step| step.rule == Rule::P3);
    assert_eq!((told.count(), run.trace.text().contains("13 D2 ")), (1001, true), "{}", run.trace.text());
    own_agrees(&draft).unwrap();
}

/// What is suspended forever ends the run: the instant at which it would have completed is none, and a deadline before it is not judged.
#[test]
fn differential_own_ends_with_what_is_suspended_for_ever() {
    let lost = "running, pending: set\non request(t):\n  running = {t}\nadmit running\n";
    let processes = ["P0", "P1"].map(ProcessDraft::named).into();
    let task = |name: &str, process: &str| TaskDraft { process: Some(process.to_owned()), ..TaskDraft::named(name) };
    let kernel = |name: &str, task: &str, time| KernelDraft { task: Some(task.to_owned()), ..KernelDraft::named(name, 1, 32, time) };
    let draft = Draft {
        policy: PolicyDraft { kind: PolicyKind::Own, text: lost.to_owned(), ..PolicyDraft::default() },
        processes,
        tasks: vec![
            task("producer", "P0"),
            TaskDraft { offset_ns: 3, deadline_ns: Some(2), consumes: vec!["producer".to_owned()], ..task("consumer", "P1") },
        ],
        kernels: vec![kernel("KP", "producer", 6), kernel("KC", "consumer", 1)],
        ..Draft::default()
    };
    let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    assert_eq!(run.trace.end().ns(), 3, "{}", run.trace.text());
    own_agrees(&draft).unwrap();
}

/// The second branch of a graph takes the second connection, also where another process has a call that uses no stream.
#[test]
fn differential_a_call_without_a_stream_takes_no_connection() {
    let node = |name: &str, copy_in_bytes, copy_out_bytes| KernelDraft {
        graph: Some("G".to_owned()),
        copy_in_bytes,
        copy_out_bytes,
        ..KernelDraft::named(name, 1, 32, 1)
    };
    let draft = Draft {
        device: DeviceDraft::Custom(Device { copy_engines: 1, ..Device::default() }),
        connections: Some(2),
        processes: ["P0", "P1"].map(ProcessDraft::named).into(),
        tasks: vec![TaskDraft::named("T0"), TaskDraft { process: Some("P1".to_owned()), ..TaskDraft::named("T1") }],
        kernels: vec![
            KernelDraft { call: Call::LaunchGraph, ..KernelDraft::named("G", 0, 0, 0) },
            node("K1", 0, 1),
            node("K2", 1, 0),
            KernelDraft { call: Call::Free, task: Some("T1".to_owned()), ..KernelDraft::named("F", 0, 0, 0) },
        ],
        ..Draft::default()
    };
    let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    assert!(run.trace.text().contains("0 C2 C2i -> CE0"), "{}", run.trace.text());
    assert_eq!(difference(&both(&draft)), None);
}

/// One trace, and where every operation's time went, by the reasons of section 10.
fn agree(ran: &(Run, OracleTrace)) -> Result<(), TestCaseError> {
    if let Some(diff) = difference(ran) {
        return Err(TestCaseError::fail(diff));
    }
    let (run, OracleTrace { reasons: expected, .. }) = ran;
    let breakdown = breakdown(run.replay(), &Records::new(&run.trace));
    prop_assert_eq!(breakdown.len(), expected.len());
    for op in breakdown {
        let info = run.trace.op(op.op);
        let mut spent: BTreeMap<Reason, u64> = BTreeMap::new();
        op.waits.iter().for_each(|&(kind, span)| *spent.entry(reason(kind)).or_default() += span.ns());
        if op.executing.ns() > 0 {
            spent.insert(Reason::Executing, op.executing.ns());
        }
        let key = (info.row.index(), u64::from(info.job.0), info.kind);
        prop_assert_eq!(&spent, &expected[&key], "{} of\n{}", run.trace.op_label(op.op), run.trace.text());
    }
    Ok(())
}
