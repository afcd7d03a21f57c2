//! Channels: what the runlist lists. A process has one or more, and its streams share them.
//!
//! Depends on the rest of `scenario`. Invariants: the channels of a process stand side by side, in table order of the processes;
//! its streams take them by turns, in the order of [`Scenario::streams`](super::Scenario::streams). Source: [EDF] section III-B;
//! docs/semantics.md, section 6.

use super::{Process, Stream, Turns};
use crate::units::ProcessId;

/// Most channels of a process, as many as it has hardware connections at most.
pub const MAX_CHANNELS: u64 = 32;

/// Most channels of all processes together, where there are more than processes.
pub(super) const MAX_ALL_CHANNELS: u64 = 100_000;

/// A channel of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its process.
    pub process: ProcessId,
    /// Its number in the process, from 0.
    pub number: u32,
}

/// The channels of all processes; one each where they do not take turns on a runlist.
pub(super) fn channels(processes: &[Process], turns: Turns) -> Vec<Channel> {
    let count = |process: &Process| if turns == Turns::Runlist { process.channels } else { 1 };
    let of = |(i, process)| (0..count(process)).map(move |number| Channel { process: ProcessId::at(i), number });
    processes.iter().enumerate().flat_map(of).collect()
}

/// Gives every stream its channel; a branch, which stands behind all streams, has that of its stream.
pub(super) fn share(streams: &mut [Stream], processes: &[Process], turns: Turns) {
    if turns != Turns::Runlist {
        return;
    }
    let mut taken = vec![0; processes.len()];
    for place in 0..streams.len() {
        if let Some(of) = streams[place].branch_of {
            streams[place].channel = streams[of].channel;
            continue;
        }
        let stream = &mut streams[place];
        let taken = &mut taken[stream.process.index()];
        stream.channel = *taken % processes[stream.process.index()].channels;
        *taken += 1;
    }
}

/// By process: the place of its first channel among those of all.
pub(super) fn firsts(channels: &[Channel]) -> Vec<usize> {
    (0..channels.len()).filter(|&place| channels[place].number == 0).collect()
}
