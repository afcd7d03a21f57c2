//! Cells of a spreadsheet, pasted into a table.
//!
//! Depends on the rest of `document`. Invariant: what becomes of a cell is as if it were typed; of a sheet of many rows each costs
//! the same, but for those that others refer to by name.

use super::rows::{numbered, stem};
use super::sheet::{Pasted, PastedCells};
use super::{Document, DocumentRow};
use crate::table::{ColumnKind, Table};
use crate::texts::Texts;
use blockstep_sim::order::Names;
use blockstep_sim::scenario::ProcessDraft;

/// What is known of names while rows are pasted, so that nobody need look at every row. Groups are the tables.
#[derive(Default)]
struct Known {
    /// How many rows have a name.
    rows: Names<'static>,
    /// By the part before the number: the row whose number is the greatest.
    last: Names<'static>,
    /// Names that something refers to, and some that nothing does any more.
    referred: Names<'static>,
}

impl Known {
    fn from_document(document: &Document) -> Self {
        let mut known = Self::default();
        for table in Table::ALL {
            for row in 0..document.len(table) {
                known.add(document, table, row);
            }
        }
        for kernel in document.kernels.iter().map(|line| &line.value) {
            known.refer(Table::Kernels, kernel.after.as_deref());
            known.refer(Table::Kernels, kernel.graph.as_deref());
            known.refer(Table::Kernels, kernel.flags().flat_map(|(_, names)| names).map(String::as_str));
            known.refer(Table::Tasks, kernel.task.as_deref());
            known.refer(Table::Batches, kernel.batch.as_deref());
        }
        document.batches.iter().for_each(|line| known.refer(Table::Tasks, line.value.task.as_deref()));
        for task in document.tasks.iter().map(|line| &line.value) {
            known.refer(Table::Processes, task.process.as_deref());
            known.refer(Table::Tasks, task.consumes.iter().map(String::as_str));
        }
        known.refer(Table::Processes, document.rest.streams.iter().filter_map(|stream| stream.process.as_deref()));
        known
    }

    fn refer<'n>(&mut self, table: Table, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            self.referred.place(table as u32, name.trim().to_owned(), 0);
        }
    }

    /// What a cell that was set refers to.
    fn refer_by(&mut self, kind: ColumnKind, text: &str) {
        match kind {
            ColumnKind::After | ColumnKind::Graph => self.refer(Table::Kernels, [text]),
            ColumnKind::Task => self.refer(Table::Tasks, [text]),
            ColumnKind::Batch => self.refer(Table::Batches, [text]),
            ColumnKind::Process => self.refer(Table::Processes, [text]),
            ColumnKind::Names => self.refer(Table::Tasks, text.split(',')),
            ColumnKind::Kernels => self.refer(Table::Kernels, text.split(',')),
            ColumnKind::Name
            | ColumnKind::Stream
            | ColumnKind::Events
            | ColumnKind::Guest
            | ColumnKind::Quantity(_)
            | ColumnKind::Times
            | ColumnKind::Integer
            | ColumnKind::Word(_) => {}
        }
    }

    fn has(&self, table: Table, name: &str) -> bool {
        self.rows.get(table as u32, name).is_some_and(|rows| rows > 0)
    }

    fn add(&mut self, document: &Document, table: Table, row: usize) {
        let name = document.name(table, row);
        let (stem, number) = numbered(&name);
        let last = self.last.slot(table as u32, stem.to_owned().into(), row);
        let greatest = document.name(table, *last);
        let (of, most) = numbered(&greatest);
        if of != stem || number > most {
            *last = row;
        }
        *self.rows.slot(table as u32, name.into(), 0) += 1;
    }

    fn forget(&mut self, table: Table, name: &str) {
        let rows = self.rows.slot(table as u32, name.to_owned().into(), 0);
        *rows = rows.saturating_sub(1);
    }

    /// The name with the next free number, like that of the last row.
    fn fresh(&self, document: &Document, table: Table) -> String {
        let like = document.len(table).checked_sub(1).map_or_else(String::new, |row| document.name(table, row));
        let part = Some(numbered(&like).0).filter(|part| !part.is_empty()).unwrap_or(stem(table));
        let last = self.last.get(table as u32, part).map(|row| document.name(table, row));
        let number = last.as_deref().map(numbered).filter(|(of, _)| *of == part).and_then(|(_, number)| number);
        let mut next = number.map_or(1, |n| n.saturating_add(1));
        while self.has(table, &format!("{part}{next}")) {
            next = next.wrapping_add(1);
        }
        format!("{part}{next}")
    }
}

