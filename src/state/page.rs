//! The pages: Explore, the run with its tools, and those that have the window to themselves.
//!
//! Invariants: the word of a page is the name of what it shows in links and in the browser's storage; whoever comes by a link to
//! something, or with work stored before there was Explore, begins with the run.

use leptos::prelude::window;

use super::storage;
use blockstep_tools::ToolId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Explore,
    Run,
    Trace,
    Batch,
    Class,
    Policy,
    Sweep,
}

impl Page {
    const ALL: [Self; 7] = [Self::Explore, Self::Run, Self::Trace, Self::Batch, Self::Class, Self::Policy, Self::Sweep];

    /// What is told and remembers in its place; Explore and the run have the tools for that.
    pub(crate) const fn model(self) -> Option<ToolId> {
        match self {
            Self::Explore | Self::Run => None,
            Self::Trace => Some(ToolId::Trace),
            Self::Batch => Some(ToolId::Batch),
            Self::Class => Some(ToolId::Class),
            Self::Policy => Some(ToolId::OwnPolicy),
            Self::Sweep => Some(ToolId::Sweep),
        }
    }

    /// The page that shows it; `None` of a tool beside the run.
    pub(crate) fn of_model(model: ToolId) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.model() == Some(model))
    }

    /// What stands after `#/` in its address.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Explore => "",
            Self::Run => "lab",
            page => page.model().map_or("", |model| model.info().name),
        }
    }

    /// The page of what stands after `#/`; a question of Explore has a word of its own.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.word() == word).or_else(|| question(word).map(|_| Self::Explore))
    }

    /// Whether it shows the run of the document.
    pub(crate) const fn has_run(self) -> bool {
        matches!(self, Self::Explore | Self::Run)
    }

    /// The page to begin with.
    pub(crate) fn at_start() -> Self {
        let hash = window().location().hash().unwrap_or_default();
        if storage::is_embedded() || hash.contains('=') {
            return Self::Run;
        }
        if let Some(word) = hash.strip_prefix("#/") {
            return Self::from_word(word).unwrap_or(Self::Run);
        }
        match storage::first_page() {
            Some(word) if word == Self::Run.word() => Self::Run,
            Some(_) => Self::Explore,
            None if storage::has_own() => Self::Run,
            None => Self::Explore,
        }
    }
}

/// The name of the question in the word of an address.
pub(crate) fn question(word: &str) -> Option<&str> {
    word.strip_prefix("explore/")
}
