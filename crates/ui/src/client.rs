//! The workers that answer the page's requests: asking, listening, canceling, and starting them again.
//!
//! gloo's worker starts from a Blob URL, which the content security policy forbids, so the transport is ours. Invariants: every request is
//! answered once, unless its worker was stopped; a worker has one request at a time, the others wait here, so that one can be canceled
//! without the others; a worker is told a run's scenario once, before the first request about it; one that was ended or has died is
//! followed by a new one, which is told anew; one that keeps a large run ends when that run is left. What a feature's own worker has open
//! cannot be told anew: what waits ends with it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use js_sys::Uint32Array;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent};

use blockstep_protocol::wire::Parcel;
use blockstep_protocol::{self as protocol, Ask, Message, Progress, Reply, Request, Response, RunId, WireError};
use blockstep_tools::ToolId;

/// What a worker is for; each has one of its own, so that ending one does not end the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerFor {
    /// Simulating what is on screen.
    Simulation,
    /// Everything else.
    Requests,
    /// What a feature does by itself, with messages of its own; the attribute of the page that names its script.
    Feature(&'static str),
    /// Counting for a study: one of a pool.
    Study(usize),
}

/// A request on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentRequest {
    of: WorkerFor,
    number: u32,
}

/// Where an answer will appear; what is on its way there.
pub type PlaceOf = RwSignal<Option<SentRequest>>;

/// Said where there are no workers.
pub const NO_WORKERS: &str = "This browser does not allow background workers, which this function needs.";
pub const OTHER_VERSION: &str = "Parts of this page have different versions. Reload the page.";
/// Said of what was canceled.
pub const CANCELLED: &str = "Stopped. To compute it after all, open it again or change something.";

/// A request that takes longer is shown, with a way to cancel it.
const SLOW: Duration = Duration::from_secs(1);

/// What a worker knows.
#[derive(Default)]
struct Told {
    /// The runs whose scenarios it has been told, the latest at the end.
    runs: Vec<RunId>,
    /// Whether it has been asked by the tool whose files are nowhere else.
    has_files: bool,
}

/// Writes a message, given what its worker knows.
type Write = Box<dyn FnOnce(&mut Told) -> Result<Vec<u8>, WireError>>;
/// Takes what is known on the way, with what travels beside.
type OnProgress = Box<dyn FnMut(Vec<u8>, JsValue)>;
/// Takes the last reply.
type OnReply = Box<dyn FnOnce(Result<Vec<u8>, String>)>;

struct Waiting {
    number: u32,
    /// Not here while it is with the worker: then nobody asks for it again.
    write: Option<Write>,
    /// What travels beside the message.
    beside: JsValue,
    on_progress: OnProgress,
    on_reply: OnReply,
    /// Whether it is shown where its answer will appear.
    has_place: bool,
    is_slow: bool,
}

#[derive(Default)]
struct Slot {
    worker: Option<web_sys::Worker>,
    /// Counts its workers.
    generation: u32,
    told: Told,
    /// In order; the first is with the worker if `is_busy`.
    waiting: VecDeque<Waiting>,
    is_busy: bool,
    /// Whether it is ended once it has nothing to do.
    is_over: bool,
}

/// A run's scenario file, written when it is first needed.
type Scenario = Rc<dyn Fn() -> String>;

thread_local! {
    static SLOTS: RefCell<Vec<(WorkerFor, Slot)>> = const { RefCell::new(Vec::new()) };
    static SCENARIOS: RefCell<Vec<(RunId, Scenario)>> = const { RefCell::new(Vec::new()) };
    /// Told whenever it changes which requests are slow.
    static SLOW_ONES: ArcTrigger = ArcTrigger::new();
}

/// Runs that requests may be about: that on screen, and those before it whose requests may still be made. The worker keeps
/// twice as many.
const RUNS: usize = 4;

/// Makes a run known, so that requests may name it.
pub fn register(run: RunId, scenario: impl Fn() -> String + 'static) {
    SCENARIOS.with_borrow_mut(|known| {
        known.push((run, Rc::new(scenario)));
        if known.len() > RUNS {
            known.remove(0);
        }
    });
}

impl WorkerFor {
    const fn is_of_feature(self) -> bool {
        matches!(self, Self::Feature(_))
    }

    /// Its script, which the build names; there is none where only the page was built.
    fn script(self) -> Option<String> {
        let name = if let Self::Feature(name) = self { name } else { "data-worker" };
        document().query_selector(&format!("script[{name}]")).ok().flatten()?.get_attribute(name)
    }
}

/// Whether there are workers.
pub fn is_there() -> bool {
    WorkerFor::Requests.script().is_some()
}

