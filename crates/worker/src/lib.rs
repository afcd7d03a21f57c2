//! The worker: what the page asks for because it takes long, or is not needed at first.
//!
//! Depends on everything that can be computed, and on the tools. Invariants: a response depends on the
//! request and on its run's scenario alone; what is kept from one request to the next only saves time; nothing here writes
//! HTML or style sheets.

#[cfg(target_arch = "wasm32")]
mod dots;
mod error;
mod study;
mod sweep;

use std::collections::VecDeque;

use blockstep_format::{self as format, ImportOptions};
use blockstep_protocol::{ExampleText, Message, Opened, Progress, Reply, Request, Response, ResultsOf, RunId, Simulate, Simulated};
use blockstep_report::study::typed;
use blockstep_report::{self as report, Options};
use blockstep_sim::engine::{Limits, Simulation};
use blockstep_sim::examples;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::{ClaimantId, Time};
use blockstep_sim::work::{self, Budget};
use blockstep_tools as tools;
use blockstep_tools::runs::whole::whole;
use blockstep_tools::runs::{self, Runs, beside};
use blockstep_view::panels::results::ResultsPanel;
use error::WorkerError;
use study::Studies;
use sweep::Sweeps;

/// Scenarios kept by run: that on screen, and those whose requests may still be on their way.
const SCENARIOS: usize = 8;

/// Work between two messages about a simulation: some hundredths of a second.
const PORTION: u64 = 200_000;

/// What the worker keeps.
#[derive(Default)]
pub struct Worker {
    scenarios: VecDeque<(RunId, String)>,
    runs: Runs,
    studies: Studies,
    sweeps: Sweeps,
}

impl Worker {
    /// Answers a message; `tell` takes what is known on the way, and the words of steps.
    ///
    /// The reply is [`Reply::Done`] or [`Reply::Failed`].
    pub fn answer(&mut self, message: Message, tell: &mut dyn FnMut(Progress, Vec<u32>)) -> Reply {
        if let Some(scenario) = message.scenario {
            self.scenarios.push_back(scenario);
            while self.scenarios.len() > SCENARIOS {
                self.scenarios.pop_front();
            }
        }
        match self.respond(message.request, tell) {
            Ok(response) => Reply::Done(response),
            Err(why) => Reply::Failed(why.to_string()),
        }
    }

    fn respond(&mut self, request: Request, tell: &mut dyn FnMut(Progress, Vec<u32>)) -> Result<Response, WorkerError> {
        let scenario = match request.run() {
            Some(run) => self.scenario(run)?,
            None => String::new(),
        };
        let runs = &mut self.runs;
        Ok(match request {
            Request::Simulate(Simulate { max_steps, .. }) => Response::Simulate(simulate(&scenario, max_steps, tell)?),
            Request::LoadExample(example) => Response::LoadExample(example_text(&example.0)?),
            Request::OpenFile(file) => Response::OpenFile(open(&file.text, file.default_duration_ns)?),
            Request::ToolEvent(request) => Response::ToolEvent(tools::answer(&request, &scenario, runs)?),
            Request::ResultsOf(request) => Response::ResultsOf(results(&request, &scenario, runs)?),
            Request::ResultsCsv(request) => Response::ResultsCsv(results_csv(&request.beside, &scenario, runs)?),
            Request::Verdicts(request) => {
                let draft = format::read_scenario(&scenario)?;
                let options = Options { is_dark: request.is_dark, width_px: request.width_px };
                Response::Verdicts(report::study::verdicts(&draft, request.line, options)?)
            }
            Request::TypedSet(request) => {
                let options = Options { is_dark: request.is_dark, width_px: request.width_px };
                Response::TypedSet(report::study::verdicts(&typed::draft(&request.text)?, request.line, options)?)
            }
            Request::OpenTypedSet(request) => Response::OpenTypedSet(format::write_scenario(&typed::draft(&request.0)?)),
            Request::OpenStudyForm(request) => Response::OpenStudyForm(study::form(&request.0)),
            Request::CheckStudy(request) => Response::CheckStudy(study::check(request.texts)),
            Request::CountStudy(request) => Response::CountStudy(self.studies.count(&request)?),
            Request::StudyFigure(request) => Response::StudyFigure(self.studies.figure(&request)?),
            Request::StudySvg(request) => Response::StudySvg(self.studies.svg(&request)?),
            Request::StudyCsv(request) => Response::StudyCsv(self.studies.csv(request)?),
            Request::FailingSets(request) => Response::FailingSets(self.studies.failing(&request)?),
            Request::OpenSet(request) => Response::OpenSet(self.studies.open(&request)?),
            Request::RunSweep(request) => Response::RunSweep(self.sweeps.run(&request)?),
        })
    }

    fn scenario(&self, run: RunId) -> Result<String, WorkerError> {
        let found = self.scenarios.iter().rev().find(|(of, _)| *of == run);
        found.map(|(_, text)| text.clone()).ok_or(WorkerError::NoRun)
    }
}

