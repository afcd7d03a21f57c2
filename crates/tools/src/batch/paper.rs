//! Our performances against the paper's, case by case.
//!
//! Invariant: ours are simulated when the table is asked for. Source: [MT] Table III and section 7.

use serde::{Deserialize, Serialize};

use super::state::{Section, Setup};
use blockstep_batch::advice::{self, Advice};
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::{ASSUMED, CASES, Case, slack_ms};
use blockstep_batch::methods::Methods;
use blockstep_batch::run::Comparison;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::Workload;
use blockstep_view::batch::trees;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperView {
    /// In how many cases the order is the paper's.
    pub headline: String,
    pub cases: Vec<CaseView>,
    pub is_assumed_open: bool,
    pub gpus: Vec<(ArchId, bool)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseView {
    /// By its place in [`CASES`].
    pub case: usize,
    /// Our performances, in the order of the schedulers, each with the slack that is used up, in ms, and whether it is the best.
    pub ours: Vec<(String, bool)>,
    /// The paper's, with its slack times.
    pub theirs: Vec<(String, bool)>,
    pub has_order_of_paper: bool,
    /// Where the order differs, or the advice does.
    pub differences: Vec<String>,
}

/// Each case with our results; none for a case that cannot run, of which there is none.
pub(super) fn results() -> Vec<(&'static Case, Comparison, Advice)> {
    let one = |case: &'static Case| {
        let (workload, arch) = (Workload::new(case.workload(&ASSUMED)).ok()?, case.arch.arch());
        Some((case, Comparison::new(&workload, &arch, Methods::ALL), Advice::new(&workload, &arch)))
    };
    CASES.iter().filter_map(one).collect()
}

impl PaperView {
    pub(super) fn new(setup: &Setup) -> Self {
        let cases: Vec<CaseView> = results().iter().map(|(case, ours, advised)| CaseView::new(case, ours, advised)).collect();
        let same = cases.iter().filter(|case| case.has_order_of_paper).count();
        Self {
            headline: format!("In {same} of {} cases no pair of schedulers is reversed compared with the paper.", cases.len()),
            cases,
            is_assumed_open: setup.is_open(Section::Assumed),
            gpus: ArchId::ALL.map(|id| (id, setup.is_open(Section::Gpu(id)))).into(),
        }
    }
}

impl CaseView {
    fn new(case: &Case, ours: &Comparison, advised: &Advice) -> Self {
        let best = advice::best(ours);
        let beside = |performance: Option<String>, slack: Option<u128>| {
            let performance = performance.unwrap_or_else(|| "–".to_owned());
            slack.map_or(performance.clone(), |slack| format!("{performance} ({})", slack_ms(slack)))
        };
        let mine = |id: SchedulerId| {
            // From ns to hundredths of a millisecond, halves up.
            let slack = ours.outcome(id).map(|outcome| (outcome.shifted + 5_000) / 10_000);
            (beside(ours.performance(id).map(|ratio| ratio.to_string()), slack), best.contains(&id))
        };
        let top = case.published_ranking().first().and_then(|id| case.published(*id)).map(|p| p.performance);
        let published = |id: SchedulerId| {
            let published = case.published(id);
            let is_best = published.is_some_and(|p| Some(p.performance) == top);
            (beside(published.map(|p| p.to_string()), published.and_then(|p| p.slack).map(u128::from)), is_best)
        };
        Self {
            case: CASES.iter().position(|of| of.name == case.name).unwrap_or(0),
            ours: SchedulerId::ALL.map(mine).into(),
            theirs: SchedulerId::ALL.map(published).into(),
            has_order_of_paper: case.differences(ours).is_empty(),
            differences: differences(case, ours, advised),
        }
    }
}

/// Whether the order is the paper's, and whether its advice is.
fn differences(case: &Case, ours: &Comparison, advised: &Advice) -> Vec<String> {
    let mut found = Vec::new();
    for (i, one) in SchedulerId::ALL.into_iter().enumerate() {
        for other in &SchedulerId::ALL[i + 1..] {
            let used = |id| ours.outcome(id).map(|outcome| outcome.shifted);
            let theirs = |id| case.published(id).map(|p| p.performance);
            if used(one).is_some() && used(one) == used(*other) && theirs(one) != theirs(*other) {
                found.push(format!("{} and {} are equal here", one.name(), other.name()));
            }
        }
    }
    for (better, worse) in case.differences(ours) {
        found.push(format!("{} before {} in the paper, after it here", better.name(), worse.name()));
    }
    if !advised.agrees(ours) {
        found.push(format!("the advice is {}", trees::names(advised.leaf().best)));
    }
    found
}