/// Asks; `on_answer` is called once, with the answer or with why there is none.
pub fn ask<A: Ask>(request: A, on_answer: impl FnOnce(Result<A::Answer, String>) + 'static) {
    ask_worker(WorkerFor::Requests, request, |_, _| (), on_answer);
}

/// The same for an answer that will appear in a place, which shows when it takes long.
pub fn ask_at<A: Ask>(place: PlaceOf, request: A, on_answer: impl FnOnce(Result<A::Answer, String>) + 'static) {
    let asked = SentRequest::new(WorkerFor::Requests);
    let on_reply = reply_to::<A>(move |answer| {
        // Something later may be on its way there; and the page may be gone in tests.
        if place.try_get_untracked() == Some(Some(asked)) {
            place.set(None);
        }
        on_answer(answer);
    });
    place.set(Some(asked));
    asked.send(written(request.into_request()), JsValue::UNDEFINED, Box::new(|_, _| ()), on_reply, true);
}

/// The same of a certain worker, with what is known on the way.
pub fn ask_worker<A: Ask>(
    of: WorkerFor,
    request: A,
    mut on_progress: impl FnMut(Progress, Uint32Array) + 'static,
    on_answer: impl FnOnce(Result<A::Answer, String>) + 'static,
) {
    let on_progress = move |bytes: Vec<u8>, beside: JsValue| {
        if let Ok(Reply::Progress(progress)) = protocol::decode(&bytes) {
            // Words stay outside of the page's own memory, which never shrinks.
            on_progress(progress, beside.dyn_into::<Uint32Array>().unwrap_or_default());
        }
    };
    let has_place = of != WorkerFor::Requests;
    let write = written(request.into_request());
    SentRequest::new(of).send(write, JsValue::UNDEFINED, Box::new(on_progress), reply_to::<A>(on_answer), has_place);
}

/// Asks the worker of a feature, whose messages are bytes here; a file may travel beside.
pub fn ask_feature(
    of: WorkerFor,
    message: Result<Vec<u8>, WireError>,
    file: Option<&web_sys::File>,
    mut on_progress: impl FnMut(Vec<u8>) + 'static,
    on_reply: impl FnOnce(Result<Vec<u8>, String>) + 'static,
) {
    let on_progress = Box::new(move |bytes, _| on_progress(bytes));
    SentRequest::new(of).send(Box::new(|_| message), file.into(), on_progress, Box::new(on_reply), true);
}

/// Asks, as a future: for `LocalResource`.
pub async fn request_at<A: Ask>(place: PlaceOf, request: A) -> Result<A::Answer, String> {
    let (sender, receiver) = futures_channel::oneshot::channel();
    // Nobody waits any more if what asked is gone.
    ask_at(place, request, move |answer| drop(sender.send(answer)));
    receiver.await.unwrap_or_else(|_| Err(CANCELLED.to_owned()))
}

fn reply_to<A: Ask>(on_answer: impl FnOnce(Result<A::Answer, String>) + 'static) -> OnReply {
    Box::new(|reply| on_answer(response(reply).and_then(|response| A::answer(response).ok_or_else(|| OTHER_VERSION.to_owned()))))
}

fn response(reply: Result<Vec<u8>, String>) -> Result<Response, String> {
    match protocol::decode(&reply?).map_err(|why| why.to_string())? {
        Reply::Done(response) => Ok(response),
        Reply::Failed(why) => Err(why),
        Reply::Progress(_) => Err(OTHER_VERSION.to_owned()),
    }
}

/// A request, with the scenario of its run where the worker does not know that yet.
fn written(request: Request) -> Write {
    let scenario = |run| SCENARIOS.with_borrow(|known| known.iter().rev().find(|(of, _)| *of == run).map(|(_, s)| Rc::clone(s)));
    let run = request.run().map(|run| (run, scenario(run)));
    Box::new(move |told| {
        told.has_files |= matches!(&request, Request::ToolEvent(event) if event.tool == ToolId::Measured.info().name);
        let is_new = run.filter(|(run, _)| !told.runs.contains(run));
        let scenario = is_new.and_then(|(run, scenario)| Some((run, scenario?())));
        if let Some((run, _)) = &scenario {
            told.runs.push(*run);
            // The worker keeps as many.
            let forgotten = told.runs.len().saturating_sub(2 * RUNS);
            told.runs.drain(..forgotten);
        }
        protocol::encode(&Message { scenario, request })
    })
}

/// What could not be asked, and why.
type Failed = Vec<(Waiting, String)>;

