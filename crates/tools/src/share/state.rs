//! What "Link and embed" remembers: what a link goes without, what a frame shows, and which link is being followed.
//!
//! Depends on `format`. Invariant: names and words are those of links of version 1.

use serde::{Deserialize, Serialize};

use super::form::CodeForm;
use super::parts::LinkPart;
use blockstep_format::Embed;

/// What is to be shared and how, and which link is being followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// What is wrong with the link that was to be followed.
    pub problem: String,
    /// The link that is followed once the other tools are closed.
    pub closing: String,
    /// The link whose run is on its way.
    pub arriving: String,
    /// What the link goes without.
    pub without: Vec<LinkPart>,
    /// What a frame shows.
    pub view: Option<Embed>,
    /// Its width, as it was typed.
    pub width: String,
    /// Its height, as it was typed.
    pub height: String,
    /// Whether it is restricted.
    pub sandbox: bool,
    /// What the code is.
    pub form: CodeForm,
    /// Whether its picture is a file of its own.
    #[serde(rename = "separate")]
    pub is_separate: bool,
}

impl State {
    /// Has the link take a part along, or go without it.
    pub fn include(&mut self, part: LinkPart, is_in: bool) {
        self.without.retain(|other| *other != part);
        if !is_in {
            self.without.push(part);
            self.without.sort_unstable();
        }
    }

    /// Goes no further after a link.
    pub(super) fn forget_link(&mut self) {
        self.closing.clear();
        self.arriving.clear();
    }
}
