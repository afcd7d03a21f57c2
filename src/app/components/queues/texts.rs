//! The texts of the queue diagram. Depends on how numbers are written. What stands in a queue comes with words of its own.

use crate::language::s;
use crate::view::quantity::{format_count, format_time};

// The scheduler.

pub(super) const RUNLIST: &str = "Runlist";
pub(super) const RUNLIST_PART: &str = "Runlist, near the pointer";
pub(super) const DEADLINE_SCHEDULER: &str = "Deadline scheduler";
pub(super) const READY: &str = "Ready queue, by deadline";
pub(super) const BEST_EFFORT: &str = "Best-effort queue, by priority";
pub(super) const WAITING: &str = "Open, not pending";
pub(super) const MISSED: &str = "missed";

pub(super) fn priority(priority: i64) -> String {
    format!("priority {priority}")
}

pub(super) fn inherited_from(job: &str) -> String {
    format!("inherited from {job}")
}

/// `left`: how much of the budget is left, of how much.
pub(super) fn budget(left: &str, deadline_ns: u64) -> String {
    format!("{left}, d {}", format_time(deadline_ns))
}

// Tasks, streams, queues, device.

pub(super) const TASKS: &str = "CPU tasks";

pub(super) fn of_process(process: &str) -> String {
    format!("process {process}")
}

pub(super) const STREAM_QUEUES: &str = "Stream queues";
pub(super) const NEW_STREAM: &str = "New stream";

pub(super) fn stream(label: &str) -> String {
    format!("Stream {label}")
}

pub(super) const ENGINE_QUEUES: &str = "EE and CE queues";
pub(super) const GPU: &str = "GPU";

pub(super) fn sm(number: u16) -> String {
    format!("SM {number}")
}

pub(super) fn threads_free(count: u64) -> String {
    format!("{} threads free", format_count(count))
}

// What is in a place, was in it, or is not shown.

pub(super) const EMPTY: &str = "empty";
pub(super) const IDLE: &str = "idle";
pub(super) const REMOVED: &str = "Removed by this step";
pub(super) const COMPLETED: &str = "Completed by this step";

pub(super) fn folded(processes: &str) -> String {
    format!("Not resident, nothing queued: {processes}")
}

pub(super) fn more_operations(count: u64) -> String {
    format!("+{}", format_count(count))
}

pub(super) fn more_jobs(count: u64) -> String {
    format!("and {} more jobs", format_count(count))
}

pub(super) fn more_tasks(count: u64) -> String {
    format!("and {} more tasks", format_count(count))
}

pub(super) fn more_processes(count: u64) -> String {
    format!("and {} more processes", format_count(count))
}

pub(super) fn more_streams(count: u64) -> String {
    format!("and {} more stream{}", format_count(count), s(count))
}

pub(super) fn more_sms(count: u64) -> String {
    format!("and {} more SM{}", format_count(count), s(count))
}
