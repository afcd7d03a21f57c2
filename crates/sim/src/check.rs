//! Invariants that hold in every trace, whoever made it: the papers' rules read backwards.
//!
//! Depends on `units`, `scenario`, `trace` and `record`; never on engine, policy or snapshot, so
//! it cannot repeat their mistakes. Invariant: a trace that follows the contract has no violation.
//! Source: docs/semantics.md, sections 2 to 9.

mod cited;
mod drains;
mod host;
pub mod measured;
mod own;
mod signals;
mod spins;
mod steps;
mod times;

use std::fmt;

use crate::record::Records;
use crate::trace::Trace;
use crate::units::Time;

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// Steps are in order of time and not past the run's end.
    TimeOrder,
    /// Jobs are numbered from 0, released when their task says, and complete with their last operation.
    Jobs,
    /// Operations are issued when their row says, in issue order (G1).
    Issue,
    /// Operations of one stream are queued, run and complete one after the other (G2, G4, C1, C4).
    StreamOrder,
    /// N1 and N2.
    NullStream,
    /// An operation behind a wait for an event moves on when what that had captured is complete (W1).
    Event,
    /// Nodes of a graph, and what stands before or behind it, move on in its order (W2).
    Graph,
    /// Operations move on in the order in which they were issued to a hardware connection (H1).
    Connection,
    /// A CPU thread makes its calls in table order, each in its time, and waits in them as long as it has to (T1 to T3).
    Host,
    /// No operation moves on before the producers of its job have completed.
    Producers,
    /// A kernel joins the EE queue of its stream's priority, a copy the CE queue of its direction (A1, C1).
    Queue,
    /// Blocks of one kernel are assigned once each, in order of index.
    BlockOrder,
    /// Only the head of an EE queue has blocks assigned, and it leaves with its last one (X1, G3).
    EeOrder,
    /// No block is assigned while a higher EE queue holds a kernel (A2).
    Priority,
    /// Copies are assigned from the head of their CE queue (C2, C3).
    CeOrder,
    /// A copy engine holds one copy at a time.
    CopyEngine,
    /// Threads of an SM (R2).
    Threads,
    /// Shared memory of an SM (R3).
    SharedMemory,
    /// Registers of an SM (R1).
    Registers,
    /// Block slots of an SM (R1).
    Slots,
    /// Every block, copy and switch takes its time, no more and no less.
    RunTime,
    /// Blocks spin until what they wait for holds, and not longer (B2); those of a cooperative kernel are assigned together (R4).
    Spin,
    /// A kernel completes with its last block.
    Completion,
    /// Nothing that may move on or be assigned is left behind at the end of an instant.
    LeftBehind,
    /// Only the resident address space is assigned to and executes.
    Residency,
    /// The Host serves the next entry of the runlist whose process has work, and then enters that.
    Runlist,
    /// A job chosen is released and incomplete, and its process is the one that is entered.
    Chosen,
    /// A process drains as long as its preemption mode says, graphics tasks to the end of a pixel, and no longer than the watchdog lets
    /// it; one that was reset never comes back.
    Drain,
    /// Signals tell what is true, once, and arrive in their time; only a job that the RunList Manager knows of is chosen; a runlist is
    /// submitted in its time before each switch, but within a chain that stays resident.
    Signals,
    /// A policy of one's own is told of each request and end once, in its time, of ticks, and of kernels if it hears of them.
    Told,
    /// Whoever is resident is admitted by the policy of one's own, as far as its mode lets it leave, and nobody who may go waits while nobody is.
    Admitted,
    /// Where a policy of one's own says whose kernels may be launched, only such a kernel joins its EE queue (P5).
    Launched,
    /// A server's deadline follows from the release of a job, or is a period later than before.
    Server,
    /// A step that cites N2, S3, L3 or E7 does so for the right reason.
    Citation,
}

/// One place where a trace breaks an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The invariant that is broken.
    pub invariant: Invariant,
    /// Time of the step that breaks it.
    pub at: Time,
    /// How, naming what breaks it.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns, {:?}: {}", self.at, self.invariant, self.what)
    }
}

/// Every violation found: those of the steps in their order, then those of the times. `records`
/// are the trace's own. Cost: a pass over the steps, and at every instant one over the streams.
#[must_use]
pub fn check(trace: &Trace, records: &Records) -> Vec<Violation> {
    let mut found = steps::check(trace);
    found.extend(host::check(trace));
    found.extend(signals::check(trace));
    found.extend(drains::check(trace));
    found.extend(cited::check(trace));
    found.extend(own::check(trace));
    found.extend(spins::check(trace, records));
    found.extend(times::check(trace, records));
    found
}
