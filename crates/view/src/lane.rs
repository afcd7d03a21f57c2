//! One lane of the timeline: what ran there, sorted by start.
//!
//! Depends on `trace`, `record`, `frame` and `packing`. Invariants: items are in order of start,
//! and `reach` makes the parts with those of any range of time findable in logarithmic time plus what began
//! after the earliest of them; a block keeps its place in the lane while it is suspended.

use super::frame::Stretch;
use super::packing::{self, Packer};
use super::timeline::Hit;
use blockstep_sim::order;
use blockstep_sim::record::Records;
use blockstep_sim::trace::{EngineNo, Trace};
use blockstep_sim::units::{RowId, SmId, SpaceId, TimeRange};
use blockstep_sim::work::{Budget, Progress};

/// What a lane stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneKind {
    Sm(SmId),
    Engine(EngineNo),
    /// The parts of blocks on an SM in which they spin.
    Spins,
    /// What an address space has suspended on an SM.
    SuspendedBlocks(SpaceId),
    /// Likewise on a copy engine.
    SuspendedCopies(SpaceId),
    /// What could run on an engine but is held up.
    HeldUp(EngineNo),
    Stays,
    Drains,
    Switches,
}

impl LaneKind {
    /// What an item in it shows.
    pub(super) fn stretch(self, row: u32) -> Stretch {
        match self {
            Self::Sm(_) | Self::Engine(_) => Stretch::Running(RowId(row)),
            Self::Spins => Stretch::Spinning(RowId(row)),
            Self::SuspendedBlocks(_) | Self::SuspendedCopies(_) => Stretch::Suspended(RowId(row)),
            Self::HeldUp(_) => Stretch::HeldUp(RowId(row)),
            Self::Stays => Stretch::Resident(SpaceId(row)),
            Self::Drains => Stretch::Draining(SpaceId(row)),
            Self::Switches => Stretch::Switching(SpaceId(row)),
        }
    }

    /// What an item in it is for the pointer.
    pub(super) fn hit(self, item: &LaneItem) -> Hit {
        let record = item.record as usize;
        match self {
            Self::Sm(_) | Self::Spins | Self::SuspendedBlocks(_) => Hit::Block(record),
            Self::Engine(_) | Self::SuspendedCopies(_) | Self::HeldUp(_) => Hit::Copy(record),
            Self::Stays | Self::Drains => Hit::Stay(record),
            Self::Switches => Hit::Switch(record),
        }
    }

    /// Whether its items lie over or under those of another lane, or say no more than a gap does.
    pub(super) fn is_overlay(self) -> bool {
        !matches!(self, Self::Sm(_) | Self::Engine(_) | Self::Stays)
    }

    /// Whose suspended work it is.
    pub(super) fn space(self) -> Option<SpaceId> {
        match self {
            Self::SuspendedBlocks(space) | Self::SuspendedCopies(space) => Some(space),
            _ => None,
        }
    }
}

/// One uninterrupted stretch of a block or a copy; a block without a gap wide enough has several.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneItem {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Bottom, as a share of the lane's height.
    pub(super) low: f32,
    /// Top, likewise.
    pub(super) high: f32,
    /// Into the list of `Records` that the lane shows.
    pub(super) record: u32,
    /// The row of the kernel table, or the address space.
    pub(super) row: u32,
}

#[derive(Debug)]
pub(super) struct Lane {
    pub(super) place: LaneKind,
    parts: LaneParts,
    /// Latest end of the items up to the end of each part.
    reach: Vec<u64>,
}

impl Lane {
    /// `items` in order of start.
    pub(super) fn new(place: LaneKind, items: impl IntoIterator<Item = LaneItem>) -> Self {
        Self::from_parts(place, items.into_iter().collect())
    }

