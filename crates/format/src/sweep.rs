//! Studies as files: the parameters as JSON, the results as a table that holds them too.
//!
//! Depends on `analysis`, and on `json` through the reader of scenarios. Invariants: reading what was
//! written gives the same study and the same counts; fields that are not known are errors. Tests are
//! serde types, chosen here by their `kind`, as serde would copy an object without its places to choose; what stands
//! around them is read field by field, as its shares are exact decimals.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::cell::{csv_cell, json_comment};
use super::decimal::scaled;
use super::error::{FormatError, Located, Path, shorten, shown};
use super::json::{JsonKind, Node};
use super::layout;
use super::read::Reader;
use super::typed::Form;
use blockstep_analysis::curves::decimal;
use blockstep_analysis::edf::{EdfTest, Sections, switches_per_job};
use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::generate::{Generator, Recipe};
use blockstep_analysis::presets::EDF_RUN_US;
use blockstep_analysis::results::Results;
use blockstep_analysis::runlist::RunlistTest;
use blockstep_analysis::signal_run::SignalRun;
use blockstep_analysis::sweep::{Counts, Figure, Sweep, Test, Utilisations};
use blockstep_analysis::switch_run::SwitchRun;
use blockstep_sim::scenario::{Choice, Preemption, SwitchCharge};

const SWEEP: &[&str] = &["version", "name", "tasks", "generator", "seed", "period_us", "utilisation", "sets", "figure", "tests"];
const RANGE: &[&str] = &["from", "to", "step"];
const EDF: &[&str] = &["kind", "preemption", "switch_us", "per_job", "blocking", "groups"];
const DELAY: &[&str] = &["kind", "overhead_us"];
const RUN: &[&str] = &["kind", "overhead_us", "run_us"];
const SWITCH_RUN: &[&str] = &["kind", "switch_us", "switch_max_us", "run_us"];
const SIGNAL_RUN: &[&str] = &["kind", "signal_us", "run_us"];
const RUNLIST: &[&str] = &["kind", "timeslice_us", "lower_us", "switch_us", "charge"];
const KINDS: &str = "\"edf\", \"edf_delay\", \"edf_run\", \"switch_run\", \"signal_run\", \"runlist_bound\" or \"runlist_run\"";

/// First words of a table of results; the study follows.
const STUDY: &str = "# blockstep sweep ";
/// First words of its second line.
const SETS: &str = "# sets ";
/// What stands there instead of sets.
const STOPPED: &str = "stopped in the middle";

/// Reads the parameters of a study, strictly.
///
/// # Errors
/// Everything wrong with it, each with line and field; also what makes the study impossible.
pub fn read_sweep(text: &str) -> Result<Sweep, FormatError> {
    let doc = super::parse(text)?;
    let mut reader = Reader::with_forms(FORMS);
    let sweep = sweep(&mut reader, doc.root());
    let sweep = reader.finish(sweep)?;
    let problems = sweep.problems();
    if problems.is_empty() {
        return Ok(sweep);
    }
    let located = |p: blockstep_analysis::sweep::SweepProblem| {
        let line = super::locate(text, &p.path);
        Located { line, path: p.path, message: p.message, limit: None }
    };
    Err(FormatError::new(problems.into_iter().map(located).collect()))
}

