//! What an edit changed, in a few words: `blocks of K1 from 6 to 4`.
//!
//! Depends on the tables. Invariant: it is told from the two documents alone, whoever made the edit.

use std::collections::{BTreeMap, BTreeSet};

use super::Document;
use crate::table::{Column, ColumnKind, Table};
use blockstep_sim::language::{counted, within_sentence};
use blockstep_sim::policy;
use blockstep_sim::scenario::DeviceDraft;
use blockstep_sim::scenario::device::BuiltIn;

/// Letters of a text that is told.
const MOST_LETTERS: usize = 24;

impl Document {
    /// What differs from the document before it; of much, how much.
    #[must_use]
    pub fn change_since(&self, before: &Self) -> String {
        let rows = |of: &Self| -> BTreeMap<(Table, u32), usize> {
            let listed =
                Table::ALL.into_iter().flat_map(|table| of.ids(table).into_iter().enumerate().map(move |(row, id)| ((table, id), row)));
            listed.collect()
        };
        let (was, is) = (rows(before), rows(self));
        let of_both: Vec<(Table, usize, usize)> =
            is.iter().filter_map(|(&key, &row)| was.get(&key).map(|&old| (key.0, old, row))).collect();
        let cells: Vec<(Table, usize, usize, usize)> =
            of_both.iter().flat_map(|&(table, old, row)| self.cells_since(before, table, old, row)).collect();
        let is_other =
            self.rest.name != before.rest.name && (self.rest.device != before.rest.device || cells.len() > 1 || was.len() != is.len());
        if self.example != before.example || is_other {
            return opened(&self.rest.name);
        }
        let names = |of: &Self, these: &BTreeMap<(Table, u32), usize>, others: &BTreeMap<(Table, u32), usize>| -> Vec<String> {
            these.iter().filter(|(key, _)| !others.contains_key(key)).map(|((table, _), &row)| of.name(*table, row)).collect()
        };
        match (&names(self, &is, &was)[..], &names(before, &was, &is)[..]) {
            ([], []) => {}
            (added, []) => return format!("{} added", one_or_count(added)),
            ([], gone) => return format!("{} removed", one_or_count(gone)),
            (added, gone) => return format!("{} instead of {}", one_or_count(added), one_or_count(gone)),
        }
        // What refers to a row follows its name.
        let named = cells.iter().find(|&&(table, _, _, column)| table.columns()[column].kind == ColumnKind::Name);
        match (named.into_iter().collect::<Vec<_>>().as_slice(), &cells[..]) {
            (&[&(table, old, row, column)], _) | (_, &[(table, old, row, column)]) => {
                let about = &table.columns()[column];
                let (from, to) = (shown(about, &before.text(table, old, column)), shown(about, &self.text(table, row, column)));
                let what = match about.kind {
                    ColumnKind::Name => "name".to_owned(),
                    _ => format!("{} of {}", within_sentence(about.title), cut(&before.name(table, old))),
                };
                return format!("{what} from {from} to {to}");
            }
            (_, []) => {}
            (_, cells) => {
                let titles: BTreeSet<&str> = cells.iter().map(|&(table, _, _, column)| table.columns()[column].title).collect();
                let rows: BTreeSet<(Table, usize)> = cells.iter().map(|&(table, _, row, _)| (table, row)).collect();
                return match titles.into_iter().collect::<Vec<_>>()[..] {
                    [title] => format!("{} of {}", within_sentence(title), counted(rows.len() as u64, "row")),
                    _ => counted(cells.len() as u64, "cell"),
                };
            }
        }
        self.other_change(before, of_both.iter().any(|(_, old, row)| old != row))
    }

    /// The cells in which two rows differ.
    fn cells_since(&self, before: &Self, table: Table, old: usize, row: usize) -> Vec<(Table, usize, usize, usize)> {
        if self.is_row_of(before, table, old, row) {
            return Vec::new();
        }
        let columns = 0..table.columns().len();
        let differs = columns.filter(|&column| before.text(table, old, column) != self.text(table, row, column));
        differs.map(|column| (table, old, row, column)).collect()
    }

    /// Whether a row is another document's, unchanged.
    fn is_row_of(&self, before: &Self, table: Table, old: usize, row: usize) -> bool {
        match table {
            Table::Kernels => self.kernels.get(row) == before.kernels.get(old),
            Table::Tasks => self.tasks.get(row) == before.tasks.get(old),
            Table::Processes => self.processes.get(row) == before.processes.get(old),
            Table::Batches => self.batches.get(row) == before.batches.get(old),
        }
    }

    /// What differs beside rows and their cells.
    fn other_change(&self, before: &Self, is_moved: bool) -> String {
        let (was, is) = (&before.rest, &self.rest);
        let from_to = |what: &str, from: &str, to: &str| format!("{what} from {} to {}", cut(from), cut(to));
        match () {
            () if was.policy.kind != is.policy.kind => {
                from_to("policy", policy::about(was.policy.kind).title, policy::about(is.policy.kind).title)
            }
            () if was.name != is.name => from_to("name of the scenario", &was.name, &is.name),
            () if was.device != is.device => match (device_name(&was.device), device_name(&is.device)) {
                (from, to) if from == to => "numbers of the device".to_owned(),
                (from, to) => from_to("device", from, to),
            },
            () if was.policy != is.policy => "settings of the policy".to_owned(),
            () if was.streams != is.streams => "streams".to_owned(),
            () if is_moved => "order of rows".to_owned(),
            () => "settings".to_owned(),
        }
    }
}

fn device_name(device: &DeviceDraft) -> &str {
    match device {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).map_or(id, |device| device.name),
        DeviceDraft::Custom(device) => &device.name,
    }
}

/// That another scenario was put in the place.
fn opened(name: &str) -> String {
    if name.is_empty() { "opening a scenario".to_owned() } else { format!("opening {}", cut(name)) }
}

fn one_or_count(names: &[String]) -> String {
    match names {
        [name] if !name.is_empty() => cut(name),
        _ => counted(names.len() as u64, "row"),
    }
}

/// A cell's text, or what an empty one stands for.
fn shown(column: &Column, text: &str) -> String {
    if text.is_empty() { column.empty.unwrap_or("nothing").to_owned() } else { cut(text) }
}

/// The beginning of a text that is told, and an ellipsis for the rest.
#[must_use]
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
