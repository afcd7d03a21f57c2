//! The profiler's trace that is open: its worker, what was asked of it, and what it answered.
//!
//! Depends on the tracer's messages and on the browser. Invariants: a worker has one file, and ends with it; of what is to be drawn only
//! the latest is asked for, once the question before is answered; what a worker that was ended still says is not heard.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker};

use crate::client;
use blockstep_profile::lanes::Sight;
use blockstep_protocol as protocol;
use blockstep_tracer::{Answer, Ask, Card, Drawn, Found, Overview, example};

/// How far the opening of a file is.
#[derive(Clone, PartialEq)]
pub(crate) enum Status {
    /// No file was opened.
    Nothing,
    /// It is being read: name, bytes read, bytes in all.
    Reading(String, u64, u64),
    /// Its waits are being explained: name, operations done, operations in all.
    Explaining(String, u64, u64),
    /// It could not be read: name and why.
    Failed(String, String),
    /// It is open.
    Open(String, Arc<Overview>),
}

/// What is drawn, for which part of the timeline.
pub(crate) type Picture = (Sight, Arc<Vec<Vec<Drawn>>>);

/// A scenario that was made: its file, and what is not in it.
pub(crate) type Made = (String, Vec<String>);

/// What would come of changes: the operation, how good the prediction is, and each change with when the kernel starts then and what is
/// gained.
#[derive(Clone, PartialEq)]
pub(crate) struct Tried {
    pub(crate) operation: u32,
    pub(crate) said: Vec<String>,
    pub(crate) rows: Vec<(String, String, String)>,
}

/// Where an answer will appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    /// In the answer to why operations waited.
    Answer,
    /// On the timeline, or under it.
    Timeline,
    /// At what was found.
    Found,
    /// At what would come of changes.
    Tried,
    /// Where a scenario is made.
    Scenario,
}

impl Where {
    const fn of(ask: &Ask) -> Self {
        match ask {
            Ask::Open | Ask::Example | Ask::Explain(_) => Self::Answer,
            Ask::Draw(_) | Ask::Look(_) | Ask::LookOfCall(_) | Ask::Beside(..) => Self::Timeline,
            Ask::Find(_) => Self::Found,
            Ask::WhatIf(_) => Self::Tried,
            Ask::Make { .. } => Self::Scenario,
        }
    }
}

/// A question that is not answered within this time is shown, with a way to cancel it.
const SLOW: Duration = Duration::from_secs(1);

/// What has been asked of the open file, in order: the worker answers one after the other.
#[derive(Default)]
struct Asked {
    sent: u32,
    waiting: VecDeque<(u32, Where)>,
}

/// A context of the page.
#[derive(Clone, Copy)]
pub(crate) struct TraceState {
    pub(crate) status: RwSignal<Status>,
    pub(crate) picture: RwSignal<Option<Picture>>,
    pub(crate) card: RwSignal<Option<Card>>,
    pub(crate) found: RwSignal<Found>,
    pub(crate) made: RwSignal<Option<Result<Made, String>>>,
    pub(crate) tried: RwSignal<Option<Tried>>,
    /// Whether the file is the example.
    pub(crate) is_example: RwSignal<bool>,
    /// Where the answer will appear that takes long.
    pub(crate) slow: RwSignal<Option<Where>>,
    asked: StoredValue<Asked>,
    worker: StoredValue<Option<Worker>, LocalStorage>,
    /// The file that is open, if it is not the example.
    file: StoredValue<Option<web_sys::File>, LocalStorage>,
    /// Counts the files, so that what an earlier worker says is told apart.
    opened: StoredValue<u32>,
    /// Whether a question of what is to be drawn is on its way, and the one after it.
    drawing: StoredValue<(bool, Option<Sight>)>,
}

