//! Exercises and results: files that are read back as they were, made by the tool that makes them, opened by Predict, and put
//! into the table of a class.

use blockstep_format::{
    self as format, Exercise, ExerciseFile, ExerciseQuestion, GivenAnswer, MAX_ASKED, QuizResult, read_exercise, read_link, read_result,
};
use blockstep_learn::class::{self as learn, ClassColumn, ClassMark, ClassTable, File};
use blockstep_protocol::Effect;
use blockstep_sim::examples;
use blockstep_tools::class::{self, Class};
use blockstep_tools::exercise::{self, Exercise as ExerciseMaker};
use blockstep_tools::quiz::{self, Quiz, Stage};
use blockstep_tools::tool::{Event, Tool};

use crate::tool::OnPage;

fn scenario() -> &'static str {
    examples::find("tx2-table-1").unwrap().json
}

fn given(step: u32, given: &str) -> GivenAnswer {
    GivenAnswer {
        step,
        time_ns: 1_000,
        kind: "sm".to_owned(),
        question: format!("Which SM after {step}?"),
        given: given.to_owned(),
        given_up: given.is_empty(),
        right: "SM 1".to_owned(),
        rule: "R1".to_owned(),
    }
}

fn result(student: &str, answers: &[&str]) -> QuizResult {
    QuizResult {
        student: student.to_owned(),
        scenario: "Table 1".to_owned(),
        scenario_id: "abc".to_owned(),
        seed: 7,
        began: format::utc(1_795_413_678_000),
        ended: format::utc(1_795_413_678_000 + 90_000),
        questions: answers.iter().enumerate().map(|(i, answer)| given(i as u32, answer)).collect(),
        ..QuizResult::default()
    }
    .sealed()
}

fn file(name: &str, result: &QuizResult) -> (String, String) {
    (name.to_owned(), result.write())
}

fn table(files: Vec<File>) -> ClassTable {
    let mut read = Vec::new();
    learn::add(&mut read, files);
    learn::table(&read)
}

