//! What is allowed but likely not meant: which warnings there are, and that they are right.

use blockstep_format::read_scenario;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Class, Draft, KernelDraft, NULL_STREAM, PolicyKind, Release, Scenario, TaskDraft};
use blockstep_sim::units::TaskId;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};

/// A task with these rows, on the TX2.
fn draft(task: TaskDraft, kernels: Vec<KernelDraft>) -> Draft {
    Draft { tasks: vec![task], kernels, horizon_ns: Some(1000), ..Draft::default() }
}

fn warnings(draft: &Draft) -> Vec<String> {
    Scenario::new(draft).unwrap().warnings().iter().map(ToString::to_string).collect()
}

fn earliest(draft: &Draft) -> u64 {
    Scenario::new(draft).unwrap().earliest_response(TaskId(0)).ns()
}

/// How long a job takes by itself.
fn alone(draft: &Draft, task: usize) -> Option<u64> {
    let run = simulate(&Scenario::new(draft).unwrap().alone(TaskId::at(task)), Limits::default());
    Some(Records::new(&run.trace).jobs[0].end?.ns())
}

#[test]
fn warnings_of_a_budget_above_the_period() {
    let budget = |release, period_ns, deadline_ns, budget_ns| {
        let task = TaskDraft { release, period_ns, deadline_ns, budget_ns: Some(budget_ns), ..TaskDraft::named("T") };
        warnings(&draft(task, vec![KernelDraft::named("K", 1, 32, 5)]))
    };
    let found = ["tasks[0].budget_ns is 21 ns, above the period of 20 ns"];
    assert_eq!(budget(Release::Periodic, Some(20), None, 20), [""; 0]);
    assert_eq!(budget(Release::Periodic, Some(20), None, 21), found);
    assert_eq!(budget(Release::Continuous, Some(20), Some(9), 21), found);
    // Without a period, and for a single job, the deadline stands for it.
    let found = ["tasks[0].budget_ns is 21 ns, above the deadline of 9 ns"];
    assert_eq!(budget(Release::Once, Some(20), Some(9), 21), found);
    assert_eq!(budget(Release::Continuous, None, Some(9), 21), found);
    // A best-effort task has no server.
    let task = TaskDraft { class: Some(Class::BestEffort), period_ns: Some(20), budget_ns: Some(21), ..TaskDraft::named("T") };
    assert_eq!(warnings(&draft(task, vec![])), [""; 0]);
}

#[test]
fn warnings_of_a_deadline_that_cannot_be_met() {
    let rows = || vec![KernelDraft { copy_out_bytes: 100, ..KernelDraft::named("K", 9, 1024, 5) }];
    let with = |deadline_ns, period_ns| warnings(&draft(TaskDraft { deadline_ns, period_ns, ..TaskDraft::named("T") }, rows()));
    // Four blocks at once, so three rounds; 100 bytes take 75 ns.
    assert_eq!(earliest(&draft(TaskDraft::named("T"), rows())), 90);
    assert_eq!(with(Some(90), None), [""; 0]);
    assert_eq!(with(Some(89), None), ["tasks[0].deadline_ns is 89 ns; a job takes at least 90 ns"]);
    assert_eq!(with(None, Some(89)), ["tasks[0].period_ns is 89 ns; a job takes at least 90 ns"]);
    assert_eq!(with(Some(0), Some(89)).len(), 1);
    assert_eq!(warnings(&draft(TaskDraft { deadline_ns: Some(0), ..TaskDraft::named("T") }, vec![])), [""; 0], "no rows take no time");
    // The run goes on, and the deadline is missed.
    let run =
        simulate(&Scenario::new(&draft(TaskDraft { deadline_ns: Some(89), ..TaskDraft::named("T") }, rows())).unwrap(), Limits::default());
    assert_eq!(Records::new(&run.trace).jobs[0].met, Some(false));
}

#[test]
fn earliest_responses_follow_what_waits_for_what() {
    let k =
        |name: &str, stream: &str, start_ns, ns| KernelDraft { stream: stream.to_owned(), start_ns, ..KernelDraft::named(name, 1, 32, ns) };
    let after = |name: &str, kernel: KernelDraft| KernelDraft { after: Some(name.to_owned()), ..kernel };
    let of = |rows: Vec<KernelDraft>| {
        let draft = draft(TaskDraft::named("T"), rows);
        assert_eq!(Some(earliest(&draft)), alone(&draft, 0), "here the bound is what happens");
        earliest(&draft)
    };
    assert_eq!(of(vec![]), 0);
    assert_eq!(of(vec![k("A", "S1", 3, 10), k("B", "S2", 0, 7)]), 13, "side by side");
    assert_eq!(of(vec![k("A", "S1", 3, 10), k("B", "S1", 0, 7)]), 17, "in order of launch, not of the table");
    assert_eq!(of(vec![k("A", "S1", 0, 10), after("A", k("B", "S2", 4, 7)), after("B", k("C", "S1", 1, 2))]), 24);
    assert_eq!(of(vec![k("A", "S1", 0, 10), k("B", NULL_STREAM, 1, 5), k("C", "S2", 2, 1)]), 16, "all wait for NULL, it for all");
    let list = KernelDraft { block_time_ns: BlockTimes::List([9, 1, 1, 1, 1].into()), ..KernelDraft::named("A", 5, 1024, 1) };
    assert_eq!(of(vec![list]), 9);
    // Every limit of an SM counts.
    for (needs, rounds) in [((2048 / 4, 0, 0), 5), ((32, 0, 0), 1), ((32, 32 << 10, 0), 9), ((512, 0, 64), 9)] {
        let (threads, shared_memory_bytes, registers_per_thread) = needs;
        let kernel = KernelDraft { shared_memory_bytes, registers_per_thread, ..KernelDraft::named("A", 34, threads, 10) };
        assert_eq!(of(vec![kernel]), 10 * rounds, "{needs:?}");
    }
    // No number is too large.
    let huge = KernelDraft { start_ns: u64::MAX, blocks: u64::MAX, copy_in_bytes: 1 << 40, ..k("A", "S1", u64::MAX, u64::MAX) };
    assert_eq!(
        earliest(&draft(TaskDraft::named("T"), vec![huge.clone(), after("A", KernelDraft { name: "B".to_owned(), ..huge })])),
        u64::MAX
    );
}

