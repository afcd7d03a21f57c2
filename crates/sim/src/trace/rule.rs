//! The rules a step can cite: id, our sentence, source.
//!
//! Depends on serde alone. Invariant: an id is unique and never changes its meaning.

use serde::{Deserialize, Serialize};

crate::listed! {
    /// A rule of the papers, or one of the model around them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum Rule {
        /// An operation joins its stream queue.
        G1,
        /// Promotion of a kernel.
        G2,
        /// Fully dispatched.
        G3,
        /// Kernel complete.
        G4,
        /// Only the head of the EE queue.
        X1,
        /// Resource needs.
        R1,
        /// A block needs free threads on its SM.
        R2,
        /// Shared memory.
        R3,
        /// All blocks of a cooperative kernel at once.
        R4,
        /// Promotion of a copy.
        C1,
        /// Copy assigned.
        C2,
        /// Copy leaves the CE queue.
        C3,
        /// Copy complete.
        C4,
        /// NULL stream waits.
        N1,
        /// Others wait for the NULL stream.
        N2,
        /// A wait for an event.
        W1,
        /// The order of a graph.
        W2,
        /// One hardware connection, one order.
        H1,
        /// EE queue by priority.
        A1,
        /// Higher EE queues first.
        A2,
        /// The CPU waits.
        T1,
        /// A call returns.
        T2,
        /// A call that waits for the device beside what it does.
        T3,
        /// Job released.
        J1,
        /// Job complete.
        J2,
        /// Block complete.
        B1,
        /// Blocks that spin go on.
        B2,
        /// Context switch begins.
        S1,
        /// Process resident.
        S2,
        /// A process that drains begins nothing new.
        S3,
        /// Process leaves.
        S4,
        /// A suspended block or copy keeps its place.
        S5,
        /// What was suspended goes on at switch-in.
        S6,
        /// Channel reset by the watchdog.
        S7,
        /// Runlist entry visited.
        L1,
        /// Timeslice expired.
        L2,
        /// No work left.
        L3,
        /// Earliest deadline.
        E1,
        /// Best effort.
        E2,
        /// Inherited deadline.
        E3,
        /// A process gives way to a job that goes first.
        E4,
        /// Nothing pending.
        E5,
        /// Not preempted.
        E6,
        /// Timeslice expired within a chain.
        E7,
        /// Server renewed.
        Q1,
        /// Deadline postponed.
        Q2,
        /// Signal A is sent.
        M1,
        /// Signal A arrives.
        M2,
        /// Signal B is sent.
        M3,
        /// Signal B arrives.
        M4,
        /// Runlist submitted.
        M5,
        /// Deadline met.
        D1,
        /// Deadline missed.
        D2,
        /// A policy of one's own is told of a request.
        P1,
        /// It is told of an end.
        P2,
        /// It is told that time has passed.
        P3,
        /// A process gives way that it does not admit.
        P4,
        /// It lets a kernel be launched.
        P5,
        /// It is told of a launched kernel.
        P6,
        /// It is told of a finished kernel.
        P7,
    }
}

