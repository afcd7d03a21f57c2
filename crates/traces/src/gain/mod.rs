//! What a change of the program would gain: the whole recording is run again, as it was and with one change at a time.
//!
//! The replay keeps what the host did between its calls, how long operations ran, and what each had to wait for; when things happen follows
//! from that. Kernels get room as by X1 and A2 of [TX2], on a device whose SMs are taken together. Invariants: a change is proposed only if
//! the whole gains at least a hundredth by it, and more than the run without a change is off by; what the replay does not know, it does not
//! run. Source of each rule: `docs/traces.md`; the rules are our choice.

mod behind;
mod bends;
mod calls;
mod candidates;
pub mod collectives;
mod levers;
mod limits;
mod locks;
mod model;
mod order;
pub mod promises;
mod run;
mod sets;
mod sms;
pub mod words;

use std::collections::BTreeSet;

use super::causes::{Analysis, Cause};
use super::communication::CollectiveKind;
use super::idle::idle_ns;
use super::path::{DevicePath, PathPiece, paths, wall_clock};
use super::{Flaw, OperationKind, Recording};
pub use behind::{Behind, BehindKind};
use bends::Chain;
use collectives::Joined;
pub use levers::{Lever, LeverSubject, PERCENTS};
use limits::Limits;
use model::{Kept, Model};

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
    /// The host does not read small values of the device at once.
    FewerReads,
    /// Kernels that communicate have a stream of their own; each still comes after what was launched before it in the stream it leaves.
    CommunicationBeside,
    /// Collectives of a kind that follow each other in a stream are fewer, larger ones.
    FewerCollectives {
        /// What they do.
        kind: CollectiveKind,
        /// Index of the stream.
        stream: u32,
        /// At most so many are one.
        each: u32,
        /// How many there are.
        count: u32,
        /// How many are left.
        left: u32,
    },
    /// What a lever is about takes less time.
    Faster {
        /// What it is about.
        what: LeverSubject,
        /// By how much, 1 to 100.
        percent: u8,
    },
}

impl ProgramChange {
    /// Whether it changes what the host does; what orders the device's work, only as far as calls do.
    const fn is_of_host(self) -> bool {
        match self {
            Self::Graphs | Self::FewerWaits | Self::FewerReads | Self::NoAllocations | Self::WarmUp => true,
            Self::Faster { what, .. } => what.is_of_host(),
            _ => false,
        }
    }

    /// Whether operations wait for other operations with it than they do without it.
    const fn is_of_order(self) -> bool {
        matches!(self, Self::OwnStream { .. } | Self::CommunicationBeside | Self::NonBlocking | Self::NoAllocations | Self::MoreConnections)
    }

    /// Whether it changes how long things take alone, not what waits for what.
    const fn is_of_times(self) -> bool {
        matches!(self, Self::Faster { .. } | Self::HighPriority(_) | Self::HalfGrid(_) | Self::WarmUp)
    }

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
            Self::FewerReads => "fewer-reads",
            Self::CommunicationBeside => "communication-beside",
            Self::FewerCollectives { .. } => "fewer-collectives",
            Self::Faster { .. } => "faster",
        }
    }
}

/// Changes that were made together, with what came of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedChange {
    /// What is different: one thing, or several.
    pub changes: Vec<ProgramChange>,
    /// The wall clock with them, ns.
    pub wall_ns: u64,
}

impl TriedChange {
    /// Its name in files: those of its changes, joined by `+`.
    #[must_use]
    pub fn word(&self) -> String {
        self.changes.iter().map(|change| change.word()).collect::<Vec<_>>().join("+")
    }
}

/// A proposal, and what it saves beyond those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// A place in [`Gains::tried`].
    pub tried: usize,
    /// What it saves once those before it that save something are made, ns.
    pub more_ns: u64,
}