#[test]
fn teach_results_are_read_back_and_changes_are_found() {
    let made = result("Ada", &["SM 1", "SM 0", ""]);
    assert_eq!((made.score, made.of, made.seconds()), (1, 3, Some(90)));
    let text = made.write();
    assert!(format::is_result(&text) && !format::is_exercise(&text));
    let read = read_result(&text).unwrap();
    assert!(read == made && read.is_unchanged());
    // Another layout of the same is the same.
    let compact: String = text.lines().map(str::trim).collect();
    assert!(read_result(&compact).unwrap().is_unchanged());
    for (from, to) in [
        ("\"SM 0\"", "\"SM 1\""),
        ("\"Ada\"", "\"Ida\""),
        ("\"given_up\": true", "\"given_up\": false"),
        ("\"seed\": 7", "\"seed\": 8"),
        ("\"score\": 1", "\"score\": 3"),
        ("2026-11-23T06:01:18Z", "2026-11-23T05:01:18Z"),
        ("sha256:", "sha256:0"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert!(changed != text && !read_result(&changed).unwrap().is_unchanged(), "{from}");
    }
}

#[test]
fn teach_results_that_are_none_are_refused() {
    let text = result("Ada", &["SM 1"]).write();
    let long = format!("\"{}\"", "x".repeat(201));
    let many = result("Ada", &["SM 1"; MAX_ASKED + 1]).write();
    for (text, says) in [
        (String::new(), "This is not a JSON file"),
        ("[1]".to_owned(), "This is not a result of Predict"),
        ("{}".to_owned(), "the field \"kind\" is missing"),
        (scenario().to_owned(), "the field \"kind\" is missing"),
        (text.replacen("blockstep-result", "blockstep-exercise", 1), "its kind is \"blockstep-exercise\""),
        (text.replacen("\"version\": 1", "\"version\": 2", 1), "of version 2"),
        (text.replacen("\"seed\": 7", "\"seed\": -7", 1), "cannot be read"),
        (text.replacen("\"seed\": 7", "\"sead\": 7", 1), "unknown field `sead`"),
        (text.replacen("\"Ada\"", &long, 1), "201 characters; the maximum is 200"),
        (many, "this result has 51; the maximum is 50"),
        (result("Ada", &[]).write(), "this result has none"),
        (format!("{text}{}", " ".repeat(5_000_000)), "has at most"),
        (text[..text.len() / 2].to_owned(), "This is not a JSON file"),
    ] {
        let refused = read_result(&text).unwrap_err().to_string();
        assert!(refused.contains(says), "{says}: {refused}");
    }
    assert!(read_result(&format!("\u{feff}{text}")).is_ok());
}

#[test]
fn teach_class_table_marks_what_is_not_to_be_counted() {
    let other_seed = QuizResult { seed: 8, ..result("Eve", &["SM 1", "SM 1"]) }.sealed();
    let other_scenario = QuizResult { scenario_id: "xyz".to_owned(), ..result("Fay", &["SM 1"]) }.sealed();
    let changed = (String::from("e.json"), result("Dan", &["SM 0", ""]).write().replacen("\"SM 0\"", "\"SM 1\"", 1));
    let files = vec![
        file("a.json", &other_seed),
        file("b.json", &result("Ada", &["SM 1", "SM 0"])),
        file("c.json", &result("=Bob", &["SM 1", ""])),
        file("d.json", &result("Ada", &["SM 1", "SM 0"])),
        changed,
        ("f.json".to_owned(), "{".to_owned()),
        file("g.json", &other_scenario),
    ];
    let mut made = table(files);
    let notes: Vec<&str> = made.rows.iter().map(|row| row.notes.first().map_or("", String::as_str)).collect();
    assert_eq!(notes[0], "Most files have a different seed.");
    assert_eq!((notes[1], notes[2], notes[3]), ("", "", "This is the same result as b.json."));
    assert_eq!(notes[4], "This file was changed after it was saved.");
    assert!(notes[5].starts_with("This is not a JSON file"), "{}", notes[5]);
    assert_eq!(notes[6], "Most files are about a different scenario.");
    assert_eq!((made.counted, made.questions), (2, 2));
    let counts: Vec<_> = made.summary.iter().map(|of| (of.right, of.wrong, of.given_up, of.common.clone())).collect();
    assert_eq!(counts, [(2, 0, 0, None), (0, 1, 1, Some(("SM 0".to_owned(), 1)))]);
    assert_eq!(made.rows[2].marks, [ClassMark::Right, ClassMark::GivenUp]);
    made.sort(ClassColumn::Score, true);
    assert_eq!(made.rows[0].right, made.rows[0].of);
    made.sort(ClassColumn::Student, false);
    let students: Vec<&str> = made.rows.iter().map(|row| row.student.as_str()).collect();
    assert_eq!(students, ["", "=Bob", "Ada", "Ada", "Dan", "Eve", "Fay"]);
    made.sort(ClassColumn::Question(1), true);
    assert_eq!(made.rows[0].student, "Eve");
    made.sort(ClassColumn::Student, false);
    let csv = made.csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "student,exercise,seed,began_utc,minutes,question_1,question_2,right,of,notes,file");
    assert_eq!(lines[2], "'=Bob,Table 1,7,2026-11-23T06:01:18Z,1.5,right,given up,1,2,,c.json");
    assert_eq!(lines.len(), 8);
}

#[test]
fn teach_class_page_takes_sorts_and_saves_files() {
    let mut page = OnPage::<Class>::new("class", scenario());
    assert_eq!(page.open("").count, "");
    let files = vec![file("a.json", &result("Bob", &["SM 1"])), file("b.json", &result("Ada", &["SM 0"]))];
    let shown = page.tell(Event::OpenedWith(files)).unwrap().view.unwrap();
    assert_eq!((shown.count.as_str(), shown.table.rows[0].student.as_str()), ("2 results.", "Bob"));
    let shown = page.send(class::Msg::Sort(ClassColumn::Student)).view.unwrap();
    assert_eq!((shown.table.rows[0].student.as_str(), shown.is_descending), ("Ada", false));
    let shown = page.send(class::Msg::Sort(ClassColumn::Student)).view.unwrap();
    assert_eq!((shown.table.rows[0].student.as_str(), shown.is_descending), ("Bob", true));
    let shown = page.send(class::Msg::Add(vec![("c.json".to_owned(), "?".to_owned())])).view.unwrap();
    assert_eq!(shown.count, "3 files, 1 of them marked and not counted below.");
    let effects = page.send(class::Msg::SaveCsv).effects;
    assert!(matches!(&effects[..], [Effect::SaveFile { name, text, .. }] if name == "class-results.csv" && text.lines().count() == 4));
    let many = vec![("x.json".to_owned(), "?".to_owned()); 1_001];
    let shown = page.send(class::Msg::Add(many)).view.unwrap();
    assert!(shown.problem.unwrap().contains("the maximum is 1000") && shown.table.rows.len() == 1_000);
    assert!(page.send(class::Msg::Clear).view.unwrap().table.rows.is_empty());
}

