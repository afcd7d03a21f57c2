//! The search over times: which task sets it runs, which miss it finds, and that the engine shows it.

use proptest::prelude::*;

use blockstep_policy::examples::find;
use blockstep_policy::{Program, TaskNumber};
use blockstep_search::{Finding, Property, Report, Search, Shown, Stopped, TimedFault, TimedTask, Verdict, search};
use blockstep_sim::check::check;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::{Change, Cut};
use blockstep_sim::units::{JobNo, TaskId, Time};
use blockstep_sim::work::{Budget, Progress};
use blockstep_testing::arbitrary::{cases, garbled_policies};

fn missed(text: &str, tasks: usize) -> Report {
    search(&Program::new(text).unwrap(), tasks, &[Property::Missed]).unwrap()
}

fn verdict(report: &Report, property: Property) -> &Verdict {
    let is_it = |finding: &&Finding| finding.property == property;
    &report.findings.iter().find(is_it).unwrap().verdict
}

fn timed(report: &Report, property: Property) -> &TimedFault {
    match verdict(report, property) {
        Verdict::TaskSet(fault) => fault,
        other => panic!("{property} is {other:?}"),
    }
}

/// What is due by an instant if all tasks begin together, job by job.
fn demand(set: &[TimedTask], until: u64) -> u64 {
    let of = |task: &TimedTask| (0..).take_while(|job| job * task.period + task.deadline <= until).count() as u64 * task.cost;
    set.iter().map(of).sum()
}

fn least_common_multiple(set: &[TimedTask]) -> u64 {
    (1..).find(|all| set.iter().all(|task| all % task.period == 0)).unwrap()
}

/// The definition of the test: no demand exceeds its time, looked at for two hyperperiods. In the second it has grown by what the first adds,
/// so later ones show nothing new.
fn fits(set: &[TimedTask]) -> bool {
    (1..=2 * least_common_multiple(set)).all(|until| demand(set, until) <= until)
}

fn tasks_up_to(longest: u64) -> Vec<TimedTask> {
    let costs = (1..=longest).flat_map(|period| (1..=period).map(move |cost| (period, cost)));
    costs.flat_map(|(period, cost)| (cost..=period).map(move |deadline| TimedTask { period, cost, deadline, offset: 0 })).collect()
}

/// Ways to let the tasks begin, one of them at 0.
fn offsets(set: &[TimedTask]) -> usize {
    let all: u64 = set.iter().map(|task| task.period).product();
    let later: u64 = set.iter().map(|task| task.period - 1).product();
    usize::try_from(all - later).unwrap()
}

#[test]
fn times_has_all_sets_that_are_promised() {
    let (six, four) = (tasks_up_to(6), tasks_up_to(4));
    let one = six.len();
    let pairs = six.iter().flat_map(|a| six.iter().map(|b| [*a, *b]));
    let two: usize = pairs.filter(|set| fits(set)).map(|set| offsets(&set)).sum();
    let triples = four.iter().flat_map(|a| four.iter().flat_map(|b| four.iter().map(|c| [*a, *b, *c])));
    let three: usize = triples.filter(|set| fits(set)).map(|set| offsets(&set)).sum();
    assert_eq!((one, two, three), (56, 12_638, 10_980));
    let edf = find("edf").unwrap().text;
    let sets = |tasks| missed(edf, tasks).times.unwrap().sets;
    assert_eq!([1, 2].map(sets), [one, one + two], "those of three tasks are counted below");
}

