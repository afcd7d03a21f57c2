//! Studies as the page has them: forms, links, parts that add up, figures, and sets that open.

use blockstep::analysis::presets;
use blockstep::analysis::sweep::{Counter, Sweep, Test};
use blockstep::engine::{self, Limits};
use blockstep::format;
use blockstep::lab::study::counted;
use blockstep::lab::{Lab, Part};
use blockstep::record::Records;
use blockstep::report::study::form::Form;
use blockstep::scenario::{PolicyKind, Preemption, Scenario};

fn ask(lab: &mut Lab, request: &str, arguments: &[&str]) -> Result<Vec<Part>, String> {
    let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
    lab.answer(request, &arguments)
}

fn text(parts: &[Part], i: usize) -> &str {
    match &parts[i] {
        Part::Text(text) => text,
        Part::Words(words) => panic!("{words:?}"),
    }
}

/// The study of a form, and what counting it in parts of `size` comes to, as the page adds it up.
fn run(lab: &mut Lab, form: &str, size: u64) -> (String, Sweep, String) {
    let study = ask(lab, "study", &[form]).unwrap();
    assert_eq!(study.len(), 3, "{study:?}");
    let file = text(&study, 0).to_owned();
    let sweep = format::read_sweep(&file).unwrap();
    let mut all: Vec<u64> = Vec::new();
    for point in 0..sweep.utilisation.count() {
        let mut sum = vec![0; 2 + sweep.tests.len()];
        for from in (0..sweep.sets).step_by(size as usize) {
            let (from, to) = (from.to_string(), (from + size).to_string());
            let answer = ask(lab, "study-count", &[&file, &point.to_string(), &from, &to]).unwrap();
            let [Part::Words(words)] = &answer[..] else { panic!("{answer:?}") };
            sum.iter_mut().zip(counted(words)).for_each(|(a, b)| *a += b);
        }
        all.extend(sum);
    }
    let numbers = all.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    (file, sweep, numbers)
}

#[test]
fn study_every_preset_is_the_same_study_as_a_form() {
    for preset in presets::ALL {
        let form = Form::of(preset);
        assert_eq!(form.sweep().unwrap(), (preset.sweep)(), "{}", preset.id);
        assert_eq!(form.link(), format!("preset={}", preset.id));
        assert_eq!(Form::read(&form.link()), form);
    }
}

#[test]
fn study_links_hold_what_was_changed() {
    let form = Form::read("preset=lp-4&sets=50&thread=0%2C+100..300%2F50&groups=7-9&none=&seed=9");
    let sweep = form.sweep().unwrap();
    assert_eq!((sweep.sets, sweep.recipe.seed, sweep.tests.len()), (50, 9, 6 + 3));
    let again = Form::read(&form.link());
    assert_eq!(again.sweep().unwrap(), sweep);
    assert_eq!(again, form);
    assert!(!form.link().contains("tasks"), "{}", form.link());
    // The page sends all fields.
    let all = Form::read("preset=edf-3d&tasks=5&run=100%2C+200&run_us=5000");
    assert_eq!(all.sweep().unwrap().tests.len(), 2);
}

/// Both charges of a switch can be had side by side, each under its own name.
#[test]
fn study_charges_are_chosen_one_or_both() {
    let labels = |query: &str| Form::read(query).sweep().unwrap().tests.iter().map(Test::label).collect::<Vec<_>>();
    let (run, every) = ("runlist run, timeslice 500 µs", "runlist run, every switch, timeslice 500 µs");
    let (bound, equation) = ("Theorem 1, timeslice 500 µs", "equation 3 (no bound), timeslice 500 µs");
    let one = |charges: &str| labels(&format!("preset=edf-3a&slices=500&bound=500{charges}"));
    assert_eq!(one(""), [run, bound]);
    assert_eq!(one("&charge=expiries&run_charge=every"), [every, equation]);
    assert_eq!(one("&charge=both&run_charge=both"), [every, run, bound, equation]);
    let both = Form::read("preset=edf-3a&charge=both&run_charge=both");
    let sweep = both.sweep().unwrap();
    assert_eq!((sweep.tests.len(), Form::read(&both.link())), (20, both));
    assert_eq!(format::read_sweep(&format::write_sweep(&sweep)).unwrap(), sweep);
    // On one axis of timeslices there is room for one charge.
    let problems = Form::read("preset=edf-3c&run_charge=both").sweep().unwrap_err();
    assert_eq!(problems[0].0, "figure");
}

