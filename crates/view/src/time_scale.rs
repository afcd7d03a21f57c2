//! Where an instant stands on the screen.
//!
//! Depends on `units`. Invariants: a scale never changes, a new one is made; the same scale
//! serves painting and hit-testing; it shows at most the whole run with a small margin on either
//! side, and at least a few nanoseconds.

use crate::Within;
use blockstep_sim::units::written::format_time_short;
use blockstep_sim::units::{Time, TimeRange};

/// A linear map between instants and x, in pixels of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    /// Instant at the left edge; below zero inside the margin.
    start_ns: f64,
    ns_per_px: f64,
    left_px: f64,
    width_px: f64,
}

/// Share of the run shown before its start and after its end.
const MARGIN: f64 = 0.012;
/// Most of the width that may lie before the start or after the end.
const EMPTY: f64 = 0.1;
/// Closest zoom: this much time across the whole width.
const MIN_SPAN_NS: f64 = 8.0;
/// Of the run's length; a closer zoom would show the grain of floating point.
const MIN_SPAN_SHARE: f64 = 1e-12;
/// How near the edge, as a share of the width, an instant may be and still count as in view.
const EDGE: f64 = 0.04;

impl TimeScale {
    /// Shows `0..=end`, with a small margin, on the `width_px` pixels from `left_px` on.
    #[must_use]
    pub fn fit(end: Time, left_px: f64, width_px: f64) -> Self {
        let width_px = width_px.max(1.0);
        let (low, high) = bounds(end);
        Self { start_ns: low, ns_per_px: (high - low) / width_px, left_px, width_px }
    }

    /// Where `t` stands; outside `left_px..left_px + width_px` if it is not in view.
    #[must_use]
    pub fn x_from_time(&self, t: Time) -> f64 {
        self.x_from_ns(t.ns())
    }

    /// The same for a raw number of nanoseconds.
    pub(super) fn x_from_ns(&self, ns: u64) -> f64 {
        self.left_px + (ns as f64 - self.start_ns) / self.ns_per_px
    }

    /// The nearest instant to `x_px`; zero left of the run's start.
    #[must_use]
    pub fn time_from_x(&self, x_px: f64) -> Time {
        // The cast saturates at both ends and takes NaN to zero.
        Time((self.start_ns + (x_px - self.left_px) * self.ns_per_px).round() as u64)
    }

    /// The same, to as many digits as a pixel shows: a multiple of the largest power of ten that is no longer than one.
    #[must_use]
    pub fn round_time_from_x(&self, x_px: f64) -> Time {
        let mut grain = 1_u64;
        while (grain as f64) * 10.0 <= self.ns_per_px {
            grain = grain.saturating_mul(10);
        }
        let at = self.time_from_x(x_px).ns();
        Time(at.saturating_add(grain / 2) / grain * grain)
    }

    /// Zooms in by `factor` (out below 1); the instant at `around_x_px` stays where it is, unless
    /// the edge of the run is reached.
    #[must_use]
    pub fn zoomed(self, factor: f64, around_x_px: f64, end: Time) -> Self {
        if !factor.is_finite() || factor <= 0.0 {
            return self;
        }
        let (low, high) = bounds(end);
        let most = high - low;
        let least = MIN_SPAN_NS.max(most * MIN_SPAN_SHARE).min(most);
        let span = (self.span_ns() / factor).within(least, most);
        let ns_per_px = span / self.width_px;
        let dx = around_x_px - self.left_px;
        let start_ns = self.start_ns + dx * self.ns_per_px - dx * ns_per_px;
        Self { start_ns, ns_per_px, ..self }.kept_inside(end)
    }

    /// Moves the view by `dx_px`: what is shown moves left if it is positive. Stops at the edges of the run.
    #[must_use]
    pub fn panned(self, dx_px: f64, end: Time) -> Self {
        if !dx_px.is_finite() {
            return self;
        }
        Self { start_ns: self.start_ns + dx_px * self.ns_per_px, ..self }.kept_inside(end)
    }