fn exercise() -> Exercise {
    let page = OnPage::<ExerciseMaker>::on("exercise", "tx2-table-1");
    let mut page = page.at(0);
    page.send(exercise::Msg::Suggest);
    let questions = ExerciseMaker::remembered(&page.memory).questions;
    Exercise { title: "Warm-up".to_owned(), text: "Think first.".to_owned(), pass: 2, questions, ..Exercise::default() }
}

#[test]
fn teach_exercises_are_read_back() {
    let exercise = exercise();
    assert!(exercise.questions.len() == 5 && Exercise::read(&exercise.write()).unwrap() == exercise);
    let text = ExerciseFile::write(&exercise, scenario()).unwrap();
    assert!(format::is_exercise(&text) && !format::is_result(&text));
    let read = read_exercise(&text).unwrap();
    assert_eq!((read.exercise, read.scenario), (exercise.clone(), format::read_scenario(scenario()).unwrap()));
    let replaced = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        read_exercise(&changed).unwrap_err().to_string()
    };
    for (from, to, says) in [
        ("\"version\": 1", "\"version\": 3", "of version 3"),
        ("\"pass\": 2", "\"pass\": 9", "9 is more than the 5 questions"),
        ("\"title\"", "\"titel\"", "unknown field `titel`"),
        ("\"Think first.\"", &format!("\"{}\"", "y".repeat(2_001)), "Introduction: this text has 2001 characters; the maximum is 2000"),
        ("\"kernels\"", "\"kernel\"", "The exercise's scenario cannot be read"),
    ] {
        let refused = replaced(from, to);
        assert!(refused.contains(says), "{says}: {refused}");
    }
    let none = Exercise { questions: Vec::new(), ..exercise.clone() };
    assert!(none.check().unwrap_err().to_string().contains("there are none"));
    let many = Exercise { questions: vec![exercise.questions[0].clone(); 51], ..exercise.clone() };
    assert!(many.check().unwrap_err().to_string().contains("there are 51; the maximum is 50"));
}

