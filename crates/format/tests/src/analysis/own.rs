//! What is called schedulable misses nothing: under the scenario's own policy in its own run, and
//! under EDF of every kind in a run of that kind.

use blockstep_analysis::edf::EdfTest;
use blockstep_analysis::own::Own;
use blockstep_analysis::report::{Report, Switch};
use blockstep_analysis::runlist_bound::bounds;
use blockstep_analysis::space_bound;
use blockstep_format::read_scenario;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Choice, Class, Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, Scenario, SwitchCharge,
    TaskDraft,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use blockstep_testing::arbitrary::{any_drafts, cases, switches};

/// The report, the verdict under the scenario's own policy, and the misses of its own run.
fn own(draft: &Draft) -> (Report, Own, usize) {
    let scenario = Scenario::new(draft).unwrap();
    let report = Report::new(&scenario, Limits::default()).unwrap();
    let run = engine::simulate(&scenario, Limits::default());
    assert_eq!(run.trace.cut(), None);
    let records = Records::new(&run.trace);
    let bounds = bounds(&run.trace, &records, Limits::default());
    let own = Own::new(&scenario, &report, Ok(&bounds), &space_bound::bounds(&scenario));
    (report, own, records.jobs.iter().filter(|j| j.met == Some(false)).count())
}

/// Real-time jobs that are late.
fn real_time_misses(draft: &Draft) -> usize {
    let scenario = Scenario::new(draft).unwrap();
    let run = engine::simulate(&scenario, Limits::default());
    let is_real_time = |task: blockstep_sim::units::TaskId| scenario.task(task).class == Class::RealTime;
    Records::new(&run.trace).jobs.iter().filter(|j| is_real_time(j.task) && j.met == Some(false)).count()
}

/// A: 2 ms of 10, due after 4, from 1 ms on. B: 5 ms of 10. A process each.
fn a_behind_b(policy: &str) -> Draft {
    let text = format!(
        r#"{{ "version": 1, "policy": {policy},
          "processes": [ {{ "name": "A", "timeslice_ns": 10000000 }}, {{ "name": "B", "timeslice_ns": 10000000 }} ],
          "tasks": [ {{ "name": "A", "process": "A", "release": "periodic", "period_ns": 10000000, "deadline_ns": 4000000, "offset_ns": 1000000 }},
                     {{ "name": "B", "process": "B", "release": "periodic", "period_ns": 10000000 }} ],
          "kernels": [ {{ "name": "KA", "task": "A", "blocks": 2, "threads_per_block": 1024, "shared_memory_bytes": 49152, "block_time_ns": 2000000 }},
                       {{ "name": "KB", "task": "B", "blocks": 2, "threads_per_block": 1024, "shared_memory_bytes": 49152, "block_time_ns": 5000000 }} ] }}"#
    );
    read_scenario(&text).unwrap()
}

