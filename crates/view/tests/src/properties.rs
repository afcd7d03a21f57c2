//! What holds in every run, on random scenarios; and that `check` notices when it does not.

use std::collections::BTreeMap;

use blockstep_format as format;
use blockstep_sim::check::check;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Draft, KernelDraft, PolicyKind, Scenario};
use blockstep_sim::snapshot::{Residency, Snapshot};
use blockstep_sim::trace::{Change, Cut};
use blockstep_sim::units::{OpId, Time};
use blockstep_view::breakdown::breakdown;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use blockstep_testing::arbitrary::{any_drafts, cases, turns};

fn run_limited(draft: &Draft, max_steps: u32) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits { max_steps })
}

fn run(draft: &Draft) -> Run {
    run_limited(draft, Limits::default().max_steps)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn properties_no_invariant_is_violated(draft in any_drafts()) {
        let run = run(&draft);
        let found = check(&run.trace, &Records::new(&run.trace));
        prop_assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
    }

    /// Forwards and backwards in any order, a state is what applying every step one by one gives.
    #[test]
    fn properties_every_route_gives_the_same_state(draft in any_drafts(), route in vec(any::<Index>(), 1..30)) {
        let run = run(&draft);
        let states = every_state(&run);
        let mut replay = run.replay();
        for stop in route {
            let target = stop.index(states.len());
            prop_assert_eq!(replay.seek(target as u32), &states[target]);
            prop_assert_eq!(replay.state().applied() as usize, target);
        }
        prop_assert_eq!(replay.seek(u32::MAX), states.last().unwrap());
    }

    /// A run over the step limit keeps what was simulated until then, and says so.
    #[test]
    fn properties_a_cut_run_is_a_prefix(draft in any_drafts(), cut in any::<Index>()) {
        let whole = run(&draft);
        let limit = cut.index(whole.trace.steps().len() + 1);
        let part = run_limited(&draft, limit as u32);
        prop_assert_eq!(part.trace.steps(), &whole.trace.steps()[..limit]);
        let is_cut = limit < whole.trace.steps().len();
        prop_assert_eq!(part.trace.cut().cloned(), is_cut.then_some(Cut::StepLimit { limit: limit as u32, alone: None }));
        let issued = part.trace.steps().iter().filter(|s| matches!(s.change, Change::Issued { .. })).count();
        prop_assert_eq!(part.trace.ops(), &whole.trace.ops()[..issued]);
        let found = check(&part.trace, &Records::new(&part.trace));
        prop_assert!(found.is_empty(), "{}", found[0]);
    }

    /// Up to an earlier horizon, and with that instant whole, a run is the same.
    #[test]
    fn properties_a_horizon_truncates(draft in any_drafts(), horizon in 0..40_u64) {
        let whole = run(&draft);
        let horizon = horizon.min(whole.trace.end().ns());
        let part = run(&Draft { horizon_ns: Some(horizon), ..draft });
        let kept = whole.trace.steps().partition_point(|s| s.at.ns() <= horizon);
        prop_assert_eq!(part.trace.steps(), &whole.trace.steps()[..kept]);
        prop_assert_eq!((part.trace.end().ns(), part.trace.cut()), (horizon, None));
    }

    /// Execution and waits of every operation add up to its response time, to the nanosecond.
    #[test]
    fn properties_the_breakdown_adds_up(draft in any_drafts()) {
        let run = run(&draft);
        let records = Records::new(&run.trace);
        let breakdown = breakdown(run.replay(), &records);
        prop_assert_eq!(breakdown.len(), records.ops.len());
        for (op, record) in breakdown.iter().zip(&records.ops) {
            let response = record.end.unwrap_or(run.trace.end()).since(record.issued);
            let sum: u64 = op.executing.ns() + op.waits.iter().map(|(_, span)| span.ns()).sum::<u64>();
            prop_assert_eq!((op.response, sum), (response, response.ns()), "{}", run.trace.op_label(op.op));
        }
    }

    /// Whatever executes does so within a stay of its own process, and stays do not overlap.
    #[test]
    fn properties_only_the_resident_process_executes(draft in any_drafts()) {
        let run = run(&draft);
        let records = Records::new(&run.trace);
        if at_start(&run) != Residency::Shared {
            let space = |op| run.trace.layout().stream(run.trace.op(op).stream).space;
            let blocks = records.blocks.iter().enumerate().map(|(i, b)| (space(b.op), records.block_runs(i)));
            let copies = records.copies.iter().enumerate().map(|(i, c)| (space(c.op), records.copy_runs(i)));
            for (space, runs) in blocks.chain(copies) {
                for r in runs {
                    let inside = records.residency.iter().any(|(s, stay)| *s == space && stay.start <= r.start && r.end <= stay.end);
                    prop_assert!(inside, "{:?} of {:?}\n{}", r, space, run.trace.text());
                }
            }
            prop_assert!(records.residency.is_sorted_by(|a, b| a.1.end <= b.1.start));
        }
    }

    /// However often a block or copy is suspended, its times on the GPU add up to its own, but for those at which it spins.
    #[test]
    fn properties_what_is_suspended_runs_its_full_time(draft in prop_oneof![turns(PolicyKind::Runlist), turns(PolicyKind::Edf)]) {
        let run = run(&draft);
        // By operation and block: how long it ran until when, or that it is suspended.
        let mut ran: BTreeMap<(OpId, u32), (u64, Option<Time>)> = BTreeMap::new();
        for step in run.trace.steps() {
            if let Change::SpinEnded { op } = step.change {
                // All that began before have spun so far.
                for (_, (sum, since)) in ran.iter_mut().filter(|((of, _), _)| *of == op) {
                    (*sum, *since) = (0, since.map(|_| step.at));
                }
            }
            let on = match step.change {
                Change::BlockAssigned { op, block, .. } | Change::BlockResumed { op, block, .. } => Some((op, block, true)),
                Change::BlockSuspended { op, block, .. } | Change::BlockEnded { op, block, .. } => Some((op, block, false)),
                Change::CopyAssigned { op, .. } | Change::CopyResumed { op, .. } => Some((op, 0, true)),
                Change::CopySuspended { op, .. } | Change::CopyCompleted { op, .. } => Some((op, 0, false)),
                _ => None,
            };
            let Some((op, block, begins)) = on else { continue };
            let (sum, since) = ran.entry((op, block)).or_default();
            prop_assert_eq!(since.is_none(), begins, "{:?}", step);
            match since.take() {
                Some(since) => *sum += step.at.since(since).ns(),
                None => *since = Some(step.at),
            }
            if matches!(step.change, Change::BlockEnded { .. } | Change::CopyCompleted { .. }) {
                prop_assert_eq!(*sum, run.trace.run_time(op, block).ns(), "{}:{}\n{}", run.trace.op_label(op), block, run.trace.text());
            }
        }
    }

    /// The same scenario gives the same trace, always.
    #[test]
    fn properties_runs_repeat(draft in any_drafts()) {
        prop_assert_eq!(run(&draft).trace.text(), run(&draft).trace.text());
    }
}