fn sweep(reader: &mut Reader, root: Node<'_>) -> Sweep {
    let mut sweep = Sweep {
        name: String::new(),
        recipe: Recipe { generator: Generator::UUniFast, tasks: 1, periods: (1, 1), seed: 1 },
        utilisation: Utilisations { from: 50_000, to: 1_000_000, step: 50_000 },
        sets: 1000,
        tests: Vec::new(),
        figure: Figure::ByUtilisation,
    };
    for (name, value) in reader.object(root, &Path::Root, SWEEP, &["version", "tasks", "period_us", "tests"]) {
        let at = Path::Root.field(name);
        match name {
            "version" if value.raw() != "1" => reader.expected(value, &at, "version 1"),
            "version" => {}
            "name" => sweep.name = reader.text(value, &at),
            "tasks" => sweep.recipe.tasks = clipped(reader.number(value, &at)),
            "generator" => sweep.recipe.generator = reader.choice(value, &at),
            "seed" => sweep.recipe.seed = reader.number(value, &at),
            "period_us" => sweep.recipe.periods = pair(reader, value, &at).unwrap_or((1, 1)),
            "utilisation" => {
                for (name, value) in reader.object(value, &at, RANGE, RANGE) {
                    let share = millionths(reader, value, &at.field(name));
                    match name {
                        "from" => sweep.utilisation.from = share,
                        "to" => sweep.utilisation.to = share,
                        _ => sweep.utilisation.step = share,
                    }
                }
            }
            "sets" => sweep.sets = reader.number(value, &at),
            "figure" => sweep.figure = figure(reader, value, &at),
            _ => sweep.tests = reader.table(value, &at, test),
        }
    }
    sweep
}

