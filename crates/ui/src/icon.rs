//! The pictures on buttons.
//!
//! Invariant: a picture says nothing to a screen reader; its button has a name.

use leptos::prelude::*;

/// A picture on a button, as the path that it is drawn by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    First,
    PreviousInstant,
    Back,
    Play,
    Pause,
    Forward,
    NextInstant,
    Last,
    Undo,
    Redo,
    Theme,
    MoveUp,
    MoveDown,
    Duplicate,
    Delete,
}

impl Icon {
    /// Its path, on a sheet of 24 by 24.
    pub const fn path(self) -> &'static str {
        match self {
            Self::First => "M6 5h2v14H6zM20 5v14L9 12z",
            Self::PreviousInstant => "M13 5v14l-9-7zM21 5v14l-8-7z",
            Self::Back => "M17 5v14L6 12z",
            Self::Play => "M7 4v16l13-8z",
            Self::Pause => "M6 5h4v14H6zM14 5h4v14h-4z",
            Self::Forward => "M7 5v14l11-7z",
            Self::NextInstant => "M3 5v14l8-7zM11 5v14l9-7z",
            Self::Last => "M16 5h2v14h-2zM4 5v14l11-7z",
            Self::Undo => "M9 5 3 11l6 6v-4h5a4 4 0 0 1 0 8H8v2h6a6 6 0 0 0 0-12H9z",
            Self::Redo => "m15 5 6 6-6 6v-4h-5a4 4 0 0 0 0 8h6v2h-6a6 6 0 0 1 0-12h5z",
            Self::Theme => "M12 3a9 9 0 1 0 0 18zm0-2a11 11 0 1 1 0 22 11 11 0 0 1 0-22z",
            Self::MoveUp => "M12 5 5 12h4v7h6v-7h4z",
            Self::MoveDown => "M12 19l7-7h-4V5H9v7H5z",
            Self::Duplicate => "M8 3h12v14h-3v-2h1V5h-8v1H8zM4 7h12v14H4zm2 2v10h8V9z",
            Self::Delete => "M6 7h12l-1 14H7zM9 3h6l1 2h4v2H4V5h4z",
        }
    }

    pub fn view(self) -> impl IntoView {
        view! {
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d=self.path() />
            </svg>
        }
    }
}
