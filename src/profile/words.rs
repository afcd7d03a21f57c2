//! What is said of a wait: labels of causes, sentences, and what would shorten it or tell more.
//!
//! Depends on the recording and its analysis. Invariant: a sentence names what it speaks of and how sure it is.

use super::causes::{Cause, Certainty, Part};
use super::{Flaw, Kind, Operation, Recording};
use crate::units::Span;

/// A cause in a few words.
#[must_use]
pub const fn label(cause: Cause) -> &'static str {
    match cause {
        Cause::Launch => "Launch only",
        Cause::Call => "Long call",
        Cause::StreamOrder => "Stream order",
        Cause::Event => "Event",
        Cause::NullBarrier => "NULL stream",
        Cause::ImplicitSync => "Implicit synchronization",
        Cause::Connection => "Shared hardware queue",
        Cause::NoRoom => "No room on the SMs",
        Cause::BehindHead => "Behind a kernel without room",
        Cause::CopyEngine => "Copy engine busy",
        Cause::FirstUse => "First use of the kernel",
        Cause::QueueFull => "Launch queue full",
        Cause::OtherProcess => "Another process",
        Cause::Overlap => "Overlap in the stream",
        Cause::CannotTell => "Cannot tell",
    }
}

/// A cause as files have it.
#[must_use]
pub const fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Launch => "launch",
        Cause::Call => "call",
        Cause::StreamOrder => "stream-order",
        Cause::Event => "event",
        Cause::NullBarrier => "null-stream",
        Cause::ImplicitSync => "implicit-sync",
        Cause::Connection => "connection",
        Cause::NoRoom => "no-room",
        Cause::BehindHead => "behind-head",
        Cause::CopyEngine => "copy-engine",
        Cause::FirstUse => "first-use",
        Cause::QueueFull => "launch-queue",
        Cause::OtherProcess => "other-process",
        Cause::Overlap => "overlap",
        Cause::CannotTell => "cannot-tell",
    }
}

/// How sure a cause is, in a word.
#[must_use]
pub const fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Consistent => "consistent",
        Certainty::Unknown => "unknown",
    }
}

/// The rule behind a cause, a sentence.
#[must_use]
pub const fn rule(cause: Cause) -> &'static str {
    match cause {
        Cause::Launch => "A launch takes a few microseconds from the call to the start. If the GPU was idle before, the host called late.",
        Cause::Call => "The operation reaches the GPU when the host's call hands it over.",
        Cause::StreamOrder => "Operations of a stream run one after another, in the order of their calls.",
        Cause::Event => {
            "After cudaStreamWaitEvent, what is called later in the stream waits until the work before the event has completed."
        }
        Cause::NullBarrier => {
            "An operation of the NULL stream waits for all earlier work of the blocking streams. Their later work waits for it."
        }
        Cause::ImplicitSync => {
            "cudaMalloc, cudaFree and cudaHostAlloc may wait for all work of the device, and hold back what is called later."
        }
        Cause::Connection => {
            "Streams share a few hardware queues. What stands behind another stream's operation in such a queue waits for it."
        }
        Cause::NoRoom => "A thread block starts when an SM has a free block slot and enough threads, registers and shared memory.",
        Cause::BehindHead => "Kernels get room in the order of their launches. One that waits for room holds back those behind it.",
        Cause::CopyEngine => "A copy engine runs one copy at a time, in the order of the calls.",
        Cause::FirstUse => "A kernel's code is loaded when the kernel is launched for the first time (lazy loading).",
        Cause::QueueFull => "The driver's queue holds about 1,000 launches. When it is full, the call waits.",
        Cause::OtherProcess => "Without MPS, kernels of two processes never run together: the GPU switches between them by time slices.",
        Cause::Overlap => "Programmatic dependent launch (compute capability 9.0) lets a kernel begin before the one before it ends.",
        Cause::CannotTell => "None of the rules explains this part with what the file records.",
    }
}

/// The one change that a cause suggests; `None` where there is nothing to change.
#[must_use]
pub const fn suggestion(cause: Cause) -> Option<&'static str> {
    Some(match cause {
        Cause::Launch | Cause::Overlap => return None,
        Cause::Call => "Copy from pinned memory, or look at what else the host does in this call.",
        Cause::StreamOrder => "If it does not need the result of the operation before it, launch it in another stream.",
        Cause::Event => "Record the event earlier, or wait for it later.",
        Cause::NullBarrier => "Create the streams with cudaStreamNonBlocking, or keep work out of the NULL stream.",
        Cause::ImplicitSync => "Allocate before the work begins, or use cudaMallocAsync and cudaFreeAsync.",
        Cause::Connection => "Raise CUDA_DEVICE_MAX_CONNECTIONS (up to 32), or use fewer streams.",
        Cause::NoRoom => "Give the kernels before it smaller grids, or give its stream a higher priority.",
        Cause::BehindHead => "Launch it before the kernel that waits for room, or give its stream a higher priority.",
        Cause::CopyEngine => "Copy less, or copy earlier while the engine is idle.",
        Cause::FirstUse => "Launch the kernel once beforehand, or set CUDA_MODULE_LOADING=EAGER.",
        Cause::QueueFull => "Launch fewer operations ahead, for example as a CUDA graph.",
        Cause::OtherProcess => "Run both programs under MPS, or in one process.",
        Cause::CannotTell => "Record more, so that the cause can be found.",
    })
}

