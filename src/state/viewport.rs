//! Which part of the run the timeline shows.
//!
//! Depends on `run` and `view::time_scale`. Invariant: what paints and what is pointed at go by the same [`TimeScale`].

use leptos::prelude::*;

use super::run::RunState;
use blockstep_sim::units::Time;
use blockstep_view::time_scale::TimeScale;

/// The part of the run in sight; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Viewport {
    run: RunState,
    /// `None` shows the whole run.
    zoom: RwSignal<Option<TimeScale>>,
    /// Left margin and width of the plot, px.
    pub(crate) plot: RwSignal<(f64, f64)>,
    /// From times to px and back.
    pub(crate) scale: Memo<TimeScale>,
    /// The whole timeline reaches to this time at least.
    pub(crate) extent: RwSignal<Time>,
}

impl Viewport {
    pub(super) fn new(run: RunState) -> Self {
        let zoom = RwSignal::new(None::<TimeScale>);
        let plot = RwSignal::new((72.0, 800.0));
        let extent = RwSignal::new(Time::ZERO);
        let scale = Memo::new(move |_| {
            let (left, width) = plot.get();
            let end = run.with(|run| run.timeline.end()).max(extent.get());
            zoom.get().map_or_else(|| TimeScale::fit(end, left, width), |zoom| zoom.resized(left, width, end))
        });
        Self { run, zoom, plot, scale, extent }
    }

    /// Shows the whole run.
    pub(crate) fn fit(self) {
        self.zoom.set(None);
    }

    /// Changes what part of the run is shown.
    pub(crate) fn rescale(self, change: impl FnOnce(TimeScale, Time) -> TimeScale) {
        let end = untrack(|| self.whole_end());
        self.zoom.set(Some(change(self.scale.get_untracked(), end)));
    }

    /// Shows a part of the run; all of it if the part is empty.
    pub(crate) fn show(self, range: (i64, i64)) {
        if range.0 == range.1 { self.fit() } else { self.rescale(|scale, end| scale.showing(range, end)) }
    }

    /// Whether only a part of the run is shown.
    pub(crate) fn is_zoomed(self) -> bool {
        self.zoom.with(Option::is_some)
    }

    /// How far the whole timeline reaches.
    pub(crate) fn whole_end(self) -> Time {
        self.run.with(|run| run.timeline.end()).max(self.extent.get())
    }

    /// Scrolls so that a time is in sight.
    pub(super) fn bring_into_sight(self, at: Time) {
        if self.zoom.with_untracked(Option::is_some) {
            self.rescale(|scale, end| scale.centred_on(at, end));
        }
    }
}
