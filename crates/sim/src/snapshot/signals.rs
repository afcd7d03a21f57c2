//! What the RunList Manager has been told, and what is under way to it, where that takes time under `edf`.
//!
//! Depends on the rest of `snapshot`. Invariants: it changes with the steps alone; signals arrive in the order in which they are sent,
//! as all take the same time; a job is known from the arrival of signal A to that of the next signal B. Source: [EDF] section III-D;
//! docs/semantics.md, section 7.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Residency, Snapshot};
use crate::scenario::{Scenario, Turns};
use crate::trace::{Signal, Trace};
use crate::units::{ClaimantId, JobNo, Span, Time};

/// A signal under way to the RunList Manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it tells.
    pub signal: Signal,
    /// Whose job it is that it is about.
    pub claimant: ClaimantId,
    /// The job's number.
    pub job: JobNo,
    /// When it arrives.
    pub arrives: Time,
}

/// What has been told of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    /// The message has it: the job may be complete when it arrives.
    release: Time,
    /// The last signal sent.
    last: Signal,
    /// Signals that have not arrived.
    under_way: u32,
    /// Whether A was the last one to arrive.
    is_known: bool,
}

/// What is kept where signals take time; nothing where they do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signals {
    /// How long they take; not 0.
    latency: Option<Span>,
    /// Jobs of which the manager knows, or of which a signal is under way.
    told: BTreeMap<(ClaimantId, JobNo), Told>,
    /// Jobs of which the last signal sent says otherwise than is true.
    unsent: BTreeSet<(ClaimantId, JobNo)>,
    /// In the order of sending.
    under_way: VecDeque<Message>,
}

impl Signals {
    pub(super) fn new(scenario: &Scenario, residency: Residency) -> Self {
        let has_manager = scenario.policy().kind.turns() == Turns::Deadlines && residency != Residency::Shared;
        Self { latency: Some(scenario.policy().signal_time()).filter(|&time| has_manager && time > Span::ZERO), ..Self::default() }
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        let told = self.told.len() * size_of::<((ClaimantId, JobNo), Told)>() + self.unsent.len() * size_of::<(ClaimantId, JobNo)>();
        2 * told + self.under_way.len() * size_of::<Message>()
    }

    /// Whether signals take time at all.
    pub(super) fn take_time(&self) -> bool {
        self.latency.is_some()
    }

    /// The jobs of a claimant that the manager knows of, in order.
    pub(super) fn known(&self, claimant: ClaimantId) -> impl Iterator<Item = JobNo> + '_ {
        let its = self.told.range((claimant, JobNo(0))..=(claimant, JobNo(u32::MAX)));
        its.filter(|(_, told)| told.is_known).map(|(&(_, job), _)| job)
    }

    /// Claimants of whose jobs something has been told, in order.
    pub(super) fn claimants(&self) -> impl Iterator<Item = ClaimantId> + '_ {
        let next = |from: (ClaimantId, JobNo)| self.told.range(from..).next().map(|(&(claimant, _), _)| claimant);
        std::iter::successors(next((ClaimantId(0), JobNo(0))), move |last| next((ClaimantId(last.0.checked_add(1)?), JobNo(0))))
    }

    /// When a job was released of which something has been told.
    pub(super) fn release(&self, claimant: ClaimantId, job: JobNo) -> Option<Time> {
        self.told.get(&(claimant, job)).map(|told| told.release)
    }

    /// A job has begun or ceased to have something issued and incomplete.
    pub(super) fn note(&mut self, claimant: ClaimantId, job: JobNo, is_live: bool) {
        if !self.take_time() {
            return;
        }
        let is_told = self.told.get(&(claimant, job)).is_some_and(|told| told.last == Signal::Submitted);
        if is_told == is_live {
            self.unsent.remove(&(claimant, job));
        } else {
            self.unsent.insert((claimant, job));
        }
    }
}

impl Snapshot {
    /// Whether the RunList Manager takes a job to have something issued and incomplete. Where signals take no time it knows what is true.
    #[must_use]
    pub fn knows(&self, claimant: impl Into<ClaimantId>, job: JobNo) -> bool {
        let claimant = claimant.into();
        if self.signals.take_time() {
            self.signals.told.get(&(claimant, job)).is_some_and(|told| told.is_known)
        } else {
            self.claimant(claimant).job(job).is_some_and(|open| open.live > 0)
        }
    }

    /// Signals under way to the RunList Manager, in the order in which they arrive.
    pub fn signals_under_way(&self) -> impl Iterator<Item = Message> + '_ {
        self.signals.under_way.iter().copied()
    }

    /// The last signal about a job that is under way.
    #[must_use]
    pub fn signal_of(&self, claimant: impl Into<ClaimantId>, job: JobNo) -> Option<Message> {
        let claimant = claimant.into();
        self.signals.under_way.iter().rev().find(|message| (message.claimant, message.job) == (claimant, job)).copied()
    }

    /// The signal B for which the GPU idles: the job chosen is complete, its process is resident and has nothing to do, and the manager
    /// does not know.
    #[must_use]
    pub fn idles_for(&self) -> Option<Message> {
        let Residency::Resident { space, draining: false, .. } = self.residency else { return None };
        let (claimant, job) = self.edf.chosen.filter(|_| !self.has_work(space))?;
        self.signal_of(claimant, job).filter(|message| message.signal == Signal::Completed)
    }

    /// When the next signal arrives.
    #[must_use]
    pub fn next_signal(&self) -> Option<Time> {
        self.signals.under_way.front().map(|message| message.arrives)
    }

    /// A signal that is to be sent, as something else is true of a job than was told last: the first in the order of claimants and jobs.
    #[must_use]
    pub fn unsent_signal(&self) -> Option<(Signal, ClaimantId, JobNo)> {
        let &(claimant, job) = self.signals.unsent.first()?;
        let is_live = self.claimant(claimant).job(job).is_some_and(|open| open.live > 0);
        Some((if is_live { Signal::Submitted } else { Signal::Completed }, claimant, job))
    }

    pub(super) fn send_signal(&mut self, signal: Signal, claimant: ClaimantId, job: JobNo, at: Time) {
        let Some(latency) = self.signals.latency else { return };
        let release = self.claimant(claimant).job(job).map_or(at, |open| open.release);
        let signals = &mut self.signals;
        signals.unsent.remove(&(claimant, job));
        let told = signals.told.entry((claimant, job)).or_insert(Told { release, last: signal, under_way: 0, is_known: false });
        told.last = signal;
        told.under_way += 1;
        // Past the last instant only where a horizon ends the run before.
        let arrives = at.after(latency).unwrap_or(Time::MAX);
        signals.under_way.push_back(Message { signal, claimant, job, arrives });
    }

    pub(super) fn take_signal(&mut self, trace: &Trace, signal: Signal, claimant: ClaimantId, job: JobNo) {
        self.signals.under_way.pop_front();
        let Some(told) = self.signals.told.get_mut(&(claimant, job)) else { return };
        told.under_way = told.under_way.saturating_sub(1);
        told.is_known = signal == Signal::Submitted;
        if told.under_way == 0 && !told.is_known && told.last == Signal::Completed {
            self.signals.told.remove(&(claimant, job));
        }
        if !self.keeps_claims() {
            return;
        }
        self.update_rank(trace, claimant);
        if self.knows(claimant, job) && self.claimant(claimant).job(job).is_some_and(|open| open.live > 0) {
            self.pass_on(trace, claimant, job);
        }
    }
}
