//! The lab: what the page asks a worker for, because it takes long or is not needed at first.
//!
//! Depends on everything but the page. Invariant: an answer depends on the request alone; what is
//! kept from one request to the next only saves time.

pub mod beside;
pub mod glance;
pub mod runs;
pub mod study;
pub mod tools;
#[cfg(target_arch = "wasm32")]
mod worker;

#[cfg(target_arch = "wasm32")]
pub use worker::serve;

use crate::engine::{self, Limits};
use runs::Made;

use crate::examples::{self, Example};
use crate::format::{self, ImportOptions};
use crate::report::{self, Options};
use crate::trace::{Cut, Trace, Variants};
use crate::units::{Span, TaskId};
use crate::view::panels;

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// 32-bit words.
    Words(Vec<u32>),
}

/// The style sheets of what the lab writes.
const STYLE: &[&str] = &[
    include_str!("../../style/results.css"),
    include_str!("../../style/study.css"),
    include_str!("../../style/learn.css"),
    include_str!("../../style/export.css"),
    include_str!("../../style/figure.css"),
    include_str!("../../style/links.css"),
    include_str!("../../style/measured.css"),
    include_str!("../../style/batch.css"),
    include_str!("../../style/late.css"),
];

/// What the lab keeps.
#[derive(Default)]
pub struct Lab {
    runs: runs::Runs,
    studies: study::Studies,
}

impl Lab {
    /// Answers a request; `tell` takes what is known on the way, as a kind and its parts.
    ///
    /// | request | arguments | on the way | answer |
    /// |---|---|---|---|
    /// | `simulate` | scenario, step limit | `begin` budgets, `steps` words | end, kind of cut and its limit as words, what was cut |
    /// | `trace`, `csv` | scenario | | the file |
    /// | `results` | scenario, `dark` or `light`, width in px, the run beside it | | the panel, as HTML |
    /// | `results-csv` | scenario, the run beside it | | the file |
    /// | `analyse` | scenario, `dark` or `light`, width in px, line to draw | | the verdicts, as HTML |
    /// | `study-form` | fields as a query | | the form, as HTML |
    /// | `study` | fields as a query | | study or nothing, link, sizes as words; of each problem field, sentence |
    /// | `study-count` | study, point, first set, end | | counts as words |
    /// | `study-figure` | study, counts, progress, `dark` or `light`, width, whether with a table | | figure and table, as HTML |
    /// | `study-svg`, `study-csv` | study, counts | | the file |
    /// | `study-failing` | study, point of a curve | | sets that fail there, as HTML |
    /// | `study-open` | study, point of a curve, set | | scenario, where to open it, why |
    /// | `open` | a file that is no scenario, duration in ns or nothing | | scenario, notes; or nothing and what to ask; or the tool that takes it |
    /// | `style` | | | the style sheets of what it writes |
    /// | `keys` | | | the list of keys and gestures, as HTML |
    /// | `tool` | see [`tools`] | | state, HTML, kind and value of each act |
    /// | `example` | id | | scenario, title, source, text; of each bookmark time, label, text |
    ///
    /// # Errors
    /// What is wrong with the request, as a sentence for the reader.
    pub fn answer(&mut self, request: &str, arguments: &[String], tell: &mut dyn FnMut(&str, Part)) -> Result<Vec<Part>, String> {
        let argument = |i: usize| arguments.get(i).map_or("", String::as_str);
        let text = |text: String| Ok(vec![Part::Text(text)]);
        match request {
            "simulate" => simulate(argument(0), argument(1), tell),
            "trace" => {
                let Made { run, records } = self.runs.get(argument(0), Variants::NONE)?;
                format::write_trace(&run.trace, &records).map_err(|cut| format!("There is no whole trace to save: {cut}")).and_then(text)
            }
            "csv" => {
                let Made { run, records } = self.runs.get(argument(0), Variants::NONE)?;
                text(format::write_csv(&run.trace, &records))
            }
            "results" => {
                let Made { run, records } = self.runs.get(argument(0), Variants::NONE)?;
                let options = Options { is_dark: argument(1) == "dark", width_px: argument(2).parse().unwrap_or(760) };
                let (beside, problem) = match beside::of(argument(3), argument(0), &mut self.runs) {
                    Ok(beside) => (beside, None),
                    Err(why) => (Vec::new(), Some(why)),
                };
                let note = problem.map_or_else(String::new, |why| panels::results::notice(&why));
                text(note + &report::results_html(&run, &records, &beside, options))
            }
            "results-csv" => {
                let Made { run, records } = self.runs.get(argument(0), Variants::NONE)?;
                text(match beside::made(argument(1), argument(0), &mut self.runs)? {
                    Some((name, other)) => report::results_csv_of(&[("this run", &run, &records), (&name, &other.run, &other.records)]),
                    None => report::results_csv(&run, &records),
                })
            }
            "example" => {
                let example = examples::find(argument(0)).ok_or_else(|| format!("There is no example \"{}\".", argument(0)))?;
                Ok(parts_of(example))
            }
            "open" => open(argument(0), argument(1).parse().ok()),
            "style" => text(STYLE.concat()),
            "keys" => text(include_str!("keys.html").to_owned()),
            "tool" => tools::answer(arguments, &mut self.runs),
            _ => self.studies.answer(request, arguments),
        }
    }
}

