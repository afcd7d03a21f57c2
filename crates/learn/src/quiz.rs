//! Predict: questions about the decisions of a run, each asked at the state just before one.
//!
//! Depends on `engine` for what variants of the rules would do, on `snapshot` and on `view` for
//! words. Invariants: the right answer is what the run does there, read off its trace; every other
//! choice is wrong by the state and says why; a question follows from run, spot and seed alone, and
//! a quiz from run and settings. Nothing is asked where the run decides nothing.

mod admitted;
mod beliefs;
mod blocks;
mod ending;
mod find;
mod inset;
mod kernel;
mod thread;
mod turn;

use std::collections::BTreeSet;

pub use find::{MAX_QUESTIONS, Quiz, QuizSettings};
pub use inset::{Filled, Inset, InsetBox, InsetBoxView, InsetPiece, InsetPlace, InsetView, Misplaced, Put, Why};

use serde::{Deserialize, Serialize};

use blockstep_policy::TaskSet;
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::Run;
use blockstep_sim::scenario::{KernelRow, Scenario};
use blockstep_sim::snapshot::{Replay, Shortage, Snapshot};
use blockstep_sim::trace::{Rule, Step, Trace, Variant};
use blockstep_sim::units::{JobNo, OpId, SmId, SpaceId, TaskId, Time};

/// Choices of a question at most.
pub const MAX_CHOICES: usize = 5;

blockstep_sim::listed! {
    /// What is asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum QuestionKind(id, from_id) {
        /// Which SM takes a block.
        Sm = "sm",
        /// Whether a block can start now, and of which kernel.
        Kernel = "kernel",
        /// Whether the next block of the kernel at the head fits now.
        Fit = "fit",
        /// Who is resident, chosen, or admitted by a policy of one's own, next.
        Resident = "resident",
        /// What the CPU thread of a task waits for.
        Thread = "thread",
        /// Whether a run in which blocks spin ends or hangs.
        Hang = "hang",
        /// How the queues stand at the end of the next instant: an inset to fill in.
        Inset = "inset",
    }
}

impl QuestionKind {
    /// A few words for a list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Sm => "Which SM takes this block",
            Self::Kernel => "Can a block start, and whose",
            Self::Fit => "Does this block fit now",
            Self::Resident => "Whose turn is next",
            Self::Thread => "What a CPU thread waits for",
            Self::Hang => "Does this run end, or does it hang",
            Self::Inset => "Fill in the queues",
        }
    }

    /// Whether runs of this scenario may decide anything of the kind.
    #[must_use]
    pub fn applies(self, scenario: &Scenario) -> bool {
        match self {
            Self::Sm => scenario.device().sms > 1,
            Self::Kernel | Self::Fit => true,
            Self::Resident => scenario.policy().kind.takes_turns(),
            Self::Thread => scenario.rows().iter().any(KernelRow::has_wait),
            Self::Hang => scenario.has_spins(),
            Self::Inset => inset::applies(scenario),
        }
    }

    /// Whether it is answered by one of several choices, which takes a moment; links call these kinds `all`.
    #[must_use]
    pub fn has_choices(self) -> bool {
        self != Self::Inset
    }
}

/// Where something can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// Steps applied when it is asked; the decision is about what the next step does.
    pub position: u32,
    /// What is asked there.
    pub kind: QuestionKind,
}

/// An answer, right or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuizAnswer {
    /// This SM takes the block.
    Sm(SmId),
    /// A block of this kernel is assigned next.
    Kernel(OpId),
    /// No block can start at this instant.
    Nothing,
    /// The block fits and goes to this SM.
    Fits(SmId),
    /// The block fits on no SM, for want of this.
    Short(Shortage),
    /// The block would have to wait for all of its kernel's to fit.
    NotAllFit,
    /// The block would have to wait for other kernels to complete.
    NotAlone,
    /// The process of this address space is served next.
    Space(SpaceId),
    /// This job is chosen.
    Job(TaskId, JobNo),
    /// A policy of one's own admits these tasks, by their places in the table.
    Admitted(TaskSet),
    /// The call of a CPU thread waits for this operation.
    Awaited(OpId),
    /// The call waits for nothing.
    AtOnce,
    /// Everything completes.
    Ends,
    /// The run hangs, and this operation never completes.
    Hangs(OpId),
}

/// One of the answers offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuizChoice {
    /// What it says.
    pub answer: QuizAnswer,
    /// The same in words.
    pub text: String,
    /// Why it is right, or wrong, with the amounts, in a sentence or two.
    pub why: String,
    /// The rule that decides.
    pub rule: Rule,
    /// The variant of the rules by which it would be right.
    pub variant: Option<Variant>,
    /// What one would have to believe for it to be right, if it is that of a common belief: a sentence.
    pub belief: Option<&'static str>,
    /// What one may well believe who gives it, if it would not be right by that alone: a sentence.
    pub perhaps: Option<&'static str>,
    /// An operation that does not go on at this state, of which one may ask why.
    pub waits: Option<OpId>,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The step and the kind of decision that it asks about.
    pub spot: Spot,
    /// Steps applied when its answer is to be seen: after the decision's step, if it has one.
    pub shown_at: u32,
    /// The question.
    pub text: String,
    /// What it is good to know for it; may be empty.
    pub hint: String,
    /// Two to five answers, no two with the same words; exactly one is right.
    pub choices: Vec<QuizChoice>,
    /// Place of the right answer in `choices`, from 0.
    pub right: usize,
    /// How much can be learned from it: 1 if wrong choices are near misses only, 2 if one comes of a
    /// common belief, 3 if one of a variant of the rules.
    pub worth: u8,
}

