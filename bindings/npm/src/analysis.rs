//! What takes longer than a run: tests of schedulability, sweeps, searches of policies, and traces of profilers.
//!
//! Depends on everything of the package but `run`. Invariants: without `maxTime` no result depends on a clock; what is given of work that
//! was stopped says so.

use std::sync::Arc;

use blockstep_analysis::parts;
use blockstep_format as format;
use blockstep_policy::{Program, examples as policies};
use blockstep_report::verdicts::{self, Verdicts};
use blockstep_resident::{MAX_STATES, Question, Report};
use blockstep_search::{MAX_SEARCHED, Property, Search, Stopped};
use blockstep_sim::engine::{Run, Simulation};
use blockstep_sim::language::counted;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{BuiltIn, Scenario};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time_short;
use blockstep_sim::work::{Budget, Progress, in_portions};
use blockstep_sweep::{CellKind, ChartLook, Measure, Part, Plan, chart};
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::gain::{self, Gains, NoGains};
use blockstep_traces::path;
use blockstep_traces::summary::Summary;
use blockstep_traces::tables as traces;
use blockstep_view::quantity::{format_count, format_time};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{EXACT, Wrong, answer, json, list};
use crate::input::{Given, limits, load, named, time_ns, whole};
use crate::rows::Json;

/// Units of work of a run between two looks at the clock: some milliseconds.
const PORTION: u64 = 500_000;
/// Decisions of a search between two looks at the clock: some milliseconds.
const DECISIONS: u64 = 5_000;
/// Rows of lists in the report of a trace, at most.
const MOST_ROWS: u32 = 200;
/// Connections of hardware that a program may have.
const CONNECTIONS: (u32, u32) = (1, 32);

