//! The examples of both documents: read, refused, run.

use std::collections::BTreeMap;

use blockstep_format::{FormatError, ImportOptions, open, read_log, read_scenario, write_scenario, write_trace};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Chain, Draft, PolicyKind, Scenario};

use super::{file_format, rows, section, semantics};

/// The fenced blocks of a document: what stands behind the fence, and the text.
fn fenced(document: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((info.to_owned(), text.join("\n")));
        }
    }
    found
}

/// A scenario as far as it can be made, or the message.
fn outcome(text: &str) -> Result<Run, String> {
    let draft = read_scenario(text).map_err(|e| e.to_string())?;
    let scenario = Scenario::new(&draft).map_err(|e| FormatError::of_scenario(&e, text).to_string())?;
    assert_eq!(read_scenario(&write_scenario(&draft)).unwrap(), draft);
    Ok(simulate(&scenario, Limits::default()))
}

#[test]
fn contract_examples_of_files_are_read_or_refused_as_it_says() {
    let blocks = fenced(&file_format());
    let mut counts = BTreeMap::new();
    for (i, (info, text)) in blocks.iter().enumerate() {
        let next = blocks.get(i + 1).map(|(info, text)| (info.as_str(), text.as_str()));
        let kind = match (info.as_str(), next) {
            ("json", Some(("text", message))) => {
                assert_eq!(outcome(text).map(|_| "it is read".to_owned()).unwrap_or_else(|e| e), message, "{text}");
                "refused"
            }
            ("json", Some(("json trace", trace))) => {
                let run = outcome(text).unwrap();
                let written = write_trace(&run.trace, &Records::new(&run.trace)).unwrap().to_string();
                let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
                assert_eq!(value(trace), value(&written), "{written}");
                "run"
            }
            ("json", _) => {
                assert_eq!(outcome(text).map(|run| run.trace.cut().cloned()), Ok(None), "{text}");
                "read"
            }
            ("json config", _) => {
                let opened = open(text, &ImportOptions::default()).unwrap();
                Scenario::new(&opened.draft).unwrap();
                assert_eq!(opened.draft.kernels.len(), 3);
                "config"
            }
            ("json log", _) => {
                assert_eq!(read_log(text, "a.json").map(|log| log.kernels.len()).map_err(|e| e.to_string()), Ok(1));
                "log"
            }
            ("text" | "json trace", _) => continue,
            _ => panic!("a block of kind \"{info}\""),
        };
        *counts.entry(kind).or_insert(0) += 1;
    }
    assert!(counts["refused"] >= 10 && counts["read"] >= 4 && counts["run"] == 1, "{counts:?}");
    assert!(counts.contains_key("config") && counts.contains_key("log"), "{counts:?}");
}

/// What ran from when to when, in order of the starts; of equal ones in order of assignment.
fn ran(run: &Run) -> String {
    let records = Records::new(&run.trace);
    let mut parts = Vec::new();
    for (i, block) in records.blocks.iter().enumerate() {
        let label = run.trace.op_label(block.op);
        parts.extend(records.block_runs(i).iter().map(|part| (part.start, format!("{label} {}-{}", part.start, part.end))));
    }
    parts.sort_by_key(|&(start, _)| start);
    parts.into_iter().map(|(_, part)| part).collect::<Vec<_>>().join(", ")
}

#[test]
fn contract_worked_examples_run_as_it_says() {
    let blocks = fenced(&semantics());
    assert!(blocks.len() >= 16 && blocks.len().is_multiple_of(2), "{}", blocks.len());
    for pair in blocks.chunks(2) {
        assert_eq!((pair[0].0.as_str(), pair[1].0.as_str()), ("json", "text"));
        assert_eq!(outcome(&pair[0].1).map(|run| ran(&run)), Ok(pair[1].1.clone()), "{}", pair[0].1);
    }
}

/// Section 8: the examples of [EDF] with a producer have the paper's chains, or run alike with them.
#[test]
fn contract_examples_of_edf_run_alike_with_chains_that_stay_resident() {
    let (mut resident, mut alike) = (Vec::new(), Vec::new());
    for example in blockstep_sim::examples::all().filter(|example| example.id.starts_with("edf-")) {
        let mut draft = read_scenario(example.json).unwrap();
        if draft.policy.kind != PolicyKind::Edf || draft.tasks.iter().all(|task| task.consumes.is_empty()) {
            continue;
        }
        if draft.policy.chain == Chain::Resident {
            resident.push(example.id);
            continue;
        }
        let steps = |draft: &Draft| simulate(&Scenario::new(draft).unwrap(), Limits::default()).trace.steps().to_vec();
        let one = steps(&draft);
        draft.policy.chain = Chain::Resident;
        assert!(one == steps(&draft), "{}", example.id);
        alike.push(example.id);
    }
    alike.sort_unstable();
    assert_eq!((resident, &alike), (vec!["edf-chain"], &vec!["edf-inheritance", "edf-vi-a-cbs"]));
    let text = semantics();
    assert!(alike.iter().all(|id| text.contains(&format!("`{id}`"))));
}

/// Name, start and end in ns, number of blocks (1 of copies): `K1 0.5-1.0 (4)`.
fn spans(text: &str) -> Vec<(String, u64, u64, usize)> {
    let ns = |seconds: &str| {
        let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
        whole.parse::<u64>().unwrap() * 1_000_000_000 + part.parse::<u64>().unwrap() * 10_u64.pow(9 - part.len() as u32)
    };
    let item = |item: &str| {
        let words: Vec<_> = item.split_whitespace().collect();
        let (start, end) = words[1].split_once('-').unwrap();
        let blocks = words.get(2).map_or(1, |w| w.trim_matches(['(', ')']).parse().unwrap());
        (words[0].to_owned(), ns(start), ns(end), blocks)
    };
    text.split(',').map(item).collect()
}

#[test]
fn contract_times_of_section_11_are_those_of_the_runs() {
    let text = semantics();
    let tables = rows(&section(&text, "## 11 Checked against the papers"));
    assert_eq!(tables.len(), 5);
    for (i, row) in tables.iter().enumerate() {
        assert!(row[0].starts_with(&format!("[TX2] Table {}", i + 1)));
        let run = outcome(blockstep_sim::examples::find(&format!("tx2-table-{}", i + 1)).unwrap().json).unwrap();
        let records = Records::new(&run.trace);
        let blocks = records.blocks.iter().map(|b| (run.trace.op_name(b.op), b.start.ns(), b.end.unwrap().ns()));
        let copies = records.copies.iter().map(|c| (run.trace.op_name(c.op), c.start.ns(), c.end.unwrap().ns()));
        let mut ran: Vec<_> = blocks.chain(copies).collect();
        for (name, start, end, count) in spans(&row[1]) {
            let (within, others): (Vec<_>, _) = ran.into_iter().partition(|r| r.0 == name && start <= r.1 && r.2 <= end);
            ran = others;
            let bounds = (within.iter().map(|r| r.1).min(), within.iter().map(|r| r.2).max());
            assert_eq!((within.len(), bounds), (count, (Some(start), Some(end))), "{} {name}", row[0]);
            // Without a gap: each round but the first begins where one ends.
            assert!(within.iter().all(|r| r.1 == start || within.iter().any(|other| other.2 == r.1)), "{} {name}", row[0]);
        }
        assert_eq!(ran, [], "{}", row[0]);
    }
}
