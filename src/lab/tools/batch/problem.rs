//! What is wrong with a workload, in the words and units of its table.
//!
//! Depends on `batch`, `view` and `table`. Invariant: a message names the task, the field, what stands
//! there and the limit.

use super::model::Model;
use super::table::{COLUMNS, COSTS};
use crate::batch::arch::Costs;
use crate::batch::task::{self, Wrong};
use crate::view::quantity::{format_bytes, format_count, format_time};

/// Something wrong with what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) row: Option<usize>,
    /// The column, or the name of another field.
    pub(super) column: &'static str,
    pub(super) message: String,
}

impl Problem {
    /// Of a workload's own check.
    pub(super) fn of(problem: task::Problem) -> Self {
        let path = problem.path.as_str();
        let in_task = path.strip_prefix("tasks[").and_then(|rest| rest.split_once("]."));
        let field = in_task.map_or(path, |(_, field)| field.split('[').next().unwrap_or(field));
        let message = words(&problem.wrong, field).unwrap_or_else(|| problem.message.clone());
        let Some((row, _)) = in_task else {
            return Self { row: None, column: if path == "until_ns" { "until" } else { "tasks" }, message };
        };
        let column = COLUMNS.iter().find(|column| column.fields.contains(&field)).map_or("name", |column| column.word);
        Self { row: row.parse().ok(), column, message }
    }

    /// For readers.
    pub(super) fn says(&self, model: &Model) -> String {
        let title = COLUMNS.iter().find(|column| column.word == self.column).map(|column| column.title);
        let cost = || Costs::FIELDS.iter().zip(COSTS).find(|((name, ..), _)| *name == self.column).map(|(_, title)| title);
        let field = title.or_else(cost).unwrap_or(if self.column == "until" { "Inputs until" } else { "The tasks" });
        match self.row {
            Some(row) => {
                let name = model.rows.get(row).map_or("", |row| row.cell("name"));
                let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
                format!("Task {}{name}, {field}: {}", row + 1, self.message)
            }
            None => format!("{field}: {}", self.message),
        }
    }

    pub(super) fn is_at(&self, row: Option<usize>, column: &str) -> bool {
        self.row == row && self.column == column
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
        Wrong::NoCopy => "is 0; a copy takes a time, such as 1 ms, or has a size, such as 6 MB".to_owned(),
        Wrong::NameOf(place) => format!("is also the name of task {}", place + 1),
        Wrong::NoInput(until) => format!("is {}, before the first input arrives", format_time(*until)),
        Wrong::Interval { name, theirs, own } => {
            let (theirs, own) = (format_time(*theirs), format_time(*own));
            format!("is \"{name}\", whose inputs come every {theirs} and not every {own} as this task's")
        }
        Wrong::FewerInputs(name) => format!("is \"{name}\", which has fewer inputs than this task until the inputs end"),
        Wrong::Other => return None,
    })
}
