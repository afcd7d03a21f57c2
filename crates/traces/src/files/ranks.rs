//! The ranks of a job beside each other, for programs.
//!
//! Invariant: a row has the times of its file alone, or why that cannot be read.

use serde::Serialize;

use crate::Flaw;
use crate::ranks::{RankFile, Slowest, ordered, rank_of, slowest, words};
use blockstep_format::layout;
use blockstep_sim::units::written::format_time_short;

#[derive(Serialize)]
struct OfRanks<'f> {
    said: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds_up: Option<OfHolding<'f>>,
    ranks: Vec<OfRank<'f>>,
}

/// Which rank the others wait for.
#[derive(Serialize)]
struct OfHolding<'f> {
    file: &'f str,
    certainty: &'static str,
    behind_ns: u64,
    last_in: u64,
    collectives: u64,
    /// How many ranks the group has in which it does, if that is not all of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    group_size: Option<u64>,
}

/// Kernels that communicate in one way.
#[derive(Serialize)]
struct OfKind {
    kind: &'static str,
    count: u64,
    ns: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum OfRank<'f> {
    Read {
        file: &'f str,
        #[serde(skip_serializing_if = "Option::is_none")]
        rank: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        world_size: Option<u64>,
        device: u64,
        devices: u64,
        wall_clock_ns: u64,
        working_ns: u64,
        communication_ns: u64,
        communication_overlapped_ns: u64,
        communication_exposed_ns: u64,
        idle_ns: u64,
        host_ns: u64,
        operations: u64,
        flaws: &'f [Flaw],
        /// By kind, those that there is.
        communication_kinds: Vec<OfKind>,
    },
    Unread {
        file: &'f str,
        error: &'f str,
    },
}

impl<'f> OfRank<'f> {
    fn new((file, times): &'f RankFile) -> Self {
        match times {
            Err(error) => Self::Unread { file, error },
            Ok(times) => Self::Read {
                file,
                rank: rank_of(file, Some(times)),
                world_size: times.job.world_size,
                device: times.device,
                devices: times.devices,
                wall_clock_ns: times.wall_clock_ns,
                working_ns: times.working_ns,
                communication_ns: times.communication_ns,
                communication_overlapped_ns: times.overlapped_ns,
                communication_exposed_ns: times.exposed_ns(),
                idle_ns: times.idle_ns(),
                host_ns: times.host_ns,
                operations: times.operations,
                flaws: &times.flaws,
                communication_kinds: times.kinds.iter().map(|of| OfKind { kind: of.kind.word(), count: of.count, ns: of.ns }).collect(),
            },
        }
    }
}

/// The ranks of a job, as JSON.
#[must_use]
pub fn write_ranks_json(files: &[RankFile]) -> String {
    let holds_up = match slowest(files) {
        Ok(Slowest::HoldsUp { file, behind_ns, last_in, of, group, .. }) => {
            Some(OfHolding { file: &files[file].0, certainty: CERTAINTY, behind_ns, last_in, collectives: of, group_size: group })
        }
        _ => None,
    };
    let ranks = ordered(files).into_iter().map(|place| OfRank::new(&files[place])).collect();
    layout::file(OfRanks { said: words::said(files, &|span| format_time_short(span.ns())), holds_up, ranks }).to_string()
}

/// No file records for whom a collective waited.
const CERTAINTY: &str = crate::words::certainty(crate::causes::Certainty::Consistent);
