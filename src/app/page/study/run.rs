//! Counting a study on a pool of workers: begin, pause, go on, cancel.
//!
//! Depends on the workers. Invariants: which sets are counted follows from the study alone; what comes of a request of an
//! earlier study, or of one that was cancelled, is dropped.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::figure::Shown;
use crate::analysis::sweep::Counts;
use crate::app::client::{self, WorkerFor};
use crate::app::state::AppState;
use crate::protocol::{CountStudy, StudyPlan};
use crate::view::quantity::format_count;

/// How long a part is to take, in ms.
const PART_MS: f64 = 140.0;
/// Sets of the first part.
const FIRST: u64 = 4;
/// Most workers of the pool.
const MAX_WORKERS: usize = 64;

/// Where the study stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    None,
    Running,
    Paused,
    Cancelled,
    Whole,
}

impl Stage {
    /// As the page says it.
    fn name(self) -> &'static str {
        match self {
            Self::None | Self::Running => "",
            Self::Paused => "Paused: ",
            Self::Cancelled => "Cancelled: partial, ",
            Self::Whole => "Complete: ",
        }
    }

    fn is_under_way(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }
}

/// The study on screen.
pub(super) struct Counting {
    /// Told apart from those before it.
    pub(super) number: u32,
    pub(super) stage: Stage,
    /// As a file.
    pub(super) study: String,
    /// By utilisation.
    pub(super) counts: Vec<Counts>,
    /// Sets of each point.
    sets: u64,
    /// Of each point: the first set not handed out, and how many make a part.
    next: Vec<(u64, u64)>,
    /// Sets that were counted.
    done: u64,
    is_busy: [bool; MAX_WORKERS],
    /// When it began or went on, and how long it had run before, in ms.
    since: f64,
    spent: f64,
    /// Whether a picture is asked for, when the last one was, and whether another one is due.
    pub(super) is_drawing: bool,
    pub(super) drawn: f64,
    pub(super) is_due: bool,
}

impl Counting {
    fn new(number: u32, stage: Stage, plan: StudyPlan) -> Self {
        Self {
            number,
            stage,
            study: plan.study,
            counts: vec![Counts::none(plan.tests as usize); plan.points as usize],
            sets: plan.sets,
            next: vec![(0, 0); plan.points as usize],
            done: 0,
            is_busy: [false; MAX_WORKERS],
            since: now(),
            spent: 0.0,
            is_drawing: false,
            drawn: 0.0,
            is_due: false,
        }
    }

    /// A part for a worker that has none: of the point with the fewest, so that all curves sharpen evenly.
    fn part(&mut self, worker: usize) -> Option<(u32, CountStudy)> {
        if self.stage != Stage::Running || self.is_busy[worker] {
            return None;
        }
        let point = (0..self.next.len()).filter(|&p| self.next[p].0 < self.sets).min_by_key(|&p| self.next[p].0)?;
        let (from, size) = self.next[point];
        let to = from.saturating_add(size.max(FIRST)).min(self.sets);
        self.next[point].0 = to;
        self.is_busy[worker] = true;
        Some((self.number, CountStudy { study: self.study.clone(), point: point as u32, from, to }))
    }

    /// Adds what a part came to; whether that was the last one.
    fn add(&mut self, worker: usize, point: usize, counted: &Counts, sets: u64, took: f64) -> bool {
        self.is_busy[worker] = false;
        self.done += sets;
        self.counts[point].add(counted);
        // The first part of a worker takes the time to load it, so a single one says little.
        let size = (sets as f64 * PART_MS / took.max(1.0)) as u64;
        self.next[point].1 = size.clamp(FIRST, sets.max(FIRST) * 8);
        self.done == self.all()
    }

    fn all(&self) -> u64 {
        self.sets * self.next.len() as u64
    }

    fn standing(&self) -> Standing {
        let all = self.all();
        let is_running = self.stage == Stage::Running;
        let spent = self.spent + if is_running { now() - self.since } else { 0.0 };
        let time = if is_running {
            let left = spent * (all - self.done) as f64 / self.done.max(1) as f64;
            if spent < 1000.0 { String::new() } else { format!(", about {} left", seconds(left)) }
        } else {
            format!(", {}", seconds(spent))
        };
        Standing {
            stage: self.stage,
            thousandths: (u128::from(self.done) * 1000 / u128::from(all.max(1))) as u32,
            text: format!("{}{} of {} sets{time}", self.stage.name(), format_count(self.done), format_count(all)),
        }
    }
}

/// How far it is.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Standing {
    pub(super) stage: Stage,
    /// Of all sets.
    thousandths: u32,
    /// In words.
    text: String,
}

/// The study on screen, as the page sees it.
#[derive(Clone, Copy)]
pub(super) struct StudyRun {
    pub(super) state: AppState,
    pub(super) counting: StoredValue<Counting>,
    pub(super) standing: RwSignal<Standing>,
    /// Its address.
    pub(super) link: RwSignal<Option<String>>,
    /// What is shown of it.
    pub(super) shown: Shown,
}