    fn from_parts(place: LaneKind, parts: LaneParts) -> Self {
        let mut latest = 0;
        let reach = parts
            .0
            .iter()
            .map(|part| {
                latest = part.iter().map(|item| item.end).fold(latest, u64::max);
                latest
            })
            .collect();
        Self { place, parts, reach }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.0.is_empty()
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &LaneItem> {
        self.parts.0.iter().flatten()
    }

    /// The items that may lie in `range`, some at a time: all that do, and some before.
    pub(super) fn near(&self, range: TimeRange) -> impl Iterator<Item = &[LaneItem]> {
        let begins = move |item: &LaneItem| item.start < range.end.ns();
        let first = self.reach.partition_point(|&end| end <= range.start.ns());
        let last = self.parts.0.partition_point(|part| part.first().is_some_and(begins));
        let parts = &self.parts.0[first.min(last)..last];
        // Only of the last part may some begin later.
        parts.iter().map(move |part| if part.last().is_some_and(begins) { part } else { &part[..part.partition_point(begins)] })
    }
}

/// Items in parts of one size: one list that grows would take three times its room on the way, and WebAssembly's memory never
/// shrinks. None is empty.
#[derive(Debug, Default)]
struct LaneParts(Vec<Vec<LaneItem>>);

impl LaneParts {
    const SIZE: usize = 1024;

    fn push(&mut self, item: LaneItem) {
        match self.0.last_mut().filter(|part| part.len() < Self::SIZE) {
            Some(part) => part.push(item),
            None => {
                // A short lane takes no more than it needs.
                let mut part = Vec::with_capacity(if self.0.is_empty() { 1 } else { Self::SIZE });
                part.push(item);
                self.0.push(part);
            }
        }
    }

    /// The same in order of start.
    fn sorted(self) -> Self {
        if self.0.iter().flatten().is_sorted_by_key(|item| item.start) {
            return self;
        }
        let mut items = self.0.concat();
        order::by_number(&mut items, |item| item.start);
        items.into_iter().collect()
    }
}

impl FromIterator<LaneItem> for LaneParts {
    fn from_iter<I: IntoIterator<Item = LaneItem>>(items: I) -> Self {
        let mut parts = Self::default();
        items.into_iter().for_each(|item| parts.push(item));
        parts
    }
}

/// The lanes of SMs and engines, with what spun or was suspended there.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Of the SMs, then of the copy engines that were used.
    pub(super) running: Vec<Lane>,
    /// For each of those a lane of what spun there, if anything did, then one for each address space that had something
    /// suspended there, in their order; none if nothing spun or was suspended.
    pub(super) beside: Vec<Vec<Lane>>,
    /// Of the processes: stays, drains over them, switches; none where all share the GPU.
    pub(super) band: Vec<Lane>,
}

/// Lanes that are being made, in portions.
#[derive(Debug)]
pub(super) struct Laying {
    lanes: Lanes,
    /// Whether address spaces take turns, so that work may be suspended.
    takes_turns: bool,
    /// Whether a second way of filling a lane is tried.
    is_short: bool,
    threads_of_row: Vec<u32>,
    /// How many blocks are in the list of their SM.
    listed: usize,
    /// Blocks by SM, then copies by engine, each by its place in the records; taken as lanes are made of them.
    lists: Vec<(LaneKind, Vec<u32>)>,
    /// How many of them were.
    taken: usize,
    /// The lane that is being made.
    lane: Option<Filling>,
}

/// A lane that is being made of its list.
#[derive(Debug)]
struct Filling {
    place: LaneKind,
    /// Blocks or copies, by their places in the records.
    list: Vec<u32>,
    next: usize,
    /// Of SMs, for the address space whose blocks are being put.
    filler: Option<(SpaceId, Filler)>,
    cut: Cut,
}

