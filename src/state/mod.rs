//! What the page's components share, in contexts: document, run, cursor, viewport, selection, settings, messages, address, and
//! whose work it is.
//!
//! Depends on the crates, on `client` for the workers, and on no component. Invariant: signals hold what the reader did;
//! everything else is a memo of them.

pub(crate) mod address;
pub(crate) mod aside;
pub(crate) mod begun;
pub(crate) mod cursor;
pub(crate) mod desk;
pub(crate) mod document;
mod door;
pub(crate) mod fence;
pub(crate) mod guide;
pub(crate) mod messages;
mod pace;
pub(crate) mod page;
pub(crate) mod page_keys;
pub(crate) mod pool;
pub(crate) mod reading;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod selection;
pub(crate) mod settings;
pub(crate) mod storage;
pub(crate) mod tip;
pub(crate) mod video;

use std::sync::Arc;

use leptos::prelude::*;

use address::Address;
use blockstep_sim::units::Time;
use blockstep_tools::stored::{SCENARIO, Slot, Stored, Theme};
use blockstep_traces_page::TraceState;
use blockstep_ui::{MAX_HELD, Stepping, Viewport};
use blockstep_view::document::{Document, MAX_BYTES, MAX_ENTRIES};
use blockstep_view::position::time_at;
use blockstep_view::quantity::{format_bytes, format_count};
use cursor::{CursorPlace, CursorState};
use desk::Desk;
use document::DocumentState;
use fence::{Fence, Refusal};
use guide::Guide;
use messages::Messages;
use page_keys::PageKeys;
use pool::Pool;
use run::RunState;
use selection::Selection;
use settings::Settings;
use video::VideoMaker;

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
    pub(crate) desk: Desk,
    pub(crate) trace: TraceState,
    /// Moving through the run.
    pub(crate) stepping: Stepping,
    /// What takes the keys of a page of its own.
    pub(crate) page_keys: PageKeys,
    /// The runs of a sweep that are being made.
    pub(crate) sweep: Pool,
    /// The video that is being made.
    pub(crate) video: VideoMaker,
    changes: Changes,
}

/// How far the timeline reaches: to the end of the run on screen, and of the one that lies behind it, unless that is much longer.
fn run_end(run: RunState) -> Signal<Time> {
    Signal::derive(move || {
        let now = run.with(|run| run.timeline.end());
        let behind = run.edit.with(|edit| edit.as_ref().filter(|edit| edit.is_behind).map(|edit| edit.before.timeline.end()));
        behind.filter(|before| before.ns() / MAX_HELD <= now.ns()).map_or(now, |before| now.max(before))
    })
}

/// Up to where a run opens on a plot so many px wide. An edit leaves that as it was, unless it is one of a reader's own periodic tasks.
fn opening(document: DocumentState, run: RunState) -> impl Fn(f64, Option<Time>) -> Option<Time> {
    move |width, last| {
        let own = || run.with(|run| run.timeline.own_opening());
        if let Some(to) = document.with(|d| d.example.is_none()).then(own).flatten() {
            return Some(to);
        }
        if document.entry.with(|entry| entry.is_edit) {
            return last;
        }
        let moments = |guide: &Guide| guide.about.moments.iter().map(|moment| moment.at).find(|at| *at > Time::ZERO);
        let moment = document.guide.with(|guide| guide.as_ref().and_then(|guide| moments(guide)));
        run.with(|run| run.timeline.opening(width, moment))
    }
}

/// Moving through the run on screen.
fn through_run(run: RunState, cursor: CursorState, viewport: Viewport) -> Stepping {
    Stepping {
        position: cursor.position.into(),
        count: Signal::derive(move || run.step_count()),
        step_time: Signal::derive(move || run.with(|run| time_at(run.trace(), cursor.position.get()))),
        now: Signal::derive(move || cursor.now()),
        end: run_end(run),
        is_playing: cursor.is_playing,
        pace: cursor.pace,
        go_to_step: Callback::new(move |position| cursor.go_to(position)),
        go_to_time: Callback::new(move |at| cursor.go_to_time(at)),
        viewport,
        beside: Callback::new(move |forward| cursor.beside(forward)),
    }
}

