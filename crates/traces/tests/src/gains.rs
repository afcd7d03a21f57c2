//! What changes would gain: random programs are run and recorded, the recording is asked, and the changed program is run.
//!
//! `BLOCKSTEP_TRIPS=10000` tries so many, `BLOCKSTEP_TRIP_SHOW=graphs` shows where the prediction of such a change is far off; with
//! `--nocapture` the table is shown.

use std::collections::BTreeMap;

use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Call, Draft, KernelDraft, NULL_STREAM, Scenario, StreamDraft, StreamPriority};
use blockstep_sim::units::written::format_count;
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::files::read_profile;
use blockstep_traces::gain::{Gains, LeverSubject, ProgramChange, TriedChange, gains, gains_of};
use blockstep_traces::path::paths;
use blockstep_traces::{Operation, OperationKind, Recording};

use super::{PublicTrace, drawn, public_traces, trip};

const US: u64 = 1_000;

/// One thing that is different in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Changed {
    Graphs,
    FewerWaits,
    NoAllocations,
    NonBlocking,
    OwnStream { kind: String, stream: String },
    HighPriority(String),
    HalfGrid(String),
}

/// Threads that make their calls one after another; the host leads in some, the device in others.
pub(super) fn program(number: u64) -> Draft {
    let mut draft = drawn::waiting(number);
    let dice = &mut Dice::new(number, &[24]);
    draft.policy.kind = blockstep_sim::scenario::PolicyKind::Priority;
    draft.policy.switch_cost_ns = 0;
    draft.processes.clear();
    for task in &mut draft.tasks {
        task.process = None;
        task.consumes.clear();
        task.offset_ns = 10 * US;
    }
    for stream in &mut draft.streams {
        stream.process = None;
    }
    let most = [10, 30, 120, 400][dice.below(4) as usize];
    for row in &mut draft.kernels {
        row.start_ns = 0;
        row.call_ns = Some((8 + dice.below(most)) * US);
    }
    draft
}

/// What a row is a launch of, as its name is in the recording.
fn kind(row: &KernelDraft) -> &str {
    row.name.split(',').next().unwrap_or_default()
}

/// Seven changes of a program.
fn changes(draft: &Draft, dice: &mut Dice) -> Vec<Changed> {
    let kernels: Vec<&KernelDraft> = draft.kernels.iter().filter(|row| row.call == Call::Kernel).collect();
    let mut one = || kernels[dice.below(kernels.len() as u64) as usize];
    let (moved, high, half) = (one(), one(), one());
    vec![
        Changed::Graphs,
        Changed::FewerWaits,
        Changed::NoAllocations,
        Changed::NonBlocking,
        Changed::OwnStream { kind: kind(moved).to_owned(), stream: moved.stream.clone() },
        Changed::HighPriority(high.stream.clone()),
        Changed::HalfGrid(kind(half).to_owned()),
    ]
}