impl SentRequest {
    fn new(of: WorkerFor) -> Self {
        // Unlike those of a worker that was stopped, whose replies may still be on their way.
        static SENT: AtomicU32 = AtomicU32::new(1);
        Self { of, number: SENT.fetch_add(1, Ordering::Relaxed) }
    }

    fn send(self, write: Write, beside: JsValue, on_progress: OnProgress, on_reply: OnReply, has_place: bool) {
        let waiting = Waiting { number: self.number, write: Some(write), beside, on_progress, on_reply, has_place, is_slow: false };
        with(self.of, |slot| slot.waiting.push_back(waiting));
        if !self.of.is_of_feature() {
            set_timeout(move || mark_slow(self), SLOW);
        }
        go_on(self.of).into_iter().for_each(|(waiting, why)| (waiting.on_reply)(Err(why)));
    }
}

/// Hands the worker what is next, if it has nothing to do. What cannot be handed over is given back: what listens may ask in turn, so
/// it is not called from within the slot.
fn go_on(of: WorkerFor) -> Failed {
    let mut failed = Vec::new();
    with(of, |slot| {
        while !slot.is_busy && !slot.waiting.is_empty() {
            if slot.worker.is_none() {
                slot.generation += 1;
                slot.worker = of.script().and_then(|script| start(of, &script, slot.generation));
                slot.told = Told::default();
            }
            match slot.post() {
                Ok(number) => {
                    slot.is_busy = true;
                    // Only what the worker is at is shown of a feature, and that has a second of its own.
                    if of.is_of_feature() {
                        set_timeout(move || mark_slow(SentRequest { of, number }), SLOW);
                    }
                }
                Err(why) => failed.extend(slot.waiting.pop_front().map(|waiting| (waiting, why))),
            }
        }
    });
    failed
}

impl Slot {
    /// Posts what is first to the worker.
    fn post(&mut self) -> Result<u32, String> {
        let no_workers = || NO_WORKERS.to_owned();
        let worker = self.worker.as_ref().ok_or_else(no_workers)?;
        let waiting = self.waiting.front_mut().ok_or_else(no_workers)?;
        let write = waiting.write.take().ok_or_else(no_workers)?;
        let (number, beside) = (waiting.number, std::mem::take(&mut waiting.beside));
        let (message, handed_over) =
            Parcel { number, bytes: write(&mut self.told).map_err(|why| why.to_string())?, beside, has_more: false }.packed();
        worker.post_message_with_transfer(&message, &handed_over).map_err(|_| no_workers())?;
        Ok(number)
    }

    /// Whether a request is with the worker.
    fn is_at(&self, number: u32) -> bool {
        self.is_busy && self.waiting.front().is_some_and(|waiting| waiting.number == number)
    }

    /// Ends the worker; what was with it is taken out.
    fn end(&mut self) -> Option<Waiting> {
        if let Some(worker) = self.worker.take() {
            worker.terminate();
        }
        self.is_over = false;
        let was_busy = std::mem::take(&mut self.is_busy);
        if was_busy { self.waiting.pop_front() } else { None }
    }

    /// Ends the worker if that is due and it has nothing to do.
    fn end_if_over(&mut self) {
        if self.is_over && !self.is_busy {
            self.end();
        }
    }
}

/// Cancels a request: if a worker is at it, that one is ended, and what waits behind goes to a new one.
pub fn cancel(asked: SentRequest) {
    let cancelled = with(asked.of, |slot| {
        if slot.is_at(asked.number) {
            return slot.end();
        }
        let place = slot.waiting.iter().position(|waiting| waiting.number == asked.number)?;
        slot.waiting.remove(place)
    });
    answer_all(asked.of, cancelled.map(|waiting| (waiting, CANCELLED.to_owned())));
}

/// Cancels what is on its way to a place, if it takes long: nobody waits for it any more.
pub fn give_up(place: PlaceOf) {
    let asked = place.try_get_untracked().flatten();
    if let Some(asked) = asked.filter(|asked| untrack(|| is_slow(*asked))) {
        cancel(asked);
    }
}

/// A large run has been left: the worker that keeps it, if one does, is ended once it has nothing to do, since its memory never
/// shrinks. One that has the reader's files goes on: they would have to be opened again.
pub fn leave(run: RunId) {
    with(WorkerFor::Requests, |slot| {
        slot.is_over |= slot.told.runs.contains(&run) && !slot.told.has_files;
        slot.end_if_over();
    });
}

/// Ends the worker with all that it was asked.
pub fn stop(of: WorkerFor) {
    with(of, |slot| {
        slot.end();
        slot.waiting.clear();
    });
    tell_slow_ones();
}

