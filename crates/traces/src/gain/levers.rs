//! Levers: what the whole gains if a row of the path, all kernels or the whole host take less time.
//!
//! Source: causal profiling (Curtsinger and Berger, SOSP 2015) speeds up a part of a program virtually, and measures the whole. Here the replay
//! is what is measured. Invariant: a row is a lever only if it says what took the time; a wait without an explanation is none.

use std::collections::{BTreeMap, BTreeSet};

use super::ProgramChange;
use super::calls::SHORT_CALL;
use super::model::{Model, Timing};
use crate::path::groups::{PathShare, PathSubject};
use crate::path::{self, DevicePath, PathPiece};
use crate::{Call, Operation, OperationKind, Recording};

/// What a lever is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeverSubject {
    /// All kernels.
    Kernels,
    /// All that the host does, in calls and between them.
    Host,
    /// What pieces of the path have in common.
    Row(PathSubject),
}

impl LeverSubject {
    /// Whether it is about what the host does.
    pub(super) const fn is_of_host(self) -> bool {
        match self {
            Self::Kernels => false,
            Self::Host => true,
            Self::Row(row) => matches!(row.share, PathShare::Host | PathShare::Launching),
        }
    }
}

/// Something of the program that may take less time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lever {
    /// What it is about.
    pub what: LeverSubject,
    /// How much of it is on the path that has most of it, ns.
    pub path_ns: u64,
    /// How much of it was behind that, while the device worked and its next work depended on the host, ns.
    pub behind_ns: u64,
    /// The longest piece of it on a path.
    pub longest: PathPiece,
    /// What holds the run up once this takes no time any more, if one thing does: `None` too where the gain goes on.
    pub then: Option<LeverSubject>,
}

/// Percent by which a row is made faster for its curve.
pub const PERCENTS: [u8; 4] = [25, 50, 75, 100];
/// At most so many are tried: the whole sides, and the largest rows.
const MOST_LEVERS: usize = 12;
/// The same in a long recording, as each is run four times.
const MOST_OF_LONG: usize = 6;
/// At most so many more are tried of what is behind a path.
const MOST_BEHIND: usize = 3;

/// What is left of a time that is shortened by `percent`, 0 to 100, ns.
pub(super) const fn less(ns: u64, percent: u8) -> u64 {
    ns - (ns as u128 * percent as u128 / 100) as u64
}

