//! One lane of the timeline: what ran there, sorted by start.
//!
//! Depends on `trace`, `record`, `frame` and `packing`. Invariants: items are in order of start,
//! and `reach` makes those of any range of time findable in logarithmic time plus what began after
//! the earliest of them; a block keeps its place in the lane while it is suspended.

use super::frame::Stretch;
use super::packing::{Filling, Packer};
use super::timeline::Hit;
use crate::order;
use crate::record::Records;
use crate::trace::{EngineNo, Trace};
use crate::units::{RowId, SmId, SpaceId, TimeRange};

/// What a lane stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Sm(SmId),
    Engine(EngineNo),
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

impl Place {
    /// What an item in it shows.
    pub(super) fn stretch(self, row: u32) -> Stretch {
        match self {
            Self::Sm(_) | Self::Engine(_) => Stretch::Running(RowId(row)),
            Self::SuspendedBlocks(_) | Self::SuspendedCopies(_) => Stretch::Suspended(RowId(row)),
            Self::HeldUp(_) => Stretch::HeldUp(RowId(row)),
            Self::Stays => Stretch::Resident(SpaceId(row)),
            Self::Drains => Stretch::Draining(SpaceId(row)),
            Self::Switches => Stretch::Switching(SpaceId(row)),
        }
    }

    /// What an item in it is for the pointer.
    pub(super) fn hit(self, item: &Item) -> Hit {
        let record = item.record as usize;
        match self {
            Self::Sm(_) | Self::SuspendedBlocks(_) => Hit::Block(record),
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
pub(super) struct Item {
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
    pub(super) place: Place,
    pub(super) items: Vec<Item>,
    /// Latest end of the items up to each.
    reach: Vec<u64>,
}

impl Lane {
    pub(super) fn new(place: Place, items: Vec<Item>) -> Self {
        let reach = items
            .iter()
            .scan(0, |latest, item| {
                *latest = item.end.max(*latest);
                Some(*latest)
            })
            .collect();
        Self { place, items, reach }
    }

    /// The items that may lie in `range`: all that do, and some before.
    pub(super) fn near(&self, range: TimeRange) -> &[Item] {
        let first = self.reach.partition_point(|&end| end <= range.start.ns());
        let last = self.items.partition_point(|item| item.start < range.end.ns());
        &self.items[first.min(last)..last]
    }
}

/// The lanes of SMs and engines, with what was suspended there.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Of the SMs, then of the copy engines that were used.
    pub(super) running: Vec<Lane>,
    /// For each of those a lane for each address space that had something suspended there, in their
    /// order; none if nothing was suspended.
    pub(super) suspended: Vec<Vec<Lane>>,
    /// Of the processes: stays, drains over them, switches; none where all share the GPU.
    pub(super) band: Vec<Lane>,
}

pub(super) fn lanes(trace: &Trace, records: &Records) -> Lanes {
    let mut lanes = Lanes { running: Vec::new(), suspended: Vec::new(), band: band(records) };
    let takes_turns = !records.residency.is_empty();
    add_sm_lanes(&mut lanes, trace, records, takes_turns);
    let engines = records.copies.iter().map(|c| c.engine).max().map_or(0, |last| usize::from(last) + 1);
    let mut of_engine = vec![Vec::new(); engines];
    for (i, copy) in records.copies.iter().enumerate() {
        let row = trace.op(copy.op).row.0;
        let (start, end) = (copy.start.ns(), copy.end.unwrap_or(records.end()).ns());
        of_engine[usize::from(copy.engine)].push(Item { start, end, low: 0.0, high: 1.0, record: i as u32, row });
    }
    for (engine, items) in of_engine.into_iter().enumerate() {
        let mut cut = Cut::new(trace);
        items.into_iter().for_each(|item| cut.add(item, || records.copy_runs(item.record as usize)));
        if !cut.suspended.is_empty() || !cut.running.is_empty() {
            cut.finish(&mut lanes, Place::Engine(engine as EngineNo), Place::SuspendedCopies);
        }
    }
    if lanes.suspended.iter().all(Vec::is_empty) {
        lanes.suspended.clear();
    }
    lanes
}

fn band(records: &Records) -> Vec<Lane> {
    let item = |record: usize, &(space, range): &(SpaceId, TimeRange)| Item {
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
    let lanes = [(Place::Stays, all(&records.residency)), (Place::Drains, drains), (Place::Switches, all(&records.switches))];
    lanes.into_iter().map(|(place, items)| Lane::new(place, items)).collect()
}

/// Blocks or copies by address space, in the order of both.
fn by_space<'i>(trace: &Trace, items: &'i mut [Item]) -> impl Iterator<Item = (SpaceId, &'i [Item])> {
    let space_of = |item: &Item| trace.layout().stream(trace.layout().stream_of(RowId(item.row))).space;
    order::by_number(items, |item| space_of(item).0.into());
    items.chunk_by(move |one, other| space_of(one) == space_of(other)).map(move |own| (space_of(&own[0]), own))
}

/// Items of one SM or engine, cut into what executed and what was suspended.
struct Cut<'a> {
    trace: &'a Trace,
    running: Vec<Item>,
    /// Of all address spaces.
    suspended: Vec<Item>,
}

impl<'a> Cut<'a> {
    fn new(trace: &'a Trace) -> Self {
        Self { trace, running: Vec::new(), suspended: Vec::new() }
    }

