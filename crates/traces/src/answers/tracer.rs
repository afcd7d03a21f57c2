//! Answers about a trace that is open: what is drawn, what is said of an operation, what is found, what is made.
//!
//! Invariants: the parts of a whole add up to it; lists that are cut say how much there is in all.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::tried::{Before, Subject, TriedChanges};
use super::what_if::{NoGain, WhatIfChange};
use super::{overview, ranged, what_if};
use crate::causes::{Analysis, Cause, KnownSettings};
use crate::files::{self, Database};
use crate::lanes::{self, Lane, LanePiece, Of, Sight};
use crate::path::groups::PathShare;
use crate::path::{self, DevicePath, PathStep};
use crate::ranges::RangeSums;
use crate::summary::Summary;
use crate::{CallKind, Operation, OperationKind, Recording, StreamKind, chain, made, ruled_out, words};
use blockstep_sim::occupancy;
use blockstep_sim::scenario::MAX_CONNECTIONS;
use blockstep_sim::units::written::{format_bytes, format_count, format_time_short};
use blockstep_sim::units::{Span, Time};
use blockstep_traces_messages::{
    CardPart, ChainRow, Chosen, DrawnPiece, FoundOperations, LaneTitle, OperationCard, Tone, TraceAnswer, TraceAsk, example,
};

const NO_FILE: &str = "No trace is open.";

/// At most so many lanes are drawn.
const MOST_LANES: usize = 120;
/// Boxes of at least so many pixels get a name.
const NAMED_PX: u64 = 36;
/// At most so many of what was found are listed.
const MOST_FOUND: usize = 100;
/// Somebody is told after so many bytes.
const STRIDE: u64 = 1 << 20;

/// A time as it is said, to five digits.
pub(super) fn time(span: Span) -> String {
    format_time_short(span.ns())
}

/// The worker's state: the trace that is open.
#[derive(Debug, Default)]
pub struct Tracer {
    open: Option<Open>,
    /// What is kept of the trace with which the one that is open is compared.
    before: Option<Before>,
}

#[derive(Debug)]
struct Open {
    recording: Recording,
    analysis: Analysis,
    paths: Vec<DevicePath>,
    lanes: Vec<Lane>,
    /// By lane: what was found of it, by index. Empty if nothing is looked for.
    found: Vec<Vec<u32>>,
    /// The changes that are tried, once they were asked for.
    trying: TriedChanges,
}

impl Tracer {
    /// Forgets what is open; `keeps` its steps and its advice, with which the next trace is compared.
    pub fn begin(&mut self, keeps: bool) {
        self.before = self.open.take().filter(|_| keeps).and_then(|mut open| {
            let trying = std::mem::take(&mut open.trying);
            trying.into_before(open.subject())
        });
    }

    /// Reads a file and explains its waits; `report` is told on the way.
    pub fn open(&mut self, file: impl Read, report: &mut dyn FnMut(TraceAnswer)) -> TraceAnswer {
        // What was open goes first, so that two are never in memory.
        self.open = None;
        let counted = Counted { file, read: 0, told: 0, report: &mut *report };
        match files::read_profile(counted, &mut |_| true) {
            Ok(recording) => self.explain(recording, KnownSettings::default(), report),
            Err(why) => TraceAnswer::Failed(why.to_string()),
        }
    }

    /// The same of a database of Nsight Systems or of rocprofv3.
    pub fn open_export(&mut self, database: &dyn Database, report: &mut dyn FnMut(TraceAnswer)) -> TraceAnswer {
        self.open = None;
        match files::read_export(database, &mut |_| true) {
            Ok(recording) => self.explain(recording, KnownSettings::default(), report),
            Err(why) => TraceAnswer::Failed(why.to_string()),
        }
    }

