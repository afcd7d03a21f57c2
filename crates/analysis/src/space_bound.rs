//! The response time that a job cannot exceed under `fifo` and `priority`, inside one address space.
//!
//! Depends on the scenario alone; nothing is simulated. Invariant: a bound is given only where docs/bounds.md proves it, for every
//! release of the other tasks that their periods allow. Source: the rules of [TX2] 3.2 and 4.2 as docs/semantics.md, sections 3
//! to 5, has them; the proofs are ours.

mod chains;
mod load;
mod waits;

use blockstep_sim::scenario::{Release, Scenario, Task};
use blockstep_sim::units::written::{format_count, format_time};
use blockstep_sim::units::{RowId, Span, TaskId};
use chains::Chains;
use load::Load;

/// Most rows of a scenario with bounds.
pub const MAX_ROWS: usize = 400;
/// Rounds in which all response times together have to settle.
const MAX_ROUNDS: u32 = 1000;

/// Why a task has no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBound {
    /// Nothing is launched.
    NoWork,
    /// Graphs are launched; the first row that does.
    Graphs(RowId),
    /// Blocks of this row, the first such one, spin or are assigned only all together.
    Together(RowId),
    /// Streams share so many hardware connections.
    Connections(u64),
    /// The scenario has so many rows.
    TooLarge(usize),
    /// Its jobs wait for this producer.
    Producers(TaskId),
    /// It makes its calls one after another.
    CallsInTurn,
    /// This row waits for events.
    Events(RowId),
    /// This row may have to wait for the NULL stream, or in it for others.
    NullStream(RowId),
    /// This row's stream is used by another task, which has no bound.
    SharedStream {
        /// The row.
        row: RowId,
        /// The other task.
        other: TaskId,
    },
    /// High kernels of another task, of whose jobs nothing says how many there may be, go before this row.
    Ahead {
        /// The row.
        row: RowId,
        /// The other task.
        other: TaskId,
    },
    /// High kernels may keep this row waiting without an end.
    Starved(RowId),
    /// A job may be incomplete when the next one is released.
    Overlap {
        /// What the bound would be at least.
        bound: Span,
        /// What it would have to be within.
        period: Span,
    },
    /// It was not found in as many steps as are allowed, or not in 64 bits.
    Beyond,
}

impl NoBound {
    /// The reason in a sentence, which may be said of several tasks at once.
    #[must_use]
    pub fn sentence(&self, scenario: &Scenario) -> String {
        let row = |row: &RowId| &scenario.row(*row).name;
        let task = |task: &TaskId| &scenario.task(*task).name;
        match self {
            Self::NoWork => "Nothing is launched.".to_owned(),
            Self::Graphs(launch) => format!("Row {} launches a graph, and the proofs do not cover graphs.", row(launch)),
            Self::Together(of) => format!("Blocks of row {} spin or start only together, and the proofs do not cover that.", row(of)),
            Self::Connections(count) => format!(
                "The streams share {}, so a kernel may wait for another stream's.",
                blockstep_sim::language::counted(*count, "hardware connection")
            ),
            Self::TooLarge(rows) => {
                format!("The kernel table has {} rows; bounds are computed for at most {MAX_ROWS}.", format_count(*rows as u64))
            }
            Self::Producers(producer) => format!("The jobs wait for those of task {}.", task(producer)),
            Self::CallsInTurn => "The calls are made one after another, and the proofs do not cover such pauses.".to_owned(),
            Self::Events(waits) => format!("Row {} waits for events.", row(waits)),
            Self::NullStream(of) => {
                format!("Row {} and the NULL stream may wait for each other.", row(of))
            }
            Self::SharedStream { row: of, other } => {
                format!("Row {} shares its stream with task {}, which has no bound.", row(of), task(other))
            }
            Self::Ahead { row: of, other } => format!(
                "High kernels of task {} go before row {}, and nothing bounds how many there may be at a time.",
                task(other),
                row(of)
            ),
            Self::Starved(of) => format!("High kernels may come so often that row {} waits forever.", row(of)),
            Self::Overlap { bound, period } => format!(
                "The bound would be at least {}, longer than the period of {}: jobs may overlap, and the proofs need jobs that do \
                 not.",
                format_time(bound.ns()),
                format_time(period.ns())
            ),
            Self::Beyond => "We found no bound within 64 bits and the allowed number of steps.".to_owned(),
        }
    }
}