#[test]
fn study_what_is_wrong_is_told_by_field() {
    let problems = |query: &str| Form::read(query).sweep().unwrap_err();
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
    let parts = ask(&mut Lab::default(), "study", &["tasks=0"]).unwrap();
    assert_eq!((text(&parts, 0), text(&parts, 3)), ("", "tasks"));
    // Whatever a link says, it is read.
    ["%", "%zz&=&&==", "tasks=%ff%fe", "=5", "preset=%F0%9F"].into_iter().for_each(|query| drop(Form::read(query).sweep()));
}

#[test]
fn study_parts_add_up_to_the_whole_whatever_their_size() {
    let mut lab = Lab::default();
    for form in ["preset=lp-3&sets=40&step=0.1", "preset=edf-3a&sets=20&step=0.25", "preset=edf-3d&sets=10&run_us=200000"] {
        let (_, sweep, numbers) = run(&mut lab, form, 7);
        assert_eq!(run(&mut lab, form, 40).2, numbers);
        let mut counter = Counter::new(&sweep);
        let near: Vec<u64> = sweep
            .utilisation
            .iter()
            .map(|u| counter.count(u, 0..sweep.sets))
            .flat_map(|c| [c.sets, c.undrawn].into_iter().chain(c.passed).collect::<Vec<_>>())
            .collect();
        assert_eq!(near.iter().map(u64::to_string).collect::<Vec<_>>().join(" "), numbers);
    }
}

#[test]
fn study_figure_table_and_files_say_what_was_counted() {
    let mut lab = Lab::default();
    let (file, sweep, numbers) = run(&mut lab, "preset=lp-3&sets=30&step=0.2", 30);
    let parts = ask(&mut lab, "study-figure", &[&file, &numbers, "whole", "dark", "700", "1"]).unwrap();
    let (figure, table) = (text(&parts, 0), text(&parts, 1));
    assert!(figure.contains("<svg role=\"img\"") && figure.contains("npEDF, 1 x 44 µs"));
    // A mark for each test and utilisation, and the same in the table.
    assert_eq!(figure.matches("data-point=").count(), 9 * 5);
    assert_eq!(table.matches("data-point=").count(), 9 * 5);
    assert!(table.contains("100.00 % (88.65 to 100.00)"), "{table}");
    assert!(!figure.contains("partial"));
    let partial = ask(&mut lab, "study-figure", &[&file, &numbers, "cancelled", "light", "300", ""]).unwrap();
    assert!(text(&partial, 0).contains("partial, 150 of 150 sets"));
    assert_eq!(text(&partial, 1), "");
    let csv = ask(&mut lab, "study-csv", &[&file, &numbers]).unwrap();
    let results = format::read_results(text(&csv, 0)).unwrap();
    assert!(results.is_whole() && results.sweep == sweep);
    let svg = ask(&mut lab, "study-svg", &[&file, &numbers]).unwrap();
    assert!(text(&svg, 0).trim_end().ends_with("</svg>") && text(&svg, 0).contains(">lpEDF, 2 x 27 µs, 5 to 500 groups</text>"));
    assert_eq!(text(&svg, 0).matches("</svg>").count(), 1);
    // Nothing at all yet, and half of it.
    let none = vec!["0"; 5 * 11].join(" ");
    assert!(text(&ask(&mut lab, "study-figure", &[&file, &none, "running", "light", "700", "1"]).unwrap(), 0).contains("so far, 0 of 150"));
    let csv = ask(&mut lab, "study-csv", &[&file, &none]).unwrap();
    assert!(format::read_results(text(&csv, 0)).unwrap().sets.is_none());
    for wrong in ["", "1 2 3", "x"] {
        assert!(ask(&mut lab, "study-csv", &[&file, wrong]).unwrap_err().contains("no counts"));
    }
    assert!(ask(&mut lab, "study-csv", &[&file, &none.replacen('0', "31", 1)]).unwrap_err().contains("no counts"));
    assert!(ask(&mut lab, "study-count", &[&file, "5", "0", "1"]).unwrap_err().contains("no point"));
    assert!(ask(&mut lab, "study-count", &["{", "0", "0", "1"]).is_err());
}

