//! The scenario that a document began as, and whether it is still that one.
//!
//! Depends on `document`. Invariant: the name of the original stands over no other run: it goes when the
//! document departs from it, and comes back when the document is the original again.

use super::document::Document;
use blockstep_sim::scenario::Draft;

/// A scenario that documents begin as.
#[derive(Clone, Debug)]
pub struct Origin {
    /// As a document has it.
    draft: Draft,
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

    /// Whether a document's run is another one: whether anything but its name differs.
    #[must_use]
    pub fn is_left_by(&self, document: &Document) -> bool {
        let mut draft = document.draft();
        self.draft.name.clone_into(&mut draft.name);
        draft != self.draft
    }

    /// After an edit: takes the original's name from a document that has departed by it, and gives it
    /// back to one that has returned. `had_departed`: whether it was another one before.
    pub fn settle(&self, had_departed: bool, after: &mut Document) {
        match (had_departed, self.is_left_by(after)) {
            (false, true) if after.rest.name == self.name() => after.rest.name.clear(),
            (true, false) if after.rest.name.is_empty() => self.name().clone_into(&mut after.rest.name),
            _ => {}
        }
    }

    /// Takes the original's name from a document that is another one.
    pub fn disown(&self, document: &mut Document) {
        if document.rest.name == self.name() && self.is_left_by(document) {
            document.rest.name.clear();
        }
    }
}
