//! What passes a test never misses a deadline when it is simulated under the matching policy.

use blockstep_analysis::Task;
use blockstep_analysis::edf::{EdfTest, Sections};
use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::runlist::RunlistTest;
use blockstep_analysis::scenario::{Model, draft};
use blockstep_analysis::signal_run::SignalRun;
use blockstep_analysis::sweep::Test;
use blockstep_analysis::switch_run::SwitchRun;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Class, Draft, KernelDraft, Preemption, ProcessDraft, Release, Scenario, SwitchCharge, TaskDraft};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::Span;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use blockstep_testing::arbitrary::cases;

fn simulated(draft: &Draft) -> (Records, std::sync::Arc<Trace>) {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    (Records::new(&run.trace), run.trace)
}

fn misses(draft: &Draft) -> usize {
    simulated(draft).0.jobs.iter().filter(|j| j.met == Some(false)).count()
}

/// The end of a run in microseconds: within a hyperperiod, after one or after some, where every implicit deadline falls on it.
fn ends() -> impl Strategy<Value = u64> {
    select(vec![30_u64, 72, 288, 300])
}

/// Two to five tasks, most of them with room for some overhead.
fn sets() -> impl Strategy<Value = Vec<Task>> {
    let task = (1..9_u64, select(vec![4_u64, 6, 8, 9, 12, 18, 24]), any::<u64>());
    vec(task, 2..5).prop_map(|tasks| {
        let fitted = |(cost, period, spread): (u64, u64, u64)| Task { spread, ..Task::implicit(cost.min(period / 2).max(1), period) };
        tasks.into_iter().map(fitted).collect()
    })
}

/// Lets the set pass by giving all of its tasks longer periods; whether that was possible.
fn stretched(set: &mut [Task], passes: impl Fn(&[Task]) -> bool) -> bool {
    (0..8).any(|round| {
        if round > 0 {
            set.iter_mut().for_each(|t| *t = Task { spread: t.spread, ..Task::implicit(t.cost, t.period + t.period / 3 + 1) });
        }
        passes(set)
    })
}

fn with_offsets(mut draft: Draft, offsets: &[u64]) -> Draft {
    for (task, offset) in draft.tasks.iter_mut().zip(offsets) {
        task.offset_ns += offset;
    }
    draft
}

