//! What the reader can do in the panel of tours.
//!
//! Invariant: a message says by itself what is to be done, whatever the page shows.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Walk {
        tour: String,
        /// The stop to begin at, counted from 1.
        stop: usize,
    },
    /// Go to a stop of this tour, counted from 1.
    GoTo(usize),
    /// Have the answer shown if there is a question; else go to the next stop, or end the tour.
    Next,
    Back,
    Return,
    /// Choose an answer, counted from 0.
    Choose(usize),
    /// Put an operation into a box of the inset, both by their numbers.
    Put {
        piece: usize,
        place: usize,
    },
    /// Take it out again.
    Take {
        piece: usize,
        place: usize,
    },
    /// Have what was filled in judged.
    Check,
    Leave,
    CopyLink,
}
