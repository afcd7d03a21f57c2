//! Safe start: that work has begun to be run is marked before, and the mark goes when the work stands on screen. A mark that is
//! found at the next visit is of a run that froze or killed the page.
//!
//! Depends on `storage`. Invariants: a mark is only of the work that the address names, or of the reader's own; what was opened
//! without running is never run on the page itself.

use std::cell::Cell;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::{desk, storage};
use blockstep_tools::stored::Slot;

/// The key of the mark.
const BEGUN: &str = "blockstep.begun";
/// A younger mark is that of another tab that opens at the same time.
const YOUNG_MS: u64 = 3_000;

#[derive(Serialize, Deserialize)]
struct BegunMark {
    at_ms: u64,
    /// What was begun.
    work: Work,
}

/// What a page runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Work {
    /// What is stored.
    Stored,
    /// What the address names, by a number that differs for each.
    Link(u32),
}

/// How runs are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Running {
    /// As they are asked for.
    Freely,
    /// Not yet.
    NotYet,
    /// By the worker alone.
    InWorker,
}

thread_local! {
    static RUNNING: Cell<Running> = const { Cell::new(Running::Freely) };
    /// How often something was begun on this page.
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// What this page runs.
fn work() -> Work {
    let hash = window().location().hash().unwrap_or_default();
    if !hash.contains('=') {
        return Work::Stored;
    }
    // FNV-1a: two links that are mistaken for each other cost a question.
    Work::Link(hash.bytes().fold(0x811c_9dc5, |number, byte| (number ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
}

/// What did not finish at the last visit and would be run again now.
pub(crate) fn unfinished() -> Option<Work> {
    let here = storage::get_of_tab(BEGUN);
    let is_here = here.is_some();
    let mark: BegunMark = serde_json::from_str(&here.or_else(|| storage::get(BEGUN))?).ok()?;
    let age_ms = (js_sys::Date::now() as u64).saturating_sub(mark.at_ms);
    let is_same = mark.work == Work::Stored || mark.work == work();
    (is_same && (is_here || age_ms >= YOUNG_MS)).then_some(mark.work)
}

/// Marks that the work is begun.
pub(crate) fn begin() {
    COUNT.set(COUNT.get() + 1);
    if let Ok(mark) = serde_json::to_string(&BegunMark { at_ms: js_sys::Date::now() as u64, work: work() }) {
        // A browser without storage does not know at the next visit.
        storage::set(BEGUN, &mark);
        storage::set_of_tab(BEGUN, Some(&mark));
    }
}

/// Takes the mark away.
pub(crate) fn end() {
    storage::remove(BEGUN);
    storage::set_of_tab(BEGUN, None);
}

/// Takes the mark away once what was begun has been painted.
pub(crate) fn end_soon() {
    let count = COUNT.get();
    let finish = move || {
        // Something else may have begun since.
        if COUNT.get() == count {
            end();
        }
    };
    if document().hidden() {
        return set_timeout(finish, std::time::Duration::ZERO);
    }
    // The second frame comes after the first was painted.
    request_animation_frame(move || request_animation_frame(move || set_timeout(finish, std::time::Duration::ZERO)));
}

/// Opens what did not finish, without running it.
pub(crate) fn hold() {
    RUNNING.set(Running::NotYet);
}

/// Lets the worker run it.
pub(super) fn let_run() {
    if is_held() {
        RUNNING.set(Running::InWorker);
    }
}

/// Whether nothing is run until the reader says so.
pub(super) fn is_held() -> bool {
    RUNNING.get() == Running::NotYet
}

/// Whether the page itself runs nothing.
pub(super) fn is_elsewhere() -> bool {
    RUNNING.get() != Running::Freely
}

/// Puts what did not finish aside, so that the page begins without it.
pub(crate) fn start_empty(work: Work) {
    match work {
        Work::Link(_) => desk::forget_link(),
        Work::Stored if storage::slot() == Slot::Own => {
            if !storage::shelve_own() {
                // It stays where it is, and is not run.
                hold();
            }
        }
        Work::Stored => storage::set_slot(Slot::Own),
    }
}

/// What did not finish, as a text.
pub(crate) fn text(work: Work) -> Option<String> {
    match work {
        Work::Stored => storage::scenario(storage::slot()),
        Work::Link(_) => window().location().hash().ok(),
    }
}
