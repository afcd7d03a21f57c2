//! What part of a long run is shown first.
//!
//! Depends on its parent.

use super::Timeline;
use crate::lane::Lane;
use blockstep_sim::scenario::Release;
use blockstep_sim::units::Time;

/// Bars narrower than this are lines to the eye.
const READABLE_PX: f64 = 3.0;

impl Timeline {
    /// Up to where a run is shown first on a plot `width_px` wide whose bars would be mostly lines if all of it were shown: its first
    /// hyperperiod, else up to `moment`, a time worth seeing. `None`: all of it is shown.
    #[must_use]
    pub fn opening(&self, width_px: f64, moment: Option<Time>) -> Option<Time> {
        let least_ns = READABLE_PX * self.end.ns() as f64 / width_px.max(1.0);
        let bars = || self.lanes.running.iter().flat_map(Lane::items);
        let lines = bars().filter(|bar| ((bar.end - bar.start) as f64) < least_ns).count();
        if 2 * lines <= bars().count() {
            return None;
        }
        let is_part = |to: &Time| *to > Time::ZERO && to.ns() <= self.end.ns() / 2;
        self.trace.scenario().first_hyperperiod().filter(is_part).or(moment.filter(is_part))
    }

    /// Up to where the run of a reader's own periodic tasks is shown first, however wide its bars are: its first hyperperiod. `None` if no
    /// task is periodic for as long as the run lasts, or the run is no longer.
    #[must_use]
    pub fn own_opening(&self) -> Option<Time> {
        let scenario = self.trace.scenario();
        let mut periodic = scenario.tasks().iter().filter(|task| task.release == Release::Periodic);
        // After the last of a number of jobs nothing recurs.
        let recurs = periodic.all(|task| task.jobs.is_none());
        scenario.first_hyperperiod().filter(|to| recurs && Time::ZERO < *to && *to < self.trace.end())
    }
}
