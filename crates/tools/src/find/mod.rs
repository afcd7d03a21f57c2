//! Find an example: the reader names an effect, and gets the smallest table found that shows it.
//!
//! Invariants: an event makes a small portion of the search, so that other tools are not kept waiting; all that is known of the search
//! stands in the state; what is told of an example is judged anew from its table.

mod show;
mod state;
mod words;

pub use show::{Example, ExampleRun, FindStatus, FoundMoment, Kernel, View};
pub use state::State;

use serde::{Deserialize, Serialize};

use crate::tool::{Context, Effects, Event, Tool, ToolError};
use blockstep_format::{percent, write_scenario};
use blockstep_learn::find::{Effect, ShownEffect};
use blockstep_protocol as protocol;
use blockstep_sim::scenario::Draft;
use state::SEED;

pub struct Find;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Begin the search, or go on where it was stopped.
    Find,
    Another,
    Cancel,
    Open(Opening),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opening {
    Example,
    Changed,
    /// The changed table, with the example beside it.
    Both,
}

impl Tool for Find {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, _: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut effects = Vec::new();
        if !state.is_known() {
            state.renew(state.effect(), if state.seed.is_empty() { SEED.to_string() } else { state.seed.clone() });
        }
        let (effect, seed) = (state.effect(), state.seed_number());
        match event {
            Event::Opened(word) => {
                if let Some(effect) = Effect::from_id(&word) {
                    state.begin(effect, seed);
                }
            }
            Event::Edit(_) => state.renew(effect, state.seed.clone()),
            Event::Message(Msg::Find) if state.wrong_seed().is_none() => state.begin(effect, seed),
            Event::Message(Msg::Another) => state.begin(effect, seed.wrapping_add(1)),
            Event::Message(Msg::Cancel) => state.going = false,
            Event::Message(Msg::Open(how)) => {
                effects.extend(state.shown().into_iter().flat_map(|(draft, shown)| opened(how, draft, shown)));
            }
            Event::Message(Msg::Find) | Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Closed => {}
        }
        if state.going {
            effects.extend(state.advance());
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(show::view(state, &context.place))
    }
}

/// What the page does to show an example.
fn opened(how: Opening, draft: Draft, shown: ShownEffect) -> Effects {
    use protocol::Effect::{OpenScenario, OpenTool, SelectRow};
    let row = draft.kernels.get(shown.row).map(|k| k.name.clone()).unwrap_or_default();
    let first = write_scenario(&draft);
    let Some(counterpart) = shown.counterpart.filter(|_| how != Opening::Example) else {
        return vec![OpenScenario { at: shown.at, scenario: first, began_as: None }, SelectRow(row)];
    };
    let is_there = counterpart.draft.kernels.iter().any(|k| k.name == row);
    let mut effects = vec![
        OpenScenario { at: counterpart.at, scenario: write_scenario(&counterpart.draft), began_as: None },
        SelectRow(if is_there { row } else { String::new() }),
    ];
    if how == Opening::Both {
        // As if the reader had pinned the first and edited it.
        effects.push(OpenTool { name: "compare".to_owned(), word: format!("pin={}", percent::encode_query(&first)) });
    }
    effects
}
