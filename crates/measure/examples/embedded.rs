//! A process of `blockstep measure` within another program: a library that `scripts/kineto.py` loads, so that PyTorch's profiler sees what
//! it launches.
//!
//!     cargo build --profile quick -p blockstep-measure --example embedded
//!     blockstep measure table.json --under "python3 scripts/kineto.py target/quick/examples/libembedded.so trace.json"
#![allow(unsafe_code)]

use std::io::{stdin, stdout};

/// Follows the orders on standard input; 0, or 1 if one could not be followed.
// The name is no other's, and it takes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn blockstep_measure_process() -> u8 {
    blockstep_measure::serve(&mut stdin().lock(), &mut stdout().lock())
}
