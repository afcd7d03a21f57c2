//! Parts of the page by themselves, over a scenario of their own: what tests mount in a browser (`tests/web`).
//!
//! Depends on all parts. Invariant: a part is the page's own; what listens to the whole window or stores the reader's work is left out.

use leptos::prelude::*;

use super::diagram::Diagram;
use super::effects;
use super::header::Policies;
use super::kept::Kept;
use super::notices::Notices;
use super::route::PagePanel;
use super::setup::Limits;
use super::steps::Steps;
use super::tables::Tables;
use super::timeline::TimelinePanel;
use super::tip::Tip;
use super::transport::Transport;
use super::waiting::WaitingNow;
use crate::panels::host::{self, Tools};
use crate::panels::tool_panels::ToolPanels;
use crate::state::AppState;
use crate::state::guide::Guide;
use crate::state::storage::is_embedded;
use crate::state::tip::TipSlot;
use blockstep_format as format;
use blockstep_sim::units::Time;
use blockstep_tools::ToolId;
use blockstep_ui::OpenTerm;
use blockstep_view::document::Document;
use blockstep_view::labels::LabelTerm;

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Diagram,
    Kept,
    Limits,
    Notices,
    /// What has the window to itself in the place of the run.
    Page,
    Policies,
    Steps,
    Tables,
    Timeline,
    Tools,
    Transport,
    Waiting,
}

/// The state of a page, and what its tools need.
#[derive(Clone, Copy)]
pub struct Stage {
    tools: Tools,
}

/// What the run begins with: [TX2] Table 1, before its first step.
pub(super) fn table_1() -> (Document, Option<Time>) {
    (Guide::first().document(), None)
}

/// The contexts of the page's components, and its tools.
pub(super) fn set(state: AppState) -> Tools {
    state.provide();
    provide_context(TipSlot(RwSignal::new(None)));
    let tools = Tools::new(state, effects::run);
    provide_context(tools);
    if !is_embedded() {
        provide_context(OpenTerm(Callback::new(move |term: LabelTerm| tools.open_tool(ToolId::Glossary, term.name()))));
    }
    tools
}

impl Stage {
    /// A page before the first step of a scenario; to be called where its parts are mounted.
    ///
    /// # Errors
    ///
    /// What keeps the scenario file from being read.
    pub fn new(scenario: &str) -> Result<Self, String> {
        let draft = format::read_scenario(scenario).map_err(|why| why.to_string())?;
        let tools = set(AppState::new(table_1));
        host::start(tools);
        tools.state.open(Document::new(draft), None);
        Ok(Self { tools })
    }

    /// A part, as the page has it.
    pub fn part(self, part: Part) -> AnyView {
        let tools = self.tools;
        match part {
            Part::Diagram => view! { <Diagram /> }.into_any(),
            Part::Kept => view! { <Kept /> }.into_any(),
            Part::Limits => view! { <Limits /> }.into_any(),
            Part::Notices => view! { <Notices /> }.into_any(),
            Part::Page => view! { <PagePanel tools=tools /> }.into_any(),
            Part::Policies => view! { <Policies /> }.into_any(),
            Part::Steps => view! { <Steps /> }.into_any(),
            Part::Tables => view! { <Tables /> }.into_any(),
            Part::Timeline => view! { <TimelinePanel /> <Tip /> }.into_any(),
            Part::Tools => view! { <ToolPanels tools=tools>""</ToolPanels> }.into_any(),
            Part::Transport => view! { <Transport /> }.into_any(),
            Part::Waiting => view! { <WaitingNow /> }.into_any(),
        }
    }

    /// Goes to a number of steps applied.
    pub fn go_to(self, position: u32) {
        self.tools.state.cursor.go_to(position);
    }

    /// Goes to a time, after every step that is not later.
    pub fn go_to_time(self, ns: u64) {
        self.tools.state.cursor.go_to_time(Time(ns));
    }

    /// Steps applied.
    pub fn position(self) -> u32 {
        self.tools.state.cursor.position.get_untracked()
    }

    /// Steps of the run.
    pub fn step_count(self) -> u32 {
        untrack(|| self.tools.state.run.step_count())
    }

    /// The name of the kernel that is selected.
    pub fn selected(self) -> Option<String> {
        let row = untrack(|| self.tools.state.selection.selected_row())?;
        Some(self.tools.state.run.with_untracked(|run| run.trace().scenario().rows()[row.index()].name.clone()))
    }

    /// The file of the scenario whose run is on screen.
    pub fn scenario(self) -> String {
        self.tools.state.run.with_untracked(|run| run.scenario_text())
    }

    /// Whether the reader wants to see what a step moves.
    pub fn show_motion(self, is_moving: bool) {
        self.tools.state.settings.is_moving.set(is_moving);
    }

    /// Takes the last edit back.
    pub fn undo(self) {
        self.tools.state.document.undo();
    }

    /// Opens the list of what is stored.
    pub fn show_scenarios(self) {
        self.tools.state.settings.scenarios_open.set(true);
    }

    /// Says something; an error stays until the reader puts it away.
    pub fn say(self, text: &str, is_error: bool) {
        if is_error { self.tools.state.messages.complain(text) } else { self.tools.state.messages.say(text) }
    }

    /// Opens a tool by its name, with a word for it; false if there is none.
    pub fn open_tool(self, name: &str, word: &str) -> bool {
        let tool = ToolId::from_name(name);
        tool.into_iter().for_each(|tool| self.tools.open_tool(tool, word));
        tool.is_some()
    }
}
