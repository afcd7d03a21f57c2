//! What an operation waits for in a run of the simulator, as causes of a trace.
//!
//! Invariant: of each instant of the wait all causes are taken that hold it back then.

use crate::causes::Cause;
use blockstep_sim::engine::Run;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{OpId, Time};
use blockstep_view::reason::{Reason, reason};

/// How long each cause held an operation back that was issued at an instant and started at another, ns; the longest first.
pub(super) fn causes(run: &Run, op: OpId, issued: Time, start: Time) -> Vec<(Cause, u64)> {
    let trace = &*run.trace;
    let steps = trace.steps();
    let mut replay = run.replay();
    let mut sums: Vec<(Cause, u64)> = Vec::new();
    let mut applied = steps.partition_point(|step| step.at <= issued);
    let mut at = issued;
    while at < start {
        let next = steps.get(applied).map_or(start, |step| step.at.min(start));
        let state = replay.seek(applied as u32);
        for cause in reason(trace, state, op).map(|why| all(trace, state, op, why)).unwrap_or_default() {
            match sums.iter_mut().find(|(of, _)| *of == cause) {
                Some((_, sum)) => *sum += next.since(at).ns(),
                None => sums.push((cause, next.since(at).ns())),
            }
        }
        applied += steps[applied..].partition_point(|step| step.at == next);
        at = next;
    }
    sums.sort_by_key(|&(cause, ns)| (std::cmp::Reverse(ns), cause));
    sums
}

/// The cause that a reason is, the others that hold at the same time after it.
fn all(trace: &Trace, state: &Snapshot, op: OpId, why: Reason) -> Vec<Cause> {
    let stream = trace.op(op).stream;
    match why {
        Reason::Producer { .. } | Reason::Event { .. } => {
            let is_head = state.head(stream) == Some(op);
            let mut all = vec![Cause::Event];
            all.extend((!is_head).then_some(Cause::StreamOrder));
            all.extend((is_head && state.null_barrier(trace, stream).is_some()).then_some(Cause::NullBarrier));
            all
        }
        Reason::BehindInStream { op: other } | Reason::Graph { op: other } if trace.are_of_one_graph(op, other) => vec![Cause::GraphOrder],
        Reason::BehindInStream { .. } | Reason::Graph { .. } => vec![Cause::StreamOrder],
        Reason::N1 { .. } | Reason::N2 { .. } => vec![Cause::NullBarrier],
        Reason::BehindInConnection { .. } => vec![Cause::Connection],
        Reason::NotResident => vec![Cause::OtherProcess],
        Reason::A2 { .. } | Reason::X1 { .. } => {
            let needs = &trace.row_of(op).needs;
            let space = state.space(trace.layout().stream(stream).space);
            let has_room = space.sms.iter().any(|sm| sm.fits(needs));
            if has_room { vec![Cause::BehindHead] } else { vec![Cause::BehindHead, Cause::NoRoom] }
        }
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots | Reason::AllAtOnce => vec![Cause::NoRoom],
        Reason::CopyEngine { .. } => vec![Cause::CopyEngine],
        // Traces have no policy of one's own.
        Reason::NotLaunched | Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => Vec::new(),
    }
}
