//! What is made into sentences for people: no doubled punctuation, no two words that run together, no name of a field of files, no
//! time of seven digits that a shorter one is 1 ns away from.

use blockstep_format::read_scenario;
use blockstep_report::{Options, results_panel};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Draft;
use blockstep_view::position::Stop;
use blockstep_view::reason::waiting;
use blockstep_view::results::Results;
use blockstep_view::sentence::{sentence, spoken};
use proptest::prelude::*;
use serde::Serialize;

use crate::study::verdicts;
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::rows::run;

/// What is wrong with how a text is joined.
fn fault(text: &str) -> Option<&'static str> {
    const DOUBLED: [&str; 12] = [",,", ";;", ",.", ".,", ";.", ":.", ".;", " ,", " ;", " .", "  ", "( "];
    if DOUBLED.iter().any(|two| text.contains(two)) || text.replace("...", "").contains("..") {
        return Some("doubled punctuation");
    }
    let letters: Vec<char> = text.chars().collect();
    let runs_on =
        |&[before, mark, after]: &[char; 3]| before.is_alphabetic() && matches!(mark, '.' | ',' | ';' | '?' | '!') && after.is_alphabetic();
    let is_file = ["docs/", ".md", "e.g.", "i.e."].iter().any(|known| text.contains(known));
    if !is_file && letters.windows(3).any(|three| runs_on(three.first_chunk().unwrap())) {
        return Some("no space after a period or a comma");
    }
    let is_field = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    text.split(|c: char| c.is_whitespace() || c == '(' || c == ',').any(is_field).then_some("the name of a field")
}

/// Every text in what is sent to the page, but for pictures.
fn texts(panel: &impl Serialize) -> Vec<String> {
    fn walk(value: &serde_json::Value, into: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) if !text.starts_with("<svg") => into.push(text.clone()),
            serde_json::Value::Array(all) => all.iter().for_each(|value| walk(value, into)),
            serde_json::Value::Object(all) => all.values().for_each(|value| walk(value, into)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    walk(&serde_json::to_value(panel).unwrap(), &mut all);
    all
}

/// What the page and the command line say of a scenario and its run.
fn said_of(draft: &Draft) -> Vec<String> {
    let (run, records) = run(draft);
    let panel = results_panel(
        &run,
        &Records::new(&run.trace),
        &Results::new(run.replay(), &records),
        &[],
        Options { is_dark: false, width_px: 900 },
    );
    let mut said = texts(&panel);
    if let Ok(panel) = verdicts(&blockstep_format::write_scenario(draft), None) {
        said.extend(texts(&panel));
    }
    let steps = run.trace.steps();
    said.extend(steps.iter().take(2_000).map(|step| sentence(&run.trace, step)));
    let mut replay = run.replay();
    for place in (0..steps.len()).step_by(steps.len() / 40 + 1) {
        let state = replay.seek(place as u32);
        said.push(spoken(&run.trace, Stop::at_step(&run.trace, place as u32)));
        said.extend(waiting(&run.trace, &records, state, 20).items.into_iter().map(|waits| waits.text));
    }
    said
}

fn faults_of(draft: &Draft) -> Vec<String> {
    let mut faults: Vec<_> = said_of(draft).iter().filter_map(|text| fault(text).map(|fault| format!("{fault}: {text}"))).collect();
    faults.sort();
    faults.dedup();
    faults
}

#[test]
fn prose_of_every_example_is_joined_as_sentences_are() {
    for example in examples::all() {
        let found = faults_of(&read_scenario(example.json).unwrap());
        assert!(found.is_empty(), "{}: {found:#?}", example.id);
        let own = [example.title, example.source, example.text]
            .into_iter()
            .chain(example.bookmarks.iter().flat_map(|mark| [mark.label, mark.text]));
        for text in own {
            assert_eq!(fault(text), None, "{}: {text}", example.id);
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn prose_of_random_scenarios_is_joined_as_sentences_are(draft in any_drafts()) {
        let found = faults_of(&draft);
        prop_assert!(found.is_empty(), "{found:#?}");
    }
}

/// One verdict, one row: tasks of which the same is said are named together.
#[test]
fn prose_says_no_verdict_twice() {
    for example in examples::all() {
        let Ok(panel) = verdicts(example.json, None) else { continue };
        let one_space = panel.one_space.iter().flat_map(|of| &of.tasks).map(|(tasks, says)| (tasks.clone(), format!("{says:?}")));
        let runlist = panel.runlist.iter().flat_map(|of| &of.tasks).map(|(tasks, says)| (tasks.clone(), format!("{says:?}")));
        for rows in [one_space.collect::<Vec<_>>(), runlist.collect()] {
            for (i, (tasks, says)) in rows.iter().enumerate() {
                assert!(rows[..i].iter().all(|(_, other)| other != says), "{}: {tasks}: {says}", example.id);
            }
        }
    }
    let six = verdicts(examples::find("edf-six-processes").unwrap().json, None).unwrap();
    let named = |rows: &[&str]| assert_eq!(rows, ["T1, T2, T3, T4, T5, T6"]);
    named(&six.runlist.unwrap().tasks.iter().map(|(tasks, _)| tasks.as_str()).collect::<Vec<_>>());
    named(&six.one_space.unwrap().tasks.iter().map(|(tasks, _)| tasks.as_str()).collect::<Vec<_>>());
}

/// What blocks at most 1 ns less than a step takes is told by the step.
#[test]
fn prose_reads_a_time_just_under_another_by_that() {
    for example in examples::all() {
        let Some(tests) = verdicts(example.json, None).ok().and_then(|panel| panel.edf) else { continue };
        for line in tests.lines {
            assert!(!line.instant.contains("99999 "), "{}: {}", example.id, line.instant);
        }
    }
    let read = blockstep_view::quantity::format_time_read;
    assert_eq!(
        [27_899_999, 3_499_999, 3_500_000, 99, 3_141_593].map(read),
        ["just under 27.9 ms", "just under 3.5 ms", "3.5 ms", "99 ns", "3.141593 ms"]
    );
}
