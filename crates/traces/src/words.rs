//! What is said of a wait: labels of causes, sentences, and what would shorten it or tell more.
//!
//! Invariant: a sentence names what it speaks of and how sure it is.

use super::both::{CallAndWork, call_and_work};
use super::causes::{Cause, Lack, WaitPart};
use super::chain::{ChainLink, Root};
use super::made::{LeftOut, MOST};
use super::ruled_out::Proof;
pub use blockstep_traces_messages::certainty;

use super::{Flaw, Operation, OperationKind, ProfilerSource, Recording};
use blockstep_sim::occupancy::NAMES;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_count;

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
        Cause::GraphOrder => "Order of the graph",
        Cause::CannotTell => "Cannot tell",
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
            "Streams share a few hardware queues. An operation behind that of another stream in such a queue waits for it."
        }
        Cause::NoRoom => "A thread block starts when an SM has a free block slot and enough threads, registers and shared memory.",
        Cause::BehindHead => "Kernels get room in the order of their launches. One that waits for room holds back those behind it.",
        Cause::CopyEngine => "A copy engine runs one copy at a time, in the order of the calls.",
        Cause::FirstUse => "A kernel's code is loaded when the kernel is launched for the first time (lazy loading).",
        Cause::QueueFull => "The driver's queue holds about 1,000 launches. When it is full, the call waits.",
        Cause::OtherProcess => "Without MPS, kernels of two processes never run together: the GPU switches between them by time slices.",
        Cause::Overlap => "Programmatic dependent launch (compute capability 9.0) lets a kernel begin before the one before it ends.",
        Cause::GraphOrder => "A node of a graph starts when the nodes that it depends on have completed.",
        Cause::CannotTell => "None of the rules explains this part with what the file records.",
    }
}

/// Says in a sentence what a part explains of an operation's wait.
#[must_use]
pub fn sentence(recording: &Recording, part: &WaitPart, time: &dyn Fn(Span) -> String) -> String {
    let by = part.by.map(|by| &recording.operations[by as usize]);
    let span = time(part.span());
    let who = by.map_or_else(|| "another operation".to_owned(), |by| named(recording, by));
    match part.cause {
        Cause::Launch => format!("{span} from the call to the GPU: nothing else was in its way."),
        Cause::Call => format!("{span} in which the host's call was not over yet."),
        Cause::StreamOrder => {
            let worked = by.map_or(part.span(), |by| worked(recording, by, part));
            let idle = if worked.ns() < part.span().ns() / 10 * 9 {
                format!(" The stream worked for {} of that.", time(worked))
            } else {
                String::new()
            };
            format!("{span} behind {who}, which is before it in the same stream.{idle}")
        }
        Cause::Event => format!("{span} for an event after {who}."),
        Cause::NullBarrier => format!("{span} for {who}: the NULL stream and blocking streams wait for each other."),
        Cause::ImplicitSync if by.is_none() => format!("{span} while another thread allocated or freed memory."),
        Cause::ImplicitSync => format!("{span} for {who}: memory was allocated or freed between their calls."),
        Cause::Connection => format!("{span} behind {who} in a hardware queue that their streams share."),
        Cause::NoRoom => format!("{span} without room for a block while {who} ran{}.", part.lack.map(lacked).unwrap_or_default()),
        Cause::BehindHead => format!("{span} behind {who}, which waited for room itself."),
        Cause::CopyEngine if by.is_some_and(|by| by.start > part.from) => {
            format!("{span} for the copy engine, which ran one copy after another, the last of them {who}.")
        }
        Cause::CopyEngine => format!("{span} for the copy engine, which ran {who}."),
        Cause::FirstUse => format!("{span} until the kernel's code was loaded."),
        Cause::QueueFull => format!("{span} because the queue of launches was full."),
        Cause::OtherProcess => format!("{span} while the GPU ran {who} of another process."),
        Cause::Overlap => format!("{span} beside {who}, which is before it in the same stream and had not ended."),
        Cause::GraphOrder => format!("{span} behind {who}, a node of the same graph."),
        Cause::CannotTell => format!("{span} that nothing in the file explains."),
    }
}

