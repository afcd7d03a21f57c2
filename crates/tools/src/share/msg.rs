//! What the reader can do in the panel of links.
//!
//! Invariant: a message says by itself what is to be done, whatever the page shows.

use serde::{Deserialize, Serialize};

use super::form::Form;
use super::parts::Part;
use blockstep_format::Embed;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Follow a link, given as an address or the fragment of one; the panel need not be open.
    Follow(String),
    Take(Part, bool),
    Show(Embed),
    Width(String),
    Height(String),
    Restrict(bool),
    /// Choose what the code is: a picture that becomes the page, or a frame.
    Choose(Form),
    /// Keep the picture in a file of its own, or in the code.
    Separate(bool),
    SavePoster,
    CopyLink,
    CopyCode,
}
