//! What the schedulers of a batch workload come to, as tables and JSON.
//!
//! Depends on `batch`. Invariants: times are whole nanoseconds; a performance comes with what the paper has for it only
//! where the caller says that it is the paper's case; cells never begin a formula.

use std::fmt::Write;

use serde::Serialize;
use serde_json::value::RawValue;

use super::csv_cell;
use super::layout::{self, decimal};
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::Case;
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::run::{Comparison, Outcome, RunError};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::{Task, Workload};
use blockstep_sim::units::{Span, Time};

/// A row for each scheduler: its performance, what it is made of, and how many outputs are late; of a case also the
/// paper's performance. Slack and end are in ns.
#[must_use]
pub fn write_batch_csv(ours: &Comparison, case: Option<&Case>) -> String {
    let mut out = String::from("scheduler,performance,");
    out.push_str(if case.is_some() { "paper," } else { "" });
    out.push_str("slack_used_ns,end_ns,outputs,late,why_not\n");
    for (id, outcome) in &ours.outcomes {
        // Writing to a string cannot fail, here and below.
        let _ = write!(out, "{},{},", id.name(), ours.performance(*id).map_or(String::new(), |ratio| ratio.to_string()));
        if let Some(case) = case {
            let _ = write!(out, "{},", case.published(*id).map_or(String::new(), |p| p.to_string()));
        }
        match outcome {
            Ok(o) => {
                let _ = writeln!(out, "{},{},{},{},", o.shifted, o.end.ns(), o.jobs.len(), o.late());
            }
            Err(why) => {
                let _ = writeln!(out, ",,,,{}", csv_cell(&why.to_string()));
            }
        }
    }
    out
}

/// A row for each scheduler of each case: its performance, ours and the paper's; empty where it does not run.
#[must_use]
pub fn write_batch_cases_csv<'c>(cases: impl Iterator<Item = (&'c Case, &'c Comparison)>) -> String {
    let mut out = String::from("case,scheduler,ours,paper\n");
    for (case, ours) in cases {
        for id in SchedulerId::ALL {
            let mine = ours.performance(id).map_or(String::new(), |ratio| ratio.to_string());
            let published = case.published(id).map_or(String::new(), |p| p.to_string());
            let _ = writeln!(out, "{},{},{mine},{published}", case.name, id.name());
        }
    }
    out
}

/// What the cases of the paper come to.
#[derive(Serialize)]
struct CasesFile {
    version: u8,
    cases: Vec<CaseRow>,
}

#[derive(Serialize)]
struct CaseRow {
    case: &'static str,
    title: &'static str,
    source: &'static str,
    gpu: ArchId,
    has_order_of_paper: bool,
    schedulers: Vec<CaseScheduler>,
}

#[derive(Serialize)]
struct CaseScheduler {
    scheduler: &'static str,
    ours: Option<Box<RawValue>>,
    paper: Option<Box<RawValue>>,
}

/// The same as JSON, with whether the order of the schedulers is the paper's.
#[must_use]
pub fn write_batch_cases_json<'c>(cases: impl Iterator<Item = (&'c Case, &'c Comparison)>) -> String {
    let row = |(case, ours): (&Case, &Comparison)| CaseRow {
        case: case.name,
        title: case.title,
        source: case.source,
        gpu: case.arch,
        has_order_of_paper: case.differences(ours).is_empty(),
        schedulers: SchedulerId::ALL
            .map(|id| CaseScheduler {
                scheduler: id.name(),
                ours: ours.performance(id).map(decimal),
                paper: case.published(id).map(decimal),
            })
            .into(),
    };
    layout::file(CasesFile { version: 1, cases: cases.map(row).collect() }).to_string()
}

/// What a workload comes to.
#[derive(Serialize)]
struct ComparisonFile<'w> {
    version: u8,
    workload: &'w str,
    gpu: ArchId,
    until_ns: Time,
    methods: Vec<Method>,
    schedulers: Vec<SchedulerRow<'w>>,
}

#[derive(Serialize)]
struct SchedulerRow<'w> {
    scheduler: &'static str,
    performance: Option<Box<RawValue>>,
    /// Only of a case of the paper, which need not have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<Option<Box<RawValue>>>,
    #[serde(flatten)]
    outcome: OutcomeFields<'w>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum OutcomeFields<'w> {
    Finished { slack_used_ns: u128, end_ns: Time, outputs: usize, late: usize, tasks: Vec<TaskRow<'w>> },
    Refused { why_not: String },
}

#[derive(Serialize)]
struct TaskRow<'w> {
    name: &'w str,
    outputs: u64,
    late: u64,
    worst_lateness_ns: Span,
    worst_response_ns: Span,
}

/// A workload under all schedulers, task by task; of a case also the paper's performance.
#[must_use]
pub fn write_batch_json(workload: &Workload, gpu: ArchId, methods: Methods, ours: &Comparison, case: Option<&Case>) -> String {
    let row = |(id, outcome): &(SchedulerId, Result<Outcome, RunError>)| SchedulerRow {
        scheduler: id.name(),
        performance: ours.performance(*id).map(decimal),
        paper: case.map(|case| case.published(*id).map(decimal)),
        outcome: OutcomeFields::from_outcome(workload, outcome),
    };
    layout::file(ComparisonFile {
        version: 1,
        workload: workload.name(),
        gpu,
        until_ns: workload.until(),
        methods: Method::ALL.into_iter().filter(|method| methods.has(*method)).collect(),
        schedulers: ours.outcomes.iter().map(row).collect(),
    })
    .to_string()
}

impl<'w> OutcomeFields<'w> {
    fn from_outcome(workload: &'w Workload, outcome: &Result<Outcome, RunError>) -> Self {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(why) => return Self::Refused { why_not: why.to_string() },
        };
        let task = |(task, of): (usize, &'w Task)| {
            let sum = outcome.summary(task);
            TaskRow {
                name: &of.name,
                outputs: sum.jobs,
                late: sum.late,
                worst_lateness_ns: sum.worst_lateness,
                worst_response_ns: sum.worst_response,
            }
        };
        Self::Finished {
            slack_used_ns: outcome.shifted,
            end_ns: outcome.end,
            outputs: outcome.jobs.len(),
            late: outcome.late(),
            tasks: workload.tasks().iter().enumerate().map(task).collect(),
        }
    }
}
