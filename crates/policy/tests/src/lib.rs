//! Tests of policies of one's own, in one binary.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod decisions;
mod documents;
mod mistakes;
mod published;
mod random;
