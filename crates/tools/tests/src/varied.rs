//! Exercises whose numbers differ from student to student: what a student gets, what the teacher is told, and what the class page makes of it.

use std::collections::BTreeSet;

use blockstep_format::{
    self as format, Exercise, ExerciseFile, ExerciseQuestion, GivenNumber, QuizResult, VariedNumber, read_exercise, read_link, read_result,
    student_seed,
};
use blockstep_learn::class::{self as learn, ClassColumn, ClassMark};
use blockstep_learn::quiz::{Inset, QuestionKind, Spot, question_at};
use blockstep_protocol::Effect;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::Change;
use blockstep_tools::exercise::{self, Exercise as ExerciseMaker};
use blockstep_tools::quiz::{self, Quiz, Stage};
use blockstep_tools::tool::{Event, Tool, memory};
use blockstep_view::document::Document;

use crate::tool::OnPage;

/// A scenario file as the page has it.
fn on_page(text: &str) -> String {
    format::write_scenario(&Document::new(format::read_scenario(text).unwrap()).draft())
}

fn example(id: &str) -> String {
    on_page(examples::find(id).unwrap().json)
}

fn vary(numbers: &[(&str, &str)]) -> Vec<VariedNumber> {
    numbers.iter().map(|(field, values)| VariedNumber { field: (*field).to_owned(), values: (*values).to_owned() }).collect()
}

/// Questions that the maker suggests about a scenario.
fn suggested(scenario: &str) -> Vec<ExerciseQuestion> {
    let mut maker = OnPage::<ExerciseMaker>::new("exercise", scenario);
    maker.send(exercise::Msg::Suggest);
    ExerciseMaker::remembered(&maker.memory).questions
}

fn exercise(scenario: &str, numbers: &[(&str, &str)]) -> Exercise {
    Exercise { title: "Warm-up".to_owned(), vary: vary(numbers), questions: suggested(scenario), ..Exercise::default() }
}

fn run(scenario: &str) -> Run {
    let draft = format::read_scenario(scenario).unwrap();
    engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default())
}

/// Opens an exercise in its scenario.
fn opened(scenario: &str, exercise: &Exercise) -> OnPage<Quiz> {
    let mut page = OnPage::<Quiz>::new("quiz", scenario);
    page.page = Some(("https://host/page".to_owned(), Vec::new()));
    let Stage::Ready(ready) = page.open(&quiz::exercise_word(exercise)).stage else { panic!() };
    assert!(ready.needs_name && ready.about.contains("come from the name or number that you type"));
    page
}

/// Types a name and starts; what the page does then is done.
fn begin(page: &mut OnPage<Quiz>, student: &str) -> quiz::View {
    let told = page.send(quiz::Msg::Start { seed: String::new(), student: student.to_owned() });
    let opening =
        told.effects.iter().find_map(|effect| if let Effect::OpenScenario { scenario, .. } = effect { Some(scenario) } else { None });
    let Some(scenario) = opening else { return told.view.unwrap() };
    // Nothing of it is seen, and nothing else can be opened meanwhile.
    let [Effect::Hold(None), Effect::HideFuture(true), Effect::OpenScenario { .. }, Effect::GoToStep(0), Effect::Hold(Some(hold))] =
        &told.effects[..]
    else {
        panic!("{:?}", told.effects)
    };
    assert_eq!((hold.limit, on_page(scenario) == *scenario), (0, true));
    // The run that was on screen may still be there.
    assert!(matches!(page.moved().stage, Stage::Ready(_)));
    page.scenario.clone_from(scenario);
    page.moved()
}

