//! Pictures of another run in terms of the run on screen: a row has the colour that the row of its
//! name has there, and a click selects what is called the same there.
//!
//! Depends on `learn::compare`. Invariant: what is not on screen has the colours after all of those,
//! and cannot be selected.

use crate::learn::compare::Matching;
use crate::units::{OpId, RowId};
use crate::view::frame::{Frame, Stretch};
use crate::view::palette::{Pattern, pattern_of};
use crate::view::queues::QueueView;

/// The row on screen, of `rows`, for one of another run.
fn on_screen(matching: &Matching, rows: usize, row: RowId) -> RowId {
    matching.row(true, row).unwrap_or(RowId::at(rows + row.index()))
}

/// A timeline.
pub(super) fn frame(frame: &mut Frame, matching: &Matching, rows: usize) {
    for shown in &mut frame.boxes {
        let (Stretch::Running(row) | Stretch::Suspended(row) | Stretch::Kept(row)) = &mut shown.stretch else { continue };
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

/// Queues. Operations keep their numbers.
pub(super) fn view(view: &mut QueueView, matching: &Matching, rows: usize) {
    for space in &mut view.spaces {
        let items = space.streams.iter_mut().map(|s| &mut s.items).chain(space.ee.iter_mut().chain(&mut space.ce).map(|q| &mut q.items));
        let items = items.flatten().chain(space.engines.iter_mut().filter_map(|e| e.item.as_mut())).map(|item| &mut item.row);
        let blocks = space.sms.iter_mut().flat_map(|sm| &mut sm.blocks).map(|group| &mut group.row);
        items.chain(blocks).for_each(|row| *row = on_screen(matching, rows, *row));
    }
}

/// The numbers of operations in the HTML of queues. Quotes in names are escaped, so this text is
/// only found where an attribute begins.
pub(super) fn operations(html: &str, matching: &Matching) -> String {
    const NAME: &str = " data-op=\"";
    let mut parts = html.split(NAME);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (id, rest) = part.split_once('"').unwrap_or((part, ""));
        let op = id.parse().ok().and_then(|id| matching.op(true, OpId(id)));
        if let Some(op) = op {
            out.push_str(&format!("{NAME}{}\"", op.0));
        }
        out.push_str(rest);
    }
    out
}
