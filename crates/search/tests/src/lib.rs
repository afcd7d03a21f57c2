//! Tests of the search that breaks policies, in one binary.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod mutations;
mod oracle;
mod part;
mod random;
mod search;
mod table;
mod ticks;
mod times;
mod walk;

/// Draws the task at this place.
struct Place(usize);

impl blockstep_policy::Draw for Place {
    fn draw(&mut self, weights: &[u64]) -> usize {
        self.0 % weights.len()
    }
}