/// What changes would gain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains {
    /// The wall clock as recorded, ns.
    pub recorded_ns: u64,
    /// The wall clock of the run without a change, ns.
    pub unchanged_ns: u64,
    /// All that was tried, the one with the shortest wall clock first.
    pub tried: Vec<TriedChange>,
    /// Rows of the path that are levers, the largest first.
    pub levers: Vec<Lever>,
    /// The proposals, the best first. Together they promise no nanosecond twice.
    pub ladder: Vec<Rung>,
    /// What of the program the changes among the proposals are about.
    pub behind: Vec<Behind>,
}

/// Why no change is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGains {
    /// No operation of a GPU is in the file.
    HostAlone,
    /// Address spaces take turns on a device, and when they do is not recorded.
    Turns,
    /// More than a tenth of the operations have no call.
    WithoutCalls,
    /// More than a tenth of the launches have no operation in the file.
    WithoutOperations,
    /// The profiler lost events, as it says itself.
    Lost,
    /// For more than a tenth of the wall clock the host waited while nothing in the file ran.
    IdleWaits,
    /// What waits for what goes around in a circle, as times are not exact.
    Circle,
}

/// A hundredth of the wall clock is the least that is proposed: our choice.
const LEAST_SHARE: u64 = 100;
/// At most so many proposals are compared with those before them.
const MOST_RUNGS: usize = 8;
/// A recording with more operations is long: changes together are left out, as each is a run of the whole.
const LONG: usize = 200_000;

impl Gains {
    /// How far the run without a change is from what was recorded, ns.
    #[must_use]
    pub const fn error_ns(&self) -> u64 {
        self.unchanged_ns.abs_diff(self.recorded_ns)
    }

    /// By how much changes shorten the run, ns; zero if they do not.
    #[must_use]
    pub const fn gain_ns(&self, tried: &TriedChange) -> u64 {
        self.unchanged_ns.saturating_sub(tried.wall_ns)
    }

    /// Whether a gain is worth saying, ns: a hundredth of the wall clock or more, and more than the run without a change is off by.
    #[must_use]
    pub fn is_worth(&self, gain_ns: u64) -> bool {
        gain_ns > self.error_ns() && self.is_a_hundredth(gain_ns)
    }

    /// Whether what changes save beyond others is worth making them: a hundredth of the wall clock or more for each.
    #[must_use]
    pub fn is_worth_making(&self, tried: &TriedChange, more_ns: u64) -> bool {
        self.is_a_hundredth(more_ns / tried.changes.len().max(1) as u64)
    }

    fn is_a_hundredth(&self, ns: u64) -> bool {
        u128::from(ns) * u128::from(LEAST_SHARE) >= u128::from(self.recorded_ns)
    }

    /// What a proposal saves beyond those before it, ns; `None` of what is not proposed.
    #[must_use]
    pub fn more_ns(&self, tried: &TriedChange) -> Option<u64> {
        self.ladder.iter().find(|rung| self.tried.get(rung.tried) == Some(tried)).map(|rung| rung.more_ns)
    }

    /// The proposals, the best first.
    pub fn proposed(&self) -> impl Iterator<Item = &TriedChange> {
        self.ladder.iter().filter_map(|rung| self.tried.get(rung.tried))
    }

    /// Where on a path a proposal that makes one part faster would save most at once; `None` of others.
    #[must_use]
    pub fn place(&self, tried: &TriedChange) -> Option<PathPiece> {
        let [ProgramChange::Faster { what, .. }] = tried.changes.as_slice() else { return None };
        self.levers.iter().find(|lever| lever.what == *what).map(|lever| lever.longest)
    }

    /// What the whole gains if what a lever is about is made faster by each of [`PERCENTS`], as far as that was tried, ns.
    fn curve(&self, what: LeverSubject) -> [Option<u64>; PERCENTS.len()] {
        PERCENTS.map(|percent| {
            let change = [ProgramChange::Faster { what, percent }];
            self.tried.iter().find(|tried| tried.changes == change).map(|tried| self.gain_ns(tried))
        })
    }

