//! The export of a run as tables for spreadsheets: blocks and copies, kernels, jobs.
//!
//! Depends on `trace` and `record`. Invariants: lines end with a line feed, and there is one for each row; a row is made as it is
//! written, so that no table is held as a whole.

use std::fmt::{self, Display, Formatter, Write};

use super::cell::csv_cell;
use blockstep_sim::record::{CopyRecord, Records};
use blockstep_sim::scenario::Choice;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, TaskId, Time};

const HEADER: &str = "kind,kernel,op,job,block,sm_or_engine,issued_ns,queued_ns,start_ns,end_ns,threads,shared_memory_bytes,bytes\n";

/// One row per block and copy, in order of assignment. Cells that do not apply are empty, and so
/// is the end of what had not ended. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_csv(trace: &Trace, records: &Records) -> impl Display {
    fmt::from_fn(move |out| {
        header(out, trace, HEADER)?;
        let mut copies = records.copies.iter().peekable();
        for block in &records.blocks {
            while let Some(copy) = copies.next_if(|c| c.start_step < block.start_step) {
                copy_row(out, trace, records, copy)?;
            }
            let needs = trace.row_of(block.op).needs;
            begin(out, "block", trace, block.op)?;
            write!(out, "{},{}", block.block, block.sm.0)?;
            times(out, records, block.op, block.start, block.end)?;
            writeln!(out, ",{},{},", needs.threads, needs.shared_memory)?;
        }
        copies.try_for_each(|copy| copy_row(out, trace, records, copy))
    })
}

fn copy_row(out: &mut Formatter<'_>, trace: &Trace, records: &Records, copy: &CopyRecord) -> fmt::Result {
    let kind = if trace.op(copy.op).kind == OpKind::CopyIn { "copy_in" } else { "copy_out" };
    begin(out, kind, trace, copy.op)?;
    write!(out, ",{}", copy.engine)?;
    times(out, records, copy.op, copy.start, copy.end)?;
    writeln!(out, ",,,{}", trace.copy_of(copy.op).map_or(0, |c| c.bytes))
}

/// Up to the comma before the block.
fn begin(out: &mut Formatter<'_>, kind: &str, trace: &Trace, op: OpId) -> fmt::Result {
    variants(out, trace)?;
    write!(out, "{kind},{},{},{},", csv_cell(&trace.row_of(op).name), csv_cell(&trace.op_name(op)), trace.op(op).job.0)
}

fn times(out: &mut Formatter<'_>, records: &Records, op: OpId, start: Time, end: Option<Time>) -> fmt::Result {
    let record = &records.ops[op.index()];
    [Some(record.issued), record.queued, Some(start), end].into_iter().try_for_each(|time| optional(out, time))
}

const KERNELS: &str = "kernel,task,process,stream,job,issued_ns,queued_ns,start_ns,end_ns,response_ns,blocks,threads_per_block,\
shared_memory_bytes_per_block,registers_per_block\n";

/// One row per kernel that was issued, in issue order; what had not happened when the run ended is
/// empty. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_kernels_csv(trace: &Trace, records: &Records) -> impl Display {
    fmt::from_fn(move |out| {
        header(out, trace, KERNELS)?;
        for (i, record) in records.ops.iter().enumerate() {
            let op = OpId::at(i);
            let (info, row) = (trace.op(op), trace.row_of(op));
            if info.kind != OpKind::Kernel {
                continue;
            }
            variants(out, trace)?;
            let stream = &trace.layout().stream(info.stream).name;
            cells(out, &[&row.name, &trace.scenario().task(row.task).name, process_of(trace, row.task), stream])?;
            write!(out, ",{},{}", info.job.0, record.issued)?;
            let response = record.end.map(|end| Time(end.since(record.issued).ns()));
            for time in [record.queued, record.start, record.end, response] {
                optional(out, time)?;
            }
            writeln!(out, ",{},{},{},{}", row.blocks, row.needs.threads, row.needs.shared_memory, row.needs.registers)?;
        }
        Ok(())
    })
}

const JOBS: &str = "task,process,class,job,release_ns,deadline_ns,end_ns,response_ns,met\n";

/// One row per job that was released, by release, then in the order of the task table; `met` is empty
/// without a deadline and while it is open. Of a run with variants of the rules every row begins with them.
#[must_use]
pub fn write_jobs_csv(trace: &Trace, records: &Records) -> impl Display {
    fmt::from_fn(move |out| {
        header(out, trace, JOBS)?;
        for job in &records.jobs {
            let task = trace.scenario().task(job.task);
            variants(out, trace)?;
            cells(out, &[&task.name, process_of(trace, job.task), task.class.word()])?;
            write!(out, ",{},{}", job.job.0, job.release)?;
            for time in [job.deadline, job.end, job.end.map(|end| Time(end.since(job.release).ns()))] {
                optional(out, time)?;
            }
            writeln!(out, ",{}", job.met.map_or("", |met| if met { "true" } else { "false" }))?;
        }
        Ok(())
    })
}

fn header(out: &mut Formatter<'_>, trace: &Trace, columns: &str) -> fmt::Result {
    write!(out, "{}{columns}", if trace.variants().is_none() { "" } else { "rules_changed," })
}

/// The cell before all others, of a run with variants of the rules.
fn variants(out: &mut Formatter<'_>, trace: &Trace) -> fmt::Result {
    if trace.variants().is_none() { Ok(()) } else { write!(out, "{},", csv_cell(&trace.variants().ids())) }
}

fn cells(out: &mut Formatter<'_>, texts: &[&str]) -> fmt::Result {
    texts.iter().enumerate().try_for_each(|(i, text)| write!(out, "{}{}", if i > 0 { "," } else { "" }, csv_cell(text)))
}

fn process_of(trace: &Trace, task: TaskId) -> &str {
    &trace.scenario().processes()[trace.scenario().task(task).process.index()].name
}

/// A comma, and the time if there is one.
fn optional(out: &mut Formatter<'_>, time: Option<Time>) -> fmt::Result {
    match time {
        Some(time) => write!(out, ",{time}"),
        None => out.write_char(','),
    }
}
