//! What "Find an example" remembers: what is looked for, and how far the search is.
//!
//! Invariants: all that is known of the search stands here; what is told of an example is judged anew from its table.

use serde::{Deserialize, Serialize};

use blockstep_format::{read_scenario, write_scenario};
use blockstep_learn::find::{Effect, MOST_ATTEMPTS, Search, SearchProgress, ShownEffect};
use blockstep_protocol as protocol;
use blockstep_sim::scenario::Draft;

/// The seed at first.
pub(super) const SEED: u64 = 1;

/// Attempts of one event: some milliseconds.
const PORTION: u32 = 150;

/// What is looked for, and how far the search is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The effect; the first one if there is none.
    pub effect: Option<Effect>,
    /// The seed as it was typed, which may be no number.
    pub seed: String,
    /// Random tables tried.
    pub attempts: Option<u32>,
    /// Those that show the effect.
    pub examples: Option<u32>,
    /// The attempt after which the search ends.
    pub last: Option<u32>,
    /// The simplest example so far, as a scenario file.
    pub best: String,
    /// Whether the search is under way.
    pub going: bool,
}

impl State {
    /// The effect that is looked for.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect.unwrap_or(Effect::ALL[0])
    }

    pub(super) fn seed_number(&self) -> u64 {
        self.seed.parse().unwrap_or(SEED)
    }

    /// The seed, or what was typed as one.
    #[must_use]
    pub fn seed_text(&self) -> String {
        self.wrong_seed().map_or_else(|| self.seed_number().to_string(), str::to_owned)
    }

    /// What was typed as a seed, if it is none.
    pub(super) fn wrong_seed(&self) -> Option<&str> {
        Some(&*self.seed).filter(|text| !text.is_empty() && text.parse::<u64>().is_err())
    }

    /// Whether the numbers are those of a search.
    pub(super) fn is_known(&self) -> bool {
        self.effect.is_some() && self.seed.parse::<u64>().is_ok()
    }

    /// Another search, not begun.
    pub(super) fn renew(&mut self, effect: Effect, seed: String) {
        *self = Self { effect: Some(effect), seed, ..Self::default() };
        self.keep(&Search::new(effect, self.seed_number()));
    }

    /// Takes a seed as it was typed; an empty one means what it was.
    pub fn set_seed(&mut self, typed: &str) {
        let typed = typed.trim();
        let is_own = self.is_known() && typed.parse() == Ok(self.seed_number());
        if !(typed.is_empty() || is_own) {
            typed.clone_into(&mut self.seed);
        }
    }

    /// The search, as far as it is.
    pub(super) fn search(&self) -> Search {
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
    pub(super) fn begin(&mut self, effect: Effect, seed: u64) {
        if !self.is_known() || (effect, seed) != (self.effect(), self.seed_number()) {
            self.renew(effect, seed.to_string());
        }
        self.going = true;
    }

    /// A portion of the search; what the page is then to do.
    pub(super) fn advance(&mut self) -> Option<protocol::Effect> {
        let mut search = self.search();
        let progress = search.run(PORTION);
        self.keep(&search);
        self.going = progress == SearchProgress::Searching;
        match progress {
            SearchProgress::Searching => Some(protocol::Effect::Continue),
            SearchProgress::Found => self.shown().map(|(_, shown)| protocol::Effect::Announce(format!("Found. {}", shown.sentence))),
            SearchProgress::GivenUp => Some(protocol::Effect::Announce("No example was found with this seed.".to_owned())),
        }
    }

    /// The example, once the search has ended.
    pub(super) fn shown(&self) -> Option<(Draft, ShownEffect)> {
        let search = self.search();
        let is_found = search.progress() == SearchProgress::Found;
        let mut draft = search.best.filter(|_| is_found)?;
        let mut shown = search.effect.shown_by(&draft)?;
        draft.name = format!("{} (found with seed {})", search.effect.title(), search.seed);
        if let Some(counterpart) = &mut shown.counterpart {
            counterpart.draft.name = format!("{}, but {}", draft.name, counterpart.change);
        }
        Some((draft, shown))
    }
}
