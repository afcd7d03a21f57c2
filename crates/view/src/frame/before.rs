//! What a run did before an edit, behind what it does now.
//!
//! Depends on `frame`. Invariant: nothing is added where both do the same.

use std::collections::BTreeSet;

use super::{BoxFrame, Emphasis, Frame, LabelFrame, Stretch};
use crate::palette::Pattern;
use blockstep_sim::units::RowId;

impl Frame {
    /// The same with blocks and copies of a picture of the run before, lane by lane: those that this one does not have. Both have as
    /// many SMs; where only one has lanes of copy engines, copies are left out. `row_now` gives the row that a row of that run is now.
    #[must_use]
    pub fn over(mut self, before: Self, row_now: impl Fn(RowId) -> RowId) -> Self {
        // Where so many SMs share lanes in one picture and not in the other, there is no lane to put them on.
        if self.lanes.iter().zip(&before.lanes).any(|(is, was)| is.count != was.count) {
            return self;
        }
        let moved = |shown: BoxFrame| {
            let i = before.lanes.iter().rposition(|lane| lane.y <= shown.y0)?;
            let (was, is) = (&before.lanes[i], self.lanes.get(i)?);
            let y = |y: f64| is.y + (y - was.y) * is.height / was.height;
            Some(if (was.y, was.height) == (is.y, is.height) { shown } else { BoxFrame { y0: y(shown.y0), y1: y(shown.y1), ..shown } })
        };
        let place = |shown: &BoxFrame, row: RowId| (row, [shown.x0, shown.y0, shown.x1, shown.y1].map(f64::to_bits));
        let running = |shown: &BoxFrame| if let Stretch::Running(row) = shown.stretch { Some(row) } else { None };
        let now: BTreeSet<_> = self.boxes.iter().filter_map(|shown| Some(place(shown, running(shown)?))).collect();
        let gone = before.boxes.into_iter().filter_map(moved).filter_map(|shown| {
            let row = row_now(running(&shown).filter(|_| shown.hit.is_some())?);
            let is_gone = !now.contains(&place(&shown, row));
            let stretch = Stretch::Before(row);
            is_gone.then_some(BoxFrame { stretch, label: None, hit: None, pattern: Pattern::Plain, emphasis: Emphasis::Normal, ..shown })
        });
        let mut boxes: Vec<_> = gone.collect();
        let is_over = |label: &LabelFrame, shown: &BoxFrame| {
            label.x0 < shown.x1 && shown.x0 < label.x1 && label.y0 < shown.y1 && shown.y0 < label.y1 && !label.is_on_bars
        };
        self.labels.retain(|label| !boxes.iter().any(|shown| is_over(label, shown)));
        boxes.append(&mut self.boxes);
        self.boxes = boxes;
        self
    }
}
