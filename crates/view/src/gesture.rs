//! What pointers and wheels do to a timeline: click, pan, pinch, zoom.
//!
//! Depends on the time scale. Invariants: places are px of the timeline; a pointer that has moved further than `CLICK_PX` no longer
//! clicks; one pointer pans, two pinch, and more do nothing.

use super::time_scale::TimeScale;
use blockstep_sim::units::Time;

/// Pointers may move this far and still click, px.
const CLICK_PX: f64 = 4.0;
/// Zoom for one pixel of a wheel.
const WHEEL_ZOOM: f64 = 0.0032;
/// Fingers are taken to be at least so far apart, px.
const LEAST_PINCH_PX: f64 = 8.0;

/// A pointer: its id and its place, px.
type Pointer = (i32, f64, f64);

/// The pointers that are down.
#[derive(Clone, Debug, Default)]
pub struct Gesture {
    pointers: Vec<Pointer>,
    /// How far they have moved since the first one went down, px.
    moved: f64,
}

/// What a move of a pointer does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// The pointer is not down.
    Hover,
    /// Nothing so far.
    Rest,
    /// What is shown follows the pointer by so many px.
    Pan(f64),
    /// Two fingers move apart by a factor, around a place, which moves by so many px.
    Pinch {
        /// Above 1 if they move apart.
        factor: f64,
        /// The middle between them, px.
        around: f64,
        /// How far the middle moves, px.
        by: f64,
    },
}

impl Move {
    /// The scale after it.
    #[must_use]
    pub fn apply(self, scale: TimeScale, end: Time) -> TimeScale {
        match self {
            Self::Hover | Self::Rest => scale,
            Self::Pan(by) => scale.panned(-by, end),
            Self::Pinch { factor, around, by } => scale.zoomed(factor, around, end).panned(-by, end),
        }
    }
}

impl Gesture {
    /// Whether no pointer is down.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.pointers.is_empty()
    }

    /// A pointer goes down.
    pub fn down(&mut self, id: i32, x: f64, y: f64) {
        if self.is_idle() {
            self.moved = 0.0;
        }
        self.pointers.push((id, x, y));
    }

    /// A pointer moves to a place.
    pub fn follow(&mut self, id: i32, x: f64, y: f64) -> Move {
        let Some(place) = self.pointers.iter().position(|pointer| pointer.0 == id) else { return Move::Hover };
        let (_, old_x, old_y) = std::mem::replace(&mut self.pointers[place], (id, x, y));
        self.moved += (x - old_x).hypot(y - old_y);
        match self.pointers[..] {
            [_] if self.moved > CLICK_PX => Move::Pan(x - old_x),
            [(_, first, _), (_, second, _)] => {
                let other = if place == 0 { second } else { first };
                let (then, now) = ((old_x - other).abs().max(LEAST_PINCH_PX), (x - other).abs().max(LEAST_PINCH_PX));
                Move::Pinch { factor: now / then, around: f64::midpoint(x, other), by: (x - old_x) / 2.0 }
            }
            _ => Move::Rest,
        }
    }

    /// A pointer goes up, or is lost; whether it would have clicked.
    pub fn up(&mut self, id: i32) -> bool {
        let is_click = matches!(self.pointers[..], [pointer] if pointer.0 == id) && self.moved <= CLICK_PX;
        self.pointers.retain(|pointer| pointer.0 != id);
        is_click
    }
}

/// A turn of a wheel: how far sideways and down, px, and which keys were held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheel {
    /// Right, px.
    pub dx: f64,
    /// Down, px.
    pub dy: f64,
    /// Whether Shift was held.
    pub is_shift: bool,
    /// Whether Ctrl or Command was held; fingers that pinch on a touchpad say so too.
    pub is_zoom: bool,
}

impl Wheel {
    /// The scale after it, with the pointer at `x` px; `None` if it scrolls the page, as a plain wheel does.
    #[must_use]
    pub fn apply(self, scale: TimeScale, x: f64, end: Time) -> Option<TimeScale> {
        let is_sideways = self.dx.abs() > self.dy.abs();
        if is_sideways || self.is_shift {
            return Some(scale.panned(if is_sideways { self.dx } else { self.dy }, end));
        }
        self.is_zoom.then(|| scale.zoomed((-self.dy * WHEEL_ZOOM).exp(), x, end))
    }
}