/// Answers what is not with the worker any more, after that has got what is next.
fn answer_all(of: WorkerFor, over: impl IntoIterator<Item = (Waiting, String)>) {
    let failed = go_on(of);
    tell_slow_ones();
    over.into_iter().chain(failed).for_each(|(waiting, why)| (waiting.on_reply)(Err(why)));
}

/// Marks a request that is still on its way as slow.
fn mark_slow(asked: SentRequest) {
    let is_there = with(asked.of, |slot| {
        let waiting = slot.waiting.iter_mut().find(|waiting| waiting.number == asked.number);
        waiting.map(|waiting| waiting.is_slow = true).is_some()
    });
    if is_there {
        tell_slow_ones();
    }
}

fn tell_slow_ones() {
    SLOW_ONES.with(|slow| slow.notify());
}

/// Whether a request takes long; tracks it.
pub fn is_slow(asked: SentRequest) -> bool {
    SLOW_ONES.with(|slow| slow.track());
    with(asked.of, |slot| slot.waiting.iter().any(|waiting| waiting.number == asked.number && waiting.is_slow))
}

/// Whether what a worker is at takes long; tracks it.
pub fn is_first_slow(of: WorkerFor) -> bool {
    SLOW_ONES.with(|slow| slow.track());
    with(of, |slot| slot.waiting.front().is_some_and(|first| first.is_slow))
}

/// The request that takes long and is shown nowhere else, or keeps others waiting that take long by now; tracks it.
pub fn slow_elsewhere() -> Option<SentRequest> {
    SLOW_ONES.with(|slow| slow.track());
    let of = WorkerFor::Requests;
    with(of, |slot| {
        let others_wait = slot.waiting.iter().skip(1).any(|waiting| waiting.is_slow);
        let first = slot.waiting.front().filter(|first| first.is_slow && (!first.has_place || others_wait))?;
        Some(SentRequest { of, number: first.number })
    })
}

fn with<R>(of: WorkerFor, f: impl FnOnce(&mut Slot) -> R) -> R {
    SLOTS.with_borrow_mut(|slots| {
        let place = slots.iter().position(|(known, _)| *known == of).unwrap_or_else(|| {
            slots.push((of, Slot::default()));
            slots.len() - 1
        });
        f(&mut slots[place].1)
    })
}

fn start(of: WorkerFor, script: &str, generation: u32) -> Option<web_sys::Worker> {
    let worker = web_sys::Worker::new(script).ok()?;
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| take_reply(of, Parcel::unpacked(&event)));
    let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        let why = event.dyn_into::<ErrorEvent>().ok().map(|event| event.message()).filter(|why| !why.is_empty());
        let why = worker_failed(why.as_deref());
        // What one that was ended long ago says concerns nobody.
        let dead = with(of, |slot| {
            let dead = if slot.generation == generation { slot.end() } else { return None };
            if of.is_of_feature() {
                slot.waiting.clear();
            }
            dead
        });
        answer_all(of, dead.map(|waiting| (waiting, why)));
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    // They listen as long as the worker lives.
    on_message.forget();
    on_error.forget();
    Some(worker)
}

/// Takes what a worker replies to the request that is with it; what others reply concerns nobody any more.
fn take_reply(of: WorkerFor, reply: Parcel) {
    let number = reply.number;
    if reply.has_more {
        // What listens may ask in turn, so it is not called from within the slot.
        let nothing: OnProgress = Box::new(|_, _| ());
        let listens = with(of, |slot| {
            let waiting = if slot.is_at(number) { slot.waiting.front_mut() } else { None };
            waiting.map(|waiting| std::mem::replace(&mut waiting.on_progress, nothing))
        });
        let Some(mut on_progress) = listens else { return };
        on_progress(reply.bytes, reply.beside);
        return with(of, |slot| {
            if slot.is_at(number)
                && let Some(waiting) = slot.waiting.front_mut()
            {
                waiting.on_progress = on_progress;
            }
        });
    }
    let answered = with(of, |slot| {
        if !slot.is_at(number) {
            return None;
        }
        slot.is_busy = false;
        slot.end_if_over();
        slot.waiting.pop_front()
    });
    let Some(answered) = answered else { return };
    let failed = go_on(of);
    if answered.is_slow {
        tell_slow_ones();
    }
    (answered.on_reply)(Ok(reply.bytes));
    failed.into_iter().for_each(|(waiting, why)| (waiting.on_reply)(Err(why)));
}

/// `why`: what the browser says of it, if it says something.
fn worker_failed(why: Option<&str>) -> String {
    let why = why.map_or_else(|| "check the connection".to_owned(), blockstep_sim::scenario::plain);
    format!("The background worker did not load or has stopped: {why}. It starts again with your next request; your work is unchanged.")
}
