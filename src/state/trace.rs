//! The profiler's trace that is open: what was asked of its worker, and what that answered.
//!
//! Depends on the tracer's messages and on the client. Invariants: a worker has one file, and ends with it; of what is to be drawn only
//! the latest is asked for, once the question before is answered.

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::*;

use crate::client::{self, WorkerFor};
use blockstep_format as format;
use blockstep_profile::lanes::Sight;
use blockstep_protocol as protocol;
use blockstep_tracer::{DrawnPiece, FoundOperations, OperationCard, Overview, ShownGains, TraceAnswer, TraceAsk, example};

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
pub(crate) type Picture = (Sight, Arc<Vec<Vec<DrawnPiece>>>);

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
    /// At what changes of the program would gain.
    Gains,
    /// At what was found.
    Found,
    /// At what would come of changes.
    Tried,
    /// Where a scenario is made.
    Scenario,
}

impl Where {
    const fn for_ask(ask: &TraceAsk) -> Self {
        match ask {
            TraceAsk::Open | TraceAsk::OpenAfter | TraceAsk::Example | TraceAsk::Explain(_) => Self::Answer,
            TraceAsk::Draw(_) | TraceAsk::Look(_) | TraceAsk::LookOfCall(_) | TraceAsk::LookOfPath { .. } | TraceAsk::Beside(..) => {
                Self::Timeline
            }
            TraceAsk::Gains => Self::Gains,
            TraceAsk::Find(_) => Self::Found,
            TraceAsk::WhatIf(_) => Self::Tried,
            TraceAsk::Make { .. } => Self::Scenario,
        }
    }
}

/// A context of the page.
#[derive(Clone, Copy)]
pub(crate) struct TraceState {
    pub(crate) status: RwSignal<Status>,
    pub(crate) picture: RwSignal<Option<Picture>>,
    pub(crate) card: RwSignal<Option<OperationCard>>,
    pub(crate) found: RwSignal<FoundOperations>,
    pub(crate) made: RwSignal<Option<Result<Made, String>>>,
    pub(crate) tried: RwSignal<Option<Tried>>,
    /// What changes of the program would gain, once the first answer is there.
    pub(crate) gains: RwSignal<Option<ShownGains>>,
    /// Whether the file is the example.
    pub(crate) is_example: RwSignal<bool>,
    /// Where the answers will appear that are on their way, in order.
    asked: StoredValue<VecDeque<Where>>,
    /// The file that is open, if it is not the example.
    file: StoredValue<Option<web_sys::File>, LocalStorage>,
    /// The file with which that one is compared, opened before it.
    before: StoredValue<Option<web_sys::File>, LocalStorage>,
    /// Whether the file before is being read, and the other one comes next.
    is_first: StoredValue<bool>,
    /// Whether a question of what is to be drawn is on its way, and the one after it.
    drawing: StoredValue<(bool, Option<Sight>)>,
}

impl TraceState {
    pub(super) fn new() -> Self {
        Self {
            status: RwSignal::new(Status::Nothing),
            picture: RwSignal::new(None),
            card: RwSignal::new(None),
            found: RwSignal::new(FoundOperations::default()),
            made: RwSignal::new(None),
            tried: RwSignal::new(None),
            gains: RwSignal::new(None),
            is_example: RwSignal::new(false),
            asked: StoredValue::new(VecDeque::new()),
            file: StoredValue::new_local(None),
            before: StoredValue::new_local(None),
            is_first: StoredValue::new(false),
            drawing: StoredValue::new((false, None)),
        }
    }

    /// Ends the worker, and forgets what was open.
    pub(crate) fn cancel(self) {
        client::stop(WorkerFor::Trace);
        self.drawing.set_value((false, None));
        self.asked.set_value(VecDeque::new());
        self.file.set_value(None);
        self.before.set_value(None);
        self.is_first.set_value(false);
        self.picture.set(None);
        self.card.set(None);
        self.found.set(FoundOperations::default());
        self.made.set(None);
        self.tried.set(None);
        self.gains.set(None);
        self.is_example.set(false);
        self.status.set(Status::Nothing);
    }

    /// Reads a file.
    pub(crate) fn open(self, file: &web_sys::File) {
        if let Some(why) = format::to_export(&file.name()) {
            self.cancel();
            return self.status.set(Status::Failed(file.name(), why));
        }
        self.begin(file.name(), file.size() as u64, &TraceAsk::Open, Some(file));
    }

    /// Reads two files one after the other, and compares the second with the first.
    pub(crate) fn open_two(self, before: &web_sys::File, after: &web_sys::File) {
        if let Some(report) = [before, after].into_iter().find(|file| format::to_export(&file.name()).is_some()) {
            return self.open(report);
        }
        self.open(before);
        self.file.set_value(Some(after.clone()));
        self.before.set_value(Some(before.clone()));
        self.is_first.set_value(true);
    }

    /// The name of the trace with which the open one is compared.
    pub(crate) fn name_before(self) -> Option<String> {
        self.before.with_value(|before| before.as_ref().map(web_sys::File::name))
    }

