//! The lab: a run that goes from one worker to another in words is the same run.

use std::sync::Arc;

use blockstep::engine::{self, Limits, Rebuild, Run};
use blockstep::format;
use blockstep::lab::{self, Lab, Part};
use blockstep::scenario::{Draft, Scenario};
use blockstep::trace::{Cut, STEP_WORDS};
use blockstep::units::Time;
use proptest::prelude::*;

use crate::arbitrary::{any_drafts, cases};

/// What the page does with the lab's messages; the number of messages, too.
fn far(draft: &Draft, limit: u32) -> (Run, usize) {
    let scenario = Scenario::new(draft).unwrap();
    let mut rebuild = None;
    let mut messages = 0;
    let mut take = |kind: &str, part: Part| {
        let Part::Words(words) = part else { panic!("{kind} comes in words") };
        messages += 1;
        match kind {
            "begin" => rebuild = Some(Rebuild::new(&scenario, lab::budgets(&words)).unwrap()),
            "steps" => assert!(rebuild.as_mut().unwrap().add(&words)),
            _ => panic!("{kind} is no message of a run"),
        }
    };
    let arguments = [format::write_scenario(draft), limit.to_string()];
    let answer = Lab::default().answer("simulate", &arguments, &mut take).unwrap();
    let [Part::Words(end), Part::Text(what)] = &answer[..] else { panic!("{answer:?}") };
    let cut = lab::cut(end[2], end[3], what.clone());
    (rebuild.unwrap().finish(Time(lab::whole(end[0], end[1])), cut), messages)
}

fn assert_same(near: &Run, far: &Run) {
    assert_eq!(near.trace.steps(), far.trace.steps());
    assert_eq!(near.trace.ops(), far.trace.ops());
    assert_eq!(near.trace.end(), far.trace.end());
    assert_eq!(near.trace.cut(), far.trace.cut());
    for task in 0..near.trace.scenario().tasks().len() {
        let task = blockstep::units::TaskId::at(task);
        assert_eq!(near.trace.budget(task), far.trace.budget(task));
    }
    assert_eq!(near.replay().seek(u32::MAX), far.replay().seek(u32::MAX));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn lab_a_run_in_words_is_the_same_run(draft in any_drafts(), limit in 0_u32..400) {
        let scenario = Scenario::new(&draft).unwrap();
        for limit in [limit, Limits::default().max_steps] {
            let near = engine::simulate(&scenario, Limits { max_steps: limit }).unwrap();
            assert_same(&near, &far(&draft, limit).0);
        }
    }

    /// Words of another run are refused or make another run, but never stop the program.
    #[test]
    fn lab_words_that_are_no_step_are_refused(draft in any_drafts(), words in prop::collection::vec(any::<u32>(), STEP_WORDS)) {
        let scenario = Scenario::new(&draft).unwrap();
        let mut trace = engine::simulate(&scenario, Limits { max_steps: 0 }).unwrap();
        let trace = Arc::get_mut(&mut trace.trace).unwrap();
        let before = trace.steps().len();
        let known = words[2] & 0xff < 25 && words[2] >> 8 & 0xff < 38;
        let added = trace.add_step_words(&words).is_some();
        prop_assert!(known || !added);
        prop_assert_eq!(trace.steps().len(), before + usize::from(added));
    }
}

#[test]
fn lab_long_runs_come_in_several_messages() {
    let draft = crate::large::large("tx2", 100_000, false);
    let near = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default()).unwrap();
    let (far, messages) = far(&draft, Limits::default().max_steps);
    assert_same(&near, &far);
    assert!(messages > 3, "{messages} messages");
}

#[test]
fn lab_says_what_is_wrong_with_a_request() {
    let mut lab = Lab::default();
    let mut ask = |kind: &str, argument: &str| lab.answer(kind, &[argument.to_owned()], &mut |_, _| ()).unwrap_err();
    assert!(ask("simulate", "{").contains("JSON"));
    assert!(ask("trace", "{\"version\": 1}").contains("kernels"));
    assert!(ask("example", "none").contains("\"none\""));
    assert!(ask("dance", "").contains("\"dance\""));
}

#[test]
fn lab_cuts_have_words() {
    let what = String::new;
    assert_eq!(lab::cut(0, 0, what()), None);
    assert_eq!(lab::cut(1, 7, what()), Some(Cut::StepLimit { limit: 7 }));
    assert_eq!(lab::cut(2, 0, "a".into()), Some(Cut::TimeOverflow { what: "a".into() }));
    assert_eq!(lab::cut(3, 0, "b".into()), Some(Cut::Internal { what: "b".into() }));
}