/// Answers every question with what is right by another run of the engine, and saves the result.
fn answered(page: &mut OnPage<Quiz>, count: usize) -> QuizResult {
    let run = run(&page.scenario);
    for number in 0..count {
        let view = page.moved();
        let Stage::Asks(asks) = view.stage else { panic!("{view:?}") };
        assert!(asks.head.starts_with(&format!("Question {} of {count}", number + 1)), "{}", asks.head);
        if asks.inset.is_some() || asks.question.choices.is_empty() {
            page.send(quiz::Msg::Pass);
        } else {
            let texts: Vec<&str> = asks.question.choices.iter().map(|choice| choice.text.as_str()).collect();
            page.send(quiz::Msg::Answer(Some(0)));
            assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len());
        }
        page.send(quiz::Msg::Next);
    }
    let Stage::Over(over) = page.moved().stage else { panic!() };
    assert!(over.is_named);
    let effects = page.send(quiz::Msg::Save { student: "Somebody Else".to_owned() }).effects;
    let [Effect::SaveFile { text, .. }] = &effects[..] else { panic!("{effects:?}") };
    let result = read_result(text).unwrap();
    for given in result.questions.iter().filter(|given| given.kind != "own") {
        let spot = Spot { position: given.step, kind: QuestionKind::from_id(&given.kind).unwrap() };
        let right = match spot.kind {
            QuestionKind::Inset => Inset::next(&mut run.replay(), spot.position).map(|inset| inset.in_words(inset.right())),
            _ => question_at(&mut run.replay(), spot, result.seed).map(|question| question.answer().text.clone()),
        };
        assert_eq!(right.as_ref(), Some(&given.right), "{given:?}");
        if let (QuestionKind::Sm, Change::BlockAssigned { sm, .. }) = (spot.kind, &run.trace.steps()[spot.position as usize].change) {
            assert_eq!(given.right, format!("SM {}", sm.0), "what the engine does next");
        }
    }
    result
}

const NAMES: [&str; 12] =
    ["Ada", "Grace Hopper", "4711", "Zoë", "李", "Ada Lovelace", "b", "Çelik", "0", "Alan Turing", "4712", "Edsger W. Dijkstra"];

/// The cases of most tests: an example, and numbers of it that differ.
const CASES: [(&str, &[(&str, &str)]); 5] = [
    ("tx2-table-1", &[("kernels[K1].blocks", "2..=8"), ("kernels[K3].threads_per_block", "64,128,256")]),
    ("tx2-table-1", &[("kernels[K2].block_time_ns", "200ms..=1s:100ms")]),
    ("tx2-table-2", &[("kernels[K3].blocks", "1..=9"), ("kernels[0].blocks", "1,2,3,4"), ("kernels[K2].blocks", "1..5")]),
    ("edf-fig-1", &[("kernels[0].blocks", "1..=6")]),
    // Most of these are no scenarios.
    ("tx2-table-1", &[("kernels[K1].threads_per_block", "512..=4096:512"), ("kernels[K4].blocks", "1..=3")]),
];

