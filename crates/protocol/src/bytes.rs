//! Messages as bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a message cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// Only a type of ours that serde cannot write has this.
    #[error("A message could not be written: {0}")]
    Unwritten(postcard::Error),
    /// The bytes come from another version.
    #[error("Parts of this page have different versions. Reload the page. ({0})")]
    OtherVersion(postcard::Error),
}

/// A value as bytes.
///
/// # Errors
/// [`WireError::Unwritten`].
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, WireError> {
    postcard::to_stdvec(value).map_err(WireError::Unwritten)
}

/// The value of these bytes.
///
/// # Errors
/// [`WireError::OtherVersion`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    postcard::from_bytes(bytes).map_err(WireError::OtherVersion)
}
