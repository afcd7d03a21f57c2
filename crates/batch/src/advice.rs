//! Which scheduler [MT] recommends for a workload, as a tree of questions, and why.
//!
//! Depends on the other files of `batch`. Invariant: every workload leads to one leaf. Source: [MT]
//! Fig. 3 recommends schedulers for given workload characteristics and GPUs; we have
//! the paper's text without that figure, so the questions and leaves here are drawn from Table III, section 7 and
//! conclusions 2 to 5, which it is based on. The limits of "balanced" and of "longer" are **ours**.

use super::arch::Arch;
use super::run::Comparison;
use super::schedulers::SchedulerId;
use super::task::{Task, Workload};
use blockstep_sim::units::Span;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionSubject {
    /// Small kernels: any two fit into the GPU together.
    Small,
    /// A queue for each stream, with events in it.
    QueuePerStream,
    /// Hyper-Q, wherever events go.
    HyperQ,
    /// Higher-priority tasks have the longer kernels.
    HigherIsLonger,
    /// Copies and kernels take about as long.
    Balanced,
}

/// Where an answer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To another question, by its place in [`QUESTIONS`].
    Ask(usize),
    /// To a recommendation, by its place in [`LEAVES`].
    Use(usize),
}

/// A question of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it is about.
    pub subject: QuestionSubject,
    /// For readers.
    pub text: &'static str,
    /// If not.
    pub no: Next,
    /// If so.
    pub yes: Next,
}

/// The questions, the root first.
pub const QUESTIONS: [Question; 5] = [
    Question {
        subject: QuestionSubject::Small,
        text: "Are the kernels small: do any two of them fit on the GPU together?",
        no: Next::Ask(3),
        yes: Next::Ask(1),
    },
    Question {
        subject: QuestionSubject::QueuePerStream,
        text: "Does each stream have its own queues that hold its events (Kepler)?",
        no: Next::Ask(2),
        yes: Next::Use(0),
    },
    Question {
        subject: QuestionSubject::HigherIsLonger,
        text: "Do tasks of higher priority have the longer kernels?",
        no: Next::Use(2),
        yes: Next::Use(1),
    },
    Question {
        subject: QuestionSubject::HyperQ,
        text: "Does each stream have its own queues (Hyper-Q)?",
        no: Next::Ask(4),
        yes: Next::Use(3),
    },
    Question { subject: QuestionSubject::Balanced, text: "Do copies and kernels take about as long?", no: Next::Use(5), yes: Next::Use(4) },
];

/// A recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The schedulers; more than one where the paper finds no difference.
    pub best: &'static [SchedulerId],
    /// Why, in a sentence or two.
    pub reason: &'static str,
    /// Where the paper says so.
    pub source: &'static str,
}

/// The recommendations.
pub const LEAVES: [Leaf; 6] = [
    Leaf {
        best: &[SchedulerId::CpuConcurrent],
        reason: "Small kernels gain from running at the same time. No output copy waits in a queue for another task's kernel, so finding out which kernel ends first only costs time.",
        source: "[MT] conclusions 2 and 4; Case-1",
    },
    Leaf {
        best: &[SchedulerId::CpuOrder],
        reason: "Small kernels gain from running at the same time, and the kernel that starts second ends first. Its output copy would wait behind the stop event of the other kernel, unless stop events are issued in the order in which the kernels end.",
        source: "[MT] conclusions 2 and 4, section 7; Case-2, Case-1 on TX1",
    },
    Leaf {
        best: &[SchedulerId::CpuConcurrent],
        reason: "Small kernels gain from running at the same time. Kernels end in the order in which they are issued, so finding out the order only costs time.",
        source: "[MT] conclusions 2 and 4; Case-3",
    },
    Leaf {
        best: &[SchedulerId::CpuConcurrent, SchedulerId::CpuInterleave],
        reason: "Large kernels leave no room for each other, so running them concurrently changes little; counting their many threads costs more than it gains.",
        source: "[MT] conclusions 2 and 4; Case-4",
    },
    Leaf {
        best: &[SchedulerId::CpuInterleave],
        reason: "Large kernels leave no room for each other, and with a single execution queue the first one's signal is delayed until the second is done: its output copy overlaps nothing.",
        source: "[MT] conclusions 2 and 4; Case-5",
    },
    Leaf {
        best: &[SchedulerId::CpuInterleave],
        reason: "Large kernels leave no room for each other, and short copies leave little to overlap: a delayed signal then makes concurrent kernels worse than no overlap at all.",
        source: "[MT] conclusions 3 and 4; Case-6",
    },
];

