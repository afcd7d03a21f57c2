//! A call that held the host while the operation waited for other work: two things at once, of which one has to be acted on first.
//!
//! Invariant: what ended last is what held the operation back at its end, so that is first.

use crate::causes::WaitPart;
use crate::{Operation, Recording};
use blockstep_sim::units::Span;

/// A call that is shorter beside other work says nothing: our choice, as of a long call.
const LEAST: Span = Span(50_000);

/// How a call and the work that its operation waited for went together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallAndWork {
    /// How long the call held the host.
    pub call: Span,
    /// How much longer than the work the call went on; zero if the work ended last.
    pub call_after: Span,
}

/// Whether the call of an operation with these parts of its wait held the host for long while the operation waited for other work.
#[must_use]
pub fn call_and_work(recording: &Recording, operation: &Operation, parts: &[WaitPart]) -> Option<CallAndWork> {
    let call = recording.call(operation).filter(|_| !recording.is_node(operation))?;
    let of_work = || parts.iter().filter(|part| part.by.is_some());
    let work = of_work().map(|part| part.to).max()?;
    let together = |part: &WaitPart| part.to.min(call.end).since(part.from.min(call.end)).ns();
    let together_ns: u64 = of_work().map(together).sum();
    (together_ns >= LEAST.ns()).then(|| CallAndWork { call: call.end.since(call.start), call_after: call.end.since(work.min(call.end)) })
}
