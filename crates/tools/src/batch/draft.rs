//! What the table of tasks says, read: the workload, its costs, and the GPU with them.
//!
//! Invariant: what cannot be read is a problem, and never a guess.

use super::problem::Problem;
use super::state::Setup;
use super::table::{Column, Row, THROUGHPUT};
use blockstep_batch::arch::{Arch, Costs};
use blockstep_batch::task::{TaskDraft, Workload, WorkloadDraft};
use blockstep_sim::scenario::too_long;
use blockstep_view::quantity::{Unit, parse};

impl Setup {
    /// The GPU with its costs; the default ones where they are refused.
    #[must_use]
    pub fn arch(&self) -> Arch {
        self.gpu.with(costs(&self.costs).unwrap_or_default())
    }

    /// The workload.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn workload(&self) -> Result<Workload, Vec<Problem>> {
        let of_costs = costs(&self.costs).err();
        let workload =
            draft_of(self).and_then(|draft| Workload::new(draft).map_err(|error| error.problems.into_iter().map(Problem::of).collect()));
        match (workload, of_costs) {
            (Ok(workload), None) => Ok(workload),
            (workload, of_costs) => Err(workload.err().into_iter().flatten().chain(of_costs).collect()),
        }
    }
}

impl Row {
    /// The task, with what cannot be read as 1.
    fn draft(&self, row: usize, problems: &mut Vec<Problem>) -> TaskDraft {
        let mut read = |column, unit| {
            parse(unit, self.cell(column)).unwrap_or_else(|message| {
                problems.push(Problem::in_cell(row, column, message.to_string()));
                1
            })
        };
        let mut copy = |column| {
            let is_size = self.cell(column).trim_end().ends_with(['B', 'b']);
            if is_size { (0, read(column, Unit::Bytes)) } else { (read(column, Unit::Time), 0) }
        };
        let (copy_in_ns, copy_in_bytes) = copy(Column::CopyIn);
        let (copy_out_ns, copy_out_bytes) = copy(Column::CopyOut);
        let within = Some(read(Column::Within, Unit::Time));
        let is_throughput = self.kind == THROUGHPUT;
        let after: Vec<String> = self.after.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let draft = TaskDraft {
            name: self.name.clone(),
            copy_in_ns,
            copy_in_bytes,
            copy_out_ns,
            copy_out_bytes,
            kernel_ns: read(Column::Kernel, Unit::Time),
            blocks: read(Column::Blocks, Unit::Count),
            threads_per_block: read(Column::Threads, Unit::Count),
            first_ns: read(Column::First, Unit::Time),
            interval_ns: read(Column::Interval, Unit::Time),
            deadline_ns: within.filter(|_| !is_throughput),
            separation_ns: within.filter(|_| is_throughput),
            after,
        };
        for (column, name) in draft.after.iter().map(|name| (Column::After, name)).chain([(Column::Name, &draft.name)]) {
            problems.extend(too_long(name).map(|why| Problem::in_cell(row, column, why)));
        }
        draft
    }
}

/// The workload as typed.
///
/// # Errors
/// What cannot be read.
pub(super) fn draft_of(setup: &Setup) -> Result<WorkloadDraft, Vec<Problem>> {
    let mut problems = Vec::new();
    let tasks = setup.rows.iter().enumerate().map(|(i, row)| row.draft(i, &mut problems)).collect();
    problems.extend(too_long(&setup.name).map(Problem::of_name));
    let until_ns = parse(Unit::Time, &setup.until).unwrap_or_else(|message| {
        problems.push(Problem::of_until(message.to_string()));
        1
    });
    if problems.is_empty() { Ok(WorkloadDraft { name: setup.name.clone(), until_ns, tasks }) } else { Err(problems) }
}

/// The costs as typed, in the units of their names.
///
/// # Errors
/// The first that cannot be.
pub(super) fn costs(texts: &[String; 6]) -> Result<Costs, Problem> {
    let mut values = Costs::default().values();
    for (place, (value, text)) in values.iter_mut().zip(texts).enumerate() {
        if !text.trim().is_empty() {
            *value = parse(Unit::Count, text).map_err(|message| Problem::of_cost(place, message.to_string()))?;
        }
    }
    let place = |field: &str| Costs::FIELDS.iter().position(|(name, ..)| *name == field).unwrap_or(0);
    Costs::of(values).map_err(|(field, message)| Problem::of_cost(place(field), message))
}
