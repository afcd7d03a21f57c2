//! The export of a run as tables for spreadsheets: blocks and copies, kernels, jobs.
//!
//! Depends on `trace` and `record`. Invariant: lines end with a line feed, and there is one for each row.

use std::fmt::Write;

use super::cell::csv_cell;
use crate::record::Records;
use crate::scenario::Choice;
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, TaskId, Time};

const HEADER: &str = "kind,kernel,op,job,block,sm_or_engine,issued_ns,queued_ns,start_ns,end_ns,threads,shared_memory_bytes,bytes\n";

/// One row per block and copy, in order of assignment. Cells that do not apply are empty, and so
/// is the end of what had not ended. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_csv(trace: &Trace, records: &Records) -> String {
    let mut out = header(trace, HEADER);
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
    variants(out, trace);
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
        optional(out, time);
    }
}

const KERNELS: &str = "kernel,task,process,stream,job,issued_ns,queued_ns,start_ns,end_ns,response_ns,blocks,threads_per_block,\
shared_memory_bytes_per_block,registers_per_block\n";

/// One row per kernel that was issued, in issue order; what had not happened when the run ended is
/// empty. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_kernels_csv(trace: &Trace, records: &Records) -> String {
    let mut out = header(trace, KERNELS);
    for (i, record) in records.ops.iter().enumerate() {
        let op = OpId::at(i);
        let (info, row) = (trace.op(op), trace.row_of(op));
        if info.kind != OpKind::Kernel {
            continue;
        }
        variants(&mut out, trace);
        let stream = &trace.layout().stream(info.stream).name;
        cells(&mut out, &[&row.name, &trace.scenario().task(row.task).name, process_of(trace, row.task), stream]);
        let _ = write!(out, ",{},{}", info.job.0, record.issued);
        let response = record.end.map(|end| Time(end.since(record.issued).ns()));
        for time in [record.queued, record.start, record.end, response] {
            optional(&mut out, time);
        }
        let _ = writeln!(out, ",{},{},{},{}", row.blocks, row.needs.threads, row.needs.shared_memory, row.needs.registers);
    }
    out
}

const JOBS: &str = "task,process,class,job,release_ns,deadline_ns,end_ns,response_ns,met\n";

/// One row per job that was released, by release, then in the order of the task table; `met` is empty
/// without a deadline and while it is open. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_jobs_csv(trace: &Trace, records: &Records) -> String {
    let mut out = header(trace, JOBS);
    for job in &records.jobs {
        let task = trace.scenario().task(job.task);
        variants(&mut out, trace);
        cells(&mut out, &[&task.name, process_of(trace, job.task), task.class.word()]);
        let _ = write!(out, ",{},{}", job.job.0, job.release);
        for time in [job.deadline, job.end, job.end.map(|end| Time(end.since(job.release).ns()))] {
            optional(&mut out, time);
        }
        let _ = writeln!(out, ",{}", job.met.map_or("", |met| if met { "true" } else { "false" }));
    }
    out
}

fn header(trace: &Trace, columns: &str) -> String {
    format!("{}{columns}", if trace.variants().is_none() { "" } else { "rules_changed," })
}

/// The cell before all others, of a run with variants of the rules.
fn variants(out: &mut String, trace: &Trace) {
    if !trace.variants().is_none() {
        csv_cell(out, &trace.variants().ids());
        out.push(',');
    }
}

fn cells(out: &mut String, texts: &[&str]) {
    for (i, text) in texts.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        csv_cell(out, text);
    }
}

fn process_of(trace: &Trace, task: TaskId) -> &str {
    &trace.scenario().processes()[trace.scenario().task(task).process.index()].name
}

/// A comma, and the time if there is one.
fn optional(out: &mut String, time: Option<Time>) {
    out.push(',');
    if let Some(time) = time {
        let _ = write!(out, "{time}");
    }
}
