//! Which address spaces and stream queues a run has, given how its policy shares the GPU. Where a process has several channels, each
//! has queues of its own, as an address space has.
//!
//! Depends on the rest of `scenario`. Invariants: stream queues are numbered space by space; the channels of a process stand side by
//! side, and have at most one NULL stream queue together. Source: docs/semantics.md, sections 3, 5 and 6.

use std::ops::Range;
use std::sync::OnceLock;

use super::channels::firsts;
use super::{NULL_STREAM, Scenario, Stream, StreamPriority};
use crate::order::{self, Names};
use crate::units::{ConnectionId, ProcessId, RowId, SpaceId, StreamId};

/// The address spaces and stream queues of a run.
#[derive(Clone, Debug)]
pub struct Layout {
    spaces: Vec<Space>,
    streams: Vec<StreamQueue>,
    /// Where streams share them.
    connections: Vec<Connection>,
    of_row: Vec<StreamId>,
    /// By stream queue: whether another one of its address space has the same name. Found out when it is first
    /// asked for, as most runs are never put into words.
    namesakes: OnceLock<Vec<bool>>,
}

/// An address space, or a channel of one where its process has several.
#[derive(Clone, Debug)]
pub struct Space {
    /// The processes in it: all, or one.
    pub processes: Vec<ProcessId>,
    /// Its stream queues.
    pub streams: Vec<StreamId>,
    /// The queue of the NULL stream of its processes, if any row uses it. It may be that of another channel.
    pub null: Option<StreamId>,
    /// The channels of its process, by number, itself among them.
    channels: Range<u32>,
}

/// A hardware connection: the way on which operations of its streams reach the EE and CE queues.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Its number in its address space, from 0.
    pub number: u32,
    /// The streams that share it.
    pub streams: Vec<StreamId>,
}

/// A stream queue.
#[derive(Clone, Debug)]
pub struct StreamQueue {
    /// Its address space.
    pub space: SpaceId,
    /// The process, or the first one that uses it for a shared NULL stream.
    pub process: ProcessId,
    /// The stream's name.
    pub name: String,
    /// Its priority.
    pub priority: StreamPriority,
    /// Whether it is the NULL stream's.
    pub is_null: bool,
    /// Whether N1 and N2 leave it out.
    pub non_blocking: bool,
    /// Its hardware connection, where streams share them.
    pub connection: Option<ConnectionId>,
    /// Of a branch: the stream into which its graphs are launched.
    pub branch_of: Option<StreamId>,
    /// Its branches, which hold nodes of its graphs.
    pub branches: Vec<StreamId>,
}

impl Layout {
    /// One address space for all processes, with one NULL stream.
    #[must_use]
    pub fn shared(scenario: &Scenario) -> Self {
        let all = (0..scenario.processes().len()).map(ProcessId::at).collect();
        let space = Space { processes: all, streams: Vec::new(), null: None, channels: 0..1 };
        Self::build(scenario, vec![space], |_| SpaceId(0))
    }

    /// An address space for each process, or several channels of it.
    #[must_use]
    pub fn per_channel(scenario: &Scenario) -> Self {
        let first = firsts(scenario.channels());
        let spaces = scenario.channels().iter().map(|channel| {
            let process = channel.process.index();
            let end = first.get(process + 1).map_or(scenario.channels().len(), |&next| next);
            Space { processes: vec![channel.process], streams: Vec::new(), null: None, channels: first[process] as u32..end as u32 }
        });
        Self::build(scenario, spaces.collect(), |stream| SpaceId::at(first[stream.process.index()] + stream.channel as usize))
    }

