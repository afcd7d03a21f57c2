//! An inset to fill in: an empty picture of the queues at a moment of the run, and the operations to put into it.
//!
//! Depends on `snapshot` and on `view` for words. Invariants: what is right is read off the state at the moment asked about; what is
//! offered, and what is drawn already, follows from the state at which it is asked, and tells nothing of what comes.
//! Source: [TX2] Fig. 4.

mod misplaced;

use std::fmt;
use std::str::FromStr;

pub use misplaced::{Misplaced, Why};

use serde::{Deserialize, Serialize};

use blockstep_sim::language::capitalized;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::{Scenario, StreamPriority};
use blockstep_sim::snapshot::{Replay, Snapshot, SpaceState};
use blockstep_sim::trace::{Change, EngineNo, Level, OpKind, Trace};
use blockstep_sim::units::{OpId, RowId, SmId, SpaceId, StreamId, Time};
use blockstep_view::position::{self, Stop};
use blockstep_view::quantity::format_time;

/// Streams that hold something, at most.
const MAX_STREAMS: usize = 6;
/// Operations to place, at most.
const MAX_PIECES: usize = 9;
/// Places that operations and blocks take together, at most.
const MAX_PUTS: u32 = 24;
/// Operations of a stream that may be elsewhere by then; those behind them are drawn.
const IN_FRONT: usize = 2;
/// SMs that are drawn one by one, at most.
const MAX_SMS: usize = 4;
/// Blocks of a kernel that are counted, at most.
const MAX_BLOCKS: u64 = 8;

/// A box of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsetPlace {
    /// The queue of a stream.
    Stream(StreamId),
    /// An EE queue.
    Ee(Level),
    /// A CE queue.
    Ce(EngineNo),
    /// An SM; `None` for all of them together, where blocks are not counted.
    Sm(Option<SmId>),
    /// A copy engine.
    Engine(EngineNo),
}

/// A box with what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsetBox {
    /// Which one it is.
    pub place: InsetPlace,
    /// `Stream S1`, `EE queue`, `SM 0`.
    pub label: String,
    /// What is drawn in it already, behind all that is put there.
    pub fixed: Vec<OpId>,
}

/// An operation to put into places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsetPiece {
    /// The operation.
    pub op: OpId,
    /// Its row, for its color.
    pub row: RowId,
    /// `K4`.
    pub label: String,
    /// Its blocks; 1 of a copy.
    pub blocks: u64,
}

/// An operation in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Put {
    /// The box, from 0.
    pub place: usize,
    /// The operation, from 0.
    pub piece: usize,
    /// Its blocks there, of an SM; else 1.
    pub count: u32,
}

/// What was put where. What stands in one box is in the order of its queue, head first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filled(pub Vec<Put>);

/// A question of this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inset {
    /// Steps applied when it is asked.
    pub from: u32,
    /// Steps applied at the moment that it asks about.
    pub to: u32,
    /// That moment.
    pub at: Time,
    /// The boxes: streams, EE queues, CE queues, SMs, copy engines.
    pub boxes: Vec<InsetBox>,
    /// What is to be placed, in the order of launching.
    pub pieces: Vec<InsetPiece>,
    /// What is where then.
    right: Filled,
}

/// The picture as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsetView {
    /// What can be put: name and row.
    pub pieces: Vec<(String, RowId)>,
    /// The boxes.
    pub boxes: Vec<InsetBoxView>,
}

/// A box as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsetBoxView {
    /// What it is called.
    pub label: String,
    /// What was put there: the operation, by its number, and its words.
    pub puts: Vec<(usize, String)>,
    /// What is drawn in it, behind that.
    pub fixed: Vec<String>,
    /// Whether it is likely to hold much.
    pub is_wide: bool,
}

/// Whether runs of this scenario have queues that an inset shows: those of one address space.
pub(super) fn applies(scenario: &Scenario) -> bool {
    !scenario.policy().kind.takes_turns() || (scenario.processes().len() == 1 && !scenario.has_channels())
}

impl Inset {
    /// That of the next instant, asked after so many steps; `None` where the instant before is not over, or where there is too little or
    /// too much to place. Cost: that of seeking there.
    #[must_use]
    pub fn next(replay: &mut Replay, from: u32) -> Option<Self> {
        let to = position::next_instant(replay.trace(), from);
        let at = position::time_at(replay.trace(), to);
        Self::between(replay, from, Stop { position: to, at })
    }

