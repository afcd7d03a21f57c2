//! Traces of profilers in the browser: what the page asks of the worker that reads them, and the answers.
//!
//! Invariants: an answer holds words and whole numbers, so that the page needs none of the readers; an answer depends on the file and
//! the question alone.

mod causes;
pub mod example;
mod files;
mod lanes;

pub use causes::{Cause, Certainty, DEFAULT_CONNECTIONS, KnownSettings, PathShare, certainty};
pub use files::{MOST_RANKS, SQLITE, is_profile, to_export, too_many};
pub use lanes::{LanePiece, Of, OperationKind, Sight};

use serde::{Deserialize, Serialize};

use blockstep_sim::units::Time;

/// What the page asks. The file itself travels beside `Open`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceAsk {
    /// Read the file that comes with this message.
    Open,
    /// Read the file that comes with this message, and compare it with the one that is open, which came before it.
    OpenAfter,
    /// Read the example that comes with the program.
    Example,
    /// Put the ranks of a job beside each other: of each file what [`Overview::rank`] was.
    Ranks(Vec<KeptRank>),
    /// What is to be drawn of each lane.
    Draw(Sight),
    /// All about an operation, an index.
    Look(u32),
    /// All about the operation that a call launched, an index of a call.
    LookOfCall(u32),
    /// All about the operation that a piece of a path is about.
    LookOfPath {
        /// The device of the path, an index.
        device: u32,
        /// The piece, a place in the path.
        piece: u32,
    },
    /// All about the operation before another in its stream, or after it; without one, about the first of all.
    Beside(Option<u32>, bool),
    /// What happened between two instants.
    Sum(Time, Time),
    /// Operations whose names hold this text, in any case of letters.
    Find(String),
    /// Explain the waits again, with what the reader knows.
    Explain(KnownSettings),
    /// Run the whole recording again: the first time as it was, then with one more change each time.
    Gains,
    /// Run the neighborhood of a kernel again, as it was and with one change each; an index.
    WhatIf(u32),
    /// Make a scenario of what runs between two instants.
    Make {
        /// Which of it.
        of: Chosen,
        /// First instant.
        from: Time,
        /// End, excluded.
        to: Time,
        /// What the scenario is called.
        name: String,
    },
}

/// Which operations become a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chosen {
    /// All of them.
    All,
    /// Those of the stream of this one, an index.
    StreamOf(u32),
    /// Those whose names hold this text, in any case of letters.
    Named(String),
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceAnswer {
    /// So many bytes of the file are read.
    Reading(u64),
    /// The file is read; so many operations of so many are explained.
    Explaining(u64, u64),
    /// The waits are explained; the path of every device is being found.
    FindingPath,
    /// The paths are found; what is shown first is being put together.
    PuttingTogether,
    /// Why there is no answer, a sentence.
    Failed(String),
    /// The file is read and explained.
    Opened(Box<Overview>),
    /// The ranks of a job.
    Ranks(ShownRanks),
    /// For each lane, what is drawn, from left to right; and where what was found stands.
    Drawn {
        /// What was asked for.
        sight: Sight,
        /// By lane.
        lanes: Vec<Vec<DrawnPiece>>,
    },
    /// All about an operation.
    Looked(Box<OperationCard>),
    /// There is no such operation.
    Nothing,
    /// What happened in a range.
    Summed(Box<RangeCard>),
    /// Operations that were found.
    Found(FoundOperations),
    /// What changes of the program would gain.
    Gains(ShownGains),
    /// What would come of changes.
    Tried {
        /// The operation, an index.
        operation: u32,
        /// How well the run without a change hits what was measured, sentences.
        said: Vec<String>,
        /// Each change, when the kernel starts then, counted from its call, and what is gained or lost.
        rows: Vec<(String, String, String)>,
    },
    /// A scenario.
    Made {
        /// The scenario file.
        scenario: String,
        /// What is not in it, sentences.
        left_out: Vec<String>,
    },
}

/// What changes of the program would gain, as far as they are tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShownGains {
    /// So many changes are not tried yet.
    Trying(u64),
    /// All are tried.
    Tried {
        /// Each change that shortens the whole, the best first.
        proposals: Vec<Proposal>,
        /// How sure that is; or that none does, or cannot be told.
        note: String,
        /// What the whole would gain if a part took less time.
        levers: Vec<LeverRow>,
        /// Of the trace before, what it promised and what this one leaves of that, lines. Empty if there is none, or it is not known.
        promised: Vec<String>,
    },
}

/// A change of the program that shortens the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// What one would do, and what the whole gains.
    pub headline: String,
    /// How much of the program that is about and where, and what one would type; empty if there is nothing to say.
    pub details: String,
    /// The place of the path that it is about, if it is about one.
    pub place: Option<(Time, Time)>,
}