/// Offsets with ties, and some that come just after another task has begun.
fn offsets() -> impl Strategy<Value = Vec<u64>> {
    vec(prop_oneof![Just(0), Just(1), (0..24_u64).prop_map(|us| us * 1000), (0..24_u64).prop_map(|us| us * 1000 + 1), 0..24_000_u64], 6)
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn what_passes_an_edf_test_never_misses(
        mut set in sets(),
        preemption in select(Preemption::ALL),
        switch in 0..3_u64,
        groups in (1..5_u32, 0..4_u32),
        offsets in offsets(),
    ) {
        let mut test = EdfTest::for_preemption(preemption, switch, (groups.0, groups.0 + groups.1));
        if let Sections::Groups(least, most) = test.sections {
            // A section of less than a microsecond would be none to the test.
            let shortest = set.iter().map(|t| t.cost as u32).min().unwrap();
            test.sections = Sections::Groups(least.min(shortest), most.min(shortest));
        }
        prop_assume!(stretched(&mut set, |set| test.verdict(set).passes()));
        let draft = with_offsets(draft(&set, &Test::Edf(test), ""), &offsets);
        prop_assert_eq!(misses(&draft), 0, "{:?} {:?}", set, draft.policy);
    }

    #[test]
    fn what_passes_with_sooner_deadlines_never_misses_them(mut set in sets(), overhead in 0..5_u64, offsets in offsets()) {
        let test = [Test::EdfDelay { overhead }];
        let passes = |set: &[Task]| {
            let mut passed = [0];
            blockstep_analysis::sweep::Bench::new(&test).test(set, &mut passed);
            passed[0] == 1
        };
        prop_assume!(stretched(&mut set, passes));
        prop_assert_eq!(misses(&with_offsets(draft(&set, &test[0], ""), &offsets)), 0, "{:?}", set);
    }

    /// As the scenario is seen: earlier deadlines, work without a deadline beside it, nanoseconds.
    #[test]
    fn what_passes_as_a_scenario_never_misses(
        mut set in sets(),
        preemption in select(Preemption::ALL),
        switch in 0..3_u64,
        sooner in vec(0..4_u64, 5),
        others in vec((1..12_u64, 1..4_u64, any::<bool>()), 0..3),
        offsets in offsets(),
    ) {
        for _ in 0..8 {
            for (task, sooner) in set.iter_mut().zip(&sooner) {
                task.deadline = task.period - (*sooner).min(task.period - task.cost);
            }
            let mut draft = with_offsets(draft(&set, &Test::Edf(EdfTest::for_preemption(preemption, switch, (2, 3))), ""), &offsets);
            draft.horizon_ns = Some(400_000);
            for (i, (cost, blocks, is_continuous)) in others.iter().enumerate() {
                let (name, own) = (format!("B{i}"), format!("b{i}"));
                draft.processes.push(ProcessDraft::named(&name));
                let release = if *is_continuous { Release::Continuous } else { Release::Periodic };
                let period_ns = Some(17_000).filter(|_| !is_continuous);
                let class = Some(Class::BestEffort);
                draft.tasks.push(TaskDraft { process: Some(name), release, period_ns, class, ..TaskDraft::named(&own) });
                let row = KernelDraft::named(format!("L{i}"), *blocks, 1024, cost * 700);
                draft.kernels.push(KernelDraft { task: Some(own), shared_memory_bytes: 48 * 1024, ..row });
            }
            let scenario = Scenario::new(&draft).unwrap();
            let model = Model::new(&scenario, Limits::default()).unwrap();
            prop_assert_eq!(&model.doubts, &Vec::new());
            prop_assert_eq!(&model.doubts_of, &Vec::new());
            prop_assert_eq!(model.background.is_some(), !others.is_empty());
            if model.not_covered(preemption).is_empty() && model.demand(preemption, switch * 1000).verdict().passes() {
                let real_time = |j: &&blockstep_sim::record::JobRecord| j.task.index() < set.len();
                let missed: Vec<_> = simulated(&draft).0.jobs.iter().filter(real_time).filter(|j| j.met == Some(false)).map(|j| j.task).collect();
                prop_assert!(missed.is_empty(), "{:?} {:?} {:?}", set, others, missed);
                break;
            }
            set.iter_mut().for_each(|t| t.period += t.period / 3 + 1);
        }
    }

    /// Deadlines before the next release, at it, and up to three periods after it, with servers and without.
    #[test]
    fn what_passes_with_deadlines_after_the_next_release_never_misses(
        mut set in sets(),
        preemption in select(Preemption::ALL),
        switch in 0..2_u64,
        cbs in any::<bool>(),
        shares in vec(1..40_u64, 5),
        offsets in offsets(),
    ) {
        for _ in 0..8 {
            for (task, share) in set.iter_mut().zip(&shares) {
                task.deadline = (task.period * share / 10).max(task.cost);
            }
            let mut draft = with_offsets(draft(&set, &Test::Edf(EdfTest::for_preemption(preemption, switch, (2, 3))), ""), &offsets);
            (draft.horizon_ns, draft.policy.cbs) = (Some(500_000), cbs);
            let scenario = Scenario::new(&draft).unwrap();
            let model = Model::new(&scenario, Limits::default()).unwrap();
            prop_assert_eq!(&model.doubts, &Vec::new(), "{:?}", set);
            let is_covered = model.not_covered(preemption).is_empty();
            let is_late = set.iter().any(|task| task.deadline > task.period);
            prop_assert_eq!(is_covered, !(cbs && is_late && matches!(preemption, Preemption::Block | Preemption::Kernel)));
            if is_covered && model.demand(preemption, switch * 1000).verdict().passes() {
                let missed: Vec<_> = simulated(&draft).0.jobs.iter().filter(|j| j.met == Some(false)).map(|j| (j.task, j.job)).collect();
                prop_assert!(missed.is_empty(), "{:?} {:?} {:?}", set, draft.policy, missed);
                break;
            }
            set.iter_mut().for_each(|t| t.period += t.period / 3 + 1);
        }
    }

    /// Theorem 1 for each task, and every deadline if all are within it. With switch costs only the
    /// bound that charges every switch is one.
    #[test]
    fn runlist_responses_stay_below_theorem_1(
        mut set in sets(),
        timeslice in 1..6_u64,
        lower in select(vec![0_u64, 1, 3]),
        switch in 0..2_u64,
        offsets in offsets(),
    ) {
        let test = RunlistTest { timeslice, lower, switch, charge: SwitchCharge::Every };
        prop_assume!(stretched(&mut set, |set| test.passes(set)));
        let mut draft = draft(&set, &Test::RunlistBound(test), "");
        for (task, offset) in draft.tasks.iter_mut().zip(&offsets) {
            task.offset_ns = *offset;
        }
        let (records, _) = simulated(&draft);
        for job in records.jobs.iter().filter(|j| j.task.index() < set.len()) {
            let bound = test.bound(&set, job.task.index()).unwrap() * 1000;
            if let Some(end) = job.end {
                prop_assert!(end.since(job.release) <= Span(bound), "{:?} of {:?}, bound {}", job, set, bound);
            }
            prop_assert!(job.met != Some(false), "{:?} of {:?}", job, set);
        }
    }

    /// No curve that is called a bound lies above one of the schedules that it bounds.
    #[test]
    fn what_passes_theorem_1_holds_in_its_schedule(
        mut set in sets(),
        timeslice in 1..6_u64,
        lower in select(vec![0_u64, 1, 3]),
        switch in 0..3_u64,
    ) {
        let test = RunlistTest { timeslice, lower, switch, charge: SwitchCharge::Every };
        prop_assume!(stretched(&mut set, |set| test.passes(set)));
        for charge in SwitchCharge::ALL {
            prop_assert!(RunlistTest { charge: *charge, ..test }.holds(&set), "{:?} of {:?}, {:?}", charge, set, test);
        }
    }

    /// Free switches make one schedule and one bound of both charges, and paying for fewer switches
    /// never makes the bound longer.
    #[test]
    fn charges_differ_in_what_switches_cost_alone(set in sets(), timeslice in 1..6_u64, lower in select(vec![0_u64, 1, 3]), switch in 0..3_u64) {
        let [every, expiries] = [SwitchCharge::Every, SwitchCharge::Expiries].map(|charge| RunlistTest { timeslice, lower, switch, charge });
        for i in 0..set.len() {
            prop_assert!(expiries.bound(&set, i) <= every.bound(&set, i) || set.len() == 1 && lower == 0);
            if switch == 0 {
                prop_assert_eq!(expiries.response(&set, i), every.response(&set, i));
                prop_assert_eq!(expiries.bound(&set, i), every.bound(&set, i));
            }
        }
    }

    /// The schedule from the case of Theorem 1 is the engine's, to the nanosecond.
    #[test]
    fn the_case_of_theorem_1_is_what_the_engine_makes_of_it(
        set in sets(), timeslice in 1..6_u64, lower in select(vec![0_u64, 1, 3]), switch in 0..3_u64,
    ) {
        let test = RunlistTest { timeslice, lower, switch, charge: SwitchCharge::Expiries };
        for i in 0..set.len() {
            let mut first = set.clone();
            first[..=i].rotate_right(1);
            // Deadlines far away, so that the response is there to be compared.
            first.iter_mut().for_each(|t| t.deadline = 100_000);
            let expected = test.response(&first, 0).unwrap();
            let mut draft = draft(&first, &Test::RunlistRun(test), "");
            draft.tasks[0].offset_ns = 1;
            draft.tasks[0].jobs = Some(1);
            draft.horizon_ns = Some(expected * 1000);
            let (records, trace) = simulated(&draft);
            let job = records.jobs.iter().find(|j| j.task.index() == 0).unwrap();
            prop_assert_eq!(job.end.map(|t| t.ns()), Some(expected * 1000), "{:?}\n{}", first, trace.text());
        }
    }

    /// What a run with a price for preemptions loses, the engine loses with that price for every switch.
    #[test]
    fn a_run_without_a_price_is_the_engines(set in sets(), until in ends()) {
        let run = EdfRun { overhead: 0, until };
        let mut draft = draft(&set, &Test::EdfRun(run), "");
        draft.horizon_ns = Some(until * 1000);
        prop_assert_eq!(run.holds(&set), misses(&draft) == 0, "{:?}", set);
    }

    /// A run with drawn switches is the engine's, switch by switch.
    #[test]
    fn a_run_with_switches_is_the_engines(set in sets(), average in 0..3_u64, more in 0..4_u64, until in ends()) {
        let run = SwitchRun { average, longest: if average > 0 { average + more } else { 0 }, until };
        let mut draft = draft(&set, &Test::SwitchRun(run), "");
        draft.horizon_ns = Some(until * 1000);
        prop_assert_eq!(run.holds(&set), misses(&draft) == 0, "{:?} {:?}", run, set);
    }

    /// A run with signals is the engine's.
    #[test]
    fn a_run_with_signals_is_the_engines(set in sets(), signal in 0..6_u64, until in ends()) {
        let run = SignalRun { signal, until };
        let mut draft = draft(&set, &Test::SignalRun(run), "");
        draft.horizon_ns = Some(until * 1000);
        prop_assert_eq!(run.holds(&set), misses(&draft) == 0, "{:?} {:?}", run, set);
    }

    /// A scenario made of a set is seen as that set.
    #[test]
    fn a_made_scenario_is_seen_as_its_set(set in sets(), preemption in select(Preemption::ALL), switch in 0..3_u64) {
        let test = EdfTest::for_preemption(preemption, switch, (2, 2));
        let scenario = Scenario::new(&draft(&set, &Test::Edf(test), "")).unwrap();
        let model = Model::new(&scenario, Limits::default()).unwrap();
        prop_assert_eq!((&model.doubts, &model.doubts_of, model.background), (&vec![], &vec![], None));
        for (seen, task) in model.tasks.iter().map(|(_, t)| t).zip(&set) {
            prop_assert_eq!((seen.cost, seen.period, seen.deadline), (task.cost * 1000, task.period * 1000, task.deadline * 1000));
        }
        // In nanoseconds the test is sharper by what rounding to microseconds takes away.
        let sharper = model.demand(preemption, switch * 1000).verdict();
        if test.verdict(&set).passes() && set.iter().all(|t| t.cost >= 2) {
            prop_assert!(sharper.passes());
        }
    }
}

