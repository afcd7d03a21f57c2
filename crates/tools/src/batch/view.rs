//! What the page shows.
//!
//! Invariant: it follows from what the tool remembers and from how things are to look.

use serde::{Deserialize, Serialize};

use super::compare::CompareView;
use super::paper::PaperView;
use super::pictures::PictureLook;
use super::state::{State, Tab};
use super::step::StepView;
use super::workload::WorkloadView;
use blockstep_report::Options;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Whether commands and queues have room beside each other.
    pub is_wide: bool,
    pub is_dark: bool,
    pub note: Option<String>,
    pub can_undo: bool,
    pub can_redo: bool,
    /// What undo takes back, in a few words; empty if there is nothing.
    pub undo_name: String,
    /// What redo makes again.
    pub redo_name: String,
    pub body: Body,
}

/// What is shown of the tab that is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    Step(Box<StepView>),
    All(Box<CompareView>),
    Paper(Box<PaperView>),
    Workload(Box<WorkloadView>),
}

impl Body {
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

impl View {
    pub(super) fn new(state: &State, options: &Options) -> Self {
        let look = PictureLook::new(options);
        let body = match state.setup().tab {
            Tab::Step => Body::Step(Box::new(StepView::new(state, look))),
            Tab::All => Body::All(Box::new(CompareView::new(state, look))),
            Tab::Paper => Body::Paper(Box::new(PaperView::new(state.setup()))),
            Tab::Workload => Body::Workload(Box::new(WorkloadView::new(state))),
        };
        let (present, (past, future)) = (state.history.present(), state.history.others());
        Self {
            undo_name: past.last().map(|before| present.change_since(before)).unwrap_or_default(),
            redo_name: future.last().map(|after| after.change_since(present)).unwrap_or_default(),
            is_wide: look.is_wide(),
            is_dark: look.is_dark,
            note: state.note.clone(),
            can_undo: state.history.can_undo(),
            can_redo: state.history.can_redo(),
            body,
        }
    }
}