/// The changed program.
fn with(draft: &Draft, change: &Changed) -> Draft {
    let mut draft = draft.clone();
    let leave_out = |draft: &mut Draft, is_out: &dyn Fn(Call) -> bool| {
        // What the thread does before the call stays.
        let mut owed: BTreeMap<Option<String>, u64> = BTreeMap::new();
        draft.kernels.retain_mut(|row| {
            let owed = owed.entry(row.task.clone()).or_default();
            let own = row.call_ns.unwrap_or(0) + std::mem::take(owed);
            row.call_ns = Some(own);
            if is_out(row.call) {
                *owed = own;
            }
            !is_out(row.call)
        });
    };
    match change {
        Changed::Graphs => {
            let mut is_open: BTreeMap<Option<String>, bool> = BTreeMap::new();
            for row in &mut draft.kernels {
                let is_launch = row.call.has_operation() && !row.synchronous;
                if is_launch && is_open.get(&row.task) == Some(&true) {
                    row.call_ns = Some(US);
                }
                is_open.insert(row.task.clone(), is_launch);
            }
        }
        Changed::FewerWaits => {
            leave_out(&mut draft, &|call| matches!(call, Call::SynchronizeStream | Call::SynchronizeDevice | Call::SynchronizeEvent))
        }
        Changed::NoAllocations => leave_out(&mut draft, &|call| matches!(call, Call::Allocate | Call::Free)),
        Changed::NonBlocking => {
            let mut names: Vec<String> = draft.kernels.iter().map(|row| row.stream.clone()).filter(|name| name != NULL_STREAM).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                stream(&mut draft, &name).non_blocking = true;
            }
        }
        Changed::OwnStream { kind: of, stream: from } => {
            let mut told: Vec<String> = Vec::new();
            for row in &mut draft.kernels {
                if row.stream != *from {
                    continue;
                }
                if row.call.has_operation() {
                    for event in &row.waits_for {
                        if !told.contains(event) {
                            told.push(event.clone());
                        }
                    }
                }
                if row.call == Call::Kernel && kind(row) == of {
                    row.stream = "own".to_owned();
                    row.waits_for = told.clone();
                }
            }
            stream(&mut draft, "own").non_blocking = true;
        }
        Changed::HighPriority(of) => stream(&mut draft, of).priority = StreamPriority::High,
        Changed::HalfGrid(of) => {
            for row in draft.kernels.iter_mut().filter(|row| row.call == Call::Kernel && row.blocks > 1) {
                if row.name.split(',').next() == Some(of)
                    && let BlockTimes::Each(ns) = row.block_time_ns
                {
                    let blocks = row.blocks.div_ceil(2);
                    row.block_time_ns = BlockTimes::Each(ns * row.blocks / blocks);
                    row.blocks = blocks;
                }
            }
        }
    }
    draft
}

fn stream<'d>(draft: &'d mut Draft, name: &str) -> &'d mut StreamDraft {
    let place = draft.streams.iter().position(|stream| stream.name == name).unwrap_or_else(|| {
        draft.streams.push(StreamDraft { name: name.to_owned(), ..StreamDraft::default() });
        draft.streams.len() - 1
    });
    &mut draft.streams[place]
}

/// The change as the recording knows it; `None` if what it is about is not in there.
fn asked(recording: &Recording, run: &Run, change: &Changed) -> Option<ProgramChange> {
    let name = |name: &str| recording.names.iter().position(|of| of == name).map(|place| place as u32);
    let of_stream = |name: &str| {
        if name == NULL_STREAM {
            return None;
        }
        let place = run.trace.layout().streams().iter().position(|stream| stream.name == name)?;
        recording.streams.iter().position(|stream| stream.id == 20 + place as u64).map(|place| place as u32)
    };
    Some(match change {
        Changed::Graphs => ProgramChange::Graphs,
        Changed::FewerWaits => ProgramChange::FewerWaits,
        Changed::NoAllocations => ProgramChange::NoAllocations,
        Changed::NonBlocking => ProgramChange::NonBlocking,
        Changed::OwnStream { kind, stream } => ProgramChange::OwnStream { name: name(kind)?, stream: of_stream(stream)? },
        Changed::HighPriority(stream) => ProgramChange::HighPriority(of_stream(stream)?),
        Changed::HalfGrid(kind) => ProgramChange::HalfGrid(name(kind)?),
    })
}

pub(super) fn end(draft: &Draft) -> (Run, u64) {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let end = run.trace.end().ns();
    (run, end)
}

/// `docs/traces.md` has the figures of so many programs.
const DOCUMENTED: u64 = 1_000;

/// A kind of change as the documentation names it.
fn in_docs(kind: &str) -> &str {
    match kind {
        "graphs" => "a graph",
        "fewer-waits" => "fewer waits",
        "half-grid" => "a smaller grid",
        "high-priority" => "a high priority",
        "no-allocations" => "no allocations",
        "non-blocking" => "non-blocking streams",
        "own-stream" => "a stream of its own",
        kind => kind,
    }
}

