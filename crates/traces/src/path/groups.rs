//! What the pieces of a path come to: by share, and by what they have in common.
//!
//! Invariants: the shares add up to the wall clock; so do the groups; groups are sorted by time, ties by what they are.

use std::collections::{BTreeMap, BTreeSet};

use super::{DevicePath, PathPiece, PathStep};
pub use blockstep_traces_messages::PathShare;

use crate::causes::{Cause, Certainty};
use crate::words::short_name;
use crate::{HostSort, Recording};

/// What the pieces of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathSubject {
    /// Their share.
    pub share: PathShare,
    /// The name of the operation, the call or the host's span, an index of [`Recording::names`].
    pub name: Option<u32>,
    /// What the span of the host is that `name` names; `None` of the host's calls.
    pub span: Option<HostSort>,
    /// Why an operation waited.
    pub cause: Option<Cause>,
}

/// Pieces that have something in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathGroup {
    /// What they have in common.
    pub subject: PathSubject,
    /// How many pieces.
    pub pieces: u64,
    /// How long in all, ns.
    pub ns: u64,
    /// Of that, certain, ns.
    pub certain_ns: u64,
    /// The longest of them, a place in the path.
    pub longest: u32,
}

impl PathPiece {
    /// What it has in common with others, on the path of a device.
    #[must_use]
    pub fn subject(&self, recording: &Recording, device: u32) -> PathSubject {
        let none = |share| PathSubject { share, name: None, span: None, cause: None };
        match self.step {
            PathStep::Running(place) => {
                let operation = &recording.operations[place as usize];
                let is_here = recording.stream(operation).device == device;
                let share = if is_here { PathShare::Working } else { PathShare::OtherDevice };
                PathSubject { name: Some(operation.name), ..none(share) }
            }
            PathStep::Waiting(_, Cause::Launch) => none(PathShare::Launching),
            PathStep::Waiting(place, Cause::CannotTell) => {
                let name = recording.operations[place as usize].name;
                PathSubject { name: Some(name), cause: Some(Cause::CannotTell), ..none(PathShare::Unknown) }
            }
            PathStep::Unknown => none(PathShare::Unknown),
            PathStep::Waiting(_, cause) => PathSubject { cause: Some(cause), ..none(PathShare::Waiting) },
            PathStep::Call(call) => PathSubject { name: Some(recording.calls[call as usize].name), ..none(PathShare::Host) },
            PathStep::Host(span) => {
                let span = span.map(|span| &recording.spans[span as usize]);
                PathSubject { name: span.map(|span| span.name), span: span.map(|span| span.sort), ..none(PathShare::Host) }
            }
            PathStep::After => none(PathShare::After),
        }
    }
}

/// The time of each share, in the order of [`PathShare::ALL`], ns.
#[must_use]
pub fn shares(recording: &Recording, path: &DevicePath) -> [u64; PathShare::ALL.len()] {
    let mut shares = [0_u64; PathShare::ALL.len()];
    for piece in &path.pieces {
        let sum = &mut shares[piece.subject(recording, path.device).share as usize];
        *sum = sum.saturating_add(piece.span().ns());
    }
    shares
}

/// The pieces of a path by what they have in common, the longest first.
#[must_use]
pub fn groups(recording: &Recording, path: &DevicePath) -> Vec<PathGroup> {
    let mut groups: BTreeMap<PathSubject, PathGroup> = BTreeMap::new();
    let subjects: Vec<PathSubject> = path.pieces.iter().map(|piece| piece.subject(recording, path.device)).collect();
    let same = first_of_same_short(recording, subjects.iter().filter_map(|subject| subject.name));
    for ((place, piece), mut subject) in path.pieces.iter().enumerate().zip(subjects) {
        let ns = piece.span().ns();
        if subject.share != PathShare::Host {
            subject.name = subject.name.map(|name| same[&name]);
        }
        let empty = PathGroup { subject, pieces: 0, ns: 0, certain_ns: 0, longest: place as u32 };
        let group = groups.entry(subject).or_insert(empty);
        group.pieces += 1;
        group.ns = group.ns.saturating_add(ns);
        group.certain_ns = group.certain_ns.saturating_add(if piece.certainty == Certainty::Certain { ns } else { 0 });
        if path.pieces[group.longest as usize].span() < piece.span() {
            group.longest = place as u32;
        }
    }
    let mut groups: Vec<PathGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.ns), group.subject));
    groups
}

/// Names, each with the first of those that are the same in short.
pub(crate) fn first_of_same_short(recording: &Recording, names: impl Iterator<Item = u32>) -> BTreeMap<u32, u32> {
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    let names: BTreeSet<u32> = names.collect();
    let short = |name: u32| short_name(&recording.names[name as usize]);
    names.into_iter().map(|name| (name, *first.entry(short(name)).or_insert(name))).collect()
}