/// A part of the program, and how much shorter the whole would be if the part took less time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeverRow {
    /// The part.
    pub what: String,
    /// Its longest piece on the path.
    pub longest: (Time, Time),
    /// With a quarter less, half, three quarters and all of it.
    pub gains: [Gained; 4],
    /// What holds the run up then; empty where the gain goes on, or no one thing does.
    pub then: String,
}

/// A time that the whole gains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gained {
    /// As written.
    pub time: String,
    /// Of the whole.
    pub permille: u32,
}

/// What is drawn as one in a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnPiece {
    /// From when to when, and of how many items.
    pub piece: LanePiece,
    /// What the first item is.
    pub tone: Tone,
    /// Whether one of the items was found.
    pub is_found: bool,
    /// The first item's short name, where there may be room for it; else empty.
    pub name: String,
}

/// What an item of a lane is, for its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tone {
    /// A kernel.
    Kernel,
    /// A copy over the bus.
    Copy,
    /// A copy within a device, or a memset.
    Memory,
    /// A call of the host that launches something or has to do with memory.
    Launch,
    /// A call in which the host waits.
    Wait,
    /// Any other call.
    Other,
    /// How full the SMs were, by estimate.
    Level,
    /// On a path: the host.
    Host,
    /// On a path: a launch on its way.
    Launching,
    /// On a path: another wait, or another device.
    Waiting,
    /// On a path: after the last operation, or not known.
    Unknown,
}

/// A whole trace, as it is shown first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// Where the time went: a sentence for each device, the one that ended last first; and whether there are more.
    pub answer: Vec<String>,
    /// Label and value: who recorded it, GPU, span, counts.
    pub facts: Vec<(String, String)>,
    /// What the end of these devices' work waited for.
    pub paths: Vec<ShownPath>,
    /// Time waited by cause, the most first; operations wait at the same time.
    pub causes: Vec<TimeShare>,
    /// The longest waits, those that are alike in one row.
    pub waits: Vec<ListedWait>,
    /// Kernels and copies by name.
    pub names: NameTable,
    /// Lanes of the timeline, from top to bottom.
    pub lanes: Vec<LaneTitle>,
    /// The end of the recording.
    pub end: Time,
    /// Of each path's device, by its number: how much of each of equal parts of the recording it worked, percent.
    pub busy: Vec<Vec<u8>>,
    /// What is kept of it to put it beside the other ranks of its job, as the worker wrote it: the page only hands it back.
    pub rank: Vec<u8>,
    /// What changed since the trace before it, if that was opened together with it.
    pub compared: Option<ComparedTraces>,
    /// What is wrong with the file, sentences.
    pub flaws: Vec<String>,
    /// What to record next time, sentences.
    pub to_record: Vec<String>,
    /// What the reader said, if the file leaves it open and it can matter.
    pub asked: Option<KnownSettings>,
}

/// A file: its name, and what is kept of it, as the worker wrote it, or why it cannot be read.
pub type KeptRank = (String, Result<Vec<u8>, String>);

/// The ranks of a job beside each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRanks {
    /// Whether the files are different ranks of one job, as far as they say.
    pub are_of_one_job: bool,
    /// Which of them is slow, then what is to be known of the table, sentences.
    pub said: Vec<String>,
    /// What the times are.
    pub headings: Vec<String>,
    /// By rank.
    pub rows: Vec<ShownRank>,
}

/// A rank of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRank {
    /// Its file, a place among those that were asked about.
    pub place: u32,
    /// What it is called.
    pub label: String,
    /// Its times, as texts; or why the file cannot be read.
    pub times: Result<Vec<String>, String>,
    /// Whether it holds the others up, or takes longest.
    pub is_slowest: bool,
}

/// What changed in a step from a trace to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedTraces {
    /// What they come to, a sentence.
    pub verdict: String,
    /// What was compared, sentences.
    pub about: String,
    /// Whether whole runs were, and not steps.
    pub is_of_runs: bool,
    /// What changed beyond noise, the most first; some.
    pub rows: Vec<ChangedRow>,
    /// How many more changes there are.
    pub left: u64,
    /// What is wrong with each of the files and may be why they differ, in short: before and after.
    pub flaws: [Vec<String>; 2],
}

/// What of a step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRow {
    /// Its share of the path, for the color.
    pub share: PathShare,
    /// What it is.
    pub what: String,
    /// How long it takes in a step before and after, and the difference, as texts.
    pub times: [String; 3],
}

/// What a part of a time is, for its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShareOf {
    /// A cause of waits.
    Cause(Cause),
    /// A share of a path.
    Path(PathShare),
}

/// What the end of a device's work waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPath {
    /// The device.
    pub title: String,
    /// Its shares, the longest first.
    pub shares: Vec<TimeShare>,
    /// What its pieces have in common, the longest first; some.
    pub rows: Vec<PathRow>,
    /// How many more rows there are, and their time as text.
    pub left: Option<(u64, String)>,
    /// What the host was behind by, and how much ran together, sentences.
    pub notes: Vec<String>,
}

