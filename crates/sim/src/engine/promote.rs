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

/// What lets a head move on, which tells by which rule it does.
#[derive(Clone, Copy)]
pub(super) enum Cause<'a> {
    /// It was issued, or its producers have supplied it without an operation.
    Ready,
    /// This operation has completed; jobs of its number of these tasks, in table order, have supplied with it.
    Completed(OpId, &'a [TaskId]),
    /// What was ahead of it in its connection has moved on.
    Connection,
}

impl<V: Variation> Engine<'_, V> {
    /// After an operation, the head of its stream, has completed, and with it jobs of these tasks have supplied.
    pub(super) fn promote_after_completion(&mut self, completed: OpId, supplied: &[TaskId]) -> Result<(), Cut> {
        let (layout, stream) = (self.trace.layout(), self.trace.op(completed).stream);
        let space = layout.space(layout.stream(stream).space);
        let is_alone = space.null.is_none() && !self.scenario.has_further_order();
        if is_alone && supplied.iter().all(|&task| self.scenario.task(task).consumers.is_empty()) {
            return self.promote(stream, Cause::Completed(completed, supplied));
        }
        let mut candidates = vec![stream];
        match space.null {
            // N2 may no longer hold.
            Some(null) if null == stream => candidates.extend(self.state.no_longer_barred(&self.trace, null)),
            // N1 may no longer hold.
            Some(null) => candidates.push(null),
            None => {}
        }
        for &task in supplied {
            self.consumers_streams(task, &mut candidates);
        }
        self.add_waiting_for_event(completed, &mut candidates);
        self.promote_all(candidates, Cause::Completed(completed, supplied))
    }

    /// After jobs of these tasks have supplied that have no operations.
    pub(super) fn promote_consumers(&mut self, supplied: &[TaskId]) -> Result<(), Cut> {
        let mut candidates = Vec::new();
        for &task in supplied {
            self.consumers_streams(task, &mut candidates);
        }
        self.promote_all(candidates, Cause::Ready)
    }

    fn consumers_streams(&self, producer: TaskId, out: &mut Vec<StreamId>) {
        for &consumer in &self.scenario.task(producer).consumers {
            out.extend(self.scenario.task(consumer).rows.iter().map(|&row| self.trace.layout().stream_of(row)));
        }
    }

    /// Promotes the eligible heads of these streams, in issue order.
    fn promote_all(&mut self, streams: Vec<StreamId>, cause: Cause<'_>) -> Result<(), Cut> {
        self.work.add(streams.len() as u64);
        let mut heads: Vec<(OpId, StreamId)> = streams.into_iter().filter_map(|s| self.promotable(s).map(|op| (op, s))).collect();
        order::by_number(&mut heads, |&(op, _)| op.0.into());
        heads.dedup();
        if self.scenario.connections().is_some() {
            return self.promote_through_connections(heads, cause);
        }
        for (_, stream) in heads {
            self.promote(stream, cause)?;
        }
        Ok(())
    }

    /// Promotes the head of a stream if it is eligible.
    pub(super) fn promote(&mut self, stream: StreamId, cause: Cause<'_>) -> Result<(), Cut> {
        let Some(op) = self.promotable(stream) else { return Ok(()) };
        let rule = self.order_rule(op, cause);
        self.join(op, rule)
    }

    /// A kernel that heads its stream is launched, as the policy lets it (P5); with it moves on what was only behind it in its connection.
    pub(super) fn launch(&mut self, op: OpId, rule: Rule) -> Result<(), Cut> {
        self.join(op, Some(rule))?;
        match self.state.connection_head(&self.trace, op) {
            Some(next) => self.promote_through_connections(vec![(next, self.trace.op(next).stream)], Cause::Connection),
            None => Ok(()),
        }
    }

    /// The head of a stream joins its queue, by this rule or else by that of the queue.
    fn join(&mut self, op: OpId, order_rule: Option<Rule>) -> Result<(), Cut> {
        let stream = self.trace.op(op).stream;
        let queue = self.trace.layout().stream(stream);
        self.joined[stream.index()] = self.now;
        let kind = self.trace.op(op).kind;
        if kind == OpKind::Kernel {
            let level = if self.variation.has(Variant::NoPriorities) { Level::Low } else { self.policy.level(queue) };
            let by_level = if level == Level::High { Rule::A1 } else { Rule::G2 };
            self.emit(order_rule.unwrap_or(by_level), Change::EeJoined { op, level })
        } else {
            let engine = self.engine_of(kind);
            self.emit(order_rule.unwrap_or(Rule::C1), Change::CeJoined { op, engine })
        }
    }

    /// The rule, other than that of its queue, by which an operation moves on now.
    fn order_rule(&self, op: OpId, cause: Cause<'_>) -> Option<Rule> {
        let layout = self.trace.layout();
        let (stream, has_barrier) = (self.trace.op(op).stream, !self.variation.has(Variant::NoNullBarrier));
        if has_barrier && layout.stream(stream).is_null {
            return Some(Rule::N1);
        }
        match cause {
            Cause::Ready => None,
            Cause::Connection => Some(Rule::H1),
            Cause::Completed(completed, supplied) if self.waited_for_producer(op, completed, supplied) => None,
            Cause::Completed(completed, _) => {
                let of = self.trace.op(completed).stream;
                let by_event = of != stream && self.trace.waits_of(op).contains(&completed);
                let by_null = has_barrier && of != stream && self.is_barred_by(op, completed);
                let by_order = if self.trace.is_by_graph(op, completed) { Rule::W2 } else { Rule::W1 };
                if by_null { Some(Rule::N2) } else { by_event.then_some(by_order) }
            }
        }
    }

    /// Whether an operation waited for a job that has supplied with one that has completed.
    fn waited_for_producer(&self, op: OpId, completed: OpId, supplied: &[TaskId]) -> bool {
        let consumes = &self.scenario.task(self.trace.row_of(op).task).consumes;
        self.trace.op(op).job == self.trace.op(completed).job && consumes.iter().any(|producer| supplied.binary_search(producer).is_ok())
    }

    /// Whether N2 let an operation wait for one that has completed: in the NULL stream of its address space, and launched before it.
    fn is_barred_by(&self, op: OpId, completed: OpId) -> bool {
        let layout = self.trace.layout();
        let (stream, of) = (layout.stream(self.trace.op(op).stream), self.trace.op(completed).stream);
        !stream.non_blocking && completed < op && layout.space(stream.space).null == Some(of)
    }

    /// The head of a stream, if it may move on and has not yet, and no policy decides on that.
    pub(super) fn promotable(&self, stream: StreamId) -> Option<OpId> {
        let head = if self.variation.has(Variant::NoNullBarrier) {
            self.state.promotable_without_barrier(&self.trace, stream)
        } else {
            self.state.promotable(&self.trace, stream)
        };
        head.filter(|&op| !self.gates_launches || self.trace.op(op).kind != OpKind::Kernel)
    }

    /// One engine serves both directions; with more, input and output have one each.
    fn engine_of(&self, kind: OpKind) -> EngineNo {
        let has_own = self.scenario.device().copy_engines > 1 && !self.variation.has(Variant::OneCopyEngine);
        EngineNo::from(kind == OpKind::CopyOut && has_own)
    }
}
