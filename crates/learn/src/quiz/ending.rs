//! Whether a run in which blocks spin ends or hangs.
//!
//! Depends on the rest of `quiz`. Invariants: what is right is what the state at the end of the run says, by `Snapshot::dead_end`; every
//! wrong kernel completes in this run. Nothing is asked where the run is cut, or where its end leaves open what becomes of it. Source:
//! docs/semantics.md, section 9.

use std::collections::BTreeSet;

use super::{QuestionDraft, QuizAnswer, QuizChoice, Site};
use blockstep_sim::language::all_of;
use blockstep_sim::snapshot::{Progress, Snapshot, Stuck};
use blockstep_sim::trace::{Change, Rule, Trace};
use blockstep_sim::units::{OpId, StreamId, TaskId, Time};
use blockstep_view::dead_end;
use blockstep_view::quantity::format_time;
use blockstep_view::sentence;

const GIVES_ROOM: &str = "A block that spins gives its room to blocks that find none.";
const RETURNS: &str = "No call waits for a kernel whose blocks spin.";
const NOT_NOW: &str = "If what a block spins for cannot begin at once, it never does.";
const HOLDS_ALL: &str = "While blocks spin, nothing else on the GPU goes on.";
/// Streams looked at.
const MAX_STREAMS: usize = 256;
/// Steps to the end of the run: earlier there is too much to predict.
const MAX_STEPS: usize = 10_000;

/// The kernels with blocks on the device that spin, in issue order.
fn spinning(state: &Snapshot) -> BTreeSet<OpId> {
    let blocks = state.spaces().iter().flat_map(|space| space.sms.holding()).flat_map(|(_, sm)| &sm.blocks);
    blocks.filter(|block| block.progress == Progress::Spins).map(|block| block.op).collect()
}

/// Whether nothing that was issued is incomplete, and no CPU thread waits.
fn is_all_complete(trace: &Trace, state: &Snapshot) -> bool {
    let is_empty = |stream: usize| state.stream(StreamId::at(stream)).queue.is_empty();
    let is_back = |task: usize| state.task(TaskId::at(task)).host.is_none();
    (0..trace.layout().streams().len()).all(is_empty) && (0..trace.scenario().tasks().len()).all(is_back)
}

/// After an instant at which blocks spin; `end` is the state at the end of the run. With the steps applied when the answer is to be seen:
/// when blocks go on, or when nothing does any more.
pub(super) fn does_it_end(site: &Site<'_>, end: &Snapshot) -> Option<(QuestionDraft, u32)> {
    let (trace, state) = (site.trace, site.state);
    let rest = trace.steps().get(state.applied() as usize..)?;
    if !site.instant_is_over || trace.cut().is_some() || rest.len() > MAX_STEPS {
        return None;
    }
    let spins = spinning(state);
    let first = *spins.first()?;
    let chain = end.dead_end(trace);
    let later = Later { trace, rest };
    let streams = (0..trace.layout().streams().len().min(MAX_STREAMS)).map(StreamId::at);
    let heads: BTreeSet<OpId> = streams.filter_map(|stream| state.head(stream)).collect();
    let mut wrong: Vec<QuizChoice> = heads.iter().filter_map(|&op| later.completes(op, spins.contains(&op))).collect();
    let (right, shown_at) = match &chain {
        Some(chain) => {
            let stuck = chain.iter().find_map(|what| if let Stuck::Spin(op) = what { Some(*op) } else { None })?;
            let circle = capital(&dead_end::in_words(trace, end, chain));
            let belief = if chain.iter().any(|what| matches!(what, Stuck::Begin(_) | Stuck::AllBegin(_))) {
                Some(GIVES_ROOM)
            } else {
                chain.iter().any(|what| matches!(what, Stuck::Call(..))).then_some(RETURNS)
            };
            let why = format!("{} never completes. {circle}.", trace.op_label(stuck));
            wrong.push(QuizChoice::new(QuizAnswer::Ends, ENDS.to_owned(), Rule::B2, why).believing(belief));
            let right = QuizChoice::new(QuizAnswer::Hangs(stuck), hangs(trace, stuck), Rule::B2, format!("{circle}."));
            (right, trace.steps().len())
        }
        None if is_all_complete(trace, end) => {
            let right = QuizChoice::new(QuizAnswer::Ends, ENDS.to_owned(), Rule::B2, later.goes_on(first)?);
            let goes_on = rest.iter().position(|step| step.change == Change::SpinEnded { op: first })?;
            (right, state.applied() as usize + goes_on + 1)
        }
        None => return None,
    };
    let names: Vec<String> = spins.iter().map(|&op| trace.op_label(op)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let draft = QuestionDraft {
        text: format!("Blocks of {} spin now. Does this run end, or does it hang?", all_of(&names)),
        hint: format!("It is {}.", format_time(state.now().ns())),
        right,
        wrong,
    };
    Some((draft, shown_at as u32))
}

const ENDS: &str = "It ends: everything completes";

fn hangs(trace: &Trace, op: OpId) -> String {
    format!("It hangs: {} never completes", trace.op_label(op))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The steps from the question to the end of the run.
struct Later<'a> {
    trace: &'a Trace,
    rest: &'a [blockstep_sim::trace::Step],
}

impl Later<'_> {
    fn when(&self, is_it: impl Fn(Change) -> bool) -> Option<Time> {
        self.rest.iter().find(|step| is_it(step.change)).map(|step| step.at)
    }

    /// An operation that completes, as a wrong choice; `None` if it does not.
    fn completes(&self, op: OpId, spins: bool) -> Option<QuizChoice> {
        let is_end = |change| matches!(change, Change::KernelCompleted { op: of } | Change::CopyCompleted { op: of, .. } if of == op);
        let (at, name) = (format_time(self.when(is_end)?.ns()), self.trace.op_label(op));
        let why = match spins {
            true => format!("{} It completes at {at}.", self.goes_on(op)?),
            false => format!("{name} completes at {at}. Blocks that spin hold only their own room."),
        };
        let belief = if spins { NOT_NOW } else { HOLDS_ALL };
        Some(QuizChoice::new(QuizAnswer::Hangs(op), hangs(self.trace, op), Rule::B2, why).believing(Some(belief)))
    }

    /// When the blocks of a kernel that spin go on, and why.
    fn goes_on(&self, op: OpId) -> Option<String> {
        let at = self.when(|change| change == Change::SpinEnded { op })?;
        Some(format!(
            "The blocks of {} go on at {}: {}.",
            self.trace.op_label(op),
            format_time(at.ns()),
            sentence::spun_for(self.trace, op)
        ))
    }
}