impl Document {
    /// Pastes the cells of a spreadsheet from a row on, down; rows are added as needed, and what such a row is not given stays empty.
    /// Tasks and processes that are named and not there yet are added.
    pub fn paste_cells(&mut self, table: Table, row: usize, sheet: &PastedCells<'_>) -> Pasted {
        let columns = table.columns();
        let missing = sheet.missing(columns);
        let is_adding = row + sheet.lines.len() > self.len(table);
        let mut known = Known::from_document(self);
        let mut beyond = 0;
        let targets = sheet.targets();
        // Which cells may be left out follows from the call.
        let mut order: Vec<usize> = (0..targets.len()).collect();
        order.sort_by_key(|source| targets[*source].is_none_or(|column| columns[column].field != "call"));
        for (row, cells) in (row..).zip(&sheet.lines) {
            let is_new = row >= self.len(table);
            if is_new {
                let name = known.fresh(self, table);
                self.insert_blank(table, name);
            } else {
                known.forget(table, &self.name(table, row));
            }
            let row = row.min(self.len(table) - 1);
            for &source in &order {
                // A line that ends early leaves what is there as it is.
                let Some(cell) = cells.get(source).map(|cell| &**cell).or(is_new.then_some("")) else { continue };
                let Some((column, text)) = sheet.cell(columns, source, cell) else {
                    beyond += usize::from(!cell.is_empty());
                    continue;
                };
                match columns[column].kind {
                    ColumnKind::Task => self.add_named(&mut known, Table::Tasks, &text),
                    ColumnKind::Process => self.add_named(&mut known, Table::Processes, &text),
                    // A row without a name has one of its own.
                    ColumnKind::Name if text.is_empty() && is_new => continue,
                    ColumnKind::Name => {
                        self.set_name(&mut known, table, row, &text, is_new);
                        continue;
                    }
                    // It has one already, which no cell takes away.
                    ColumnKind::Word(_) if text.is_empty() && is_new => continue,
                    _ => {}
                }
                known.refer_by(columns[column].kind, &text);
                self.set(table, row, column, &text);
            }
            if is_new {
                missing.iter().for_each(|&column| self.set(table, row, column, ""));
            }
            known.add(self, table, row);
        }
        let missing = if is_adding { missing.iter().map(|&column| columns[column].title).collect() } else { Vec::new() };
        Pasted { missing, ..sheet.pasted(beyond) }
    }

    /// A document of these rows, on the same device under the same policy. Of a kernel table nothing stays: its tasks, processes
    /// and streams go with it.
    #[must_use]
    pub fn replaced_by(&self, table: Table, sheet: &PastedCells<'_>) -> (Self, Pasted) {
        let mut document = self.without_rows(table);
        let pasted = document.paste_cells(table, 0, sheet);
        if table == Table::Tasks {
            document.forget_idle_processes();
        }
        document.notes.clone_from(&pasted.notes);
        (document, pasted)
    }

    /// Takes out processes of which nothing is left: no task, no stream, and no setting that differs from that of a new one.
    fn forget_idle_processes(&mut self) {
        let mut used: Vec<Option<&str>> = self.tasks.iter().map(|task| task.value.process.as_deref()).collect();
        used.extend(self.rest.streams.iter().map(|stream| stream.process.as_deref()));
        let is_kept = |place: usize, process: &DocumentRow<ProcessDraft>| {
            let name = &*process.value.name;
            let is_plain = process.value == ProcessDraft::named(name) && process.raw == Texts::default();
            !is_plain || used.contains(&Some(name)) || place == 0 && used.contains(&None)
        };
        let kept: Vec<_> = self.processes.iter().enumerate().filter(|(place, process)| is_kept(*place, process)).collect();
        if !kept.is_empty() {
            self.processes = kept.into_iter().map(|(_, process)| process.clone()).collect();
        }
    }

    /// Types a name, which is not among those known; to what was added just now nothing refers.
    fn set_name(&mut self, known: &mut Known, table: Table, row: usize, text: &str, is_new: bool) {
        let old = self.name(table, row);
        self.put(table, row, table.columns()[0], text);
        let new = self.name(table, row);
        let refers = !is_new && !known.has(table, &old) && known.referred.get(table as u32, &old).is_some();
        if refers {
            known.refer(table, [new.as_str()]);
        }
        self.follow_rename(table, row, &old, is_new, refers);
    }

    /// Adds a task or process of this name, unless there is one or the name is empty. The one that a new document begins with
    /// takes the name, as long as no row is its.
    fn add_named(&mut self, known: &mut Known, table: Table, name: &str) {
        if name.is_empty() || known.has(table, name) {
            return;
        }
        let is_unused = match table {
            Table::Tasks => self.kernels.len() <= 1 && self.kernels.iter().all(|line| line.value.task.is_none()),
            _ => false,
        };
        let takes_over = is_unused && self.len(table) == 1 && self.name(table, 0) == "T0";
        if takes_over {
            known.forget(table, "T0");
        } else {
            let fresh = known.fresh(self, table);
            self.insert(table, None, false, fresh);
        }
        let row = self.len(table) - 1;
        self.set_name(known, table, row, name, !takes_over);
        known.add(self, table, row);
    }
}
