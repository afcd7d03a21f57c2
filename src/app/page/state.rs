//! What the panels share: the document, its last valid run, the cursor, the zoom, the selection.
//!
//! Depends on everything to the left of `app`. Invariant: signals hold what the user did;
//! everything else is a memo of them.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::said;
use super::guide::Guide;
use super::runs::{self, Outcome, RunData, RunSource, Simulating};
use super::storage::{self, Saved};
use crate::app::client::{self, WorkerFor};
use crate::app::tools::host::Tools;
use crate::protocol::RunId;
use crate::scenario::Problem;
use crate::snapshot::{Replay, Snapshot};
use crate::units::{OpId, RowId, StepId, Time};
use crate::view::document::Document;
use crate::view::history::History;
use crate::view::panels;
use crate::view::position;
use crate::view::queues::{self, QueueView};
use crate::view::time_scale::TimeScale;

/// Operations of one queue that the diagram spells out.
const MAX_ITEMS: usize = 12;

/// How much larger the timeline is in the presenter view.
const PRESENTED: f64 = 1.5;

/// Where the reader stands.
#[derive(Clone, Copy, PartialEq)]
struct Cursor {
    /// The run whose steps `position` counts.
    run: RunId,
    position: u32,
    at: Time,
}

/// Light, dark, or as the system says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    System,
    Light,
    Dark,
}

/// A message to the user.
#[derive(Clone, PartialEq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// Every signal of the page.
#[derive(Clone, Copy)]
pub(crate) struct AppState {
    pub(crate) history: RwSignal<History>,
    pub(crate) document: Memo<Arc<Document>>,
    pub(crate) outcome: Memo<Outcome>,
    /// What is wrong with the document; changes less often than it.
    pub(crate) problems: Memo<Arc<Vec<Problem>>>,
    pub(crate) run: Memo<RunData>,
    /// The built-in scenario that the document began as, once it is there.
    pub(crate) guide: RwSignal<Option<Arc<Guide>>>,
    /// Whether the document is no longer the scenario that it began as, so that nothing said of that holds.
    pub(crate) has_departed: Memo<bool>,
    /// Whether the texts of the scenario that it began as are shown nevertheless.
    pub(crate) original_shown: RwSignal<bool>,
    pub(crate) simulating: RwSignal<Simulating>,
    /// Set to have the lab simulate again.
    again: RwSignal<()>,
    cursor: RwSignal<Cursor>,
    /// Steps applied.
    pub(crate) position: Memo<u32>,
    /// Whether the time shown as now is later than that of the last step applied.
    pub(crate) is_later: Memo<bool>,
    replay: StoredValue<Option<(RunId, Replay)>>,
    pub(crate) queues: Memo<QueueView>,
    /// `None` shows the whole run.
    zoom: RwSignal<Option<TimeScale>>,
    /// Left margin and width of the plot, px.
    pub(crate) plot: RwSignal<(f64, f64)>,
    pub(crate) scale: Memo<TimeScale>,
    /// The kernel row selected, by id.
    pub(crate) selected: RwSignal<Option<u32>>,
    pub(crate) is_playing: RwSignal<bool>,
    pub(crate) steps_per_second: RwSignal<u32>,
    pub(crate) theme: RwSignal<Theme>,
    system_dark: RwSignal<bool>,
    pub(crate) notice: RwSignal<Option<Notice>>,
    pub(crate) help_open: RwSignal<bool>,
    /// The operation asked about, of the kernel selected.
    pub(crate) asked_op: RwSignal<Option<OpId>>,
    /// The whole timeline reaches to this time at least.
    pub(crate) extent: RwSignal<Time>,
    /// Whether what comes after the current step is hidden.
    pub(crate) is_veiled: RwSignal<bool>,
    /// Whether only timeline and queues are shown, and large.
    pub(crate) is_presenting: RwSignal<bool>,
    /// What screen readers are told instead of the step, at a position.
    pub(crate) spoken: RwSignal<(u32, String)>,
    /// The tools beside the run.
    pub(crate) tools: Tools,
    /// The study that the page's address asks for, as its link has it.
    pub(crate) study_link: RwSignal<Option<String>>,
    /// A file whose import needs a duration, with its text.
    pub(crate) needs_duration: RwSignal<Option<super::files::Pending>>,
}

