//! The scheduler's part of the diagram: the runlist's ring and the queues of the deadline scheduler.

use blockstep_sim::engine::Run;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, Preemption, TaskDraft};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{StepId, Time};
use blockstep_view::position;
use blockstep_view::queues::{DeadlinesView, JobList, OrderView, Presence, QueueView, RunlistView, SchedulerView, queues};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{cases, turns};
use blockstep_testing::stage::{run, stage, work};

/// The diagram after everything up to `at`, and the step before it.
fn at_time(run: &Run, at: u64) -> QueueView {
    let applied = position::at_time(&run.trace, Time(at));
    let last = applied.checked_sub(1).map(|i| run.trace.step(StepId(i)));
    queues(&run.trace, run.replay().seek(applied), last, Time(at), 8)
}

fn scheduler(run: &Run, at: u64) -> SchedulerView {
    at_time(run, at).scheduler.unwrap()
}

fn runlist(view: SchedulerView) -> RunlistView {
    match view.order {
        OrderView::Runlist(list) => list,
        OrderView::Deadlines(_) => panic!("a runlist"),
    }
}

fn deadlines(view: SchedulerView) -> DeadlinesView {
    match view.order {
        OrderView::Deadlines(queues) => queues,
        OrderView::Runlist(_) => panic!("queues of jobs"),
    }
}