    /// The levers that gain a hundredth of the wall clock or more, the whole sides first, then the largest; and what each gains if it is made
    /// faster by each of [`PERCENTS`], ns.
    pub fn curves(&self) -> impl Iterator<Item = (&Lever, [u64; PERCENTS.len()])> {
        self.levers.iter().filter_map(|lever| {
            let all: Vec<u64> = self.curve(lever.what).into_iter().flatten().collect();
            let curve: [u64; PERCENTS.len()] = all.try_into().ok()?;
            curve.iter().any(|&ns| self.is_worth(ns)).then_some((lever, curve))
        })
    }

    /// Places of what may be proposed, the best first: single changes, and such together that gain more than one by one.
    fn candidates(&self, recording: &Recording) -> Vec<usize> {
        let is_candidate = |tried: &TriedChange| match tried.changes.as_slice() {
            [ProgramChange::Faster { what, percent }] => Some(*percent) == levers::usual_percent(recording, *what),
            [_] => !self.has_better_number(tried),
            _ => self.gains_together(tried) && !self.is_part_of_set(tried),
        };
        let is_worth = |tried: &TriedChange| self.is_worth(self.gain_ns(tried));
        let places = self.tried.iter().enumerate().filter(|(_, tried)| is_worth(tried) && is_candidate(tried));
        places.map(|(place, _)| place).take(MOST_RUNGS).collect()
    }
}

/// A recording that can be run again.
struct Replay<'r> {
    model: Model<'r>,
    limits: Limits,
    /// The wall clock without a change, ns.
    unchanged_ns: u64,
}

impl<'r> Replay<'r> {
    fn new(recording: &'r Recording, analysis: &'r Analysis, paths: &[DevicePath]) -> Result<Self, NoGains> {
        let model = Model::new(recording, analysis);
        let unchanged = model.run(&[], &Joined::default()).ok_or(NoGains::Circle)?;
        let limits = Limits::new(&model, paths, &unchanged);
        Ok(Self { unchanged_ns: unchanged.end.since(limits.first).ns(), model, limits })
    }

    /// The replay of which this was kept.
    fn again(recording: &'r Recording, analysis: &'r Analysis, (model, limits): (Kept, Limits), unchanged_ns: u64) -> Self {
        Self { model: Model::again(recording, analysis, model), limits, unchanged_ns }
    }

    fn into_kept(self) -> (Kept, Limits) {
        (self.model.into_kept(), self.limits)
    }

    /// The wall clock with changes, ns: no gain is more than the recording's own times allow, or than some of the changes gain without the rest.
    fn wall_ns(&self, gains: &Gains, changes: &[ProgramChange]) -> Result<u64, NoGains> {
        let joined = self.model.joined(changes);
        let replayed = match self.model.run(changes, &joined) {
            Some(replayed) => replayed,
            // Two that cannot be joined, by what else is changed.
            None if changes.iter().any(|change| matches!(change, ProgramChange::FewerCollectives { .. })) => return Ok(self.unchanged_ns),
            None => return Err(NoGains::Circle),
        };
        let most_ns = self.limits.most_ns(&self.model, (changes, &joined), &replayed).max(gains.gain_of_a_part(changes));
        Ok(replayed.end.since(self.limits.first).ns().max(self.unchanged_ns.saturating_sub(most_ns)))
    }

    /// Tries changes.
    fn add(&self, gains: &mut Gains, changes: &[ProgramChange]) -> Result<(), NoGains> {
        let wall_ns = self.wall_ns(gains, changes)?;
        let place = gains.tried.partition_point(|tried| (tried.wall_ns, tried.changes.as_slice()) <= (wall_ns, changes));
        gains.tried.insert(place, TriedChange { changes: changes.to_vec(), wall_ns });
        Ok(())
    }
}

