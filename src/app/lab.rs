//! The workers that run the lab: asking, listening, and ending them.
//!
//! Depends on the browser and on the lab's messages. Invariant: every request is answered once,
//! by `done` or `error`, unless its worker was stopped.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::{Array, Uint32Array};
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker};

use super::state::AppState;

/// What a worker is for; each has one of its own, so that ending one does not end the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Desk {
    /// Simulating what is on screen.
    Runs,
    /// Everything else.
    Rest,
    /// Counting for a study: one of a pool.
    Pool(usize),
}

/// Said where there is no lab.
pub(super) const NO_WORKERS: &str = "This browser does not let the page work in the background, where this is made.";

/// Takes what comes of a request: `done`, `error`, or what is told on the way; and its parts.
type Listener = Box<dyn FnMut(&str, &Array)>;

#[derive(Default)]
struct Bench {
    worker: Option<Worker>,
    waiting: Vec<(u32, Listener)>,
}

thread_local! {
    static BENCHES: RefCell<Vec<Bench>> = const { RefCell::new(Vec::new()) };
}

/// The worker's script, which the build names; there is none where only the page was built.
fn script() -> Option<String> {
    document().query_selector("script[data-lab]").ok().flatten()?.get_attribute("data-lab")
}

/// Whether there is a lab.
pub(super) fn is_there() -> bool {
    script().is_some()
}

/// Asks; false, without an answer to come, where there is no lab.
pub(super) fn ask(desk: Desk, request: &[&str], listener: impl FnMut(&str, &Array) + 'static) -> bool {
    ask_boxed(desk, request, Box::new(listener))
}

/// Asks the worker for everything else, or says that there is none.
pub(super) fn ask_rest(state: AppState, request: &[&str], listener: impl FnMut(&str, &Array) + 'static) {
    if !ask(Desk::Rest, request, listener) {
        state.complain(NO_WORKERS);
    }
}

#[inline(never)]
fn ask_boxed(desk: Desk, request: &[&str], listener: Listener) -> bool {
    // Unlike those of a worker that was stopped, which may still be on their way.
    static ASKED: AtomicU32 = AtomicU32::new(1);
    let number = ASKED.fetch_add(1, Ordering::Relaxed);
    let mut is_first = false;
    let is_sent = with(desk, |bench| {
        if bench.worker.is_none() {
            bench.worker = script().and_then(|script| start(desk, &script));
            is_first = desk == Desk::Rest && bench.worker.is_some();
        }
        let Some(worker) = &bench.worker else { return false };
        bench.waiting.push((number, listener));
        let message = Array::of1(&number.into());
        for text in request {
            message.push(&(*text).into());
        }
        // Texts can always be sent.
        worker.post_message(&message).is_ok()
    });
    // What it writes needs style, which the page did not come with.
    if is_first && document().get_element_by_id("lab-style").is_none() {
        ask(desk, &["style"], |kind, parts| {
            if let (Ok(style), Some(head), "done") = (document().create_element("style"), document().head(), kind) {
                style.set_id("lab-style");
                style.set_text_content(Some(&text(parts, 0)));
                // The head takes what is made for it.
                let _ = head.append_child(&style);
            }
        });
    }
    is_sent
}

/// Ends the worker with all that it was asked.
pub(super) fn stop(desk: Desk) {
    let bench = with(desk, std::mem::take);
    if let Some(worker) = bench.worker {
        worker.terminate();
    }
}

/// A part of a message as text.
pub(super) fn text(parts: &Array, i: u32) -> String {
    parts.get(i).as_string().unwrap_or_default()
}

/// A part of a message as words.
pub(super) fn words(parts: &Array, i: u32) -> Vec<u32> {
    parts.get(i).dyn_into::<Uint32Array>().map(|words| words.to_vec()).unwrap_or_default()
}

fn with<R>(desk: Desk, f: impl FnOnce(&mut Bench) -> R) -> R {
    let place = match desk {
        Desk::Runs => 0,
        Desk::Rest => 1,
        Desk::Pool(i) => 2 + i,
    };
    BENCHES.with_borrow_mut(|benches| {
        if benches.len() <= place {
            benches.resize_with(place + 1, Bench::default);
        }
        f(&mut benches[place])
    })
}

fn start(desk: Desk, script: &str) -> Option<Worker> {
    let worker = Worker::new(script).ok()?;
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let parts = Array::from(&event.data());
        let number = parts.shift().as_f64().unwrap_or_default() as u32;
        let kind = parts.shift().as_string().unwrap_or_default();
        // The listener may ask in turn, so it is not called from within the bench.
        let listener = with(desk, |bench| bench.waiting.iter().position(|w| w.0 == number).map(|i| bench.waiting.remove(i)));
        let Some((number, mut listener)) = listener else { return };
        listener(&kind, &parts);
        if kind != "done" && kind != "error" {
            with(desk, |bench| bench.waiting.push((number, listener)));
        }
    });
    let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        let why = js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|why| why.as_string());
        let why =
            format!("This part of the page could not be loaded, or has stopped: {}", why.as_deref().unwrap_or("check the connection"));
        let bench = with(desk, std::mem::take);
        for (_, mut listener) in bench.waiting {
            listener("error", &Array::of1(&why.as_str().into()));
        }
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    // They listen as long as the worker lives.
    on_message.forget();
    on_error.forget();
    Some(worker)
}
