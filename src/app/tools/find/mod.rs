//! Find an example: the reader names an effect, and gets the smallest table found that shows it.
//!
//! Depends on `learn::find`. Invariants: an event makes a small portion of the search, so that other tools are not kept
//! waiting; all that is known of the search stands in the state; what is told of an example is judged anew from its table.

#[cfg(target_arch = "wasm32")]
mod panel;
mod show;
mod words;

pub use show::{Example, Kernel, Look, Moment, Status, View};

use serde::{Deserialize, Serialize};

use crate::app::tool::{Context, Effects, Event, Tool, memory};
use crate::format::{read_scenario, write_scenario};
use crate::learn::find::{Effect, MOST_ATTEMPTS, Progress, Search, Shown};
use crate::protocol;
use crate::scenario::Draft;

/// The seed at first.
const SEED: u64 = 1;
/// Attempts of one event: some milliseconds.
const PORTION: u32 = 150;

/// The tool.
pub struct Find;

/// What is looked for, and how far the search is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The effect; the first one if there is none.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The seed as it was typed, which may be no number.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub seed: String,
    /// Random tables tried.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Those that show the effect.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub examples: Option<u32>,
    /// The attempt after which the search ends.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
    /// The simplest example so far, as a scenario file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub best: String,
    /// Whether the search is under way.
    #[serde(with = "memory::flag", skip_serializing_if = "memory::is_false")]
    pub going: bool,
}

/// What the reader can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Choose an effect.
    Effect(Effect),
    /// Type a seed.
    Seed(String),
    /// Begin the search, or go on where it was stopped.
    Find,
    /// Search with the next seed.
    Another,
    /// Stop the search.
    Cancel,
    /// Show what was found.
    Open(Opening),
}

/// How an example is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opening {
    /// The example itself.
    Example,
    /// The changed table that it is compared with.
    Changed,
    /// The changed table, with the example beside it.
    Both,
}

impl Tool for Find {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, _: &mut Context<'_>) -> Result<Effects, String> {
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
            Event::Message(Msg::Effect(other)) if other != effect => state.renew(other, state.seed.clone()),
            Event::Message(Msg::Seed(text)) => state.take_seed(text.trim()),
            Event::Message(Msg::Find) if state.wrong_seed().is_none() => state.begin(effect, seed),
            Event::Message(Msg::Another) => state.begin(effect, seed.wrapping_add(1)),
            Event::Message(Msg::Cancel) => state.going = false,
            Event::Message(Msg::Open(how)) => {
                effects.extend(state.shown().into_iter().flat_map(|(draft, shown)| opened(how, draft, shown)));
            }
            Event::Message(Msg::Effect(_) | Msg::Find) => {}
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Closed => {}
        }
        if state.going {
            effects.extend(state.advance());
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        Ok(show::view(state, &context.place))
    }
}

impl State {
    fn effect(&self) -> Effect {
        self.effect.unwrap_or(Effect::ALL[0])
    }

    fn seed_number(&self) -> u64 {
        self.seed.parse().unwrap_or(SEED)
    }

    /// What was typed as a seed, if it is none.
    fn wrong_seed(&self) -> Option<&str> {
        Some(&*self.seed).filter(|text| !text.is_empty() && text.parse::<u64>().is_err())
    }

    /// Whether the numbers are those of a search.
    fn is_known(&self) -> bool {
        self.effect.is_some() && self.seed.parse::<u64>().is_ok()
    }

    /// Another search, not begun.
    fn renew(&mut self, effect: Effect, seed: String) {
        *self = Self { effect: Some(effect), seed, ..Self::default() };
        self.keep(&Search::new(effect, self.seed_number()));
    }

    fn take_seed(&mut self, text: &str) {
        // A field that was emptied means what it held.
        let is_own = self.is_known() && text.parse() == Ok(self.seed_number());
        if !(text.is_empty() || is_own) {
            self.renew(self.effect(), text.to_owned());
        }
    }

    /// The search, as far as it is.
    fn search(&self) -> Search {
        let mut search = Search::new(self.effect(), self.seed_number());
        if self.is_known() {
            search.attempts = self.attempts.unwrap_or(0);
            search.examples = self.examples.unwrap_or(0);
            search.last = self.last.unwrap_or(MOST_ATTEMPTS);
            search.best = read_scenario(&self.best).ok();
        }
        search
    }

    fn keep(&mut self, search: &Search) {
        (self.attempts, self.examples, self.last) = (Some(search.attempts), Some(search.examples), Some(search.last));
        self.best = search.best.as_ref().map(write_scenario).unwrap_or_default();
    }

    /// Begins, or goes on where it was stopped.
    fn begin(&mut self, effect: Effect, seed: u64) {
        if !self.is_known() || (effect, seed) != (self.effect(), self.seed_number()) {
            self.renew(effect, seed.to_string());
        }
        self.going = true;
    }

    /// A portion of the search; what the page is then to do.
    fn advance(&mut self) -> Option<protocol::Effect> {
        let mut search = self.search();
        let progress = search.run(PORTION);
        self.keep(&search);
        self.going = progress == Progress::Searching;
        match progress {
            Progress::Searching => Some(protocol::Effect::Continue),
            Progress::Found => self.shown().map(|(_, shown)| protocol::Effect::Announce(format!("Found. {}", shown.sentence))),
            Progress::GivenUp => Some(protocol::Effect::Announce("No example was found with this seed.".to_owned())),
        }
    }

    /// The example, once the search has ended.
    fn shown(&self) -> Option<(Draft, Shown)> {
        let search = self.search();
        let is_found = search.progress() == Progress::Found;
        let mut draft = search.best.filter(|_| is_found)?;
        let mut shown = search.effect.shown_by(&draft)?;
        draft.name = format!("{} (found with seed {})", search.effect.title(), search.seed);
        if let Some(counterpart) = &mut shown.counterpart {
            counterpart.draft.name = format!("{}, but {}", draft.name, counterpart.change);
        }
        Some((draft, shown))
    }
}

/// What the page does to show an example.
fn opened(how: Opening, draft: Draft, shown: Shown) -> Effects {
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
        effects.push(OpenTool { name: "compare".to_owned(), word: memory::with("", "pin", &first) });
    }
    effects
}