impl Laying {
    pub(super) fn new(trace: &Trace, records: &Records) -> Self {
        let device = trace.scenario().device();
        let mut counts = vec![0_usize; device.sms as usize];
        for block in &records.blocks {
            counts[block.sm.index()] += 1;
        }
        let of_sms = counts.into_iter().enumerate().map(|(sm, blocks)| (LaneKind::Sm(SmId::at(sm)), Vec::with_capacity(blocks)));
        let engines = records.copies.iter().map(|c| c.engine).max().map_or(0, |last| usize::from(last) + 1);
        let of_engines = (0..engines).map(|engine| (LaneKind::Engine(engine as EngineNo), Vec::new()));
        Self {
            lanes: Lanes { running: Vec::new(), beside: Vec::new(), band: band(records) },
            takes_turns: !records.residency.is_empty(),
            is_short: records.blocks.len() <= MAX_TWICE,
            threads_of_row: trace.scenario().rows().iter().map(|row| row.needs.threads).collect(),
            listed: 0,
            lists: of_sms.chain(of_engines).collect(),
            taken: 0,
            lane: None,
        }
    }

    /// Goes on as long as the budget lasts. A unit is about a block or a copy.
    pub(super) fn run_for(&mut self, trace: &Trace, records: &Records, budget: &mut Budget) -> Progress {
        loop {
            if budget.is_spent() {
                return Progress::Paused;
            }
            if self.listed < records.blocks.len() + records.copies.len() {
                budget.spend(self.list(trace, records));
            } else if let Some(lane) = &mut self.lane {
                budget.spend(1);
                if !lane.go_on(trace, records, self.takes_turns, &self.threads_of_row)
                    && let Some(lane) = self.lane.take()
                {
                    lane.cut.finish(&mut self.lanes, trace, lane.place);
                }
            } else if let Some((place, list)) = self.lists.get_mut(self.taken).map(|(place, list)| (*place, std::mem::take(list))) {
                self.taken += 1;
                budget.spend(1 + list.len() as u64 / 8);
                self.begin(trace, records, place, list);
            } else {
                return Progress::Done;
            }
        }
    }

    /// Puts some blocks or copies into the lists of their SMs and engines; how many.
    fn list(&mut self, trace: &Trace, records: &Records) -> u64 {
        const PORTION: usize = 1_000;
        let (from, blocks) = (self.listed, records.blocks.len());
        self.listed = (from + PORTION).min(blocks + records.copies.len());
        for record in from..self.listed {
            match records.blocks.get(record) {
                Some(block) if block.start < block.end.unwrap_or(records.end()) => self.lists[block.sm.index()].1.push(record as u32),
                Some(_) => {}
                None => {
                    let sms = trace.scenario().device().sms as usize;
                    let engine = usize::from(records.copies[record - blocks].engine);
                    self.lists[sms + engine].1.push((record - blocks) as u32);
                }
            }
        }
        (self.listed - from) as u64
    }

    /// Begins with a lane; where that is quick, it is made at once.
    fn begin(&mut self, trace: &Trace, records: &Records, place: LaneKind, mut list: Vec<u32>) {
        let capacity = trace.scenario().device().threads_per_sm;
        let is_sm = matches!(place, LaneKind::Sm(_));
        if is_sm && self.takes_turns {
            order::by_number(&mut list, |&record| space_of(trace, &item(trace, records, place, record)).0.into());
        }
        let mut lane = Filling { place, next: 0, filler: None, cut: Cut::default(), list };
        if is_sm && self.is_short {
            // A second way of filling needs the pieces of the first.
            let items: Vec<LaneItem> = lane.list.iter().map(|&record| item(trace, records, place, record)).collect();
            for own in items.chunk_by(|one, other| !self.takes_turns || space_of(trace, one) == space_of(trace, other)) {
                let space = space_of(trace, &own[0]);
                for piece in stacked(own, capacity, &self.threads_of_row, true) {
                    lane.cut.put(piece, space, records, self.takes_turns);
                }
            }
            lane.next = lane.list.len();
        }
        self.lane = Some(lane);
    }

    pub(super) fn finish(mut self) -> Lanes {
        if self.lanes.beside.iter().all(Vec::is_empty) {
            self.lanes.beside.clear();
        }
        self.lanes
    }
}

