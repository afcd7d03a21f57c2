//! What the page tells and asks the reader.
//!
//! Depends on Leptos, and on the names of tables. Invariant: one message and one question at a time, the latest.

use leptos::prelude::*;

use blockstep_view::document::WaitingCells;
use blockstep_view::table::Table;

/// A message to the reader.
#[derive(Clone, PartialEq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// A file whose import needs a duration that only the reader knows.
#[derive(Clone, PartialEq)]
pub(crate) struct DurationQuestion {
    /// The file's name.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
    pub(crate) question: String,
}

/// Cells of a spreadsheet that wait for the reader's word.
#[derive(Clone, PartialEq)]
pub(crate) struct Cells {
    /// The file's name; nothing if they were pasted.
    pub(crate) file: Option<String>,
    /// The table that they go to.
    pub(crate) table: Table,
    pub(crate) waiting: WaitingCells,
}

/// What the page says; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Messages {
    pub(crate) notice: RwSignal<Option<Notice>>,
    pub(crate) needs_duration: RwSignal<Option<DurationQuestion>>,
    pub(crate) cells: RwSignal<Option<Cells>>,
}

impl Messages {
    pub(super) fn new() -> Self {
        Self { notice: RwSignal::new(None), needs_duration: RwSignal::new(None), cells: RwSignal::new(None) }
    }

    pub(crate) fn say(self, text: impl Into<String>) {
        self.notice.set(Some(Notice { text: text.into(), is_error: false }));
    }

    pub(crate) fn complain(self, text: impl Into<String>) {
        self.notice.set(Some(Notice { text: text.into(), is_error: true }));
    }
}
