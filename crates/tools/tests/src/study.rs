//! Studies as the page has them: forms, links, parts that add up, figures, and sets that open.

use blockstep_analysis::presets;
use blockstep_analysis::sweep::{Counter, Counts, Sweep, Test};
use blockstep_format as format;
use blockstep_protocol::{
    Ask, CheckStudy, CheckedStudy, CountStudy, FailingSets, OpenSet, OpenStudyForm, OpenTypedSet, RunId, StudyCsv, StudyFigure, StudyPlan,
    StudySvg, TypedSet, Verdicts,
};
use blockstep_report::study::form::StudyTexts;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{PolicyKind, Preemption, Release, Scenario};
use blockstep_view::panels::sheet::Tone;
use blockstep_view::panels::study::{CurvePoint, FIELDS, FigurePanel, GROUPS, Progress, fields_of};
use blockstep_view::panels::verdicts::{Promise, SpacePromise, VerdictsPanel};
use blockstep_worker::Worker;

fn ask<A: Ask>(worker: &mut Worker, request: A) -> Result<A::Answer, String> {
    crate::ask(worker, None, request)
}

/// What the form of a link comes to.
fn checked(worker: &mut Worker, link: &str) -> CheckedStudy {
    let texts = ask(worker, OpenStudyForm(link.to_owned())).unwrap().texts;
    ask(worker, CheckStudy { texts }).unwrap()
}

/// The study of a link.
fn planned(worker: &mut Worker, link: &str) -> StudyPlan {
    checked(worker, link).plan.unwrap_or_else(|problems| panic!("{link}: {problems:?}"))
}

/// The study of a link, and what counting it in parts of `size` comes to, as the page adds it up.
fn run(worker: &mut Worker, link: &str, size: u64) -> (String, Sweep, Vec<Counts>) {
    let plan = planned(worker, link);
    let sweep = format::read_sweep(&plan.study).unwrap();
    let sizes = (u64::from(plan.points), plan.tests as usize, plan.sets);
    assert_eq!(sizes, (sweep.utilisation.count(), sweep.tests.len(), sweep.sets));
    let mut all = vec![Counts::none(plan.tests as usize); plan.points as usize];
    for (point, sum) in (0..).zip(&mut all) {
        for from in (0..plan.sets).step_by(size as usize) {
            sum.add(&ask(worker, CountStudy { study: plan.study.clone(), point, from, to: from + size }).unwrap().counts);
        }
    }
    (plan.study, sweep, all)
}

/// The figure of a study that was counted.
fn figure(worker: &mut Worker, (study, _, counts): &(String, Sweep, Vec<Counts>), progress: Progress, width_px: u32) -> FigurePanel {
    let (study, counts, has_table) = (study.clone(), counts.clone(), progress != Progress::Cancelled);
    ask(worker, StudyFigure { study, counts, progress, has_table, width_px, is_dark: false }).unwrap()
}

#[test]
fn study_every_preset_is_the_same_study_as_a_form() {
    for preset in presets::ALL {
        let form = StudyTexts::from_preset(preset);
        assert_eq!(form.sweep().unwrap(), (preset.sweep)(), "{}", preset.id);
        assert_eq!(form.link(), format!("preset={}", preset.id));
        assert_eq!(StudyTexts::read(&form.link()), form);
    }
}

#[test]
fn study_links_hold_what_was_changed() {
    let form = StudyTexts::read("preset=lp-4&sets=50&thread=0%2C+100..300%2F50&groups=7-9&none=&seed=9");
    let sweep = form.sweep().unwrap();
    assert_eq!((sweep.sets, sweep.recipe.seed, sweep.tests.len()), (50, 9, 6 + 3));
    let again = StudyTexts::read(&form.link());
    assert_eq!(again.sweep().unwrap(), sweep);
    assert_eq!(again, form);
    assert!(!form.link().contains("tasks"), "{}", form.link());
    // The page sends all fields.
    let all = StudyTexts::read("preset=edf-3d&tasks=5&run=100%2C+200&run_us=5000");
    assert_eq!(all.sweep().unwrap().tests.len(), 2);
}

