//! What a search over requests finds: the facts of `published-schedulers.md`, and what each property means.

use blockstep_policy::examples::{EXAMPLES, Example, find};
use blockstep_policy::{MAX_LINES, Program, TaskNumber};
use blockstep_search::{Fault, Property, Refused, Report, Request, Search, Stopped, Verdict, search};
use blockstep_sim::work::{Budget, Progress};

/// The published policies that requests can judge: not those that decide about kernels.
pub(crate) fn judged_examples() -> Vec<Example> {
    EXAMPLES.into_iter().filter(|example| !program(example.id).gates_launches()).collect()
}

pub(crate) fn program(id: &str) -> Program {
    Program::new(find(id).unwrap().text).unwrap()
}

pub(crate) fn searched(program: &Program, tasks: usize) -> Report {
    search(program, tasks, &Property::for_program(program)).unwrap()
}

pub(crate) fn fault(report: &Report, property: Property) -> Option<&Fault> {
    match &report.findings.iter().find(|finding| finding.property == property).unwrap().verdict {
        Verdict::Fault(fault) => Some(fault),
        Verdict::Clean => None,
        other => panic!("{property} is {other:?}"),
    }
}

fn states(id: &str, tasks: usize) -> Vec<usize> {
    let report = searched(&program(id), tasks);
    assert!(report.is_over && report.levels.iter().all(|level| level.closed == level.assignments));
    report.levels.iter().map(|level| level.states).collect()
}

/// The facts' table: three tasks, four, five and more.
#[test]
fn search_closes_with_the_states_of_the_facts() {
    assert_eq!(states("gcaps", 5)[2..], [285, 3385, 43_408]);
    assert_eq!(states("gcaps-driver-mended", 6)[2..], [105, 623, 3773, 22_887]);
    assert_eq!(states("round-robin", 5)[2..], [320, 5072, 101_312]);
}

/// Two more numbers of the table; seconds in a build for tests.
#[test]
#[ignore = "takes half a minute; cargo test --release -- --ignored"]
fn search_closes_with_the_states_of_the_facts_for_six_tasks() {
    assert_eq!(states("gcaps", 6)[5], 577_569);
    assert_eq!(states("round-robin", 6)[5], 2_431_168);
}

/// How many requests each fault of a policy takes, with three tasks and with four.
#[track_caller]
fn lengths(id: &str, property: Property, expected: [Option<usize>; 2]) {
    let program = program(id);
    let found = [3, 4].map(|tasks| fault(&searched(&program, tasks), property).map(Fault::len));
    assert_eq!(found, expected, "{id} {property}");
}

#[test]
fn search_finds_the_faults_of_gcaps_at_their_lengths() {
    let realtime = Property::TooMany(1, true);
    let all = |property, expected: [Option<usize>; 4]| {
        let ids = ["gcaps", "gcaps-driver", "gcaps-union", "gcaps-driver-mended"];
        ids.into_iter().zip(expected).for_each(|(id, length)| lengths(id, property, [length; 2]));
    };
    all(Property::Idle, [Some(3), Some(3), Some(7), None]);
    all(Property::Mixed, [Some(3), None, Some(3), None]);
    all(realtime, [Some(4), None, Some(4), None]);
    lengths("gcaps", Property::Outranked, [Some(4); 2]);
    lengths("gcaps-driver", Property::Outranked, [Some(4); 2]);
    lengths("gcaps-driver-mended", Property::Outranked, [None; 2]);
    // The facts have the 7 of three tasks. A fourth shortens it: two best-effort tasks run, and only one of them is moved.
    lengths("gcaps-union", Property::Outranked, [Some(7), Some(4)]);
    for id in ["gcaps", "gcaps-driver", "gcaps-union", "gcaps-driver-mended"] {
        assert!(fault(&searched(&program(id), 3), Property::Starved).is_some(), "{id} starves a task by its equals");
    }
    let broken = searched(&program("gcaps-driver-mended"), 5).findings.into_iter().filter(|f| f.verdict != Verdict::Clean);
    assert_eq!(broken.map(|finding| finding.property).collect::<Vec<_>>(), [Property::Starved], "clean but for starvation at five tasks");
}

