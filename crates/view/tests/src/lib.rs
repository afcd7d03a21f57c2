//! Tests of views, drawing and explanations, in one binary.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod arranging;
mod bad_input;
mod channels;
mod connections;
mod departed;
mod differential;
mod drag;
mod drawing;
mod edf;
mod edit_effect;
mod editing;
mod examiner;
mod graphs;
mod hostile;
mod lettering;
mod panels;
mod pasting;
mod policies;
mod portions;
mod posters;
mod problems;
mod properties;
mod quantity;
mod queues;
mod reasons;
mod runlist;
mod settled;
mod share;
mod spins;
mod stepper;
mod variants;
mod varying;
