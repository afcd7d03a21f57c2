//! What a scheduling policy is, and which there are. Each has a file of its own with all that is known of it: what it
//! is called, what it does in a line, which settings it looks at, and its decisions.
//!
//! Depends on `units`, `scenario`, `trace` and `snapshot`. Invariant: a policy is a pure function
//! of the state: it returns decisions with the rule that makes them and keeps nothing itself, so
//! what it knows about the past stands in the snapshot. The engine carries decisions out.

mod about;
mod edf;
mod fifo;
mod own;
mod priority;
mod runlist;

pub use about::{About, Setting};

use crate::scenario::{Choice, PolicyKind, Preemption, Scenario, StreamPriority, StreamQueue};
use crate::snapshot::Snapshot;
use crate::trace::{Change, Level, Rule, Told, Trace, Variants};
use crate::units::{ClaimantId, OpId, SpaceId, Time};

/// What a policy may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The run so far: scenario, layout and operations.
    pub trace: &'a Trace,
    /// The state now.
    pub state: &'a Snapshot,
    /// The instant it is; the last step may be earlier.
    pub now: Time,
}

/// Something that changes who may execute, and the rule for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The rule that decides.
    pub rule: Rule,
    /// What changes for the address spaces.
    pub action: Action,
}

/// What a policy can ask for in the decision (docs/semantics.md, section 4, lines 3 to 29).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Make this address space resident, at the switch cost where one is due. Nobody is resident.
    Enter(SpaceId),
    /// The resident address space leaves; what it runs is suspended in place.
    Leave,
    /// The resident address space begins nothing new from here on; whose job it makes room for.
    Drain(Option<ClaimantId>),
    /// The policy's own part of the state changes so.
    Note(Change),
    /// The policy of one's own is told of this; when the job is due that asks.
    Tell(Told, Option<Time>),
    /// This kernel, which heads its stream, joins its EE queue.
    Launch(OpId),
    /// The deadline of this claimant's server would lie past the last instant there is.
    TooLate(ClaimantId),
}

/// Which variants are in force: known when the policy is compiled, or asked of the run.
trait Ruling: Sync {
    fn variants(view: View<'_>) -> Variants;
}

/// The rules as they are.
struct Plain;

impl Ruling for Plain {
    #[inline(always)]
    fn variants(_: View<'_>) -> Variants {
        Variants::NONE
    }
}

/// Those of the run.
struct AsTheRun;

impl Ruling for AsTheRun {
    fn variants(view: View<'_>) -> Variants {
        view.trace.variants()
    }
}

/// A scheduling policy.
pub trait Policy: Sync {
    /// What it is called and looks at.
    fn about(&self) -> &'static About;

    /// The EE queue of a stream's kernels: that of its priority (A1), where a policy has no other.
    fn level(&self, stream: &StreamQueue) -> Level {
        match stream.priority {
            StreamPriority::High => Level::High,
            StreamPriority::Low | StreamPriority::None => Level::Low,
        }
    }

    /// The next instant after `view.now` at which it wants to be asked again although nothing
    /// else happens then.
    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        let _ = view;
        None
    }

    /// Whether real-time tasks have servers, so that their budgets must be known.
    fn has_servers(&self, scenario: &Scenario) -> bool {
        let _ = scenario;
        false
    }

    /// Whether it must be known how long a job of each task takes alone.
    fn needs_durations(&self, scenario: &Scenario) -> bool {
        let _ = scenario;
        false
    }

    /// What an arrival at a claimant's server changes: something of it is issued now, after it had nothing
    /// issued and incomplete (docs/semantics.md, section 7): [`Action::Note`], or [`Action::TooLate`]. The operation is
    /// not issued yet.
    fn arrival(&self, view: View<'_>, claimant: ClaimantId) -> Option<Decision> {
        let _ = (view, claimant);
        None
    }

    /// The next context decision of this instant; asked again after each one until there is none.
    fn decide(&self, view: View<'_>) -> Option<Decision> {
        let _ = view;
        None
    }
}

/// Whether a process that has to give way, or drains, still has something to finish (docs/semantics.md, section 4, lines 9 and 28): `thread` nothing; `block` and `none` the blocks and copies that run;
/// `kernel` also the kernels of which a block has been assigned, to their last block.
fn has_to_finish(view: View<'_>, space: SpaceId) -> bool {
    match view.trace.scenario().preemption(space) {
        Preemption::Thread => false,
        Preemption::Block | Preemption::None => view.state.executes(space),
        Preemption::Kernel => view.state.executes(space) || view.state.begun_kernels(view.trace, space).next().is_some(),
    }
}

/// A policy of the table, as it is and heeding the variants of the rules that a run is made with; the same one where
/// no variant concerns it.
struct Entry {
    about: &'static About,
    plain: &'static dyn Policy,
    varied: &'static dyn Policy,
}

/// Every policy, in the order of [`PolicyKind::ALL`].
const ALL: &[Entry] = &[fifo::ENTRY, priority::ENTRY, runlist::ENTRY, edf::ENTRY, own::ENTRY];

// A kind without a policy, or one at another's place, is no program.
const _: () = {
    assert!(ALL.len() == PolicyKind::ALL.len(), "every kind has its line in the table");
    let mut i = 0;
    while i < ALL.len() {
        assert!(ALL[i].about.kind as usize == i && PolicyKind::ALL[i] as usize == i, "in the order of the kinds");
        i += 1;
    }
};

/// The policy of this kind.
#[must_use]
pub fn find(kind: PolicyKind) -> &'static dyn Policy {
    ALL[kind as usize].plain
}

/// The policy of this kind, heeding the variants of the rules that a run is made with.
#[must_use]
pub fn find_varied(kind: PolicyKind) -> &'static dyn Policy {
    ALL[kind as usize].varied
}

/// What a policy is called and looks at.
#[must_use]
pub const fn about(kind: PolicyKind) -> &'static About {
    ALL[kind as usize].about
}

/// Whether a setting makes a difference under the policy of this scenario.
#[must_use]
pub fn uses(scenario: &Scenario, setting: Setting) -> bool {
    about(scenario.policy().kind).uses(setting)
}
