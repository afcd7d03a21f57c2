//! The export of a run as JSON.
//!
//! Depends on `trace` and `record`. Invariant: fields and rows stand in the order of docs/file-format.md,
//! "Trace"; every row takes one line; a run with variants of the rules names them.

use super::json_out::{Object, push_number, push_rows};
use super::json_text::push_string;
use super::write::list;
use crate::record::{BlockRecord, CopyRecord, JobRecord, OpRecord, Records};
use crate::scenario::{Choice, Turns};
use crate::trace::{Cut, Op, OpKind, Trace};
use crate::units::{OpId, Time, TimeRange};

/// A whole run as a trace file.
///
/// # Errors
/// Why the run was cut, if it was: part of a run is not exported.
pub fn write_trace(trace: &Trace, records: &Records) -> Result<String, Cut> {
    if let Some(cut) = trace.cut() {
        return Err(cut.clone());
    }
    let scenario = trace.scenario();
    let policy = scenario.policy().kind;
    let mut out = String::from("{\n  \"version\": 1,\n  \"scenario\": ");
    push_string(&mut out, scenario.name());
    out.push_str(",\n  \"policy\": ");
    push_string(&mut out, policy.word());
    if !trace.variants().is_none() {
        out.push_str(",\n  \"variants\": ");
        list(&mut out, trace.variants().iter(), |out, variant| push_string(out, variant.id()));
    }
    out.push_str(",\n  \"end_ns\": ");
    push_number(&mut out, trace.end().ns());
    out.push_str(",\n");
    push_rows(&mut out, "blocks", records.blocks.iter().enumerate(), |out, (i, b)| block(out, trace, b, &records.block_runs(i)));
    out.push_str(",\n");
    push_rows(&mut out, "copies", records.copies.iter().enumerate(), |out, (i, c)| copy(out, trace, c, &records.copy_runs(i)));
    out.push_str(",\n");
    let kernels = trace.ops().iter().zip(&records.ops).filter(|(op, _)| op.kind == OpKind::Kernel);
    push_rows(&mut out, "kernels", kernels, |out, (op, record)| kernel(out, trace, op, record));
    out.push_str(",\n");
    push_rows(&mut out, "jobs", records.jobs.iter(), |out, j| job(out, trace, j));
    if policy.takes_turns() {
        out.push_str(",\n");
        push_rows(&mut out, "residency", records.residency.iter(), |out, (space, range)| {
            let mut o = Object::open(out);
            o.text("process", &trace.space_name(*space));
            o.number("start_ns", range.start.ns());
            o.number("end_ns", range.end.ns());
            o.close();
        });
    }
    if policy.turns() == Turns::Runlist {
        out.push_str(",\n  \"runlist\": ");
        list(&mut out, scenario.runlist().entries(), |out, p| push_string(out, &scenario.processes()[p.index()].name));
    }
    out.push_str("\n}\n");
    Ok(out)
}

fn ns(time: Option<Time>) -> Option<u64> {
    time.map(Time::ns)
}

/// The fields that say which job of which row it is.
fn identity(o: &mut Object<'_>, trace: &Trace, op: OpId) {
    o.text("kernel", &trace.row_of(op).name);
    o.number("job", u64::from(trace.op(op).job.0));
}

fn interval(o: &mut Object<'_>, start: Time, end: Option<Time>, runs: &[TimeRange]) {
    o.number("start_ns", start.ns());
    o.number_or_null("end_ns", ns(end));
    list(o.key("runs"), runs.iter(), |out, r| out.push_str(&format!("[{}, {}]", r.start, r.end)));
}

fn block(out: &mut String, trace: &Trace, block: &BlockRecord, runs: &[TimeRange]) {
    let mut o = Object::open(out);
    identity(&mut o, trace, block.op);
    o.number("block", u64::from(block.block));
    o.number("sm", u64::from(block.sm.0));
    interval(&mut o, block.start, block.end, runs);
    o.close();
}

fn copy(out: &mut String, trace: &Trace, copy: &CopyRecord, runs: &[TimeRange]) {
    let mut o = Object::open(out);
    o.text("op", &trace.op_name(copy.op));
    identity(&mut o, trace, copy.op);
    o.text("direction", if trace.op(copy.op).kind == OpKind::CopyIn { "in" } else { "out" });
    interval(&mut o, copy.start, copy.end, runs);
    o.close();
}

fn kernel(out: &mut String, trace: &Trace, op: &Op, record: &OpRecord) {
    let mut o = Object::open(out);
    o.text("kernel", &trace.scenario().row(op.row).name);
    o.number("job", u64::from(op.job.0));
    o.number("issued_ns", record.issued.ns());
    o.number_or_null("queued_ns", ns(record.queued));
    o.number_or_null("start_ns", ns(record.start));
    o.number_or_null("end_ns", ns(record.end));
    o.close();
}

fn job(out: &mut String, trace: &Trace, job: &JobRecord) {
    let mut o = Object::open(out);
    o.text("task", &trace.scenario().task(job.task).name);
    o.number("job", u64::from(job.job.0));
    o.number("release_ns", job.release.ns());
    o.number_or_null("deadline_ns", ns(job.deadline));
    o.number_or_null("end_ns", ns(job.end));
    match job.met {
        Some(met) => o.truth("met", met),
        None => o.key("met").push_str("null"),
    }
    o.close();
}
