//! The response-time bound of [EDF] Theorem 1 beside what is simulated.

use blockstep_analysis::runlist::{Slot, bound as equation};
use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound, Stay, bounds};
use blockstep_sim::engine::{Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Call, Choice, Draft, Interleave, KernelDraft, PolicyKind, Preemption, Release, SwitchCharge};
use blockstep_sim::units::{JobNo, ProcessId, SpaceId, Span, TaskId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use blockstep_testing::arbitrary::cases;
use blockstep_testing::stage::{run, stage, stays, work};

type Outcome = Result<RunlistBound, Inapplicable>;

fn bounds_of(run: &Run) -> Vec<Outcome> {
    bounds(&run.trace, &Records::new(&run.trace), Limits::default())
}

/// The longest response of every task, of jobs that did not complete as far as the run goes.
fn responses(run: &Run) -> Vec<u64> {
    let records = Records::new(&run.trace);
    let mut greatest = vec![0; run.trace.scenario().tasks().len()];
    for job in &records.jobs {
        let slot = &mut greatest[job.task.index()];
        *slot = job.end.unwrap_or(run.trace.end()).since(job.release).ns().max(*slot);
    }
    greatest
}

/// H1 arrives just after its entry was checked, as in Fig. 2a.
fn figure_2a(switch_cost_ns: u64) -> Draft {
    let kernels = vec![work("K1", "h1", 1, 7), work("K2", "h2", 0, 90), work("K3", "m1", 0, 90), work("K4", "m2", 0, 90)];
    let mut draft = Draft { kernels, ..stage(PolicyKind::Runlist, &["H2", "H1", "M1", "M2"]) };
    draft.kernels[0].start_ns = 0;
    draft.tasks[1].offset_ns = 1;
    draft.processes[0].timeslice_ns = 5;
    draft.processes[1].timeslice_ns = 3;
    draft.policy.switch_cost_ns = switch_cost_ns;
    draft
}

#[test]
fn bound_terms_are_those_of_the_theorem() {
    let run = run(&figure_2a(2));
    let all = bounds_of(&run);
    let bound = all[1].as_ref().unwrap();
    let expected = RunlistBound {
        execution: Span(7),
        timeslice: Span(3),
        gaps: 3,
        high: [Stay { channel: SpaceId(0), time: Span(5), is_work: false }].into_iter().collect(),
        other: Some(Stay { channel: SpaceId(2), time: Span(4), is_work: false }),
        gap: Some(Span(9)),
        switch_cost: Span(2),
        switches: 3,
        without_cost: Some(Span(3 * 9 + 7)),
        at_own_expiries: Some(Span(3 * (9 + 2) + 7)),
        every_switch: Some(Span(3 * (9 + 3 * 2) + 7)),
    };
    assert_eq!(*bound, expected);
    assert_eq!(all[2], Err(Inapplicable::NotHigh));
}

#[test]
fn bound_counts_the_work_of_a_short_job_for_its_timeslice() {
    let mut draft = figure_2a(0);
    draft.kernels[1].block_time_ns = BlockTimes::Each(2);
    let run = run(&draft);
    let all = bounds_of(&run);
    assert!(all[1].as_ref().unwrap().high.iter().eq(&[Stay { channel: SpaceId(0), time: Span(2), is_work: true }]));
    // H2 is over before the medium processes are, and a timeslice of theirs counts whole.
    assert_eq!(all[1].as_ref().unwrap().gap, Some(Span(6)));
}

#[test]
fn bound_without_company_is_the_work() {
    let mut draft = figure_2a(5);
    draft.kernels.truncate(1);
    let run = run(&draft);
    let all = bounds_of(&run);
    let bound = all[1].as_ref().unwrap();
    assert_eq!((bound.gap, bound.switches), (Some(Span(0)), 0));
    assert_eq!((bound.without_cost, bound.every_switch), (Some(Span(7)), Some(Span(7))));
    assert_eq!(responses(&run)[1], 7);
}

#[test]
fn bound_is_given_only_where_the_theorem_holds() {
    let outcome = |change: &dyn Fn(&mut Draft)| {
        let mut draft = figure_2a(0);
        change(&mut draft);
        bounds_of(&run(&draft))[1].clone().map(|_| ())
    };
    assert_eq!(outcome(&|_| ()), Ok(()));
    assert_eq!(outcome(&|d| d.processes[1].interleave = Interleave::Low), Err(Inapplicable::NotHigh));
    assert_eq!(outcome(&|d| d.tasks[2].process = Some("H1".to_owned())), Err(Inapplicable::SharedProcess(TaskId(2))));
    assert_eq!(outcome(&|d| d.processes[1].preemption = Some(Preemption::Block)), Err(Inapplicable::OwnPreemption));
    assert_eq!(outcome(&|d| d.kernels[0].start_ns = 1), Err(Inapplicable::DelayedRow(blockstep_sim::units::RowId(0))));
    assert_eq!(outcome(&|d| d.kernels[0].call_ns = Some(1)), Err(Inapplicable::TimedCall(blockstep_sim::units::RowId(0))));
    assert_eq!(outcome(&|d| d.kernels[0].call_ns = Some(0)), Ok(()));
    assert_eq!(outcome(&|d| d.tasks[1].consumes = vec!["h2".to_owned()]), Err(Inapplicable::Producers));
    let beside = |d: &mut Draft| {
        d.kernels.push(work("K5", "h1", 0, 2));
        d.kernels[4].block_time_max_ns = Some(3);
    };
    assert_eq!(outcome(&beside), Err(Inapplicable::VaryingBesideOthers(blockstep_sim::units::RowId(4))));
    let in_turn = |d: &mut Draft| {
        beside(d);
        d.kernels[4].stream = "K1".to_owned();
    };
    assert_eq!(outcome(&in_turn), Ok(()));
    assert_eq!(outcome(&|d| d.processes[3].preemption = Some(Preemption::Block)), Err(Inapplicable::OtherPreemption(ProcessId(3))));
    assert_eq!(outcome(&|d| drop(d.kernels.remove(0))), Err(Inapplicable::NoWork));
    let overlapping = |d: &mut Draft| {
        (d.tasks[1].release, d.tasks[1].period_ns, d.horizon_ns) = (Release::Periodic, Some(4), Some(60));
    };
    assert_eq!(outcome(&overlapping), Err(Inapplicable::Overlap(JobNo(1))));
    // One that is never preempted stays for one job, if its jobs stand apart.
    assert_eq!(outcome(&|d| d.processes[3].preemption = Some(Preemption::None)), Ok(()));
    let scenario = run(&figure_2a(0)).trace.scenario().clone();
    assert!(Inapplicable::SharedProcess(TaskId(2)).sentence(&scenario).contains("m1"));
}

/// The table of docs/bounds.md: on the choice that work which arrives as a channel runs dry keeps it, eq. (2) of [EDF] stands or falls.
#[test]
fn bound_counts_a_timeslice_where_work_comes_as_a_channel_runs_dry() {
    let (own, other) = (Slot { cost: 3_000_000, timeslice: 3_000_000 }, Slot { cost: 600_000, timeslice: 1_200_000 });
    assert_eq!(equation(&[own, other], 0, 0, 0, SwitchCharge::Every), Some(3_600_000));
    for (period_ns, response, bound) in [(600_000, 4_199_999, 4_200_000), (600_001, 3_599_999, 3_600_000)] {
        let mut draft = stage(PolicyKind::Runlist, &["I", "J"]);
        draft.kernels = vec![work("K1", "i", 0, own.cost), work("K2", "j", 0, other.cost)];
        for (process, timeslice_ns) in draft.processes.iter_mut().zip([own.timeslice, other.timeslice]) {
            (process.interleave, process.timeslice_ns) = (Interleave::High, timeslice_ns);
        }
        draft.tasks[0].offset_ns = 1;
        (draft.tasks[1].release, draft.tasks[1].period_ns, draft.tasks[1].jobs) = (Release::Periodic, Some(period_ns), Some(2));
        draft.horizon_ns = Some(20_000_000);
        let run = run(&draft);
        let found = bounds_of(&run);
        assert_eq!((responses(&run)[0], found[0].as_ref().unwrap().every_switch), (response, Some(Span(bound))), "{}", run.trace.text());
        assert_eq!(found[0].as_ref().unwrap().high.iter().next().unwrap().is_work, period_ns > other.cost);
        let document = std::fs::read_to_string(std::path::Path::new(blockstep_testing::ROOT).join("docs/bounds.md")).unwrap();
        let ms = |ns: u64| format!("{} ms", ns as f64 / 1e6);
        let row = format!("| {} | 3.6 ms | {} | {} |", ms(period_ns), ms(response), ms(bound));
        assert!(document.contains(&row), "{row}");
    }
}

#[test]
fn bound_says_nothing_under_other_policies() {
    let mut draft = figure_2a(0);
    draft.policy.kind = PolicyKind::Priority;
    assert!(bounds_of(&run(&draft)).is_empty());
}

#[test]
fn bound_of_times_beyond_64_bits_is_none() {
    let mut draft = figure_2a(0);
    draft.processes[2].timeslice_ns = u64::MAX;
    draft.kernels[2].block_time_ns = BlockTimes::Each(90);
    let run = run(&draft);
    let all = bounds_of(&run);
    let bound = all[1].as_ref().unwrap();
    assert_eq!((bound.gap, bound.without_cost), (None, None));
}

/// Equation (3) charges a switch at each of the task's own expiries only. Here h1 is released
/// while the switch to m1 goes on: that one, and the one back, are two for a single gap.
#[test]
fn bound_with_the_cost_at_own_expiries_only_is_exceeded() {
    let mut draft = Draft { kernels: vec![work("K1", "h1", 0, 2), work("K2", "m1", 1, 9)], ..stage(PolicyKind::Runlist, &["H1", "M1"]) };
    (draft.policy.switch_cost_ns, draft.horizon_ns) = (3, Some(60));
    let task = &mut draft.tasks[0];
    (task.release, task.period_ns, task.jobs) = (Release::Periodic, Some(12), Some(2));
    draft.kernels[1].start_ns = 11;
    let run = run(&draft);
    // M1 is switched to from 11 to 14 and stays to 18; H1, released at 12, is served from 21.
    assert_eq!(stays(&run), "H1 0-2, M1 14-18, H1 21-23, M1 26-31");
    let all = bounds_of(&run);
    let bound = all[0].as_ref().unwrap();
    assert_eq!(responses(&run)[0], 11);
    assert_eq!((bound.without_cost, bound.at_own_expiries, bound.every_switch), (Some(Span(6)), Some(Span(9)), Some(Span(12))));
}

/// Two to six processes, each with one task or, where it is not high, perhaps two.
fn crowds(costs: std::ops::Range<u64>) -> impl Strategy<Value = Draft> {
    let calls = select(vec![(None, false), (None, false), (None, false), (Some(0), false), (None, true), (Some(2), true)]);
    let kernel = (1..5_u64, select(vec![256_u64, 1024]), (1..7_u64, select(vec![0, 0, 0, 4_u64])), 0..3_u64, (any::<bool>(), calls));
    let task = (select(Release::ALL), 15..60_u64, 0..12_u64, vec(kernel, 1..3));
    let channels = select(vec![1, 1, 1, 2]);
    let process = (select(vec!["H", "H", "M", "L"]), (1..7_u64, channels), prop::bool::weighted(0.1), vec(task, 1..3));
    (vec(process, 2..6), costs).prop_map(|(processes, switch_cost_ns)| {
        let names: Vec<String> = processes.iter().enumerate().map(|(i, p)| format!("{}{i}", p.0)).collect();
        let mut draft = stage(PolicyKind::Runlist, &names.iter().map(String::as_str).collect::<Vec<_>>());
        (draft.policy.switch_cost_ns, draft.horizon_ns) = (switch_cost_ns, Some(150));
        for (i, (level, (timeslice, channels), is_whole, tasks)) in processes.into_iter().enumerate() {
            draft.processes[i].timeslice_ns = timeslice;
            draft.processes[i].channels = channels;
            if is_whole && level != "H" {
                draft.processes[i].preemption = Some(Preemption::None);
            }
            let count = if level == "H" { 1 } else { tasks.len() };
            for (t, (release, period, offset, kernels)) in tasks.into_iter().take(count).enumerate() {
                let name = if t == 0 { names[i].to_lowercase() } else { format!("{}b", names[i].to_lowercase()) };
                if t > 0 {
                    let process = Some(names[i].clone());
                    draft.tasks.push(blockstep_sim::scenario::TaskDraft { process, ..blockstep_sim::scenario::TaskDraft::named(&name) });
                }
                let task = draft.tasks.iter_mut().find(|t| t.name == name).unwrap();
                (task.release, task.offset_ns) = (release, offset);
                task.period_ns = (release == Release::Periodic).then_some(period);
                for (k, (blocks, threads, (time, longer), copy, (follows, (call_ns, waits)))) in kernels.into_iter().enumerate() {
                    draft.kernels.push(KernelDraft {
                        task: Some(name.clone()),
                        stream: format!("S{k}"),
                        block_time_max_ns: Some(time + longer),
                        copy_out_bytes: copy,
                        after: (follows && k > 0).then(|| format!("{name}k{}", k - 1)),
                        call_ns,
                        ..KernelDraft::named(format!("{name}k{k}"), blocks, threads, time)
                    });
                    if waits {
                        let wait = KernelDraft { task: Some(name.clone()), ..KernelDraft::named(format!("{name}w{k}"), 0, 0, 0) };
                        draft.kernels.push(KernelDraft { call: Call::SynchronizeDevice, ..wait });
                    }
                }
            }
        }
        draft
    })
}

fn respected(draft: &Draft, bound_of: fn(&RunlistBound) -> Option<Span>) -> Result<(usize, usize), TestCaseError> {
    let run = run(draft);
    let responses = responses(&run);
    let (mut given, mut reached) = (0, 0);
    for (i, bound) in bounds_of(&run).iter().enumerate() {
        let Ok(bound) = bound else { continue };
        let limit = bound_of(bound).unwrap().ns();
        prop_assert!(responses[i] <= limit, "task {i}: {} ns and not at most {limit}\n{bound:?}\n{}", responses[i], run.trace.text());
        given += 1;
        reached += usize::from(responses[i] + 1 >= limit && limit > bound.execution.ns());
    }
    Ok((given, reached))
}

proptest! {
    #![proptest_config(cases(600))]

    /// [EDF] Theorem 1 without overhead.
    #[test]
    fn bound_without_cost_is_never_exceeded(draft in crowds(0..1)) {
        respected(&draft, |bound| bound.without_cost)?;
    }

    #[test]
    fn bound_with_every_switch_is_never_exceeded(draft in crowds(0..6)) {
        respected(&draft, |bound| bound.every_switch)?;
    }
}

/// A bound that is never given or never nearly reached would prove little.
#[test]
fn bound_is_often_given_and_sometimes_reached() {
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for costs in [0..1, 1..6] {
        let (mut given, mut reached) = (0, 0);
        for _ in 0..600 {
            let draft = crowds(costs.clone()).new_tree(&mut runner).unwrap().current();
            let counts = respected(&draft, |bound| bound.every_switch).unwrap();
            (given, reached) = (given + counts.0, reached + counts.1);
        }
        println!("{given} given, {reached} within 1 ns");
        assert!(given > 300 && reached > 5, "{given} given, {reached} within 1 ns");
    }
}
