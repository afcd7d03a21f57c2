//! What a search over requests found of a policy, as JSON.
//!
//! Depends on `policy` and `layout`. Invariant: requests, titles and stories are those of the text that the command line prints.

use serde::Serialize;

use super::layout;
use blockstep_policy::Program;
use blockstep_search::{Fault, Finding, Report, Verdict};

#[derive(Serialize)]
struct ReportFile<'r> {
    version: u8,
    policy: &'r str,
    tasks: usize,
    /// Whether every state was visited.
    is_closed: bool,
    /// Why the search ended early, if it did.
    stopped: Option<String>,
    levels: Vec<LevelRow>,
    properties: Vec<PropertyRow>,
    assumed: String,
}

#[derive(Serialize)]
struct LevelRow {
    tasks: usize,
    assignments: usize,
    closed: usize,
    states: usize,
    deepest: u32,
}

#[derive(Serialize)]
struct PropertyRow {
    property: String,
    is_warning: bool,
    /// `fault`, `clean`, or `open` if the search ended early.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultRow>,
}

#[derive(Serialize)]
struct FaultRow {
    requests: String,
    /// How many from the start, and how many come again and again after them.
    length: usize,
    cycle: usize,
    /// The line that decided last; null if the decision failed.
    line: Option<u32>,
    title: String,
    story: String,
}

/// The verdicts of a search, with every fault in words. `name` is what the policy is called.
#[must_use]
pub fn write_policy_report(name: &str, program: &Program, report: &Report) -> String {
    let level = |level: &blockstep_search::Level| LevelRow {
        tasks: level.tasks,
        assignments: level.assignments,
        closed: level.closed,
        states: level.states,
        deepest: level.deepest,
    };
    layout::file(ReportFile {
        version: 1,
        policy: name,
        tasks: report.tasks,
        is_closed: report.is_over,
        stopped: report.stopped.map(|stopped| stopped.to_string()),
        levels: report.levels.iter().map(level).collect(),
        properties: report.findings.iter().map(|finding| property_row(program, finding)).collect(),
        assumed: report.assumed(),
    })
    .to_string()
}

fn property_row(program: &Program, finding: &Finding) -> PropertyRow {
    let (verdict, fault) = match &finding.verdict {
        Verdict::Fault(fault) => ("fault", Some(fault_row(program, finding, fault))),
        Verdict::Clean => ("clean", None),
        Verdict::Open => ("open", None),
    };
    PropertyRow { property: finding.property.to_string(), is_warning: finding.property.is_warning(), verdict, fault }
}

fn fault_row(program: &Program, finding: &Finding, fault: &Fault) -> FaultRow {
    let passed = fault.replay(program);
    let last = fault.steps.len().checked_sub(1).and_then(|last| passed.get(last));
    FaultRow {
        requests: fault.requests(program),
        length: fault.steps.len(),
        cycle: fault.cycle.len(),
        line: last.and_then(|passed| passed.decision.as_ref()).map(|decision| decision.line),
        title: fault.title(program, finding.property),
        story: fault.story(program),
    }
}
