//! The built-in devices as tables, with the numbers that a run goes by.
//!
//! Depends on `scenario::device`. Invariant: names and units of columns are those of a device in a scenario file.

use std::iter::once;

use super::cell::csv_cell;
use super::layout;
use blockstep_sim::scenario::device::{BUILT_IN, LIMITS};
use blockstep_sim::scenario::{BuiltIn, Choice};
use serde::{Serialize, Serializer};

#[derive(Serialize)]
#[serde(untagged)]
enum Cell {
    Text(String),
    Number(u64),
}

impl Cell {
    fn as_text(&self) -> String {
        match self {
            Self::Text(text) => csv_cell(text).to_string(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A device by its columns, with their names.
struct Row(Vec<(&'static str, Cell)>);

impl Row {
    fn new(built_in: &BuiltIn) -> Self {
        let text = |name, text: &str| (name, Cell::Text(text.to_owned()));
        let (device, (major, minor)) = (built_in.device(), built_in.limits.capability);
        let begin = [
            text("id", built_in.id),
            text("name", built_in.name),
            text("compute_capability", &format!("{major}.{minor}")),
            text("evidence", built_in.evidence.word()),
            text("preemption", built_in.preemption.word()),
        ];
        let limits = LIMITS.iter().map(|limit| (limit.field, (limit.get)(&device)));
        let numbers = limits.chain(once(("warps_per_sm", built_in.limits.warps()))).map(|(name, number)| (name, Cell::Number(number)));
        Self(begin.into_iter().chain(numbers).collect())
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, cell)| (name, cell)))
    }
}

#[derive(Serialize)]
struct DevicesFile {
    version: u8,
    devices: Vec<Row>,
}

/// All built-in devices as JSON; sizes in bytes, bandwidths in bytes a second.
#[must_use]
pub fn write_devices_json() -> String {
    layout::file(DevicesFile { version: 1, devices: BUILT_IN.iter().map(Row::new).collect() }).to_string()
}

/// The same as a table, a row for each.
#[must_use]
pub fn write_devices_csv() -> String {
    let rows: Vec<Row> = BUILT_IN.iter().map(Row::new).collect();
    let head: Vec<String> = rows.iter().take(1).flat_map(|row| row.0.iter().map(|(name, _)| (*name).to_owned())).collect();
    let cells = rows.iter().map(|row| row.0.iter().map(|(_, cell)| cell.as_text()).collect());
    once(head).chain(cells).map(|cells: Vec<String>| cells.join(",") + "\n").collect()
}
