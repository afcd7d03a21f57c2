//! Random texts: a mistake or a program, never a panic; and a program decides anything.

use proptest::prelude::*;

use blockstep_policy::{Event, Program, TaskFacts, TaskNumber, TaskSet, WORDS, World};

use blockstep_testing::arbitrary::{cases, garbled_policies};

use crate::decisions::Place;

const MORE: [&str; 28] = [
    "running",
    "pending",
    "t",
    "k",
    "holder",
    "1",
    "2",
    "us",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    "\n",
    "\n  ",
    "\n    ",
    "\n  add t to running",
    "\n  if t is realtime:",
    " running, pending: set\n",
    "\non request(t):\n  ",
    "\non end(t):\n  ",
    "\nadmit running\n",
];

fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![2 => prop::sample::select(WORDS.to_vec()), 5 => prop::sample::select(MORE.to_vec())];
    prop_oneof![
        3 => prop::collection::vec(word, 0..60).prop_map(|words| format!("running, pending: set\nholder: task\n{}", words.join(" "))),
        1 => any::<String>(),
    ]
}

/// Tells a policy of requests, whatever comes of it.
pub(crate) fn tells(program: &Program, events: &[(u8, u8)]) {
    let fact = |i: i64| TaskFacts { realtime: i > 0, priority: i, ..TaskFacts::default() };
    let facts: Vec<TaskFacts> = (0..4).map(fact).collect();
    let (mut state, mut ready) = (program.start(4), TaskSet::EMPTY);
    for (kind, task) in events {
        let task = TaskNumber(task % 4);
        let event = match kind % 5 {
            0 => Event::Request(task),
            1 => Event::End(task),
            2 => Event::Launch(task),
            3 => Event::Finish(task),
            _ => Event::Tick,
        };
        ready = if kind % 5 == 0 { ready.with(task) } else { ready.without(task) };
        match program.decide(&state, event, World { tasks: &facts, ready }, &mut Place(usize::from(*kind))) {
            Ok(decision) => state = decision.state,
            Err(failure) => assert!(!failure.to_string().is_empty()),
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn random_changes_of_policies_decide_or_are_refused(text in garbled_policies(), events in prop::collection::vec(any::<(u8, u8)>(), 0..20)) {
        if let Ok(program) = Program::new(&text) {
            tells(&program, &events);
        }
    }

    #[test]
    fn random_texts_are_read_or_refused(text in texts(), events in prop::collection::vec(any::<(u8, u8)>(), 0..20)) {
        match Program::new(&text) {
            Ok(program) => tells(&program, &events),
            Err(e) => {
                prop_assert!(e.line >= 1 && e.column >= 1 && !e.message.is_empty());
                let line = text.lines().nth(e.line as usize - 1).unwrap_or("");
                prop_assert!(line.contains(e.word.as_str()), "{e}");
            }
        }
    }
}
