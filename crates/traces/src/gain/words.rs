//! What changes would gain, in words.
//!
//! Invariant: a sentence says what the whole would gain, what that takes for granted, and how far the replay is off.

use super::{Gains, NoGains, ProgramChange, TriedChange};
use crate::Recording;
use crate::words::short_name;
use blockstep_sim::units::Span;

/// What is changed, as what one would do: "Capture the launches between two waits of the host in a CUDA graph".
#[must_use]
pub fn change(recording: &Recording, of: ProgramChange) -> String {
    let name = |name: u32| short_name(recording.names.get(name as usize).map_or("", String::as_str));
    let stream = |stream: u32| recording.streams[stream as usize].id;
    let (graph, is_hip) = if recording.is_hip() { ("HIP graph", true) } else { ("CUDA graph", false) };
    match of {
        ProgramChange::Graphs => format!("Capture the launches between two waits of the host in a {graph}"),
        ProgramChange::FewerWaits => "Do not make the host wait for the GPU".to_owned(),
        ProgramChange::Pinned => "Copy from and to pinned memory, asynchronously".to_owned(),
        ProgramChange::NoAllocations => "Allocate before the work begins, and free after it".to_owned(),
        ProgramChange::NonBlocking => "Make all streams non-blocking, so that none waits for the NULL stream".to_owned(),
        ProgramChange::OwnStream { name: of, stream: from } => {
            format!("Move {} of stream {} to a non-blocking stream of its own", name(of), stream(from))
        }
        ProgramChange::HighPriority(of) => format!("Give stream {} a high priority", stream(of)),
        ProgramChange::HalfGrid(of) => format!("Give {} half as many blocks, which take twice as long", name(of)),
        ProgramChange::WarmUp if is_hip => "Launch each kernel once beforehand".to_owned(),
        ProgramChange::WarmUp => "Launch each kernel once beforehand, or set CUDA_MODULE_LOADING=EAGER".to_owned(),
        ProgramChange::MoreConnections if is_hip => "Raise GPU_MAX_HW_QUEUES, so that no streams share a hardware queue".to_owned(),
        ProgramChange::MoreConnections => "Raise CUDA_DEVICE_MAX_CONNECTIONS, so that no streams share a hardware queue".to_owned(),
    }
}

/// What the change takes for granted, a clause after "if": `None` if nothing.
#[must_use]
pub fn condition(recording: &Recording, of: ProgramChange) -> Option<String> {
    let name = |name: u32| short_name(recording.names.get(name as usize).map_or("", String::as_str));
    Some(match of {
        ProgramChange::Graphs => "they repeat".to_owned(),
        ProgramChange::FewerWaits => "the code after the wait does not need the results".to_owned(),
        ProgramChange::NonBlocking => "events keep the order that the program needs".to_owned(),
        ProgramChange::OwnStream { name: of, .. } => {
            format!("nothing before {} in its stream is needed, and nothing after needs it", name(of))
        }
        ProgramChange::HalfGrid(of) => format!("{} can be cut that way", name(of)),
        _ => return None,
    })
}

/// A change with what the whole gains: "Copy from and to pinned memory, asynchronously: saves 0.42 s (24 %)."
#[must_use]
pub fn gain(recording: &Recording, gains: &Gains, tried: &TriedChange, time: &dyn Fn(Span) -> String) -> String {
    let gain = gains.gain_ns(tried);
    let percent = u128::from(gain) * 100 / u128::from(gains.recorded_ns.max(1));
    let only_if = condition(recording, tried.change).map_or(String::new(), |condition| format!(", if {condition}"));
    format!("{}: saves {} ({percent} %){only_if}.", change(recording, tried.change), time(Span(gain)))
}

/// What would shorten a run: a sentence for each change that gains enough, the best first, and how sure that is; or none, and that nothing
/// would, or that we cannot say.
#[must_use]
pub fn said(recording: &Recording, gains: Result<&Gains, &NoGains>, time: &dyn Fn(Span) -> String) -> (Vec<String>, String) {
    let gains = match gains {
        Ok(gains) => gains,
        Err(&why) => return (Vec::new(), not_tried(why).to_owned()),
    };
    let all: Vec<String> = gains.proposed().map(|tried| gain(recording, gains, tried, time)).collect();
    let note = if all.is_empty() { nothing(gains) } else { error(gains, time) };
    (all, note)
}

/// How sure the gains are: "Estimated by replay (unchanged replay: 1.734 s; recorded: 1.733 s)."
#[must_use]
pub fn error(gains: &Gains, time: &dyn Fn(Span) -> String) -> String {
    let (unchanged, recorded) = (time(Span(gains.unchanged_ns)), time(Span(gains.recorded_ns)));
    format!(
        "Estimated by replay (unchanged replay: {unchanged}; recorded: {recorded}). Every operation keeps its duration, even where it \
         overlaps others or waits for another GPU."
    )
}

/// That nothing is worth a change, with what was tried.
#[must_use]
pub fn nothing(gains: &Gains) -> String {
    match gains.tried.len() {
        0 => "This recording shows nothing that a change of launches, waits, streams or memory could shorten.".to_owned(),
        1 => "We tried 1 change; it does not save more than 1 %, or not more than the replay is off.".to_owned(),
        count => format!("We tried {count} changes; none saves more than 1 % and more than the replay is off."),
    }
}

/// Why no change is tried.
#[must_use]
pub const fn not_tried(why: NoGains) -> &'static str {
    match why {
        NoGains::Turns => "We cannot estimate savings: address spaces take turns on the GPU, and the file does not say when.",
        NoGains::WithoutCalls => "We cannot estimate savings: too many launches are missing from the file.",
        NoGains::Circle => "We cannot estimate savings: the times in this file contradict the order of its calls.",
    }
}
