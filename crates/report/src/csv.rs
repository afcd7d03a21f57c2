//! Results as a table for spreadsheets.
//!
//! Depends on `format` for the cells. Invariants: a row is made as it is written; every row has every column, cells that do not
//! apply are empty; times are in ns; the parts of an operation or kernel add up to its response;
//! every row of a run with variants of the rules begins with them.

use std::fmt::{self, Display, Write};

use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound};
use blockstep_format::csv_cell;
use blockstep_sim::record::Records;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, RowId, TaskId};
use blockstep_view::reason::ReasonKind;
use blockstep_view::results::spread::distribution;
use blockstep_view::results::{OpActivity, Results, response};

/// Columns before those of the parts.
const COLUMNS: [&str; 22] = [
    "section",
    "task",
    "process",
    "kernel",
    "op",
    "job",
    "count",
    "completed",
    "missed",
    "preemptions",
    "release_ns",
    "deadline_ns",
    "end_ns",
    "met",
    "response_ns",
    "least_ns",
    "mean_ns",
    "greatest_ns",
    "measure",
    "value",
    "of",
    "at_ns",
];

/// Name of a part's column.
const fn part_column(part: OpActivity) -> &'static str {
    match part {
        OpActivity::Executing => "executing_ns",
        OpActivity::Suspended => "suspended_ns",
        OpActivity::Waiting(kind) => match kind {
            ReasonKind::Producer => "waits_producer_ns",
            ReasonKind::BehindInStream => "waits_stream_ns",
            ReasonKind::N1 => "waits_n1_ns",
            ReasonKind::N2 => "waits_n2_ns",
            ReasonKind::NotResident => "waits_residency_ns",
            ReasonKind::A2 => "waits_a2_ns",
            ReasonKind::X1 => "waits_x1_ns",
            ReasonKind::Threads => "waits_threads_ns",
            ReasonKind::SharedMemory => "waits_shared_memory_ns",
            ReasonKind::Registers => "waits_registers_ns",
            ReasonKind::Slots => "waits_slots_ns",
            ReasonKind::CopyEngine => "waits_copy_engine_ns",
            ReasonKind::ToBeQueued => "waits_queueing_ns",
            ReasonKind::ToBeAssigned => "waits_assignment_ns",
            ReasonKind::Completing => "waits_completion_ns",
            ReasonKind::BehindInConnection => "waits_connection_ns",
            ReasonKind::Event => "waits_event_ns",
            ReasonKind::Graph => "waits_graph_ns",
            ReasonKind::AllAtOnce => "waits_all_at_once_ns",
            ReasonKind::NotLaunched => "waits_launch_ns",
        },
    }
}

/// A run, with what it came to.
pub(super) struct CsvRun<'a> {
    /// What it is called, where there are several.
    pub(super) name: &'a str,
    pub(super) trace: &'a Trace,
    pub(super) records: &'a Records,
    pub(super) results: Results,
    pub(super) bounds: Vec<Result<RunlistBound, Inapplicable>>,
}

pub(super) fn write(runs: Vec<CsvRun<'_>>) -> impl Display {
    fmt::from_fn(move |out| {
        let has_runs = runs.len() > 1;
        let has_variants = runs.iter().any(|run| !run.trace.variants().is_none());
        let before = [("run,", has_runs), ("rules_changed,", has_variants)].map(|(column, is_there)| if is_there { column } else { "" });
        // Runs without what a part is about have the columns that they always had.
        let is_used = |part: &OpActivity| runs.iter().any(|run| part.is_possible(run.trace.scenario()));
        let used: Vec<OpActivity> = OpActivity::ALL.into_iter().filter(is_used).collect();
        let columns: Vec<&str> = used.iter().copied().map(part_column).collect();
        writeln!(out, "{}{},{}", before.concat(), COLUMNS.join(","), columns.join(","))?;
        for run in &runs {
            let (name, cells) = (has_runs.then_some(run.name), vec![String::new(); COLUMNS.len() + used.len()]);
            let mut table = Table { trace: run.trace, name, has_variants, used: &used, out, cells };
            tasks(&mut table, &run.results)?;
            jobs(&mut table, run.records)?;
            operations(&mut table, run.records, &run.results)?;
            kernels(&mut table, &run.results)?;
            utilisation(&mut table, &run.results)?;
            theorem(&mut table, &run.bounds)?;
            block_times(&mut table, &run.results)?;
            threads(&mut table, &run.results)?;
        }
        Ok(())
    })
}

