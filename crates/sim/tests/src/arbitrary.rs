//! Scenarios drawn at random: they are valid, and reach every rule.

use std::collections::{BTreeMap, BTreeSet};

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{PolicyKind, Scenario};
use blockstep_sim::trace::Rule;
use blockstep_testing::arbitrary::{cases, drafts, turns};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

proptest! {
    #![proptest_config(cases(1000))]
    #[test]
    fn arbitrary_drafts_are_valid(draft in drafts()) {
        prop_assert!(Scenario::new(&draft).is_ok(), "{}", Scenario::new(&draft).unwrap_err());
    }
}

/// The same of the scenarios in which processes take turns.
#[test]
fn arbitrary_turns_reach_every_rule() {
    for (kind, rules) in [
        (PolicyKind::Runlist, "S1 S2 S3 S5 S6 L1 L2 L3 D1 D2"),
        (PolicyKind::Edf, "S1 S2 S3 S5 S6 E1 E2 E3 E4 E5 E6 E7 Q1 Q2 D1 D2"),
        (PolicyKind::Own, "S1 S2 S3 S5 S6 L1 L2 L3 P1 P2 P3 P4 P5 P6 P7 D1 D2"),
    ] {
        let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let mut applied: BTreeMap<&str, usize> = BTreeMap::new();
        for _ in 0..1000 {
            let draft = turns(kind).new_tree(&mut runner).unwrap().current();
            let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
            let rules: BTreeSet<Rule> = run.trace.steps().iter().map(|s| s.rule).collect();
            rules.into_iter().for_each(|rule| *applied.entry(rule.id()).or_default() += 1);
        }
        println!("{kind:?} {applied:?}");
        for rule in rules.split(' ') {
            assert!(applied.get(rule).is_some_and(|&n| n >= 10), "{rule} is applied in {:?} of 1000 runs", applied.get(rule));
        }
    }
}

/// A strategy that never gets anywhere proves nothing: over many scenarios each rule is applied
/// often, whole runs come to their end, and most have several kernels that compete.
#[test]
fn arbitrary_drafts_reach_every_rule() {
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut applied: BTreeMap<Rule, usize> = BTreeMap::new();
    let (mut steps, mut finished, mut busy) = (0, 0, 0);
    for _ in 0..1000 {
        let draft = drafts().new_tree(&mut runner).unwrap().current();
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let rules: BTreeSet<Rule> = run.trace.steps().iter().map(|s| s.rule).collect();
        rules.into_iter().for_each(|rule| *applied.entry(rule).or_default() += 1);
        steps += run.trace.steps().len();
        let records = Records::new(&run.trace);
        finished += usize::from(!records.ops.is_empty() && records.ops.iter().all(|op| op.end.is_some()));
        busy += usize::from(records.blocks.len() > 5);
    }
    println!("{steps} steps, {finished} finished, {busy} busy, {applied:?}");
    let contract = "G1 G2 G3 G4 X1 R1 B2 C1 C2 C3 C4 N1 N2 W1 W2 H1 T1 T2 T3 A1 A2 J1 J2 B1";
    for rule in Rule::ALL.into_iter().filter(|r| contract.split(' ').any(|id| id == r.id())) {
        assert!(applied.get(&rule).is_some_and(|&n| n >= 20), "{} is applied in {:?} of 1000 runs", rule.id(), applied.get(&rule));
    }
    assert!(applied.get(&Rule::R4).is_some_and(|&n| n >= 5), "R4 is applied in {:?} of 1000 runs", applied.get(&Rule::R4));
    assert!(steps > 40_000 && finished > 300 && busy > 400);
}
