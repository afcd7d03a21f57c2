//! Every action of the published policies, deleted: the verdict is another one, or nobody can tell the two apart, or the text has the same
//! faults as before. What is left are policies that are as right as the published one.

use std::collections::{BTreeSet, VecDeque};

use blockstep_policy::{Event, Program, State, TaskFacts, TaskNumber, TaskSet, World};
use blockstep_search::{Property, Verdict};

use crate::Place;
use crate::search::{judged_examples, searched};

/// The text without an action. Where it was the only one of its block, something that changes nothing stands there.
fn without(text: &str, line: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let blanks = lines[line].len() - lines[line].trim_start().len();
    let nothing = format!("{}nothing_is_done = 0", " ".repeat(blanks));
    lines.iter().enumerate().map(|(i, old)| format!("{}\n", if i == line { nothing.as_str() } else { old })).collect()
}

/// Lines with an action that is no head of a block.
fn actions(text: &str) -> Vec<usize> {
    let is_action = |line: &str| line.starts_with("  ") && !line.trim_end().ends_with(':');
    text.lines().enumerate().filter(|(_, line)| is_action(line)).map(|(i, _)| i).collect()
}

/// What is broken, and by how many requests.
fn verdicts(program: &Program) -> Vec<(Property, Option<usize>)> {
    let report = searched(program, 3);
    let length = |verdict: &Verdict| if let Verdict::Fault(fault) = verdict { Some(fault.len()) } else { None };
    report.findings.iter().map(|finding| (finding.property, length(&finding.verdict))).collect()
}

/// Whether both admit the same tasks after any requests of three tasks, in every state that both reach together.
fn are_equal(a: &Program, b: &Program) -> bool {
    let ranks: Vec<Vec<i64>> = (0..64).map(|code| (0..3).map(|i| code >> (2 * i) & 3).collect()).collect();
    ranks.iter().all(|ranks| {
        let fact = |&rank: &i64| TaskFacts {
            realtime: rank > 0,
            priority: rank,
            period: Some(10 - rank.unsigned_abs()),
            deadline: Some(10 - rank.unsigned_abs()),
            ..TaskFacts::default()
        };
        let facts: Vec<TaskFacts> = ranks.iter().map(fact).collect();
        let first: (State, State, TaskSet, TaskSet) = (a.start(3), b.start(3), TaskSet::EMPTY, TaskSet::EMPTY);
        let (mut seen, mut open) = (BTreeSet::from([first.clone()]), VecDeque::from([first]));
        while let Some((one, other, active, started)) = open.pop_front() {
            let mut events: Vec<(Event, TaskSet, TaskSet)> = Vec::new();
            for task in (0..3).map(TaskNumber) {
                if !active.has(task) {
                    events.push((Event::Request(task), active.with(task), started));
                } else if started.has(task) {
                    events.push((Event::End(task), active.without(task), started.without(task)));
                }
            }
            events.extend(a.tick_every().map(|_| (Event::Tick, active, started)));
            for (event, active, started) in events {
                // Whatever is drawn, as long as both draw the same.
                for drawn in 0..3 {
                    let world = World { tasks: &facts, ready: active };
                    let (Ok(x), Ok(y)) =
                        (a.decide(&one, event, world, &mut Place(drawn)), b.decide(&other, event, world, &mut Place(drawn)))
                    else {
                        return false;
                    };
                    if x.admitted != y.admitted {
                        return false;
                    }
                    let next = (x.state, y.state, active, TaskSet(started.0 | x.admitted.and(active).0));
                    if seen.insert(next.clone()) {
                        open.push_back(next);
                    }
                }
            }
        }
        true
    })
}

#[test]
fn mutations_are_found_or_equal() {
    let (mut found, mut equal, mut alike, mut missed) = (0, 0, 0, Vec::new());
    for example in judged_examples() {
        let program = Program::new(example.text).unwrap();
        let sound = verdicts(&program);
        for line in actions(example.text) {
            // A name that is not given any more, or a task that is needed: refused before anything runs.
            let Ok(mutant) = Program::new(&without(example.text, line)) else {
                found += 1;
                continue;
            };
            if verdicts(&mutant) != sound {
                found += 1;
            } else if are_equal(&program, &mutant) {
                equal += 1;
            } else if sound.iter().any(|(property, length)| !property.is_warning() && length.is_some()) {
                alike += 1;
            } else {
                missed.push(format!("{}: {}", example.id, example.text.lines().nth(line).unwrap().trim()));
            }
        }
    }
    let all = found + equal + alike + missed.len();
    println!(
        "{all} deletions: {found} found, {equal} equal, {alike} with the faults that the policy has anyway, {} missed\n{}",
        missed.len(),
        missed.join("\n")
    );
    assert!(missed.len() * 20 <= all, "{found} found, {equal} equal, missed:\n{}", missed.join("\n"));
}
