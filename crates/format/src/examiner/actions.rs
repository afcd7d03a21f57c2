//! What `stream_action.so` does: calls of CUDA, one after the other, from one CPU thread.
//!
//! Depends on `json` and `scenario`. Invariant: an action is a row, or a copy of the kernel's row beside it, or a note says why not.
//! Source: the examiner's `stream_action.cu`: an action's delay is slept before it, whatever the GPU does
//! meanwhile, and what is not `async` is a call on the NULL stream.

use std::fmt::Display;

use super::fields::{ACTION, ACTIONS, Fields, PARAMETERS};
use super::programs::Program;
use super::{Benchmark, Import};
use crate::error::Path;
use crate::json::{JsonKind, Node};
use blockstep_sim::scenario::{BlockTimes, Call, KernelDraft, NULL_STREAM};

/// Whether its stream is the NULL stream.
pub(super) fn is_on_null(benchmark: &Fields<'_>) -> bool {
    let info = benchmark.get("additional_info");
    info.and_then(|info| info.get("use_null_stream")).is_some_and(|value| value.kind() == JsonKind::Bool && value.raw() == "true")
}

/// Where the CPU thread is.
#[derive(Default)]
struct Thread {
    /// The row whose completion it has waited for last, if any.
    after: Option<String>,
    /// How long it has slept since that, or since its release.
    slept_ns: u64,
    /// The row of the operation that it issued last without waiting for it.
    previous: Option<String>,
    /// A copy to the device that a kernel right behind it takes as its input.
    input: Option<Input>,
    /// Whether the last action was a kernel's launch, so that a copy may be its output.
    has_launched: bool,
}

struct Input {
    name: String,
    bytes: u64,
    origin: String,
}

