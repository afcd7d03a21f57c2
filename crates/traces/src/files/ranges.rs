//! What happened in a range, for programs.
//!
//! Invariant: the shares of each path add up to the length of the range.

use std::collections::BTreeMap;

use serde::Serialize;

use super::waits::{OfGroup, number_of, of_group, thread_of};
use crate::Recording;
use crate::causes::Cause;
use crate::path::groups::{self, PathShare};
use crate::path::overlap::Overlap;
use crate::ranges::{DeviceRange, RangeSums, WorkKind};
use blockstep_format::layout;

#[derive(Serialize)]
struct OfFile {
    range: OfRange,
}

#[derive(Serialize)]
struct OfRange {
    from_ns: u64,
    to_ns: u64,
    length_ns: u64,
    paths: Vec<OfDevice>,
    causes: Vec<OfCause>,
}

#[derive(Serialize)]
struct OfDevice {
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u64>,
    shares_ns: BTreeMap<&'static str, u64>,
    groups: Vec<OfGroup>,
    groups_in_all: usize,
    work: Vec<OfWork>,
    overlap: Overlap,
}

#[derive(Serialize)]
struct OfWork {
    kind: &'static str,
    busy_ns: u64,
    began: u64,
}

#[derive(Serialize)]
struct OfCause {
    cause: &'static str,
    waited_ns: u64,
}

/// What happened in a range, with the longest groups of each path, so many.
#[must_use]
pub fn write_range_json(recording: &Recording, sums: &RangeSums, top: usize) -> String {
    let of_device = |of: &DeviceRange| {
        let (shares, groups) = (groups::shares(recording, &of.path), groups::groups(recording, &of.path));
        let work = WorkKind::ALL.into_iter().zip(of.work);
        OfDevice {
            device: number_of(recording, &of.path),
            thread: thread_of(recording, &of.path),
            shares_ns: PathShare::ALL.into_iter().map(|share| (share.word(), shares[share as usize])).collect(),
            groups: groups.iter().take(top).map(|group| of_group(recording, group)).collect(),
            groups_in_all: groups.len(),
            work: work.map(|(kind, work)| OfWork { kind: kind.word(), busy_ns: work.busy_ns, began: work.began }).collect(),
            overlap: of.together,
        }
    };
    let causes = Cause::ALL.into_iter().zip(sums.waited_ns).map(|(cause, waited_ns)| OfCause { cause: cause.word(), waited_ns });
    let range = OfRange {
        from_ns: sums.from.ns(),
        to_ns: sums.to.ns(),
        length_ns: sums.length().ns(),
        paths: sums.devices.iter().map(of_device).collect(),
        causes: causes.collect(),
    };
    layout::file(OfFile { range }).to_string()
}
