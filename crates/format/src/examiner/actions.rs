//! What `stream_action.so` does: calls of CUDA, one after the other, from one CPU thread.
//!
//! Depends on `json` and `scenario`. Invariant: what has no place in a kernel table is left out and named.
//! Source: the examiner's `stream_action.cu`: an action's delay is slept before it, whatever the GPU does
//! meanwhile, and only `synchronize` waits for the stream.

use super::fields::{ACTION, ACTIONS, Fields, PARAMETERS};
use super::programs::Program;
use super::{Benchmark, Import};
use crate::error::Path;
use crate::json::{JsonKind, Node};
use blockstep_sim::scenario::BlockTimes;

/// Whether its stream is the NULL stream.
pub(super) fn is_on_null(benchmark: &Fields<'_>) -> bool {
    let info = benchmark.get("additional_info");
    info.and_then(|info| info.get("use_null_stream")).is_some_and(|value| value.kind() == JsonKind::Bool && value.raw() == "true")
}

/// Where the CPU thread is.
#[derive(Default)]
struct Thread {
    /// The kernel whose end it has waited for last, if any.
    after: Option<String>,
    /// How long it has slept since that, or since its release.
    slept_ns: u64,
    /// The kernel launched last.
    previous: Option<String>,
    /// Bytes of a copy to the device that the next action may take as its input.
    input: Option<u64>,
    /// Whether the last action was a kernel's launch, so that a copy may be its output.
    has_launched: bool,
}

