//! Keys of what is stored, and limits of what is kept beside the reader's own work.

/// The key of the scenario, as a file of ours.
pub const SCENARIO: &str = "blockstep.scenario";
/// The key of the history, as JSON.
pub const HISTORY: &str = "blockstep.history";
/// The key of where the reader stands, as JSON.
pub const VIEW: &str = "blockstep.view";
/// The key of the page that a reader prefers to begin with, by its word.
pub const FIRST: &str = "blockstep.first";
/// The key of whether what a step moves is seen to move; not there if it is.
pub const STILL: &str = "blockstep.still";
/// The key of the list of scenarios beside the reader's own, and the beginning of theirs.
pub const KEPT: &str = "blockstep.kept";
/// Most scenarios beside the reader's own.
pub const MAX_ENTRIES: usize = 10;
/// Most bytes of all scenarios beside the reader's own.
pub const MAX_KEPT_BYTES: usize = 1_000_000;
