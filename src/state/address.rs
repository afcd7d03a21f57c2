//! What the page's address asks for.
//!
//! Depends on the browser. Invariant: the address names a document only as long as that is what is on screen.

use std::sync::Arc;

use leptos::prelude::*;

use blockstep_view::document::Document;

/// What an address calls the policy under which it shows an example.
pub(crate) const UNDER: &str = "under";

/// What the address holds; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    /// The study that it asks for, as its link has it.
    pub(crate) study: RwSignal<Option<String>>,
    /// Whether what it names is still on its way.
    pub(crate) is_arriving: RwSignal<bool>,
    /// The document that it holds.
    pub(crate) document: StoredValue<Option<Arc<Document>>>,
}

impl Address {
    pub(super) fn new() -> Self {
        Self { study: RwSignal::new(None), is_arriving: RwSignal::new(false), document: StoredValue::new(None) }
    }
}

/// The address of this page, without a fragment.
pub(crate) fn page_address() -> Option<String> {
    let here = window().location().href().ok()?;
    Some(here.split('#').next().unwrap_or_default().to_owned())
}

/// Whether the address names files that the host has beside the page.
pub(crate) fn names_files() -> bool {
    window().location().hash().is_ok_and(|hash| hash.starts_with("#open="))
}
