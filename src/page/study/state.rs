//! The study on screen: which sets are counted, how far that is, and what is shown of it.
//!
//! Invariant: which sets are counted follows from the study alone.

use leptos::html::{Div, H4};
use leptos::prelude::*;

use crate::state::AppState;
use blockstep_analysis::sweep::Counts;
use blockstep_protocol::{CountStudy, CountedPart, StudyPlan};
use blockstep_view::panels::study::{FailingPanel, FigurePanel};
use blockstep_view::quantity::format_count;

/// How long a worker is to count for a part, in ms.
const PART_MS: u64 = 140;

/// Sets of the first part.
const FIRST: u64 = 4;

/// Most workers of the pool.
pub(super) const MAX_WORKERS: usize = 64;

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
    pub(super) fn is_under_way(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }
}

pub(super) struct Counting {
    /// Told apart from those before it.
    pub(super) number: u32,
    pub(super) stage: Stage,
    pub(super) study: String,
    pub(super) counts: Vec<Counts>,
    sets: u64,
    /// Of each point: the first set not handed out, and how many make a part.
    next: Vec<(u64, u64)>,
    /// Sets that were counted.
    done: u64,
    is_busy: [bool; MAX_WORKERS],
    /// When it began or went on, and how long it had run before, in ms.
    pub(super) since: f64,
    pub(super) spent: f64,
    /// Whether a picture is asked for, when the last one was, and whether another one is due.
    pub(super) is_drawing: bool,
    pub(super) drawn: f64,
    pub(super) is_due: bool,
}

impl Counting {
    pub(super) fn new(number: u32, stage: Stage, plan: StudyPlan) -> Self {
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
    pub(super) fn part(&mut self, worker: usize) -> Option<(u32, CountStudy)> {
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
    pub(super) fn add(&mut self, worker: usize, point: usize, part: &CountedPart, sets: u64) -> bool {
        self.is_busy[worker] = false;
        self.done += sets;
        self.counts[point].add(&part.counts);
        // A single part says little: its sets may be quick ones.
        let size = sets * PART_MS / part.took_ms.max(1);
        self.next[point].1 = size.clamp(FIRST, sets.max(FIRST) * 8);
        self.done == self.all()
    }

    fn all(&self) -> u64 {
        self.sets * self.next.len() as u64
    }

    pub(super) fn standing(&self) -> Standing {
        let all = self.all();
        let spent = self.spent + if self.stage == Stage::Running { now() - self.since } else { 0.0 };
        let left = || spent * (all - self.done) as f64 / self.done.max(1) as f64;
        let text = match self.stage {
            Stage::None => String::new(),
            Stage::Running => running(self.done, all, (spent >= 1000.0).then(|| seconds(left()))),
            Stage::Paused => format!("Paused: {}, {}", sets(self.done, all), duration(seconds(spent))),
            Stage::Cancelled => format!("Canceled: partial, {}, {}", sets(self.done, all), duration(seconds(spent))),
            Stage::Whole => format!("Complete: {}, {}", sets(self.done, all), duration(seconds(spent))),
        };
        Standing { stage: self.stage, thousandths: (u128::from(self.done) * 1000 / u128::from(all.max(1))) as u32, text }
    }
}

#[derive(Clone, Default, PartialEq)]
pub(super) struct Standing {
    pub(super) stage: Stage,
    pub(super) thousandths: u32,
    pub(super) text: String,
}

/// The study on screen, as the page sees it.
#[derive(Clone, Copy)]
pub(super) struct StudyRun {
    pub(super) state: AppState,
    pub(super) counting: StoredValue<Counting>,
    pub(super) standing: RwSignal<Standing>,
    pub(super) link: RwSignal<Option<String>>,
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
}

#[derive(Clone, Copy)]
pub(super) struct Shown {
    /// The figure, or why there is none.
    pub(super) figure: RwSignal<Option<Result<FigurePanel, String>>>,
    /// Sets that fail at the point clicked last, or why there are none.
    pub(super) failing: RwSignal<Option<Result<FailingPanel, String>>>,
    pub(super) has_table: RwSignal<bool>,
    pub(super) place: NodeRef<Div>,
    pub(super) title: NodeRef<H4>,
}

impl Shown {
    pub(super) fn new() -> Self {
        Self {
            figure: RwSignal::new(None),
            failing: RwSignal::new(None),
            has_table: RwSignal::new(false),
            place: NodeRef::new(),
            title: NodeRef::new(),
        }
    }
}

/// Milliseconds since the page was opened.
pub(super) fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

fn seconds(ms: f64) -> u64 {
    (ms / 1000.0) as u64 + 1
}

/// `left_s`: the seconds that the rest will take, if that is known.
pub(super) fn running(done: u64, all: u64, left_s: Option<u64>) -> String {
    match left_s {
        Some(left) => format!("{}, about {} left", sets(done, all), duration(left)),
        None => sets(done, all),
    }
}

fn duration(seconds: u64) -> String {
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

fn sets(done: u64, all: u64) -> String {
    format!("{} of {} sets", format_count(done), format_count(all))
}