    /// That of a later moment, asked after so many steps; `None` as above.
    #[must_use]
    pub fn between(replay: &mut Replay, from: u32, to: Stop) -> Option<Self> {
        let trace = std::sync::Arc::clone(replay.trace());
        let steps = trace.steps();
        let last = (from as usize).checked_sub(1).and_then(|last| steps.get(last));
        let is_over = last.zip(steps.get(from as usize)).is_some_and(|(last, next)| next.at > last.at);
        let is_whole = (to.position as usize) < steps.len() || trace.cut().is_none();
        let is_plain = trace.variants().is_none() && trace.layout().spaces().len() == 1;
        if !is_over || !is_whole || !is_plain || to.position <= from || to.position as usize > steps.len() {
            return None;
        }
        let before = replay.seek(from).clone();
        let after = replay.seek(to.position);
        Draft { trace: &trace, before: &before, after }.inset(from, to)
    }

    /// What is asked.
    #[must_use]
    pub fn text(&self) -> String {
        format!(
            "How do the queues stand at {}, once all has happened that happens by then? Put each operation wherever it is.",
            format_time(self.at.ns())
        )
    }

    /// What it is good to know for it.
    #[must_use]
    pub fn hint(&self) -> String {
        let counts = if self.counts() { " Put a kernel on an SM once for each of its blocks there." } else { "" };
        format!("An operation may be in several places. The head of a queue comes first.{counts}")
    }

    /// Whether blocks on SMs are counted.
    fn counts(&self) -> bool {
        self.boxes.iter().any(|of| matches!(of.place, InsetPlace::Sm(Some(_))))
    }

    /// What is where then.
    #[must_use]
    pub fn right(&self) -> &Filled {
        &self.right
    }

    /// Puts an operation into a box: on an SM one block more, in a queue to its end.
    pub fn put(&self, filled: &mut Filled, piece: usize, place: usize) {
        let (Some(of), Some(at)) = (self.pieces.get(piece), self.boxes.get(place)) else { return };
        let before = filled.0.iter().position(|put| (put.place, put.piece) == (place, piece));
        if let (Some(before), InsetPlace::Sm(Some(_))) = (before, at.place) {
            let count = &mut filled.0[before].count;
            *count = (*count + 1).min(of.blocks as u32);
            return;
        }
        if let Some(before) = before {
            filled.0.remove(before);
        }
        filled.0.push(Put { place, piece, count: 1 });
    }

    /// Takes an operation out of a box: on an SM one block of it.
    pub fn take(&self, filled: &mut Filled, piece: usize, place: usize) {
        let Some(at) = filled.0.iter().position(|put| (put.place, put.piece) == (place, piece)) else { return };
        match filled.0[at].count {
            0 | 1 => filled.0.retain(|put| (put.place, put.piece) != (place, piece)),
            _ => filled.0[at].count -= 1,
        }
    }

    /// What a box holds, in words: `EE queue: K1, K4`.
    #[must_use]
    pub fn box_in_words(&self, filled: &Filled, place: usize) -> String {
        let Some(of) = self.boxes.get(place) else { return String::new() };
        let names: Vec<String> = filled.of(place).filter_map(|put| self.put_in_words(put)).collect();
        format!("{}: {}", of.label, if names.is_empty() { "empty".to_owned() } else { names.join(", ") })
    }

    fn put_in_words(&self, put: &Put) -> Option<String> {
        let label = &self.pieces.get(put.piece)?.label;
        Some(if put.count > 1 { format!("{label} \u{d7}{}", put.count) } else { label.clone() })
    }

    /// All of it in words; boxes without anything are left out.
    #[must_use]
    pub fn in_words(&self, filled: &Filled) -> String {
        let filled = &filled.sorted(self);
        let held = (0..self.boxes.len()).filter(|&place| filled.of(place).next().is_some());
        let boxes: Vec<String> = held.map(|place| self.box_in_words(filled, place)).collect();
        if boxes.is_empty() { "everything empty".to_owned() } else { boxes.join("; ") }
    }

    /// The picture with what was put into it.
    #[must_use]
    pub fn view(&self, trace: &Trace, filled: &Filled) -> InsetView {
        let shown = |(place, of): (usize, &InsetBox)| InsetBoxView {
            label: of.label.clone(),
            puts: filled.of(place).filter_map(|put| Some((put.piece, self.put_in_words(put)?))).collect(),
            fixed: of.fixed.iter().map(|&op| trace.op_label(op)).collect(),
            is_wide: matches!(of.place, InsetPlace::Stream(_) | InsetPlace::Sm(None)),
        };
        InsetView {
            pieces: self.pieces.iter().map(|piece| (piece.label.clone(), piece.row)).collect(),
            boxes: self.boxes.iter().enumerate().map(shown).collect(),
        }
    }
}

