//! Headings of columns: what tools and people write, and the unit behind it.
//!
//! Depends on `table` and `quantity`. Invariant: what a heading does not say is not guessed.

use crate::quantity;
use crate::table::{Column, ColumnKind};

/// Other names of columns: field, and what tools and people write for it, in small letters and digits alone. Those of CUDA are
/// the fields of its launches (`gridDim`, `blockDim`) and the columns of NVIDIA's profilers.
const ALIASES: &[(&str, &[&str])] = &[
    ("name", &["kernelname", "id"]),
    ("task", &["cputask", "thread", "tid"]),
    ("stream", &["streamid", "cudastream", "strm", "strmid"]),
    ("start_ns", &["launch", "starttime", "launchtime", "release", "releasetime", "arrival"]),
    ("offset_ns", &["releasetime", "firstrelease", "phase", "arrival"]),
    ("blocks", &["grid", "griddim", "gridsize", "gridxyz", "numblocks", "threadblocks", "blockcount"]),
    ("threads_per_block", &["block", "blockdim", "blockxyz", "threadsperblock", "threadsblock", "blocksize", "numthreads", "threadcount"]),
    ("block_time_ns", &["time", "duration", "blocktime", "executiontime"]),
    ("shared_memory_bytes", &["shared", "sharedmem", "sharedmembytes", "smem", "dynamicsharedmemory"]),
    ("registers_per_thread", &["regs", "regtrd", "registersperthread"]),
    ("copy_in_bytes", &["h2d", "input", "inputcopy", "hosttodevice"]),
    ("copy_out_bytes", &["d2h", "output", "outputcopy", "devicetohost"]),
];

/// The column that a heading names: `Start (ms)`, `start_ns`, `Shared memory [KiB]`, `blockDim`.
pub(super) fn column_of(columns: &[Column], head: &str) -> Option<usize> {
    let name = plain(split(head).0);
    let is_it = |column: &Column| {
        let field = column.field.trim_end_matches("_ns").trim_end_matches("_bytes");
        [plain(column.title), plain(field), plain(column.field)].contains(&name)
    };
    let is_alias = |column: &Column| ALIASES.iter().any(|(field, others)| *field == column.field && others.contains(&&*name));
    columns.iter().position(is_it).or_else(|| columns.iter().position(is_alias))
}

/// The column whose cells these are, of a column that their heading names: a task's `release` is how it releases jobs, unless times
/// stand below, as in the task sets of papers. Then it is when it releases the first.
pub(super) fn column_of_cells<'c>(columns: &[Column], named: usize, cells: impl Iterator<Item = &'c str>) -> usize {
    let mut cells = cells.filter(|cell| !cell.is_empty()).peekable();
    let are_times = columns[named].field == "release" && cells.peek().is_some() && cells.all(begins_number);
    let offset = columns.iter().position(|column| column.field == "offset_ns");
    offset.filter(|_| are_times).unwrap_or(named)
}

/// Whether a cell is a number, perhaps with a unit.
pub(super) fn begins_number(cell: &str) -> bool {
    cell.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit())
}

/// The unit that a heading gives, as cells are typed with it, if a column of this kind has such units.
pub(super) fn unit_of(kind: ColumnKind, head: &str) -> Option<&str> {
    let unit_kind = match kind {
        ColumnKind::Quantity(unit) => unit,
        ColumnKind::Times => quantity::Unit::Time,
        _ => return None,
    };
    let unit = split(head).1.filter(|unit| !unit.is_empty())?;
    let unit = if unit == "bytes" { "B" } else { unit };
    quantity::parse(unit_kind, &format!("1 {unit}")).is_ok().then_some(unit)
}

/// A heading without its unit, and the unit.
fn split(head: &str) -> (&str, Option<&str>) {
    match head.split_once(['(', '[']) {
        Some((name, unit)) => (name, Some(unit.trim_end_matches([')', ']']).trim())),
        None => match head.rsplit_once(['_', ' ']) {
            Some((name, unit @ ("ns" | "us" | "µs" | "ms" | "s" | "bytes" | "KB" | "KiB" | "MB" | "MiB"))) => (name, Some(unit)),
            _ => (head, None),
        },
    }
}

/// Small letters and digits alone.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
