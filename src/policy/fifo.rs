//! `fifo`: one address space with a single EE queue; stream priorities are ignored.
//!
//! Depends on the trait. Source: [TX2] section 3.2; contract, section 5.

use super::Policy;
use crate::scenario::{Layout, PolicyKind, Scenario, StreamQueue};
use crate::snapshot::Residency;
use crate::trace::Level;

/// The policy.
pub(super) struct Fifo;

impl Policy for Fifo {
    fn kind(&self) -> PolicyKind {
        PolicyKind::Fifo
    }

    fn layout(&self, scenario: &Scenario) -> Layout {
        Layout::shared(scenario)
    }

    fn at_start(&self) -> Residency {
        Residency::Shared
    }

    fn level(&self, _stream: &StreamQueue) -> Level {
        Level::Low
    }
}
