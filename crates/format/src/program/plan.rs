//! What each process of a scenario does on a real GPU: what `measure` runs, and what a program of CUDA says.
//!
//! Depends on the simulated run: it says how many jobs each task has. Invariants: a plan can be measured, as far as that shows without the
//! GPU; it holds all that a process needs, which gets nothing else.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::MAX_LOG_BLOCKS;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Call, MAX_CONNECTIONS, PolicyKind, Release, Scenario, StreamPriority, Turns};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::written::format_time;
use blockstep_sim::units::{JobNo, ProcessId, RowId, StreamId, TaskId};

/// Most bytes of one copy: each process has as much pinned memory as its largest copy.
pub const MAX_COPY_BYTES: u64 = 1 << 30;

/// Most processes: each is one of the system, with a context on the GPU.
pub const MAX_PROCESSES: usize = 16;

/// Most tasks: each is a thread that keeps a CPU busy.
pub const MAX_TASKS: usize = 256;

/// Why a GPU cannot run a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum PlanError {
    /// The scenario asks for what no GPU does.
    #[error("{0}")]
    NotOnAGpu(String),
    /// A row asks for more than there is.
    #[error("{row}: {what}")]
    TooMuch {
        /// The name of the row.
        row: String,
        /// What is too much, with value and limit.
        what: String,
    },
}

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// One for each address space.
    pub processes: Vec<ProcessPlan>,
    /// How many hardware connections CUDA may use, as `CUDA_DEVICE_MAX_CONNECTIONS` says it; the most if the scenario does not say.
    pub connections: u64,
    /// How long the simulated run is, ns.
    pub simulated_ns: u64,
}

/// What one process does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessPlan {
    /// Of its processes of the scenario.
    pub name: String,
    /// In the order in which they are made.
    pub streams: Vec<StreamPlan>,
    /// Its CPU threads.
    pub tasks: Vec<TaskPlan>,
    /// Its rows of the kernel table.
    pub rows: Vec<RowPlan>,
    /// How many events it has.
    pub events: usize,
}

/// A stream, to be made in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamPlan {
    /// Its number in the run's layout.
    pub number: usize,
    /// Whether it is the NULL stream.
    pub is_null: bool,
    /// Whether it has the highest priority that the GPU has, else the lowest.
    pub is_high: bool,
    /// Whether it is made with `cudaStreamNonBlocking`.
    pub non_blocking: bool,
}

/// A CPU thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlan {
    /// Its number in the scenario.
    pub number: usize,
    /// How jobs are released.
    pub release: Release,
    /// When the first job is released, ns.
    pub offset_ns: u64,
    /// Between releases, if it is periodic.
    pub period_ns: u64,
    /// How many jobs it has.
    pub jobs: u32,
    /// Whether it makes its calls one after another.
    pub calls_in_turn: bool,
    /// Its rows that are calls of their own, by place in [`ProcessPlan::rows`]: all but nodes of graphs.
    pub rows: Vec<usize>,
    /// Its producers, by place in [`ProcessPlan::tasks`].
    pub consumes: Vec<usize>,
    /// Whether another task consumes it.
    pub is_consumed: bool,
}

/// A row of the kernel table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPlan {
    /// Its name.
    pub name: String,
    /// Its number in the scenario.
    pub number: usize,
    /// By place in [`ProcessPlan::tasks`].
    pub task: usize,
    /// By place in [`ProcessPlan::streams`].
    pub stream: usize,
    /// What is called.
    pub call: Call,
    /// Whether the call waits for its own copy.
    pub synchronous: bool,
    /// How long the call takes.
    pub call_ns: u64,
    /// By place in [`ProcessPlan::rows`].
    pub after: Option<usize>,
    /// Whether a row comes after it.
    pub has_followers: bool,
    /// From the release, or the end of `after`, to the call.
    pub start_ns: u64,
    /// Blocks of a kernel.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// One for all blocks, or one for each, ns.
    pub times: Vec<u64>,
    /// How much longer its blocks run in each job, ns; empty if they never do.
    pub longer: Vec<u64>,
    /// Bytes copied to the GPU, or within it, or set.
    pub bytes_in: u64,
    /// Bytes copied to the host.
    pub bytes_out: u64,
    /// Events, by place among those of the scenario.
    pub waits_for: Vec<usize>,
    /// The event that is recorded behind it.
    pub records: Option<usize>,
    /// Of a node of a graph: what launches it, and the nodes that it waits for.
    pub node: Option<NodePlan>,
}

