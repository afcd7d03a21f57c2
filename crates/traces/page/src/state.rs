//! The profiler's trace that is open: what was asked of its worker, and what that answered.
//!
//! Invariants: a worker has one file, and ends with it; of what is to be drawn only the latest is asked for, once the question before is
//! answered.

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::*;

use blockstep_protocol as protocol;
use blockstep_sim::units::Time;
use blockstep_traces_messages::Sight;
use blockstep_traces_messages::{
    DrawnPiece, FoundOperations, KeptRank, OperationCard, Overview, RangeCard, ShownGains, ShownRanks, TraceAnswer, TraceAsk, example,
    to_export,
};
use blockstep_ui::client::{self, WorkerFor};

/// The attribute of the page that names the script of the worker that reads traces.
const WORKER: WorkerFor = WorkerFor::Feature("data-tracer");

/// How far the opening of a file is.
#[derive(Clone, PartialEq)]
pub enum Status {
    /// No file was opened.
    Nothing,
    /// It is being read: name, bytes read, bytes in all.
    Reading(String, u64, u64),
    /// Its waits are being explained: name, operations done, operations in all.
    Explaining(String, u64, u64),
    /// Its waits are explained: name, and what is done now, before the name.
    Finishing(String, &'static str),
    /// It could not be read: name and why.
    Failed(String, String),
    /// It is open.
    Open(String, Arc<Overview>),
}

/// What is drawn, for which part of the timeline.
pub type Picture = (Sight, Arc<Vec<Vec<DrawnPiece>>>);

/// A scenario that was made: its file, and what is not in it.
pub type Made = (String, Vec<String>);

/// What would come of changes: the operation, how good the prediction is, and each change with when the kernel starts then and what is
/// gained.
#[derive(Clone, PartialEq)]
pub struct Tried {
    pub operation: u32,
    pub said: Vec<String>,
    pub rows: Vec<(String, String, String)>,
}

/// Where an answer will appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
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
            TraceAsk::Open | TraceAsk::OpenAfter | TraceAsk::Example | TraceAsk::Explain(_) | TraceAsk::Ranks(_) => Self::Answer,
            TraceAsk::Draw(_)
            | TraceAsk::Look(_)
            | TraceAsk::LookOfCall(_)
            | TraceAsk::LookOfPath { .. }
            | TraceAsk::Beside(..)
            | TraceAsk::Sum(..) => Self::Timeline,
            TraceAsk::Gains => Self::Gains,
            TraceAsk::Find(_) => Self::Found,
            TraceAsk::WhatIf(_) => Self::Tried,
            TraceAsk::Make { .. } => Self::Scenario,
        }
    }
}

/// A context of the page.
#[derive(Clone, Copy)]
pub struct TraceState {
    pub status: RwSignal<Status>,
    pub picture: RwSignal<Option<Picture>>,
    pub card: RwSignal<Option<OperationCard>>,
    /// The range that is taken: where that began, and where it has come to, which may be before.
    pub range: RwSignal<Option<(Time, Time)>>,
    /// What happened in it, as far as it is summed up.
    pub summed: RwSignal<Option<Arc<RangeCard>>>,
    pub found: RwSignal<FoundOperations>,
    pub made: RwSignal<Option<Result<Made, String>>>,
    pub tried: RwSignal<Option<Tried>>,
    /// What changes of the program would gain, once the first answer is there.
    pub gains: RwSignal<Option<ShownGains>>,
    /// Whether the file is the example.
    pub is_example: RwSignal<bool>,
    /// Where the answers will appear that are on their way, in order.
    asked: StoredValue<VecDeque<Where>>,
    /// The file that is open, if it is not the example.
    file: StoredValue<Option<web_sys::File>, LocalStorage>,
    /// The file with which that one is compared, opened before it.
    before: StoredValue<Option<web_sys::File>, LocalStorage>,
    /// The ranks of a job, if such files were opened together.
    pub ranks: RwSignal<Option<Arc<ShownRanks>>>,
    /// Which of them is open, a place among the files.
    pub rank: RwSignal<Option<u32>>,
    /// Which of how many files that are opened together is being read.
    pub of_several: RwSignal<Option<(usize, usize)>>,
    /// The files that were opened together.
    several: StoredValue<Vec<web_sys::File>, LocalStorage>,
    /// While they are read: what is known of those before.
    known: StoredValue<Option<Vec<KeptRank>>>,
    /// Whether two of them are compared, whatever their ranks.
    is_comparison: StoredValue<bool>,
    /// The second of two, until it is known how they are shown.
    second: StoredValue<Option<Box<Overview>>>,
    /// What is to be drawn.
    drawing: Latest<Sight>,
    /// The range that is to be summed up.
    summing: Latest<(Time, Time)>,
}

