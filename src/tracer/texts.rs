//! The texts of a trace that the worker writes: the answer, facts, titles of lanes.
//! Depends on how numbers are written.

use super::percent;
use super::what_if::Change;
use crate::profile::causes::Cause;
use crate::profile::{Kind, Source, words};
use crate::scenario::MAX_CONNECTIONS;
use crate::units::written::format_count;

// Reading.

#[cfg(target_arch = "wasm32")]
pub(super) const NO_READER: &str = "This browser does not let a background worker read files.";
#[cfg(target_arch = "wasm32")]
pub(super) const SLICE_UNREADABLE: &str = "the browser could not read on; the file may have changed since it was picked";
#[cfg(target_arch = "wasm32")]
pub(super) const NO_SQLITE: &str =
    "the part of this page that reads SQLite could not be loaded; check the connection, then open the file again";
#[cfg(target_arch = "wasm32")]
pub(super) const UNKNOWN: &str = "the browser does not say why";

/// A database is taken into memory as a whole.
#[cfg(target_arch = "wasm32")]
pub(super) fn too_large(bytes: u64, most: u64) -> String {
    format!(
        "the database has {} bytes; in the browser at most {} are read. The command line reads it: blockstep trace FILE",
        format_count(bytes),
        format_count(most)
    )
}

pub(super) const NO_FILE: &str = "No trace is open.";
pub(super) const STOPPED: &str = "This was stopped.";
pub(super) const NOTHING_RAN: &str = "Nothing ran in this part of the trace, so no scenario can be made of it.";

/// So many lanes are not drawn.
pub(super) fn lanes_left(count: usize) -> String {
    format!("Lanes that are not drawn, because there are too many: {count}.")
}

// The answer.

/// What the devices did: `busy` is in tenths of a percent.
pub(super) fn busy(gpus: usize, busy: u32, span: &str) -> String {
    let busy = percent(busy);
    match gpus {
        1 => format!("The GPU was busy for {busy} of {span}"),
        n => format!("The {n} GPUs were busy for {busy} of {span} on average"),
    }
}

/// What they mostly waited for while they were idle; `share` is in tenths of a percent of the idle time.
pub(super) fn idle_for(share: u32, label: &str) -> String {
    format!("{} of the idle time: {label}.", percent(share))
}

pub(super) const HOST_AHEAD: &str = "the host calls ahead, and operations wait for the GPU.";

/// What most of the waiting is; `share` is in tenths of a percent of it.
pub(super) fn waiting(share: u32, cause: Cause) -> String {
    format!("{} of the waiting is: {}. {}", percent(share), words::within(cause), words::rule(cause))
}

pub(super) const IDLE_FOR_HOST: &str = "launched late by the host";
pub(super) const IDLE_FOR_UNKNOWN: &str = "not known, as calls are not recorded";

pub(super) const NO_WAITS: &str = "No operation has a recorded call, so no wait can be explained.";

// How the time of a device was spent.

pub(super) const BUSY: &str = "Busy";
pub(super) const BUSY_HELP: &str = "At least one operation ran.";
pub(super) const HOST_LATE: &str = "Launched late by the host";
pub(super) const HOST_LATE_HELP: &str = "Nothing ran, and the host had not called the next operation yet.";
pub(super) const IDLE_UNKNOWN: &str = "Call not recorded";
pub(super) const IDLE_UNKNOWN_HELP: &str = "Nothing ran, and the file does not say when the next operation was called.";

/// While the device was idle, what ran next had been called, and waited for this.
pub(super) fn idle_cause_help(cause: Cause) -> String {
    format!("Nothing ran, and what ran next had been called. {}", words::rule(cause))
}

// Facts.

pub(super) const RECORDED_BY: &str = "Recorded by";
pub(super) const SPAN: &str = "Span";
pub(super) const OPERATIONS: &str = "Operations";
pub(super) const STREAMS: &str = "Streams";
pub(super) const CALLS: &str = "Calls";

pub(super) const fn recorder(source: Source) -> &'static str {
    match source {
        Source::Kineto => "PyTorch profiler",
        Source::Nsight => "Nsight Systems",
    }
}

pub(super) fn gpu(id: u64) -> String {
    format!("GPU {id}")
}

/// `sms`: how many it has, if known; `capability`: its compute capability, if known.
pub(super) fn about_gpu(name: Option<&str>, sms: Option<u32>, capability: Option<(u32, u32)>) -> String {
    let mut about = name.unwrap_or("name not recorded").to_owned();
    if let Some(sms) = sms {
        about.push_str(&format!(", {sms} SMs"));
    }
    if let Some((major, minor)) = capability {
        about.push_str(&format!(", compute capability {major}.{minor}"));
    }
    about
}

