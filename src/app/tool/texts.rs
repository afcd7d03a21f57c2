//! The texts that tools have in common. Depends on nothing.

// Menus, in their order.

pub(super) const PRACTISE: &str = "Practice";
pub(super) const EXPLAIN: &str = "Explain";
pub(super) const EXPLORE: &str = "Explore";
pub(super) const ANALYSE: &str = "Analyze";
pub(super) const SHARE: &str = "Share";

// Panels.

/// In place of what would tell the answer of a quiz.
#[cfg(target_arch = "wasm32")]
pub(super) const HIDDEN: &str = "Hidden until you answer.";

pub(super) fn not_written(error: &str) -> String {
    format!("What this tool remembers could not be written: {error}")
}
