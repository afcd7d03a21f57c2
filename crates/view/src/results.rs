//! What a run came to: response times, misses and preemptions of the tasks, where the response
//! times went, and how the device was used.
//!
//! Depends on `breakdown` and, in the files below, on `trace` and `record`. Invariants: every
//! number is an exact integer that follows from the run; the parts of a response time add up to it.
//! Cost: linear in the steps but for sorting.

pub mod overlay;
pub mod spread;
pub mod unit;
pub mod usage;

use super::breakdown::breakdown;
use super::reason::ReasonKind;
use blockstep_sim::record::{JobRecord, Records};
use blockstep_sim::scenario::Scenario;
use blockstep_sim::snapshot::Replay;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, RowId, Span, TaskId, Time};
use spread::Levels;
use usage::Usage;

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Results {
    /// The run's end.
    pub end: Time,
    /// Whether the run was cut short, so that all this is of its beginning only.
    pub is_cut: bool,
    /// The tasks, in their order.
    pub tasks: Vec<TaskResult>,
    /// Threads of each process's blocks, as [`TaskResult::threads`]; empty if there is one process.
    pub processes: Vec<Levels>,
    /// Where the response time of every operation went, in issue order.
    pub operations: Vec<Account>,
    /// The same summed over the jobs: by row, then input copy, kernel, output copy; those only that
    /// were issued.
    pub kernels: Vec<KernelResult>,
    /// How the device was used.
    pub usage: Usage,
}

/// What came of a task's jobs.
#[derive(Clone, Debug)]
pub struct TaskResult {
    /// Jobs released.
    pub released: u64,
    /// Jobs completed.
    pub completed: u64,
    /// The jobs that missed their deadline, as indices into [`Records::jobs`], by release: those that
    /// completed late, and those not complete at a deadline that the run reaches.
    pub missed: Vec<u32>,
    /// Jobs of which it is known whether they met their deadline.
    pub judged: u64,
    /// Times at which the task's process stopped being resident while a kernel or copy of the task had
    /// begun and was not complete. One that is resident again at the same instant has not stopped.
    pub preemptions: u64,
    /// Response times of the completed jobs, ascending.
    pub responses: Vec<Span>,
    /// The index into [`Records::jobs`] of the first job with the greatest response time.
    pub slowest: Option<u32>,
    /// How long its completed blocks took from their start to their end, suspensions included, ascending.
    pub block_times: Vec<Span>,
    /// Threads of its blocks that have begun and not ended, whether they run or are suspended, over time.
    pub threads: Levels,
}

/// Where the response time of an operation went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// From its issue to its completion, or to the run's end.
    pub response: Span,
    /// The parts of it, all positive: execution, suspension, then the reasons in the contract's order.
    pub parts: Vec<(OpActivity, u128)>,
}

/// The same of an operation of a row in all jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelResult {
    /// The row.
    pub row: RowId,
    /// Which of its operations.
    pub kind: OpKind,
    /// How many were issued.
    pub count: u64,
    /// The sum of their response times, ns.
    pub response: u128,
    /// The sums of the parts, ns.
    pub parts: Vec<(OpActivity, u128)>,
}

/// What an operation is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpActivity {
    /// A block of it, or the copy, runs.
    Executing,
    /// Something of it is suspended, and nothing runs.
    Suspended,
    /// It waits. What is suspended is not counted as "not resident" too.
    Waiting(ReasonKind),
}

impl OpActivity {
    /// Every part, in the order in which they are listed: those of files of version 2 last, so that those before keep their columns
    /// and colors.
    pub const ALL: [Self; 22] = [
        Self::Executing,
        Self::Suspended,
        Self::Waiting(ReasonKind::Producer),
        Self::Waiting(ReasonKind::BehindInStream),
        Self::Waiting(ReasonKind::N1),
        Self::Waiting(ReasonKind::N2),
        Self::Waiting(ReasonKind::NotResident),
        Self::Waiting(ReasonKind::A2),
        Self::Waiting(ReasonKind::X1),
        Self::Waiting(ReasonKind::Threads),
        Self::Waiting(ReasonKind::SharedMemory),
        Self::Waiting(ReasonKind::Registers),
        Self::Waiting(ReasonKind::Slots),
        Self::Waiting(ReasonKind::CopyEngine),
        Self::Waiting(ReasonKind::ToBeQueued),
        Self::Waiting(ReasonKind::ToBeAssigned),
        Self::Waiting(ReasonKind::Completing),
        Self::Waiting(ReasonKind::BehindInConnection),
        Self::Waiting(ReasonKind::Event),
        Self::Waiting(ReasonKind::Graph),
        Self::Waiting(ReasonKind::NotLaunched),
        Self::Waiting(ReasonKind::AllAtOnce),
    ];

    /// A few words for a legend.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Executing => "executing",
            Self::Suspended => "suspended",
            Self::Waiting(kind) => kind.label(),
        }
    }

    /// Its place in [`Self::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|part| *part == self).unwrap_or(0)
    }

    /// Whether it can be there in a run of this scenario: a part of files of version 2 only where they use what it is about.
    #[must_use]
    pub fn is_possible(self, scenario: &Scenario) -> bool {
        match self {
            Self::Waiting(ReasonKind::BehindInConnection) => scenario.connections().is_some(),
            Self::Waiting(ReasonKind::NotLaunched) => scenario.own().is_some_and(|own| own.program().gates_launches()),
            Self::Waiting(ReasonKind::Event) => scenario.waits_for_events(),
            Self::Waiting(ReasonKind::Graph) => scenario.has_graphs(),
            Self::Waiting(ReasonKind::AllAtOnce) => scenario.has_cooperative(),
            _ => true,
        }
    }
}

