//! The verdicts of one task set: typed in, or as a scenario is seen, with what is not covered.

use blockstep_analysis::demand::Point;
use blockstep_analysis::edf::Overhead;
use blockstep_analysis::own::Own;
use blockstep_analysis::report::{Report, Switch};
use blockstep_analysis::scenario::Model;
use blockstep_analysis::space_bound;
use blockstep_analysis::uncovered::in_sentences;
use blockstep_analysis::{Task, Verdict, presets};
use blockstep_sim::engine::Limits;
use blockstep_sim::scenario::{Class, Draft, KernelDraft, PolicyKind, Preemption, Release, Scenario, TaskDraft};

use blockstep_testing::stage::{stage, work};

/// Two periodic tasks, a process and one block each.
fn two() -> Draft {
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 3), work("K2", "b", 0, 4)], ..stage(PolicyKind::Edf, &["A", "B"]) };
    for (task, period) in draft.tasks.iter_mut().zip([10, 20]) {
        *task = TaskDraft { release: Release::Periodic, period_ns: Some(period), ..task.clone() };
    }
    draft.policy.switch_cost_ns = 1;
    draft
}

fn model(draft: &Draft) -> Model {
    Model::new(&Scenario::new(draft).unwrap(), Limits::default()).unwrap()
}

#[test]
fn every_test_has_its_line() {
    let report = Report::new(&Scenario::new(&two()).unwrap(), Limits::default()).unwrap();
    assert_eq!((report.utilisation, report.lines.len()), (500_000, 12));
    let lines = |source| report.lines.iter().filter(move |l| l.source == source).map(|l| (l.preemption, l.switch, l.verdict.passes()));
    let [thread, block, none] = [Preemption::Thread, Preemption::Block, Preemption::None];
    assert_eq!(lines(Switch::Own).collect::<Vec<_>>(), [(thread, 1, true), (block, 1, true), (none, 1, true)]);
    assert_eq!(lines(Switch::TableIi(Overhead::Free)).map(|l| l.1).max(), Some(0));
    let maximum: Vec<_> = lines(Switch::TableIi(Overhead::Maximum)).collect();
    assert_eq!(maximum, [(thread, 434_000, false), (block, 44_000, false), (none, 44_000, false)]);
    // The longest blocking that fits beside the first task: 4 + 1 for b, begun 1 ns before; 3 + 1 for a.
    let mut longer = two();
    for (time, fits) in [(6, true), (7, false)] {
        longer.kernels[1] = work("K2", "b", 0, time);
        let report = Report::new(&Scenario::new(&longer).unwrap(), Limits::default()).unwrap();
        let own = report.lines.iter().find(|l| (l.preemption, l.switch) == (none, 1)).unwrap();
        assert_eq!(own.verdict.passes(), fits);
        assert_eq!(own.failure, (!fits).then_some(Point { at: 10, demand: 4, blocking: 7 }));
    }
}

#[test]
fn tasks_can_be_typed_in() {
    let tasks = [Task { section: 3, ..Task::implicit(20_000, 100_000) }, Task { section: 60_000, ..Task::implicit(60_000, 250_000) }];
    let report = Report::compute(Model::from_tasks(&tasks), 20_000);
    assert_eq!(report.utilisation, 440_000);
    let own: Vec<_> = report.lines.iter().filter(|l| l.source == Switch::Own).map(|l| l.verdict).collect();
    // With two switches of 20 each the utilization is exactly 1. 20 + 2 * 20 beside 59.999 of the other
    // is too much by 100; so is 20 + 20 beside 79.999.
    assert_eq!(own, [Verdict::Passes, Verdict::Fails { at: Some(100_000) }, Verdict::Fails { at: Some(100_000) }]);
    assert!(Report::compute(Model::from_tasks(&[]), 0).lines.iter().all(|l| l.verdict.passes()));
}