    /// Explains the waits of the trace that is open again, with what the reader knows.
    pub fn explain_again(&mut self, known: KnownSettings, report: &mut dyn FnMut(TraceAnswer)) -> TraceAnswer {
        match self.open.take() {
            Some(open) => self.explain(open.recording, known, report),
            None => TraceAnswer::Failed(NO_FILE.to_owned()),
        }
    }

    fn explain(&mut self, recording: Recording, known: KnownSettings, report: &mut dyn FnMut(TraceAnswer)) -> TraceAnswer {
        let all = recording.operations.len() as u64;
        let mut watch = |done: usize| {
            report(TraceAnswer::Explaining(done as u64, all));
            true
        };
        let Some(analysis) = Analysis::new(&recording, known, &mut watch) else {
            return TraceAnswer::Failed("This was stopped.".to_owned());
        };
        report(TraceAnswer::FindingPath);
        let paths = path::paths(&recording, &analysis);
        report(TraceAnswer::PuttingTogether);
        let summary = Summary::new(&recording, &analysis);
        let (lanes, left) = lanes::lanes(&recording, &paths, MOST_LANES);
        let mut overview = overview::overview(&recording, &analysis, &summary, &paths);
        overview.lanes = titles(&recording, &lanes);
        let open = Open { recording, analysis, paths, lanes, found: Vec::new(), trying: TriedChanges::default() };
        overview.compared =
            self.before.as_ref().zip(open.subject().times()).map(|(before, after)| overview::compared(&before.times, &after));
        if left > 0 {
            overview.flaws.push(format!("Lanes that are not drawn, because there are too many: {left}."));
        }
        self.open = Some(open);
        TraceAnswer::Opened(Box::new(overview))
    }

    /// Tries one more change of the trace that is open, and others as long as `go_on` says so.
    pub fn try_some(&mut self, go_on: &mut dyn FnMut() -> bool) -> TraceAnswer {
        let Some(open) = &mut self.open else { return TraceAnswer::Failed(NO_FILE.to_owned()) };
        let mut trying = std::mem::take(&mut open.trying);
        let shown = trying.try_some(open.subject(), self.before.as_ref(), go_on);
        open.trying = trying;
        TraceAnswer::Gains(shown)
    }

    /// Answers a question about the trace that is open.
    pub fn answer(&mut self, ask: &TraceAsk) -> TraceAnswer {
        match ask {
            TraceAsk::Example => {
                self.begin(false);
                return self.open(example::FILE.as_bytes(), &mut |_| ());
            }
            TraceAsk::Explain(known) => return self.explain_again(*known, &mut |_| ()),
            TraceAsk::Gains => return self.try_some(&mut || false),
            TraceAsk::Ranks(files) => return TraceAnswer::Ranks(overview::ranks(files)),
            _ => {}
        }
        let Some(open) = &mut self.open else { return TraceAnswer::Failed(NO_FILE.to_owned()) };
        match ask {
            TraceAsk::Open | TraceAsk::OpenAfter | TraceAsk::Example | TraceAsk::Explain(_) | TraceAsk::Ranks(_) | TraceAsk::Gains => {
                TraceAnswer::Failed(NO_FILE.to_owned())
            }
            TraceAsk::Draw(sight) => TraceAnswer::Drawn { sight: *sight, lanes: open.draw(*sight) },
            TraceAsk::Look(operation) => open.card(*operation),
            TraceAsk::LookOfCall(call) => open.launched_by(*call).map_or(TraceAnswer::Nothing, |place| open.card(place)),
            TraceAsk::LookOfPath { device, piece } => open.of_path(*device, *piece).map_or(TraceAnswer::Nothing, |place| open.card(place)),
            TraceAsk::Beside(operation, is_next) => {
                open.beside(*operation, *is_next).map_or(TraceAnswer::Nothing, |place| open.card(place))
            }
            TraceAsk::Sum(from, to) => {
                let shown = &open.paths[..open.paths.len().min(path::SURE_PATHS)];
                let sums = RangeSums::new(&open.recording, &open.analysis, shown, *from, *to);
                TraceAnswer::Summed(Box::new(ranged::card(&open.recording, &sums, ranged::SHOWN_ROWS)))
            }
            TraceAsk::Find(text) => TraceAnswer::Found(open.find(text)),
            TraceAsk::WhatIf(operation) => open.try_changes(*operation),
            TraceAsk::Make { of, from, to, name } => open.make(of, *from, *to, name),
        }
    }
}

