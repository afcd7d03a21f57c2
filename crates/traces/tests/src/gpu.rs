//! Runs measured on a GPU under the PyTorch profiler: causes found in the trace, compared with what held each kernel back by the times of
//! all blocks.
//!
//! The truth is in the logs and the scenario, and of copies and calls in the trace; the engine is never asked. Data: `tests/data/measured/h200/kineto`, packed by
//! `scripts/pack-measured.py`. The table stands in `docs/traces.md`, which the test compares. `BLOCKSTEP_GPU_SHOW=1` with `--nocapture` prints
//! each mistake.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blockstep_format::read_scenario;
use blockstep_sim::occupancy::{Limits, Resources};
use blockstep_sim::scenario::{Layout, PolicyKind, Scenario, StreamPriority};
use blockstep_sim::units::{RowId, StreamId};
use blockstep_testing::ROOT;
use blockstep_traces::causes::{Analysis, Cause, Certainty, KnownSettings};
use blockstep_traces::files::read_profile;
use blockstep_traces::{Operation, OperationKind, Recording};
use flate2::read::GzDecoder;
use serde_json::Value;

use super::judged::{Held, LONG, Truth, common, longest, print_mistake};

/// Times of two records that are the same in truth are no further apart, ns; and what lasts no longer is no wait for room, as an SM takes a
/// moment from one block to the next.
const MOMENT: u64 = 5_000;

/// Time on an SM.
struct Block {
    start: u64,
    end: u64,
    sm: usize,
}

/// A kernel of the scenario as the trace and the log have it. Times are those of the trace, ns.
struct Kernel {
    place: u32,
    row: RowId,
    stream: StreamId,
    called: u64,
    returned: u64,
    /// By the trace.
    start: u64,
    /// When its last block began, and ended.
    assigned: u64,
    end: u64,
    blocks: Vec<Block>,
    needs: Resources,
    /// Whether its stream has a high priority.
    is_high: bool,
    /// Until when stream order, events and the NULL stream held it.
    held: [(Cause, u64); 3],
}

impl Kernel {
    fn ready(&self) -> u64 {
        self.held.iter().map(|&(_, end)| end).fold(self.called, u64::max)
    }

    /// Whether it has to place all its blocks before `other` may place one (X1, A2): it was ready before, and did begin before.
    fn is_ahead_of(&self, other: &Self) -> bool {
        let is_first = match (self.is_high, other.is_high) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ready() <= other.ready() + MOMENT,
        };
        is_first && self.place != other.place && self.start <= other.start + MOMENT
    }
}

/// A run: what the trace has of it, and the truth.
struct Measured {
    name: String,
    recording: Recording,
    scenario: Arc<Scenario>,
    layout: Layout,
    limits: Limits,
    sms: usize,
    connections: usize,
    kernels: Vec<Kernel>,
}

pub(super) fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn ns(seconds: &Value) -> i64 {
    (seconds.as_f64().unwrap() * 1e9).round() as i64
}

impl Measured {
    fn read(run: &Path) -> Self {
        let name = run.file_name().unwrap().to_string_lossy().replace(".json.gz", "");
        let trace = unpacked(&run.with_file_name(format!("{name}.trace.json.gz")));
        let recording = read_profile(trace.as_bytes(), &mut |_| true).unwrap();
        let packed: Value = serde_json::from_str(&unpacked(run)).unwrap();
        let scenario = Scenario::new(&read_scenario(&packed["scenario"].to_string()).unwrap()).unwrap();
        let layout = Layout::shared(&scenario);
        let logs = packed["logs"].as_array().unwrap();
        let about = &logs[0]["blockstep"];
        let limits = Limits::at_capability((9, 0)).unwrap();
        assert_eq!(about["compute_capability"], "9.0");
        let mut measured = Self {
            name,
            recording,
            scenario,
            layout,
            limits,
            sms: about["sms"].as_u64().unwrap() as usize,
            connections: about["connections"].as_u64().unwrap() as usize,
            kernels: Vec::new(),
        };
        measured.match_launches(logs);
        measured.find_holds();
        measured
    }

