//! How messages travel between the page and its workers.
//!
//! Depends on the browser. A message is an array of its number, its bytes, what travels beside them (a file, or the words of steps),
//! and whether more with its number follow. Buffers are handed over, not copied. Invariant: replies have the number of their message.

use js_sys::{Array, Uint8Array, Uint32Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// A message on its way.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// Counts the messages of the page.
    pub number: u32,
    /// The message.
    pub bytes: Vec<u8>,
    /// What is too large to be coded; undefined if there is nothing.
    pub beside: JsValue,
    /// Whether it is a reply that others follow.
    pub has_more: bool,
}

impl Parcel {
    /// What is posted, and what of it is handed over.
    #[must_use]
    pub fn packed(self) -> (Array, Array) {
        let bytes = Uint8Array::from(&self.bytes[..]);
        let handed_over = Array::of1(&bytes.buffer());
        if let Some(words) = self.beside.dyn_ref::<Uint32Array>() {
            handed_over.push(&words.buffer());
        }
        (Array::of4(&self.number.into(), &bytes, &self.beside, &self.has_more.into()), handed_over)
    }

    /// What was posted.
    #[must_use]
    pub fn unpacked(event: &MessageEvent) -> Self {
        let parts = Array::from(&event.data());
        let number = parts.get(0).as_f64().unwrap_or_default() as u32;
        let bytes = parts.get(1).dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).unwrap_or_default();
        Self { number, bytes, beside: parts.get(2), has_more: parts.get(3).is_truthy() }
    }
}

/// Where the replies to a message go: the last one by [`Replies::end`].
#[derive(Clone, Debug)]
pub struct Replies {
    scope: DedicatedWorkerGlobalScope,
    number: u32,
}

impl Replies {
    /// Sends what is known on the way.
    pub fn go_on(&self, reply: &impl Serialize, words: &[u32]) {
        let beside = if words.is_empty() { JsValue::UNDEFINED } else { Uint32Array::from(words).into() };
        self.send(reply, beside, true);
    }

    /// Sends the last reply.
    pub fn end(&self, reply: &impl Serialize) {
        self.send(reply, JsValue::UNDEFINED, false);
    }

    fn send(&self, reply: &impl Serialize, beside: JsValue, has_more: bool) {
        let bytes = super::encode(reply).unwrap_or_else(|why| wasm_bindgen::throw_str(&why.to_string()));
        let (message, handed_over) = Parcel { number: self.number, bytes, beside, has_more }.packed();
        // Buffers of our own can always be sent.
        let _ = self.scope.post_message_with_transfer(&message, &handed_over);
    }
}

/// Hands every message to this worker over from now on, with what came beside it.
pub fn serve<M: DeserializeOwned>(mut take: impl FnMut(M, JsValue, Replies) + 'static) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let replies = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Parcel { number, bytes, beside, .. } = Parcel::unpacked(&event);
        // What is not understood is of another version, which may not understand a reply: the browser has to say it.
        let message = super::decode(&bytes).unwrap_or_else(|why| wasm_bindgen::throw_str(&why.to_string()));
        take(message, beside, Replies { scope: replies.clone(), number });
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // It serves as long as the worker lives.
    on_message.forget();
}