    /// The view from one time to another, in ns, on the same pixels, as far as the run and the limits
    /// of zooming allow.
    #[must_use]
    pub fn showing(self, (from, to): (i64, i64), end: Time) -> Self {
        let (low, high) = bounds(end);
        let span = (to as f64 - from as f64).within(MIN_SPAN_NS.min(high - low), high - low);
        Self { start_ns: from as f64, ns_per_px: span / self.width_px, ..self }.kept_inside(end)
    }

    /// The view from the start to a time, with a small margin before it.
    #[must_use]
    pub fn up_to(self, to: Time, end: Time) -> Self {
        let to = to.ns() as f64;
        self.showing(((-MARGIN * to) as i64, to as i64), end)
    }

    /// Which part of a run that ends at `end` is in view, in words; `None` if it is all of it.
    #[must_use]
    pub fn part_of(&self, end: Time) -> Option<String> {
        let TimeRange { start, end: to } = self.visible();
        let [from, to, whole] = [start, to.min(end), end].map(|t| format_time_short(t.ns()));
        match start {
            Time::ZERO if to == whole => None,
            Time::ZERO => Some(format!("first {to} of {whole}")),
            _ => Some(format!("{from} to {to} of {whole}")),
        }
    }

    /// What [`Self::showing`] takes to show the same: the margin before zero is negative.
    #[must_use]
    pub fn shown(&self) -> (i64, i64) {
        (self.start_ns.round() as i64, (self.start_ns + self.span_ns()).round() as i64)
    }

    /// The same visible range on other pixels.
    #[must_use]
    pub fn resized(self, left_px: f64, width_px: f64, end: Time) -> Self {
        let width_px = width_px.max(1.0);
        Self { ns_per_px: self.span_ns() / width_px, left_px, width_px, ..self }.kept_inside(end)
    }

    /// The same zoom with `t` in the middle; unchanged if `t` is in view already, off the edges beyond which the run goes on.
    #[must_use]
    pub fn centred_on(self, t: Time, end: Time) -> Self {
        let x = self.x_from_time(t) - self.left_px;
        let edge_px = |goes_on: bool| if goes_on { EDGE * self.width_px } else { 0.0 };
        let (left, right) = (edge_px(self.start_ns > 0.0), edge_px(self.start_ns + self.span_ns() < end.ns() as f64));
        if (left..=self.width_px - right).contains(&x) {
            return self;
        }
        Self { start_ns: t.ns() as f64 - self.span_ns() / 2.0, ..self }.kept_inside(end)
    }

    /// What is in view, without the margin before zero.
    #[must_use]
    pub fn visible(&self) -> TimeRange {
        TimeRange::new(Time(self.start_ns.floor() as u64), Time((self.start_ns + self.span_ns()).ceil() as u64))
    }

    /// Left edge of the plot.
    #[must_use]
    pub fn left_px(&self) -> f64 {
        self.left_px
    }

    /// Width of the plot.
    #[must_use]
    pub fn width_px(&self) -> f64 {
        self.width_px
    }

    /// Right edge of the plot.
    #[must_use]
    pub fn right_px(&self) -> f64 {
        self.left_px + self.width_px
    }

    /// Nanoseconds to a pixel.
    #[must_use]
    pub fn ns_per_px(&self) -> f64 {
        self.ns_per_px
    }

    fn span_ns(&self) -> f64 {
        self.ns_per_px * self.width_px
    }

    /// Moved, and zoomed in if it must be, so that nothing beyond the margins is in view.
    fn kept_inside(self, end: Time) -> Self {
        let (low, high) = bounds(end);
        let span = self.span_ns();
        if span >= high - low {
            return Self::fit(end, self.left_px, self.width_px);
        }
        let empty = EMPTY * span;
        let least = low.max(-empty);
        Self { start_ns: self.start_ns.within(least, (high - span).min(high / (1.0 + MARGIN) + empty - span).max(least)), ..self }
    }
}

/// First and last instant that may be in view.
fn bounds(end: Time) -> (f64, f64) {
    let end = end.ns().max(1) as f64;
    (-MARGIN * end, end * (1.0 + MARGIN))
}
