//! What each command does.
//!
//! Invariant: a command does the same from a menu, a button and a key.

use leptos::prelude::*;

use super::dragging::{Nudge, nudge};
use super::files;
use crate::panels::host::Tools;
use crate::state::AppState;
use crate::state::page::Page;
use blockstep_tools::commands::Command;
use blockstep_tools::stored::Theme;
use blockstep_tools::tool::Event;
use blockstep_tools::{ToolId, tour};

pub(super) fn run(tools: Tools, command: Command) {
    let state = tools.state;
    match command {
        Command::StepForward
        | Command::StepBack
        | Command::NextInstant
        | Command::PreviousInstant
        | Command::First
        | Command::Last
        | Command::Play
        | Command::ZoomIn
        | Command::ZoomOut
        | Command::PanLeft
        | Command::PanRight
        | Command::Fit => {
            state.stepping.carry_out(command);
        }
        Command::Undo => state.document.undo(),
        Command::Redo => state.document.redo(),
        // The button that opens files must be clicked by the reader.
        Command::Open => {}
        Command::SaveScenario => files::save_scenario(state),
        // It shows the run with its queues.
        Command::Present if tools.page.get_untracked() == Page::Explore => {
            tools.show_page(Page::Run, &Event::Opened(String::new()));
            state.settings.is_presenting.set(true);
        }
        Command::Present => state.settings.is_presenting.update(|is_on| *is_on = !*is_on),
        Command::NextMoment => next_moment(tools, true),
        Command::PreviousMoment => next_moment(tools, false),
        Command::Leave if state.settings.is_presenting.get_untracked() => state.settings.is_presenting.set(false),
        Command::Leave => {
            state.run.forget_edit();
            state.selection.kernel.set(None);
        }
        Command::Theme => next_theme(state),
        Command::Keys => state.settings.help_open.update(|open| *open = !*open),
        Command::Scenarios => state.settings.scenarios_open.set(true),
        Command::StartEarlier => nudge(state, Nudge::Start { later: false }),
        Command::StartLater => nudge(state, Nudge::Start { later: true }),
        Command::TimeShorter => nudge(state, Nudge::Time { longer: false }),
        Command::TimeLonger => nudge(state, Nudge::Time { longer: true }),
        Command::StreamBefore => nudge(state, Nudge::Stream { next: false }),
        Command::StreamAfter => nudge(state, Nudge::Stream { next: true }),
        Command::Tool(tool) if untrack(|| tools.is_open(tool)) => tools.close_tool(tool),
        Command::Tool(tool) => open(tools, tool),
    }
}

/// Runs a command that was picked from a menu, which names what is to be seen: a tool is opened, never closed.
pub(super) fn run_from_menu(tools: Tools, command: Command) {
    match command {
        Command::Tool(tool) => open(tools, tool),
        command => run(tools, command),
    }
}

/// Opens a tool: Compare with the run before the last edit, if that did something.
pub(super) fn open(tools: Tools, tool: ToolId) {
    let before = tools.state.run.edit.with_untracked(|edit| {
        let edit = edit.as_ref().filter(|edit| tool == ToolId::Compare && !edit.effect.is_same)?;
        Some(form_urlencoded::Serializer::new(String::new()).append_pair("before", &edit.before.scenario_text()).finish())
    });
    tools.open_tool(tool, &before.unwrap_or_default());
}

/// The next stop of the tour, or the one before; without a tour the next moment worth seeing, or instant.
fn next_moment(tools: Tools, forward: bool) {
    let state = tools.state;
    if tools.send_to_tool::<tour::Tour>(ToolId::Tour, if forward { tour::Msg::Next } else { tour::Msg::Back }) {
        return;
    }
    let now = state.cursor.now_untracked();
    let has_departed = state.document.has_departed.get_untracked();
    let moment = state.document.guide.with_untracked(|guide| {
        let mut moments = guide.iter().filter(|_| !has_departed).flat_map(|g| &g.about.moments).map(|moment| moment.at);
        if forward { moments.find(|&at| at > now) } else { moments.rfind(|&at| at < now) }
    });
    state.visit(|| match moment {
        Some(at) => state.cursor.go_to_time(at),
        None => state.cursor.go_to(state.cursor.beside(forward)),
    });
}

/// Light, dark, or as the system says; in turn.
fn next_theme(state: AppState) {
    let dark_system = untrack(|| state.settings.is_dark());
    state.settings.theme.update(|theme| {
        *theme = match (*theme, dark_system) {
            (Theme::System, true) | (Theme::Dark, _) => Theme::Light,
            (Theme::System | Theme::Light, _) => Theme::Dark,
        }
    });
}