#[test]
fn varied_tables_are_whole_and_follow_from_the_text() {
    for (id, numbers) in CASES {
        let own = example(id);
        let exercise = exercise(&own, numbers);
        let own_steps: Vec<u32> = exercise.questions.iter().map(|asked| asked.step).collect();
        let mut tables = BTreeSet::new();
        for name in NAMES {
            let mut page = opened(&own, &exercise);
            let view = begin(&mut page, name);
            assert!(view.numbers.starts_with("Your numbers. ") && view.numbers.contains(" of K"), "{}", view.numbers);
            let table = page.scenario.clone();
            let result = answered(&mut page, exercise.questions.len());
            assert_eq!(
                (result.student.as_str(), result.exercise_id.as_str()),
                (name, exercise.id().as_str()),
                "the name cannot be changed"
            );
            assert_eq!((result.scenario_id.as_str(), result.seed), (format::short_id(&own).as_str(), student_seed(&exercise.id(), name)));
            // What it records is what the table has.
            let file: serde_json::Value = serde_json::from_str(&table).unwrap();
            for (given, (field, _)) in result.numbers.iter().zip(numbers) {
                let (row, name) = field.split_once("].").unwrap();
                let row = row.trim_start_matches("kernels[");
                let kernels = file["kernels"].as_array().unwrap();
                let place = kernels.iter().position(|kernel| kernel["name"] == row).unwrap_or_else(|| row.parse().unwrap());
                assert_eq!(kernels[place][name].as_u64(), given.value, "{given:?}");
            }
            // Each question at its step or later, in order, each decision once.
            let steps: Vec<u32> = result.questions.iter().map(|given| given.step).collect();
            assert!(steps.is_sorted() && own_steps.is_sorted(), "{steps:?}");
            assert!(steps.iter().zip(&own_steps).all(|(step, own)| step >= own), "{steps:?} {own_steps:?}");
            let kinds: Vec<&str> = result.questions.iter().map(|given| given.kind.as_str()).collect();
            assert_eq!(kinds, exercise.questions.iter().map(|asked| asked.kind.as_str()).collect::<Vec<_>>());
            let asked: BTreeSet<(u32, &str)> = steps.iter().copied().zip(kinds.iter().copied()).collect();
            assert_eq!(asked.len(), steps.len());
            // The same text gives the same, however it is typed.
            let mut again = opened(&own, &exercise);
            begin(&mut again, &format!("  {} ", name.to_uppercase()));
            assert_eq!(again.scenario, table, "{name}");
            tables.insert(table);
        }
        assert!(tables.len() >= 3, "{id}: {} tables for {} names", tables.len(), NAMES.len());
    }
}

/// Whatever numbers differ in whatever example: the exercise's own table comes back, for another student and for its link.
#[test]
fn varied_tables_lead_back_to_the_own_one() {
    let mut led_back = 0;
    for example in examples::all() {
        let own = on_page(example.json);
        let steps = run(&own).trace.steps().len();
        let questions = if steps > 1_500 { Vec::new() } else { suggested(&own) };
        let Some(first) = questions.first() else { continue };
        let file: serde_json::Value = serde_json::from_str(&own).unwrap();
        let rows = file["kernels"].as_array().unwrap().len();
        for row in [0, rows / 2, rows - 1] {
            for field in
                ["blocks", "threads_per_block", "start_ns", "shared_memory_bytes", "priority", "copy_in_bytes", "registers_per_thread"]
            {
                let number = format!("kernels[{row}].{field}");
                let now = file["kernels"][row][field].as_u64().unwrap_or(0);
                let values = format!("{},{}", now + 1, now + 2);
                let exercise = Exercise { vary: vary(&[(&number, &values)]), questions: vec![first.clone()], ..Exercise::default() };
                let mut page = OnPage::<Quiz>::new("quiz", &own);
                page.page = Some(("https://host/page".to_owned(), Vec::new()));
                if !matches!(page.open(&quiz::exercise_word(&exercise)).stage, Stage::Ready(_)) {
                    // This row has no such number.
                    continue;
                }
                begin(&mut page, "Ada");
                led_back += usize::from(page.scenario != own);
                page.send(quiz::Msg::End);
                let effects = page.send(quiz::Msg::CopyLink).effects;
                let [Effect::CopyText(address)] = &effects[..] else { panic!("{effects:?}") };
                let (link, _) = read_link(address).unwrap();
                assert_eq!(on_page(&format::write_scenario(&link.scenario)), own, "{}: {number}", example.id);
                // Again, with another name.
                let view = page.send(quiz::Msg::Again).view.unwrap();
                assert!(matches!(view.stage, Stage::Ready(_)), "{}: {number}: {view:?}", example.id);
                let view = begin(&mut page, "Grace");
                assert!(matches!(view.stage, Stage::Asks(_)), "{}: {number}: {view:?}", example.id);
            }
        }
    }
    assert!(led_back > 100, "{led_back}");
}