/// All kernels, the whole host, and the rows that take at least a hundredth of the wall clock and can be levers, the largest first; then those
/// of the host that do so only while the device works, as what runs next to that begins earlier with them.
pub(super) fn levers(model: &Model<'_>, paths: &[DevicePath]) -> Vec<Lever> {
    let recording = model.recording;
    let (first, end) = path::wall_clock(recording);
    let is_kernel: BTreeSet<u32> = of_kind(recording, OperationKind::Kernel).map(|operation| operation.name).collect();
    let is_migration: BTreeSet<u32> = of_kind(recording, OperationKind::Migration).map(|operation| operation.name).collect();
    let mut found: BTreeMap<LeverSubject, Lever> = BTreeMap::new();
    for path in paths {
        let mut of_path: BTreeMap<LeverSubject, Lever> = BTreeMap::new();
        let is_ours = |row: PathSubject| is_lever(row) && row.name.is_none_or(|name| !is_migration.contains(&name));
        let behind = DevicePath { pieces: path.behind.clone(), behind: Vec::new(), ..*path };
        let on_path = path::groups::groups(recording, path).into_iter().map(|group| (group, path));
        let all = on_path.chain(path::groups::groups(recording, &behind).into_iter().map(|group| (group, &behind)));
        for (group, of) in all.filter(|(group, _)| is_ours(group.subject)) {
            let whole = match group.subject.share {
                PathShare::Host => Some(LeverSubject::Host),
                PathShare::Launching => None,
                _ => group.subject.name.filter(|name| is_kernel.contains(name)).map(|_| LeverSubject::Kernels),
            };
            let longest = of.pieces[group.longest as usize];
            let is_on_path = std::ptr::eq(of, path);
            for what in [LeverSubject::Row(lever_row(group.subject, &model.same_short))].into_iter().chain(whole) {
                let lever = of_path.entry(what).or_insert(Lever { what, path_ns: 0, behind_ns: 0, longest, then: None });
                *(if is_on_path { &mut lever.path_ns } else { &mut lever.behind_ns }) += group.ns;
                if is_on_path && longest.span() > lever.longest.span() {
                    lever.longest = longest;
                }
            }
        }
        // Paths of devices that one host feeds meet, so they do not add up.
        for (what, lever) in of_path {
            let most = found.entry(what).or_insert(lever);
            if (lever.path_ns, lever.behind_ns) > (most.path_ns, most.behind_ns) {
                *most = lever;
            }
        }
    }
    let least = end.since(first).ns() / super::LEAST_SHARE;
    let is_enough = |ns: u64| ns > 0 && ns >= least;
    let (mut all, mut behind): (Vec<Lever>, Vec<Lever>) =
        found.into_values().filter(|lever| is_enough(lever.path_ns + lever.behind_ns)).partition(|lever| is_enough(lever.path_ns));
    all.sort_by_key(|lever| (matches!(lever.what, LeverSubject::Row(_)), std::cmp::Reverse(lever.path_ns), lever.what));
    all.truncate(if super::is_long(recording) { MOST_OF_LONG } else { MOST_LEVERS });
    behind.sort_by_key(|lever| (std::cmp::Reverse(lever.behind_ns), lever.what));
    all.extend(behind.into_iter().take(MOST_BEHIND));
    all
}

fn of_kind(recording: &Recording, kind: OperationKind) -> impl Iterator<Item = &Operation> {
    recording.operations.iter().filter(move |operation| operation.kind == kind)
}

/// Whether a row says what took its time: work, the host, or launches.
const fn is_lever(row: PathSubject) -> bool {
    matches!(row.share, PathShare::Working | PathShare::OtherDevice | PathShare::Host | PathShare::Launching)
}

/// The row as a lever: work is the same on all devices.
fn lever_row(row: PathSubject, same: &BTreeMap<u32, u32>) -> PathSubject {
    match row.share {
        PathShare::Working | PathShare::OtherDevice => {
            let name = row.name.map(|name| same.get(&name).copied().unwrap_or(name));
            PathSubject { share: PathShare::Working, name, ..row }
        }
        _ => row,
    }
}

/// By how many percent what a lever is about is made faster when it is proposed: what the host does can be done by another thread, and data
/// that is copied each time can stay; work of the device is made twice as fast. `None` for what nobody can do one thing about.
pub(super) fn usual_percent(recording: &Recording, what: LeverSubject) -> Option<u8> {
    match what {
        LeverSubject::Row(row) if row.share == PathShare::Host => Some(100),
        LeverSubject::Row(row) if row.share == PathShare::Working => Some(if copied_again(recording, row).is_some() { 100 } else { 50 }),
        _ => None,
    }
}

/// The direction of a row of copies that are all of one size, three or more: the data may be the same each time. `None` of other rows.
pub(super) fn copied_again(recording: &Recording, row: PathSubject) -> Option<OperationKind> {
    /// Fewer say nothing of a loop.
    const FEWEST: usize = 3;
    [OperationKind::HostToDevice, OperationKind::DeviceToHost].into_iter().find(|&kind| {
        let mut sizes = of_kind(recording, kind).filter(|operation| Some(operation.name) == row.name).map(|operation| operation.bytes);
        let first = sizes.next().flatten();
        let rest: Vec<Option<u64>> = sizes.collect();
        first.is_some() && rest.len() + 1 >= FEWEST && rest.iter().all(|&bytes| bytes == first)
    })
}

