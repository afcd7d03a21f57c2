//! Switches that vary (`docs/varying-times.md`, "Switches").

use std::sync::Arc;

use blockstep_sim::check::{Invariant, check};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Draft, KernelDraft, MAX_SAMPLES, PolicyDraft, PolicyKind, ProcessDraft, Scenario, TAIL_PER_MILLION, TaskDraft,
};
use blockstep_sim::trace::{Change, Trace};
use blockstep_sim::units::Span;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{cases, switches};

/// The GT710 of [LP] III-B: 21.5 µs on average, 0.3 % in the tail, at most 3.7 times as much.
fn gt710() -> PolicyDraft {
    PolicyDraft { kind: PolicyKind::Runlist, switch_cost_ns: 21_500, switch_cost_max_ns: Some(79_550), ..PolicyDraft::default() }
}

/// Two processes with a kernel of a millisecond each, whose turns are of 10 µs.
fn taking_turns(policy: PolicyDraft, seed: u64) -> Arc<Scenario> {
    let process = |name: &str| ProcessDraft { timeslice_ns: 10_000, ..ProcessDraft::named(name) };
    let task = |name: &str| TaskDraft { process: Some(name.to_owned()), ..TaskDraft::named(name) };
    let kernel = |name: &str| KernelDraft { task: Some(name.to_owned()), ..KernelDraft::named(name, 1, 32, 1_000_000) };
    let names = ["A", "B"];
    Scenario::new(&Draft {
        policy,
        seed,
        processes: names.map(process).into(),
        tasks: names.map(task).into(),
        kernels: names.map(kernel).into(),
        ..Draft::default()
    })
    .unwrap()
}

fn drawn(policy: PolicyDraft, seed: u64, count: u64) -> Vec<u64> {
    let scenario = taking_turns(policy, seed);
    (0..count).map(|n| scenario.switches().draw(n).ns()).collect()
}

/// What the switches of a run took.
fn simulated(trace: &Trace) -> Vec<u64> {
    let took = |step: &blockstep_sim::trace::Step| match step.change {
        Change::SwitchStarted { until, .. } => Some(until.since(step.at).ns()),
        _ => None,
    };
    trace.steps().iter().filter_map(took).collect()
}

/// Worked out with another program from the formulas in the documentation.
#[test]
fn switches_are_those_of_the_formulas() {
    assert_eq!(drawn(gt710(), 7, 6), [17_912, 22_078, 20_654, 20_460, 20_327, 23_889]);
    assert_eq!(drawn(gt710(), 0, 6), [17_668, 19_541, 23_098, 23_510, 19_755, 24_523]);
    let samples = PolicyDraft { switch_samples_ns: vec![10, 20, 30], ..gt710() };
    assert_eq!(drawn(samples, 7, 8), [20, 30, 10, 30, 30, 20, 30, 20]);
}

/// [LP] III-B: nearly all around 21.5 µs, about 0.3 % in the tail, at most 3.7 times the average.
#[test]
fn switches_with_a_tail_are_as_the_paper_states() {
    assert_eq!(TAIL_PER_MILLION, 3_000);
    let drawn = drawn(gt710(), 0, 1_000_000);
    let average = drawn.iter().sum::<u64>() / 1_000_000;
    assert!((21_490..=21_510).contains(&average), "{average}");
    let tail = drawn.iter().filter(|&&ns| ns >= 26_875).count();
    assert!((2_800..=3_200).contains(&tail), "{tail}");
    let (least, greatest) = (drawn.iter().min().unwrap(), drawn.iter().max().unwrap());
    assert!((16_000..16_200).contains(least) && (79_000..=79_550).contains(greatest), "{least} {greatest}");
}

#[test]
fn a_run_has_the_switches_that_are_drawn_in_their_order() {
    let samples = PolicyDraft { switch_samples_ns: vec![5, 4_000, 70_000], ..gt710() };
    for policy in [gt710(), samples] {
        let scenario = taking_turns(policy.clone(), 3);
        let run = simulate(&scenario, Limits::default());
        let took = simulated(&run.trace);
        assert!(took.len() > 100);
        assert_eq!(took, drawn(policy, 3, took.len() as u64));
        assert_eq!(check(&run.trace, &Records::new(&run.trace)), []);
    }
}