#[test]
fn varied_exercise_needs_a_name_and_goes_on_after_a_reload() {
    let own = example("tx2-table-1");
    let exercise = exercise(&own, &[("kernels[K1].blocks", "2..=8"), ("kernels[K4].blocks", "1..=8")]);
    let mut page = opened(&own, &exercise);
    let told = page.send(quiz::Msg::Start { seed: String::new(), student: "  ".to_owned() });
    let view = told.view.unwrap();
    assert!(told.effects.is_empty() && matches!(view.stage, Stage::Ready(_)) && view.numbers.is_empty());
    assert!(view.problem.unwrap().starts_with("Type your name or number first"));
    // A reload before the table is there asks for it again; and there it goes on with the same.
    let told = page.send(quiz::Msg::Start { seed: String::new(), student: "Ada".to_owned() });
    let reloaded = page.tell(Event::Opened(String::new())).unwrap();
    assert_eq!(reloaded.effects, told.effects);
    let Effect::OpenScenario { scenario, .. } = &told.effects[2] else { panic!() };
    page.scenario.clone_from(scenario);
    let first = page.tell(Event::Opened(String::new())).unwrap();
    let (view, effects) = (first.view.unwrap(), first.effects);
    assert!(matches!(view.stage, Stage::Asks(_)));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Hold(Some(hold)) if hold.is_asking)));
    let again = page.tell(Event::Opened(String::new())).unwrap().view.unwrap();
    assert_eq!((again.numbers, again.problem), (view.numbers, None));
    // With the exercise's own table back on screen, nothing is graded.
    page.scenario.clone_from(&own);
    assert!(matches!(page.moved().stage, Stage::Changed(_)));
    // From there it can begin anew.
    assert!(matches!(page.send(quiz::Msg::Again).view.unwrap().stage, Stage::Ready(_)));
    assert!(matches!(begin(&mut page, "Ada").stage, Stage::Asks(_)));
    assert_eq!(page.scenario, *scenario);
}

/// Whatever a browser may hold of it.
#[test]
fn varied_exercise_survives_any_state() {
    let own = example("tx2-table-1");
    let exercise = exercise(&own, &[("kernels[K1].blocks", "2..=8")]);
    let mut page = opened(&own, &exercise);
    let told = page.send(quiz::Msg::Start { seed: String::new(), student: "Ada".to_owned() });
    assert!(matches!(told.effects[2], Effect::OpenScenario { .. }));
    let deals = page.memory.clone();
    let mut memories = vec!["{\"phase\":\"deals\"}".to_owned(), deals.clone()];
    for field in ["dealt", "exercise", "spots", "run", "seed", "student"] {
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&deals).unwrap();
        assert!(fields.remove(field).is_some(), "{field}");
        memories.push(serde_json::to_string(&fields).unwrap());
        fields.insert(field.to_owned(), serde_json::json!({ "own": "x", "numbers": [{ "field": "kernels[K9]", "value": 1, "text": "" }] }));
        memories.push(serde_json::to_string(&fields).unwrap());
    }
    let messages = || {
        let start = Event::Message(quiz::Msg::Start { seed: String::new(), student: "Bob".to_owned() });
        let further = [quiz::Msg::Answer(Some(0)), quiz::Msg::Pass, quiz::Msg::End, quiz::Msg::Again, quiz::Msg::CopyLink];
        [Event::Moved, Event::Opened(String::new()), start].into_iter().chain(further.into_iter().map(Event::Message))
    };
    for memory in memories {
        for scenario in [own.as_str(), &example("edf-fig-1")] {
            for event in messages() {
                page.memory.clone_from(&memory);
                page.scenario = scenario.to_owned();
                assert!(page.tell(event).unwrap().view.is_some(), "{memory}");
            }
        }
    }
}

/// Where no table can be given, students have the exercise's own.
#[test]
fn varied_exercise_falls_back_to_its_own_table() {
    let own = example("tx2-table-1");
    let exercise = exercise(&own, &[("kernels[K1].threads_per_block", "5000,6000")]);
    let mut page = opened(&own, &exercise);
    let view = begin(&mut page, "Ada");
    assert_eq!((page.scenario.as_str(), view.numbers.as_str()), (own.as_str(), "Your numbers. Threads of K1: 768."));
    assert_eq!(answered(&mut page, exercise.questions.len()).numbers[0].value, Some(768));
}

