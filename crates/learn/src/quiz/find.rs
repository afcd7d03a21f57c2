//! Which decisions of a run to ask about.
//!
//! Depends on the rest of `quiz`. Invariants: a quiz follows from the run and its settings; the
//! steps are read once and states are looked at for a bounded number of them, so that runs of
//! millions of steps take a fraction of a second.

use std::collections::{BTreeMap, BTreeSet};

use super::{Inset, Question, QuestionKind, Spot, question_at};
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::Run;
use blockstep_sim::snapshot::Replay;
use blockstep_sim::trace::{Change, OpKind};
use blockstep_sim::units::OpId;

/// Decisions of one sort whose states are looked at.
const SAMPLE: usize = 96;

/// Questions at most.
pub const MAX_QUESTIONS: usize = 50;

/// What a quiz is made from, beside the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuizSettings {
    /// Decides which questions, and in which order their choices stand.
    pub seed: u64,
    /// Questions wanted; at most [`MAX_QUESTIONS`] are made.
    pub count: usize,
    /// Kinds wanted.
    pub kinds: Vec<QuestionKind>,
}

/// A quiz.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quiz {
    /// Where its questions are, in the order of the run; fewer than wanted where the run has not as many
    /// that are worth asking.
    pub spots: Vec<Spot>,
}

/// Sorts of decisions, each sampled by itself, as some are much rarer than others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    /// A block is assigned.
    Assigned,
    /// A block is assigned, of another kernel than the last one.
    Changed,
    /// An instant ends with kernels in EE queues.
    Waiting,
    /// An instant ends with kernels issued and none in an EE queue.
    Barred,
    /// The Host finds work, a job is chosen, or a text decides.
    Turn,
    /// A CPU thread waits in a call.
    Call,
    /// An instant ends at which blocks may spin.
    Spinning,
    /// An instant ends.
    Over,
}

impl QuestionKind {
    fn sorts(self) -> &'static [Sort] {
        match self {
            Self::Sm => &[Sort::Assigned],
            Self::Kernel => &[Sort::Changed, Sort::Waiting, Sort::Barred],
            Self::Fit => &[Sort::Assigned, Sort::Waiting],
            Self::Resident => &[Sort::Turn],
            Self::Thread => &[Sort::Call],
            Self::Hang => &[Sort::Spinning],
            Self::Inset => &[Sort::Over],
        }
    }
}

/// A question that may be asked.
struct Candidate {
    spot: Spot,
    /// Steps applied when its answer is to be seen.
    shown_at: u32,
    sort: Sort,
    worth: u8,
    /// Equal for questions that differ in nothing but the job.
    likeness: String,
    lesson: String,
    draw: i64,
}

pub(super) fn quiz(run: &Run, settings: &QuizSettings) -> Quiz {
    let places = places(run);
    let mut dice = Dice::new(settings.seed, &[0]);
    let mut replay = run.replay();
    let mut candidates = Vec::new();
    for kind in QuestionKind::ALL.into_iter().filter(|k| settings.kinds.contains(k)) {
        for &sort in kind.sorts() {
            let positions = match sort {
                Sort::Spinning => last_with_hang(&mut replay, &places[&sort]).into_iter().collect(),
                _ => sampled(&places[&sort], &mut dice),
            };
            for position in positions {
                let spot = Spot { position, kind };
                let words = if kind.has_choices() {
                    question_at(&mut replay, spot, settings.seed)
                        .map(|question| (question.shown_at, question.worth, likeness(&question), lesson(&question)))
                } else {
                    // That somebody has it all right by chance is no danger.
                    Inset::next(&mut replay, position).map(|inset| (inset.to, 3, inset.in_words(inset.right()), "inset".to_owned()))
                };
                if let Some((shown_at, worth, likeness, lesson)) = words {
                    candidates.push(Candidate { spot, shown_at, sort, worth, likeness, lesson, draw: dice.below(80) as i64 });
                }
            }
        }
    }
    choose(candidates, settings.count.min(MAX_QUESTIONS), run.trace.steps().len())
}