/// How long operations of a stream up to one of them ran during a part of a wait.
fn worked(recording: &Recording, upto: &Operation, part: &WaitPart) -> Span {
    let mut sum = 0_u64;
    let mut to = part.to.min(upto.end);
    for &place in recording.stream(upto).operations.iter().rev() {
        let operation = &recording.operations[place as usize];
        if operation.start >= to {
            continue;
        }
        if operation.end <= part.from {
            break;
        }
        sum += to.min(operation.end).since(operation.start.max(part.from)).ns();
        to = operation.start;
    }
    Span(sum)
}

/// What was missing, within a sentence.
fn lacked(lack: Lack) -> String {
    let (needed, free) = (format_count(lack.needed), format_count(lack.free));
    let name = NAMES.get(usize::from(lack.resource)).copied().unwrap_or_default();
    match (lack.resource, lack.free) {
        (0, _) => ": every SM had as many blocks as it can hold".to_owned(),
        (_, 0) => format!(": a block takes {needed} {name} and no SM had any free"),
        _ => format!(": a block takes {needed} {name} and no SM had more than {free} free"),
    }
}

/// A cause within a sentence.
#[must_use]
pub fn within(cause: Cause) -> String {
    match cause {
        Cause::NullBarrier => "the NULL stream".to_owned(),
        Cause::NoRoom => "no room on the SMs".to_owned(),
        Cause::Launch => "launches on their way to the GPU".to_owned(),
        Cause::CannotTell => "nothing in the file explains it".to_owned(),
        cause => label(cause).to_lowercase(),
    }
}

/// What a link of a chain says of its operation, a sentence or two without its name; `is_first` for the operation that was asked about.
#[must_use]
pub fn link(recording: &Recording, link: &ChainLink, is_first: bool, time: &dyn Fn(Span) -> String) -> String {
    let operation = &recording.operations[link.operation as usize];
    let ran = time(link.worked);
    // With the time between them, if that is more than a tenth of the whole.
    let whole = operation.end.since(link.since);
    let ran = if whole.ns() - whole.ns().min(link.worked.ns()) > whole.ns() / 10 {
        format!("{ran}, within {},", time(whole))
    } else {
        format!("{ran} in all")
    };
    let (before, who) = match link.count {
        1 if is_first => (String::new(), "It"),
        1 => (format!("ran for {}. ", time(operation.duration())), "It"),
        2 => (format!("and the operation before it in the stream ran for {ran}. "), "The first"),
        n => (format!("and the {} operations before it in the stream ran for {ran}, one after another. ", n - 1), "The first"),
    };
    let why = match (link.held, link.wait) {
        (None, None) if operation.kind == OperationKind::Migration => {
            format!("{who} has no call, as the driver moves pages without one.")
        }
        (None, None) => format!("{who} has no call in the file, so we do not know its wait."),
        (None, Some(_)) => format!("{who} did not wait."),
        (Some((Cause::Launch, _, span)), _) => format!("{who} started {} after its call: nothing was in its way.", time(span)),
        (Some((Cause::CannotTell, _, span)), _) => format!("{who} waited {} for something that the file does not explain.", time(span)),
        (Some((cause, sure, span)), _) => format!("{who} waited {} for this: {} ({}).", time(span), within(cause), certainty(sure)),
    };
    before + &why
}

/// How a chain ends, a sentence or two.
#[must_use]
pub const fn root(root: Root) -> &'static str {
    match root {
        Root::Host => "This is the root: the GPU was ready, and the host called then. To start earlier, it has to be called earlier.",
        Root::Cause(cause) => rule(cause),
        Root::NotCalled => "This is as far as the file goes: it has no call for this.",
        Root::CannotTell => "This is as far as the file goes: nothing in it explains this wait.",
        Root::Long => "The chain goes on, and is cut here.",
    }
}