/// `H1 H2 M1+ ..`: `+` for work, `*` for the entry served, `<` for the pointer.
fn drawn(list: &RunlistView) -> String {
    let flag = |is_so, sign| if is_so { sign } else { "" };
    let one = |e: &blockstep_view::queues::EntryView| {
        format!("{}{}{}{}", e.process, flag(e.has_work, "+"), flag(e.is_served, "*"), flag(e.is_next, "<"))
    };
    list.entries.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// [EDF] Fig. 1, with timeslices of 4; H2 has nothing to do.
fn fig_1() -> Draft {
    let kernels = vec![work("K1", "h1", 0, 6), work("K2", "m1", 0, 3), work("K3", "m2", 0, 9)];
    Draft { kernels, ..stage(PolicyKind::Runlist, &["H1", "H2", "M1", "M2"]) }
}

#[test]
fn scheduler_the_ring_of_figure_1() {
    let run = run(&fig_1());
    assert_eq!(drawn(&runlist(scheduler(&run, 1))), "H1+* H2< M1+ H1+ H2 M2+");
    assert_eq!(drawn(&runlist(scheduler(&run, 5))), "H1+ H2 M1+* H1+< H2 M2+");
    assert_eq!(drawn(&runlist(scheduler(&run, 8))), "H1+ H2 M1 H1+* H2< M2+");
    assert_eq!(drawn(&runlist(scheduler(&run, 10))), "H1< H2 M1 H1 H2 M2+*");
    let end = scheduler(&run, 100);
    assert_eq!((end.status.as_str(), drawn(&runlist(end.clone()))), ("No process is resident.", "H1< H2 M1 H1 H2 M2".to_owned()));
}

#[test]
fn scheduler_the_ring_can_be_read_from_the_page() {
    let run = run(&fig_1());
    let list = runlist(scheduler(&run, 5));
    assert_eq!(list.entries.iter().map(|e| e.process.as_str()).collect::<Vec<_>>(), ["H1", "H2", "M1", "H1", "H2", "M2"]);
    assert_eq!(list.entries.iter().map(|e| e.entry).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    let titles = |is_it: fn(&blockstep_view::queues::EntryView) -> bool| {
        list.entries.iter().filter(|e| is_it(e)).map(|e| e.title()).collect::<Vec<_>>()
    };
    assert_eq!(titles(|e| e.is_served), ["entry 2: M1, medium level, has work, resident, served"]);
    assert_eq!(titles(|e| e.is_next), ["entry 3: H1, high level, has work, not resident, looked at next"]);
    assert_eq!(list.pointer_text(), "Pointer: entry 3 of 6, process H1.");
    assert_eq!((list.entries[2].detail(), list.entries[3].detail()), ("2 · resident".to_owned(), "3 · high".to_owned()));
}

#[test]
fn scheduler_the_timeslice_runs_between_steps() {
    let mut draft = fig_1();
    let run = run(&draft);
    let left = |at| scheduler(&run, at).timeslice.map(|t| (t.free, t.total));
    assert_eq!([left(0), left(1), left(3), left(4)], [Some((4, 4)), Some((3, 4)), Some((1, 4)), Some((4, 4))]);
    assert_eq!(left(15), Some((2, 4)), "the second of a stay that nobody ends");
    // At 4, before H1 leaves, nothing is left.
    let leaving = run.trace.steps().iter().position(|s| s.at == Time(4)).unwrap();
    let view = queues(&run.trace, run.replay().seek(leaving as u32 + 1), None, Time::ZERO, 8).scheduler.unwrap();
    assert_eq!(view.timeslice.map(|t| t.free), Some(0));
    // Whoever heeds no timeslice has none.
    draft.processes[0].preemption = Some(Preemption::None);
    assert_eq!(scheduler(&blockstep_testing::stage::run(&draft), 1).timeslice, None);
}

#[test]
fn scheduler_what_a_step_did_to_residency_is_marked() {
    let mut draft = fig_1();
    draft.policy.switch_cost_ns = 2;
    let run = run(&draft);
    for (i, step) in run.trace.steps().iter().enumerate() {
        let view = queues(&run.trace, run.replay().seek(i as u32 + 1), Some(step), Time::ZERO, 8).scheduler.unwrap();
        let is_about = matches!(
            step.change,
            Change::EntryVisited { .. } | Change::SwitchStarted { .. } | Change::Entered { .. } | Change::Left { .. }
        );
        assert_eq!(view.changed, is_about, "{step:?}");
        let list = runlist(view);
        let marked: Vec<u64> = list.entries.iter().filter(|e| e.changed).map(|e| e.entry).collect();
        // Of a process that leaves, the entry that has served it, from which the pointer has gone on.
        let left = matches!(step.change, Change::Left { .. }).then_some((list.pointer + list.len - 1) % list.len);
        assert_eq!(marked, if is_about { list.serving.or(left).into_iter().collect() } else { Vec::new() }, "{step:?}");
    }
    assert_eq!(scheduler(&run, 5).status, "Switching to process M1 until 6 ns.");
}

#[test]
fn scheduler_a_long_runlist_is_shown_around_its_pointer() {
    let names: Vec<String> = (0..3).map(|i| format!("H{i}")).chain((0..20).map(|i| format!("M{i}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let kernels = vec![work("K1", "m0", 0, 6), work("K2", "h1", 0, 20)];
    let run = run(&Draft { kernels, ..stage(PolicyKind::Runlist, &names) });
    let list = runlist(scheduler(&run, 5));
    assert_eq!((list.len, list.pointer, list.entries.len()), (80, 4, 13));
    assert_eq!(drawn(&list), "H0 H1+ H2 M0+* H0< H1+ H2 M1 H0 H1+ H2 M2 H0");
    // Past its end it begins anew.
    let list = runlist(scheduler(&run, 1));
    assert_eq!(list.entries.iter().map(|e| e.entry).collect::<Vec<_>>(), [78, 79, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    let list = runlist(scheduler(&run, 5));
    assert_eq!((list.entries.len(), list.entries.iter().filter(|e| e.is_served).count()), (13, 1));
}

/// The jobs of a list in words: `c 10 in 9 ns via x 3/3 d10`.
fn jobs(list: &JobList) -> String {
    let one = |j: &blockstep_view::queues::JobView| {
        let deadline = j.deadline.map_or(format!("p{}", j.priority), |d| format!("{d} {}", j.distance));
        let inherited = j.inherited_from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
        let server = j.server.map(|(budget, d)| format!(" {}/{} d{d}", budget.free, budget.total)).unwrap_or_default();
        let why = if j.why.is_empty() { String::new() } else { format!(" ({})", j.why) };
        format!("{}{} {deadline}{inherited}{server}{why}", j.label, if j.chosen { "*" } else { "" })
    };
    list.jobs.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn scheduler_the_ready_queue_with_servers_and_inheritance() {
    // p, best effort, works for c; m overruns its budget of 2 at 5 with 10 to do; e and f are best effort.
    let kernels = vec![work("K1", "p", 0, 3), work("K2", "c", 0, 2), work("K3", "m", 0, 10), work("K4", "e", 0, 1), work("K5", "f", 0, 1)];
    let mut draft = Draft { kernels, ..stage(PolicyKind::Edf, &["P", "C", "M", "E", "F"]) };
    (draft.tasks[1].deadline_ns, draft.tasks[2].deadline_ns, draft.tasks[2].budget_ns) = (Some(12), Some(14), Some(2));
    (draft.tasks[3].priority, draft.tasks[4].priority) = (3, -1);
    draft.tasks[1].consumes = vec!["p".to_owned()];
    let run = run(&draft);
    let view = deadlines(scheduler(&run, 1));
    assert_eq!(jobs(&view.ready), "p* 12 in 11 ns from c, m 14 in 13 ns 2/2 d14");
    assert_eq!(jobs(&view.best_effort), "f p-1, e p3");
    assert_eq!(jobs(&view.waiting), "c p0 2/2 d12 (waits for p)");
    let view = deadlines(scheduler(&run, 4));
    assert_eq!((jobs(&view.ready), jobs(&view.waiting)), ("c* 12 in 8 ns 1/2 d12, m 14 in 10 ns 2/2 d14".to_owned(), String::new()));
    // Between steps the budget of the chosen one decreases; postponed, its deadline is later.
    assert_eq!(jobs(&deadlines(scheduler(&run, 6)).ready), "m* 14 in 8 ns 1/2 d14");
    assert_eq!(jobs(&deadlines(scheduler(&run, 7)).ready), "m* 28 in 21 ns 2/2 d28");
    assert_eq!(scheduler(&run, 6).status, "Resident: process M. Chosen: m.");
}

#[test]
fn scheduler_a_job_that_has_missed_says_since_when() {
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 9)], ..stage(PolicyKind::Edf, &["A"]) };
    (draft.tasks[0].deadline_ns, draft.policy.cbs) = (Some(4), false);
    let run = run(&draft);
    let ready = |at| jobs(&deadlines(scheduler(&run, at)).ready);
    assert_eq!([ready(4), ready(6)], ["a* 4 now", "a* 4 2 ns ago"]);
    let missed = |at| deadlines(scheduler(&run, at)).ready.jobs[0].missed;
    assert_eq!([missed(4), missed(5)], [false, true]);
    assert_eq!(deadlines(scheduler(&run, 9)).ready.left, None, "the last step is that the process left");
    let completed = run.trace.steps().iter().position(|s| matches!(s.change, Change::JobCompleted { .. })).unwrap();
    let view = queues(&run.trace, run.replay().seek(completed as u32 + 1), run.trace.steps().get(completed), Time::ZERO, 8);
    assert_eq!(deadlines(view.scheduler.unwrap()).ready.left.as_deref(), Some("a"));
}

/// Where a text decides, entries say who may run, and have no level.
#[test]
fn scheduler_entries_of_a_policy_of_ones_own() {
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 9), work("K2", "b", 0, 9)], ..stage(PolicyKind::Own, &["A", "B"]) };
    draft.policy.text = "admit first in ready".to_owned();
    let list = runlist(scheduler(&run(&draft), 4));
    assert_eq!(
        list.entries.iter().map(|e| e.title()).collect::<Vec<_>>(),
        ["entry 0: A, may run, resident, served", "entry 1: B, may not run, not resident, looked at next"]
    );
    assert_eq!(list.entries[1].detail(), "1 · may not run");
}

#[test]
fn scheduler_a_process_that_was_reset_says_so() {
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 90), work("K2", "b", 2, 9)], ..stage(PolicyKind::Edf, &["A", "B"]) };
    (draft.tasks[0].deadline_ns, draft.tasks[1].deadline_ns) = (Some(200), Some(20));
    (draft.policy.preemption, draft.policy.watchdog_ns, draft.policy.cbs) = (Preemption::Block, Some(4), false);
    let run = run(&draft);
    assert_eq!(jobs(&deadlines(scheduler(&run, 7)).waiting), "a p0 (its channel was reset)");
    let presence = |at| {
        let spaces = at_time(&run, at).spaces;
        spaces.iter().map(|space| space.residency.map(Presence::words)).collect::<Vec<_>>()
    };
    assert_eq!(presence(5)[0], Some("draining"));
    assert_eq!(presence(7), [Some("reset: never resident again"), Some("resident")]);
}