/// Both charges of a switch can be had side by side, each under its own name.
#[test]
fn study_charges_are_chosen_one_or_both() {
    let labels = |query: &str| StudyTexts::read(query).sweep().unwrap().tests.iter().map(Test::label).collect::<Vec<_>>();
    let (run, every) = ("runlist run, timeslice 500 µs", "runlist run, every switch, timeslice 500 µs");
    let (bound, equation) = ("Theorem 1, timeslice 500 µs", "equation 3 (no bound), timeslice 500 µs");
    let one = |charges: &str| labels(&format!("preset=edf-3a&slices=500&bound=500{charges}"));
    assert_eq!(one(""), [run, bound]);
    assert_eq!(one("&charge=expiries&run_charge=every"), [every, equation]);
    assert_eq!(one("&charge=both&run_charge=both"), [every, run, bound, equation]);
    let both = StudyTexts::read("preset=edf-3a&charge=both&run_charge=both");
    let sweep = both.sweep().unwrap();
    assert_eq!((sweep.tests.len(), StudyTexts::read(&both.link())), (20, both));
    assert_eq!(format::read_sweep(&format::write_sweep(&sweep)).unwrap(), sweep);
    // On one axis of timeslices there is room for one charge.
    let problems = StudyTexts::read("preset=edf-3c&run_charge=both").sweep().unwrap_err();
    assert_eq!(problems[0].0, "figure");
}

#[test]
fn study_what_is_wrong_is_told_by_field() {
    let problems = |query: &str| StudyTexts::read(query).sweep().unwrap_err();
    let one = |query: &str, field: &str, words: &[&str]| {
        let problems = problems(query);
        let found = problems.iter().find(|p| p.0 == field).unwrap_or_else(|| panic!("{query}: {problems:?}"));
        words.iter().for_each(|word| assert!(found.1.contains(word), "{query}: {}", found.1));
    };
    one("tasks=0", "tasks", &["Tasks of a set", "is 0", "1 to 200"]);
    one("tasks=many", "tasks", &["\"many\""]);
    one("step=0", "step", &["is 0", "positive"]);
    one("step=0.000001", "to", &["800001 points", "1001"]);
    one("from=0.9&to=0.5", "to", &["empty"]);
    one("to=1.5", "to", &["more than 1"]);
    one("from=-1", "from", &["\"-1\""]);
    one("period_from=9&period_to=3", "period_to", &["9 is more than 3"]);
    one("sets=0", "sets", &["is 0", "1000000000"]);
    one("thread=5..1", "thread", &["5 is more than 1"]);
    one("thread=0..9/0", "thread", &["step of 0"]);
    one("thread=0..18446744073709551615", "thread", &["more than 500"]);
    one("thread=9999999999", "thread", &["9999999999", "at most 1000000000"]);
    one("block=1..400&groups=1..400", "block", &["500 tests"]);
    one("groups=9-5", "groups", &["9 is more than 5"]);
    one("groups=", "groups", &["empty"]);
    one("thread=&block=&none=", "thread", &["0 entries"]);
    one("preset=edf-3a&slices=0", "slices", &["is 0"]);
    one("preset=edf-3a&runlist_switch=9999999999", "runlist_switch", &["at most"]);
    one("preset=lp-5&above=1", "above", &["0.999"]);
    one("preset=edf-3c&bound=5", "figure", &["one kind"]);
    one("preset=none", "preset", &["\"none\""]);
    one("colour=red", "preset", &["\"colour\""]);
    one("generator=x", "generator", &["\"x\""]);
    // All at once, in words that the page can show.
    assert!(problems("tasks=0&step=0&sets=0").len() >= 3);
    let told = checked(&mut Worker::default(), "tasks=0").plan.unwrap_err();
    assert_eq!((told.len(), told[0].field.as_str()), (1, "tasks"));
    assert!(told[0].problem.contains("1 to 200"), "{told:?}");
    // Whatever a link says, it is read.
    ["%", "%zz&=&&==", "tasks=%ff%fe", "=5", "preset=%F0%9F"].into_iter().for_each(|query| drop(StudyTexts::read(query).sweep()));
}

