//! What no change can undercut: the certificate of a replay.
//!
//! Invariants: no gain leaves less of the recorded wall clock than a stream or a copy engine works, less what the change shortens, nor less than
//! a device works, less that and what runs beside something else only with the change. Changes of the host gain no more than the path shows of
//! time in which its device did not work and that is explained. All of this follows from the recorded times, whatever the replay takes for granted.

use super::ProgramChange;
use super::collectives::Joined;
use super::model::Model;
use super::run::{BusyTime, Replayed};
use crate::Recording;
use crate::path::groups::{PathShare, shares};
use crate::path::overlap::{Overlap, overlaps};
use crate::path::{DevicePath, wall_clock};
use blockstep_sim::units::Time;

/// Shares of a path in which its device does not work, and of which it is known what it waited for.
const IDLE: [PathShare; 4] = [PathShare::Host, PathShare::Launching, PathShare::Waiting, PathShare::After];

/// Changes, and the collectives that they join.
pub(super) type Made<'m> = (&'m [ProgramChange], &'m Joined);

/// What a recording's own times say, whatever is changed.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// When the first thing began.
    pub(super) first: Time,
    /// The wall clock, ns.
    recorded_ns: u64,
    /// For how long its device did not work on the path that ends last, and it is known why, ns.
    idle_ns: u64,
    /// By device.
    together: Vec<Overlap>,
    /// By device: what ran beside something else in the run without a change, ns.
    beside: Vec<u64>,
    /// For how long devices worked beside others in the run without a change, ns; `None` if they did not as recorded, or for less than a
    /// hundredth of the wall clock.
    devices_beside: Option<u64>,
}

impl Limits {
    pub(super) fn new(model: &Model<'_>, paths: &[DevicePath], unchanged: &Replayed) -> Self {
        let (first, end) = wall_clock(model.recording);
        let idle = |path: &DevicePath| {
            let shares = shares(model.recording, path);
            IDLE.iter().map(|&share| shares[share as usize]).fold(0, u64::saturating_add)
        };
        let (recorded_ns, together) = (end.since(first).ns(), overlaps(model.recording));
        let busy_ns = together.iter().fold(0_u64, |sum, of| sum.saturating_add(of.busy_ns));
        let is_beside = busy_ns.saturating_sub(any_busy_ns(model.recording)) > recorded_ns / super::LEAST_SHARE;
        Self {
            first,
            recorded_ns,
            idle_ns: paths.first().map_or(0, idle),
            together,
            beside: unchanged.busy.iter().map(beside).collect(),
            devices_beside: is_beside.then(|| devices_beside(unchanged)),
        }
    }

    /// The most that these changes can gain, ns.
    pub(super) fn most_ns(&self, model: &Model<'_>, made: Made<'_>, replayed: &Replayed) -> u64 {
        let (by_device, changes) = (shorter(model, made), made.0);
        let shorter = by_device.iter().copied().fold(0, u64::saturating_add);
        let is_of_host = |change: &ProgramChange| change.is_of_host();
        let is_lever = |change: &ProgramChange| matches!(change, ProgramChange::Faster { .. });
        let of_host = if !changes.iter().any(is_of_host) {
            u64::MAX
        } else if changes.iter().all(|change| is_of_host(change) || is_lever(change) || *change == ProgramChange::Pinned) {
            // What the host waits for may be what keeps two operations apart, so that nothing is promised of their overlap; but devices
            // that worked at once elsewhere do so without that wait, too.
            let keeps_order = !changes.iter().any(|change| matches!(change, ProgramChange::FewerWaits | ProgramChange::FewerReads));
            let of_devices = || self.devices_beside.map_or(0, |before| devices_beside(replayed).saturating_sub(before));
            let beside = if keeps_order { self.newly_beside(replayed) } else { of_devices() };
            self.idle_ns.saturating_add(shorter).saturating_add(beside)
        } else {
            u64::MAX
        };
        let is_of_work = |change: &ProgramChange| is_lever(change) && !is_of_host(change);
        let of_levers = if changes.iter().all(is_of_work) { shorter } else { u64::MAX };
        self.beyond_work(model, made, (&by_device, replayed)).min(of_host).min(of_levers)
    }

