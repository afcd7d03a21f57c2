//! Rules changed on purpose, so that a reader sees what a rule is for: which there are.
//!
//! Depends on serde alone. Invariant: a run says with which variants it was made, and one with any of
//! them is never taken for a run of the rules themselves. What each changes is in the engine, the
//! policies and the state.

use serde::{Deserialize, Serialize};

use super::Rule;

crate::listed! {
    /// A plausible misreading of a rule. New ones are added at the end.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum Variant(id, from_id) {
        /// X1: a kernel that does not fit is passed over, and blocks of those behind it in the same EE
        /// queue are assigned, in its order. A2 holds: a lower EE queue waits all the same.
        WorkConserving = "work-conserving",
        /// A2: a kernel that has begun keeps its turn until its last block is assigned.
        PriorityByKernel = "priority-by-kernel",
        /// N1, N2: the NULL stream is a stream like any other.
        NoNullBarrier = "no-null-barrier",
        /// Placement: a block goes to the highest-numbered SM on which it fits.
        LastFit = "last-fit",
        /// X1: the next block is that of the kernel, of all in the highest non-empty EE queue, of which
        /// the fewest blocks have been assigned; of equal ones the first in the queue.
        FairShare = "fair-share",
        /// G3: a kernel leaves the EE queue when its last block has completed, so that no other kernel
        /// of its queue begins before.
        OneKernel = "one-kernel",
        /// A1, A2: every kernel joins the low-priority EE queue.
        NoPriorities = "no-priorities",
        /// C1: output copies join the queue of input copies, though there is a second engine.
        OneCopyEngine = "one-copy-engine",
        /// C2: a copy begins only while no block is on an SM, and a block only while no copy is on an engine.
        NoOverlap = "no-overlap",
        /// S1: a context switch takes no time.
        FreeSwitches = "free-switches",
        /// L1: the Host begins at the first entry of the runlist whenever the GPU is free.
        ListRestarts = "list-restarts",
        /// L2: no timeslice expires; a process stays until it has no work.
        NoTimeslices = "no-timeslices",
        /// E1: of pending real-time jobs that of the first task of the table is chosen; of best-effort
        /// ones, as ever, by priority.
        FixedPriority = "fixed-priority",
        /// E3: a job that others wait for keeps its own deadline.
        NoInheritance = "no-inheritance",
        /// Q2: a server whose budget is used up keeps its deadline, and its job goes on.
        NoBudgets = "no-budgets",
    }
}