/// A question of a teacher's own comes at its step, and at the end if it is there in the exercise's own table.
#[test]
fn varied_exercise_asks_own_questions() {
    let own = example("tx2-table-1");
    let last = run(&own).trace.steps().len() as u32;
    let question = |step| ExerciseQuestion {
        step,
        kind: "own".to_owned(),
        text: "Which?".to_owned(),
        choices: vec!["a".to_owned(), "b".to_owned()],
        right: 2,
    };
    let numbers = vary(&[("kernels[K1].blocks", "1..=3"), ("kernels[K3].blocks", "1..=12")]);
    let exercise = Exercise { vary: numbers, questions: vec![question(12), question(last)], ..Exercise::default() };
    for name in NAMES {
        let mut page = opened(&own, &exercise);
        begin(&mut page, name);
        let result = answered(&mut page, 2);
        let steps: Vec<u32> = result.questions.iter().map(|given| given.step).collect();
        assert_eq!(steps, [12, run(&page.scenario).trace.steps().len() as u32]);
    }
}

#[test]
fn varied_exercise_that_cannot_be_is_refused() {
    let own = example("tx2-table-1");
    let cases: [(&[(&str, &str)], &str); 9] = [
        (&[("kernels[K9].blocks", "1,2")], "Numbers that differ: the table has no number \"kernels[K9].blocks\"."),
        (&[("policy.kind", "fifo,edf")], "Numbers that differ: the table has no number \"policy.kind\"."),
        (&[("kernels[K1].blocks", "2..=8"), ("kernels[0].blocks", "1,2")], "Blocks of K1: it stands there twice"),
        (&[("kernels[K1].blocks", "2,many")], "Blocks of K1: \"many\" is not a number."),
        (&[("kernels[K1].blocks", "2,3,2")], "Blocks of K1: 2 stands there twice."),
        (&[("kernels[K1].blocks", "~2..=8")], "Blocks of K1: its values are drawn"),
        (&[("kernels[K1].blocks", "8..2")], "has no value"),
        (&[("kernels[K1].blocks", "1..=1001")], "Blocks of K1: there are 1001 values; the maximum is 1000."),
        (&[("kernels[K1].blocks", "1,2"); 7], "Numbers that differ: there are 7; the maximum is 6."),
    ];
    for (numbers, says) in cases {
        let exercise = exercise(&own, numbers);
        let mut page = OnPage::<Quiz>::new("quiz", &own);
        let told = page.tell(Event::Opened(quiz::exercise_word(&exercise))).unwrap();
        let problem = told.view.unwrap().problem.unwrap();
        assert!(problem.starts_with("This exercise cannot be opened: ") && problem.contains(says), "{says}: {problem}");
        assert!(told.effects.contains(&Effect::HideFuture(false)));
    }
    let long = "1,".repeat(251);
    let refused = Exercise { vary: vary(&[("kernels[K1].blocks", &long)]), ..exercise(&own, &[]) }.check().unwrap_err().to_string();
    assert_eq!(refused, "Values of number 1 that differs: this text has 502 characters; the maximum is 500.");
    // Together they are too many for a sweep.
    let many = exercise(&own, &[("kernels[K1].blocks", "1..=1000"), ("kernels[K2].blocks", "1..=1000"), ("kernels[K3].blocks", "1,2")]);
    let problem = OnPage::<Quiz>::new("quiz", &own).open(&quiz::exercise_word(&many)).problem.unwrap();
    assert!(problem.contains("2000000 runs are too many; the limit is 1000000"), "{problem}");
}