/// Why a cause is ruled out, a sentence.
#[must_use]
pub const fn proof(proof: Proof) -> &'static str {
    match proof {
        Proof::FirstOfStream => "It is the first operation of its stream.",
        Proof::BeforeEnded => "The operation before it in its stream had ended before the call.",
        Proof::NoWaitRecorded => "The file records synchronizations, and none has its stream wait before the call.",
        Proof::NonBlocking => "Its stream is non-blocking.",
        Proof::OneStream => "Its context has no other stream.",
        Proof::NoKernel => "It is no kernel.",
        Proof::NoTransfer => "It does not copy over the bus.",
        Proof::UsedBefore => "A kernel of this name was launched before.",
        Proof::OneContext => "Nothing but its own context uses the GPU in this file.",
    }
}

/// Says in a sentence what a scenario leaves out of a recording, or assumes.
#[must_use]
pub fn left_out(what: LeftOut) -> String {
    match what {
        LeftOut::Beyond(n) => format!("Operations left out because there are more than {MOST}: {n}."),
        LeftOut::OtherDevices(n) => format!("Operations of other GPUs left out: {n}."),
        LeftOut::CopyBytes(n) => format!(
            "Copies and memsets: {n}. Copy sizes are chosen to take the recorded time. Memsets and copies within the GPU use the engine of \
             input copies."
        ),
        LeftOut::Migrations(n) => format!("Page migrations left out: {n}. A kernel that waited for pages takes as long as it did."),
        LeftOut::Device => "The trace does not say which GPU it was: the scenario has a Titan V.".to_owned(),
        LeftOut::Sizes(n) => format!("Kernels without recorded grid and block: {n}. They have one block of 32 threads."),
        LeftOut::Calls(n) => format!("Operations without a recorded call: {n}. They are launched when they started."),
        LeftOut::Waves(n) => format!("Kernels shortened to one wave of blocks of the same duration: {n}."),
        LeftOut::Events(n) => format!("Waits for events left out because what was recorded is not a row of the scenario: {n}."),
        LeftOut::AssumedNonBlocking => {
            "The trace does not say which streams are non-blocking: in the scenario those are that never waited for the NULL stream."
                .to_owned()
        }
        LeftOut::NonBlocking => "The trace does not say which streams are non-blocking. We inferred from overlap which are.".to_owned(),
        LeftOut::Edges(n) => format!(
            "Nodes of graphs of which the file has no edge to a node before: {n}. Each waits for what seems to come before it: the node that ended last, and the one before it in its stream."
        ),
        LeftOut::Nodes(n) => format!(
            "Nodes of graphs that are launches of their own here: {n}. Their graph ran more at once than a graph here can have, or did so in the NULL stream."
        ),
        LeftOut::Contexts => "Several contexts: each is a process, and they take turns.".to_owned(),
    }
}

/// An operation with its stream, if it has one.
#[must_use]
pub fn named(recording: &Recording, operation: &Operation) -> String {
    if operation.kind == OperationKind::Migration {
        return recording.name(operation).to_owned();
    }
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
    cut(last, 60)
}

/// At most so many characters of a text.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() > most { text.chars().take(most.saturating_sub(1)).chain(['…']).collect() } else { text.to_owned() }
}

/// What should be recorded so that waits which cannot be told can be; sentences.
#[must_use]
pub fn to_record(recording: &Recording) -> Vec<&'static str> {
    if recording.is_host_alone() {
        return vec!["Record the GPU too, if the program uses one: CPU and CUDA activities in PyTorch."];
    }
    let mut all = Vec::new();
    let kernels = || recording.operations.iter().filter(|operation| operation.kind == OperationKind::Kernel);
    if recording.flaws.iter().any(|flaw| matches!(flaw, Flaw::WithoutCall(_))) {
        all.push(match recording.source {
            ProfilerSource::Rocprof => "Record the host's calls too (rocprofv3 --sys-trace): operations without a call have no wait.",
            _ => "Record the host's calls too (CPU and CUDA activities; nsys: -t cuda): operations without a call have no wait.",
        });
    }
    let is_xla = recording.source == ProfilerSource::Xla;
    if !recording.has_event_waits && !recording.is_hip() && !is_xla {
        all.push(
            "Record synchronizations: enable_cuda_sync_events=True in PyTorch's experimental_config, or nsys --cuda-event-trace=true.",
        );
    }
    if recording.devices.iter().any(|device| device.limits.is_none() || device.sms.is_none()) {
        all.push("Say which GPU it is: the file does not record what its SMs hold, so we cannot judge room.");
    }
    if kernels().any(|kernel| kernel.launch.is_none()) && !recording.is_hip() {
        all.push("Record grids and blocks; kernels of a graph have them with nsys --cuda-graph-trace=node.");
    }
    if recording.stream_count() > 1 && kernels().all(|kernel| kernel.channel.is_none()) && !recording.is_hip() {
        all.push("Write down CUDA_DEVICE_MAX_CONNECTIONS: the file does not say which streams share a hardware queue.");
    }
    if recording.streams.iter().any(|stream| !stream.is_kind_recorded) && !recording.is_hip() {
        all.push("Use nsys to learn which streams are non-blocking: this file does not say.");
    }
    all
}