#[test]
fn search_writes_faults_as_the_facts_do() {
    let gcaps = program("gcaps");
    let report = searched(&gcaps, 4);
    let requests = |property| fault(&report, property).unwrap().requests(&gcaps);
    assert_eq!(requests(Property::Idle), "+A +B -A");
    assert_eq!(requests(Property::Outranked), "+A +B1 -A +A");
    assert_eq!(requests(Property::Mixed), "+A +B +C1");
    assert_eq!(requests(Property::TooMany(1, true)), "+A +B1 +C1 -A");
    let lost = fault(&report, Property::Lost).unwrap();
    let told = format!("{} {}", lost.title(&gcaps, Property::Lost), lost.story(&gcaps));
    let expected = "B is lost after 3 requests. A begins, B begins, A ends: line 25 sets running to pending, which is empty.";
    assert_eq!(told, expected);
    let mixed = fault(&report, Property::Mixed).unwrap();
    assert_eq!(mixed.story(&gcaps), "A begins, B begins, C begins: line 18 removes A from running.");
}

/// A policy, what it is said to be, and the requests of the fault if it has one.
#[track_caller]
fn judged(text: &str, property: Property, expected: Option<&str>) {
    let program = Program::new(text).unwrap();
    let report = search(&program, 3, &[property]).unwrap();
    assert_eq!(fault(&report, property).map(|fault| fault.requests(&program)).as_deref(), expected, "{text}");
}

const ALL: &str = "admit ready\n";
const FIRST: &str = "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\nadmit first in line\n";

#[test]
fn search_each_property_has_a_policy_that_breaks_it_and_one_that_does_not() {
    let stays = "s: set\non request(t):\n  if s is empty:\n    add t to s\non end(t):\n  remove t from s\nadmit s\n";
    judged(stays, Property::Idle, Some("+A +B -A"));
    judged(ALL, Property::Idle, None);
    judged(FIRST, Property::Lost, None);
    judged(stays, Property::Lost, Some("+A +B"));
    judged("admit highest id in ready\n", Property::Starved, Some("+A +B (+C -B +B -C)"));
    judged(FIRST, Property::Starved, None);
    judged(FIRST, Property::Hogged, Some("+A +B"));
    judged(find("round-robin").unwrap().text, Property::Hogged, None);
    judged(FIRST, Property::Outranked, Some("+A +B1"));
    judged("admit highest priority in ready\n", Property::Outranked, None);
    judged(ALL, Property::Mixed, Some("+A1 +B"));
    judged("admit highest priority in ready\n", Property::Mixed, None);
    judged(ALL, Property::TooMany(2, false), Some("+A +B +C"));
    judged(ALL, Property::TooMany(1, true), Some("+A1 +B1"));
    judged("admit highest 2 priority in ready\n", Property::TooMany(2, false), None);
    judged("s: set\non request(t):\n  add t to s\nadmit s\n", Property::NoWork, Some("+A -A"));
    judged(ALL, Property::NoWork, None);
    let careless =
        "h: task\non request(t):\n  if h is none or priority of t > priority of h:\n    h = t\non end(t):\n  h = none\nadmit h\n";
    judged(careless, Property::Fails, None);
    judged(&careless.replace("h is none or ", ""), Property::Fails, Some("+A"));
}

#[test]
fn search_assumes_fair_ends_ticks_and_draws() {
    let tick =
        |actions: &str| format!("h: task\non request(t):\n  if h is none:\n    h = t\non end(t), tick every 1 ms:\n{actions}admit h\n");
    // Nobody waits forever for a draw, but for the task that is never drawn.
    judged(&tick("  h = draw in ready\n"), Property::Starved, None);
    judged(
        &tick("  h = draw in ready where priority < priority of h or h is none\n").replace("h is none or", ""),
        Property::Fails,
        Some("+A tick tick"),
    );
    // A always comes back before time passes.
    judged(
        "h: task\non request(t):\n  if h is none:\n    h = t\non end(t):\n  h = none\non tick every 1 ms:\n  if h is none:\n    h = lowest id in ready\nadmit h\n",
        Property::Starved,
        Some("+A +B (-A +A tick)"),
    );
}