/// Tells how much of a file was read.
struct Counted<'r, R> {
    file: R,
    read: u64,
    told: u64,
    report: &'r mut dyn FnMut(TraceAnswer),
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(into)?;
        self.read += n as u64;
        if self.read - self.told >= STRIDE {
            self.told = self.read;
            (self.report)(TraceAnswer::Reading(self.read));
        }
        Ok(n)
    }
}

impl Open {
    /// What is tried with it.
    fn subject(&self) -> Subject<'_> {
        Subject { recording: &self.recording, analysis: &self.analysis, paths: &self.paths }
    }

    fn draw(&self, sight: Sight) -> Vec<Vec<DrawnPiece>> {
        let least = sight.to.since(sight.from).ns() / u64::from(sight.px.max(1)) * NAMED_PX;
        let drawn = |(place, lane): (usize, &Lane)| {
            let found = self.found.get(place).map_or(&[][..], Vec::as_slice);
            let one = |piece: LanePiece| {
                let next = found.partition_point(|&item| item < piece.first);
                let is_found = found.get(next).is_some_and(|&item| item <= piece.last);
                let has_name = piece.count == 1 && piece.to.since(piece.from).ns() >= least;
                let (tone, name) = match lane.of {
                    Of::Path { device } if piece.count > 1 => (self.longest_tone(device, &piece), String::new()),
                    of => self.item(of, piece.first, has_name),
                };
                DrawnPiece { piece, tone, is_found, name }
            };
            lane.pieces(&self.recording, sight).into_iter().map(one).collect()
        };
        self.lanes.iter().enumerate().map(drawn).collect()
    }

    fn item(&self, of: Of, item: u32, has_name: bool) -> (Tone, String) {
        let name = |name: u32| match has_name {
            true => words::short_name(self.recording.names.get(name as usize).map_or("", String::as_str)),
            false => String::new(),
        };
        if let Of::Occupancy { .. } = of {
            return (Tone::Level, String::new());
        }
        if matches!(of, Of::Calls { .. }) {
            let call = &self.recording.calls[item as usize];
            let tone = match call.kind {
                CallKind::Launch | CallKind::LaunchWithAttributes | CallKind::Graph | CallKind::Memory => Tone::Launch,
                CallKind::HostWait => Tone::Wait,
                _ => Tone::Other,
            };
            return (tone, name(call.name));
        }
        if let Of::Path { device } = of {
            return self.piece(device, item, has_name);
        }
        let operation = &self.recording.operations[item as usize];
        (tone(operation), name(operation.name))
    }

    /// A piece of a path: its tone and, where there may be room for it, its label.
    fn piece(&self, device: u32, place: u32, has_name: bool) -> (Tone, String) {
        let Some(piece) = self.path(device).and_then(|path| path.pieces.get(place as usize)) else { return (Tone::Unknown, String::new()) };
        let subject = piece.subject(&self.recording, device);
        let tone = match (piece.step, subject.share) {
            (PathStep::Running(place), PathShare::Working) => tone(&self.recording.operations[place as usize]),
            (_, PathShare::Host) => Tone::Host,
            (_, PathShare::Launching) => Tone::Launching,
            (_, PathShare::After | PathShare::Unknown) => Tone::Unknown,
            _ => Tone::Waiting,
        };
        (tone, if has_name { path::words::subject(&self.recording, subject) } else { String::new() })
    }

    /// Of pieces of a path that are drawn as one, the tone that takes most of their time.
    fn longest_tone(&self, device: u32, drawn: &LanePiece) -> Tone {
        let mut sums: BTreeMap<Tone, u64> = BTreeMap::new();
        for place in drawn.first..=drawn.last {
            let length = self.path(device).and_then(|path| path.pieces.get(place as usize)).map_or(0, |piece| piece.span().ns());
            *sums.entry(self.piece(device, place, false).0).or_default() += length;
        }
        sums.into_iter().max_by_key(|&(tone, ns)| (ns, std::cmp::Reverse(tone))).map_or(Tone::Unknown, |(tone, _)| tone)
    }

    fn path(&self, device: u32) -> Option<&DevicePath> {
        self.paths.iter().find(|path| path.device == device)
    }

    /// The first operation that a call launched.
    fn launched_by(&self, call: u32) -> Option<u32> {
        self.recording.operations.iter().position(|operation| operation.call == Some(call)).map(|place| place as u32)
    }

    /// The operation that a piece of a path is about.
    fn of_path(&self, device: u32, place: u32) -> Option<u32> {
        match self.path(device)?.pieces.get(place as usize)?.step {
            PathStep::Running(operation) | PathStep::Waiting(operation, _) => Some(operation),
            PathStep::Call(call) => self.launched_by(call),
            PathStep::Host(_) | PathStep::After | PathStep::Unknown => None,
        }
    }

    fn find(&mut self, text: &str) -> FoundOperations {
        let wanted = text.trim().to_lowercase();
        if wanted.is_empty() {
            self.found.clear();
            return FoundOperations::default();
        }
        let recording = &self.recording;
        let is_found = named(recording, &wanted);
        let of_lane = |lane: &Lane| match lane.of {
            Of::Calls { .. } | Of::Occupancy { .. } | Of::Path { .. } => Vec::new(),
            _ => lane.items().iter().copied().filter(&is_found).collect(),
        };
        self.found = self.lanes.iter().map(of_lane).collect();
        let all = || (0..recording.operations.len() as u32).filter(&is_found);
        let line = |item: u32| {
            let operation = &recording.operations[item as usize];
            (item, words::named(recording, operation), format_time_short(operation.start.ns()))
        };
        FoundOperations { text: text.to_owned(), count: all().count() as u64, first: all().take(MOST_FOUND).map(line).collect() }
    }

    fn make(&self, of: &Chosen, from: Time, to: Time, name: &str) -> TraceAnswer {
        let recording = &self.recording;
        let mut chosen = made::between(recording, from, to);
        match of {
            Chosen::All => {}
            Chosen::StreamOf(place) => {
                let stream = recording.operations.get(*place as usize).map(|operation| operation.stream);
                chosen.retain(|&other| Some(recording.operations[other as usize].stream) == stream);
            }
            Chosen::Named(text) => chosen.retain(named(recording, &text.trim().to_lowercase())),
        }
        match made::scenario(&self.recording, &self.analysis, &chosen, name) {
            Some(made) => TraceAnswer::Made {
                scenario: blockstep_format::write_scenario(&made.draft),
                left_out: made.left_out.into_iter().map(words::left_out).collect(),
            },
            None => TraceAnswer::Failed("Nothing ran in this part of the trace, so no scenario can be made of it.".to_owned()),
        }
    }

    /// What would come of changes, in words.
    fn try_changes(&self, place: u32) -> TraceAnswer {
        let (recording, analysis) = (&self.recording, &self.analysis);
        let Some(tried) = what_if::what_if(recording, analysis, place) else {
            return TraceAnswer::Tried { operation: place, said: vec![not_tried(recording, place).to_owned()], rows: Vec::new() };
        };
        let operation = &recording.operations[place as usize];
        let called = recording.called(operation).unwrap_or(operation.start);
        let wait = |start: Time| time(start.since(called));
        let name_of = |by: u32| words::short_name(recording.name(&recording.operations[by as usize]));
        let row = |(change, start): &(what_if::WhatIfChange, Time)| {
            let gained = if *start <= tried.unchanged {
                earlier(&time(tried.unchanged.since(*start)), *start == tried.unchanged)
            } else {
                later(&time(start.since(tried.unchanged)))
            };
            (changed(*change, &name_of), wait(*start), gained)
        };
        let error = if tried.unchanged > tried.measured {
            format!("The prediction is {} too late.", time(tried.unchanged.since(tried.measured)))
        } else {
            format!("The prediction is {} too early, which includes the launch latency.", time(tried.measured.since(tried.unchanged)))
        };
        let trust = tried.no_gain.map_or_else(|| "Trust only gains larger than that.".to_owned(), no_gain);
        let error = format!("{error} {trust}");
        let mut said = vec![
            format!(
                "Measured: it started {} after its call. The simulator runs {} around it and predicts {}.",
                wait(tried.measured),
                if tried.operations == 1 {
                    "this operation".to_owned()
                } else {
                    format!("the {} operations", format_count(tried.operations as u64))
                },
                wait(tried.unchanged)
            ),
            error,
        ];
        said.extend(tried.left_out.iter().map(|left| words::left_out(*left)));
        TraceAnswer::Tried { operation: place, said, rows: tried.changed.iter().map(row).collect() }
    }

    /// The operation before or after one in its stream.
    fn beside(&self, operation: Option<u32>, is_next: bool) -> Option<u32> {
        let Some(place) = operation else { return Some(0) };
        let of = self.recording.stream(self.recording.operations.get(place as usize)?).operations.as_slice();
        let own = of.partition_point(|&other| other < place);
        of.get(if is_next { own + 1 } else { own.checked_sub(1)? }).copied()
    }

    fn card(&self, place: u32) -> TraceAnswer {
        let (recording, analysis) = (&self.recording, &self.analysis);
        let Some(operation) = recording.operations.get(place as usize) else { return TraceAnswer::Nothing };
        let parts = analysis.parts(place);
        let name_of = |by: u32| words::named(recording, &recording.operations[by as usize]);
        let part = |part: &crate::causes::WaitPart| CardPart {
            cause: part.cause,
            certainty: part.certainty,
            label: words::label(part.cause).to_owned(),
            ns: part.span().ns(),
            sentence: words::sentence(recording, part, &time),
            by: part.by.map(|by| (by, name_of(by))),
        };
        let (links, root) = chain::chain(recording, analysis, place);
        let row = |(i, link): (usize, &chain::ChainLink)| ChainRow {
            operation: link.operation,
            name: name_of(link.operation),
            sentence: words::link(recording, link, i == 0, &time),
        };
        let call = recording.call(operation);
        let proof = |(cause, proof)| (words::label(cause).to_owned(), words::proof(proof).to_owned());
        let lane_of = |of: Of| self.lanes.iter().position(|lane| lane.of == of).map(|place| place as u32);
        TraceAnswer::Looked(Box::new(OperationCard {
            operation: place,
            name: words::short_name(recording.name(operation)),
            full: recording.name(operation).to_owned(),
            facts: facts(recording, operation),
            called: call.map(|call| call.start),
            start: operation.start,
            end: operation.end,
            lanes: (lane_of(Of::Stream(operation.stream)), call.and_then(|call| lane_of(Of::Calls { thread: call.thread }))),
            beside_call: words::beside_call(recording, operation, parts, &time),
            waited: match recording.wait(operation) {
                None if operation.kind == OperationKind::Migration => {
                    "The driver moves pages without a call, so that there is no wait to explain.".to_owned()
                }
                None => "Its call is not in the file, so we do not know its wait.".to_owned(),
                Some(Span::ZERO) => "It started with its call.".to_owned(),
                Some(wait) if recording.is_later_node(operation) => {
                    format!("It waited {} from the beginning of its graph to its start.", time(wait))
                }
                Some(wait) => format!("It waited {} from its call to its start.", time(wait)),
            },
            parts: parts.iter().map(part).collect(),
            chain: links.iter().enumerate().map(row).collect(),
            root: words::root(root).to_owned(),
            ruled_out: ruled_out::ruled_out(recording, place, parts).into_iter().map(proof).collect(),
        }))
    }
}