/// What is tried after what else, as each begins with what came of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Single,
    /// Sets of so many changes.
    Together(usize),
    Ladder,
    Bends,
    Over,
}

/// Changes that are tried one after another.
#[derive(Debug)]
pub struct Trying {
    /// What came of those so far.
    pub gains: Gains,
    /// The next one last.
    left: Vec<Vec<ProgramChange>>,
    stage: Stage,
    /// Proposals that are not compared yet with those before them, the best last.
    rungs: Vec<usize>,
    /// What the proposals change together that save something, and the wall clock with them, ns.
    made: (Vec<ProgramChange>, u64),
    /// Levers whose curve bends, by place, of which is not known yet what takes over.
    bends: Vec<usize>,
    /// What the end of the run without a change waited for, once that is asked.
    chain: Option<Chain>,
    /// What is kept of the replay between two questions; nothing once all are tried.
    kept: Option<(Kept, Limits)>,
}

impl Trying {
    /// Runs a recording with these paths again as it was; the changes to try are those that it gives reason for.
    ///
    /// # Errors
    /// [`NoGains`] where the replay cannot know what the program would do.
    pub fn new(recording: &Recording, analysis: &Analysis, paths: &[DevicePath]) -> Result<Self, NoGains> {
        let replay = replay(recording, analysis, paths)?;
        let trying = Self::begin(recording, analysis, paths, &replay);
        Ok(Self { kept: Some(replay.into_kept()), ..trying })
    }

    fn begin(recording: &Recording, analysis: &Analysis, paths: &[DevicePath], replay: &Replay<'_>) -> Self {
        let mut gains = unchanged(recording, replay);
        gains.levers = levers::levers(&replay.model, paths);
        // The end of a curve tells whether the rest is worth a run, so it is taken first.
        let of_lever = |lever: &Lever| PERCENTS.map(|percent| vec![ProgramChange::Faster { what: lever.what, percent }]);
        let single = candidates::changes(recording, analysis).into_iter().chain(collectives::changes(&replay.model));
        let single = single.map(|change| vec![change]);
        let mut left: Vec<Vec<ProgramChange>> = gains.levers.iter().rev().flat_map(of_lever).collect();
        let from = left.len();
        left.extend(single);
        left[from..].reverse();
        let made = (Vec::new(), gains.unchanged_ns);
        Self { gains, left, stage: Stage::Single, rungs: Vec::new(), made, bends: Vec::new(), chain: None, kept: None }
    }