#[test]
fn search_knows_deadlines_as_an_order() {
    let late = "admit highest deadline in ready\n";
    judged(late, Property::Outranked, Some("+A1 +B"));
    judged(&late.replace("ready", "ready where realtime"), Property::Outranked, Some("+A1 +B1<A"));
    let edf = Program::new("admit lowest deadline in ready\n").unwrap();
    let report = search(&edf, 3, &[Property::TooMany(0, false), Property::Outranked]).unwrap();
    assert_eq!(fault(&report, Property::Outranked), None);
    let story = Program::new(&late.replace("ready", "ready where realtime")).unwrap();
    let report = search(&story, 2, &[Property::Outranked]).unwrap();
    let told = fault(&report, Property::Outranked).unwrap().story(&story);
    assert_eq!(told, "A begins, B begins and is due before A: line 1 admits A.");
}

/// A policy that can tell tasks by their numbers is searched with all orders of priorities.
#[test]
fn search_takes_all_orders_where_numbers_matter() {
    let levels = |text: &str| {
        let report = searched(&Program::new(text).unwrap(), 3);
        report.levels.iter().map(|level| level.assignments).collect::<Vec<_>>()
    };
    assert_eq!(levels("admit highest priority in ready\n"), [2, 4, 8]);
    assert_eq!(levels("admit first in ready\n"), [2, 6, 26]);
    assert_eq!(levels("admit lowest deadline in ready\n"), [2, 3, 4]);
    judged("admit first in ready\n", Property::Outranked, Some("+A +B1"));
}

#[test]
fn search_refuses_what_it_cannot_judge() {
    let refused = |text: &str, tasks| search(&Program::new(text).unwrap(), tasks, &[Property::Idle]).unwrap_err();
    assert_eq!(refused(ALL, 0), Refused::Tasks(0));
    assert_eq!(refused(ALL, 9).to_string(), "9 tasks cannot be searched; it is a number from 1 to 8");
    assert_eq!(refused("admit highest sms in ready\n", 2), Refused::Sizes);
    for text in ["admit ready\nlaunch ready\n", "n: number\non finish(t):\n  n = n + 1\nadmit ready\n"] {
        assert_eq!(refused(text, 2), Refused::Launches);
    }
    assert_eq!(refused("admit highest priority in ready where period < period\n", 2), Refused::TwoOrders);
    assert_eq!(search(&Program::new(ALL).unwrap(), 2, &[]).unwrap_err(), Refused::NoProperty);
}

#[test]
fn search_says_what_it_assumes() {
    let says = |id: &str, text: &str| searched(&program(id), 2).assumed().contains(text);
    assert!(says("gcaps", "nothing fails, and there are at most 2 tasks.") && says("gcaps", "No job runs forever"));
    assert!(says("edf", "due before, with or after") && !says("gcaps", "due before"));
    let equals = "All best-effort tasks have one priority.";
    assert!(says("gcaps", equals) && !says("round-robin", equals));
    let fails = Program::new("h: task\nadmit highest priority in ready where priority > priority of h\n").unwrap();
    let report = search(&fails, 2, &[Property::Idle]).unwrap();
    assert!(fault(&report, Property::Fails).is_some(), "it is looked for in any case");
    assert!(report.assumed().contains("Nothing follows a decision that fails."));
    assert!(says("lottery", "A tick may come at any time while a task is ready.") && !says("gcaps", "tick"));
}