/// Refuses what `docs/traces.md` does not say; its lines are broken anywhere.
fn are_documented(said: &[String]) {
    let docs = std::fs::read_to_string(format!("{}/docs/traces.md", blockstep_testing::ROOT)).unwrap();
    let docs = docs.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in said {
        assert!(docs.contains(text), "docs/traces.md does not have this: {text}");
    }
}

/// How far predictions are off, permille of the wall clock, sorted.
#[derive(Default)]
struct Errors(Vec<u64>);

impl Errors {
    fn at(&mut self, percent: usize) -> u64 {
        self.0.sort_unstable();
        self.0.get(self.0.len() * percent / 100).copied().unwrap_or(0)
    }
}

#[test]
fn profile_gains_are_those_of_the_changed_program() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let show = std::env::var("BLOCKSTEP_TRIP_SHOW").ok();
    let trips = number("BLOCKSTEP_TRIPS").unwrap_or(DOCUMENTED);
    let mut of_kind: BTreeMap<&str, Errors> = BTreeMap::new();
    let (mut all, mut unchanged) = (Errors::default(), Errors::default());
    let (mut named, mut asked_for, mut promised, mut predictions) = (0_u64, 0_u64, 0_u64, 0_u64);
    for number in 0..trips {
        let draft = program(number);
        let (run, before) = end(&draft);
        let records = Records::new(&run.trace);
        let (text, ..) = trip::export(&run, &records, &mut Dice::new(number, &[25]), number.is_multiple_of(2), trip::JITTER);
        let recording = read_profile(text.as_bytes(), &mut |_| true).unwrap();
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        let changes = changes(&draft, &mut Dice::new(number, &[26]));
        let known: Vec<(&Changed, ProgramChange)> =
            changes.iter().filter_map(|change| Some((change, asked(&recording, &run, change)?))).collect();
        let gains = gains_of(&recording, &analysis, &known.iter().map(|known| known.1).collect::<Vec<_>>()).unwrap();
        unchanged.0.push(gains.error_ns() * 1_000 / gains.recorded_ns);
        // True gain and predicted gain, ns.
        let mut both: Vec<(i64, i64)> = Vec::new();
        for (changed, change) in &known {
            let truth = before as i64 - end(&with(&draft, changed)).1 as i64;
            let tried = gains.tried.iter().find(|tried| tried.changes == [*change]).unwrap();
            let predicted = gains.unchanged_ns as i64 - tried.wall_ns as i64;
            let off = truth.abs_diff(predicted) * 1_000 / before;
            if show.as_deref() == Some(change.word()) && off > 100 {
                println!("{number}: {changed:?} truth {truth} predicted {predicted} of {before}, unchanged off by {}", gains.error_ns());
            }
            of_kind.entry(change.word()).or_default().0.push(off);
            all.0.push(off);
            predictions += 1;
            let is_promised = gains.is_worth(gains.gain_ns(tried)) && (predicted - truth) * 10 > before as i64;
            promised += u64::from(is_promised);
            both.push((truth, predicted));
        }
        let best = both.iter().map(|of| of.0).max().unwrap();
        let chosen = both.iter().max_by_key(|of| of.1).unwrap();
        // Where nothing gains a hundredth, saying so is right.
        let says_nothing = chosen.1 * 100 < before as i64;
        let truth = if says_nothing { 0 } else { chosen.0 };
        asked_for += 1;
        named += u64::from((best - truth) * 50 <= before as i64);
    }
    println!("{:<16} {:>6} {:>8} {:>8} permille of the wall clock", "change", "tried", "p50", "p90");
    println!("{:<16} {:>6} {:>8} {:>8}", "none", unchanged.0.len(), unchanged.at(50), unchanged.at(90));
    for (kind, errors) in &mut of_kind {
        println!("{kind:<16} {:>6} {:>8} {:>8}", errors.0.len(), errors.at(50), errors.at(90));
    }
    println!("{:<16} {:>6} {:>8} {:>8}", "all", all.0.len(), all.at(50), all.at(90));
    println!(
        "the best change, or one within 2 %, is named in {named} of {asked_for}; a tenth too much is promised in {promised} of {predictions}"
    );
    if trips == DOCUMENTED {
        let row = |what: &str, errors: &mut Errors| {
            format!("| {what} | {} | {} | {} |", format_count(errors.0.len() as u64), errors.at(50), errors.at(90))
        };
        let mut said = vec![row("none", &mut unchanged), row("all changes", &mut all)];
        said.extend(of_kind.iter_mut().map(|(kind, errors)| row(in_docs(kind), errors)));
        said.push(format!("is named in {named} of the {} programs", format_count(asked_for)));
        said.push(format!("is promised in {promised} of {}", format_count(predictions)));
        are_documented(&said);
    }
    assert!(all.at(90) <= 100, "{} permille", all.at(90));
    assert!(named * 10 >= asked_for * 9, "{named} of {asked_for}");
    assert!(promised * 100 < predictions, "{promised} of {predictions}");
}

