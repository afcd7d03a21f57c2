//! Where the parts of a picture stand, from top to bottom.
//!
//! Depends on nothing but numbers. Invariants: nothing overlaps; everything fits into the height
//! asked for where that is at least a hundred pixels or so; SMs and copy engines keep a third of
//! the room however many tasks there are.

use crate::Within;
use std::ops::Range;

use super::{AXIS_PX, LAUNCHES_PX};

/// Over the lanes.
pub(crate) const TOP_PX: f64 = 8.0;
pub(super) const COPY_LANE_PX: f64 = 26.0;
/// The band with the distance below it.
pub(super) const BAND_PX: f64 = 26.0;
/// A lane of a task with the distance below it; lower where there is little room.
pub(super) const TASK_PX: f64 = 32.0;
pub(super) const LOW_TASK_PX: f64 = 16.0;
/// Lanes of SMs keep so much, all together, before those of tasks get lower, px.
const SMS_FIRST_PX: f64 = 88.0;
/// Most lanes of tasks.
pub(super) const MAX_TASKS: usize = 10;
/// SMs whose lanes would be lower than this share lanes.
const MIN_LANE_PX: f64 = 6.0;
/// Lanes that SMs share are at least this high, so that each has room for its label.
const SHARED_LANE_PX: f64 = 14.0;

/// Of the lane that idle SMs share, with the distance below it, px.
pub(super) const IDLE_PX: f64 = 16.0;

/// How many lanes there are of each kind.
#[derive(Clone, Copy)]
pub(super) struct Counts<'a> {
    /// The SMs in their order, alone or together where many are idle in the whole run.
    pub(super) sms: &'a [Range<usize>],
    pub(super) engines: usize,
    pub(super) has_band: bool,
    pub(super) tasks: usize,
}

/// Lanes shown as one, their top and their height.
pub(super) type LaneRow = (Range<usize>, f64, f64);

/// Where the parts of a frame of some height stand.
pub(super) struct Places {
    /// SMs first, then engines.
    pub(super) rows: Vec<LaneRow>,
    /// Top and height.
    pub(super) band: Option<(f64, f64)>,
    /// Of tasks; the last one may be for all that have none of their own.
    pub(super) tasks: Vec<LaneRow>,
    pub(super) axis_y: f64,
    pub(super) launches_y: f64,
}

impl Counts<'_> {
    /// What band and tasks take, at most.
    pub(super) fn others_px(self) -> f64 {
        self.tasks.min(MAX_TASKS) as f64 * TASK_PX + if self.has_band { BAND_PX } else { 0.0 }
    }

    /// By how much the lanes of tasks can be lower, all together, px.
    pub(super) fn spare_px(self) -> f64 {
        self.tasks.min(MAX_TASKS) as f64 * (TASK_PX - LOW_TASK_PX)
    }

    /// From one lane of a task to the next, if there is so much room for SMs, engines and tasks, px.
    pub(super) fn task_px(self, room: f64) -> f64 {
        let others = SMS_FIRST_PX + COPY_LANE_PX * self.engines as f64;
        ((room - others) / self.tasks.clamp(1, MAX_TASKS) as f64).within(LOW_TASK_PX, TASK_PX).floor()
    }

    pub(super) fn places(self, height_px: f64) -> Places {
        let room = (height_px - TOP_PX - AXIS_PX - LAUNCHES_PX).max(40.0);
        let band_px = if self.has_band { BAND_PX.min(room / 4.0).round() } else { 0.0 };
        let task_px = self.task_px(room - band_px);
        let shown = self.tasks.min(MAX_TASKS).min(((room * 2.0 / 3.0 - band_px) / task_px) as usize);
        let for_lanes = room - band_px - shown as f64 * task_px;
        let mut rows = self.rows(TOP_PX + band_px, for_lanes);
        let axis_y = (TOP_PX + room).round();
        let first_task = (axis_y - shown as f64 * task_px).round();
        let tasks = (0..shown).map(|i| {
            let last = if i + 1 == shown { self.tasks } else { i + 1 };
            (i..last, first_task + i as f64 * task_px + 2.0, task_px - 6.0)
        });
        rows.retain(|(lanes, ..)| !lanes.is_empty());
        Places {
            rows,
            band: self.has_band.then_some((TOP_PX, (band_px - 6.0).max(1.0))),
            tasks: tasks.collect(),
            axis_y,
            launches_y: axis_y + AXIS_PX,
        }
    }

    fn rows(self, top: f64, room: f64) -> Vec<LaneRow> {
        let copy_pitch = if self.engines == 0 { 0.0 } else { COPY_LANE_PX.min(room / 2.0 / self.engines as f64) };
        let for_sms = room - copy_pitch * self.engines as f64;
        let sms = self.sms.last().map_or(0, |last| last.end);
        let each = for_sms / self.sms.len().max(1) as f64;
        let in_groups: Vec<Range<usize>>;
        let lanes = if each >= MIN_LANE_PX {
            self.sms
        } else {
            let group = (SHARED_LANE_PX * sms as f64 / for_sms).ceil().max(1.0) as usize;
            in_groups = (0..sms.div_ceil(group)).map(|i| i * group..((i + 1) * group).min(sms)).collect();
            &in_groups
        };
        // Idle SMs take no more room than their words.
        let idle = if each >= MIN_LANE_PX { lanes.iter().filter(|sms| sms.len() > 1).count() } else { 0 };
        let idle_px = if lanes.len() > idle { IDLE_PX.min(each) } else { each };
        let pitch = (for_sms - idle_px * idle as f64) / (lanes.len() - idle).max(1) as f64;
        let mut y = top;
        let row = |own: &Range<usize>| {
            let pitch = if idle > 0 && own.len() > 1 { idle_px } else { pitch };
            let gap = (pitch * 0.12).within(0.5, 7.0);
            let (top, bottom) = if pitch >= 8.0 { (y.round(), (y + pitch - gap).round()) } else { (y, y + pitch - gap) };
            y += pitch;
            (own.clone(), top, bottom - top)
        };
        let mut rows: Vec<LaneRow> = lanes.iter().map(row).collect();
        for i in 0..self.engines {
            let y = (top + for_sms + i as f64 * copy_pitch).round();
            rows.push((sms + i..sms + i + 1, y, (copy_pitch - 4.0).max(1.0).round()));
        }
        rows
    }
}
