//! The chain of causes behind a wait: what the operation waited for, what that waited for, and so on to the root.
//!
//! Invariants: each link is about an operation that began before the one of the link before it, so that a chain ends; operations of one
//! stream or graph that ran one after another are one link; a chain has at most [`MOST`] links.

use super::Recording;
use super::causes::{Analysis, Cause, Certainty};
use super::summary::largest;
use blockstep_sim::units::{Span, Time};

/// Longer chains are cut.
pub const MOST: usize = 24;

/// A link: an operation, and what the largest part of its wait was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// The operation.
    pub operation: u32,
    /// How many operations of its stream or graph this link stands for: itself, and those before it of which each waited for the one before.
    pub count: u32,
    /// When the first of them began.
    pub since: Time,
    /// How long they ran, without the time between them.
    pub worked: Span,
    /// From its call to its start; `None` if the file does not say when it was called.
    pub wait: Option<Span>,
    /// The largest part of the wait of the first of them: cause, certainty, and how long.
    pub held: Option<(Cause, Certainty, Span)>,
}

/// How a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The device had nothing to wait for: the host called when it did.
    Host,
    /// The cause of the last link holds nobody else responsible.
    Cause(Cause),
    /// The file does not say when the last operation was called.
    NotCalled,
    /// Nothing in the file explains the last wait.
    CannotTell,
    /// The chain is longer than [`MOST`].
    Long,
}

/// The chain of an operation.
#[must_use]
pub fn chain(recording: &Recording, analysis: &Analysis, operation: u32) -> (Vec<ChainLink>, Root) {
    let mut links = Vec::new();
    let mut place = operation;
    loop {
        let mut link = link(recording, analysis, place);
        let mut by = waited_for(recording, analysis, place);
        // The chain's first link is the operation asked about and stands for itself.
        while let Some((Cause::StreamOrder | Cause::GraphOrder, before)) = by.filter(|_| !links.is_empty()) {
            let (first, then) = (&recording.operations[place as usize], &recording.operations[before as usize]);
            let is_in_graph = recording.is_node(first) && first.call == then.call;
            if first.stream != then.stream && !is_in_graph {
                break;
            }
            link.count = link.count.saturating_add(1);
            link.since = then.start;
            link.worked = Span(link.worked.ns().saturating_add(then.duration().ns()));
            place = before;
            link.held = held(analysis, place);
            by = waited_for(recording, analysis, place);
        }
        links.push(link);
        match by {
            Some(_) if links.len() == MOST => return (links, Root::Long),
            Some((_, before)) => place = before,
            None => return (links, root(recording, analysis, place)),
        }
    }
}

fn link(recording: &Recording, analysis: &Analysis, place: u32) -> ChainLink {
    let operation = &recording.operations[place as usize];
    let (since, worked) = (operation.start, operation.duration());
    ChainLink { operation: place, count: 1, since, worked, wait: recording.wait(operation), held: held(analysis, place) }
}

fn held(analysis: &Analysis, place: u32) -> Option<(Cause, Certainty, Span)> {
    largest(analysis.parts(place)).map(|part| (part.cause, part.certainty, part.span()))
}

/// The operation behind the largest part of a wait, with the cause; only one that began before.
fn waited_for(recording: &Recording, analysis: &Analysis, place: u32) -> Option<(Cause, u32)> {
    let part = largest(analysis.parts(place))?;
    let began = |place: u32| (recording.operations[place as usize].start, place);
    part.by.filter(|&by| began(by) < began(place)).map(|by| (part.cause, by))
}

fn root(recording: &Recording, analysis: &Analysis, place: u32) -> Root {
    let Some(part) = largest(analysis.parts(place)) else {
        let has_call = recording.operations[place as usize].call.is_some();
        return if has_call { Root::Host } else { Root::NotCalled };
    };
    match part.cause {
        Cause::Launch => Root::Host,
        Cause::CannotTell => Root::CannotTell,
        cause => Root::Cause(cause),
    }
}
