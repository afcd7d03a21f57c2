//! Files of rocprofv3, the profiler of AMD's GPUs: its JSON and its database, rocpd, say the same of a program.
//!
//! A reader of either puts together what it finds of a process; how that becomes a recording is the same for both. Invariants: what is
//! read does not depend on the order in which a file has it; a stream or device that the file does not say is no other one. Source: the
//! writers of both formats in rocprofiler-sdk (`generateJSON.cpp`, `generateRocpd.cpp`, `rocpd_tables.sql`), and a measured file of an
//! MI350X; `docs/traces.md` lists what is read.

mod json;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use json::read as read_json;
pub(super) use tables::read as read_database;

use super::{MOST_DEVICES, MOST_NAMES, ProfileError};
use crate::build::{Builder, FoundCall, FoundOperation, StreamKey};
use crate::{OperationKind, RecordedDevice, RecordedLaunch, StreamKind};

/// An operation is called within so many calls of different libraries at most.
const MOST_ANCESTORS: usize = 16;

/// A CPU or GPU of the machine.
struct Agent {
    is_gpu: bool,
    /// Its number among all of the machine.
    node: u64,
    /// Its number among those of its kind.
    place: Option<u64>,
    name: Option<String>,
    compute_units: Option<u32>,
}

/// A kernel, with the numbers by which the file names other things.
struct Kernel {
    name: u32,
    agent: Option<u64>,
    queue: Option<u64>,
    stream: Option<u64>,
    start: i64,
    end: i64,
    correlation: Option<u64>,
    /// In work-items.
    grid: Option<[u32; 3]>,
    workgroup: Option<[u32; 3]>,
    registers: u32,
    shared: u32,
}

/// A copy, likewise.
struct Copied {
    name: u32,
    /// Which way; `None` if no GPU takes part.
    kind: Option<OperationKind>,
    from: Option<u64>,
    to: Option<u64>,
    stream: Option<u64>,
    start: i64,
    end: i64,
    correlation: Option<u64>,
    bytes: Option<u64>,
}

/// What a file says of a process.
#[derive(Default)]
struct Process {
    pid: u64,
    /// The machine that it ran on.
    machine: u64,
    agents: BTreeMap<u64, Agent>,
    kernels: Vec<Kernel>,
    copies: Vec<Copied>,
    /// Calls of HIP.
    calls: Vec<FoundCall>,
    /// By call of a library below or above HIP: the call that it was made in.
    ancestors: BTreeMap<u64, u64>,
}

/// Numbers that files give to devices and processes, each for one of them.
#[derive(Default)]
struct Numbers {
    devices: BTreeMap<(u64, u64), u64>,
    taken: BTreeSet<u64>,
    processes: BTreeSet<u64>,
}

/// A number if it is not taken, else one above all that are, or the first that is free; it is taken from then on.
fn take(taken: &mut BTreeSet<u64>, wanted: u64) -> u64 {
    let number = match taken.last() {
        Some(_) if !taken.contains(&wanted) => wanted,
        Some(last) => last.checked_add(1).or_else(|| (0..).find(|number| !taken.contains(number))).unwrap_or(0),
        None => wanted,
    };
    taken.insert(number);
    number
}

impl Process {
    /// How much of it is kept in memory.
    fn entries(&self) -> usize {
        self.agents.len() + self.kernels.len() + self.copies.len() + self.calls.len() + self.ancestors.len()
    }

    fn add_agent(&mut self, id: u64, agent: Agent) -> Result<(), ProfileError> {
        if self.agents.len() == MOST_DEVICES {
            return Err(ProfileError::Devices);
        }
        self.agents.insert(id, agent);
        Ok(())
    }

    /// Adds all of it; the number of the process, which no other one has.
    fn add_to(self, builder: &mut Builder, numbers: &mut Numbers) -> u64 {
        let process = take(&mut numbers.processes, self.pid);
        let devices = self.devices(builder, numbers);
        let by_queue = self.is_by_queue();
        let has_streams = self.streams().any(|stream| stream != 0);
        let Self { machine, kernels, copies, calls, ancestors, .. } = self;
        let mut key = |agent: Option<u64>, stream: Option<u64>| {
            let agent = agent.unwrap_or(u64::MAX);
            let device = devices.get(&agent).copied();
            // One that the file does not describe is told apart from those that it does.
            let device = device.unwrap_or_else(|| numbers.device((machine, u64::MAX - agent), 0));
            StreamKey { process, device, context: 0, stream: stream.unwrap_or(0) }
        };
        for call in calls {
            builder.add_call(FoundCall { process, ..call });
        }
        for kernel in kernels {
            let stream = key(kernel.agent, if by_queue { kernel.queue } else { kernel.stream });
            tell(builder, stream, has_streams);
            builder.add_operation(FoundOperation {
                kind: OperationKind::Kernel,
                name: kernel.name,
                stream,
                start: kernel.start,
                end: kernel.end,
                correlation: called(&ancestors, kernel.correlation),
                launch: launch(&kernel),
                bytes: None,
                channel: kernel.queue.and_then(|queue| u32::try_from(queue).ok()),
                is_node: false,
            });
        }
        for copy in copies {
            let Some(kind) = copy.kind else { continue };
            let is_peer = kind == OperationKind::DeviceToDevice && copy.from.zip(copy.to).is_some_and(|(from, to)| from != to);
            let (kind, name) = if is_peer { (OperationKind::PeerToPeer, builder.add_name("Memcpy PtoP")) } else { (kind, copy.name) };
            let agent = if kind == OperationKind::HostToDevice { copy.to } else { copy.from };
            let stream = key(agent.or(copy.to).or(copy.from), copy.stream);
            tell(builder, stream, has_streams);
            builder.add_operation(FoundOperation {
                kind,
                name,
                stream,
                start: copy.start,
                end: copy.end,
                correlation: called(&ancestors, copy.correlation),
                launch: None,
                bytes: copy.bytes,
                channel: None,
                is_node: false,
            });
        }
        process
    }

