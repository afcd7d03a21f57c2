//! `fifo`: one address space with a single EE queue; stream priorities are ignored.
//!
//! Depends on the trait. Source: [TX2] section 3.2; docs/semantics.md, section 5.

use super::Policy;
use crate::scenario::{PolicyKind, StreamQueue};
use crate::trace::Level;

/// The policy.
pub(super) struct Fifo;

impl Policy for Fifo {
    fn kind(&self) -> PolicyKind {
        PolicyKind::Fifo
    }

    fn takes_turns(&self) -> bool {
        false
    }

    fn level(&self, _stream: &StreamQueue) -> Level {
        Level::Low
    }
}