    /// Finds each launch of the logs in the trace.
    fn match_launches(&mut self, logs: &[Value]) {
        let registers: HashMap<&str, u32> = logs[0]["blockstep"]["registers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|of| (of["kernel"].as_str().unwrap(), of["registers_per_thread"].as_u64().unwrap() as u32))
            .collect();
        let mut launches: Vec<(i64, i64, &Value)> = logs
            .iter()
            .flat_map(|log| log["times"].as_array().unwrap())
            .filter(|launch| launch["kernel_name"].is_string())
            .map(|launch| {
                let times = launch["block_times"].as_array().unwrap();
                let start = times.iter().step_by(2).map(ns).min().unwrap();
                (start, times.iter().skip(1).step_by(2).map(ns).max().unwrap(), launch)
            })
            .collect();
        launches.sort_by_key(|&(start, ..)| start);
        // What runs before the first reading of the clocks warms up.
        let is_clock = |operation: &&Operation| self.recording.name(operation) == "tell_time";
        let operations = &self.recording.operations;
        let first = operations.iter().find(is_clock).unwrap().end;
        let last = operations.iter().rfind(is_clock).unwrap().start;
        let mut spins: Vec<u32> = (0..operations.len() as u32)
            .filter(|&place| {
                let operation = &operations[place as usize];
                self.recording.name(operation) == "spin" && first < operation.start && operation.start < last
            })
            .collect();
        assert_eq!(spins.len(), launches.len(), "{}: launches in the trace and in the logs", self.name);
        // By the ends: a kernel may begin before its first block, but ends with its last.
        let mut ends: (Vec<i64>, Vec<i64>) = (
            spins.iter().map(|&place| operations[place as usize].end.ns() as i64).collect(),
            launches.iter().map(|&(_, end, _)| end).collect(),
        );
        ends.0.sort_unstable();
        ends.1.sort_unstable();
        let mut offsets: Vec<i64> = ends.0.iter().zip(&ends.1).map(|(traced, logged)| traced - logged).collect();
        offsets.sort_unstable();
        let offset = offsets[offsets.len() / 2];
        let mut streams: HashMap<u32, StreamId> = HashMap::new();
        for (start, end, launch) in launches {
            let number = |field: &str| launch[field].as_u64().unwrap();
            let shape = (number("block_count"), number("thread_count"), number("shared_memory"));
            let is_alike = |place: &u32| {
                operations[*place as usize].launch.as_ref().is_some_and(|l| (l.blocks(), l.threads(), u64::from(l.shared)) == shape)
            };
            let distance = |place: &u32| {
                let operation = &operations[*place as usize];
                (operation.start.ns() as i64 - offset).abs_diff(start) + (operation.end.ns() as i64 - offset).abs_diff(end)
            };
            let place = *spins.iter().filter(|place| is_alike(place)).min_by_key(|place| distance(place)).unwrap();
            assert!(distance(&place) < 50_000, "{}: {} in the trace and in the log", self.name, launch["kernel_name"]);
            spins.retain(|&other| other != place);
            let name = launch["kernel_name"].as_str().unwrap();
            let row = self.scenario.rows().iter().position(|row| row.name == name).map(RowId::at).unwrap();
            let stream = self.layout.stream_of(row);
            let operation = &operations[place as usize];
            assert_eq!(*streams.entry(operation.stream).or_insert(stream), stream, "{}: {name} has another stream", self.name);
            let call = self.recording.call(operation).expect("launches of kernels have calls");
            let at = |seconds: &Value| (ns(seconds) + offset).max(0) as u64;
            let times = launch["block_times"].as_array().unwrap();
            let blocks: Vec<Block> = times
                .chunks(2)
                .zip(launch["block_smids"].as_array().unwrap())
                .map(|(times, sm)| Block { start: at(&times[0]), end: at(&times[1]), sm: sm.as_u64().unwrap() as usize })
                .collect();
            let has_priorities = self.scenario.policy().kind != PolicyKind::Fifo;
            self.kernels.push(Kernel {
                place,
                row,
                stream,
                called: call.start.ns(),
                returned: call.end.ns(),
                start: operation.start.ns(),
                assigned: blocks.iter().map(|block| block.start).max().unwrap(),
                end: blocks.iter().map(|block| block.end).max().unwrap(),
                blocks,
                needs: self.limits.block(shape.1, registers[name], shape.2 as u32),
                is_high: has_priorities && self.layout.stream(stream).priority == StreamPriority::High,
                held: [(Cause::StreamOrder, 0), (Cause::Event, 0), (Cause::NullBarrier, 0)],
            });
        }
    }

    /// Operations of the scenario with their streams, calls and ends. Copies have the call of their kernel, as the trace has none of theirs;
    /// their ends are those of the trace.
    fn operations(&self) -> Vec<(u32, StreamId, u64, u64)> {
        let mut all: Vec<(u32, StreamId, u64, u64)> =
            self.kernels.iter().map(|kernel| (kernel.place, kernel.stream, kernel.called, kernel.end)).collect();
        for kernel in &self.kernels {
            let row = self.scenario.row(kernel.row);
            let of_stream = &self.recording.stream(&self.recording.operations[kernel.place as usize]).operations;
            let own = of_stream.iter().position(|&place| place == kernel.place).unwrap();
            let before = row.copy_in.and_then(|_| own.checked_sub(1)).map(|place| (of_stream[place], OperationKind::HostToDevice));
            let after = row.copy_out.and_then(|_| of_stream.get(own + 1)).map(|&place| (place, OperationKind::DeviceToHost));
            for (place, kind) in before.into_iter().chain(after) {
                let copy = &self.recording.operations[place as usize];
                assert_eq!(copy.kind, kind, "{}: the copy of {}", self.name, row.name);
                all.push((place, kernel.stream, kernel.called, copy.end.ns()));
            }
        }
        all
    }

    /// Until when each kernel's stream, its events and the NULL stream held it.
    fn find_holds(&mut self) {
        let operations = self.operations();
        let latest = |of: &mut dyn Iterator<Item = &(u32, StreamId, u64, u64)>| of.map(|&(.., end)| end).max().unwrap_or(0);
        let holds: Vec<[u64; 3]> = self
            .kernels
            .iter()
            .map(|kernel| {
                let own = self.layout.stream(kernel.stream);
                let stream = latest(&mut operations.iter().filter(|&&(place, stream, ..)| stream == kernel.stream && place < kernel.place));
                let event = self.scenario.row(kernel.row).waits_for.iter().filter_map(|&event| {
                    let records = |other: &&Kernel| self.scenario.row(other.row).records == Some(event) && other.called < kernel.called;
                    let recorded = self.kernels.iter().filter(records).max_by_key(|other| other.called)?;
                    // The copy back to the host is recorded, too.
                    Some(latest(
                        &mut operations.iter().filter(|&&(_, stream, called, _)| stream == recorded.stream && called <= recorded.called),
                    ))
                });
                let mut null = operations.iter().filter(|&&(_, stream, called, _)| {
                    let other = self.layout.stream(stream);
                    called < kernel.called && own.is_null != other.is_null && !own.non_blocking && !other.non_blocking
                });
                [stream, event.max().unwrap_or(0), latest(&mut null)]
            })
            .collect();
        for (kernel, holds) in self.kernels.iter_mut().zip(holds) {
            kernel.held.iter_mut().zip(holds).for_each(|((_, end), held)| *end = held);
        }
    }

    /// When no SM had room for a block of a kernel, between two instants.
    fn without_room(&self, kernel: &Kernel, from: u64, to: u64) -> Vec<(u64, u64)> {
        let mut free = vec![self.limits.capacity(); self.sms];
        let fits = |free: &Resources| free.iter().zip(kernel.needs).all(|(&free, need)| need <= free);
        // Ends before starts.
        let mut changes: Vec<(u64, bool, usize, &Resources)> = Vec::new();
        for other in self.kernels.iter().filter(|other| other.place != kernel.place) {
            for block in other.blocks.iter().filter(|block| block.start < to && block.end > from) {
                changes.push((block.start, true, block.sm, &other.needs));
                changes.push((block.end, false, block.sm, &other.needs));
            }
        }
        changes.sort_unstable_by_key(|&(at, is_start, ..)| (at, is_start));
        let mut with_room = if fits(&free[0]) { self.sms } else { 0 };
        let (mut found, mut since) = (Vec::new(), None);
        for (at, is_start, sm, needs) in changes {
            let did_fit = fits(&free[sm]);
            for (free, &need) in free[sm].iter_mut().zip(needs) {
                *free = if is_start { free.saturating_sub(need) } else { *free + need };
            }
            with_room = with_room + usize::from(fits(&free[sm])) - usize::from(did_fit);
            match since {
                None if with_room == 0 => since = Some(at),
                Some(begin) if with_room > 0 => {
                    found.push((begin, at));
                    since = None;
                }
                _ => {}
            }
        }
        found.retain(|&(begin, end)| end > from && begin < to);
        found
    }

    /// What held a kernel back, from its call to its start.
    fn held(&self, kernel: &Kernel) -> Vec<Held> {
        let no_room = self.without_room(kernel, kernel.called, kernel.start);
        let heads: Vec<(u64, u64)> =
            self.kernels.iter().filter(|other| other.is_ahead_of(kernel)).map(|other| (other.ready(), other.assigned)).collect();
        // Of streams beyond the number of hardware queues some share one.
        let shares = self.layout.streams().len() > self.connections.min(32);
        let pending: Vec<(u64, u64)> = self
            .kernels
            .iter()
            .filter(|other| shares && other.stream != kernel.stream && other.called < kernel.called)
            .map(|other| (other.called, other.end))
            .collect();
        let mut instants = vec![kernel.called, kernel.returned, kernel.start];
        instants.extend(kernel.held.iter().map(|&(_, end)| end));
        instants.extend([&no_room, &heads, &pending].into_iter().flatten().flat_map(|&(from, to)| [from, to]));
        instants.retain(|&at| kernel.called <= at && at <= kernel.start);
        instants.sort_unstable();
        instants.dedup();
        let is_within = |ranges: &[(u64, u64)], at: u64| ranges.iter().any(|&(from, to)| from <= at && at < to);
        let mut found: Vec<Held> = Vec::new();
        for pair in instants.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let mut all: Vec<Cause> = kernel.held.iter().filter(|&&(_, end)| from < end).map(|&(cause, _)| cause).collect();
            if all.is_empty() {
                if from < kernel.returned {
                    all.extend([Cause::Call, Cause::Launch, Cause::FirstUse]);
                }
                all.extend(is_within(&heads, from).then_some(Cause::BehindHead));
                all.extend(is_within(&no_room, from).then_some(Cause::NoRoom));
                if all.is_empty() && is_within(&pending, from) {
                    all.push(Cause::Connection);
                }
                if all.is_empty() {
                    all.extend([Cause::Launch, Cause::CannotTell]);
                }
            }
            match found.last_mut() {
                // An SM between two blocks, or two records of one instant.
                Some(last) if last.all == all || (to - from <= MOMENT && from >= kernel.ready()) => last.to = to,
                _ => found.push(Held { from, to, first: all[0], all }),
            }
        }
        found.chunk_by(|a, b| a.first == b.first).map(merge).collect()
    }
}

