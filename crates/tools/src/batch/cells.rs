//! Cells of a spreadsheet that are pasted into the table of tasks, and what they would come to.
//!
//! Invariant: cells change nothing before they are taken.

use super::problem::{ProblemPlace, WorkloadProblem};
use super::state::{Setup, State};
use super::table::{COLUMNS, LATENCY, THROUGHPUT, TaskColumn, TypedRow};
use crate::pasted::{PasteError, PastedText};
use blockstep_sim::scenario::doubts;
use blockstep_view::document::{PasteChoice, Pasted, PastedCells, PreviewTable, WaitingCells, new_names};
use blockstep_view::panels::GridCell;

/// Has pasted cells wait until they are taken.
///
/// # Errors
/// Why they are not even read.
pub(super) fn paste(state: &mut State, row: usize, column: TaskColumn, text: String) -> Result<(), PasteError> {
    let PastedText { cells: text, is_of_semicolons } = PastedText::new(&COLUMNS[column as usize], text)?;
    // There is nothing to ask about.
    if text.is_empty() {
        return Ok(());
    }
    state.waiting = Some(WaitingCells { row, column: column as usize, text, is_of_semicolons, ..WaitingCells::default() });
    Ok(())
}

/// Has the cells that wait read as the reader chooses.
pub(super) fn choose(state: &mut State, choice: PasteChoice) {
    if let Some(waiting) = &mut state.waiting {
        waiting.choose(COLUMNS, choice);
    }
}

/// Where cells go, as they are read.
struct Target {
    /// The row that the first of them fills.
    first: usize,
    /// How many rows stay where they are.
    before: usize,
    replaces: bool,
}

impl Target {
    fn new(state: &State, waiting: &WaitingCells, sheet: &PastedCells<'_>) -> Self {
        match waiting.choices.replaces(sheet) {
            true => Self { first: 0, before: 0, replaces: true },
            false => Self { first: waiting.row, before: state.setup().rows.len(), replaces: false },
        }
    }
}

/// Takes the cells that wait; what became of them, if some did.
pub(super) fn take(state: &mut State) -> Option<String> {
    let waiting = state.waiting.take()?;
    let sheet = waiting.read(COLUMNS);
    let target = Target::new(state, &waiting, &sheet);
    let left_out = state.paste(&sheet, target.first, target.replaces);
    Some(format!("Pasted {}", pasted(state, &sheet, &target, left_out).1))
}

/// What the cells that wait would come to.
pub(super) fn preview(state: &State) -> Option<PreviewTable> {
    let waiting = state.waiting.as_ref()?;
    let sheet = waiting.read(COLUMNS);
    let target = Target::new(state, waiting, &sheet);
    let mut after = State::default();
    *after.setup_mut() = state.setup().clone();
    let left_out = after.paste(&sheet, target.first, target.replaces);
    let setup = after.setup();
    let wrong = setup.workload().err().unwrap_or_default();
    let doubts = doubts_of(setup, &wrong);
    let cell = |row: usize, column: usize| {
        let cell = grid_cell(&setup.rows[row], row, TaskColumn::ALL[column], &wrong, &doubts);
        (cell.text, cell.problem.map(|(message, _)| message))
    };
    let last = target.first.saturating_add(sheet.lines.len()).min(setup.rows.len());
    let new: Vec<String> = setup.rows.iter().skip(target.before).map(|row| row.name.clone()).collect();
    let (pasted, told) = pasted(&after, &sheet, &target, left_out);
    let cells = PreviewTable::new(COLUMNS, &sheet, (target.first..last, !pasted.missing.is_empty()), cell);
    let cells = cells.with_problems(wrong.iter().map(|problem| problem.sentence(setup)));
    Some(PreviewTable { told, replaces: target.replaces, made: new_names("task", &new).into_iter().collect(), ..cells })
}

/// What became of cells, and that in words.
fn pasted(state: &State, sheet: &PastedCells<'_>, target: &Target, left_out: Option<String>) -> (Pasted, String) {
    let rows = state.setup().rows.len();
    let filled = sheet.lines.len().min(rows.saturating_sub(target.first));
    // Rows that were added have nothing but the cells.
    let is_adding = rows > target.before;
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