/// Pieces of a path that have something in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathRow {
    /// Their share, for the color.
    pub share: PathShare,
    /// What they have in common.
    pub label: String,
    /// How long in all, as text.
    pub time: String,
    /// Tenths of a percent of the whole.
    pub permille: u32,
    /// How many pieces.
    pub pieces: String,
    /// The longest piece: from when to when.
    pub longest: (Time, Time),
}

/// A part of a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeShare {
    /// What it is.
    pub of: ShareOf,
    /// Its label.
    pub label: String,
    /// Tenths of a percent of the whole.
    pub permille: u32,
    /// How long, as text.
    pub time: String,
    /// What more is said of it, a sentence or two.
    pub help: String,
}

/// Waits that are alike: of operations of one name, for the same causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedWait {
    /// The operation that waited longest of them, an index.
    pub operation: u32,
    /// Its short name with its stream.
    pub name: String,
    /// How long it waited.
    pub time: String,
    /// How many such waits there are.
    pub count: u64,
    /// How long they took in all.
    pub in_all: String,
    /// The largest part's cause.
    pub cause: Option<Cause>,
    /// Its label and how sure it is.
    pub label: String,
}

/// Operations by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameTable {
    /// Labels of the causes that have a column of their own.
    pub causes: Vec<String>,
    /// A row for each name, the longest waits first.
    pub rows: Vec<NameRow>,
    /// How many names there are in all.
    pub count: u64,
}

/// Operations of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameRow {
    /// Short.
    pub name: String,
    /// In full.
    pub full: String,
    /// How many, how long they ran, how long they waited, and how long for each cause with a column: count, then ns.
    pub numbers: Vec<u64>,
}

/// A lane of the timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneTitle {
    /// What it shows.
    pub of: Of,
    /// Its title.
    pub title: String,
    /// What stands above it, if it is the first of a group; else empty.
    pub group: String,
}

/// All about an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationCard {
    /// The operation, an index.
    pub operation: u32,
    /// Its short name.
    pub name: String,
    /// Its name in full.
    pub full: String,
    /// Label and value.
    pub facts: Vec<(String, String)>,
    /// When it was called, if that is recorded.
    pub called: Option<Time>,
    /// When it began.
    pub start: Time,
    /// When it ended.
    pub end: Time,
    /// Its lane, and that of its call.
    pub lanes: (Option<u32>, Option<u32>),
    /// How long it waited, a sentence.
    pub waited: String,
    /// The parts of its wait, by time.
    pub parts: Vec<CardPart>,
    /// That its call held the host meanwhile, and which of the two to act on first, a sentence.
    pub beside_call: Option<String>,
    /// The chain of causes, from the operation to the root.
    pub chain: Vec<ChainRow>,
    /// How the chain ends.
    pub root: String,
    /// Causes that the file rules out: label and why.
    pub ruled_out: Vec<(String, String)>,
}

/// What happened in a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeCard {
    /// First instant.
    pub from: Time,
    /// End, excluded.
    pub to: Time,
    /// How long it is, as text.
    pub length: String,
    /// When it begins and ends, as text.
    pub ends: String,
    /// Of each path: what is of it in the range.
    pub devices: Vec<ShownRange>,
    /// How long the operations waited that began in it, by cause, the most first.
    pub waits: Vec<TimeShare>,
    /// All of this as lines.
    pub text: String,
}

/// What a device did in a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRange {
    /// What is of its path; the times of the shares add up to the length as they are written.
    pub path: ShownPath,
    /// What ran: kind, for how long at least one of it did, and how many began.
    pub work: Vec<[String; 3]>,
}

/// A part of a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardPart {
    /// Its cause.
    pub cause: Cause,
    /// How sure that is.
    pub certainty: Certainty,
    /// The cause's label.
    pub label: String,
    /// How long, ns.
    pub ns: u64,
    /// What it says, a sentence.
    pub sentence: String,
    /// The operation that it waited for: index and name.
    pub by: Option<(u32, String)>,
}

/// A link of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainRow {
    /// The operation, an index.
    pub operation: u32,
    /// Its name with its stream.
    pub name: String,
    /// What the link says.
    pub sentence: String,
}

/// Operations that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundOperations {
    /// The text that was looked for.
    pub text: String,
    /// How many operations.
    pub count: u64,
    /// The first of them, by start; each with its name and when it began.
    pub first: Vec<(u32, String, String)>,
}

/// Tenths of a percent as they are said: `82.3 %`; `under 0.1 %` for what is less than that.
#[must_use]
pub fn percent(permille: u32) -> String {
    if permille == 0 { "under 0.1 %".to_owned() } else { format!("{}.{} %", permille / 10, permille % 10) }
}
