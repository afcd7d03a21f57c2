//! What the page's components share, in contexts: document, run, cursor, viewport, selection, settings, messages, address.
//!
//! Depends on everything below `app`, on the workers, and on no component. Invariant: signals hold what the reader did;
//! everything else is a memo of them.

pub(crate) mod address;
pub(crate) mod cursor;
pub(crate) mod document;
pub(crate) mod fence;
pub(crate) mod guide;
pub(crate) mod messages;
pub(crate) mod reading;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod selection;
pub(crate) mod settings;
pub(crate) mod storage;
pub(crate) mod viewport;

use leptos::prelude::*;

use crate::app::stored::{Stored, Theme};
use crate::app::texts;
use crate::units::Time;
use crate::view::document::Document;
use address::Address;
use cursor::{CursorState, Place};
use document::DocumentState;
use fence::{Fence, Refusal};
use guide::Guide;
use messages::Messages;
use run::RunState;
use selection::Selection;
use settings::Settings;
use viewport::Viewport;

/// All of it, for what concerns more than one part. A component asks for the contexts that it shows.
#[derive(Clone, Copy)]
pub(crate) struct AppState {
    pub(crate) document: DocumentState,
    pub(crate) run: RunState,
    pub(crate) cursor: CursorState,
    pub(crate) viewport: Viewport,
    pub(crate) selection: Selection,
    pub(crate) settings: Settings,
    pub(crate) messages: Messages,
    pub(crate) address: Address,
    pub(crate) fence: Fence,
}

impl AppState {
    /// What was kept from the last visit, else [TX2] Table 1 before its first step.
    pub(crate) fn new() -> Self {
        let saved = storage::load();
        let theme = saved.as_ref().map_or(Theme::System, |s| s.theme);
        let (document, at, position) = match saved {
            Some(Stored { document, at, position, .. }) => (document, at, position),
            None => {
                let first = Guide::first();
                (first.document(), Time::ZERO, Some(0))
            }
        };
        let fence = Fence::new();
        let document = DocumentState::new(document, fence);
        let run = RunState::new(document);
        Self {
            document,
            run,
            cursor: CursorState::new(run, fence, at, position),
            viewport: Viewport::new(run),
            selection: Selection::new(run),
            settings: Settings::new(theme),
            messages: Messages::new(),
            address: Address::new(),
            fence,
        }
    }

    /// Provides every part as a context, and all of them as one.
    pub(crate) fn provide(self) {
        provide_context(self);
        provide_context(self.document);
        provide_context(self.run);
        provide_context(self.cursor);
        provide_context(self.viewport);
        provide_context(self.selection);
        provide_context(self.settings);
        provide_context(self.messages);
        provide_context(self.address);
        provide_context(self.fence);
    }

    /// Shows another scenario, at a time or before its first step, unless a quiz is going on; whether it is shown. It can be undone.
    pub(crate) fn open(self, document: Document, at: Option<Time>) -> bool {
        if self.fence.refuses(Refusal::Open) {
            return false;
        }
        self.cursor.is_playing.set(false);
        self.viewport.fit();
        self.selection.kernel.set(None);
        self.document.edit(None, |d| *d = document);
        self.cursor.place.set(at.map_or_else(Place::start, Place::at_time));
        true
    }

    /// Stops playing, goes somewhere, and shows where that is.
    pub(crate) fn visit(self, go: impl FnOnce()) {
        self.cursor.is_playing.set(false);
        go();
        self.show_cursor();
    }

    /// Scrolls the timeline so that the cursor is on it.
    pub(crate) fn show_cursor(self) {
        self.viewport.bring_into_sight(self.cursor.now_untracked());
    }

    /// What is to be kept for the next visit.
    fn to_save(self) -> Stored {
        Stored {
            document: self.document.with_untracked(|d| (**d).clone()),
            at: self.cursor.place.get_untracked().at,
            position: Some(self.cursor.position.get_untracked()),
            theme: self.settings.theme.get_untracked(),
        }
    }

    /// Keeps everything whenever it changes, soon after, and when the page is left.
    pub(crate) fn keep(self) {
        let too_large = StoredValue::new(false);
        let save = move || {
            let is_too_large = !storage::is_embedded() && !storage::store(&self.to_save());
            if is_too_large && !too_large.get_value() {
                self.messages.say(texts::NOT_KEPT);
            }
            too_large.set_value(is_too_large);
        };
        let pending = StoredValue::new(None::<TimeoutHandle>);
        let mut is_first = true;
        Effect::new(move |_| {
            self.document.track();
            self.cursor.position.track();
            self.settings.theme.track();
            if std::mem::take(&mut is_first) {
                return;
            }
            if let Some(earlier) = pending.get_value() {
                earlier.clear();
            }
            pending.set_value(set_timeout_with_handle(save, std::time::Duration::from_millis(150)).ok());
        });
        let leaving = window_event_listener(leptos::ev::pagehide, move |_| {
            save();
            storage::keep_history(&self.document.written_history());
        });
        // Once the page stands: reading it takes longer than a frame if there is much.
        if let Some(history) = storage::history() {
            set_timeout(move || self.document.resume_history(&history), std::time::Duration::ZERO);
        }
        let mut were = self.settings.panes.get_untracked();
        Effect::new(move |_| {
            let panes = self.settings.panes.get();
            if panes != were {
                were = panes;
                storage::keep_panes(panes);
            }
        });
        on_cleanup(move || leaving.remove());
    }
}
