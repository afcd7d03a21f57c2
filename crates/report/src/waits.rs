//! Every wait of a run as a table for spreadsheets.
//!
//! Depends on `view::breakdown` for the waits and on `format` for the cells. Invariant: of an
//! operation, the waits of its whole and its execution add up to its response.

use std::fmt::{self, Display};

use blockstep_format::csv_cell;
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::Replay;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_view::breakdown::{Wait, breakdown_watched};

const HEADER: &str = "op,kernel,kind,job,task,process,reason,rule,waiting,start_ns,end_ns,duration_ns\n";

/// One row per wait: by operation, in issue order, then by time. `waiting` is `operation` where nothing of
/// it executes, and `rest` where blocks of a kernel execute and further ones wait.
pub(super) fn write(trace: &Trace, replay: Replay, records: &Records) -> impl Display {
    let mut waits: Vec<Wait> = Vec::new();
    breakdown_watched(replay, records, &mut |wait| waits.push(wait));
    waits.sort_by_key(|wait| (wait.op, wait.range.start, wait.is_rest));
    fmt::from_fn(move |out| {
        write!(out, "{}{HEADER}", if trace.variants().is_none() { "" } else { "rules_changed," })?;
        for wait in &waits {
            let (op, row) = (trace.op(wait.op), trace.row_of(wait.op));
            let task = trace.scenario().task(row.task);
            if !trace.variants().is_none() {
                write!(out, "{},", csv_cell(&trace.variants().ids()))?;
            }
            let kind = match op.kind {
                OpKind::Kernel => "kernel",
                OpKind::CopyIn => "copy_in",
                OpKind::CopyOut => "copy_out",
            };
            let process = csv_cell(&trace.scenario().processes()[task.process.index()].name);
            write!(out, "{},{},{kind},{},", csv_cell(&trace.op_name(wait.op)), csv_cell(&row.name), op.job.0)?;
            write!(out, "{},{process},{}", csv_cell(&task.name), csv_cell(wait.kind.label()))?;
            let rule = wait.kind.rule(op.kind).map_or("", |rule| rule.id());
            let waiting = if wait.is_rest { "rest" } else { "operation" };
            writeln!(out, ",{rule},{waiting},{},{},{}", wait.range.start, wait.range.end, wait.range.span().ns())?;
        }
        Ok(())
    })
}