/// One time of several with the same first cause. The others are those that held for more than half of it.
fn merge(parts: &[Held]) -> Held {
    let (from, to, first) = (parts[0].from, parts[parts.len() - 1].to, parts[0].first);
    let held = |cause: Cause| parts.iter().filter(|part| part.all.contains(&cause)).map(|part| part.to - part.from).sum::<u64>();
    let mut all: Vec<Cause> = parts.iter().flat_map(|part| part.all.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|&cause| held(cause) * 2 > to - from);
    Held { from, to, first, all }
}

/// Parts by true cause, found cause and certainty, and whether the cause held in truth: how many, and how long in all, ns.
#[derive(Default)]
struct Confusion {
    cells: BTreeMap<(Cause, Cause, Certainty, bool), (u64, u64)>,
    mistakes: Vec<String>,
}

impl Confusion {
    fn add(&mut self, run: &Measured, shows: bool) {
        let analysis = Analysis::new(&run.recording, KnownSettings { connections: Some(run.connections as u32) }, &mut |_| true).unwrap();
        for kernel in &run.kernels {
            let held = run.held(kernel);
            let operation = &run.recording.operations[kernel.place as usize];
            let parts = analysis.parts(kernel.place);
            let truth = Truth { called: kernel.called, held };
            for held in truth.held.iter().filter(|held| held.to - held.from > LONG) {
                let shares: Vec<_> = parts
                    .iter()
                    .map(|part| ((part.cause, part.certainty), common((part.from.ns(), part.to.ns()), (held.from, held.to))))
                    .collect();
                let Some((cause, certainty)) = longest(&shares) else { continue };
                let is_right = held.all.contains(&cause);
                let cell = self.cells.entry((held.first, cause, certainty, is_right)).or_default();
                cell.0 += 1;
                cell.1 += held.to - held.from;
                if !is_right {
                    let name = &run.scenario.row(kernel.row).name;
                    if certainty == Certainty::Certain {
                        self.mistakes.push(format!("{} {name}: {} taken for {}", run.name, held.first.word(), cause.word()));
                    }
                    if shows {
                        println!("{} {name}", run.name);
                        print_mistake(&run.recording, operation, parts, &truth, held, 0);
                    }
                }
            }
        }
    }