impl TraceState {
    pub(super) fn new() -> Self {
        Self {
            status: RwSignal::new(Status::Nothing),
            picture: RwSignal::new(None),
            card: RwSignal::new(None),
            found: RwSignal::new(Found::default()),
            made: RwSignal::new(None),
            tried: RwSignal::new(None),
            is_example: RwSignal::new(false),
            slow: RwSignal::new(None),
            asked: StoredValue::new(Asked::default()),
            worker: StoredValue::new_local(None),
            file: StoredValue::new_local(None),
            opened: StoredValue::new(0),
            drawing: StoredValue::new((false, None)),
        }
    }

    /// Ends the worker, and forgets what was open.
    pub(crate) fn cancel(self) {
        if let Some(worker) = self.worker.try_update_value(Option::take).flatten() {
            worker.terminate();
        }
        self.opened.update_value(|opened| *opened += 1);
        self.drawing.set_value((false, None));
        self.asked.update_value(|asked| asked.waiting.clear());
        self.slow.set(None);
        self.file.set_value(None);
        self.picture.set(None);
        self.card.set(None);
        self.found.set(Found::default());
        self.made.set(None);
        self.tried.set(None);
        self.is_example.set(false);
        self.status.set(Status::Nothing);
    }

    /// Reads a file.
    pub(crate) fn open(self, file: &web_sys::File) {
        self.begin(file.name(), file.size() as u64, &Ask::Open, Some(file));
    }

    /// Reads the example.
    pub(crate) fn open_example(self) {
        self.begin(example::NAME.to_owned(), example::FILE_BYTES, &Ask::Example, None);
        self.is_example.set(true);
    }

    /// Ends what takes long with its worker, and opens the same file anew.
    pub(crate) fn give_up(self) {
        match (self.is_example.get_untracked(), self.file.get_value()) {
            (true, _) => self.open_example(),
            (false, Some(file)) => self.open(&file),
            (false, None) => self.cancel(),
        }
    }

    fn begin(self, name: String, size: u64, ask: &Ask, file: Option<&web_sys::File>) {
        self.cancel();
        let script = document().query_selector("script[data-tracer]").ok().flatten().and_then(|script| script.get_attribute("data-tracer"));
        let Some(worker) = script.and_then(|script| self.start(&script)) else {
            return self.status.set(Status::Failed(name, client::NO_WORKERS.to_owned()));
        };
        self.worker.set_value(Some(worker));
        self.file.set_value(file.cloned());
        self.status.set(Status::Reading(name, 0, size));
        self.send(ask, file);
    }

    /// Asks what is to be drawn.
    pub(crate) fn draw(self, sight: Sight) {
        let is_busy = self.drawing.try_update_value(|(is_busy, next)| {
            if *is_busy {
                *next = Some(sight);
            }
            std::mem::replace(is_busy, true)
        });
        if is_busy == Some(false) {
            self.ask(&Ask::Draw(sight));
        }
    }

    /// Asks anything else.
    pub(crate) fn ask(self, ask: &Ask) {
        let number = self.asked.try_update_value(|asked| {
            asked.sent = asked.sent.wrapping_add(1);
            asked.waiting.push_back((asked.sent, Where::of(ask)));
            asked.sent
        });
        let look = move || {
            // The page may be gone in tests.
            let first = self.asked.try_with_value(|asked| {
                let is_waiting = asked.waiting.iter().any(|(other, _)| Some(*other) == number);
                asked.waiting.front().filter(|_| is_waiting).map(|(_, place)| *place)
            });
            if let Some(Some(place)) = first {
                self.slow.set(Some(place));
            }
        };
        set_timeout(look, SLOW);
        self.send(ask, None);
    }

    /// What was asked first is answered.
    fn answered(self) {
        self.asked.update_value(|asked| {
            asked.waiting.pop_front();
        });
        if self.slow.with_untracked(Option::is_some) {
            // What comes next has a second of its own.
            self.slow.set(None);
            if let Some((number, place)) = self.asked.with_value(|asked| asked.waiting.front().copied()) {
                let look = move || {
                    let is_first = self.asked.try_with_value(|asked| asked.waiting.front().is_some_and(|(first, _)| *first == number));
                    if is_first == Some(true) {
                        self.slow.set(Some(place));
                    }
                };
                set_timeout(look, SLOW);
            }
        }
    }

