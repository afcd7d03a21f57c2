//! The exercises of `docs/course.md`: their links open as the maker makes them, and the key in the text is the engine's.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use blockstep_format::{ExerciseQuestion, read_link, read_scenario};
use blockstep_protocol::Effect;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_tools::exercise::{self, Exercise as ExerciseMaker};
use blockstep_tools::quiz::{Quiz, Stage};
use blockstep_tools::tool::{Event, memory};

use crate::tool::OnPage;

/// An exercise of the course: what it is about, and what it asks after how many steps.
struct Asked {
    example: &'static str,
    title: &'static str,
    text: &'static str,
    pass: &'static str,
    questions: &'static [(u32, &'static str)],
}

const ASKED: [Asked; 4] = [
    Asked {
        example: "tx2-table-1",
        title: "Lecture 1: queues",
        text: "Table 1 of [TX2]. Before each answer, look at the head of the EE queue and at what is free on the SMs.",
        pass: "",
        questions: &[(13, "fit"), (18, "kernel"), (25, "kernel"), (30, "fit"), (39, "kernel")],
    },
    Asked {
        example: "tx2-table-2",
        title: "Lecture 2: the NULL stream",
        text: "Table 2 of [TX2]. Before each answer, look for operations that were launched before the head of each stream.",
        pass: "",
        questions: &[(19, "kernel"), (23, "kernel"), (25, "kernel"), (28, "kernel")],
    },
    Asked {
        example: "tx2-table-3",
        title: "Lecture 2: priorities",
        text: "Table 3 of [TX2]. Before each answer, say which EE queue is served first, and whether a running block ever gives way.",
        pass: "",
        questions: &[(9, "kernel"), (15, "kernel"), (44, "kernel"), (49, "kernel")],
    },
    Asked {
        example: "tx2-table-5",
        title: "Lab: before you begin",
        text: "Table 5 of [TX2]. Each question counts. Save the result at the end, and hand it in.",
        pass: "3",
        questions: &[(27, "sm"), (31, "fit"), (35, "kernel"), (37, "sm")],
    },
];

/// The part of the course that is an exercise, as it has to stand there; its link is of today's making.
fn made(asked: &Asked) -> (String, String) {
    let mut maker = OnPage::<ExerciseMaker>::on("exercise", asked.example);
    maker.page = Some(("https://host/path/".to_owned(), Vec::new()));
    maker.open("");
    let told = maker.edit(|state| {
        (state.title, state.introduction) = (asked.title.to_owned(), asked.text.to_owned());
        state.questions = asked
            .questions
            .iter()
            .map(|&(step, kind)| ExerciseQuestion { step, kind: kind.to_owned(), ..ExerciseQuestion::default() })
            .collect();
        state.set_pass(asked.pass);
    });
    let view = told.view.unwrap();
    assert!(view.lacks.is_none() && view.problem.is_none(), "{}: {:?}, {:?}", asked.title, view.lacks, view.problem);
    let mut key = String::new();
    for (i, item) in view.questions.iter().enumerate() {
        assert!(item.warning.is_none(), "{}: {:?}", asked.title, item.warning);
        let right = &item.choices.iter().find(|(_, is_key)| *is_key).unwrap().0;
        writeln!(key, "{}. {}: {} **{right}.**", i + 1, item.place, item.question).unwrap();
    }
    let effects = maker.send(exercise::Msg::CopyLink).effects;
    let [Effect::CopyText(link)] = &effects[..] else { panic!("{effects:?}") };
    (link.clone(), key)
}

/// When the first block of a kernel starts, ns, in an example that is changed.
fn first_start(example: &str, kernel: &str, change: impl FnOnce(&mut Draft)) -> u64 {
    let mut draft = read_scenario(examples::find(example).unwrap().json).unwrap();
    change(&mut draft);
    let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let records = Records::new(&run.trace);
    let blocks = records.blocks.iter().enumerate().filter(|(_, block)| run.trace.op_label(block.op) == kernel);
    blocks.flat_map(|(i, _)| records.block_runs(i)).map(|range| range.start.ns()).min().unwrap()
}

#[test]
fn the_tasks_of_the_lab_have_the_answers_that_the_course_gives() {
    let threads = |most: u64| first_start("tx2-table-1", "K4", |draft| draft.kernels[0].threads_per_block = most);
    assert_eq!((threads(597), threads(598)), (200_000_000, 1_000_000_000));
    let launched = |at: u64| first_start("tx2-table-3", "K2", |draft| draft.kernels[1].start_ns = at) - at;
    assert_eq!((launched(0), launched(1), launched(200_000_000)), (0, 499_999_999, 300_000_000));
}

#[test]
fn the_exercises_of_the_course_open_and_have_the_key_of_the_engine() {
    let text = fs::read_to_string(Path::new(blockstep_testing::ROOT).join("docs/course.md")).unwrap();
    let links: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    https://host/path/#v2=")).collect();
    let whole = |link: &str| format!("https://host/path/#v2={link}");
    let mut missing = String::new();
    for (i, asked) in ASKED.iter().enumerate() {
        let (link, key) = made(asked);
        let is_there = links.get(i).is_some_and(|there| read_link(&whole(there)).unwrap() == read_link(&link).unwrap());
        if !is_there || !text.contains(&key) {
            write!(missing, "\n    {link}\n\n{key}").unwrap();
        }
    }
    assert!(missing.is_empty() && links.len() == ASKED.len(), "docs/course.md has to have{missing}");
    for (asked, link) in ASKED.iter().zip(links) {
        let (opened, _) = read_link(&whole(link)).unwrap();
        let [(tool, remembered)] = &opened.tools[..] else { panic!("{}: {:?}", asked.title, opened.tools) };
        let opening = memory::without(remembered, "open").1.unwrap();
        assert_eq!(tool, "quiz");
        let mut student = OnPage::<Quiz>::on("quiz", asked.example);
        let Stage::Ready(ready) = student.tell(Event::Opened(opening)).unwrap().view.unwrap().stage else { panic!("{}", asked.title) };
        assert!(ready.text == asked.text && ready.about.starts_with(&format!("{} questions.", asked.questions.len())), "{ready:?}");
    }
}
