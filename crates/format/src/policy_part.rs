//! A part of a search for faults of a policy, as JSON, so that parts of several machines can be joined.
//!
//! Depends on `layout` and `policy_report`. Invariant: what is read back is what was written; faults are decided anew, so a part never claims what its policy
//! does not do.

use serde::{Deserialize, Serialize};

use super::layout;
use super::policy_report::{LevelRow, TimesRow};
use blockstep_policy::{Program, TaskNumber};
use blockstep_search::{
    Fault, Finding, Level, MAX_SEARCHED, Property, Report, Request, Step, Stopped, TimedFault, TimedTask, TimesReport, Verdict,
};

/// A part of a search.
#[derive(Clone, Debug)]
pub struct PolicyPart {
    /// What the policy is called.
    pub name: String,
    /// Its text, read.
    pub program: Program,
    /// Which part, from 1.
    pub part: usize,
    /// Of how many.
    pub parts: usize,
    /// What it has found.
    pub report: Report,
}

/// Why a file is no part of a search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// It is another file.
    #[error("this is not a part of a search, as blockstep policy check --shard prints it: {0}")]
    Other(String),
    /// Its policy has a mistake.
    #[error("policy: {0}")]
    Policy(String),
    /// A value is out of range.
    #[error("{field}: {what}")]
    Value {
        /// Which.
        field: &'static str,
        /// What is wrong.
        what: String,
    },
}