#[test]
fn whatever_is_typed_in_nothing_panics() {
    let (max, task) = (u64::MAX, Task::implicit(3, 10));
    assert_eq!(task.problem(), None);
    assert_eq!(Task { period: 0, ..task }.problem(), Some("has a period of 0; it must be positive"));
    assert_eq!(Task { cost: 0, ..task }.problem(), Some("has an execution time of 0; it must be positive"));
    assert_eq!(Task { section: 4, ..task }.problem(), Some("is not preempted for longer than it executes"));
    let values = [0, 1, 7, max / 2, max - 1, max];
    for cost in values {
        for period in values {
            for deadline in values {
                let odd = Task { cost, period, deadline, section: cost / 2, spread: max };
                for switch in [0, 1, max] {
                    assert_eq!(Report::compute(Model::from_tasks(&[task, odd]), switch).lines[0].preemption, Preemption::Thread);
                }
            }
        }
    }
}

#[test]
fn what_is_not_covered_is_said_once_with_what_would_change_it() {
    let said = |change: &dyn Fn(&mut Draft)| {
        let mut draft = two();
        change(&mut draft);
        let model = model(&draft);
        in_sentences(&model.doubts.iter().collect::<Vec<_>>())
    };
    let shared = |d: &mut Draft| d.tasks[1].process = Some("A".to_owned());
    let together = "tasks \"a\" and \"b\" share a process, so they may run together. Give each task a process of its own.";
    assert_eq!(said(&shared), [together]);
    let late = |d: &mut Draft| d.kernels[1].start_ns = 2;
    let pauses = "task \"b\" launches K2 with a delay after its release or another kernel, so a job may pause. Set Start of K2 to 0.";
    assert_eq!(said(&late), [pauses]);
    assert_eq!(said(&|d| (shared(d), late(d)).1), [together, pauses]);
    assert_eq!(said(&|d| d.tasks[1].consumes = vec!["a".to_owned()]), ["task \"b\" waits for producers. Empty its Consumes."]);
}

