//! Tests of the simulator, in one binary.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

// For files of the simulator that are compiled into `parts`.
use blockstep_sim::units;

mod arbitrary;
mod batches;
mod chains;
mod channels_in_order;
mod check;
mod deadlines;
mod decision;
mod growth;
mod hangs;
mod names;
mod own;
mod paper;
mod parts;
mod pixels;
mod residency;
mod signals;
mod sound;
mod switches;
