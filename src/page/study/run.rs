//! Counting a study on a pool of workers: begin, pause, go on, cancel.
//!
//! Invariant: what comes of a request of an earlier study, or of one that was canceled, is dropped.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::state::{Counting, MAX_WORKERS, Stage, StudyRun, now};
use crate::client::{self, WorkerFor};
use blockstep_protocol::{CountedPart, StudyPlan};

impl StudyRun {
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
            let (point, sets) = (request.point as usize, request.to - request.from);
            client::ask_worker(
                WorkerFor::Study(worker),
                request,
                |_, _| (),
                move |answer| {
                    // The page may be gone in tests.
                    if self.counting.try_with_value(|c| c.number) == Some(number) {
                        self.take(worker, point, answer, sets);
                    }
                },
            );
        }
    }

    fn take(self, worker: usize, point: usize, answer: Result<CountedPart, String>, sets: u64) {
        let counted = match answer {
            Ok(counted) => counted,
            Err(why) => {
                self.state.messages.complain(why);
                return self.finish(Stage::Cancelled);
            }
        };
        let is_whole = self.counting.try_update_value(|c| c.add(worker, point, &counted, sets));
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

#[component]
pub(super) fn Controls(run: StudyRun) -> impl IntoView {
    let stage = Memo::new(move |_| run.standing.with(|standing| standing.stage));
    let is_under_way = move || stage.get().is_under_way();
    let status = move || match stage.get() {
        Stage::None => "",
        Stage::Running => "Running",
        Stage::Paused => "Paused",
        Stage::Cancelled => "Canceled: partial",
        Stage::Whole => "Complete",
    };
    view! {
        <div class="study-run">
            <button class="primary" id="study-run" form="study-form" disabled=is_under_way>"Run"</button>
            <button id="study-pause" disabled=move || !is_under_way() on:click=move |_| run.pause()>
                {move || if stage.get() == Stage::Paused { "Resume" } else { "Pause" }}
            </button>
            <button id="study-cancel" disabled=move || !is_under_way() on:click=move |_| run.finish(Stage::Cancelled)>"Cancel"</button>
            <progress
                id="study-bar"
                max="1000"
                value=move || run.standing.with(|standing| standing.thousandths.to_string())
                aria-label="Study progress"
            ></progress>
            <span id="study-text" class="quiet">{move || run.standing.with(|standing| standing.text.clone())}</span>
            <span id="study-status" class="visually-hidden" role="status">{status}</span>
        </div>
    }
}
