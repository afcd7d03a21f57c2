//! How much work the page does at once: time is turned into units of work by measuring between portions.
//!
//! Depends on the browser's clock. Invariant: what takes few units is done at once however busy the machine is, so
//! that the same small scenario is always simulated in the same place.

use leptos::prelude::window;

use blockstep_sim::work::{Budget, Progress};

/// Half of a frame: what is made of a run, and its picture, take about as long again.
const MOST_MS: f64 = 8.0;
/// So many units, which an idle machine does in about a frame, are done however long they take, if that is not far more.
pub(super) const LEAST: u64 = 150_000;
/// That.
const FAR_MORE_MS: f64 = 200.0;
/// Units between two looks at the clock.
const PORTION: u64 = 10_000;

/// The browser's clock, ms; 0 where there is none.
pub(super) fn now_ms() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Does work until it is done or a part of a frame is over.
pub(super) fn within_a_frame(mut go_on: impl FnMut(&mut Budget) -> Progress) -> Progress {
    let begin = now_ms();
    let mut spent = 0;
    loop {
        let mut budget = Budget::new(PORTION);
        if go_on(&mut budget) == Progress::Done {
            return Progress::Done;
        }
        spent += budget.spent();
        let took = now_ms() - begin;
        if took > MOST_MS && spent >= LEAST || took > FAR_MORE_MS {
            return Progress::Paused;
        }
    }
}