    /// How many changes are not tried yet, as far as that is known.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left.len() + self.rungs.len() + self.bends.len()
    }

    /// Whether all are tried.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Tries the next change, and more of them as long as `go_on` says so.
    ///
    /// # Errors
    /// [`NoGains`], as of the run without a change.
    pub fn try_some(&mut self, recording: &Recording, analysis: &Analysis, go_on: &mut dyn FnMut() -> bool) -> Result<(), NoGains> {
        let Some(kept) = self.kept.take() else { return Ok(()) };
        let replay = Replay::again(recording, analysis, kept, self.gains.unchanged_ns);
        loop {
            self.try_with(recording, &replay)?;
            if self.is_over() {
                return Ok(());
            }
            if !go_on() {
                self.kept = Some(replay.into_kept());
                return Ok(());
            }
        }
    }

    fn try_with(&mut self, recording: &Recording, replay: &Replay<'_>) -> Result<(), NoGains> {
        if let Some(changes) = self.left.pop() {
            if self.may_gain(&changes) {
                replay.add(&mut self.gains, &changes)?;
            }
        } else if let Some(place) = self.rungs.pop() {
            self.add_rung(place, replay)?;
        } else if let Some(place) = self.bends.pop() {
            self.add_bend(place, replay)?;
        }
        while self.left.is_empty() && self.rungs.is_empty() && self.bends.is_empty() && self.stage != Stage::Over {
            self.go_on(recording, replay);
        }
        Ok(())
    }

    /// Whether changes may gain enough: a lever that gains nothing at its end gains nothing before.
    fn may_gain(&self, changes: &[ProgramChange]) -> bool {
        let [ProgramChange::Faster { what, percent }] = changes else { return true };
        let all = self.gains.curve(*what)[PERCENTS.len() - 1];
        *percent == 100 || all.is_none_or(|ns| self.gains.is_a_hundredth(ns))
    }

    /// Goes on with what is tried next.
    fn go_on(&mut self, recording: &Recording, replay: &Replay<'_>) {
        let stage = self.stage;
        self.stage = match stage {
            Stage::Single => {
                self.left = sets::pairs(&self.gains, recording);
                Stage::Together(2)
            }
            Stage::Together(size) if self.has_larger(size, recording) => Stage::Together(size + 1),
            Stage::Together(_) => {
                self.rungs = self.gains.candidates(recording);
                self.rungs.reverse();
                Stage::Ladder
            }
            Stage::Ladder => {
                let proposed: BTreeSet<ProgramChange> = self.gains.proposed().flat_map(|tried| tried.changes.iter().copied()).collect();
                self.gains.behind = behind::behind(&replay.model, &Vec::from_iter(proposed));
                // What takes over is asked by a run of each lever.
                self.bends = if is_long(recording) { Vec::new() } else { self.gains.bends() };
                Stage::Bends
            }
            Stage::Bends | Stage::Over => Stage::Over,
        };
    }

    /// Whether sets of one change more than this are to be tried; they are the next ones then.
    fn has_larger(&mut self, size: usize, recording: &Recording) -> bool {
        self.left = sets::larger_sets(&self.gains, recording, size);
        !self.left.is_empty()
    }

    /// Compares a proposal with those before it.
    fn add_rung(&mut self, tried: usize, replay: &Replay<'_>) -> Result<(), NoGains> {
        let (made, wall_ns) = &mut self.made;
        let new = self.gains.tried[tried].changes.iter().filter(|change| !made.contains(change));
        let with: Vec<ProgramChange> = made.iter().chain(new).copied().collect();
        let with_ns = if with.len() == made.len() { *wall_ns } else { replay.wall_ns(&self.gains, &with)? };
        let more_ns = wall_ns.saturating_sub(with_ns);
        self.gains.ladder.push(Rung { tried, more_ns });
        if more_ns > 0 {
            (*made, *wall_ns) = (with, with_ns);
        }
        Ok(())
    }

    /// Finds what takes over from a lever.
    fn add_bend(&mut self, place: usize, replay: &Replay<'_>) -> Result<(), NoGains> {
        let chain = |changes: &[ProgramChange]| bends::chain(&replay.model, changes, replay.limits.first.ns()).ok_or(NoGains::Circle);
        let lever = self.gains.levers[place];
        let (wall_ns, after) = chain(&[ProgramChange::Faster { what: lever.what, percent: 100 }])?;
        let before = match self.chain.take() {
            Some(chain) => chain,
            None => chain(&[])?.1,
        };
        let gain_ns = self.gains.unchanged_ns.saturating_sub(wall_ns);
        // A gain that the limits cut says nothing of the replay.
        if self.gains.curve(lever.what)[PERCENTS.len() - 1] == Some(gain_ns) {
            self.gains.levers[place].then = bends::takes_over(&lever, gain_ns, &before, &after);
        }
        self.chain = Some(before);
        Ok(())
    }
}

/// Whether few changes of a recording are tried, as each takes long.
fn is_long(recording: &Recording) -> bool {
    recording.operations.len() > LONG
}

