//! The texts around the tools' panels: tabs, heads, and what goes wrong with any of them. Depends on nothing.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

// The tabs.

pub(super) const OPEN_TOOLS: &str = "Open tools";
pub(super) const WHAT_TO_SHARE: &str = "What to share";

// The head of a panel.

pub(super) const BACK: &str = "Back to the run";
pub(super) const CLOSE: &str = "Close";

// Messages.

pub(super) const OWN_AGAIN: &str = "Your own scenario is back.";

pub(super) fn unknown(tool: &str) -> String {
    format!("The worker knows no tool \"{tool}\": reload the page, because its parts may have different versions.")
}
