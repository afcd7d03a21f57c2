//! The page in a real browser, worked as a user works it: every act is an event of the DOM, and
//! everything that is checked is read from the page.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a test that finds nothing has failed")]
#![allow(dead_code, reason = "the tests that use the rest of `page` are end to end now")]

#[path = "web/names.rs"]
mod names;
#[path = "web/page.rs"]
mod page;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