/// Rows by place in [`ProcessPlan::rows`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodePlan {
    /// What launches it.
    pub graph: usize,
    /// The nodes that it waits for.
    pub waits_for: Vec<usize>,
}

impl Plan {
    /// What to measure of this simulated run.
    ///
    /// # Errors
    /// As [`Plan::new`], and under `edf` and `own`, which no driver has.
    pub fn to_measure(trace: &Trace, records: &Records) -> Result<Self, PlanError> {
        let why = match trace.scenario().policy().kind.turns() {
            Turns::Deadlines => Some("policy edf needs a hypervisor that no driver has; measure fifo, priority or runlist"),
            Turns::Text => Some("a policy of your own is in no driver; measure fifo, priority or runlist"),
            Turns::None | Turns::Runlist => None,
        };
        if let Some(why) = why {
            return Err(PlanError::NotOnAGpu(why.to_owned()));
        }
        Self::new(trace, records)
    }

    /// What to run for this simulated run, whatever its policy.
    ///
    /// # Errors
    /// The scenario asks for what a GPU does not do (dependencies between processes), or for more than is measured: processes,
    /// tasks, blocks of all jobs, bytes of one copy, threads or memory of a block beyond 32 bits.
    pub fn new(trace: &Trace, records: &Records) -> Result<Self, PlanError> {
        let scenario = trace.scenario();
        check_count(trace.layout().spaces().len(), "processes", MAX_PROCESSES)?;
        check_count(scenario.tasks().len(), "tasks", MAX_TASKS)?;
        check_blocks(trace)?;
        let jobs = jobs_of(trace, records);
        let mut processes = Vec::new();
        for space in trace.layout().spaces() {
            let first = space.processes[0];
            if processes.iter().any(|(process, _)| *process == first) {
                return Err(PlanError::NotOnAGpu(
                    "channels of a process are made by the driver; measure a scenario whose processes have one".to_owned(),
                ));
            }
            processes.push((first, SpacePlan { trace, processes: &space.processes, jobs: &jobs }.process()?));
        }
        let processes: Vec<ProcessPlan> = processes.into_iter().map(|(_, plan)| plan).filter(|plan| !plan.rows.is_empty()).collect();
        if processes.is_empty() {
            return Err(PlanError::NotOnAGpu("no task has a row, so there is nothing to measure".to_owned()));
        }
        Ok(Self { processes, connections: scenario.connections().unwrap_or(MAX_CONNECTIONS), simulated_ns: trace.end().ns() })
    }
}

/// How many jobs each task released in the simulated run.
fn jobs_of(trace: &Trace, records: &Records) -> Vec<u32> {
    let mut jobs = vec![0; trace.scenario().tasks().len()];
    for job in &records.jobs {
        let count: &mut u32 = &mut jobs[job.task.index()];
        *count = (*count).max(job.job.0 + 1);
    }
    jobs
}

fn check_count(count: usize, of: &str, most: usize) -> Result<(), PlanError> {
    if count <= most {
        return Ok(());
    }
    Err(PlanError::NotOnAGpu(format!("the scenario has {count} {of}, of which at most {most} are measured")))
}

fn check_blocks(trace: &Trace) -> Result<(), PlanError> {
    let kernels = trace.ops().iter().filter(|op| op.kind == OpKind::Kernel);
    let blocks: u64 = kernels.map(|op| trace.scenario().row(op.row).blocks).fold(0, u64::saturating_add);
    if blocks <= MAX_LOG_BLOCKS as u64 {
        return Ok(());
    }
    Err(PlanError::NotOnAGpu(format!(
        "the run has {blocks} blocks, of which at most {MAX_LOG_BLOCKS} are logged; use a shorter horizon or fewer jobs"
    )))
}

