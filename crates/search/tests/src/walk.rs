//! Requests as a reader writes them: what a search writes leads to the same again, and what cannot be followed is said.

use blockstep_policy::{Held, Program, TaskNumber};
use blockstep_search::{Property, Verdict, Walk};

use crate::search::{judged_examples, program, searched};

/// What a search writes of a fault is read again, and its last request has the fault.
#[test]
fn walk_follows_every_fault_that_a_search_writes() {
    let mut followed = 0;
    for example in judged_examples() {
        let program = Program::new(example.text).unwrap();
        for finding in searched(&program, 3).findings {
            let Verdict::Fault(fault) = finding.verdict else { continue };
            let text = fault.requests(&program);
            let walk = Walk::new(&program, &text, 1);
            assert_eq!((walk.mistake(), walk.len()), (None, fault.len()), "{}: {text}", example.id);
            let last = fault.replay(&program).last().cloned().unwrap();
            let decided = walk.decision(walk.len()).unwrap();
            match last.decision {
                Some(decision) => {
                    let found = decided.unwrap();
                    assert_eq!((found.line, found.admitted.len()), (decision.line, decision.admitted.len()), "{}: {text}", example.id);
                }
                None => assert!(decided.is_err(), "{}: {text}", example.id),
            }
            let is_of_a_state = !matches!(finding.property, Property::Lost | Property::Starved | Property::Hogged);
            let broken = walk.broken(walk.len(), &[finding.property]);
            assert_eq!(broken.len(), usize::from(is_of_a_state), "{}: {text}", example.id);
            if finding.property != Property::Fails {
                assert!(
                    broken.iter().all(|(_, told)| *told == fault.title(&program, finding.property)),
                    "{}: {text}: {broken:?}",
                    example.id
                );
            }
            followed += 1;
        }
    }
    assert!(followed > 20, "{followed} faults");
}

#[test]
fn walk_says_what_each_request_did() {
    let gcaps = program("gcaps");
    let walk = Walk::new(&gcaps, "+A +B -A", 2);
    let told: Vec<String> = (0..=3).map(|steps| walk.sentence(steps)).collect();
    let expected = [
        "",
        "A begins: line 11 adds A to running.",
        "B begins: line 11 adds B to running.",
        "A ends: line 25 sets running to pending, which is empty.",
    ];
    assert_eq!(told, expected);
    assert_eq!(walk.words().collect::<Vec<_>>(), ["+A", "+B", "-A"]);
    assert_eq!((walk.ready(3).0, walk.admitted(3).0, walk.ready(2).0, walk.admitted(2).0), (2, 0, 3, 3));
    let held = |steps| gcaps.held(walk.state(steps), walk.tasks());
    assert_eq!(held(2), [Held::Tasks(vec![TaskNumber(0), TaskNumber(1)]), Held::Tasks(vec![])]);
    assert_eq!(held(3), [Held::Tasks(vec![]), Held::Tasks(vec![])]);
    let broken = walk.broken(3, &Property::for_program(&gcaps));
    assert_eq!(broken, [(Property::Idle, "The GPU idles while B waits after 3 requests.".to_owned())]);
    assert!(walk.broken(2, &Property::for_program(&gcaps)).is_empty());
}

#[test]
fn walk_knows_what_may_come_next() {
    let gcaps = program("gcaps");
    let walk = Walk::new(&gcaps, "+A2 +B1", 3);
    let may = |task, begin| walk.may(TaskNumber(task), begin);
    // B has not run yet.
    assert_eq!([may(0, true), may(0, false), may(1, true), may(1, false), may(2, true)], [false, true, false, false, true]);
    let round_robin = program("round-robin");
    let ticks = ["", "+A", "+A -A"].map(|requests| Walk::new(&round_robin, requests, 2).may_tick());
    assert_eq!((walk.may_tick(), ticks), (false, [false, true, false]), "a tick comes only while a task is ready");
}

#[track_caller]
fn mistake(id: &str, text: &str, expected: &str) {
    let program = program(id);
    let walk = Walk::new(&program, text, 2);
    assert_eq!(walk.mistake().map(ToString::to_string).as_deref(), Some(expected), "{text}");
}

#[test]
fn walk_says_what_cannot_be_followed() {
    let form = "a request is +A or +A1 as a job begins, -A as it ends, or tick";
    mistake("gcaps", "+A B", &format!("request 2, B: {form}"));
    mistake("gcaps", "+A +A", "request 2, +A: A has begun and not ended");
    mistake("gcaps", "+A -B", "request 2, -B: B has not begun");
    mistake("gcaps", "+A2 +B1 -B", "request 3, -B: B has not run yet, so its job cannot be over");
    mistake("gcaps", "+A1 -A +A", "request 3, +A: A has priority 1 before: write +A1");
    mistake("gcaps", "+A -A +A1", "request 3, +A1: A is best effort before, and has priority 1 here");
    mistake("gcaps", "+A1 -A2", "request 2, -A2: A has priority 1 before, and 2 here");
    mistake("gcaps", "+Z", "request 1, +Z: a task has a letter from A to H");
    mistake("gcaps", "+A0", "request 1, +A0: a priority is a digit from 1 to 9");
    mistake("gcaps", "+A1 +B1<A", "request 2, +B1<A: the policy does not look at deadlines");
    mistake("edf", "+A1 +B<A", "request 2, +B<A: B is best effort, which has no deadline");
    mistake("edf", "+A1 +B1<C", "request 2, +B1<C: C has no job with a deadline here");
    mistake("gcaps", "tick", "request 1, tick: the policy has no tick");
    mistake("round-robin", "+A -A tick", "request 3, tick: no task is ready, so no tick comes");
    mistake("gcaps", "+A#2", "request 1, +A#2: there is no outcome 2, as draws have 1 here");
    mistake("gcaps", "+A#0", "request 1, +A#0: after # stands which outcome draws have, from 1 to 256");
    let long = "+A -A ".repeat(251);
    mistake("gcaps", &long, "request 501, +A: there are more than 500 requests");
}

#[test]
fn walk_takes_deadlines_and_draws() {
    let edf = program("edf");
    let walk = Walk::new(&edf, "+A1 +B1<A +C1=B", 3);
    assert_eq!(walk.mistake(), None);
    assert_eq!(walk.sentence(2), "B begins and is due before A: line 5 admits B.");
    // Without a sign a job is due last.
    assert!(Walk::new(&edf, "+A1 +B1", 2).sentence(2).starts_with("B begins and is due after A: "));
    let lottery = program("lottery");
    let winners = ["+A +B tick", "+A +B tick#2"].map(|text| Walk::new(&lottery, text, 2).admitted(3).0);
    assert_eq!(winners, [1, 2]);
}
