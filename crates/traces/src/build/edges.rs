//! Edges of graphs: which node waits for which, as a file has them.
//!
//! Invariant: an edge joins two nodes of one launch, and a pair that the file does not name clearly is left out. Source: docs/traces.md.

use super::super::{CallKind, Operation};
use super::{BTreeMap, Call, RecordedStream};
use blockstep_sim::units::Time;

/// One end of an edge as a file has it: an instant of a device, ns of the file's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundEdge {
    /// What joins both ends.
    pub id: u64,
    /// Whether it is the end at the node that waits, and the instant that at which this began; else that at which the other one ended.
    pub is_later: bool,
    /// The device.
    pub device: u64,
    /// The instant.
    pub at: i64,
}

/// How far the end of an operation, a sum of two times that are written with decimals, may be off, ns.
const EXACT: u64 = 2;

/// What edges are found by: the nodes of graphs, by device and instant.
pub(super) struct Nodes<'o> {
    operations: &'o [Operation],
    by_start: BTreeMap<(u64, Time), Vec<u32>>,
    by_end: BTreeMap<(u64, Time), Vec<u32>>,
}

impl<'o> Nodes<'o> {
    /// Those of a recording; `device` numbers devices as the file does.
    pub(super) fn new(operations: &'o [Operation], calls: &[Call], device: impl Fn(&Operation) -> u64) -> Self {
        let mut nodes = Self { operations, by_start: BTreeMap::new(), by_end: BTreeMap::new() };
        for (place, operation) in operations.iter().enumerate() {
            if operation.call.is_some_and(|call| calls[call as usize].kind == CallKind::Graph) {
                let device = device(operation);
                nodes.by_start.entry((device, operation.start)).or_default().push(place as u32);
                nodes.by_end.entry((device, operation.end)).or_default().push(place as u32);
            }
        }
        nodes
    }

    /// The node that waits and the one that it waits for; `None` if no pair of one launch fits, or several do.
    fn edge(&self, earlier: (u64, Time), later: (u64, Time)) -> Option<(u32, u32)> {
        let (device, end) = earlier;
        let ends = (device, Time(end.ns().saturating_sub(EXACT)))..=(device, Time(end.ns().saturating_add(EXACT)));
        let before = self.by_end.range(ends).flat_map(|(_, nodes)| nodes).copied();
        let waiting = self.by_start.get(&later).map_or(&[][..], Vec::as_slice);
        let call = |node: u32| self.operations[node as usize].call;
        let pairs = before.flat_map(|before| waiting.iter().map(move |&node| (node, before)));
        let mut pairs = pairs.filter(|&(node, before)| node != before && call(node) == call(before));
        pairs.next().filter(|_| pairs.next().is_none())
    }
}

/// The edges that two found ends each make, by the node that waits.
pub(super) fn edges(mut found: Vec<FoundEdge>, nodes: &Nodes<'_>, at: impl Fn(i64) -> Time) -> Vec<(u32, u32)> {
    found.sort_unstable();
    let ends = found.chunk_by(|one, other| one.id == other.id);
    let mut edges: Vec<(u32, u32)> = ends
        .filter_map(|ends| match ends {
            [earlier, later] if !earlier.is_later && later.is_later => {
                nodes.edge((earlier.device, at(earlier.at)), (later.device, at(later.at)))
            }
            _ => None,
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The number of a stream's device in the file.
pub(super) fn device_of(streams: &[RecordedStream], devices: &[super::RecordedDevice], operation: &Operation) -> u64 {
    devices[streams[operation.stream as usize].device as usize].id
}