#[test]
fn examples_have_no_warnings() {
    for example in examples::all() {
        assert_eq!(warnings(&read_scenario(example.json).unwrap()), [""; 0], "{}", example.id);
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Neither alone nor beside others, under no policy, is a job complete earlier than its bound.
    #[test]
    fn earliest_responses_are_never_beaten(draft in any_drafts()) {
        for kind in [PolicyKind::Fifo, draft.policy.kind] {
            let mut draft = draft.clone();
            draft.policy.kind = kind;
            let scenario = Scenario::new(&draft).unwrap();
            let bounds: Vec<u64> = (0..scenario.tasks().len()).map(|i| scenario.earliest_response(TaskId::at(i)).ns()).collect();
            let run = simulate(&scenario, Limits::default());
            for job in Records::new(&run.trace).jobs {
                if let Some(end) = job.end {
                    prop_assert!(end.since(job.release).ns() >= bounds[job.task.index()], "{:?} {}", job, bounds[job.task.index()]);
                }
            }
            for (task, bound) in bounds.into_iter().enumerate() {
                prop_assert!(alone(&draft, task).is_none_or(|end| end >= bound));
            }
        }
    }

    /// A warning of a deadline is true: every job misses it.
    #[test]
    fn warnings_of_deadlines_come_true(draft in any_drafts()) {
        let scenario = Scenario::new(&draft).unwrap();
        let run = simulate(&scenario, Limits::default());
        for warning in scenario.warnings().iter().filter(|w| w.message.contains("a job takes at least")) {
            let task: usize = warning.path["tasks[".len()..].split(']').next().unwrap().parse().unwrap();
            for job in Records::new(&run.trace).jobs.iter().filter(|job| job.task.index() == task) {
                prop_assert_ne!(job.met, Some(true));
            }
        }
    }
}

#[test]
fn warnings_of_names_that_look_the_same() {
    let named = |names: &[&str]| {
        let rows = names.iter().map(|name| KernelDraft::named(*name, 1, 32, 5)).collect();
        warnings(&draft(TaskDraft::named("T"), rows))
    };
    assert_eq!(named(&["K1", "K2", "k1", "K11", "é", "e", "A B", "AB"]), [""; 0]);
    assert_eq!(named(&["K1", "K\u{200b}1"]), ["kernels[1].name: \"K<ZWSP>1\" (U+200B) looks like \"K1\""]);
    assert_eq!(named(&["K1", "\u{41a}1"]), ["kernels[1].name: \"\u{41a}1\" (U+041A) looks like \"K1\""]);
    assert_eq!(named(&["K1", "Kl"]), ["kernels[1].name: \"Kl\" looks like \"K1\""]);
    assert_eq!(named(&["K1", "K\u{61c}1"]), ["kernels[1].name: \"K\u{fffd}1\" (U+061C) looks like \"K1\""]);
    // Alone it is not what it seems either.
    assert_eq!(named(&["K\u{200b}1", "K2"]), ["kernels[0].name: \"K<ZWSP>1\" (U+200B) holds what cannot be seen"]);
    // Of every table; streams at the first row on them, and only in one process.
    let mut all = draft(TaskDraft::named("T"), vec![KernelDraft::named("K", 1, 32, 5), KernelDraft::named("L", 1, 32, 5)]);
    all.kernels[0].stream = "S1".to_owned();
    all.kernels[1].stream = "S\u{2060}1".to_owned();
    all.tasks.push(TaskDraft::named("\u{422}"));
    all.processes = ["P", "\u{420}"].map(blockstep_sim::scenario::ProcessDraft::named).to_vec();
    let found = [
        "processes[1].name: \"\u{420}\" (U+0420) looks like \"P\"",
        "tasks[1].name: \"\u{422}\" (U+0422) looks like \"T\"",
        "kernels[1].stream: \"S<WJ>1\" (U+2060) looks like \"S1\"",
    ];
    assert_eq!(warnings(&all), found);
    all.tasks[1].process = Some("\u{420}".to_owned());
    all.kernels[1].task = Some("\u{422}".to_owned());
    assert_eq!(warnings(&all)[2..], ["kernels[1].stream: \"S<WJ>1\" (U+2060) holds what cannot be seen"]);
}

/// A few rows in place of a list that nobody reads.
#[test]
fn warnings_of_many_names_are_few() {
    let rows = (0..40_000).map(|i| KernelDraft::named(format!("{}{}", i / 2, ["", "\u{200b}"][i % 2]), 1, 32, 5)).collect();
    assert_eq!(warnings(&draft(TaskDraft::named("T"), rows)).len(), 100);
}