#[test]
fn study_parts_add_up_to_the_whole_whatever_their_size() {
    let mut worker = Worker::default();
    for link in ["preset=lp-3&sets=40&step=0.1", "preset=edf-3a&sets=20&step=0.25", "preset=edf-3d&sets=10&run_us=200000"] {
        let (_, sweep, counts) = run(&mut worker, link, 7);
        assert_eq!(run(&mut worker, link, 40).2, counts);
        let mut counter = Counter::new(&sweep);
        let near: Vec<Counts> = sweep.utilisation.iter().map(|u| counter.count(u, 0..sweep.sets)).collect();
        assert_eq!(near, counts);
    }
}

/// Beside a share that is counted by runs stands how long they are: in the caption, the table and the pictures.
#[test]
fn study_figures_say_how_long_runs_are() {
    let mut worker = Worker::default();
    for (link, said) in [
        ("preset=edf-3d&sets=2&from=0.9&to=0.9&run_us=200000", "sets that pass (runs of 200 ms)"),
        ("preset=edf-3a&sets=2&from=0.5&to=0.5", "sets that pass (runs up to a deadline)"),
        ("preset=lp-switches&sets=2&from=0.5&to=0.5", "sets that pass (runs of 1 s)"),
    ] {
        let counted = run(&mut worker, link, 2);
        let panel = figure(&mut worker, &counted, Progress::Whole, 700);
        let length = said.trim_start_matches("sets that pass ");
        assert!(panel.caption.contains(length), "{link}: {}", panel.caption);
        assert!(panel.table.unwrap().caption.starts_with(said), "{link}");
        assert!(panel.picture.chart.label.starts_with(said) && panel.picture.chart.svg.contains(said), "{link}");
        let (_, sweep, counts) = &counted;
        assert!(blockstep_report::study::figure_svg(sweep, counts).contains(said), "{link}");
    }
}

#[test]
fn study_figure_table_and_files_say_what_was_counted() {
    let mut worker = Worker::default();
    let counted = run(&mut worker, "preset=lp-3&sets=30&step=0.2", 30);
    let panel = figure(&mut worker, &counted, Progress::Whole, 700);
    let (study, sweep, counts) = counted.clone();
    assert!(panel.picture.chart.svg.starts_with("<svg role=\"img\""));
    assert!(panel.legend.iter().any(|stroke| stroke.name == "npEDF, 1 x 44 µs"));
    assert_eq!((panel.title.as_str(), panel.partial, panel.undrawn), (&*format!("lp-3, seed {}", sweep.recipe.seed), None, None));
    // A mark for each test and utilization, and the same in the table.
    let marks = &panel.picture.marks;
    assert_eq!((marks.len(), panel.legend.len()), (9 * 5, 9));
    let table = panel.table.unwrap();
    assert_eq!((table.rows.len(), table.head.len()), (5, 1 + 9));
    let cells = || table.rows.iter().flat_map(|(_, cells)| cells).map(|cell| cell.as_ref().unwrap());
    assert!(cells().any(|(text, _)| text == "100.00 % (88.65 to 100.00)"), "{table:?}");
    for mark in marks {
        let (text, _) = cells().find(|(_, point)| *point == mark.point).unwrap();
        assert!(mark.title.contains(text.as_str()), "{} and {text}", mark.title);
        let ((x, y), (width, height)) = (mark.at, panel.picture.size);
        assert!((0..=width as i32).contains(&x) && (0..=height as i32).contains(&y), "{mark:?}");
    }
    let at = |test: u32, point: u32| marks.iter().find(|mark| mark.point == CurvePoint { test, point }).unwrap().at;
    assert!((0..4).all(|point| at(0, point).0 < at(0, point + 1).0) && (0..9).all(|test| at(test, 2).0 == at(0, 2).0));
    let partial = figure(&mut worker, &counted, Progress::Cancelled, 300);
    assert_eq!((partial.partial.as_deref(), partial.table), (Some("partial, 150 of 150 sets"), None));
    let csv = ask(&mut worker, StudyCsv { study: study.clone(), counts: counts.clone() }).unwrap();
    let results = format::read_results(&csv).unwrap();
    assert!(results.is_whole() && results.sweep == sweep);
    let svg = ask(&mut worker, StudySvg { study: study.clone(), counts }).unwrap();
    assert!(svg.trim_end().ends_with("</svg>") && svg.contains(">lpEDF, 2 x 27 µs, 5 to 500 groups</text>"));
    assert_eq!(svg.matches("</svg>").count(), 1);
    // Nothing at all yet, and half of it.
    let none = vec![Counts::none(9); 5];
    let nothing = figure(&mut worker, &(study.clone(), sweep.clone(), none.clone()), Progress::Running, 700);
    assert_eq!((nothing.partial.as_deref(), nothing.picture.marks.len()), (Some("so far, 0 of 150 sets"), 0));
    let csv = ask(&mut worker, StudyCsv { study: study.clone(), counts: none.clone() }).unwrap();
    assert!(format::read_results(&csv).unwrap().sets.is_none());
    let too_many = Counts { sets: 31, ..Counts::none(9) };
    let too_few_tests = vec![Counts::none(8); 5];
    for wrong in [Vec::new(), none[1..].to_vec(), [vec![too_many], none[1..].to_vec()].concat(), too_few_tests] {
        let request = StudyCsv { study: study.clone(), counts: wrong };
        assert!(ask(&mut worker, request).unwrap_err().contains("no counts"));
    }
    let mut count = |study: &str, point| ask(&mut worker, CountStudy { study: study.to_owned(), point, from: 0, to: 1 });
    assert!(count(&study, 5).unwrap_err().contains("no point"));
    assert!(count("{", 0).is_err());
}