#[test]
fn times_finds_no_miss_of_edf() {
    let text = find("edf").unwrap().text;
    let program = Program::new(text).unwrap();
    assert!(Property::for_program(&program).contains(&Property::Missed), "it claims to meet its deadlines");
    let report = missed(text, 3);
    assert!(!report.has_requests && !report.is_over && !report.has_fault() && report.levels.is_empty());
    assert_eq!([Property::Missed, Property::Fails].map(|property| verdict(&report, property)), [&Verdict::NoneFound; 2]);
    let said = report.times.unwrap().none_found(Property::Missed);
    let grid = "23,674 task sets of up to 2 tasks with periods up to 6 ms, and of 3 with periods up to 4 ms that the test promises";
    assert_eq!(said, format!("no deadline missed in all {grid}; other sets were not tried"));
    assert!(report.assumed().contains("a run ends a hyperperiod after the last offset"));
    let said = missed(text, 2).times.unwrap().none_found(Property::Missed);
    assert!(
        said.starts_with("no deadline missed in all 12,694 task sets of up to 2 tasks with periods up to 6 ms that the test"),
        "{said}"
    );
}

/// Both searches of a policy that is held against both: no deadline is missed, and all else is clean.
#[test]
fn times_stands_beside_requests() {
    let program = Program::new(find("edf").unwrap().text).unwrap();
    let report = search(&program, 2, &Property::for_program(&program)).unwrap();
    assert!(report.is_over && report.times.is_some_and(|times| times.is_over) && report.stopped.is_none());
    let of = |finding: &Finding| finding.verdict == if finding.property == Property::Missed { Verdict::NoneFound } else { Verdict::Clean };
    assert!(report.findings.iter().all(of), "{:?}", report.findings);
}

#[track_caller]
fn misses(text: &str, set: &str, title: &str, story: &str) {
    let report = missed(text, 3);
    let fault = timed(&report, Property::Missed);
    assert_eq!((fault.set().as_str(), fault.title().as_str(), fault.story(text).as_str()), (set, title, story));
    replay(text, fault).unwrap();
}

const LOCK: &str =
    "holder: task\non request(t):\n  if holder is none:\n    holder = t\non end(t):\n  holder = lowest deadline in ready\nadmit holder\n";

/// By hand: with a single job nobody is in its way, so two are the fewest. A is the first of the scenario, or in the queue, and must take so long that B,
/// whose job is due at its period, cannot finish. B with 1 of 2 ms asks for 2 ms of A, which needs a period of 4 for the utilization; with 1 or 2 of 3 ms it
/// asks for 3 or 2 ms of A, and a period of 5 or 6; longer periods of B ask for more.
#[test]
fn times_finds_the_shortest_miss_by_hand() {
    let by = |line: u32| format!("Job 0 of B, released at 0 s, is not complete then. Line {line} held it back just before.");
    let (set, title) = ("A 2 of 4 ms, B 1 of 2 ms", "B misses its deadline at 2 ms, though the test promises it: utilization 1.");
    misses("admit lowest id in ready\n", set, title, &by(1));
    let fifo = "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\nadmit first in line\n";
    misses(fifo, set, title, &by(3));
    // EDF that does not preempt: a decision is about one request, so A has begun when B asks.
    misses(LOCK, set, title, &by(7));
}

/// Fixed priorities by hand: A runs from 0 to 2 and from 4 to 6, so B has 2 of its 3 ms by its deadline at 6. EDF lets B, which is due at 6, run before the
/// second job of A, which is due at 8. Two jobs are never enough: of these the more urgent is due first, and both fit.
#[test]
fn times_finds_the_shortest_miss_of_fixed_priorities() {
    let title = "B misses its deadline at 6 ms, though the test promises it: utilization 1.";
    let story = "Job 0 of B, released at 0 s, is not complete then. Line 1 held it back just before.";
    misses("admit highest priority in ready\n", "A 2 of 4 ms, B 3 of 6 ms", title, story);
    // Rate monotonic does not know deadlines: of equal periods the first of the scenario runs, though the other is due before.
    let title = "B misses its deadline at 1 ms, though the test promises it: its demand always fits, at utilization 1.";
    misses("admit lowest period in ready\n", "A 1 of 2 ms, B 1 of 2 ms due in 1", title, story);
}

