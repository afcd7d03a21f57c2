//! What changes gained on a GPU: programs of PyTorch were recorded, changed, and run again (`bench/traces/gpu.py`). What the recording of the
//! unchanged program says that a change gains is compared with that.
//!
//! Data: `tests/data/measured/h200/gains`. The tables stand in `docs/traces.md`, which the test compares. `BLOCKSTEP_GPU_SHOW=1` with
//! `--nocapture` prints each change.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use blockstep_testing::ROOT;
use blockstep_traces::Recording;
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::files::read_profile;
use blockstep_traces::gain::{Gains, ProgramChange, gains_of};
use serde::Deserialize;

use super::gpu::unpacked;

#[derive(Deserialize)]
struct Truth {
    programs: BTreeMap<String, Program>,
}

/// What was measured of a program. By change; `none` is the program as it was recorded.
#[derive(Deserialize)]
struct Program {
    /// Under the profiler, ns.
    walls_ns: BTreeMap<String, Vec<f64>>,
    /// Without it.
    plain_ns: BTreeMap<String, Vec<f64>>,
    /// The trace's number of each stream.
    streams: BTreeMap<String, u32>,
}

fn median(all: &[f64]) -> f64 {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// What a change gained, of the wall clock without it.
fn gained(walls: &BTreeMap<String, Vec<f64>>, change: &str) -> f64 {
    let before = median(&walls["none"]);
    (before - median(&walls[change])) / before
}

impl Program {
    /// A change by its name among the measured ones.
    fn change(&self, name: &str, recording: &Recording) -> ProgramChange {
        let stream = |key: &str| {
            let number = u64::from(self.streams[key]);
            recording.streams.iter().position(|stream| stream.id == number).unwrap() as u32
        };
        match name.split(' ').collect::<Vec<_>>()[..] {
            ["graphs"] => ProgramChange::Graphs,
            ["fewer-waits"] => ProgramChange::FewerWaits,
            ["pinned"] => ProgramChange::Pinned,
            ["no-allocations"] => ProgramChange::NoAllocations,
            ["non-blocking"] => ProgramChange::NonBlocking,
            ["high-priority", of] => ProgramChange::HighPriority(stream(of)),
            ["own-stream", kernel, of] => {
                let is_it = |place: &usize| recording.name(&recording.operations[*place]).contains(kernel);
                let place = (0..recording.operations.len()).find(is_it).unwrap();
                ProgramChange::OwnStream { name: recording.operations[place].name, stream: stream(of) }
            }
            _ => panic!("{name}"),
        }
    }
}

/// What is compared of changes of a kind: what was said less what was gained, under the profiler and without it.
#[derive(Default)]
struct Compared {
    off: Vec<(f64, f64)>,
}

impl Compared {
    fn row(&self, of: &str) -> String {
        let mut sizes: Vec<f64> = self.off.iter().map(|(off, _)| off.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let at = |part: usize| format!("{:.1} %", 100.0 * sizes[(sizes.len() * part / 10).min(sizes.len() - 1)]);
        let near = |plain: bool| self.off.iter().filter(|(off, of_plain)| (if plain { of_plain } else { off }).abs() <= 0.1).count();
        let much = self.off.iter().filter(|(off, _)| *off > 0.1).count();
        format!("| {of} | {} | {} | {} | {} | {much} | {} |\n", sizes.len(), at(5), at(9), near(false), near(true))
    }
}

/// Of the changes made to a program, the one that gains most by what was said, and by what was measured.
#[derive(Default)]
struct Best {
    programs: usize,
    named: usize,
}

fn read(folder: &Path, name: &str, program: &Program) -> (Gains, Vec<String>) {
    let recording = read_profile(unpacked(&folder.join(format!("{name}.json.gz"))).as_bytes(), &mut |_| true).unwrap();
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let names: Vec<String> = program.walls_ns.keys().filter(|name| *name != "none").cloned().collect();
    let changes: Vec<ProgramChange> = names.iter().map(|name| program.change(name, &recording)).collect();
    let gains = gains_of(&recording, &analysis, &changes).unwrap();
    // They are sorted by what they gain.
    let ranked = gains.tried.iter().map(|tried| names[changes.iter().position(|change| tried.changes == [*change]).unwrap()].clone());
    let ranked = ranked.collect();
    (gains, ranked)
}

#[test]
fn gains_said_of_a_recording_are_those_of_the_changed_program_on_a_gpu() {
    let folder = PathBuf::from(ROOT).join("tests/data/measured/h200/gains");
    let truth: Truth = serde_json::from_str(&fs::read_to_string(folder.join("truth.json")).unwrap()).unwrap();
    let shows = env::var_os("BLOCKSTEP_GPU_SHOW").is_some();
    let mut compared: [BTreeMap<String, Compared>; 2] = Default::default();
    let mut best: [Best; 2] = Default::default();
    for (name, program) in &truth.programs {
        let half = usize::from(name.as_str() >= "096");
        let (gains, ranked) = read(&folder, name, program);
        let unchanged = (gains.unchanged_ns as f64 - gains.recorded_ns as f64) / gains.recorded_ns as f64;
        compared[half].entry("none".to_owned()).or_default().off.push((unchanged, unchanged));
        for (tried, change) in gains.tried.iter().zip(&ranked) {
            let said = (gains.unchanged_ns as f64 - tried.wall_ns as f64) / gains.recorded_ns as f64;
            let (true_gain, plain) = (gained(&program.walls_ns, change), gained(&program.plain_ns, change));
            if shows {
                println!(
                    "{name} {change:<22} said {:6.1} %, gained {:6.1} %, without the profiler {:6.1} %",
                    100.0 * said,
                    100.0 * true_gain,
                    100.0 * plain
                );
            }
            let kind = change.split(' ').next().unwrap().to_owned();
            for of in [kind, "~all".to_owned()] {
                compared[half].entry(of).or_default().off.push((said - true_gain, said - plain));
            }
        }
        let most = ranked.iter().map(|change| gained(&program.walls_ns, change)).fold(0.0, f64::max);
        let says = gains.tried.first().is_some_and(|tried| gains.is_worth(gains.gain_ns(tried)));
        let first = if says { gained(&program.walls_ns, &ranked[0]) } else { 0.0 };
        best[half].programs += 1;
        best[half].named += usize::from(most - first <= 0.02);
    }
    let docs = fs::read_to_string(PathBuf::from(ROOT).join("docs/traces.md")).unwrap();
    let mut tables = Vec::new();
    for (compared, best) in compared.iter().zip(&best) {
        let mut table = String::from(
            "| change | made | half are off by at most | nine in ten by | within 10 % | too much by more | without the profiler within 10 % |\n|---|---|---|---|---|---|---|\n",
        );
        for (of, compared) in compared {
            let of = match of.as_str() {
                "none" => "none: the replay itself",
                "~all" => "all changes",
                of => of,
            };
            let _ = write!(table, "{}", compared.row(of));
        }
        let said = format!("in {} of {} programs", best.named, best.programs);
        println!("{table}{said}\n");
        tables.push(table);
        tables.push(said);
    }
    for text in tables {
        assert!(docs.contains(&text), "docs/traces.md does not have this:\n{text}");
    }
}
