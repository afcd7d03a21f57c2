//! The export of a run as a table for spreadsheets.
//!
//! Depends on `trace` and `record`. Invariants: RFC 4180 quoting, lines end with a line feed; no
//! cell is taken for a formula.

use std::fmt::Write;

use crate::record::Records;
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, Time};

const HEADER: &str = "kind,kernel,op,job,block,sm_or_engine,issued_ns,queued_ns,start_ns,end_ns,threads,shared_memory_bytes,bytes\n";

/// One row per block and copy, in order of assignment. Cells that do not apply are empty, and so
/// is the end of what had not ended. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_csv(trace: &Trace, records: &Records) -> String {
    let mut out = String::from(if trace.variants().is_none() { "" } else { "rules_changed," });
    out.push_str(HEADER);
    let mut copies = records.copies.iter().peekable();
    for block in &records.blocks {
        while let Some(copy) = copies.next_if(|c| c.start_step < block.start_step) {
            copy_row(&mut out, trace, records, copy.op, copy.engine, copy.start, copy.end);
        }
        let needs = trace.row_of(block.op).needs;
        begin(&mut out, "block", trace, block.op);
        let _ = write!(out, "{},{}", block.block, block.sm.0);
        times(&mut out, records, block.op, block.start, block.end);
        let _ = writeln!(out, ",{},{},", needs.threads, needs.shared_memory);
    }
    for copy in copies {
        copy_row(&mut out, trace, records, copy.op, copy.engine, copy.start, copy.end);
    }
    out
}

fn copy_row(out: &mut String, trace: &Trace, records: &Records, op: OpId, engine: u8, start: Time, end: Option<Time>) {
    let kind = if trace.op(op).kind == OpKind::CopyIn { "copy_in" } else { "copy_out" };
    begin(out, kind, trace, op);
    let _ = write!(out, ",{engine}");
    times(out, records, op, start, end);
    let _ = writeln!(out, ",,,{}", trace.copy_of(op).map_or(0, |c| c.bytes));
}

/// Up to the comma before the block. Writing to a string cannot fail, here and below.
fn begin(out: &mut String, kind: &str, trace: &Trace, op: OpId) {
    if !trace.variants().is_none() {
        csv_cell(out, &trace.variants().ids());
        out.push(',');
    }
    out.push_str(kind);
    out.push(',');
    csv_cell(out, &trace.row_of(op).name);
    out.push(',');
    csv_cell(out, &trace.op_name(op));
    let _ = write!(out, ",{},", trace.op(op).job.0);
}

fn times(out: &mut String, records: &Records, op: OpId, start: Time, end: Option<Time>) {
    let record = &records.ops[op.index()];
    for time in [Some(record.issued), record.queued, Some(start), end] {
        out.push(',');
        if let Some(time) = time {
            let _ = write!(out, "{time}");
        }
    }
}

/// A text cell. An apostrophe keeps spreadsheets from running what looks like a formula.
pub fn csv_cell(out: &mut String, text: &str) {
    let guarded = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let quoted = text.contains([',', '"', '\n', '\r']);
    if quoted {
        out.push('"');
    }
    if guarded {
        out.push('\'');
    }
    if quoted {
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}
