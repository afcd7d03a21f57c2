//! What runs came to, side by side: by operation, by task, and of the runs as a whole.
//!
//! Depends on `record`. Invariants: every number is an exact integer that follows from the records;
//! lines are in the order of the first run's tables, then come those that it lacks. Where there are
//! many jobs, those of an operation share a line, and its times are means.

use super::Side;
use blockstep_sim::order::{self, Names};
use blockstep_sim::record::Judged;
use blockstep_sim::scenario::Class;
use blockstep_sim::trace::{OpKind, op_name};
use blockstep_sim::units::{OpId, RowId, Time, TimeRange};

/// Most operations with a line for each job.
const MAX_LINES: usize = 60;

/// What happened to an operation of a row in one run, in one job or in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// How many were issued.
    pub count: u64,
    /// How many completed.
    pub completed: u64,
    /// When the first was issued.
    pub issued: Time,
    /// When the first began.
    pub start: Option<Time>,
    /// When the last completed; `None` if none did.
    pub end: Option<Time>,
    /// From the issue to the completion, ns: the mean of those that completed, rounded down.
    pub response: Option<u64>,
    /// How much of that nothing of it executed, ns: likewise.
    pub waiting: Option<u64>,
}

/// An operation beside itself in other runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationLine {
    /// Its name, with its job where the line is about one of several.
    pub name: String,
    /// Its row in the first run; `None` if only others have it.
    pub row: Option<RowId>,
    /// Whether the line is about several jobs.
    pub is_of_many: bool,
    /// In each run; `None` where it was not issued.
    pub runs: Vec<Option<Life>>,
}

/// What came of a task's jobs in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Jobs released.
    pub released: u64,
    /// Jobs completed.
    pub completed: u64,
    /// The greatest response time, ns.
    pub worst: Option<u64>,
    /// The mean of the response times, ns, rounded down.
    pub mean: Option<u64>,
    /// Jobs that missed their deadline.
    pub missed: u64,
    /// Jobs of which it is known whether they met it.
    pub judged: u64,
    /// Of which class they are.
    pub class: Class,
}

/// A task beside itself in other runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLine {
    /// Its name.
    pub name: String,
    /// In each run; `None` where there is no such task.
    pub runs: Vec<Option<Fate>>,
}

/// A run as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The last end of a block or copy.
    pub last: Time,
    /// Threads that ran, times ns.
    pub thread_time: u128,
    /// Threads of the device times the length of the run.
    pub available: u128,
    /// Jobs of real-time tasks that missed their deadline.
    pub missed: u64,
    /// What the deadlines of best-effort jobs came to, if there are any.
    pub best_effort: Judged,
    /// Whether it was cut short.
    pub is_cut: bool,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// A line for each operation.
    pub operations: Vec<OperationLine>,
    /// A line for each task.
    pub tasks: Vec<TaskLine>,
    /// The runs, in their order.
    pub wholes: Vec<Whole>,
}

impl Tables {
    /// The tables of some runs. Linear in their blocks but for sorting.
    #[must_use]
    pub fn new(sides: &[Side<'_>]) -> Self {
        Self { operations: operations(sides), tasks: tasks(sides), wholes: sides.iter().map(|side| whole(*side)).collect() }
    }
}

/// Operations of all runs, beside each other.
fn operations(sides: &[Side<'_>]) -> Vec<OperationLine> {
    let is_of_many = sides.iter().any(|side| side.trace.ops().len() > MAX_LINES);
    let mut names = Names::default();
    let mut rows: Vec<(String, Option<RowId>)> = Vec::new();
    let places: Vec<Vec<usize>> = { sides.iter().enumerate() }
        .map(|(run, side)| {
            let all = side.trace.scenario().rows().iter().enumerate();
            let place = |(i, row): (usize, &blockstep_sim::scenario::KernelRow)| {
                let place = names.place(0, row.name.clone(), rows.len());
                if place == rows.len() {
                    rows.push((row.name.clone(), (run == 0).then(|| RowId::at(i))));
                }
                place
            };
            all.map(place).collect()
        })
        .collect();
    // By row, kind and job: the run and what happened in it.
    let mut lives: Vec<(u64, u32, usize, Life)> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for (i, op) in side.trace.ops().iter().enumerate() {
            let line = places[run][op.row.index()] as u64 * 3 + op.kind as u64;
            lives.push((line, if is_of_many { 0 } else { op.job.0 }, run, life(*side, OpId::at(i))));
        }
    }
    order::by_number(&mut lives, |&(line, job, ..)| line << 32 | u64::from(job));
    let mut lines = Vec::new();
    for group in lives.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (row, kind) = (&rows[(group[0].0 / 3) as usize], [OpKind::CopyIn, OpKind::Kernel, OpKind::CopyOut][(group[0].0 % 3) as usize]);
        let name = op_name(&row.0, kind);
        let has_jobs = !is_of_many && sides.iter().any(|side| has_several_jobs(*side, &row.0));
        lines.push(OperationLine {
            name: if has_jobs { format!("{name}#{}", group[0].1) } else { name },
            row: row.1,
            is_of_many,
            runs: (0..sides.len()).map(|run| together(group.iter().filter(|life| life.2 == run).map(|life| &life.3))).collect(),
        });
    }
    lines
}