const fn tone(operation: &Operation) -> Tone {
    match operation.kind {
        OperationKind::Kernel => Tone::Kernel,
        OperationKind::Migration => Tone::Copy,
        kind if kind.is_transfer() => Tone::Copy,
        _ => Tone::Memory,
    }
}

fn facts(recording: &Recording, operation: &Operation) -> Vec<(String, String)> {
    let (stream, device) = (recording.stream(operation), recording.device(operation));
    let mut facts = Vec::new();
    let mut fact = |label: &str, value: String| facts.push((label.to_owned(), value));
    if let Some(call) = recording.call(operation) {
        fact("Called", format_time_short(call.start.ns()));
        fact("Call", format!("{}, {}", recording.names[call.name as usize], thread_name(call.thread)));
    }
    fact("Started", format_time_short(operation.start.ns()));
    fact("Ran for", time(operation.duration()));
    match stream.kind {
        StreamKind::Migrations => fact("Moved by", "The driver".to_owned()),
        kind => fact("Stream", stream_name(stream.id, kind)),
    }
    fact(super::GPU, super::about_gpu(device.name.as_deref(), device.sms, None));
    if let Some(launch) = &operation.launch {
        fact("Grid", format!("{} × {} × {} = {} blocks", launch.grid[0], launch.grid[1], launch.grid[2], format_count(launch.blocks())));
        fact(
            "Block",
            format!("{} × {} × {} = {} threads", launch.block[0], launch.block[1], launch.block[2], format_count(launch.threads())),
        );
        if launch.registers > 0 {
            fact("Registers per thread", format_count(launch.registers.into()));
        }
        fact("Shared memory per block", format_bytes(launch.shared.into()));
        if let Some(limits) = &device.limits {
            let (blocks, limit) = limits.resident(launch.threads(), launch.registers, launch.shared);
            fact("Blocks per SM", format!("{} at most, by {}", format_count(blocks), occupancy::NAMES[limit]));
        }
    }
    if let Some(bytes) = operation.bytes {
        fact("Bytes", format_bytes(bytes));
    }
    if let Some(channel) = operation.channel {
        fact("Hardware queue", channel.to_string());
    }
    facts
}

