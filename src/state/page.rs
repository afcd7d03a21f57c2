//! The pages: the run with its tools, and those that have the window to themselves.
//!
//! Invariant: the word of a page is the name of what it shows in links and in the browser's storage.

use blockstep_tools::ToolId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Run,
    Trace,
    Batch,
    Class,
    Policy,
    Sweep,
}

impl Page {
    const ALL: [Self; 6] = [Self::Run, Self::Trace, Self::Batch, Self::Class, Self::Policy, Self::Sweep];

    /// What is told and remembers in its place; the run has its tools for that.
    pub(crate) const fn model(self) -> Option<ToolId> {
        match self {
            Self::Run => None,
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
        self.model().map_or("", |model| model.info().name)
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.word() == word)
    }
}
