//! The worker: a run that goes from one worker to another in words is the same run.

use std::sync::Arc;

use blockstep_format as format;
use blockstep_protocol::{self as protocol, Ask, LoadExample, Message, Progress, Reply, Request, ResultsCsv, RunId, Simulate};
use blockstep_sim::engine::{self, Limits, Rebuild, Run};
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::trace::STEP_WORDS;
use blockstep_sim::work::Budget;
use blockstep_worker::Worker;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};

/// What the page does with the worker's messages; the number of messages, too.
fn far(draft: &Draft, limit: u32) -> (Run, usize) {
    let scenario = Scenario::new(draft).unwrap();
    let mut rebuild = None;
    let mut messages = 0;
    let mut take = |progress: Progress, words: Vec<u32>| {
        messages += 1;
        match progress {
            Progress::Begin { budgets } => rebuild = Some(Rebuild::new(&scenario, budgets)),
            Progress::Steps { at } => {
                let rebuild = rebuild.as_mut().unwrap();
                assert_eq!(rebuild.add(&words, &mut Budget::new(u64::MAX)), Some(words.len()));
                assert_eq!(rebuild.now(), at);
            }
        }
    };
    let request = Simulate { run: RunId(7), max_steps: Some(limit) };
    let reply = Worker::default().answer(message(Some((RunId(7), format::write_scenario(draft))), request), &mut take);
    // As it goes from one to the other.
    let reply: Reply = protocol::decode(&protocol::encode(&reply).unwrap()).unwrap();
    let Reply::Done(response) = reply else { panic!("{reply:?}") };
    let end = Simulate::answer(response).unwrap();
    (rebuild.unwrap().finish(end.end, end.cut), messages)
}

fn message(scenario: Option<(RunId, String)>, request: impl Ask) -> Message {
    Message { scenario, request: request.into_request() }
}

fn assert_same(near: &Run, far: &Run) {
    assert_eq!(near.trace.steps(), far.trace.steps());
    assert_eq!(near.trace.ops(), far.trace.ops());
    assert_eq!(near.trace.end(), far.trace.end());
    assert_eq!(near.trace.cut(), far.trace.cut());
    for task in 0..near.trace.scenario().tasks().len() {
        let task = blockstep_sim::units::TaskId::at(task);
        assert_eq!(near.trace.budget(task), far.trace.budget(task));
    }
    assert_eq!(near.replay().seek(u32::MAX), far.replay().seek(u32::MAX));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn worker_a_run_in_words_is_the_same_run(draft in any_drafts(), limit in 0_u32..400) {
        let scenario = Scenario::new(&draft).unwrap();
        for limit in [limit, Limits::default().max_steps] {
            let near = engine::simulate(&scenario, Limits { max_steps: limit });
            assert_same(&near, &far(&draft, limit).0);
        }
    }

    /// Words of another run are refused or make another run, but never stop the program.
    #[test]
    fn worker_words_that_are_no_step_are_refused(draft in any_drafts(), words in prop::collection::vec(any::<u32>(), STEP_WORDS)) {
        let scenario = Scenario::new(&draft).unwrap();
        let mut trace = engine::simulate(&scenario, Limits { max_steps: 0 });
        let trace = Arc::get_mut(&mut trace.trace).unwrap();
        let before = trace.steps().len();
        let known = words[2] & 0xff < 25 && words[2] >> 8 & 0xff < 38;
        let added = trace.add_step_words(&words).is_some();
        prop_assert!(known || !added);
        prop_assert_eq!(trace.steps().len(), before + usize::from(added));
    }
}

#[test]
fn worker_long_runs_come_in_several_messages() {
    let draft = blockstep_testing::large::large("tx2", 100_000, false);
    let near = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let (far, messages) = far(&draft, Limits::default().max_steps);
    assert_same(&near, &far);
    assert!(messages > 3, "{messages} messages");
}

/// Asks for the results of a run.
fn csv(run: u32) -> ResultsCsv {
    ResultsCsv { run: RunId(run), beside: String::new() }
}

#[test]
fn worker_says_what_is_wrong_with_a_request() {
    let mut worker = Worker::default();
    let mut ask = |scenario: &str, request: Request| {
        let message = Message { scenario: Some((RunId(1), scenario.to_owned())), request };
        match worker.answer(message, &mut |_, _| ()) {
            Reply::Failed(why) => why,
            reply => panic!("{reply:?}"),
        }
    };
    assert!(ask("{", Simulate { run: RunId(1), max_steps: None }.into_request()).contains("JSON"));
    assert!(ask("{\"version\": 1}", csv(1).into_request()).contains("kernels"));
    assert!(ask("", LoadExample("none".to_owned()).into_request()).contains("\"none\""));
    assert!(ask("", csv(2).into_request()).contains("does not know this run"));
    assert!(protocol::decode::<Message>(&[255, 255, 255]).unwrap_err().to_string().contains("different versions"));
}

#[test]
fn worker_knows_the_scenarios_of_the_last_runs() {
    let mut worker = Worker::default();
    let table = blockstep_sim::examples::first().json;
    for run in 1..=9 {
        let reply = worker.answer(message(Some((RunId(run), table.to_owned())), csv(run)), &mut |_, _| ());
        assert!(matches!(reply, Reply::Done(_)), "{reply:?}");
    }
    let mut is_known = |run| matches!(worker.answer(message(None, csv(run)), &mut |_, _| ()), Reply::Done(_));
    assert!(is_known(9) && is_known(2) && !is_known(1));
}
