//! Which part of a timeline is in sight.
//!
//! Depends on `view::time_scale` and on no run. Invariant: what paints and what is pointed at go by the same [`TimeScale`].

use leptos::prelude::*;

use blockstep_sim::units::Time;
use blockstep_tools::commands::Command;
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{LEFT_PX, RIGHT_PX};

/// Pictures narrower than this are compact.
pub const COMPACT_PX: f64 = 640.0;
/// Left margin of a compact picture.
const COMPACT_LEFT_PX: f64 = 62.0;
/// How far keys zoom, and which share of the width they pan.
const ZOOM: f64 = 1.35;
const PAN: f64 = 0.12;

/// What is shown of a run stays in its place until the run is so many times shorter.
pub const MAX_HELD: u64 = 4;

/// What of the reader is in the tables, so that bars that an edit does not move stay where they are.
#[derive(Clone, Copy)]
pub enum Holder {
    Focus,
    Pointer,
}

/// What is shown of a run.
#[derive(Clone, Copy, PartialEq)]
pub enum Extract {
    /// What a long run opens on, with a time in sight.
    Opening(Time),
    Whole,
    Part(TimeScale),
}

/// The part of a timeline in sight; that of the run is a context of the page.
#[derive(Clone, Copy)]
pub struct Viewport {
    /// How far the whole timeline reaches.
    reach: Memo<Time>,
    /// Who keeps what did not change in its place: [`Holder`] by [`Holder`].
    held_by: RwSignal<[bool; 2]>,
    extract: RwSignal<Extract>,
    /// Up to where the run opens, if it does not open as a whole.
    opening: Memo<Option<Time>>,
    /// Left margin and width of the plot, px.
    pub plot: RwSignal<(f64, f64)>,
    /// Height of the timeline, px, as whatever draws it says; 0 before.
    pub height_px: RwSignal<f64>,
    /// From times to px and back.
    pub scale: Memo<TimeScale>,
    /// The whole timeline reaches to this time at least.
    pub extent: RwSignal<Time>,
}

impl Viewport {
    /// `opening`: up to where the run opens on a plot so many px wide, and up to where it did last.
    pub fn new(end: Signal<Time>, opening: impl Fn(f64, Option<Time>) -> Option<Time> + Send + Sync + 'static) -> Self {
        let extract = RwSignal::new(Extract::Opening(Time::ZERO));
        let plot = RwSignal::new((72.0, 800.0));
        let extent = RwSignal::new(Time::ZERO);
        let held_by = RwSignal::new([false; 2]);
        let reach = Memo::new(move |last: Option<&Time>| {
            let whole = end.get().max(extent.get());
            let held = last.copied().filter(|held| held_by.get().contains(&true) && held.ns() / MAX_HELD <= whole.ns());
            held.map_or(whole, |held| whole.max(held))
        });
        let opening = Memo::new(move |last: Option<&Option<Time>>| opening(plot.get().1, last.copied().flatten()));
        let scale = Memo::new(move |_| {
            let (left, width) = plot.get();
            let end = reach.get();
            let whole = TimeScale::fit(end, left, width);
            match extract.get() {
                Extract::Opening(at) => match opening.get() {
                    Some(to) if at <= to => whole.up_to(to, end),
                    Some(to) => whole.up_to(to, end).centred_on(at, end),
                    None => whole,
                },
                Extract::Whole => whole,
                Extract::Part(part) => part.resized(left, width, end),
            }
        });
        Self { reach, held_by, extract, opening, plot, height_px: RwSignal::new(0.0), scale, extent }
    }

    /// Has a picture so many px wide.
    pub fn fill(self, width_px: f64) {
        let left = if width_px < COMPACT_PX { COMPACT_LEFT_PX } else { LEFT_PX };
        let plot = (left, (width_px - left - RIGHT_PX).max(40.0));
        if self.plot.get_untracked() != plot {
            self.plot.set(plot);
        }
    }

    /// Has the axis stay as long as it is while a run becomes shorter, or lets it go.
    pub fn hold(self, holder: Holder, is_holding: bool) {
        if self.held_by.with_untracked(|held_by| held_by[holder as usize] != is_holding) {
            self.held_by.update(|held_by| held_by[holder as usize] = is_holding);
        }
    }

    /// Shows everything.
    pub fn fit(self) {
        self.held_by.set([false; 2]);
        self.extract.set(Extract::Whole);
    }

    /// Shows what the next run opens on, with a time in sight.
    pub fn open(self, at: Time) {
        self.held_by.set([false; 2]);
        self.extract.set(Extract::Opening(at));
    }

    /// What is shown, to [`Self::put_back`].
    pub fn extract(self) -> Extract {
        self.extract.get_untracked()
    }

    pub fn put_back(self, extract: Extract) {
        self.extract.set(extract);
    }

    /// Changes what part is shown.
    pub fn rescale(self, change: impl FnOnce(TimeScale, Time) -> TimeScale) {
        let end = untrack(|| self.whole_end());
        self.extract.set(Extract::Part(change(self.scale.get_untracked(), end)));
    }

    /// Carries a command out; whether it is one of those that zoom and pan. Keys zoom around a time if it is in sight, else around
    /// the middle.
    pub fn carry_out(self, command: Command, around: Time) -> bool {
        match command {
            Command::ZoomIn => self.zoom_around(ZOOM, around),
            Command::ZoomOut => self.zoom_around(1.0 / ZOOM, around),
            Command::PanLeft => self.pan(-PAN),
            Command::PanRight => self.pan(PAN),
            Command::Fit => self.fit(),
            _ => return false,
        }
        true
    }

    fn zoom_around(self, factor: f64, around: Time) {
        self.rescale(|scale, end| {
            let (left, right) = (scale.left_px(), scale.left_px() + scale.width_px());
            let x = scale.x_from_time(around);
            let around = if (left..=right).contains(&x) { x } else { f64::midpoint(left, right) };
            scale.zoomed(factor, around, end)
        });
    }

    fn pan(self, share: f64) {
        self.rescale(|scale, end| scale.panned(scale.width_px() * share, end));
    }

    /// Shows a part; all of it if the part is empty.
    pub fn show(self, range: (i64, i64)) {
        if range.0 == range.1 { self.fit() } else { self.rescale(|scale, end| scale.showing(range, end)) }
    }

    /// Whether all is shown, and that as the run opens.
    pub fn is_whole(self) -> bool {
        !matches!(self.extract.get(), Extract::Part(_)) && self.opening.get().is_none()
    }

    /// Which part is shown of a run that does not open as a whole, in words.
    pub fn part(self) -> Option<String> {
        self.opening.get().and_then(|_| self.scale.get().part_of(self.whole_end()))
    }

    /// How far the whole timeline reaches.
    pub fn whole_end(self) -> Time {
        self.reach.get()
    }

    /// Scrolls so that a time is in sight.
    pub fn bring_into_sight(self, at: Time) {
        if untrack(|| !self.is_whole()) && self.extract() != Extract::Whole {
            self.rescale(|scale, end| scale.centred_on(at, end));
        }
    }
}
