//! Rows of the tables: added, copied, moved, deleted.
//!
//! Depends on the rest of `document`. Invariant: every table but that of kernels keeps a row; a
//! new row has a name of its own.

use super::{Document, DocumentRow};
use crate::drag::Edited;
use crate::table::Table;
use crate::texts::Texts;
use blockstep_sim::scenario::{BatchDraft, BlockTimes, Call, Class, Draft, KernelDraft, ProcessDraft, TaskDraft};

impl Document {
    /// Start and block times of a row of the kernel table, as far as they could be read.
    #[must_use]
    pub fn times_of(&self, row: usize) -> Option<(u64, &BlockTimes)> {
        self.kernels.get(row).map(|line| (line.value.start_ns, &line.value.block_time_ns))
    }

    /// Sets the start or a block time of a row of the kernel table, ns.
    pub fn set_time(&mut self, row: usize, edited: Edited, ns: u64) {
        let Some(line) = self.kernels.get_mut(row) else { return };
        let field = match edited {
            Edited::Start => {
                line.value.start_ns = ns;
                "start_ns"
            }
            Edited::Time => {
                line.value.block_time_ns = BlockTimes::Each(ns);
                "block_time_ns"
            }
            Edited::TimeOf(block) => {
                let BlockTimes::List(list) = &line.value.block_time_ns else { return };
                let mut list = list.to_vec();
                let Some(time) = list.get_mut(block as usize) else { return };
                *time = ns;
                line.value.block_time_ns = BlockTimes::List(list.into());
                "block_time_ns"
            }
        };
        line.raw.remove(field);
    }

    /// The stream of a row of the kernel table.
    #[must_use]
    pub fn stream_of(&self, row: usize) -> Option<&str> {
        self.kernels.get(row).map(|line| &*line.value.stream)
    }

    /// Puts a kernel into another stream.
    pub fn set_stream(&mut self, row: usize, stream: &str) {
        if let Some(line) = self.kernels.get_mut(row) {
            stream.clone_into(&mut line.value.stream);
            line.raw.remove("stream");
        }
    }

    /// Adds a row below `row` (at the end if there is none): a copy of it under a new name, or a
    /// plain one. Returns its id.
    pub fn add(&mut self, table: Table, row: Option<usize>, copy: bool) -> u32 {
        let names = self.names(table);
        let or = stem(table);
        let name = fresh_name(&names, self.source(table, row, copy).map_or(or, |r| names[r].as_str()), or);
        self.insert(table, row, copy, name)
    }

    /// The row that a new one is like.
    fn source(&self, table: Table, row: Option<usize>, copy: bool) -> Option<usize> {
        if copy { row } else { row.or(self.len(table).checked_sub(1)) }
    }

