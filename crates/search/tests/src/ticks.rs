//! Ticks: the search has them exactly where a run can have them, while a task is ready (docs/semantics.md, section 14, P3).

use blockstep_policy::Program;
use blockstep_search::{Property, Request, Verdict, search};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, Release, Scenario, TaskDraft};
use blockstep_sim::trace::{Change, Cut, Told};
use blockstep_testing::arbitrary::cases;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::search::{fault, searched};

/// A tick that needs a task: no run can come to it while nobody is ready.
#[test]
fn ticks_while_nobody_is_ready_do_not_come() {
    let text = "q: queue\non request(t):\n  add t to q\non end(t):\n  remove t from q\non tick every 2 ns:\n  k = first in q\n  \
                move k to q\nadmit first in q\n";
    assert!(fault(&searched(&Program::new(text).unwrap(), 2), Property::Fails).is_none());
    // Without the task in the queue the tick does fail, once it is ready.
    let kept_out = text.replace("add t to q", "remove t from q");
    let report = searched(&Program::new(&kept_out).unwrap(), 2);
    assert_eq!(fault(&report, Property::Fails).unwrap().requests(&Program::new(&kept_out).unwrap()), "+A tick");
}

/// Policies with a queue, a set and a holder, of random actions.
fn texts() -> impl Strategy<Value = String> {
    let request = select(vec!["add t to q", "add t to front of q", "move t to q", "s = {t}", "add t to s", "h = t", "remove t from q"]);
    let end = select(vec!["remove t from q", "h = none", "h = first in q", "remove t from s", "if t is h:\n    h = none"]);
    let tick = select(vec![
        "k = first in q\n  move k to q",
        "k = first in q\n  if k is not none:\n    move k to q",
        "h = first in q",
        "h = first in ready",
        "s = ready",
        "add h to s",
        "if priority of h > priority of h:\n    h = none",
    ]);
    let admit = select(vec!["first in q", "h", "s", "ready", "q", "highest id in ready"]);
    let lines = |lines: Vec<&str>| lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    (vec(request, 1..4), vec(end, 1..4), vec(tick, 1..3), 1..5_u64, admit).prop_map(move |(request, end, tick, every, admit)| {
        let (request, end, tick) = (lines(request), lines(end), lines(tick));
        format!("q: queue\ns: set\nh: task\non request(t):\n{request}on end(t):\n{end}on tick every {every} ns:\n{tick}admit {admit}\n")
    })
}

/// One to three periodic tasks in processes of their own, by offset, period, jobs and time.
fn tables() -> impl Strategy<Value = Draft> {
    vec((0..9_u64, 3..12_u64, 1..4_u64, 1..5_u64), 1..4).prop_map(|tasks| {
        let mut draft = Draft { policy: PolicyDraft { kind: PolicyKind::Own, ..PolicyDraft::default() }, ..Draft::default() };
        draft.horizon_ns = Some(60);
        for (i, (offset_ns, period_ns, jobs, time)) in tasks.into_iter().enumerate() {
            let (process, task) = (format!("P{i}"), format!("T{i}"));
            draft.processes.push(ProcessDraft { timeslice_ns: 3, ..ProcessDraft::named(&process) });
            let (period_ns, jobs) = (Some(period_ns), Some(jobs));
            let periodic = TaskDraft { release: Release::Periodic, offset_ns, period_ns, jobs, ..TaskDraft::named(&task) };
            draft.tasks.push(TaskDraft { process: Some(process), ..periodic });
            draft.kernels.push(KernelDraft { task: Some(task), ..KernelDraft::named(format!("K{i}"), 1, 32, time) });
        }
        draft
    })
}

proptest! {
    #![proptest_config(cases(200))]

    /// No fault has a tick while nobody is ready, no run has one, and a policy that fails in a run fails in the search.
    #[test]
    fn ticks_are_the_same_in_search_and_run(text in texts(), tables in vec(tables(), 8)) {
        let program = Program::new(&text).unwrap();
        let report = search(&program, 3, &Property::for_program(&program)).unwrap();
        prop_assert!(report.is_over);
        let mut fails = false;
        for finding in &report.findings {
            let Verdict::Fault(fault) = &finding.verdict else { continue };
            fails |= finding.property == Property::Fails;
            let mut ready = Vec::new();
            for step in fault.steps.iter().chain(&fault.cycle) {
                match step.request {
                    Request::Begin(task, _) => ready.push(task),
                    Request::End(task) => ready.retain(|&other| other != task),
                    Request::Tick => prop_assert!(!ready.is_empty(), "{}\n{}", text, fault.requests(&program)),
                }
            }
        }
        for mut draft in tables {
            draft.policy.text.clone_from(&text);
            let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
            for step in run.trace.steps() {
                let Change::PolicyTold { decision } = step.change else { continue };
                let made = run.trace.made(decision);
                prop_assert!(made.told != Told::Tick || !made.ready.is_empty(), "{}", run.trace.text());
            }
            let has_failed = matches!(run.trace.cut(), Some(Cut::PolicyFailed { .. }));
            prop_assert!(!has_failed || fails, "{}\n{}", text, run.trace.text());
        }
    }
}