    fn table(&self) -> String {
        let mut text = "| in truth | found | certainty | parts | ms | |\n|---|---|---|---|---|---|\n".to_owned();
        for (&(truth, found, certainty, is_right), &(parts, ns)) in &self.cells {
            let certainty = format!("{certainty:?}").to_lowercase();
            let verdict = match found {
                _ if is_right => "right",
                Cause::CannotTell => "not told",
                _ => "wrong",
            };
            writeln!(text, "| {} | {} | {certainty} | {parts} | {:.1} | {verdict} |", truth.word(), found.word(), ns as f64 / 1e6).unwrap();
        }
        text
    }
}

fn runs() -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join("tests/data/measured/h200/kineto");
    let mut runs: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.retain(|path| path.to_string_lossy().ends_with(".json.gz") && !path.to_string_lossy().ends_with(".trace.json.gz"));
    runs.sort();
    runs
}

#[test]
fn profile_causes_agree_with_the_blocks_of_a_gpu() {
    let shows = std::env::var("BLOCKSTEP_GPU_SHOW").is_ok();
    let mut confusion = Confusion::default();
    for run in runs() {
        confusion.add(&Measured::read(&run), shows);
    }
    println!("{}", confusion.table());
    assert_eq!(confusion.mistakes, [""; 0], "wrong and certain");
    let docs = fs::read_to_string(Path::new(ROOT).join("docs/traces.md")).unwrap();
    assert!(docs.contains(&confusion.table()), "docs/traces.md has another table; this is the new one:\n{}", confusion.table());
}