/// Runs a recording with these paths again as it was, with each change that it gives reason for, and with such as gain together.
///
/// # Errors
/// [`NoGains`] where the replay cannot know what the program would do.
pub fn gains(recording: &Recording, analysis: &Analysis, paths: &[DevicePath]) -> Result<Gains, NoGains> {
    let replay = replay(recording, analysis, paths)?;
    let mut trying = Trying::begin(recording, analysis, paths, &replay);
    while !trying.is_over() {
        trying.try_with(recording, &replay)?;
    }
    Ok(trying.gains)
}

/// Runs a recording again as it was, and with each of these changes. Nothing is proposed.
///
/// # Errors
/// [`NoGains`] where the replay cannot know what the program would do.
pub fn gains_of(recording: &Recording, analysis: &Analysis, changes: &[ProgramChange]) -> Result<Gains, NoGains> {
    let replay = replay(recording, analysis, &paths(recording, analysis))?;
    let mut gains = unchanged(recording, &replay);
    for &change in changes {
        replay.add(&mut gains, &[change])?;
    }
    Ok(gains)
}

/// The run without a change.
fn unchanged(recording: &Recording, replay: &Replay<'_>) -> Gains {
    let recorded_ns = wall_clock(recording).1.since(replay.limits.first).ns();
    Gains { recorded_ns, unchanged_ns: replay.unchanged_ns, tried: Vec::new(), levers: Vec::new(), ladder: Vec::new(), behind: Vec::new() }
}

/// A recording that can be run again, or why it cannot.
fn replay<'r>(recording: &'r Recording, analysis: &'r Analysis, paths: &[DevicePath]) -> Result<Replay<'r>, NoGains> {
    if recording.is_host_alone() {
        return Err(NoGains::HostAlone);
    }
    if (0..recording.operations.len()).any(|place| analysis.parts(place as u32).iter().any(|part| part.cause == Cause::OtherProcess)) {
        return Err(NoGains::Turns);
    }
    let without_call = recording.operations.iter().filter(|operation| operation.lacks_call()).count();
    if without_call * 10 > recording.operations.len() {
        return Err(NoGains::WithoutCalls);
    }
    if recording.flaws.iter().any(|flaw| matches!(flaw, Flaw::Lost(_))) {
        return Err(NoGains::Lost);
    }
    if misses_operations(recording) {
        return Err(NoGains::WithoutOperations);
    }
    let (first, end) = wall_clock(recording);
    if idle_ns(recording) > end.since(first).ns() / 10 {
        return Err(NoGains::IdleWaits);
    }
    Replay::new(recording, analysis, paths)
}

/// Whether more than a tenth of the launches have no operation in the file.
fn misses_operations(recording: &Recording) -> bool {
    let missing = recording.flaws.iter().find_map(|flaw| match flaw {
        Flaw::WithoutOperation(count) => Some(*count),
        _ => None,
    });
    let launches = recording.launching().into_iter().filter(|&launches| launches).count() as u64;
    missing.is_some_and(|missing| missing * 10 > launches + missing)
}

/// Bytes of the largest copy that is a value which the host reads at once, as `.item()` of PyTorch does: our choice.
const VALUE: u64 = 256;

/// Whether a copy brings a value to the host that is read at once: such a copy waits in any memory.
fn is_value(recording: &Recording, operation: &super::Operation) -> bool {
    let is_small = operation.bytes.is_some_and(|bytes| bytes <= VALUE);
    let waits = || recording.call(operation).is_some_and(|call| call.end >= operation.end);
    operation.kind == OperationKind::DeviceToHost && is_small && is_pageable(recording, operation) && waits()
}

/// Whether a copy is from or to pageable memory, and no value that is read at once.
fn is_staged(recording: &Recording, operation: &super::Operation) -> bool {
    is_pageable(recording, operation) && !is_value(recording, operation)
}

/// Whether a copy is from or to pageable memory, as its name says.
fn is_pageable(recording: &Recording, operation: &super::Operation) -> bool {
    matches!(operation.kind, OperationKind::HostToDevice | OperationKind::DeviceToHost) && recording.name(operation).contains("Pageable")
}