#[wasm_bindgen]
extern "C" {
    /// Milliseconds on the clock, from any moment on.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// How long a call may take on the clock.
struct Clock {
    begin: f64,
    most_ns: Option<u64>,
}

impl Clock {
    /// `most` is empty if it may take as long as it takes.
    fn new(most: &str) -> Result<Self, Wrong> {
        let most_ns = (!most.is_empty()).then(|| time_ns("maxTime", most)).transpose()?;
        if most_ns == Some(0) {
            return Err(Wrong::argument("maxTime", Some(1), "is 0, in which nothing can be done"));
        }
        Ok(Self { begin: now(), most_ns })
    }

    fn has_time(&self) -> bool {
        self.most_ns.is_none_or(|most| (now() - self.begin) * 1e6 < most as f64)
    }

    fn limit(&self) -> String {
        format!("the limit of {} is reached", format_time(self.most_ns.unwrap_or_default()))
    }

    /// Fails if there is no time for more.
    fn check(&self) -> Result<(), Wrong> {
        if self.has_time() { Ok(()) } else { Err(Wrong::argument("maxTime", self.most_ns, self.limit())) }
    }

    /// A run, whether it is cut or not; nothing if there was no time for all of it.
    fn run(&self, mut simulation: Simulation) -> Option<Run> {
        match in_portions(PORTION, |budget| simulation.run_for(budget), || self.has_time()) {
            Progress::Done => Some(simulation.finish()),
            Progress::Paused => None,
        }
    }
}

/// A list of texts.
fn texts(written: &str) -> Vec<String> {
    // It is the list that the script made.
    serde_json::from_str(written).unwrap_or_default()
}

/// What the schedulability tests say of a scenario.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "they are the options of one object")]
pub fn analyse(
    text: &str,
    has_lines: bool,
    policy: &str,
    policy_text: &str,
    device: &str,
    duration: &str,
    max_steps: f64,
    max_time: &str,
) -> String {
    answer(analysed(&Given { text, has_lines, policy, policy_text, device, duration }, max_steps, max_time))
}

fn analysed(given: &Given<'_>, max_steps: f64, max_time: &str) -> Result<String, Wrong> {
    let (limits, clock) = (limits(max_steps)?, Clock::new(max_time)?);
    let loaded = load(given)?;
    let mut run = |scenario: &Arc<Scenario>| clock.run(Simulation::new(scenario, Variants::NONE, limits));
    let found = Verdicts::new(&loaded.draft, &loaded.scenario, limits, &mut run);
    clock.check()?;
    let found = found.map_err(Wrong::plain)?;
    Ok(format!(
        "{{\"verdict\":\"{}\",\"sentence\":{},\"missed\":{},\"judged\":{},\"utilization\":{},\"not_covered\":{},\"notes\":{},\"tasks\":{},\"edf\":{},\"bounds\":{}}}",
        found.verdict,
        json(&found.sentence),
        found.missed,
        found.judged,
        found.utilization,
        list(&found.not_covered),
        list(&loaded.notes),
        verdicts::tasks(Json::default(), &found)?.finish(),
        verdicts::edf(Json::default(), &found)?.finish(),
        verdicts::bounds(Json::default(), &found)?.finish(),
    ))
}

/// Runs a scenario with many values of its fields: the table of the command line, the same as columns, and why it is not whole. `vary` and
/// `measures` are lists of texts as JSON; without a measure these are the usual ones. Part `part` of `parts` is made.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "they are the options of one object")]
pub fn sweep(
    text: &str,
    has_lines: bool,
    policy: &str,
    policy_text: &str,
    device: &str,
    duration: &str,
    vary: &str,
    measures: &str,
    part: f64,
    parts: f64,
    max_steps: f64,
    max_time: &str,
) -> String {
    let given = Given { text, has_lines, policy, policy_text, device, duration };
    answer(swept(&given, &texts(vary), &texts(measures), (part, parts), max_steps, max_time))
}

fn swept(
    given: &Given<'_>,
    vary: &[String],
    measures: &[String],
    (part, parts): (f64, f64),
    max_steps: f64,
    max_time: &str,
) -> Result<String, Wrong> {
    let (limits, clock) = (limits(max_steps)?, Clock::new(max_time)?);
    let loaded = load(given)?;
    let measures = measures.iter().map(|word| word.parse::<Measure>()).collect::<Result<Vec<_>, _>>();
    let plan = measures.and_then(|measures| {
        let measures = if measures.is_empty() { Measure::USUAL.to_vec() } else { measures };
        Plan::new(&loaded.draft, vary, &measures, None, limits)
    });
    let plan = plan.map_err(|e| Wrong::argument(e.argument(), None, e))?;
    let runs = parts::part(plan.count(), part as u64, parts as u64);
    let wanted = runs.end - runs.start;
    let may_go_on = || clock.has_time();
    let row = |run| clock.has_time().then(|| plan.row_within(run, PORTION, &may_go_on)).flatten();
    let rows: Vec<(u64, Vec<String>)> = runs.map_while(|run| Some((run, row(run)?))).collect();
    let made = Part::new(plan.mark(), plan.count(), plan.header(), rows);
    let done = made.rows().len() as u64;
    let stopped = (done < wanted).then(|| {
        let of = counted(usize::try_from(wanted).unwrap_or(usize::MAX), "run");
        format!("{}: {} of {of} were made", clock.limit(), format_count(done))
    });
    let stopped = stopped.map_or_else(|| "null".to_owned(), |stopped| json(&stopped));
    let columns = cells(&made)?;
    Ok(format!(
        "{{\"count\":{},\"stopped\":{stopped},\"notes\":{},\"csv\":{},\"rows\":{columns}}}",
        plan.count(),
        list(&loaded.notes),
        json(&made.write())
    ))
}

/// The rows of a sweep as an object with a list for each column; a cell that is empty is missing.
fn cells(part: &Part) -> Result<String, Wrong> {
    let mut columns = Vec::new();
    for (place, name) in part.header().iter().enumerate() {
        let kind = part.kind(place);
        let cell = |cell: &str| match (kind, cell) {
            (_, "") => Ok("null".to_owned()),
            (CellKind::Whole, cell) => match cell.parse::<u64>() {
                Ok(number) if number > EXACT => Err(Wrong::too_large(name, number)),
                number => Ok(number.unwrap_or_default().to_string()),
            },
            (CellKind::Real, cell) => Ok(cell.parse::<f64>().unwrap_or_default().to_string()),
            (CellKind::Word, cell) => Ok(json(cell)),
        };
        let values: Vec<String> =
            part.rows().iter().map(|(_, cells)| cell(cells.get(place).map_or("", String::as_str))).collect::<Result<_, _>>()?;
        columns.push(format!("{}:[{}]", json(name), values.join(",")));
    }
    Ok(format!("{{{}}}", columns.join(",")))
}

/// A measure of a sweep against its fields, as an SVG document. `csv` is what `sweep` gave.
#[wasm_bindgen]
pub fn sweep_svg(csv: &str, measure: &str) -> String {
    let drawn = || {
        let wrong = |why: &dyn std::fmt::Display| Wrong::argument("measure", None, why);
        let part = Part::read(csv).map_err(Wrong::plain)?;
        let measure: Measure = measure.parse().map_err(|e| wrong(&e))?;
        chart(&part, &measure, ChartLook::FILE).map(|chart| chart.svg).map_err(|e| wrong(&e))
    };
    answer(drawn())
}

/// The scenario of a run of a sweep, counted from 0. `csv` is what `sweep` gave.
#[wasm_bindgen]
pub fn sweep_scenario(csv: &str, run: f64) -> String {
    let found = || {
        let plan = Part::read(csv).and_then(|part| part.plan()).map_err(Wrong::plain)?;
        let last = u32::try_from(plan.count().saturating_sub(1)).unwrap_or(u32::MAX);
        let run = whole("run", run, 0, last)?;
        plan.draft(run.into()).map(|draft| format::write_scenario(&draft)).map_err(|why| Wrong::argument("run", None, why))
    };
    answer(found())
}

/// Searches for requests, and task sets, that break a policy: its report as the command line prints it, and whether it has a fault.
/// `properties` is a list of texts as JSON; without one these are what the policy's text expects.
#[wasm_bindgen]
pub fn policy_check(policy: &str, name: &str, tasks: f64, properties: &str, max_time: &str) -> String {
    answer(policy_checked(policy, name, tasks, &texts(properties), max_time))
}

fn policy_checked(policy: &str, name: &str, tasks: f64, properties: &[String], max_time: &str) -> Result<String, Wrong> {
    let tasks = whole("tasks", tasks, 1, MAX_SEARCHED as u32)?;
    let clock = Clock::new(max_time)?;
    // No text is one word.
    let is_word = policy.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let found = if is_word {
        let known: Vec<&str> = policies::EXAMPLES.iter().map(|example| example.id).collect();
        Some(named("policy", "policy", policy, policies::find(policy), &known)?)
    } else {
        None
    };
    let (name, text) = found.map_or((name, policy), |example| (example.id, example.text));
    let program = Program::new(text).map_err(|e| Wrong::in_line("policy", e.line as usize, &e))?;
    let properties = match properties {
        [] => Property::for_program(&program),
        words => words
            .iter()
            .map(|word| word.parse::<Property>().map_err(|e| Wrong::argument("properties", None, e)))
            .collect::<Result<_, _>>()?,
    };
    let mut search = Search::new(&program, tasks as usize, &properties).map_err(|e| Wrong::argument("policy", None, e))?;
    if in_portions(DECISIONS, |budget| search.advance(budget), || clock.has_time()) == Progress::Paused {
        search.stop(Stopped::Asked);
    }
    let report = search.report();
    let has_fault = report.has_fault();
    Ok(format!("{{\"has_fault\":{has_fault},\"report\":{}}}", format::write_policy_report(name, &program, &report)))
}

/// Searches all orders of arrival for one that hangs: the report as the command line prints it, and why the search ended early.
#[wasm_bindgen]
pub fn check_resident(
    text: &str,
    has_lines: bool,
    policy: &str,
    policy_text: &str,
    device: &str,
    duration: &str,
    max_time: &str,
) -> String {
    answer(resident_checked(&Given { text, has_lines, policy, policy_text, device, duration }, max_time))
}

fn resident_checked(given: &Given<'_>, max_time: &str) -> Result<String, Wrong> {
    let clock = Clock::new(max_time)?;
    let loaded = load(given)?;
    let mut question = Question::new(&loaded.draft, MAX_STATES).map_err(Wrong::plain)?;
    let mut progress = Progress::Paused;
    while progress == Progress::Paused {
        progress = question.advance(&mut Budget::new(PORTION)).map_err(Wrong::plain)?;
        clock.check()?;
    }
    let report = question.report().map(Report::json).unwrap_or_default();
    Ok(format!("{{\"notes\":{},\"report\":{report}}}", list(&loaded.notes)))
}

/// What is known of a profiler's trace.
#[wasm_bindgen]
pub fn trace(file: &[u8], gpu: &str, connections: Option<f64>, top: f64, max_time: &str) -> String {
    answer(explained(file, gpu, connections, top, max_time))
}

fn explained(file: &[u8], gpu: &str, connections: Option<f64>, top: f64, max_time: &str) -> Result<String, Wrong> {
    let known: Vec<&str> = BUILT_IN.iter().map(|device| device.id).collect();
    let gpu = (!gpu.is_empty()).then(|| named("gpu", "built-in device", gpu, BuiltIn::find(gpu), &known)).transpose()?;
    let connections = connections.map(|count| whole("connections", count, CONNECTIONS.0, CONNECTIONS.1)).transpose()?;
    let top = whole("top", top, 0, MOST_ROWS)?;
    let clock = Clock::new(max_time)?;
    let recording = blockstep_traces::files::read_profile(file, &mut |_| clock.has_time());
    clock.check()?;
    let mut recording = recording.map_err(|e| Wrong::argument("file", None, e))?;
    if let Some(gpu) = gpu {
        recording.assume_gpu(gpu);
    }
    let analysis = Analysis::new(&recording, KnownSettings { connections }, &mut |_| clock.has_time());
    clock.check()?;
    let analysis = analysis.ok_or_else(|| Wrong::plain("the analysis was stopped"))?;
    let paths = path::paths(&recording, &analysis);
    let gains = gain::gains(&recording, &analysis, &paths);
    let report = blockstep_traces::files::write_waits_json(
        (&recording, &analysis),
        &Summary::new(&recording, &analysis),
        &paths,
        gains.as_ref(),
        top as usize,
    );
    let (found, why) = match &gains {
        Ok(gains) => (traces::gains(Json::default(), &recording, gains)?.finish(), "null".to_owned()),
        Err(why) => {
            let short = |span: Span| format_time_short(span.ns());
            ("{}".to_owned(), json(&gain::words::said(&recording, Err::<&Gains, &NoGains>(why), &short).1))
        }
    };
    let answer: Vec<String> = paths.iter().map(|path| path::words::sentence(&recording, path)).collect();
    let (path, causes) = (traces::path(Json::default(), &recording, &paths)?, traces::causes(Json::default(), &recording, &analysis)?);
    clock.check()?;
    Ok(format!(
        "{{\"answer\":{},\"operations\":{},\"path\":{},\"causes\":{},\"gains\":{found},\"why_no_gains\":{why},\"report\":{report}}}",
        list(&answer),
        recording.operations.len(),
        path.finish(),
        causes.finish(),
    ))
}
