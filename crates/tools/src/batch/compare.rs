//! All six schedulers on one workload, and what the paper would advise.
//!
//! Invariant: simulation and advice are shown beside each other, whether they agree or not.

use serde::{Deserialize, Serialize};

use super::choices::{Choices, MethodsView, Problems};
use super::pictures::{Drawing, PictureLook, outcome_drawing, shown_to};
use super::scene::time;
use super::state::{Section, Setup, State};
use blockstep_batch::advice::{self, Advice};
use blockstep_batch::arch::Arch;
use blockstep_batch::methods::Method;
use blockstep_batch::run::{self, Comparison, Outcome, Ratio};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::{Task, Workload};
use blockstep_view::batch::trees::{self, Branch};
use blockstep_view::quantity::{format_time, format_time_short};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareView {
    pub choices: Choices,
    pub comparison: ComparisonView,
    pub is_family_open: bool,
}

/// A comparison, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ComparisonView {
    Tables,
    Wrong(Problems),
    Shown(Box<ShownComparison>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownComparison {
    pub verdict: Verdict,
    pub is_whole: bool,
    pub names: Vec<String>,
    /// The schedulers, in the order of the paper.
    pub schedulers: Vec<SchedulerView>,
    pub figures: Figures,
    pub advice: AdviceView,
    pub methods: MethodsView,
}

/// Simulation and advice beside each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub best: String,
    pub are_equal: bool,
    pub advised: String,
    pub agrees: bool,
    pub conclusion: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchedulerView {
    pub id: SchedulerId,
    pub is_best: bool,
    /// What becomes of the workload, or why it does not run.
    pub outcome: Result<Score, String>,
}

/// What becomes of a workload under a scheduler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Its performance, in thousandths of the best one.
    pub share: u64,
    pub performance: String,
    pub outputs: String,
    pub timeline: Drawing,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    pub is_open: bool,
    /// Scheduler, task, outputs, late ones, worst lateness, longest from input to output.
    pub rows: Vec<[String; 6]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdviceView {
    pub best: String,
    /// Why, in a sentence or two, and where the paper says so.
    pub reason: String,
    pub traits: String,
    pub tree: Branch,
    pub origin: String,
}

impl CompareView {
    pub(super) fn new(state: &State, look: PictureLook) -> Self {
        let setup = state.setup();
        let comparison = match setup.workload() {
            _ if setup.is_tables() => ComparisonView::Tables,
            Ok(workload) => ComparisonView::Shown(Box::new(ShownComparison::new(setup, &workload, look))),
            Err(problems) => ComparisonView::Wrong(Problems::new(setup, &problems)),
        };
        Self { choices: Choices::new(state), comparison, is_family_open: setup.is_open(Section::Family) }
    }
}

impl ShownComparison {
    fn new(setup: &Setup, workload: &Workload, look: PictureLook) -> Self {
        let arch = setup.arch();
        let ours = Comparison::new(workload, &arch, setup.methods);
        let best = advice::best(&ours);
        let advised = Advice::new(workload, &arch);
        let names: Vec<&str> = workload.tasks().iter().map(|task| task.name.as_str()).collect();
        let to = shown_to(&ours, setup.is_whole);
        let most = SchedulerId::ALL.into_iter().filter_map(|id| ours.performance(id)).map(Ratio::thousandths).max().unwrap_or(1000).max(1);
        let score = |id: SchedulerId, outcome: &Outcome| {
            let performance = ours.performance(id);
            let late: u64 = (0..names.len()).map(|task| outcome.summary(task).late).sum();
            Score {
                share: performance.map_or(0, |p| p.thousandths().saturating_mul(1000) / most),
                performance: performance.map_or("–".to_owned(), |p| format!("{p}×")),
                outputs: format!("{late} of {} outputs late, done at {}", outcome.jobs.len(), time(outcome.end)),
                timeline: outcome_drawing(&arch, outcome, &names, to, look),
            }
        };
        let scheduler = |(id, outcome): &(SchedulerId, Result<Outcome, run::RunError>)| SchedulerView {
            id: *id,
            is_best: best.contains(id),
            outcome: outcome.as_ref().map(|outcome| score(*id, outcome)).map_err(|why| format!("Not on this GPU: {why}")),
        };
        Self {
            verdict: Verdict {
                best: trees::names(&best),
                are_equal: best.len() > 1,
                advised: trees::names(advised.leaf().best),
                agrees: advised.agrees(&ours),
                conclusion: if advised.agrees(&ours) {
                    "They agree."
                } else {
                    "They differ. The advice is a rule of thumb from seven cases; the simulation runs this workload under our assumptions."
                }
                .to_owned(),
            },
            is_whole: setup.is_whole,
            schedulers: ours.outcomes.iter().map(scheduler).collect(),
            figures: Figures { is_open: setup.is_open(Section::Figures), rows: figures(&ours, &names) },
            advice: AdviceView {
                best: trees::names(advised.leaf().best),
                reason: super::rule_words(advised.leaf().reason, advised.leaf().source),
                traits: traits(&advised),
                tree: trees::advice(&advised),
                origin: "[MT] Fig. 3 also recommends schedulers. Our copy of the paper lacks that figure, so this tree is our \
                                 own, based on Table III, section 7 and the conclusions."
                    .to_owned(),
            },
            methods: MethodsView::new(setup, &idle(setup, workload, &arch), "no effect under any scheduler here".to_owned()),
            names: names.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// Methods that change nothing under any scheduler, for a batch of the first two tasks.
fn idle(setup: &Setup, workload: &Workload, arch: &Arch) -> Vec<Method> {
    let tasks: Vec<&Task> = workload.tasks().iter().take(2).collect();
    let is_idle = |method: &Method| {
        let other = setup.methods.with(*method, !setup.methods.has(*method));
        let runs = SchedulerId::ALL.into_iter().filter(|id| id.scheduler().refuses(arch).is_none());
        runs.into_iter().all(|id| run::program(&tasks, arch, setup.methods, id) == run::program(&tasks, arch, other, id))
    };
    Method::ALL.into_iter().filter(is_idle).collect()
}

fn traits(advised: &Advice) -> String {
    let t = &advised.traits;
    let whole = |ns: u128| format_time_short(u64::try_from(ns).unwrap_or(u64::MAX));
    rest_on(t.small, &whole(t.copies), &whole(t.kernels), t.longer, t.pairs)
}

fn figures(ours: &Comparison, names: &[&str]) -> Vec<[String; 6]> {
    let ran = ours.outcomes.iter().filter_map(|(id, outcome)| Some((id, outcome.as_ref().ok()?)));
    let row = |id: &SchedulerId, outcome: &Outcome, task: usize| {
        let sum = outcome.summary(task);
        let span = |span: blockstep_sim::units::Span| format_time(span.ns());
        let (outputs, late) = (sum.jobs.to_string(), sum.late.to_string());
        [id.name().to_owned(), names[task].to_owned(), outputs, late, span(sum.worst_lateness), span(sum.worst_response)]
    };
    ran.flat_map(|(id, outcome)| (0..names.len()).map(move |task| row(id, outcome, task))).collect()
}

/// What the answers rest on; of `pairs` of tasks, the one of higher priority has the longer kernel in `longer`.
fn rest_on(are_small: bool, copies: &str, kernels: &str, longer: usize, pairs: usize) -> String {
    let size = if are_small { "small" } else { "large" };
    format!(
        "Inputs: {size} kernels. Copies take {copies} in total and kernels {kernels}. \
         In {longer} of {pairs} pairs of tasks, the task of higher priority has the longer kernel."
    )
}
