//! The report on a table, as JSON.
//!
//! Depends on `report` and `format`. Invariant: sentences are those that the command line prints.

use blockstep_format::{ScenarioFile, layout};
use serde::Serialize;

use super::numbers::Resident;
use super::repair::{Repair, Way};
use super::report::{ASSUMED, Report};
use super::search::{Found, Hang};
use super::witness::Arrival;

#[derive(Serialize)]
struct ReportFile<'r> {
    version: u8,
    name: &'r str,
    /// `hangs`; `clean` if no order hangs; `open` if that is not known.
    verdict: &'static str,
    /// How many orders of launches the table allows; null if they are too many to be counted.
    orders: Option<u64>,
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hang: Option<HangRow<'r>>,
    /// The smallest table that hangs, if one is smaller.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<HangRow<'r>>,
    repairs: Vec<RepairRow<'r>>,
    residents: Vec<ResidentRow<'r>>,
    assumed: String,
}

#[derive(Serialize)]
struct HangRow<'r> {
    /// Rows that are not there.
    without: Vec<&'r str>,
    arrivals: Vec<ArrivalRow<'r>>,
    /// Who waits for whom in the end.
    circle: Option<String>,
    /// A scenario that hangs when it is run; null where no times lead there.
    scenario: Option<ScenarioFile<'r>>,
}

#[derive(Serialize)]
struct ArrivalRow<'r> {
    /// `launch`, `end` of blocks, or `copy_end`.
    what: &'static str,
    row: &'r str,
    /// Blocks that end.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<u64>,
    text: String,
}

#[derive(Serialize)]
struct RepairRow<'r> {
    /// `blocks`, `first`, `cooperative` or `one_stream`.
    what: &'static str,
    rows: Vec<&'r str>,
    /// The most blocks with which no order hangs.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<u64>,
    text: String,
    /// The changed table; null where the program has to ensure an order.
    scenario: Option<ScenarioFile<'r>>,
}

#[derive(Serialize)]
struct ResidentRow<'r> {
    row: &'r str,
    blocks: u64,
    /// Blocks that the idle device holds, and the same as CUDA counts.
    device_holds: u64,
    cuda_counts: u64,
    limited_by: &'static str,
    beside: Vec<BesideRow<'r>>,
}

#[derive(Serialize)]
struct BesideRow<'r> {
    row: &'r str,
    /// Its blocks, which came first.
    blocks: u64,
    /// Blocks of this kernel that find room then.
    resident: u64,
}

impl Report {
    /// The report as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let hang = self.hang();
        layout::file(ReportFile {
            version: 1,
            name: &self.name,
            verdict: match &self.answer.found {
                Found::Hang(_) => "hangs",
                Found::None => "clean",
                Found::Open => "open",
            },
            orders: self.answer.orders.and_then(|orders| u64::try_from(orders).ok()),
            states: self.answer.states,
            hang: hang.map(|hang| self.hang_row(hang)),
            smallest: self.smallest.as_ref().map(|hang| self.hang_row(hang)),
            repairs: self.repairs.iter().map(repair_row).collect(),
            residents: self.residents.iter().map(resident_row).collect(),
            assumed: ASSUMED.replace('\n', " "),
        })
        .to_string()
    }

    fn hang_row<'r>(&'r self, hang: &'r Hang) -> HangRow<'r> {
        HangRow {
            without: self.without(hang),
            arrivals: hang.witness.arrivals.iter().map(arrival_row).collect(),
            circle: hang.circle(),
            scenario: hang.witness.table.as_ref().map(ScenarioFile::from_draft),
        }
    }
}

fn arrival_row(arrival: &Arrival) -> ArrivalRow<'_> {
    let (what, row, blocks) = match arrival {
        Arrival::Call(row) => ("launch", row, None),
        Arrival::Ends(row, blocks) => ("end", row, Some(*blocks)),
        Arrival::CopyEnds(row) => ("copy_end", row, None),
    };
    ArrivalRow { what, row, blocks, text: arrival.sentence() }
}

fn repair_row(repair: &Repair) -> RepairRow<'_> {
    let (what, rows, blocks) = match &repair.way {
        Way::Blocks { row, most } => ("blocks", vec![row.as_str()], Some(*most)),
        Way::First { row } => ("first", vec![row.as_str()], None),
        Way::Cooperative { rows } => ("cooperative", rows.iter().map(String::as_str).collect(), None),
        Way::OneStream => ("one_stream", Vec::new(), None),
    };
    let is_table = !matches!(repair.way, Way::First { .. });
    let scenario = is_table.then(|| ScenarioFile::from_draft(&repair.draft));
    RepairRow { what, rows, blocks, text: repair.way.sentence(), scenario }
}

fn resident_row(resident: &Resident) -> ResidentRow<'_> {
    ResidentRow {
        row: &resident.row,
        blocks: resident.blocks,
        device_holds: resident.exactly,
        cuda_counts: resident.rounded,
        limited_by: resident.short.word(),
        beside: resident.beside.iter().map(|beside| BesideRow { row: &beside.row, blocks: beside.theirs, resident: beside.ours }).collect(),
    }
}
