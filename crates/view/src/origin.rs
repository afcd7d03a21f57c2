//! The scenario that a document began as, and how far it is from that one.
//!
//! Depends on `document`. Invariant: the name of the original stands over no other run. Under another policy it says so; it goes when the
//! document departs from the table, and comes back when the document is the original again.

use super::document::Document;
use blockstep_sim::policy;
use blockstep_sim::scenario::{Choice, Draft, PolicyKind};

/// A scenario that documents begin as.
#[derive(Clone, Debug)]
pub struct Origin {
    /// As a document has it.
    draft: Draft,
}

/// How a document differs from the scenario that it began as, names aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It is that one.
    None,
    /// It is that one under another policy of ours, which is another way to look at it.
    Policy,
    /// Anything else differs. A policy of the reader's own is a text, and so as much theirs as a table.
    Table,
}

impl Origin {
    /// Of the scenario in a file.
    #[must_use]
    pub fn new(draft: &Draft) -> Self {
        Self { draft: Document::new(draft.clone()).draft() }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Its policy.
    #[must_use]
    pub fn policy(&self) -> PolicyKind {
        self.draft.policy.kind
    }

    /// Its name under a policy: with another one than its own it says so.
    #[must_use]
    pub fn name_under(&self, kind: PolicyKind) -> String {
        let name = self.name();
        if kind == self.policy() || name.is_empty() { name.to_owned() } else { format!("{name}, under {}", policy::about(kind).title) }
    }

    /// How a document differs from it.
    #[must_use]
    pub fn departure(&self, document: &Document) -> Departure {
        let mut draft = document.draft();
        self.draft.name.clone_into(&mut draft.name);
        if draft == self.draft {
            return Departure::None;
        }
        let is_own = draft.policy.kind == PolicyKind::Own;
        draft.policy.kind = self.policy();
        if draft == self.draft && !is_own { Departure::Policy } else { Departure::Table }
    }

    /// Whether a document is another scenario, whatever the policy.
    #[must_use]
    pub fn is_left_by(&self, document: &Document) -> bool {
        self.departure(document) == Departure::Table
    }

    /// Whether a name is that of this one, under some policy.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        PolicyKind::ALL.iter().any(|&kind| name == self.name_under(kind))
    }

    /// After an edit: takes the original's name from a document that has departed by it, gives it back to one that has returned, and lets it
    /// name the policy. `had_departed`: whether it was another one before.
    pub fn settle(&self, had_departed: bool, after: &mut Document) {
        let has_departed = self.is_left_by(after);
        if !had_departed && has_departed {
            self.disown(after);
        } else if !has_departed && (had_departed && after.rest.name.is_empty() || !had_departed && self.is_named(&after.rest.name)) {
            after.rest.name = self.name_under(after.rest.policy.kind);
        }
    }

    /// Whether a document has the original's name, and is another one.
    #[must_use]
    pub fn is_misnamed(&self, document: &Document) -> bool {
        self.is_named(&document.rest.name) && self.is_left_by(document)
    }

    /// Takes the original's name from a document that is another one.
    pub fn disown(&self, document: &mut Document) {
        if self.is_misnamed(document) {
            document.rest.name.clear();
        }
    }
}