/// Whether a question is on its way, and the one after it: those between are not asked.
type Latest<Q> = StoredValue<(bool, Option<Q>)>;

/// Takes a question; gives it back if it is to be asked now.
fn asks_now<Q: Send + Sync + 'static>(latest: Latest<Q>, question: Q) -> Option<Q> {
    latest.try_update_value(|(is_busy, next)| {
        *next = Some(question);
        if std::mem::replace(is_busy, true) { None } else { next.take() }
    })?
}

/// A question is answered; gives the next one, if it is to be asked now.
fn asks_next<Q: Send + Sync + 'static>(latest: Latest<Q>) -> Option<Q> {
    latest.try_update_value(|(is_busy, next)| {
        *is_busy = next.is_some();
        next.take()
    })?
}

impl Default for TraceState {
    /// Nothing is open.
    fn default() -> Self {
        Self {
            status: RwSignal::new(Status::Nothing),
            picture: RwSignal::new(None),
            card: RwSignal::new(None),
            range: RwSignal::new(None),
            summed: RwSignal::new(None),
            found: RwSignal::new(FoundOperations::default()),
            made: RwSignal::new(None),
            tried: RwSignal::new(None),
            gains: RwSignal::new(None),
            is_example: RwSignal::new(false),
            asked: StoredValue::new(VecDeque::new()),
            file: StoredValue::new_local(None),
            before: StoredValue::new_local(None),
            ranks: RwSignal::new(None),
            rank: RwSignal::new(None),
            of_several: RwSignal::new(None),
            several: StoredValue::new_local(Vec::new()),
            known: StoredValue::new(None),
            is_comparison: StoredValue::new(false),
            second: StoredValue::new(None),
            drawing: StoredValue::new((false, None)),
            summing: StoredValue::new((false, None)),
        }
    }
}

impl TraceState {
    /// Ends the worker, and forgets what was open.
    pub fn cancel(self) {
        self.ranks.set(None);
        self.several.set_value(Vec::new());
        self.end();
    }

    /// The same, but a table of ranks stays.
    pub fn close(self) {
        if self.ranks.with_untracked(Option::is_some) { self.end() } else { self.cancel() }
    }

    fn end(self) {
        client::stop(WORKER);
        self.drawing.set_value((false, None));
        self.summing.set_value((false, None));
        self.asked.set_value(VecDeque::new());
        self.file.set_value(None);
        self.before.set_value(None);
        self.rank.set(None);
        self.of_several.set(None);
        self.known.set_value(None);
        self.second.set_value(None);
        self.picture.set(None);
        self.card.set(None);
        self.end_range();
        self.found.set(FoundOperations::default());
        self.made.set(None);
        self.tried.set(None);
        self.gains.set(None);
        self.is_example.set(false);
        self.status.set(Status::Nothing);
    }

    /// Reads a file.
    pub fn open(self, file: &web_sys::File) {
        if let Some(why) = to_export(&file.name()) {
            self.cancel();
            return self.status.set(Status::Failed(file.name(), why));
        }
        self.begin(file.name(), file.size() as u64, &TraceAsk::Open, Some(file));
    }

    /// Reads files one after another: the ranks of a job beside each other, or two traces compared, the second with the first. It is a
    /// comparison for sure if that is asked for; else two are one if they are not different ranks of a job.
    pub fn open_several(self, files: Vec<web_sys::File>, is_comparison: bool) {
        self.cancel();
        self.several.set_value(files);
        self.known.set_value(Some(Vec::new()));
        self.is_comparison.set_value(is_comparison);
        self.go_on();
    }

