//! Any state of a run at once: keyframes kept while simulating, replayed from the nearest.
//!
//! Depends on the rest of `snapshot`. Invariants: keyframes of long runs together take no more memory than the
//! steps between them, so the cost of a step stays bounded however large the state grows; those of dear steps are so many
//! and so large at most, whatever the run costs, and lie equally far apart in work.

use std::sync::Arc;

use super::{Snapshot, StreamState};
use crate::trace::{Step, Trace};
use crate::units::{OpId, StepId};
use crate::work::Tally;

/// Least number of steps between keyframes; replaying that many cheap ones takes well under a millisecond.
const MIN_DISTANCE: u32 = 8192;

/// Least work between keyframes where steps are dear, in units of [`crate::work`]: a few milliseconds.
const MIN_WORK: u64 = 300_000;

/// Most keyframes of dear steps, and most bytes that they take. Where there would be more, every other one goes.
const MOST_DEAR: usize = 256;
const MOST_DEAR_BYTES: usize = 64 << 20;

/// Snapshots at some steps of a run, the state before the first step among them.
#[derive(Clone, Debug)]
pub struct Keyframes {
    frames: Vec<Snapshot>,
    next: u32,
    /// Those that are there because of the work before them, which is at least `distance` for each.
    dear: Vec<Snapshot>,
    dear_bytes: usize,
    next_work: u64,
    distance: u64,
}

impl Keyframes {
    /// Begins with the state before the first step.
    #[must_use]
    pub fn new(start: Snapshot) -> Self {
        let next_work = start.work().saturating_add(MIN_WORK);
        Self { frames: vec![start], next: MIN_DISTANCE, dear: Vec::new(), dear_bytes: 0, next_work, distance: MIN_WORK }
    }

    /// For whoever never goes back: none are kept.
    #[must_use]
    pub fn none() -> Self {
        Self { frames: Vec::new(), next: u32::MAX, dear: Vec::new(), dear_bytes: 0, next_work: u64::MAX, distance: u64::MAX }
    }

    /// Offers the live state after a step; kept when it is time for a keyframe.
    /// The steps that take as much memory as it does; 0 if it was not kept.
    #[inline]
    pub fn offer(&mut self, state: &Snapshot) -> u64 {
        let is_late = state.applied() >= self.next;
        if is_late || state.work() >= self.next_work { self.keep(state, is_late) } else { 0 }
    }

    #[cold]
    fn keep(&mut self, state: &Snapshot, is_late: bool) -> u64 {
        let bytes = state.approximate_bytes();
        let worth = bytes / size_of::<Step>();
        if is_late {
            self.next = state.applied().saturating_add(MIN_DISTANCE.max(u32::try_from(worth).unwrap_or(u32::MAX)));
            self.frames.push(state.clone());
        } else {
            self.dear_bytes += bytes;
            self.dear.push(state.clone());
            self.thin_out();
        }
        self.next_work = state.work().saturating_add(self.distance.max(worth as u64));
        worth as u64
    }

    /// Where the dear ones are too many, every other one goes, and those to come lie twice as far apart.
    /// The last one stays: the next is counted from it.
    fn thin_out(&mut self) {
        while self.dear.len() > MOST_DEAR || self.dear_bytes > MOST_DEAR_BYTES {
            let mut is_kept = self.dear.len().is_multiple_of(2);
            self.dear.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.dear_bytes = self.dear.iter().map(Snapshot::approximate_bytes).sum();
            self.distance = self.distance.saturating_mul(2);
        }
    }

    /// The last keyframe with at most `applied` steps.
    fn before(&self, applied: u32) -> &Snapshot {
        let last = |frames: &'_ [Snapshot]| frames.partition_point(|f| f.applied() <= applied);
        let late = &self.frames[last(&self.frames).saturating_sub(1)];
        let dear = last(&self.dear).checked_sub(1).map(|place| &self.dear[place]);
        dear.filter(|dear| dear.applied() > late.applied()).unwrap_or(late)
    }

    /// Bytes they take.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        self.frames.iter().chain(&self.dear).map(Snapshot::approximate_bytes).sum()
    }
}

impl Snapshot {
    /// Bytes that a copy takes, allocations included.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        let ops = |n: usize| n * size_of::<OpId>();
        let spaces = self.spaces.iter().map(|s| {
            let queues = s.ee.iter().chain(&s.ce).map(|q| ops(q.len())).sum::<usize>();
            size_of_val(s) + queues + s.sms.bytes() + s.beside.bytes() + s.held.bytes()
        });
        let streams = self.streams.iter().map(|s| size_of::<StreamState>() + ops(s.queue.len()));
        let tasks = self.tasks.iter().map(|t| size_of_val(t) + t.bytes());
        let lines = self.connections.iter().flatten().map(|line| size_of_val(line) + ops(line.len()));
        let sets =
            self.live.bytes() + self.working.bytes() + self.claims.bytes() + self.signals.bytes() + self.own.bytes() + self.flags.bytes();
        size_of::<Self>() + spaces.sum::<usize>() + streams.sum::<usize>() + tasks.sum::<usize>() + lines.sum::<usize>() + sets
    }
}

/// A cursor over a trace: the state after any number of steps.
///
/// # Examples
/// Four of the six blocks of K1 fit; it keeps the head of the EE queue, and K2 stands behind it.
/// ```
/// use blockstep_sim::engine::{Limits, simulate};
/// use blockstep_sim::scenario::{Draft, KernelDraft, Scenario};
/// use blockstep_sim::trace::Level;
///
/// let kernel = |name: &str, stream: &str| KernelDraft { stream: stream.to_owned(), ..KernelDraft::named(name, 6, 1024, 500) };
/// let draft = Draft { kernels: vec![kernel("K1", "S1"), kernel("K2", "S2")], ..Draft::default() };
/// let run = simulate(&Scenario::new(&draft)?, Limits::default());
/// let mut replay = run.replay();
/// assert_eq!(replay.seek(9).spaces()[0].ee(Level::Low).len(), 2);
/// // Any place can be gone to, back as well.
/// assert_eq!(replay.seek(0).spaces()[0].ee(Level::Low).len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    trace: Arc<Trace>,
    keyframes: Arc<Keyframes>,
    current: Snapshot,
    /// What going from place to place has cost.
    work: Tally,
}

impl Replay {
    /// Stands before the first step.
    #[must_use]
    pub fn new(trace: Arc<Trace>, keyframes: Arc<Keyframes>) -> Self {
        let current = keyframes.before(0).clone();
        Self { trace, keyframes, current, work: Tally::default() }
    }

    /// The trace it moves over.
    #[must_use]
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// The state it stands at.
    #[must_use]
    pub fn state(&self) -> &Snapshot {
        &self.current
    }

    /// What going from place to place has cost so far, in units of [`crate::work`].
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work.units()
    }

    /// The state after `applied` steps; after the last one if there are fewer. Cost: the steps
    /// from the nearest keyframe, or from where the cursor stands if that is nearer.
    pub fn seek(&mut self, applied: u32) -> &Snapshot {
        let target = (applied as usize).min(self.trace.steps().len());
        let frame = self.keyframes.before(applied);
        if self.current.applied() as usize > target || self.current.applied() < frame.applied() {
            self.current.clone_from(frame);
        }
        let before = self.current.work();
        for step in &self.trace.steps()[self.current.applied() as usize..target] {
            self.current.apply(&self.trace, step);
        }
        self.work.add(self.current.work() - before);
        &self.current
    }

    /// The state after a step.
    pub fn after(&mut self, step: StepId) -> &Snapshot {
        self.seek(step.0.saturating_add(1))
    }
}
