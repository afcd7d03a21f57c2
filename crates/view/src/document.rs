//! What the user edits: a draft, together with every text in it that cannot be read (yet).
//!
//! Depends on `scenario` and `table`. Invariants: nothing typed is lost; a cell holds either its
//! value or the text that could not be read, never both; processes and tasks are listed, never
//! implied.

mod change;
mod device;
mod limits;
mod paste;
mod preview;
mod processes;
mod rows;
mod sheet;
mod streams;
mod switches;

pub use change::cut;
pub use device::{limit_title, top_title};
pub use limits::{MAX_BYTES, MAX_ENTRIES, TooMuch, too_much};
pub use preview::{PasteInto, Preview, PreviewColumn, PreviewTable, new_names};
pub use processes::Arrangement;
pub use sheet::{PasteChoice, PasteChoices, Pasted, PastedCells, WaitingCells};
pub use streams::StreamEntry;
pub use switches::{CARDS, Card, SwitchShape};

use super::history::Edited;
use super::table::{CellError, Cells, Column, ColumnKind, Table};
use super::texts::Texts;
use blockstep_sim::scenario::{BatchDraft, Call, Choice, Class, Draft, KernelDraft, Problem, ProcessDraft, TaskDraft};

/// A row of a table: its value, and the texts of cells that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRow<T> {
    /// Stays with the row however the table is edited; unique in the document.
    pub id: u32,
    /// The last value that could be read.
    pub value: T,
    /// By field.
    pub raw: Texts,
}

/// The scenario being edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Everything but processes, tasks, batches and kernels, whose lists are empty in here.
    pub rest: Draft,
    /// The built-in scenario it began as, by id.
    pub example: Option<&'static str>,
    /// What an importer assumed.
    pub notes: Vec<String>,
    /// Texts outside the tables that could not be read, by path: `horizon_ns`, `device.sms`.
    pub raw: Texts,
    kernels: Vec<DocumentRow<KernelDraft>>,
    tasks: Vec<DocumentRow<TaskDraft>>,
    processes: Vec<DocumentRow<ProcessDraft>>,
    batches: Vec<DocumentRow<BatchDraft>>,
    /// Streams of which [`Self::arrange`] has made several: name, and ids of the tasks.
    split: Vec<(String, Vec<u32>)>,
    /// Ids of the rows whose names were typed, the latest last.
    named: Vec<u32>,
    next_id: u32,
}

impl Edited for Document {
    const MAX_ENTRIES: usize = 500;
    const MAX_ROWS: usize = 1_000_000;

    fn entry_count(&self) -> usize {
        Self::entry_count(self)
    }
}

impl Document {
    /// A document that holds a draft.
    #[must_use]
    pub fn new(draft: Draft) -> Self {
        Self::with_ids_from(draft, 0)
    }

    fn with_ids_from(mut draft: Draft, mut next_id: u32) -> Self {
        if draft.processes.is_empty() {
            draft.processes.push(ProcessDraft::named("P0"));
        }
        if draft.tasks.is_empty() {
            draft.tasks.push(TaskDraft::named("T0"));
        }
        let kernels = lines(std::mem::take(&mut draft.kernels), &mut next_id);
        let tasks = lines(std::mem::take(&mut draft.tasks), &mut next_id);
        let processes = lines(std::mem::take(&mut draft.processes), &mut next_id);
        let batches = lines(std::mem::take(&mut draft.batches), &mut next_id);
        Self {
            rest: draft,
            example: None,
            notes: Vec::new(),
            raw: Texts::default(),
            kernels,
            tasks,
            processes,
            batches,
            split: Vec::new(),
            named: Vec::new(),
            next_id,
        }
    }

    /// The draft, with the last readable value of every cell.
    #[must_use]
    pub fn draft(&self) -> Draft {
        Draft {
            processes: self.processes.iter().map(|l| l.value.clone()).collect(),
            tasks: self.tasks.iter().map(|l| l.value.clone()).collect(),
            batches: self.batches.iter().map(|l| l.value.clone()).collect(),
            kernels: self.kernels.iter().map(|l| l.value.clone()).collect(),
            ..self.rest.clone()
        }
    }

