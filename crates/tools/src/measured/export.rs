//! The blocks with what they are off by, as a table for spreadsheets.
//!
//! Invariant: every measured block has a line, matched or not.

use std::fmt::{self, Formatter};

use super::loaded::{Laid, Loaded};
use crate::tool::save_table;
use blockstep_format::csv_cell;
use blockstep_protocol::Effect;

const HEADER: &str = "log,kernel,block,sm,start_ns,end_ns,simulated_kernel,simulated_block,simulated_sm,simulated_start_ns,\
simulated_end_ns,offset_ns,start_later_ns,end_later_ns\n";

/// One line for each measured block, log by log; times as measured, differences with the offset taken off.
pub(super) fn csv(loaded: &Loaded<'_>) -> Effect {
    let name = if loaded.is_generated { "measured-made-up.csv" } else { "measured.csv" };
    save_table(name.to_owned(), fmt::from_fn(|out| table(out, loaded)))
}

fn table(out: &mut Formatter<'_>, loaded: &Loaded<'_>) -> fmt::Result {
    out.write_str(HEADER)?;
    for (log, of) in loaded.measured.logs.iter().enumerate() {
        for (kernel, launch) in of.kernels.iter().enumerate() {
            for (number, block) in launch.blocks.iter().enumerate() {
                let (file, name) = (csv_cell(&of.file), csv_cell(&loaded.names[log][kernel]));
                let sm = block.sm.map(|sm| sm.to_string()).unwrap_or_default();
                write!(out, "{file},{name},{number},{sm},{},{},", block.start_ns, block.end_ns)?;
                match loaded.laid.as_ref().and_then(|laid| Some((laid, laid.of_block((log, kernel, number))?))) {
                    Some((laid, at)) => simulated(out, laid, at)?,
                    None => out.write_str(",,,,,,,\n")?,
                }
            }
        }
    }
    Ok(())
}

fn simulated(out: &mut Formatter<'_>, laid: &Laid<'_>, at: usize) -> fmt::Result {
    let of = &laid.fit.blocks[at];
    let block = &laid.simulation.records.blocks[of.record];
    let label = laid.simulation.run.trace.op_label(block.op);
    let number = |n: Option<i64>| n.map(|n| n.to_string()).unwrap_or_default();
    let end = block.end.map(|end| end.to_string()).unwrap_or_default();
    let (offset, later) = (laid.fit.offset_ns, number(of.end_ns));
    writeln!(out, "{},{},{},{},{end},{offset},{},{later}", csv_cell(&label), block.block, block.sm.0, block.start, of.start_ns)
}
