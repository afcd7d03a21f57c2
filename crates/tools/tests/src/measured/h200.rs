//! What was measured on an H200 against the simulation. Its tables stand in docs/measured.md, which the tests compare.

use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

use blockstep_format::{read_logs, read_scenario};
use blockstep_sim::check::measured::{CheckSettings, check};
use blockstep_sim::measured::against::{Against, ORDER_TOLERANCE_NS, against};
use blockstep_sim::measured::known;
use blockstep_testing::ROOT;
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::*;

/// A run: the scenario's file, and the logs.
#[derive(Deserialize)]
struct Packed {
    scenario: Box<RawValue>,
    logs: Vec<Box<RawValue>>,
}

struct MeasuredRun {
    draft: Draft,
    measured: Measured,
}

impl MeasuredRun {
    fn read(name: &str) -> Self {
        Self::open("runs", name)
    }

    /// Of `runs`, or of `programs`: the same scenarios as programs of CUDA.
    fn open(kind: &str, name: &str) -> Self {
        let path = PathBuf::from(ROOT).join("tests/data/measured/h200").join(kind).join(format!("{name}.json.gz"));
        let mut text = String::new();
        GzDecoder::new(File::open(&path).unwrap_or_else(|e| panic!("{name}: {e}"))).read_to_string(&mut text).unwrap();
        let packed: Packed = serde_json::from_str(&text).unwrap();
        let files: Vec<(String, &str)> = packed.logs.iter().enumerate().map(|(i, log)| (format!("{i}.json"), log.get())).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        Self { draft: read_scenario(packed.scenario.get()).unwrap(), measured: read_logs(&files).unwrap() }
    }

    /// With these rules, and copies as quick as they were.
    fn by(&self, placement: Placement, block_ends: BlockEnds) -> Draft {
        let mut draft = Draft { placement, block_ends, ..self.draft.clone() };
        if let DeviceDraft::Custom(device) = &mut draft.device {
            device.copy_bandwidth_bytes_per_s = 55_000_000_000;
        }
        draft
    }

    fn against(&self, draft: &Draft) -> Against {
        let (trace, records) = run(draft);
        let laid = fit(&self.measured, &trace, &records).unwrap();
        assert_eq!((laid.only_measured.len(), laid.only_simulated.len()), (0, 0), "every kernel has its counterpart");
        against(&self.measured, &records, &laid, ORDER_TOLERANCE_NS)
    }

    fn violations(&self) -> u64 {
        let scenario = Scenario::new(&self.draft).unwrap();
        let (streams, _) = known(&self.measured, Some(&self.draft), false, &[]);
        let settings = CheckSettings::on(scenario.device().clone(), streams);
        check(&self.measured, &settings).judged.iter().map(|judged| judged.violations).sum()
    }
}

fn documented(table: &str) {
    let docs = fs::read_to_string(PathBuf::from(ROOT).join("docs/measured.md")).unwrap();
    assert!(docs.contains(table), "docs/measured.md does not have this table:\n{table}");
}

/// A row of a table: the runs of which no block is out of the predicted order, by some rules, and the numbers of the others.
fn order_by(runs: &[(u32, MeasuredRun)], placement: Placement, block_ends: BlockEnds) -> String {
    let is_other = |run: &MeasuredRun| run.against(&run.by(placement, block_ends)).out_of_order > 0;
    let others: Vec<String> = runs.iter().filter(|(_, run)| is_other(run)).map(|(i, _)| format!("{i:02}")).collect();
    let (right, of) = (runs.len() - others.len(), runs.len());
    format!("| `{}` | `{}` | {right} of {of} | {} |\n", placement.word(), block_ends.word(), others.join(", "))
}

#[test]
fn measured_h200_random_scenarios_are_in_the_predicted_order() {
    let mut table = String::from("| scenarios | `placement` | `block_ends` | in the predicted order | not |\n|---|---|---|---|---|\n");
    for (kind, first, last) in [("random", 0, 59), ("random", 60, 119), ("graphs", 0, 39)] {
        let runs: Vec<(u32, MeasuredRun)> = (first..=last).map(|i| (i, MeasuredRun::read(&format!("{kind}-{i:02}")))).collect();
        for (_, run) in &runs {
            assert_eq!(run.violations(), 0, "{}", run.draft.name);
        }
        let rules = [
            (Placement::MostFree, BlockEnds::Together),
            (Placement::MostRoom, BlockEnds::Together),
            (Placement::MostFree, BlockEnds::OneByOne),
            (Placement::MostRoom, BlockEnds::OneByOne),
        ];
        for (placement, block_ends) in rules {
            let _ = write!(table, "| `{kind}-{first:02}` to `{kind}-{last}` {}", order_by(&runs, placement, block_ends));
        }
    }
    documented(&table);
}

#[test]
fn measured_h200_programs_of_cuda_run_as_measure_does() {
    let mut table = String::from("| programs | `placement` | `block_ends` | in the predicted order | not |\n|---|---|---|---|---|\n");
    for (kind, last) in [("random", 59), ("graphs", 19)] {
        let runs: Vec<(u32, MeasuredRun)> = (0..=last).map(|i| (i, MeasuredRun::open("programs", &format!("{kind}-{i:02}")))).collect();
        for (_, run) in &runs {
            assert_eq!(run.violations(), 0, "{}", run.draft.name);
        }
        let _ = write!(table, "| `{kind}-00` to `{kind}-{last}` {}", order_by(&runs, Placement::MostRoom, BlockEnds::OneByOne));
    }
    documented(&table);
}

/// Microseconds, rounded up to tenths.
fn us(ns: u64) -> String {
    let tenths = ns.div_ceil(100);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[test]
fn measured_h200_shows_what_the_papers_and_cuda_say() {
    let chosen = [
        "scaled-tx2-table-1",
        "scaled-tx2-table-2",
        "scaled-tx2-table-3",
        "scaled-tx2-table-4",
        "scaled-tx2-table-5",
        "scaled-tx2-fig-9-tasks",
        "long-queue",
        "priority-two-levels",
        "null-and-non-blocking",
        "events-diamond",
        "shared-carveout",
        "connections-33-streams-8",
        "connections-33-streams-32",
        "scaled-cuda-connections",
        "scaled-cuda-one-connection",
        "scaled-cuda-copies-overlap",
        "scaled-cuda-synchronize",
        "scaled-cuda-free",
        "scaled-cuda-event-wait",
        "scaled-cuda-graph",
        "scaled-cuda-graph-branches",
        "graph-in-null",
        "graph-of-copies",
        "graph-high",
        "periodic-fifo",
        "periodic-priority",
        "continuous",
        "producers-consumers",
    ];
    let mut table = String::from("| run | blocks | out of order | starts off by, median |\n|---|---|---|---|\n");
    for name in chosen {
        let run = MeasuredRun::read(name);
        assert_eq!(run.violations(), 0, "{name}");
        let found = run.against(&run.by(Placement::MostRoom, BlockEnds::OneByOne));
        let off = found.starts.unwrap();
        let (blocks, off) = (run.measured.blocks().count(), us(off.median_ns));
        let _ = writeln!(table, "| `{name}` | {blocks} | {} | {off} µs |", found.out_of_order);
    }
    documented(&table);
}
