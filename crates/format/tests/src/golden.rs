//! Goldens: every time of docs/semantics.md, section 11, the insets of [TX2] Fig. 4, and whole traces
//! in their text form (`tests/golden/*.txt`; rewritten by `BLESS=1 cargo test -p blockstep-format-tests golden`).

use std::fs;

use blockstep_format as format;
use blockstep_sim::engine::Run;
use blockstep_sim::examples::{self, Example};
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Level, Trace};
use blockstep_sim::units::{OpId, SmId, SpaceId};
use blockstep_testing::fixed::{self, run};
use blockstep_testing::golden::{compare, file};

fn example(id: &str) -> Run {
    run(&format::read_scenario(examples::find(id).unwrap().json).unwrap())
}

#[test]
fn golden_traces() {
    let differences: Vec<_> =
        fixed::scenarios().into_iter().filter_map(|(name, draft)| compare(&format!("{name}.txt"), &run(&draft).trace.text())).collect();
    assert!(differences.is_empty(), "{}\nIf this is meant: BLESS=1 cargo test -p blockstep-format-tests golden", differences.join("\n"));
}

/// Every golden belongs to a scenario of the set.
#[test]
fn golden_files_are_all_used() {
    let mut expected: Vec<_> = fixed::scenarios().into_iter().map(|(name, _)| format!("{name}.txt")).collect();
    expected.push("fingerprints.txt".to_owned());
    expected.push("variants.txt".to_owned());
    expected.push("verdicts.txt".to_owned());
    expected.push("waits.txt".to_owned());
    expected.sort();
    let files = fs::read_dir(file("")).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
    let mut texts: Vec<_> = files.filter(|f| f.ends_with(".txt")).collect();
    texts.sort();
    assert_eq!(texts, expected);
}

/// Two browsers are held to the same traces (`tests/web/worker.rs`).
#[test]
fn golden_fingerprints_are_those_of_browsers() {
    assert_eq!(compare("fingerprints.txt", &fixed::fingerprints()), None);
}

/// And to what the checker and the search of policies find.
#[test]
fn golden_verdicts_are_those_of_browsers() {
    assert_eq!(compare("verdicts.txt", &fixed::verdicts()), None);
}

/// Tenths of a second, as most times of the papers are.
const TENTH: u64 = 100_000_000;

/// `K1:0 SM0 0-1000000000` per block and `C5o CE0 ..` per copy, in order of assignment.
fn executions(run: &Run) -> Vec<(String, u64, u64)> {
    let records = Records::new(&run.trace);
    let blocks =
        records.blocks.iter().map(|b| (b.start_step, format!("{}:{} SM{}", run.trace.op_name(b.op), b.block, b.sm.0), b.start, b.end));
    let copies = records.copies.iter().map(|c| (c.start_step, format!("{} CE{}", run.trace.op_name(c.op), c.engine), c.start, c.end));
    let mut all: Vec<_> = blocks.chain(copies).collect();
    all.sort_by_key(|&(step, ..)| step);
    all.into_iter().map(|(_, what, start, end)| (what, start.ns(), end.expect("the run goes on until everything is done").ns())).collect()
}

/// Compares with `(what, start, end)` in tenths of a second.
fn assert_times(id: &str, expected: &[(&str, u64, u64)]) {
    let expected: Vec<_> = expected.iter().map(|&(what, start, end)| (what.to_owned(), start * TENTH, end * TENTH)).collect();
    assert_eq!(executions(&example(id)), expected);
}

