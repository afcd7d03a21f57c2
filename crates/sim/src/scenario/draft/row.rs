//! A row of the kernel table, as somebody wrote it.
//!
//! Depends on the rest of `draft` and serde. Invariant: as there.

use std::fmt;
use std::sync::Arc;

use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::scenario::spins::Reached;
use crate::scenario::workload::Call;

/// Stream of a row that names none.
const STREAM: &str = "S1";

/// One row of the kernel table of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct KernelDraft {
    /// Unique.
    pub name: String,
    /// Task by name. Left out: the first.
    #[serde(skip_serializing_if = "is_default")]
    pub task: Option<String>,
    /// Stream by name. Left out: `S1`.
    #[serde(skip_serializing_if = "is_usual_stream")]
    pub stream: String,
    /// What the CPU calls: it launches a kernel, copies, sets memory, or waits. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub call: Call,
    /// Bytes that a copy or a memset moves; at least 1. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub bytes: u64,
    /// Whether it is cudaMemcpy or cudaMemset: in the NULL stream, and the CPU waits for a copy to or from it. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub synchronous: bool,
    /// How long this call takes, ns. Left out: as its task says. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub call_ns: Option<u64>,
    /// Earlier row of the same task that this one waits for.
    #[serde(skip_serializing_if = "is_default")]
    pub after: Option<String>,
    /// From the release (or the completion of `after`) to the launch, ns.
    #[serde(skip_serializing_if = "is_default")]
    pub start_ns: u64,
    /// Thread blocks; at least 1. Of a kernel.
    pub blocks: u64,
    /// Threads of one block; at least 1, at most what a block may have and an SM holds. Of a kernel.
    pub threads_per_block: u64,
    /// Shared memory of one block, in bytes; at most what a block may have and an SM holds.
    #[serde(skip_serializing_if = "is_default")]
    pub shared_memory_bytes: u64,
    /// Registers of one thread; at most what the device allows.
    #[serde(skip_serializing_if = "is_default")]
    pub registers_per_thread: u64,
    /// How long a block runs, ns; at least 1. A list has one time for each block. Of a kernel.
    pub block_time_ns: BlockTimes,
    /// How long the longest block runs in the worst job, ns. Left out: the same in every job.
    #[serde(skip_serializing_if = "is_default")]
    pub block_time_max_ns: Option<u64>,
    /// Bytes copied to the device before the kernel; 0 for no copy.
    #[serde(skip_serializing_if = "is_default")]
    pub copy_in_bytes: u64,
    /// Bytes copied back after it; 0 for no copy.
    #[serde(skip_serializing_if = "is_default")]
    pub copy_out_bytes: u64,
    /// Events of its process that its stream waits for before it, each once; at most 64. Of a node of a graph: nodes above. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub waits_for: Vec<String>,
    /// Event of its process that is recorded behind it in its stream. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub records: Option<String>,
    /// Row above that launches the graph of which this one is a node; `waits_for` then names nodes. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub graph: Option<String>,
    /// Batch of its task that it belongs to (`edf`). Left out: what the task issues itself. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub batch: Option<String>,
    /// Whether its blocks meet at a grid barrier when they begin: each spins until all have begun. Of a kernel. Version 3.
    #[serde(skip_serializing_if = "is_default")]
    pub barrier: bool,
    /// Other kernels of which a block has to begin before a block of this one goes on; until then it spins. At most 64 names in all.
    /// Version 3.
    #[serde(skip_serializing_if = "is_default")]
    pub until_begun: Vec<String>,
    /// Other kernels of which all blocks have to begin before a block of this one goes on. Version 3.
    #[serde(skip_serializing_if = "is_default")]
    pub until_all_begun: Vec<String>,
    /// Other kernels that have to be complete before a block of this one goes on. Version 3.
    #[serde(skip_serializing_if = "is_default")]
    pub until_completed: Vec<String>,
    /// Whether it is launched by cudaLaunchCooperativeKernel: refused unless the idle device holds all its blocks, which are assigned
    /// together. Of a kernel. Version 3.
    #[serde(skip_serializing_if = "is_default")]
    pub cooperative: bool,
}

