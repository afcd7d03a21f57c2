//! The strip of launches below the axis: an arrow for each kernel or graph, or for several too near each other.
//!
//! Depends on `trace`, `frame` and the index of launches. Invariant: labels of one line do not overlap.

use std::ops::Range;

use super::{Hit, LABEL_CHAR_PX, LAUNCHES_PX, LINE_PX, LINES, REACH_PX, RIGHT_PX, Timeline};
use crate::frame::{ArrowFrame, ArrowLabel, Emphasis};
use crate::lettering::width_px;
use crate::time_scale::TimeScale;
use blockstep_sim::units::{OpId, RowId};

/// Arrows nearer than this become one.
const ARROW_GAP_PX: f64 = 5.0;
/// Height of the letters of names.
const TEXT_PX: f64 = 12.0;

impl Timeline {
    /// The launches in view; those too near each other are one arrow.
    pub(super) fn arrows(&self, scale: &TimeScale, y: f64, selected: Option<RowId>) -> Vec<ArrowFrame> {
        let visible = scale.visible();
        let end = self.launches.partition_point(|&(at, _)| at <= visible.end);
        let mut i = self.launches.partition_point(|&(at, _)| at < visible.start);
        let mut arrows = Vec::new();
        let mut free_from = [f64::NEG_INFINITY; LINES];
        while i < end {
            let (at, op) = self.launches[i];
            let x = scale.x_from_time(at);
            let near = scale.time_from_x(x + ARROW_GAP_PX).max(at);
            let next = (i + 1) + self.launches[i + 1..end].partition_point(|&(t, _)| t == at || t < near);
            if x >= scale.left_px() && x <= scale.right_px() {
                let row = self.trace.op(op).row;
                let emphasis = self.emphasis(i..next, selected);
                let label = self.arrow_label(i..next, x, scale, y, &mut free_from);
                arrows.push(ArrowFrame { x, row, op, count: next - i, emphasis, label });
            }
            i = next;
        }
        arrows
    }

    /// Of an arrow: selected if any of its first launches is.
    fn emphasis(&self, launches: Range<usize>, selected: Option<RowId>) -> Emphasis {
        let some = launches.start..launches.end.min(launches.start + 64);
        let of = |i: usize| Emphasis::for_row(self.trace.op(self.launches[i].1).row, selected);
        some.map(of).find(|e| *e == Emphasis::Selected).unwrap_or_else(|| of(launches.start))
    }

    /// As many names as there is room for, on the first line that has any; right of the arrow's
    /// foot, so that the arrow points at the first name.
    fn arrow_label(&self, launches: Range<usize>, x: f64, scale: &TimeScale, y: f64, free_from: &mut [f64; LINES]) -> Option<ArrowLabel> {
        let room_to = self.launches.get(launches.end).map_or(scale.right_px(), |&(at, _)| scale.x_from_time(at));
        let count = launches.len();
        let names = launches.clone().take(3).map(|i| self.launch_label(self.launches[i].1)).collect::<Vec<_>>();
        let more = if count > names.len() { format!(" +{}", count - names.len()) } else { String::new() };
        let all = format!("{}{more}", names.join(", "));
        let short = if count > 1 { format!("{} +{}", names[0], count - 1) } else { names[0].clone() };
        let left = (x - LABEL_CHAR_PX).max(scale.left_px());
        let width = |text: &str| text.chars().count() as f64 * LABEL_CHAR_PX;
        // Near the right edge it ends there instead, whole in wide letters, too.
        let edge = scale.right_px() + RIGHT_PX;
        let left = left.min(edge - width(&short).max(width_px(&short, TEXT_PX))).max(scale.left_px());
        let fits = |text: &str, to: f64| left + width(text) <= to;
        let line = free_from.iter().position(|&from| from <= left)?;
        let text = [all, short].into_iter().enumerate().find(|(i, text)| {
            // The full list may run on below the next arrow, as there is another line for that one.
            fits(text, edge) && (*i == 1 || count == 1 || fits(text, room_to.max(left + 110.0)))
        });
        let (_, text) = text?;
        let width = width(&text);
        free_from[line] = left + width + LABEL_CHAR_PX;
        Some(ArrowLabel { text, x: left, width, y: y + super::ARROW_PX + line as f64 * LINE_PX })
    }

    /// What is launched: a kernel or copy, or the graph of which it is the first node.
    fn launch_label(&self, op: OpId) -> String {
        let (info, scenario) = (self.trace.op(op), self.trace.scenario());
        match scenario.call_of(info.row) {
            row if row == info.row => self.trace.op_label(op),
            graph => self.trace.call_label(graph, info.job),
        }
    }

    pub(super) fn hit_launch(&self, scale: &TimeScale, launches_y: f64, x: f64, y: f64) -> Option<Hit> {
        if y > launches_y + LAUNCHES_PX {
            return None;
        }
        let arrows = self.arrows(scale, launches_y, None);
        let on_label =
            |a: &ArrowFrame| a.label.as_ref().is_some_and(|l| (l.x..=l.x + l.width).contains(&x) && (l.y..=l.y + LINE_PX).contains(&y));
        let named = arrows.iter().find(|a| on_label(a));
        let near = || {
            let nearest = arrows.iter().min_by(|a, b| (a.x - x).abs().total_cmp(&(b.x - x).abs()));
            nearest.filter(|a| (a.x - x).abs() <= 2.0 * REACH_PX)
        };
        named.or_else(near).map(|a| Hit::Launch(a.op))
    }
}
