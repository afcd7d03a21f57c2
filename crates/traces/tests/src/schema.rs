//! `docs/trace-schema.json` is what `blockstep trace --format json` prints: every output fits it, and it names nothing that none has.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use blockstep_sim::dice::Dice;
use blockstep_sim::occupancy::NAMES;
use blockstep_sim::units::Time;
use blockstep_testing::ROOT;
use blockstep_testing::schema::{misfit, resolve};
use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::communication::CollectiveKind;
use blockstep_traces::files::{read_profile, write_comparison_json, write_range_json, write_ranks_json, write_waits_json};
use blockstep_traces::gain::gains;
use blockstep_traces::gain::promises::Advice;
use blockstep_traces::path::compare::{Compared, Times, compare};
use blockstep_traces::path::groups::PathShare;
use blockstep_traces::path::paths;
use blockstep_traces::ranges::{RangeSums, WorkKind};
use blockstep_traces::summary::Summary;
use blockstep_traces::{Flaw, HostSort, ProfilerMessage, Recording};
use serde_json::{Value, json};

use super::{Made, communication, compared, public_of_pytorch, ranks, texts};

fn schema() -> Value {
    serde_json::from_str(&fs::read_to_string(format!("{ROOT}/docs/trace-schema.json")).unwrap()).unwrap()
}

/// The output of a trace.
fn output(recording: &Recording, analysis: &Analysis) -> Value {
    let (summary, paths) = (Summary::new(recording, analysis), paths(recording, analysis));
    let gains = gains(recording, analysis, &paths);
    serde_json::from_str(&write_waits_json((recording, analysis), &summary, &paths, gains.as_ref(), 20)).unwrap()
}

/// The first half of a trace.
fn range(recording: &Recording) -> Value {
    let analysis = Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap();
    let half = Time(recording.end().ns() / 2);
    let sums = RangeSums::new(recording, &analysis, &paths(recording, &analysis), Time::ZERO, half);
    let output: Value = serde_json::from_str(&write_range_json(recording, &sums, 20)).unwrap();
    for path in output["range"]["paths"].as_array().unwrap() {
        let shares: u64 = path["shares_ns"].as_object().unwrap().values().map(|ns| ns.as_u64().unwrap()).sum();
        assert_eq!(shares, half.ns());
    }
    output
}

/// Six steps of two kernels, the second with this name and this long, us.
fn steps(name: &str, length: u64) -> Recording {
    let mut made = Made::default();
    for at in (0..6).map(|step| step * (400 + length)) {
        made.kernel("A", 20, at, (at + 8, at + 208)).kernel(name, 20, at + 10, (at + 210, at + 210 + length));
    }
    made.read().0
}

/// What two traces come to.
fn comparison(before: &Recording, after: &Recording) -> Value {
    let of = |recording: &Recording| {
        let analysis = Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap();
        let paths = paths(recording, &analysis);
        let advice = Advice::new(recording, &gains(recording, &analysis, &paths).unwrap());
        (Times::new(Compared { recording, path: &paths[0] }), advice)
    };
    let (before, after) = (of(before), of(after));
    let promises = before.1.promises(&after.1);
    serde_json::from_str(&write_comparison_json(&compare(&before.0, &after.0), Some(&promises))).unwrap()
}

/// Every kind of flaw.
const FLAWS: [Flaw; 15] = [
    Flaw::CutOff(9),
    Flaw::NoObjects(10),
    Flaw::WithoutCall(1),
    Flaw::BeforeCall(2),
    Flaw::WithoutTime(3),
    Flaw::WithoutOperation(4),
    Flaw::Clipped(5),
    Flaw::Mended(6),
    Flaw::GraphsWhole(7),
    Flaw::UnreadRows(8),
    Flaw::IdleWaits(11),
    Flaw::MaybeCut(14),
    Flaw::Lost(12),
    Flaw::Warned(13),
    Flaw::Microseconds,
];