/// What a workload is like on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Whether any two kernels fit into the GPU together (a single one: by itself).
    pub small: bool,
    /// Time of the copies of all jobs.
    pub copies: u128,
    /// Time of the kernels of all jobs, each alone on the GPU.
    pub kernels: u128,
    /// Of how many pairs of tasks the one of higher priority has the longer kernel.
    pub longer: usize,
    /// Pairs of tasks.
    pub pairs: usize,
}

impl Traits {
    /// Looks at a workload. Of two tasks that with the shorter deadline or separation time counts
    /// as the one of higher priority, which it is whenever their inputs arrive together.
    #[must_use]
    pub fn from_workload(workload: &Workload, arch: &Arch) -> Self {
        let tasks = workload.tasks();
        let all = |time: &dyn Fn(&Task) -> Span| {
            tasks.iter().map(|task| u128::from(time(task).ns()) * u128::from(task.jobs(workload.until()))).sum()
        };
        let (copies, kernels) = (all(&|task| task.copies(arch)), all(&|task| task.kernel));
        let mut traits = Self { small: true, copies, kernels, longer: 0, pairs: 0 };
        for (i, task) in tasks.iter().enumerate() {
            traits.small &= tasks.len() > 1 || task.fits_in(arch);
            for other in &tasks[i + 1..] {
                let other_is_higher = other.requirement.allowance() < task.requirement.allowance();
                let (higher, lower) = if other_is_higher { (other, task) } else { (task, other) };
                traits.small &= higher.fits_with(lower, arch);
                traits.longer += usize::from(higher.kernel > lower.kernel);
                traits.pairs += 1;
            }
        }
        traits
    }

    /// Copies and kernels take about as long: neither more than twice the other.
    #[must_use]
    pub const fn is_balanced(&self) -> bool {
        self.copies <= self.kernels.saturating_mul(2) && self.kernels <= self.copies.saturating_mul(2)
    }

    /// In more than half of the pairs.
    #[must_use]
    pub const fn higher_is_longer(&self) -> bool {
        self.longer * 2 > self.pairs
    }

    fn answer(&self, subject: QuestionSubject, arch: &Arch) -> bool {
        match subject {
            QuestionSubject::Small => self.small,
            QuestionSubject::QueuePerStream => arch.hyper_q && !arch.misplaces_events,
            QuestionSubject::HyperQ => arch.hyper_q,
            QuestionSubject::HigherIsLonger => self.higher_is_longer(),
            QuestionSubject::Balanced => self.is_balanced(),
        }
    }
}

/// The path through the tree for a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What the answers rest on.
    pub traits: Traits,
    /// Questions by place, each with its answer, the root first.
    pub path: Vec<(usize, bool)>,
    /// Where it ends, by place in [`LEAVES`].
    pub leaf: usize,
}

impl Advice {
    /// The advice for a workload on a GPU.
    #[must_use]
    pub fn new(workload: &Workload, arch: &Arch) -> Self {
        let traits = Traits::from_workload(workload, arch);
        let mut path = Vec::new();
        let mut next = Next::Ask(0);
        loop {
            match next {
                Next::Use(leaf) => return Self { traits, path, leaf },
                Next::Ask(place) => {
                    let question = &QUESTIONS[place];
                    let answer = traits.answer(question.subject, arch);
                    path.push((place, answer));
                    next = if answer { question.yes } else { question.no };
                }
            }
        }
    }

    /// The recommendation.
    #[must_use]
    pub fn leaf(&self) -> &'static Leaf {
        &LEAVES[self.leaf]
    }

    /// Whether one of the schedulers that did best here is recommended; if not, both are to be shown.
    #[must_use]
    pub fn agrees(&self, ours: &Comparison) -> bool {
        best(ours).iter().any(|id| self.leaf().best.contains(id))
    }
}

/// The schedulers that did best: more than one if they are equal to the nanosecond.
#[must_use]
pub fn best(ours: &Comparison) -> Vec<SchedulerId> {
    let shifted = |id: &SchedulerId| ours.outcome(*id).map(|outcome| outcome.shifted);
    let ranking = ours.ranking();
    let least = ranking.first().and_then(shifted);
    ranking.into_iter().filter(|id| shifted(id) == least).collect()
}