#[test]
fn study_all_figures_are_drawn() {
    let mut worker = Worker::default();
    for (link, marks) in [
        ("preset=lp-5&sets=5&groups=2..4&from=0.2&to=0.6&step=0.2", 3 * 3),
        ("preset=edf-3a&sets=5&from=0.5&to=1&step=0.5", 10 * 2),
        ("preset=edf-3c&sets=5&from=0.5&to=0.7&step=0.2", 16 * 2),
        ("preset=edf-3d&sets=5&from=0.9&to=0.9&run_us=100000", 15),
        ("preset=lp-3&sets=5&from=0.5&to=0.5", 9),
    ] {
        let counted = run(&mut worker, link, 5);
        assert_eq!(figure(&mut worker, &counted, Progress::Whole, 600).picture.marks.len(), marks, "{link}");
    }
}

#[test]
fn study_failing_sets_open_under_the_matching_policy() {
    let mut worker = Worker::default();
    // Link, test, policy, preemption; all at the first utilization.
    let cases = [
        ("preset=lp-3&sets=200&from=0.95&to=0.95", 2, PolicyKind::Edf, Preemption::Thread),
        ("preset=lp-3&sets=200&from=0.95&to=0.95", 5, PolicyKind::Edf, Preemption::Block),
        ("preset=lp-3&sets=200&from=0.95&to=0.95", 8, PolicyKind::Edf, Preemption::None),
        ("preset=edf-3d&sets=200&from=0.95&to=0.95", 14, PolicyKind::Edf, Preemption::Thread),
        ("preset=edf-3a&sets=100&from=0.9&to=0.9", 0, PolicyKind::Runlist, Preemption::Thread),
        ("preset=edf-3a&sets=100&from=0.9&to=0.9", 5, PolicyKind::Runlist, Preemption::Thread),
    ];
    let mut misses = 0;
    for (link, test, kind, preemption) in cases {
        let study = planned(&mut worker, link).study;
        let at = CurvePoint { test, point: 0 };
        let failing = ask(&mut worker, FailingSets { study: study.clone(), at }).unwrap();
        assert!((1..=5).contains(&failing.sets.len()), "{link} {test}: {failing:?}");
        assert!(failing.title.starts_with("Sets that fail: ") && failing.point == at, "{failing:?}");
        let set = failing.sets[0].index;
        assert!(failing.sets.iter().all(|set| set.tasks.rows.iter().all(|row| row.cells.len() == 3)));
        let opened = ask(&mut worker, OpenSet { study, at, set }).unwrap();
        let draft = format::read_scenario(&opened.scenario).unwrap();
        // Under the runlist a task that never ends stands for the rest of the GPU's work.
        let of_the_set = draft.tasks.iter().filter(|task| task.release != Release::Continuous);
        assert_eq!(of_the_set.count(), failing.sets[0].tasks.rows.len());
        assert_eq!((draft.policy.kind, draft.policy.preemption), (kind, preemption), "{link} {test}");
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits { max_steps: 130_000 });
        assert!(run.trace.cut().is_none(), "{link} {test}");
        let records = Records::new(&run.trace);
        let first = records.jobs.iter().filter(|j| j.met == Some(false)).filter_map(|j| j.deadline).min();
        println!("{link} {test}: {}", opened.why);
        match first {
            Some(first) => {
                misses += 1;
                assert_eq!(opened.at, first);
                assert!(opened.why.starts_with("First miss"), "{}", opened.why);
            }
            None => {
                assert_eq!(opened.at.ns(), 0);
                assert!(opened.why.starts_with("No deadline is missed"), "{}", opened.why);
            }
        }
    }
    assert!(misses >= 2, "{misses} of the runs show a miss");
}