#[test]
fn what_is_not_covered_is_said() {
    let doubts = |change: &dyn Fn(&mut Draft)| {
        let mut draft = two();
        change(&mut draft);
        let model = model(&draft);
        model.doubts.iter().chain(model.doubts_of.iter().map(|(_, doubt)| doubt)).map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(doubts(&|_| {}), Vec::<String>::new());
    let late = |d: &mut Draft| d.kernels[1].start_ns = 2;
    assert_eq!(doubts(&late), ["task \"b\" launches K2 with a delay after its release or another kernel, so a job may pause"]);
    let shared = |d: &mut Draft| d.tasks[1].process = Some("A".to_owned());
    let said = ["task \"a\" shares its process with task \"b\", so they may run together"];
    assert_eq!(doubts(&shared)[..1], said);
    assert_eq!(doubts(&|d| d.tasks[1].consumes = vec!["a".to_owned()]), ["task \"b\" waits for producers"]);
    let budget = |d: &mut Draft| d.tasks[0].budget_ns = Some(2);
    assert_eq!(doubts(&budget), ["task \"a\" has a budget below its execution time, so with servers its deadlines are postponed"]);
    let continuous = |d: &mut Draft| {
        (d.tasks[1].release, d.horizon_ns) = (Release::Continuous, Some(100));
    };
    assert_eq!(doubts(&continuous), ["task \"b\" is continuous, so it has no minimum time between releases, and is left out"]);
    let ragged_beside = |d: &mut Draft| d.kernels.push(KernelDraft { stream: "other".to_owned(), ..work("K3", "b", 0, 7) });
    let ragged = ragged_beside;
    // Jobs of one stream run one after the other; a server that has exactly what a job takes gives each its own deadline.
    let overlapping = |d: &mut Draft| (d.policy.cbs, d.tasks[1].deadline_ns) = (false, Some(21));
    assert_eq!(doubts(&overlapping), Vec::<String>::new());
    let beside = |d: &mut Draft| {
        overlapping(d);
        ragged_beside(d);
    };
    let several = "task \"b\" has a deadline after its next release, and rows in several streams or with After, so two of its jobs may mix";
    assert_eq!(doubts(&beside)[0], several);
    // A row that comes after another one is issued behind the next job, which may be there.
    let behind = |d: &mut Draft| {
        overlapping(d);
        let stream = d.kernels[1].stream.clone();
        d.kernels.push(KernelDraft { after: Some("K2".to_owned()), stream, ..work("K3", "b", 0, 1) });
    };
    assert_eq!(doubts(&behind), [several]);
    let leftover = "task \"b\" has a deadline after its next release, and its server may give a job the deadline of the one before";
    let of_servers = |budget_ns: Option<u64>| {
        let mut draft = two();
        (draft.policy.cbs, draft.tasks[1].deadline_ns, draft.tasks[1].budget_ns) = (true, Some(21), budget_ns);
        let model = model(&draft);
        [Preemption::Thread, Preemption::Block, Preemption::Kernel, Preemption::None]
            .map(|of| model.not_covered(of).iter().map(ToString::to_string).collect::<Vec<_>>().contains(&leftover.to_owned()))
    };
    assert_eq!((of_servers(None), of_servers(Some(5))), ([false, true, true, false], [true; 4]), "a drain is not paid");
    let varying = |d: &mut Draft| {
        ragged_beside(d);
        d.kernels[2].block_time_max_ns = Some(9);
    };
    assert_eq!(doubts(&varying)[0], "task \"b\" has concurrent kernels, and the block times of K3 vary, so no single job is the longest");
    assert_eq!(doubts(&ragged), ["the blocks of task \"b\" do not end together, so draining leaves SMs idle"]);
    let best_effort = |d: &mut Draft| d.tasks[1].class = Some(Class::BestEffort);
    assert_eq!(doubts(&best_effort), Vec::<String>::new());
    let both = |d: &mut Draft| (best_effort(d), ragged_beside(d)).1;
    let together =
        "jobs of task \"b\", with rows in several streams or with After, may mix, so one may hold the GPU for longer than its own work";
    assert!(doubts(&both).contains(&together.to_owned()), "{:?}", doubts(&both));
}

#[test]
fn other_work_is_seen_as_background_and_single_jobs_as_rare() {
    let mut draft = two();
    draft.tasks[1].class = Some(Class::BestEffort);
    let seen = model(&draft);
    assert_eq!((seen.tasks.len(), seen.background.map(|t| (t.cost, t.section))), (1, Some((4, 4))));
    draft.tasks[1] = TaskDraft { process: Some("B".to_owned()), deadline_ns: Some(9), ..TaskDraft::named("b") };
    let seen = model(&draft);
    assert_eq!((seen.tasks[1].1.period, seen.tasks[1].1.deadline, seen.background), (u64::MAX, 9, None));
    // a: 3 by 10 and b: 4 by 9 fit with two switches each of at most 0 ns, and not with 2.
    assert!(seen.demand(Preemption::Thread, 0).verdict().passes());
    assert_eq!(seen.demand(Preemption::Thread, 2).verdict(), Verdict::Fails { at: Some(10) });
}

#[test]
fn every_test_has_words() {
    for test in presets::ALL.iter().flat_map(|p| (p.sweep)().tests) {
        for words in [test.assumes(), test.why_it_may_do_well()] {
            assert!(words.ends_with('.') && !words.contains("  "), "{words}");
        }
    }
}

/// Of switches that vary, the tests count the longest, and say so.
#[test]
fn switches_that_vary_count_as_the_longest() {
    let mut draft = two();
    (draft.policy.switch_cost_ns, draft.policy.switch_cost_max_ns) = (1, Some(2));
    let scenario = Scenario::new(&draft).unwrap();
    let report = Report::new(&scenario, Limits::default()).unwrap();
    assert!(report.lines.iter().filter(|l| l.source == Switch::Own).all(|l| l.switch == 2));
    let sentence = Own::new(&scenario, &report, Ok(&[]), &[]).sentence(&scenario);
    assert!(sentence.ends_with("A switch takes 1 ns on average; the test counts 2 ns for each, the longest."), "{sentence}");
    let constant = Scenario::new(&two()).unwrap();
    assert!(!Own::new(&constant, &report, Ok(&[]), &[]).sentence(&constant).contains("on average"));
    // Inside one address space there are no switches.
    draft.policy.kind = PolicyKind::Priority;
    let shared = Scenario::new(&draft).unwrap();
    let sentence = Own::new(&shared, &report, Ok(&[]), &space_bound::bounds(&shared)).sentence(&shared);
    assert!(sentence.contains("the bound in one address space") && !sentence.contains("on average"), "{sentence}");
}