    /// Numbers of the GPUs by their ids; those that are new are described.
    fn devices(&self, builder: &mut Builder, numbers: &mut Numbers) -> BTreeMap<u64, u64> {
        let mut devices = BTreeMap::new();
        for (&id, agent) in self.agents.iter().filter(|(_, agent)| agent.is_gpu) {
            let key = (self.machine, agent.node);
            let is_new = !numbers.devices.contains_key(&key);
            let number = numbers.device(key, agent.place.unwrap_or(agent.node));
            devices.insert(id, number);
            if is_new {
                let (name, sms) = (agent.name.clone(), agent.compute_units);
                builder.add_device(RecordedDevice { id: number, name, sms, ..RecordedDevice::default() });
            }
        }
        devices
    }

    fn streams(&self) -> impl Iterator<Item = u64> {
        self.kernels.iter().filter_map(|kernel| kernel.stream).chain(self.copies.iter().filter_map(|copy| copy.stream))
    }

    /// Whether the file does not say of streams: all have the number zero, and yet kernels of a device were in different queues.
    fn is_by_queue(&self) -> bool {
        let mut queues: BTreeMap<Option<u64>, u64> = BTreeMap::new();
        let mut is_several = |kernel: &Kernel| {
            let Some(queue) = kernel.queue else { return false };
            *queues.entry(kernel.agent).or_insert(queue) != queue
        };
        self.streams().all(|stream| stream == 0) && self.kernels.iter().any(&mut is_several)
    }
}

impl Numbers {
    fn device(&mut self, key: (u64, u64), wanted: u64) -> u64 {
        *self.devices.entry(key).or_insert_with(|| take(&mut self.taken, wanted))
    }
}

/// The stream with the number zero is the NULL stream, if the file says of streams at all.
fn tell(builder: &mut Builder, stream: StreamKey, has_streams: bool) {
    if has_streams && stream.stream == 0 {
        builder.add_stream(stream, StreamKind::Null, None);
    }
}

/// The call of HIP that an operation belongs to, which may have been made by a call within that one.
fn called(ancestors: &BTreeMap<u64, u64>, id: Option<u64>) -> Option<u64> {
    let first = id.filter(|&id| id != 0)?;
    let outer = |id: &u64| ancestors.get(id).copied().filter(|&outer| outer != 0);
    std::iter::successors(Some(first), outer).take(MOST_ANCESTORS).last()
}

/// Blocks from work-items, of which the last block of a dimension may have fewer.
fn launch(kernel: &Kernel) -> Option<RecordedLaunch> {
    let (items, block) = kernel.grid.zip(kernel.workgroup).filter(|(items, block)| !items.contains(&0) && !block.contains(&0))?;
    let grid = [0, 1, 2].map(|i| items[i].div_ceil(block[i]));
    Some(RecordedLaunch { grid, block, registers: kernel.registers, shared: kernel.shared })
}

/// Which way a copy goes by the name of what copied, such as `MEMORY_COPY_HOST_TO_DEVICE`, and how it is named.
fn way(operation: &str) -> (Option<OperationKind>, &'static str) {
    match operation.strip_prefix("MEMORY_COPY_").unwrap_or(operation) {
        "HOST_TO_DEVICE" => (Some(OperationKind::HostToDevice), "Memcpy HtoD"),
        "DEVICE_TO_HOST" => (Some(OperationKind::DeviceToHost), "Memcpy DtoH"),
        "DEVICE_TO_DEVICE" => (Some(OperationKind::DeviceToDevice), "Memcpy DtoD"),
        "HOST_TO_HOST" => (None, "Memcpy HtoH"),
        _ => (Some(OperationKind::OtherCopy), "Memcpy of an unknown kind"),
    }
}

/// Whether a call is one of HIP, by its name.
fn is_of_hip(name: &str) -> bool {
    name.trim_start_matches('_').starts_with("hip")
}

/// The first of these that says something; else the kernel has no name.
fn kernel_name<'n>(names: impl IntoIterator<Item = &'n str>) -> &'n str {
    names.into_iter().find(|name| !name.trim().is_empty()).unwrap_or("unnamed")
}

/// Whether all different names are short enough, with so many bytes of those that may become names.
fn check_names(builder: &Builder, more: u64) -> Result<(), ProfileError> {
    if builder.name_bytes().saturating_add(more) > MOST_NAMES { Err(ProfileError::Names) } else { Ok(()) }
}