#[test]
fn study_points_that_nothing_fails_say_so() {
    let mut worker = Worker::default();
    let study = planned(&mut worker, "preset=lp-3&sets=20&from=0.2&to=0.2").study;
    let mut failing = |test, point| ask(&mut worker, FailingSets { study: study.clone(), at: CurvePoint { test, point } });
    let none = failing(0, 0).unwrap();
    assert_eq!((none.sets.len(), none.note.as_str()), (0, "All of the first 20 sets pass this test here."));
    for (test, point) in [(9, 0), (0, 1), (u32::MAX, u32::MAX)] {
        assert!(failing(test, point).unwrap_err().contains("no point"));
    }
}

/// The verdicts on a scenario, with the demand of a line.
pub(crate) fn verdicts(scenario: &str, line: Option<u32>) -> Result<VerdictsPanel, String> {
    let request = Verdicts { run: RunId(1), width_px: 700, is_dark: false, line };
    crate::ask(&mut Worker::default(), Some((RunId(1), scenario)), request)
}

#[test]
fn study_verdicts_of_a_scenario() {
    let scenario = |cost: u64| {
        format!(
            r#"{{"version": 1, "policy": {{"kind": "edf", "cbs": false}}, "horizon_ns": 20000000,
            "processes": [{{"name": "A", "interleave": "high"}}, {{"name": "B"}}],
            "tasks": [{{"name": "a", "process": "A", "release": "periodic", "period_ns": 2000000}},
                      {{"name": "<b>", "process": "B", "release": "periodic", "period_ns": 5000000}}],
            "kernels": [{{"name": "K", "task": "a", "blocks": 1, "threads_per_block": 64, "block_time_ns": 1000000}},
                        {{"name": "L", "task": "<b>", "blocks": 1, "threads_per_block": 64, "block_time_ns": {cost}}}]}}"#
        )
    };
    // 1 of 2 and 2 of 5: holds; 3 of 5 makes a utilization of 1.1.
    let fine = verdicts(&scenario(2_000_000), None).unwrap();
    assert!(fine.own.starts_with("✓ Under EDF with preemption mode thread: schedulable, by"), "{}", fine.own);
    assert_eq!(fine.own_tone, Tone::Plain);
    let tests = fine.edf.unwrap();
    assert!(tests.summary.contains("utilization 0.9"), "{}", tests.summary);
    let figure = tests.figure.unwrap();
    assert!(figure.chart.svg.starts_with("<svg role") && !figure.chart.svg.contains("<b>"));
    assert!(figure.caption.contains(&tests.lines[tests.drawn as usize].mode), "{}", figure.caption);
    assert_eq!(tests.tasks.rows.iter().filter_map(|row| row.name.as_deref()).collect::<Vec<_>>(), ["a", "<b>"]);
    let bounds = fine.runlist.unwrap();
    let why = bounds.tasks.iter().map(|(name, promise)| match promise {
        Promise::Inapplicable(why) => (name.as_str(), why.as_str()),
        Promise::Bound { .. } => panic!("{bounds:?}"),
    });
    let why: Vec<_> = why.collect();
    assert!(why[0].0 == "a" && why[0].1.starts_with("Not applicable. Job 6 was released before"), "{why:?}");
    assert!(
        why[1].0 == "<b>" && why[1].1.starts_with("Not applicable. The theorem requires a process at the high interleaving level"),
        "{why:?}"
    );
    // In one address space there is room for both at once.
    let shared = fine.one_space.unwrap();
    let limit = |promise: &SpacePromise| match promise {
        SpacePromise::Bound { limit, verdict, .. } => format!("{limit} {verdict}"),
        SpacePromise::None(why) => why.clone(),
    };
    assert_eq!(shared.policy, "priority");
    assert_eq!(
        shared.tasks.iter().map(|(_, promise)| limit(promise)).collect::<Vec<_>>(),
        ["1 ms ✓ within the deadline", "2 ms ✓ within the deadline"]
    );
    let late = verdicts(
        r#"{"version": 1, "kernels": [{"name": "K", "blocks": 1, "threads_per_block": 64, "block_time_ns": 1, "stream": "NULL"},
        {"name": "L", "blocks": 1, "threads_per_block": 64, "block_time_ns": 1, "stream": "S"}]}"#,
        None,
    );
    let shared = late.unwrap().one_space.unwrap();
    assert_eq!(limit(&shared.tasks[0].1), "No bound. Row K and the NULL stream may wait for each other.");
    let over = verdicts(&scenario(3_000_000), None).unwrap();
    let tests = over.edf.unwrap();
    assert!(tests.summary.contains("utilization 1.1"), "{}", tests.summary);
    assert!(over.own.starts_with("✗ ") && over.own_tone == Tone::Exceeded, "{}", over.own);
    assert!(tests.lines.iter().any(|line| line.verdict == "✗ not guaranteed" && line.tone == Tone::Exceeded));
    assert!(tests.assumptions.iter().any(|point| point.contains("utilization of exactly 1")));
    // Another line is drawn when asked for, and one that is not there is not.
    let drawn = |line| verdicts(&scenario(2_000_000), Some(line)).unwrap().edf.unwrap().drawn;
    assert_eq!((drawn(3), drawn(99)), (3, 0));
    let none = verdicts(r#"{"version": 1, "kernels": []}"#, None).unwrap();
    assert!(none.edf.is_none() && none.own.ends_with("so no job can be late."), "{none:?}");
    assert!(verdicts("{", None).is_err());
}

