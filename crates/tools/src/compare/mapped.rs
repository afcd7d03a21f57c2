//! Pictures of another run in terms of the run on screen: a row has the color that the row of its
//! name has there, and a click selects what is called the same there.
//!
//! Invariant: what is not on screen has the colors after all of those, and cannot be selected.

use std::collections::{BTreeMap, BTreeSet};

use blockstep_learn::compare::Matching;
use blockstep_sim::units::{OpId, RowId};
use blockstep_view::frame::{Frame, Stretch};
use blockstep_view::palette::{Pattern, pattern_of};
use blockstep_view::queues::QueueView;

/// The row on screen, of `rows`, for one of another run.
fn on_screen(matching: &Matching, rows: usize, row: RowId) -> RowId {
    matching.row(true, row).unwrap_or(RowId::at(rows + row.index()))
}

pub(super) fn frame(frame: &mut Frame, matching: &Matching, rows: usize) {
    for shown in &mut frame.boxes {
        let (Stretch::Running(row) | Stretch::Spinning(row) | Stretch::Suspended(row) | Stretch::SuspendedEdge(row)) = &mut shown.stretch
        else {
            continue;
        };
        let other = on_screen(matching, rows, *row);
        if other != *row {
            *row = other;
            if matches!(shown.stretch, Stretch::Running(_)) {
                shown.pattern = if shown.edged { pattern_of(other) } else { Pattern::Plain };
            }
        }
    }
    for arrow in &mut frame.arrows {
        arrow.row = on_screen(matching, rows, arrow.row);
    }
}

/// Queues. Operations keep their numbers, which [`operations`] tells apart.
pub(super) fn view(view: &mut QueueView, matching: &Matching, rows: usize) {
    for space in &mut view.spaces {
        let items = space.streams.iter_mut().map(|s| &mut s.items).chain(space.ee.iter_mut().chain(&mut space.ce).map(|q| &mut q.items));
        let items = items.flatten().chain(space.engines.iter_mut().filter_map(|e| e.item.as_mut())).map(|item| &mut item.row);
        let blocks = space.sms.iter_mut().flat_map(|sm| &mut sm.blocks).map(|group| &mut group.row);
        items.chain(blocks).for_each(|row| *row = on_screen(matching, rows, *row));
    }
}

/// Of every operation in some queues that has one, the operation on screen that is called the same.
pub(super) fn operations(view: &QueueView, matching: &Matching) -> BTreeMap<OpId, OpId> {
    let mut ops = BTreeSet::new();
    for space in &view.spaces {
        let queued = space.streams.iter().map(|s| &s.items).chain(space.ee.iter().chain(&space.ce).map(|q| &q.items)).flatten();
        ops.extend(queued.chain(space.engines.iter().filter_map(|e| e.item.as_ref())).map(|item| item.op));
        ops.extend(space.sms.iter().flat_map(|sm| &sm.blocks).map(|group| group.op));
    }
    ops.into_iter().filter_map(|op| Some((op, matching.op(true, op)?))).collect()
}
