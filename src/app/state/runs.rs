//! From the document to its run: simulated here if that is quick, else in the worker.
//!
//! Depends on the engine, on `client` and on view models. Invariant: a document's run is the same
//! wherever it was made; one that has problems has none.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;

use super::begun;
use crate::app::client::{self, WorkerFor};
use crate::app::texts;
use crate::engine::{self, Limits, Rebuild, Run};
use crate::format;
use crate::protocol::{Progress, RunId, Simulate, Simulated};
use crate::record::Records;
use crate::scenario::{Draft, Problem, Scenario};
use crate::trace::{Cut, Trace};
use crate::units::{RowId, Time};
use crate::view::document::Document;
use crate::view::problems;
use crate::view::table::Table;
use crate::view::timeline::Timeline;

/// Runs of more steps than this are made in the worker, so that the page goes on meanwhile.
const MAX_STEPS_HERE: u32 = 250_000;

/// A run with what is derived from it once.
#[derive(Clone)]
pub(crate) struct RunData {
    pub(crate) id: RunId,
    pub(crate) run: Run,
    pub(crate) records: Arc<Records>,
    pub(crate) timeline: Arc<Timeline>,
    /// What was simulated.
    document: Arc<Document>,
    /// Ids of the document's kernel rows, by row.
    row_ids: Arc<[u32]>,
}

impl PartialEq for RunData {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl RunData {
    fn new(run: Run, document: &Arc<Document>) -> Self {
        let records = Arc::new(Records::new(&run.trace));
        let timeline = Arc::new(Timeline::new(&run.trace, &records));
        let row_ids = document.ids(Table::Kernels).into();
        let id = RunId(NEXT.fetch_add(1, Ordering::Relaxed));
        register(id, document);
        Self { id, run, records, timeline, document: Arc::clone(document), row_ids }
    }

    /// The scenario file of what was simulated.
    pub(crate) fn scenario_text(&self) -> String {
        format::write_scenario(&self.document.draft())
    }

    pub(crate) fn trace(&self) -> &Arc<Trace> {
        &self.run.trace
    }

    /// The row with this id of the document, if the run has it.
    pub(crate) fn row(&self, id: u32) -> Option<RowId> {
        self.row_ids.iter().position(|&row| row == id).map(RowId::at)
    }

    /// The document's id of the row of this name.
    pub(crate) fn row_named(&self, name: &str) -> Option<u32> {
        self.row_id(RowId::at(self.trace().scenario().rows().iter().position(|row| row.name == name)?))
    }

    /// The document's id of a row.
    pub(crate) fn row_id(&self, row: RowId) -> Option<u32> {
        self.row_ids.get(row.index()).copied()
    }
}

/// What a document amounts to.
#[derive(Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) problems: Arc<Vec<Problem>>,
    pub(crate) simulated: RunSource,
}

/// Where the run of a document is.
#[derive(Clone)]
pub(crate) enum RunSource {
    /// There is none: the document has problems.
    None,
    /// It is made on the page.
    Page(RunData),
    /// Too long to wait for: the worker makes it.
    Worker(Arc<Document>, Arc<Scenario>),
}