impl Import<'_> {
    /// The kernels that a list of actions launches.
    pub(super) fn actions(&mut self, info: Node<'_>, path: &Path<'_>, benchmark: &Benchmark<'_>) {
        let fields = self.fields(info, path, &ACTIONS);
        let _ = self.flag(&fields, path, "use_null_stream");
        let at = path.field("actions");
        let Some(list) = fields.get("actions") else {
            if info.kind() == JsonKind::Object {
                self.reader.problem(info, &at, || "is missing; a list of actions is required".to_owned());
            }
            return;
        };
        if list.kind() != JsonKind::List {
            self.reader.expected(list, &at, "a list of actions");
        }
        let mut thread = Thread::default();
        for (i, node) in list.items().enumerate() {
            self.action(node, &at.item(i), benchmark, &mut thread);
        }
        if let Some(bytes) = thread.input {
            self.left_out(&at, bytes);
        }
    }

    fn action(&mut self, node: Node<'_>, path: &Path<'_>, benchmark: &Benchmark<'_>, thread: &mut Thread) {
        let fields = self.fields(node, path, &ACTION);
        let Some(kind) = fields.get("type") else {
            if node.kind() == JsonKind::Object {
                self.reader.problem(node, &path.field("type"), || "is missing; it is required".to_owned());
            }
            return;
        };
        let delay = fields.get("delay").map_or(0, |value| self.seconds(value, &path.field("delay")));
        if delay > 0 {
            if let Some(bytes) = thread.input.take() {
                self.left_out(path, bytes);
            }
            thread.has_launched = false;
        }
        thread.slept_ns = thread.slept_ns.checked_add(delay).unwrap_or_else(|| {
            self.reader.problem(node, &path.field("delay"), || format!("with those before is beyond {} ns, the limit", u64::MAX));
            0
        });
        let at = path.field("parameters");
        // A list of fields without any, where there are none.
        let told = fields.get("parameters").map(|told| (told, self.fields(told, &at, &PARAMETERS)));
        let was_launch = std::mem::take(&mut thread.has_launched);
        match (&*kind.text(), &told) {
            ("kernel", Some((told, parameters))) => {
                let label = fields.get("label").map(|value| self.reader.text(value, &path.field("label")));
                self.launch((*told, parameters), &at, label.as_deref(), benchmark, thread);
            }
            ("memcpy", Some((told, parameters))) => self.copy((*told, parameters), &at, was_launch, thread),
            ("kernel" | "memcpy" | "memset" | "malloc", None) => {
                self.reader.problem(node, &at, || "is missing; it is required".to_owned());
            }
            (call @ ("memset" | "malloc" | "free"), _) => {
                self.note(path, &format!("{call} is left out: a kernel table has only kernels and their copies"));
            }
            ("synchronize", told) => {
                let whole = told.as_ref().is_some_and(|(_, parameters)| self.flag(parameters, &at, "device"));
                if whole {
                    self.note(path, "waits here for its own stream, not for the whole device");
                }
                thread.wait();
            }
            _ => self.reader.expected(kind, &path.field("type"), "kernel, malloc, free, memset, memcpy or synchronize"),
        }
        if let Some((_, parameters)) = &told {
            self.leave(parameters, "an action");
        }
        self.leave(&fields, "an action");
    }

    fn launch(
        &mut self,
        (told, parameters): (Node<'_>, &Fields<'_>),
        path: &Path<'_>,
        label: Option<&str>,
        benchmark: &Benchmark<'_>,
        thread: &mut Thread,
    ) {
        let mut row = self.row(label.filter(|label| !label.trim().is_empty()).unwrap_or(&benchmark.label), benchmark);
        row.after.clone_from(&thread.after);
        row.start_ns = thread.slept_ns;
        let (whole, own) = (&Path::Root, &benchmark.fields);
        let mut count = |name: &'static str| match parameters.get(name) {
            Some(_) => self.count(told, parameters, path, name),
            None => self.count(told, own, whole, name),
        };
        (row.blocks, row.threads_per_block) = (count("block_count"), count("thread_count"));
        row.shared_memory_bytes = self.integers(parameters, path, "shared_memory_size");
        let time = self.duration(told, parameters, path);
        let counts = match parameters.get("type") {
            None => false,
            Some(kind) => match &*kind.text() {
                "timer_spin" => false,
                "counter_spin" => true,
                _ => {
                    self.reader.expected(kind, &path.field("type"), "timer_spin or counter_spin");
                    false
                }
            },
        };
        let time = if counts { self.assumed_duration(told, path, Program::Actions, &benchmark.name) } else { time };
        row.block_time_ns = BlockTimes::Each(time);
        row.copy_in_bytes = thread.input.take().unwrap_or(0);
        (thread.previous, thread.has_launched) = (Some(row.name.clone()), true);
        self.push(row, path);
    }

    /// A copy right before a kernel is its input, one right after it its output.
    fn copy(&mut self, (told, parameters): (Node<'_>, &Fields<'_>), path: &Path<'_>, was_launch: bool, thread: &mut Thread) {
        let bytes = match parameters.get("size") {
            Some(value) => self.whole(value, &path.field("size")),
            None => {
                self.reader.problem(told, &path.field("size"), || "is missing; it is required".to_owned());
                0
            }
        };
        let waits = parameters.get("async").is_some_and(|value| !self.reader.truth(value, &path.field("async")));
        let direction = parameters.get("direction");
        let word = direction.map(|value| value.text().into_owned()).unwrap_or_default();
        let row = self.draft.kernels.last_mut().filter(|_| was_launch);
        match (&*word, row) {
            ("hostToDevice", _) if !waits => {
                if let Some(other) = thread.input.replace(bytes) {
                    self.left_out(path, other);
                }
            }
            ("deviceToHost", Some(row)) if !waits => row.copy_out_bytes = bytes,
            ("hostToDevice" | "deviceToHost" | "deviceToDevice", _) => self.left_out(path, bytes),
            _ => {
                let (value, at) = (direction.unwrap_or(told), path.field("direction"));
                self.reader.expected(value, &at, "hostToDevice, deviceToHost or deviceToDevice");
            }
        }
        if waits {
            thread.wait();
        }
    }

    fn left_out(&mut self, path: &Path<'_>, bytes: u64) {
        let message = format!(
            "a copy of {bytes} bytes is left out: a kernel table has asynchronous copies to the device right before a kernel and back right after it"
        );
        self.note(path, &message);
    }
}

impl Thread {
    /// Waits for all that it has launched.
    fn wait(&mut self) {
        if self.previous.is_some() {
            self.after.clone_from(&self.previous);
            self.slept_ns = 0;
        }
    }
}