impl AppState {
    /// What was kept from the last visit, else [TX2] Table 1 at the first moment its paper shows.
    pub(crate) fn new() -> Self {
        let saved = storage::load();
        let theme = saved.as_ref().map_or(Theme::System, |s| s.theme);
        let (document, at, position) = match saved {
            Some(Saved { document, at, position, .. }) => (document, at, position),
            None => {
                let first = Guide::first();
                (first.document(), first.start(), None)
            }
        };
        let history = RwSignal::new(History::new(document));
        let document = Memo::new(move |_| history.with(|h| Arc::clone(h.present())));
        let outcome = Memo::new(move |last: Option<&Outcome>| {
            let was_long = last.is_some_and(|o| matches!(o.simulated, RunSource::Worker(..)));
            runs::outcome(&document.get(), was_long)
        });
        let problems = Memo::new(move |_| outcome.with(|o| Arc::clone(&o.problems)));
        let far = RwSignal::new(None::<RunData>);
        let run = Memo::new(move |last: Option<&RunData>| {
            let own = outcome.with(|o| match &o.simulated {
                RunSource::None => None,
                RunSource::Page(run) => Some(run.clone()),
                RunSource::Worker(_, scenario) => far.get().filter(|run| Arc::ptr_eq(run.trace().scenario(), scenario)),
            });
            own.or_else(|| last.cloned()).unwrap_or_else(runs::nothing)
        });
        let (simulating, again) = (RwSignal::new(Simulating::Idle), RwSignal::new(()));
        runs::simulate_long_runs(outcome, far, simulating, again);
        let first_run = run.get_untracked();
        let start = Cursor { run: position.map_or(RunId::default(), |_| first_run.id), position: position.unwrap_or(u32::MAX), at };
        let cursor = RwSignal::new(start);
        let position = Memo::new(move |_| run.with(|run| cursor.get().in_run(run)));
        let replay = StoredValue::new(None);
        let is_later = Memo::new(move |_| run.with(|run| cursor.get().now_in(run) > position::time_at(run.trace(), position.get())));
        let queues = Memo::new(move |_| {
            run.with(|run| {
                let position = position.get();
                let now = if queues::runs_between_steps(run.trace()) {
                    cursor.get().now_in(run)
                } else if is_later.get() {
                    cursor.get_untracked().now_in(run)
                } else {
                    Time::ZERO
                };
                with_state(replay, run, position, |state| {
                    let last = position.checked_sub(1).map(|i| run.trace().step(StepId(i)));
                    queues::queues(run.trace(), state, last, now, MAX_ITEMS)
                })
            })
        });
        let guide = RwSignal::new(None::<Arc<Guide>>);
        let has_departed =
            Memo::new(move |_| guide.with(|guide| guide.as_ref().is_some_and(|g| document.with(|d| g.is_of(d) && g.origin.is_left_by(d)))));
        let zoom = RwSignal::new(None::<TimeScale>);
        let plot = RwSignal::new((72.0, 800.0));
        let extent = RwSignal::new(Time::ZERO);
        let scale = Memo::new(move |_| {
            let (left, width) = plot.get();
            let end = run.with(|run| run.timeline.end()).max(extent.get());
            zoom.get().map_or_else(|| TimeScale::fit(end, left, width), |zoom| zoom.resized(left, width, end))
        });
        Self {
            history,
            document,
            outcome,
            problems,
            run,
            guide,
            has_departed,
            original_shown: RwSignal::new(false),
            simulating,
            again,
            cursor,
            position,
            is_later,
            replay,
            queues,
            zoom,
            plot,
            scale,
            selected: RwSignal::new(None),
            is_playing: RwSignal::new(false),
            steps_per_second: RwSignal::new(2),
            theme: RwSignal::new(theme),
            system_dark: system_dark(),
            notice: RwSignal::new(None),
            help_open: RwSignal::new(false),
            asked_op: RwSignal::new(None),
            extent,
            is_veiled: RwSignal::new(false),
            is_presenting: RwSignal::new(false),
            spoken: RwSignal::new((0, String::new())),
            tools: Tools::new(),
            study_link: RwSignal::new(None),
            needs_duration: RwSignal::new(None),
        }
    }

    // ---- Document ----

    /// Makes an edit; keystrokes of the same cell (`of`) are one entry of the history.
    pub(crate) fn edit(&self, of: Option<String>, edit: impl FnOnce(&mut Document)) {
        let (guide, had_departed) = (self.guide.get_untracked(), self.has_departed.get_untracked());
        self.history.update(|h| {
            h.edit(of, |d| {
                let guide = guide.filter(|guide| guide.is_of(d));
                edit(d);
                if let Some(guide) = guide.filter(|guide| guide.is_of(d)) {
                    guide.origin.settle(had_departed, d);
                }
            });
        });
    }

    /// Ends the history entry that keystrokes were added to.
    pub(crate) fn pause_history(&self) {
        self.history.update_untracked(History::pause);
    }

