//! Which kernel would be served next if a common belief were the rule, computed from the state.
//!
//! Depends on the rest of `quiz`. Invariant: a belief is told as that of a choice only where, by it
//! and the other rules, that choice would be the answer from this very state. What one who gives an
//! answer very likely believes, though it would not do for the answer, is told apart from that.

use super::Site;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::StreamPriority;
use blockstep_sim::snapshot::SmState;
use blockstep_sim::trace::{Level, OpKind, Variant};
use blockstep_sim::units::{OpId, SpaceId, StreamId};
use blockstep_view::reason::Reason;

const OVERLAP: &str = "Operations of one stream may overlap.";
const LAUNCHED_FIRST: &str = "The kernel that was launched first is served first, whatever its priority.";
const EVERY_POLICY: &str = "Stream priorities have an effect under every policy.";
const EVERY_PROCESS: &str = "Stream priorities have an effect between processes too.";
const SHARED: &str = "Kernels of several processes share the SMs.";
const SHARED_BY_CHANNELS: &str = "Channels of one process share the SMs.";
const SHARED_IN_ORDER: &str = "Kernels of several processes share the SMs, and the one launched first goes first.";
/// Operations of a stream queue looked at.
const MAX_OF_STREAM: usize = 64;

/// What stands behind an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Behind {
    /// The variant of the rules by which it would be right.
    pub(super) variant: Option<Variant>,
    /// The belief by which it would be right.
    pub(super) belief: Option<&'static str>,
    /// What one may believe who gives it, though it would not be right by that alone.
    pub(super) perhaps: Option<&'static str>,
}

/// What stands behind taking a kernel that waits for this reason for the next of an address space.
pub(super) fn behind(site: &Site<'_>, space: SpaceId, op: OpId, reason: Reason) -> Behind {
    let would_be = |next: Option<OpId>| next == Some(op);
    let believed = |belief: &'static str, next: Option<OpId>, perhaps: Option<&'static str>| match would_be(next) {
        true => Behind { belief: Some(belief), ..Behind::default() },
        false => Behind { perhaps, ..Behind::default() },
    };
    match reason {
        Reason::N1 { .. } | Reason::N2 { .. } if would_be(without_barrier(site, space)) => {
            Behind { variant: Some(Variant::NoNullBarrier), ..Behind::default() }
        }
        Reason::N1 { .. } | Reason::N2 { .. } => Behind { perhaps: Some(Variant::NoNullBarrier.sentence()), ..Behind::default() },
        Reason::NotResident if is_same_process(site, space, op) => Behind { perhaps: Some(SHARED_BY_CHANNELS), ..Behind::default() },
        Reason::NotResident if is_high(site, op) => believed(EVERY_PROCESS, high_of_any(site, space), Some(SHARED)),
        Reason::NotResident => believed(SHARED_IN_ORDER, earliest_of_any(site), Some(SHARED)),
        Reason::BehindInStream { .. } => believed(OVERLAP, overlapping(site, space), Some(OVERLAP)),
        Reason::A2 { .. } => believed(LAUNCHED_FIRST, launched_first(site, space), None),
        Reason::X1 { .. } if !heeds_priorities(site) => believed(EVERY_POLICY, high_of_queue(site, space), None),
        _ => Behind::default(),
    }
}

/// Whether a kernel is of another channel of the process of this one.
fn is_same_process(site: &Site<'_>, space: SpaceId, op: OpId) -> bool {
    let layout = site.trace.layout();
    layout.address_space(layout.stream(site.trace.op(op).stream).space) == layout.address_space(space)
}

fn is_high(site: &Site<'_>, op: OpId) -> bool {
    site.trace.layout().stream(site.trace.op(op).stream).priority == StreamPriority::High
}

fn heeds_priorities(site: &Site<'_>) -> bool {
    policy::uses(site.trace.scenario(), Setting::StreamPriority)
}

/// The EE queue that a kernel joins (A1).
fn level_of(site: &Site<'_>, op: OpId) -> Level {
    if heeds_priorities(site) && is_high(site, op) { Level::High } else { Level::Low }
}

/// The kernel, if its next block fits: what does not fit holds up what is behind it.
fn if_it_fits(site: &Site<'_>, space: SpaceId, op: OpId) -> Option<OpId> {
    site.state.space(space).shortage(&site.trace.row_of(op).needs).is_none().then_some(op)
}

fn queue<'a>(site: &Site<'a>, space: SpaceId, level: Level) -> impl Iterator<Item = OpId> + use<'a> {
    site.state.space(space).ee(level).iter().copied()
}

fn spaces(site: &Site<'_>) -> impl Iterator<Item = SpaceId> + use<> {
    (0..site.state.spaces().len()).map(SpaceId::at)
}

/// One EE queue, in the order of the launches.
fn launched_first(site: &Site<'_>, space: SpaceId) -> Option<OpId> {
    let first = queue(site, space, Level::High).chain(queue(site, space, Level::Low)).min()?;
    if_it_fits(site, space, first)
}

