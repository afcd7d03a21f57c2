//! The browser's storage, through the one door to it. What is kept for the next visit, in slots: the reader's own work, and scenarios
//! beside it.
//!
//! Depends on `stored` and the browser. Invariants: a browser without storage is no error; what is embedded in another page
//! leaves what the reader works on alone; what cannot be read is put aside before anything is written in its place.

use super::aside;
pub(super) use super::door::{get, get_of_tab, keys, remove, set_of_tab, watch_reader};
pub(crate) use super::door::{has_acted, is_embedded, may_store};
use super::door::{is_there, write};
use blockstep_format::read_scenario;
use blockstep_tools::stored::{
    FIRST, HISTORY, KEPT, KeptEntry, PANES, PARTS, Panes, SCENARIO, STILL, Slot, Stored, THEME, Theme, VERSION, VERSION_NOW, add_entry,
    has_room, is_list, is_readable, make_room, put_back, read_entries, renamed, room, tool_key, with_orphans, write_entries,
};

const HINT: &str = "blockstep.hint";
/// The key of the slot that a tab works on, in what the browser keeps for the tab alone.
const TAB: &str = "blockstep.tab";

/// Writes it; false if the browser has no room for it, or gives none, or something stands there that could not be put aside.
pub(super) fn set(key: &str, text: &str) -> bool {
    !aside::stays(key) && write(key, text)
}

/// Writes a part of a slot, if it is not too large; false if it was not written. What is oldest beside the reader's own work goes for
/// what comes beside it.
fn set_part(slot: Slot, part: &str, text: &str) -> bool {
    if text.len() > room(part) {
        return false;
    }
    if let Slot::Kept(id) = slot {
        let stored: Vec<_> = kept_keys().into_iter().filter_map(|key| get(&key).map(|text| (key, text.len()))).collect();
        let list = entries();
        let Some(gone) = make_room(&stored, &list, id, part, text.len()) else { return false };
        gone.iter().for_each(|key| remove(key));
        let stays = |entry: &KeptEntry| !gone.contains(&Slot::Kept(entry.id).key(SCENARIO));
        if !list.iter().all(stays) {
            set(KEPT, &write_entries(&list.into_iter().filter(stays).collect::<Vec<_>>()));
        }
    }
    set(&slot.key(part), text)
}

/// The keys of all scenarios beside the reader's own.
fn kept_keys() -> Vec<String> {
    keys(&format!("{KEPT}."))
}

/// The slot that this tab works on.
pub(super) fn slot() -> Slot {
    let slot = get_of_tab(TAB).map_or(Slot::Own, |word| Slot::read(&word));
    if get(&slot.key(SCENARIO)).is_some() { slot } else { Slot::Own }
}

/// Keeps that.
pub(super) fn set_slot(slot: Slot) {
    set_of_tab(TAB, Some(&slot.word()));
}

/// Whether there is work of the reader's own: a scenario, or what a tool remembers.
pub(crate) fn has_own() -> bool {
    let is_there = |part: &str| get(part).is_some_and(|text| !text.is_empty());
    PARTS.into_iter().any(is_there) || keys(&tool_key("")).iter().any(|key| is_there(key))
}

/// What was kept, if it can be read. What cannot is put aside.
pub(super) fn load(slot: Slot) -> Option<Stored> {
    let version = get(VERSION);
    for part in PARTS {
        let key = slot.key(part);
        if get(&key).is_some_and(|text| !is_readable(version.as_deref(), part, &text)) {
            aside::put(&key);
        }
    }
    Stored::read(|part| get(&slot.key(part)))
}

/// Makes the list of the scenarios beside the reader's own hold what is stored of them.
pub(super) fn mend_list() {
    if get(KEPT).is_some_and(|list| !is_list(&list)) {
        aside::put(KEPT);
    }
    let list = entries();
    let whole = with_orphans(&list, &kept_keys(), get);
    if whole.len() > list.len() {
        set(KEPT, &write_entries(&whole));
    }
}

/// Writes every part; false if the browser has no room for it.
pub(super) fn store(slot: Slot, stored: &Stored) -> bool {
    let is_stored = set(VERSION, VERSION_NOW) && stored.parts().iter().all(|(part, text)| set_part(slot, part, text));
    if let (true, Slot::Kept(id)) = (is_stored, slot) {
        let entry = KeptEntry { id, name: listed(&stored.document.rest.name), saved_ms: js_sys::Date::now() as u64 };
        return keep_entry(entry);
    }
    is_stored
}

/// Puts a slot at the top of the list.
fn keep_entry(entry: KeptEntry) -> bool {
    let (list, gone) = add_entry(&get(KEPT).unwrap_or_default(), entry);
    gone.iter().for_each(|entry| remove_all(Slot::Kept(entry.id)));
    set(KEPT, &list)
}

fn remove_all(slot: Slot) {
    if let Slot::Kept(id) = slot {
        keys(&format!("{KEPT}.{id}.")).iter().for_each(|key| remove(key));
    }
}

/// The scenarios beside the reader's own, the latest first.
pub(crate) fn entries() -> Vec<KeptEntry> {
    get(KEPT).map(|list| read_entries(&list)).unwrap_or_default()
}

/// One of them that was taken away, with all that was stored of it.
#[derive(Clone, Debug)]
pub(crate) struct Deleted {
    pub(crate) entry: KeptEntry,
    texts: Vec<(String, String)>,
}

