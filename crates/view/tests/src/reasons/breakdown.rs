//! The breakdown of waiting against the oracle, and reasons at every step of random scenarios.

use std::collections::BTreeMap;

use blockstep_sim::scenario::Draft;
use blockstep_sim::trace::Change;
use blockstep_sim::units::{OpId, Span, StepId};
use blockstep_view::breakdown::breakdown;
use blockstep_view::reason::{Reason, ReasonKind, executes, reason, undispatched, waiting};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::{at, run, table_1};
use blockstep_testing::arbitrary::{cases, drafts};
use blockstep_testing::oracle;

/// The oracle's word for a reason.
fn as_oracle(kind: ReasonKind) -> oracle::Reason {
    match kind {
        ReasonKind::Producer => oracle::Reason::Producer,
        ReasonKind::BehindInStream => oracle::Reason::Stream,
        ReasonKind::N1 => oracle::Reason::N1,
        ReasonKind::N2 => oracle::Reason::N2,
        ReasonKind::Graph => oracle::Reason::Graph,
        ReasonKind::Event => oracle::Reason::Event,
        ReasonKind::BehindInConnection => oracle::Reason::Connection,
        ReasonKind::A2 => oracle::Reason::A2,
        ReasonKind::X1 => oracle::Reason::X1,
        ReasonKind::Threads => oracle::Reason::R2,
        ReasonKind::SharedMemory => oracle::Reason::R3,
        ReasonKind::Registers | ReasonKind::Slots => oracle::Reason::R1,
        ReasonKind::AllAtOnce => oracle::Reason::R4,
        ReasonKind::CopyEngine => oracle::Reason::CopyEngine,
        other => panic!("{other:?} has no length under one address space"),
    }
}

/// The breakdown adds up, and is the oracle's.
fn agrees_with_oracle(draft: &Draft) {
    let (run, records) = run(draft);
    let mut ours = BTreeMap::new();
    for entry in breakdown(run.replay(), &records) {
        let waited: u64 = entry.waits.iter().map(|(_, span)| span.ns()).sum();
        assert_eq!(waited + entry.executing.ns(), entry.response.ns(), "{}", run.trace.op_label(entry.op));
        let op = run.trace.op(entry.op);
        let mut reasons = BTreeMap::new();
        for (reason, span) in
            entry.waits.iter().map(|&(kind, span)| (as_oracle(kind), span)).chain([(oracle::Reason::Executing, entry.executing)])
        {
            *reasons.entry(reason).or_insert(0) += span.ns();
        }
        reasons.retain(|_, ns| *ns > 0);
        ours.insert((op.row.index(), u64::from(op.job.0), op.kind), reasons);
    }
    let mut theirs = oracle::simulate(draft).reasons;
    theirs.values_mut().for_each(|reasons| reasons.retain(|_, ns| *ns > 0));
    assert_eq!(ours, theirs);
}

/// Of every operation at every step: one reason, or it executes, or it is not there.
fn one_reason_each(draft: &Draft) {
    let (run, records) = run(draft);
    let trace = &run.trace;
    let mut state = run.replay().state().clone();
    for (i, step) in trace.steps().iter().enumerate() {
        state.apply(trace, step);
        let is_last_of_instant = trace.steps().get(i + 1).is_none_or(|next| next.at > step.at);
        let mut waiting_ops = Vec::new();
        for op in (0..trace.ops().len()).map(OpId::at) {
            let record = &records.ops[op.index()];
            let is_done = trace.steps()[..=i].iter().any(|s| ends(s.change) == Some(op));
            let is_there = record.issued_step <= StepId::at(i) && !is_done;
            let reason = reason(trace, &state, op);
            assert_eq!(is_there, reason.is_some() || executes(trace, &state, op), "step {i} {}", trace.op_label(op));
            assert!(reason.is_none() || !executes(trace, &state, op));
            assert!(undispatched(trace, &state, op).is_none() || executes(trace, &state, op));
            if let Some(reason) = reason {
                waiting_ops.push(op);
                let is_momentary = matches!(reason.kind(), ReasonKind::ToBeQueued | ReasonKind::ToBeAssigned | ReasonKind::Completing);
                assert!(!is_momentary || !is_last_of_instant, "step {i} {} {reason:?}", trace.op_label(op));
            }
        }
        let list = waiting(trace, &records, &state, usize::MAX);
        assert_eq!(list.items.iter().filter(|w| !w.executing).map(|w| w.op).collect::<Vec<_>>(), waiting_ops);
        assert_eq!(list.total, waiting_ops.len());
        for item in &list.items {
            // Four groups of SMs are named at most, and each may lack another resource: about 60 characters each.
            assert!(!item.text.is_empty() && item.text.chars().count() < 320, "{}", item.text);
            let is_completing = item.reason == Reason::Completing;
            assert!(item.until.is_some() || !is_completing, "step {i}");
            let Some(until) = item.until else { continue };
            assert!(until.index() > i);
            let ends_it = match trace.step(until).change {
                Change::BlockAssigned { op, .. } | Change::CopyAssigned { op, .. } => op == item.op && !is_completing,
                Change::KernelCompleted { op } => op == item.op && is_completing,
                _ => false,
            };
            assert!(ends_it, "step {i}");
        }
    }
}

fn ends(change: Change) -> Option<OpId> {
    match change {
        Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => Some(op),
        _ => None,
    }
}

#[test]
fn the_breakdown_of_table_1() {
    agrees_with_oracle(&table_1());
    one_reason_each(&table_1());
    let (run, records) = run(&table_1());
    let k5 = breakdown(run.replay(), &records).into_iter().find(|b| run.trace.op_label(b.op) == "K5").unwrap();
    let span = |text| Span(at(text));
    assert_eq!((k5.response, k5.executing), (span("2.6"), span("1")));
    assert_eq!(k5.waits, [(ReasonKind::X1, span("0.6")), (ReasonKind::SharedMemory, span("1"))]);
}

/// A property that never meets a reason proves nothing about it.
#[test]
fn random_scenarios_meet_every_reason() {
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut met: BTreeMap<ReasonKind, usize> = BTreeMap::new();
    for _ in 0..2000 {
        let (run, records) = run(&drafts().new_tree(&mut runner).unwrap().current());
        for (kind, _) in breakdown(run.replay(), &records).into_iter().flat_map(|b| b.waits) {
            *met.entry(kind).or_default() += 1;
        }
    }
    use ReasonKind::{
        A2, BehindInConnection, BehindInStream, CopyEngine, Event, N1, N2, Producer, Registers, SharedMemory, Slots, Threads, X1,
    };
    for kind in [Producer, BehindInStream, N1, N2, Event, BehindInConnection, A2, X1, Threads, SharedMemory, Registers, Slots, CopyEngine] {
        assert!(met.get(&kind).is_some_and(|&n| n >= 10), "{kind:?}: {met:?}");
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn breakdowns_add_up_and_agree_with_the_oracle(draft in drafts()) {
        agrees_with_oracle(&draft);
    }

    #[test]
    fn everything_that_waits_has_one_reason_at_every_step(draft in drafts()) {
        one_reason_each(&draft);
    }
}