    /// Reads the next of several files, or ends with what they come to.
    fn go_on(self) {
        let Some(known) = self.known.get_value() else { return };
        let (place, count) = (known.len(), self.several.with_value(Vec::len));
        let Some(file) = self.several.with_value(|files| files.get(place).cloned()) else {
            let is_comparison = self.is_comparison.get_value();
            return match self.second.try_update_value(|second| second.take_if(|_| is_comparison)).flatten() {
                Some(second) => self.show_second(second),
                None => self.send(&TraceAsk::Ranks(known), None),
            };
        };
        self.status.set(Status::Reading(file.name(), 0, file.size() as u64));
        self.of_several.set(Some((place + 1, count)));
        match to_export(&file.name()) {
            Some(why) => self.fail(why),
            None => self.send(if (place, count) == (1, 2) { &TraceAsk::OpenAfter } else { &TraceAsk::Open }, Some(&file)),
        }
    }

    /// Notes what the file that was read comes to, and goes on with the next.
    fn note(self, kept: Result<Vec<u8>, String>) {
        let name = self.name();
        self.known.update_value(|known| known.get_or_insert_default().push((name, kept)));
        self.go_on();
    }

    /// Shows the second of two files that are compared.
    fn show_second(self, overview: Box<Overview>) {
        if let [before, after] = &self.several.get_value()[..] {
            self.before.set_value(Some(before.clone()));
            self.file.set_value(Some(after.clone()));
        }
        self.known.set_value(None);
        self.of_several.set(None);
        self.show(overview);
    }

    fn show(self, overview: Box<Overview>) {
        self.status.set(Status::Open(self.name(), Arc::from(overview)));
        self.tried.set(None);
        self.gains.set(None);
        self.ask(&TraceAsk::Gains);
    }

    /// Opens a rank of the table.
    pub fn open_rank(self, place: u32) {
        if let Some(file) = self.several.with_value(|files| files.get(place as usize).cloned()) {
            self.end();
            self.rank.set(Some(place));
            self.file.set_value(Some(file.clone()));
            self.status.set(Status::Reading(file.name(), 0, file.size() as u64));
            self.send(&TraceAsk::Open, Some(&file));
        }
    }

    /// The names of the files that were opened together.
    pub fn names(self) -> Vec<String> {
        self.several.with_value(|files| files.iter().map(web_sys::File::name).collect())
    }

    /// Compares two ranks.
    pub fn compare(self) {
        self.open_several(self.several.get_value(), true);
    }

    /// The name of the trace with which the open one is compared.
    pub fn name_before(self) -> Option<String> {
        self.before.with_value(|before| before.as_ref().map(web_sys::File::name))
    }

    /// Compares the two files the other way round.
    pub fn swap(self) {
        if let (Some(before), Some(after)) = (self.before.get_value(), self.file.get_value()) {
            self.open_several(vec![after, before], true);
        }
    }

    /// Reads the example.
    pub fn open_example(self) {
        self.begin(example::NAME.to_owned(), example::FILE_BYTES, &TraceAsk::Example, None);
        self.is_example.set(true);
    }

    /// Ends what takes long with its worker, and opens the same file anew.
    pub fn give_up(self) {
        match (self.is_example.get_untracked(), self.rank.get_untracked(), self.before.get_value(), self.file.get_value()) {
            (true, ..) => self.open_example(),
            (false, Some(rank), ..) => self.open_rank(rank),
            (false, None, Some(before), Some(file)) => self.open_several(vec![before, file], true),
            (false, None, None, Some(file)) => self.open(&file),
            (false, None, _, None) => self.cancel(),
        }
    }

    fn begin(self, name: String, size: u64, ask: &TraceAsk, file: Option<&web_sys::File>) {
        self.cancel();
        self.file.set_value(file.cloned());
        self.status.set(Status::Reading(name, 0, size));
        self.send(ask, file);
    }

    /// Asks what is to be drawn.
    pub fn draw(self, sight: Sight) {
        if let Some(sight) = asks_now(self.drawing, sight) {
            self.ask(&TraceAsk::Draw(sight));
        }
    }

