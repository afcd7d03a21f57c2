//! What "Link and embed" remembers: what a link goes without, what a frame shows, and which link is being followed.
//!
//! Depends on `format`. Invariant: names and values are those of links of version 1.

use serde::{Deserialize, Deserializer, Serialize};

use super::form::Form;
use super::msg::Msg;
use super::parts::Part;
use crate::tool::memory;
use blockstep_format::Embed;

/// What is to be shared and how, and which link is being followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// What is wrong with the link that was to be followed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The link that is followed once the other tools are closed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub closing: String,
    /// The link whose run is on its way.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub arriving: String,
    /// What the link goes without.
    #[serde(with = "memory::list", skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Part>,
    /// What a frame shows.
    #[serde(deserialize_with = "read_embed", skip_serializing_if = "Option::is_none")]
    pub view: Option<Embed>,
    /// Its width, as it was typed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub width: String,
    /// Its height, as it was typed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub height: String,
    /// Whether it is restricted.
    #[serde(with = "memory::flag", skip_serializing_if = "memory::is_false")]
    pub sandbox: bool,
    /// What the code is.
    #[serde(skip_serializing_if = "Form::is_first")]
    pub form: Form,
    /// Whether its picture is a file of its own.
    #[serde(rename = "separate", with = "memory::flag", skip_serializing_if = "memory::is_false")]
    pub is_separate: bool,
}

impl State {
    /// Keeps what was ticked, chosen and typed.
    pub(super) fn choose(&mut self, message: Msg) {
        match message {
            Msg::Take(part, is_in) => {
                self.without.retain(|other| *other != part);
                if !is_in {
                    self.without.push(part);
                    self.without.sort_unstable();
                }
            }
            Msg::Show(view) => self.view = Some(view),
            Msg::Width(width) => self.width = width,
            Msg::Height(height) => self.height = height,
            Msg::Restrict(is_on) => self.sandbox = is_on,
            Msg::Choose(form) => self.form = form,
            Msg::Separate(is_on) => self.is_separate = is_on,
            Msg::Follow(_) | Msg::CopyLink | Msg::CopyCode | Msg::SavePoster => {}
        }
    }

    /// Goes no further after a link.
    pub(super) fn forget_link(&mut self) {
        self.closing.clear();
        self.arriving.clear();
    }
}

fn read_embed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Embed>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.and_then(|word| Embed::from_word(&word)))
}
