//! What the reader can do in the panel of links.
//!
//! Depends on `format`. Invariant: a message says by itself what is to be done, whatever the page shows.

use serde::{Deserialize, Serialize};

use super::form::Form;
use super::parts::Part;
use blockstep_format::Embed;

/// What the reader can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Follow a link, given as an address or the fragment of one; the panel need not be open.
    Follow(String),
    /// Take a part along, or leave it out.
    Take(Part, bool),
    /// Choose what a frame shows.
    Show(Embed),
    /// Type its width.
    Width(String),
    /// Type its height.
    Height(String),
    /// Restrict it, or do not.
    Restrict(bool),
    /// Choose what the code is: a picture that becomes the page, or a frame.
    Choose(Form),
    /// Keep the picture in a file of its own, or in the code.
    Separate(bool),
    /// Save the picture.
    SavePoster,
    /// Put the link on the clipboard.
    CopyLink,
    /// Put the code of the frame on the clipboard.
    CopyCode,
}
