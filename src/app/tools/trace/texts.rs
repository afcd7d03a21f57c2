//! The texts of the page of traces: every word that a reader meets there, but for what the trace's worker says (`tracer/texts.rs`).
//! Depends on how numbers are written.

use crate::scenario::MAX_CONNECTIONS;
use crate::units::written::{format_bytes, format_count};

// Opening.

pub(super) const OPEN: &str = "Open a trace…";
pub(super) const FILES: &str = "Trace of a profiler";
pub(super) const CANCEL: &str = "Cancel";
pub(super) const WHAT: &str = "Open a trace of the PyTorch profiler (.json or .json.gz) or an export of Nsight Systems (.sqlite). Blockstep \
                               says why each kernel and copy waited between its call and its start. You can also drop the file anywhere. \
                               It stays in your browser.";
pub(super) const EXAMPLE: &str = "Your first trace: an example";
pub(super) const HOW: &str = "How to record a trace";
pub(super) const HOW_PYTORCH: &str = "PyTorch:";
pub(super) const PYTORCH: &str = "from torch.profiler import profile, ProfilerActivity, _ExperimentalConfig
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
             experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True)) as prof:
    step()
prof.export_chrome_trace(\"trace.json.gz\")";
pub(super) const HOW_NSYS: &str = "Nsight Systems:";
pub(super) const NSYS: &str = "nsys profile -t cuda --cuda-graph-trace=node -o report PROGRAM
nsys export --type sqlite report.nsys-rep";

pub(super) fn reading(name: &str, read: u64, size: u64) -> String {
    format!("Reading {name}: {} of {}", rounded(read), rounded(size))
}

/// Bytes to a tenth of a megabyte.
fn rounded(bytes: u64) -> String {
    const MB: u64 = 1_000_000;
    if bytes < MB / 10 { format_bytes(bytes) } else { format!("{}.{} MB", format_count(bytes / MB), bytes % MB / (MB / 10)) }
}

pub(super) fn explaining(name: &str, done: u64, all: u64) -> String {
    format!("Explaining {name}: {} of {} operations", format_count(done), format_count(all))
}

pub(super) fn failed(name: &str, why: &str) -> String {
    format!("{name} was not opened: {why}")
}

// The answer.

pub(super) const WAITING: &str = "Waiting by cause";
pub(super) const WAITING_WHAT: &str = "From the calls to the starts of all operations.";
pub(super) const ABOUT: &str = "About this trace";
pub(super) const FLAWS: &str = "What is wrong with this file";
pub(super) const TO_RECORD: &str = "To learn more from the next trace";

/// `gpu`: its label.
pub(super) fn time_of(gpu: &str) -> String {
    format!("Time of {gpu}")
}

pub(super) const CONNECTIONS: &str = "CUDA_DEVICE_MAX_CONNECTIONS of the program:";
pub(super) const CONNECTIONS_HELP: &str =
    "How many hardware queues its streams shared, 1 to 32. The file does not say; 8 unless it was set.";

/// `typed`: what the reader typed.
pub(super) fn connections_wrong(typed: &str) -> String {
    format!("CUDA_DEVICE_MAX_CONNECTIONS: {typed} is no whole number from 1 to {MAX_CONNECTIONS}.")
}

// The timeline.

pub(super) const TIMELINE: &str = "Timeline";
pub(super) const TIMELINE_KEYS: &str = "Timeline. Arrow keys move, plus and minus zoom, 0 shows everything, brackets select the operation \
                                        before or after.";
pub(super) const GESTURES: &str = "Drag to move, Ctrl and wheel to zoom, click an operation for its causes.";
pub(super) const ZOOM: &str = "Zoom of the timeline";
pub(super) const CLOSER: &str = "Zoom in";
pub(super) const FURTHER: &str = "Zoom out";
pub(super) const ALL: &str = "Show all";
pub(super) const SEARCH: &str = "Name";
pub(super) const FIND: &str = "Find";
pub(super) const CLEAR: &str = "Clear";
pub(super) const FOUND_LIST: &str = "Operations found";

pub(super) fn found(count: u64, shown: usize) -> String {
    match count {
        0 => "No operation has this in its name.".to_owned(),
        1 => "1 operation.".to_owned(),
        n if n as usize > shown => format!("{} operations; the first {shown} are listed.", format_count(n)),
        n => format!("{} operations.", format_count(n)),
    }
}

/// Several items that are too narrow to be told apart.
pub(super) fn several(count: u32) -> String {
    format!("{} in one pixel: click to zoom in", format_count(count.into()))
}

/// How full the SMs were, in percent.
pub(super) fn level(percent: f64, length: &str, start: &str) -> String {
    format!("SMs in use: about {percent:.0} % of their threads for {length}, from {start} on. An estimate from grids and blocks.")
}

pub(super) fn piece(name: &str, length: &str, start: &str) -> String {
    format!("{name}: {length}, from {start} on")
}

pub(super) const KINDS: [&str; 7] = [
    "Kernel",
    "Copy over the bus",
    "Copy within the GPU, memset",
    "Call that launches",
    "Call that waits",
    "Other call",
    "Threads on the SMs, estimated",
];

// An operation.

pub(super) const CLOSE: &str = "Close";
pub(super) const SHOW: &str = "Show on the timeline";
pub(super) const PARTS: &str = "What it waited for";
pub(super) const CHAIN: &str = "Why: from cause to cause";
pub(super) const TO_SHORTEN: &str = "To shorten this wait:";
pub(super) const WHAT_IF: &str = "What if";
pub(super) const TRY: &str = "Try changes";
pub(super) const WHAT_IF_WHAT: &str = "The simulator runs what was on the GPU around this operation again, with one change at a time.";
pub(super) const CHANGE_TRIED: &str = "Change";
pub(super) const STARTS_THEN: &str = "Starts after its call";
pub(super) const GAIN: &str = "Beside the prediction";
pub(super) const RULED_OUT: &str = "Ruled out";
pub(super) const NUMBERS: &str = "Numbers";

pub(super) const CERTAINTY: &str = "Certain: the file records what proves it. Consistent: everything in the file agrees, and nothing proves \
                                    it. Ruled out: the file contradicts it.";

// Tables.

pub(super) const WAITS: &str = "Longest waits";
pub(super) const OPERATION: &str = "Operation";
pub(super) const WAITED: &str = "Waited";
pub(super) const CAUSE: &str = "Largest cause";
pub(super) const CHANGE: &str = "What would shorten it";
pub(super) const MORE: &str = "Show more";
pub(super) const NAMES: &str = "Kernels and copies by name";
pub(super) const NAME: &str = "Kernel or copy";
pub(super) const COLUMNS: [&str; 3] = ["Count", "Time in all", "Wait in all"];

pub(super) fn names_shown(shown: usize, all: u64) -> String {
    format!("{} of {} names, those with the longest waits.", format_count(shown as u64), format_count(all))
}

// A scenario.

pub(super) const SCENARIO: &str = "Make this a scenario";
pub(super) const SCENARIO_WHAT: &str = "What runs in the visible part of the timeline becomes a table that you can edit and run step by \
                                        step. Zoom in first: it takes up to 300 operations.";
pub(super) const MAKE: &str = "Make the scenario";
pub(super) const CHOSEN: &str = "Of what is in sight, take";
pub(super) const CHOSEN_ALL: &str = "everything";
pub(super) const CHOSEN_STREAM: &str = "the stream of the selected operation";
pub(super) const CHOSEN_FOUND: &str = "what the search finds";
pub(super) const LEFT_OUT: &str = "This differs from the trace:";
pub(super) const NOTHING_LEFT_OUT: &str = "All of it is in the scenario. Times of blocks are estimated.";
pub(super) const OPEN_SCENARIO: &str = "Open the scenario";

pub(super) fn scenario_name(file: &str) -> String {
    format!("From {file}")
}

pub(super) fn scenario_opened(name: &str) -> String {
    format!("{name} is open beside your own scenario.")
}

// The walk through the example.

pub(super) const WALK: &str = "Your first trace";
pub(super) const BACK: &str = "Back";
pub(super) const NEXT: &str = "Next";
pub(super) const END: &str = "End the walk";

pub(super) fn stop_of(stop: usize, all: usize) -> String {
    format!("{stop} of {all}")
}
