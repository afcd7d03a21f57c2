//! From the document to its run: simulated here if that is quick, else in the lab.
//!
//! Depends on the engine, on `lab` and on view models. Invariant: a document's run is the same
//! wherever it was made; one that has problems has none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;

use super::dynamic::effect;
use super::lab::{self, Desk};
use crate::engine::{self, Limits, Rebuild, Run};
use crate::format;
use crate::lab::{budgets, cut, whole};
use crate::record::Records;
use crate::scenario::{Draft, Problem, Scenario};
use crate::trace::{Cut, Trace};
use crate::units::{RowId, Time};
use crate::view::document::Document;
use crate::view::problems;
use crate::view::table::Table;
use crate::view::timeline::Timeline;

/// Runs of more steps than this are made in the lab, so that the page goes on meanwhile.
const MAX_STEPS_HERE: u32 = 250_000;

/// A run with what is derived from it once.
#[derive(Clone)]
pub(super) struct RunData {
    pub(super) id: u32,
    pub(super) run: Run,
    pub(super) records: Arc<Records>,
    pub(super) timeline: Arc<Timeline>,
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
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let records = Arc::new(Records::new(&run.trace));
        let timeline = Arc::new(Timeline::new(&run.trace, &records));
        let row_ids = document.ids(Table::Kernels).into();
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), run, records, timeline, document: Arc::clone(document), row_ids }
    }

    /// The scenario file of what was simulated.
    pub(super) fn scenario_text(&self) -> String {
        format::write_scenario(&self.document.draft())
    }

    pub(super) fn trace(&self) -> &Arc<Trace> {
        &self.run.trace
    }

    /// The row with this id of the document, if the run has it.
    pub(super) fn row(&self, id: u32) -> Option<RowId> {
        self.row_ids.iter().position(|&row| row == id).map(RowId::at)
    }

    /// The document's id of the row of this name.
    pub(super) fn row_named(&self, name: &str) -> Option<u32> {
        self.row_id(RowId::at(self.trace().scenario().rows().iter().position(|row| row.name == name)?))
    }

    /// The document's id of a row.
    pub(super) fn row_id(&self, row: RowId) -> Option<u32> {
        self.row_ids.get(row.index()).copied()
    }
}

/// What a document amounts to.
#[derive(Clone, PartialEq)]
pub(super) struct Outcome {
    pub(super) problems: Arc<Vec<Problem>>,
    pub(super) simulated: Simulated,
}

/// Where the run of a document is.
#[derive(Clone)]
pub(super) enum Simulated {
    /// There is none: the document has problems.
    Not,
    /// Here.
    Here(RunData),
    /// Too long to wait for: the lab makes it.
    InLab(Arc<Document>, Arc<Scenario>),
}

impl PartialEq for Simulated {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Not, Self::Not) => true,
            (Self::Here(a), Self::Here(b)) => a == b,
            (Self::InLab(_, a), Self::InLab(_, b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// What the lab is doing for the run on screen.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum InLab {
    /// Nothing.
    Idle,
    /// It simulates: how far it is.
    Running { at: Time, steps: u32 },
    /// It was stopped, for this reason.
    Stopped(String),
}

/// `was_long`: whether the document before this edit took too long, so that this one may as well.
pub(super) fn outcome(document: &Arc<Document>, was_long: bool) -> Outcome {
    let mut problems = document.unreadable();
    let of = |problems, simulated| Outcome { problems: Arc::new(problems::on_page(document, problems)), simulated };
    let scenario = match Scenario::new(&document.draft()) {
        Ok(scenario) => scenario,
        Err(error) => {
            // Where a text cannot be read, what is wrong with the value before it is beside the point.
            let others: Vec<_> = error.problems.into_iter().filter(|p| problems.iter().all(|unread| unread.path != p.path)).collect();
            problems.extend(others);
            return of(problems, Simulated::Not);
        }
    };
    if !problems.is_empty() {
        return of(problems, Simulated::Not);
    }
    let limits = match (lab::is_there(), was_long) {
        (false, _) => Limits::default(),
        (true, false) => Limits { max_steps: MAX_STEPS_HERE },
        (true, true) => Limits { max_steps: MAX_STEPS_HERE / 16 },
    };
    match measured("simulate", || engine::simulate(&scenario, limits)) {
        Ok(run) if run.trace.cut() == Some(&Cut::StepLimit { limit: limits.max_steps }) && lab::is_there() => {
            of(scenario.warnings().to_vec(), Simulated::InLab(Arc::clone(document), scenario))
        }
        Ok(run) => of(scenario.warnings().to_vec(), Simulated::Here(measured("index", || RunData::new(run, document)))),
        Err(error) => of(vec![Problem::new("policy.kind", error.to_string())], Simulated::Not),
    }
}

/// Has the lab simulate what takes too long here, and only the last of it; `again` has it begin anew.
pub(super) fn keep_in_lab(outcome: Memo<Outcome>, far: RwSignal<Option<RunData>>, in_lab: RwSignal<InLab>, again: RwSignal<()>) {
    effect(move || {
        again.track();
        lab::stop(Desk::Runs);
        in_lab.set(InLab::Idle);
        if let Simulated::InLab(document, scenario) = outcome.with(|o| o.simulated.clone()) {
            simulate_in_lab(&document, scenario, far, in_lab);
        }
    });
}

/// Has the lab simulate a document; its steps come while it goes on.
fn simulate_in_lab(document: &Arc<Document>, scenario: Arc<Scenario>, far: RwSignal<Option<RunData>>, in_lab: RwSignal<InLab>) {
    in_lab.set(InLab::Running { at: Time::ZERO, steps: 0 });
    let text = format::write_scenario(&document.draft());
    let document = Arc::clone(document);
    let mut rebuild = None;
    let listener = move |kind: &str, parts: &js_sys::Array| match (kind, &mut rebuild) {
        ("begin", rebuild) => *rebuild = Rebuild::new(&scenario, budgets(&lab::words(parts, 0))).ok(),
        ("steps", Some(run)) => {
            if run.add(&lab::words(parts, 0)) {
                in_lab.set(InLab::Running { at: run.now(), steps: run.steps() });
            } else {
                in_lab.set(InLab::Stopped("Parts of this page are of different versions: load it again.".to_owned()));
                lab::stop(Desk::Runs);
            }
        }
        ("done", rebuild) => {
            if let (Some(run), &[low, high, kind, limit]) = (rebuild.take(), &lab::words(parts, 0)[..]) {
                let run = run.finish(Time(whole(low, high)), cut(kind, limit, lab::text(parts, 1)));
                in_lab.set(InLab::Idle);
                far.set(Some(RunData::new(run, &document)));
            }
        }
        _ => in_lab.set(InLab::Stopped(lab::text(parts, 0))),
    };
    if !lab::ask(Desk::Runs, &["simulate", &text, ""], listener) {
        in_lab.set(InLab::Stopped("This browser does not let the page work in the background.".to_owned()));
    }
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
    pub(super) fn is_stale(&self) -> bool {
        self.simulated == Simulated::Not
    }
}

/// A run of nothing, for a first document that cannot be simulated.
pub(super) fn nothing() -> RunData {
    let scenario = Scenario::new(&Draft::default()).expect("the empty scenario is valid");
    RunData::new(engine::simulate(&scenario, Limits::default()).expect("its policy is known"), &Arc::new(Document::new(Draft::default())))
}
