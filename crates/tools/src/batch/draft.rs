//! What the table of tasks says, read: the workload, its costs, and the GPU with them.
//!
//! Invariant: what cannot be read is a problem, and never a guess.

use super::problem::WorkloadProblem;
use super::state::Setup;
use super::table::{THROUGHPUT, TaskColumn, TypedRow};
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
    pub(super) fn workload(&self) -> Result<Workload, Vec<WorkloadProblem>> {
        let of_costs = costs(&self.costs).err();
        let workload = draft_of(self)
            .and_then(|draft| Workload::new(draft).map_err(|error| error.problems.into_iter().map(WorkloadProblem::from_check).collect()));
        match (workload, of_costs) {
            (Ok(workload), None) => Ok(workload),
            (workload, of_costs) => Err(workload.err().into_iter().flatten().chain(of_costs).collect()),
        }
    }
}

impl TypedRow {
    /// The task, with what cannot be read as 1.
    fn draft(&self, row: usize, problems: &mut Vec<WorkloadProblem>) -> TaskDraft {
        let mut read = |column, unit| {
            parse(unit, self.cell(column)).unwrap_or_else(|message| {
                problems.push(WorkloadProblem::in_cell(row, column, message.to_string()));
                1
            })
        };
        let mut copy = |column| {
            let is_size = self.cell(column).trim_end().ends_with(['B', 'b']);
            if is_size { (0, read(column, Unit::Bytes)) } else { (read(column, Unit::Time), 0) }
        };
        let (copy_in_ns, copy_in_bytes) = copy(TaskColumn::CopyIn);
        let (copy_out_ns, copy_out_bytes) = copy(TaskColumn::CopyOut);
        let within = Some(read(TaskColumn::Within, Unit::Time));
        let is_throughput = self.kind == THROUGHPUT;
        let after: Vec<String> = self.after.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let draft = TaskDraft {
            name: self.name.clone(),
            copy_in_ns,
            copy_in_bytes,
            copy_out_ns,
            copy_out_bytes,
            kernel_ns: read(TaskColumn::Kernel, Unit::Time),
            blocks: read(TaskColumn::Blocks, Unit::Count),
            threads_per_block: read(TaskColumn::Threads, Unit::Count),
            first_ns: read(TaskColumn::First, Unit::Time),
            interval_ns: read(TaskColumn::Interval, Unit::Time),
            deadline_ns: within.filter(|_| !is_throughput),
            separation_ns: within.filter(|_| is_throughput),
            after,
        };
        for (column, name) in draft.after.iter().map(|name| (TaskColumn::After, name)).chain([(TaskColumn::Name, &draft.name)]) {
            problems.extend(too_long(name).map(|why| WorkloadProblem::in_cell(row, column, why)));
        }
        draft
    }
}

/// The workload as typed.
///
/// # Errors
/// What cannot be read.
pub(super) fn draft_of(setup: &Setup) -> Result<WorkloadDraft, Vec<WorkloadProblem>> {
    let mut problems = Vec::new();
    let tasks = setup.rows.iter().enumerate().map(|(i, row)| row.draft(i, &mut problems)).collect();
    problems.extend(too_long(&setup.name).map(WorkloadProblem::of_name));
    let until_ns = parse(Unit::Time, &setup.until).unwrap_or_else(|message| {
        problems.push(WorkloadProblem::of_until(message.to_string()));
        1
    });
    if problems.is_empty() { Ok(WorkloadDraft { name: setup.name.clone(), until_ns, tasks }) } else { Err(problems) }
}

/// The costs as typed, in the units of their names.
///
/// # Errors
/// The first that cannot be.
pub(super) fn costs(texts: &[String; 6]) -> Result<Costs, WorkloadProblem> {
    let mut values = Costs::default().values();
    for (place, (value, text)) in values.iter_mut().zip(texts).enumerate() {
        if !text.trim().is_empty() {
            *value = parse(Unit::Count, text).map_err(|message| WorkloadProblem::of_cost(place, message.to_string()))?;
        }
    }
    let place = |field: &str| Costs::FIELDS.iter().position(|(name, ..)| *name == field).unwrap_or(0);
    Costs::from_values(values).map_err(|(field, message)| WorkloadProblem::of_cost(place(field), message))
}
