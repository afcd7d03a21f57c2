//! Texts that the worker makes and the page saves as files, up to a limit.
//!
//! Invariant: what is above the limit is never held, whatever its length.

use std::fmt::{self, Display, Write};

/// Most bytes that are saved at once: page and worker each hold them several times on their way.
pub const MAX_SAVED: usize = 128 * 1024 * 1024;

/// Texts that are together larger than [`MAX_SAVED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is larger than {limit} MiB, the most that the page saves at once. The command line writes it, whatever its size.", limit = MAX_SAVED >> 20)]
pub struct TooLargeToSave;

/// A text as a whole.
///
/// # Errors
/// If it is larger than [`MAX_SAVED`].
pub fn whole(text: impl Display) -> Result<String, TooLargeToSave> {
    wholes([text]).map(|mut texts| texts.pop().unwrap_or_default())
}

/// Several texts that are saved at once.
///
/// # Errors
/// If they are together larger than [`MAX_SAVED`].
pub fn wholes(texts: impl IntoIterator<Item = impl Display>) -> Result<Vec<String>, TooLargeToSave> {
    let mut room = MAX_SAVED;
    let held = texts.into_iter().map(|text| {
        let mut held = SavedText { text: String::new(), room };
        write!(held, "{text}")?;
        room = held.room;
        Ok(held.text)
    });
    held.collect::<Result<_, fmt::Error>>().map_err(|fmt::Error| TooLargeToSave)
}

struct SavedText {
    text: String,
    room: usize,
}

impl Write for SavedText {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.room = self.room.checked_sub(piece.len()).ok_or(fmt::Error)?;
        self.text.push_str(piece);
        Ok(())
    }
}
