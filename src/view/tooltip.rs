//! What a tooltip of the timeline says.
//!
//! Depends on `trace`, `record` and `quantity`.

use super::quantity::{format_bytes, format_count, format_time};
use super::timeline::Hit;
use crate::record::Records;
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, Time};

type Lines = Vec<(&'static str, String)>;

pub(super) fn describe(trace: &Trace, records: &Records, hit: Hit) -> Lines {
    match hit {
        Hit::Block(i) => block(trace, records, i),
        Hit::Copy(i) => copy(trace, records, i),
        Hit::Launch(op) => launch(trace, records, op),
    }
}

fn block(trace: &Trace, records: &Records, i: usize) -> Lines {
    let block = &records.blocks[i];
    let row = trace.row_of(block.op);
    let mut lines = vec![
        ("Block", format!("{}:{}", trace.op_label(block.op), block.block)),
        ("Kernel", format!("{} of {}", row.name, trace.scenario().task(row.task).name)),
        ("Stream", trace.layout().streams()[trace.op(block.op).stream.index()].name.clone()),
        ("SM", block.sm.0.to_string()),
    ];
    life(&mut lines, block.start, block.end);
    lines.push(("Threads", format_count(u64::from(row.needs.threads))));
    lines.push(("Shared memory", format_bytes(row.needs.shared_memory)));
    if row.needs.registers > 0 {
        lines.push(("Registers", format_count(row.needs.registers)));
    }
    lines
}

fn copy(trace: &Trace, records: &Records, i: usize) -> Lines {
    let copy = &records.copies[i];
    let row = trace.row_of(copy.op);
    let direction = if trace.op(copy.op).kind == OpKind::CopyIn { "host to device" } else { "device to host" };
    let mut lines = vec![
        ("Copy", trace.op_label(copy.op)),
        ("Kernel", format!("{} of {}", row.name, trace.scenario().task(row.task).name)),
        ("Stream", trace.layout().streams()[trace.op(copy.op).stream.index()].name.clone()),
        ("Direction", direction.to_owned()),
    ];
    if let Some(copy) = trace.copy_of(copy.op) {
        lines.push(("Size", format_bytes(copy.bytes)));
    }
    life(&mut lines, copy.start, copy.end);
    lines
}

fn launch(trace: &Trace, records: &Records, op: OpId) -> Lines {
    let row = trace.row_of(op);
    let life = &records.ops[op.index()];
    let or_not = |t: Option<Time>| t.map_or_else(|| "not in this run".to_owned(), |t| format_time(t.ns()));
    vec![
        ("Launch", trace.op_label(op)),
        ("Task", trace.scenario().task(row.task).name.clone()),
        ("Stream", trace.layout().streams()[trace.op(op).stream.index()].name.clone()),
        ("Launched", format_time(life.issued.ns())),
        ("First block", or_not(life.start)),
        ("Complete", or_not(life.end)),
        ("Blocks", format!("{} of {} threads", format_count(row.blocks), format_count(u64::from(row.needs.threads)))),
        ("Shared memory", format!("{} per block", format_bytes(row.needs.shared_memory))),
    ]
}

/// Start, end and duration.
fn life(lines: &mut Lines, start: Time, end: Option<Time>) {
    lines.push(("Start", format_time(start.ns())));
    match end {
        Some(end) => {
            lines.push(("End", format_time(end.ns())));
            lines.push(("Duration", format_time(end.since(start).ns())));
        }
        None => lines.push(("End", "still running when the run ends".to_owned())),
    }
}
