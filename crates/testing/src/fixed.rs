//! The fixed set of scenarios (and studies): examples, those of one address space under both `fifo` and
//! `priority`, and small ones. Their traces are goldens, by steps or by fingerprint, and must be
//! the same natively and in WebAssembly.
//!
//! Depends on the library. Invariant: names are unique and can be file names.

use std::sync::Arc;

use blockstep_analysis::presets;
use blockstep_analysis::results::Results;
use blockstep_analysis::sweep::{Counter, Sweep};
use blockstep_format as format;
use blockstep_policy::Program;
use blockstep_policy::examples::EXAMPLES;
use blockstep_search::{Property, Search};
use blockstep_sim::check;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Draft, PolicyKind, Scenario};
use blockstep_sim::trace::{Variant, Variants};
use blockstep_sim::work::Budget;

macro_rules! small {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../../../tests/golden/", $name, ".json")))),*] };
}

/// Scenario files beside their goldens.
const SMALL: &[(&str, &str)] = small![
    "after-rows",
    "block-times",
    "dependencies",
    "edf-block",
    "edf-servers",
    "first-fit",
    "horizon",
    "null-copies",
    "recurring",
    "registers-and-slots",
    "round-robin",
    "runlist",
    "runlist-block",
    "ties",
    "two-copy-engines",
    "varying",
];

/// Further examples whose traces are short enough to be read.
const READABLE: &[&str] = &["edf-fig-1", "edf-fig-2a", "edf-inheritance", "edf-overrun-cbs", "edf-overrun-plain"];

/// The scenarios whose steps are goldens, with their names: the first examples under both policies,
/// others under their own.
pub fn scenarios() -> Vec<(String, Draft)> {
    let mut set = Vec::new();
    for example in examples::all().take(5) {
        for kind in [PolicyKind::Fifo, PolicyKind::Priority] {
            let mut draft = read(example.json);
            draft.policy.kind = kind;
            set.push((format!("{}-{}", example.id, kind.word()), draft));
        }
    }
    set.extend(further(true));
    set.extend(SMALL.iter().map(|&(name, json)| (name.to_owned(), read(json))));
    set
}

fn further(readable: bool) -> impl Iterator<Item = (String, Draft)> {
    let examples = examples::all().skip(5).filter(move |e| READABLE.contains(&e.id) == readable);
    examples.map(|e| (e.id.to_owned(), read(e.json)))
}

fn read(json: &str) -> Draft {
    format::read_scenario(json).expect("a scenario of the fixed set can be read")
}

pub fn run(draft: &Draft) -> Run {
    let scenario: Arc<Scenario> = Scenario::new(draft).expect("a scenario of the fixed set is valid");
    let run = engine::simulate(&scenario, Limits::default());
    assert_eq!(run.trace.cut(), None);
    run
}

/// `name hash-of-the-steps hash-of-the-exported-trace`, a line each.
#[allow(dead_code, reason = "one of the tests that share this file does not need it")]
pub fn fingerprints() -> String {
    let line = |(name, draft): (String, Draft)| {
        let trace = run(&draft).trace;
        let json = format::write_trace(&trace, &Records::new(&trace)).expect("a whole run can be exported").to_string();
        format!("{name} {:016x} {:016x}\n", fnv1a(trace.text().as_bytes()), fnv1a(json.as_bytes()))
    };
    scenarios().into_iter().chain(further(false)).map(line).chain(studies()).collect()
}

/// `study name hash-of-the-results`, a line each: a few sets of every built-in study.
fn studies() -> impl Iterator<Item = String> {
    presets::ALL.iter().map(|preset| {
        let sweep = Sweep { sets: 25, ..(preset.sweep)() };
        let mut counter = Counter::new(&sweep);
        let counts = sweep.utilisation.iter().map(|u| counter.count(u, 0..25)).collect();
        let results = Results::new(sweep.clone(), 0..25, counts);
        format!("study {} {:016x}\n", preset.id, fnv1a(format::write_results(&results).as_bytes()))
    })
}

/// Work of a search whose report is a fingerprint: all that some searches do, and a part of others.
const SEARCHED: u64 = 200_000;

/// `check variant number-of-violations hash`, a line for each variant, of the first examples as they run with it; then
/// `search policy number-of-states hash`, or why there is none, a line for each published policy with two tasks.
pub fn verdicts() -> String {
    let checked = Variant::ALL.iter().map(|variant| {
        let violations = examples::all().take(5).flat_map(|example| {
            let scenario = Scenario::new(&read(example.json)).expect("an example is valid");
            let trace = engine::simulate_varied(&scenario, Variants::NONE.with(*variant), Limits::default()).trace;
            check::check(&trace, &Records::new(&trace))
        });
        let lines: Vec<String> = violations.map(|violation| violation.to_string()).collect();
        format!("check {} {} {:016x}\n", variant.id(), lines.len(), fnv1a(lines.join("\n").as_bytes()))
    });
    let searched = EXAMPLES.iter().map(|example| {
        let program = Program::new(example.text).expect("a published policy can be read");
        match Search::new(&program, 2, &Property::for_program(&program)) {
            Ok(mut search) => {
                search.advance(&mut Budget::new(SEARCHED));
                let report = search.report();
                format!("search {} {} {:016x}\n", example.id, report.states(), fnv1a(format!("{report:?}").as_bytes()))
            }
            Err(refused) => format!("search {} refused: {refused}\n", example.id),
        }
    });
    checked.chain(searched).collect()
}

/// FNV-1a, 64 bits: the same everywhere, unlike the hashers of the standard library.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