/// A reader that knows nothing of such numbers refuses them by their name, in links and files.
#[test]
fn varied_numbers_are_a_field_that_files_have_only_if_there_are_any() {
    let own = example("tx2-table-1");
    let plain = exercise(&own, &[]);
    assert!(!plain.write().contains("vary") && !ExerciseFile::write(&plain, &own).unwrap().contains("vary"));
    let varied = exercise(&own, &[("kernels[K1].blocks", "2..=8")]);
    let text = ExerciseFile::write(&varied, &own).unwrap();
    assert_eq!(read_exercise(&text).unwrap().exercise, varied);
    let unknown = text.replacen("\"vary\"", "\"varied\"", 1);
    assert!(read_exercise(&unknown).unwrap_err().to_string().contains("unknown field `varied`"));
    assert!(Exercise::read(&varied.write().replacen("\"vary\"", "\"varied\"", 1)).is_err());
    assert_ne!(plain.id(), varied.id());
    // By hand, so that it is the same in every version.
    assert_eq!((student_seed("0123456789abcdef", " Ada "), student_seed("0123456789abcdef", "aDA")), (SEED_OF_ADA, SEED_OF_ADA));
}

/// The first 32 bits of `printf '0123456789abcdef\nada' | sha256sum`.
const SEED_OF_ADA: u64 = 0xead828e1;

