//! What is wrong with files, beside other files: comparisons and tables of ranks say it too, if it may be why they differ.

use blockstep_sim::dice::Dice;
use blockstep_traces::answers::Tracer;
use blockstep_traces::files::{write_comparison_json, write_ranks_json};
use blockstep_traces::flaws::{bearing, of_file};
use blockstep_traces::path::compare::{Compared, Times, compare};
use blockstep_traces::path::paths;
use blockstep_traces::ranks::words;
use blockstep_traces::{Flaw, Recording};
use blockstep_traces_messages::TraceAnswer;
use serde_json::{Value, json};

use super::{Made, ranks, read};

/// Kernels one after another; so many launches besides are without one.
fn missing(launches: u64) -> String {
    let mut made = Made::default();
    for at in (0..6).map(|step| 500 * step) {
        made.kernel("A", 20, at, (at + 8, at + 208)).kernel("B", 20, at + 10, (at + 210, at + 410));
    }
    for place in 0..launches {
        made.call("cudaLaunchKernel", (3_000 + 10 * place, 4), json!({ "correlation": 900 + place }));
    }
    made.text()
}

fn times(text: &str) -> Times {
    let (recording, analysis) = read(text);
    Times::new(Compared { recording: &recording, path: &paths(&recording, &analysis)[0] })
}

#[test]
fn what_may_be_why_two_traces_differ_stands_beside_the_difference() {
    let compared = compare(&times(&missing(0)), &times(&missing(3)));
    assert_eq!(compared.flaws, [vec![], vec![Flaw::WithoutOperation(3)]]);
    assert_eq!(of_file("before.json", &compared.flaws[0]), None);
    assert_eq!(of_file("after.json", &compared.flaws[1]).unwrap(), "after.json: 3 launches without an operation.");
    let json: Value = serde_json::from_str(&write_comparison_json(&compared, None)).unwrap();
    assert_eq!((&json["flaws_before"], &json["flaws_after"]), (&json!([]), &json!([{ "WithoutOperation": 3 }])));
    // The worker says it of both, in the same words.
    let mut tracer = Tracer::default();
    let mut open = |keeps: bool, text: &str| {
        tracer.begin(keeps);
        let TraceAnswer::Opened(overview) = tracer.open(text.as_bytes(), &mut |_| ()) else { panic!("it can be read") };
        overview.compared
    };
    assert_eq!(open(false, &missing(1)), None);
    let [before, after] = open(true, &missing(0)).unwrap().flaws;
    assert_eq!((before, after), (vec!["1 launch without an operation".to_owned()], vec![]));
}

#[test]
fn a_flaw_of_next_to_nothing_is_no_reason() {
    let mut made = Made::default();
    for at in (0..300).map(|step| 500 * step) {
        made.kernel("A", 20, at, (at + 8, at + 208));
    }
    made.call("cudaLaunchKernel", (200_000, 4), json!({ "correlation": 900 }));
    let recording = made.read().0;
    assert_eq!(recording.flaws, [Flaw::WithoutOperation(1)]);
    assert_eq!(bearing(&recording), []);
    // Where it began is no reason either, and the smallest unit of time.
    let fine = Recording { flaws: vec![Flaw::BeforeCall(300), Flaw::Mended(9), Flaw::Microseconds], ..recording };
    assert_eq!(bearing(&fine), []);
}

#[test]
fn ranks_say_what_is_wrong_with_their_files() {
    let texts = ranks::job(12, 4, ranks::ALL_REDUCE, &mut Dice::new(0, &[69]), &|_, _| (0, false));
    let cut = |text: &String| text[..text.len() - 200].to_owned();
    let files = ranks::files(&[texts[0].clone(), texts[1].clone(), cut(&texts[2])]);
    let said = words::said(&files, &|span| span.ns().to_string());
    assert_eq!(said.last().unwrap(), "worker-2.json: it was cut off; 1 launch without an operation.");
    let json: Value = serde_json::from_str(&write_ranks_json(&files)).unwrap();
    assert_eq!(json["ranks"][0]["flaws"], json!([]));
    assert!(json["ranks"][2]["flaws"][0]["CutOff"].is_u64(), "{json}");
    // A long list has an end.
    let all: Vec<String> = texts.iter().map(cut).collect();
    let said = words::said(&ranks::files(&all), &|span| span.ns().to_string());
    assert_eq!(said.iter().filter(|line| line.starts_with("worker-")).count(), 7);
    assert_eq!(said.last().unwrap(), "5 other files have gaps of such kinds.");
}
