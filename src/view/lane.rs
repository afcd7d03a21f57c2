//! One lane of the timeline: what ran there, sorted by start.
//!
//! Depends on `trace`, `record` and `packing`. Invariant: items are in order of start, and
//! `reach` makes those of any range of time findable in logarithmic time plus what began after
//! the earliest of them.

use super::packing::{Filling, Packer};
use crate::order;
use crate::record::Records;
use crate::trace::{EngineNo, Trace};
use crate::units::{SmId, Time, TimeRange};

/// What a lane stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Sm(SmId),
    Engine(EngineNo),
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
    /// Into `Records::blocks` or `Records::copies`.
    pub(super) record: u32,
    /// The row of the kernel table.
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
    fn new(place: Place, items: Vec<Item>) -> Self {
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

/// The lanes of the SMs, then those of the copy engines that were used.
pub(super) fn lanes(trace: &Trace, records: &Records) -> Vec<Lane> {
    let mut lanes = sm_lanes(trace, records);
    let engines = records.copies.iter().map(|c| c.engine).max().map_or(0, |last| usize::from(last) + 1);
    let mut of_engine: Vec<Vec<Item>> = vec![Vec::new(); engines];
    for (i, copy) in records.copies.iter().enumerate() {
        for run in records.copy_runs(i) {
            let row = trace.op(copy.op).row.0;
            let item = Item { start: run.start.ns(), end: run.end.ns(), low: 0.0, high: 1.0, record: i as u32, row };
            of_engine[usize::from(copy.engine)].push(item);
        }
    }
    for (engine, mut items) in of_engine.into_iter().enumerate() {
        if !items.is_empty() {
            order::by_number(&mut items, |item| item.start);
            lanes.push(Lane::new(Place::Engine(engine as EngineNo), items));
        }
    }
    lanes
}

fn sm_lanes(trace: &Trace, records: &Records) -> Vec<Lane> {
    let device = trace.scenario().device();
    let sms = device.sms as usize;
    let mut counts = vec![0_usize; sms];
    for block in &records.blocks {
        counts[block.sm.index()] += 1;
    }
    let mut of_sm: Vec<Vec<Item>> = counts.into_iter().map(Vec::with_capacity).collect();
    let mut split = false;
    for (i, block) in records.blocks.iter().enumerate() {
        let row = trace.op(block.op).row.0;
        let mut add = |start: Time, end: Time| {
            let item = Item { start: start.ns(), end: end.ns(), low: 0.0, high: 0.0, record: i as u32, row };
            of_sm[block.sm.index()].push(item);
        };
        if records.block_was_suspended(i) {
            split = true;
            records.block_runs(i).into_iter().for_each(|run| add(run.start, run.end));
        } else {
            let end = block.end.unwrap_or(records.end());
            if block.start < end {
                add(block.start, end);
            }
        }
    }
    let twice = records.blocks.len() <= MAX_TWICE;
    let threads_of_row: Vec<u32> = trace.scenario().rows().iter().map(|row| row.needs.threads).collect();
    of_sm
        .into_iter()
        .enumerate()
        .map(|(sm, mut items)| {
            if split {
                order::by_number(&mut items, |item| item.start);
            }
            Lane::new(Place::Sm(SmId::at(sm)), stacked(&items, device.threads_per_sm, &threads_of_row, twice))
        })
        .collect()
}

/// Most blocks of a run for which a second way of filling the lanes is tried.
const MAX_TWICE: usize = 10_000;

/// The items with their heights, cut into as few pieces as a simple filling can.
fn stacked(items: &[Item], capacity: u64, threads_of_row: &[u32], twice: bool) -> Vec<Item> {
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
