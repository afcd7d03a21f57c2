//! Where the reader stands in the run: the steps applied, the time shown, and the state there.
//!
//! Depends on `run`, `snapshot` and view models. Invariant: the position is one of the run on screen, whatever becomes of the
//! document: kept by steps in the same run, by time in another.

use leptos::prelude::*;

use super::fence::Fence;
use super::run::RunState;
use super::runs::RunData;
use blockstep_protocol::RunId;
use blockstep_sim::snapshot::{Replay, Snapshot};
use blockstep_sim::trace::Step;
use blockstep_sim::units::{StepId, Time};
use blockstep_ui::Pace;
use blockstep_view::position;
use blockstep_view::queues::{self, PathView, QueueView};

/// Operations of one queue that the diagram spells out.
const MAX_ITEMS: usize = 12;

/// A place in a run.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct CursorPlace {
    /// The run whose steps `position` counts.
    run: RunId,
    position: u32,
    pub(super) at: Time,
}

impl CursorPlace {
    /// Of no run: it is found by its time in the one to come.
    pub(super) fn at_time(at: Time) -> Self {
        Self { run: RunId::default(), position: u32::MAX, at }
    }

    /// Before the first step, of whatever run comes.
    pub(super) fn start() -> Self {
        Self { run: RunId::default(), position: 0, at: Time::ZERO }
    }

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

    /// The time in a run, at most its end; but one without kernels, too, may only stand in for one to come.
    fn now_in(self, run: &RunData) -> Time {
        if run.is_coming || run.trace().scenario().rows().is_empty() { self.at } else { self.at.min(last_instant(run)) }
    }
}

/// The latest time that can be gone to.
fn last_instant(run: &RunData) -> Time {
    run.timeline.end().max(run.trace().end())
}

/// Where the reader stands; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct CursorState {
    run: RunState,
    fence: Fence,
    pub(super) place: RwSignal<CursorPlace>,
    /// Steps applied.
    pub(crate) position: Memo<u32>,
    replay: StoredValue<Option<(RunId, Replay)>>,
    /// The queues and what is on the GPU, as the diagram shows them.
    pub(crate) queues: Memo<QueueView>,
    /// The path of a submission, where processes take turns.
    pub(crate) path: Memo<Option<PathView>>,
    pub(crate) is_playing: RwSignal<bool>,
    /// How fast it is played.
    pub(crate) pace: RwSignal<Pace>,
    /// What screen readers are told instead of the step, at a position.
    pub(crate) spoken: RwSignal<(u32, String)>,
}

impl CursorState {
    /// At a time, and at a number of steps if it is known of the run there is.
    pub(super) fn new(run: RunState, fence: Fence, at: Time, position: Option<u32>) -> Self {
        let first = run.with_untracked(|run| run.id);
        let place = position.map_or_else(|| CursorPlace::at_time(at), |position| CursorPlace { run: first, position, at });
        let place = RwSignal::new(place);
        let position = Memo::new(move |_| run.with(|run| place.get().in_run(run)));
        let replay = StoredValue::new(None);
        let is_later = Memo::new(move |_| run.with(|run| place.get().now_in(run) > position::time_at(run.trace(), position.get())));
        let here = move |run: &RunData| {
            let position = position.get();
            let now = if queues::runs_between_steps(run.trace()) {
                place.get().now_in(run)
            } else if is_later.get() {
                place.get_untracked().now_in(run)
            } else {
                Time::ZERO
            };
            (position, now)
        };
        let queues = Memo::new(move |_| {
            run.with(|run| {
                let (position, now) = here(run);
                with_state(replay, run, position, |state| queues::queues(run.trace(), state, step_before(run, position), now, MAX_ITEMS))
            })
        });
        let path = Memo::new(move |_| {
            run.with(|run| {
                let (position, now) = here(run);
                with_state(replay, run, position, |state| queues::path(run.trace(), state, step_before(run, position), now, MAX_ITEMS))
            })
        });
        Self {
            run,
            fence,
            place,
            position,
            replay,
            queues,
            path,
            is_playing: RwSignal::new(false),
            pace: RwSignal::new(Pace::Steps(2)),
            spoken: RwSignal::new((0, String::new())),
        }
    }

    /// The time shown as now: where the reader stands, or the end of a run that ends before.
    pub(crate) fn now(self) -> Time {
        self.run.with(|run| self.place.get().now_in(run))
    }

    /// Whether the reader stands at this time, after a step of the run.
    pub(crate) fn is_at(self, at: Time) -> bool {
        self.position.get() > 0 && self.now() == at
    }

    pub(crate) fn now_untracked(self) -> Time {
        self.run.with_untracked(|run| self.place.get_untracked().now_in(run))
    }

    /// Goes to a number of steps applied, as far as a quiz that is going on lets the reader go.
    pub(crate) fn go_to(self, position: u32) {
        self.run.with_untracked(|run| {
            let wanted = position.min(run.trace().steps().len() as u32);
            let position = self.fence.within(wanted);
            if position < wanted {
                self.is_playing.set(false);
            }
            self.place.set(CursorPlace { run: run.id, position, at: position::time_at(run.trace(), position) });
        });
    }

    /// Goes to a time: after every step that is not later. As far as a quiz lets the reader go, which is to its step: how long
    /// nothing happens after that may tell the answer.
    pub(crate) fn go_to_time(self, at: Time) {
        self.run.with_untracked(|run| {
            let at = at.min(last_instant(run));
            if self.fence.hold.get_untracked().is_some_and(|hold| at > position::time_at(run.trace(), hold.limit)) {
                return self.go_to(u32::MAX);
            }
            let position = self.fence.within(position::at_time(run.trace(), at));
            self.place.set(CursorPlace { run: run.id, position, at });
        });
    }

    /// The position at the end of the next instant, or of the previous one.
    pub(crate) fn beside(self, forward: bool) -> u32 {
        let position = self.position.get_untracked();
        self.run.with_untracked(|run| {
            if forward { position::next_instant(run.trace(), position) } else { position::previous_instant(run.trace(), position) }
        })
    }

    /// Something about the state at the cursor; tracks run and cursor.
    pub(crate) fn with_state<R>(self, f: impl FnOnce(&RunData, &Snapshot) -> R) -> R {
        let position = self.position.get();
        self.run.with(|run| with_state(self.replay, run, position, |state| f(run, state)))
    }
}

fn step_before(run: &RunData, position: u32) -> Option<&Step> {
    position.checked_sub(1).map(|i| run.trace().step(StepId(i)))
}

fn with_state<R>(replay: StoredValue<Option<(RunId, Replay)>>, run: &RunData, position: u32, f: impl FnOnce(&Snapshot) -> R) -> R {
    let mut slot = replay.write_value();
    let (_, replay) = match &mut *slot {
        Some(known) if known.0 == run.id => known,
        slot => slot.insert((run.id, run.run.replay())),
    };
    f(replay.seek(position))
}
