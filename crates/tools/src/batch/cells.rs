//! Cells of a spreadsheet that are pasted into the table of tasks, and what they would come to.
//!
//! Invariant: cells change nothing before they are taken.

use super::problem::{ProblemPlace, WorkloadProblem};
use super::state::{Setup, State, Waiting};
use super::table::{COLUMNS, LATENCY, THROUGHPUT, TaskColumn, TypedRow};
use crate::pasted::{PasteError, PastedText};
use blockstep_sim::scenario::doubts;
use blockstep_view::document::{PasteChoice, PasteChoices, Pasted, PreviewTable, new_names};
use blockstep_view::panels::GridCell;

/// Has pasted cells wait until they are taken.
///
/// # Errors
/// Why they are not even read.
pub(super) fn paste(state: &mut State, row: usize, column: TaskColumn, text: String) -> Result<(), PasteError> {
    let PastedText { cells: text, is_of_semicolons } = PastedText::new(&COLUMNS[column as usize], text)?;
    state.waiting = Some(Waiting { row, column, text, is_of_semicolons, choices: PasteChoices::default() });
    Ok(())
}

/// Has the cells that wait read as the reader chooses.
pub(super) fn choose(state: &mut State, choice: PasteChoice) {
    if let Some(waiting) = &mut state.waiting {
        let mut choices = waiting.choices.clone();
        choices.make(choice, &waiting.read());
        waiting.choices = choices;
    }
}

/// Takes the cells that wait; what became of them, if some did.
pub(super) fn take(state: &mut State) -> Option<String> {
    let waiting = state.waiting.take()?;
    let before = rows_before(state, &waiting);
    let left_out = state.paste(&waiting);
    Some(format!("Pasted {}", pasted(state, &waiting, before, left_out).1))
}

/// What the cells that wait would come to.
pub(super) fn preview(state: &State) -> Option<PreviewTable> {
    let waiting = state.waiting.as_ref()?;
    let mut after = State::default();
    *after.setup_mut() = state.setup().clone();
    let left_out = after.paste(waiting);
    let (sheet, setup) = (waiting.read(), after.setup());
    let wrong = setup.workload().err().unwrap_or_default();
    let doubts = doubts_of(setup, &wrong);
    let cell = |row: usize, column: usize| {
        let cell = grid_cell(&setup.rows[row], row, TaskColumn::ALL[column], &wrong, &doubts);
        (cell.text, cell.problem.map(|(message, _)| message))
    };
    let first = waiting.first_row();
    let last = first.saturating_add(sheet.lines.len()).min(setup.rows.len());
    let replaces = waiting.choices.replaces(&sheet);
    let before = rows_before(state, waiting);
    let new: Vec<String> = setup.rows.iter().skip(before).map(|row| row.name.clone()).collect();
    let (pasted, told) = pasted(&after, waiting, before, left_out);
    let cells = PreviewTable::new(COLUMNS, &sheet, (first..last, !pasted.missing.is_empty()), cell);
    let cells = cells.with_problems(wrong.iter().map(|problem| problem.sentence(setup)));
    Some(PreviewTable { told, replaces, made: new_names("task", &new).into_iter().collect(), ..cells })
}

/// How many rows stay where they are.
fn rows_before(state: &State, waiting: &Waiting) -> usize {
    if waiting.choices.replaces(&waiting.read()) { 0 } else { state.setup().rows.len() }
}

/// What became of cells, and that in words.
fn pasted(state: &State, waiting: &Waiting, before: usize, left_out: Option<String>) -> (Pasted, String) {
    let sheet = waiting.read();
    let (first, rows) = (waiting.first_row(), state.setup().rows.len());
    let filled = sheet.lines.len().min(rows.saturating_sub(first));
    // Rows that were added have nothing but the cells.
    let is_adding = rows > before;
    let missing = if is_adding { sheet.missing(COLUMNS).into_iter().map(|column| COLUMNS[column].title).collect() } else { Vec::new() };
    let pasted = Pasted { rows: filled, missing, ..sheet.pasted(0) };
    let told = std::iter::once(pasted.told()).chain(left_out).collect::<Vec<_>>().join(" ");
    (pasted, told)
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
