//! `simulate`, and what is asked of a run.
//!
//! Depends on everything of the package. Invariant: a run is whole: one that was cut is an error.

use std::cell::RefCell;
use std::sync::Arc;

use blockstep_draw::figure::{Palette, Style};
use blockstep_format::{self as format, Link, Source};
use blockstep_report as report;
use blockstep_report::figure::{self, FigureSubject};
use blockstep_report::{columns, why};
use blockstep_sim::engine;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Draft};
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Cut, Variant, Variants};
use blockstep_view::dead_end::dead_end;
use blockstep_view::position::{GoalError, Stop, parse_stop};
use blockstep_view::quantity::format_time;
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{EXACT, Wrong, answer, json, list};
use crate::input::{Given, limits, load, named, time_ns};
use crate::rows::Json;

/// A finished run.
struct Kept {
    run: engine::Run,
    records: Arc<Records>,
    draft: Draft,
}

thread_local! {
    /// Runs by their numbers, those that were dropped left out.
    static RUNS: RefCell<Vec<Option<Kept>>> = const { RefCell::new(Vec::new()) };
}

/// Asks a run.
fn of(run: usize, ask: impl FnOnce(&Kept) -> Result<String, Wrong>) -> String {
    RUNS.with_borrow(|runs| match runs.get(run).and_then(Option::as_ref) {
        Some(kept) => answer(ask(kept)),
        None => answer(Err(Wrong::plain("this run was freed"))),
    })
}

/// Gives back what a run takes.
#[wasm_bindgen]
pub fn drop_run(run: usize) {
    RUNS.with_borrow_mut(|runs| {
        if let Some(kept) = runs.get_mut(run) {
            *kept = None;
        }
    });
}

/// Reads a scenario without running it: what it was, its notes, and the scenario itself.
#[wasm_bindgen]
pub fn read(text: &str, has_lines: bool, policy: &str, policy_text: &str, device: &str, duration: &str) -> String {
    answer(load(&Given { text, has_lines, policy, policy_text, device, duration }).map(|loaded| {
        let source = match loaded.source {
            Source::Scenario => "scenario",
            Source::Examiner => "examiner",
            Source::Simso => "simso",
        };
        let scenario = json(&format::write_scenario(&loaded.draft.with_effect()));
        format!("{{\"source\":\"{source}\",\"notes\":{},\"text\":{scenario}}}", list(&loaded.notes))
    }))
}

/// Runs a scenario. What is empty is left as the text has it.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "they are the options of one object")]
pub fn simulate(
    text: &str,
    has_lines: bool,
    policy: &str,
    policy_text: &str,
    device: &str,
    duration: &str,
    variants: &str,
    max_steps: f64,
) -> String {
    answer(begin_run(&Given { text, has_lines, policy, policy_text, device, duration }, variants, max_steps))
}

fn begin_run(given: &Given<'_>, variants: &str, max_steps: f64) -> Result<String, Wrong> {
    let known: Vec<&str> = Variant::ALL.iter().map(|variant| variant.id()).collect();
    let variant = |id: &str| named("variants", "variant", id, Variant::from_id(id), &known);
    let variants: Variants =
        variants.split('\n').filter(|id| !id.is_empty()).map(variant).collect::<Result<Vec<_>, _>>()?.into_iter().collect();
    let limits = limits(max_steps)?;
    let loaded = load(given)?;
    let run = engine::simulate_varied(&loaded.scenario, variants, limits);
    if let Some(cut) = run.trace.cut() {
        return Err(why_cut(cut));
    }
    let records = Arc::new(Records::new(&run.trace));
    let mut notes = loaded.notes;
    if !variants.is_none() {
        notes.push(format!("this is not what a GPU does; rules changed: {}", variants.ids()));
    }
    notes.extend(dead_end(&run, &records));
    let (scenario, end) = (run.trace.scenario().clone(), run.trace.end().ns());
    if end > EXACT {
        return Err(Wrong::too_large("end_ns", end));
    }
    let id = RUNS.with_borrow(Vec::len);
    let about = format!(
        "{{\"id\":{id},\"name\":{},\"policy\":\"{}\",\"device\":{},\"length\":{},\"end_ns\":{end},\"notes\":{}}}",
        json(scenario.name()),
        scenario.policy().kind.word(),
        json(&scenario.device().name),
        run.trace.steps().len(),
        list(&notes)
    );
    RUNS.with_borrow_mut(|runs| runs.push(Some(Kept { run, records, draft: loaded.draft })));
    Ok(about)
}