/// The same with deadlines before the periods, where the demand decides: A runs from 0 to 1 and from 2 to 3, so B has 1 of its 2 ms at 3.
#[test]
fn times_replays_a_set_with_early_deadlines() {
    let task = |cost, period, deadline| TimedTask { period, cost, deadline, offset: 0 };
    let what = Shown::Missed(TaskNumber(1), JobNo(0));
    let fault = TimedFault { tasks: vec![task(1, 2, 2), task(2, 4, 3)], at: Time(3_000_000), what };
    let text = "admit highest priority in ready\n";
    replay(text, &fault).unwrap();
    assert_eq!((fault.set().as_str(), fault.jobs(), fault.line(text)), ("A 1 of 2 ms, B 2 of 4 ms due in 3", 3, Some(1)));
    assert_eq!(fault.title(), "B misses its deadline at 3 ms, though the test promises it: its demand always fits, at utilization 1.");
}

/// A policy that does nothing misses with a single task, and nothing larger is run then.
#[test]
fn times_takes_the_fewest_tasks() {
    let text = "running: set\nadmit running\n";
    let report = missed(text, 3);
    let fault = timed(&report, Property::Missed);
    assert_eq!((fault.set().as_str(), fault.jobs(), report.times.unwrap().sets), ("A 1 of 1 ms", 1, 56));
    assert_eq!(fault.title(), "A misses its deadline at 1 ms, though the test promises it: utilization 1.");
    assert!(!report.times.unwrap().is_over && *verdict(&report, Property::Fails) == Verdict::Open, "not all of it was run");
}

/// Once a miss is found, other runs are cut short: no whole run shows one of fewer jobs.
#[test]
fn times_finds_a_miss_of_no_more_jobs_in_whole_runs() {
    for text in ["admit highest priority in ready\n", LOCK, "admit lowest period in ready\n"] {
        let found = timed(&missed(text, 2), Property::Missed).clone();
        let (four, mut least) = (tasks_up_to(4), u64::MAX);
        for set in four.iter().flat_map(|a| four.iter().map(|b| [*a, *b])).filter(|set| fits(set)) {
            for offset in 0..set[1].period {
                let mut fault = found.clone();
                fault.tasks = vec![set[0], TimedTask { offset, ..set[1] }];
                let run = simulate(&Scenario::new(&fault.table(text).draft).unwrap(), Limits::default());
                if let Some(miss) = run.trace.steps().iter().find(|step| matches!(step.change, Change::DeadlineMissed { .. })) {
                    fault.at = miss.at;
                    least = least.min(fault.jobs());
                }
            }
        }
        assert_eq!(least, found.jobs(), "{text}");
    }
}

#[test]
fn times_reports_a_policy_that_fails() {
    let text = "holder: task\non request(t):\n  if count of ready > 1:\n    holder = highest priority in ready where priority > priority of holder\n\
                admit lowest deadline in ready\n";
    let report = missed(text, 3);
    let fault = timed(&report, Property::Fails);
    assert_eq!((fault.set().as_str(), fault.title().as_str()), ("A 1 of 2 ms, B 1 of 2 ms", "The policy fails at 0 s."));
    assert_eq!(fault.story(text), "Line 4: a task is needed here, and it is none.");
    replay(text, fault).unwrap();
    assert_eq!(*verdict(&report, Property::Missed), Verdict::Open, "runs that fail end early");
    // Where requests are searched too, their sequence is told.
    let program = Program::new(text).unwrap();
    let report = search(&program, 3, &[Property::Idle, Property::Missed]).unwrap();
    assert!(matches!(verdict(&report, Property::Fails), Verdict::Fault(_)));
}