impl Filled {
    /// What stands in a box, in order.
    pub fn of(&self, place: usize) -> impl Iterator<Item = &Put> {
        self.0.iter().filter(move |put| put.place == place)
    }

    /// The same in the order of the boxes, as two that are filled alike are equal then; on an SM in the order of launching.
    #[must_use]
    pub fn sorted(&self, inset: &Inset) -> Self {
        let mut puts = self.0.clone();
        let is_queue = |place: usize| !matches!(inset.boxes.get(place).map(|of| of.place), Some(InsetPlace::Sm(_) | InsetPlace::Engine(_)));
        // The order within a queue is kept.
        puts.sort_by_key(|put| (put.place, if is_queue(put.place) { 0 } else { put.piece }));
        Self(puts)
    }
}

/// `0.1 5.2x2`, with commas between them: box, operation, blocks.
impl fmt::Display for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, put) in self.0.iter().enumerate() {
            write!(f, "{}{}.{}", if i == 0 { "" } else { "," }, put.place, put.piece)?;
            if put.count != 1 {
                write!(f, "x{}", put.count)?;
            }
        }
        Ok(())
    }
}

impl FromStr for Filled {
    type Err = std::convert::Infallible;

    /// What is none of these is left out, and so is what stands there twice.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut puts: Vec<Put> = Vec::new();
        let read = |part: &str| {
            let (place, rest) = part.split_once('.')?;
            let (piece, count) = rest.split_once('x').unwrap_or((rest, "1"));
            Some(Put { place: place.parse().ok()?, piece: piece.parse().ok()?, count: count.parse().ok().filter(|&n| n > 0)? })
        };
        for put in text.split(',').take(MAX_PIECES * 32).filter_map(read) {
            if !puts.iter().any(|known| (known.place, known.piece) == (put.place, put.piece)) {
                puts.push(put);
            }
        }
        Ok(Self(puts))
    }
}

/// The two states that a question lies between.
struct Draft<'a> {
    trace: &'a Trace,
    before: &'a Snapshot,
    after: &'a Snapshot,
}

impl Draft<'_> {
    fn inset(&self, from: u32, to: Stop) -> Option<Inset> {
        let streams = (0..self.trace.layout().streams().len()).map(StreamId::at);
        let held = |state: &Snapshot, stream: StreamId| !state.stream(stream).queue.is_empty();
        let streams: Vec<StreamId> = streams.filter(|&s| held(self.before, s) || held(self.after, s)).take(MAX_STREAMS + 1).collect();
        if streams.len() > MAX_STREAMS {
            return None;
        }
        let (mut boxes, mut ops) = (Vec::new(), Vec::new());
        for stream in streams {
            let (asked, fixed) = self.of_stream(stream)?;
            ops.extend(asked);
            let name = self.trace.layout().label(self.trace.scenario(), stream);
            boxes.push(InsetBox { place: InsetPlace::Stream(stream), label: format!("Stream {name}"), fixed });
        }
        ops.sort_by_key(|op: &OpId| op.0);
        let blocks = |op: OpId| if self.trace.op(op).kind == OpKind::Kernel { self.trace.row_of(op).blocks } else { 1 };
        let piece = |&op: &OpId| InsetPiece { op, row: self.trace.op(op).row, label: self.trace.op_label(op), blocks: blocks(op) };
        let pieces: Vec<InsetPiece> = ops.iter().map(piece).collect();
        boxes.extend(self.hardware(pieces.iter().all(|piece| piece.blocks <= MAX_BLOCKS)));
        let contents = |state: &Snapshot| contents(self.trace, state, &boxes, &pieces);
        let (now, right) = (contents(self.before), contents(self.after));
        let puts: u32 = right.0.iter().map(|put| put.count).sum();
        let is_fit = (2..=MAX_PIECES).contains(&pieces.len()) && (1..=MAX_PUTS).contains(&puts);
        // Where nothing has moved, it could be copied from what is seen.
        (is_fit && now != right).then_some(Inset { from, to: to.position, at: to.at, boxes, pieces, right })
    }

    /// The operations of a stream to place, and those that are drawn; `None` if one of these has moved.
    fn of_stream(&self, stream: StreamId) -> Option<(Vec<OpId>, Vec<OpId>)> {
        let (before, after) = (&self.before.stream(stream).queue, &self.after.stream(stream).queue);
        let begun = self.before.applied() as usize..self.after.applied() as usize;
        let issued = self.trace.steps()[begun].iter().filter_map(|step| match step.change {
            Change::Issued { op } if self.trace.op(op).stream == stream => Some(op),
            _ => None,
        });
        let issued: Vec<OpId> = issued.take(MAX_PIECES + 1).collect();
        // What is launched meanwhile comes behind all others.
        let in_front = if issued.is_empty() { IN_FRONT } else { before.len() };
        let asked = before.iter().take(in_front).copied().chain(issued);
        let fixed: Vec<OpId> = before.iter().skip(in_front).copied().collect();
        fixed.iter().all(|op| after.contains(op)).then(|| (asked.take(MAX_PIECES + 1).collect(), fixed))
    }

    /// The boxes behind the streams.
    fn hardware(&self, is_countable: bool) -> Vec<InsetBox> {
        let (scenario, space) = (self.trace.scenario(), self.after.space(SpaceId::at(0)));
        let named = |place: InsetPlace, label: &str| InsetBox { place, label: label.to_owned(), fixed: Vec::new() };
        let layout = self.trace.layout();
        let is_high = layout.streams().iter().any(|stream| stream.priority == StreamPriority::High);
        // Else the other queue is always empty.
        let mut boxes = if is_high && policy::uses(scenario, Setting::StreamPriority) {
            let high = named(InsetPlace::Ee(Level::High), "EE queue, high priority");
            vec![high, named(InsetPlace::Ee(Level::Low), "EE queue, low priority")]
        } else {
            vec![named(InsetPlace::Ee(Level::Low), "EE queue")]
        };
        let engines = scenario.device().copy_engines.min(2) as EngineNo;
        let which = |what: &str, engine: EngineNo| match (engines, engine) {
            (1, _) => what.to_owned(),
            (_, 0) => format!("{what}, input"),
            _ => format!("{what}, output"),
        };
        boxes.extend((0..engines).map(|engine| named(InsetPlace::Ce(engine), &which("CE queue", engine))));
        let sms: Vec<SmId> = space.sm_ids().take(MAX_SMS + 1).collect();
        if is_countable && sms.len() <= MAX_SMS {
            boxes.extend(sms.iter().map(|&sm| named(InsetPlace::Sm(Some(sm)), &format!("SM {}", sm.0))));
        } else {
            boxes.push(named(InsetPlace::Sm(None), "SMs"));
        }
        boxes.extend((0..engines).map(|engine| named(InsetPlace::Engine(engine), &which("Copy engine", engine))));
        boxes
    }
}

