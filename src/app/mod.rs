//! The page: what a tool is natively, and the Leptos application in the browser.
//!
//! Depends on everything. Invariants: it is the only folder that knows Leptos; a component reads memos and shows them, and
//! decides nothing about scheduling.

// Leptos makes the props of a component as public as they can be.
#![cfg_attr(target_arch = "wasm32", allow(unreachable_pub))]

pub mod commands;
pub mod stored;
pub mod tool;
pub mod tools;

#[cfg(target_arch = "wasm32")]
mod client;
#[cfg(target_arch = "wasm32")]
mod components;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod state;
#[cfg(target_arch = "wasm32")]
mod texts;

#[cfg(target_arch = "wasm32")]
pub use page::{mount, mount_in};
