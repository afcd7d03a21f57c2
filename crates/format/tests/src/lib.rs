//! Tests of the files, in one binary.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod analysis;
mod batch;
mod bound;
mod conform;
mod contract;
mod examples;
mod formats;
mod golden;
mod logs;
mod papers;
mod parts;
mod program;
mod reject;
mod space_bound;
mod warnings;