impl Filling {
    /// Puts the next block or copy; whether there was one.
    fn go_on(&mut self, trace: &Trace, records: &Records, takes_turns: bool, threads_of_row: &[u32]) -> bool {
        let Some(&record) = self.list.get(self.next) else { return false };
        self.next += 1;
        let item = item(trace, records, self.place, record);
        if let LaneKind::Engine(_) = self.place {
            self.cut.add(item, records.copy_runs(item.record as usize));
            return true;
        }
        let space = space_of(trace, &item);
        // Each address space has the whole SM; without turns there is but one.
        let filler = match &mut self.filler {
            Some((own, filler)) if !takes_turns || *own == space => filler,
            other => &mut other.insert((space, Filler::new(trace.scenario().device().threads_per_sm, packing::Filling::FromBottom))).1,
        };
        let cut = &mut self.cut;
        filler.put(&item, threads_of_row, |piece| cut.put(piece, space, records, takes_turns));
        true
    }
}

/// A whole block or copy, which has no height yet if it is a block.
fn item(trace: &Trace, records: &Records, place: LaneKind, record: u32) -> LaneItem {
    let (op, start, end, high) = if let LaneKind::Engine(_) = place {
        let copy = &records.copies[record as usize];
        (copy.op, copy.start, copy.end, 1.0)
    } else {
        let block = &records.blocks[record as usize];
        (block.op, block.start, block.end, 0.0)
    };
    LaneItem { start: start.ns(), end: end.unwrap_or(records.end()).ns(), low: 0.0, high, record, row: trace.op(op).row.0 }
}

fn band(records: &Records) -> Vec<Lane> {
    let item = |record: usize, &(space, range): &(SpaceId, TimeRange)| LaneItem {
        start: range.start.ns(),
        end: range.end.ns(),
        low: 0.0,
        high: 1.0,
        record: record as u32,
        row: space.0,
    };
    let all = |list: &[(SpaceId, TimeRange)]| list.iter().enumerate().map(|(i, turn)| item(i, turn)).collect::<Vec<_>>();
    if records.residency.is_empty() && records.switches.is_empty() {
        return Vec::new();
    }
    let mut drains = all(&records.drains);
    for drain in &mut drains {
        drain.record = records.residency.partition_point(|(_, stay)| stay.end.ns() <= drain.start) as u32;
    }
    let lanes = [(LaneKind::Stays, all(&records.residency)), (LaneKind::Drains, drains), (LaneKind::Switches, all(&records.switches))];
    lanes.into_iter().map(|(place, items)| Lane::new(place, items)).collect()
}

fn space_of(trace: &Trace, item: &LaneItem) -> SpaceId {
    trace.layout().stream(trace.layout().stream_of(RowId(item.row))).space
}

/// The part of a piece that lies in a range of time; `None` if that is no time.
fn within(piece: LaneItem, range: TimeRange) -> Option<LaneItem> {
    let (start, end) = (piece.start.max(range.start.ns()), piece.end.min(range.end.ns()));
    (start < end).then_some(LaneItem { start, end, ..piece })
}

/// Items of one SM or engine, cut into what executed and what was suspended.
#[derive(Debug, Default)]
struct Cut {
    running: LaneParts,
    /// Of all address spaces.
    suspended: Vec<LaneItem>,
    /// Parts of what is running.
    spins: Vec<LaneItem>,
}

impl Cut {
    /// Adds a whole block or copy that executed in `runs`.
    fn add(&mut self, whole: LaneItem, runs: Vec<TimeRange>) {
        let mut from = whole.start;
        for run in runs {
            let (start, end) = (run.start.ns(), run.end.ns());
            if from < start {
                self.suspended.push(LaneItem { start: from, end: start, ..whole });
            }
            self.running.push(LaneItem { start, end, ..whole });
            from = end;
        }
        if from < whole.end {
            self.suspended.push(LaneItem { start: from, end: whole.end, ..whole });
        }
    }

