//! The oracle's hardware connections (docs/semantics.md, section 3): which stream has which, and who stands behind whom.

use std::collections::BTreeMap;

use blockstep_sim::scenario::{Draft, NULL_STREAM};
use blockstep_sim::trace::OpKind;

use super::Run;
use super::channels::{Channels, streams as streams_of};
use super::graphs::branches;
use super::turns::takes_turns;

/// By process and stream.
pub(super) struct Connections(BTreeMap<(usize, String), u64>);

impl Connections {
    /// The listed streams take them by turns, then the others by first use.
    pub(super) fn from_draft(draft: &Draft) -> Self {
        let mut found = BTreeMap::new();
        let Some(count) = draft.connections else { return Self(found) };
        let takes_turns = takes_turns(draft.policy.kind);
        let channels = Channels::from_draft(draft);
        let space = |process: usize, name: &str| if takes_turns { channels.of_stream(process, name) } else { 0 };
        let mut streams: Vec<(usize, usize, String)> = vec![];
        // Branches are in the channels of their streams.
        let branches = branches(draft).into_iter().map(|(process, stream, branch)| (process, branch, stream));
        let streams_of = streams_of(draft).into_iter().map(|(process, name)| (process, name.clone(), name));
        for (process, name, launched) in streams_of.chain(branches) {
            let space = space(process, &launched);
            // One NULL stream for an address space.
            let same = |s: &&(usize, usize, String)| s.2 == name && (s.1 == process || name == NULL_STREAM && s.0 == space);
            let known = streams.iter().find(same).map(|s| found[&(s.1, name.clone())]);
            let number = known.unwrap_or(streams.iter().filter(|s| s.0 == space).count() as u64 % count);
            if known.is_none() {
                streams.push((space, process, name.clone()));
            }
            found.insert((process, name), number);
        }
        Self(found)
    }

    pub(super) fn of_stream(&self, process: usize, stream: &str) -> Option<u64> {
        self.0.get(&(process, stream.to_owned())).copied()
    }
}

impl Run<'_> {
    /// H1: whether an operation launched earlier stands before this one in the line of their kind of one connection.
    pub(super) fn is_behind_in_connection(&self, op: usize, earlier: usize) -> bool {
        let connection = |op: usize| self.m.rows[self.ops[op].row].connection;
        let queue = |op: usize| (self.ops[op].kind != OpKind::Kernel).then(|| self.engine(op));
        connection(op).is_some()
            && connection(op) == connection(earlier)
            && self.space(op) == self.space(earlier)
            && queue(op) == queue(earlier)
            && self.ops[earlier].joined.is_none()
    }
}