#[test]
fn scheduler_jobs_behind_and_between_launches() {
    let kernels = vec![work("K1", "a", 3, 2), work("K2", "b", 0, 30)];
    let mut draft = Draft { horizon_ns: Some(30), kernels, ..stage(PolicyKind::Edf, &["A", "B"]) };
    let periodic = |name: &str, process: &str, period| TaskDraft {
        process: Some(process.to_owned()),
        release: blockstep_sim::scenario::Release::Periodic,
        period_ns: Some(period),
        ..TaskDraft::named(name)
    };
    draft.tasks = vec![periodic("a", "A", 50), periodic("b", "B", 10)];
    draft.policy.cbs = false;
    let run = run(&draft);
    let view = deadlines(scheduler(&run, 1));
    assert_eq!((jobs(&view.ready), jobs(&view.waiting)), ("b#0* 10 in 9 ns".to_owned(), "a#0 p0 (has nothing issued)".to_owned()));
    assert_eq!(deadlines(scheduler(&run, 25)).ready.jobs[0].later, 2);
}

/// Whatever there is, the diagram stays small.
#[test]
fn scheduler_the_diagram_is_bounded() {
    let names: Vec<String> = (0..200).map(|i| format!("M{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for kind in [PolicyKind::Runlist, PolicyKind::Edf] {
        let kernels = names.iter().map(|n| KernelDraft { blocks: 400, ..work(&format!("K{n}"), &n.to_lowercase(), 0, 2) }).collect();
        let mut draft = Draft { kernels, ..stage(kind, &names) };
        draft.device = blockstep_sim::scenario::DeviceDraft::BuiltIn("titanv".to_owned());
        draft.tasks.iter_mut().take(100).for_each(|t| t.deadline_ns = Some(1_000_000));
        let run = run(&draft);
        let view = at_time(&run, 100);
        assert_eq!((view.spaces.len(), view.hidden_spaces), (16, 184));
        let boxes: usize = view.spaces.iter().map(|s| s.streams.len() + s.sms.len() + s.ee.len() + s.ce.len()).sum();
        assert!(boxes < 1_500, "{kind:?}: {boxes}");
        if kind == PolicyKind::Edf {
            let queues = deadlines(view.scheduler.unwrap());
            assert_eq!((queues.ready.jobs.len(), queues.ready.hidden > 20), (16, true));
            assert_eq!(queues.best_effort.jobs.len() + queues.best_effort.hidden, 100);
        }
    }
}

/// Of many processes, those in which nothing is are shown by name; the resident one never is.
#[test]
fn scheduler_empty_processes_are_folded_where_there_are_many() {
    let draft = |names: &[&str]| Draft { kernels: vec![work("K1", "m1", 0, 6)], ..stage(PolicyKind::Runlist, names) };
    let folded = |names: &[&str]| at_time(&run(&draft(names)), 1).spaces.iter().filter(|s| s.is_folded).count();
    assert_eq!((folded(&["M1", "M2", "M3", "M4"]), folded(&["M1", "M2", "M3", "M4", "M5"])), (0, 4));
}

proptest! {
    #![proptest_config(cases(300))]

    /// What `edf` chooses stands first; the entry that `runlist` visits is the one served.
    #[test]
    fn scheduler_the_order_is_the_policys(draft in prop_oneof![turns(PolicyKind::Runlist), turns(PolicyKind::Edf)]) {
        let run = run(&draft);
        let mut replay = run.replay();
        for (i, step) in run.trace.steps().iter().enumerate() {
            let view = queues(&run.trace, replay.seek(i as u32 + 1), Some(step), Time::ZERO, 3);
            match (step.change, view.scheduler.map(|s| s.order)) {
                (Change::Chosen { .. }, Some(OrderView::Deadlines(queues))) => {
                    let first = queues.ready.jobs.first().or(queues.best_effort.jobs.first());
                    prop_assert!(first.is_some_and(|j| j.chosen && j.changed), "{:?}\n{}", first, run.trace.text());
                }
                (Change::EntryVisited { entry, .. }, Some(OrderView::Runlist(list))) => {
                    let served: Vec<_> = list.entries.iter().filter(|e| e.is_served).collect();
                    prop_assert!(served.len() == 1 && served[0].entry == entry && served[0].has_work);
                    prop_assert_eq!(list.pointer, (entry + 1) % list.len);
                }
                (_, scheduler) => prop_assert!(scheduler.is_some()),
            }
        }
    }
}
