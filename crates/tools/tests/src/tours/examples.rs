//! The texts and bookmarks of the examples, judged as stops of tours are: their claims stand in `examples.json`,
//! by example and time of the bookmark (`text` for the example's own text).

use blockstep_sim::examples::{self, Example};
use serde_json::{Map, Value, json};

use super::*;

/// Those whose texts are checked by tests of their own.
const ELSEWHERE: [&str; 2] = ["edf-vi-a-runlist", "edf-vi-a-cbs"];

fn claims_of(all: &Value, example: &Example, which: &str) -> Value {
    all.get(example.id).and_then(|of| of.get(which)).cloned().unwrap_or(json!([]))
}

/// The text of an example and its bookmarks, as stops of a tour, each with its place in `examples.json`.
fn stops(all: &Value, example: &Example) -> Vec<(String, Tour)> {
    let own = ("text".to_owned(), example.title, example.text, 0);
    let marks = example.bookmarks.iter().map(|b| (b.at_ns.to_string(), b.label, b.text, b.at_ns));
    let tour = |(which, title, text, at_ns): (String, &str, &str, u64)| {
        let claims = claims_of(all, example, &which);
        let stop = json!({"title": title, "text": text, "scenario": example.id, "at_ns": at_ns, "claims": claims});
        let paper = example.source.trim_start_matches('[').split(']').next().unwrap_or_default();
        let file = json!({"id": "x", "paper": paper, "figure": "x", "title": "t", "about": "a", "stops": [stop]});
        (which, Tour::read(&file.to_string()).unwrap())
    };
    std::iter::once(own).chain(marks).map(tour).collect()
}

fn claims() -> Value {
    let path = format!("{}/crates/tools/tests/src/tours/examples.json", blockstep_testing::ROOT);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn tours_examples_say_what_their_runs_do() {
    let all = claims();
    let mut studies = Studies::default();
    let mut wrong = Vec::new();
    for example in examples::all().filter(|e| !ELSEWHERE.contains(&e.id)) {
        let stops = stops(&all, example);
        for (which, tour) in &stops {
            let mut say = |what: String| wrong.push(format!("{}, {which}: {what}", example.id));
            let stop = &tour.stops[0];
            let scene = Scene::new(example.json, Variants::NONE, stop.place).unwrap();
            visit(tour, stop, scene, &mut studies, &mut say);
            let backing = Backing::from_stop(stop, None);
            for number in stated(stop).iter().flat_map(|text| Number::all(text)).filter(|n| !backing.has(*n)) {
                say(format!("no claim states {} ({:?})", number.value, number.unit));
            }
        }
        let known: Vec<&String> = stops.iter().map(|s| &s.0).collect();
        let of = all.get(example.id).and_then(Value::as_object).map_or(Vec::new(), |of: &Map<String, Value>| of.keys().collect());
        wrong.extend(of.into_iter().filter(|key| !known.contains(key)).map(|key| format!("{}: {key} is no bookmark", example.id)));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the example of Table 1 once said.
#[test]
fn tours_examples_that_were_false_are_found_to_be() {
    let wrong = [
        // "K4 would fit beside K1 from the start and still waits a second."
        (400_000_000, r#"{"spent":"K4","on":"x1","ns":1000000000}"#),
        // "K6, launched at 2.8 s, found every queue empty."
        (2_800_000_000, r#"{"operations_in":["S1","S3"],"count":0}"#),
    ];
    let mut studies = Studies::default();
    for (at_ns, claim) in wrong.map(|(at_ns, claim): (u64, &str)| (at_ns, claim)) {
        let stop = format!(r#"{{"title":"a","text":"x","scenario":"tx2-table-1","at_ns":{at_ns}}}"#);
        let tour = Tour::read(&file(&stop)).unwrap();
        let stop = &tour.stops[0];
        let scene = Scene::new(examples::first().json, Variants::NONE, stop.place).unwrap();
        assert!(claims::check(claim, &scene, &tour, stop, &mut studies).is_err(), "{claim}");
    }
}