impl PartialEq for RunSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Page(a), Self::Page(b)) => a == b,
            (Self::Worker(_, a), Self::Worker(_, b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// What the worker is doing for the run on screen.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Simulating {
    /// Nothing is under way.
    Idle,
    /// It simulates: how far it is.
    Running { at: Time, steps: u32 },
    /// It waits for the reader's word: the last run of this did not finish.
    Held,
    /// It was stopped, for this reason.
    Stopped(String),
}

/// `was_long`: whether the document before this edit took too long, so that this one may as well.
pub(crate) fn outcome(document: &Arc<Document>, was_long: bool) -> Outcome {
    let mut problems = document.unreadable();
    let of = |problems, simulated| Outcome { problems: Arc::new(problems::on_page(document, problems)), simulated };
    let scenario = match Scenario::new(&document.draft()) {
        Ok(scenario) => scenario,
        Err(error) => {
            // Where a text cannot be read, what is wrong with the value before it is beside the point.
            let others: Vec<_> = error.problems.into_iter().filter(|p| problems.iter().all(|unread| unread.path != p.path)).collect();
            problems.extend(others);
            return of(problems, RunSource::None);
        }
    };
    if !problems.is_empty() {
        return of(problems, RunSource::None);
    }
    if begun::is_elsewhere() {
        return of(scenario.warnings().to_vec(), RunSource::Worker(Arc::clone(document), scenario));
    }
    let limits = match (client::is_there(), was_long) {
        (false, _) => Limits::default(),
        (true, false) => Limits { max_steps: MAX_STEPS_HERE },
        (true, true) => Limits { max_steps: MAX_STEPS_HERE / 16 },
    };
    match measured("simulate", || engine::simulate(&scenario, limits)) {
        Ok(run) if run.trace.cut() == Some(&Cut::StepLimit { limit: limits.max_steps }) && client::is_there() => {
            of(scenario.warnings().to_vec(), RunSource::Worker(Arc::clone(document), scenario))
        }
        Ok(run) => of(scenario.warnings().to_vec(), RunSource::Page(measured("index", || RunData::new(run, document)))),
        Err(error) => of(vec![Problem::new("policy.kind", error.to_string())], RunSource::None),
    }
}

/// Has the worker simulate what takes too long here, and only the last of it; `again` has it begin anew.
pub(crate) fn simulate_long_runs(
    outcome: Memo<Outcome>,
    far: RwSignal<Option<RunData>>,
    simulating: RwSignal<Simulating>,
    again: RwSignal<()>,
) {
    Effect::new(move |_| {
        again.track();
        client::stop(WorkerFor::Simulation);
        simulating.set(Simulating::Idle);
        if let RunSource::Worker(document, scenario) = outcome.with(|o| o.simulated.clone()) {
            if begun::is_held() {
                return simulating.set(Simulating::Held);
            }
            simulate_in_worker(&document, scenario, far, simulating);
        }
    });
}

/// Has the worker simulate a document; its steps come while it goes on.
fn simulate_in_worker(document: &Arc<Document>, scenario: Arc<Scenario>, far: RwSignal<Option<RunData>>, simulating: RwSignal<Simulating>) {
    simulating.set(Simulating::Running { at: Time::ZERO, steps: 0 });
    let run = RunId(NEXT.fetch_add(1, Ordering::Relaxed));
    register(run, document);
    let document = Arc::clone(document);
    let rebuild = Rc::new(RefCell::new(None::<Rebuild>));
    let shared = Rc::clone(&rebuild);
    let on_progress = move |progress, words: Vec<u32>| {
        let mut rebuild = shared.borrow_mut();
        match (progress, &mut *rebuild) {
            (Progress::Begin { budgets }, rebuild) => *rebuild = Rebuild::new(&scenario, budgets).ok(),
            (Progress::Steps, Some(run)) => {
                if run.add(&words) {
                    simulating.set(Simulating::Running { at: run.now(), steps: run.steps() });
                } else {
                    simulating.set(Simulating::Stopped(texts::OTHER_VERSION.to_owned()));
                    client::stop(WorkerFor::Simulation);
                }
            }
            (Progress::Steps, None) => {}
        }
    };
    let on_answer = move |answer: Result<Simulated, String>| match (answer, rebuild.take()) {
        (Ok(end), Some(run)) => {
            let run = run.finish(end.end, end.cut);
            simulating.set(Simulating::Idle);
            far.set(Some(RunData::new(run, &document)));
        }
        (Ok(_), None) => {}
        (Err(why), _) => simulating.set(Simulating::Stopped(why)),
    };
    client::ask_worker(WorkerFor::Simulation, Simulate { run, max_steps: None }, on_progress, on_answer);
}

/// Counts the runs of the page.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// Lets requests name the run of a document.
fn register(run: RunId, document: &Arc<Document>) {
    let document = Arc::clone(document);
    client::register(run, move || format::write_scenario(&document.draft()));
}

/// Does something, and leaves how long it took in the browser's list of measures.
fn measured<R>(name: &str, work: impl FnOnce() -> R) -> R {
    let performance = window().performance();
    if let Some(performance) = &performance {
        // Only its own bookkeeping could fail.
        let _ = performance.mark(name);
    }
    let result = work();
    if let Some(performance) = &performance {
        let _ = performance.measure_with_start_mark(name, name);
    }
    result
}

impl Outcome {
    /// Whether the run on screen is not the document's, because that has problems.
    pub(crate) fn is_stale(&self) -> bool {
        self.simulated == RunSource::None
    }
}

/// A run of nothing, for a first document that cannot be simulated.
pub(crate) fn nothing() -> RunData {
    let scenario = Scenario::new(&Draft::default()).expect("the empty scenario is valid");
    RunData::new(engine::simulate(&scenario, Limits::default()).expect("its policy is known"), &Arc::new(Document::new(Draft::default())))
}
