//! Pure view models: what the page and the exports show, in pixels and words, without plotters
//! and without a browser.
//!
//! Depends on the simulator, on `analysis` and on `batch`. Invariant: every number shown on screen is computed
//! here, once.

pub mod batch;
pub mod breakdown;
pub mod dead_end;
pub mod document;
pub mod drag;
pub mod edit_effect;
pub mod frame;
pub mod gesture;
pub mod history;
pub mod labels;
mod lane;
pub mod lettering;
mod level;
pub mod measured;
pub mod origin;
mod packing;
pub mod palette;
pub mod panels;
pub mod position;
pub mod print;
pub mod problems;
pub mod quantity;
pub mod queue_figure;
pub mod queues;
pub mod reason;
pub mod results;
pub mod sentence;
pub mod table;
pub mod texts;
pub mod threads;
pub mod ticks;
pub mod time_scale;
pub mod timeline;
mod tooltip;

/// `f64::clamp` without its panic, whose words about two numbers would bring all that writes
/// floating-point numbers into the page.
pub trait Within {
    /// The nearest number from `least` to `most`; `most` if that is less than `least`.
    fn within(self, least: f64, most: f64) -> f64;
}

impl Within for f64 {
    fn within(self, least: f64, most: f64) -> f64 {
        self.max(least).min(most)
    }
}
