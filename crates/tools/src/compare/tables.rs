//! What the runs came to, as tables: operations, tasks, runs. The run on screen comes first; what others have is followed by
//! how much it differs, in words too.
//!
//! Invariant: a better value never has only a color to say so.

use serde::{Deserialize, Serialize};

use super::beside::RunBeside;
use crate::tool::Context;
use blockstep_learn::compare::tables::{Fate, Life, OperationLine, TaskLine, Whole};
use blockstep_sim::scenario::{Class, Scenario};
use blockstep_sim::units::{RowId, Time};
use blockstep_view::edit_effect::one_program;
use blockstep_view::quantity::{format_count, format_time, format_time_short};
use blockstep_view::results::unit::percent;

/// Most lines of a table; files hold all.
const MAX_LINES: usize = 120;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonTable {
    pub caption: String,
    pub columns: Vec<String>,
    pub groups: Vec<RowGroup>,
    /// How many lines are left out, or what else differs between the runs, if something does.
    pub more: Option<String>,
}

/// Lines that belong together: the runs of an operation or of a task, or all runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowGroup {
    pub head: Option<GroupHead>,
    pub rows: Vec<RunRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupHead {
    pub name: String,
    pub row: Option<RowId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRow {
    pub run: String,
    pub is_changed: bool,
    pub cells: Vec<ComparedCell>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ComparedCell {
    /// A value, and how it differs from that of the run on screen, if it does.
    Value(String, Option<ValueChange>),
    Words(String, u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueChange {
    /// `−1 s, earlier`.
    pub text: String,
    pub is_better: bool,
}

/// How two values are told apart.
#[derive(Clone, Copy)]
enum Measure {
    /// An instant: earlier or later.
    Instant,
    /// A length of time: shorter or longer.
    Length,
    /// A number of bad things: fewer or more.
    Count,
}

pub(super) fn tables(beside: &[RunBeside], context: &mut Context<'_>) -> Vec<ComparisonTable> {
    let Context { place, runs } = context;
    let made: Vec<_> = beside.iter().filter_map(|b| b.simulation.as_ref().ok().map(|made| (b.other, made))).collect();
    if made.is_empty() {
        return Vec::new();
    }
    let of_all: Vec<_> = std::iter::once(&place.simulation).chain(made.iter().map(|(_, made)| *made)).collect();
    let found = runs.tables(&of_all);
    let mut names = vec![("On screen".to_owned(), false)];
    names.extend(made.iter().map(|(other, _)| (if other.is_changed() { other.heading() } else { other.short() }, other.is_changed())));
    let differences: Vec<_> = made.iter().map(|(_, made)| runs.differences(&place.simulation, made).stops().len()).collect();
    let of = Tables { names: &names };
    let scenarios: Vec<&Scenario> = of_all.iter().map(|simulation| &**simulation.run.trace.scenario()).collect();
    let mut tables = vec![of.runs(&found.wholes, &differences, also(&scenarios))];
    // Misses and responses are asked for first.
    tables.push(of.tasks(&found.tasks));
    tables.extend((!found.operations.is_empty()).then(|| of.operations(&found.operations)));
    tables
}

struct Tables<'t> {
    names: &'t [(String, bool)],
}

impl Tables<'_> {
    fn row(&self, run: usize, cells: Vec<ComparedCell>) -> RunRow {
        let (run, is_changed) = self.names[run].clone();
        RunRow { run, is_changed, cells }
    }

    fn runs(&self, wholes: &[Whole], differences: &[usize], also: Option<String>) -> ComparisonTable {
        let has_best_effort = wholes.iter().any(|whole| whole.best_effort.judged > 0);
        let row = |(run, w): (usize, &Whole)| {
            let base = (run > 0).then_some(&wholes[0]);
            let differs = match run.checked_sub(1).map(|run| differences[run]) {
                None => "–".to_owned(),
                Some(n) => instants(n, &format_count(n as u64)),
            };
            let mut cells = vec![cell(Some(w.missed), base.map(|base| Some(base.missed)), Measure::Count)];
            let late = base.map(|base| Some(base.best_effort.missed));
            cells.extend(has_best_effort.then(|| cell(Some(w.best_effort.missed), late, Measure::Count)));
            cells.push(cell(Some(w.last.ns()), base.map(|base| Some(base.last.ns())), Measure::Instant));
            cells.push(ComparedCell::Value(percent(w.thread_time, w.available), None));
            cells.push(ComparedCell::Value(differs, None));
            self.row(run, cells)
        };
        let rows = wholes.iter().enumerate().map(row).collect();
        let best_effort = has_best_effort.then_some("Best-effort jobs late");
        let rest = ["Last end", "Threads in use", "Differs at"];
        let columns = ["Run", "Real-time misses"].into_iter().chain(best_effort).chain(rest);
        table("Runs", &columns.collect::<Vec<_>>(), vec![RowGroup { head: None, rows }], also)
    }

    fn operations(&self, lines: &[OperationLine]) -> ComparisonTable {
        let is_of_many = lines.iter().any(|line| line.is_of_many);
        let columns = if is_of_many {
            ["Operation", "Run", "Complete", "First begins", "Last ends", "Mean response", "Mean wait"]
        } else {
            ["Operation", "Run", "Issued", "Begins", "Ends", "Response", "Waits"]
        };
        let group = |line: &OperationLine| {
            let cells = |life: Life, base| life_cells(&life, base, line.is_of_many);
            RowGroup { head: Some(GroupHead { name: line.name.clone(), row: line.row }), rows: self.rows(&line.runs, 5, cells) }
        };
        let more = hidden(lines.len()).map(|count| format!("And {count} more operations; the saved table has all."));
        table("Kernels and copies", &columns, lines.iter().take(MAX_LINES).map(group).collect(), more)
    }

    fn tasks(&self, lines: &[TaskLine]) -> ComparisonTable {
        let group = |line: &TaskLine| RowGroup {
            head: Some(GroupHead { name: line.name.clone(), row: None }),
            rows: self.rows(&line.runs, 4, |fate, base| fate_cells(&fate, base)),
        };
        let more = hidden(lines.len()).map(|count| format!("And {count} more tasks; the saved table has all."));
        table(
            "Tasks",
            &["Task", "Run", "Deadlines missed", "Largest response", "Mean response", "Jobs complete"],
            lines.iter().take(MAX_LINES).map(group).collect(),
            more,
        )
    }

    /// A line for each run; that of the run on screen is what the others are compared with.
    fn rows<T: Copy + PartialEq>(
        &self,
        runs: &[Option<T>],
        columns: u32,
        cells: impl Fn(T, Option<T>) -> Vec<ComparedCell>,
    ) -> Vec<RunRow> {
        let base = runs.first().copied().flatten();
        let row = |(run, of_run): (usize, &Option<T>)| {
            let cells = match *of_run {
                None => vec![ComparedCell::Words("not in this run".to_owned(), columns)],
                same if run > 0 && same == base => vec![ComparedCell::Words("the same".to_owned(), columns)],
                Some(of_run) => cells(of_run, base.filter(|_| run > 0)),
            };
            self.row(run, cells)
        };
        runs.iter().enumerate().map(row).collect()
    }
}

fn table(caption: &str, columns: &[&str], groups: Vec<RowGroup>, more: Option<String>) -> ComparisonTable {
    ComparisonTable { caption: caption.to_owned(), columns: columns.iter().map(|&column| column.to_owned()).collect(), groups, more }
}

/// What else differs where processes take turns in some runs and are one program in others.
fn also(scenarios: &[&Scenario]) -> Option<String> {
    let mut told: Vec<String> = scenarios.iter().filter_map(|scenario| one_program(scenario)).collect();
    told.dedup();
    let take_turns = scenarios.iter().any(|scenario| scenario.policy().kind.takes_turns());
    (take_turns && !told.is_empty()).then(|| told.join(" "))
}

/// How many of so many lines are left out, if some are.
fn hidden(lines: usize) -> Option<String> {
    let hidden = lines.saturating_sub(MAX_LINES);
    (hidden > 0).then(|| format_count(hidden as u64))
}

fn life_cells(life: &Life, base: Option<Life>, is_of_many: bool) -> Vec<ComparedCell> {
    let first = if is_of_many {
        ComparedCell::Value(complete_of(&format_count(life.completed), &format_count(life.count)), None)
    } else {
        cell(Some(life.issued.ns()), base.map(|b| Some(b.issued.ns())), Measure::Instant)
    };
    vec![
        first,
        cell(life.start.map(Time::ns), base.map(|b| b.start.map(Time::ns)), Measure::Instant),
        cell(life.end.map(Time::ns), base.map(|b| b.end.map(Time::ns)), Measure::Instant),
        cell(life.response, base.map(|b| b.response), Measure::Length),
        cell(life.waiting, base.map(|b| b.waiting), Measure::Length),
    ]
}

fn fate_cells(fate: &Fate, base: Option<Fate>) -> Vec<ComparedCell> {
    vec![
        match fate.judged {
            0 => ComparedCell::Words("none due".to_owned(), 1),
            _ => match cell(Some(fate.missed), base.map(|b| Some(b.missed)), Measure::Count) {
                ComparedCell::Value(count, change) if fate.class == Class::BestEffort => {
                    ComparedCell::Value(format!("{count} late (best effort)"), change)
                }
                cell => cell,
            },
        },
        cell(fate.worst, base.map(|b| b.worst), Measure::Length),
        cell(fate.mean, base.map(|b| b.mean), Measure::Length),
        ComparedCell::Value(complete_of(&format_count(fate.completed), &format_count(fate.released)), None),
    ]
}

/// A value, and how it differs from that of the run on screen.
fn cell(value: Option<u64>, base: Option<Option<u64>>, measure: Measure) -> ComparedCell {
    let write = |value: u64| match measure {
        Measure::Count => format_count(value),
        Measure::Instant | Measure::Length => format_time_short(value),
    };
    let both = value.zip(base.flatten()).filter(|(value, base)| value != base);
    ComparedCell::Value(value.map_or_else(|| "–".to_owned(), write), both.map(|(value, base)| change(base, value, measure)))
}

/// How much a value differs, and whether that is better.
fn change(base: u64, value: u64, measure: Measure) -> ValueChange {
    let is_better = value < base;
    let by = value.abs_diff(base);
    let text = match (measure, is_better) {
        (Measure::Instant, true) => format!("−{}, earlier", format_time(by)),
        (Measure::Instant, false) => later(&format_time(by)),
        (Measure::Length, true) => format!("−{}, shorter", format_time(by)),
        (Measure::Length, false) => format!("+{}, longer", format_time(by)),
        (Measure::Count, true) => format!("−{}, fewer", format_count(by)),
        (Measure::Count, false) => format!("+{}, more", format_count(by)),
    };
    ValueChange { text, is_better }
}

pub(super) fn instants(count: usize, written: &str) -> String {
    match count {
        0 => "no instant".to_owned(),
        1 => "1 instant".to_owned(),
        _ => format!("{written} instants"),
    }
}

fn complete_of(complete: &str, all: &str) -> String {
    format!("{complete} of {all}")
}

fn later(by: &str) -> String {
    format!("+{by}, later")
}