/// What is wrong with a file, a sentence.
#[must_use]
pub fn flaw(flaw: Flaw) -> String {
    match flaw {
        Flaw::CutOff(n) => format!(
            "The file was cut off. Events before the cut, which are read: {}. The GPU may have run more than these show.",
            format_count(n)
        ),
        Flaw::MaybeCut(n) => {
            format!("The file has exactly {} events, the most that its profiler writes. Later ones may be missing.", format_count(n))
        }
        Flaw::Lost(n) => format!(
            "The profiler lost events, as it says itself. Its messages of that: {}. The GPU may have run more than the file shows.",
            format_count(n)
        ),
        Flaw::Warned(n) => format!("Warnings and errors of the profiler about its recording: {}.", format_count(n)),
        Flaw::NoObjects(n) => format!("Entries of the list of events that are no events (no JSON objects) and are left out: {n}."),
        Flaw::WithoutCall(n) => format!("Operations without a call in the file: {n}. We do not know their waits."),
        Flaw::BeforeCall(n) => format!("Operations that start before their call: {n}. The clocks of host and device differ there."),
        Flaw::WithoutTime(n) => format!("Events left out because their time is missing or impossible: {n}."),
        Flaw::WithoutOperation(n) => format!("Launches of kernels or graphs of which nothing on the GPU is in the file: {n}."),
        Flaw::Clipped(n) => format!(
            "Durations that the order of their stream does not allow: {n}. These operations are taken to end when the next one began."
        ),
        Flaw::Mended(n) => format!(
            "Places where the file is not JSON, which were skipped: {n}. PyTorch's profiler does not escape all names of Python frames: \
             record without with_stack."
        ),
        Flaw::GraphsWhole(n) => format!(
            "Launches of graphs that are recorded as a whole and left out: {n}. Record their nodes with nsys --cuda-graph-trace=node."
        ),
        Flaw::UnreadRows(n) => format!("Rows of tables about the GPU that are not read: {n}."),
        Flaw::IdleWaits(n) => format!(
            "Waits of the host that go on for over 1 ms while nothing in the file runs on the GPU: {n}. The host waited for something that is \
             not in the file, or the clocks of host and device differ."
        ),
        Flaw::Microseconds => "Times are whole microseconds, so we cannot tell shorter waits apart.".to_owned(),
    }
}

/// That an operation's call held the host while the operation waited for other work, and which of the two to act on first, a sentence; `None` if
/// that was not so for long.
#[must_use]
pub fn beside_call(recording: &Recording, operation: &Operation, parts: &[WaitPart], time: &dyn Fn(Span) -> String) -> Option<String> {
    let CallAndWork { call, call_after } = call_and_work(recording, operation, parts)?;
    let (call, after) = (time(call), call_after);
    Some(if after == Span::ZERO {
        format!(
            "Its call held the host for {call} meanwhile. Act on what it waited for first: a shorter call alone would not start it earlier."
        )
    } else {
        let after = time(after);
        format!(
            "Its call held the host for {call}, {after} longer than the rest. Act on the call first: with a shorter one it starts up to {after} earlier."
        )
    })
}