impl Question {
    /// The right choice.
    #[must_use]
    pub fn answer(&self) -> &QuizChoice {
        &self.choices[self.right]
    }
}

impl QuizChoice {
    fn new(answer: QuizAnswer, text: String, rule: Rule, why: String) -> Self {
        Self { answer, text, why, rule, variant: None, belief: None, perhaps: None, waits: None }
    }

    fn under_variant(mut self, variant: Option<Variant>) -> Self {
        self.variant = self.variant.or(variant);
        self
    }

    fn believing(mut self, belief: Option<&'static str>) -> Self {
        self.belief = self.belief.or(belief);
        self
    }

    fn standing_on(self, behind: beliefs::Behind) -> Self {
        Self { perhaps: behind.perhaps, ..self.under_variant(behind.variant).believing(behind.belief) }
    }

    fn about(mut self, waits: Option<OpId>) -> Self {
        self.waits = waits;
        self
    }

    /// What would have to be the rule for this answer to be right; `None` for one that comes of no
    /// belief we know.
    #[must_use]
    pub fn misconception(&self) -> Option<&'static str> {
        self.variant.map(Variant::sentence).or(self.belief)
    }

    fn worth(&self) -> u8 {
        match (self.variant, self.belief) {
            // It is a matter of taste unless something else speaks for it.
            (Some(Variant::LastFit), None) => 1,
            (Some(Variant::LastFit), Some(_)) => 2,
            (Some(_), _) => 3,
            (None, Some(_)) => 2,
            (None, None) => 1,
        }
    }
}

/// A question before its choices are mixed.
struct QuestionDraft {
    text: String,
    hint: String,
    right: QuizChoice,
    /// Those that come first are taken, of equal worth.
    wrong: Vec<QuizChoice>,
}

/// The state at a spot and what the run does next.
struct Site<'a> {
    trace: &'a Trace,
    state: &'a Snapshot,
    /// The next step; `None` where the run has ended.
    next: Option<&'a Step>,
    /// Whether everything that falls on the instant of the last step has been applied.
    instant_is_over: bool,
    dice: Dice,
}

impl Site<'_> {
    /// The instant of the decision.
    fn now(&self) -> Time {
        if self.instant_is_over { self.state.now() } else { self.next.map_or(self.state.now(), |s| s.at) }
    }
}

/// The question at a spot; `None` if the run decides nothing of the kind there, or only what could
/// not be otherwise, and of an inset, which has no choices. Cost: that of seeking there.
#[must_use]
pub fn question_at(replay: &mut Replay, spot: Spot, seed: u64) -> Option<Question> {
    let trace = std::sync::Arc::clone(replay.trace());
    let steps = trace.steps();
    if spot.position as usize > steps.len() || !trace.variants().is_none() {
        return None;
    }
    let next = steps.get(spot.position as usize);
    let last = (spot.position as usize).checked_sub(1).map(|i| &steps[i]);
    let instant_is_over = match (last, next) {
        (Some(last), Some(next)) => last.at < next.at,
        (Some(_), None) => trace.cut().is_none(),
        (None, _) => false,
    };
    let mut dice = Dice::new(seed, &[u64::from(spot.position) << 2 | spot.kind as u64]);
    let end = (spot.kind == QuestionKind::Hang).then(|| replay.seek(steps.len() as u32).clone());
    let site = Site { trace: &trace, state: replay.seek(spot.position), next, instant_is_over, dice: dice.clone() };
    let mut shown_at = spot.position + u32::from(!instant_is_over || matches!(spot.kind, QuestionKind::Resident | QuestionKind::Thread));
    let asked = match spot.kind {
        QuestionKind::Sm => blocks::which_sm(site),
        QuestionKind::Fit => blocks::does_it_fit(site),
        QuestionKind::Kernel => kernel::which_kernel(site),
        QuestionKind::Resident => turn::who_is_next(site),
        QuestionKind::Thread => thread::what_it_waits_for(site),
        QuestionKind::Hang => ending::does_it_end(&site, &end?).map(|(draft, at)| {
            shown_at = at;
            draft
        }),
        QuestionKind::Inset => None,
    }?;
    asked.mixed(spot, shown_at, &mut dice)
}

impl QuestionDraft {
    fn mixed(mut self, spot: Spot, shown_at: u32, dice: &mut Dice) -> Option<Question> {
        // The order of equals is kept.
        self.wrong.sort_by_key(|c| std::cmp::Reverse(c.worth()));
        let worth = self.wrong.first()?.worth();
        let mut texts = BTreeSet::from([self.right.text.clone()]);
        self.wrong.retain(|c| c.answer != self.right.answer && texts.insert(c.text.clone()));
        self.wrong.truncate(MAX_CHOICES - 1);
        let answer = self.right.answer;
        let mut choices = self.wrong;
        choices.push(self.right);
        dice.shuffle(&mut choices);
        let right = choices.iter().position(|c| c.answer == answer)?;
        (choices.len() > 1).then_some(Question { spot, shown_at, text: self.text, hint: self.hint, choices, right, worth })
    }
}

/// The questions of a run.
#[must_use]
pub fn quiz(run: &Run, settings: &QuizSettings) -> Quiz {
    find::quiz(run, settings)
}