/// The name of the tool that takes such a file; or a config as a scenario with what was assumed; or, if it needs a duration, nothing and the question.
fn open(config: &str, default_duration_ns: Option<u64>) -> Result<Vec<Part>, String> {
    if format::is_log(config) {
        return Ok(vec![Part::Text("measured".to_owned())]);
    }
    if format::is_batch(config) {
        return Ok(vec![Part::Text("batch".to_owned())]);
    }
    match format::open(config, &ImportOptions { default_duration_ns, ..ImportOptions::default() }) {
        Ok(opened) => {
            let notes = opened.notes.into_iter().map(Part::Text);
            Ok(std::iter::once(Part::Text(format::write_scenario(&opened.draft))).chain(notes).collect())
        }
        Err(error) if error.needs_duration => Ok(vec![Part::Text(String::new()), Part::Text(error.to_string())]),
        Err(error) => Err(error.to_string()),
    }
}

fn parts_of(example: &Example) -> Vec<Part> {
    let mut parts = vec![example.json.to_owned(), example.title.to_owned(), example.source.to_owned(), example.text.to_owned()];
    parts.extend(example.bookmarks.iter().flat_map(|b| [b.at_ns.to_string(), b.label.to_owned(), b.text.to_owned()]));
    parts.into_iter().map(Part::Text).collect()
}

fn simulate(scenario: &str, limit: &str, tell: &mut dyn FnMut(&str, Part)) -> Result<Vec<Part>, String> {
    let scenario = runs::read(scenario)?;
    let max_steps = limit.parse().unwrap_or(Limits::default().max_steps);
    let mut told = None;
    let mut pass_on = |trace: &Trace| match told {
        None => {
            let budgets = (0..scenario.tasks().len()).map(|task| trace.budget(TaskId::at(task)));
            tell("begin", Part::Words(budgets.flat_map(|budget| halves(budget.ns())).collect()));
            told = Some(0);
        }
        Some(before) => {
            let steps = &trace.steps()[before..];
            told = Some(trace.steps().len());
            let mut words = Vec::new();
            steps.iter().for_each(|step| trace.push_step_words(step, &mut words));
            tell("steps", Part::Words(words));
        }
    };
    let run = engine::simulate_watched(&scenario, Limits { max_steps }, &mut pass_on).map_err(|e| e.to_string())?;
    pass_on(&run.trace);
    let (kind, limit, what) = match run.trace.cut() {
        None => (0, 0, String::new()),
        Some(Cut::StepLimit { limit }) => (1, *limit, String::new()),
        Some(Cut::TimeOverflow { what }) => (2, 0, what.clone()),
        Some(Cut::Internal { what }) => (3, 0, what.clone()),
    };
    let [low, high] = halves(run.trace.end().ns());
    Ok(vec![Part::Words(vec![low, high, kind, limit]), Part::Text(what)])
}

/// Why a run was cut short, from the words of an answer.
#[must_use]
pub fn cut(kind: u32, limit: u32, what: String) -> Option<Cut> {
    match kind {
        0 => None,
        1 => Some(Cut::StepLimit { limit }),
        2 => Some(Cut::TimeOverflow { what }),
        _ => Some(Cut::Internal { what }),
    }
}

/// The budgets in the words of `begin`.
#[must_use]
pub fn budgets(words: &[u32]) -> Vec<Span> {
    words.chunks_exact(2).map(|pair| Span(whole(pair[0], pair[1]))).collect()
}

/// A 64-bit number of two words, the lower first.
#[must_use]
pub fn whole(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}