impl Variant {
    /// A few words for a list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::WorkConserving => "X1 work-conserving",
            Self::PriorityByKernel => "A2 by kernel, not by block",
            Self::NoNullBarrier => "N1, N2 off",
            Self::LastFit => "Last-fit placement",
            Self::FairShare => "X1 with equal shares",
            Self::OneKernel => "G3 only when complete",
            Self::NoPriorities => "A1, A2 off",
            Self::OneCopyEngine => "C1 with one copy engine",
            Self::NoOverlap => "C2 without overlap",
            Self::FreeSwitches => "S1 at no cost",
            Self::ListRestarts => "L1 from the first entry",
            Self::NoTimeslices => "L2 off",
            Self::FixedPriority => "E1 by order of the tasks",
            Self::NoInheritance => "E3 off",
            Self::NoBudgets => "Q2 off",
        }
    }

    /// What it does instead of the rule.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::WorkConserving => {
                "A kernel that does not fit is passed over, and blocks of the kernels behind it in its EE queue are assigned."
            }
            Self::PriorityByKernel => {
                "A kernel that has started keeps its turn until its last block is assigned, whatever arrives in a higher EE queue."
            }
            Self::NoNullBarrier => "The NULL stream is a stream like any other: nothing waits for it, and it waits for nothing.",
            Self::LastFit => "A block goes to the SM with the highest number on which it fits.",
            Self::FairShare => "The kernels of an EE queue take turns, block by block: the kernel with the fewest assigned blocks is next.",
            Self::OneKernel => {
                "A kernel leaves the EE queue only when its last block has completed, so the kernels of a queue run one after another."
            }
            Self::NoPriorities => "Every kernel joins the low-priority EE queue, whatever the priority of its stream.",
            Self::OneCopyEngine => "Copies in both directions share one copy engine, although the GPU has more.",
            Self::NoOverlap => "A copy begins only while no block is on an SM, and a block begins only while no copy is on its engine.",
            Self::FreeSwitches => "A switch to another process takes no time.",
            Self::ListRestarts => "Whenever the GPU is free, the Host searches the runlist from the first entry.",
            Self::NoTimeslices => "No timeslice ever expires: a process stays resident until it has no work.",
            Self::FixedPriority => "The pending real-time job of the first task in the table is chosen, whatever the deadlines.",
            Self::NoInheritance => "A job that others wait for is scheduled only by its own deadline or priority.",
            Self::NoBudgets => "A server whose budget is used up keeps its deadline, so a job that runs too long is not held back.",
        }
    }

    /// Why one may well believe it.
    #[must_use]
    pub const fn misconception(self) -> &'static str {
        match self {
            Self::WorkConserving => "A scheduler is expected to leave no resource idle that a queued kernel could use.",
            Self::PriorityByKernel => {
                "A GPU does not preempt a running block, so the whole kernel seems to be out of reach of a higher priority."
            }
            Self::NoNullBarrier => "The NULL stream looks like an ordinary stream that is used when none is named.",
            Self::LastFit => "The placement of a block seems arbitrary, so any SM seems as good as another.",
            Self::FairShare => "Operating systems share a processor fairly, so a GPU seems likely to share its SMs among kernels.",
            Self::OneKernel => "A launch looks like a function call, so a kernel seems to finish before the next one starts.",
            Self::NoPriorities => {
                "Kernels come out of a queue, so first come, first served seems natural, whatever the streams' \
                                   priorities."
            }
            Self::OneCopyEngine => "There is one bus to the memory, so one copy at a time seems natural.",
            Self::NoOverlap => "Copies and kernels use the same memory, so they seem to exclude each other.",
            Self::FreeSwitches => "A CPU switches threads within microseconds. It is easy to forget that a GPU has far more state to save.",
            Self::ListRestarts => "High interleaving sounds like high priority, so the search seems to start at the top every time.",
            Self::NoTimeslices => "Kernels are not preempted inside a process, so a process seems to run to completion too.",
            Self::FixedPriority => {
                "Real-time systems often have fixed priorities, and the first task in a table looks like the most important one."
            }
            Self::NoInheritance => "A deadline belongs to its job, so the jobs that it depends on are easy to overlook.",
            Self::NoBudgets => "A job that has the processor is expected to keep it until something more urgent comes.",
        }
    }

    /// The rules that it changes. Placement is part of R1: where a block is assigned.
    #[must_use]
    pub const fn rules(self) -> &'static [Rule] {
        match self {
            Self::WorkConserving | Self::FairShare => &[Rule::X1],
            Self::PriorityByKernel => &[Rule::A2],
            Self::NoNullBarrier => &[Rule::N1, Rule::N2],
            Self::LastFit => &[Rule::R1],
            Self::OneKernel => &[Rule::G3],
            Self::NoPriorities => &[Rule::A1, Rule::A2],
            Self::OneCopyEngine => &[Rule::C1],
            Self::NoOverlap => &[Rule::C2],
            Self::FreeSwitches => &[Rule::S1],
            Self::ListRestarts => &[Rule::L1],
            Self::NoTimeslices => &[Rule::L2],
            Self::FixedPriority => &[Rule::E1],
            Self::NoInheritance => &[Rule::E3],
            Self::NoBudgets => &[Rule::Q2],
        }
    }
}

/// A set of variants; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variants(u32);

impl Variants {
    /// The rules as they are.
    pub const NONE: Self = Self(0);

    /// Whether a variant is in force.
    #[must_use]
    pub const fn has(self, variant: Variant) -> bool {
        self.0 & 1 << variant as u8 != 0
    }

    /// The same with another one.
    #[must_use]
    pub const fn with(self, variant: Variant) -> Self {
        Self(self.0 | 1 << variant as u8)
    }

    /// The same without one.
    #[must_use]
    pub const fn without(self, variant: Variant) -> Self {
        Self(self.0 & !(1 << variant as u8))
    }

    /// Whether these are the rules as they are.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Those in force.
    pub fn iter(self) -> impl Iterator<Item = Variant> {
        Variant::ALL.into_iter().filter(move |&v| self.has(v))
    }

    /// The title of a run: its name, after what has been changed, so that a title cut short says so too.
    #[must_use]
    pub fn title(self, name: &str) -> String {
        match (self.is_none(), name) {
            (true, name) => name.to_owned(),
            (false, "") => format!("(rules changed: {})", self.ids()),
            (false, name) => format!("(rules changed: {}) {name}", self.ids()),
        }
    }

    /// The name of a file that holds something of a run: `trace.json`, `trace-varied.json`.
    #[must_use]
    pub fn file_name(self, stem: &str, extension: &str) -> String {
        let varied = if self.is_none() { "" } else { "-varied" };
        format!("{stem}{varied}.{extension}")
    }

    /// Their names: `last-fit, no-null-barrier`.
    #[must_use]
    pub fn ids(self) -> String {
        self.iter().map(Variant::id).collect::<Vec<_>>().join(", ")
    }
}

impl FromIterator<Variant> for Variants {
    fn from_iter<I: IntoIterator<Item = Variant>>(variants: I) -> Self {
        variants.into_iter().fold(Self::NONE, Self::with)
    }
}
