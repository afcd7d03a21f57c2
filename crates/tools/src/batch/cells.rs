//! Cells of a spreadsheet that are pasted into the table of tasks, and what they would come to.
//!
//! Invariant: cells with headings change nothing before they are taken.

use super::problem::{ProblemPlace, WorkloadProblem};
use super::state::{Setup, State, Waiting};
use super::table::{COLUMNS, LATENCY, THROUGHPUT, TaskColumn, TypedRow};
use blockstep_sim::scenario::doubts;
use blockstep_view::document::{Pasted, PastedCells, PreviewTable, new_names};
use blockstep_view::panels::GridCell;

/// Pastes cells, or has them wait if headings say where they go, as that is shown before; what is to be said.
pub(super) fn paste(state: &mut State, cells: Waiting) -> Option<String> {
    if PastedCells::new(COLUMNS, cells.column as usize, &cells.text).has_headings() {
        state.waiting = Some(cells);
        return None;
    }
    state.paste(cells.row, cells.column, &cells.text)
}

/// Takes the cells that wait; what became of them, if some did.
pub(super) fn take(state: &mut State) -> Option<String> {
    let Waiting { row, column, text } = state.waiting.take()?;
    let left_out = state.paste(row, column, &text);
    Some(format!("Pasted {}", told(state, row, &PastedCells::new(COLUMNS, column as usize, &text), left_out)))
}

/// What the cells that wait would come to.
pub(super) fn preview(state: &State) -> Option<PreviewTable> {
    let Waiting { row, column, text } = state.waiting.as_ref()?;
    let mut after = State::default();
    *after.setup_mut() = state.setup().clone();
    let left_out = after.paste(*row, *column, text);
    let (sheet, setup) = (PastedCells::new(COLUMNS, *column as usize, text), after.setup());
    let wrong = setup.workload().err().unwrap_or_default();
    let doubts = doubts_of(setup, &wrong);
    let cell = |row: usize, column: usize| {
        let cell = grid_cell(&setup.rows[row], row, TaskColumn::ALL[column], &wrong, &doubts);
        (cell.text, cell.problem.map(|(message, _)| message))
    };
    let last = row.saturating_add(sheet.lines.len()).min(setup.rows.len());
    let new: Vec<String> = setup.rows.iter().skip(state.setup().rows.len()).map(|row| row.name.clone()).collect();
    let cells = PreviewTable::new(COLUMNS, &sheet, (*row..last, false), cell);
    let cells = cells.with_problems(wrong.iter().map(|problem| problem.sentence(setup)));
    Some(PreviewTable { told: told(&after, *row, &sheet, left_out), made: new_names("task", &new).into_iter().collect(), ..cells })
}

fn told(state: &State, row: usize, sheet: &PastedCells<'_>, left_out: Option<String>) -> String {
    let rows = sheet.lines.len().min(state.setup().rows.len().saturating_sub(row));
    let pasted = Pasted { rows, ..sheet.pasted(0) };
    std::iter::once(pasted.told()).chain(left_out).collect::<Vec<_>>().join(" ")
}

/// The tasks of a workload whose names look like another's or hold what cannot be seen, with what is to be said of them; none
/// while something is wrong.
pub(super) fn doubts_of(setup: &Setup, wrong: &[WorkloadProblem]) -> Vec<(usize, String)> {
    if wrong.is_empty() { doubts(setup.rows.iter().map(|row| (0, &*row.name))).collect() } else { Vec::new() }
}

/// A cell of the table, with what is wrong with it, or doubtful.
pub(super) fn grid_cell(of: &TypedRow, row: usize, column: TaskColumn, wrong: &[WorkloadProblem], doubts: &[(usize, String)]) -> GridCell {
    let kinds = || [LATENCY, THROUGHPUT].map(|kind| (kind.to_owned(), kind.to_owned())).into();
    let text = match column {
        TaskColumn::Kind if of.kind != THROUGHPUT => LATENCY,
        column => of.cell(column),
    };
    let place = ProblemPlace::Cell(row, column);
    let doubt = doubts.iter().find(|(doubtful, _)| column == TaskColumn::Name && *doubtful == row).map(|(_, why)| (why.clone(), false));
    GridCell {
        text: text.to_owned(),
        label: format!("{}, task {}", column.title(), row + 1),
        choices: (column == TaskColumn::Kind).then(kinds),
        problem: wrong.iter().find(|problem| problem.place == place).map(|problem| (problem.message.clone(), true)).or(doubt),
    }
}