fn has_several_jobs(side: Side<'_>, row: &str) -> bool {
    let scenario = side.trace.scenario();
    scenario.rows().iter().find(|r| r.name == row).is_some_and(|row| scenario.task(row.task).jobs != Some(1))
}

fn life(side: Side<'_>, op: OpId) -> Life {
    let record = &side.records.ops[op.index()];
    let response = record.end.map(|end| end.since(record.issued).ns());
    let executing = || match (record.start, record.end, side.trace.op(op).kind) {
        (Some(start), Some(end), OpKind::CopyIn | OpKind::CopyOut) => copied(side, op, TimeRange::new(start, end)),
        _ => union(side.records.blocks_of(op).iter().flat_map(|&block| side.records.block_runs(block as usize)).collect()),
    };
    Life {
        count: 1,
        completed: u64::from(response.is_some()),
        issued: record.issued,
        start: record.start,
        end: record.end,
        response,
        waiting: response.map(|response| response.saturating_sub(executing())),
    }
}

/// How long a copy ran.
fn copied(side: Side<'_>, op: OpId, whole: TimeRange) -> u64 {
    let from = side.records.copies.partition_point(|copy| copy.start < whole.start);
    let found = side.records.copies[from..].iter().take_while(|copy| copy.start == whole.start).position(|copy| copy.op == op);
    found.map_or(whole.span().ns(), |i| side.records.copy_runs(from + i).iter().map(|run| run.span().ns()).sum())
}

/// How much time intervals cover.
fn union(mut intervals: Vec<TimeRange>) -> u64 {
    order::by_number(&mut intervals, |interval| interval.start.ns());
    let (mut sum, mut until) = (0, 0);
    for interval in intervals {
        sum += interval.end.ns().saturating_sub(interval.start.ns().max(until));
        until = until.max(interval.end.ns());
    }
    sum
}

/// What happened to operations of one line.
fn together<'l>(lives: impl Iterator<Item = &'l Life>) -> Option<Life> {
    let (mut all, mut sums) = (None::<Life>, [0_u128; 2]);
    for life in lives {
        sums[0] += u128::from(life.response.unwrap_or(0));
        sums[1] += u128::from(life.waiting.unwrap_or(0));
        all = Some(all.map_or(*life, |all| Life {
            count: all.count + 1,
            completed: all.completed + life.completed,
            issued: all.issued.min(life.issued),
            start: [all.start, life.start].into_iter().flatten().min(),
            end: all.end.max(life.end),
            ..all
        }));
    }
    let mean = |sum: u128, of: u64| (sum.checked_div(of.into())).map(|mean| mean as u64);
    all.map(|all| Life { response: mean(sums[0], all.completed), waiting: mean(sums[1], all.completed), ..all })
}

/// Tasks of all runs, beside each other.
fn tasks(sides: &[Side<'_>]) -> Vec<TaskLine> {
    let mut names = Names::default();
    let mut lines: Vec<TaskLine> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        let of_run = side.trace.scenario().tasks();
        let fate = |class| Fate { released: 0, completed: 0, worst: None, mean: None, missed: 0, judged: 0, class };
        let mut fates: Vec<Fate> = of_run.iter().map(|task| fate(task.class)).collect();
        let mut sums = vec![0_u128; of_run.len()];
        for job in &side.records.jobs {
            let (fate, sum) = (&mut fates[job.task.index()], &mut sums[job.task.index()]);
            fate.released += 1;
            fate.judged += u64::from(job.met.is_some());
            fate.missed += u64::from(job.met == Some(false));
            if let Some(end) = job.end {
                let response = end.since(job.release).ns();
                fate.completed += 1;
                fate.worst = fate.worst.max(Some(response));
                *sum += u128::from(response);
            }
        }
        for ((task, mut fate), sum) in of_run.iter().zip(fates).zip(sums) {
            fate.mean = sum.checked_div(fate.completed.into()).map(|mean| mean as u64);
            let place = names.place(0, task.name.clone(), lines.len());
            if place == lines.len() {
                lines.push(TaskLine { name: task.name.clone(), runs: vec![None; sides.len()] });
            }
            lines[place].runs[run] = Some(fate);
        }
    }
    lines
}

/// A run as a whole.
fn whole(side: Side<'_>) -> Whole {
    let device = side.trace.scenario().device();
    let records = side.records;
    let thread_time = |(i, block): (usize, &blockstep_sim::record::BlockRecord)| {
        let time: u128 = records.block_runs(i).iter().map(|run| u128::from(run.span().ns())).sum();
        time * u128::from(side.trace.row_of(block.op).needs.threads)
    };
    Whole {
        last: records.last_event,
        thread_time: records.blocks.iter().enumerate().map(thread_time).sum(),
        available: u128::from(device.sms) * u128::from(device.threads_per_sm) * u128::from(side.trace.end().ns()),
        missed: records.judged(side.trace.scenario(), Class::RealTime).missed,
        best_effort: records.judged(side.trace.scenario(), Class::BestEffort),
        is_cut: side.trace.cut().is_some(),
    }
}