/// The bound of every task, in its place, or why there is none; nothing under policies with turns.
#[must_use]
pub fn bounds(scenario: &Scenario) -> Vec<Result<Span, NoBound>> {
    if scenario.policy().kind.takes_turns() {
        return Vec::new();
    }
    let tasks = (0..scenario.tasks().len()).map(TaskId::at);
    let excluded: Vec<Option<NoBound>> = tasks.clone().map(|id| excluded(scenario, id)).collect();
    let load = if scenario.rows().len() > MAX_ROWS { None } else { Load::new(scenario) };
    let Some(load) = load else {
        return excluded.into_iter().map(|why| Err(why.unwrap_or(NoBound::Beyond))).collect();
    };
    let chains = Chains::new(&load);
    let mut found: Vec<Result<u64, NoBound>> = excluded.into_iter().map(|why| why.map_or(Ok(0), Err)).collect();
    // The least response times that agree with one another.
    for round in 1.. {
        let known: Vec<Option<u64>> = found.iter().map(|bound| bound.as_ref().ok().copied()).collect();
        let mut has_changed = false;
        for id in tasks.clone() {
            let Ok(before) = found[id.index()] else { continue };
            let now = chains.response(id, &known).and_then(|response| within_period(scenario.task(id), response));
            if now != Ok(before) {
                has_changed = true;
                found[id.index()] = if round > MAX_ROUNDS { now.and(Err(NoBound::Beyond)) } else { now };
            }
        }
        if !has_changed {
            break;
        }
    }
    found.into_iter().map(|bound| bound.map(Span)).collect()
}

/// A response that leaves no job incomplete when the next one is released (lemma 8).
fn within_period(task: &Task, response: u64) -> Result<u64, NoBound> {
    match task.period.filter(|_| task.release == Release::Periodic) {
        Some(period) if response > period.ns() && task.jobs != Some(1) => Err(NoBound::Overlap { bound: Span(response), period }),
        _ => Ok(response),
    }
}

/// What the proofs leave out, whatever the numbers.
fn excluded(scenario: &Scenario, id: TaskId) -> Option<NoBound> {
    let task = scenario.task(id);
    let rows = || task.rows.iter().copied();
    let launch = (0..scenario.rows().len()).map(RowId::at).find(|&row| scenario.row(row).nodes > 0);
    let shares = scenario.connections().filter(|&count| count < scenario.streams().len() as u64);
    if !task.has_operations() && task.launches == 0 && task.consumes.is_empty() && !task.calls_in_turn {
        return Some(NoBound::NoWork);
    }
    let waits = rows().find(|&row| !scenario.row(row).waits_for.is_empty()).map(NoBound::Events);
    let null = rows().find(|&row| scenario.row(row).call.has_operation() && meets_null_stream(scenario, row)).map(NoBound::NullStream);
    (launch.map(NoBound::Graphs))
        .or(scenario.first_together().map(NoBound::Together))
        .or(shares.map(NoBound::Connections))
        .or((scenario.rows().len() > MAX_ROWS).then_some(NoBound::TooLarge(scenario.rows().len())))
        .or(task.consumes.first().map(|&producer| NoBound::Producers(producer)))
        .or(task.calls_in_turn.then_some(NoBound::CallsInTurn))
        .or(waits)
        .or(null)
}

/// Whether N1 or N2 may keep a row's operations from moving on.
fn meets_null_stream(scenario: &Scenario, row: RowId) -> bool {
    let stream = &scenario.streams()[scenario.row(row).stream];
    let mut others = scenario.rows().iter().filter(|other| other.call.has_operation()).map(|other| &scenario.streams()[other.stream]);
    !stream.non_blocking && others.any(|other| !other.non_blocking && other.is_null() != stream.is_null())
}