/// Of the one EE queue, the first of a stream of high priority.
fn high_of_queue(site: &Site<'_>, space: SpaceId) -> Option<OpId> {
    let first = queue(site, space, Level::Low).find(|&op| is_high(site, op))?;
    if_it_fits(site, space, first)
}

/// Nothing of a stream of high priority is to be served in this address space, but in others.
fn high_of_any(site: &Site<'_>, space: SpaceId) -> Option<OpId> {
    let heads = || spaces(site).filter_map(|s| Some((*site.state.space(s).ee(Level::High).front()?, s)));
    let (op, other) = heads().min().filter(|_| heads().all(|(_, s)| s != space))?;
    if_it_fits(site, other, op)
}

/// One EE queue for all address spaces, whose blocks take room from each other.
fn earliest_of_any(site: &Site<'_>) -> Option<OpId> {
    if spaces(site).any(|s| !site.state.space(s).ee(Level::High).is_empty()) {
        return None;
    }
    let op = spaces(site).flat_map(|s| queue(site, s, Level::Low)).min()?;
    let (needs, device) = (&site.trace.row_of(op).needs, site.trace.scenario().device());
    let has_room = |sm: usize| {
        let taken = |limit: u64, free: fn(&SmState) -> u64| {
            site.state.spaces().iter().map(|s| limit.saturating_sub(free(&s.sms[sm]))).fold(0, u64::saturating_add)
        };
        // Of what the processes hold more together than there is, there is not enough, even if none is needed.
        let is_enough = |limit: u64, free: fn(&SmState) -> u64, need: u64| taken(limit, free).saturating_add(need) <= limit;
        is_enough(device.threads_per_sm, |sm| sm.threads.into(), needs.threads.into())
            && is_enough(device.blocks_per_sm, |sm| sm.slots.into(), 1)
            && is_enough(device.shared_memory_per_sm, |sm| sm.shared_memory, needs.shared_memory)
            && is_enough(device.registers_per_sm, |sm| sm.registers, needs.registers)
    };
    (0..site.state.space(SpaceId(0)).sms.len()).any(has_room).then_some(op)
}

/// Every stream head without a producer to wait for joins its EE queue now, in issue order.
fn without_barrier(site: &Site<'_>, space: SpaceId) -> Option<OpId> {
    let streams = &site.trace.layout().space(space).streams;
    let joins: Vec<OpId> = streams.iter().filter_map(|&s| site.state.promotable_without_barrier(site.trace, s)).collect();
    let first = |level: Level| queue(site, space, level).next().or_else(|| first_joining(site, &joins, level));
    if_it_fits(site, space, first(Level::High).or_else(|| first(Level::Low))?)
}

fn first_joining(site: &Site<'_>, joins: &[OpId], level: Level) -> Option<OpId> {
    let is_kernel = |op: OpId| site.trace.op(op).kind == OpKind::Kernel;
    joins.iter().copied().filter(|&op| is_kernel(op) && level_of(site, op) == level).min()
}

/// Kernels join their EE queue when they are launched, whatever is before them in their stream.
fn overlapping(site: &Site<'_>, space: SpaceId) -> Option<OpId> {
    let streams = &site.trace.layout().space(space).streams;
    let joins: Vec<OpId> = streams.iter().filter_map(|&stream| first_unjoined(site, stream)).collect();
    let first = |level: Level| queue(site, space, level).chain(first_joining(site, &joins, level)).min();
    if_it_fits(site, space, first(Level::High).or_else(|| first(Level::Low))?)
}

/// The first kernel of a stream that has joined no EE queue and waits neither for a producer nor for,
/// or in, the NULL stream.
fn first_unjoined(site: &Site<'_>, stream: StreamId) -> Option<OpId> {
    let (trace, state) = (site.trace, site.state);
    let queue = state.stream(stream);
    let is_ready = |op: OpId| {
        let is_alone = state.missing_producer(trace, op).is_none()
            && state.event_barrier(trace, op).is_none()
            && state.graph_barrier(trace, op).is_none()
            && state.ahead_in_connection(trace, op).is_none();
        trace.op(op).kind == OpKind::Kernel && is_alone && !is_behind_barrier(site, stream, op)
    };
    queue.queue.iter().copied().skip(queue.promoted.into()).take(MAX_OF_STREAM).find(|&op| is_ready(op))
}

/// N1, N2, for an operation anywhere in its stream.
fn is_behind_barrier(site: &Site<'_>, stream: StreamId, op: OpId) -> bool {
    let layout = site.trace.layout();
    let space = layout.space(layout.stream(stream).space);
    let is_earlier = |other: &StreamId| !layout.stream(*other).non_blocking && site.state.head(*other).is_some_and(|head| head < op);
    match space.null {
        None => false,
        Some(_) if layout.stream(stream).non_blocking => false,
        Some(null) if null == stream => {
            let channels = layout.channels_beside(layout.stream(stream).space);
            channels.flat_map(|channel| &layout.space(channel).streams).filter(|&&other| other != null).any(is_earlier)
        }
        Some(null) => is_earlier(&null),
    }
}