    /// Adds a piece of a block.
    fn put(&mut self, mut piece: LaneItem, space: SpaceId, records: &Records, takes_turns: bool) {
        let record = piece.record as usize;
        if !takes_turns {
            if let Some(spun) = records.spun(record) {
                self.spins.extend(within(piece, spun));
            }
            return self.running.push(piece);
        }
        // Every second address space fills the SM from the other side.
        if space.0 % 2 == 1 {
            (piece.low, piece.high) = (1.0 - piece.high, 1.0 - piece.low);
        }
        let runs = records.block_runs(record);
        if let Some(spun) = records.spun(record) {
            let spinning = runs.iter().filter_map(|&run| within(piece, run)).filter_map(|part| within(part, spun));
            self.spins.extend(spinning);
        }
        self.add(piece, runs);
    }

    /// Makes a lane of it; none for an engine that nothing used.
    fn finish(mut self, lanes: &mut Lanes, trace: &Trace, place: LaneKind) {
        let suspended_place = match place {
            LaneKind::Engine(_) if self.running.0.is_empty() && self.suspended.is_empty() => return,
            LaneKind::Engine(_) => LaneKind::SuspendedCopies,
            _ => LaneKind::SuspendedBlocks,
        };
        lanes.running.push(Lane::from_parts(place, self.running.sorted()));
        order::by_number(&mut self.suspended, |item| item.start);
        order::by_number(&mut self.suspended, |item| space_of(trace, item).0.into());
        let of_spaces = self.suspended.chunk_by(|one, other| space_of(trace, one) == space_of(trace, other));
        let suspended = of_spaces.map(|own| Lane::new(suspended_place(space_of(trace, &own[0])), own.iter().copied()));
        order::by_number(&mut self.spins, |item| item.start);
        let spins = (!self.spins.is_empty()).then(|| Lane::new(LaneKind::Spins, self.spins));
        lanes.beside.push(spins.into_iter().chain(suspended).collect());
    }
}

/// Most blocks of a run for which a second way of filling the lanes is tried.
const MAX_TWICE: usize = 10_000;

/// The items with their heights, cut into as few pieces as a simple filling can.
pub(super) fn stacked(items: &[LaneItem], capacity: u64, threads_of_row: &[u32], twice: bool) -> Vec<LaneItem> {
    let from_bottom = filled(items, capacity, threads_of_row, packing::Filling::FromBottom);
    if from_bottom.len() == items.len() || !twice {
        return from_bottom;
    }
    let from_both = filled(items, capacity, threads_of_row, packing::Filling::FromBothSides);
    if from_both.len() < from_bottom.len() { from_both } else { from_bottom }
}

fn filled(items: &[LaneItem], capacity: u64, threads_of_row: &[u32], filling: packing::Filling) -> Vec<LaneItem> {
    let mut filler = Filler::new(capacity, filling);
    let mut pieces = Vec::with_capacity(items.len());
    for item in items {
        filler.put(item, threads_of_row, |piece| pieces.push(piece));
    }
    pieces
}

/// Gives blocks of an SM their heights.
#[derive(Debug)]
struct Filler {
    packer: Packer,
    /// Of a thread, as a share of the lane's height.
    share: f64,
}

impl Filler {
    fn new(capacity: u64, filling: packing::Filling) -> Self {
        let packer = Packer::new(u32::try_from(capacity).unwrap_or(u32::MAX), filling);
        Self { packer, share: 1.0 / capacity.max(1) as f64 }
    }

    /// The pieces of a block, which begins no sooner than the one before it.
    fn put(&mut self, item: &LaneItem, threads_of_row: &[u32], mut take: impl FnMut(LaneItem)) {
        let (threads, share) = (threads_of_row[item.row as usize], self.share);
        self.packer.place((item.start, item.end), item.row, threads, |from, length| {
            let (low, high) = (f64::from(from) * share, f64::from(from + length) * share);
            take(LaneItem { low: low as f32, high: high as f32, ..*item });
        });
    }
}
