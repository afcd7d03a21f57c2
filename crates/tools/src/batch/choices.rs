//! What several tabs show: the choices of workload, GPU and scheduler, the switches of methods, and what is wrong.
//!
//! Invariant: what is chosen is among what is offered.

use serde::{Deserialize, Serialize};

use super::problem::WorkloadProblem;
use super::state::{Setup, Source, State, Tab};
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::CASES;
use blockstep_batch::methods::Method;
use blockstep_batch::schedulers::SchedulerId;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    pub sources: Vec<(Source, String)>,
    pub source: Source,
    pub gpu: ArchId,
    pub scheduler: Option<SchedulerId>,
}

/// A workload that cannot run: what is wrong with it, a sentence each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problems(pub Vec<String>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodsView {
    pub methods: Vec<MethodView>,
    pub here: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodView {
    pub method: Method,
    pub is_on: bool,
    pub is_idle: bool,
}

impl Choices {
    pub(super) fn new(state: &State) -> Self {
        let setup = state.setup();
        let mut sources = vec![(Source::Tables, "Tables I and II: two tasks with one false dependency".to_owned())];
        sources.extend(CASES.iter().enumerate().map(|(i, case)| (Source::Case(i), format!("{}: {}", case.name, case.title))));
        if let Some(own) = state.own() {
            sources.push((Source::Own, own_choice(&own.name)));
        }
        let has_scheduler = setup.tab == Tab::Step && !setup.is_tables();
        Self { sources, source: setup.from, gpu: setup.gpu, scheduler: Some(setup.by).filter(|_| has_scheduler) }
    }
}

impl Problems {
    pub(super) fn new(setup: &Setup, problems: &[WorkloadProblem]) -> Self {
        Self(problems.iter().map(|problem| problem.sentence(setup)).collect())
    }
}

impl MethodsView {
    /// The switches of a workload; which of them change nothing, and where.
    pub(super) fn new(setup: &Setup, idle: &[Method], here: String) -> Self {
        let view = |method| MethodView { method, is_on: setup.methods.has(method), is_idle: idle.contains(&method) };
        Self { methods: setup.shown_methods().map(view).collect(), here }
    }
}

fn own_choice(name: &str) -> String {
    let name = if name.is_empty() { "without a name" } else { name };
    format!("Yours: {name}")
}
