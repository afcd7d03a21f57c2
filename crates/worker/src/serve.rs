//! The worker in the browser: messages come and replies go.
//!
//! Depends on the browser. A message is the bytes of a [`Message`]; a reply is an array of the message's number, the bytes of a
//! [`Reply`], and for steps their words. Buffers are handed over, not copied. Invariant: every message is replied to, last by
//! [`Reply::Done`] or [`Reply::Failed`].

use std::cell::RefCell;

use js_sys::{Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::Worker;
use blockstep_protocol::{self as protocol, Message, Reply};

/// Answers every message to this worker from now on.
pub fn serve() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let worker = RefCell::new(Worker::default());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new({
        let scope = scope.clone();
        move |event: MessageEvent| {
            let bytes = event.data().dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).unwrap_or_default();
            let message: Message = match protocol::decode(&bytes) {
                Ok(message) => message,
                // Without its number nobody waits for a reply, so that the browser has to say it.
                Err(why) => wasm_bindgen::throw_str(&why),
            };
            let number = message.number;
            let reply =
                worker.borrow_mut().answer(message, &mut |progress, words| send(&scope, number, &Reply::Progress(progress), &words));
            send(&scope, number, &reply, &[]);
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // It serves as long as the worker lives.
    on_message.forget();
}

fn send(scope: &DedicatedWorkerGlobalScope, number: u32, reply: &Reply, words: &[u32]) {
    let bytes = match protocol::encode(reply).or_else(|why| protocol::encode(&Reply::Failed(why))) {
        Ok(bytes) => Uint8Array::from(&bytes[..]),
        Err(why) => wasm_bindgen::throw_str(&why),
    };
    let (message, handed_over) = (Array::of2(&number.into(), &bytes), Array::of1(&bytes.buffer()));
    if !words.is_empty() {
        let words = Uint32Array::from(words);
        handed_over.push(&words.buffer());
        message.push(&words);
    }
    // Buffers of our own can always be sent.
    let _ = scope.post_message_with_transfer(&message, &handed_over);
}