#[test]
fn study_verdicts_of_every_example_are_made() {
    for example in blockstep_sim::examples::all() {
        let panel = verdicts(example.json, None).unwrap_or_else(|why| panic!("{}: {why}", example.id));
        let tasks = Scenario::new(&format::read_scenario(example.json).unwrap()).unwrap().tasks().len();
        // A row names all tasks of which it holds.
        let named = |rows: Vec<String>| rows.iter().map(|tasks| tasks.split(", ").count()).sum::<usize>();
        match panel.runlist {
            Ok(bounds) => assert_eq!(named(bounds.tasks.into_iter().map(|row| row.0).collect()), tasks.min(100), "{}", example.id),
            Err(why) => assert!(why.starts_with("It cannot run under the runlist"), "{}: {why}", example.id),
        }
        assert_eq!(named(panel.one_space.unwrap().tasks.into_iter().map(|row| row.0).collect()), tasks.min(100), "{}", example.id);
    }
}

#[test]
fn study_form_has_every_field_as_it_is_typed() {
    let form = ask(&mut Worker::default(), OpenStudyForm("preset=edf-3c&tasks=%22%3Cb%3E".to_owned())).unwrap();
    let text = |name: &str| form.texts[FIELDS.iter().position(|field| field.name == name).unwrap()].as_str();
    assert_eq!((form.texts.len(), text("preset"), text("tasks")), (FIELDS.len(), "edf-3c", "\"<b>"));
    assert!(form.studies.iter().any(|(id, _)| id == "edf-3c") && form.studies.len() == presets::ALL.len());
    // Every field but that of the studies stands in a group, once.
    let places: Vec<usize> = (0..GROUPS.len()).flat_map(fields_of).collect();
    assert_eq!(places, (1..FIELDS.len()).collect::<Vec<_>>());
    for (i, field) in FIELDS.iter().enumerate() {
        assert!(FIELDS[..i].iter().all(|other| other.name != field.name), "{}", field.name);
        // What is chosen is among the choices.
        assert!(field.choices.is_empty() || field.choices.iter().any(|(word, _)| *word == text(field.name)), "{}", field.name);
    }
    // What the page sends back is the same study.
    let sent = ask(&mut Worker::default(), CheckStudy { texts: form.texts.clone() }).unwrap();
    assert_eq!(sent.link, "preset=edf-3c&tasks=%22%3Cb%3E");
    assert_eq!(sent.plan.unwrap_err()[0].field, "tasks");
    assert!(ask(&mut Worker::default(), CheckStudy { texts: Vec::new() }).unwrap().plan.is_err());
}

