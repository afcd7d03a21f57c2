//! What a link takes along.
//!
//! Invariant: what is the reader's own stays with them.

use serde::{Deserialize, Serialize};

use super::super::notes;
use crate::tool::link::example_of;
use crate::tool::{ReaderPlace, memory};
use blockstep_format::{self as format, Link};

/// Tools that a link does not take along: what they show came from files, or is the link itself.
pub(super) const LEFT_HERE: [&str; 5] = ["measured", "share", "class", "exercise", "sweep"];

/// What tools remember that is the reader's own, or follows from where they stand.
const OWN: [(&str, &str); 12] = [
    ("tour", "left"),
    ("tour", "done"),
    ("tour", "arrive"),
    ("compare", "reach"),
    ("compare", "instead"),
    ("compare", "instead_of"),
    ("ask", "clicked"),
    ("quiz", "student"),
    ("quiz", "began"),
    ("quiz", "ended"),
    ("batch", "kept"),
    ("batch", "past"),
];

/// What a link may go without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkPart {
    Zoom,
    Selection,
    Tools,
    Notes,
}

impl LinkPart {
    pub(super) const ALL: [Self; 4] = [Self::Zoom, Self::Selection, Self::Tools, Self::Notes];

    /// What links and forms call it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Zoom => "zoom",
            Self::Selection => "selection",
            Self::Tools => "tools",
            Self::Notes => "notes",
        }
    }

    pub(super) fn label(self, link: &Link) -> String {
        match self {
            Self::Zoom => "the visible part of the timeline".to_owned(),
            Self::Selection => format!("the selected kernel, {}", link.selected),
            Self::Tools => "the tools that are open".to_owned(),
            Self::Notes => "notes of this run".to_owned(),
        }
    }

    fn holds(self, tool: &str) -> bool {
        match self {
            Self::Zoom => false,
            // It is open as long as something is selected.
            Self::Selection => tool == "ask",
            Self::Notes => tool == "notes",
            Self::Tools => tool != "ask" && tool != "notes",
        }
    }

    pub(super) fn is_there(self, link: &Link) -> bool {
        match self {
            Self::Zoom => link.view.is_some(),
            Self::Selection => !link.selected.is_empty(),
            part => link.tools.iter().any(|(tool, _)| part.holds(tool)),
        }
    }

    pub(super) fn left_out_of(self, mut link: Link) -> Link {
        match self {
            Self::Zoom => link.view = None,
            Self::Selection => (link.selected, link.op) = (String::new(), None),
            // It hides what a tool asks about.
            Self::Tools => link.is_future_hidden = false,
            Self::Notes => {}
        }
        link.tools.retain(|(tool, _)| !self.holds(tool));
        link
    }
}

/// The page as it stands.
pub(super) fn link_of(place: &ReaderPlace) -> Link {
    // The page wrote it.
    let scenario = format::read_scenario(&place.scenario).unwrap_or_default();
    let selected = place.selected.map(|row| place.simulation.run.trace.scenario().row(row).name.clone()).unwrap_or_default();
    let mut link = Link {
        position: place.position,
        at_ns: place.at.ns(),
        example: place.example.filter(|_| example_of(&scenario).is_none()).map(|example| example.id.to_owned()).unwrap_or_default(),
        scenario,
        view: place.is_zoomed.then(|| place.scale.shown()).filter(|(from, to)| from < to),
        selected,
        op: place.op.map(|op| op.0),
        is_future_hidden: place.is_future_hidden,
        is_presenting: place.is_presenting,
        is_path_shown: place.is_path_shown,
        tools: Vec::new(),
    };
    for (name, memory) in place.tools.iter().filter(|(name, _)| !LEFT_HERE.contains(&name.as_str())) {
        let carried = if name == "notes" { notes::carried(memory, place) } else { memory.clone() };
        let mut fields = memory::fields(&carried);
        fields.retain(|key, _| !OWN.contains(&(name.as_str(), key)));
        link.tools.push((name.clone(), memory::text(&fields)));
    }
    // A panel without notes has nothing to say to others.
    link.tools.retain(|(name, memory)| name != "notes" || !memory.is_empty());
    link
}