/// What of an operation's wait a part says, a sentence.
#[must_use]
pub fn sentence(recording: &Recording, part: &Part, time: &dyn Fn(Span) -> String) -> String {
    let by = part.by.map(|by| &recording.operations[by as usize]);
    let span = time(part.span());
    let who = by.map_or_else(|| "another operation".to_owned(), |by| named(recording, by));
    match part.cause {
        Cause::Launch => format!("{span} from the call to the GPU: nothing else was in its way."),
        Cause::Call => format!("{span} in which the host's call was not over yet."),
        Cause::StreamOrder => format!("{span} behind {who}, which is before it in the same stream."),
        Cause::Event => format!("{span} for an event after {who}."),
        Cause::NullBarrier => format!("{span} for {who}: the NULL stream and blocking streams wait for each other."),
        Cause::ImplicitSync => format!("{span} for {who}: memory was allocated or freed between their calls."),
        Cause::Connection => format!("{span} behind {who} in a hardware queue that their streams share."),
        Cause::NoRoom => format!("{span} without room for a block while {who} ran."),
        Cause::BehindHead => format!("{span} behind {who}, which waited for room itself."),
        Cause::CopyEngine => format!("{span} for the copy engine, which ran {who}."),
        Cause::FirstUse => format!("{span} until the kernel's code was loaded."),
        Cause::QueueFull => format!("{span} because the queue of launches was full."),
        Cause::OtherProcess => format!("{span} while the GPU ran {who} of another process."),
        Cause::Overlap => format!("{span} beside {who}, which is before it in the same stream and had not ended."),
        Cause::CannotTell => format!("{span} that nothing in the file explains."),
    }
}

/// An operation with its stream.
#[must_use]
pub fn named(recording: &Recording, operation: &Operation) -> String {
    format!("{} (stream {})", short_name(recording.name(operation)), recording.stream(operation).id)
}

/// A kernel's name without its parameters, template arguments and namespaces, at most 60 characters.
#[must_use]
pub fn short_name(name: &str) -> String {
    let name = name.strip_prefix("void ").unwrap_or(name);
    let (mut depth, mut outer) = (0_usize, String::new());
    for c in name.replace("(anonymous namespace)::", "").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 && !outer.is_empty() => break,
            _ if depth == 0 => outer.push(c),
            _ => {}
        }
    }
    let last = outer.rsplit("::").next().unwrap_or(&outer).trim();
    let last = if last.is_empty() { name } else { last };
    if last.chars().count() > 60 { last.chars().take(59).chain(['…']).collect() } else { last.to_owned() }
}

/// What should be recorded so that waits which cannot be told can be; sentences.
#[must_use]
pub fn to_record(recording: &Recording) -> Vec<&'static str> {
    let mut all = Vec::new();
    let kernels = || recording.operations.iter().filter(|operation| operation.kind == Kind::Kernel);
    if recording.flaws.iter().any(|flaw| matches!(flaw, Flaw::WithoutCall(_))) {
        all.push("Record the host's calls too (CPU and CUDA activities; nsys: -t cuda): operations without a call have no wait.");
    }
    if !recording.has_event_waits {
        all.push(
            "Record synchronizations: enable_cuda_sync_events=True in PyTorch's experimental_config, or nsys --cuda-event-trace=true.",
        );
    }
    if recording.devices.iter().any(|device| device.limits.is_none() || device.sms.is_none()) {
        all.push("Say which GPU it is: the file does not record what its SMs hold, so that room cannot be judged.");
    }
    if kernels().any(|kernel| kernel.launch.is_none()) {
        all.push("Record grids and blocks; kernels of a graph have them with nsys --cuda-graph-trace=node.");
    }
    if recording.streams.len() > 1 && kernels().all(|kernel| kernel.channel.is_none()) {
        all.push("Write down CUDA_DEVICE_MAX_CONNECTIONS: the file does not say which streams share a hardware queue.");
    }
    if recording.streams.iter().any(|stream| !stream.is_kind_recorded) {
        all.push("Use nsys to learn which streams are non-blocking: this file does not say.");
    }
    all
}

/// What is wrong with a file, a sentence.
#[must_use]
pub fn flaw(flaw: Flaw) -> String {
    match flaw {
        Flaw::WithoutCall(n) => format!("Operations without a call in the file: {n}. Their waits are not known."),
        Flaw::BeforeCall(n) => format!("Operations that start before their call: {n}. The clocks of host and device differ there."),
        Flaw::WithoutTime(n) => format!("Events left out because their time is missing or impossible: {n}."),
        Flaw::Microseconds => "Times are whole microseconds. Shorter waits cannot be told apart.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_are_short() {
        let long = "void at::native::vectorized_elementwise_kernel<4, at::native::copy(at::Tensor&)::{lambda(float)#1}>(int, std::array<char*, 2ul>)";
        assert_eq!(short_name(long), "vectorized_elementwise_kernel");
        assert_eq!(short_name("void at::native::(anonymous namespace)::CatArrayBatchedCopy<int>(int*)"), "CatArrayBatchedCopy");
        assert_eq!(short_name("Memcpy DtoH (Device -> Pinned)"), "Memcpy DtoH");
        assert_eq!(short_name("K1"), "K1");
    }
}
