//! What survives a reload, as texts: the document with what could not be read of it, where the reader stands, and the theme.
//!
//! Invariants: what cannot be read back is left out, never fatal; texts of earlier versions of the page are read as they were meant;
//! every kind of text has a limit.

mod kept;
mod keys;

use std::sync::Arc;

pub use kept::{
    KeptEntry, Slot, add_entry, has_room, is_list, make_room, orphans, put_back, read_entries, renamed, with_orphans, write_entries,
};
pub use keys::{FIRST, HISTORY, KEPT, MAX_ENTRIES, MAX_KEPT_BYTES, SCENARIO, STILL, VIEW};
use serde::{Deserialize, Serialize};

use blockstep_format as format;
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_view::document::Document;

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// What is kept for the next visit.
#[derive(Clone, Debug)]
pub struct Stored {
    pub document: Document,
    pub at: Time,
    pub position: Option<u32>,
    pub theme: Theme,
}

/// The key of what was typed and cannot be read: a list of path and text, as JSON.
pub const UNREAD: &str = "blockstep.unread";
/// The key of what was said about the file that the scenario came from: a list of sentences, as JSON.
pub const NOTES: &str = "blockstep.notes";

/// The key of the theme, which is the reader's own whatever they work on, as JSON.
pub const THEME: &str = "blockstep.theme";
/// The key of the version of what is stored.
pub const VERSION: &str = "blockstep.version";
/// What stands under that key.
pub const VERSION_NOW: &str = "1";
/// Begins the keys of what could not be read.
pub const ASIDE: &str = "blockstep.aside.";
/// Begins the keys of what tools remember.
const TOOL: &str = "blockstep.tool.";

/// The keys of a scenario, without those of tools.
pub const PARTS: [&str; 5] = [SCENARIO, UNREAD, VIEW, NOTES, HISTORY];

#[must_use]
pub fn tool_key(tool: &str) -> String {
    format!("{TOOL}{tool}")
}

/// Most bytes that are stored under a key of the reader's own work.
#[must_use]
pub fn room(part: &str) -> usize {
    match part {
        SCENARIO => 2_000_000,
        HISTORY => 900_000,
        _ if part.starts_with(TOOL) => 400_000,
        UNREAD => 200_000,
        NOTES => 100_000,
        _ => 4_000,
    }
}

/// Whether what stands under a key can be read, by the version of what is stored, if it has one. What tools remember they read themselves.
#[must_use]
pub fn is_readable(version: Option<&str>, part: &str, text: &str) -> bool {
    if version.is_some_and(|version| version != VERSION_NOW) {
        return false;
    }
    match part {
        SCENARIO => format::read_scenario(text).is_ok(),
        VIEW => View::read(text).is_some(),
        UNREAD => serde_json::from_str::<Vec<(String, String)>>(text).is_ok() || text.lines().all(|line| line.contains('\t')),
        HISTORY => serde_json::from_str::<[Vec<Edition>; 2]>(text).is_ok(),
        // Before there were versions they were lines.
        NOTES => version.is_none() || serde_json::from_str::<Vec<String>>(text).is_ok(),
        _ => true,
    }
}

/// Where the reader stands.
#[derive(Default, Serialize, Deserialize)]
struct View {
    at_ns: u64,
    position: Option<u32>,
    theme: Theme,
    example: Option<String>,
}

impl View {
    /// As it is written today, or as it was: instant, step, theme and example, with tabs between them.
    fn read(text: &str) -> Option<Self> {
        if let Ok(view) = serde_json::from_str(text) {
            return Some(view);
        }
        let mut parts = text.split('\t');
        let at_ns = parts.next()?.parse().ok()?;
        let position = parts.next().and_then(|position| position.parse().ok());
        let theme = match parts.next() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        };
        Some(Self { at_ns, position, theme, example: parts.next().map(str::to_owned) })
    }
}

/// How large the reader has made the parts of the page, px; `None` is the usual size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Panes {
    pub side_px: Option<f64>,
    pub timeline_px: Option<f64>,
}