#[test]
fn search_gives_the_same_in_portions() {
    for id in ["gcaps", "lottery", "edf", "round-robin"] {
        let program = program(id);
        let whole = searched(&program, 4);
        let mut search = Search::new(&program, 4, &Property::for_program(&program)).unwrap();
        let mut portions = 0;
        while search.advance(&mut Budget::new(97)) == Progress::Paused {
            portions += 1;
            let part = search.report();
            // Task sets may be run when all states are known.
            assert!(!part.is_over || part.times.is_some_and(|times| !times.is_over));
            assert!(part.is_over || part.findings.iter().all(|finding| finding.verdict != Verdict::Clean));
        }
        assert_eq!(search.report(), whole, "{id}");
        assert!(portions > 20, "{portions} portions");
    }
}

/// The first fault comes long before the search is over.
#[test]
fn search_has_the_first_fault_early() {
    let gcaps = program("gcaps");
    let mut search = Search::new(&gcaps, 6, &Property::for_program(&gcaps)).unwrap();
    search.advance(&mut Budget::new(200));
    let found =
        search.report().findings.iter().any(|finding| finding.property == Property::Idle && matches!(finding.verdict, Verdict::Fault(_)));
    assert!(found);
}

#[test]
fn search_stops_where_memory_ends() {
    let counter = "n: number\non request(t):\n  n = n + 1\nadmit ready\n";
    let program = Program::new(counter).unwrap();
    let mut search = Search::new(&program, 2, &[Property::Idle, Property::Mixed]).unwrap().with_max_bytes(1_000_000);
    assert_eq!(search.advance(&mut Budget::new(u64::MAX)), Progress::Done);
    let report = search.report();
    assert!(matches!(report.stopped, Some(Stopped::Memory { bytes: 1_000_000, .. })) && !report.is_over);
    assert_eq!(report.findings[0].verdict, Verdict::Open);
    let said = report.stopped.unwrap().to_string();
    assert!(said.ends_with("take more than the limit of 1 MB; search with fewer tasks, or give numbers a smaller range"), "{said}");
    let draws = format!("s: set\non request(t):\n{}admit s\n", "  s = s + {draw in ready}\n".repeat(9));
    let report = searched(&Program::new(&draws).unwrap(), 3);
    assert_eq!(report.stopped, Some(Stopped::Draws));
}

#[test]
fn search_every_fault_replays() {
    for example in judged_examples() {
        let program = program(example.id);
        for finding in searched(&program, 3).findings {
            let Verdict::Fault(fault) = &finding.verdict else { continue };
            let passed = fault.replay(&program);
            assert_eq!(passed.len(), fault.len());
            let states: Vec<_> = passed.iter().map(|passed| (passed.decision.clone().unwrap().state, passed.active)).collect();
            if finding.property == Property::Starved {
                let waits = |at: usize| {
                    let admitted = passed[at].decision.as_ref().unwrap().admitted;
                    passed[at].active.has(fault.about) && !admitted.has(fault.about)
                };
                assert!((fault.steps.len()..fault.len()).all(waits), "{}", example.id);
                // Who runs on the way around is no more urgent, unless it is by its deadline, and ends.
                let around = &passed[fault.steps.len()..];
                let ends = |task: TaskNumber| around.iter().any(|passed| passed.step.request == Request::End(task));
                for task in around.iter().flat_map(|p| p.active.and(p.decision.as_ref().unwrap().admitted).iter()) {
                    assert!(fault.ranks[usize::from(task.0)] <= fault.ranks[usize::from(fault.about.0)] && ends(task), "{}", example.id);
                }
                assert_eq!(states.last(), states.get(fault.steps.len() - 1), "{}: it comes around", example.id);
            }
        }
    }
}

#[test]
fn search_examples_are_short() {
    // As docs/cli.md says.
    assert_eq!((EXAMPLES.len(), judged_examples().len()), (20, 18));
    assert!(EXAMPLES.iter().all(|example| example.text.lines().count() <= 40));
    assert!(EXAMPLES.iter().all(|example| example.text.starts_with("# ") && MAX_LINES > 40));
    let mut ids: Vec<_> = EXAMPLES.iter().map(|example| example.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), EXAMPLES.len());
}

