//! The writer of scenario files: what [`super::read_scenario`] reads back as the same draft.
//!
//! Depends on `scenario`. Invariant: what equals its default is left out, so that a file says what
//! matters; a table row takes one line. Source: docs/file-format.md, "Scenario (version 1)".

use super::json_out::{Object, push_number, push_rows};
use crate::scenario::device::LIMITS;
use crate::scenario::{BlockTimes, Choice, Device, DeviceDraft, Draft, KernelDraft, PolicyDraft, ProcessDraft, StreamDraft, TaskDraft};

/// The draft as a file of version 1. Reading it back gives the same draft.
#[must_use]
pub fn write_scenario(draft: &Draft) -> String {
    let defaults = Draft::default();
    let mut out = String::from("{\n  \"version\": 1,\n");
    let mut field = |name: &str, differs: bool, value: &dyn Fn(&mut String)| {
        if differs {
            out.push_str(&format!("  \"{name}\": "));
            value(&mut out);
            out.push_str(",\n");
        }
    };
    field("name", draft.name != defaults.name, &|out| super::json_text::push_string(out, &draft.name));
    field("device", draft.device != defaults.device, &|out| device(out, &draft.device));
    field("placement", draft.placement != defaults.placement, &|out| super::json_text::push_string(out, draft.placement.word()));
    field("policy", draft.policy != defaults.policy, &|out| policy(out, &draft.policy));
    field("horizon_ns", draft.horizon_ns.is_some(), &|out| push_number(out, draft.horizon_ns.unwrap_or_default()));
    field("seed", draft.seed != defaults.seed, &|out| push_number(out, draft.seed));
    table(&mut out, "processes", &draft.processes, process);
    table(&mut out, "tasks", &draft.tasks, task);
    table(&mut out, "streams", &draft.streams, stream);
    push_rows(&mut out, "kernels", draft.kernels.iter(), kernel);
    out.push_str("\n}\n");
    out
}

/// A table that may be left out when empty.
fn table<T>(out: &mut String, name: &str, rows: &[T], row: fn(&mut String, &T)) {
    if !rows.is_empty() {
        push_rows(out, name, rows.iter(), row);
        out.push_str(",\n");
    }
}

fn device(out: &mut String, device: &DeviceDraft) {
    match device {
        DeviceDraft::BuiltIn(id) => super::json_text::push_string(out, id),
        DeviceDraft::Custom(device) => {
            let defaults = Device::default();
            let mut o = Object::open(out);
            o.text("name", &device.name);
            for limit in LIMITS {
                number(&mut o, limit.field, (limit.get)(device), (limit.get)(&defaults));
            }
            o.close();
        }
    }
}

fn policy(out: &mut String, policy: &PolicyDraft) {
    let defaults = PolicyDraft::default();
    let mut o = Object::open(out);
    o.text("kind", policy.kind.word());
    number(&mut o, "switch_cost_ns", policy.switch_cost_ns, defaults.switch_cost_ns);
    word(&mut o, "switch_charge", policy.switch_charge, defaults.switch_charge);
    if policy.cbs != defaults.cbs {
        o.truth("cbs", policy.cbs);
    }
    word(&mut o, "preemption", policy.preemption, defaults.preemption);
    o.close();
}

fn process(out: &mut String, process: &ProcessDraft) {
    let defaults = ProcessDraft::named("");
    let mut o = Object::open(out);
    o.text("name", &process.name);
    word(&mut o, "interleave", process.interleave, defaults.interleave);
    number(&mut o, "timeslice_ns", process.timeslice_ns, defaults.timeslice_ns);
    if let Some(preemption) = process.preemption {
        o.text("preemption", preemption.word());
    }
    o.close();
}

fn task(out: &mut String, task: &TaskDraft) {
    let defaults = TaskDraft::named("");
    let mut o = Object::open(out);
    o.text("name", &task.name);
    text(&mut o, "process", task.process.as_deref());
    word(&mut o, "release", task.release, defaults.release);
    optional(&mut o, "period_ns", task.period_ns);
    optional(&mut o, "deadline_ns", task.deadline_ns);
    number(&mut o, "offset_ns", task.offset_ns, defaults.offset_ns);
    optional(&mut o, "jobs", task.jobs);
    text(&mut o, "class", task.class.map(Choice::word));
    optional(&mut o, "budget_ns", task.budget_ns);
    if task.priority != defaults.priority {
        o.signed("priority", task.priority);
    }
    if !task.consumes.is_empty() {
        list(o.key("consumes"), task.consumes.iter(), |out, name| super::json_text::push_string(out, name));
    }
    o.close();
}

fn stream(out: &mut String, stream: &StreamDraft) {
    let mut o = Object::open(out);
    text(&mut o, "process", stream.process.as_deref());
    o.text("name", &stream.name);
    o.text("priority", stream.priority.word());
    o.close();
}

fn kernel(out: &mut String, kernel: &KernelDraft) {
    let defaults = KernelDraft::named("", 0, 0, 0);
    let mut o = Object::open(out);
    o.text("name", &kernel.name);
    text(&mut o, "task", kernel.task.as_deref());
    if kernel.stream != defaults.stream {
        o.text("stream", &kernel.stream);
    }
    text(&mut o, "after", kernel.after.as_deref());
    number(&mut o, "start_ns", kernel.start_ns, defaults.start_ns);
    o.number("blocks", kernel.blocks);
    o.number("threads_per_block", kernel.threads_per_block);
    number(&mut o, "shared_memory_bytes", kernel.shared_memory_bytes, defaults.shared_memory_bytes);
    number(&mut o, "registers_per_thread", kernel.registers_per_thread, defaults.registers_per_thread);
    match &kernel.block_time_ns {
        BlockTimes::Each(ns) => o.number("block_time_ns", *ns),
        BlockTimes::List(times) => list(o.key("block_time_ns"), times.iter(), |out, ns| push_number(out, *ns)),
    }
    optional(&mut o, "block_time_max_ns", kernel.block_time_max_ns);
    number(&mut o, "copy_in_bytes", kernel.copy_in_bytes, defaults.copy_in_bytes);
    number(&mut o, "copy_out_bytes", kernel.copy_out_bytes, defaults.copy_out_bytes);
    o.close();
}

fn number(o: &mut Object<'_>, key: &str, value: u64, default: u64) {
    if value != default {
        o.number(key, value);
    }
}

fn optional(o: &mut Object<'_>, key: &str, value: Option<u64>) {
    if let Some(value) = value {
        o.number(key, value);
    }
}

fn text(o: &mut Object<'_>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        o.text(key, value);
    }
}

fn word<C: Choice>(o: &mut Object<'_>, key: &str, value: C, default: C) {
    text(o, key, (value != default).then(|| value.word()));
}

/// `[1, 2, 3]`
pub(super) fn list<T>(out: &mut String, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut String, T)) {
    out.push('[');
    for (i, value) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        item(out, value);
    }
    out.push(']');
}