impl Results {
    /// The results of a run; `records` are its own.
    #[must_use]
    pub fn new(replay: Replay, records: &Records) -> Self {
        let trace = std::sync::Arc::clone(replay.trace());
        let observed = usage::observe(&trace);
        let operations = accounts(replay, records, &observed.suspended);
        Self {
            end: trace.end(),
            is_cut: trace.cut().is_some(),
            tasks: tasks(&trace, records, &observed.preemptions),
            processes: spread::threads_by_process(&trace, records),
            kernels: by_kernel(&trace, &operations),
            operations,
            usage: observed.usage,
        }
    }
}

impl TaskResult {
    /// The mean response time, to the nearest nanosecond (halves up); `None` if no job completed.
    #[must_use]
    pub fn mean(&self) -> Option<Span> {
        let n = self.responses.len() as u128;
        let sum: u128 = self.responses.iter().map(|r| u128::from(r.ns())).sum();
        // A mean is no more than the greatest, so it fits.
        (n > 0).then(|| Span(((2 * sum + n) / (2 * n)) as u64))
    }
}

/// The smallest of ascending values that at least `percent` of 100 of them do not exceed.
#[must_use]
pub fn percentile(sorted: &[Span], percent: usize) -> Option<Span> {
    let rank = (sorted.len() * percent.min(100)).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// How a run used the device, without the rest of its results.
#[must_use]
pub fn usage(trace: &Trace) -> Usage {
    usage::observe(trace).usage
}

/// From a job's release to its completion.
#[must_use]
pub fn response(job: &JobRecord) -> Option<Span> {
    job.end.map(|end| end.since(job.release))
}

fn tasks(trace: &Trace, records: &Records, preemptions: &[u64]) -> Vec<TaskResult> {
    let blocks = spread::blocks_by_task(trace, records);
    let mut tasks: Vec<TaskResult> = blocks
        .into_iter()
        .zip(preemptions)
        .map(|((block_times, threads), &preemptions)| TaskResult {
            released: 0,
            completed: 0,
            missed: Vec::new(),
            judged: 0,
            preemptions,
            responses: Vec::new(),
            slowest: None,
            block_times,
            threads,
        })
        .collect();
    for (i, job) in records.jobs.iter().enumerate() {
        let task = &mut tasks[job.task.index()];
        task.released += 1;
        task.judged += u64::from(job.met.is_some());
        if job.met == Some(false) {
            task.missed.push(i as u32);
        }
        let Some(time) = response(job) else { continue };
        task.completed += 1;
        task.responses.push(time);
        if task.slowest.is_none_or(|slowest| response(&records.jobs[slowest as usize]) < Some(time)) {
            task.slowest = Some(i as u32);
        }
    }
    for task in &mut tasks {
        task.responses.sort_unstable();
    }
    tasks
}

/// The breakdowns, with suspension told apart.
fn accounts(replay: Replay, records: &Records, suspended: &[Span]) -> Vec<Account> {
    let account = |(op, suspended): (super::breakdown::OpBreakdown, &Span)| {
        let mut parts = vec![(OpActivity::Executing, op.executing.ns().into()), (OpActivity::Suspended, suspended.ns().into())];
        for (kind, span) in op.waits {
            // While something is suspended its process is not resident.
            let rest = if kind == ReasonKind::NotResident { span.ns().saturating_sub(suspended.ns()) } else { span.ns() };
            parts.push((OpActivity::Waiting(kind), rest.into()));
        }
        parts.retain(|&(_, time)| time > 0);
        Account { response: op.response, parts }
    };
    breakdown(replay, records).into_iter().zip(suspended).map(account).collect()
}

fn by_kernel(trace: &Trace, operations: &[Account]) -> Vec<KernelResult> {
    let mut sums = vec![(0, 0, [0_u128; OpActivity::ALL.len()]); trace.scenario().rows().len() * KINDS.len()];
    for (i, account) in operations.iter().enumerate() {
        let op = trace.op(OpId::at(i));
        let (count, response, parts) = &mut sums[op.row.index() * KINDS.len() + op.kind as usize];
        *count += 1;
        *response += u128::from(account.response.ns());
        for &(part, time) in &account.parts {
            parts[part.index()] += time;
        }
    }
    let result = |(i, (count, response, parts)): (usize, (u64, u128, [u128; OpActivity::ALL.len()]))| KernelResult {
        row: RowId::at(i / KINDS.len()),
        kind: KINDS[i % KINDS.len()],
        count,
        response,
        parts: OpActivity::ALL.into_iter().zip(parts).filter(|&(_, time)| time > 0).collect(),
    };
    sums.into_iter().enumerate().filter(|(_, (count, ..))| *count > 0).map(result).collect()
}

/// In the order of their declaration.
const KINDS: [OpKind; 3] = [OpKind::CopyIn, OpKind::Kernel, OpKind::CopyOut];

/// `camera (P0)`: a task and its process, where there are several processes.
#[must_use]
pub fn task_label(trace: &Trace, id: TaskId) -> String {
    let scenario = trace.scenario();
    let task = scenario.task(id);
    match scenario.processes() {
        [_] => task.name.clone(),
        processes => format!("{} ({})", task.name, processes[task.process.index()].name),
    }
}
