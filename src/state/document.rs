//! The document that the reader edits, with its history and the built-in scenario that it began as.
//!
//! Depends on `view` and on guides. Invariant: the document changes by the methods here alone.

use std::sync::Arc;

use leptos::prelude::*;

use super::desk::Desk;
use super::fence::{Fence, Refusal};
use super::guide::Guide;
use super::messages::Messages;
use blockstep_sim::scenario::PolicyKind;
use blockstep_tools::stored::{read_history, write_history};
use blockstep_view::document::{Document, MAX_ENTRIES};
use blockstep_view::history::History;
use blockstep_view::origin::Departure;
use blockstep_view::quantity::format_count;

/// The document and its history; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct DocumentState {
    history: RwSignal<History<Document>>,
    current: Memo<Arc<Document>>,
    /// The built-in scenario that the document began as, once it is there.
    pub(crate) guide: RwSignal<Option<Arc<Guide>>>,
    /// How the document differs from the scenario that it began as.
    pub(crate) departure: Memo<Departure>,
    /// Whether it is another scenario, so that nothing said of that one holds.
    pub(crate) has_departed: Memo<bool>,
    /// Whether the texts of the scenario that it began as are shown nevertheless.
    pub(crate) original_shown: RwSignal<bool>,
    /// The entry of the history that was made last.
    pub(crate) entry: RwSignal<Entry>,
    /// How often a document was opened, or asked for that comes later.
    openings: StoredValue<u32>,
    fence: Fence,
    desk: Desk,
    messages: Messages,
}

/// An entry of the history: an edit with the keystrokes that belong to it, an undo, a redo, or another document in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    number: u32,
    /// Whether what it does is told from the run before it; not where it put another document in the place, or took back itself.
    pub(crate) is_edit: bool,
}

impl DocumentState {
    pub(super) fn new(document: Document, fence: Fence, desk: Desk, messages: Messages) -> Self {
        let history = RwSignal::new(History::new(document));
        let current = Memo::new(move |_| history.with(|h| Arc::clone(h.present())));
        let guide = RwSignal::new(None::<Arc<Guide>>);
        let departure = Memo::new(move |_| {
            guide.with(|guide| {
                guide
                    .as_ref()
                    .map_or(Departure::None, |g| current.with(|d| if g.is_of(d) { g.origin.departure(d) } else { Departure::None }))
            })
        });
        let has_departed = Memo::new(move |_| departure.get() == Departure::Table);
        Self {
            history,
            current,
            guide,
            departure,
            has_departed,
            original_shown: RwSignal::new(false),
            entry: RwSignal::new(Entry { number: 0, is_edit: false }),
            openings: StoredValue::new(0),
            fence,
            desk,
            messages,
        }
    }

    /// The document; tracks it.
    pub(crate) fn get(self) -> Arc<Document> {
        self.current.get()
    }

    pub(crate) fn get_untracked(self) -> Arc<Document> {
        self.current.get_untracked()
    }

    /// Something about the document; tracks it.
    pub(crate) fn with<R>(self, f: impl FnOnce(&Arc<Document>) -> R) -> R {
        self.current.with(f)
    }

    pub(crate) fn with_untracked<R>(self, f: impl FnOnce(&Arc<Document>) -> R) -> R {
        self.current.with_untracked(f)
    }

    /// Makes an edit, unless a quiz is going on; keystrokes of the same cell (`of`) are one entry of the history.
    pub(crate) fn edit(self, of: Option<String>, edit: impl FnOnce(&mut Document)) {
        // What was not taken is said.
        let _ = self.try_edit(of, edit);
    }

    /// The same; whether it was made. It is not where the document would become too large.
    pub(crate) fn try_edit(self, of: Option<String>, edit: impl FnOnce(&mut Document)) -> bool {
        if self.fence.refuses(Refusal::Edit) {
            return false;
        }
        self.desk.touch(&self.get_untracked());
        let (guide, had_departed) = (self.guide.get_untracked(), self.has_departed.get_untracked());
        let past = self.past();
        let made = self.history.try_update(|h| {
            h.edit_within(MAX_ENTRIES, of, |d| {
                let guide = guide.filter(|guide| guide.is_of(d));
                edit(d);
                if let Some(guide) = guide.filter(|guide| guide.is_of(d)) {
                    guide.origin.settle(had_departed, d);
                }
            })
        });
        if let Some(Err(entries)) = made {
            self.messages.complain(format!(
                "Not taken: the scenario would have {} rows and names in lists; the page takes at most {}.",
                format_count(entries as u64),
                format_count(MAX_ENTRIES as u64)
            ));
        }
        // Keystrokes that end where they began leave the history one entry shorter.
        let now = self.past();
        if now != past {
            self.begin_entry(now.0 >= past.0);
        }
        made == Some(Ok(()))
    }

