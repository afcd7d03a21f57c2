//! `fifo`: one address space with a single EE queue; stream priorities are ignored.
//!
//! Depends on the trait. Source: [TX2] section 3.2; docs/semantics.md, section 5.

use super::{About, Entry, Policy};
use crate::scenario::{PolicyKind, StreamQueue};
use crate::trace::Level;

/// What it is called and looks at.
const ABOUT: About =
    About { kind: PolicyKind::Fifo, title: "FIFO", name: "FIFO", help: "One EE queue; stream priorities are ignored", uses: &[] };

/// Its line in the table of policies.
pub(super) const ENTRY: Entry = Entry { about: &ABOUT, plain: &Fifo, varied: &Fifo };

/// The policy.
struct Fifo;

impl Policy for Fifo {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn level(&self, _stream: &StreamQueue) -> Level {
        Level::Low
    }
}
