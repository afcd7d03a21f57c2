//! Steps of a program: what of a device's work repeats, such as the steps of a training or the tokens of a decoder.
//!
//! A step is found by the names of the operations of the stream that has most of them: the shortest sequence of several that repeats from
//! its beginning to its end. Invariants: steps follow one another; there are at least [`FEWEST`] of them, or none.

use std::collections::BTreeMap;

use super::groups::PathShare;
use super::{DevicePath, PathPiece};
use crate::{RecordedStream, Recording, StreamKind};
use blockstep_sim::units::Time;

/// Fewer are no steps.
pub const FEWEST: usize = 3;
/// Of a hundred operations so many have the name of the one a step before: our choice, as steps may differ in a few.
const ALIKE: usize = 95;
/// At most so many lengths are tried.
const MOST_LENGTHS: usize = 48;
/// A name that occurs more often does not tell a step.
const MOST_OCCURRENCES: usize = 4_096;

/// The steps of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The stream in which they were found, an index.
    pub stream: u32,
    /// Operations of that stream in a step.
    pub operations: usize,
    /// Where each step begins, and where the last one ends.
    pub bounds: Vec<Time>,
}

impl Steps {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// How long each of them is, ns.
    #[must_use]
    pub fn lengths(&self) -> Vec<u64> {
        self.bounds.windows(2).map(|pair| pair[1].since(pair[0]).ns()).collect()
    }

    /// The share of each step of a path, in the order of [`PathShare::ALL`], ns.
    #[must_use]
    pub fn shares(&self, recording: &Recording, path: &DevicePath) -> Vec<[u64; PathShare::ALL.len()]> {
        let mut shares = vec![[0_u64; PathShare::ALL.len()]; self.count()];
        for (step, piece) in self.pieces(path) {
            shares[step][piece.subject(recording, path.device).share as usize] += piece.span().ns();
        }
        shares
    }

    /// The pieces of a path by step; one that reaches over a bound is cut there.
    pub(super) fn pieces<'p>(&'p self, path: &'p DevicePath) -> impl Iterator<Item = (usize, PathPiece)> + 'p {
        let steps = self.bounds.windows(2).enumerate();
        steps.flat_map(move |(step, pair)| {
            let (from, to) = (pair[0], pair[1]);
            let first = path.pieces.partition_point(|piece| piece.to <= from);
            let within = path.pieces[first..].iter().take_while(move |piece| piece.from < to);
            within.map(move |piece| (step, PathPiece { from: piece.from.max(from), to: piece.to.min(to), ..*piece }))
        })
    }
}

/// The steps of a device; `None` if nothing repeats.
#[must_use]
pub fn steps(recording: &Recording, device: u32) -> Option<Steps> {
    let (stream, found) = largest_stream(recording, device)?;
    let length = shortest(&names(recording, found))?;
    steps_of(recording, (stream, found), length)
}

/// The launches of one kernel, again and again, of a device: each is a step of one operation. `None` if there are fewer than ten, or others
/// between them.
pub(super) fn launches(recording: &Recording, device: u32) -> Option<Steps> {
    /// Fewer do not tell what is noise.
    const FEWEST_LAUNCHES: usize = 10;
    let (stream, found) = largest_stream(recording, device)?;
    let names = names(recording, found);
    let is_same = names.len() >= FEWEST_LAUNCHES && repeats(&names, 1);
    is_same.then(|| steps_of(recording, (stream, found), 1)).flatten()
}

/// The stream of a device that has most operations.
fn largest_stream(recording: &Recording, device: u32) -> Option<(usize, &RecordedStream)> {
    let of_device =
        recording.streams.iter().enumerate().filter(|(_, stream)| stream.device == device && stream.kind != StreamKind::Migrations);
    of_device.max_by_key(|(place, stream)| (stream.operations.len(), std::cmp::Reverse(*place)))
}

fn names(recording: &Recording, stream: &RecordedStream) -> Vec<u32> {
    stream.operations.iter().map(|&place| recording.operations[place as usize].name).collect()
}

/// Steps of so many operations of a stream.
fn steps_of(recording: &Recording, (stream, found): (usize, &RecordedStream), length: usize) -> Option<Steps> {
    let count = found.operations.len();
    let begins = |first: usize| (first..=count).step_by(length);
    let gap = |at: usize| match at.checked_sub(1) {
        Some(before) if at < count => {
            let (before, operation) = (found.operations[before] as usize, found.operations[at] as usize);
            recording.operations[operation].start.since(recording.operations[before].end).ns()
        }
        _ => 0,
    };
    // A step begins where the stream was idle longest before it; of equal places the first is taken.
    let idle = |first: usize| begins(first).map(gap).fold(0_u64, u64::saturating_add);
    let first = (0..length).max_by_key(|&first| (idle(first), std::cmp::Reverse(first)))?;
    let bound = |at: usize| match found.operations.get(at) {
        Some(&place) => recording.operations[place as usize].start,
        None => found.operations.last().map_or(Time::ZERO, |&last| recording.operations[last as usize].end),
    };
    let bounds: Vec<Time> = begins(first).map(bound).collect();
    (bounds.len() > FEWEST && bounds.windows(2).all(|pair| pair[0] < pair[1])).then_some(Steps {
        stream: stream as u32,
        operations: length,
        bounds,
    })
}

/// The shortest length after which names repeat.
fn shortest(names: &[u32]) -> Option<usize> {
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (place, &name) in names.iter().enumerate() {
        places.entry(name).or_default().push(place);
    }
    // How often two of a name are so far apart; of names that are rare, as those tell more.
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for places in places.values().filter(|places| places.len() >= FEWEST && places.len() <= MOST_OCCURRENCES) {
        let mut of_name: BTreeMap<usize, usize> = BTreeMap::new();
        for pair in places.windows(2) {
            *of_name.entry(pair[1] - pair[0]).or_default() += 1;
        }
        // Of all that lie equally far apart.
        for (length, count) in of_name.into_iter().filter(|&(_, count)| count * 2 >= places.len() - 1) {
            *lengths.entry(length).or_default() += count;
        }
    }
    let mut all: Vec<(usize, usize)> = lengths.into_iter().filter(|&(length, _)| length > 1 && length * FEWEST <= names.len()).collect();
    all.sort_by_key(|&(length, count)| (std::cmp::Reverse(count), length));
    all.truncate(MOST_LENGTHS);
    all.sort_unstable();
    all.into_iter().map(|(length, _)| length).find(|&length| repeats(names, length))
}

/// Whether most names are the same so many later.
fn repeats(names: &[u32], length: usize) -> bool {
    let alike = names.iter().zip(&names[length..]).filter(|(name, later)| name == later).count();
    alike * 100 >= (names.len() - length) * ALIKE
}
