//! Parts of the page, mounted in a browser, and the engine in a worker. `wasm-pack test --headless --chrome`, or `--firefox`, runs
//! them. Components that know no state of the page are in `crates/ui/tests`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod editing;
mod page;
mod processes;
mod sweep;
mod worker;

use blockstep_ui_tests::dom;
use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