pub(super) fn operations([kernels, copies, memsets]: [u64; 3]) -> String {
    let counted = |n: u64, one: &str, many: &str| format!("{} {}", format_count(n), if n == 1 { one } else { many });
    let all = [counted(kernels, "kernel", "kernels"), counted(copies, "copy", "copies"), counted(memsets, "memset", "memsets")];
    all.join(", ")
}

// The timeline.

pub(super) const HOST: &str = "Host";

pub(super) fn thread(thread: u64) -> String {
    format!("Thread {thread}")
}

/// A group of lanes; `process` if the file has several.
pub(super) fn device_group(id: u64, name: Option<&str>, process: Option<u64>) -> String {
    let name = name.map_or(String::new(), |name| format!(": {name}"));
    let process = process.map_or(String::new(), |process| format!(", process {process}"));
    format!("GPU {id}{name}{process}")
}

pub(super) fn stream(id: u64, is_null: bool) -> String {
    if is_null { format!("Stream {id} (NULL)") } else { format!("Stream {id}") }
}

pub(super) const fn copies(kind: Kind) -> &'static str {
    match kind {
        Kind::HostToDevice => "Copies to GPU",
        Kind::DeviceToHost => "Copies from GPU",
        _ => "Copies GPU to GPU",
    }
}

pub(super) const OCCUPANCY: &str = "SMs in use";

// An operation.

pub(super) const CALLED: &str = "Called";
pub(super) const STARTED: &str = "Started";
pub(super) const RAN_FOR: &str = "Ran for";
pub(super) const STREAM: &str = "Stream";
pub(super) const GPU: &str = "GPU";
pub(super) const CALL: &str = "Call";
pub(super) const GRID: &str = "Grid";
pub(super) const BLOCK: &str = "Block";
pub(super) const REGISTERS: &str = "Registers per thread";
pub(super) const SHARED: &str = "Shared memory per block";
pub(super) const BYTES: &str = "Bytes";
pub(super) const CHANNEL: &str = "Hardware queue";
pub(super) const ROOM: &str = "Blocks per SM";

/// How many blocks an SM holds at once, and of what it runs out.
pub(super) fn room(blocks: u64, limit: &str) -> String {
    format!("{} at most, by {limit}", format_count(blocks))
}

pub(super) fn blocks(grid: [u32; 3], blocks: u64) -> String {
    format!("{} × {} × {} = {} blocks", grid[0], grid[1], grid[2], format_count(blocks))
}

pub(super) fn threads(block: [u32; 3], threads: u64) -> String {
    format!("{} × {} × {} = {} threads", block[0], block[1], block[2], format_count(threads))
}

pub(super) fn waited(time: &str) -> String {
    format!("It waited {time} from its call to its start.")
}

pub(super) const DID_NOT_WAIT: &str = "It started with its call.";
pub(super) const WAIT_UNKNOWN: &str = "Its call is not in the file, so its wait is not known.";

// What if.

pub(super) const CANNOT_RUN: &str = "The simulator can try changes for operations whose calls are recorded. This one's is not, or what ran around \
                                     it cannot be made a scenario.";

pub(super) fn prediction(measured: &str, predicted: &str, operations: usize) -> String {
    format!(
        "Measured: it started {measured} after its call. The simulator runs {} around it and predicts {predicted}.",
        if operations == 1 { "this operation".to_owned() } else { format!("the {} operations", format_count(operations as u64)) }
    )
}

pub(super) fn too_late(by: &str) -> String {
    format!("So its prediction is {by} too late. Trust the gains below no further than that.")
}

pub(super) fn too_early(by: &str) -> String {
    format!("So its prediction is {by} too early, launch latency included. Trust the gains below no further than that.")
}

pub(super) fn sooner(by: &str, is_same: bool) -> String {
    if is_same { "no difference".to_owned() } else { format!("{by} sooner") }
}

pub(super) fn later(by: &str) -> String {
    format!("{by} later")
}

pub(super) fn change(change: Change, name: &dyn Fn(u32) -> String) -> String {
    match change {
        Change::HighPriority => "Its stream has high priority.".to_owned(),
        Change::OwnStream => "It has a stream of its own.".to_owned(),
        Change::NonBlocking => "Its stream is non-blocking.".to_owned(),
        Change::NoEvent => "It waits for no event.".to_owned(),
        Change::Connections => format!("CUDA_DEVICE_MAX_CONNECTIONS is {MAX_CONNECTIONS}."),
        Change::Split(by) => format!("{} is launched as two kernels of half as many blocks, the second after this operation.", name(by)),
        Change::HalfGrid(by) => format!("{} has half as many blocks, and each takes twice as long.", name(by)),
        Change::Earlier(by) => format!("It is launched just before {}.", name(by)),
    }
}
