//! Studies as files: the parameters as JSON, the results as a table that holds them too.
//!
//! Depends on `analysis`, and on `json` through the reader of scenarios. Invariants: reading what was
//! written gives the same study and the same counts; fields that are not known are errors.

use std::ops::Range;

use super::decimal::scaled;
use super::error::{FormatError, Located, Path, shown};
use super::json::{Document, Kind, Node};
use super::json_out::{Object, push_number, push_rows};
use super::json_text::push_string;
use super::read::Reader;
use crate::analysis::curves::decimal;
use crate::analysis::edf::{EdfTest, Sections, switches_per_job};
use crate::analysis::edf_run::EdfRun;
use crate::analysis::generate::{Generator, Recipe};
use crate::analysis::presets::EDF_RUN_US;
use crate::analysis::results::Results;
use crate::analysis::runlist::RunlistTest;
use crate::analysis::sweep::{Counts, Figure, Sweep, Test, Utilisations};
use crate::scenario::{Choice, Preemption, SwitchCharge};

const SWEEP: &[&str] = &["version", "name", "tasks", "generator", "seed", "period_us", "utilisation", "sets", "figure", "tests"];
const RANGE: &[&str] = &["from", "to", "step"];
const EDF: &[&str] = &["kind", "preemption", "switch_us", "per_job", "blocking", "groups"];
const DELAY: &[&str] = &["kind", "overhead_us"];
const RUN: &[&str] = &["kind", "overhead_us", "run_us"];
const RUNLIST: &[&str] = &["kind", "timeslice_us", "lower_us", "switch_us", "charge"];
const KINDS: &str = "\"edf\", \"edf_delay\", \"edf_run\", \"runlist_bound\" or \"runlist_run\"";

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
    super::within_limit(text)?;
    let doc = Document::parse(text).map_err(|e| FormatError::syntax(text, &e))?;
    let mut reader = Reader::default();
    let sweep = sweep(&mut reader, doc.root());
    let sweep = reader.finish(sweep)?;
    let problems = sweep.problems();
    if problems.is_empty() {
        return Ok(sweep);
    }
    let located = |p: crate::analysis::sweep::SweepProblem| {
        let line = super::locate(text, &p.path);
        Located { line, path: p.path, message: p.message }
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
            "period_us" => sweep.recipe.periods = pair(reader, value, &at),
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

fn pair(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> (u64, u64) {
    let numbers = reader.table(node, path, Reader::number);
    match numbers[..] {
        [least, most] => (least, most),
        _ => {
            reader.expected(node, path, "a list of two numbers, the least and the greatest,");
            (1, 1)
        }
    }
}

/// A share such as 0.05, exact in millionths.
fn millionths(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> u32 {
    let number = if node.kind() == Kind::Number { scaled(node.raw(), 6) } else { None };
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
        _ if node.kind() == Kind::Object => {
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
        Some("edf_delay") => Test::EdfDelay { overhead: numbers(reader, node, path, DELAY, &["kind", "overhead_us"])[1].unwrap_or(0) },
        Some("edf_run") => {
            let fields = numbers(reader, node, path, RUN, &["kind", "overhead_us"]);
            Test::EdfRun(EdfRun { overhead: fields[1].unwrap_or(0), until: fields[2].unwrap_or(EDF_RUN_US) })
        }
        Some("runlist_bound") => Test::RunlistBound(runlist(reader, node, path)),
        Some("runlist_run") => Test::RunlistRun(runlist(reader, node, path)),
        _ => {
            let kind = node.get("kind");
            reader.problem(kind.unwrap_or(node), &path.field("kind"), || {
                kind.map_or("is missing; it is required".to_owned(), |k| format!("is {}; {KINDS} is expected", shown(k)))
            });
            Test::EdfDelay { overhead: 0 }
        }
    }
}

/// The numbers among the fields of a test, in the order of `known`.
fn numbers(reader: &mut Reader, node: Node<'_>, path: &Path<'_>, known: &[&'static str], required: &[&'static str]) -> Vec<Option<u64>> {
    let mut found = vec![None; known.len()];
    for (name, value) in reader.object(node, path, known, required) {
        if !["kind", "charge"].contains(&name)
            && let Some(place) = known.iter().position(|k| *k == name)
        {
            found[place] = Some(reader.number(value, &path.field(name)));
        }
    }
    found
}

fn runlist(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> RunlistTest {
    let fields = numbers(reader, node, path, RUNLIST, &["kind", "timeslice_us"]);
    let charge = node.get("charge").map_or(SwitchCharge::Every, |value| reader.choice(value, &path.field("charge")));
    let timeslice = fields[1].unwrap_or(1);
    RunlistTest { timeslice, lower: fields[2].unwrap_or(timeslice), switch: fields[3].unwrap_or(0), charge }
}

fn edf(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Test {
    let (mut preemption, mut switch, mut per_job) = (Preemption::Thread, 0, None);
    let (mut blocking, mut groups) = (None, None);
    for (name, value) in reader.object(node, path, EDF, &["kind", "preemption"]) {
        let at = path.field(name);
        match name {
            "preemption" => preemption = reader.choice(value, &at),
            "switch_us" => switch = reader.number(value, &at),
            "per_job" => per_job = Some(clipped(reader.number(value, &at))),
            "blocking" => match &*value.text() {
                "cost" => blocking = Some(Sections::Cost),
                "cost_and_switches" => blocking = Some(Sections::InflatedCost),
                _ => reader.expected(value, &at, "\"cost\" or \"cost_and_switches\""),
            },
            "groups" => {
                let (least, most) = pair(reader, value, &at);
                groups = Some(Sections::Groups(clipped(least), clipped(most)));
            }
            _ => {}
        }
    }
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
    let per_job = per_job.unwrap_or(switches_per_job(preemption));
    Test::Edf(EdfTest { preemption, switch, per_job, sections: wanted.unwrap_or(Sections::None) })
}

/// The parameters of a study as a file. Reading it back gives the same study.
#[must_use]
pub fn write_sweep(sweep: &Sweep) -> String {
    let mut out = String::from("{\n  \"version\": 1,\n  \"name\": ");
    push_string(&mut out, &sweep.name);
    out.push_str(&format!(",\n  \"tasks\": {},\n  \"generator\": ", sweep.recipe.tasks));
    push_string(&mut out, sweep.recipe.generator.word());
    let (least, most) = sweep.recipe.periods;
    out.push_str(&format!(",\n  \"seed\": {},\n  \"period_us\": [{least}, {most}],\n", sweep.recipe.seed));
    let Utilisations { from, to, step } = sweep.utilisation;
    let [from, to, step] = [from, to, step].map(decimal);
    out.push_str(&format!("  \"utilisation\": {{ \"from\": {from}, \"to\": {to}, \"step\": {step} }},\n"));
    out.push_str(&format!("  \"sets\": {},\n  \"figure\": ", sweep.sets));
    match sweep.figure {
        Figure::ByUtilisation => out.push_str("\"utilisation\""),
        Figure::ByParameter => out.push_str("\"parameter\""),
        Figure::Above(thousandths) => out.push_str(&format!("{{ \"above\": {} }}", decimal(thousandths * 1000))),
    }
    out.push_str(",\n");
    push_rows(&mut out, "tests", sweep.tests.iter(), write_test);
    out.push_str("\n}\n");
    out
}

fn write_test(out: &mut String, test: &Test) {
    let mut o = Object::open(out);
    match test {
        Test::Edf(edf) => {
            o.text("kind", "edf");
            o.text("preemption", edf.preemption.word());
            o.number("switch_us", edf.switch);
            o.number("per_job", u64::from(edf.per_job));
            match edf.sections {
                Sections::Cost => o.text("blocking", "cost"),
                Sections::InflatedCost => o.text("blocking", "cost_and_switches"),
                Sections::Groups(least, most) => {
                    let out = o.key("groups");
                    out.push('[');
                    push_number(out, least.into());
                    out.push_str(", ");
                    push_number(out, most.into());
                    out.push(']');
                }
                Sections::None | Sections::Given => {}
            }
        }
        Test::EdfDelay { overhead } => {
            o.text("kind", "edf_delay");
            o.number("overhead_us", *overhead);
        }
        Test::EdfRun(run) => {
            o.text("kind", "edf_run");
            o.number("overhead_us", run.overhead);
            o.number("run_us", run.until);
        }
        Test::RunlistBound(runlist) | Test::RunlistRun(runlist) => {
            let is_bound = matches!(test, Test::RunlistBound(_));
            o.text("kind", if is_bound { "runlist_bound" } else { "runlist_run" });
            o.number("timeslice_us", runlist.timeslice);
            o.number("lower_us", runlist.lower);
            o.number("switch_us", runlist.switch);
            o.text("charge", runlist.charge.word());
        }
    }
    o.close();
}

/// Results as a table: the study in a comment, which sets were counted in another, then a row for
/// each utilisation.
#[must_use]
pub fn write_results(results: &Results) -> String {
    let sweep = &results.sweep;
    let mut out = String::from(STUDY);
    let study = write_sweep(sweep);
    out.push_str(&study.lines().map(str::trim_start).collect::<Vec<_>>().join(" "));
    out.push('\n');
    out.push_str(SETS);
    match &results.sets {
        Some(sets) => {
            let ranges: Vec<_> = sets.iter().map(|r| format!("{}..{}", r.start, r.end)).collect();
            out.push_str(&ranges.join(" "));
        }
        None => out.push_str(STOPPED),
    }
    out.push_str("\nutilisation,sets,undrawn");
    for test in &sweep.tests {
        out.push_str(&format!(",\"{}\"", test.label()));
    }
    out.push('\n');
    for (utilisation, counts) in sweep.utilisation.iter().zip(&results.counts) {
        out.push_str(&format!("{},{},{}", decimal(utilisation), counts.sets, counts.undrawn));
        for passed in &counts.passed {
            out.push(',');
            push_number(&mut out, *passed);
        }
        out.push('\n');
    }
    out
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
        return Err(FormatError::whole("is no result of blockstep sweep --csv: its first line does not hold the study"));
    };
    let sweep = read_sweep(study)?;
    let at = |line: usize, message: String| FormatError::new(vec![Located { line: Some(line + 1), path: String::new(), message }]);
    let (line, sets) = next("the sets that were counted")?;
    let sets = sets.strip_prefix(SETS).and_then(|sets| read_sets(sets, sweep.sets));
    let sets = sets.ok_or_else(|| at(line, "does not say which sets were counted".to_owned()))?;
    next("the names of the columns")?;
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
