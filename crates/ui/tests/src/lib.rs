//! Tests of components that know no state of the page, each mounted by itself in a browser. `wasm-pack test --headless --chrome
//! crates/ui/tests`, or `--firefox`, runs them. The tests of parts of the page, in `tests/web`, mount by `dom` as well.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

pub mod dom;

#[cfg(test)]
mod chip;
#[cfg(test)]
mod diagram;
#[cfg(test)]
mod dialog;
#[cfg(test)]
mod explore;
#[cfg(test)]
mod fields;
#[cfg(test)]
mod inset;
#[cfg(test)]
mod lane;
#[cfg(test)]
mod menu;
#[cfg(test)]
mod policy_text;
#[cfg(test)]
mod quantity;
#[cfg(test)]
mod splitter;
#[cfg(test)]
mod table;
#[cfg(test)]
mod transport;

#[cfg(test)]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
