//! Whether a block can start now, and of which kernel.
//!
//! Depends on the rest of `quiz`, and on `view::reason` for why the others are not. Invariant: a
//! wrong choice is a kernel that waits at this state, for the reason it is told with; or the head,
//! where it does not fit; or nothing, where the head does. A variant or belief is told with it only
//! where by that it would be the answer.

use super::{QuestionDraft, QuizAnswer, QuizChoice, Site, beliefs};
use blockstep_sim::engine::next_block;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::StreamPriority;
use blockstep_sim::snapshot::SpaceState;
use blockstep_sim::trace::{Change, Level, OpKind, Rule, Variant, Variants};
use blockstep_sim::units::{OpId, SpaceId, StreamId, Time};
use blockstep_view::quantity::format_time;
use blockstep_view::reason::{self, Reason};
use blockstep_view::sentence;

/// Kernels looked at in each queue.
const MAX_OF_QUEUE: usize = 8;
/// Streams looked at.
const MAX_STREAMS: usize = 256;

const NOTHING: &str = "No block can start now";

/// Where a block is assigned, or none is although kernels wait: can one start now, and whose is next?
pub(super) fn which_kernel(site: Site<'_>) -> Option<QuestionDraft> {
    let (trace, state) = (site.trace, site.state);
    let right = match site.next {
        Some(step) if !site.instant_is_over && matches!(step.change, Change::BlockAssigned { .. }) => {
            let op = step.change.op()?;
            QuizChoice::new(QuizAnswer::Kernel(op), trace.op_label(op), Rule::X1, String::new())
        }
        _ if site.instant_is_over => QuizChoice::new(QuizAnswer::Nothing, NOTHING.to_owned(), Rule::X1, String::new()),
        _ => return None,
    };
    let id = (0..state.spaces().len()).map(SpaceId::at).find(|&space| state.assigns(space))?;
    let mut wrong: Vec<QuizChoice> = candidates(&site, id).into_iter().filter_map(|op| other(&site, id, op)).collect();
    let Some((level, head)) = state.space(id).ee_head() else { return none_in_queue(site.now(), right, wrong) };
    let right = explained(&site, right, id, level, head)?;
    if wrong.iter().all(|c| c.answer == right.answer) {
        return None;
    }
    for choice in &mut wrong {
        choice.variant = choice.variant.or_else(|| variant_for(&site, choice.answer));
    }
    if right.answer == QuizAnswer::Nothing {
        let reason = reason_of(&site, head)?;
        let why = format!("{} goes first, but {}.", trace.op_label(head), reason::words(trace, state, head, reason));
        let rule = reason.rule(OpKind::Kernel)?;
        wrong.insert(0, QuizChoice::new(QuizAnswer::Kernel(head), trace.op_label(head), rule, why).about(Some(head)));
    } else if !state.space(id).sms.iter().all(|sm| sm.blocks.is_empty()) || state.space(id).engines.iter().any(Option::is_some) {
        let why = format!("{} goes first, and its next block fits.", trace.op_label(head));
        wrong.push(
            QuizChoice::new(QuizAnswer::Nothing, NOTHING.to_owned(), Rule::X1, why).under_variant(holding_back(&site, id, level, head)),
        );
    }
    Some(asked(site.now(), right, wrong))
}

fn asked(now: Time, right: QuizChoice, wrong: Vec<QuizChoice>) -> QuestionDraft {
    let text = "Can a block start now? If so, whose is next?".to_owned();
    QuestionDraft { text, hint: format!("It is {}.", format_time(now.ns())), right, wrong }
}

/// Where no kernel stands in an EE queue: asked if by some belief one would be served.
fn none_in_queue(now: Time, right: QuizChoice, wrong: Vec<QuizChoice>) -> Option<QuestionDraft> {
    let may_be_mistaken = right.answer == QuizAnswer::Nothing && wrong.iter().any(|c| c.misconception().is_some());
    let why = "No kernel is in an EE queue here, and only the head of an EE queue is served.".to_owned();
    may_be_mistaken.then(|| asked(now, QuizChoice { why, ..right }, wrong))
}

