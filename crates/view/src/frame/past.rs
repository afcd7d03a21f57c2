//! The timeline as far as it has come.
//!
//! Depends on `frame`. Invariant: what is left of a picture stands where it stood.

use super::Frame;
use crate::timeline::{LABEL_CHAR_PX, LABEL_PAD_PX};

impl Frame {
    /// The same without what comes right of `x`, px: nothing tells what is still to happen.
    #[must_use]
    pub fn until(mut self, x: f64) -> Self {
        // What still runs may have its name where its end tells.
        let ends = |hit| self.boxes.iter().filter(|shown| shown.hit == Some(hit)).all(|shown| shown.x1 <= x);
        self.labels.retain(|label| label.x1 <= x && ends(label.hit));
        self.boxes.retain(|shown| shown.x0 < x);
        for shown in self.boxes.iter_mut().filter(|shown| shown.x1 > x) {
            shown.x1 = x;
            (shown.cut_right, shown.open_ended) = (true, false);
            let room = shown.x1 - shown.x0;
            shown.label = shown.label.take().filter(|label| label.chars().count() as f64 * LABEL_CHAR_PX + LABEL_PAD_PX <= room);
        }
        for task in &mut self.tasks {
            task.bars.retain(|bar| bar.x0 < x);
            task.bars.iter_mut().for_each(|bar| bar.x1 = bar.x1.min(x));
            task.charges.retain(|charge| charge.0 < x);
            task.charges.iter_mut().for_each(|charge| charge.1 = charge.1.min(x));
            task.marks.retain(|mark| mark.x <= x);
        }
        self.lanes.iter_mut().filter(|lane| lane.count > 1).for_each(|lane| lane.sub_label.clear());
        self.arrows.retain(|arrow| arrow.x <= x);
        self.end_x = self.end_x.filter(|&end| end <= x);
        self
    }
}
