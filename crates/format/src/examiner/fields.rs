//! Which fields an examiner config or log may have, and which of them say what runs or ran.
//!
//! Depends on `json` and `read`. Invariant: a field given twice is refused, unless it is a comment.

use std::borrow::Cow;
use std::cell::Cell;

use crate::error::{Path, shorten};
use crate::json::{JsonKind, Node};
use crate::read::Reader;

/// The fields of one kind of object. Those of a config that nobody asks for are named in a note.
pub(super) struct Known(&'static [&'static str]);

/// A whole config. Two older configs call `sync_every_iteration` `resync_iterations`.
pub(super) const SETTINGS: Known = Known(&[
    "name",
    "max_iterations",
    "max_time",
    "use_processes",
    "benchmarks",
    "cuda_device",
    "base_result_directory",
    "pin_cpus",
    "sync_every_iteration",
    "resync_iterations",
    "do_warmup",
    "omit_block_times",
]);

/// A benchmark.
pub(super) const BENCHMARK: Known = Known(&[
    "filename",
    "label",
    "thread_count",
    "block_count",
    "additional_info",
    "max_iterations",
    "max_time",
    "release_time",
    "stream_priority",
    "log_name",
    "data_size",
    "cpu_core",
    "mps_thread_percentage",
    "sm_mask",
    "terminator",
]);

/// A kernel of `multikernel.so`, and what the spinning programs take.
pub(super) const KERNEL: Known = Known(&[
    "kernel_label",
    "duration",
    "block_count",
    "thread_count",
    "shared_memory_size",
    "copy_in_count",
    "copy_out_count",
    "delay",
    "sm_mask",
]);

/// What `stream_action.so` takes.
pub(super) const ACTIONS: Known = Known(&["actions", "use_null_stream"]);

/// One of its actions.
pub(super) const ACTION: Known = Known(&["type", "label", "delay", "parameters"]);

/// What an action is told, of whatever type it is.
pub(super) const PARAMETERS: Known =
    Known(&["type", "duration", "shared_memory_size", "block_count", "thread_count", "size", "host", "async", "direction", "device"]);

/// A log of a run.
pub(super) const LOG: Known = Known(&[
    "scenario_name",
    "benchmark_name",
    "label",
    "thread_count",
    "block_count",
    "max_resident_threads",
    "data_size",
    "release_time",
    "PID",
    "TID",
    "blockstep",
    "times",
]);

/// What of a log's `blockstep` is used.
pub(super) const MEASURED_ON: Known = Known(&["gpu"]);

/// An entry of a log's `times`.
pub(super) const TIMES: Known = Known(&[
    "kernel_name",
    "block_count",
    "thread_count",
    "shared_memory",
    "cuda_launch_times",
    "block_times",
    "block_smids",
    "copy_in_times",
    "execute_times",
    "copy_out_times",
    "cpu_times",
]);

/// A known field: its name, what it holds, and whether somebody asked for it.
type Field<'d> = (&'static str, Node<'d>, Cell<bool>);

/// The known fields of an object.
pub(super) struct Fields<'d>(Vec<Field<'d>>);

impl<'d> Fields<'d> {
    /// The known fields, and the names of the others. Comments are neither.
    pub(super) fn read(reader: &mut Reader, node: Node<'d>, path: &Path<'_>, known: &Known) -> (Self, Vec<Cow<'d, str>>) {
        let mut fields: Vec<Field<'d>> = Vec::new();
        let mut strange = Vec::new();
        if node.kind() != JsonKind::Object {
            reader.expected(node, path, "an object");
        }
        for (key, value) in node.fields() {
            let name = key.text();
            if let Some(known) = known.0.iter().find(|k| **k == name) {
                if fields.iter().any(|(seen, ..)| seen == known) {
                    reader.problem(key, &path.field(&name), || "is given more than once".to_owned());
                } else {
                    fields.push((known, value, Cell::new(false)));
                }
            } else if name != "comment" {
                strange.push(Cow::Owned(shorten(&name)));
            }
        }
        (Self(fields), strange)
    }

    /// A field, which counts as used from now on.
    pub(super) fn get(&self, name: &str) -> Option<Node<'d>> {
        let (_, value, is_used) = self.0.iter().find(|(known, ..)| *known == name)?;
        is_used.set(true);
        Some(*value)
    }

    /// Those that nobody asked for.
    pub(super) fn unused(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|(_, _, is_used)| !is_used.get()).map(|&(name, ..)| name)
    }
}