fn at_start(run: &Run) -> Residency {
    if run.trace.scenario().policy().kind.takes_turns() { Residency::Idle { last: None, gave_way: false } } else { Residency::Shared }
}

/// The state before the first step and after each one, by applying them all.
fn every_state(run: &Run) -> Vec<Snapshot> {
    let mut states = vec![Snapshot::new(run.trace.scenario(), run.trace.layout(), at_start(run))];
    for step in run.trace.steps() {
        let mut next = states.last().unwrap().clone();
        next.apply(&run.trace, step);
        states.push(next);
    }
    states
}

/// Long enough for several keyframes: jumps that land before, on and after them.
#[test]
fn properties_long_jumps_give_the_same_state() {
    let mut kernel = KernelDraft::named("K1", 25_000, 300, 0);
    kernel.block_time_ns = BlockTimes::List((0..25_000).map(|i| 1 + i * i % 17).collect());
    let run = run(&Draft { kernels: vec![kernel, KernelDraft::named("K2", 500, 200, 7)], ..Draft::default() });
    let steps = run.trace.steps().len();
    assert!(steps > 50_000);
    let targets: Vec<usize> =
        (0..200_usize).map(|i| i * 7919 * 31 % (steps + 1)).chain((1..6).flat_map(|k| [k * 8192 - 1, k * 8192, k * 8192 + 1])).collect();
    let mut sorted = targets.clone();
    sorted.sort_unstable();
    // One pass over the steps, keeping the states that the jumps will land on.
    let mut state = Snapshot::new(run.trace.scenario(), run.trace.layout(), Residency::Shared);
    let mut expected = BTreeMap::new();
    for target in sorted {
        for step in &run.trace.steps()[state.applied() as usize..target] {
            state.apply(&run.trace, step);
        }
        expected.insert(target, state.clone());
    }
    let mut replay = run.replay();
    for target in targets {
        assert_eq!(replay.seek(target as u32), &expected[&target], "after {target} steps");
    }
}

