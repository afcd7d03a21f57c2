//! What each command does.
//!
//! Depends on the page's state. Invariant: a command does the same from a menu, a button and a key.

use leptos::prelude::*;

use super::files;
use super::state::{AppState, Theme};
use crate::app::commands::Command;
use crate::app::tools::{ToolId, tour};
use crate::protocol::{BlocksCsv, TraceFile};

/// How far keys zoom, and which share of the width they pan.
const ZOOM: f64 = 1.35;
const PAN: f64 = 0.12;

/// Runs a command.
pub(super) fn run(state: AppState, command: Command) {
    let run = || state.run.with_untracked(|run| run.id);
    match command {
        Command::StepForward => moved(state, || state.step(true)),
        Command::StepBack => moved(state, || state.step(false)),
        Command::NextInstant => moved(state, || state.instant(true)),
        Command::PreviousInstant => moved(state, || state.instant(false)),
        Command::First => moved(state, || state.go_to(0)),
        Command::Last => moved(state, || state.go_to(u32::MAX)),
        Command::Play => state.is_playing.update(|playing| *playing = !*playing),
        Command::ZoomIn => zoom(state, ZOOM),
        Command::ZoomOut => zoom(state, 1.0 / ZOOM),
        Command::PanLeft => pan(state, -PAN),
        Command::PanRight => pan(state, PAN),
        Command::Fit => state.fit(),
        Command::Undo => state.undo(),
        Command::Redo => state.redo(),
        // The button that opens files must be clicked by the reader.
        Command::Open => {}
        Command::SaveScenario => files::save_scenario(state),
        Command::SaveScreenshot => files::save_screenshot(state),
        Command::SaveTrace => files::save_answer(state, TraceFile(run()), "trace.json", "application/json"),
        Command::SaveBlocks => files::save_answer(state, BlocksCsv(run()), "csv", "text/csv"),
        Command::Present => state.is_presenting.update(|is_on| *is_on = !*is_on),
        Command::NextMoment => next_moment(state, true),
        Command::PreviousMoment => next_moment(state, false),
        Command::Leave if state.is_presenting.get_untracked() => state.is_presenting.set(false),
        Command::Leave => state.selected.set(None),
        Command::Theme => next_theme(state),
        Command::Keys => state.help_open.update(|open| *open = !*open),
        Command::Tool(tool) => state.toggle_tool(tool),
    }
}

/// Runs a command that was picked from a menu, which names what is to be seen: a tool is opened, never closed.
pub(super) fn run_from_menu(state: AppState, command: Command) {
    match command {
        Command::Tool(tool) => state.open_tool(tool, ""),
        command => run(state, command),
    }
}

/// After every move by hand.
fn moved(state: AppState, go: impl FnOnce()) {
    state.visit(go);
}

/// Zooms around the cursor if it is on the timeline, else around the middle.
fn zoom(state: AppState, factor: f64) {
    state.rescale(|scale, end| {
        let (left, right) = (scale.left_px(), scale.left_px() + scale.width_px());
        let x = scale.x_from_time(state.now_untracked());
        let around = if (left..=right).contains(&x) { x } else { f64::midpoint(left, right) };
        scale.zoomed(factor, around, end)
    });
}

fn pan(state: AppState, share: f64) {
    state.rescale(|scale, end| scale.panned(scale.width_px() * share, end));
}

/// The next stop of the tour, or the one before; without a tour the next moment worth seeing, or instant.
fn next_moment(state: AppState, forward: bool) {
    if state.send_to_tool::<tour::Tour>(ToolId::Tour, if forward { tour::Msg::Next } else { tour::Msg::Back }) {
        return;
    }
    let now = state.now_untracked();
    let has_departed = state.has_departed.get_untracked();
    let moment = state.guide.with_untracked(|guide| {
        let mut moments = guide.iter().filter(|_| !has_departed).flat_map(|g| &g.about.moments).map(|moment| moment.at);
        if forward { moments.find(|&at| at > now) } else { moments.rfind(|&at| at < now) }
    });
    state.visit(|| match moment {
        Some(at) => state.go_to_time(at),
        None => state.instant(forward),
    });
}

/// Light, dark, or as the system says; in turn.
fn next_theme(state: AppState) {
    let dark_system = untrack(|| state.is_dark());
    state.theme.update(|theme| {
        *theme = match (*theme, dark_system) {
            (Theme::System, true) | (Theme::Dark, _) => Theme::Light,
            (Theme::System | Theme::Light, _) => Theme::Dark,
        }
    });
}
