//! Examples of surprising effects, found among small random tables and made as small as they get.
//!
//! Depends on `scenario`, `engine`, `record`, `format` and `view`. Invariants: what is found follows from
//! effect and seed alone; an effect is judged by simulated runs and by nothing else; of a table
//! found, no row can be left out without losing the effect.
//!
//! An effect is shown by one run, or by a run beside that of a *counterpart*: the same table with one
//! change. What is told about it, names and times, is read off those runs.

mod beside;
mod shrink;
mod small_run;
mod tables;
mod turns;
mod within;

pub use shrink::{shrunk, without_row};
pub use tables::table;

use serde::{Deserialize, Serialize};

use blockstep_format::write_scenario;
use blockstep_sim::scenario::Draft;
use blockstep_sim::units::Time;

blockstep_sim::listed! {
    /// What an example is to show.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[repr(u8)]
    pub enum Effect(id, from_id) {
        /// With the block time of one kernel halved, another kernel ends later.
        Shorter = "shorter",
        /// Under `priority`, a kernel that is not of high priority joins its EE queue and gets no block
        /// until the run ends, while at least three kernels launched later on high-priority streams
        /// begin. Counterpart: under `fifo` it begins.
        Starvation = "starvation",
        /// Under `priority`, a kernel heads the high-priority EE queue, has not begun, and none of its
        /// blocks fits, while every block that runs is of a stream that is not high.
        Inversion = "inversion",
        /// A kernel of another stream waits by N2. Counterpart: with the NULL stream's kernels on a stream of
        /// their own, it begins earlier.
        #[serde(rename = "null")]
        NullStall = "null",
        /// A kernel of which a block would fit waits by N2 for the NULL stream, whose head waits by N1
        /// for a third stream.
        NullChain = "null-chain",
        /// Counterpart: on the same device with one SM more, the last operation completes later.
        MoreSms = "more-sms",
        /// A kernel waits by X1, though a block of it would fit, behind one whose block fits nowhere.
        HeadOfLine = "head-of-line",
        /// A kernel waits by A2, though a block of it would fit, for one of high priority whose block
        /// fits nowhere.
        Reserved = "reserved",
        /// The input copy of a kernel waits for the copy engine, which another stream's copy has. Counterpart:
        /// without the copies of that other row, the kernel begins earlier.
        Copies = "copies",
        /// Counterpart: under `fifo`, the last operation completes earlier than under `priority`.
        #[serde(rename = "fifo")]
        FifoEarlier = "fifo",
        /// Counterpart: with one kernel on a stream of its own, the last operation completes later.
        #[serde(rename = "streams")]
        MoreStreams = "streams",
        /// Counterpart: with two neighboring rows of the same launch time exchanged, the last operation
        /// completes earlier.
        #[serde(rename = "order")]
        LaunchOrder = "order",
        /// Under `runlist`. Counterpart: without one row, a kernel of another process ends earlier. And in one
        /// process, under `priority`, the row would not delay it: there is room for both.
        Neighbour = "neighbour",
        /// Under `runlist` a job misses its deadline. Counterpart: under `edf` with preemption no job does.
        RunlistMiss = "runlist-miss",
        /// Under `edf` without preemption a job misses its deadline. Counterpart: with it no job does.
        #[serde(rename = "no-preemption")]
        NoPreemptionMiss = "no-preemption",
        /// Under `edf` that preempts when running blocks have completed, a job misses its deadline.
        /// Counterpart: with preemption at once no job does.
        #[serde(rename = "drain")]
        DrainMiss = "drain",
    }
}

impl Effect {
    /// A few words for a list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.text().0
    }

    /// What has to be the case, in one sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        self.text().1
    }

    const fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Shorter => (
                "A shorter kernel makes another kernel end later",
                "If the block time of one kernel is halved and nothing else changes, another kernel ends later.",
            ),
            Self::Starvation => (
                "A low-priority stream starves",
                "A kernel of a low-priority stream is ready, but none of its blocks is assigned before the run ends. At least three \
                 kernels launched later on high-priority streams run. Under FIFO, the kernel would begin.",
            ),
            Self::Inversion => (
                "High priority waits for low priority",
                "A kernel is the head of the high-priority EE queue, but no block of it fits, and only blocks of lower priority run.",
            ),
            Self::NullStall => (
                "The NULL stream stalls another stream",
                "A kernel waits for the NULL stream (N2) and would begin earlier if the NULL stream's kernels had their own stream.",
            ),
            Self::NullChain => (
                "Two streams wait for each other through the NULL stream",
                "A kernel that would fit waits for the NULL stream (N2), whose head waits for a third stream (N1).",
            ),
            Self::MoreSms => ("More SMs, later end", "On the same device with one more SM, the same table completes later."),
            Self::HeadOfLine => (
                "A block would fit but waits in line",
                "A kernel waits in the EE queue although a block of it would fit, because no block of the head of the queue fits (X1).",
            ),
            Self::Reserved => (
                "Low priority waits beside free SMs",
                "A low-priority kernel waits for a high-priority kernel that does not fit, although its own block would fit (A2).",
            ),
            Self::Copies => (
                "Copies delay a kernel of another stream",
                "A kernel's input copy waits for the only copy engine. Without the copies of a kernel in another stream, the kernel would \
                 begin earlier.",
            ),
            Self::FifoEarlier => {
                ("Priorities make everything later", "Without stream priorities (FIFO), the same table completes earlier than with them.")
            }
            Self::MoreStreams => (
                "One more stream, later end",
                "If one kernel moves to its own stream, so that it waits for fewer kernels, the same table completes later.",
            ),
            Self::LaunchOrder => {
                ("The order of two launches costs time", "If two simultaneous launches change places, the same table completes earlier.")
            }
            Self::Neighbour => (
                "Work of one process delays another",
                "Without one kernel, a kernel of another process ends earlier. In one process there would be room for both.",
            ),
            Self::RunlistMiss => (
                "The runlist misses a deadline that EDF meets",
                "A job misses its deadline when processes share the GPU under the runlist. Under EDF, every job is in time.",
            ),
            Self::NoPreemptionMiss => (
                "EDF without preemption misses a deadline",
                "A job misses its deadline under EDF without preemption. With preemption, every job is in time.",
            ),
            Self::DrainMiss => (
                "EDF that waits for blocks to end misses a deadline",
                "A job misses its deadline under EDF that preempts only between blocks. With preemption at once, every job is in time.",
            ),
        }
    }

    /// Whether a draft shows it, and where; nothing of a draft that is not valid or not a small run.
    #[must_use]
    pub fn shown_by(self, draft: &Draft) -> Option<ShownEffect> {
        match self {
            Self::Shorter => beside::shorter(draft),
            Self::Starvation => beside::starvation(draft),
            Self::Inversion => within::inversion(draft),
            Self::NullStall => beside::null_stall(draft),
            Self::NullChain => within::null_chain(draft),
            Self::MoreSms => beside::more_sms(draft),
            Self::HeadOfLine => within::head_of_line(draft),
            Self::Reserved => within::reserved(draft),
            Self::Copies => beside::copies(draft),
            Self::FifoEarlier => beside::fifo_earlier(draft),
            Self::MoreStreams => beside::more_streams(draft),
            Self::LaunchOrder => beside::launch_order(draft),
            Self::Neighbour => turns::neighbour(draft),
            Self::RunlistMiss => turns::runlist_miss(draft),
            Self::NoPreemptionMiss | Self::DrainMiss => turns::edf_miss(draft, self),
        }
    }
}