#[test]
fn study_of_a_set_that_is_typed_in() {
    let mut worker = Worker::default();
    let mut verdicts = |typed: &str| {
        ask(&mut worker, TypedSet { text: typed.to_owned(), width_px: 600, is_dark: false, line: None }).map(|panel| panel.edf.unwrap())
    };
    // 5/10 + 9/20 passes without preemption's blocking; with it the short task cannot wait for 9 ms.
    let tests = verdicts("5 ms, 10 ms\n\n9 ms, 20 ms").unwrap();
    let said = |verdict: &str| tests.lines.iter().any(|line| line.verdict == verdict);
    assert!(said("✓ yes") && said("✗ not guaranteed"), "{tests:?}");
    assert!(tests.summary.starts_with("2 tasks, utilization 0.95"), "{}", tests.summary);
    let late = verdicts("5 ms; 10 ms; 5 ms\n9 ms\t20 ms\t13 ms").unwrap();
    assert_ne!(late.lines, tests.lines);
    for (typed, why) in [
        ("", "no task"),
        ("5 ms", "Line 1: \"5 ms\" has 1 of the fields"),
        ("1 ms, 2 ms, 3 ms, 4 ms", "has 4 of the fields"),
        ("1 ms, 2 ms\n3 ms, soon", "Line 2: period: \"soon\""),
        ("0, 2 ms", "Line 1: execution time: \"0\" is 0"),
        ("1 ms, 2 ms, 0 ms", "deadline: \"0 ms\" is 0"),
    ] {
        let told = verdicts(typed).unwrap_err();
        assert!(told.contains(why), "{typed}: {told}");
    }
    let told = verdicts(&"1 ms, 1 s\n".repeat(101)).unwrap_err();
    assert!(told.contains("Line 101") && told.contains("100"), "{told}");

    // It opens as a scenario, whose jobs take what was typed.
    let opened = ask(&mut worker, OpenTypedSet("5 ms, 10 ms\n4 ms, 20 ms, 13 ms".to_owned())).unwrap();
    let draft = format::read_scenario(&opened).unwrap();
    let scenario = Scenario::new(&draft).unwrap();
    let run = engine::simulate(&scenario, Limits::default());
    // Those released at the horizon itself do not end.
    let jobs = &Records::new(&run.trace).jobs[..3];
    let ends: Vec<_> = jobs.iter().map(|job| (job.task.0, job.release.ns(), job.end.unwrap().ns(), job.met)).collect();
    assert_eq!(ends, [(0, 0, 5_000_000, Some(true)), (1, 0, 9_000_000, Some(true)), (0, 10_000_000, 15_000_000, Some(true))]);
}
