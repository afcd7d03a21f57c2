//! Undo and redo: the documents before and after each edit.
//!
//! Depends on `document`. Invariants: edits of the same cell that follow each other are one entry; after an edit the documents
//! before the present one have at most [`MAX_ROWS`] rows and names together, or there is one.

use std::sync::Arc;

use super::document::Document;

/// Most entries kept.
const MAX_ENTRIES: usize = 500;

/// Most rows and names of all documents that are kept beside the present one.
pub const MAX_ROWS: usize = 1_000_000;

/// The present document with its past and its undone future.
#[derive(Clone, Debug)]
pub struct History {
    past: Vec<Arc<Document>>,
    present: Arc<Document>,
    future: Vec<Arc<Document>>,
    /// What the last edit was of; edits of the same are one entry.
    last: Option<String>,
}

impl History {
    /// Begins with a document.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { past: Vec::new(), present: Arc::new(document), future: Vec::new(), last: None }
    }

    /// What can be undone and what can be redone, each the next one last.
    #[must_use]
    pub fn others(&self) -> (&[Arc<Document>], &[Arc<Document>]) {
        (&self.past, &self.future)
    }

    /// Takes up the history of an earlier visit, if nothing has been edited since.
    pub fn resume(&mut self, [past, future]: [Vec<Document>; 2]) {
        if self.past.is_empty() && self.future.is_empty() {
            (self.past, self.future) = (past.into_iter().map(Arc::new).collect(), future.into_iter().map(Arc::new).collect());
            self.forget_the_oldest();
        }
    }

    /// The document as it is now.
    #[must_use]
    pub fn present(&self) -> &Arc<Document> {
        &self.present
    }

    /// Makes an edit. `of` names the cell for edits that come keystroke by keystroke. An edit
    /// that changes nothing is none.
    pub fn edit(&mut self, of: Option<String>, edit: impl FnOnce(&mut Document)) {
        let mut document = (*self.present).clone();
        edit(&mut document);
        self.put(of, document);
    }

    /// The same, unless it adds to a document that has more than `most` entries then.
    ///
    /// # Errors
    /// How many entries it would have; nothing is changed.
    pub fn edit_within(&mut self, most: usize, of: Option<String>, edit: impl FnOnce(&mut Document)) -> Result<(), usize> {
        let mut document = (*self.present).clone();
        edit(&mut document);
        let entries = document.entry_count();
        if entries > most && entries > self.present.entry_count() {
            return Err(entries);
        }
        self.put(of, document);
        Ok(())
    }

    fn put(&mut self, of: Option<String>, document: Document) {
        if document == *self.present {
            return;
        }
        let before = std::mem::replace(&mut self.present, Arc::new(document));
        let continues = of.is_some() && of == self.last && !self.past.is_empty();
        if continues {
            // Edits of one cell that end where they began are none.
            if self.past.last() == Some(&self.present) {
                self.past.pop();
                self.last = None;
                self.future.clear();
                return;
            }
        } else {
            self.past.push(before);
        }
        self.future.clear();
        self.last = of;
        self.forget_the_oldest();
    }

    /// Whatever was edited, what is nearest can be undone.
    fn forget_the_oldest(&mut self) {
        let mut room = MAX_ROWS;
        let mut kept = 0;
        for document in self.future.iter().rev().chain(self.past.iter().rev()).take(MAX_ENTRIES) {
            // What it has beside rows is counted as one more.
            let left = room.checked_sub(document.entry_count() + 1);
            match left {
                None if kept > 0 => break,
                left => room = left.unwrap_or(0),
            }
            kept += 1;
        }
        let future = kept.min(self.future.len());
        self.future.drain(..self.future.len() - future);
        self.past.drain(..self.past.len() - (kept - future));
    }

    /// Changes the present document, which is no edit of the user's and so no entry.
    pub fn amend(&mut self, amend: impl FnOnce(&mut Document)) {
        amend(Arc::make_mut(&mut self.present));
    }

    /// The next edit is an entry of its own, whatever it is of.
    pub fn pause(&mut self) {
        self.last = None;
    }

    /// Whether there is something to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Goes back before the last edit.
    pub fn undo(&mut self) {
        if let Some(before) = self.past.pop() {
            self.future.push(std::mem::replace(&mut self.present, before));
            self.last = None;
        }
    }

    /// Makes the edit undone last again.
    pub fn redo(&mut self) {
        if let Some(after) = self.future.pop() {
            self.past.push(std::mem::replace(&mut self.present, after));
            self.last = None;
        }
    }
}