/// By the buttons and fields of the maker.
#[test]
fn varied_exercise_is_made() {
    let mut maker = OnPage::<ExerciseMaker>::new("exercise", &example("tx2-table-1"));
    maker.page = Some(("https://host/page".to_owned(), Vec::new()));
    let shown = maker.send(exercise::Msg::Suggest).view.unwrap();
    assert!(shown.numbers.is_empty() && shown.vary.is_empty() && shown.tables.is_empty());
    let shown = maker.send(exercise::Msg::AddNumber).view.unwrap();
    let state = |maker: &OnPage<ExerciseMaker>| ExerciseMaker::remembered(&maker.memory).vary;
    assert_eq!(state(&maker), vary(&[("kernels[K1].blocks", "1 to 12")]));
    assert!(shown.numbers.contains(&("kernels[K4].threads_per_block".to_owned(), "Threads of K4".to_owned())));
    assert!(shown.vary[0].hint.starts_with("Now it is 6. Write 1 to 12") && shown.tables.contains("12 possible tables"), "{shown:?}");
    let shown = maker.send(exercise::Msg::AddNumber).view.unwrap();
    assert_ne!(state(&maker)[1].field, "kernels[K1].blocks");
    assert_eq!((shown.vary.len(), shown.lacks), (2, None));
    let shown = maker.send(exercise::Msg::ChooseNumber(1, "kernels[K3].threads_per_block".to_owned())).view.unwrap();
    assert!(shown.vary[1].problem.is_none() && state(&maker)[1].values.contains(" to "), "{:?}", state(&maker));
    let set = |maker: &mut OnPage<ExerciseMaker>, values: [&str; 2]| {
        let told = maker.edit(|state| state.vary.iter_mut().zip(values).for_each(|(of, values)| of.values = values.to_owned()));
        told.view.unwrap()
    };
    let shown = set(&mut maker, ["2, 4, some", "64 to 256 step 64"]);
    let problem = "Blocks of K1: \"some\" is not a number";
    assert!(shown.lacks.unwrap().starts_with(problem) && shown.vary[0].problem.as_ref().unwrap().starts_with(problem));
    assert!(shown.vary[1].problem.is_none() && shown.tables.is_empty());
    let shown = set(&mut maker, ["2..8", "64 to 256 step 64"]);
    assert!(shown.tables.contains("24 possible tables") && shown.tables.contains(" different keys."), "{}", shown.tables);
    assert!(shown.tables.ends_with("The key above is that of the table on screen."), "{}", shown.tables);
    let effects = maker.send(exercise::Msg::Save).effects;
    let [Effect::SaveFile { text, .. }] = &effects[..] else { panic!("{effects:?}") };
    let saved = read_exercise(text).unwrap().exercise;
    let expected = vary(&[("kernels[K1].blocks", "2..=7"), ("kernels[K3].threads_per_block", "64..=256:64")]);
    assert_eq!(saved.vary, expected, "as sweeps take them");
    let effects = maker.send(exercise::Msg::CopyLink).effects;
    let [Effect::CopyText(address)] = &effects[..] else { panic!("{effects:?}") };
    let opening = memory::without(&read_link(address).unwrap().0.tools[0].1, "open").1.unwrap();
    let mut student = OnPage::<Quiz>::new("quiz", &maker.scenario);
    let Stage::Ready(ready) = student.open(&opening).stage else { panic!() };
    assert!(ready.needs_name);
    // None and one are too few; a sample says that it is one.
    let shown = set(&mut maker, ["2", "64"]);
    assert_eq!(shown.lacks.as_deref(), Some("Numbers that differ: these values make only one table. Add values."));
    let shown = set(&mut maker, ["2, 3", "5000"]);
    assert!(shown.lacks.unwrap().starts_with("Numbers that differ: none of the 2 possible tables asks every question."));
    assert!(maker.send(exercise::Msg::CopyLink).view.unwrap().problem.unwrap().starts_with("Numbers that differ: none"));
    let shown = set(&mut maker, ["6", "5000, 256"]);
    let lacks = shown.lacks.unwrap();
    assert!(lacks.starts_with("Numbers that differ: only one of the 2 possible tables asks every question"), "{lacks}");
    assert!(maker.send(exercise::Msg::Try).effects.is_empty());
    let shown = set(&mut maker, ["1 to 40", "32 to 512 step 32"]);
    assert!(shown.tables.starts_with("There are 640 possible tables; ") && shown.tables.contains("a sample of 200"), "{}", shown.tables);
    // A question of the teacher's own keeps its answer.
    maker.send(exercise::Msg::AskOwn);
    let own = |state: &mut exercise::State| {
        if let Some(asked) = state.questions.last_mut() {
            (asked.text, asked.choices) = ("Which?".to_owned(), vec!["a".to_owned(), "b".to_owned()]);
        }
    };
    let shown = maker.edit(own).view.unwrap();
    assert!(shown.tables.ends_with("stays the same whatever the numbers are."), "{}", shown.tables);
    // A number that the table has no more, and one too many.
    maker.edit(|state| state.vary[0].field = "kernels[K7].blocks".to_owned());
    let shown = maker.moved();
    assert!(shown.vary[0].problem.as_ref().unwrap().starts_with("The table no longer has \"kernels[K7].blocks\"."));
    assert!(shown.numbers.iter().any(|(field, _)| field == "kernels[K7].blocks"));
    maker.send(exercise::Msg::RemoveNumber(0));
    maker.send(exercise::Msg::RemoveNumber(7));
    assert_eq!(state(&maker).len(), 1);
    (0..5).for_each(|_| drop(maker.send(exercise::Msg::AddNumber)));
    let shown = maker.send(exercise::Msg::AddNumber).view.unwrap();
    assert_eq!((shown.vary.len(), shown.problem.as_deref()), (6, Some("Numbers that differ: there are 6 already; the maximum is 6.")));
}