    fn send(self, ask: &Ask, file: Option<&web_sys::File>) {
        let Ok(bytes) = protocol::encode(ask) else { return };
        let message = Array::of2(&self.opened.get_value().into(), &Uint8Array::from(&bytes[..]));
        if let Some(file) = file {
            message.push(file);
        }
        self.worker.with_value(|worker| {
            if let Some(worker) = worker {
                // A file and bytes can always be sent.
                let _ = worker.post_message(&message);
            }
        });
    }

    fn start(self, script: &str) -> Option<Worker> {
        let worker = Worker::new(script).ok()?;
        let own = self.opened.get_value();
        // The page may be gone in tests.
        let is_current = move || self.opened.try_get_value() == Some(own);
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let parts = Array::from(&event.data());
            let bytes = parts.get(1).dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).unwrap_or_default();
            if is_current() {
                match protocol::decode(&bytes) {
                    Ok(answer) => self.take(answer),
                    Err(why) => self.fail(why),
                }
            }
        });
        let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let why = event.dyn_into::<ErrorEvent>().ok().map(|event| event.message()).filter(|why| !why.is_empty());
            if is_current() {
                self.fail(client::worker_failed(why.as_deref()));
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // They listen as long as the worker lives.
        on_message.forget();
        on_error.forget();
        Some(worker)
    }

    fn name(self) -> String {
        self.status.with_untracked(|status| match status {
            Status::Nothing => String::new(),
            Status::Reading(name, ..) | Status::Explaining(name, ..) | Status::Failed(name, _) | Status::Open(name, _) => name.clone(),
        })
    }

    /// The file cannot be read, or its worker has stopped.
    fn fail(self, why: String) {
        let name = self.name();
        self.cancel();
        self.status.set(Status::Failed(name, why));
    }

    fn take(self, answer: Answer) {
        // Of the opening of a file nothing waits here: it has its own progress.
        if !matches!(answer, Answer::Reading(_) | Answer::Explaining(..)) {
            self.answered();
        }
        match answer {
            Answer::Reading(read) => self.status.update(|status| {
                if let Status::Reading(_, upto, _) = status {
                    *upto = read;
                }
            }),
            // What is open stays in sight while it is explained again.
            Answer::Explaining(done, all) => {
                if self.status.with_untracked(|status| !matches!(status, Status::Open(..))) {
                    self.status.set(Status::Explaining(self.name(), done, all));
                }
            }
            Answer::Opened(overview) => {
                self.status.set(Status::Open(self.name(), Arc::from(overview)));
                self.tried.set(None);
                if let Some(operation) = self.card.with_untracked(|card| card.as_ref().map(|card| card.operation)) {
                    self.ask(&Ask::Look(operation));
                }
            }
            Answer::Drawn { sight, lanes } => {
                self.picture.set(Some((sight, Arc::new(lanes))));
                let next = self.drawing.try_update_value(|(is_busy, next)| {
                    *is_busy = next.is_some();
                    next.take()
                });
                if let Some(sight) = next.flatten() {
                    self.ask(&Ask::Draw(sight));
                }
            }
            Answer::Looked(card) => self.card.set(Some(*card)),
            Answer::Nothing => {}
            Answer::Found(found) => self.found.set(found),
            Answer::Tried { operation, said, rows } => self.tried.set(Some(Tried { operation, said, rows })),
            Answer::Made { scenario, left_out } => self.made.set(Some(Ok((scenario, left_out)))),
            // While a file is open, only the making of a scenario fails.
            Answer::Failed(why) if self.status.with_untracked(|status| matches!(status, Status::Open(..))) => self.made.set(Some(Err(why))),
            Answer::Failed(why) => self.fail(why),
        }
    }
}