    /// Asks what happened in the range that is taken.
    pub fn sum_range(self) {
        let range = self.range.get_untracked().map(|(from, to)| (from.min(to), from.max(to)));
        if let Some((from, to)) = range.and_then(|range| asks_now(self.summing, range)) {
            self.ask(&TraceAsk::Sum(from, to));
        }
    }

    /// No range is taken any more.
    pub fn end_range(self) {
        self.range.set(None);
        self.summed.set(None);
    }

    /// Asks anything else of the trace that is open.
    pub fn ask(self, ask: &TraceAsk) {
        if self.status.with_untracked(|status| matches!(status, Status::Open(..))) {
            self.send(ask, None);
        }
    }

    /// Where the answer will appear that takes long; tracks it.
    pub fn slow(self) -> Option<Where> {
        let is_slow = client::is_first_slow(WORKER);
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
        client::ask_feature(WORKER, protocol::encode(ask), file, move |answer| self.hear(Ok(answer)), on_reply);
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
            Status::Reading(name, ..)
            | Status::Explaining(name, ..)
            | Status::Finishing(name, _)
            | Status::Failed(name, _)
            | Status::Open(name, _) => name.clone(),
        })
    }

    /// The file cannot be read, or its worker has stopped.
    fn fail(self, why: String) {
        let name = self.name();
        // One of many keeps nothing from the others.
        let count = self.several.with_value(Vec::len);
        if count > 2 && self.known.with_value(|known| known.as_ref().is_some_and(|known| known.len() < count)) {
            return self.note(Err(why));
        }
        self.close();
        self.status.set(Status::Failed(name, why));
    }

    /// The opening is at another stage. What is open stays in sight while it is explained again.
    fn advance(self, stage: Status) {
        if self.status.with_untracked(|status| !matches!(status, Status::Open(..))) {
            self.status.set(stage);
        }
    }

    fn take(self, answer: TraceAnswer) {
        match answer {
            TraceAnswer::Reading(read) => self.status.update(|status| {
                if let Status::Reading(_, upto, _) = status {
                    *upto = read;
                }
            }),
            TraceAnswer::Explaining(done, all) => self.advance(Status::Explaining(self.name(), done, all)),
            TraceAnswer::FindingPath => self.advance(Status::Finishing(self.name(), "Finding the path of")),
            TraceAnswer::PuttingTogether => self.advance(Status::Finishing(self.name(), "Putting together the answer of")),
            TraceAnswer::Opened(mut overview) if self.known.with_value(Option::is_some) => {
                let kept = std::mem::take(&mut overview.rank);
                if self.several.with_value(Vec::len) == 2 {
                    self.second.set_value(Some(overview));
                }
                self.note(Ok(kept));
            }
            TraceAnswer::Ranks(ranks) => match self.second.try_update_value(Option::take).flatten().filter(|_| !ranks.are_of_one_job) {
                Some(second) => self.show_second(second),
                None => {
                    self.end();
                    self.ranks.set(Some(Arc::new(ranks)));
                }
            },
            TraceAnswer::Opened(overview) => {
                self.show(overview);
                if let Some(operation) = self.card.with_untracked(|card| card.as_ref().map(|card| card.operation)) {
                    self.ask(&TraceAsk::Look(operation));
                }
                self.sum_range();
            }
            TraceAnswer::Drawn { sight, lanes } => {
                self.picture.set(Some((sight, Arc::new(lanes))));
                if let Some(sight) = asks_next(self.drawing) {
                    self.ask(&TraceAsk::Draw(sight));
                }
            }
            TraceAnswer::Looked(card) => {
                self.end_range();
                self.card.set(Some(*card));
            }
            TraceAnswer::Summed(card) => {
                // The range may be gone since.
                if self.range.with_untracked(Option::is_some) {
                    self.card.set(None);
                    self.summed.set(Some(Arc::from(card)));
                }
                if let Some((from, to)) = asks_next(self.summing) {
                    self.ask(&TraceAsk::Sum(from, to));
                }
            }
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
