//! The texts of the tables: kernels, tasks, processes, streams. Depends on which tables there are. Columns bring
//! their own titles.

use crate::view::quantity::format_count;
use crate::view::table::Table;

pub(crate) const KERNELS: &str = "Kernels";
pub(crate) const KERNELS_HELP: &str = "Edit any cell; the run updates at once. You can paste cells from a spreadsheet.";
pub(crate) const TASKS: &str = "CPU tasks";
pub(crate) const TASKS_HELP: &str = "A task releases jobs; each job launches the task's kernels.";
pub(crate) const PROCESSES: &str = "Processes";

/// `told`: how many cells, and where they went.
pub(crate) fn pasted(told: &str) -> String {
    format!("Pasted {told}")
}

// Under a table.

pub(crate) const fn add(table: Table) -> &'static str {
    match table {
        Table::Kernels => "Add kernel",
        Table::Tasks => "Add task",
        Table::Processes => "Add process",
    }
}

pub(crate) const FEWER_COLUMNS: &str = "Fewer columns";
pub(crate) const ALL_COLUMNS: &str = "All columns";

/// For screen readers.
pub(crate) const fn fewer_columns_of(table: Table) -> &'static str {
    match table {
        Table::Kernels => "Fewer columns of the kernel table",
        Table::Tasks => "Fewer columns of the task table",
        Table::Processes => "Fewer columns of the process table",
    }
}

/// For screen readers.
pub(crate) const fn all_columns_of(table: Table) -> &'static str {
    match table {
        Table::Kernels => "All columns of the kernel table",
        Table::Tasks => "All columns of the task table",
        Table::Processes => "All columns of the process table",
    }
}

pub(crate) fn rows(count: u64) -> String {
    format!("{} rows", format_count(count))
}

// Streams.

pub(crate) const STREAMS: &str = "Streams";
pub(crate) const STREAM: &str = "Stream";
pub(crate) const PRIORITY: &str = "Priority";
pub(crate) const BESIDE_NULL: &str = "NULL stream";
pub(crate) const BESIDE_NULL_HELP: &str =
    "blocking: it waits for the NULL stream, and the NULL stream for it (N1, N2); non-blocking: neither";
pub(crate) const BLOCKING: &str = "blocking";
pub(crate) const NON_BLOCKING: &str = "non-blocking";
pub(crate) const REMOVE: &str = "Remove";

pub(crate) fn priority_of(stream: &str) -> String {
    format!("Priority of stream {stream}")
}

pub(crate) fn beside_null_of(stream: &str) -> String {
    format!("Whether stream {stream} is blocking")
}
