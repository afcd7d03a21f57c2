//! Explore: a small table, a moment in its run, a question about that moment, and numbers of the table to change.
//!
//! Depends on `view`, `format` and the simulator. Invariant: every sentence of a card is true in the run of its table; the tests
//! compute each of them from that run.

mod cards;
mod control;
mod miniature;
mod wait;

pub use cards::cards;
pub use control::{Choices, Control, ControlField};
pub use miniature::{Fate, LargestResponse, Miniature, Ran, Sameness, miniatures};
pub use wait::{CardWhy, why};

use blockstep_format::read_scenario;
use blockstep_sim::examples;
use blockstep_sim::scenario::{Draft, PolicyKind};
use blockstep_view::document::Document;

/// A question about a moment of a run.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// What its address calls it.
    pub id: &'static str,
    /// The headline.
    pub question: &'static str,
    /// What one has to know for it, in a line. It holds for the table as it is given.
    pub setting: &'static str,
    /// The table.
    pub scenario: CardScenario,
    /// The moment, ns from the start of the run: the state after every step whose time is not later.
    pub at_ns: u64,
    /// The row of the kernel table that the question is about, by name.
    pub asks: &'static str,
    /// What one learns by it, in a line.
    pub teaches: &'static str,
    /// Where it is from.
    pub source: CardSource,
    /// Numbers and words of the table to change.
    pub controls: &'static [Control],
}

/// The table of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardScenario {
    /// That of the built-in example that comes with the page.
    FirstExample,
    /// A scenario file.
    Own(&'static str),
}

/// What has become of the table of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardTable {
    /// Nothing: the question and its setting hold.
    AsGiven,
    /// It is under another policy than the given one.
    Under {
        /// That policy.
        policy: PolicyKind,
        /// The one that the question is about.
        given: PolicyKind,
    },
    /// Something else has changed.
    Changed,
}

/// Where a card is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardSource {
    /// Its name: `[TX2] Table 1`.
    pub label: &'static str,
    /// What to open for more, as an address within the page: `#example=tx2-table-1`.
    pub link: &'static str,
}

impl Card {
    /// The scenario file.
    #[must_use]
    pub fn json(&self) -> &'static str {
        match self.scenario {
            CardScenario::FirstExample => examples::first().json,
            CardScenario::Own(json) => json,
        }
    }

    /// The table.
    #[must_use]
    pub fn draft(&self) -> Draft {
        // The tests read every card.
        read_scenario(self.json()).unwrap_or_default()
    }

    /// The table, to be edited.
    #[must_use]
    pub fn document(&self) -> Document {
        let mut document = Document::new(self.draft());
        document.example = (self.scenario == CardScenario::FirstExample).then(|| examples::first().id);
        document
    }

    /// What has become of the table of the card in a document, whatever its name.
    #[must_use]
    pub fn compared(&self, document: &Document) -> CardTable {
        let unnamed = |draft: Draft| Draft { name: String::new(), ..draft };
        let (given, mut draft) = (unnamed(self.document().draft()), unnamed(document.draft()));
        let kinds = (draft.policy.kind, given.policy.kind);
        draft.policy.kind = given.policy.kind;
        if !document.raw_texts().is_empty() || draft != given {
            CardTable::Changed
        } else if kinds.0 == kinds.1 {
            CardTable::AsGiven
        } else {
            CardTable::Under { policy: kinds.0, given: kinds.1 }
        }
    }
}

/// The card with this id.
#[must_use]
pub fn card(id: &str) -> Option<&'static Card> {
    cards().iter().find(|card| card.id == id)
}