fn titles(recording: &Recording, lanes: &[Lane]) -> Vec<LaneTitle> {
    let has_processes = recording.streams.iter().any(|stream| stream.process != recording.streams[0].process);
    let mut last = String::new();
    let title = |lane: &Lane| {
        let of_device = |device: u32, process: Option<u64>| {
            let device = &recording.devices[device as usize];
            device_group(device.id, device.name.as_deref(), process)
        };
        // What is of a device that one process uses stands with its streams.
        let own = |device: u32| {
            let mut processes = recording.streams.iter().filter(|stream| stream.device == device).map(|stream| stream.process);
            let first = processes.next().filter(|_| has_processes);
            first.filter(|first| processes.all(|process| process == *first))
        };
        let (group, title) = match lane.of {
            Of::Calls { thread } => ("Host".to_owned(), thread_name(thread)),
            Of::Stream(stream) => {
                let stream = &recording.streams[stream as usize];
                let group = of_device(stream.device, has_processes.then_some(stream.process));
                (group, stream_name(stream.id, stream.kind))
            }
            Of::Copies { device, kind } => (of_device(device, own(device)), copies(kind).to_owned()),
            Of::Occupancy { device } => (of_device(device, own(device)), "SMs in use".to_owned()),
            Of::Path { .. } if recording.is_host_alone() => ("Host".to_owned(), "Path".to_owned()),
            Of::Path { device } => (of_device(device, own(device)), "Path".to_owned()),
        };
        let group = if group == last {
            String::new()
        } else {
            last.clone_from(&group);
            group
        };
        LaneTitle { of: lane.of, title, group }
    };
    lanes.iter().map(title).collect()
}

