//! What code for another page can be.
//!
//! Invariant: words are those of links of version 1.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeForm {
    /// A picture that becomes the page when it is touched: the element of `public/blockstep-run.js`.
    #[default]
    Element,
    Frame,
}

impl CodeForm {
    pub const ALL: [Self; 2] = [Self::Element, Self::Frame];

    /// What forms and links call it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Frame => "frame",
        }
    }
}