#[test]
fn study_all_figures_are_drawn() {
    let mut lab = Lab::default();
    for (form, marks) in [
        ("preset=lp-5&sets=5&groups=2..4&from=0.2&to=0.6&step=0.2", 3 * 3),
        ("preset=edf-3a&sets=5&from=0.5&to=1&step=0.5", 10 * 2),
        ("preset=edf-3c&sets=5&from=0.5&to=0.7&step=0.2", 16 * 2),
        ("preset=edf-3d&sets=5&from=0.9&to=0.9&run_us=100000", 15),
        ("preset=lp-3&sets=5&from=0.5&to=0.5", 9),
    ] {
        let (file, _, numbers) = run(&mut lab, form, 5);
        let parts = ask(&mut lab, "study-figure", &[&file, &numbers, "whole", "light", "600", "1"]).unwrap();
        assert_eq!(text(&parts, 0).matches("data-point=").count(), marks, "{form}");
    }
}

/// Key of the first point of a curve that some sets fail, the index of one, and how many are listed.
fn first_failing(lab: &mut Lab, file: &str, key: &str) -> Option<String> {
    let parts = ask(lab, "study-failing", &[file, key]).unwrap();
    let html = text(&parts, 0);
    assert!(html.matches("data-set=").count() <= 5);
    html.split("data-set=\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned)
}

#[test]
fn study_failing_sets_open_under_the_matching_policy() {
    let mut lab = Lab::default();
    // Form, key, policy, preemption, whether its run shows a miss.
    let cases = [
        ("preset=lp-3&sets=200&from=0.95&to=0.95", "2:0", PolicyKind::Edf, Preemption::Thread),
        ("preset=lp-3&sets=200&from=0.95&to=0.95", "5:0", PolicyKind::Edf, Preemption::Block),
        ("preset=lp-3&sets=200&from=0.95&to=0.95", "8:0", PolicyKind::Edf, Preemption::None),
        ("preset=edf-3d&sets=200&from=0.95&to=0.95", "14:0", PolicyKind::Edf, Preemption::Thread),
        ("preset=edf-3a&sets=100&from=0.9&to=0.9", "0:0", PolicyKind::Runlist, Preemption::Thread),
        ("preset=edf-3a&sets=100&from=0.9&to=0.9", "5:0", PolicyKind::Runlist, Preemption::Thread),
    ];
    let mut misses = 0;
    for (form, key, kind, preemption) in cases {
        let study = ask(&mut lab, "study", &[form]).unwrap();
        let file = text(&study, 0).to_owned();
        let set = first_failing(&mut lab, &file, key).unwrap_or_else(|| panic!("{form} {key}: no set fails"));
        let parts = ask(&mut lab, "study-open", &[&file, key, &set]).unwrap();
        let draft = format::read_scenario(text(&parts, 0)).unwrap();
        assert_eq!((draft.policy.kind, draft.policy.preemption), (kind, preemption), "{form} {key}");
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits { max_steps: 130_000 }).unwrap();
        assert!(run.trace.cut().is_none(), "{form} {key}");
        let records = Records::new(&run.trace);
        let first = records.jobs.iter().filter(|j| j.met == Some(false)).filter_map(|j| j.deadline).min();
        let at: u64 = text(&parts, 1).parse().unwrap();
        let why = text(&parts, 2);
        println!("{form} {key}: {why}");
        match first {
            Some(first) => {
                misses += 1;
                assert_eq!(at, first.ns());
                assert!(why.starts_with("First miss"), "{why}");
            }
            None => {
                assert_eq!(at, 0);
                assert!(why.starts_with("No deadline is missed"), "{why}");
            }
        }
    }
    assert!(misses >= 2, "{misses} of the runs show a miss");
}

#[test]
fn study_points_that_nothing_fails_say_so() {
    let mut lab = Lab::default();
    let study = ask(&mut lab, "study", &["preset=lp-3&sets=20&from=0.2&to=0.2"]).unwrap();
    let parts = ask(&mut lab, "study-failing", &[text(&study, 0), "0:0"]).unwrap();
    assert!(text(&parts, 0).contains("None of the first 20 sets fails"));
    for key in ["", "9:0", "0:1", "x:y"] {
        assert!(ask(&mut lab, "study-failing", &[text(&study, 0), key]).unwrap_err().contains("no point"));
    }
}