impl StudyRun {
    /// None yet.
    pub(super) fn new(state: AppState) -> Self {
        let none = StudyPlan { study: String::new(), points: 0, tests: 0, sets: 0 };
        Self {
            state,
            counting: StoredValue::new(Counting::new(0, Stage::None, none)),
            standing: RwSignal::new(Standing::default()),
            link: RwSignal::new(None),
            shown: Shown::new(),
        }
    }

    /// Whether one is being counted, or waits to go on.
    pub(super) fn is_under_way(self) -> bool {
        self.standing.with_untracked(|standing| standing.stage.is_under_way())
    }

    /// Begins to count a study; `link` becomes the page's address.
    pub(super) fn begin(self, link: &str, plan: StudyPlan) {
        stop_workers();
        self.counting.update_value(|c| *c = Counting::new(c.number + 1, Stage::Running, plan));
        self.link.set(Some(link.to_owned()));
        if let Ok(history) = window().history() {
            // Some pages may not change their address; the link is there all the same.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(link));
        }
        self.shown.failing.set(None);
        self.say();
        self.feed();
    }

    /// Pauses, or goes on.
    fn pause(self) {
        let stage = self.counting.try_update_value(|c| {
            match c.stage {
                Stage::Running => {
                    c.spent += now() - c.since;
                    c.stage = Stage::Paused;
                }
                Stage::Paused => {
                    c.since = now();
                    c.stage = Stage::Running;
                }
                _ => {}
            }
            c.stage
        });
        self.say();
        match stage {
            Some(Stage::Running) => self.feed(),
            Some(Stage::Paused) => self.draw(true),
            _ => {}
        }
    }

    /// Ends it, with what was counted.
    fn finish(self, stage: Stage) {
        stop_workers();
        self.counting.update_value(|c| {
            c.spent += if c.stage == Stage::Running { now() - c.since } else { 0.0 };
            c.stage = stage;
            // What comes of earlier requests is of no use.
            c.number += 1;
            c.is_drawing = false;
        });
        self.say();
        self.draw(true);
    }

    /// Hands a part to every worker that has none.
    fn feed(self) {
        for worker in 0..workers() {
            let Some((number, request)) = self.counting.try_update_value(|c| c.part(worker)).flatten() else { continue };
            let (began, point, sets) = (now(), request.point as usize, request.to - request.from);
            client::ask_worker(
                WorkerFor::Study(worker),
                request,
                |_, _| (),
                move |answer| {
                    // The page may be gone in tests.
                    if self.counting.try_with_value(|c| c.number) == Some(number) {
                        self.take(worker, point, answer, sets, now() - began);
                    }
                },
            );
        }
    }

    /// Takes what a part came to.
    fn take(self, worker: usize, point: usize, answer: Result<Counts, String>, sets: u64, took: f64) {
        let counted = match answer {
            Ok(counted) => counted,
            Err(why) => {
                self.state.messages.complain(why);
                return self.finish(Stage::Cancelled);
            }
        };
        let is_whole = self.counting.try_update_value(|c| c.add(worker, point, &counted, sets, took));
        if is_whole == Some(true) {
            return self.finish(Stage::Whole);
        }
        self.feed();
        self.say();
        self.draw(self.counting.with_value(|c| c.stage != Stage::Running));
    }

    fn say(self) {
        let standing = self.counting.with_value(Counting::standing);
        if self.standing.with_untracked(|now| *now != standing) {
            self.standing.set(standing);
        }
    }
}

fn stop_workers() {
    (0..MAX_WORKERS).for_each(|i| client::stop(WorkerFor::Study(i)));
}

/// One fewer than the processors, and at least one.
fn workers() -> usize {
    (window().navigator().hardware_concurrency() as usize).saturating_sub(1).clamp(1, MAX_WORKERS)
}

/// Milliseconds since the page was opened.
pub(super) fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

fn seconds(ms: f64) -> String {
    let s = (ms / 1000.0) as u64 + 1;
    if s < 100 { format!("{s} s") } else { format!("{} min", s.div_ceil(60)) }
}

/// The buttons, and how far it is.
#[component]
pub(super) fn Controls(
    /// The study.
    run: StudyRun,
) -> impl IntoView {
    let stage = Memo::new(move |_| run.standing.with(|standing| standing.stage));
    let is_under_way = move || stage.get().is_under_way();
    let status = move || match stage.get() {
        Stage::Running => "Running",
        stage => stage.name().trim_end_matches([':', ',', ' ']),
    };
    view! {
        <div class="study-run">
            <button class="primary" id="study-run" form="study-form" disabled=is_under_way>"Run"</button>
            <button id="study-pause" disabled=move || !is_under_way() on:click=move |_| run.pause()>
                {move || if stage.get() == Stage::Paused { "Go on" } else { "Pause" }}
            </button>
            <button id="study-cancel" disabled=move || !is_under_way() on:click=move |_| run.finish(Stage::Cancelled)>"Cancel"</button>
            <progress
                id="study-bar"
                max="1000"
                value=move || run.standing.with(|standing| standing.thousandths.to_string())
                aria-label="Counted so far"
            ></progress>
            <span id="study-text" class="quiet">{move || run.standing.with(|standing| standing.text.clone())}</span>
            <span id="study-status" class="visually-hidden" role="status">{status}</span>
        </div>
    }
}
