//! What is wrong with files, beside other files: comparisons and tables of ranks say it too, if it may be why they differ.

use blockstep_sim::dice::Dice;
use blockstep_traces::answers::Tracer;
use blockstep_traces::causes::{Analysis, Certainty, KnownSettings};
use blockstep_traces::files::{read_profile, write_comparison_json, write_ranks_json};
use blockstep_traces::flaws::{bearing, of_file, sentences};
use blockstep_traces::gain::{NoGains, gains};
use blockstep_traces::path::compare::{Compared, Times, compare};
use blockstep_traces::path::paths;
use blockstep_traces::ranks::words;
use blockstep_traces::ruled_out::{Proof, ruled_out};
use blockstep_traces::{Flaw, Recording};
use blockstep_traces_messages::TraceAnswer;
use serde_json::{Value, json};

use super::nsys::of_statements;
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

/// Two kernels in a stream with their calls, as an export of Nsight Systems, and these statements besides.
fn export(more: &str) -> Vec<u8> {
    of_statements(&format!(
        "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (3, 'K');
         CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId, demangledName);
         INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (12000, 20000, 7, 1, 3), (102000, 110000, 7, 2, 3);
         CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId);
         INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10000, 11000, 1, 1), (100000, 101000, 2, 1); {more}"
    ))
}

const LEVELS: &str = "CREATE TABLE ENUM_DIAGNOSTIC_SEVERITY_LEVEL (id, name, label);
    INSERT INTO ENUM_DIAGNOSTIC_SEVERITY_LEVEL VALUES (0, 'UnknownLevel', 'Unknown'), (1, 'Info', 'Info'), (2, 'Warning', 'Warning'),
      (3, 'Error', 'Error'), (4, 'Verbose', 'Verbose');";

/// The messages of an export: level and text.
fn messages(all: &[(i64, &str)]) -> String {
    let rows: Vec<String> = all.iter().map(|(level, text)| format!("({level}, '{text}')")).collect();
    format!("CREATE TABLE DIAGNOSTIC_EVENT (severity, text); INSERT INTO DIAGNOSTIC_EVENT VALUES {};", rows.join(", "))
}

fn recorded(bytes: &[u8]) -> Recording {
    read_profile(bytes, &mut |_| true).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn nsight_says_itself_that_it_lost_events() {
    let all = [
        (1, "Number of CUDA events collected: 4."),
        (2, "CUDA profiling might have not been started correctly."),
        (2, "CPU IP/backtrace sampling will be disabled, events were lost."),
        (4, "CUDA events were dropped."),
        (3, "Not all  CUDA events\nmight have been collected."),
        (3, "Not all CUDA events might have been collected."),
        (2, "Event buffer overflow."),
    ];
    let recording = recorded(&export(&format!("{LEVELS}{}", messages(&all))));
    assert_eq!(recording.flaws, [Flaw::Lost(3), Flaw::Warned(1), Flaw::Microseconds]);
    let said = sentences(&recording);
    assert!(
        said[0].contains("that: 3.") && said[0].ends_with("\"Not all CUDA events might have been collected.\" \"Event buffer overflow.\"")
    );
    assert!(said[1].ends_with("recording: 1. \"CUDA profiling might have not been started correctly.\""), "{said:?}");
    // As of a file that was cut off: nothing is ruled out by what is not there, and nothing is offered.
    assert!(!recording.is_whole());
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let without = recorded(&export(""));
    assert!(ruled_out(&without, 1, analysis.parts(1)).iter().any(|&(_, proof)| proof == Proof::OneStream));
    assert!(ruled_out(&recording, 1, analysis.parts(1)).iter().all(|&(_, proof)| matches!(proof, Proof::NoTransfer | Proof::UsedBefore)));
    assert!(analysis.parts(1).iter().all(|part| part.certainty != Certainty::Certain));
    assert_eq!(gains(&recording, &analysis, &paths(&recording, &analysis)).unwrap_err(), NoGains::Lost);
    assert!(gains(&without, &analysis, &paths(&without, &analysis)).is_ok());
    assert_eq!(bearing(&recording), [Flaw::Lost(3)]);
}

#[test]
fn nsight_has_levels_of_its_own_or_the_usual_ones() {
    let lost = messages(&[(3, "CUDA events were dropped"), (7, "CUDA events were dropped")]);
    assert_eq!(recorded(&export(&lost)).flaws, [Flaw::Lost(1), Flaw::Microseconds]);
    let levels = "CREATE TABLE ENUM_DIAGNOSTIC_SEVERITY_LEVEL (id, label); INSERT INTO ENUM_DIAGNOSTIC_SEVERITY_LEVEL VALUES (7, 'Fatal');";
    assert_eq!(recorded(&export(&format!("{lost}{levels}"))).flaws, [Flaw::Lost(1), Flaw::Microseconds]);
    // What is no text, no level or no column is no message; a long one is cut.
    let odd =
        "CREATE TABLE DIAGNOSTIC_EVENT (severity, text); INSERT INTO DIAGNOSTIC_EVENT VALUES (NULL, 'CUDA lost'), (2, x'ff00'), (2, NULL),
        ('high', 'CUDA lost'), (2, 'CUDA lost ' || hex(zeroblob(2000000)));";
    let recording = recorded(&export(odd));
    assert_eq!(recording.flaws, [Flaw::Lost(1), Flaw::Microseconds]);
    assert_eq!(recording.messages[0].text.chars().count(), 160);
    assert_eq!(recorded(&export("CREATE TABLE DIAGNOSTIC_EVENT (id);")).flaws, [Flaw::Microseconds]);
}

#[test]
fn nsight_without_a_device_says_what_to_record() {
    let why = |statements: &str| read_profile(&of_statements(statements)[..], &mut |_| true).unwrap_err().to_string();
    let of_target = "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name, value);";
    let said = why(&format!("{of_target}{LEVELS}{}", messages(&[(2, "No CUDA events collected. Does the process use CUDA?")])));
    assert!(said.contains("nor of a GPU (TARGET_INFO_GPU). Record with nsys profile -t cuda,nvtx -o report PROGRAM, then"), "{said}");
    assert!(said.ends_with("It says itself: \"No CUDA events collected. Does the process use CUDA?\""), "{said}");
    let said = why(&format!("{of_target}CREATE TABLE TARGET_INFO_GPU (id);"));
    assert!(said.contains("(CUPTI_ACTIVITY_KIND_KERNEL and others). Record") && said.ends_with("report.nsys-rep"), "{said}");
    assert!(why("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end)").contains("its tables of CUDA's activities are empty"));
    let calls =
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, 9, 1);";
    assert!(why(calls).contains("it has calls of CUDA, and nothing that they ran"));
}
