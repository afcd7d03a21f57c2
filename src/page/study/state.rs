//! The study on screen: which sets are counted, how far that is, and what is shown of it.
//!
//! Invariant: which sets are counted follows from the study alone.

use leptos::html::{Div, H4};
use leptos::prelude::*;

use crate::state::AppState;
use crate::state::pool::Pool;
use blockstep_analysis::sweep::Counts;
use blockstep_protocol::StudyPlan;
use blockstep_view::panels::study::{FailingPanel, FigurePanel};

pub(super) struct Counting {
    pub(super) study: String,
    pub(super) counts: Vec<Counts>,
    /// Whether a picture is asked for, when the last one was, and whether another one is due.
    pub(super) is_drawing: bool,
    pub(super) drawn: f64,
    pub(super) is_due: bool,
}

impl Counting {
    pub(super) fn new(plan: &StudyPlan) -> Self {
        let counts = vec![Counts::none(plan.tests as usize); plan.points as usize];
        Self { study: plan.study.clone(), counts, is_drawing: false, drawn: 0.0, is_due: false }
    }
}

/// The study on screen, as the page sees it.
#[derive(Clone, Copy)]
pub(super) struct StudyRun {
    pub(super) state: AppState,
    pub(super) pool: Pool,
    pub(super) counting: StoredValue<Counting>,
    pub(super) link: RwSignal<Option<String>>,
    pub(super) shown: Shown,
}

impl StudyRun {
    /// None yet.
    pub(super) fn new(state: AppState) -> Self {
        let none = StudyPlan { study: String::new(), points: 0, tests: 0, sets: 0 };
        Self {
            state,
            pool: Pool::new("sets", 0),
            counting: StoredValue::new(Counting::new(&none)),
            link: RwSignal::new(None),
            shown: Shown::new(),
        }
    }

    /// Whether one is being counted, or waits to go on.
    pub(super) fn is_under_way(self) -> bool {
        self.pool.stage().is_under_way()
    }
}

#[derive(Clone, Copy)]
pub(super) struct Shown {
    /// The figure, or why there is none.
    pub(super) figure: RwSignal<Option<Result<FigurePanel, String>>>,
    /// Sets that fail at the point clicked last, or why there are none.
    pub(super) failing: RwSignal<Option<Result<FailingPanel, String>>>,
    pub(super) has_table: RwSignal<bool>,
    pub(super) place: NodeRef<Div>,
    pub(super) title: NodeRef<H4>,
}

impl Shown {
    pub(super) fn new() -> Self {
        Self {
            figure: RwSignal::new(None),
            failing: RwSignal::new(None),
            has_table: RwSignal::new(false),
            place: NodeRef::new(),
            title: NodeRef::new(),
        }
    }
}