/// Why a run was cut.
fn why_cut(cut: &Cut) -> Wrong {
    match cut {
        Cut::StepLimit { limit, .. } => Wrong::argument("maxSteps", Some((*limit).into()), cut),
        Cut::TimeOverflow { .. } => Wrong::argument("end_ns", None, cut),
        Cut::Internal { .. } | Cut::WorkLimit { .. } | Cut::PolicyFailed { .. } => Wrong::plain(cut),
    }
}

impl Kept {
    /// Where `at` is: a text such as `1.2s` or `#12`.
    fn stop(&self, at: &str) -> Result<Stop, Wrong> {
        let (trace, end) = (&self.run.trace, self.run.trace.end());
        let stop = parse_stop(trace, at).map_err(|e| {
            let limit = matches!(e, GoalError::NoStep { .. }).then_some(trace.steps().len() as u64);
            Wrong::argument("at", limit, e)
        })?;
        if stop.at > end {
            return Err(Wrong::argument("at", Some(end.ns()), format_args!("is {at}; the run ends at {}", format_time(end.ns()))));
        }
        Ok(stop)
    }

    fn state(&self, at: &str) -> Result<(Stop, Snapshot), Wrong> {
        let stop = self.stop(at)?;
        Ok((stop, self.run.replay().seek(stop.position).clone()))
    }

    fn timeline(&self) -> Timeline {
        Timeline::new(&self.run.trace, &self.records)
    }
}

/// A table of a run.
#[wasm_bindgen]
pub fn rows(run: usize, table: &str) -> String {
    of(run, |kept| {
        let (run, trace, records, json) = (&kept.run, &kept.run.trace, &kept.records, Json::default());
        let made = match table {
            "blocks" => columns::blocks(json, trace, records),
            "copies" => columns::copies(json, trace, records),
            "kernels" => columns::kernels(json, trace, records),
            "jobs" => columns::jobs(json, trace, &records.jobs),
            "waits" => columns::waits(json, run, records),
            "results" => columns::results(json, run, records),
            _ => columns::steps(json, trace),
        };
        made.map(Json::finish)
    })
}

/// Queues, SMs and waits at an instant.
#[wasm_bindgen]
pub fn state(run: usize, at: &str) -> String {
    of(run, |kept| {
        let (stop, state) = kept.state(at)?;
        let (trace, new) = (&kept.run.trace, Json::default);
        Ok(format!(
            "{{\"step\":{},\"at_ns\":{},\"sentence\":{},\"queues\":{},\"sms\":{},\"blocks\":{},\"waiting\":{}}}",
            stop.position,
            stop.at.ns(),
            json(&spoken(trace, stop)),
            columns::queues(new(), trace, &state)?.finish(),
            columns::sms(new(), trace, &state)?.finish(),
            columns::on_sms(new(), trace, &state)?.finish(),
            columns::waiting(new(), trace, &kept.records, &state)?.finish(),
        ))
    })
}

/// What the step does after which a run stands.
#[wasm_bindgen]
pub fn sentence(run: usize, at: &str) -> String {
    of(run, |kept| Ok(spoken(&kept.run.trace, kept.stop(at)?)))
}

/// What an operation does at an instant, and why.
#[wasm_bindgen]
pub fn why(run: usize, operation: &str, at: &str) -> String {
    of(run, |kept| {
        let (stop, state) = kept.state(at)?;
        let why = why::why(&kept.run.trace, &kept.records, (&state, stop), operation)
            .map_err(|message| Wrong::argument("operation", None, message))?;
        let text = |text: Option<&str>| text.map_or_else(|| "null".to_owned(), json);
        let number = |value: Option<u64>| value.map_or_else(|| "null".to_owned(), |value| value.to_string());
        Ok(format!(
            "{{\"op\":{},\"doing\":{},\"text\":{},\"reason\":{},\"rule\":{},\"blockers\":{},\"until_step\":{},\"until_ns\":{},\"sentence\":{}}}",
            json(&why.op),
            json(why.doing),
            json(&why.text),
            text(why.reason),
            text(why.rule),
            list(&why.blockers),
            number(why.until_step.map(u64::from)),
            number(why.until_ns),
            json(&why.to_string()),
        ))
    })
}