/// Whether an operation, an index, has a name that holds a text in small letters.
fn named<'r>(recording: &'r Recording, wanted: &str) -> impl Fn(&u32) -> bool + use<'r> {
    let is_named: Vec<bool> = recording.names.iter().map(|name| name.to_lowercase().contains(wanted)).collect();
    move |&item| is_named.get(recording.operations[item as usize].name as usize).copied().unwrap_or(false)
}

/// Why no gains are given, a sentence or two.
fn no_gain(why: NoGain) -> String {
    match why {
        NoGain::FarOff => "That is more than half of the wait, so we give no gains.".to_owned(),
        NoGain::OtherCause { explained, simulated } => {
            let within = |cause: Option<Cause>| cause.map_or_else(|| "nothing".to_owned(), words::within);
            format!(
                "The trace and the simulator give different reasons for most of the wait: “{}” and “{}”. So we give no gains.",
                within(explained),
                within(simulated)
            )
        }
    }
}

/// Why no changes can be tried for an operation, an index.
fn not_tried(recording: &Recording, place: u32) -> &'static str {
    if recording.operations.get(place as usize).is_some_and(|operation| recording.is_node(operation)) {
        "This is a node of a graph, which is launched as a whole. The simulator tries no changes of single nodes."
    } else {
        "The simulator can try changes for operations whose calls are recorded. This one's is not, or what ran around it cannot be made a \
         scenario."
    }
}