/// What a kernel has to say stands in every row of one, be it zero; all else as the attributes say, which the schema reads.
impl Serialize for KernelDraft {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { name, task, stream, call, bytes, synchronous, call_ns, after, start_ns, .. } = self;
        let Self { blocks, threads_per_block, shared_memory_bytes, registers_per_thread, block_time_ns, block_time_max_ns, .. } = self;
        let Self { copy_in_bytes, copy_out_bytes, waits_for, records, graph, batch, .. } = self;
        let Self { barrier, until_begun, until_all_begun, until_completed, cooperative, .. } = self;
        let mut row = serializer.serialize_map(None)?;
        row.serialize_entry("name", name)?;
        entry(&mut row, "task", task)?;
        if !is_usual_stream(stream) {
            row.serialize_entry("stream", stream)?;
        }
        entry(&mut row, "call", call)?;
        entry(&mut row, "bytes", bytes)?;
        entry(&mut row, "synchronous", synchronous)?;
        entry(&mut row, "call_ns", call_ns)?;
        entry(&mut row, "after", after)?;
        entry(&mut row, "start_ns", start_ns)?;
        let is_kernel = *call == Call::Kernel;
        if is_kernel || *blocks != 0 {
            row.serialize_entry("blocks", blocks)?;
        }
        if is_kernel || *threads_per_block != 0 {
            row.serialize_entry("threads_per_block", threads_per_block)?;
        }
        entry(&mut row, "shared_memory_bytes", shared_memory_bytes)?;
        entry(&mut row, "registers_per_thread", registers_per_thread)?;
        if is_kernel || *block_time_ns != BlockTimes::Each(0) {
            row.serialize_entry("block_time_ns", block_time_ns)?;
        }
        entry(&mut row, "block_time_max_ns", block_time_max_ns)?;
        entry(&mut row, "copy_in_bytes", copy_in_bytes)?;
        entry(&mut row, "copy_out_bytes", copy_out_bytes)?;
        entry(&mut row, "waits_for", waits_for)?;
        entry(&mut row, "records", records)?;
        entry(&mut row, "graph", graph)?;
        entry(&mut row, "batch", batch)?;
        entry(&mut row, "barrier", barrier)?;
        entry(&mut row, "until_begun", until_begun)?;
        entry(&mut row, "until_all_begun", until_all_begun)?;
        entry(&mut row, "until_completed", until_completed)?;
        entry(&mut row, "cooperative", cooperative)?;
        row.end()
    }
}

/// A field that is left out where it has its type's default.
fn entry<M: SerializeMap, T: Default + PartialEq + Serialize>(row: &mut M, field: &'static str, value: &T) -> Result<(), M::Error> {
    if is_default(value) { Ok(()) } else { row.serialize_entry(field, value) }
}

/// Execution times of the blocks of a kernel, in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BlockTimes {
    /// The same for every block.
    Each(u64),
    /// Entry i for block i.
    List(Arc<[u64]>),
}

impl BlockTimes {
    /// The longest; zero of an empty list.
    #[must_use]
    pub fn greatest(&self) -> u64 {
        match self {
            Self::Each(ns) => *ns,
            Self::List(list) => list.iter().copied().max().unwrap_or(0),
        }
    }

    /// Every one longer by the same time.
    #[must_use]
    pub fn longer_by(&self, ns: u64) -> Self {
        match self {
            Self::Each(time) => Self::Each(time.saturating_add(ns)),
            Self::List(list) => Self::List(list.iter().map(|time| time.saturating_add(ns)).collect()),
        }
    }
}

/// A number or a list of numbers; not by `untagged`, which would hold a copy of the list.
impl<'de> Deserialize<'de> for BlockTimes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Times;
        impl<'de> Visitor<'de> for Times {
            type Value = BlockTimes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number of nanoseconds or a list of them")
            }

            fn visit_u64<E: de::Error>(self, ns: u64) -> Result<BlockTimes, E> {
                Ok(BlockTimes::Each(ns))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<BlockTimes, A::Error> {
                let mut times = Vec::new();
                while let Some(ns) = list.next_element()? {
                    times.push(ns);
                }
                Ok(BlockTimes::List(times.into()))
            }
        }
        deserializer.deserialize_any(Times)
    }
}

fn is_usual_stream(name: &str) -> bool {
    name == STREAM
}

impl Default for KernelDraft {
    fn default() -> Self {
        Self::named("", 0, 0, 0)
    }
}

impl KernelDraft {
    /// A row with the format's defaults: on stream `S1`, launched at the release.
    #[must_use]
    pub fn named(name: impl Into<String>, blocks: u64, threads_per_block: u64, block_time_ns: u64) -> Self {
        Self {
            name: name.into(),
            task: None,
            stream: STREAM.to_owned(),
            call: Call::Kernel,
            bytes: 0,
            synchronous: false,
            call_ns: None,
            after: None,
            start_ns: 0,
            blocks,
            threads_per_block,
            shared_memory_bytes: 0,
            registers_per_thread: 0,
            block_time_ns: BlockTimes::Each(block_time_ns),
            block_time_max_ns: None,
            copy_in_bytes: 0,
            copy_out_bytes: 0,
            waits_for: Vec::new(),
            records: None,
            graph: None,
            batch: None,
            barrier: false,
            until_begun: Vec::new(),
            until_all_begun: Vec::new(),
            until_completed: Vec::new(),
            cooperative: false,
        }
    }

    /// Whether blocks of it spin for anything.
    #[must_use]
    pub fn spins(&self) -> bool {
        self.barrier || self.flags().any(|(_, names)| !names.is_empty())
    }

    /// The fields that name kernels which its blocks spin for, each with what has to be reached.
    pub fn flags(&self) -> impl Iterator<Item = (Reached, &Vec<String>)> {
        [(Reached::Begun, &self.until_begun), (Reached::AllBegun, &self.until_all_begun), (Reached::Completed, &self.until_completed)]
            .into_iter()
    }

    /// A row that makes a call other than a launch, with the format's defaults.
    #[must_use]
    pub fn calling(name: impl Into<String>, call: Call, bytes: u64) -> Self {
        Self { call, bytes, ..Self::named(name, 0, 0, 0) }
    }
}
