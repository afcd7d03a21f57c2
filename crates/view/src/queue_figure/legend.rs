//! What the boxes of a diagram mean.
//!
//! Depends on `lettering` and the marks. Invariant: its samples are marks as in the diagrams.

use super::{Align, BoxKind, BoxMark, MARGIN_PX, SMALL_PX, SheetMark, TextMark, Tone};
use crate::lettering::{width_px, wrapped};
use blockstep_sim::units::RowId;

const LINE_PX: f64 = 17.0;
/// Width and half the height of a sample.
const SAMPLE_PX: (f64, f64) = (20.0, 5.5);
const GAP_PX: f64 = 16.0;

/// The legend at `top` of a sheet of that width with these marks, and where it ends. What spins is in it only where something does.
pub(super) fn legend(width: f64, top: f64, has_bars: bool, shown: &[SheetMark]) -> (Vec<SheetMark>, f64) {
    let item = |dispatched| BoxKind::Item { row: RowId(0), dispatched };
    let is_spinning = |mark: &SheetMark| matches!(mark, SheetMark::Box(BoxMark { kind: BoxKind::Spinning { .. }, .. }));
    let spins = shown.iter().any(is_spinning).then_some((BoxKind::Spinning { row: RowId(0) }, false, "spins"));
    let samples = [
        (item(false), false, "waits"),
        (item(true), false, "has been dispatched"),
        (item(false), true, "changed by the step"),
        (BoxKind::Ghost, false, "taken away by it"),
    ];
    let (mut marks, left, right) = (Vec::new(), MARGIN_PX, width - MARGIN_PX);
    let (mut x, mut y) = (left, top + LINE_PX / 2.0);
    let words = |marks: &mut Vec<SheetMark>, text: &str, x: f64, y: f64| {
        marks.push(SheetMark::Text(TextMark { text: text.to_owned(), x, y, size_px: SMALL_PX, align: Align::Left, tone: Tone::Faint }));
    };
    for (kind, changed, text) in samples.into_iter().chain(spins) {
        let text_px = width_px(text, SMALL_PX);
        if x > left && x + SAMPLE_PX.0 + 5.0 + text_px > right {
            (x, y) = (left, y + LINE_PX);
        }
        marks.push(SheetMark::Box(BoxMark { x0: x, y0: y - SAMPLE_PX.1, x1: x + SAMPLE_PX.0, y1: y + SAMPLE_PX.1, kind, changed }));
        words(&mut marks, text, x + SAMPLE_PX.0 + 5.0, y);
        x += SAMPLE_PX.0 + 5.0 + text_px + GAP_PX;
    }
    let rest = match has_bars {
        true => "The head of a queue is at its left; bars show what is free.",
        false => "The head of a queue is at its left.",
    };
    if x + width_px(rest, SMALL_PX) <= right {
        words(&mut marks, rest, x, y);
    } else {
        for line in wrapped(rest, right - left, SMALL_PX, 3) {
            y += LINE_PX;
            words(&mut marks, &line, left, y);
        }
    }
    (marks, y + LINE_PX / 2.0)
}
