//! What changes would gain, in words.
//!
//! Depends on the gains. Invariant: a sentence says what the whole would gain, what that takes for granted, and how far the replay is off.

use super::{Gains, NoGains, ProgramChange, TriedChange};
use crate::Recording;
use crate::words::short_name;
use blockstep_sim::units::Span;

/// What is changed, as what one would do: "Launch what comes between two waits of the host as one CUDA graph".
#[must_use]
pub fn change(recording: &Recording, of: ProgramChange) -> String {
    let name = |name: u32| short_name(recording.names.get(name as usize).map_or("", String::as_str));
    let stream = |stream: u32| recording.streams[stream as usize].id;
    let (graph, is_hip) = if recording.is_hip() { ("HIP graph", true) } else { ("CUDA graph", false) };
    match of {
        ProgramChange::Graphs => format!("Launch what comes between two waits of the host as one {graph}"),
        ProgramChange::FewerWaits => "Let the host go on instead of waiting for the GPU".to_owned(),
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
        ProgramChange::Graphs => "the same is launched each time".to_owned(),
        ProgramChange::FewerWaits => "what it does next does not need the results".to_owned(),
        ProgramChange::NonBlocking => "events keep the order that the program needs".to_owned(),
        ProgramChange::OwnStream { name: of, .. } => {
            format!("nothing before {} in its stream is needed, and nothing after needs it", name(of))
        }
        ProgramChange::HalfGrid(of) => format!("{} can be cut that way", name(of)),
        _ => return None,
    })
}

/// A change with what the whole gains: "Copy from and to pinned memory, asynchronously: the whole would take 0.42 s less, 24 %."
#[must_use]
pub fn gain(recording: &Recording, gains: &Gains, tried: &TriedChange, time: &dyn Fn(Span) -> String) -> String {
    let gain = gains.gain_ns(tried);
    let percent = u128::from(gain) * 100 / u128::from(gains.recorded_ns.max(1));
    let only_if = condition(recording, tried.change).map_or(String::new(), |condition| format!(", if {condition}"));
    format!("{}: {} ({percent} %) less{only_if}.", change(recording, tried.change), time(Span(gain)))
}

/// What would shorten a run: a sentence for each change that gains enough, the best first, and how sure that is; or none, and that nothing
/// would, or that it cannot be told.
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

/// How sure the gains are: "By a replay, which takes 1.734 s without a change, not 1.733 s as recorded."
#[must_use]
pub fn error(gains: &Gains, time: &dyn Fn(Span) -> String) -> String {
    let (unchanged, recorded) = (time(Span(gains.unchanged_ns)), time(Span(gains.recorded_ns)));
    let instead = if unchanged == recorded { ", as recorded".to_owned() } else { format!(", not {recorded} as recorded") };
    format!(
        "By a replay, which takes {unchanged} without a change{instead}. Operations keep their times, also those that run together or wait \
         for another GPU."
    )
}

/// That nothing is worth a change, with what was tried.
#[must_use]
pub fn nothing(gains: &Gains) -> String {
    match gains.tried.len() {
        0 => "This recording shows nothing that a change of launches, waits, streams or memory could shorten.".to_owned(),
        count => format!("Of {count} changes tried, none would shorten this run by more than 1 %, or by more than the replay is off."),
    }
}

/// Why no change is tried.
#[must_use]
pub const fn not_tried(why: NoGains) -> &'static str {
    match why {
        NoGains::Turns => "What a change would gain cannot be told: address spaces take turns on the GPU, and the file does not say when.",
        NoGains::WithoutCalls => "What a change would gain cannot be told: too many operations have no recorded call.",
        NoGains::Circle => "What a change would gain cannot be told: the times of this file contradict the order of its calls.",
    }
}