/// What is where at a state.
fn contents(trace: &Trace, state: &Snapshot, boxes: &[InsetBox], pieces: &[InsetPiece]) -> Filled {
    let space = state.space(SpaceId::at(0));
    let mut puts = Vec::new();
    for (place, of) in boxes.iter().enumerate() {
        let mut put = |op: OpId, count: u32| {
            if let Some(piece) = pieces.iter().position(|piece| piece.op == op) {
                puts.push(Put { place, piece, count });
            }
        };
        match of.place {
            InsetPlace::Stream(stream) => state.stream(stream).queue.iter().for_each(|&op| put(op, 1)),
            InsetPlace::Ee(level) => space.ee(level).iter().for_each(|&op| put(op, 1)),
            InsetPlace::Ce(engine) => space.ce(engine).iter().for_each(|&op| put(op, 1)),
            InsetPlace::Engine(engine) => space.engines[engine as usize].iter().for_each(|copy| put(copy.op, 1)),
            InsetPlace::Sm(sm) => {
                let kernels = pieces.iter().filter(|piece| trace.op(piece.op).kind == OpKind::Kernel);
                for (op, count) in kernels.map(|piece| (piece.op, blocks_on(space, piece.op, sm))) {
                    if count > 0 {
                        put(op, if sm.is_some() { count } else { 1 });
                    }
                }
            }
        }
    }
    Filled(puts)
}

/// Blocks of a kernel on an SM, or on all of them.
fn blocks_on(space: &SpaceState, op: OpId, sm: Option<SmId>) -> u32 {
    let holding = space.sms.holding().filter(|(i, _)| sm.is_none_or(|sm| sm.index() == *i));
    holding.flat_map(|(_, sm)| &sm.blocks).filter(|block| block.op == op).count() as u32
}

/// A box within a sentence: `the EE queue`, `stream S1`, `SM 0`.
fn in_sentence(of: &InsetBox) -> String {
    match of.place {
        InsetPlace::Stream(_) => of.label.replacen("Stream", "stream", 1),
        InsetPlace::Sm(Some(_)) => of.label.clone(),
        InsetPlace::Engine(_) => format!("the {}", of.label.replacen("Copy", "copy", 1)),
        InsetPlace::Ee(_) | InsetPlace::Ce(_) | InsetPlace::Sm(None) => format!("the {}", of.label),
    }
}

/// The same at the beginning of one.
fn begins_sentence(of: &InsetBox) -> String {
    capitalized(&in_sentence(of))
}