    /// The same with a name that no row has.
    pub(super) fn insert(&mut self, table: Table, row: Option<usize>, copy: bool, name: String) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        let at = row.map_or(self.len(table), |r| (r + 1).min(self.len(table)));
        let source = self.source(table, row, copy);
        match table {
            Table::Kernels => {
                let line = match source {
                    Some(r) if copy => {
                        DocumentRow { id, value: KernelDraft { name, ..self.kernels[r].value.clone() }, raw: self.kernels[r].raw.clone() }
                    }
                    Some(r) => {
                        let from = &self.kernels[r].value;
                        let value = KernelDraft {
                            task: from.task.clone(),
                            stream: from.stream.clone(),
                            graph: if from.call == Call::LaunchGraph { Some(from.name.clone()) } else { from.graph.clone() },
                            start_ns: if from.after.is_none() { from.start_ns } else { 0 },
                            ..KernelDraft::named(name, 1, 256.min(from.threads_per_block.max(1)), 1_000_000_000)
                        };
                        DocumentRow { id, value: with_time_of(value, from), raw: Texts::default() }
                    }
                    None => DocumentRow { id, value: KernelDraft::named(name, 1, 256, 1_000_000_000), raw: Texts::default() },
                };
                self.kernels.insert(at, line);
                // The row it waits for must stay above it.
                if let Some(after) = self.kernels[at].value.after.clone()
                    && !self.kernels[..at].iter().any(|l| l.value.name == after)
                {
                    self.kernels[at].value.after = None;
                }
            }
            Table::Tasks => {
                let line = match source {
                    Some(r) if copy => {
                        DocumentRow { id, value: TaskDraft { name, ..self.tasks[r].value.clone() }, raw: self.tasks[r].raw.clone() }
                    }
                    _ => DocumentRow { id, value: TaskDraft::named(name), raw: Texts::default() },
                };
                self.tasks.insert(at, line);
            }
            Table::Processes => {
                let line = match source {
                    Some(r) if copy => DocumentRow {
                        id,
                        value: ProcessDraft { name, ..self.processes[r].value.clone() },
                        raw: self.processes[r].raw.clone(),
                    },
                    _ => DocumentRow { id, value: ProcessDraft::named(name), raw: Texts::default() },
                };
                self.processes.insert(at, line);
            }
            Table::Batches => {
                let line = match source {
                    Some(r) if copy => {
                        DocumentRow { id, value: BatchDraft { name, ..self.batches[r].value.clone() }, raw: self.batches[r].raw.clone() }
                    }
                    _ => DocumentRow { id, value: self.new_batch(name), raw: Texts::default() },
                };
                self.batches.insert(at, line);
            }
        }
        id
    }

    /// Adds a row at the end that is like no other.
    pub(super) fn insert_blank(&mut self, table: Table, name: String) {
        let id = self.next_id;
        self.next_id += 1;
        let raw = Texts::default();
        match table {
            Table::Kernels => self.kernels.push(DocumentRow { id, value: KernelDraft::named(name, 1, 256, 1_000_000_000), raw }),
            Table::Tasks => self.tasks.push(DocumentRow { id, value: TaskDraft::named(name), raw }),
            Table::Processes => self.processes.push(DocumentRow { id, value: ProcessDraft::named(name), raw }),
            Table::Batches => self.batches.push(DocumentRow { id, value: self.new_batch(name), raw }),
        }
    }

    /// An empty table on the same device under the same policy. With kernels go their tasks, processes and streams, and the
    /// scenario's name. Rows to come have ids of their own.
    #[must_use]
    pub fn emptied(&self) -> Self {
        let draft = Draft { name: String::new(), streams: Vec::new(), ..self.rest.clone() };
        Self { raw: self.raw.clone(), ..Self::with_ids_from(draft, self.next_id) }
    }

    /// The document without the rows of a table, which is to get some; of kernels as [`Self::emptied`].
    pub(super) fn without_rows(&self, table: Table) -> Self {
        match table {
            Table::Kernels => self.emptied(),
            Table::Tasks => Self { tasks: Vec::new(), ..self.clone() },
            Table::Processes => Self { processes: Vec::new(), ..self.clone() },
            Table::Batches => Self { batches: Vec::new(), ..self.clone() },
        }
    }

    /// Deletes a row. What refers to it says so afterwards; the last task and process stay.
    pub fn delete(&mut self, table: Table, row: usize) {
        if row >= self.len(table) || (matches!(table, Table::Tasks | Table::Processes) && self.len(table) == 1) {
            return;
        }
        match table {
            Table::Kernels => drop(self.kernels.remove(row)),
            Table::Tasks => drop(self.tasks.remove(row)),
            Table::Processes => drop(self.processes.remove(row)),
            Table::Batches => drop(self.batches.remove(row)),
        }
    }

    /// Moves a row up or down by one; a task or process that is "the first" by default is named
    /// where its rows rely on that.
    pub fn shift(&mut self, table: Table, row: usize, down: bool) {
        let other = if down { row + 1 } else { row.wrapping_sub(1) };
        if row >= self.len(table) || other >= self.len(table) {
            return;
        }
        if table != Table::Kernels && row.min(other) == 0 {
            self.name_the_first(table);
        }
        match table {
            Table::Kernels => self.kernels.swap(row, other),
            Table::Tasks => self.tasks.swap(row, other),
            Table::Processes => self.processes.swap(row, other),
            Table::Batches => self.batches.swap(row, other),
        }
    }

    /// A new batch, of the first task that may have one.
    fn new_batch(&self, name: String) -> BatchDraft {
        let may_have_one = |task: &TaskDraft| task.class() == Class::RealTime && task.consumes.is_empty();
        let task = self.tasks.iter().position(|line| may_have_one(&line.value)).filter(|&place| place > 0);
        let task = task.map(|place| self.tasks[place].value.name.clone());
        BatchDraft { name, task, deadline_ns: 10_000_000, budget_ns: Some(1_000_000), period_ns: None }
    }

    fn name_the_first(&mut self, table: Table) {
        let name = self.name(table, 0);
        match table {
            Table::Kernels | Table::Batches => {}
            Table::Tasks => {
                self.kernels.iter_mut().for_each(|l| name_it(&mut l.value.task, &name));
                self.batches.iter_mut().for_each(|l| name_it(&mut l.value.task, &name));
            }
            Table::Processes => {
                self.tasks.iter_mut().for_each(|l| name_it(&mut l.value.process, &name));
                self.rest.streams.iter_mut().for_each(|s| name_it(&mut s.process, &name));
            }
        }
    }
}

/// What was the first by default is named.
fn name_it(name: &mut Option<String>, first: &str) {
    name.get_or_insert_with(|| first.to_owned());
}

/// A plain row runs as long as the one it was added below, if that is a kernel with one time.
fn with_time_of(mut row: KernelDraft, from: &KernelDraft) -> KernelDraft {
    if let (Call::Kernel, BlockTimes::Each(ns)) = (from.call, &from.block_time_ns) {
        row.block_time_ns = BlockTimes::Each(*ns);
    }
    row
}

/// What the names of new rows begin with where there is no other.
pub(super) const fn stem(table: Table) -> &'static str {
    match table {
        Table::Kernels => "K",
        Table::Tasks => "T",
        Table::Processes => "P",
        Table::Batches => "B",
    }
}

/// A name without its number, and the number, if it has one.
pub(super) fn numbered(name: &str) -> (&str, Option<u64>) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().ok())
}

/// The name with the next free number: `K7` after `K6`.
pub(super) fn fresh_name(names: &[String], like: &str, or: &str) -> String {
    let stem = like.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = if stem.is_empty() { or } else { stem };
    let number = |name: &String| name.strip_prefix(stem).and_then(|n| n.parse::<u64>().ok());
    let mut next = names.iter().filter_map(number).max().map_or(1, |n| n.saturating_add(1));
    while names.contains(&format!("{stem}{next}")) {
        next = next.wrapping_add(1);
    }
    format!("{stem}{next}")
}
