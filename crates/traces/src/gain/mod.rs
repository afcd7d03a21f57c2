//! What a change of the program would gain: the whole recording is run again, as it was and with one change at a time.
//!
//! The replay keeps what the host did between its calls, how long operations ran, and what each had to wait for; when things happen follows
//! from that. Kernels get room as by X1 and A2 of [TX2], on a device whose SMs are taken together. Invariants: a change is proposed only if
//! the whole gains at least a hundredth by it, and more than the run without a change is off by; what the replay does not know, it does not
//! run. Source of each rule: `docs/traces.md`; the rules are our choice.

mod calls;
mod candidates;
mod model;
mod order;
mod run;
pub mod words;

use super::causes::{Analysis, Cause};
use super::path::wall_clock;
use super::{OperationKind, Recording};
use blockstep_sim::units::Time;
use model::Model;

/// One thing that is different in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramChange {
    /// What a thread launches from one wait to the next is one graph.
    Graphs,
    /// The host does not wait for the device between its calls; only copies that keep their thread still do.
    FewerWaits,
    /// Copies from and to pageable memory have pinned memory, and do not keep their thread.
    Pinned,
    /// Nothing is allocated or freed once the first operation is launched.
    NoAllocations,
    /// No stream waits for the NULL stream, nor it for them.
    NonBlocking,
    /// Operations of a name in a stream, indices, have a non-blocking stream of their own. They still wait for the events that their stream
    /// had waited for.
    OwnStream {
        /// Index of the name.
        name: u32,
        /// Index of the stream that they leave.
        stream: u32,
    },
    /// A stream, an index, has high priority.
    HighPriority(u32),
    /// Kernels of a name, an index, have half as many blocks, each of which takes twice as long.
    HalfGrid(u32),
    /// No stream shares a hardware queue.
    MoreConnections,
    /// Code is loaded and compiled before the recording begins.
    WarmUp,
}

impl ProgramChange {
    /// Its name in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Graphs => "graphs",
            Self::FewerWaits => "fewer-waits",
            Self::Pinned => "pinned",
            Self::NoAllocations => "no-allocations",
            Self::NonBlocking => "non-blocking",
            Self::OwnStream { .. } => "own-stream",
            Self::HighPriority(_) => "high-priority",
            Self::HalfGrid(_) => "half-grid",
            Self::MoreConnections => "connections",
            Self::WarmUp => "warm-up",
        }
    }
}

/// A change with what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriedChange {
    /// What is different.
    pub change: ProgramChange,
    /// The wall clock with it, ns.
    pub wall_ns: u64,
}

/// What changes would gain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains {
    /// The wall clock as recorded, ns.
    pub recorded_ns: u64,
    /// The wall clock of the run without a change, ns.
    pub unchanged_ns: u64,
    /// Every change that was tried, the one with the shortest wall clock first.
    pub tried: Vec<TriedChange>,
}

/// Why no change is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGains {
    /// Address spaces take turns on a device, and when they do is not recorded.
    Turns,
    /// More than a tenth of the operations have no call.
    WithoutCalls,
    /// What waits for what goes around in a circle, as times are not exact.
    Circle,
}

/// A hundredth of the wall clock is the least that is proposed: our choice.
const LEAST_SHARE: u64 = 100;

impl Gains {
    /// How far the run without a change is from what was recorded, ns.
    #[must_use]
    pub const fn error_ns(&self) -> u64 {
        self.unchanged_ns.abs_diff(self.recorded_ns)
    }

    /// By how much a change shortens the run, ns; zero if it does not.
    #[must_use]
    pub const fn gain_ns(&self, tried: &TriedChange) -> u64 {
        self.unchanged_ns.saturating_sub(tried.wall_ns)
    }

    /// Whether a change is worth saying.
    #[must_use]
    pub fn is_proposed(&self, tried: &TriedChange) -> bool {
        let gain = self.gain_ns(tried);
        gain > self.error_ns() && u128::from(gain) * u128::from(LEAST_SHARE) >= u128::from(self.recorded_ns)
    }

    /// Tries a change.
    fn add(&mut self, model: &Model<'_>, first: Time, change: ProgramChange) -> Result<(), NoGains> {
        let end = model.run(Some(change)).ok_or(NoGains::Circle)?;
        self.tried.push(TriedChange { change, wall_ns: end.since(first).ns() });
        self.tried.sort_by_key(|tried| (tried.wall_ns, tried.change));
        Ok(())
    }

    /// The changes that are worth saying, the best first.
    pub fn proposed(&self) -> impl Iterator<Item = &TriedChange> {
        self.tried.iter().filter(|tried| self.is_proposed(tried))
    }
}

/// Changes that are tried one after another.
#[derive(Debug)]
pub struct Trying {
    /// What came of those so far.
    pub gains: Gains,
    left: Vec<ProgramChange>,
}

impl Trying {
    /// Runs a recording again as it was; the changes to try are those that it gives reason for.
    ///
    /// # Errors
    /// [`NoGains`] where the replay cannot know what the program would do.
    pub fn new(recording: &Recording, analysis: &Analysis) -> Result<Self, NoGains> {
        let mut left = candidates::changes(recording, analysis);
        left.reverse();
        Ok(Self { gains: gains_of(recording, analysis, &[])?, left })
    }

    /// How many changes are not tried yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Tries the next change, if there is one.
    ///
    /// # Errors
    /// [`NoGains`], as of the run without a change.
    pub fn try_next(&mut self, recording: &Recording, analysis: &Analysis) -> Result<(), NoGains> {
        let Some(change) = self.left.pop() else { return Ok(()) };
        self.gains.add(&Model::new(recording, analysis), wall_clock(recording).0, change)
    }
}

/// Runs a recording again as it was, and with each change that it gives reason for.
///
/// # Errors
/// [`NoGains`] where the replay cannot know what the program would do.
pub fn gains(recording: &Recording, analysis: &Analysis) -> Result<Gains, NoGains> {
    gains_of(recording, analysis, &candidates::changes(recording, analysis))
}

/// Runs a recording again as it was, and with each of these changes.
///
/// # Errors
/// [`NoGains`] where the replay cannot know what the program would do.
pub fn gains_of(recording: &Recording, analysis: &Analysis, changes: &[ProgramChange]) -> Result<Gains, NoGains> {
    if (0..recording.operations.len()).any(|place| analysis.parts(place as u32).iter().any(|part| part.cause == Cause::OtherProcess)) {
        return Err(NoGains::Turns);
    }
    let without_call = recording.operations.iter().filter(|operation| operation.call.is_none()).count();
    if without_call * 10 > recording.operations.len() {
        return Err(NoGains::WithoutCalls);
    }
    let (first, end) = wall_clock(recording);
    let model = Model::new(recording, analysis);
    let unchanged = model.run(None).ok_or(NoGains::Circle)?;
    let mut gains = Gains { recorded_ns: end.since(first).ns(), unchanged_ns: unchanged.since(first).ns(), tried: Vec::new() };
    for &change in changes {
        gains.add(&model, first, change)?;
    }
    Ok(gains)
}

/// Whether a copy is from or to pageable memory, as its name says.
fn is_pageable(recording: &Recording, operation: &super::Operation) -> bool {
    matches!(operation.kind, OperationKind::HostToDevice | OperationKind::DeviceToHost) && recording.name(operation).contains("Pageable")
}