    /// Rows of all tables.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.processes.len() + self.tasks.len() + self.batches.len() + self.kernels.len()
    }

    /// The same, streams, and names in `consumes`, `waits_for` and what blocks spin for: what every change of it is checked for.
    #[must_use]
    pub fn entry_count(&self) -> usize {
        let consumed = self.tasks.iter().map(|task| task.value.consumes.len()).sum::<usize>();
        let awaited = self.kernels.iter().map(|row| row.value.waits_for.len()).sum::<usize>();
        let spun_for = self.kernels.iter().flat_map(|row| row.value.flags()).map(|(_, names)| names.len()).sum::<usize>();
        self.row_count() + self.rest.streams.len() + consumed + awaited + spun_for
    }

    /// What could not be read, by path.
    #[must_use]
    pub fn unreadable(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (path, text) in self.raw.iter() {
            if let Err(error) = self.clone().set_field(path, text) {
                problems.push(Problem::new(path.clone(), error.to_string()));
            }
        }
        for table in Table::ALL {
            for row in 0..self.len(table) {
                for (field, text) in self.raw_cells(table, row).iter() {
                    if let Err(error) = self.read_cell(table, row, field, text) {
                        problems.push(Problem::new(format!("{}[{row}].{field}", table.field()), error.to_string()));
                    }
                }
            }
        }
        problems
    }

    /// Every text that could not be read, by path, so that it can be kept and set again.
    #[must_use]
    pub fn raw_texts(&self) -> Vec<(String, String)> {
        let mut texts: Vec<_> = self.raw.iter().cloned().collect();
        for table in Table::ALL {
            for row in 0..self.len(table) {
                texts.extend(self.raw_cells(table, row).iter().map(|(f, text)| (format!("{}[{row}].{f}", table.field()), text.clone())));
            }
        }
        texts
    }

    /// Sets what is at a path of [`Self::raw_texts`]; unknown paths are ignored.
    pub fn set_path(&mut self, path: &str, text: &str) {
        for table in Table::ALL {
            let place = path.strip_prefix(table.field()).and_then(|p| p.strip_prefix('[')).and_then(|p| p.split_once("]."));
            if let Some((row, field)) = place {
                if let (Ok(row), Some(column)) = (row.parse(), table.column_of(field)) {
                    self.set(table, row, column, text);
                }
                return;
            }
        }
        self.set_top(path, text);
    }

    // ---- Tables ----

    /// Rows of a table.
    #[must_use]
    pub fn len(&self, table: Table) -> usize {
        match table {
            Table::Kernels => self.kernels.len(),
            Table::Tasks => self.tasks.len(),
            Table::Processes => self.processes.len(),
            Table::Batches => self.batches.len(),
        }
    }

    /// The id of a row.
    #[must_use]
    pub fn id(&self, table: Table, row: usize) -> Option<u32> {
        match table {
            Table::Kernels => self.kernels.get(row).map(|l| l.id),
            Table::Tasks => self.tasks.get(row).map(|l| l.id),
            Table::Processes => self.processes.get(row).map(|l| l.id),
            Table::Batches => self.batches.get(row).map(|l| l.id),
        }
    }

    /// The ids of a table's rows, in order.
    #[must_use]
    pub fn ids(&self, table: Table) -> Vec<u32> {
        (0..self.len(table)).filter_map(|row| self.id(table, row)).collect()
    }

    /// The row with this id.
    #[must_use]
    pub fn row_of(&self, table: Table, id: u32) -> Option<usize> {
        (0..self.len(table)).find(|&row| self.id(table, row) == Some(id))
    }

    fn raw_cells(&self, table: Table, row: usize) -> &Texts {
        match table {
            Table::Kernels => &self.kernels[row].raw,
            Table::Tasks => &self.tasks[row].raw,
            Table::Processes => &self.processes[row].raw,
            Table::Batches => &self.batches[row].raw,
        }
    }

    fn read_cell(&self, table: Table, row: usize, field: &str, text: &str) -> Result<(), CellError> {
        match table {
            Table::Kernels => self.kernels[row].value.clone().set_cell(field, text.trim()),
            Table::Tasks => self.tasks[row].value.clone().set_cell(field, text.trim()),
            Table::Processes => self.processes[row].value.clone().set_cell(field, text.trim()),
            Table::Batches => self.batches[row].value.clone().set_cell(field, text.trim()),
        }
    }

    /// What a cell shows: the text that could not be read, else its value.
    #[must_use]
    pub fn text(&self, table: Table, row: usize, column: usize) -> String {
        let Some(field) = table.columns().get(column).map(|c| c.field) else { return String::new() };
        match table {
            Table::Kernels => self.kernels.get(row).map(|l| l.text(field)),
            Table::Tasks => self.tasks.get(row).map(|l| l.text(field)),
            Table::Processes => self.processes.get(row).map(|l| l.text(field)),
            Table::Batches => self.batches.get(row).map(|l| l.text(field)),
        }
        .unwrap_or_default()
    }

    /// Types a text into a cell. A name that changes is changed wherever it is referred to.
    pub fn set(&mut self, table: Table, row: usize, column: usize, text: &str) {
        let Some(&column) = table.columns().get(column) else { return };
        if row >= self.len(table) {
            return;
        }
        let old = if column.kind == ColumnKind::Name { self.name(table, row) } else { String::new() };
        self.put(table, row, column, text);
        if column.kind == ColumnKind::Name {
            let is_gone = (0..self.len(table)).all(|r| r == row || self.name(table, r) != old);
            self.follow_rename(table, row, &old, false, is_gone);
        }
    }

    /// Types a text into a cell, and that is all.
    fn put(&mut self, table: Table, row: usize, column: Column, text: &str) {
        match table {
            Table::Kernels => self.kernels[row].set(column.field, text),
            Table::Tasks => self.tasks[row].set(column.field, text),
            Table::Processes => self.processes[row].set(column.field, text),
            Table::Batches => self.batches[row].set(column.field, text),
        }
    }

    /// The name of a row was typed; `is_gone` says whether what referred to the old one now means this row.
    fn follow_rename(&mut self, table: Table, row: usize, old: &str, is_new: bool, is_gone: bool) {
        let new = self.name(table, row);
        if let Some(id) = self.id(table, row).filter(|_| old != new) {
            if !is_new {
                self.named.retain(|&named| named != id);
            }
            self.named.push(id);
        }
        if is_gone && !old.is_empty() && !new.is_empty() && old != new {
            self.rename_references(table, old, &new);
        }
    }

    /// The name of a row.
    #[must_use]
    pub fn name(&self, table: Table, row: usize) -> String {
        match table {
            Table::Kernels => self.kernels.get(row).map(|l| &l.value.name),
            Table::Tasks => self.tasks.get(row).map(|l| &l.value.name),
            Table::Processes => self.processes.get(row).map(|l| &l.value.name),
            Table::Batches => self.batches.get(row).map(|l| &l.value.name),
        }
        .cloned()
        .unwrap_or_default()
    }

    /// When the name of a row was typed, among those of all rows: 0 if it was not, else the later the larger.
    #[must_use]
    pub fn named(&self, table: Table, row: usize) -> usize {
        self.id(table, row).and_then(|id| self.named.iter().position(|&named| named == id)).map_or(0, |at| at + 1)
    }

    /// The names in a table, in order.
    #[must_use]
    pub fn names(&self, table: Table) -> Vec<String> {
        (0..self.len(table)).map(|row| self.name(table, row)).collect()
    }

    /// What an empty cell that holds a word stands for, as files spell it: a task's class follows from its
    /// deadline and period, a process's preemption from the device.
    #[must_use]
    pub fn implied(&self, table: Table, row: usize) -> &'static str {
        match table {
            Table::Processes => self.rest.device.preemption().word(),
            Table::Tasks | Table::Kernels | Table::Batches => {
                self.tasks.get(row).map_or(Class::BestEffort, |l| l.value.implied_class()).word()
            }
        }
    }

    /// The names of the rows above one that launch graphs.
    pub(crate) fn graphs_above(&self, row: usize) -> impl Iterator<Item = String> + '_ {
        let launches = self.kernels.iter().take(row).filter(|line| line.value.call == Call::LaunchGraph);
        launches.map(|line| line.value.name.clone())
    }

    fn rename_references(&mut self, table: Table, old: &str, new: &str) {
        let rename = |name: &mut Option<String>| {
            if name.as_deref() == Some(old) {
                *name = Some(new.to_owned());
            }
        };
        match table {
            Table::Kernels => {
                for row in self.kernels.iter_mut().map(|l| &mut l.value) {
                    rename(&mut row.after);
                    rename(&mut row.graph);
                    // Of other rows these are events.
                    let nodes = row.waits_for.iter_mut().filter(|_| row.graph.is_some());
                    nodes
                        .chain(row.until_begun.iter_mut())
                        .chain(&mut row.until_all_begun)
                        .chain(&mut row.until_completed)
                        .filter(|name| *name == old)
                        .for_each(|name| new.clone_into(name));
                }
            }
            Table::Tasks => {
                self.kernels.iter_mut().for_each(|l| rename(&mut l.value.task));
                self.batches.iter_mut().for_each(|l| rename(&mut l.value.task));
                for name in self.tasks.iter_mut().flat_map(|l| &mut l.value.consumes).filter(|name| *name == old) {
                    new.clone_into(name);
                }
            }
            Table::Batches => self.kernels.iter_mut().for_each(|l| rename(&mut l.value.batch)),
            Table::Processes => {
                self.tasks.iter_mut().for_each(|l| rename(&mut l.value.process));
                self.rest.streams.iter_mut().for_each(|s| rename(&mut s.process));
            }
        }
    }
}

fn lines<T>(values: Vec<T>, next_id: &mut u32) -> Vec<DocumentRow<T>> {
    let line = |value| {
        let id = *next_id;
        *next_id += 1;
        DocumentRow { id, value, raw: Texts::default() }
    };
    values.into_iter().map(line).collect()
}

impl<T: Cells> DocumentRow<T> {
    fn text(&self, field: &str) -> String {
        self.raw.get(field).cloned().unwrap_or_else(|| self.value.cell(field))
    }

    fn set(&mut self, field: &'static str, text: &str) {
        match self.value.set_cell(field, text.trim()) {
            Ok(()) => self.raw.remove(field),
            Err(_) => self.raw.set(field, text),
        }
    }
}
