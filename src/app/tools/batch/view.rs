//! What the page shows.
//!
//! Depends on the files of its parts. Invariant: it follows from what the tool remembers and from how things are to look.

use serde::{Deserialize, Serialize};

use super::compare::CompareView;
use super::paper::PaperView;
use super::pictures::Look;
use super::problem::Problem;
use super::state::{Setup, Source, State, Tab};
use super::step::StepView;
use super::workload::WorkloadView;
use crate::batch::arch::ArchId;
use crate::batch::cases::CASES;
use crate::batch::methods::Method;
use crate::batch::schedulers::SchedulerId;
use crate::report::Options;

/// The page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Whether commands and queues have room beside each other.
    pub is_wide: bool,
    /// Whether pictures have a dark ground.
    pub is_dark: bool,
    /// What came of opening a file.
    pub note: Option<String>,
    /// What is below the tabs.
    pub body: Body,
}

/// What is shown of the tab that is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// Step by step through a batch.
    Step(Box<StepView>),
    /// All schedulers at once.
    All(Box<CompareView>),
    /// Ours against the paper's.
    Paper(Box<PaperView>),
    /// The tasks.
    Workload(Box<WorkloadView>),
}

impl Body {
    /// The tab that it belongs to.
    #[must_use]
    pub const fn tab(&self) -> Tab {
        match self {
            Self::Step(_) => Tab::Step,
            Self::All(_) => Tab::All,
            Self::Paper(_) => Tab::Paper,
            Self::Workload(_) => Tab::Workload,
        }
    }
}

/// Choices of workload, GPU and scheduler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// Workloads, each with its title.
    pub sources: Vec<(Source, String)>,
    /// The one shown.
    pub source: Source,
    /// The GPU.
    pub gpu: ArchId,
    /// The scheduler, where one is to be chosen.
    pub scheduler: Option<SchedulerId>,
}

/// A workload that cannot run: what is wrong with it, a sentence each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problems(pub Vec<String>);

/// The switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodsView {
    /// Each with whether it is on, and whether it changes anything.
    pub methods: Vec<MethodView>,
    /// Where those that change nothing do so.
    pub here: String,
}

/// A switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodView {
    /// The method that the switch is of.
    pub method: Method,
    /// Whether it is on.
    pub is_on: bool,
    /// Whether it changes nothing.
    pub is_idle: bool,
}

impl View {
    pub(super) fn new(state: &State, options: &Options) -> Self {
        let look = Look::new(options);
        let body = match state.setup.tab {
            Tab::Step => Body::Step(Box::new(StepView::new(state, look))),
            Tab::All => Body::All(Box::new(CompareView::new(state, look))),
            Tab::Paper => Body::Paper(Box::new(PaperView::new(&state.setup))),
            Tab::Workload => Body::Workload(Box::new(WorkloadView::new(state))),
        };
        Self { is_wide: look.is_wide(), is_dark: look.is_dark, note: state.note.clone(), body }
    }
}

impl Choices {
    pub(super) fn new(state: &State) -> Self {
        let setup = &state.setup;
        let mut sources = vec![(Source::Tables, "Tables I and II: two tasks, one false dependency".to_owned())];
        sources.extend(CASES.iter().enumerate().map(|(i, case)| (Source::Case(i), format!("{}: {}", case.name, case.title))));
        if let Some(own) = state.own() {
            let name = if own.name.is_empty() { "without a name" } else { &own.name };
            sources.push((Source::Own, format!("Yours: {name}")));
        }
        let has_scheduler = setup.tab == Tab::Step && !setup.is_tables();
        Self { sources, source: setup.from, gpu: setup.gpu, scheduler: Some(setup.by).filter(|_| has_scheduler) }
    }
}

impl Problems {
    pub(super) fn new(setup: &Setup, problems: &[Problem]) -> Self {
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
