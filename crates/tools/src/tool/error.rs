//! Why a tool does not do what it was asked.

use super::memory::MemoryError;
use crate::runs::RunsError;
use blockstep_format::LinkError;
use blockstep_learn::tour::TourError;
use blockstep_protocol::WireError;

/// Why a tool does not do what it was asked, or shows nothing: a sentence that its panel shows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// There is no run.
    #[error(transparent)]
    Runs(#[from] RunsError),
    /// There is no tour.
    #[error(transparent)]
    Tour(#[from] TourError),
    /// There is no link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// What the tool remembers cannot be written.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An event or a view cannot be read or written.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// There is no tool of this name.
    #[error("The worker knows no tool \"{0}\": reload the page, because its parts may have different versions.")]
    NoTool(String),
}
