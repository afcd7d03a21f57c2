//! Undo and redo: what is edited, before and after each edit.
//!
//! Depends on no document. Invariants: edits of the same cell that follow each other are one entry; what is kept beside the present
//! has at most [`Edited::MAX_ROWS`] rows together, or is one entry.

use std::sync::Arc;

/// What is edited.
pub trait Edited: Clone + PartialEq {
    /// Most entries that are kept.
    const MAX_ENTRIES: usize;
    /// Most rows of all entries together.
    const MAX_ROWS: usize;

    /// Its rows, and what else every change of it is checked for.
    fn entry_count(&self) -> usize;
}

/// What is edited as it is now, with its past and its undone future.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<T> {
    past: Vec<Arc<T>>,
    present: Arc<T>,
    future: Vec<Arc<T>>,
    /// What the last edit was of; edits of the same are one entry.
    last: Option<String>,
}

impl<T: Edited> History<T> {
    /// Nothing has been edited yet.
    #[must_use]
    pub fn new(present: T) -> Self {
        Self { past: Vec::new(), present: Arc::new(present), future: Vec::new(), last: None }
    }

    /// What can be undone and what can be redone, each the next one last.
    #[must_use]
    pub fn others(&self) -> (&[Arc<T>], &[Arc<T>]) {
        (&self.past, &self.future)
    }

    /// Takes up the history of an earlier visit, if nothing has been edited since.
    pub fn resume(&mut self, [past, future]: [Vec<T>; 2]) {
        if self.past.is_empty() && self.future.is_empty() {
            (self.past, self.future) = (past.into_iter().map(Arc::new).collect(), future.into_iter().map(Arc::new).collect());
            self.forget_the_oldest();
        }
    }

    /// What is edited, as it is now.
    #[must_use]
    pub fn present(&self) -> &Arc<T> {
        &self.present
    }

    /// Makes an edit. `of` names the cell for edits that come keystroke by keystroke. An edit
    /// that changes nothing is none.
    pub fn edit(&mut self, of: Option<String>, edit: impl FnOnce(&mut T)) {
        let mut present = (*self.present).clone();
        edit(&mut present);
        self.put(of, present);
    }

    /// The same, unless it adds to what has more than `most` rows then.
    ///
    /// # Errors
    /// How many rows it would have; nothing is changed.
    pub fn edit_within(&mut self, most: usize, of: Option<String>, edit: impl FnOnce(&mut T)) -> Result<(), usize> {
        let mut present = (*self.present).clone();
        edit(&mut present);
        let entries = present.entry_count();
        if entries > most && entries > self.present.entry_count() {
            return Err(entries);
        }
        self.put(of, present);
        Ok(())
    }

    fn put(&mut self, of: Option<String>, present: T) {
        if present == *self.present {
            return;
        }
        let before = std::mem::replace(&mut self.present, Arc::new(present));
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
        let mut room = T::MAX_ROWS;
        let mut kept = 0;
        for entry in self.future.iter().rev().chain(self.past.iter().rev()).take(T::MAX_ENTRIES) {
            // What it has beside rows is counted as one more.
            let left = room.checked_sub(entry.entry_count() + 1);
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

    /// Changes what there is now, which is no edit of the user's and so no entry.
    pub fn amend(&mut self, amend: impl FnOnce(&mut T)) {
        amend(self.present_mut());
    }

    /// The same, to be changed.
    pub fn present_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.present)
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