#[test]
fn own_verdicts_name_the_policy_and_say_nothing_where_no_test_speaks() {
    let under = |policy: &str| {
        let draft = a_behind_b(policy);
        let (_, own, misses) = own(&draft);
        (own.sentence(&Scenario::new(&draft).unwrap()), own.is_schedulable(), misses > 0)
    };
    let (said, schedulable, misses) = under(r#"{ "kind": "priority" }"#);
    assert_eq!((schedulable, misses), (false, true));
    assert_eq!(said, "Under priority: not guaranteed, because the bound in one address space fails. A run may still meet every deadline.");
    let (said, schedulable, misses) = under(r#"{ "kind": "runlist" }"#);
    assert_eq!((schedulable, misses), (false, true));
    assert!(
        said.starts_with(
            "Under the runlist: no verdict, because there is no bound for tasks \"A\", \"B\": the theorem requires a process at the high"
        ),
        "{said}"
    );
    let (said, schedulable, misses) = under(r#"{ "kind": "edf" }"#);
    assert_eq!((schedulable, misses), (true, false));
    assert_eq!(said, "Under EDF with preemption mode thread: schedulable, by the demand test for preemptive EDF.");
    let mut told = a_behind_b(r#"{ "kind": "edf" }"#);
    let mut graphics = told.clone();
    for (pixel_latency_ns, watchdog_ns) in [(Some(1), None), (None, Some(1))] {
        (graphics.tasks[0].pixel_latency_ns, graphics.policy.watchdog_ns) = (pixel_latency_ns, watchdog_ns);
        let said = own(&graphics).1.sentence(&Scenario::new(&graphics).unwrap());
        let why = "graphics tasks run on to the end of a pixel, or the watchdog may reset a process, which no test counts";
        assert_eq!(said, format!("Under EDF with preemption mode thread: no verdict, because {why}."));
    }
    for (signal_ns, runlist_ns) in [(1, 0), (0, 1)] {
        (told.policy.signal_ns, told.policy.runlist_ns) = (signal_ns, runlist_ns);
        let said = own(&told).1.sentence(&Scenario::new(&told).unwrap());
        let why = "signals to the RunList Manager, or the runlists that it submits, take time, which no test counts";
        assert_eq!(said, format!("Under EDF with preemption mode thread: no verdict, because {why}."));
    }
    let (said, schedulable, misses) = under(r#"{ "kind": "edf", "preemption": "none" }"#);
    assert_eq!((schedulable, misses), (false, true));
    assert!(said.contains("not guaranteed"), "{said}");
    // Both at the high level: Theorem 1 covers them, and does not promise A's deadline.
    let mut high = a_behind_b(r#"{ "kind": "runlist" }"#);
    high.processes.iter_mut().for_each(|p| p.interleave = Interleave::High);
    assert_eq!(own(&high).1, Own::NotPromised("Theorem 1 of [EDF] with every switch charged"));
    high.processes.iter_mut().for_each(|p| p.timeslice_ns = 1_000_000);
    assert_eq!(own(&high).1, Own::Schedulable("Theorem 1 of [EDF] with every switch charged"));
    let idle = Draft { kernels: vec![KernelDraft::named("K", 1, 1, 1)], ..Draft::default() };
    assert_eq!(own(&idle).1, Own::NothingDue);
}

/// Each call takes longer than the deadline, which Theorem 1 knows nothing of.
#[test]
fn calls_that_take_time_have_no_verdict_under_the_runlist() {
    let draft = read_scenario(include_str!("../../../../../tests/data/contract/analyse-runlist-call.json")).unwrap();
    let (_, own, misses) = own(&draft);
    assert_eq!(misses, 3);
    let said = own.sentence(&Scenario::new(&draft).unwrap());
    assert_eq!(
        said,
        "Under the runlist: no verdict, because there is no bound for task \"A\": the call for K1 takes time, in which the job may have no \
         work; the theorem does not cover such a pause."
    );
}

/// 9 ms of work in 10, with a pause of the CPU of 4 ms in between.
#[test]
fn pauses_of_the_cpu_are_no_load() {
    let text = r#"{ "version": 1, "policy": { "kind": "edf" }, "horizon_ns": 100000000,
      "tasks": [ { "name": "A", "release": "periodic", "period_ns": 10000000 } ],
      "kernels": [ { "name": "K1", "task": "A", "blocks": 1, "threads_per_block": 64, "block_time_ns": 4000000, "start_ns": 500000 },
                   { "name": "K2", "task": "A", "blocks": 1, "threads_per_block": 64, "block_time_ns": 5000000, "after": "K1", "start_ns": 4000000 } ] }"#;
    let (report, own, misses) = own(&read_scenario(text).unwrap());
    assert_eq!(report.utilisation, 900_000);
    assert!(misses > 0 && !own.is_schedulable());
    // The demand fits, and the test does not cover pauses.
    assert!(report.lines[0].verdict.passes() && !report.lines[0].promises());
}

/// Two to four tasks that mostly fit, under any policy, and now and then all that tests do not cover.
fn crowds() -> impl Strategy<Value = Draft> {
    let kernel = (1..4_u64, select(vec![1_u64, 2, 2, 4]), option::weighted(0.1, 1..3_u64), prop::bool::weighted(0.1));
    let rare = (prop::bool::weighted(0.08), prop::bool::weighted(0.08), prop::bool::weighted(0.05), option::weighted(0.2, 1..5_u64));
    let task = (vec(kernel, 1..3), select(vec![12_u64, 20, 30, 36, 60]), (0..8_u64, option::weighted(0.4, 4..40_u64)), rare, 0..8_u64);
    let policy = (select(PolicyKind::BUILT_IN), select(Preemption::ALL), (switches(2), select(SwitchCharge::ALL)), any::<bool>());
    let process =
        (select(vec![Interleave::High, Interleave::High, Interleave::High, Interleave::Low]), 1..7_u64, prop::bool::weighted(0.1));
    (policy, vec(process, 5), vec(task, 2..5), select(Preemption::ALL)).prop_map(
        |((kind, preemption, (switches, switch_charge), cbs), processes, tasks, other)| {
            let mut draft = Draft { horizon_ns: Some(240), ..Draft::default() };
            draft.policy = PolicyDraft { kind, switch_charge, cbs, preemption, ..switches };
            for (i, (interleave, timeslice_ns, is_other)) in processes.into_iter().enumerate() {
                let preemption = Some(if is_other { other } else { Preemption::Thread });
                draft.processes.push(ProcessDraft { interleave, timeslice_ns, preemption, ..ProcessDraft::named(format!("P{i}")) });
            }
            for (i, (kernels, period, (offset_ns, deadline_ns), (shares, consumes, is_continuous, budget_ns), shape)) in
                tasks.into_iter().enumerate()
            {
                let name = format!("t{i}");
                let process = if shares { 0 } else { i };
                let mut task = TaskDraft { process: Some(format!("P{process}")), offset_ns, ..TaskDraft::named(&name) };
                (task.release, task.period_ns, task.deadline_ns) = (Release::Periodic, Some(period), deadline_ns);
                task.budget_ns = budget_ns;
                match shape {
                    0 => task.release = Release::Once,
                    1 => task.class = Some(Class::BestEffort),
                    2 | 3 => {
                        (task.class, task.deadline_ns, task.period_ns, task.release) = (Some(Class::BestEffort), None, None, Release::Once)
                    }
                    _ => {}
                }
                if is_continuous {
                    (task.release, task.class, task.deadline_ns) = (Release::Continuous, Some(Class::BestEffort), None);
                }
                if consumes && i > 0 {
                    task.consumes = vec!["t0".to_owned()];
                }
                draft.tasks.push(task);
                for (k, (time, blocks, longer, pauses)) in kernels.into_iter().enumerate() {
                    let after = (k > 0).then(|| format!("{name}k{}", k - 1));
                    let row = KernelDraft::named(format!("{name}k{k}"), blocks, 1024, time);
                    draft.kernels.push(KernelDraft {
                        task: Some(name.clone()),
                        after,
                        start_ns: if pauses { 3 } else { 0 },
                        block_time_max_ns: longer.map(|more| time + more),
                        shared_memory_bytes: 48 * 1024,
                        ..row
                    });
                }
            }
            draft
        },
    )
}

/// The verdicts of one scenario; whether its own was that it is schedulable, and how many lines promise.
fn holds(draft: &Draft) -> Result<(bool, usize), TestCaseError> {
    let (report, own, misses) = own(draft);
    prop_assert!(!own.is_schedulable() || misses == 0, "{:?}: {} misses of {:?}", own, misses, draft);
    let mut promised = 0;
    for line in report.lines.iter().filter(|line| line.promises() && !report.model.tasks.is_empty()) {
        let mut other = draft.clone();
        (other.policy.kind, other.policy.preemption) = (PolicyKind::Edf, line.preemption);
        let has_own = line.source == Switch::Own;
        let PolicyDraft { switch_charge, cbs, .. } = other.policy;
        let constant = PolicyDraft {
            kind: PolicyKind::Edf,
            switch_cost_ns: line.switch,
            preemption: line.preemption,
            switch_charge,
            cbs,
            ..PolicyDraft::default()
        };
        // With its own switches the scenario's vary, up to what the line counts on.
        for policy in has_own.then(|| other.policy.clone()).into_iter().chain([constant]) {
            let other = Draft { policy, ..other.clone() };
            let late = real_time_misses(&other);
            prop_assert_eq!(late, 0, "{:?} of {:?}", line, other);
        }
        promised += 1;
    }
    Ok((own.is_schedulable(), promised))
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn own_schedulable_scenarios_miss_nothing(draft in crowds()) {
        holds(&draft)?;
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn own_schedulable_scenarios_of_every_feature_miss_nothing(draft in any_drafts()) {
        // EDF needs a deadline of every real-time task, and the lines run nothing else.
        let (_, own, misses) = own(&draft);
        prop_assert!(!own.is_schedulable() || misses == 0, "{own:?}: {misses} misses of {draft:?}");
    }
}

/// A property of what is never called schedulable proves nothing.
#[test]
fn own_verdicts_are_often_that_it_is_schedulable() {
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (mut edf, mut runlist, mut lines) = ([0; 8], 0, 0);
    for _ in 0..2000 {
        let draft = crowds().new_tree(&mut runner).unwrap().current();
        let (is_schedulable, promised) = holds(&draft).unwrap();
        lines += promised;
        match draft.policy.kind {
            PolicyKind::Edf if is_schedulable => edf[draft.policy.preemption as usize] += 1,
            PolicyKind::Runlist => runlist += usize::from(is_schedulable),
            _ => {}
        }
    }
    println!("schedulable: edf by preemption {edf:?}, runlist {runlist}; lines that promise {lines}");
    // Of preemption between kernels no theorem here speaks.
    assert_eq!(edf[Preemption::Kernel as usize], 0);
    let tested = EdfTest::MODES.map(|preemption| edf[preemption as usize]);
    assert!(tested.iter().all(|&n| n >= 10) && runlist >= 10 && lines > 1000, "{edf:?} {runlist} {lines}");
}