    fn build(scenario: &Scenario, spaces: Vec<Space>, space_of: impl Fn(&Stream) -> SpaceId) -> Self {
        let mut layout = Self {
            spaces,
            streams: Vec::new(),
            connections: Vec::new(),
            of_row: vec![StreamId(0); scenario.rows().len()],
            namesakes: OnceLock::new(),
        };
        let mut queue_of = vec![StreamId(0); scenario.streams().len()];
        let mut by_space: Vec<(SpaceId, usize)> = scenario.streams().iter().map(space_of).zip(0..).collect();
        order::by_number(&mut by_space, |(space, _)| space.0.into());
        for (space, i) in by_space {
            let stream = &scenario.streams()[i];
            let shared_null = if stream.is_null() { layout.spaces[space.index()].null } else { None };
            queue_of[i] = shared_null.unwrap_or_else(|| {
                let id = StreamId::at(layout.streams.len());
                layout.streams.push(StreamQueue {
                    space,
                    process: stream.process,
                    name: stream.name.clone(),
                    priority: stream.priority,
                    is_null: stream.is_null(),
                    non_blocking: stream.non_blocking,
                    connection: None,
                    branch_of: stream.branch_of.map(|of| queue_of[of]),
                    branches: Vec::new(),
                });
                if let Some(of) = stream.branch_of {
                    layout.streams[queue_of[of].index()].branches.push(id);
                }
                layout.spaces[space.index()].streams.push(id);
                if stream.is_null() {
                    for channel in layout.channels_beside(space) {
                        layout.spaces[channel.index()].null = Some(id);
                    }
                }
                if let Some(number) = stream.connection {
                    layout.connect(space, number, id);
                }
                id
            });
        }
        for (row, slot) in scenario.rows().iter().zip(&mut layout.of_row) {
            *slot = queue_of[row.stream];
        }
        layout
    }

    /// The channels of the same process, itself among them: one, but for processes of several channels.
    pub fn channels_beside(&self, space: SpaceId) -> impl Iterator<Item = SpaceId> + Clone + use<> {
        self.space(space).channels.clone().map(SpaceId)
    }

    /// The first channel of the same process: the same for all of an address space.
    #[must_use]
    pub fn address_space(&self, space: SpaceId) -> SpaceId {
        SpaceId(self.space(space).channels.start)
    }

    /// The number of a channel in its process, from 0; `None` where the process has only one.
    #[must_use]
    pub fn channel_number(&self, space: SpaceId) -> Option<u32> {
        let channels = &self.space(space).channels;
        (channels.len() > 1).then(|| space.0 - channels.start)
    }

    /// A stream joins the connection of this number of its address space. Address spaces are built one after the other.
    fn connect(&mut self, space: SpaceId, number: u32, stream: StreamId) {
        let of_space = |c: &Connection| c.streams.first().is_some_and(|&first| self.streams[first.index()].space == space);
        let own = self.connections.iter().rposition(|c| !of_space(c)).map_or(0, |last| last + 1);
        let place = self.connections[own..].iter().position(|c| c.number == number).map_or(self.connections.len(), |place| own + place);
        if place == self.connections.len() {
            self.connections.push(Connection { number, streams: Vec::new() });
        }
        self.connections[place].streams.push(stream);
        self.streams[stream.index()].connection = Some(ConnectionId::at(place));
    }

    /// The hardware connections, where streams share them.
    #[must_use]
    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// The connection of a stream queue, where streams share them.
    #[must_use]
    pub fn connection(&self, stream: StreamId) -> Option<&Connection> {
        self.stream(stream).connection.map(|id| &self.connections[id.index()])
    }

    /// The address spaces.
    #[must_use]
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// An address space.
    #[must_use]
    pub fn space(&self, id: SpaceId) -> &Space {
        &self.spaces[id.index()]
    }

    /// The stream queues.
    #[must_use]
    pub fn streams(&self) -> &[StreamQueue] {
        &self.streams
    }

    /// A stream queue.
    #[must_use]
    pub fn stream(&self, id: StreamId) -> &StreamQueue {
        &self.streams[id.index()]
    }

    /// The stream into which what stands in a queue was launched: of a branch the one whose graphs it serves.
    #[must_use]
    pub fn launched_into(&self, queue: StreamId) -> StreamId {
        self.stream(queue).branch_of.unwrap_or(queue)
    }

    /// The stream queue that a row's operations join.
    #[must_use]
    pub fn stream_of(&self, row: RowId) -> StreamId {
        self.of_row[row.index()]
    }

    fn find_namesakes(&self) -> Vec<bool> {
        let mut is_namesake = vec![false; self.streams.len()];
        let mut first = Names::default();
        for (i, stream) in self.streams.iter().enumerate() {
            let place = first.place(stream.space.0, stream.name.as_str(), i);
            if place != i {
                (is_namesake[place], is_namesake[i]) = (true, true);
            }
        }
        is_namesake
    }

    /// What to call a stream queue on screen: with its process where names would be ambiguous.
    #[must_use]
    pub fn label(&self, scenario: &Scenario, id: StreamId) -> String {
        let stream = self.stream(id);
        if self.namesakes.get_or_init(|| self.find_namesakes())[id.index()] {
            format!("{} {}", scenario.processes()[stream.process.index()].name, stream.name)
        } else if stream.is_null {
            NULL_STREAM.to_owned()
        } else {
            stream.name.clone()
        }
    }
}