/// What the published policies come to with four tasks: which properties each breaks.
#[test]
fn search_judges_the_examples() {
    let broken = |id: &str| {
        let report = searched(&program(id), 4);
        let names = report.findings.iter().filter(|f| matches!(f.verdict, Verdict::Fault(_))).map(|f| f.property.to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    for id in ["gcaps-driver-mended", "hpf", "k-edf", "rate-monotonic", "edf"] {
        assert_eq!(broken(id), "starved", "{id}");
    }
    for id in ["fifo-lock", "mpcp", "k-exclusion", "round-robin", "gdev-credit", "timegraph-ht", "lottery", "reef", "gpreempt", "effisha"] {
        assert_eq!(broken(id), "", "{id}");
    }
    assert_eq!(broken("gcaps"), "idle lost starved outranked mixed at-most-realtime=1 no-work");
    assert_eq!(broken("gcaps-driver"), "idle lost starved outranked no-work");
    assert_eq!(broken("gcaps-union"), "idle starved outranked mixed at-most-realtime=1 no-work");
}

#[test]
fn search_properties_have_words() {
    let all = [
        Property::Fails,
        Property::Idle,
        Property::Lost,
        Property::Starved,
        Property::Hogged,
        Property::Outranked,
        Property::Mixed,
        Property::NoWork,
    ];
    for property in all.into_iter().chain([Property::TooMany(2, false), Property::TooMany(1, true)]) {
        assert_eq!(property.to_string().parse(), Ok(property));
        assert!(!property.clean().is_empty());
    }
    let e = "idel".parse::<Property>().unwrap_err().to_string();
    assert!(e.starts_with("there is no property \"idel\"; there are fails, idle, lost"), "{e}");
}

#[test]
fn a_search_that_is_stopped_says_how_far_it_is() {
    let program = Program::new("n: number\non tick every 1 ns:\n  n = n + 1\nadmit highest priority in ready\n").unwrap();
    let mut search = Search::new(&program, 2, &[Property::Idle, Property::Lost]).unwrap();
    assert_eq!(search.advance(&mut Budget::new(10_000)), Progress::Paused);
    let (states, deepest) = search.extent();
    assert!(states > 1_000 && deepest > 100, "{states} {deepest}");
    // Before it is stopped, only states of closed assignments count.
    assert_eq!(search.report().states(), 0);
    search.stop(Stopped::Asked);
    let report = search.report();
    assert_eq!((report.states(), report.levels[0].deepest, report.stopped, report.is_over), (states, deepest, Some(Stopped::Asked), false));
    assert!(report.findings.iter().all(|finding| finding.verdict == Verdict::Open));
    assert!(report.open(Property::Idle).starts_with("nothing was found in ") && report.open(Property::Lost).contains(" the 0 of 2 "));
    assert_eq!(search.advance(&mut Budget::new(10_000)), Progress::Done);
}

/// What is looked for in all states together takes memory, too: of the states of which one task waits for another.
#[test]
fn what_a_search_looks_for_has_a_limit_of_memory() {
    let text = "n: number from 0 to 1000\nlast: task\non tick every 1 ns:\n  n = n + 1\non request(t):\n  last = t\nadmit first in ready\n";
    let program = Program::new(text).unwrap();
    let stopped = |property, bytes| Search::new(&program, 2, &[property]).unwrap().with_max_bytes(bytes).finish().stopped;
    // The states themselves have room.
    let bytes = (1..1_000).map(|n| 100_000 * n).find(|&bytes| stopped(Property::Idle, bytes).is_none()).unwrap();
    assert!((300_000..20_000_000).contains(&bytes), "{bytes}");
    for property in [Property::Lost, Property::Starved] {
        let why = stopped(property, bytes);
        assert!(matches!(why, Some(Stopped::Memory { .. })), "{property}: {why:?}");
        assert_eq!(stopped(property, 4 * bytes), None, "{property}");
    }
}
