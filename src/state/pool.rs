//! Work in parts on a pool of workers: which part is next, how far it is, pause and cancel. Studies and sweeps use it.
//!
//! Invariants: which parts are made follows from the work alone, not from the number of workers or their speed; an answer about earlier
//! work, or about what was canceled, is told apart.

use leptos::prelude::*;

use blockstep_ui::client::{self, WorkerFor};
use blockstep_view::quantity::format_count;

/// How long a worker is to work on a part, in ms.
const PART_MS: u64 = 140;

/// Most workers of a pool.
const MAX_WORKERS: usize = 64;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    #[default]
    None,
    Running,
    Paused,
    Cancelled,
    Whole,
}

impl Stage {
    pub(crate) fn is_under_way(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }
}

/// How far work is, as the page shows it.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Standing {
    pub(crate) stage: Stage,
    pub(crate) thousandths: u32,
    pub(crate) text: String,
}

/// A part that was handed out.
#[derive(Clone, Copy)]
pub(crate) struct Handed {
    /// The work that it belongs to.
    number: u32,
    place: usize,
    /// Who is to make it.
    pub(crate) worker: WorkerFor,
    /// Of the kinds of units, by place.
    pub(crate) point: usize,
    /// The first unit, and the end of them, excluded.
    pub(crate) from: u64,
    pub(crate) to: u64,
}

struct Counting {
    number: u32,
    stage: Stage,
    /// Units of each kind.
    each: u64,
    /// Units of the first part.
    least: u64,
    /// Of each kind: the first unit not handed out, and how many make a part.
    next: Vec<(u64, u64)>,
    done: u64,
    is_busy: [bool; MAX_WORKERS],
    /// When it began or went on, and how long it had run before, in ms.
    since: f64,
    spent: f64,
    /// Has a part made.
    hand: Option<Callback<Handed>>,
    /// Told when all is made or no more will be.
    on_end: Option<Callback<()>>,
}

/// A pool; at most one work is under way.
#[derive(Clone, Copy)]
pub(crate) struct Pool {
    counting: StoredValue<Counting>,
    pub(crate) standing: RwSignal<Standing>,
    /// What its units are called.
    units: &'static str,
    /// Its first worker among those of all pools.
    first: usize,
}

impl Pool {
    /// Of several pools each has a place.
    pub(crate) fn new(units: &'static str, place: usize) -> Self {
        let counting = StoredValue::new(Counting::NONE);
        Self { counting, standing: RwSignal::new(Standing::default()), units, first: place * MAX_WORKERS }
    }

    /// Begins work: so many units of each of so many kinds, `least` of them in the first parts.
    pub(crate) fn begin(self, (kinds, each): (usize, u64), least: u64, hand: Callback<Handed>, on_end: Callback<()>) {
        self.stop_workers();
        self.counting.update_value(|c| {
            *c = Counting {
                number: c.number + 1,
                stage: Stage::Running,
                each,
                least,
                next: vec![(0, 0); kinds],
                since: now(),
                hand: Some(hand),
                on_end: Some(on_end),
                ..Counting::NONE
            }
        });
        self.say();
        self.feed();
    }

    /// Which work it is; told apart from those before it.
    pub(crate) fn number(self) -> u32 {
        self.counting.with_value(|c| c.number)
    }

    pub(crate) fn stage(self) -> Stage {
        self.counting.with_value(|c| c.stage)
    }

    /// Pauses, or goes on.
    pub(crate) fn pause(self) -> Stage {
        self.counting.update_value(|c| match c.stage {
            Stage::Running => {
                c.spent += now() - c.since;
                c.stage = Stage::Paused;
            }
            Stage::Paused => {
                c.since = now();
                c.stage = Stage::Running;
            }
            _ => {}
        });
        self.say();
        self.feed();
        self.stage()
    }

    /// Ends it, with what was made.
    pub(crate) fn finish(self, stage: Stage) {
        self.stop_workers();
        let on_end = self.counting.try_update_value(|c| {
            c.spent += if c.stage == Stage::Running { now() - c.since } else { 0.0 };
            c.stage = stage;
            // What comes of earlier requests is of no use.
            c.number += 1;
            c.hand = None;
            c.on_end.take()
        });
        self.say();
        on_end.flatten().into_iter().for_each(|on_end| on_end.run(()));
    }