    /// Where the history stands, so that keystrokes that continue an entry can be told.
    fn past(self) -> (usize, Option<*const Document>) {
        self.history.with_untracked(|history| {
            let past = history.others().0;
            (past.len(), past.last().map(Arc::as_ptr))
        })
    }

    fn begin_entry(self, is_edit: bool) {
        self.entry.update(|entry| *entry = Entry { number: entry.number.wrapping_add(1), is_edit });
    }

    /// Puts another document in its place. It can be undone.
    pub(super) fn open(self, document: Document) {
        self.begin_opening();
        self.history.update(|h| h.edit(None, |d| *d = document));
        self.begin_entry(false);
    }

    /// Says that a document was asked for which comes later; gives the number of this request.
    pub(crate) fn begin_opening(self) -> u32 {
        self.openings.update_value(|n| *n = n.wrapping_add(1));
        self.openings.get_value()
    }

    /// Whether nothing was opened or asked for since a request.
    pub(crate) fn is_awaited(self, opening: u32) -> bool {
        self.openings.try_get_value() == Some(opening)
    }

    /// Changes the document without an entry in the history, and all there are with it.
    pub(crate) fn amend(self, amend: impl FnOnce(&mut Document)) {
        self.history.update(|h| h.amend(amend));
    }

    /// What can be undone and redone, as a text for the next visit.
    pub(crate) fn written_history(self) -> String {
        self.history.with_untracked(|history| {
            let (past, future) = history.others();
            write_history(past, future)
        })
    }

    /// Takes up the history of the last visit, if nothing has been edited in this one.
    pub(crate) fn resume_history(self, text: &str) {
        let read = read_history(text);
        // The page may be gone in tests.
        let _ = self.history.try_update(|history| history.resume(read));
    }

    /// Ends the history entry that keystrokes were added to.
    pub(crate) fn pause_history(self) {
        self.history.update_untracked(History::pause);
    }

    pub(crate) fn undo(self) {
        if !self.fence.refuses(Refusal::Edit) {
            self.history.update(History::undo);
            // It told of what is undone.
            self.messages.notice.set(None);
            self.begin_entry(true);
        }
    }

    pub(crate) fn redo(self) {
        if !self.fence.refuses(Refusal::Edit) {
            self.history.update(History::redo);
            self.begin_entry(true);
        }
    }

    /// Whether there is an edit to undo; tracks it.
    pub(crate) fn can_undo(self) -> bool {
        !self.fence.is_up() && self.history.with(History::can_undo)
    }

    /// Whether there is an edit to redo; tracks it.
    pub(crate) fn can_redo(self) -> bool {
        !self.fence.is_up() && self.history.with(History::can_redo)
    }

    /// What undo takes back, in a few words; empty if there is nothing. Tracks it.
    pub(crate) fn undo_name(self) -> String {
        self.history.with(|history| history.others().0.last().map(|before| history.present().change_since(before))).unwrap_or_default()
    }

    /// What redo makes again, in a few words; empty if there is nothing. Tracks it.
    pub(crate) fn redo_name(self) -> String {
        self.history.with(|history| history.others().1.last().map(|after| after.change_since(history.present()))).unwrap_or_default()
    }

    /// Whether the document is no longer the built-in scenario that it began as, under whatever policy.
    pub(crate) fn is_edited(self) -> bool {
        self.has_departed.get()
            || self.guide.with(|guide| {
                guide
                    .as_ref()
                    .is_some_and(|g| self.with(|d| d.rest.name != g.origin.name_under(d.rest.policy.kind) || !d.raw_texts().is_empty()))
            })
    }

    /// The policy under which the built-in scenario is shown, if it is not its own; tracks it.
    pub(crate) fn other_policy(self) -> Option<PolicyKind> {
        (self.departure.get() == Departure::Policy).then(|| self.with(|d| d.rest.policy.kind))
    }
}