    /// What of all devices' work runs beside other work only with the changes, ns.
    fn newly_beside(&self, replayed: &Replayed) -> u64 {
        replayed.busy.iter().zip(&self.beside).map(|(busy, &before)| beside(busy).saturating_sub(before)).sum()
    }

    /// What is left of the wall clock beyond what streams, engines and devices need, ns.
    fn beyond_work(&self, model: &Model<'_>, made: Made<'_>, (shorter, replayed): (&[u64], &Replayed)) -> u64 {
        let stream = |place: u32| Some(model.stream_with(place, made.0));
        let engine =
            |place: u32| model.engine(&model.recording.operations[place as usize]).map(|(device, engine)| 2 * device as usize + engine);
        let streams = longest(model, made, model.streams_with(made.0), stream);
        let engines = longest(model, made, 2 * model.recording.devices.len(), engine);
        let least = streams.max(engines).max(self.of_devices(shorter, replayed));
        self.recorded_ns.saturating_sub(least)
    }

    /// What the device did that has most to do, less what changes shorten, and less what runs beside something else only with them, ns.
    fn of_devices(&self, shorter: &[u64], replayed: &Replayed) -> u64 {
        let of_device = |(device, &shorter): (usize, &u64)| {
            let newly_beside = beside(&replayed.busy[device]).saturating_sub(self.beside[device]);
            self.together[device].busy_ns.saturating_sub(shorter).saturating_sub(newly_beside)
        };
        shorter.iter().enumerate().map(of_device).max().unwrap_or(0)
    }
}

/// For how long devices worked beside others, ns.
fn devices_beside(of: &Replayed) -> u64 {
    of.busy.iter().fold(0_u64, |sum, busy| sum.saturating_add(busy.busy_ns)).saturating_sub(of.any_busy_ns)
}

/// For how long any device worked as recorded, ns.
fn any_busy_ns(recording: &Recording) -> u64 {
    let (mut ns, mut upto) = (0_u64, Time::ZERO);
    // They are sorted by start.
    for operation in &recording.operations {
        ns = ns.saturating_add(operation.end.since(operation.start.max(upto).min(operation.end)).ns());
        upto = upto.max(operation.end);
    }
    ns
}

/// What of a device's work ran beside other work, ns.
const fn beside(of: &BusyTime) -> u64 {
    of.in_all_ns.saturating_sub(of.busy_ns)
}

/// By device: how much shorter its operations are with these changes, one after another, ns.
fn shorter(model: &Model<'_>, (changes, joined): Made<'_>) -> Vec<u64> {
    let recording = model.recording;
    let mut shorter = vec![0_u64; recording.devices.len()];
    for (place, operation) in (0_u32..).zip(&recording.operations) {
        let ns = operation.duration().ns();
        let sum = &mut shorter[recording.stream(operation).device as usize];
        *sum = sum.saturating_add(ns.saturating_sub(joined.share(place, model.with(place, ns, changes))));
    }
    shorter
}

/// The work of what has most of it, of so many that run one operation after another, ns; `by` says on which of them an operation runs.
fn longest(model: &Model<'_>, (changes, joined): Made<'_>, count: usize, by: impl Fn(u32) -> Option<usize>) -> u64 {
    // Of each: its work, and when the last operation ended.
    let mut all = vec![(0_u64, Time::ZERO); count];
    for (of, operation) in (0_u32..).zip(&model.recording.operations) {
        let Some(place) = by(of) else { continue };
        let (ns, upto) = &mut all[place];
        // Nodes of a graph, and dependent launches, run together in one stream.
        let alone = operation.end.since(operation.start.max(*upto)).ns();
        *ns = ns.saturating_add(joined.share(of, model.with(of, alone, changes)));
        *upto = (*upto).max(operation.end);
    }
    all.into_iter().map(|(ns, _)| ns).max().unwrap_or(0)
}
