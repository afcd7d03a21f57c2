//! Any state of a run at once: keyframes kept while simulating, replayed from the nearest.
//!
//! Depends on the rest of `snapshot`. Invariant: keyframes together take no more memory than the
//! steps between them, so the cost of a step stays bounded however large the state grows.

use std::sync::Arc;

use super::{Snapshot, StreamState};
use crate::trace::{Step, Trace};
use crate::units::{OpId, StepId};

/// Least number of steps between keyframes; replaying that many takes well under a millisecond.
const MIN_DISTANCE: u32 = 8192;

/// Snapshots at some steps of a run, the state before the first step among them.
#[derive(Clone, Debug)]
pub struct Keyframes {
    frames: Vec<Snapshot>,
    next: u32,
}

impl Keyframes {
    /// Begins with the state before the first step.
    #[must_use]
    pub fn new(start: Snapshot) -> Self {
        Self { frames: vec![start], next: MIN_DISTANCE }
    }

    /// Offers the live state after a step; kept when it is time for a keyframe.
    /// The steps that take as much memory as it does; 0 if it was not kept.
    pub fn offer(&mut self, state: &Snapshot) -> u64 {
        if state.applied() >= self.next {
            let worth = state.approximate_bytes() / size_of::<Step>();
            self.next = state.applied().saturating_add(MIN_DISTANCE.max(u32::try_from(worth).unwrap_or(u32::MAX)));
            self.frames.push(state.clone());
            return worth as u64;
        }
        0
    }

    /// The last keyframe with at most `applied` steps.
    fn before(&self, applied: u32) -> &Snapshot {
        let later = self.frames.partition_point(|f| f.applied() <= applied);
        &self.frames[later.saturating_sub(1)]
    }

    /// Bytes they take.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        self.frames.iter().map(Snapshot::approximate_bytes).sum()
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
        let sets = self.live_tasks.bytes() + self.working.bytes() + self.claims.bytes();
        size_of::<Self>() + spaces.sum::<usize>() + streams.sum::<usize>() + tasks.sum::<usize>() + lines.sum::<usize>() + sets
    }
}

/// A cursor over a trace: the state after any number of steps.
///
/// # Examples
/// The K1 of the built-in Table 1 of [TX2] keeps the head of the EE queue while K4 and K5 stand behind it.
/// ```
/// use blockstep::engine::{Limits, simulate};
/// use blockstep::examples;
/// use blockstep::format::read_scenario;
/// use blockstep::scenario::Scenario;
/// use blockstep::trace::Level;
///
/// let draft = read_scenario(examples::first().json)?;
/// let run = simulate(&Scenario::new(&draft)?, Limits::default())?;
/// let mut replay = run.replay();
/// assert_eq!(replay.seek(18).spaces()[0].ee(Level::Low).len(), 3);
/// // Any place can be gone to, back as well.
/// assert_eq!(replay.seek(0).spaces()[0].ee(Level::Low).len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    trace: Arc<Trace>,
    keyframes: Arc<Keyframes>,
    current: Snapshot,
}

impl Replay {
    /// Stands before the first step.
    #[must_use]
    pub fn new(trace: Arc<Trace>, keyframes: Arc<Keyframes>) -> Self {
        let current = keyframes.before(0).clone();
        Self { trace, keyframes, current }
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

    /// The state after `applied` steps; after the last one if there are fewer. Cost: the steps
    /// from the nearest keyframe, or from where the cursor stands if that is nearer.
    pub fn seek(&mut self, applied: u32) -> &Snapshot {
        let target = (applied as usize).min(self.trace.steps().len());
        let frame = self.keyframes.before(applied);
        if self.current.applied() as usize > target || self.current.applied() < frame.applied() {
            self.current.clone_from(frame);
        }
        for step in &self.trace.steps()[self.current.applied() as usize..target] {
            self.current.apply(&self.trace, step);
        }
        &self.current
    }

    /// The state after a step.
    pub fn after(&mut self, step: StepId) -> &Snapshot {
        self.seek(step.0.saturating_add(1))
    }
}
