//! Times, sizes and counts as people write and read them.
//!
//! Depends on `units`, and on `scenario` for the block times of a draft. Invariants: what [`format_time`],
//! [`format_bytes`], [`format_count`] and [`format_block_times`] write is exact, and [`parse`] or
//! [`parse_block_times`] reads it back as the same value; no floating point is involved.

mod error;
mod parse;

pub use error::QuantityError;
pub use parse::{Unit, parse, parse_block_times};

use blockstep_sim::scenario::BlockTimes;
pub use blockstep_sim::units::written::{format_bytes, format_count, format_time, format_time_read, format_time_short, grouped};

/// One time, or the times of the blocks in order: `1 s; 2 s; 500 ms`.
#[must_use]
pub fn format_block_times(times: &BlockTimes) -> String {
    match times {
        BlockTimes::Each(ns) => format_time(*ns),
        BlockTimes::List(list) => list.iter().map(|&ns| format_time(ns)).collect::<Vec<_>>().join("; "),
    }
}

/// `value` as [`parse`] reads it for this unit.
#[must_use]
pub fn format(unit: Unit, value: u64) -> String {
    match unit {
        Unit::Time => format_time(value),
        Unit::Bytes => format_bytes(value),
        Unit::Count => format_count(value),
    }
}
