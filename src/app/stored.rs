//! What survives a reload, as texts: the document with what could not be read of it, where the reader stands, and the theme.
//!
//! Depends on `format`, `examples` and `view::document`. Invariants: what cannot be read back is left out, never fatal; texts
//! of earlier versions of the page are read as they were meant.

use serde::{Deserialize, Serialize};

use crate::examples;
use crate::format;
use crate::units::Time;
use crate::view::document::Document;

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// What is kept for the next visit.
#[derive(Clone, Debug)]
pub struct Stored {
    /// What the reader works on.
    pub document: Document,
    /// The instant shown.
    pub at: Time,
    /// The step shown, if the run was there.
    pub position: Option<u32>,
    /// How the page looks.
    pub theme: Theme,
}

/// The key of the scenario, as a file of ours.
pub const SCENARIO: &str = "blockstep.scenario";
/// The key of what was typed and cannot be read: a list of path and text, as JSON.
pub const UNREAD: &str = "blockstep.unread";
/// The key of where the reader stands, as JSON.
pub const VIEW: &str = "blockstep.view";
/// The key of what was said about the file that the scenario came from: a list of sentences, as JSON.
pub const NOTES: &str = "blockstep.notes";

/// Where the reader stands.
#[derive(Serialize, Deserialize)]
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
        let view = View::read(&part(VIEW)?)?;
        document.example = view.example.as_deref().and_then(examples::known);
        Some(Self { document, at: Time(view.at_ns), position: view.position, theme: view.theme })
    }

    /// The texts, each with its key.
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