/// A picture of the timeline or of the queues. What is empty, or 0, is as the command line has it.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "they are the options of one object")]
pub fn svg(run: usize, figure: &str, at: &str, start: &str, end: &str, width: f64, palette: &str, title: bool) -> String {
    of(run, |kept| {
        let known: Vec<&str> = Palette::ALL.iter().map(|palette| palette.word()).collect();
        let palette = named("palette", "palette", palette, Palette::from_word(palette), &known)?;
        if width.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&width) {
            return Err(Wrong::argument("width", None, format_args!("is {width}; it is a whole number of pixels")));
        }
        let style = Style::new(width as u32, Style::default().font_px, palette).map_err(|e| Wrong::argument("width", None, e))?;
        let stop = (!at.is_empty()).then(|| kept.stop(at)).transpose()?;
        let whole = kept.run.trace.end();
        let subject = match named("figure", "figure", figure, figure::FIGURES.iter().position(|&f| f == figure), &figure::FIGURES)? {
            0 => {
                let time = |field, text: &str, usual| if text.is_empty() { Ok(usual) } else { time_ns(field, text) };
                let (from, to) = (time("start", start, 0)?, time("end", end, whole.ns())?.min(whole.ns()));
                if !start.is_empty() && from >= to {
                    return Err(Wrong::argument("start", Some(to), format_args!("is not before {}", format_time(to))));
                }
                let is_part = !start.is_empty() || !end.is_empty();
                let number = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
                let shown = is_part.then(|| (number(from), number(to)));
                FigureSubject::Timeline { shown, cursor: stop.map(|stop| stop.at), selected: None }
            }
            _ => FigureSubject::Queues(stop.unwrap_or_else(|| Stop::at_time(&kept.run.trace, whole))),
        };
        Ok(figure::draw(&kept.run, &kept.timeline(), &subject, title, style).svg())
    })
}

/// What the command line prints of a run.
#[wasm_bindgen]
pub fn text(run: usize, form: &str) -> String {
    of(run, |kept| {
        let (run, trace, records) = (&kept.run, &kept.run.trace, &kept.records);
        Ok(match form {
            "trace" => format::write_trace(trace, records).map(|text| text.to_string()).map_err(Wrong::plain)?,
            "steps" => format::write_steps(trace).to_string(),
            "csv" => format::write_csv(trace, records).to_string(),
            "kernels" => format::write_kernels_csv(trace, records).to_string(),
            "jobs" => format::write_jobs_csv(trace, records).to_string(),
            "waits" => report::waits_csv(run, records).to_string(),
            "results" => report::results_csv(run, records).to_string(),
            "chrome" => format::write_chrome(trace, records).to_string(),
            "scenario" => format::write_scenario(&kept.draft.with_effect()),
            _ => return named("form", "form", form, None, &report::FORMS),
        })
    })
}

/// A link that opens a run in the page at this address.
#[wasm_bindgen]
pub fn link(run: usize, page: &str, at: &str) -> String {
    of(run, |kept| {
        if let Some(why) = format::no_page(page) {
            return Err(Wrong::argument("page", None, why));
        }
        if let Some(variant) = kept.run.trace.variants().iter().next() {
            return Err(Wrong::plain(format_args!("rules were changed ({}), which a link does not hold", variant.id())));
        }
        let stop = if at.is_empty() { Stop::default() } else { kept.stop(at)? };
        let link = Link { scenario: kept.draft.clone(), position: stop.position, at_ns: stop.at.ns(), ..Link::default() };
        format::write_link(&link, None).map(|fragment| format!("{page}#{fragment}")).map_err(Wrong::plain)
    })
}
