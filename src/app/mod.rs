//! The page.

/// Puts the page into the document.
pub fn mount() {}