/// The right choice with the rule that decides and why.
fn explained(site: &Site<'_>, right: QuizChoice, space: SpaceId, level: Level, head: OpId) -> Option<QuizChoice> {
    let (trace, state) = (site.trace, site.state);
    let (name, queue) = (trace.op_label(head), sentence::ee_queue(trace.scenario(), level));
    let overtakes = level == Level::High && !state.space(space).ee(Level::Low).is_empty();
    let (rule, why) = match right.answer {
        QuizAnswer::Nothing => {
            let reason = reason_of(site, head)?;
            let words = reason::words(trace, state, head, reason);
            let has_begun = state.has_begun(trace, head);
            let until = if has_begun { "It leaves the queue when its last block is assigned; until then" } else { "Until it continues," };
            let why = format!("{name} is at the head of {queue} and {words}. {until} everything behind it waits.");
            (if overtakes { Rule::A2 } else { Rule::X1 }, why)
        }
        _ => {
            let step = sentence::sentence(trace, site.next?);
            let why = match overtakes {
                true => format!("{step} {name} is at the head of {queue}, which goes before the low-priority EE queue."),
                false => format!("{step} {name} is at the head of {queue}, and only the head is served."),
            };
            (if overtakes { Rule::A2 } else { Rule::X1 }, why)
        }
    };
    let waits = Some(head).filter(|_| right.answer == QuizAnswer::Nothing);
    Some(QuizChoice { rule, why, waits, ..right })
}

/// Why (the rest of) a kernel is not assigned now.
fn reason_of(site: &Site<'_>, op: OpId) -> Option<Reason> {
    reason::reason(site.trace, site.state, op).or_else(|| reason::undispatched(site.trace, site.state, op))
}

/// Kernels that one might take for the next, the likelier ones first.
fn candidates(site: &Site<'_>, id: SpaceId) -> Vec<OpId> {
    let (trace, state) = (site.trace, site.state);
    let mut found = Vec::new();
    let queues = |space: &SpaceState| {
        [Level::High, Level::Low]
            .into_iter()
            .flat_map(|l| space.ee(l).iter().take(MAX_OF_QUEUE).copied().collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    found.extend(variants().filter_map(|v| next_block(trace, state, Variants::NONE.with(v))).map(|(op, _)| op));
    found.extend(queues(state.space(id)));
    let is_kernel = |op: &OpId| trace.op(*op).kind == OpKind::Kernel;
    for stream in (0..trace.layout().streams().len().min(MAX_STREAMS)).map(StreamId::at) {
        let queue = &state.stream(stream).queue;
        let waits = usize::from(state.stream(stream).promoted);
        found.extend(queue.iter().skip(waits).take(1).filter(|op| is_kernel(op)));
    }
    found.extend(
        (0..state.spaces().len().min(MAX_STREAMS)).map(SpaceId::at).filter(|&other| other != id).flat_map(|o| queues(state.space(o))),
    );
    let mut once = std::collections::BTreeSet::new();
    found.retain(|&op| once.insert(op));
    found
}

/// The variants that change which kernel is served at a state.
fn variants() -> impl Iterator<Item = Variant> {
    [Variant::WorkConserving, Variant::PriorityByKernel, Variant::FairShare].into_iter()
}

/// The variant by which nothing would be assigned now although the head fits: another kernel of its
/// queue executes, or a copy does.
fn holding_back(site: &Site<'_>, id: SpaceId, level: Level, head: OpId) -> Option<Variant> {
    let (trace, space) = (site.trace, site.state.space(id));
    let is_high = |op: OpId| trace.layout().stream(trace.op(op).stream).priority == StreamPriority::High;
    let is_of_queue = |op: OpId| !policy::uses(trace.scenario(), Setting::StreamPriority) || is_high(op) == (level == Level::High);
    let mut running = space.sms.iter().flat_map(|sm| &sm.blocks).map(|block| block.op);
    if running.any(|op| op != head && is_of_queue(op)) {
        return Some(Variant::OneKernel);
    }
    space.engines.iter().any(Option::is_some).then_some(Variant::NoOverlap)
}

/// The variant by which this would be the answer, from this very state.
fn variant_for(site: &Site<'_>, answer: QuizAnswer) -> Option<Variant> {
    let QuizAnswer::Kernel(op) = answer else { return None };
    variants().find(|&v| next_block(site.trace, site.state, Variants::NONE.with(v)).is_some_and(|(next, _)| next == op))
}

/// A kernel that is not served now, as a wrong choice.
fn other(site: &Site<'_>, id: SpaceId, op: OpId) -> Option<QuizChoice> {
    let (trace, state) = (site.trace, site.state);
    let reason = reason_of(site, op)?;
    if matches!(reason, Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots | Reason::AllAtOnce) {
        return None;
    }
    // What is to be assigned is the right answer, or cannot be told from it.
    let rule = reason.rule(OpKind::Kernel).or(matches!(reason, Reason::Producer { .. }).then_some(Rule::G2))?;
    let why = format!("{} waits: {}.", trace.op_label(op), reason::words(trace, state, op, reason));
    let choice = QuizChoice::new(QuizAnswer::Kernel(op), trace.op_label(op), rule, why).about(Some(op));
    // What readers believe is about kernels whose blocks start one by one.
    if trace.scenario().has_cooperative() {
        return Some(choice);
    }
    Some(choice.standing_on(beliefs::behind(site, id, op, reason)))
}