const KIND: &str = "policy-part";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile {
    kind: String,
    version: u8,
    name: String,
    text: String,
    part: usize,
    parts: usize,
    tasks: usize,
    has_requests: bool,
    is_over: bool,
    stopped: Option<StoppedRow>,
    levels: Vec<LevelRow>,
    times: Option<TimesRow>,
    properties: Vec<PropertyRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoppedRow {
    Memory { states: usize, bytes: usize },
    Steps { limit: u32 },
    Draws,
    Time { ns: u64 },
    Asked,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyRow {
    property: String,
    verdict: VerdictRow,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum VerdictRow {
    Fault {
        ranks: Vec<u8>,
        about: u8,
        steps: Vec<StepRow>,
        cycle: Vec<StepRow>,
    },
    /// Period, cost, deadline and offset of each task in ms; whether a deadline is missed or else the policy fails.
    TaskSet {
        tasks: Vec<[u64; 4]>,
        is_miss: bool,
    },
    Clean,
    NoneFound,
    Open,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StepRow {
    Begin(u8, Option<u8>, u16),
    End(u8, u16),
    Tick(u16),
}

/// The part of a search, as a line of JSON.
#[must_use]
pub fn write_policy_part(part: &PolicyPart) -> String {
    let report = &part.report;
    let property = |finding: &Finding| PropertyRow { property: finding.property.to_string(), verdict: verdict_row(finding) };
    layout::file(PartFile {
        kind: KIND.to_owned(),
        version: 1,
        name: part.name.clone(),
        text: part.program.text().to_owned(),
        part: part.part,
        parts: part.parts,
        tasks: report.tasks,
        has_requests: report.has_requests,
        is_over: report.is_over,
        stopped: report.stopped.map(|stopped| match stopped {
            Stopped::Memory { states, bytes } => StoppedRow::Memory { states, bytes },
            Stopped::Steps { limit } => StoppedRow::Steps { limit },
            Stopped::Draws => StoppedRow::Draws,
            Stopped::Time { ns } => StoppedRow::Time { ns },
            Stopped::Asked => StoppedRow::Asked,
        }),
        levels: report.levels.iter().map(LevelRow::from).collect(),
        times: report.times.map(TimesRow::from),
        properties: report.findings.iter().map(property).collect(),
    })
    .to_string()
}

fn verdict_row(finding: &Finding) -> VerdictRow {
    let rows = |steps: &[Step]| steps.iter().map(step_row).collect();
    match &finding.verdict {
        Verdict::Fault(fault) => {
            VerdictRow::Fault { ranks: fault.ranks.clone(), about: fault.about.0, steps: rows(&fault.steps), cycle: rows(&fault.cycle) }
        }
        Verdict::TaskSet(fault) => {
            let numbers = |task: &TimedTask| [task.period, task.cost, task.deadline, task.offset];
            VerdictRow::TaskSet { tasks: fault.tasks.iter().map(numbers).collect(), is_miss: finding.property == Property::Missed }
        }
        Verdict::Clean => VerdictRow::Clean,
        Verdict::NoneFound => VerdictRow::NoneFound,
        Verdict::Open => VerdictRow::Open,
    }
}

fn step_row(step: &Step) -> StepRow {
    match step.request {
        Request::Begin(task, due) => StepRow::Begin(task.0, due, step.outcome),
        Request::End(task) => StepRow::End(task.0, step.outcome),
        Request::Tick => StepRow::Tick(step.outcome),
    }
}

/// Reads what [`write_policy_part`] writes, and decides its faults anew.
///
/// # Errors
/// What it holds that no search can have found.
pub fn read_policy_part(text: &str) -> Result<PolicyPart, PartError> {
    let file: PartFile = serde_json::from_str(text).map_err(|why| PartError::Other(why.to_string()))?;
    if file.kind != KIND || file.version != 1 {
        return Err(PartError::Other(format!("its kind is \"{}\", version {}", file.kind, file.version)));
    }
    if !(1..=file.parts).contains(&file.part) {
        return Err(PartError::Value { field: "part", what: format!("{} of {} is out of range", file.part, file.parts) });
    }
    if !(1..=MAX_SEARCHED).contains(&file.tasks) {
        return Err(PartError::Value { field: "tasks", what: format!("{} is not a number from 1 to {MAX_SEARCHED}", file.tasks) });
    }
    let program = Program::new(&file.text).map_err(|why| PartError::Policy(why.to_string()))?;
    let findings = file.properties.into_iter().map(|row| finding(&program, row)).collect::<Result<_, _>>()?;
    let report = Report {
        tasks: file.tasks,
        reads: program.reads(),
        has_ticks: program.tick_every().is_some(),
        has_requests: file.has_requests,
        is_over: file.is_over,
        levels: file.levels.into_iter().map(Level::from).collect(),
        times: file.times.map(TimesReport::from),
        findings,
        stopped: file.stopped.map(|stopped| match stopped {
            StoppedRow::Memory { states, bytes } => Stopped::Memory { states, bytes },
            StoppedRow::Steps { limit } => Stopped::Steps { limit },
            StoppedRow::Draws => Stopped::Draws,
            StoppedRow::Time { ns } => Stopped::Time { ns },
            StoppedRow::Asked => Stopped::Asked,
        }),
    };
    Ok(PolicyPart { name: file.name, program, part: file.part, parts: file.parts, report })
}

fn finding(program: &Program, row: PropertyRow) -> Result<Finding, PartError> {
    let property: Property = row
        .property
        .parse()
        .map_err(|why: blockstep_search::PropertyError| PartError::Value { field: "property", what: why.to_string() })?;
    let is_none = || PartError::Value { field: "properties", what: format!("the fault of {property} is not one of this policy") };
    let verdict = match row.verdict {
        VerdictRow::Clean => Verdict::Clean,
        VerdictRow::NoneFound => Verdict::NoneFound,
        VerdictRow::Open => Verdict::Open,
        VerdictRow::Fault { ranks, about, steps, cycle } => {
            let read = |steps: Vec<StepRow>| steps.into_iter().map(step).collect();
            let fault = Fault::from_steps(program, property, ranks, TaskNumber(about), read(steps), read(cycle));
            Verdict::Fault(Box::new(fault.ok_or_else(is_none)?))
        }
        VerdictRow::TaskSet { tasks, is_miss } => {
            let task = |[period, cost, deadline, offset]: [u64; 4]| TimedTask { period, cost, deadline, offset };
            let tasks: Vec<TimedTask> = tasks.into_iter().map(task).collect();
            Verdict::TaskSet(Box::new(TimedFault::find(&tasks, program.text(), is_miss).ok_or_else(is_none)?))
        }
    };
    Ok(Finding { property, verdict })
}

fn step(row: StepRow) -> Step {
    match row {
        StepRow::Begin(task, due, outcome) => Step { request: Request::Begin(TaskNumber(task), due), outcome },
        StepRow::End(task, outcome) => Step { request: Request::End(TaskNumber(task)), outcome },
        StepRow::Tick(outcome) => Step { request: Request::Tick, outcome },
    }
}