/// By the maker's own buttons, and then as a student.
#[test]
fn teach_an_exercise_is_made_and_done() {
    let mut maker = OnPage::<ExerciseMaker>::on("exercise", "tx2-table-1");
    maker.page = Some(("https://host/page".to_owned(), Vec::new()));
    let shown = maker.open("");
    assert!(!shown.can_ask && shown.questions.is_empty() && shown.lacks.is_none());
    let shown = maker.send(exercise::Msg::AskHere).view.unwrap();
    assert!(shown.problem.unwrap().starts_with("Nothing is decided right after step 0"));
    for _ in 0..3 {
        let effects = maker.send(exercise::Msg::GoOn).effects;
        let [Effect::GoToStep(step)] = effects[..] else { panic!("{effects:?}") };
        maker.go(step);
        assert!(maker.moved().can_ask);
        maker.send(exercise::Msg::AskHere);
    }
    maker.edit(|state| state.introduction = "Think first.".to_owned());
    maker.edit(|state| state.questions[1].text = "Look at the queues.".to_owned());
    let shown = maker.edit(|state| state.set_pass("two")).view.unwrap();
    let pass = |maker: &OnPage<ExerciseMaker>| ExerciseMaker::remembered(&maker.memory).pass;
    assert_eq!((pass(&maker).as_str(), shown.lacks.as_deref()), ("two", Some("Right answers to pass: \"two\" is not a whole number.")));
    let shown = maker.edit(|state| state.set_pass(" 1 ")).view.unwrap();
    assert!(shown.lacks.is_none() && pass(&maker) == "1");
    assert!(shown.questions.iter().all(|item| item.choices.iter().filter(|(_, is_key)| *is_key).count() == 1 && item.warning.is_none()));
    let shown = maker.send(exercise::Msg::Up(2)).view.unwrap();
    assert!(shown.questions[2].warning.as_deref().unwrap().starts_with("Question 2 is about a later step"), "{shown:?}");
    let shown = maker.send(exercise::Msg::Down(1)).view.unwrap();
    let key: Vec<String> = shown.questions.iter().map(|item| item.choices.iter().find(|(_, is_key)| *is_key).unwrap().0.clone()).collect();
    let effects = maker.send(exercise::Msg::CopyLink).effects;
    let [Effect::CopyText(address)] = &effects[..] else { panic!("{effects:?}") };
    let (link, _) = read_link(address).unwrap();
    assert!(link.is_future_hidden && link.tools.len() == 1);
    let (tool, memory) = &link.tools[0];
    let opening = blockstep_tools::tool::memory::without(memory, "open").1.unwrap();
    assert_eq!(tool, "quiz");

    let mut student = OnPage::<Quiz>::new("quiz", scenario());
    let opened = student.tell(Event::Opened(opening.clone())).unwrap();
    let Stage::Ready(ready) = opened.view.unwrap().stage else { panic!() };
    assert!(ready.text == "Think first." && ready.about.starts_with("3 questions. You pass with 1 right answers."), "{ready:?}");
    assert!(
        opened.effects.contains(&Effect::HideFuture(true)) && opened.effects.iter().any(|effect| matches!(effect, Effect::Hold(Some(_))))
    );
    student.send(quiz::Msg::Start { seed: String::new(), student: "Ada".to_owned() });
    for (i, right) in key.iter().enumerate() {
        let Stage::Asks(asks) = student.moved().stage else { panic!() };
        assert_eq!(asks.text, if i == 1 { "Look at the queues." } else { "" });
        let at = asks.question.choices.iter().position(|choice| choice.text == *right).unwrap();
        let wrong = (at + 1) % asks.question.choices.len();
        student.send([quiz::Msg::Answer(Some(at)), quiz::Msg::Answer(Some(wrong)), quiz::Msg::Pass][i].clone());
        student.send(quiz::Msg::Next);
    }
    let Stage::Over(over) = student.moved().stage else { panic!() };
    assert_eq!((over.score.as_str(), over.passed.map(|(is_passed, _)| is_passed)), ("1 of 3", Some(true)));
    let effects = student.send(quiz::Msg::Save { student: "Ada".to_owned() }).effects;
    let [Effect::SaveFile { text, .. }] = &effects[..] else { panic!("{effects:?}") };
    let made = table(vec![("a.json".to_owned(), text.clone())]);
    assert_eq!((made.rows[0].marks.as_slice(), made.counted), ([ClassMark::Right, ClassMark::Wrong, ClassMark::GivenUp].as_slice(), 1));

    // As a file.
    let effects = maker.send(exercise::Msg::Save).effects;
    let [Effect::SaveFile { text, .. }] = &effects[..] else { panic!("{effects:?}") };
    let mut student = OnPage::<Quiz>::on("quiz", "edf-fig-1");
    let effects = student.tell(Event::OpenedWith(vec![("a.json".to_owned(), text.clone())])).unwrap().effects;
    let [Effect::OpenScenario { scenario, .. }, Effect::OpenTool { name, word }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((name.as_str(), word), ("quiz", &opening));
    student.scenario.clone_from(scenario);
    assert!(matches!(student.open(word).stage, Stage::Ready(_)));
}

/// An exercise about something that the run does not decide is refused, and nothing is hidden for it.
#[test]
fn teach_an_exercise_that_does_not_fit_is_refused() {
    let ask = |step: u32, kind: &str| Exercise {
        questions: vec![ExerciseQuestion { step, kind: kind.to_owned(), ..ExerciseQuestion::default() }],
        ..Exercise::default()
    };
    let cases = [
        (ask(0, "sm"), "question 1: nothing of the kind \"Which SM takes this block\" is decided after step 0"),
        (ask(99_999, "kernel"), "is decided after step 99999"),
        (ask(12, "colour"), "\"colour\" is not a kind of question"),
        (Exercise::default(), "there are none"),
    ];
    for (exercise, says) in cases {
        let mut page = OnPage::<Quiz>::new("quiz", scenario());
        let told = page.tell(Event::Opened(quiz::exercise_word(&exercise))).unwrap();
        let problem = told.view.unwrap().problem.unwrap();
        assert!(problem.starts_with("This exercise cannot be opened: ") && problem.contains(says), "{problem}");
        assert!(told.effects.contains(&Effect::Hold(None)) && told.effects.contains(&Effect::HideFuture(false)));
    }
}

/// Browsers may hold an exercise as links do.
#[test]
fn teach_the_maker_reads_an_exercise_in_one_text() {
    let made = exercise();
    let text = blockstep_tools::tool::memory::with("", "exercise", made.write());
    let state = ExerciseMaker::remembered(&text);
    assert_eq!((state.title, state.introduction, state.pass, state.questions), (made.title, made.text, "2".to_owned(), made.questions));
    assert_eq!(ExerciseMaker::remembered("exercise=%7B%22questions%22%3A%5B%5D%7D&pass=two").pass, "two");
}

/// The maker shows keys, so it is closed as long as anything is hidden; and it survives any state.
#[test]
fn teach_the_maker_survives_any_state() {
    let mut page = OnPage::<ExerciseMaker>::on("exercise", "tx2-table-1");
    page.screen.is_future_hidden = true;
    assert!(page.tell(Event::Opened(String::new())).unwrap().view.is_none());
    page.screen.is_future_hidden = false;
    for memory in [
        "",
        "exercise=%7B",
        "exercise=x&pass=y",
        "exercise=%7B%22questions%22%3A%5B%7B%22step%22%3A4294967295%2C%22kind%22%3A%22x%22%7D%5D%7D",
    ] {
        for message in [
            exercise::Msg::AskHere,
            exercise::Msg::GoOn,
            exercise::Msg::Suggest,
            exercise::Msg::Up(usize::MAX - 1),
            exercise::Msg::Down(0),
            exercise::Msg::Remove(3),
            exercise::Msg::Save,
            exercise::Msg::CopyLink,
            exercise::Msg::Try,
            exercise::Msg::Clear,
        ] {
            page.memory = memory.to_owned();
            assert!(page.send(message).view.is_some());
        }
        page.memory = memory.to_owned();
        assert!(page.edit(|state| state.set_pass("<b>")).view.is_some());
    }
}

/// A question of the teacher's own.
fn own(step: u32, choices: &[&str], right: usize) -> ExerciseQuestion {
    let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
    ExerciseQuestion { step, kind: "own".to_owned(), text: "Which kernel would you shorten?".to_owned(), choices, right }
}

#[test]
fn teach_a_teacher_asks_questions_of_their_own() {
    let asked = own(12, &["K1", "K2", "Neither"], 3);
    let inset = ExerciseQuestion { step: 18, kind: "inset".to_owned(), ..ExerciseQuestion::default() };
    let exercise = Exercise { questions: vec![asked.clone(), inset, own(89, &["Yes", "No"], 1)], ..Exercise::default() };
    let text = ExerciseFile::write(&exercise, scenario()).unwrap();
    assert_eq!(read_exercise(&text).unwrap().exercise, exercise);
    let mut student = OnPage::<Quiz>::new("quiz", scenario());
    student.open(&quiz::exercise_word(&exercise));
    student.send(quiz::Msg::Start { seed: String::new(), student: "Ada".to_owned() });
    let Stage::Asks(asks) = student.moved().stage else { panic!() };
    let offered: Vec<&str> = asks.question.choices.iter().map(|choice| choice.text.as_str()).collect();
    assert_eq!((asks.question.text.as_str(), asks.text.as_str()), (asked.text.as_str(), ""), "the text is the question");
    assert_eq!(offered, ["K1", "K2", "Neither"], "in the teacher's order");
    student.send(quiz::Msg::Answer(Some(7)));
    assert!(matches!(student.moved().stage, Stage::Asks(_)), "there is no such choice");
    student.send(quiz::Msg::Answer(Some(0)));
    let Stage::Told(told) = student.moved().stage else { panic!() };
    assert_eq!((told.lead.as_str(), told.answer.as_str(), told.why), ("The right answer", "Neither", None));
    student.send(quiz::Msg::Next);
    let Stage::Asks(asks) = student.moved().stage else { panic!() };
    assert!(asks.inset.is_some());
    student.send(quiz::Msg::Pass);
    student.send(quiz::Msg::Next);
    student.send(quiz::Msg::Answer(Some(0)));
    student.send(quiz::Msg::Next);
    let Stage::Over(over) = student.moved().stage else { panic!() };
    assert_eq!(over.score, "1 of 3");
    let effects = student.send(quiz::Msg::Save { student: "Ada".to_owned() }).effects;
    let [Effect::SaveFile { text, .. }] = &effects[..] else { panic!("{effects:?}") };
    let saved = read_result(text).unwrap();
    let first = &saved.questions[0];
    assert_eq!((first.kind.as_str(), first.given.as_str(), first.right.as_str(), first.rule.as_str()), ("own", "K1", "Neither", ""));
    let made = table(vec![("a.json".to_owned(), text.clone())]);
    assert_eq!(made.rows[0].marks, [ClassMark::Wrong, ClassMark::GivenUp, ClassMark::Right]);
}

#[test]
fn teach_bad_questions_of_a_teacher_are_refused() {
    let long = "x".repeat(301);
    let seven: Vec<String> = (0..7).map(|i| i.to_string()).collect();
    let seven: Vec<&str> = seven.iter().map(String::as_str).collect();
    for (asked, says) in [
        (own(1, &["a"], 1), "Choices of question 1: there is 1; a question of your own has 2 to 6."),
        (own(1, &[], 1), "there are 0"),
        (own(1, &seven, 1), "Choices of question 1: there are 7; a question of your own has 2 to 6."),
        (own(1, &["a", "b"], 0), "Right choice of question 1: 0 is not a number from 1 to 2."),
        (own(1, &["a", "b"], 3), "Right choice of question 1: 3 is not a number from 1 to 2."),
        (own(1, &["a", " "], 1), "Choice 2 of question 1: it is empty."),
        (own(1, &["a", "b", "a"], 1), "Choice 3 of question 1: \"a\" stands there twice."),
        (own(1, &[&long, "b"], 1), "Choice 1 of question 1: this text has 301 characters; the maximum is 300."),
        (ExerciseQuestion { text: "  ".to_owned(), ..own(1, &["a", "b"], 1) }, "Text of question 1: there is none"),
        (ExerciseQuestion { kind: "sm".to_owned(), ..own(1, &["a", "b"], 1) }, "Choices of question 1: its kind is \"sm\""),
    ] {
        let exercise = Exercise { questions: vec![asked], ..Exercise::default() };
        let refused = exercise.check().unwrap_err().to_string();
        assert!(refused.contains(says), "{says}: {refused}");
        let mut page = OnPage::<Quiz>::new("quiz", scenario());
        let problem = page.tell(Event::Opened(quiz::exercise_word(&exercise))).unwrap().view.unwrap().problem.unwrap();
        assert!(problem.contains(says), "{problem}");
    }
    let late = Exercise { questions: vec![own(90, &["a", "b"], 1)], ..Exercise::default() };
    let mut page = OnPage::<Quiz>::new("quiz", scenario());
    let problem = page.tell(Event::Opened(quiz::exercise_word(&late))).unwrap().view.unwrap().problem.unwrap();
    assert!(problem.ends_with("question 1: step 90 is after the end of the run, step 89."), "{problem}");
}

#[test]
fn teach_the_maker_takes_questions_of_a_teacher() {
    let mut maker = OnPage::<ExerciseMaker>::on("exercise", "tx2-table-1");
    maker.page = Some(("https://host/page".to_owned(), Vec::new()));
    maker.open("");
    let shown = maker.send(exercise::Msg::AskOwn).view.unwrap();
    assert!(shown.questions[0].is_own && shown.questions[0].kinds.len() == 1, "{shown:?}");
    assert!(shown.lacks.unwrap().starts_with("Text of question 1: there is none"));
    let shown = maker.edit(|state| {
        state.questions[0].text = "Why?".to_owned();
        state.questions[0].choices = vec!["Because".to_owned(), "Never".to_owned()];
        state.questions[0].right = 2;
    });
    let shown = shown.view.unwrap();
    assert!(shown.lacks.is_none(), "{shown:?}");
    assert_eq!(shown.questions[0].choices, [("Because".to_owned(), false), ("Never".to_owned(), true)]);
    let effects = maker.send(exercise::Msg::Try).effects;
    let [Effect::OpenTool { name, word }] = &effects[..] else { panic!("{effects:?}") };
    let mut student = OnPage::<Quiz>::new("quiz", scenario());
    assert!(name == "quiz" && matches!(student.open(word).stage, Stage::Ready(_)));
}