/// What the teacher is told is what students get.
#[test]
fn varied_tables_are_counted_as_students_get_them() {
    let own = example("tx2-table-1");
    let numbers = [("kernels[K1].blocks", "1,2,3"), ("kernels[K4].threads_per_block", "128,256,4096")];
    let exercise = exercise(&own, &numbers);
    let (mut tables, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for name in 0..60 {
        let mut page = opened(&own, &exercise);
        begin(&mut page, &name.to_string());
        tables.insert(page.scenario.clone());
        let result = answered(&mut page, exercise.questions.len());
        keys.insert(result.questions.into_iter().map(|given| given.right).collect::<Vec<_>>());
    }
    let mut maker = OnPage::<ExerciseMaker>::new("exercise", &own);
    let shown = maker.edit(|state| {
        state.questions.clone_from(&exercise.questions);
        state.vary = vary(&numbers);
    });
    let said = shown.view.unwrap().tables;
    assert!(said.starts_with(&format!("{} of the 9 possible tables ask every question; students get only these.", tables.len())), "{said}");
    assert!(said.contains(&format!("They have {} different keys.", keys.len())), "{said} {}", keys.len());
}

#[test]
fn varied_results_are_of_one_exercise() {
    let own = example("tx2-table-1");
    let exercise = exercise(&own, &[("kernels[K1].blocks", "2..=8"), ("kernels[K4].blocks", "1..=8")]);
    let result = |name: &str| {
        let mut page = opened(&own, &exercise);
        begin(&mut page, name);
        answered(&mut page, exercise.questions.len())
    };
    let results: Vec<QuizResult> = ["Ada", "Grace", "Alan", "4711"].into_iter().map(result).collect();
    assert!(results.iter().any(|other| other.numbers != results[0].numbers));
    let renamed = QuizResult { student: "Bob".to_owned(), ..results[0].clone() }.sealed();
    let files = results.iter().chain([&renamed]).map(|result| (format!("{}.json", result.student), result.write())).collect::<Vec<_>>();
    let mut read = Vec::new();
    learn::add(&mut read, files);
    let mut table = learn::table(&read);
    let notes: Vec<Option<&str>> = table.rows.iter().map(|row| row.notes.first().map(String::as_str)).collect();
    assert_eq!(notes, [None, None, None, None, Some("These are the numbers of another name.")]);
    assert_eq!((table.counted, table.has_numbers()), (4, true));
    let words = |result: &QuizResult| result.numbers.iter().map(|number| number.text.clone()).collect::<Vec<_>>().join("; ");
    assert!(table.rows.iter().zip(&results).all(|(row, result)| row.numbers == words(result) && row.numbers.starts_with("Blocks of K1: ")));
    // By the number of the question.
    for (i, of) in table.summary.iter().enumerate() {
        let kind = QuestionKind::from_id(&exercise.questions[i].kind).unwrap();
        let marked = |mark| table.rows[..4].iter().filter(|row| row.marks[i] == mark).count();
        assert_eq!((of.question.as_str(), of.right, of.wrong), (kind.title(), marked(ClassMark::Right), marked(ClassMark::Wrong)));
        let rights: BTreeSet<&str> = results.iter().map(|result| result.questions[i].right.as_str()).collect();
        let expected = if rights.len() == 1 { results[0].questions[i].right.as_str() } else { "differs with the numbers" };
        assert_eq!(of.answer, expected);
    }
    table.sort(ClassColumn::Numbers, false);
    assert!(table.rows.is_sorted_by_key(|row| row.numbers.clone()));
    let csv = table.csv();
    let head = csv.lines().next().unwrap();
    assert!(head.starts_with("student,exercise,seed,began_utc,minutes,numbers,question_1,"), "{head}");
    // Numbers of another exercise are another exercise.
    let number = GivenNumber { field: "kernels[K1].blocks".to_owned(), value: Some(3), text: "Blocks of K1: 3".to_owned() };
    let seed = student_seed("other", "Eve");
    let other =
        QuizResult { exercise_id: "other".to_owned(), numbers: vec![number], seed, student: "Eve".to_owned(), ..results[0].clone() };
    learn::add(&mut read, [("eve.json".to_owned(), other.sealed().write())]);
    let table = learn::table(&read);
    assert_eq!(table.rows[5].notes, ["This is another exercise than in most files."]);
    let many = QuizResult { numbers: vec![GivenNumber::default(); 7], ..results[0].clone() }.sealed();
    assert_eq!(read_result(&many.write()).unwrap_err().to_string(), "Numbers: this result has 7; the maximum is 6.");
}
