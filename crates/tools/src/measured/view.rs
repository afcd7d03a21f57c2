//! What the panel of the side column shows: what was read, what breaks a rule, and what differs from the run on screen.
//!
//! Invariant: what is listed in part says so.

use serde::{Deserialize, Serialize};

use super::conform;
use super::folded::{Folded, folded};
use super::loaded::{Laid, Loaded};
use super::state::{Fold, State};
use super::wide::MeasuredWide;
use super::words::Remark;
use blockstep_sim::check::measured::{Check, Conformance, TOLERANCE_NS};
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::trace::Rule;
use blockstep_view::quantity::{format_count, format_time};

/// Most violations that are listed.
const MAX_VIOLATIONS: usize = 50;
/// Most lines of a problem.
const MAX_LINES: usize = 20;
/// Most notes of a list.
const MAX_NOTES: usize = 30;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// What is wrong with what was opened or asked for, line by line.
    pub problem: Vec<String>,
    pub content: MeasuredContent,
    pub wide: Option<MeasuredWide>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeasuredContent {
    /// No logs; `true` if there were some that are not here any more.
    Empty(bool),
    Logs(Box<LogsView>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogsView {
    pub is_generated: bool,
    pub name: Option<String>,
    pub count: String,
    pub notes: Vec<String>,
    /// Devices to choose from: id and name; the first is what the logs suggest.
    pub devices: Vec<(String, String)>,
    pub tolerance_problem: Option<String>,
    /// How the device was found, if it was not chosen.
    pub found_device: Option<Folded<String>>,
    pub conforms: bool,
    pub verdict: String,
    pub violations: Vec<Violated>,
    pub more_violations: Option<String>,
    /// What the logs cannot tell: rules, and why.
    pub unjudged: Option<Folded<(String, String)>>,
    pub judged: Option<Folded<JudgedLine>>,
    pub assumed: Option<Folded<String>>,
    /// What differs from the run on screen, if that has a kernel of the logs.
    pub against: Option<Against>,
    pub built: Option<Folded<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Checked {
    Rule(Rule),
    /// By a name of its own; what must hold.
    Other(String, String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violated {
    /// Its number, from 1.
    pub number: usize,
    pub check: Checked,
    pub sentence: String,
    pub is_shown: bool,
}

/// How often a check was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedLine {
    pub check: Checked,
    /// What must hold, how often that was looked at, and how often it did not.
    pub text: String,
}

/// How the logs differ from the run on screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Against {
    /// How they were laid over each other, and how far apart they are: name and value.
    pub summary: Vec<(String, String)>,
    pub agrees: Option<String>,
    pub groups: Vec<RemarkGroup>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkGroup {
    pub title: String,
    pub remarks: Vec<Remark>,
}

/// What there is without logs.
pub(super) fn empty(state: &State) -> View {
    let is_gone = !state.logs.is_empty() && state.problem.is_empty();
    View { problem: problem(state), content: MeasuredContent::Empty(is_gone), wide: None }
}

pub(super) fn view(state: &State, loaded: &Loaded<'_>, found: &Conformance, notes: &[String], wide: MeasuredWide) -> View {
    let measured = &loaded.measured;
    let count = conform::count(found);
    let inferred = loaded.inferred.device.name.trim_end_matches(" (from the logs)");
    let suggested = std::iter::once((String::new(), format!("From the logs: {inferred}")));
    let logs = LogsView {
        is_generated: loaded.is_generated,
        name: measured.logs.iter().map(|log| &log.scenario).find(|name| !name.is_empty()).cloned(),
        count: read(loaded),
        notes: shortened(&measured.notes()),
        devices: suggested.chain(BUILT_IN.iter().map(|device| (device.id.to_owned(), device.name.to_owned()))).collect(),
        tolerance_problem: state.tolerance_ns().err().map(|why| format!("{why}. Until then it is {}.", format_time(TOLERANCE_NS))),
        found_device: if state.device.is_empty() {
            Some(folded(state, Fold::Device, false, || shortened(&loaded.inferred.notes)))
        } else {
            None
        },
        conforms: count == 0,
        verdict: verdict_of(count, loaded.tolerance_ns),
        violations: violations(state, found),
        more_violations: (count > MAX_VIOLATIONS as u64).then(|| format!("The first {MAX_VIOLATIONS} are listed.")),
        unjudged: some(found.unjudged.is_empty(), || {
            let lines = || found.unjudged.iter().map(|of| (of.rules.to_owned(), of.why.clone())).collect();
            folded(state, Fold::Unjudged, count == 0, lines)
        }),
        judged: some(found.judged.is_empty(), || folded(state, Fold::Judged, false, || judged(found))),
        assumed: some(found.assumptions.is_empty(), || folded(state, Fold::Assumed, false, || shortened(&found.assumptions))),
        against: loaded.laid.as_ref().map(|laid| against(loaded, laid)),
        built: some(notes.is_empty(), || folded(state, Fold::Notes, true, || shortened(notes))),
    };
    View { problem: problem(state), content: MeasuredContent::Logs(Box::new(logs)), wide: Some(wide) }
}

fn some<T>(is_empty: bool, make: impl FnOnce() -> T) -> Option<T> {
    if is_empty { None } else { Some(make()) }
}

fn problem(state: &State) -> Vec<String> {
    state.problem.lines().take(MAX_LINES).map(str::to_owned).collect()
}

/// The first of a list, and how many more there are.
fn shortened(notes: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = notes.iter().take(MAX_NOTES).cloned().collect();
    if notes.len() > MAX_NOTES {
        lines.push(format!("… and {} more.", format_count((notes.len() - MAX_NOTES) as u64)));
    }
    lines
}

fn read(loaded: &Loaded<'_>) -> String {
    let measured = &loaded.measured;
    let kernels: usize = measured.logs.iter().map(|log| log.kernels.len()).sum();
    let span = measured.extent().map(|(from, to)| to.abs_diff(from));
    extent(measured.logs.len(), kernels, measured.blocks().count(), span)
}

/// The first violations, and the one that is shown.
fn violations(state: &State, found: &Conformance) -> Vec<Violated> {
    let numbered = found.violations.iter().enumerate().map(|(i, violation)| (i + 1, violation));
    let listed = numbered.filter(|(number, _)| *number <= MAX_VIOLATIONS || state.see == Some(*number));
    let violated = |(number, violation): (usize, &blockstep_sim::check::measured::Violation)| Violated {
        number,
        check: checked(violation.check),
        sentence: violation.sentence.clone(),
        is_shown: state.see == Some(number),
    };
    listed.map(violated).collect()
}

fn judged(found: &Conformance) -> Vec<JudgedLine> {
    let line = |of: &blockstep_sim::check::measured::Judged| JudgedLine {
        check: checked(of.check),
        text: {
            let failed = if of.violations > 0 { format!("; violated by {}", format_count(of.violations)) } else { String::new() };
            format!("{} Checked: {} {}{failed}.", of.check.sentence(), format_count(of.count), of.check.unit(of.count))
        },
    };
    found.judged.iter().map(line).collect()
}

/// The rule that a check reads backwards, or its own name.
fn checked(check: Check) -> Checked {
    match check.rule() {
        Some(rule) => Checked::Rule(rule),
        None => Checked::Other(check.id().to_owned(), check.sentence().to_owned()),
    }
}

fn against(loaded: &Loaded<'_>, laid: &Laid<'_>) -> Against {
    let [first, largest] = laid.differences(loaded);
    let others = laid.others(loaded);
    let agrees = first
        .is_empty()
        .then(|| format!("All matched blocks start and end within {} of the simulation.", format_time(loaded.tolerance_ns)));
    let title = if largest.is_empty() { "Differences, by kernel" } else { "First differences, by kernel" };
    let groups = [(title, first), ("Largest differences, by kernel", largest), ("Other differences", others)];
    Against {
        summary: laid.summary(loaded).into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        agrees,
        groups: groups
            .into_iter()
            .filter(|(_, remarks)| !remarks.is_empty())
            .map(|(title, remarks)| RemarkGroup { title: title.to_owned(), remarks })
            .collect(),
    }
}

/// How much there is, over which time, if that is known.
pub(super) fn extent(logs: usize, kernels: usize, blocks: usize, span_ns: Option<u64>) -> String {
    let some = |n: usize, what: &str| format!("{} {what}{}", format_count(n as u64), if n == 1 { "" } else { "s" });
    let span = span_ns.map(|ns| format!(" in {}", format_time(ns))).unwrap_or_default();
    format!("{}, {}, {}{span}.", some(logs, "log"), some(kernels, "kernel"), some(blocks, "block"))
}

fn verdict_of(violations: u64, tolerance_ns: u64) -> String {
    let tolerance = format_time(tolerance_ns);
    match violations {
        0 => format!("No violations found, with a tolerance of {tolerance}."),
        1 => format!("1 violation, with a tolerance of {tolerance}."),
        _ => format!("{} violations, with a tolerance of {tolerance}.", format_count(violations)),
    }
}