/// Rows under construction.
struct Table<'t> {
    trace: &'t Trace,
    /// What its run is called, where there are several.
    name: Option<&'t str>,
    has_variants: bool,
    /// The parts that have columns.
    used: &'t [OpActivity],
    out: &'t mut dyn Write,
    /// The cells of the row to come.
    cells: Vec<String>,
}

impl Table<'_> {
    fn set(&mut self, column: &str, value: impl ToString) -> &mut Self {
        if let Some(place) = COLUMNS.iter().position(|name| *name == column) {
            self.cells[place] = value.to_string();
        }
        self
    }

    fn set_if(&mut self, column: &str, value: Option<impl ToString>) -> &mut Self {
        if let Some(value) = value {
            self.set(column, value);
        }
        self
    }

    fn task(&mut self, id: TaskId) -> &mut Self {
        let scenario = self.trace.scenario();
        let task = scenario.task(id);
        self.set("task", &task.name).set("process", &scenario.processes()[task.process.index()].name)
    }

    fn row(&mut self, id: RowId, kind: OpKind) -> &mut Self {
        let row = self.trace.scenario().row(id);
        self.task(row.task).set("kernel", &row.name).set("op", blockstep_sim::trace::name_in(row, kind))
    }

    fn parts(&mut self, parts: &[(OpActivity, u128)]) -> &mut Self {
        for slot in &mut self.cells[COLUMNS.len()..] {
            *slot = "0".to_owned();
        }
        for &(part, time) in parts {
            if let Some(place) = self.used.iter().position(|used| *used == part) {
                self.cells[COLUMNS.len() + place] = time.to_string();
            }
        }
        self
    }

    fn end(&mut self, section: &str) -> fmt::Result {
        self.set("section", section);
        if let Some(name) = self.name {
            write!(self.out, "{},", csv_cell(name))?;
        }
        if self.has_variants {
            write!(self.out, "{},", csv_cell(&self.trace.variants().ids()))?;
        }
        for (i, cell) in self.cells.iter_mut().enumerate() {
            write!(self.out, "{}{}", if i > 0 { "," } else { "" }, csv_cell(cell))?;
            cell.clear();
        }
        self.out.write_char('\n')
    }
}

fn tasks(table: &mut Table<'_>, results: &Results) -> fmt::Result {
    for (i, task) in results.tasks.iter().enumerate() {
        table.task(TaskId::at(i)).set("count", task.released).set("completed", task.completed);
        table.set("missed", task.missed.len()).set("preemptions", task.preemptions);
        table.set_if("least_ns", task.responses.first().map(|r| r.ns())).set_if("mean_ns", task.mean().map(|r| r.ns()));
        table.set_if("greatest_ns", task.responses.last().map(|r| r.ns())).end("task")?;
    }
    Ok(())
}

fn jobs(table: &mut Table<'_>, records: &Records) -> fmt::Result {
    for job in &records.jobs {
        table.task(job.task).set("job", job.job.0).set("release_ns", job.release).set_if("deadline_ns", job.deadline);
        table.set_if("end_ns", job.end).set_if("met", job.met).set_if("response_ns", response(job).map(|r| r.ns())).end("job")?;
    }
    Ok(())
}

fn operations(table: &mut Table<'_>, records: &Records, results: &Results) -> fmt::Result {
    for (i, (account, record)) in results.operations.iter().zip(&records.ops).enumerate() {
        let op = table.trace.op(OpId::at(i));
        table.row(op.row, op.kind).set("job", op.job.0).set("release_ns", record.issued).set_if("end_ns", record.end);
        table.set("response_ns", account.response.ns()).parts(&account.parts).end("operation")?;
    }
    Ok(())
}

fn kernels(table: &mut Table<'_>, results: &Results) -> fmt::Result {
    for kernel in &results.kernels {
        table
            .row(kernel.row, kernel.kind)
            .set("count", kernel.count)
            .set("response_ns", kernel.response)
            .parts(&kernel.parts)
            .end("kernel")?;
    }
    Ok(())
}

