//! Which fields an examiner config or log may have, and which of them say what runs or ran.
//!
//! Depends on `json` and `read`. Invariant: a field given twice is refused, unless it is a comment.

use std::borrow::Cow;

use crate::format::error::{Path, shorten};
use crate::format::json::{Kind, Node};
use crate::format::read::Reader;

/// The fields of one kind of object.
pub(super) struct Known {
    /// Say what runs.
    used: &'static [&'static str],
    /// Say where it runs, or what is logged, which a simulation has no use for.
    unused: &'static [&'static str],
}

/// A whole config.
pub(super) const SETTINGS: Known = Known {
    used: &["name", "max_iterations", "max_time", "use_processes", "benchmarks"],
    unused: &["cuda_device", "base_result_directory", "pin_cpus", "sync_every_iteration", "do_warmup", "omit_block_times"],
};

/// A benchmark.
pub(super) const BENCHMARK: Known = Known {
    used: &[
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
    ],
    unused: &["data_size", "cpu_core", "mps_thread_percentage"],
};

/// A kernel of `multikernel.so`, and what the spinning programs take.
pub(super) const KERNEL: Known = Known {
    used: &["kernel_label", "duration", "block_count", "thread_count", "shared_memory_size", "copy_in_count", "copy_out_count", "delay"],
    unused: &[],
};

/// A log of a run.
pub(super) const LOG: Known = Known {
    used: &[
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
        "times",
    ],
    unused: &[],
};

/// An entry of a log's `times`.
pub(super) const TIMES: Known = Known {
    used: &[
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
    ],
    unused: &[],
};

/// The used fields of an object.
pub(super) struct Fields<'d>(Vec<(&'static str, Node<'d>)>);

impl<'d> Fields<'d> {
    /// The used fields, and the names of those that are not known.
    pub(super) fn read(reader: &mut Reader, node: Node<'d>, path: &Path<'_>, known: &Known) -> (Self, Vec<Cow<'d, str>>) {
        let mut fields: Vec<(&'static str, Node<'d>)> = Vec::new();
        let mut strange = Vec::new();
        if node.kind() != Kind::Object {
            reader.expected(node, path, "an object");
        }
        for (key, value) in node.fields() {
            let name = key.text();
            if let Some(used) = known.used.iter().find(|k| **k == name) {
                if fields.iter().any(|(seen, _)| seen == used) {
                    reader.problem(key, &path.field(&name), || "is given more than once".to_owned());
                } else {
                    fields.push((used, value));
                }
            } else if name != "comment" && !known.unused.iter().any(|k| *k == name) {
                strange.push(Cow::Owned(shorten(&name)));
            }
        }
        (Self(fields), strange)
    }

    pub(super) fn get(&self, name: &str) -> Option<Node<'d>> {
        self.0.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}