impl Model<'_> {
    /// Whether an operation is what a lever is about.
    pub(super) fn is_of_lever(&self, operation: &Operation, what: LeverSubject) -> bool {
        match what {
            LeverSubject::Kernels => operation.kind == OperationKind::Kernel,
            LeverSubject::Host => false,
            LeverSubject::Row(row) => row.share == PathShare::Working && self.same_short.get(&operation.name).copied() == row.name,
        }
    }

    /// How long a launch is on its way with these changes, ns; of that code is loaded for `loading_ns`.
    pub(super) fn launch_with(&self, place: u32, timing: &Timing, loading_ns: u64, changes: &[ProgramChange]) -> u64 {
        let stays = timing.unknown_ns + timing.loading_ns;
        let is_launching = |change: &ProgramChange| match *change {
            ProgramChange::Faster { what: LeverSubject::Row(row), percent } if row.share == PathShare::Launching => Some(percent),
            _ => None,
        };
        let own = self.staged_with(place, timing.launch_ns.saturating_sub(stays), changes);
        // Launches that the file shows to be slow only for the code that they load are as quick as others without it.
        let own = if loading_ns < timing.loading_ns { own.min(self.usual_launch()) } else { own };
        changes.iter().filter_map(is_launching).fold(own, less) + timing.unknown_ns + loading_ns
    }

    /// How long a call takes itself with these changes that took so long, ns. What it loads is not the host's code.
    pub(super) fn own_with(&self, call: u32, own_ns: u64, changes: &[ProgramChange]) -> u64 {
        let loading_ns = if self.loading.contains(&call) { own_ns.saturating_sub(SHORT_CALL) } else { 0 };
        loading_ns + self.of_call_row(call, own_ns - loading_ns, changes)
    }

    /// What is left with these changes of what a call does itself for so long, ns.
    pub(super) fn of_call_row(&self, call: u32, ns: u64, changes: &[ProgramChange]) -> u64 {
        let row = LeverSubject::Row(call_row(&self.recording.calls[call as usize]));
        let of_call = |ns, change: &ProgramChange| match *change {
            ProgramChange::Faster { what, percent } if what == row || what == LeverSubject::Host => less(ns, percent),
            _ => ns,
        };
        changes.iter().fold(ns, of_call)
    }

    /// By call: how much less the host does before it with these changes, ns. Empty if they change nothing of that.
    pub(super) fn host_saves(&self, changes: &[ProgramChange]) -> Vec<u64> {
        let of_host = |change: &ProgramChange| match *change {
            ProgramChange::Faster { what: what @ LeverSubject::Host, percent } => Some((what, percent)),
            ProgramChange::Faster { what: what @ LeverSubject::Row(row), percent } if row.share == PathShare::Host => Some((what, percent)),
            _ => None,
        };
        let levers: Vec<(LeverSubject, u8)> = changes.iter().filter_map(of_host).collect();
        if levers.is_empty() {
            return Vec::new();
        }
        let saved = |&(span, ns): &(Option<u32>, u64)| {
            let row = LeverSubject::Row(host_row(self.recording, span));
            let of_step = levers.iter().filter(|of| of.0 == row || of.0 == LeverSubject::Host);
            ns - of_step.fold(ns, |ns, of| less(ns, of.1))
        };
        self.between.each().map(|steps| steps.iter().map(saved).sum()).collect()
    }
}

/// The row of a call.
const fn call_row(call: &Call) -> PathSubject {
    PathSubject { share: PathShare::Host, name: Some(call.name), span: None, cause: None }
}

/// The row of what the host did between two calls, in a span or outside all.
fn host_row(recording: &Recording, span: Option<u32>) -> PathSubject {
    let span = span.map(|span| &recording.spans[span as usize]);
    PathSubject { share: PathShare::Host, name: span.map(|span| span.name), span: span.map(|span| span.sort), cause: None }
}
