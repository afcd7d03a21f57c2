//! What a run did before an edit, behind what it does now.
//!
//! Depends on `frame`. Invariant: nothing is added where both do the same.

use std::collections::BTreeSet;

use super::{BoxFrame, Emphasis, Frame, Stretch};
use crate::palette::Pattern;
use blockstep_sim::units::RowId;

impl Frame {
    /// The same with blocks and copies of a picture of the run before, if its lanes are the same: those that this one does not have.
    /// `row_now` gives the row that a row of that run is now.
    #[must_use]
    pub fn over(mut self, before: Self, row_now: impl Fn(RowId) -> RowId) -> Self {
        let places =
            |frame: &Self| frame.lanes.iter().map(|lane| (lane.y.to_bits(), lane.height.to_bits(), lane.count)).collect::<Vec<_>>();
        if places(&self) != places(&before) {
            return self;
        }
        let place = |shown: &BoxFrame, row: RowId| (row, [shown.x0, shown.y0, shown.x1, shown.y1].map(f64::to_bits));
        let running = |shown: &BoxFrame| if let Stretch::Running(row) = shown.stretch { Some(row) } else { None };
        let now: BTreeSet<_> = self.boxes.iter().filter_map(|shown| Some(place(shown, running(shown)?))).collect();
        let gone = before.boxes.into_iter().filter_map(|shown| {
            let row = row_now(running(&shown).filter(|_| shown.hit.is_some())?);
            let is_gone = !now.contains(&place(&shown, row));
            let stretch = Stretch::Before(row);
            is_gone.then_some(BoxFrame { stretch, label: None, hit: None, pattern: Pattern::Plain, emphasis: Emphasis::Normal, ..shown })
        });
        let mut boxes: Vec<_> = gone.collect();
        boxes.append(&mut self.boxes);
        self.boxes = boxes;
        self
    }
}