/// Of a scenario with more rows what can be undone is stored only when the page is left.
const MAX_ROWS_OF_HISTORY: usize = 5_000;

/// What has changed and is not stored yet.
#[derive(Clone, Copy)]
struct Changes {
    /// The document, or what belongs to it.
    of_document: StoredValue<bool>,
    /// Where the reader stands.
    of_place: StoredValue<bool>,
    /// Whether the document has changed since the page was opened.
    ever: StoredValue<bool>,
    pending: StoredValue<Option<TimeoutHandle>>,
    /// When what can be undone is stored, if nothing else changes.
    history: StoredValue<Option<TimeoutHandle>>,
}

impl AppState {
    /// What was kept from the last visit, else what a page begins with: a scenario before its first step, or at a time.
    pub(crate) fn new(first: impl FnOnce() -> (Document, Option<Time>)) -> Self {
        let slot = storage::slot();
        let saved = storage::load(slot);
        storage::mend_list();
        let theme = storage::theme().or_else(|| saved.as_ref().map(|saved| saved.theme)).unwrap_or(Theme::System);
        let (document, at, position) = match saved {
            Some(Stored { document, at, position, .. }) => (document, at, position),
            None => {
                let (document, at) = first();
                (document, at.unwrap_or_default(), at.is_none().then_some(0))
            }
        };
        let fence = Fence::new();
        let desk = Desk::new(slot);
        let messages = Messages::new();
        let document = DocumentState::new(document, fence, desk, messages);
        let run = RunState::new(document);
        let (cursor, viewport) = (CursorState::new(run, fence, at, position), Viewport::new(run_end(run), opening(document, run)));
        viewport.open(at);
        Self {
            document,
            run,
            cursor,
            viewport,
            selection: Selection::new(run),
            settings: Settings::new(theme),
            messages,
            address: Address::new(),
            fence,
            desk,
            trace: TraceState::default(),
            stepping: through_run(run, cursor, viewport),
            page_keys: PageKeys::new(),
            sweep: Pool::new("runs", 1),
            video: VideoMaker::new(),
            changes: Changes {
                of_document: StoredValue::new(false),
                of_place: StoredValue::new(false),
                ever: StoredValue::new(false),
                pending: StoredValue::new(None),
                history: StoredValue::new(None),
            },
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
        provide_context(self.desk);
    }

    /// Why a scenario file of so many bytes is not even read here, if it is not.
    pub(crate) fn too_long(bytes: usize) -> Option<String> {
        (bytes > MAX_BYTES).then(|| {
            format!(
                "The scenario has {}; the page opens at most {}. The command line simulates it: blockstep simulate.",
                format_bytes(bytes as u64),
                format_bytes(MAX_BYTES as u64)
            )
        })
    }

    /// Shows another scenario, at a time or before its first step, unless a quiz is going on or it is too large; whether it is
    /// shown. It can be undone.
    pub(crate) fn open(self, document: Document, at: Option<Time>) -> bool {
        let entries = document.entry_count();
        if entries > MAX_ENTRIES {
            self.messages.complain(format!(
                "The scenario has {} rows and names in lists; the page opens at most {}. The command line simulates \
                 it: blockstep simulate.",
                format_count(entries as u64),
                format_count(MAX_ENTRIES as u64)
            ));
            return false;
        }
        if self.fence.refuses(Refusal::Open) {
            return false;
        }
        self.cursor.is_playing.set(false);
        self.viewport.open(at.unwrap_or_default());
        self.selection.kernel.set(None);
        begun::begin();
        self.document.open(document);
        begun::end_soon();
        self.cursor.place.set(at.map_or_else(CursorPlace::start, CursorPlace::at_time));
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

    /// Stores what has changed, with what can be undone.
    fn save_all(self) {
        self.save();
        // Where another tab has overtaken this one, what can be undone here is not that of what is stored.
        let is_due = self.changes.ever.get_value() && !self.desk.is_overtaken(SCENARIO);
        if let Some(slot) = self.desk.stores().filter(|_| is_due) {
            self.changes.ever.set_value(false);
            storage::keep_history(slot, &self.document.written_history());
        }
    }

    /// What comes is a link's: what the reader has is stored before, and is not written over.
    pub(crate) fn enter_link(self, is_of_tool: bool) {
        self.save_all();
        self.desk.enter_link(self.document.get_untracked(), is_of_tool);
    }

    /// Shows stored work in place of what is on screen, which is stored before.
    pub(crate) fn go_to(self, slot: Slot) {
        self.save_all();
        desk::open(slot);
    }

    /// Keeps what is on screen once more, beside all that is stored; whether there was room for it.
    pub(crate) fn keep_copy(self) -> bool {
        storage::keep_copy(&self.to_save())
    }

    /// Shows what another tab has stored; what this one has not stored yet is given up.
    pub(crate) fn take_other(self) {
        self.changes.of_document.set_value(false);
        self.changes.of_place.set_value(false);
        self.changes.ever.set_value(false);
        desk::open_without_link();
    }

    /// Stores what has changed, if it is the reader's.
    fn save(self) {
        if let Some(pending) = self.changes.pending.try_update_value(Option::take).flatten() {
            pending.clear();
        }
        let changes = self.changes;
        let is_of_document = changes.of_document.get_value();
        // Where the reader stands is no reason to write over what another tab has changed.
        let is_due = is_of_document || changes.of_place.get_value() && !self.desk.is_overtaken(SCENARIO);
        let Some(slot) = self.desk.stores().filter(|_| is_due) else { return };
        changes.of_document.set_value(false);
        changes.of_place.set_value(false);
        if is_of_document {
            self.desk.overtake(SCENARIO);
        }
        self.desk.say_stored(storage::store(slot, &self.to_save()));
    }

    /// Keeps everything whenever it changes, soon after, and when the page is left.
    pub(crate) fn keep(self) {
        storage::watch_reader();
        let changes = self.changes;
        let mut was = None::<Arc<Document>>;
        Effect::new(move |_| {
            let now = self.document.get();
            self.cursor.position.track();
            self.desk.at.track();
            let Some(before) = was.replace(Arc::clone(&now)) else { return };
            if Arc::ptr_eq(&before, &now) {
                changes.of_place.set_value(true);
            } else {
                changes.of_document.set_value(true);
                changes.ever.set_value(true);
            }
            if let Some(earlier) = changes.pending.get_value() {
                earlier.clear();
            }
            // The page may be gone in tests.
            let save = move || {
                if changes.ever.try_get_value().is_some() {
                    self.save()
                }
            };
            changes.pending.set_value(set_timeout_with_handle(save, std::time::Duration::from_millis(150)).ok());
            if let Some(earlier) = changes.history.get_value() {
                earlier.clear();
            }
            // So that a page that stops has it still; of much it is written when the page is left, as that takes longer than a frame.
            if now.row_count() <= MAX_ROWS_OF_HISTORY {
                let save_all = move || {
                    if changes.ever.try_get_value() == Some(true) {
                        self.save_all()
                    }
                };
                changes.history.set_value(set_timeout_with_handle(save_all, std::time::Duration::from_secs(1)).ok());
            }
        });
        let leaving = window_event_listener(leptos::ev::pagehide, move |_| {
            begun::end();
            self.save_all();
        });
        let elsewhere = window_event_listener(leptos::ev::storage, move |event| {
            if let (Some(slot), Some(changed)) = (self.desk.stores(), event.key()) {
                self.desk.hear(slot, &changed);
            }
        });
        // Once the page stands: reading it takes longer than a frame if there is much.
        if let Some(history) = storage::history(storage::slot()) {
            set_timeout(move || self.document.resume_history(&history), std::time::Duration::ZERO);
        }
        let mut were = (self.settings.panes.get_untracked(), self.settings.theme.get_untracked(), self.settings.is_moving.get_untracked());
        Effect::new(move |_| {
            let (panes, theme, is_moving) = (self.settings.panes.get(), self.settings.theme.get(), self.settings.is_moving.get());
            if panes != were.0 {
                storage::keep_panes(panes);
            }
            if theme != were.1 {
                storage::keep_theme(theme);
            }
            if is_moving != were.2 {
                storage::keep_still(!is_moving);
            }
            were = (panes, theme, is_moving);
        });
        on_cleanup(move || {
            leaving.remove();
            elsewhere.remove();
        });
    }
}