#[test]
fn golden_times_of_tx2_table_1() {
    assert_times(
        "tx2-table-1",
        &[
            ("K1:0 SM0", 0, 10),
            ("K1:1 SM1", 0, 10),
            ("K1:2 SM0", 0, 10),
            ("K1:3 SM1", 0, 10),
            ("K1:4 SM0", 10, 20),
            ("K1:5 SM1", 10, 20),
            ("K4:0 SM0", 10, 20),
            ("K4:1 SM1", 10, 20),
            ("K4:2 SM0", 10, 20),
            ("K4:3 SM1", 10, 20),
            ("K5:0 SM0", 20, 30),
            ("K5:1 SM1", 20, 30),
            ("K2:0 SM0", 20, 30),
            ("K2:1 SM1", 20, 30),
            ("K6:0 SM0", 28, 38),
            ("K6:1 SM1", 28, 38),
            ("C5o CE0", 30, 32),
            ("C2o CE0", 32, 34),
            ("C3i CE0", 34, 36),
            ("K3:0 SM0", 36, 46),
            ("K3:1 SM1", 36, 46),
            ("C6o CE0", 38, 40),
            ("C3o CE0", 46, 48),
        ],
    );
}

#[test]
fn golden_times_of_tx2_table_2() {
    let mut expected = vec![("K1:0 SM0", 0, 10), ("K1:1 SM1", 0, 10), ("K1:2 SM0", 0, 10), ("K1:3 SM1", 0, 10)];
    expected.extend([("K1:4 SM0", 10, 20), ("K1:5 SM1", 10, 20), ("K2:0 SM0", 20, 30)]);
    expected.extend([("K3:0 SM0", 30, 40), ("K3:1 SM1", 30, 40), ("K3:2 SM0", 30, 40), ("K3:3 SM1", 30, 40)]);
    expected.extend([("K4:0 SM0", 40, 50), ("K4:1 SM1", 40, 50), ("K4:2 SM0", 40, 50), ("K4:3 SM1", 40, 50)]);
    expected.extend([("K5:0 SM0", 50, 60), ("K6:0 SM0", 60, 70), ("K6:1 SM1", 60, 70)]);
    assert_times("tx2-table-2", &expected);
}

/// `count` blocks of 1024 threads, four at a time, half a second each, from `start`.
fn rounds(kernel: &str, first: usize, count: usize, start: u64) -> Vec<(String, u64, u64)> {
    let block = |i: usize| {
        let start = start + i as u64 / 4 * 5;
        (format!("{kernel}:{} SM{}", first + i, i % 2), start, start + 5)
    };
    (0..count).map(block).collect()
}

fn assert_rounds(id: &str, rounds: &[Vec<(String, u64, u64)>]) {
    let flat = rounds.concat();
    assert_times(id, &flat.iter().map(|(what, start, end)| (what.as_str(), *start, *end)).collect::<Vec<_>>());
}

#[test]
fn golden_times_of_tx2_table_3() {
    assert_rounds("tx2-table-3", &[rounds("K1", 0, 4, 0), rounds("K2", 0, 16, 5), rounds("K3", 0, 16, 25), rounds("K1", 4, 4, 45)]);
}

#[test]
fn golden_times_of_tx2_table_4() {
    let k1 = rounds("K1", 0, 4, 0);
    assert_rounds("tx2-table-4", &[k1, rounds("K3", 0, 8, 5), rounds("K1", 4, 4, 15), rounds("K2", 0, 8, 20), rounds("K4", 0, 8, 30)]);
}

#[test]
fn golden_times_of_tx2_table_5() {
    let mut expected = vec![("K1:0 SM0", 0, 10), ("K2:0 SM1", 1, 11), ("K3:0 SM0", 2, 12), ("K4:0 SM1", 3, 13)];
    expected.extend([("K5:0 SM0", 4, 14), ("K6:0 SM1", 5, 15), ("K7:0 SM0", 6, 16), ("K8:0 SM1", 11, 16), ("K9:0 SM0", 11, 21)]);
    assert_times("tx2-table-5", &expected);
}