/// Positions by sort of decision, in order.
fn places(run: &Run) -> BTreeMap<Sort, Vec<u32>> {
    let sorts = [Sort::Assigned, Sort::Changed, Sort::Waiting, Sort::Barred, Sort::Turn, Sort::Call, Sort::Spinning, Sort::Over];
    let mut places: BTreeMap<Sort, Vec<u32>> = sorts.map(|s| (s, Vec::new())).into();
    let (mut unjoined, mut waiting, mut last_op) = (0_usize, 0_usize, None);
    let (steps, is_own) = (run.trace.steps(), run.trace.scenario().own().is_some());
    // Those of which blocks may spin: whether they do is known from the state.
    let mut spinning: BTreeSet<OpId> = BTreeSet::new();
    let mut add = |sort: Sort, position: usize| {
        if let Some(list) = places.get_mut(&sort) {
            list.push(position as u32);
        }
    };
    for (i, step) in steps.iter().enumerate() {
        match step.change {
            Change::BlockAssigned { op, .. } => {
                add(Sort::Assigned, i);
                if last_op != Some(op) {
                    add(Sort::Changed, i);
                }
                last_op = Some(op);
                if run.trace.row_of(op).spins.any() {
                    spinning.insert(op);
                }
            }
            Change::SpinEnded { op } | Change::KernelCompleted { op } => {
                spinning.remove(&op);
            }
            Change::Issued { op } if run.trace.op(op).kind == OpKind::Kernel => unjoined += 1,
            Change::EeJoined { .. } => (unjoined, waiting) = (unjoined - 1, waiting + 1),
            Change::EeLeft { .. } => waiting -= 1,
            Change::PolicyTold { .. } => add(Sort::Turn, i),
            Change::EntryVisited { .. } | Change::Chosen { .. } if !is_own => add(Sort::Turn, i),
            Change::HostWaits { .. } => add(Sort::Call, i),
            _ => {}
        }
        let is_over = steps.get(i + 1).is_none_or(|next| next.at > step.at);
        if is_over {
            add(Sort::Over, i + 1);
        }
        if is_over && !spinning.is_empty() {
            add(Sort::Spinning, i + 1);
        }
        if unjoined + waiting > 0 && is_over {
            add(if waiting > 0 { Sort::Waiting } else { Sort::Barred }, i + 1);
        }
    }
    places
}

/// The last of them at which one can ask whether the run hangs: before its last step, if there is such a place.
fn last_with_hang(replay: &mut Replay, places: &[u32]) -> Option<u32> {
    let steps = replay.trace().steps().len() as u32;
    let before_end = places.iter().rev().take(SAMPLE).copied().filter(|&position| position < steps);
    let mut positions = before_end.chain(places.last().copied());
    positions.find(|&position| question_at(replay, Spot { position, kind: QuestionKind::Hang }, 0).is_some())
}

/// At most [`SAMPLE`] of them, spread over all, in order.
fn sampled(places: &[u32], dice: &mut Dice) -> Vec<u32> {
    if places.len() <= SAMPLE {
        return places.to_vec();
    }
    let bound = |i: usize| i * places.len() / SAMPLE;
    (0..SAMPLE).map(|i| places[bound(i) + dice.below((bound(i + 1) - bound(i)) as u64) as usize]).collect()
}

/// The words of a question without the numbers of jobs.
fn likeness(question: &Question) -> String {
    let mut texts: Vec<String> = question.choices.iter().map(|c| format!("{} {}", c.text, c.why)).collect();
    texts.sort();
    texts.push(question.text.clone());
    let (mut out, mut is_number) = (String::new(), false);
    for c in texts.concat().chars() {
        is_number = c == '#' || (is_number && c.is_ascii_digit());
        if !is_number {
            out.push(c);
        }
    }
    out
}

/// What is learned from a question, whatever kernel it is about.
fn lesson(question: &Question) -> String {
    let mut beliefs: Vec<&str> = question.choices.iter().filter_map(super::QuizChoice::misconception).collect();
    beliefs.sort_unstable();
    let answer = format!("{:?}", question.answer().answer);
    format!("{:?} {answer} {}", question.spot.kind, beliefs.concat())
}

/// Those worth most that are unlike those taken, of another kind, and not near them.
fn choose(mut candidates: Vec<Candidate>, count: usize, steps: usize) -> Quiz {
    let mut taken: Vec<Candidate> = Vec::new();
    let near = steps / (2 * count.max(1));
    while taken.len() < count {
        let rank = |c: &Candidate| {
            let times = |same: &dyn Fn(&Candidate) -> bool| taken.iter().filter(|t| same(t)).count() as i64;
            let kind = times(&|t| t.spot.kind == c.spot.kind);
            let sort = times(&|t| (t.spot.kind, t.sort) == (c.spot.kind, c.sort));
            let lesson = times(&|t| t.lesson == c.lesson);
            let is_near = times(&|t| (t.spot.position.abs_diff(c.spot.position) as usize) < near).min(1);
            100 * i64::from(c.worth) + c.draw - 50 * kind - 30 * sort - 60 * lesson - 40 * is_near
        };
        // What becomes of the run is asked first of all, as its answer leaves room for others before it and after.
        let is_hang = |c: &Candidate| c.spot.kind == QuestionKind::Hang;
        let best = candidates.iter().enumerate().max_by_key(|(i, c)| (is_hang(c), rank(c), std::cmp::Reverse(*i)));
        let Some(best) = best.map(|(i, _)| i) else { break };
        let best = candidates.swap_remove(best);
        // What was asked need not be asked again, nor what that shows.
        let is_shown = |c: &Candidate| is_hang(&best) && (best.spot.position..best.shown_at).contains(&c.spot.position);
        candidates.retain(|c| c.likeness != best.likeness && c.spot.position != best.spot.position && !is_shown(c));
        taken.push(best);
    }
    let mut spots: Vec<Spot> = taken.into_iter().map(|c| c.spot).collect();
    spots.sort();
    Quiz { spots }
}
