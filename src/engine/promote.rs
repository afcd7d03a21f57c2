//! Promotion: from the head of a stream queue to its EE or CE queue (G2, A1, C1, N1, N2).
//!
//! Depends on the rest of `engine`. Invariant: after it, no stream head is eligible and not
//! promoted. Only streams whose head, barrier or producer has changed are looked at. Source: docs/semantics.md,
//! sections 3, 4 and 8.

use super::Engine;
use super::vary::Variation;
use crate::order;
use crate::trace::{Change, Cut, EngineNo, Level, OpKind, Rule, Variant};
use crate::units::{OpId, StreamId, TaskId};

impl<V: Variation> Engine<'_, V> {
    /// After the head of `stream` has completed, and with it jobs of these tasks.
    pub(super) fn promote_after_completion(&mut self, stream: StreamId, producers: &[TaskId]) -> Result<(), Cut> {
        let layout = self.trace.layout();
        let space = layout.space(layout.stream(stream).space);
        if space.null.is_none() && producers.iter().all(|&task| self.scenario.task(task).consumers.is_empty()) {
            return self.promote(stream, Some(stream));
        }
        let mut candidates = vec![stream];
        match space.null {
            // N2 may no longer hold.
            Some(null) if null == stream => candidates.extend(self.state.no_longer_barred(&self.trace, null)),
            // N1 may no longer hold.
            Some(null) => candidates.push(null),
            None => {}
        }
        for &task in producers {
            self.consumers_streams(task, &mut candidates);
        }
        self.promote_all(candidates, Some(stream))
    }

    /// After jobs of these tasks have completed that have no rows.
    pub(super) fn promote_consumers(&mut self, producers: &[TaskId]) -> Result<(), Cut> {
        let mut candidates = Vec::new();
        for &task in producers {
            self.consumers_streams(task, &mut candidates);
        }
        self.promote_all(candidates, None)
    }

    fn consumers_streams(&self, producer: TaskId, out: &mut Vec<StreamId>) {
        for &consumer in &self.scenario.task(producer).consumers {
            out.extend(self.scenario.task(consumer).rows.iter().map(|&row| self.trace.layout().stream_of(row)));
        }
    }

    /// Promotes the eligible heads of these streams, in issue order.
    fn promote_all(&mut self, streams: Vec<StreamId>, completed: Option<StreamId>) -> Result<(), Cut> {
        let mut heads: Vec<(OpId, StreamId)> = streams.into_iter().filter_map(|s| self.promotable(s).map(|op| (op, s))).collect();
        order::by_number(&mut heads, |&(op, _)| op.0.into());
        heads.dedup();
        for (_, stream) in heads {
            self.promote(stream, completed)?;
        }
        Ok(())
    }

    /// Promotes the head of a stream if it is eligible. `completed`: the stream whose head just
    /// completed, which tells by which rule this one moves on.
    pub(super) fn promote(&mut self, stream: StreamId, completed: Option<StreamId>) -> Result<(), Cut> {
        let Some(op) = self.promotable(stream) else { return Ok(()) };
        let queue = self.trace.layout().stream(stream);
        let released_by_null = completed.is_some_and(|c| c != stream && self.trace.layout().stream(c).is_null);
        let null_rule = match (queue.is_null, released_by_null) {
            _ if self.variation.has(Variant::NoNullBarrier) => None,
            (true, _) => Some(Rule::N1),
            (false, true) => Some(Rule::N2),
            (false, false) => None,
        };
        self.joined[stream.index()] = self.now;
        let kind = self.trace.op(op).kind;
        if kind == OpKind::Kernel {
            let level = if self.variation.has(Variant::NoPriorities) { Level::Low } else { self.policy.level(queue) };
            let by_level = if level == Level::High { Rule::A1 } else { Rule::G2 };
            self.emit(null_rule.unwrap_or(by_level), Change::EeJoined { op, level })
        } else {
            let engine = self.engine_of(kind);
            self.emit(null_rule.unwrap_or(Rule::C1), Change::CeJoined { op, engine })
        }
    }

    /// The head of a stream, if it may move on and has not yet.
    fn promotable(&self, stream: StreamId) -> Option<OpId> {
        if self.variation.has(Variant::NoNullBarrier) {
            return self.state.promotable_without_barrier(&self.trace, stream);
        }
        self.state.promotable(&self.trace, stream)
    }

    /// One engine serves both directions; with more, input and output have one each.
    fn engine_of(&self, kind: OpKind) -> EngineNo {
        let has_own = self.scenario.device().copy_engines > 1 && !self.variation.has(Variant::OneCopyEngine);
        EngineNo::from(kind == OpKind::CopyOut && has_own)
    }
}
