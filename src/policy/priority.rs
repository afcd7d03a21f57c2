//! `priority`: one address space with an EE queue for high-priority streams and one for all
//! others: what the TX2 does for the tasks of one process.
//!
//! Depends on the trait. Source: [TX2] section 4.2, rules A1 and A2; docs/semantics.md, section 5.

use super::Policy;
use crate::scenario::PolicyKind;

/// The policy.
pub(super) struct Priority;

impl Policy for Priority {
    fn kind(&self) -> PolicyKind {
        PolicyKind::Priority
    }

    fn takes_turns(&self) -> bool {
        false
    }
}
