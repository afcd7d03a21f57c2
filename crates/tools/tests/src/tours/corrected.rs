//! Sentences that tours and examples once said and that are false: as claims, each is found to be.

use super::*;

/// A tour, a stop of it counted from 1, and what was once said there.
const FALSE: &[(&str, usize, &str)] = &[
    // "Three operations in one stream … all three have just been issued."
    ("tx2-fig-2", 1, r#"{"issued_by":"main","input_copies":1,"kernels":1,"output_copies":1}"#),
    ("tx2-fig-2", 1, r#"{"operations_in":["NULL"],"count":3}"#),
    ("tx2-fig-2", 1, r#"{"copies":2}"#),
    ("tx2-fig-2", 1, r#"{"row":"vecAdd","stream":"S1"}"#),
    // "A row always has a kernel", "the page has no events".
    ("tx2-fig-2", 1, r#"{"can":"have a row without a kernel","is":false}"#),
    ("mt-fig-2", 2, r#"{"can":"have a row without a kernel","is":false}"#),
    ("mt-fig-2", 3, r#"{"can":"record an event","is":false}"#),
    // "Whatever is launched now starts at once if it fits", in S1 and S3 as well.
    ("tx2-fig-4", 7, r#"{"under":{"probe":{"stream":"S1"}},"kernel":"probe","start_ns":2700000000}"#),
    ("tx2-fig-4", 7, r#"{"under":{"probe":{"stream":"S3"}},"kernel":"probe","start_ns":2700000000}"#),
    ("tx2-fig-4", 7, r#"{"operations_in":["S1","S3"],"count":2}"#),
    // "K6 found every queue empty."
    ("tx2-fig-4", 8, r#"{"operations_in":["S1","S2","S3"],"count":1}"#),
    // "Of two completions at one instant the one assigned first counts first", as if the paper said so.
    ("tx2-fig-4", 8, r#"{"paper":"section 3.2","value":"K5","says":["assigned first","completes first"]}"#),
    ("tx2-fig-4", 8, r#"{"end_together":["K5","K2"],"assigned_first":"K2"}"#),
    ("tx2-fig-4", 8, r#"{"end_together":["K5","K6"],"assigned_first":"K5"}"#),
    // "Each wait has a cause that can be bounded", as if the paper said so.
    ("tx2-fig-4", 11, r#"{"paper":"section 3.2","value":"bounded","says":["hierarchical fifo","can be bounded"]}"#),
    // "Low-priority work blocks it for at most the rest of the blocks that run when it arrives."
    ("tx2-fig-6", 10, r#"{"starts_when_running_blocks_end":"K3"}"#),
    ("tx2-fig-6", 10, r#"{"spent":"C3i","on":"copy_engine","ns":0}"#),
    ("tx2-fig-6", 10, r#"{"differs":{"without":["K2"]},"kernel":"K3","start_ns":150000000}"#),
    // "Full preemption beats none up to 0.71."
    ("lp-fig-3", 10, r#"{"published":"EDF greatest","above":"npEDF greatest","from_permille":200,"to_permille":710}"#),
    (
        "lp-fig-3",
        10,
        r#"{"study":"preset=lp-3","test":"EDF, 2 x 434 µs","above":"npEDF, 1 x 44 µs","sets":100000,"from_permille":200,"to_permille":220}"#,
    ),
    ("lp-fig-3", 10, r#"{"published":"npEDF greatest","utilisation_permille":200,"passed":95386}"#),
    // "From about 83 % of the sets to about 67 %", "from 26 % to 24 %".
    ("lp-fig-2", 6, r#"{"test":"lpEDF, 2 x 80 µs, 5 to 500 groups","ratio_permille":[825,835]}"#),
    ("lp-fig-2", 6, r#"{"test":"lpEDF, 2 x 118 µs, 5 to 500 groups","ratio_permille":[665,675]}"#),
    ("lp-fig-2", 6, r#"{"test":"npEDF, 1 x 118 µs","ratio_permille":[235,245]}"#),
    // "On Fermi CPUORDER gains."
    (
        "mt-fig-1",
        6,
        r#"{"better":"CPUOrder","than":"CPUConcurrent","gpu":"fermi","by":"paper","cases":["Case-2","Case-3","Case-5","Case-6"]}"#,
    ),
    ("mt-fig-1", 6, r#"{"case":"Case-3","by":"paper","best":["CPUOrder"]}"#),
    ("mt-fig-1", 6, r#"{"case":"Case-2","by":"paper","gpu":"kepler"}"#),
    // The tree of recommendations as the paper's own.
    ("mt-fig-3", 9, r#"{"tool_shows":"What the paper would advise"}"#),
    // Numbers that follow from nothing that the stop states, or that are another.
    ("tx2-fig-4", 11, r#"{"reckon":"0.6 s + 1 s","is":"1.7 s"}"#),
    ("tx2-fig-4", 11, r#"{"reckon":"0.9 s + 1 s","is":"1.9 s"}"#),
];

#[test]
fn tours_sentences_that_were_false_are_found_to_be() {
    let is_shared = claims::has_shared();
    let mut studies = Studies::default();
    let mut missed = Vec::new();
    for (id, number, claim) in FALSE {
        // Without the papers and their numbers such claims are skipped.
        if !is_shared && (claim.contains("\"paper\"") || claim.contains("\"published\"")) {
            continue;
        }
        let mut claim = (*claim).to_owned();
        if claim.starts_with("{\"test\"") {
            let query = r#"{"study":"preset=lp-3&thread=&block=80,118&none=80,118","utilisation_permille":900,"sets":100000,"#;
            claim = claim.replacen('{', query, 1);
        }
        let (_, text) = files().into_iter().find(|file| file.0 == *id).unwrap();
        let tour = Tour::read(&text).unwrap();
        let stop = &tour.stops[number - 1];
        let scene = Scene::new(&tour.scenario(&stop.setting).unwrap(), Variants::NONE, stop.place).unwrap();
        match claims::check(&claim, &scene, &tour, stop, &mut studies) {
            Ok(()) => missed.push(format!("{id}, stop {number}: {claim}")),
            // A claim that could not even be read proves nothing.
            Err(why) if ["means nothing here", "is of no known kind", "expected", "states nothing"].iter().any(|w| why.contains(w)) => {
                missed.push(format!("{id}, stop {number}: {claim}: {why}"));
            }
            Err(_) => {}
        }
    }
    assert!(missed.is_empty(), "taken for true, or not understood: {missed:#?}");
}

/// A number in a text without a claim is noticed.
#[test]
fn tours_numbers_without_a_claim_are_noticed() {
    let stop = |text: &str| {
        let claims = r#"[{"kernel":"K4","issued_ns":200000000,"start_ns":1000000000},{"reckon":"1 s - 0.2 s","is":"0.8 s"},
            {"study":"preset=lp-3","test":"t","utilisation_permille":710,"ratio_permille":[847,855]}]"#;
        let file = file(&format!(r#"{{"title":"t","text":"{text}","scenario":"tx2-table-1","step":0,"claims":{claims}}}"#));
        let tour = Tour::read(&file).unwrap();
        let backing = Backing::from_stop(&tour.stops[0], None);
        stated(&tour.stops[0]).iter().flat_map(|text| Number::all(text)).filter(|n| !backing.has(*n)).map(|n| n.value).collect::<Vec<_>>()
    };
    assert_eq!(stop("K4 is launched at 0.2 s, starts at 1 s and waits 0.8 s; 85 % pass at 0.71 (Fig. 9)."), [0.0; 0]);
    assert_eq!(stop("K4 waits 0.9 s, 84 % pass at 0.72, and 200 ms and 12 blocks."), [0.9, 84.0, 0.72, 12.0]);
}