/// Takes one of them away; nothing, if it is none of them.
pub(crate) fn delete(slot: Slot) -> Option<Deleted> {
    let Slot::Kept(id) = slot else { return None };
    let mut entries = entries();
    let entry = entries.remove(entries.iter().position(|entry| entry.id == id)?);
    let of_it = keys(&format!("{KEPT}.{id}."));
    let texts = of_it.into_iter().filter_map(|key| get(&key).map(|text| (key, text))).collect();
    remove_all(slot);
    set(KEPT, &write_entries(&entries));
    Some(Deleted { entry, texts })
}

/// Brings it back; whether there was room for all of it.
pub(crate) fn bring_back(deleted: &Deleted) -> bool {
    let is_back = deleted.texts.iter().all(|(key, text)| set(key, text));
    is_back && set(KEPT, &write_entries(&put_back(entries(), deleted.entry.clone())))
}

/// Gives stored work another name; whether it could.
pub(crate) fn rename(slot: Slot, name: &str) -> bool {
    let text = scenario(slot).and_then(|text| renamed(&text, name));
    let is_renamed = text.is_some_and(|text| set_part(slot, SCENARIO, &text));
    if let (true, Slot::Kept(id)) = (is_renamed, slot) {
        let mut entries = entries();
        entries.iter_mut().filter(|entry| entry.id == id).for_each(|entry| entry.name = listed(name));
        return set(KEPT, &write_entries(&entries));
    }
    is_renamed
}

/// Stores what is on screen once more, beside all that is there; whether there was room for it.
pub(super) fn keep_copy(stored: &Stored) -> bool {
    let bytes = |of: &str| of.len();
    let taken = kept_keys().iter().filter_map(|key| get(key)).map(|text| bytes(&text)).sum();
    let needed = stored.parts().iter().map(|(_, text)| bytes(text)).sum();
    let entries = entries();
    // Two copies of one instant are two.
    let fresh = entries.iter().map(|entry| entry.id + 1).fold(js_sys::Date::now() as u64, u64::max);
    has_room(&entries, taken, needed) && store(Slot::Kept(fresh), stored)
}

/// A name as the list has it.
fn listed(name: &str) -> String {
    name.trim().chars().take(200).collect()
}

/// What the reader's own work is called; nothing, if it cannot be read.
pub(crate) fn own_name() -> String {
    scenario(Slot::Own).and_then(|text| read_scenario(&text).ok()).map(|draft| draft.name).unwrap_or_default()
}

/// The scenario of a slot, as a file.
pub(crate) fn scenario(slot: Slot) -> Option<String> {
    get(&slot.key(SCENARIO))
}

/// Makes the reader's own work one of the others, so that an empty page can take its place; whether it could.
pub(super) fn shelve_own() -> bool {
    let now = js_sys::Date::now() as u64;
    let name = load(Slot::Own).map(|own| own.document.rest.name).unwrap_or_default();
    let own: Vec<String> = PARTS.iter().map(|part| (*part).to_owned()).chain(keys(&tool_key(""))).collect();
    let slot = Slot::Kept(now);
    let moved = own.iter().all(|part| get(part).is_none_or(|text| set(&slot.key(part), &text)));
    if moved && keep_entry(KeptEntry { id: now, name, saved_ms: now }) {
        own.iter().for_each(|part| remove(part));
        return true;
    }
    remove_all(slot);
    false
}

/// What can be undone since earlier visits, as it was written.
pub(super) fn history(slot: Slot) -> Option<String> {
    get(&slot.key(HISTORY))
}

/// Keeps that; a browser without room keeps none.
pub(super) fn keep_history(slot: Slot, text: &str) {
    if !set_part(slot, HISTORY, text) {
        // What was kept before is of another document.
        remove(&slot.key(HISTORY));
    }
}

/// The theme, if it was chosen.
pub(super) fn theme() -> Option<Theme> {
    serde_json::from_str(&get(THEME)?).ok()
}

/// Keeps that.
pub(super) fn keep_theme(theme: Theme) {
    if let Ok(text) = serde_json::to_string(&theme) {
        // A browser without room forgets it with the page.
        set(THEME, &text);
    }
}

/// The word of the page that the reader prefers to begin with.
pub(super) fn first_page() -> Option<String> {
    get(FIRST)
}

/// Keeps that.
pub(crate) fn keep_first_page(word: &str) {
    if get(FIRST).as_deref() != Some(word) {
        // A browser without room begins as for a new reader.
        set(FIRST, word);
    }
}

/// Whether the reader has switched motion off.
pub(super) fn is_still() -> bool {
    get(STILL).is_some()
}

/// Keeps that.
pub(super) fn keep_still(is_still: bool) {
    if is_still {
        // A browser without room forgets it with the page.
        set(STILL, "1");
    } else {
        remove(STILL);
    }
}

/// How large the parts of the page are to be.
pub(super) fn panes() -> Panes {
    get(PANES).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Keeps that.
pub(super) fn keep_panes(panes: Panes) {
    if let Ok(text) = serde_json::to_string(&panes) {
        // A browser without room forgets it with the page.
        set(PANES, &text);
    }
}

/// What a tool remembers of the work in a slot.
pub(super) fn memory(slot: Slot, tool: &str) -> Option<String> {
    get(&slot.key(&tool_key(tool)))
}

/// Keeps that; false if the browser has no room for it.
pub(super) fn keep_memory(slot: Slot, tool: &str, memory: &str) -> bool {
    set_part(slot, &tool_key(tool), memory)
}

/// Whether the hint for a first visit is due: until it is dismissed, as far as the browser remembers.
pub(crate) fn is_hint_due() -> bool {
    is_there() && get(HINT).is_none()
}

/// Never shows the hint again.
pub(crate) fn dismiss_hint() {
    // A browser without room shows it once more.
    set(HINT, "1");
}
