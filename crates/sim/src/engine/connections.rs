//! Promotion where streams share hardware connections (H1).
//!
//! Depends on the rest of `engine`. Invariant: who follows somebody in a connection was launched later, so taking the first in issue
//! order again and again promotes all in issue order. Source: docs/semantics.md, sections 3 and 4.

use std::collections::BTreeMap;

use super::Engine;
use super::promote::Cause;
use super::vary::Variation;
use crate::trace::Cut;
use crate::units::{OpId, StreamId};

impl<V: Variation> Engine<'_, V> {
    /// Promotes these heads, and what may follow them in their connections, in issue order.
    pub(super) fn promote_through_connections(&mut self, heads: Vec<(OpId, StreamId)>, cause: Cause<'_>) -> Result<(), Cut> {
        let mut due: BTreeMap<OpId, Cause<'_>> = heads.into_iter().map(|(op, _)| (op, cause)).collect();
        while let Some((op, cause)) = due.pop_first() {
            self.promote(self.trace.op(op).stream, cause)?;
            let next = self.state.connection_head(&self.trace, op);
            if let Some(next) = next.filter(|&next| self.promotable(self.trace.op(next).stream) == Some(next)) {
                due.entry(next).or_insert(Cause::Connection);
            }
        }
        Ok(())
    }
}
