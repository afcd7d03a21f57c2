//! What a quiz that is going on keeps the reader from: steps after its question, and another scenario.
//!
//! Depends on Leptos and the protocol. Invariant: what is kept from the reader is said, with what can be done about it.

use leptos::prelude::*;

use blockstep_protocol::Hold;

/// Something that a quiz keeps the reader from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A later step.
    Steps,
    /// An edit of the scenario.
    Edit,
    /// Another scenario, or a link.
    Open,
}

impl Refusal {
    /// What is said of it.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::Steps => "Everything after this step is hidden until the quiz no longer asks about it.",
            Self::Edit => "The scenario cannot be changed during a quiz about it.",
            Self::Open => "Another scenario cannot be opened during a quiz.",
        }
    }
}

/// What is kept from the reader; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Fence {
    /// `None` while no quiz is going on.
    pub(crate) hold: RwSignal<Option<Hold>>,
    /// What the reader was kept from last.
    pub(crate) refused: RwSignal<Option<Refusal>>,
}

impl Fence {
    pub(super) fn new() -> Self {
        Self { hold: RwSignal::new(None), refused: RwSignal::new(None) }
    }

    /// Holds the reader, or lets them go.
    pub(crate) fn set(self, hold: Option<Hold>) {
        self.refused.set(None);
        if self.hold.get_untracked() != hold {
            self.hold.set(hold);
        }
    }

    /// Whether a quiz is going on; tracks it.
    pub(crate) fn is_up(self) -> bool {
        self.hold.with(Option::is_some)
    }

    /// Whether this is kept from the reader now; then it is said.
    pub(crate) fn refuses(self, what: Refusal) -> bool {
        let is_up = untrack(|| self.is_up());
        if is_up {
            self.refused.set(Some(what));
        }
        is_up
    }

    /// The steps that may be applied, of those wanted.
    pub(crate) fn within(self, position: u32) -> u32 {
        match self.hold.get_untracked() {
            Some(hold) if position > hold.limit => {
                self.refused.set(Some(Refusal::Steps));
                hold.limit
            }
            _ => position,
        }
    }
}