    pub(crate) fn undo(&self) {
        self.history.update(History::undo);
    }

    pub(crate) fn redo(&self) {
        self.history.update(History::redo);
    }

    /// Shows another scenario. It can be undone.
    pub(crate) fn open(&self, document: Document, at: Time) {
        self.is_playing.set(false);
        self.zoom.set(None);
        self.selected.set(None);
        self.edit(None, |d| *d = document);
        // Of no run: it is found by its time in the one to come.
        self.cursor.set(Cursor { run: RunId::default(), position: u32::MAX, at });
    }

    /// Whether the document is no longer the built-in scenario that it began as.
    pub(crate) fn is_edited(&self) -> bool {
        self.has_departed.get()
            || self.guide.with(|guide| {
                guide.as_ref().is_some_and(|g| self.document.with(|d| d.rest.name != g.origin.name() || !d.raw_texts().is_empty()))
            })
    }

    /// What is wrong at a field, if something is.
    pub(crate) fn problem_at(&self, path: &str) -> Option<String> {
        self.problems.with(|problems| panels::problem_at(problems, path).map(str::to_owned))
    }

    /// Stops the lab's simulation; what is on screen stays.
    pub(crate) fn cancel(&self) {
        client::stop(WorkerFor::Simulation);
        self.simulating.set(Simulating::Stopped("Stopped.".to_owned()));
    }

    /// Has the lab simulate again what it did not finish.
    pub(crate) fn simulate_again(&self) {
        self.again.set(());
    }

    /// Whether what is said about fields keeps the document from being simulated; else it is a warning.
    pub(crate) fn is_wrong(&self) -> bool {
        self.outcome.with(Outcome::is_stale)
    }

    // ---- Cursor ----

    /// The time shown as now: where the reader stands, or the end of a run that ends before.
    pub(crate) fn now(&self) -> Time {
        self.run.with(|run| self.cursor.get().now_in(run))
    }

    pub(crate) fn now_untracked(&self) -> Time {
        self.run.with_untracked(|run| self.cursor.get_untracked().now_in(run))
    }

    /// How many steps the run has.
    pub(crate) fn step_count(&self) -> u32 {
        self.run.with(|r| r.trace().steps().len() as u32)
    }

    /// Goes to a number of steps applied.
    pub(crate) fn go_to(&self, position: u32) {
        self.run.with_untracked(|run| {
            let position = position.min(run.trace().steps().len() as u32);
            self.cursor.set(Cursor { run: run.id, position, at: position::time_at(run.trace(), position) });
        });
    }

    /// Goes to a time: after every step that is not later.
    pub(crate) fn go_to_time(&self, at: Time) {
        self.run.with_untracked(|run| {
            let at = at.min(last_instant(run));
            self.cursor.set(Cursor { run: run.id, position: position::at_time(run.trace(), at), at });
        });
    }

    /// One step on or back.
    pub(crate) fn step(&self, forward: bool) {
        let position = self.position.get_untracked();
        self.go_to(if forward { position.saturating_add(1) } else { position.saturating_sub(1) });
    }

    /// To the end of the next or the previous instant.
    pub(crate) fn instant(&self, forward: bool) {
        let position = self.position.get_untracked();
        let to = self.run.with_untracked(|run| {
            if forward { position::next_instant(run.trace(), position) } else { position::previous_instant(run.trace(), position) }
        });
        self.go_to(to);
    }

    /// Something about the state at the cursor; tracks run and cursor.
    pub(crate) fn with_state<R>(&self, f: impl FnOnce(&RunData, &Snapshot) -> R) -> R {
        let position = self.position.get();
        self.run.with(|run| with_state(self.replay, run, position, |state| f(run, state)))
    }

    // ---- Zoom, selection, looks ----

    /// Shows the whole run.
    pub(crate) fn fit(&self) {
        self.zoom.set(None);
    }

    /// Changes what part of the run is shown.
    pub(crate) fn rescale(&self, change: impl FnOnce(TimeScale, Time) -> TimeScale) {
        let end = untrack(|| self.whole_end());
        self.zoom.set(Some(change(self.scale.get_untracked(), end)));
    }

    /// Shows a part of the run; all of it if the part is empty.
    pub(crate) fn show(&self, range: (i64, i64)) {
        if range.0 == range.1 { self.fit() } else { self.rescale(|scale, end| scale.showing(range, end)) }
    }

