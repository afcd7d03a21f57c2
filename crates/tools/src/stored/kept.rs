//! The scenarios beside the reader's own: their keys, the list of them, and what goes when they have no room.
//!
//! Invariants: what is not in the list, but stored, comes back into it; for what can be undone no scenario goes.

use serde::{Deserialize, Serialize};

use super::keys::{HISTORY, KEPT, MAX_ENTRIES, MAX_KEPT_BYTES, SCENARIO, VIEW};
use blockstep_format as format;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Own,
    Kept(u64),
}

impl Slot {
    #[must_use]
    pub fn key(self, part: &str) -> String {
        match self {
            Self::Own => part.to_owned(),
            Self::Kept(id) => format!("{KEPT}.{id}.{}", part.strip_prefix("blockstep.").unwrap_or(part)),
        }
    }

    /// As a word: a number, or nothing.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Self::Own => String::new(),
            Self::Kept(id) => id.to_string(),
        }
    }

    #[must_use]
    pub fn read(word: &str) -> Self {
        word.parse().map_or(Self::Own, Self::Kept)
    }
}

/// A scenario beside the reader's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptEntry {
    pub id: u64,
    pub name: String,
    /// When it was stored last, in ms since 1970.
    pub saved_ms: u64,
}

/// Reads the list of them, the latest first.
#[must_use]
pub fn read_entries(text: &str) -> Vec<KeptEntry> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Puts one at the top of the list; the list as a text, and those that have to go for it.
#[must_use]
pub fn add_entry(text: &str, entry: KeptEntry) -> (String, Vec<KeptEntry>) {
    let mut entries = read_entries(text);
    entries.retain(|other| other.id != entry.id);
    entries.insert(0, entry);
    let gone = entries.split_off(entries.len().min(MAX_ENTRIES));
    (write_entries(&entries), gone)
}

/// The list with one more at the place of its time.
#[must_use]
pub fn put_back(mut entries: Vec<KeptEntry>, entry: KeptEntry) -> Vec<KeptEntry> {
    let place = entries.iter().position(|other| other.saved_ms < entry.saved_ms).unwrap_or(entries.len());
    entries.insert(place, entry);
    entries
}

/// Whether a scenario of so many bytes has room beside those that are there, without one of them going. `stored`: the bytes of all.
#[must_use]
pub fn has_room(entries: &[KeptEntry], stored: usize, bytes: usize) -> bool {
    entries.len() < MAX_ENTRIES && stored + bytes <= MAX_KEPT_BYTES
}

/// A scenario file under another name; `None` if it cannot be read.
#[must_use]
pub fn renamed(scenario: &str, name: &str) -> Option<String> {
    let mut draft = format::read_scenario(scenario).ok()?;
    name.trim().clone_into(&mut draft.name);
    Some(format::write_scenario(&draft))
}

#[must_use]
pub fn write_entries(entries: &[KeptEntry]) -> String {
    // Strings and numbers: they can always be written.
    serde_json::to_string(entries).unwrap_or_default()
}

#[must_use]
pub fn is_list(text: &str) -> bool {
    serde_json::from_str::<Vec<KeptEntry>>(text).is_ok()
}

/// The number of the scenario that a key is of, and its part, without what all keys begin with.
fn read_key(key: &str) -> Option<(u64, &str)> {
    let (id, part) = key.strip_prefix(KEPT)?.strip_prefix('.')?.split_once('.')?;
    Some((id.parse().ok()?, part))
}

/// Numbers of stored scenarios that the list does not have, the oldest first. `keys`: all that are stored of scenarios beside the own one.
#[must_use]
pub fn orphans(list: &[KeptEntry], keys: &[String]) -> Vec<u64> {
    let mut ids: Vec<u64> = keys.iter().filter_map(|key| Some(read_key(key)?.0)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.retain(|id| list.iter().all(|entry| entry.id != *id));
    ids
}

/// The list with those that it does not have: what has a scenario that can be read, or notes or a tool's work without one.
#[must_use]
pub fn with_orphans(list: &[KeptEntry], keys: &[String], text: impl Fn(&str) -> Option<String>) -> Vec<KeptEntry> {
    let found = orphans(list, keys).into_iter().filter_map(|id| {
        let slot = Slot::Kept(id);
        let scenario = text(&slot.key(SCENARIO)).and_then(|text| format::read_scenario(&text).ok());
        // What can be undone, and what is shown, is nothing without a scenario.
        let is_work = |key: &String| ![SCENARIO, HISTORY, VIEW].iter().any(|part| slot.key(part) == *key);
        let mut others = keys.iter().filter(|key| read_key(key).is_some_and(|(of, _)| of == id) && is_work(key));
        if scenario.is_none() && !others.any(|key| text(key).is_some_and(|text| !text.is_empty())) {
            return None;
        }
        let name = scenario.map(|scenario| scenario.name.chars().take(200).collect()).unwrap_or_default();
        // The number is the instant at which it was stored first.
        Some(KeptEntry { id, name, saved_ms: id })
    });
    let mut entries: Vec<KeptEntry> = list.iter().cloned().chain(found).collect();
    // The order of the list counts where there is one.
    if entries.len() > list.len() {
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.saved_ms));
    }
    entries
}

/// The keys that have to go so that a part of a scenario has room: what can be undone of others first, the oldest first, then the oldest
/// scenarios; `None` if there is no room even so. `stored`: the keys of all of them with their bytes.
#[must_use]
pub fn make_room(stored: &[(String, usize)], list: &[KeptEntry], id: u64, part: &str, bytes: usize) -> Option<Vec<String>> {
    let own = Slot::Kept(id).key(part);
    let mut total = bytes + stored.iter().filter(|(key, _)| *key != own).map(|(_, bytes)| bytes).sum::<usize>();
    let keys: Vec<String> = stored.iter().map(|(key, _)| key.clone()).collect();
    let ages = orphans(list, &keys).into_iter().chain(list.iter().rev().map(|entry| entry.id)).filter(|other| *other != id);
    let ages: Vec<u64> = ages.collect();
    let histories = ages.iter().map(|id| vec![Slot::Kept(*id).key(HISTORY)]);
    // For what can be undone only the like of it goes; for all else this scenario's own goes, too, before another one.
    let is_history = part == HISTORY;
    let own_history = (!is_history).then(|| vec![Slot::Kept(id).key(HISTORY)]);
    let of = |id: &u64| keys.iter().filter(|key| read_key(key).is_some_and(|(of, _)| of == *id)).cloned().collect::<Vec<_>>();
    let scenarios = ages.iter().map(of).take(if is_history { 0 } else { usize::MAX });
    let mut gone: Vec<String> = Vec::new();
    for group in histories.chain(own_history).chain(scenarios) {
        if total <= MAX_KEPT_BYTES {
            break;
        }
        for key in group {
            if let Some((_, bytes)) = stored.iter().find(|(other, _)| *other == key && !gone.contains(other)) {
                total -= bytes;
                gone.push(key);
            }
        }
    }
    (total <= MAX_KEPT_BYTES).then_some(gone)
}
