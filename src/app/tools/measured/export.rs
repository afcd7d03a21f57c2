//! The blocks with what they are off by, as a table for spreadsheets.
//!
//! Depends on `format` for cells. Invariant: every measured block has a line, matched or not.

use std::fmt::Write;

use super::loaded::{Laid, Loaded};
use super::texts;
use crate::format::csv_cell;
use crate::protocol::Effect;

const HEADER: &str = "log,kernel,block,sm,start_ns,end_ns,simulated_kernel,simulated_block,simulated_sm,simulated_start_ns,\
simulated_end_ns,offset_ns,start_later_ns,end_later_ns\n";

/// One line for each measured block, log by log; times as measured, differences with the offset taken off.
pub(super) fn csv(loaded: &Loaded<'_>) -> Effect {
    let mut out = HEADER.to_owned();
    for (log, of) in loaded.measured.logs.iter().enumerate() {
        for (kernel, launch) in of.kernels.iter().enumerate() {
            for (number, block) in launch.blocks.iter().enumerate() {
                csv_cell(&mut out, &of.file);
                out.push(',');
                csv_cell(&mut out, &loaded.names[log][kernel]);
                let sm = block.sm.map(|sm| sm.to_string()).unwrap_or_default();
                // Writing to a string cannot fail, here and below.
                let _ = write!(out, ",{number},{sm},{},{},", block.start_ns, block.end_ns);
                match loaded.laid.as_ref().and_then(|laid| Some((laid, laid.of_block((log, kernel, number))?))) {
                    Some((laid, at)) => simulated(&mut out, laid, at),
                    None => out.push_str(",,,,,,,"),
                }
                out.push('\n');
            }
        }
    }
    let name = if loaded.is_generated { texts::FILE_GENERATED } else { texts::FILE };
    Effect::SaveFile { name: name.to_owned(), kind: "text/csv".to_owned(), text: out }
}

fn simulated(out: &mut String, laid: &Laid<'_>, at: usize) {
    let of = &laid.fit.blocks[at];
    let block = &laid.simulation.records.blocks[of.record];
    csv_cell(out, &laid.simulation.run.trace.op_label(block.op));
    let number = |n: Option<i64>| n.map(|n| n.to_string()).unwrap_or_default();
    let end = block.end.map(|end| end.to_string()).unwrap_or_default();
    let (offset, later) = (laid.fit.offset_ns, number(of.end_ns));
    let _ = write!(out, ",{},{},{},{end},{offset},{},{later}", block.block, block.sm.0, block.start, of.start_ns);
}
