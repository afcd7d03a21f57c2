//! Counting a study on a pool of workers: begin, pause, go on, cancel.
//!
//! Invariant: what comes of a request of an earlier study, or of one that was canceled, is dropped.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::state::{Counting, StudyRun};
use crate::components::PoolProgress;
use crate::state::pool::{Handed, Stage};
use blockstep_protocol::{CountStudy, CountedPart, StudyPlan};
use blockstep_ui::client;

/// Sets of the first part.
const FIRST: u64 = 4;

impl StudyRun {
    /// Begins to count a study; `link` becomes the page's address.
    pub(super) fn begin(self, link: &str, plan: &StudyPlan) {
        self.counting.set_value(Counting::new(plan));
        self.link.set(Some(link.to_owned()));
        if let Ok(history) = window().history() {
            // Some pages may not change their address; the link is there all the same.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(link));
        }
        self.shown.failing.set(None);
        let on_end = Callback::new(move |()| {
            self.counting.update_value(|c| c.is_drawing = false);
            self.draw(true);
        });
        self.pool.begin((plan.points as usize, plan.sets), FIRST, Callback::new(move |part| self.ask(part)), on_end);
    }

    fn pause(self) {
        if self.pool.pause() == Stage::Paused {
            self.draw(true);
        }
    }

    /// Has a part counted.
    fn ask(self, part: Handed) {
        let study = self.counting.with_value(|c| c.study.clone());
        let request = CountStudy { study, point: part.point as u32, from: part.from, to: part.to };
        client::ask_worker(
            part.worker,
            request,
            |_, _| (),
            move |answer| {
                if self.pool.is_of(&part) {
                    self.take(&part, answer);
                }
            },
        );
    }

    fn take(self, part: &Handed, answer: Result<CountedPart, String>) {
        match answer {
            Ok(counted) => {
                self.counting.update_value(|c| c.counts[part.point].add(&counted.counts));
                self.pool.add(part, counted.took_ms);
                if self.pool.stage().is_under_way() {
                    self.draw(self.pool.stage() == Stage::Paused);
                }
            }
            Err(why) => {
                self.state.messages.complain(why);
                self.pool.finish(Stage::Cancelled);
            }
        }
    }
}

#[component]
pub(super) fn Controls(run: StudyRun) -> impl IntoView {
    let stage = Memo::new(move |_| run.pool.standing.with(|standing| standing.stage));
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
            <button id="study-cancel" disabled=move || !is_under_way() on:click=move |_| run.pool.finish(Stage::Cancelled)>"Cancel"</button>
            <PoolProgress standing=run.pool.standing id="study" label="Study progress" />
            <span id="study-status" class="visually-hidden" role="status">{status}</span>
        </div>
    }
}