    /// Compares the two files the other way round.
    pub(crate) fn swap(self) {
        if let (Some(before), Some(after)) = (self.before.get_value(), self.file.get_value()) {
            self.open_two(&after, &before);
        }
    }

    /// Reads the example.
    pub(crate) fn open_example(self) {
        self.begin(example::NAME.to_owned(), example::FILE_BYTES, &TraceAsk::Example, None);
        self.is_example.set(true);
    }

    /// Ends what takes long with its worker, and opens the same file anew.
    pub(crate) fn give_up(self) {
        match (self.is_example.get_untracked(), self.before.get_value(), self.file.get_value()) {
            (true, ..) => self.open_example(),
            (false, Some(before), Some(file)) => self.open_two(&before, &file),
            (false, None, Some(file)) => self.open(&file),
            (false, _, None) => self.cancel(),
        }
    }

    fn begin(self, name: String, size: u64, ask: &TraceAsk, file: Option<&web_sys::File>) {
        self.cancel();
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
            self.ask(&TraceAsk::Draw(sight));
        }
    }

    /// Asks anything else of the trace that is open.
    pub(crate) fn ask(self, ask: &TraceAsk) {
        if self.status.with_untracked(|status| matches!(status, Status::Open(..))) {
            self.send(ask, None);
        }
    }

    /// Where the answer will appear that takes long; tracks it.
    pub(crate) fn slow(self) -> Option<Where> {
        let is_slow = client::is_first_slow(WorkerFor::Trace);
        self.asked.with_value(|asked| asked.front().copied()).filter(|_| is_slow)
    }

    fn send(self, ask: &TraceAsk, file: Option<&web_sys::File>) {
        self.asked.update_value(|asked| asked.push_back(Where::for_ask(ask)));
        let on_reply = move |answer| {
            // The page may be gone in tests.
            if self.asked.try_update_value(VecDeque::pop_front).is_some() {
                self.hear(answer);
            }
        };
        client::ask_tracer(protocol::encode(ask), file, move |answer| self.hear(Ok(answer)), on_reply);
    }

    fn hear(self, answer: Result<Vec<u8>, String>) {
        match answer.and_then(|bytes| protocol::decode(&bytes).map_err(|why| why.to_string())) {
            Ok(answer) => self.take(answer),
            Err(why) => self.fail(why),
        }
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

    fn take(self, answer: TraceAnswer) {
        match answer {
            TraceAnswer::Reading(read) => self.status.update(|status| {
                if let Status::Reading(_, upto, _) = status {
                    *upto = read;
                }
            }),
            // What is open stays in sight while it is explained again.
            TraceAnswer::Explaining(done, all) => {
                if self.status.with_untracked(|status| !matches!(status, Status::Open(..))) {
                    self.status.set(Status::Explaining(self.name(), done, all));
                }
            }
            TraceAnswer::Opened(_) if self.is_first.try_update_value(std::mem::take) == Some(true) => {
                if let Some(file) = self.file.get_value() {
                    self.status.set(Status::Reading(file.name(), 0, file.size() as u64));
                    self.send(&TraceAsk::OpenAfter, Some(&file));
                }
            }
            TraceAnswer::Opened(overview) => {
                self.status.set(Status::Open(self.name(), Arc::from(overview)));
                self.tried.set(None);
                self.gains.set(None);
                self.ask(&TraceAsk::Gains);
                if let Some(operation) = self.card.with_untracked(|card| card.as_ref().map(|card| card.operation)) {
                    self.ask(&TraceAsk::Look(operation));
                }
            }
            TraceAnswer::Drawn { sight, lanes } => {
                self.picture.set(Some((sight, Arc::new(lanes))));
                let next = self.drawing.try_update_value(|(is_busy, next)| {
                    *is_busy = next.is_some();
                    next.take()
                });
                if let Some(sight) = next.flatten() {
                    self.ask(&TraceAsk::Draw(sight));
                }
            }
            TraceAnswer::Looked(card) => self.card.set(Some(*card)),
            TraceAnswer::Nothing => {}
            TraceAnswer::Found(found) => self.found.set(found),
            TraceAnswer::Gains(gains) => {
                // One change at a time, so that other questions come between.
                if matches!(gains, ShownGains::Trying(_)) {
                    self.ask(&TraceAsk::Gains);
                }
                self.gains.set(Some(gains));
            }
            TraceAnswer::Tried { operation, said, rows } => self.tried.set(Some(Tried { operation, said, rows })),
            TraceAnswer::Made { scenario, left_out } => self.made.set(Some(Ok((scenario, left_out)))),
            // While a file is open, only the making of a scenario fails.
            TraceAnswer::Failed(why) if self.status.with_untracked(|status| matches!(status, Status::Open(..))) => {
                self.made.set(Some(Err(why)))
            }
            TraceAnswer::Failed(why) => self.fail(why),
        }
    }
}
