//! What was stored and cannot be read: it is put aside, where it can be had and deleted by the reader.
//!
//! Depends on `door`. Invariants: nothing is written over what could not be put aside; only the reader deletes what was.

use std::cell::RefCell;

use super::door;
use blockstep_tools::stored::ASIDE;

/// How many texts of one kind are put aside.
const MAX_ASIDE: usize = 5;

thread_local! {
    /// Keys of what cannot be read and could not be put aside yet.
    static STAYING: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// Whether anything that cannot be read was found on this page.
    static FOUND: RefCell<bool> = const { RefCell::new(false) };
}

/// Puts what stands under a key, and cannot be read, under another one; without room it stays where it is, and nothing is written there.
pub(super) fn put(key: &str) {
    FOUND.set(true);
    if !moved(key) {
        STAYING.with_borrow_mut(|staying| staying.push(key.to_owned()));
    }
}

/// Whether it is not under its key any more.
fn moved(key: &str) -> bool {
    let Some(text) = door::get(key) else { return true };
    let name = key.strip_prefix("blockstep.").unwrap_or(key);
    let mut places = (1..=MAX_ASIDE).map(|i| format!("{ASIDE}{name}.{i}"));
    let place = places.find(|place| door::get(place).is_none_or(|there| there == text));
    let is_written = place.is_some_and(|place| door::write(&place, &text));
    if is_written {
        door::remove(key);
    }
    is_written
}

/// Whether nothing may be written under a key; there may be room by now to put aside what stands there.
pub(super) fn stays(key: &str) -> bool {
    let is_staying = STAYING.with_borrow(|staying| staying.iter().any(|other| other == key));
    if is_staying && moved(key) {
        STAYING.with_borrow_mut(|staying| staying.retain(|other| other != key));
        return false;
    }
    is_staying
}

/// Whether something was found that cannot be read.
pub(crate) fn was_found() -> bool {
    FOUND.with_borrow(|found| *found)
}

/// Whether something of it could not be put aside.
pub(crate) fn is_in_place() -> bool {
    STAYING.with_borrow(|staying| !staying.is_empty())
}

/// The keys of all of it.
fn keys() -> Vec<String> {
    door::keys(ASIDE).into_iter().chain(STAYING.with_borrow(Clone::clone)).collect()
}

/// How many texts there are.
pub(crate) fn count() -> usize {
    keys().len()
}

/// Every text, each after its key.
pub(crate) fn text() -> String {
    let texts = keys().into_iter().filter_map(|key| Some(format!("{key}\n{}\n", door::get(&key)?)));
    texts.collect::<Vec<_>>().join("\n")
}

/// Deletes all of it.
pub(crate) fn delete() {
    keys().iter().for_each(|key| door::remove(key));
    STAYING.take();
}