/// Where a process has its own tasks, rows and streams. All that a row or a task of it names is there, but its task's producers.
struct Places {
    tasks: HashMap<TaskId, usize>,
    rows: HashMap<RowId, usize>,
    streams: HashMap<StreamId, usize>,
}

fn numbered<T: Copy + Eq + Hash>(all: &[T]) -> HashMap<T, usize> {
    all.iter().copied().zip(0..).collect()
}

/// What makes the plan of one address space.
struct SpacePlan<'t> {
    trace: &'t Trace,
    processes: &'t [ProcessId],
    jobs: &'t [u32],
}

impl SpacePlan<'_> {
    fn scenario(&self) -> &Scenario {
        self.trace.scenario()
    }

    fn process(&self) -> Result<ProcessPlan, PlanError> {
        let scenario = self.scenario();
        let tasks: Vec<TaskId> =
            (0..scenario.tasks().len()).map(TaskId::at).filter(|&task| self.processes.contains(&scenario.task(task).process)).collect();
        let rows: Vec<RowId> = (0..scenario.rows().len()).map(RowId::at).filter(|&row| tasks.contains(&scenario.row(row).task)).collect();
        let names: Vec<&str> = self.processes.iter().map(|process| scenario.processes()[process.index()].name.as_str()).collect();
        let streams = self.stream_queues();
        let places = Places { tasks: numbered(&tasks), rows: numbered(&rows), streams: numbered(&streams) };
        Ok(ProcessPlan {
            name: names.join(", "),
            streams: streams.iter().map(|&stream| self.stream(stream)).collect(),
            tasks: tasks.iter().map(|&task| self.task(task, &places)).collect::<Result<_, _>>()?,
            rows: rows.iter().map(|&row| self.row(row, &places)).collect::<Result<_, _>>()?,
            events: scenario.event_count(),
        })
    }

    /// The stream queues of the address space, in the order in which they are made.
    fn stream_queues(&self) -> Vec<StreamId> {
        let layout = self.trace.layout();
        let own = layout.spaces().iter().filter(|space| space.processes == self.processes).flat_map(|space| space.streams.iter().copied());
        // A branch is the model's: what of it runs at once is the driver's to say.
        own.filter(|&stream| layout.stream(stream).branch_of.is_none()).collect()
    }

    fn stream(&self, stream: StreamId) -> StreamPlan {
        let queue = self.trace.layout().stream(stream);
        let has_priorities = self.scenario().policy().kind != PolicyKind::Fifo;
        StreamPlan {
            number: stream.index(),
            is_null: queue.is_null,
            is_high: has_priorities && queue.priority == StreamPriority::High,
            non_blocking: queue.non_blocking,
        }
    }

    fn task(&self, id: TaskId, places: &Places) -> Result<TaskPlan, PlanError> {
        let task = self.scenario().task(id);
        let place = |producer: &TaskId| {
            places.tasks.get(producer).copied().ok_or_else(|| {
                let other = &self.scenario().task(*producer).name;
                let what = format!("task \"{}\" consumes \"{other}\" of another process; that is not measured", task.name);
                PlanError::NotOnAGpu(what)
            })
        };
        Ok(TaskPlan {
            number: id.index(),
            release: task.release,
            offset_ns: task.offset.ns(),
            period_ns: task.period.map_or(0, |period| period.ns()),
            jobs: self.jobs[id.index()],
            calls_in_turn: task.calls_in_turn,
            rows: task.rows.iter().filter(|&&row| self.scenario().row(row).node.is_none()).map(|row| places.rows[row]).collect(),
            consumes: task.consumes.iter().map(place).collect::<Result<_, _>>()?,
            is_consumed: !task.consumers.is_empty(),
        })
    }

    fn row(&self, id: RowId, places: &Places) -> Result<RowPlan, PlanError> {
        let row = self.scenario().row(id);
        let (limits, layout) = (RowLimits { name: &row.name }, self.trace.layout());
        let jobs = self.jobs[row.task.index()];
        let varies = row.variation.most().ns() > 0;
        Ok(RowPlan {
            name: row.name.clone(),
            number: id.index(),
            task: places.tasks[&row.task],
            stream: places.streams[&layout.launched_into(layout.stream_of(id))],
            call: row.call,
            synchronous: row.waits_for_itself(),
            call_ns: row.call_time.ns(),
            after: row.after.map(|after| places.rows[&after]),
            has_followers: !row.followers.is_empty(),
            start_ns: row.start.ns(),
            blocks: limits.count(row.blocks, "blocks")?,
            threads: row.needs.threads,
            shared_bytes: limits.count(row.needs.shared_memory, "bytes of shared memory of a block")?,
            registers: u32::try_from(row.needs.registers.checked_div(u64::from(row.needs.threads)).unwrap_or(0)).unwrap_or(u32::MAX),
            times: match &row.times {
                BlockTimes::Each(ns) => vec![*ns],
                BlockTimes::List(list) => list.to_vec(),
            },
            longer: if varies { (0..jobs).map(|job| row.variation.draw(JobNo(job)).ns()).collect() } else { Vec::new() },
            bytes_in: limits.bytes(row.copy_in.map_or(0, |copy| copy.bytes))?,
            bytes_out: limits.bytes(row.copy_out.map_or(0, |copy| copy.bytes))?,
            waits_for: row.waits_for.iter().map(|event| event.index()).collect(),
            records: row.records.map(|event| event.index()),
            node: row.node.as_ref().map(|node| NodePlan {
                graph: places.rows[&node.graph],
                waits_for: node.waits_for.iter().map(|before| places.rows[before]).collect(),
            }),
        })
    }
}