    /// Whether only a part of the run is shown.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.zoom.with(Option::is_some)
    }

    /// How far the whole timeline reaches.
    pub(crate) fn whole_end(&self) -> Time {
        self.run.with(|run| run.timeline.end()).max(self.extent.get())
    }

    /// Stops playing, goes somewhere, and shows where that is.
    pub(crate) fn visit(&self, go: impl FnOnce()) {
        self.is_playing.set(false);
        go();
        self.show_cursor();
    }

    /// Scrolls the timeline so that the cursor is on it.
    pub(crate) fn show_cursor(&self) {
        if self.zoom.with_untracked(Option::is_some) {
            let now = self.now_untracked();
            self.rescale(|scale, end| scale.centred_on(now, end));
        }
    }

    /// Selects the kernel row of an operation, or nothing if it is selected already.
    pub(crate) fn select_op(&self, op: OpId) {
        self.asked_op.set(None);
        let id = self.run.with_untracked(|run| run.row_id(run.trace().op(op).row));
        self.selected.update(|selected| *selected = if *selected == id { None } else { id });
    }

    /// The selected row of the run.
    pub(crate) fn selected_row(&self) -> Option<RowId> {
        let id = self.selected.get()?;
        self.run.with(|run| run.row(id))
    }

    /// Does what the element clicked on says: goes to a position, or selects a kernel.
    pub(crate) fn follow(&self, event: &leptos::ev::MouseEvent) {
        let number = |name: &str| said(event, name)?.parse::<u32>().ok();
        if let Some(position) = number("data-go") {
            self.visit(|| self.go_to(position));
        } else if let Some(at) = said(event, "data-go-time").and_then(|at| at.parse().ok()) {
            self.visit(|| self.go_to_time(Time(at)));
        } else if let Some(op) = number("data-op") {
            self.select_op(OpId(op));
            self.asked_op.set(Some(OpId(op)));
        }
    }

    /// How much larger than usual the timeline is.
    pub(crate) fn magnification(&self) -> f64 {
        if self.is_presenting.get() { PRESENTED } else { 1.0 }
    }

    pub(crate) fn is_dark(&self) -> bool {
        match self.theme.get() {
            Theme::System => self.system_dark.get(),
            Theme::Light => false,
            Theme::Dark => true,
        }
    }

    pub(crate) fn say(&self, text: impl Into<String>) {
        self.notice.set(Some(Notice { text: text.into(), is_error: false }));
    }

    pub(crate) fn complain(&self, text: impl Into<String>) {
        self.notice.set(Some(Notice { text: text.into(), is_error: true }));
    }

    /// What is to be kept for the next visit.
    pub(crate) fn to_save(self) -> Saved {
        Saved {
            document: self.document.with_untracked(|d| (**d).clone()),
            at: self.cursor.get_untracked().at,
            position: Some(self.position.get_untracked()),
            theme: self.theme.get_untracked(),
        }
    }
}

impl Cursor {
    /// The position in a run: kept by steps in the same one, by time in another.
    fn in_run(self, run: &RunData) -> u32 {
        if self.run == run.id {
            self.position.min(run.trace().steps().len() as u32)
        } else if self.position == 0 {
            0
        } else {
            position::at_time(run.trace(), self.at)
        }
    }

    /// The time in a run, at most its end. A run without kernels only stands in for one to come.
    fn now_in(self, run: &RunData) -> Time {
        if run.trace().scenario().rows().is_empty() { self.at } else { self.at.min(last_instant(run)) }
    }
}

/// The latest time that can be gone to.
fn last_instant(run: &RunData) -> Time {
    run.timeline.end().max(run.trace().end())
}

fn with_state<R>(replay: StoredValue<Option<(RunId, Replay)>>, run: &RunData, position: u32, f: impl FnOnce(&Snapshot) -> R) -> R {
    let mut slot = replay.write_value();
    let (_, replay) = match &mut *slot {
        Some(kept) if kept.0 == run.id => kept,
        slot => slot.insert((run.id, run.run.replay())),
    };
    f(replay.seek(position))
}

/// Whether the system prefers dark, followed as it changes.
fn system_dark() -> RwSignal<bool> {
    use wasm_bindgen::closure::Closure;

    let query = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    let dark = RwSignal::new(query.as_ref().is_some_and(web_sys::MediaQueryList::matches));
    if let Some(query) = query {
        let on_change = Closure::<dyn FnMut(web_sys::MediaQueryListEvent)>::new(move |e: web_sys::MediaQueryListEvent| {
            // The page may be gone in tests.
            let _ = dark.try_set(e.matches());
        });
        if query.add_event_listener_with_callback("change", on_change.as_ref().unchecked_ref()).is_ok() {
            on_change.forget();
        }
    }
    dark
}