#[test]
fn study_verdicts_of_a_scenario() {
    let mut lab = Lab::default();
    let analyse = |lab: &mut Lab, scenario: &str, line: &str| {
        ask(lab, "analyse", &[scenario, "light", "700", line]).map(|parts| text(&parts, 0).to_owned())
    };
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
    // 1 of 2 and 2 of 5: holds; 3 of 5 makes a utilisation of 1.1.
    let fine = analyse(&mut lab, &scenario(2_000_000), "").unwrap();
    assert!(
        fine.contains("utilisation 0.9")
            && fine.contains("✓ Under edf with preemption thread: schedulable, by")
            && fine.contains("<svg role"),
        "{fine}"
    );
    assert!(fine.contains("Theorem 1") && fine.contains("Does not apply. Its process is not at the high interleaving level"));
    assert!(!fine.contains("<b>"));
    let over = analyse(&mut lab, &scenario(3_000_000), "").unwrap();
    assert!(over.contains("utilisation 1.1") && over.contains("✗ not promised") && over.contains("utilisation of exactly 1"));
    // Another line is drawn when asked for, and one that is not there is not.
    assert!(analyse(&mut lab, &scenario(2_000_000), "3").unwrap().contains("data-line=\"3\" aria-pressed=\"true\""));
    assert!(analyse(&mut lab, &scenario(2_000_000), "99").unwrap().contains("data-line=\"0\" aria-pressed=\"true\""));
    let none = analyse(&mut lab, r#"{"version": 1, "kernels": []}"#, "").unwrap();
    assert!(none.contains("no real-time tasks"), "{none}");
    assert!(analyse(&mut lab, "{", "").is_err());
}

#[test]
fn study_verdicts_of_every_example_are_made() {
    let mut lab = Lab::default();
    for example in blockstep::examples::all() {
        let parts = ask(&mut lab, "analyse", &[example.json, "dark", "400", ""]).unwrap_or_else(|why| panic!("{}: {why}", example.id));
        assert!(text(&parts, 0).contains("Theorem 1"), "{}", example.id);
    }
}

#[test]
fn study_form_has_every_field_as_it_is_typed() {
    let parts = ask(&mut Lab::default(), "study-form", &["preset=edf-3c&tasks=%22%3Cb%3E"]).unwrap();
    let html = text(&parts, 0);
    assert!(html.contains("value=\"&quot;&lt;b&gt;\"") && !html.contains("<b>"));
    for field in blockstep::view::panels::study::FIELDS {
        assert_eq!(html.matches(&format!("name=\"{}\"", field.name)).count(), 1, "{}", field.name);
        assert_eq!(html.matches(&format!("id=\"sf-{}-error\"", field.name)).count(), 1, "{}", field.name);
    }
    assert!(html.contains("<option value=\"edf-3c\" selected"));
}

#[test]
fn study_of_a_set_that_is_typed_in() {
    let mut lab = Lab::default();
    let mut verdicts = |typed: &str| ask(&mut lab, "study-typed", &[typed, "light", "600", ""]).map(|parts| text(&parts, 0).to_owned());
    // 5/10 + 9/20 passes without preemption's blocking; with it the short task cannot wait for 9 ms.
    let html = verdicts("5 ms, 10 ms\n\n9 ms, 20 ms").unwrap();
    assert!(html.contains("✓ yes") && html.contains("✗ not promised"), "{html}");
    assert!(html.contains("2 tasks, utilisation 0.95"), "{html}");
    let late = verdicts("5 ms; 10 ms; 5 ms\n9 ms\t20 ms\t13 ms").unwrap();
    assert_ne!(late, html);
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
    let opened = ask(&mut lab, "study-typed-open", &["5 ms, 10 ms\n4 ms, 20 ms, 13 ms"]).unwrap();
    let draft = format::read_scenario(text(&opened, 0)).unwrap();
    let scenario = Scenario::new(&draft).unwrap();
    let run = engine::simulate(&scenario, Limits::default()).unwrap();
    // Those released at the horizon itself do not end.
    let jobs = &Records::new(&run.trace).jobs[..3];
    let ends: Vec<_> = jobs.iter().map(|job| (job.task.0, job.release.ns(), job.end.unwrap().ns(), job.met)).collect();
    assert_eq!(ends, [(0, 0, 5_000_000, Some(true)), (1, 0, 9_000_000, Some(true)), (0, 10_000_000, 15_000_000, Some(true))]);
}
