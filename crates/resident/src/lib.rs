//! Whether blocks that need each other can hang: every order in which their kernels may arrive, and what would keep them from it.
//!
//! Depends on the simulator, whose engine applies the rules to each state. Invariants: times are left out, so what is said holds whatever
//! they are; a hang is shown by a table that the engine runs into it; "no order" is said only where every state was seen. Source:
//! docs/semantics.md, sections 2 and 9, and docs/resident.md.

mod calm;
mod json;
mod numbers;
mod order;
mod question;
mod repair;
mod report;
mod search;
mod shrink;
mod table;
mod tries;
mod witness;

pub use numbers::{Beside, Resident, Short, residents};
pub use question::{Question, Stage};
pub use repair::{Repair, Way};
pub use report::{ASSUMED, NO_REPAIR, REPAIRS, RESIDENTS, Report, size};
pub use search::{Answer, Found, Hang, Search};
pub use witness::{Arrival, Witness};

use blockstep_sim::scenario::{Choice, Draft, PolicyKind, Scenario, ScenarioError};

/// States that are looked at, in all tables of a question together, before it is left open.
pub const MAX_STATES: u64 = 2_000_000;

/// Why there is no answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The scenario is not valid.
    #[error("{0}")]
    Invalid(#[from] ScenarioError),
    /// Processes take turns, so that blocks of one are off the device at times.
    #[error("policy.kind is {word}; orders of arrival are searched under fifo and priority only", word = .0.word())]
    Turns(PolicyKind),
    /// Nothing in it waits for anything on the device.
    #[error("no kernel has barrier, until_begun, until_all_begun or until_completed, so no block waits for another one on the device")]
    NoSpins,
    /// The engine came to a limit.
    #[error("{0}")]
    Limit(String),
}

/// Whether there is something to ask about a scenario: blocks that spin, under a policy without turns.
///
/// # Errors
/// Why there is not.
pub fn can_ask(draft: &Draft) -> Result<(), Refused> {
    if draft.policy.kind.takes_turns() {
        return Err(Refused::Turns(draft.policy.kind));
    }
    if !Scenario::new(draft)?.has_spins() {
        return Err(Refused::NoSpins);
    }
    Ok(())
}