/// A run of other switches than its scenario draws does not pass.
#[test]
fn the_checker_knows_how_long_switches_take() {
    let run = simulate(&taking_turns(gt710(), 3), Limits::default());
    let mut steps = Vec::new();
    run.trace.steps().iter().for_each(|step| run.trace.push_step_words(step, &mut steps));
    let other = taking_turns(gt710(), 4);
    let mut rebuilt = blockstep_sim::engine::Rebuild::new(&other, Vec::new());
    rebuilt.add(&steps, &mut blockstep_sim::work::Budget::new(u64::MAX)).unwrap();
    let rebuilt = rebuilt.finish(run.trace.end(), None);
    let found = check(&rebuilt.trace, &Records::new(&rebuilt.trace));
    assert!(!found.is_empty() && found.iter().all(|violation| violation.invariant == Invariant::RunTime), "{found:?}");
}

#[test]
fn bad_switches_are_named_with_their_limit() {
    let message = |policy: PolicyDraft| Scenario::new(&Draft { policy, ..Draft::default() }).map(drop).unwrap_err().to_string();
    let with =
        |switch_cost_ns, most, tail| PolicyDraft { switch_cost_ns, switch_cost_max_ns: most, switch_tail_per_million: tail, ..gt710() };
    let nothing = "policy.switch_cost_ns is 0 ns; at least 1 ns is needed where switch_cost_max_ns is given";
    assert_eq!(message(with(0, Some(5), 3_000)), nothing);
    let low = "policy.switch_cost_max_ns is 0 ns; at least 21.5 µs is needed, the average in switch_cost_ns";
    assert_eq!(message(with(21_500, Some(0), 3_000)), low);
    let much = "policy.switch_tail_per_million is 1,000,000; at most 999,999 is possible if a switch takes 21.5 µs on average";
    assert_eq!(message(with(21_500, Some(21_500), 1_000_000)), much);
    let many = PolicyDraft { switch_samples_ns: vec![1; MAX_SAMPLES + 1], ..gt710() };
    assert_eq!(message(many), "policy.switch_samples_ns lists 100,001 samples; at most 100,000 are possible");
    // Without a maximum there is no tail, and a list stands for all else.
    assert!(Scenario::new(&Draft { policy: with(5, None, u64::MAX), ..Draft::default() }).is_ok());
    let listed = PolicyDraft { switch_samples_ns: vec![7], ..with(5, Some(0), 0) };
    assert_eq!(drawn(listed, 0, 2), [7, 7]);
}

/// The share that a message names is possible, and one more is not.
#[test]
fn the_limit_of_a_tail_is_exact() {
    for (average, longest) in [(1, 1), (1, 2), (1, 50), (10_000, 90_000), (3, u64::MAX), (u64::MAX / 2, u64::MAX), (u64::MAX, u64::MAX)] {
        let scenario = |share| {
            let policy = PolicyDraft {
                switch_cost_ns: average,
                switch_cost_max_ns: Some(longest),
                switch_tail_per_million: share,
                ..PolicyDraft::default()
            };
            Scenario::new(&Draft { policy, ..Draft::default() })
        };
        let told = scenario(1_000_000).map(drop).unwrap_err().to_string();
        let limit: u64 = told.split("at most ").nth(1).unwrap().split(' ').next().unwrap().replace(',', "").parse().unwrap();
        let switches = scenario(limit).unwrap();
        assert!((0..1000).all(|n| (1..=longest).contains(&switches.switches().draw(n).ns())));
        assert!(scenario(limit + 1).is_err(), "{average} {longest} {limit}");
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn draws_stay_within_their_limits(policy in switches(40), seed: u64) {
        let scenario = Scenario::new(&Draft { policy, seed, ..Draft::default() }).unwrap();
        let switches = scenario.switches();
        for n in 0..50 {
            let drawn = switches.draw(n);
            prop_assert!(drawn <= switches.longest());
            prop_assert!(!switches.vary() || drawn > Span::ZERO);
            prop_assert!(switches.vary() || drawn == switches.average());
        }
    }
}