/// A run that takes too long says nothing, and the search over requests goes on without it.
#[test]
fn times_gives_up_where_ticks_come_too_often() {
    let text = "rounds: number\non tick every 1 ns:\n  rounds = rounds + 1\nadmit lowest deadline in ready\n";
    let report = missed(text, 3);
    assert_eq!((verdict(&report, Property::Missed), report.stopped), (&Verdict::Open, Some(Stopped::Steps { limit: 50_000 })));
    assert_eq!(report.stopped.unwrap().to_string(), "the run of a task set takes more than 50000 steps; let ticks come less often");
    let flip = "late: flag\non tick every 1 ns:\n  late = true\nadmit lowest deadline in ready\n";
    let report = search(&Program::new(flip).unwrap(), 2, &[Property::Idle, Property::Missed]).unwrap();
    assert!(report.is_over && *verdict(&report, Property::Idle) == Verdict::Clean);
}

/// A search over requests that ends early leaves all of the smallest budget to the task sets.
#[test]
fn times_goes_on_where_requests_are_given_up() {
    let draws = format!("s: set\non request(t):\n{}admit s\n", "  s = s + {draw in ready}\n".repeat(9));
    let mut search = Search::new(&Program::new(&draws).unwrap(), 3, &[Property::Idle, Property::Missed]).unwrap();
    while search.advance(&mut Budget::new(1)) == Progress::Paused {}
    let report = search.report();
    assert_eq!(report.stopped, Some(Stopped::Draws));
    assert!(matches!(verdict(&report, Property::Missed), Verdict::TaskSet(_)));
}

/// Policies that no search over requests can judge have deadlines all the same.
#[test]
fn times_needs_no_order_of_requests() {
    let text = "admit lowest duration in ready where priority >= priority of lowest period in ready\n";
    assert!(missed(text, 1).times.unwrap().is_over);
    assert!(search(&Program::new(text).unwrap(), 1, &[Property::Missed, Property::Idle]).is_err());
}

#[test]
fn times_gives_the_same_in_portions() {
    let program = Program::new("expect deadlines\nadmit highest priority in ready\n").unwrap();
    let whole = search(&program, 3, &Property::for_program(&program)).unwrap();
    let mut search = Search::new(&program, 3, &Property::for_program(&program)).unwrap();
    let (mut portions, mut seen) = (0, 0);
    while search.advance(&mut Budget::new(501)) == Progress::Paused {
        let times = search.report().times.unwrap();
        assert!(times.sets >= seen && times.sets <= times.of);
        (portions, seen) = (portions + 1, times.sets);
    }
    assert_eq!(search.report(), whole);
    assert!(portions > 20, "{portions} portions");
}

/// Its table is valid, promised, and shows the fault then and there, by rules that the checker accepts.
fn replay(text: &str, fault: &TimedFault) -> Result<(), TestCaseError> {
    prop_assert!(fits(&fault.tasks), "{} is not promised", fault.set());
    let table = fault.table(text);
    let run = simulate(&Scenario::new(&table.draft).unwrap(), Limits::default());
    prop_assert_eq!(check(&run.trace, &Records::new(&run.trace)), vec![]);
    match &fault.what {
        Shown::Missed(task, job) => {
            let first = run.trace.steps().iter().find(|step| matches!(step.change, Change::DeadlineMissed { .. })).unwrap();
            let expected = Change::DeadlineMissed { task: TaskId::at(usize::from(task.0)), job: *job };
            prop_assert_eq!((first.at, &first.change), (table.at, &expected));
        }
        Shown::Failed(why) => {
            let cut = Cut::PolicyFailed { at: table.at.ns(), why: why.clone() };
            prop_assert_eq!(run.trace.cut(), Some(&cut));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn times_shows_every_fault_in_a_run(text in garbled_policies()) {
        if let Ok(program) = Program::new(&text) {
            let mut search = Search::new(&program, 3, &[Property::Missed]).unwrap();
            search.advance(&mut Budget::new(20_000));
            for finding in search.report().findings {
                if let Verdict::TaskSet(fault) = finding.verdict {
                    replay(&text, &fault)?;
                    prop_assert!(fault.title().ends_with('.') && fault.story(&text).ends_with('.'));
                }
            }
        }
    }
}
