//! The page: the Leptos application in the browser. Elsewhere it is empty.
//!
//! Invariant: a component reads memos and shows them, and decides nothing about scheduling.
#![cfg(target_arch = "wasm32")]
// Leptos makes the props of a component as public as they can be.
#![allow(unreachable_pub, missing_docs)]

mod components;
mod page;
mod panels;
mod state;

pub use page::mount;
pub use page::stage::{Part, Stage};