    /// Whether a part is of the work that is under way. The page may be gone in tests.
    pub(crate) fn is_of(self, part: &Handed) -> bool {
        self.counting.try_with_value(|c| c.number) == Some(part.number)
    }

    /// A part is made, which took a worker so many ms.
    pub(crate) fn add(self, part: &Handed, took_ms: u64) {
        let is_whole = self.counting.try_update_value(|c| {
            let units = part.to - part.from;
            c.is_busy[part.place] = false;
            c.done += units;
            // A single part says little: its units may be quick ones.
            let size = units * PART_MS / took_ms.max(1);
            c.next[part.point].1 = size.clamp(c.least, units.max(c.least) * 8);
            c.done == c.all()
        });
        if is_whole == Some(true) {
            return self.finish(Stage::Whole);
        }
        self.feed();
        self.say();
    }

    /// Hands a part to every worker that has none.
    fn feed(self) {
        for place in 0..workers() {
            let worker = WorkerFor::Study(self.first + place);
            let part = self.counting.try_update_value(|c| Some((c.part(place, worker)?, c.hand?))).flatten();
            if let Some((part, hand)) = part {
                hand.run(part);
            }
        }
    }

    fn say(self) {
        let standing = self.counting.with_value(|c| c.standing(self.units));
        if self.standing.with_untracked(|now| *now != standing) {
            self.standing.set(standing);
        }
    }

    fn stop_workers(self) {
        (0..MAX_WORKERS).for_each(|place| client::stop(WorkerFor::Study(self.first + place)));
    }
}

impl Counting {
    /// Before any work.
    const NONE: Self = Self {
        number: 0,
        stage: Stage::None,
        each: 0,
        least: 1,
        next: Vec::new(),
        done: 0,
        is_busy: [false; MAX_WORKERS],
        since: 0.0,
        spent: 0.0,
        hand: None,
        on_end: None,
    };

    /// A part for a worker that has none: of the kind with the fewest, so that all sharpen evenly.
    fn part(&mut self, place: usize, worker: WorkerFor) -> Option<Handed> {
        if self.stage != Stage::Running || self.is_busy[place] {
            return None;
        }
        let point = (0..self.next.len()).filter(|&p| self.next[p].0 < self.each).min_by_key(|&p| self.next[p].0)?;
        let (from, size) = self.next[point];
        let to = from.saturating_add(size.max(self.least)).min(self.each);
        self.next[point].0 = to;
        self.is_busy[place] = true;
        Some(Handed { number: self.number, place, worker, point, from, to })
    }

    fn all(&self) -> u64 {
        self.each * self.next.len() as u64
    }

    fn standing(&self, units: &str) -> Standing {
        let all = self.all();
        let spent = self.spent + if self.stage == Stage::Running { now() - self.since } else { 0.0 };
        let left = || spent * (all - self.done) as f64 / self.done.max(1) as f64;
        let made = format!("{} of {} {units}", format_count(self.done), format_count(all));
        let text = match self.stage {
            Stage::None => String::new(),
            Stage::Running if spent >= 1000.0 => format!("{made}, about {} left", duration(seconds(left()))),
            Stage::Running => made,
            Stage::Paused => format!("Paused: {made}, {}", duration(seconds(spent))),
            Stage::Cancelled => format!("Canceled: partial, {made}, {}", duration(seconds(spent))),
            Stage::Whole => format!("Complete: {made}, {}", duration(seconds(spent))),
        };
        Standing { stage: self.stage, thousandths: (u128::from(self.done) * 1000 / u128::from(all.max(1))) as u32, text }
    }
}

/// One fewer than the processors, and at least one.
fn workers() -> usize {
    (window().navigator().hardware_concurrency() as usize).saturating_sub(1).clamp(1, MAX_WORKERS)
}

/// Milliseconds since the page was opened.
pub(crate) fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

fn seconds(ms: f64) -> u64 {
    (ms / 1000.0) as u64 + 1
}

fn duration(seconds: u64) -> String {
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}
