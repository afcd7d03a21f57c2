//! What a CPU thread waits for in a call.
//!
//! Depends on the rest of `quiz`. Invariants: the right answer is an operation that the call waits for; a wrong one is an operation
//! that is incomplete at the call and is still so when it returns in this run. Source: docs/semantics.md, section 2.

use std::collections::BTreeSet;

use super::{QuestionDraft, QuizAnswer, QuizChoice, Site};
use blockstep_sim::scenario::Call;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Change, Rule, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, StreamId, Time};
use blockstep_view::quantity::format_time;
use blockstep_view::sentence;

const AT_ONCE: &str = "None: the call returns at once";
const ASYNCHRONOUS: &str = "Every call returns as soon as it is made.";
const WHOLE_DEVICE: &str = "A call that waits for one stream waits for all work of its process.";
const WHOLE_DEVICE_FOR_EVENT: &str = "A call that waits for an event waits for all work of its process.";
const WHOLE_STREAM: &str = "Waiting for an event waits for all that is in its stream.";
const OTHERS_TOO: &str = "A call waits for the work of other processes too.";
/// Streams looked at.
const MAX_STREAMS: usize = 256;
/// Steps looked through for the return of the call.
const MAX_STEPS: usize = 10_000;

/// Before a CPU thread waits.
pub(super) fn what_it_waits_for(site: Site<'_>) -> Option<QuestionDraft> {
    let step = site.next?;
    let Change::HostWaits { row, job } = step.change else { return None };
    let (trace, state) = (site.trace, site.state);
    let task = trace.scenario().row(row).task;
    let mut after = state.clone();
    after.apply(trace, step);
    let awaited = after.host_awaits(trace, task);
    // Where it waits for several, each is right; the one that is asked about is the last of them to be issued.
    let asked = *awaited.last()?;
    let (returned, complete) = until_return(&site, row, job)?;
    let is_wrong = |op: &OpId| !awaited.contains(op) && !complete.contains(op);
    let streams = (0..trace.layout().streams().len().min(MAX_STREAMS)).map(StreamId::at);
    let ends = streams.flat_map(|stream| {
        let queue = &state.stream(stream).queue;
        [queue.front().copied(), queue.back().copied().filter(|_| queue.len() > 1)]
    });
    let mut wrong: Vec<QuizChoice> =
        ends.flatten().filter(is_wrong).map(|op| other(site.trace, &after, (row, step.rule), op, returned)).collect();
    let incomplete = format!("{} is incomplete here, and the call waits for it.", trace.op_label(asked));
    wrong.push(QuizChoice::new(QuizAnswer::AtOnce, AT_ONCE.to_owned(), step.rule, incomplete).believing(Some(ASYNCHRONOUS)));
    let hint = if awaited.len() > 1 { "The call waits for more than one; only one of them is among the answers." } else { "" };
    Some(QuestionDraft {
        text: format!(
            "The CPU thread of task {} now calls {}. Which of these must complete before the call returns?",
            trace.scenario().task(task).name,
            sentence::call(trace, row, job)
        ),
        hint: hint.to_owned(),
        right: QuizChoice::new(QuizAnswer::Awaited(asked), trace.op_label(asked), step.rule, sentence::sentence(trace, step)),
        wrong,
    })
}

/// When the call returns, and what completes until then; `None` if it does not in the steps that are looked through.
fn until_return(site: &Site<'_>, row: RowId, job: JobNo) -> Option<(Time, BTreeSet<OpId>)> {
    let mut complete = BTreeSet::new();
    for step in site.trace.steps().iter().skip(site.state.applied() as usize + 1).take(MAX_STEPS) {
        match step.change {
            Change::HostReturned { row: of, job: its } if (of, its) == (row, job) => return Some((step.at, complete)),
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => {
                complete.insert(op);
            }
            _ => {}
        }
    }
    None
}

/// An operation that the call does not wait for, as a wrong choice.
fn other(trace: &Trace, waiting: &Snapshot, (row, rule): (RowId, Rule), op: OpId, returned: Time) -> QuizChoice {
    let info = trace.scenario().row(row);
    // A graph belongs to the stream into which it is launched, in whichever queue its nodes stand.
    let stream = |op: OpId| trace.layout().launched_into(trace.op(op).stream);
    let (own, its) = (trace.layout().stream_of(row), stream(op));
    let space = |stream: StreamId| trace.layout().address_space(trace.layout().stream(stream).space);
    let name = trace.op_label(op);
    let (because, belief) = if space(own) != space(its) {
        ("the call waits for work of its own process only".to_owned(), OTHERS_TOO)
    } else if info.call == Call::SynchronizeEvent {
        let wait = waiting.task(info.task).host.as_ref();
        let is_of_stream = wait.is_some_and(|wait| wait.awaited.iter().any(|&op| stream(op) == its));
        let belief = if is_of_stream { WHOLE_STREAM } else { WHOLE_DEVICE_FOR_EVENT };
        ("the call waits for what was issued to a stream before the event was recorded there".to_owned(), belief)
    } else {
        (format!("the call waits for {} only", sentence::stream(trace, own)), WHOLE_DEVICE)
    };
    let why =
        format!("{name} need not complete: {because}. It is still incomplete when the call returns, at {}.", format_time(returned.ns()));
    QuizChoice::new(QuizAnswer::Awaited(op), name, rule, why).believing(Some(belief))
}
