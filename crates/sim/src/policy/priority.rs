//! `priority`: one address space with an EE queue for high-priority streams and one for all
//! others: what the TX2 does for the tasks of one process.
//!
//! Depends on the trait. Source: [TX2] section 4.2, rules A1 and A2; docs/semantics.md, section 5.

use super::{About, Entry, Policy, Setting};
use crate::scenario::PolicyKind;

/// What it is called and looks at.
const ABOUT: About = About {
    kind: PolicyKind::Priority,
    title: "Priority",
    name: "priority",
    help: "A high-priority and a low-priority EE queue, as on the TX2",
    uses: &[Setting::StreamPriority],
};

/// Its line in the table of policies.
pub(super) const ENTRY: Entry = Entry { about: &ABOUT, plain: &Priority, varied: &Priority };

/// The policy.
struct Priority;

impl Policy for Priority {
    fn about(&self) -> &'static About {
        &ABOUT
    }
}