impl std::str::FromStr for Effect {
    type Err = ();

    fn from_str(id: &str) -> Result<Self, ()> {
        Self::from_id(id).ok_or(())
    }
}

/// An instant of a run worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownInstant {
    /// The instant, ns from the start of the run.
    pub at: Time,
    /// What happens: `K2 begins`.
    pub what: String,
}

/// Where a draft shows an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownEffect {
    /// When to look at the run.
    pub at: Time,
    /// The row that it is about.
    pub row: usize,
    /// What is to be seen, with names and times of the run.
    pub sentence: String,
    /// Instants of the run, in order of time.
    pub places: Vec<ShownInstant>,
    /// The changed table that it is compared with, if it is.
    pub counterpart: Option<Counterpart>,
}

/// A table with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterpart {
    /// The table.
    pub draft: Draft,
    /// What is changed: `the block time of K1 halved`.
    pub change: String,
    /// When to look at its run.
    pub at: Time,
    /// Instants of its run, in order of time.
    pub places: Vec<ShownInstant>,
}

/// Attempts after which a search gives up.
pub const MOST_ATTEMPTS: u32 = 50_000;
/// Attempts after the first that succeeds, in search of a simpler example; as many as before it, if
/// those are more.
pub const FURTHER_ATTEMPTS: u32 = 400;
/// Examples of which the simplest is taken.
pub const MOST_EXAMPLES: u32 = 10;

/// A search under way. It is plain data, so that it can be put aside and resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// What is looked for.
    pub effect: Effect,
    /// What the tables are drawn with.
    pub seed: u64,
    /// Tables tried so far.
    pub attempts: u32,
    /// Examples among them.
    pub examples: u32,
    /// The table after which it ends at the latest.
    pub last: u32,
    /// The simplest example so far, as small as it gets.
    pub best: Option<Draft>,
}

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchProgress {
    /// It goes on.
    Searching,
    /// It has ended: [`Search::best`] shows the effect, and without any of its rows it does not.
    Found,
    /// It has ended with nothing found.
    GivenUp,
}

impl Search {
    /// A search before its first attempt.
    #[must_use]
    pub fn new(effect: Effect, seed: u64) -> Self {
        Self { effect, seed, attempts: 0, examples: 0, last: MOST_ATTEMPTS, best: None }
    }

    /// Makes at most so many attempts more, and none after one that succeeds: making an example
    /// small takes as long as a few hundred attempts. What is found in the end depends on effect
    /// and seed alone, not on how the attempts are portioned.
    pub fn run(&mut self, attempts: u32) -> SearchProgress {
        for _ in 0..attempts {
            if self.progress() != SearchProgress::Searching {
                break;
            }
            let draft = table(self.effect, self.seed, self.attempts);
            self.attempts += 1;
            if self.effect.shown_by(&draft).is_some() {
                self.take(shrunk(self.effect, draft));
                break;
            }
        }
        self.progress()
    }

    /// How it stands.
    #[must_use]
    pub fn progress(&self) -> SearchProgress {
        match &self.best {
            _ if self.attempts < self.last.min(MOST_ATTEMPTS) && self.examples < MOST_EXAMPLES => SearchProgress::Searching,
            Some(_) => SearchProgress::Found,
            None => SearchProgress::GivenUp,
        }
    }

    /// Keeps an example if it is simpler than the best so far: it has fewer rows, else a shorter file.
    fn take(&mut self, example: Draft) {
        let size = |draft: &Draft| (draft.kernels.len(), write_scenario(draft).len());
        self.last = self.last.min(self.attempts.saturating_add(self.attempts.max(FURTHER_ATTEMPTS)));
        self.examples += 1;
        if self.best.as_ref().is_none_or(|best| size(&example) < size(best)) {
            self.best = Some(example);
        }
    }
}
