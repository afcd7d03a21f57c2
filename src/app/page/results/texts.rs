//! The texts of the panel of results. Depends on nothing. Numbers come from the worker with words of their own.

pub(super) const TITLE: &str = "Results";
pub(super) const SUMMARY: &str = "response times, deadline misses, waiting times, utilization, bounds";
pub(super) const COMPARE: &str = "Compare the distributions with ";
pub(super) const NO_OTHER_RUN: &str = "no other run";
pub(super) const CUT_SHORT: &str = "The run was cut short. These results cover only its beginning.";
pub(super) const SAVE: &str = "Save results as CSV";
/// What the name of the file ends in.
pub(super) const FILE: &str = "results.csv";

// Tasks.

pub(super) const TASKS: &str = "Tasks";
pub(super) const TASKS_CAPTION: &str = "Tasks and their response times";
pub(super) const TASKS_HELP: &str = "The response time of a job is the time from its release to its completion. A task is \
     preempted when its process stops being resident while a kernel or copy of the task has started and is incomplete.";

// Response times.

pub(super) const RESPONSES: &str = "Response times";
pub(super) const AS_TABLES: &str = "Data as tables";

// Where they went.

pub(super) const BREAKDOWN: &str = "Breakdown of response times";
pub(super) const BREAKDOWN_HELP: &str = "Each bar is the mean over the jobs, from issue to completion or to the end of the run.";
pub(super) const BREAKDOWN_TABLE: &str = "Table of sums over the jobs";

// Bounds.

pub(super) const BOUNDS: &str = "Bound on the response time ([EDF] Theorem 1)";
pub(super) const BOUNDS_HELP: &str = "The theorem covers a task that is alone in a process of the high level. Before each stay, \
     its job waits for one stay of every other high process and of one medium or low process. Equation (3) charges one switch for \
     each expiry of the job's own timeslice; the last line charges every switch.";
/// A head that begins with `#` is that of numbers.
pub(super) const BOUNDS_HEADS: [&str; 3] = ["Bound", "#at most", "simulated run"];

pub(super) fn bounds_of(task: &str) -> String {
    format!("Bounds of {task}")
}

// Device.

pub(super) const DEVICE: &str = "Device utilization";

// Blocks.

pub(super) const BLOCKS: &str = "Blocks";
pub(super) const AS_TABLE: &str = "Data as a table";
