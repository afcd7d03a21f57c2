//! What happened between two instants of a recording, and how busy devices were over all of it.
//!
//! An operation that goes on beyond an end of the range counts with its part within; its wait counts whole, where it began. Invariants: the
//! pieces of a path within a range are as long as the range, to the nanosecond; the sums of ranges that follow one another are those of the
//! range that they make up, and those of all of it are those of the recording.

use super::causes::{Analysis, Cause};
use super::path::groups::PathShare;
use super::path::overlap::{Overlap, overlaps_between};
use super::path::{DevicePath, PathPiece};
use super::{Operation, OperationKind, Recording};
use blockstep_sim::units::{Span, Time};

blockstep_sim::listed! {
    /// What an operation does for the program.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum WorkKind(word, from_word) {
        /// A kernel that computes.
        Computation = "computation",
        /// A kernel that communicates with other devices.
        Communication = "communication",
        /// A copy over the bus.
        Copies = "copies",
        /// Memory set, or copied in another way.
        Memory = "memory",
        /// Pages of unified memory that moved.
        Migrations = "migrations",
    }
}

/// Operations of a kind in a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSum {
    /// How long at least one of them ran, ns.
    pub busy_ns: u64,
    /// How many began.
    pub began: u64,
}

/// What a device did in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceRange {
    /// Its path, cut at the ends of the range.
    pub path: DevicePath,
    /// By [`WorkKind`].
    pub work: [WorkSum; WorkKind::ALL.len()],
    /// How much ran together.
    pub together: Overlap,
}

/// What happened in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeSums {
    /// First instant.
    pub from: Time,
    /// End, excluded.
    pub to: Time,
    /// Of each path, in its order.
    pub devices: Vec<DeviceRange>,
    /// How long the operations waited that began in it, by cause in the order of [`Cause::ALL`], ns.
    pub waited_ns: [u64; Cause::ALL.len()],
}

impl RangeSums {
    /// Sums up what is of the recording between two instants.
    #[must_use]
    pub fn new(recording: &Recording, analysis: &Analysis, paths: &[DevicePath], from: Time, to: Time) -> Self {
        let ends = |path: &DevicePath| Some((path.pieces.first()?.from, path.pieces.last()?.to));
        // Every path is as long as the recording.
        let (first, last) = paths.first().and_then(ends).unwrap_or_default();
        let from = from.max(first).min(last);
        let to = to.max(from).min(last);
        let begun = &recording.operations[..recording.operations.partition_point(|operation| operation.start < to || to == last)];
        let began = begun.partition_point(|operation| operation.start < from);
        let mut waited_ns = [0_u64; Cause::ALL.len()];
        for part in (began..begun.len()).flat_map(|place| analysis.parts(place as u32)) {
            let sum = &mut waited_ns[part.cause as usize];
            *sum = sum.saturating_add(part.span().ns());
        }
        let work = work(recording, begun, (from, to));
        let together = overlaps_between(recording, from, to);
        let of_device = |path: &DevicePath| {
            let device = path.device as usize;
            DeviceRange { path: cut(path, from, to), work: work[device], together: together[device] }
        };
        Self { from, to, devices: paths.iter().map(of_device).collect(), waited_ns }
    }

    /// How long it is.
    #[must_use]
    pub const fn length(&self) -> Span {
        self.to.since(self.from)
    }
}

/// What of a path is between two instants.
fn cut(path: &DevicePath, from: Time, to: Time) -> DevicePath {
    let first = path.pieces.partition_point(|piece| piece.to <= from);
    let within = path.pieces[first..].iter().take_while(|piece| piece.from < to && from < to);
    let pieces = within.map(|piece| PathPiece { from: piece.from.max(from), to: piece.to.min(to), ..*piece });
    DevicePath { device: path.device, pieces: pieces.collect(), host_behind_ns: 0, behind: Vec::new() }
}

/// By device and kind: what ran in a range, of the operations that began before its end.
fn work(recording: &Recording, begun: &[Operation], (from, to): (Time, Time)) -> Vec<[WorkSum; WorkKind::ALL.len()]> {
    let communicates = recording.communicating();
    let mut found = vec![[WorkSum::default(); WorkKind::ALL.len()]; recording.devices.len()];
    // Until when what is counted reaches.
    let mut reach = vec![[from; WorkKind::ALL.len()]; recording.devices.len()];
    for (operation, communicates) in begun.iter().zip(communicates) {
        let kind = match operation.kind {
            OperationKind::Kernel if communicates => WorkKind::Communication,
            OperationKind::Kernel => WorkKind::Computation,
            OperationKind::Migration => WorkKind::Migrations,
            kind if kind.is_transfer() => WorkKind::Copies,
            _ => WorkKind::Memory,
        };
        let device = recording.stream(operation).device as usize;
        let (sum, reach) = (&mut found[device][kind as usize], &mut reach[device][kind as usize]);
        sum.began += u64::from(operation.start >= from);
        let end = operation.end.min(to);
        sum.busy_ns += end.since(operation.start.max(*reach)).ns();
        *reach = end.max(*reach);
    }
    found
}

/// How much of each of equal parts of a recording, at most so many, the device of a path worked, percent; nothing is rounded down to none.
#[must_use]
pub fn busy(recording: &Recording, path: &DevicePath, most: u32) -> Vec<u8> {
    let Some(end) = path.pieces.last().map(|piece| piece.to.ns()) else { return Vec::new() };
    let count = u64::from(most).min(end);
    // A product of these does not fit into 64 bits.
    let place_of = |ns: u64| (u128::from(ns) * u128::from(count) / u128::from(end.max(1))) as usize;
    let begin_of = |place: usize| (place as u128 * u128::from(end)).div_ceil(u128::from(count.max(1))) as u64;
    let mut worked = vec![0_u64; count as usize];
    let busy = if recording.is_host_alone() { PathShare::Host } else { PathShare::Working };
    for piece in path.pieces.iter().filter(|piece| piece.subject(recording, path.device).share == busy) {
        let (mut at, to) = (piece.from.ns(), piece.to.ns());
        while at < to {
            let place = place_of(at);
            let next = begin_of(place + 1).min(to);
            worked[place] += next - at;
            at = next;
        }
    }
    let percent = |(place, ns): (usize, u64)| (u128::from(ns) * 100).div_ceil(u128::from(begin_of(place + 1) - begin_of(place))) as u8;
    worked.into_iter().enumerate().map(percent).collect()
}
