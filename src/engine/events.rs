//! Whom the completion of what an event captured lets move on (W1).
//!
//! Depends on the rest of `engine`. Invariant: only heads of streams are looked at, and only where an event was recorded. Source:
//! docs/semantics.md, section 3.

use super::Engine;
use super::vary::Variation;
use crate::units::{OpId, StreamId};

impl<V: Variation> Engine<'_, V> {
    /// Adds the streams whose heads wait for an event that has captured this operation.
    pub(super) fn waiting_for_event(&self, completed: OpId, streams: &mut Vec<StreamId>) {
        if self.trace.row_of(completed).records.is_none() {
            return;
        }
        let layout = self.trace.layout();
        let space = layout.space(layout.stream(self.trace.op(completed).stream).space);
        let waits = |&stream: &StreamId| self.state.head(stream).is_some_and(|head| self.trace.waits_of(head).contains(&completed));
        streams.extend(space.streams.iter().copied().filter(waits));
    }
}
