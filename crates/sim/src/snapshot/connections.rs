//! Hardware connections: what stands in them, and behind what.
//!
//! Depends on the rest of `snapshot`. Invariants: a connection holds its streams' issued operations that have not moved on, kernels
//! apart from copies and these by their CE queue, in issue order; where streams share none, nothing is kept. Source: docs/semantics.md, section 3.

use std::collections::VecDeque;

use super::{MAX_ENGINES, Snapshot};
use crate::trace::{OpKind, Trace};
use crate::units::{ConnectionId, OpId};

/// What a connection holds: kernels, and copies for each CE queue.
pub(super) type Lines = [VecDeque<OpId>; 1 + MAX_ENGINES];

/// The connection of an operation, and in which of its lines it stands.
pub(super) fn line(trace: &Trace, op: OpId) -> Option<(ConnectionId, usize)> {
    let info = trace.op(op);
    let has_own = trace.scenario().device().copy_engines > 1;
    let line = match info.kind {
        OpKind::Kernel => 0,
        OpKind::CopyOut if has_own => 2,
        OpKind::CopyIn | OpKind::CopyOut => 1,
    };
    Some((trace.layout().stream(info.stream).connection?, line))
}

impl Snapshot {
    /// An operation has been issued.
    pub(super) fn line_up(&mut self, trace: &Trace, op: OpId) {
        if let Some((connection, line)) = line(trace, op) {
            self.connections[connection.index()][line].push_back(op);
        }
    }

    /// An operation has moved on.
    pub(super) fn leave_line(&mut self, trace: &Trace, op: OpId) {
        let Some((connection, line)) = line(trace, op) else { return };
        let line = &mut self.connections[connection.index()][line];
        // The head, in every run of the rules.
        if let Ok(place) = line.binary_search(&op) {
            line.remove(place);
        }
    }

    /// The head of the line in which an operation that has not moved on stands, if that is another one (H1).
    #[must_use]
    pub fn ahead_in_connection(&self, trace: &Trace, op: OpId) -> Option<OpId> {
        self.connection_head(trace, op).filter(|&head| head != op)
    }

    /// How many operations stand before one in its line; `None` if it does not stand there.
    #[must_use]
    pub fn place_in_connection(&self, trace: &Trace, op: OpId) -> Option<usize> {
        let (connection, line) = line(trace, op)?;
        self.connections[connection.index()][line].binary_search(&op).ok()
    }

    /// The head of the line in which an operation stands or has stood.
    #[must_use]
    pub fn connection_head(&self, trace: &Trace, op: OpId) -> Option<OpId> {
        let (connection, line) = line(trace, op)?;
        self.connections[connection.index()][line].front().copied()
    }
}
