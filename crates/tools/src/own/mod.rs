//! A policy of one's own: its text, requests that it is stepped through, and a search for what can go wrong.
//!
//! Invariants: an event makes a small portion of a search, so that other tools are not kept waiting; a verdict is that of the text and
//! the choices on screen; while a bug is to be found, no verdict is told before the reader's own requests have shown one.

mod hunt;
mod search;
mod show;
mod state;

pub use search::Searching;
pub use show::{
    Chip, FindingRow, Hunt, Lane, MistakeAt, PolicyLink, PropertyTick, SearchView, TaskRow, TextLine, TextView, Verdict, View, WordView,
    text_in_run,
};
pub use state::{MAX_OWN, MAX_SEQUENCE, MAX_TEXT, State};

use serde::{Deserialize, Serialize};

use blockstep_format as format;

use crate::tool::{Context, Effects, Event, Pair, Tool, ToolError, memory};
use blockstep_protocol::Effect;
use blockstep_search::{PolicyTable, Property, Walk};

/// What a scenario's own policy says before anything else was typed.
#[must_use]
pub fn first_text() -> &'static str {
    blockstep_policy::examples::find("edf").map_or("admit ready\n", |example| example.text)
}

/// The tool.
pub struct OwnPolicy;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Show another text, by its word.
    Choose(String),
    /// The text as it was typed.
    Type(String),
    /// The requests as they were typed.
    Ask(String),
    /// A request more; what follows the step goes.
    Append(String),
    /// Another priority of a task; 0 is best effort.
    SetRank(u8, u8),
    /// The last one at most.
    GoTo(u32),
    /// From where the page is by then: the answer to the press before may be on its way.
    StepBack,
    StepForward,
    SetTasks(u8),
    /// Look for a property or not, by its word.
    Tick(String, bool),
    /// Look for what the text expects.
    TickExpected,
    Search,
    Cancel,
    /// Follow the requests of a finding, by the word of its property.
    Follow(String),
    CopyLink,
    /// Show a run in which the policy is told of these requests.
    OpenRun,
    /// Show the run of the task set of a finding, by the word of its property.
    OpenTaskSet(String),
    /// Show the requests that broke another text under this one, with that beside it.
    CompareRuns,
    /// A link with which others have to find the bug.
    CopyHunt,
    /// Show the verdicts after all.
    GiveUp,
}

impl Tool for OwnPolicy {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] = state::PAIRS;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut effects = Effects::new();
        match event {
            Event::Opened(word) if !word.is_empty() => {
                effects.extend(state.follow_link(memory::read(&word)).map(Effect::Complain));
            }
            Event::Message(message) => take(state, message, context, &mut effects)?,
            Event::Opened(_) | Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        hunt::look(state);
        if state.is_going {
            effects.extend(search::advance(state, &mut context.runs.searching));
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(show::view(state, &context.runs.searching))
    }
}

/// Opens a table in whose run the policy is told of the requests, after the step on screen; or says that there is none.
fn run_of(state: &State) -> Effect {
    let table = blockstep_policy::Program::new(state.text()).ok().and_then(|program| {
        let walk = state.walk(&program);
        walk.table(state.text(), walk.len()).zip(walk.table(state.text(), (state.step as usize).min(walk.len())))
    });
    match table {
        Some((table, shown)) => open(&PolicyTable { at: shown.at, ..table }),
        None => Effect::Announce("We found no run in which the policy gets these requests: they are requests only.".to_owned()),
    }
}

fn open(table: &PolicyTable) -> Effect {
    Effect::OpenScenario { at: table.at, scenario: format::write_scenario(&table.draft), began_as: None }
}

/// Opens the table that broke another text under the one on screen, and sets the run of that text beside it.
fn runs_of_both(state: &State) -> Effects {
    let Some(broken) = state.broken() else { return Vec::new() };
    let table = blockstep_policy::Program::new(&broken.text).ok().and_then(|program| {
        let walk = Walk::new(&program, &broken.requests, state.tasks().into());
        walk.table(&broken.text, walk.len())
    });
    let Some(PolicyTable { mut draft, at }) = table else {
        return vec![Effect::Announce("We found no run in which the broken text gets its requests: they are requests only.".to_owned())];
    };
    let before = format::write_scenario(&draft);
    state.text().clone_into(&mut draft.policy.text);
    // As if the reader had pinned the first and edited it.
    let word = format!("pin={}", format::percent::encode_query(&before));
    let scenario = format::write_scenario(&draft);
    vec![Effect::OpenScenario { at, scenario, began_as: None }, Effect::OpenTool { name: "compare".to_owned(), word }]
}

fn take(state: &mut State, message: Msg, context: &mut Context<'_>, effects: &mut Effects) -> Result<(), ToolError> {
    match message {
        Msg::Choose(word) => state.choose(&word),
        Msg::Type(text) => state.type_text(text),
        Msg::Ask(requests) => state.ask(requests),
        Msg::Append(word) => state.append(&word),
        Msg::SetRank(task, rank) => state.set_rank(task, rank),
        Msg::GoTo(step) => state.step = step.min(state.count()),
        Msg::StepBack => state.step = state.step.saturating_sub(1),
        Msg::StepForward => state.step = (state.step + 1).min(state.count()),
        Msg::SetTasks(tasks) => state.set_tasks(tasks),
        Msg::Tick(word, is_on) => state.tick(&word, is_on),
        Msg::TickExpected => state.tick_expected(),
        Msg::Search => state.begin(),
        Msg::Cancel => state.stop(),
        Msg::Follow(word) => {
            if let Some(requests) = search::requests_of(state, &context.runs.searching, &word) {
                state.ask(requests);
                state.step = state.count();
                if word.parse().is_ok_and(|property: Property| !property.is_warning()) {
                    state.keep_broken();
                }
            }
        }
        Msg::OpenRun => effects.push(run_of(state)),
        Msg::OpenTaskSet(word) => effects.extend(search::table_of(state, &context.runs.searching, &word).map(|table| open(&table))),
        Msg::CompareRuns => effects.extend(runs_of_both(state)),
        Msg::CopyLink => effects.push(Effect::CopyLink(memory::word(&state.to_link(false))?)),
        Msg::CopyHunt => effects.push(Effect::CopyLink(memory::word(&state.to_link(true))?)),
        Msg::GiveUp => state.hunt = state::HuntState::Over,
    }
    Ok(())
}
