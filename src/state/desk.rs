//! Whose work is on screen, and so where changes of it are stored: the reader's own, one beside it, or what a link brought, which
//! is stored nowhere until the reader changes it.
//!
//! Depends on `storage` and on the browser. Invariant: what a link brings is never written over what was stored before.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::{aside, storage};
use blockstep_tools::stored::{SCENARIO, Slot, tool_key};
use blockstep_view::document::Document;

/// Whose work is on screen.
#[derive(Clone)]
pub(crate) enum DeskPlace {
    /// Stored work.
    Slot(Slot),
    /// What a link brought.
    Link {
        /// What was on screen before.
        before: Arc<Document>,
        /// Whether it brought what a tool remembers.
        is_of_tool: bool,
        /// Whether the reader has work of their own stored.
        has_own: bool,
    },
}

/// A context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
    pub(crate) at: RwSignal<DeskPlace>,
    /// The stored work that was on screen last.
    slot: StoredValue<Slot>,
    /// The parts of the work on screen of which another tab has stored a change.
    elsewhere: RwSignal<Vec<String>>,
    /// Set when the work on screen was stored.
    pub(crate) stored: RwSignal<()>,
    /// Whether what is on screen could not be stored, until the reader has seen it.
    pub(crate) is_full: RwSignal<bool>,
    was_full: StoredValue<bool>,
    were_tools_full: StoredValue<bool>,
    /// Whether something that was stored could not be read, until the reader has seen it.
    pub(crate) is_aside: RwSignal<bool>,
}

impl Desk {
    pub(super) fn new(slot: Slot) -> Self {
        Self {
            at: RwSignal::new(DeskPlace::Slot(slot)),
            slot: StoredValue::new(slot),
            elsewhere: RwSignal::new(Vec::new()),
            stored: RwSignal::new(()),
            is_full: RwSignal::new(false),
            was_full: StoredValue::new(false),
            were_tools_full: StoredValue::new(false),
            is_aside: RwSignal::new(aside::was_found()),
        }
    }

    /// Where changes are stored now; nowhere, as long as they are a link's.
    pub(crate) fn stores(self) -> Option<Slot> {
        self.at.with_untracked(|at| if let DeskPlace::Slot(slot) = at { Some(*slot) } else { None })
    }

    /// What comes is a link's.
    pub(super) fn enter_link(self, before: Arc<Document>, is_of_tool: bool) {
        match self.at.get_untracked() {
            DeskPlace::Slot(_) => self.at.set(DeskPlace::Link { before, is_of_tool, has_own: storage::has_own() }),
            DeskPlace::Link { before, has_own, .. } => self.at.set(DeskPlace::Link { before, is_of_tool, has_own }),
        }
    }

    /// The reader changes what is on screen, `before` it is changed: what a link brought is kept beside their own work from now on.
    pub(crate) fn touch(self, before: &Arc<Document>) {
        let DeskPlace::Link { before: own, is_of_tool, has_own } = self.at.get_untracked() else { return };
        let is_own = Arc::ptr_eq(&own, before) && !is_of_tool;
        let slot = match () {
            () if is_own => self.slot.get_value(),
            () if has_own => Slot::Kept(js_sys::Date::now() as u64),
            () => Slot::Own,
        };
        self.slot.set_value(slot);
        storage::set_slot(slot);
        self.at.set(DeskPlace::Slot(slot));
    }

    /// Another tab has stored something: what this one has of the same work is older now.
    pub(super) fn hear(self, slot: Slot, changed: &str) {
        let of_tools = slot.key(&tool_key(""));
        let part = match changed.strip_prefix(&of_tools) {
            Some(tool) => tool_key(tool),
            None if changed == slot.key(SCENARIO) => SCENARIO.to_owned(),
            None => return,
        };
        if !self.is_overtaken(&part) {
            self.elsewhere.update(|parts| parts.push(part));
        }
    }

    /// Whether another tab has stored a change of this work; tracks it.
    pub(crate) fn is_elsewhere(self) -> bool {
        self.elsewhere.with(|parts| !parts.is_empty())
    }

    /// Whether it has changed this part of it.
    pub(super) fn is_overtaken(self, part: &str) -> bool {
        self.elsewhere.with_untracked(|parts| parts.iter().any(|other| other == part))
    }

    /// This tab's change of a part is the newest.
    pub(super) fn overtake(self, part: &str) {
        if self.is_overtaken(part) {
            self.elsewhere.update(|parts| parts.retain(|other| other != part));
        }
    }

    /// Says, once, that the scenario could not be stored; or that it could.
    pub(crate) fn say_stored(self, is_stored: bool) {
        if !is_stored && storage::may_store() && !self.was_full.get_value() {
            self.is_full.set(true);
        }
        self.was_full.set_value(!is_stored);
        self.stored.set(());
    }

    /// What a tool remembers of the stored work on screen, as it is `read`; what it cannot read is put aside.
    pub(crate) fn memory(self, tool: &str, read: impl FnOnce(&str) -> Option<String>) -> Option<String> {
        let memory = read(&storage::memory(self.slot.get_value(), tool)?);
        if memory.is_none() {
            aside::put(&self.slot.get_value().key(&tool_key(tool)));
            self.is_aside.set(true);
        }
        memory
    }

    /// Keeps that with the work on screen.
    pub(crate) fn keep_memory(self, tool: &str, memory: &str) {
        self.overtake(&tool_key(tool));
        if let Some(slot) = self.stores()
            && !storage::keep_memory(slot, tool, memory)
            && storage::may_store()
            && !self.were_tools_full.get_value()
        {
            self.were_tools_full.set_value(true);
            self.is_full.set(true);
        }
    }
}

/// Opens stored work, in place of what the address names.
pub(crate) fn open(slot: Slot) {
    storage::set_slot(slot);
    open_without_link();
}

/// Loads the page again, without what its address names.
pub(crate) fn open_without_link() {
    forget_link();
    // What cannot load itself again stays as it is.
    let _ = window().location().reload();
}

/// Takes the link out of the address.
pub(crate) fn forget_link() {
    replace_link("");
}

/// Puts a link, `#…`, into the address in the place of the one that is there.
pub(crate) fn replace_link(hash: &str) {
    let path = window().location().pathname().unwrap_or_default() + hash;
    // Some pages may not change their address; then it stays the link's.
    let _ = window().history().and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&path)));
}