/// The run without a change is the recording, but for what the replay does not know; and what is proposed of these traces is for a reader to
/// judge, so it is kept.
#[test]
fn profile_public_traces_are_replayed() {
    println!("| trace | replay off by | tried | proposed |");
    let mut rows = Vec::new();
    for PublicTrace { name, recording, analysis } in public_traces() {
        match gains(recording, analysis, &paths(recording, analysis)) {
            Ok(gains) => {
                let permille = gains.error_ns() * 1_000 / gains.recorded_ns;
                let said = |tried: &TriedChange| format!("{} {} %", tried.word(), gains.gain_ns(tried) * 100 / gains.recorded_ns);
                let said: Vec<String> = gains.proposed().map(said).take(4).collect();
                let said = if said.is_empty() { "nothing".to_owned() } else { said.join(", ") };
                let name = name.split('.').next().unwrap_or(name);
                rows.push(format!("| {name} | {}.{} % | {} | {said} |", permille / 10, permille % 10, gains.tried.len()));
                println!("{}", rows.last().unwrap());
                assert!(permille <= 20, "{name}: {permille} permille");
            }
            Err(why) => println!("| {name} | | | {why:?} |"),
        }
    }
    are_documented(&rows);
}

/// For how long at least one of these ran, ns.
fn busy(mut spans: Vec<(u64, u64)>) -> u64 {
    spans.sort_unstable();
    let (mut sum, mut upto) = (0, 0);
    for (from, to) in spans {
        sum += to.saturating_sub(from.max(upto));
        upto = upto.max(to);
    }
    sum
}

/// By what `key` says of an operation: for how long at least one ran, ns.
fn busy_by<K: Ord>(recording: &Recording, key: impl Fn(&Operation) -> Option<K>) -> BTreeMap<K, u64> {
    let mut spans: BTreeMap<K, Vec<(u64, u64)>> = BTreeMap::new();
    for operation in &recording.operations {
        if let Some(key) = key(operation) {
            spans.entry(key).or_default().push((operation.start.ns(), operation.end.ns()));
        }
    }
    spans.into_iter().map(|(key, spans)| (key, busy(spans))).collect()
}

