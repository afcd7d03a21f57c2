//! What the reader can do in the panel of links.
//!
//! Invariant: a message says by itself what is to be done, whatever the page shows.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Follow a link, given as an address or the fragment of one; the panel need not be open.
    Follow(String),
    SavePoster,
    CopyLink,
    CopyCode,
}
