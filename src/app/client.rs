//! The workers that answer the page's requests: asking, listening, and ending them.
//!
//! Depends on the browser and on the protocol. gloo's worker starts from a Blob URL, which the content security policy
//! forbids, so the transport is ours. Invariants: every request is answered once, unless its worker was stopped; a worker is
//! told a run's scenario once, before the first request about it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::{Array, Uint8Array, Uint32Array};
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent};

use super::texts;
use crate::protocol::{self, Ask, Message, Progress, Reply, Request, Response, RunId};

/// What a worker is for; each has one of its own, so that ending one does not end the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkerFor {
    /// Simulating what is on screen.
    Simulation,
    /// Everything else.
    Requests,
    /// Counting for a study: one of a pool.
    Study(usize),
}

/// Said where there are no workers.
pub(crate) const NO_WORKERS: &str = texts::NO_WORKERS;

/// Takes what is known on the way, with the words of steps.
type OnProgress = Box<dyn FnMut(Progress, Vec<u32>)>;
/// Takes the response.
type OnResponse = Box<dyn FnOnce(Result<Response, String>)>;

struct Waiting {
    number: u32,
    on_progress: OnProgress,
    on_response: OnResponse,
}

#[derive(Default)]
struct Slot {
    worker: Option<web_sys::Worker>,
    /// The runs whose scenarios it has been told, the latest at the end.
    told: Vec<RunId>,
    waiting: Vec<Waiting>,
}

/// A run's scenario file, written when it is first needed.
type Scenario = Rc<dyn Fn() -> String>;

thread_local! {
    static SLOTS: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
    static SCENARIOS: RefCell<Vec<(RunId, Scenario)>> = const { RefCell::new(Vec::new()) };
}

/// Runs that requests may be about: that on screen, and those before it whose requests may still be made. The worker keeps
/// twice as many.
const RUNS: usize = 4;

/// Makes a run known, so that requests may name it.
pub(crate) fn register(run: RunId, scenario: impl Fn() -> String + 'static) {
    SCENARIOS.with_borrow_mut(|known| {
        known.push((run, Rc::new(scenario)));
        if known.len() > RUNS {
            known.remove(0);
        }
    });
}

/// The worker's script, which the build names; there is none where only the page was built.
fn script() -> Option<String> {
    document().query_selector("script[data-worker]").ok().flatten()?.get_attribute("data-worker")
}

/// Whether there are workers.
pub(crate) fn is_there() -> bool {
    script().is_some()
}

/// Asks; `on_answer` is called once, with the answer or with why there is none.
pub(crate) fn ask<A: Ask>(request: A, on_answer: impl FnOnce(Result<A::Answer, String>) + 'static) {
    ask_worker(WorkerFor::Requests, request, |_, _| (), on_answer);
}

/// The same of a certain worker, with what is known on the way.
pub(crate) fn ask_worker<A: Ask>(
    of: WorkerFor,
    request: A,
    on_progress: impl FnMut(Progress, Vec<u32>) + 'static,
    on_answer: impl FnOnce(Result<A::Answer, String>) + 'static,
) {
    let on_response: OnResponse = Box::new(|response| {
        let other = || texts::OTHER_VERSION.to_owned();
        on_answer(response.and_then(|response| A::answer(response).ok_or_else(other)));
    });
    send(of, request.into_request(), Box::new(on_progress), on_response);
}

/// Asks, as a future: for `LocalResource`.
pub(crate) async fn request<A: Ask>(request: A) -> Result<A::Answer, String> {
    let (sender, receiver) = futures_channel::oneshot::channel();
    // Nobody waits any more if what asked is gone.
    ask(request, move |answer| drop(sender.send(answer)));
    receiver.await.unwrap_or_else(|_| Err(texts::ANSWER_STOPPED.to_owned()))
}

#[inline(never)]
fn send(of: WorkerFor, request: Request, on_progress: OnProgress, on_response: OnResponse) {
    // Unlike those of a worker that was stopped, whose replies may still be on their way.
    static SENT: AtomicU32 = AtomicU32::new(1);
    let number = SENT.fetch_add(1, Ordering::Relaxed);
    let run = request.run();
    let scenario =
        run.and_then(|run| SCENARIOS.with_borrow(|known| known.iter().rev().find(|(of, _)| *of == run).map(|(_, s)| Rc::clone(s))));
    let failed = with(of, |slot| {
        if slot.worker.is_none() {
            slot.worker = script().and_then(|script| start(of, &script));
            slot.told.clear();
        }
        let Some(worker) = &slot.worker else { return Some((NO_WORKERS.to_owned(), on_response)) };
        let is_new = run.filter(|run| !slot.told.contains(run));
        let message = Message { number, scenario: is_new.zip(scenario.map(|scenario| scenario())), request };
        let bytes = match protocol::encode(&message) {
            Ok(bytes) => Uint8Array::from(&bytes[..]),
            Err(why) => return Some((why, on_response)),
        };
        if worker.post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer())).is_err() {
            return Some((NO_WORKERS.to_owned(), on_response));
        }
        if message.scenario.is_some() {
            slot.told.extend(is_new);
            // The worker keeps as many.
            let forgotten = slot.told.len().saturating_sub(2 * RUNS);
            slot.told.drain(..forgotten);
        }
        slot.waiting.push(Waiting { number, on_progress, on_response });
        None
    });
    // It may ask in turn, so it is not called from within the slot.
    if let Some((why, on_response)) = failed {
        on_response(Err(why));
    }
}

/// Ends the worker with all that it was asked.
pub(crate) fn stop(of: WorkerFor) {
    let slot = with(of, std::mem::take);
    if let Some(worker) = slot.worker {
        worker.terminate();
    }
}

fn with<R>(of: WorkerFor, f: impl FnOnce(&mut Slot) -> R) -> R {
    let place = match of {
        WorkerFor::Simulation => 0,
        WorkerFor::Requests => 1,
        WorkerFor::Study(i) => 2 + i,
    };
    SLOTS.with_borrow_mut(|slots| {
        if slots.len() <= place {
            slots.resize_with(place + 1, Slot::default);
        }
        f(&mut slots[place])
    })
}

fn start(of: WorkerFor, script: &str) -> Option<web_sys::Worker> {
    let worker = web_sys::Worker::new(script).ok()?;
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let parts = Array::from(&event.data());
        let number = parts.get(0).as_f64().unwrap_or_default() as u32;
        let bytes = parts.get(1).dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).unwrap_or_default();
        let words = parts.get(2).dyn_into::<Uint32Array>().map(|words| words.to_vec()).unwrap_or_default();
        // What listens may ask in turn, so it is not called from within the slot.
        let found = with(of, |slot| slot.waiting.iter().position(|w| w.number == number).map(|i| slot.waiting.remove(i)));
        let Some(mut waiting) = found else { return };
        match protocol::decode(&bytes) {
            Ok(Reply::Progress(progress)) => {
                (waiting.on_progress)(progress, words);
                with(of, |slot| slot.waiting.push(waiting));
            }
            Ok(Reply::Done(response)) => (waiting.on_response)(Ok(response)),
            Ok(Reply::Failed(why)) | Err(why) => (waiting.on_response)(Err(why)),
        }
    });
    let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        let why = event.dyn_into::<ErrorEvent>().ok().map(|event| event.message()).filter(|why| !why.is_empty());
        let why = texts::worker_failed(why.as_deref());
        let slot = with(of, std::mem::take);
        for waiting in slot.waiting {
            (waiting.on_response)(Err(why.clone()));
        }
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    // They listen as long as the worker lives.
    on_message.forget();
    on_error.forget();
    Some(worker)
}