/// Refuses a gain that cannot be, by the recorded times alone; how many gains were looked at.
pub(super) fn assert_possible(name: &str, recording: &Recording, gains: &Gains) -> usize {
    use ProgramChange::{FewerWaits, Graphs, HighPriority, MoreConnections, NoAllocations, NonBlocking, WarmUp};
    let most = |busy: BTreeMap<_, u64>| busy.into_values().max().unwrap_or(0);
    let streams = most(busy_by(recording, |operation| Some(operation.stream)));
    let devices = most(busy_by(recording, |operation| Some(recording.stream(operation).device)));
    let copies = |operation: &Operation| matches!(operation.kind, OperationKind::HostToDevice | OperationKind::DeviceToHost);
    let copies = |operation: &Operation| {
        let key = recording.stream(operation).device * 2 + u32::from(operation.kind == OperationKind::DeviceToHost);
        copies(operation).then_some(key)
    };
    let engines = most(busy_by(recording, copies));
    let kernels = recording.operations.iter().filter(|operation| operation.kind == OperationKind::Kernel);
    let all_kernels: u64 = kernels.map(|operation| operation.duration().ns()).sum();
    for tried in &gains.tried {
        let gain = gains.gain_ns(tried);
        let left = gains.recorded_ns.saturating_sub(gain);
        let all = |these: &[ProgramChange]| tried.changes.iter().all(|change| these.contains(change));
        let of_host = [Graphs, FewerWaits, NoAllocations, WarmUp];
        let waits = |of: &TriedChange| of.changes.contains(&FewerWaits);
        // Some of the changes may be made without the rest.
        let is_of_part = gains
            .tried
            .iter()
            .any(|part| !waits(part) && part.changes.iter().all(|change| tried.changes.contains(change)) && part.wall_ns <= tried.wall_ns);
        if all(&of_host) && waits(tried) && !is_of_part {
            // Nothing is promised of operations that would overlap.
            assert!(left >= devices, "{name}: {tried:?} leaves {left} of {}, a device works for {devices}", gains.recorded_ns);
        }
        let keeps_work = tried
            .changes
            .iter()
            .all(|change| of_host.contains(change) || matches!(change, HighPriority(_) | NonBlocking | MoreConnections));
        if keeps_work {
            assert!(left >= streams.max(engines), "{name}: {tried:?} leaves {left}, a stream works for {streams}, an engine for {engines}");
        }
        if let [ProgramChange::Faster { what: LeverSubject::Kernels, percent }] = tried.changes[..] {
            // Each kernel is rounded.
            let shorter = all_kernels * u64::from(percent) / 100 + recording.operations.len() as u64;
            assert!(gain <= shorter, "{name}: {tried:?} gains {gain}, kernels are shorter by {shorter}");
        }
    }
    let promised: u64 = gains.ladder.iter().filter(|rung| rung.more_ns * 100 >= gains.recorded_ns).map(|rung| rung.more_ns).sum();
    assert!(promised <= gains.unchanged_ns, "{name}: {promised} of {}", gains.unchanged_ns);
    for pair in gains.ladder.windows(2) {
        let gain = |rung: usize| gains.gain_ns(&gains.tried[rung]);
        assert!(gain(pair[0].tried) >= gain(pair[1].tried), "{name}: the best comes first");
    }
    gains.tried.len()
}

/// No stream, engine or device ends before its work, whatever is changed, and no nanosecond is promised twice.
#[test]
fn profile_gains_are_possible() {
    let (mut traces, mut looked_at) = (0, 0);
    for PublicTrace { name, recording, analysis } in public_traces() {
        if let Ok(gains) = gains(recording, analysis, &paths(recording, analysis)) {
            traces += 1;
            looked_at += assert_possible(name, recording, &gains);
        }
    }
    let trips = std::env::var("BLOCKSTEP_TRIPS").ok().and_then(|n| n.parse::<u64>().ok()).unwrap_or(300);
    for number in 0..trips {
        let (run, _) = end(&program(number));
        let records = Records::new(&run.trace);
        let (text, ..) = trip::export(&run, &records, &mut Dice::new(number, &[25]), number.is_multiple_of(2), trip::JITTER);
        let recording = read_profile(text.as_bytes(), &mut |_| true).unwrap();
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        if let Ok(gains) = gains(&recording, &analysis, &paths(&recording, &analysis)) {
            traces += 1;
            looked_at += assert_possible(&format!("program {number}"), &recording, &gains);
        }
    }
    println!("{looked_at} gains of {traces} traces");
    assert!(traces * 10 >= trips * 9, "{traces} of {trips}");
}
