//! What is wrong with a workload, in the words and units of its table.
//!
//! Invariant: a message names the task, the field, what stands there and the limit.

use super::COSTS;
use super::state::Setup;
use super::table::TaskColumn;
use blockstep_batch::task::{self, Wrong};
use blockstep_sim::scenario::too_long;
use blockstep_sim::units::written::said_of;
use blockstep_view::quantity::{format_bytes, format_count, format_time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProblemPlace {
    Name,
    /// A cell of the table: row and column.
    Cell(usize, TaskColumn),
    /// Until when inputs arrive.
    Until,
    Cost(usize),
    Tasks,
}

/// Something wrong with what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkloadProblem {
    pub(super) place: ProblemPlace,
    pub(super) message: String,
}

impl WorkloadProblem {
    pub(super) const fn in_cell(row: usize, column: TaskColumn, message: String) -> Self {
        Self { place: ProblemPlace::Cell(row, column), message }
    }

    pub(super) const fn of_name(message: String) -> Self {
        Self { place: ProblemPlace::Name, message }
    }

    pub(super) const fn of_until(message: String) -> Self {
        Self { place: ProblemPlace::Until, message }
    }

    pub(super) const fn of_cost(place: usize, message: String) -> Self {
        Self { place: ProblemPlace::Cost(place), message }
    }

    /// Of a workload's own check.
    pub(super) fn from_check(problem: task::Problem) -> Self {
        let path = problem.path.as_str();
        let in_task = path.strip_prefix("tasks[").and_then(|rest| rest.split_once("]."));
        let field = in_task.map_or(path, |(_, field)| field.split('[').next().unwrap_or(field));
        let message = words(&problem.wrong, field).unwrap_or_else(|| problem.message.clone());
        let place = match in_task.and_then(|(row, _)| row.parse().ok()) {
            Some(row) => ProblemPlace::Cell(row, TaskColumn::of_field(field)),
            None if path == "until_ns" => ProblemPlace::Until,
            None => ProblemPlace::Tasks,
        };
        Self { place, message }
    }

    pub(super) fn sentence(&self, setup: &Setup) -> String {
        let message = &self.message;
        match self.place {
            ProblemPlace::Cell(row, column) => {
                let name = setup.rows.get(row).map(|row| row.name.as_str()).filter(|name| too_long(name).is_none()).unwrap_or_default();
                wrong_cell(row + 1, name, column.title(), message)
            }
            ProblemPlace::Name => said_of_field(super::NAME_OF_WORKLOAD, message),
            ProblemPlace::Until => said_of_field("Inputs until", message),
            ProblemPlace::Cost(place) => said_of_field(COSTS[place], message),
            ProblemPlace::Tasks => said_of_field("The tasks", message),
        }
    }
}

/// What is wrong with a field, where the table has other words for it than a file.
fn words(wrong: &Wrong, field: &str) -> Option<String> {
    let quantity = |value: u64| match field.rsplit_once('_') {
        Some((_, "ns")) => format_time(value),
        Some((_, "bytes")) => format_bytes(value),
        _ => format_count(value),
    };
    Some(match wrong {
        Wrong::Limits { value, least, most } => {
            format!("is {}; it must lie between {} and {}", quantity(*value), quantity(*least), quantity(*most))
        }
        Wrong::NoCopy => "is 0; give a time, such as 1 ms, or a size, such as 6 MB".to_owned(),
        Wrong::NameOf(place) => format!("is also the name of task {}", place + 1),
        Wrong::NoInput(until) => format!("is {}, before the first input arrives", format_time(*until)),
        Wrong::Interval { name, theirs, own } => {
            format!("is \"{name}\", whose inputs arrive every {}; this task's arrive every {}", format_time(*theirs), format_time(*own))
        }
        Wrong::FewerInputs(name) => format!("is \"{name}\", which has fewer inputs than this task"),
        Wrong::Other => return None,
    })
}

fn wrong_cell(task: usize, name: &str, column: &str, message: &str) -> String {
    let row = if name.is_empty() { format!("task {task}") } else { format!("task {task} ({name})") };
    said_of(&format!("\"{column}\" of {row}"), message)
}

fn said_of_field(place: &str, message: &str) -> String {
    said_of(place, message)
}
