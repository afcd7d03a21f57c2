//! From a link back to what it shows.
//!
//! Depends on its parent. Invariants: nothing is changed before the link was read whole and its
//! scenario simulated; the tools that were open are closed before others are, as what a tool says when
//! it is closed comes back later; in a long run, which the page has not at once, the rest waits for it.

use std::sync::Arc;

use super::super::query::Query;
use super::super::{Act, Asked, NAMES};
use super::{LEFT_HERE, WORD, example_of};
use crate::engine::{self, Limits};
use crate::examples;
use crate::format::{self, Link};
use crate::runs;
use crate::trace::Trace;
use crate::units::Time;
use crate::view::document::Document;
use crate::view::position;

/// The page makes longer runs in the background.
const AT_ONCE: u32 = 250_000;
/// And such as are longer than this, if the run before was long.
const AT_ONCE_AFTER_LONG: u32 = AT_ONCE / 16;

/// Follows a link.
pub(super) fn begin(address: &str, state: &mut Query, asked: &Asked<'_>) -> Vec<Act> {
    forget(state);
    state.set("problem", "");
    match read(address).and_then(|(_, text)| simulate(&text)) {
        Err(problem) => {
            state.set("problem", &*problem);
            vec![Act::Tool { name: "share", word: "problem".to_owned() }, Act::Say(problem)]
        }
        Ok(_) if asked.here.tools.is_empty() => open(address, state, asked),
        Ok(_) => {
            state.set("closing", address);
            vec![Act::Alone, Act::Again]
        }
    }
}

/// What is left to do of a link, if something is.
pub(super) fn go_on(state: &mut Query, asked: &Asked<'_>) -> Vec<Act> {
    let closing = state.get("closing").to_owned();
    if !closing.is_empty() {
        forget(state);
        return open(&closing, state, asked);
    }
    let arriving = state.get("arriving").to_owned();
    match read(&arriving) {
        Ok((link, text)) if asked.here.scenario == text => {
            forget(state);
            place(&link, &asked.here.made.run.trace)
        }
        _ => Vec::new(),
    }
}

/// Does no more of it.
pub(super) fn forget(state: &mut Query) {
    state.set("closing", "").set("arriving", "");
}

/// The link, and its scenario as the page will have it.
fn read(address: &str) -> Result<(Link, String), String> {
    let (link, _) = format::read_link(address).map_err(|e| e.to_string())?;
    let text = format::write_scenario(&Document::new(link.scenario.clone()).draft());
    Ok((link, text))
}

/// As much of the run as the page makes at once.
fn simulate(text: &str) -> Result<Arc<Trace>, String> {
    let wrong =
        |e: String| format!("The scenario in this link cannot be run: {}.", e.lines().next().unwrap_or_default().trim_end_matches('.'));
    let scenario = runs::read(text).map_err(wrong)?;
    engine::simulate(&scenario, Limits { max_steps: AT_ONCE }).map(|run| run.trace).map_err(|e| wrong(e.to_string()))
}

fn open(address: &str, state: &mut Query, asked: &Asked<'_>) -> Vec<Act> {
    let Ok((link, text)) = read(address) else { return Vec::new() };
    let Ok(trace) = simulate(&text) else { return Vec::new() };
    let began = example_of(&link.scenario).or_else(|| examples::find(&link.example));
    let mut acts: Vec<Act> = began.map(|example| Act::Began(example.id)).into_iter().collect();
    acts.push(Act::Open { at: Time(link.at_ns), scenario: text });
    let steps = |trace: &Trace| trace.steps().len() as u32;
    let at_once = if steps(&asked.here.made.run.trace) > AT_ONCE_AFTER_LONG { AT_ONCE_AFTER_LONG } else { AT_ONCE };
    if steps(&trace) >= at_once {
        state.set("arriving", address);
    } else {
        acts.extend(place(&link, &trace));
    }
    acts
}

/// Goes where the link leads in the run on screen, or about to be.
fn place(link: &Link, trace: &Trace) -> Vec<Act> {
    let mut acts = Vec::new();
    // After all steps of an instant, or between two of them, the time says it all.
    let at = Time(link.at_ns);
    acts.push(if position::at_time(trace, at) == link.position { Act::GoTime(at) } else { Act::Go(link.position) });
    // After that, as going somewhere may scroll.
    let (from, to) = link.view.unwrap_or_default();
    let time = |ns: i64| Time(u64::try_from(ns).unwrap_or(0));
    acts.push(Act::Show { from: time(from), to: time(to) });
    acts.push(Act::Present(link.is_presenting));
    acts.push(Act::Veil(link.is_veiled));
    acts.push(Act::Select(link.selected.clone()));
    let mut left_out = Vec::new();
    for (name, memory) in link.tools.iter().filter(|(name, _)| !LEFT_HERE.contains(&name.as_str())) {
        let Some(known) = NAMES.iter().find(|known| *known == name) else {
            left_out.push(name.as_str());
            continue;
        };
        let mut memory: Query = memory.iter().cloned().collect();
        let tool = |word| Act::Tool { name: known, word };
        acts.push(match *known {
            // They have more to remember than the link holds.
            "notes" => tool(format!("take {}", memory.write())),
            "tour" if memory.get(WORD).is_empty() => tool(format!("take {}", memory.write())),
            _ if !memory.get(WORD).is_empty() => tool(memory.get(WORD).to_owned()),
            _ => {
                if let ("ask", Some(op)) = (*known, link.op) {
                    memory.set("op", op.to_string());
                }
                Act::Restore { name: name.clone(), memory }
            }
        });
    }
    if !left_out.is_empty() {
        let names: Vec<_> = left_out.iter().map(|name| format!("\"{name}\"")).collect();
        acts.push(Act::Say(format!("The link opens tools that this version does not have: {}. They are left out.", names.join(", "))));
    }
    acts
}