    /// Adds a whole block or copy that executed in `runs`.
    fn add(&mut self, whole: Item, runs: impl Fn() -> Vec<TimeRange>) {
        let mut from = whole.start;
        for run in runs() {
            let (start, end) = (run.start.ns(), run.end.ns());
            if from < start {
                self.suspended.push(Item { start: from, end: start, ..whole });
            }
            self.running.push(Item { start, end, ..whole });
            from = end;
        }
        if from < whole.end {
            self.suspended.push(Item { start: from, end: whole.end, ..whole });
        }
    }

    fn finish(mut self, lanes: &mut Lanes, place: Place, suspended_place: fn(SpaceId) -> Place) {
        order::by_number(&mut self.running, |item| item.start);
        lanes.running.push(Lane::new(place, self.running));
        order::by_number(&mut self.suspended, |item| item.start);
        let of_spaces = by_space(self.trace, &mut self.suspended);
        lanes.suspended.push(of_spaces.map(|(space, items)| Lane::new(suspended_place(space), items.to_vec())).collect());
    }
}

fn add_sm_lanes(lanes: &mut Lanes, trace: &Trace, records: &Records, takes_turns: bool) {
    let device = trace.scenario().device();
    let sms = device.sms as usize;
    let mut counts = vec![0_usize; sms];
    for block in &records.blocks {
        counts[block.sm.index()] += 1;
    }
    let mut of_sm: Vec<Vec<Item>> = counts.into_iter().map(Vec::with_capacity).collect();
    for (i, block) in records.blocks.iter().enumerate() {
        let row = trace.op(block.op).row.0;
        let end = block.end.unwrap_or(records.end());
        if block.start < end {
            of_sm[block.sm.index()].push(Item { start: block.start.ns(), end: end.ns(), low: 0.0, high: 0.0, record: i as u32, row });
        }
    }
    let twice = records.blocks.len() <= MAX_TWICE;
    let threads_of_row: Vec<u32> = trace.scenario().rows().iter().map(|row| row.needs.threads).collect();
    for (sm, mut items) in of_sm.into_iter().enumerate() {
        let place = Place::Sm(SmId::at(sm));
        if !takes_turns {
            lanes.running.push(Lane::new(place, stacked(&items, device.threads_per_sm, &threads_of_row, twice)));
            lanes.suspended.push(Vec::new());
            continue;
        }
        let mut cut = Cut::new(trace);
        // Each address space has the whole SM, and fills it from the other side than the last.
        for (space, own) in by_space(trace, &mut items) {
            for mut item in stacked(own, device.threads_per_sm, &threads_of_row, twice) {
                if space.0 % 2 == 1 {
                    (item.low, item.high) = (1.0 - item.high, 1.0 - item.low);
                }
                cut.add(item, || records.block_runs(item.record as usize));
            }
        }
        cut.finish(lanes, place, Place::SuspendedBlocks);
    }
}

/// Most blocks of a run for which a second way of filling the lanes is tried.
const MAX_TWICE: usize = 10_000;

/// The items with their heights, cut into as few pieces as a simple filling can.
pub(super) fn stacked(items: &[Item], capacity: u64, threads_of_row: &[u32], twice: bool) -> Vec<Item> {
    let from_bottom = filled(items, capacity, threads_of_row, Filling::FromBottom);
    if from_bottom.len() == items.len() || !twice {
        return from_bottom;
    }
    let from_both = filled(items, capacity, threads_of_row, Filling::FromBothSides);
    if from_both.len() < from_bottom.len() { from_both } else { from_bottom }
}

fn filled(items: &[Item], capacity: u64, threads_of_row: &[u32], filling: Filling) -> Vec<Item> {
    let mut packer = Packer::new(u32::try_from(capacity).unwrap_or(u32::MAX), filling);
    let mut pieces = Vec::with_capacity(items.len());
    let share = 1.0 / capacity.max(1) as f64;
    for item in items {
        let threads = threads_of_row[item.row as usize];
        packer.place((item.start, item.end), item.row, threads, |from, length| {
            let (low, high) = (f64::from(from) * share, f64::from(from + length) * share);
            pieces.push(Item { low: low as f32, high: high as f32, ..*item });
        });
    }
    pieces
}
