//! What searches found of a policy, as JSON.
//!
//! Depends on `policy` and `layout`. Invariant: requests, titles and stories are those of the text that the command line prints.

use serde::{Deserialize, Serialize};

use super::layout;
use super::scenario::ScenarioFile;
use blockstep_policy::Program;
use blockstep_search::{Fault, Finding, Level, PolicyTable, Report, TimedFault, TimesReport, Verdict};

#[derive(Serialize)]
struct ReportFile<'r> {
    version: u8,
    policy: &'r str,
    tasks: usize,
    /// Whether every state was visited; false if requests were not searched.
    is_closed: bool,
    /// Why the search ended early, if it did.
    stopped: Option<String>,
    levels: Vec<LevelRow>,
    /// What was run of task sets, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<TimesRow>,
    properties: Vec<PropertyRow<'r>>,
    assumed: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelRow {
    tasks: usize,
    assignments: usize,
    closed: usize,
    states: usize,
    deepest: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimesRow {
    tasks: usize,
    /// Sets that were run, of so many that the test promises.
    sets: usize,
    of: usize,
    /// Whether all of them were, each to the end of its run.
    is_over: bool,
}

impl From<&Level> for LevelRow {
    fn from(level: &Level) -> Self {
        let Level { tasks, assignments, closed, states, deepest } = *level;
        Self { tasks, assignments, closed, states, deepest }
    }
}

impl From<LevelRow> for Level {
    fn from(row: LevelRow) -> Self {
        let LevelRow { tasks, assignments, closed, states, deepest } = row;
        Self { tasks, assignments, closed, states, deepest }
    }
}

impl From<TimesReport> for TimesRow {
    fn from(report: TimesReport) -> Self {
        let TimesReport { tasks, sets, of, is_over } = report;
        Self { tasks, sets, of, is_over }
    }
}

impl From<TimesRow> for TimesReport {
    fn from(row: TimesRow) -> Self {
        let TimesRow { tasks, sets, of, is_over } = row;
        Self { tasks, sets, of, is_over }
    }
}

#[derive(Serialize)]
struct PropertyRow<'r> {
    property: String,
    is_warning: bool,
    /// `fault`; `clean`; `none-found` if it was looked for in task sets alone; `open` if the search ended before.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultRow<'r>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FaultRow<'r> {
    Requests(RequestsRow),
    TaskSet(TaskSetRow<'r>),
}

#[derive(Serialize)]
struct RequestsRow {
    requests: String,
    /// How many from the start, and how many come again and again after them.
    length: usize,
    cycle: usize,
    /// The line that decided last; null if the decision failed.
    line: Option<u32>,
    title: String,
    story: String,
}

#[derive(Serialize)]
struct TaskSetRow<'r> {
    /// The tasks in words.
    tasks: String,
    /// Jobs that are released until it shows, and when that is.
    jobs: u64,
    at_ns: u64,
    /// The line that holds the job back until then; null if none does.
    line: Option<u32>,
    title: String,
    story: String,
    /// Whose run shows it.
    scenario: ScenarioFile<'r>,
}

/// The verdicts of a search, with every fault in words. `name` is what the policy is called.
#[must_use]
pub fn write_policy_report(name: &str, program: &Program, report: &Report) -> String {
    let tables: Vec<Option<PolicyTable>> = report.findings.iter().map(|finding| table(program, finding)).collect();
    layout::file(ReportFile {
        version: 1,
        policy: name,
        tasks: report.tasks,
        is_closed: report.is_over,
        stopped: report.stopped.map(|stopped| stopped.to_string()),
        levels: report.levels.iter().map(LevelRow::from).collect(),
        times: report.times.map(TimesRow::from),
        properties: report.findings.iter().zip(&tables).map(|(finding, table)| property_row(program, finding, table.as_ref())).collect(),
        assumed: report.assumed(),
    })
    .to_string()
}

/// The table of a task set.
fn table(program: &Program, finding: &Finding) -> Option<PolicyTable> {
    if let Verdict::TaskSet(fault) = &finding.verdict { Some(fault.table(program.text())) } else { None }
}

fn property_row<'r>(program: &Program, finding: &Finding, table: Option<&'r PolicyTable>) -> PropertyRow<'r> {
    let (verdict, fault) = match &finding.verdict {
        Verdict::Fault(fault) => ("fault", Some(FaultRow::Requests(requests_row(program, finding, fault)))),
        Verdict::TaskSet(fault) => ("fault", table.map(|table| FaultRow::TaskSet(task_set_row(program, fault, table)))),
        Verdict::Clean => ("clean", None),
        Verdict::NoneFound => ("none-found", None),
        Verdict::Open => ("open", None),
    };
    PropertyRow { property: finding.property.to_string(), is_warning: finding.property.is_warning(), verdict, fault }
}

fn requests_row(program: &Program, finding: &Finding, fault: &Fault) -> RequestsRow {
    let passed = fault.replay(program);
    let last = fault.steps.len().checked_sub(1).and_then(|last| passed.get(last));
    RequestsRow {
        requests: fault.requests(program),
        length: fault.steps.len(),
        cycle: fault.cycle.len(),
        line: last.and_then(|passed| passed.decision.as_ref()).map(|decision| decision.line),
        title: fault.title(program, finding.property),
        story: fault.story(program),
    }
}

fn task_set_row<'r>(program: &Program, fault: &TimedFault, table: &'r PolicyTable) -> TaskSetRow<'r> {
    TaskSetRow {
        tasks: fault.set(),
        jobs: fault.jobs(),
        at_ns: fault.at.ns(),
        line: fault.line(program.text()),
        title: fault.title(),
        story: fault.story(program.text()),
        scenario: ScenarioFile::from_draft(&table.draft),
    }
}