impl Rule {
    /// The id on a chip: `G1`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.text().0
    }

    /// What it says, in our words.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        self.text().1
    }

    /// Where it is from.
    #[must_use]
    pub const fn source(self) -> &'static str {
        self.text().2
    }

    /// The line of the decision at which a step cites it: docs/semantics.md, section 4.
    #[must_use]
    pub const fn line(self) -> Option<u8> {
        Some(match self {
            Self::M1 | Self::M3 => 1,
            Self::M2 | Self::M4 => 2,
            Self::P1 | Self::P2 | Self::P3 | Self::P6 | Self::P7 => 3,
            Self::P5 => 4,
            Self::Q2 => 5,
            Self::S3 => 9,
            Self::S7 => 10,
            Self::L3 => 12,
            Self::P4 => 13,
            Self::L2 => 14,
            Self::E5 => 17,
            Self::S4 | Self::E4 | Self::E6 => 18,
            Self::E1 | Self::E2 | Self::E3 => 19,
            Self::E7 => 20,
            Self::L1 => 22,
            Self::M5 => 24,
            Self::S1 => 25,
            Self::S2 | Self::S6 => 26,
            Self::S5 => 27,
            _ => return None,
        })
    }

    /// Where it is from, and its line of the decision: `[EDF] section III-B; line 14 of the decision`.
    #[must_use]
    pub fn cited(self) -> String {
        let source = self.source();
        self.line().map_or_else(|| source.to_owned(), |line| format!("{source}; line {line} of the decision"))
    }

    const fn text(self) -> (&'static str, &'static str, &'static str) {
        const BASIC: &str = "[TX2] section 3.2";
        const NULL: &str = "[TX2] section 4.1";
        const EVENT: &str = "[CUDA] runtime API, cudaEventRecord, cudaStreamWaitEvent";
        const GRAPH: &str = "[CUDA] 4.2, CUDA graphs";
        const CONNECTION: &str = "[CUDA] section 5.2.3, [MT] section 5.1";
        const SYNC: &str = "[CUDA] section 2.3.7; runtime API, API synchronization behavior";
        const PRIORITY: &str = "[TX2] section 4.2";
        const MODEL: &str = "Blockstep's model, [TX2] section 2.3";
        const PROCESS: &str = "[EDF] section III-B, [TX2] appendix A";
        const EDF: &str = "[EDF] section IV";
        const LIMITED: &str = "[LP] section IV";
        const CBS: &str = "[EDF] section IV, constant bandwidth server";
        const SIGNAL: &str = "[EDF] section III-D, Fig. 2b";
        const RUNLIST: &str = "[EDF] section III-B";
        const OWN: &str = "Blockstep's model, docs/semantics.md, section 14";
        match self {
            Self::G1 => ("G1", "An operation joins the tail of its stream queue at the moment it is issued.", BASIC),
            Self::G2 => ("G2", "When a kernel becomes first in its stream, it joins the end of the execution engine (EE) queue.", BASIC),
            Self::G3 => ("G3", "A kernel at the head of the EE queue leaves it as soon as its last block has been assigned.", BASIC),
            Self::G4 => ("G4", "A kernel leaves its stream queue when all its blocks have completed.", BASIC),
            Self::X1 => ("X1", "Only the first kernel in the EE queue may have blocks assigned; the rest wait.", BASIC),
            Self::R1 => {
                ("R1", "A block starts only on an SM with enough free threads, registers and shared memory and a free block slot.", BASIC)
            }
            Self::R2 => ("R2", "A block needs enough free threads on a single SM.", BASIC),
            Self::R3 => ("R3", "A block needs enough free shared memory on the same SM.", BASIC),
            Self::R4 => (
                "R4",
                "The first block of a cooperative kernel starts only where there is room for all its blocks.",
                "[CUDA] runtime API, cudaLaunchCooperativeKernel; how is our choice",
            ),
            Self::C1 => ("C1", "When a copy becomes first in its stream, it joins the end of the copy engine (CE) queue.", BASIC),
            Self::C2 => ("C2", "The copy at the head of the CE queue goes to the copy engine when the engine is idle.", BASIC),
            Self::C3 => ("C3", "A copy leaves the CE queue when it is assigned to the copy engine.", BASIC),
            Self::C4 => ("C4", "A copy leaves its stream queue when the copy engine has finished it.", BASIC),
            Self::N1 => (
                "N1",
                "The head of the NULL stream moves on only when every other blocking stream is empty or headed by an operation launched later.",
                NULL,
            ),
            Self::N2 => (
                "N2",
                "The head of any other blocking stream moves on only when the NULL stream is empty or headed by an operation launched later.",
                NULL,
            ),
            Self::W1 => (
                "W1",
                "An operation behind a wait for an event moves on only when the work that the event had captured is complete.",
                EVENT,
            ),
            Self::W2 => (
                "W2",
                "A node of a graph moves on only when the nodes that it waits for are complete; the first ones, when what stood before the \
                 graph in its stream is. Operations behind the graph there move on only when all its nodes are complete.",
                GRAPH,
            ),
            Self::H1 => (
                "H1",
                "Of the kernels in a hardware connection that streams share, and of the copies in it for each CE queue, only the one \
                 issued first moves on.",
                CONNECTION,
            ),
            Self::A1 => ("A1", "A kernel joins the EE queue that matches the priority of its stream.", PRIORITY),
            Self::A2 => ("A2", "Blocks from an EE queue may be assigned only while every EE queue of higher priority is empty.", PRIORITY),
            Self::T1 => (
                "T1",
                "A call that synchronizes, or a synchronous copy, keeps the CPU thread until the operations that it names are complete.",
                SYNC,
            ),
            Self::T2 => {
                ("T2", "A CPU thread makes its calls one after another. The next one begins when the call before it has returned.", SYNC)
            }
            Self::T3 => (
                "T3",
                "To allocate or free memory of the device, a call waits until every operation issued before it is complete.",
                "[CUDA] section 4.3",
            ),
            Self::J1 => ("J1", "A CPU task releases a job, which will issue the task's rows of the kernel table.", MODEL),
            Self::J2 => ("J2", "A job is complete when every operation of its rows is complete.", MODEL),
            Self::B1 => ("B1", "A block that has run for its block time frees its threads, memory, registers and slot.", MODEL),
            Self::B2 => (
                "B2",
                "Blocks that spin go on as soon as all that they wait for holds: blocks or kernels have begun, or are complete.",
                "Blockstep's model, docs/semantics.md, section 2",
            ),
            Self::S1 => ("S1", "A switch to another process takes the switch cost, and nothing executes meanwhile.", PROCESS),
            Self::S2 => ("S2", "Only the resident process's blocks and copies are assigned and execute.", PROCESS),
            Self::S3 => (
                "S3",
                "A process that drains starts no new work and leaves when the running work has completed. In preemption mode kernel, all \
                 blocks of the kernels that have started are still assigned. Blocks of a graphics task run on to the end of a pixel.",
                PROCESS,
            ),
            Self::S4 => ("S4", "A process that leaves gives up the whole GPU.", PROCESS),
            Self::S5 => ("S5", "A suspended block or copy keeps its place and its remaining time.", PROCESS),
            Self::S6 => ("S6", "At switch-in, suspended blocks and copies resume where they were.", PROCESS),
            Self::S7 => (
                "S7",
                "A process that still drains when the watchdog's time is up is reset: it leaves, and it never comes back.",
                "[EDF] section VI-C",
            ),
            Self::L1 => (
                "L1",
                "From its pointer, the Host goes around the runlist to the next entry whose process has work, and serves that process. \
                 If a process has several channels, each channel has its own entries and takes turns like a process.",
                RUNLIST,
            ),
            Self::L2 => (
                "L2",
                "A process whose timeslice expires while another has work leaves the GPU as soon as its preemption mode allows.",
                RUNLIST,
            ),
            Self::L3 => ("L3", "The resident process leaves as soon as it has no work.", RUNLIST),
            Self::E1 => ("E1", "The pending real-time job with the earliest deadline is chosen, and its process is made resident.", EDF),
            Self::E2 => ("E2", "A best-effort task is chosen, by its priority, only when no real-time job is pending.", EDF),
            Self::E3 => ("E3", "A job that others wait for inherits the earliest of their deadlines.", "[EDF] section IV-A"),
            Self::E4 => (
                "E4",
                "When a job of another process goes first, a process with pending work leaves the GPU as soon as it can be preempted.",
                LIMITED,
            ),
            Self::E5 => ("E5", "When no job is pending, no process is resident.", EDF),
            Self::E6 => (
                "E6",
                "Without preemption, a job runs until it completes. If a job of another process is next, the other running work of the process is drained.",
                LIMITED,
            ),
            Self::E7 => (
                "E7",
                "Where a chain stays resident, its processes take turns: one whose timeslice expires while another has work of the chain gives way.",
                "[EDF] sections III-B and IV-A",
            ),
            Self::Q1 => (
                "Q1",
                "If work arrives while its server's remaining budget is at least its share of the time until the server's deadline, the server gets a full budget and a new deadline.",
                CBS,
            ),
            Self::Q2 => (
                "Q2",
                "A server that has used up its budget gets a full budget again, and its deadline is postponed by one period. This is \
                 signal C, budget expired: it comes from the RunList Manager's own timer and takes no time.",
                "[EDF] sections III-D and IV, constant bandwidth server",
            ),
            Self::M1 => ("M1", "Signal A, new work submitted: a guest tells the RunList Manager that a job now has work issued.", SIGNAL),
            Self::M2 => ("M2", "When signal A arrives, the RunList Manager knows of the job, which may be chosen from then on.", SIGNAL),
            Self::M3 => (
                "M3",
                "Signal B, batch completed: the semaphore or syncpoint at the end of what a job has issued says that it is complete.",
                SIGNAL,
            ),
            Self::M4 => (
                "M4",
                "When signal B arrives, the RunList Manager knows that nothing of the job is left. Until then the job stays chosen.",
                SIGNAL,
            ),
            Self::M5 => (
                "M5",
                "To make a process resident, the RunList Manager submits a runlist with only its channels, or its chain's; then comes \
                 the switch.",
                "[EDF] section III-D",
            ),
            Self::D1 => ("D1", "A job that completes at or before its deadline meets it.", "[EDF] section III-B"),
            Self::D2 => {
                ("D2", "A job that is incomplete at its deadline has missed it, but still runs to completion.", "[EDF] section III-B")
            }
            Self::P1 => ("P1", "When a task releases a job, it asks the policy for the GPU: request. A task asks once at a time.", OWN),
            Self::P2 => ("P2", "When a job is complete and its task has woken up, the policy gets the event end.", OWN),
            Self::P3 => ("P3", "While a task is ready, the policy gets the event tick each time its interval has passed.", OWN),
            Self::P4 => {
                ("P4", "A resident process that the policy does not admit leaves the GPU as soon as its preemption mode allows.", OWN)
            }
            Self::P5 => (
                "P5",
                "Where the policy has a launch line, a kernel at the head of its stream queue joins its EE queue once that line names its task.",
                OWN,
            ),
            Self::P6 => ("P6", "When a kernel has joined its EE queue, the policy gets the event launch.", OWN),
            Self::P7 => ("P7", "When a kernel is complete, the policy gets the event finish.", OWN),
        }
    }
}
