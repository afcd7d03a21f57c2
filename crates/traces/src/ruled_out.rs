//! Causes that the file itself rules out for a wait.
//!
//! Invariant: a cause is named only if what the file records contradicts it; no cause that is part of the wait is among them.

use super::causes::{Cause, WaitPart};
use super::{OperationKind, Recording, StreamKind};

/// Why a cause is ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is the first operation of its stream.
    FirstOfStream,
    /// The operation before it in its stream had ended before the call.
    BeforeEnded,
    /// The file records synchronizations, and none has its stream wait before the call.
    NoWaitRecorded,
    /// Its stream is recorded as non-blocking.
    NonBlocking,
    /// Its context has no other stream.
    OneStream,
    /// It is no kernel.
    NoKernel,
    /// It does not copy over the bus.
    NoTransfer,
    /// One of this name was launched before.
    UsedBefore,
    /// Nothing but its own context uses the device.
    OneContext,
}

impl Proof {
    /// Whether it rests on what is not in the file, which then has to be whole.
    const fn needs_all(self) -> bool {
        matches!(self, Self::FirstOfStream | Self::BeforeEnded | Self::NoWaitRecorded | Self::OneStream | Self::OneContext)
    }
}

/// The causes that are ruled out, in the order of [`Cause::ALL`], with why. `parts` are those of the operation's wait.
#[must_use]
pub fn ruled_out(recording: &Recording, place: u32, parts: &[WaitPart]) -> Vec<(Cause, Proof)> {
    let operation = &recording.operations[place as usize];
    let stream = recording.stream(operation);
    let Some(call) = recording.call(operation) else { return Vec::new() };
    let own = stream.operations.partition_point(|&other| other < place);
    let before = own.checked_sub(1).map(|before| &recording.operations[stream.operations[before] as usize]);
    let is_beside =
        |other: &&super::RecordedStream| (other.process, other.device, other.context) == (stream.process, stream.device, stream.context);
    let streams = || recording.streams.iter().filter(|stream| stream.kind != StreamKind::Migrations);
    let is_kernel = operation.kind == OperationKind::Kernel;
    let proof = |cause: Cause| match cause {
        Cause::StreamOrder if before.is_none() => Some(Proof::FirstOfStream),
        Cause::StreamOrder => before.filter(|before| before.end <= call.start).map(|_| Proof::BeforeEnded),
        Cause::Event => {
            let waits = recording.event_waits.iter().any(|wait| wait.stream == operation.stream && wait.called <= call.start);
            (recording.has_event_waits && !waits).then_some(Proof::NoWaitRecorded)
        }
        Cause::NullBarrier if stream.is_kind_recorded && stream.kind == StreamKind::NonBlocking => Some(Proof::NonBlocking),
        Cause::NullBarrier | Cause::Connection => (streams().filter(is_beside).count() == 1).then_some(Proof::OneStream),
        Cause::NoRoom | Cause::BehindHead => (!is_kernel).then_some(Proof::NoKernel),
        Cause::CopyEngine => (!operation.kind.is_transfer()).then_some(Proof::NoTransfer),
        Cause::FirstUse if !is_kernel => Some(Proof::NoKernel),
        Cause::FirstUse => {
            let was_used = |other: &super::Operation| {
                other.name == operation.name && recording.call(other).is_some_and(|other| other.start < call.start)
            };
            recording.operations[..place as usize].iter().any(was_used).then_some(Proof::UsedBefore)
        }
        Cause::OtherProcess => {
            let is_other = |other: &super::RecordedStream| other.device == stream.device && !is_beside(&other);
            (!streams().any(is_other)).then_some(Proof::OneContext)
        }
        _ => None,
    };
    let is_part = |cause: &Cause| parts.iter().any(|part| part.cause == *cause);
    let is_whole = recording.is_whole();
    let holds = |proof: &Proof| is_whole || !proof.needs_all();
    let causes = Cause::ALL.into_iter().filter(|cause| !is_part(cause));
    causes.filter_map(|cause| Some((cause, proof(cause).filter(holds)?))).collect()
}