/// The random scenarios with some of their times as large as 64 bits allow, or nearly.
fn extreme() -> impl Strategy<Value = Draft> {
    (any_drafts(), vec((0..8_u8, any::<Index>(), 0..40_u64), 1..4)).prop_map(|(mut draft, wild)| {
        for (field, index, less) in wild {
            let huge = u64::MAX - less * 400_000_000_000_000_000;
            let process = (!draft.processes.is_empty()).then(|| index.index(draft.processes.len()));
            let task = (!draft.tasks.is_empty()).then(|| index.index(draft.tasks.len()));
            match (field, process, task) {
                (0, ..) => draft.policy.switch_cost_ns = huge,
                (1, Some(i), _) => draft.processes[i].timeslice_ns = huge,
                (2, _, Some(i)) => draft.tasks[i].budget_ns = Some(huge),
                (3, _, Some(i)) => draft.tasks[i].deadline_ns = Some(huge),
                (4, _, Some(i)) => draft.tasks[i].period_ns = Some(huge),
                (5, _, Some(i)) => draft.tasks[i].offset_ns = huge,
                (6, ..) if !draft.kernels.is_empty() => {
                    let i = index.index(draft.kernels.len());
                    draft.kernels[i].start_ns = huge;
                }
                _ if !draft.kernels.is_empty() => {
                    let i = index.index(draft.kernels.len());
                    draft.kernels[i].block_time_ns = BlockTimes::Each(huge);
                }
                _ => {}
            }
        }
        draft
    })
}

proptest! {
    #![proptest_config(cases(1000))]

    /// A time too large is an error of the scenario or the end of the run, never worse.
    #[test]
    fn properties_no_time_is_too_large(draft in extreme()) {
        if let Ok(scenario) = Scenario::new(&draft) {
            let run = engine::simulate(&scenario, Limits { max_steps: 20_000 });
            let is_internal = matches!(run.trace.cut(), Some(Cut::Internal { .. }));
            prop_assert!(!is_internal, "{:?}", run.trace.cut());
            let found = check(&run.trace, &Records::new(&run.trace));
            prop_assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
        }
    }
}

/// The deadline of a server that lies past the last instant there is ends the run.
#[test]
fn properties_a_server_due_after_the_last_instant_ends_the_run() {
    let file = format!(
        r#"{{ "version": 1, "policy": {{ "kind": "edf" }}, "horizon_ns": 80,
            "tasks": [ {{ "name": "T", "release": "continuous", "deadline_ns": {} }} ],
            "kernels": [ {{ "name": "K", "task": "T", "start_ns": 1, "blocks": 1, "threads_per_block": 1, "block_time_ns": 1 }} ] }}"#,
        u64::MAX
    );
    let scenario = Scenario::new(&format::read_scenario(&file).unwrap()).unwrap();
    let run = engine::simulate(&scenario, Limits::default());
    let Some(Cut::TimeOverflow { what }) = run.trace.cut() else { panic!("{}", run.trace.text()) };
    assert_eq!(what, "the new deadline of task \"T\"");
    assert!(check(&run.trace, &Records::new(&run.trace)).is_empty());
}