/// The key of [`Panes`], as JSON.
pub const PANES: &str = "blockstep.panes";

/// Most documents of a history that are kept, before the present one and after it.
const MAX_KEPT: usize = 40;

/// Most bytes that they take.
const MAX_HISTORY_BYTES: usize = 800_000;

#[derive(Serialize, Deserialize)]
struct Edition {
    scenario: String,
    unread: Vec<(String, String)>,
    example: Option<String>,
    notes: Vec<String>,
}

impl Edition {
    fn from_document(document: &Document) -> Self {
        Self {
            scenario: format::write_scenario(&document.draft()),
            unread: document.raw_texts(),
            example: document.example.map(str::to_owned),
            notes: document.notes.clone(),
        }
    }

    fn read(self) -> Option<Document> {
        let mut document = Document::new(format::read_scenario(&self.scenario).ok()?);
        for (path, text) in self.unread {
            document.set_path(&path, &text);
        }
        document.example = self.example.as_deref().and_then(examples::known);
        document.notes = self.notes;
        Some(document)
    }
}

/// What can be undone and redone, each the next one last, as a text: the nearest ones, as far as there is room.
#[must_use]
pub fn write_history(past: &[Arc<Document>], future: &[Arc<Document>]) -> String {
    let mut room = MAX_HISTORY_BYTES;
    let mut kept = |documents: &[Arc<Document>]| {
        let mut kept: Vec<Edition> = Vec::new();
        for document in documents.iter().rev().take(MAX_KEPT) {
            let edition = Edition::from_document(document);
            // Names and brackets included.
            let size = edition.scenario.len() + edition.unread.iter().map(|(path, text)| path.len() + text.len()).sum::<usize>() + 200;
            let Some(left) = room.checked_sub(size) else { break };
            room = left;
            kept.push(edition);
        }
        kept.reverse();
        kept
    };
    let history = [kept(past), kept(future)];
    // Strings: they can always be written.
    serde_json::to_string(&history).unwrap_or_default()
}

/// Reads them back; those before one that cannot be read are left out with it.
#[must_use]
pub fn read_history(text: &str) -> [Vec<Document>; 2] {
    let kept: [Vec<Edition>; 2] = serde_json::from_str(text).unwrap_or_default();
    kept.map(|editions| {
        let mut documents: Vec<Document> = editions.into_iter().rev().map_while(Edition::read).collect();
        documents.reverse();
        documents
    })
}

impl Stored {
    /// Reads it back from the texts kept under the keys; nothing if there is no scenario, or none that can be read.
    pub fn read(part: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let mut document = Document::new(format::read_scenario(&part(SCENARIO)?).ok()?);
        let notes = part(NOTES).unwrap_or_default();
        document.notes = serde_json::from_str(&notes).unwrap_or_else(|_| notes.lines().map(str::to_owned).collect());
        let unread = part(UNREAD).unwrap_or_default();
        let by_line =
            || unread.lines().filter_map(|line| line.split_once('\t')).map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        let typed: Vec<(String, String)> = serde_json::from_str(&unread).unwrap_or_else(|_| by_line());
        for (path, text) in typed {
            document.set_path(&path, &text);
        }
        let view = part(VIEW).and_then(|view| View::read(&view)).unwrap_or_default();
        document.example = view.example.as_deref().and_then(examples::known);
        Some(Self { document, at: Time(view.at_ns), position: view.position, theme: view.theme })
    }

    #[must_use]
    pub fn parts(&self) -> [(&'static str, String); 4] {
        let document = &self.document;
        let view = View { at_ns: self.at.ns(), position: self.position, theme: self.theme, example: document.example.map(str::to_owned) };
        // Strings and numbers: they can always be written.
        let json = |written: serde_json::Result<String>| written.unwrap_or_default();
        [
            (SCENARIO, format::write_scenario(&document.draft())),
            (UNREAD, json(serde_json::to_string(&document.raw_texts()))),
            (VIEW, json(serde_json::to_string(&view))),
            (NOTES, json(serde_json::to_string(&document.notes))),
        ]
    }
}
