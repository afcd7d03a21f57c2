//! What is shown of the workload: its table, its costs, and what is wrong with them.
//!
//! Invariant: what was typed is shown as it was typed.

use serde::{Deserialize, Serialize};

use super::cells::{doubts_of, grid_cell, preview};
use super::choices::{Choices, Problems};
use super::problem::ProblemPlace;
use super::state::{Section, State};
use super::table::TaskColumn;
use blockstep_batch::task::MAX_TASKS;
use blockstep_view::document::PreviewTable;
use blockstep_view::panels::GridRow;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadView {
    /// What can be chosen; of it only the workload.
    pub choices: Choices,
    /// Whether a workload is shown to begin from, as the paper's example is none.
    pub is_tables: bool,
    pub problems: Problems,
    pub name: TypedCell,
    /// Until when inputs arrive.
    pub until: TypedCell,
    /// Tasks, each with a cell for every [`TaskColumn`].
    pub rows: Vec<GridRow>,
    /// What the cells that wait would come to, if some do.
    pub preview: Option<PreviewTable>,
    pub can_add: bool,
    pub are_costs_open: bool,
    /// The costs, in their order.
    pub costs: Vec<TypedCell>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedCell {
    pub text: String,
    pub is_wrong: bool,
}

impl WorkloadView {
    pub(super) fn new(state: &State) -> Self {
        let setup = state.setup();
        let wrong = setup.workload().err().unwrap_or_default();
        let doubts = doubts_of(setup, &wrong);
        let cell = |text: &str, place: ProblemPlace| TypedCell { text: text.to_owned(), is_wrong: wrong.iter().any(|p| p.place == place) };
        let row = |row: usize| GridRow {
            row,
            name: setup.rows[row].name.clone(),
            colour: None,
            is_selected: false,
            cells: TaskColumn::ALL.map(|column| grid_cell(&setup.rows[row], row, column, &wrong, &doubts)).into(),
        };
        Self {
            choices: Choices::new(state),
            is_tables: setup.is_tables(),
            problems: Problems::new(setup, &wrong),
            name: TypedCell { text: setup.name.clone(), is_wrong: false },
            until: cell(&setup.until, ProblemPlace::Until),
            rows: (0..setup.rows.len()).map(row).collect(),
            preview: preview(state),
            can_add: setup.rows.len() < MAX_TASKS,
            are_costs_open: setup.is_open(Section::Costs),
            costs: setup.costs.iter().enumerate().map(|(i, text)| cell(text, ProblemPlace::Cost(i))).collect(),
        }
    }
}