/// Answers every message to this worker from now on.
#[cfg(target_arch = "wasm32")]
pub fn serve() {
    let mut worker = Worker::default();
    worker.runs.painter = Some(dots::paint);
    blockstep_protocol::wire::serve(move |message, _, replies| {
        let reply = worker.answer(message, &mut |progress, words| replies.go_on(&Reply::Progress(progress), &words));
        replies.end(&reply);
    });
}

fn simulate(scenario: &str, max_steps: Option<u32>, tell: &mut dyn FnMut(Progress, Vec<u32>)) -> Result<Simulated, WorkerError> {
    let scenario = runs::read(scenario)?;
    let max_steps = max_steps.unwrap_or(Limits::default().max_steps);
    let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits { max_steps });
    let mut told = None;
    loop {
        let progress = simulation.run_for(&mut Budget::new(PORTION));
        let is_over = progress == work::Progress::Done;
        pass_on(&simulation, is_over, &mut told, tell);
        if is_over {
            let run = simulation.finish();
            return Ok(Simulated { end: run.trace.end(), cut: run.trace.cut().cloned() });
        }
    }
}

/// Tells what is new of a run: its budgets, once they are known, then its steps. `told`: the steps that were told.
fn pass_on(simulation: &Simulation, is_over: bool, told: &mut Option<usize>, tell: &mut dyn FnMut(Progress, Vec<u32>)) {
    let trace = simulation.trace();
    let before = match *told {
        Some(before) => before,
        None if simulation.has_begun() || is_over => {
            let budgets = (0..trace.scenario().claimants().len()).map(|claimant| trace.budget(ClaimantId::at(claimant))).collect();
            tell(Progress::Begin { budgets }, Vec::new());
            0
        }
        None => return,
    };
    let mut words = Vec::new();
    trace.steps()[before..].iter().for_each(|step| trace.push_step_words(step, &mut words));
    *told = Some(trace.steps().len());
    let at = trace.steps().last().map_or(Time::ZERO, |step| step.at);
    tell(Progress::Steps { at }, words);
}

/// What a run came to, drawn with the run beside it if that can be made.
fn results(request: &ResultsOf, scenario: &str, runs: &mut Runs) -> Result<ResultsPanel, WorkerError> {
    let made = runs.get(scenario, Variants::NONE)?;
    let (beside, problem) = match beside::with_results(&request.beside, scenario, runs) {
        Ok(beside) => (beside, None),
        Err(why) => (Vec::new(), Some(why.to_string())),
    };
    let results = runs.results(&made);
    let options = Options { is_dark: request.is_dark, width_px: request.width_px };
    let panel = report::results_panel(&made.run, &made.records, &results, &beside, options);
    Ok(ResultsPanel { problem, ..panel })
}

fn results_csv(beside: &str, scenario: &str, runs: &mut Runs) -> Result<String, WorkerError> {
    let runs::Simulation { run, records } = runs.get(scenario, Variants::NONE)?;
    Ok(match beside::made(beside, scenario, runs)? {
        Some((name, other)) => whole(report::results_csv_of(&[("this run", &run, &records), (&name, &other.run, &other.records)]))?,
        None => whole(report::results_csv(&run, &records))?,
    })
}

fn example_text(id: &str) -> Result<ExampleText, WorkerError> {
    let example = examples::find(id).ok_or_else(|| WorkerError::NoExample(id.to_owned()))?;
    Ok(ExampleText {
        scenario: example.json.to_owned(),
        title: example.title.to_owned(),
        source: example.source.to_owned(),
        text: example.text.to_owned(),
        bookmarks: example.bookmarks.iter().map(|b| (Time(b.at_ns), b.label.to_owned(), b.text.to_owned())).collect(),
    })
}

/// The tool that takes such a file; or a config as a scenario; or what to ask before it can be one.
fn open(text: &str, default_duration_ns: Option<u64>) -> Result<Opened, WorkerError> {
    if format::is_sheet(text) {
        return Ok(Opened::Table(format::read_sheet(text)?));
    }
    if format::is_log(text) {
        return Ok(Opened::ForTool(tools::ToolId::Measured.info().name.to_owned()));
    }
    if format::is_batch(text) {
        return Ok(Opened::ForTool(tools::ToolId::Batch.info().name.to_owned()));
    }
    if format::is_exercise(text) {
        return Ok(Opened::ForTool(tools::ToolId::Quiz.info().name.to_owned()));
    }
    if format::is_result(text) {
        return Ok(Opened::ForTool(tools::ToolId::Class.info().name.to_owned()));
    }
    if tools::sweep::is_table(text) {
        return Ok(Opened::ForTool(tools::ToolId::Sweep.info().name.to_owned()));
    }
    match format::open(text, &ImportOptions { default_duration_ns, ..ImportOptions::default() }) {
        Ok(opened) => Ok(Opened::Scenario { scenario: format::write_scenario(&opened.draft), notes: opened.notes }),
        Err(error) if error.needs_duration => Ok(Opened::NeedsDuration { question: error.to_string() }),
        Err(error) => Err(error.into()),
    }
}