impl Import<'_> {
    /// The calls of a list of actions.
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
        self.copy_alone(benchmark, &mut thread);
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
        let kind_name = kind.text();
        if delay > 0 || kind_name != "kernel" {
            self.copy_alone(benchmark, thread);
        }
        if delay > 0 {
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
        let label = fields.get("label").map(|value| self.reader.text(value, &path.field("label"))).filter(|label| !label.trim().is_empty());
        let name = label.as_deref();
        match (&*kind_name, &told) {
            ("kernel", Some((told, parameters))) => {
                self.launch((*told, parameters), &at, name.unwrap_or(&benchmark.label), benchmark, thread);
            }
            ("memcpy", Some((told, parameters))) => {
                self.copy((*told, parameters), (path, &at), name.unwrap_or("memcpy"), was_launch, benchmark, thread);
            }
            ("memset", Some((told, parameters))) => {
                let bytes = self.size(*told, parameters, &at);
                let is_async = self.is_async(parameters, &at);
                let row = self.call(Call::Memset, name.unwrap_or("memset"), benchmark, thread);
                self.operation(KernelDraft { bytes, ..row }, is_async, path, thread);
            }
            ("kernel" | "memcpy" | "memset" | "malloc", None) => {
                self.reader.problem(node, &at, || "is missing; it is required".to_owned());
            }
            ("malloc", _) => self.wait(Call::Allocate, name.unwrap_or("malloc"), path, benchmark, thread),
            ("free", told) => {
                if told.as_ref().is_some_and(|(_, parameters)| self.flag(parameters, &at, "host")) {
                    self.note(path, "frees memory of the host; that waits here like cudaFree");
                }
                self.wait(Call::Free, name.unwrap_or("free"), path, benchmark, thread);
            }
            ("synchronize", told) => {
                let whole = told.as_ref().is_some_and(|(_, parameters)| self.flag(parameters, &at, "device"));
                if whole {
                    self.wait(Call::SynchronizeDevice, name.unwrap_or("synchronize"), path, benchmark, thread);
                } else if !benchmark.is_together {
                    self.wait(Call::SynchronizeStream, name.unwrap_or("synchronize"), path, benchmark, thread);
                } else if thread.previous.is_some() {
                    thread.after.clone_from(&thread.previous);
                    thread.slept_ns = 0;
                }
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
        name: &str,
        benchmark: &Benchmark<'_>,
        thread: &mut Thread,
    ) {
        let mut row = self.call(Call::Kernel, name, benchmark, thread);
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
        row.copy_in_bytes = thread.input.take().map_or(0, |input| input.bytes);
        (thread.previous, thread.has_launched) = (Some(row.name.clone()), true);
        self.push(row, path);
    }

    /// A copy right before a kernel is its input, one right after it its output; any other is a row of its own.
    fn copy(
        &mut self,
        (told, parameters): (Node<'_>, &Fields<'_>),
        (path, at): (&Path<'_>, &Path<'_>),
        name: &str,
        was_launch: bool,
        benchmark: &Benchmark<'_>,
        thread: &mut Thread,
    ) {
        let bytes = self.size(told, parameters, at);
        let is_async = self.is_async(parameters, at);
        let direction = parameters.get("direction");
        let word = direction.map(|value| value.text().into_owned()).unwrap_or_default();
        let launched = self.draft.kernels.last_mut().filter(|_| was_launch && is_async);
        let call = match (&*word, launched) {
            ("hostToDevice", _) if is_async => {
                thread.input = Some(Input { name: name.to_owned(), bytes, origin: path.to_string() });
                return;
            }
            ("deviceToHost", Some(row)) => {
                row.copy_out_bytes = bytes;
                return;
            }
            ("hostToDevice", _) => Call::CopyToDevice,
            ("deviceToHost", None) => Call::CopyToHost,
            ("deviceToDevice", _) => Call::CopyOnDevice,
            _ => {
                let (value, at) = (direction.unwrap_or(told), at.field("direction"));
                return self.reader.expected(value, &at, "hostToDevice, deviceToHost or deviceToDevice");
            }
        };
        let row = self.call(call, name, benchmark, thread);
        self.operation(KernelDraft { bytes, ..row }, is_async, path, thread);
    }

    /// A copy to the device that no kernel takes as its input.
    fn copy_alone(&mut self, benchmark: &Benchmark<'_>, thread: &mut Thread) {
        let Some(Input { name, bytes, origin }) = thread.input.take() else { return };
        let row = self.call(Call::CopyToDevice, &name, benchmark, thread);
        self.operation(KernelDraft { bytes, ..row }, true, &origin, thread);
    }

    /// The row of a call that the thread makes now.
    fn call(&mut self, call: Call, name: &str, benchmark: &Benchmark<'_>, thread: &Thread) -> KernelDraft {
        KernelDraft { call, after: thread.after.clone(), start_ns: thread.slept_ns, ..self.row(name, benchmark) }
    }

    /// A copy or memset that is a row of its own.
    fn operation(&mut self, mut row: KernelDraft, is_async: bool, origin: &dyn Display, thread: &mut Thread) {
        if row.bytes == 0 {
            return self.note(origin, "is left out: its size is 0");
        }
        if is_async {
            thread.previous = Some(row.name.clone());
        } else {
            row.synchronous = true;
            NULL_STREAM.clone_into(&mut row.stream);
            thread.wait_for(&row);
        }
        self.push(row, origin);
    }

    /// A call that waits and does nothing on the GPU.
    fn wait(&mut self, call: Call, name: &str, path: &Path<'_>, benchmark: &Benchmark<'_>, thread: &mut Thread) {
        let row = self.call(call, name, benchmark, thread);
        thread.wait_for(&row);
        self.push(row, path);
    }

    fn size(&mut self, told: Node<'_>, parameters: &Fields<'_>, path: &Path<'_>) -> u64 {
        match parameters.get("size") {
            Some(value) => self.whole(value, &path.field("size")),
            None => {
                self.reader.problem(told, &path.field("size"), || "is missing; it is required".to_owned());
                0
            }
        }
    }

    fn is_async(&mut self, parameters: &Fields<'_>, path: &Path<'_>) -> bool {
        parameters.get("async").is_none_or(|value| self.reader.truth(value, &path.field("async")))
    }
}

impl Thread {
    /// Goes on when a row is complete.
    fn wait_for(&mut self, row: &KernelDraft) {
        self.after = Some(row.name.clone());
        self.slept_ns = 0;
    }
}