fn thread_name(thread: u64) -> String {
    format!("Thread {thread}")
}

/// A group of lanes; `process` if the file has several.
fn device_group(id: u64, name: Option<&str>, process: Option<u64>) -> String {
    let name = name.map_or(String::new(), |name| format!(": {name}"));
    let process = process.map_or(String::new(), |process| format!(", process {process}"));
    format!("GPU {id}{name}{process}")
}

fn stream_name(id: u64, kind: StreamKind) -> String {
    match kind {
        StreamKind::Null => format!("Stream {id} (NULL)"),
        StreamKind::Migrations => "Page migrations".to_owned(),
        _ => format!("Stream {id}"),
    }
}

pub(super) const fn copies(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::HostToDevice => "Copies to GPU",
        OperationKind::DeviceToHost => "Copies from GPU",
        _ => "Copies GPU to GPU",
    }
}

fn earlier(by: &str, is_same: bool) -> String {
    if is_same { "no difference".to_owned() } else { format!("{by} earlier") }
}

pub(super) fn changed(change: WhatIfChange, name: &dyn Fn(u32) -> String) -> String {
    match change {
        WhatIfChange::HighPriority => "Its stream has high priority.".to_owned(),
        WhatIfChange::OwnStream => "It has a stream of its own.".to_owned(),
        WhatIfChange::NonBlocking => "Its stream is non-blocking.".to_owned(),
        WhatIfChange::NoEvent => "It waits for no event.".to_owned(),
        WhatIfChange::Connections => format!("CUDA_DEVICE_MAX_CONNECTIONS is {MAX_CONNECTIONS}."),
        WhatIfChange::Split(by) => {
            format!("{} is launched as two kernels of half as many blocks, the second after this operation.", name(by))
        }
        WhatIfChange::HalfGrid(by) => format!("{} has half as many blocks, and each takes twice as long.", name(by)),
        WhatIfChange::Earlier(by) => format!("It is launched just before {}.", name(by)),
    }
}

fn later(by: &str) -> String {
    format!("{by} later")
}
