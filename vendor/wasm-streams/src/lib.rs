//! In place of the crate `wasm-streams`: what Leptos's server functions name of it, and no more.
//!
//! The page has no server, so nothing here is ever called. The crate itself exports classes to
//! JavaScript, which no linker removes: they would be downloaded with every page.

use futures_core::Stream;
use futures_util::stream::Pending;
use wasm_bindgen::JsValue;

/// What would happen instead of a stream.
const NO_SERVER: &str = "streams of server functions are left out of this page, see vendor/wasm-streams";

/// A stream of the browser.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Takes the browser's stream.
    #[must_use]
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// Gives the browser's stream back.
    #[must_use]
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// Left out.
    ///
    /// # Panics
    /// Always.
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>> + 'static) -> Self {
        panic!("{NO_SERVER}")
    }

    /// Left out.
    ///
    /// # Panics
    /// Always.
    #[must_use]
    pub fn into_stream(self) -> Pending<Result<JsValue, JsValue>> {
        panic!("{NO_SERVER}")
    }
}