/// Blocking by the cost without overheads, as in the published numbers, is a little less than can
/// happen: another job's switch comes on top.
#[test]
fn blocking_without_overheads_can_miss() {
    let set = [Task::implicit(2, 8), Task::implicit(3, 40)];
    let published = EdfTest { sections: Sections::Cost, ..EdfTest::for_preemption(Preemption::None, 2, (1, 1)) };
    // 2 + 2 of the first beside 3 of the second fit into 8; with its switch of 2 they do not.
    assert!(published.verdict(&set).passes());
    assert!(!EdfTest::for_preemption(Preemption::None, 2, (1, 1)).verdict(&set).passes());
    let draft = with_offsets(draft(&set, &Test::Edf(published), ""), &[8 * 1000 + 1, 8 * 1000]);
    let mut before = draft.clone();
    before.tasks[0].offset_ns = 1;
    before.tasks[1].offset_ns = 8000;
    assert!(misses(&before) > 0);
}

/// Equation 3 pays for the task's own expiries only; the simulation pays for every switch.
#[test]
fn equation_3_can_be_exceeded_and_the_bound_on_every_switch_cannot() {
    let set = [Task::implicit(4, 200), Task::implicit(4, 200), Task::implicit(4, 200)];
    let test = RunlistTest { timeslice: 2, lower: 2, switch: 1, charge: SwitchCharge::Expiries };
    let every = RunlistTest { charge: SwitchCharge::Every, ..test };
    let response = every.response(&set, 0).unwrap();
    println!("eq. 3: {:?}, every switch: {:?}, schedule: {response}", test.bound(&set, 0), every.bound(&set, 0));
    assert!(response > test.bound(&set, 0).unwrap());
    assert!(response <= every.bound(&set, 0).unwrap());
}

/// Three tasks and a lower one, 2 of 4 and 5: what each charge pays for, counted by hand.
#[test]
fn the_charge_of_vi_c_pays_where_a_timeslice_expires_with_work_left() {
    let set = [Task::implicit(4, 200), Task::implicit(2, 200), Task::implicit(5, 200)];
    let test = RunlistTest { timeslice: 2, lower: 2, switch: 1, charge: SwitchCharge::Expiries };
    // b 0-2 done, c 2-4 expires, 5-7 lower expires, 8-10 a expires; 11-13 c expires, 14-16 lower expires, 17-19 a.
    assert_eq!(test.response(&set, 0), Some(19));
    // Each of the seven stays is switched to.
    assert_eq!(RunlistTest { charge: SwitchCharge::Every, ..test }.response(&set, 0), Some(14 + 7));
    assert_eq!(RunlistTest { switch: 0, ..test }.response(&set, 0), Some(14));
}