/// The outputs of traces of every kind, and comparisons.
static OUTPUTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut recordings: Vec<Recording> =
        texts().iter().map(|text| read_profile(text.as_bytes(), &mut |_| true).unwrap_or_else(|why| panic!("{why}"))).collect();
    recordings.push(read_profile(blockstep_traces_messages::example::FILE.as_bytes(), &mut |_| true).unwrap());
    // With waits for room, and a name that no GPU has.
    let mut made = Made::default();
    made.sized("A", 20, 0, (8, 500), 216).sized("B", 24, 10, (502, 600), 4);
    recordings.push(made.read().0);
    let messages = vec![ProfilerMessage { is_of_loss: true, text: "CUDA events were dropped".to_owned() }];
    recordings.push(Recording { flaws: FLAWS.to_vec(), messages, ..steps("B", 300) });
    recordings[0].devices.iter_mut().for_each(|device| device.name = None);
    recordings.push(compared::waiting(&[500; 4]).0);
    recordings.push(read_profile(super::host_alone::text(&super::host_alone::events()).as_bytes(), &mut |_| true).unwrap());
    // With communication that nothing hides.
    recordings.push(Made::default().kernel(ranks::ALL_REDUCE, 20, 0, (8, 500)).kernel("B", 20, 10, (502, 600)).read().0);
    let mut all: Vec<Value> = public_of_pytorch().map(|trace| output(&trace.recording, &trace.analysis)).collect();
    all.extend(
        recordings.iter().map(|recording| output(recording, &Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap())),
    );
    all.extend(recordings.iter().map(range));
    all.extend([comparison(&steps("B", 300), &steps("B", 360)), comparison(&steps("B", 300), &steps("C", 300))]);
    let slow = |rank: u64, _: u64| (if rank == 1 { 300 } else { 0 }, false);
    let mut files = ranks::files(&ranks::job(3, 4, ranks::ALL_REDUCE, &mut Dice::new(0, &[67]), &slow));
    files.push(("damaged.json".to_owned(), Err("it is damaged".to_owned())));
    let groups = ranks::files(&communication::groups(true, &mut Dice::new(0, &[67])));
    all.extend([&files[..], &files[2..], &groups].map(|files| serde_json::from_str::<Value>(&write_ranks_json(files)).unwrap()));
    all
});

#[test]
fn profile_schema_fits_what_is_printed() {
    let root = schema();
    for output in OUTPUTS.iter() {
        assert_eq!(misfit(&root, &root, output, ""), None, "{output}");
    }
    for output in OUTPUTS.iter().rev().take(5) {
        // What lacks a field, or has one more, does not fit.
        for field in output.as_object().unwrap().keys().filter(|field| !["evidence", "holds_up", "promises"].contains(&field.as_str())) {
            let mut lacking = output.clone();
            lacking.as_object_mut().unwrap().remove(field);
            assert!(misfit(&root, &root, &lacking, "").is_some(), "without {field}");
        }
        let mut more = output.clone();
        more["more"] = json!(1);
        assert!(misfit(&root, &root, &more, "").is_some(), "with a field that nobody knows");
    }
}

/// Notes which properties a value has, by where the schema describes them.
fn note(root: &Value, schema: &Value, value: &Value, found: &mut BTreeSet<(usize, String)>) {
    let schema = resolve(root, schema);
    for choice in schema["oneOf"].as_array().into_iter().flatten().filter(|choice| misfit(root, choice, value, "").is_none()) {
        note(root, choice, value, found);
    }
    if let Value::Array(values) = value {
        values.iter().for_each(|value| note(root, &schema["items"], value, found));
    }
    if let (Some(properties), Value::Object(fields)) = (schema["properties"].as_object(), value) {
        for (name, field) in fields {
            // Each place of the schema has an address of its own.
            found.insert((std::ptr::from_ref(properties) as usize, name.clone()));
            note(root, &properties[name], field, found);
        }
    }
}

/// Every property of a schema, with what describes it.
fn properties<'s>(schema: &'s Value, all: &mut Vec<(usize, &'s str, &'s Value)>) {
    if let Some(properties) = schema["properties"].as_object() {
        let of = std::ptr::from_ref(properties) as usize;
        all.extend(properties.iter().map(|(name, property)| (of, name.as_str(), property)));
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|value| properties(value, all)),
        Value::Array(values) => values.iter().for_each(|value| properties(value, all)),
        _ => {}
    }
}

#[test]
fn profile_schema_names_nothing_that_is_not_printed() {
    let root = schema();
    let (mut found, mut all) = (BTreeSet::new(), Vec::new());
    OUTPUTS.iter().for_each(|output| note(&root, &root, output, &mut found));
    properties(&root, &mut all);
    assert!(all.len() > 70, "{}", all.len());
    for (of, name, property) in all {
        assert!(found.contains(&(of, name.to_owned())), "no output has {name}");
        let described = resolve(&root, property)["description"].as_str();
        assert!(described.is_some_and(|text| text.len() > 5), "{name} has no description");
    }
    // The words are those of the code.
    let words =
        |pointer: &str| root.pointer(pointer).unwrap().as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(words("/$defs/Cause/enum"), Cause::ALL.map(Cause::word));
    assert_eq!(words("/$defs/Share/enum"), PathShare::ALL.map(PathShare::word));
    assert_eq!(words("/$defs/Group/properties/span/enum"), HostSort::ALL.map(HostSort::word));
    assert_eq!(words("/$defs/RangeWork/properties/kind/enum"), WorkKind::ALL.map(WorkKind::word));
    assert_eq!(words("/$defs/Lack/properties/resource/enum"), NAMES);
    assert_eq!(words("/$defs/CommunicationKind/properties/kind/enum"), CollectiveKind::ALL.map(CollectiveKind::word));
    assert_eq!(root["$defs"]["Flaw"]["oneOf"].as_array().unwrap().len(), FLAWS.len());
}
