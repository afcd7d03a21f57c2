//! Components and parts of the page, mounted in a browser, and the engine in a worker. `wasm-pack test --headless --chrome`, or
//! `--firefox`, runs them.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod chip;
mod diagram;
mod dialog;
mod dom;
mod editing;
mod explore;
mod fields;
mod inset;
mod lane;
mod menu;
mod page;
mod policy_text;
mod processes;
mod quantity;
mod splitter;
mod table;
mod transport;
mod worker;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
