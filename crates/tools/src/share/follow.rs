//! From a link back to what it shows.
//!
//! Invariants: nothing is changed before the link was read whole and its scenario simulated; the tools that were open are closed before
//! others are, as what a tool says when it is closed comes back later; in a long run, which the page has not at once, the rest waits
//! for it.

use std::sync::Arc;

use super::ShareError;
use super::parts::LEFT_HERE;
use super::state::State;
use crate::runs;
use crate::tool::link::{WORD, example_of};
use crate::tool::{Effects, ReaderPlace, memory};
use blockstep_format::{self as format, Link};
use blockstep_protocol::Effect;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::examples;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::Time;
use blockstep_view::document::Document;
use blockstep_view::position;

/// The word that the tool is opened with to say what is wrong with a link.
pub(super) const PROBLEM: &str = "problem";
/// The page makes longer runs in the background.
const AT_ONCE: u32 = 250_000;
/// And such as are longer than this, if the run before was long.
const AT_ONCE_AFTER_LONG: u32 = AT_ONCE / 16;

pub(super) fn begin(address: &str, state: &mut State, here: &ReaderPlace) -> Effects {
    state.forget_link();
    state.problem.clear();
    match read(address).and_then(|(_, text)| simulate(&text)) {
        Err(why) => {
            let problem = why.to_string();
            state.problem.clone_from(&problem);
            vec![Effect::OpenTool { name: "share".to_owned(), word: PROBLEM.to_owned() }, Effect::Announce(problem)]
        }
        Ok(_) if here.tools.is_empty() => open(address, state, here),
        Ok(_) => {
            address.clone_into(&mut state.closing);
            vec![Effect::CloseOthers, Effect::Continue]
        }
    }
}

/// What is left to do of a link, if something is.
pub(super) fn go_on(state: &mut State, here: &ReaderPlace) -> Effects {
    if !state.closing.is_empty() {
        let closing = std::mem::take(&mut state.closing);
        state.arriving.clear();
        return open(&closing, state, here);
    }
    match read(&state.arriving) {
        Ok((link, text)) if here.scenario == text => {
            state.forget_link();
            place(&link, &here.simulation.run.trace, here)
        }
        _ => Vec::new(),
    }
}

/// The link, and its scenario as the page will have it.
fn read(address: &str) -> Result<(Link, String), ShareError> {
    let (link, _) = format::read_link(address)?;
    let text = format::write_scenario(&Document::new(link.scenario.clone()).draft());
    Ok((link, text))
}

/// As much of the run as the page makes at once.
fn simulate(text: &str) -> Result<Arc<Trace>, ShareError> {
    let scenario = runs::read(text).map_err(ShareError::Scenario)?;
    Ok(engine::simulate(&scenario, Limits { max_steps: AT_ONCE }).trace)
}

fn open(address: &str, state: &mut State, here: &ReaderPlace) -> Effects {
    let Ok((link, text)) = read(address) else { return Vec::new() };
    let Ok(trace) = simulate(&text) else { return Vec::new() };
    let began = example_of(&link.scenario).or_else(|| examples::find(&link.example));
    let began_as = began.map(|example| example.id.to_owned());
    let mut effects = vec![Effect::OpenScenario { at: Time(link.at_ns), scenario: text, began_as }];
    let steps = |trace: &Trace| trace.steps().len() as u32;
    let at_once = if steps(&here.simulation.run.trace) > AT_ONCE_AFTER_LONG { AT_ONCE_AFTER_LONG } else { AT_ONCE };
    if steps(&trace) >= at_once {
        address.clone_into(&mut state.arriving);
        // What the link hides is not seen before the rest of the link is followed.
        if link.is_future_hidden {
            effects.insert(0, Effect::HideFuture(true));
        }
    } else {
        effects.extend(place(&link, &trace, here));
    }
    effects
}

/// Goes where the link leads in the run on screen, or about to be.
fn place(link: &Link, trace: &Trace, here: &ReaderPlace) -> Effects {
    // After all steps of an instant, or between two of them, the time says it all.
    let at = Time(link.at_ns);
    let (from, to) = link.view.unwrap_or_default();
    let time = |ns: i64| Time(u64::try_from(ns).unwrap_or(0));
    let mut effects = vec![
        if position::at_time(trace, at) == link.position { Effect::GoToTime(at) } else { Effect::GoToStep(link.position) },
        // After that, as going somewhere may scroll.
        Effect::ShowRange { from: time(from), to: time(to) },
        Effect::Present(link.is_presenting),
        Effect::ShowPath(link.is_path_shown),
        Effect::HideFuture(link.is_future_hidden),
        Effect::SelectRow(link.selected.clone()),
    ];
    let mut left_out = Vec::new();
    for (name, memory) in link.tools.iter().filter(|(name, _)| !LEFT_HERE.contains(&name.as_str())) {
        if here.known_tools.contains(&name.as_str()) {
            effects.push(restore(name, memory, link));
        } else {
            left_out.push(name.clone());
        }
    }
    if !left_out.is_empty() {
        let names = left_out.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        effects.push(Effect::Announce(format!("The link opens tools that this version does not have: {names}. They are left out.")));
    }
    effects
}

/// Opens a tool with what the link has it remember.
fn restore(tool: &str, memory: &str, link: &Link) -> Effect {
    let name = tool.to_owned();
    let word = memory::without(memory, WORD).1.filter(|word| !word.is_empty());
    match (tool, word, link.op) {
        // They have more to remember than the link holds.
        ("notes", ..) | ("tour", None, _) => Effect::OpenTool { name, word: format!("take {memory}") },
        (_, Some(word), _) => Effect::OpenTool { name, word },
        ("ask", None, Some(op)) => Effect::RestoreTool { name, memory: memory::with(memory, "op", op) },
        _ => Effect::RestoreTool { name, memory: memory.to_owned() },
    }
}