/// What a row may ask for.
struct RowLimits<'n> {
    name: &'n str,
}

impl RowLimits<'_> {
    fn count(&self, value: u64, of: &str) -> Result<u32, PlanError> {
        u32::try_from(value).ok().filter(|&n| n <= i32::MAX as u32).ok_or_else(|| PlanError::TooMuch {
            row: self.name.to_owned(),
            what: format!("{value} {of} are too many, the limit is {}", i32::MAX),
        })
    }

    fn bytes(&self, value: u64) -> Result<u64, PlanError> {
        if value <= MAX_COPY_BYTES {
            return Ok(value);
        }
        let what =
            format!("a copy of {value} bytes is not measured, the limit is {MAX_COPY_BYTES}: each process has so much pinned memory");
        Err(PlanError::TooMuch { row: self.name.to_owned(), what })
    }
}

impl Plan {
    /// How long a run may take before it is stopped, s: ten times as long as it is simulated to be, and what it takes to start.
    #[must_use]
    pub fn most_seconds(&self) -> u64 {
        const START_S: u64 = 20;
        START_S + self.simulated_ns.div_ceil(1_000_000_000).saturating_mul(10)
    }

    /// The simulated length in words.
    #[must_use]
    pub fn simulated_length(&self) -> String {
        format_time(self.simulated_ns)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use blockstep_sim::engine::{Limits, simulate};

    #[test]
    fn nodes_of_a_graph_are_no_calls_and_need_no_stream_of_their_own() {
        let text = r#"{ "version": 2, "kernels": [
            { "name": "K", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1 },
            { "name": "G", "call": "launch_graph" },
            { "name": "A", "graph": "G", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1 },
            { "name": "B", "graph": "G", "waits_for": ["A"], "blocks": 1, "threads_per_block": 32, "block_time_ns": 1 },
            { "name": "C", "graph": "G", "waits_for": ["A"], "call": "memset", "bytes": 1 } ] }"#;
        let draft = crate::read_scenario(text).unwrap();
        let trace = simulate(&Scenario::new(&draft).unwrap(), Limits::default()).trace;
        let plan = Plan::new(&trace, &Records::new(&trace)).unwrap();
        let [process] = &plan.processes[..] else { panic!("one process") };
        assert_eq!((process.streams.len(), &process.tasks[0].rows[..]), (1, &[0, 1][..]));
        let nodes: Vec<Option<NodePlan>> = process.rows.iter().map(|row| row.node.clone()).collect();
        let node = |waits_for: &[usize]| Some(NodePlan { graph: 1, waits_for: waits_for.to_vec() });
        assert_eq!(nodes, [None, None, node(&[]), node(&[2]), node(&[2])]);
        assert!(process.rows.iter().all(|row| row.stream == 0));
    }
}
