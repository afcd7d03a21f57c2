//! Whom the completion of what an event captured, or of a node of a graph, lets move on (W1, W2).
//!
//! Depends on the rest of `engine`. Invariant: only what waits for the event is looked at. Source: docs/semantics.md, section 3.

use super::Engine;
use super::vary::Variation;
use crate::units::{OpId, StreamId};

impl<V: Variation> Engine<'_, V> {
    /// Adds the streams whose heads wait for this operation by an event or a graph.
    pub(super) fn add_waiting_for_event(&mut self, completed: OpId, streams: &mut Vec<StreamId>) {
        for &waiter in self.trace.waiters_of(completed) {
            let stream = self.trace.op(waiter).stream;
            if self.state.head(stream) == Some(waiter) {
                // Whether another one keeps it is asked of each.
                self.work.add(self.trace.waits_of(waiter).len() as u64);
                streams.push(stream);
            }
        }
    }
}