/// A number that is too large for its field stays too large.
fn clipped(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn pair(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Option<(u64, u64)> {
    let numbers = reader.table(node, path, Reader::number);
    match numbers[..] {
        [least, most] => Some((least, most)),
        _ => {
            reader.expected(node, path, "a list of two numbers, the least and the greatest,");
            None
        }
    }
}

/// A share such as 0.05, exact in millionths.
fn millionths(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> u32 {
    let number = if node.kind() == JsonKind::Number { scaled(node.raw(), 6) } else { None };
    match number {
        Some((share, true)) => clipped(share),
        _ => {
            reader.expected(node, path, "a number with at most six decimals");
            1
        }
    }
}

fn figure(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Figure {
    match &*node.text() {
        "utilisation" => Figure::ByUtilisation,
        "parameter" => Figure::ByParameter,
        _ if node.kind() == JsonKind::Object => {
            let mut above = 0;
            for (name, value) in reader.object(node, path, &["above"], &["above"]) {
                above = millionths(reader, value, &path.field(name));
                if above % 1000 != 0 || above >= 1_000_000 {
                    reader.expected(value, &path.field(name), "a share below 1 with at most three decimals");
                }
            }
            Figure::Above(above / 1000)
        }
        _ => {
            reader.expected(node, path, "\"utilisation\", \"parameter\" or {\"above\": 0.9}");
            Figure::ByUtilisation
        }
    }
}

fn test(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Test {
    match node.get("kind").map(Node::text).as_deref() {
        Some("edf") => edf(reader, node, path),
        Some("edf_delay") => Test::EdfDelay { overhead: reader.typed(node, path).map_or(0, |test: DelayFile| test.overhead_us) },
        Some("edf_run") => {
            let RunFile { overhead_us, run_us } = reader.typed(node, path).unwrap_or_default();
            Test::EdfRun(EdfRun { overhead: overhead_us, until: run_us.unwrap_or(EDF_RUN_US) })
        }
        Some("signal_run") => {
            let SignalRunFile { signal_us, run_us } = reader.typed(node, path).unwrap_or_default();
            Test::SignalRun(SignalRun { signal: signal_us, until: run_us.unwrap_or(EDF_RUN_US) })
        }
        Some("switch_run") => {
            let SwitchRunFile { switch_us, switch_max_us, run_us } = reader.typed(node, path).unwrap_or_default();
            let longest = switch_max_us.unwrap_or(switch_us);
            Test::SwitchRun(SwitchRun { average: switch_us, longest, until: run_us.unwrap_or(EDF_RUN_US) })
        }
        Some(kind @ ("runlist_bound" | "runlist_run")) => {
            let RunlistFile { timeslice_us, lower_us, switch_us, charge } = reader.typed(node, path).unwrap_or_default();
            let lower = lower_us.unwrap_or(timeslice_us);
            let test = RunlistTest { timeslice: timeslice_us, lower, switch: switch_us, charge };
            if kind == "runlist_run" { Test::RunlistRun(test) } else { Test::RunlistBound(test) }
        }
        _ => {
            let kind = node.get("kind");
            reader.problem(kind.unwrap_or(node), &path.field("kind"), || {
                kind.map_or("is missing; it is required".to_owned(), |k| format!("is {}; {KINDS} is expected", shown(k)))
            });
            Test::EdfDelay { overhead: 0 }
        }
    }
}

fn edf(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Test {
    let EdfFile { preemption, switch_us, per_job, blocking, groups } = reader.typed(node, path).unwrap_or_default();
    let blocking = blocking.map(|word| if word == Blocking::Cost { Sections::Cost } else { Sections::InflatedCost });
    // Given, if not as it should be.
    let groups = node.get("groups").map(|_| groups.unwrap_or((1, 1)));
    let groups = groups.map(|(least, most)| Sections::Groups(clipped(least), clipped(most)));
    let (wanted, unwanted) = match preemption {
        Preemption::Thread => (Some(Sections::None), [("blocking", blocking), ("groups", groups)]),
        Preemption::Block => (groups, [("blocking", blocking), ("", None)]),
        Preemption::Kernel | Preemption::None => (blocking.or(Some(Sections::InflatedCost)), [("groups", groups), ("", None)]),
    };
    for (field, _) in unwanted.iter().filter(|(_, given)| given.is_some()) {
        reader.problem(node, &path.field(field), || format!("does not go with preemption \"{}\"", preemption.word()));
    }
    if wanted.is_none() {
        reader.problem(node, &path.field("groups"), || "is missing; limited preemption needs the work-groups per SM".to_owned());
    }
    let per_job = per_job.map_or(switches_per_job(preemption), clipped);
    Test::Edf(EdfTest { preemption, switch: switch_us, per_job, sections: wanted.unwrap_or(Sections::None) })
}

/// A file as it is written.
#[derive(Serialize)]
struct SweepFile<'s> {
    version: u8,
    name: &'s str,
    tasks: u32,
    generator: &'static str,
    seed: u64,
    period_us: (u64, u64),
    utilisation: RangeOut,
    sets: u64,
    figure: FigureOut,
    tests: Vec<TestFile>,
}

#[derive(Serialize)]
struct RangeOut {
    from: Box<RawValue>,
    to: Box<RawValue>,
    step: Box<RawValue>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FigureOut {
    Word(&'static str),
    Above { above: Box<RawValue> },
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum TestFile {
    Edf(EdfFile),
    EdfDelay(DelayFile),
    EdfRun(RunFile),
    SwitchRun(SwitchRunFile),
    SignalRun(SignalRunFile),
    RunlistBound(RunlistFile),
    RunlistRun(RunlistFile),
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct EdfFile {
    preemption: Preemption,
    switch_us: u64,
    per_job: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocking: Option<Blocking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<(u64, u64)>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Blocking {
    Cost,
    CostAndSwitches,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct DelayFile {
    overhead_us: u64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct RunFile {
    overhead_us: u64,
    run_us: Option<u64>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct SwitchRunFile {
    switch_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    switch_max_us: Option<u64>,
    run_us: Option<u64>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct SignalRunFile {
    signal_us: u64,
    run_us: Option<u64>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct RunlistFile {
    timeslice_us: u64,
    lower_us: Option<u64>,
    switch_us: u64,
    charge: SwitchCharge,
}

const FORMS: &[Form] = &[
    Form {
        type_name: "EdfFile",
        fields: EDF,
        required: &["kind", "preemption"],
        checks: &[("groups", |reader, node, path| pair(reader, node, path).is_some())],
        ..Form::PLAIN
    },
    Form { type_name: "DelayFile", fields: DELAY, required: &["kind", "overhead_us"], ..Form::PLAIN },
    Form { type_name: "RunFile", fields: RUN, required: &["kind", "overhead_us"], ..Form::PLAIN },
    Form { type_name: "SwitchRunFile", fields: SWITCH_RUN, required: &["kind", "switch_us"], ..Form::PLAIN },
    Form { type_name: "SignalRunFile", fields: SIGNAL_RUN, required: &["kind", "signal_us"], ..Form::PLAIN },
    Form { type_name: "RunlistFile", fields: RUNLIST, required: &["kind", "timeslice_us"], ..Form::PLAIN },
];

/// The parameters of a study as a file. Reading it back gives the same study.
#[must_use]
pub fn write_sweep(sweep: &Sweep) -> String {
    let share = |millionths| layout::decimal(decimal(millionths));
    let Utilisations { from, to, step } = sweep.utilisation;
    layout::file(SweepFile {
        version: 1,
        name: &sweep.name,
        tasks: sweep.recipe.tasks,
        generator: sweep.recipe.generator.word(),
        seed: sweep.recipe.seed,
        period_us: sweep.recipe.periods,
        utilisation: RangeOut { from: share(from), to: share(to), step: share(step) },
        sets: sweep.sets,
        figure: match sweep.figure {
            Figure::ByUtilisation => FigureOut::Word("utilisation"),
            Figure::ByParameter => FigureOut::Word("parameter"),
            Figure::Above(thousandths) => FigureOut::Above { above: share(thousandths * 1000) },
        },
        tests: sweep.tests.iter().map(TestFile::from_test).collect(),
    })
    .to_string()
}

impl TestFile {
    fn from_test(test: &Test) -> Self {
        let runlist =
            |t: &RunlistTest| RunlistFile { timeslice_us: t.timeslice, lower_us: Some(t.lower), switch_us: t.switch, charge: t.charge };
        match test {
            Test::Edf(edf) => {
                let (blocking, groups) = match edf.sections {
                    Sections::Cost => (Some(Blocking::Cost), None),
                    Sections::InflatedCost => (Some(Blocking::CostAndSwitches), None),
                    Sections::Groups(least, most) => (None, Some((least.into(), most.into()))),
                    Sections::None | Sections::Given => (None, None),
                };
                let per_job = Some(edf.per_job.into());
                Self::Edf(EdfFile { preemption: edf.preemption, switch_us: edf.switch, per_job, blocking, groups })
            }
            Test::EdfDelay { overhead } => Self::EdfDelay(DelayFile { overhead_us: *overhead }),
            Test::EdfRun(run) => Self::EdfRun(RunFile { overhead_us: run.overhead, run_us: Some(run.until) }),
            Test::SwitchRun(run) => Self::SwitchRun(SwitchRunFile {
                switch_us: run.average,
                switch_max_us: (run.longest != run.average).then_some(run.longest),
                run_us: Some(run.until),
            }),
            Test::SignalRun(run) => Self::SignalRun(SignalRunFile { signal_us: run.signal, run_us: Some(run.until) }),
            Test::RunlistBound(test) => Self::RunlistBound(runlist(test)),
            Test::RunlistRun(test) => Self::RunlistRun(runlist(test)),
        }
    }
}

/// Results as a table: the study in a comment, which sets were counted in another, then a row for
/// each utilization.
#[must_use]
pub fn write_results(results: &Results) -> String {
    let sweep = &results.sweep;
    let mut out = String::from(STUDY);
    let study = write_sweep(sweep);
    out.push_str(&json_comment(&study.lines().map(str::trim_start).collect::<Vec<_>>().join(" ")));
    out.push('\n');
    out.push_str(SETS);
    match &results.sets {
        Some(sets) => {
            let ranges: Vec<_> = sets.iter().map(|r| format!("{}..{}", r.start, r.end)).collect();
            out.push_str(&ranges.join(" "));
        }
        None => out.push_str(STOPPED),
    }
    out.push('\n');
    out.push_str(&columns(sweep));
    out.push('\n');
    for (utilisation, counts) in sweep.utilisation.iter().zip(&results.counts) {
        out.push_str(&format!("{},{},{}", decimal(utilisation), counts.sets, counts.undrawn));
        for passed in &counts.passed {
            out.push_str(&format!(",{passed}"));
        }
        out.push('\n');
    }
    out
}

/// The line of the names of its columns.
fn columns(sweep: &Sweep) -> String {
    let tests = sweep.tests.iter().map(|test| format!(",{}", csv_cell(&test.label())));
    format!("utilisation,sets,undrawn{}", tests.collect::<String>())
}

/// Reads back what [`write_results`] wrote.
///
/// # Errors
/// If it is something else, or its numbers cannot be the counts of that study.
pub fn read_results(text: &str) -> Result<Results, FormatError> {
    super::within_limit(text)?;
    let mut lines = text.lines().enumerate();
    let mut next = |what: &str| lines.next().ok_or_else(|| FormatError::whole(format!("ends before {what}")));
    let (_, first) = next("the study")?;
    let Some(study) = first.strip_prefix(STUDY) else {
        return Err(FormatError::whole("is not a result of blockstep sweep --csv: its first line does not hold the study"));
    };
    let sweep = read_sweep(study)?;
    let at =
        |line: usize, message: String| FormatError::new(vec![Located { line: Some(line + 1), path: String::new(), message, limit: None }]);
    let (line, sets) = next("the sets that were counted")?;
    let sets = sets.strip_prefix(SETS).and_then(|sets| read_sets(sets, sweep.sets));
    let sets = sets.ok_or_else(|| at(line, "does not say which sets were counted".to_owned()))?;
    let (line, names) = next("the names of the columns")?;
    if names != columns(&sweep) {
        return Err(at(line, format!("does not name the columns of this study: \"{}\" is expected", shorten(&columns(&sweep)))));
    }
    let most = sets.as_ref().map_or(sweep.sets, |sets| sets.iter().map(|r| r.end - r.start).sum());
    let mut counts = Vec::new();
    for utilisation in sweep.utilisation.iter() {
        let (line, row) = next("its last row")?;
        let mut cells = row.split(',');
        if cells.next() != Some(&decimal(utilisation)) {
            return Err(at(line, format!("does not begin with utilisation {}", decimal(utilisation))));
        }
        let numbers: Option<Vec<u64>> = cells.map(|cell| cell.parse().ok()).collect();
        match numbers.as_deref() {
            Some([tested, undrawn, passed @ ..])
                if passed.len() == sweep.tests.len()
                    && passed.iter().all(|k| k <= tested)
                    && tested.checked_add(*undrawn).is_some_and(|n| if sets.is_some() { n == most } else { n <= most }) =>
            {
                counts.push(Counts { sets: *tested, undrawn: *undrawn, passed: passed.to_vec() });
            }
            _ => return Err(at(line, format!("does not hold {} counts that fit the study", 2 + sweep.tests.len()))),
        }
    }
    match lines.next() {
        Some((line, _)) => Err(at(line, "is one row too many".to_owned())),
        None => Ok(Results { sweep, sets, counts }),
    }
}

/// Ranges of sets in ascending order, `None` of what was stopped; nothing if they make no sense.
#[allow(clippy::option_option)]
fn read_sets(text: &str, all: u64) -> Option<Option<Vec<Range<u64>>>> {
    if text == STOPPED {
        return Some(None);
    }
    let mut sets: Vec<Range<u64>> = Vec::new();
    for range in text.split_whitespace() {
        let (start, end) = range.split_once("..")?;
        let range: Range<u64> = start.parse().ok()?..end.parse().ok()?;
        let after = sets.last().is_none_or(|last| last.end < range.start);
        if range.is_empty() || range.end > all || !after {
            return None;
        }
        sets.push(range);
    }
    Some(Some(sets))
}