/// Where everything is: streams, EE queues, CE queue, SMs and copy engine, by name.
fn contents(trace: &Trace, state: &Snapshot) -> String {
    let names = |ops: &mut dyn Iterator<Item = &OpId>| ops.map(|&op| trace.op_name(op)).collect::<Vec<_>>().join(" ");
    let mut lines = Vec::new();
    for &stream in &trace.layout().space(SpaceId(0)).streams {
        lines.push(format!("{}: {}", trace.layout().stream(stream).name, names(&mut state.stream(stream).queue.iter())));
    }
    let space = state.space(SpaceId(0));
    lines.push(format!("EE high: {}", names(&mut space.ee(Level::High).iter())));
    lines.push(format!("EE low: {}", names(&mut space.ee(Level::Low).iter())));
    lines.push(format!("CE: {}", names(&mut space.ce(0).iter())));
    for (sm, s) in space.sms.iter().enumerate() {
        let blocks: Vec<_> = s.blocks.iter().map(|b| format!("{}:{}", trace.op_name(b.op), b.block)).collect();
        let used = 64 - s.shared_memory / 1024;
        lines.push(format!("{:?}: {} | {} threads free, {used} KiB used", SmId::at(sm), blocks.join(" "), s.threads));
    }
    lines.push(format!("engine: {}", names(&mut space.engines.iter().flatten().map(|c| &c.op))));
    lines.iter().map(|l| l.trim_end()).collect::<Vec<_>>().join("\n")
}

/// The state after every step with time at most `ns`.
fn contents_at(run: &Run, ns: u64) -> String {
    let applied = run.trace.steps().partition_point(|s| s.at.ns() <= ns);
    contents(&run.trace, run.replay().seek(applied as u32))
}

#[test]
fn golden_insets_of_tx2_fig_4() {
    let run = example("tx2-table-1");
    let inset = |n: usize| contents_at(&run, examples::find("tx2-table-1").unwrap().bookmarks[n].at_ns);
    let a = "S1: K1 K2 C2o C3i K3 C3o\nS2: K4\nS3: K5 C5o\nEE high:\nEE low: K1 K4 K5\nCE:\n\
             SmId(0): K1:0 K1:2 | 512 threads free, 0 KiB used\nSmId(1): K1:1 K1:3 | 512 threads free, 0 KiB used\nengine:";
    let b = "S1: K1 K2 C2o C3i K3 C3o\nS2: K4\nS3: K5 C5o\nEE high:\nEE low: K5\nCE:\n\
             SmId(0): K1:4 K4:0 K4:2 | 768 threads free, 64 KiB used\nSmId(1): K1:5 K4:1 K4:3 | 768 threads free, 64 KiB used\nengine:";
    let c = "S1: K2 C2o C3i K3 C3o\nS2:\nS3: K5 C5o\nEE high:\nEE low:\nCE:\n\
             SmId(0): K5:0 K2:0 | 1280 threads free, 32 KiB used\nSmId(1): K5:1 K2:1 | 1280 threads free, 32 KiB used\nengine:";
    let d = "S1: C2o C3i K3 C3o\nS2: K6 C6o\nS3: C5o\nEE high:\nEE low:\nCE: C2o\n\
             SmId(0): K6:0 | 1536 threads free, 0 KiB used\nSmId(1): K6:1 | 1536 threads free, 0 KiB used\nengine: C5o";
    let e = "S1: K3 C3o\nS2: K6 C6o\nS3:\nEE high:\nEE low:\nCE:\n\
             SmId(0): K6:0 K3:0 | 512 threads free, 0 KiB used\nSmId(1): K6:1 K3:1 | 512 threads free, 0 KiB used\nengine:";
    for (n, expected) in [a, b, c, d, e].into_iter().enumerate() {
        assert_eq!(inset(n), expected, "inset {n}");
    }
}

#[test]
fn golden_examples_are_complete() {
    for (i, Example { id, title, source, text, bookmarks, .. }) in examples::all().take(5).enumerate() {
        assert_eq!(*id, format!("tx2-table-{}", i + 1));
        assert!(!title.is_empty() && !source.is_empty() && !text.is_empty());
        assert!(bookmarks.is_sorted_by(|a, b| a.at_ns < b.at_ns));
        let end = example(id).trace.end().ns();
        assert!(!bookmarks.is_empty() && bookmarks.iter().all(|b| b.at_ns <= end && !b.label.is_empty() && !b.text.is_empty()));
    }
}
