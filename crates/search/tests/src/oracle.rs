//! A second search, as simple as can be: it finds the same number of states, and faults of the same lengths.

use std::collections::{BTreeMap, VecDeque};

use blockstep_policy::{Event, Program, State, TaskFacts, TaskNumber, TaskSet, World};
use blockstep_search::Property;

use crate::Place;
use crate::search::{fault, judged_examples, program, searched};

/// A state as the facts count it: the policy's, who has begun, and who of them has run.
type Known = (State, TaskSet, TaskSet);

/// Real-time tasks first, the most urgent first, without gaps.
fn assignments(tasks: usize) -> Vec<Vec<i64>> {
    let all = (0..(tasks + 1).pow(tasks as u32))
        .map(|code| (0..tasks).map(|i| (code / (tasks + 1).pow(i as u32) % (tasks + 1)) as i64).collect::<Vec<_>>());
    let is_one = |ranks: &Vec<i64>| ranks.is_sorted_by(|a, b| a >= b) && (1..=ranks[0]).all(|rank| ranks.contains(&rank));
    all.filter(is_one).collect()
}

/// A graph is gone through from each of its states.
const TASKS: usize = 3;

#[derive(Default)]
struct Counted {
    states: usize,
    shortest: BTreeMap<Property, usize>,
}

fn counted(program: &Program, tasks: usize) -> Counted {
    let mut counted = Counted::default();
    for ranks in assignments(tasks) {
        let facts: Vec<TaskFacts> = ranks
            .iter()
            .map(|&rank| TaskFacts { realtime: rank > 0, priority: rank, period: Some(100 - rank.unsigned_abs()), ..TaskFacts::default() })
            .collect();
        let mut led: BTreeMap<Known, Vec<(Event, Known)>> = BTreeMap::new();
        let mut who: BTreeMap<Known, (TaskSet, TaskSet)> = BTreeMap::new();
        let first: Known = (program.start(tasks), TaskSet::EMPTY, TaskSet::EMPTY);
        let (mut depth, mut open) = (BTreeMap::from([(first.clone(), 0)]), VecDeque::from([first]));
        while let Some(known) = open.pop_front() {
            let (state, active, started) = &known;
            let deep = depth[&known] + 1;
            let tasks = (0..tasks as u8).map(TaskNumber);
            let mut events: Vec<Event> = tasks.clone().filter(|task| !active.has(*task)).map(Event::Request).collect();
            events.extend(started.iter().map(Event::End));
            // A tick comes only while a task is ready.
            events.extend(program.tick_every().filter(|_| *active != TaskSet::EMPTY).map(|_| Event::Tick));
            for event in events {
                let (active, started) = match event {
                    Event::Request(task) => (active.with(task), *started),
                    Event::End(task) => (active.without(task), started.without(task)),
                    Event::Tick | Event::Launch(_) | Event::Finish(_) => (*active, *started),
                };
                let decision = program.decide(state, event, World { tasks: &facts, ready: active }, &mut Place(0)).unwrap();
                let running = decision.admitted.and(active);
                let waiting = active.minus(decision.admitted);
                let (runs, waits) = (|task: &TaskNumber| running.has(*task), |task: &TaskNumber| waiting.has(*task));
                let rank = |task: TaskNumber| ranks[usize::from(task.0)];
                let outranked = tasks.clone().filter(waits).any(|a| tasks.clone().filter(runs).any(|b| rank(a) > rank(b)));
                let urgent = running.iter().filter(|task| rank(*task) > 0).count();
                let broken = [
                    (Property::Idle, running.is_empty() && !waiting.is_empty()),
                    (Property::Outranked, outranked),
                    (Property::Mixed, urgent > 0 && running.len() as usize > urgent),
                    (Property::TooMany(1, true), urgent > 1),
                    (Property::TooMany(1, false), running.len() > 1),
                    (Property::NoWork, !decision.admitted.minus(active).is_empty()),
                ];
                for (property, _) in broken.iter().filter(|(_, is_broken)| *is_broken) {
                    let known = counted.shortest.entry(*property).or_insert(deep);
                    *known = deep.min(*known);
                }
                let next = (decision.state, active, TaskSet(started.0 | running.0));
                led.entry(known.clone()).or_default().push((event, next.clone()));
                who.insert(next.clone(), (running, waiting));
                if !depth.contains_key(&next) {
                    depth.insert(next.clone(), deep);
                    open.push_back(next);
                }
            }
        }
        counted.states += depth.len();
        for (known, (_, waiting)) in &who {
            if waiting.iter().any(|task| !can_run(task, known, &led, &who)) {
                let shortest = counted.shortest.entry(Property::Lost).or_insert(depth[known]);
                *shortest = depth[known].min(*shortest);
            }
        }
    }
    counted
}

/// Whether a task can still run in the job that it is in.
fn can_run(task: TaskNumber, from: &Known, led: &BTreeMap<Known, Vec<(Event, Known)>>, runs: &BTreeMap<Known, (TaskSet, TaskSet)>) -> bool {
    let (mut seen, mut open) = (std::collections::BTreeSet::from([from]), vec![from]);
    while let Some(known) = open.pop() {
        if runs.get(known).is_some_and(|(running, _)| running.has(task)) {
            return true;
        }
        let own = [Event::Request(task), Event::End(task)];
        let next = led.get(known).into_iter().flatten().filter(|(event, _)| !own.contains(event)).map(|(_, next)| next);
        open.extend(next.filter(|next| seen.insert(*next)));
    }
    false
}

#[test]
fn oracle_counts_the_same_states_and_finds_faults_of_the_same_length() {
    let mut seen = 0;
    for example in judged_examples() {
        let program = program(example.id);
        // It draws nothing, has no deadlines, and takes tasks in one order.
        if program.reads().deadline || program.reads().order || example.id == "lottery" {
            continue;
        }
        let mut shortest = BTreeMap::<Property, usize>::new();
        let report = searched(&program, TASKS);
        for level in &report.levels {
            let counted = counted(&program, level.tasks);
            assert_eq!(counted.states, level.states, "{} with {} tasks", example.id, level.tasks);
            for (property, length) in counted.shortest {
                let known = shortest.entry(property).or_insert(length);
                *known = length.min(*known);
            }
        }
        for finding in report.findings.iter().filter(|f| !matches!(f.property, Property::Fails | Property::Starved | Property::Hogged)) {
            let length = fault(&report, finding.property).map(|fault| fault.steps.len());
            // k-exclusion may have two.
            if !matches!(finding.property, Property::TooMany(2.., _)) {
                assert_eq!(length, shortest.get(&finding.property).copied(), "{} {}", example.id, finding.property);
            }
        }
        seen += 1;
    }
    assert!(seen >= 12, "{seen} policies");
}