fn utilisation(table: &mut Table<'_>, results: &Results) -> fmt::Result {
    let usage = &results.usage;
    let run = u128::from(usage.run.ns());
    let mut put = |process: Option<&str>, measure: &str, value: u128, of: u128| {
        table.set_if("process", process).set("measure", measure).set("value", value).set("of", of).end("utilisation")
    };
    put(None, "executing_ns", usage.executing.ns().into(), run)?;
    put(None, "switching_ns", usage.switching.ns().into(), run)?;
    put(None, "idle_ns", usage.idle.ns().into(), run)?;
    put(None, "thread_ns", usage.thread_time(), usage.available())?;
    for (i, sm) in usage.sms.iter().enumerate() {
        put(None, &format!("sm_{i}_thread_ns"), sm.thread_time, usage.of_one_sm())?;
        put(None, &format!("sm_{i}_busy_ns"), sm.busy.ns().into(), run)?;
    }
    for (i, busy) in usage.engines.iter().enumerate() {
        put(None, &format!("copy_engine_{i}_busy_ns"), busy.ns().into(), run)?;
    }
    let names = table.trace.scenario().clone();
    for (process, of) in usage.processes.iter().zip(names.processes()) {
        table.set("process", &of.name).set("measure", "thread_ns").set("value", process.thread_time).set("of", usage.available());
        table.end("utilisation")?;
        if usage.has_turns {
            table.set("process", &of.name).set("measure", "resident_ns").set("value", process.resident.ns()).set("of", run);
            table.end("utilisation")?;
        }
    }
    Ok(())
}

/// The points of the distributions: how many of the blocks take at most a time.
fn block_times(table: &mut Table<'_>, results: &Results) -> fmt::Result {
    for (i, task) in results.tasks.iter().enumerate() {
        for (ns, count) in distribution(&task.block_times) {
            let row = table.task(TaskId::at(i)).set("measure", "block_time_ns").set("value", ns);
            row.set("count", count).set("of", task.block_times.len()).end("block_times")?;
        }
    }
    Ok(())
}

/// Threads in flight from an instant on, of each process where there are several and of each task, as the
/// charts have them.
fn threads(table: &mut Table<'_>, results: &Results) -> fmt::Result {
    let scenario = table.trace.scenario().clone();
    let limit = scenario.device().sms.saturating_mul(scenario.device().threads_per_sm);
    for (process, levels) in scenario.processes().iter().zip(&results.processes) {
        for &(at, level) in &levels.points {
            let row = table.set("process", &process.name).set("measure", "threads_of_process");
            row.set("value", level).set("of", limit).set("at_ns", at).end("threads")?;
        }
    }
    for (i, task) in results.tasks.iter().enumerate() {
        for &(at, level) in &task.threads.points {
            let row = table.task(TaskId::at(i)).set("measure", "threads_of_task");
            row.set("value", level).set("of", limit).set("at_ns", at).end("threads")?;
        }
    }
    Ok(())
}

/// Cells without a value are beyond 64 bits; tasks without a bound say why in the place of one.
fn theorem(table: &mut Table<'_>, bounds: &[Result<RunlistBound, Inapplicable>]) -> fmt::Result {
    for (i, bound) in bounds.iter().enumerate() {
        let task = TaskId::at(i);
        let bound = match bound {
            Ok(bound) => bound,
            Err(why) => {
                let why = why.sentence(table.trace.scenario());
                table.task(task).set("measure", "no_bound").set("value", why).end("bound")?;
                continue;
            }
        };
        let measures = [
            ("execution_ns", Some(bound.execution)),
            ("timeslice_ns", Some(bound.timeslice)),
            ("wait_ns", bound.gap),
            ("without_cost_ns", bound.without_cost),
            ("cost_at_own_expiries_ns", bound.at_own_expiries),
            ("cost_of_every_switch_ns", bound.every_switch),
        ];
        for (measure, value) in measures {
            table.task(task).set("measure", measure).set_if("value", value.map(|span| span.ns())).end("bound")?;
        }
    }
    Ok(())
}
