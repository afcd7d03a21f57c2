//! The lab as a web worker: requests come and answers go as messages.
//!
//! Depends on the browser. Messages are arrays: a request is its number, its kind and its
//! arguments; an answer its number, `done`, `error` or what it is on the way, and its parts.
//! Invariant: every request is answered, last by `done` or `error`.

use std::cell::RefCell;

use js_sys::{Array, Uint32Array};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::{Lab, Part};

/// Answers every message to this worker from now on.
pub fn serve() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let lab = RefCell::new(Lab::default());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new({
        let scope = scope.clone();
        move |event: MessageEvent| {
            let mut request = Array::from(&event.data()).into_iter();
            let number = request.next().unwrap_or_default();
            let mut texts = request.map(|text| text.as_string().unwrap_or_default());
            let kind = texts.next().unwrap_or_default();
            let arguments: Vec<String> = texts.collect();
            let send = |kind: &str, parts: Vec<Part>| send(&scope, &number, kind, parts);
            match lab.borrow_mut().answer(&kind, &arguments, &mut |kind, part| send(kind, vec![part])) {
                Ok(parts) => send("done", parts),
                Err(why) => send("error", vec![Part::Text(why)]),
            }
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // It serves as long as the worker lives.
    on_message.forget();
}

fn send(scope: &DedicatedWorkerGlobalScope, number: &JsValue, kind: &str, parts: Vec<Part>) {
    let (message, handed_over) = (Array::of2(number, &kind.into()), Array::new());
    for part in parts {
        match part {
            Part::Text(text) => {
                message.push(&text.into());
            }
            Part::Words(words) => {
                let words = Uint32Array::from(&words[..]);
                handed_over.push(&words.buffer());
                message.push(&words);
            }
        }
    }
    // Strings and buffers can always be sent.
    let _ = scope.post_message_with_transfer(&message, &handed_over);
}
