//! What a scenario needs for a rule to be used.
//!
//! Depends on `scenario` and what `policy` says of each policy. Invariant: what is said to be missing is not there.

use blockstep_sim::language::one_of;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::{Call, Chain, Choice, Class, KernelRow, PolicyKind, Preemption, Scenario, StreamPriority, Turns};
use blockstep_sim::trace::Rule;
use blockstep_sim::units::Span;

/// Something that a scenario has or not.
#[derive(Clone, Copy)]
enum Need {
    /// Anything that goes to a stream.
    Operation,
    /// Any kernel.
    Kernel,
    /// A policy of which this is so.
    Policy(fn(PolicyKind) -> bool),
    /// Kernels that use shared memory.
    SharedMemory,
    /// A copy.
    Copies,
    /// A kernel in the NULL stream, and one in another stream.
    Null,
    /// A kernel that waits for an event.
    Events,
    /// A graph that is launched.
    Graphs,
    /// A kernel whose blocks spin.
    Spins,
    /// A kernel that is launched cooperatively.
    Cooperative,
    /// Streams that share hardware connections.
    Connections,
    /// A kernel in a stream of high priority.
    High,
    /// A kernel in a stream of another one.
    Low,
    /// A task that is judged by a deadline.
    Deadline,
    /// A call in which the CPU waits.
    HostWaits,
    /// A call that allocates or frees memory.
    Allocates,
    /// Two processes with kernels.
    Processes,
    /// Kernels of two of them, or signals that take time: then one gives way while its own next work is not known. Or a policy of one's own.
    GivesWay,
    /// Switches that take time.
    SwitchCost,
    /// Messages to the RunList Manager that take time.
    Signals,
    /// Runlists whose submission takes time.
    RunlistUpdate,
    /// A task of this class.
    Class(Class),
    /// A task that consumes what another one produces.
    Consumer,
    /// Chains that stay resident.
    Chains,
    /// Tasks with servers.
    Servers,
    /// Processes that do not give way at once: by a preemption mode, or as a graphics task does to the end of a pixel.
    Drains,
    /// A limit to how long a process may drain.
    Watchdog,
    /// Processes that leave while their blocks run: in the preemption mode `thread`, or when the watchdog resets them.
    Suspends,
    /// A policy that is told of the time.
    Tick,
    /// A policy that says whose kernels may be launched.
    Launches,
    /// A policy that is told of kernels that are launched.
    HearsLaunches,
    /// The same of those that finish.
    HearsFinishes,
    /// One of these preemption modes, of a process or of the policy.
    Preemption(&'static [Preemption]),
}

const TURNS: Need = Need::Policy(PolicyKind::takes_turns);
const RUNLIST: Need = Need::Policy(|kind| matches!(kind.turns(), Turns::Runlist | Turns::Text));
const OWN: Need = Need::Policy(|kind| kind.turns() == Turns::Text);
const EDF: Need = Need::Policy(|kind| kind.turns() == Turns::Deadlines);
const LEVELS: Need = Need::Policy(|kind| policy::about(kind).uses(Setting::StreamPriority));
const REAL_TIME: Need = Need::Class(Class::RealTime);

/// What is missing for a rule to be used: the first thing it needs that the scenario has not, or, if
/// it has them all, the situation that does not come about.
#[must_use]
pub fn hint(rule: Rule, scenario: &Scenario) -> String {
    let (needs, situation) = needs(rule);
    match needs.iter().find(|need| !need.is_met(scenario)) {
        Some(need) => format!("Needs {}.", need.words()),
        None => format!("Needs {situation}."),
    }
}

/// Whether a scenario has all that it must have for a rule to be used. The run may still not come to it.
#[must_use]
pub fn is_possible(rule: Rule, scenario: &Scenario) -> bool {
    needs(rule).0.iter().all(|need| need.is_met(scenario))
}

/// What a rule needs, and the situation in which it is used.
fn needs(rule: Rule) -> (&'static [Need], &'static str) {
    match rule {
        Rule::G1 => (&[Need::Operation], "an operation that is issued before the run ends"),
        Rule::G3 | Rule::G4 | Rule::B1 => (&[Need::Kernel], "a kernel that gets this far before the run ends"),
        Rule::X1 => (&[Need::Kernel], "a kernel that waits behind another one in its EE queue"),
        Rule::G2 => (&[Need::Kernel], "a kernel that reaches the head of a stream without high priority"),
        Rule::R1 => (&[Need::Kernel], "a kernel that gets this far before the run ends"),
        Rule::R2 => (&[Need::Kernel], "more threads at once than the SMs have: more or larger blocks"),
        Rule::R3 => (
            &[Need::Kernel, Need::SharedMemory],
            "blocks whose shared memory an SM cannot hold together, though it has the threads for them",
        ),
        Rule::R4 => (&[Need::Cooperative], "a cooperative kernel that waits for room for all its blocks, and finds it before the run ends"),
        Rule::B2 => (&[Need::Spins], "blocks that spin and go on before the run ends"),
        Rule::C1 | Rule::C2 | Rule::C3 | Rule::C4 => (&[Need::Copies], "a copy that gets this far before the run ends"),
        Rule::N1 => (&[Need::Null], "a kernel that reaches the head of the NULL stream"),
        Rule::N2 => (&[Need::Null], "a launch to another stream while the NULL stream has something launched before it"),
        Rule::W1 => (&[Need::Events], "a launch behind a wait for an event whose work is not complete"),
        Rule::W2 => (&[Need::Graphs], "a node in a branch, or a launch behind one, that has to wait for another node"),
        Rule::H1 => (&[Need::Connections], "a launch behind another one that waits in the same connection, though its own stream is ready"),
        Rule::A1 => (&[LEVELS, Need::High], "a kernel of high priority that reaches the head of its stream"),
        Rule::A2 => (&[LEVELS, Need::High, Need::Low], "a kernel of high priority while one of low priority has blocks left to assign"),
        Rule::T1 => (&[Need::HostWaits], "a call that synchronizes, or a synchronous copy, before the run ends"),
        Rule::T2 => (&[Need::HostWaits], "a call that waits, and returns before the run ends"),
        Rule::T3 => (&[Need::Allocates], "a call that allocates or frees memory before the run ends"),
        Rule::J1 => (&[], "a task whose offset lies before the end of the run"),
        Rule::J2 => (&[], "a job, without a deadline or after it, that completes before the run ends"),
        Rule::S1 => (&[TURNS, Need::Processes, Need::SwitchCost], "two processes that have work in turn"),
        Rule::S2 | Rule::S4 => (&[TURNS, Need::Operation], "a process that has work"),
        Rule::S3 => (&[TURNS, Need::Drains], "a process whose turn ends while its blocks run"),
        Rule::S7 => (&[EDF, Need::Drains, Need::Watchdog], "a process that drains for longer than the watchdog lets it"),
        Rule::S5 => (&[TURNS, Need::GivesWay, Need::Suspends], "a process whose turn ends while its blocks run"),
        Rule::S6 => (&[TURNS, Need::GivesWay, Need::Suspends], "a process with suspended blocks that becomes resident again"),
        Rule::L1 | Rule::L3 => (&[RUNLIST, Need::Operation], "a process that has work and completes it"),
        Rule::L2 => (
            &[RUNLIST, Need::Processes, Need::Preemption(&[Preemption::Thread, Preemption::Block, Preemption::Kernel])],
            "a process with more work than its timeslice, while another one has work",
        ),
        Rule::E1 => (&[EDF, REAL_TIME], "a real-time job with something issued"),
        Rule::E2 => (&[EDF, Need::Class(Class::BestEffort)], "a best-effort job while no real-time job is pending"),
        Rule::E3 => (&[EDF, Need::Consumer, REAL_TIME], "a job that waits for one with a later deadline of its own, or with none"),
        Rule::E4 => (
            &[EDF, Need::Processes, Need::Preemption(&[Preemption::Thread, Preemption::Block, Preemption::Kernel])],
            "a job of another process that goes first while one is pending",
        ),
        Rule::E5 => (&[EDF, Need::Operation], "a moment at which nothing is pending"),
        Rule::E6 => (
            &[EDF, Need::Processes, Need::Preemption(&[Preemption::None])],
            "a job that completes while another job of its process still runs",
        ),
        Rule::E7 => (
            &[
                EDF,
                Need::Chains,
                Need::Consumer,
                REAL_TIME,
                Need::Processes,
                Need::Preemption(&[Preemption::Thread, Preemption::Block, Preemption::Kernel]),
            ],
            "two producers of a consumer, in two processes, with more work than a timeslice",
        ),
        Rule::Q1 => (&[EDF, Need::Servers, REAL_TIME], "a real-time job whose first work is issued"),
        Rule::Q2 => (&[EDF, Need::Servers, REAL_TIME], "a job that takes longer than its task's budget"),
        Rule::M1 | Rule::M3 => (&[EDF, Need::Signals, Need::Operation], "a job that has issued work, or whose issued work is complete"),
        Rule::M2 | Rule::M4 => (&[EDF, Need::Signals, Need::Operation], "a signal that arrives before the run ends"),
        Rule::M5 => (&[EDF, Need::RunlistUpdate, Need::Operation], "a process that has work"),
        Rule::P1 => (&[OWN, Need::Operation], "a job that is released before the run ends"),
        Rule::P2 => (&[OWN, Need::Operation], "a job that completes, and whose task wakes up, before the run ends"),
        Rule::P3 => (&[OWN, Need::Tick, Need::Operation], "an interval that passes while a task is ready"),
        Rule::P4 => (
            &[OWN, Need::Operation, Need::Preemption(&[Preemption::Thread, Preemption::Block, Preemption::Kernel])],
            "a resident process that is no longer admitted while it has work",
        ),
        Rule::P5 => (&[OWN, Need::Launches, Need::Kernel], "a kernel at the head of its stream whose task the policy launches"),
        Rule::P6 => (&[OWN, Need::HearsLaunches, Need::Kernel], "a kernel that joins its EE queue"),
        Rule::P7 => (&[OWN, Need::HearsFinishes, Need::Kernel], "a kernel that completes before the run ends"),
        Rule::D1 => (&[Need::Deadline], "a job that completes by its deadline"),
        Rule::D2 => (&[Need::Deadline], "a deadline that comes before its job is complete"),
    }
}

impl Need {
    fn is_met(self, scenario: &Scenario) -> bool {
        let rows = scenario.rows();
        let priority = |row: &KernelRow| scenario.streams()[row.stream].priority;
        let is_null = |row: &KernelRow| scenario.streams()[row.stream].is_null();
        let issuing = || rows.iter().filter(|row| row.call.has_operation());
        let kernels = || rows.iter().filter(|row| row.call == Call::Kernel);
        match self {
            Self::Operation => issuing().next().is_some(),
            Self::Kernel => kernels().next().is_some(),
            Self::HostWaits => rows.iter().any(KernelRow::has_wait),
            Self::Allocates => rows.iter().any(|row| row.call.waits_beside()),
            Self::Policy(is_such) => is_such(scenario.policy().kind),
            Self::SharedMemory => rows.iter().any(|row| row.needs.shared_memory > 0),
            Self::Copies => rows.iter().any(|row| row.copy_in.is_some() || row.copy_out.is_some()),
            Self::Null => issuing().any(is_null),
            Self::Events => scenario.waits_for_events(),
            Self::Graphs => scenario.has_graphs(),
            Self::Spins => scenario.has_spins(),
            Self::Cooperative => scenario.has_cooperative(),
            Self::Connections => scenario.connections().is_some(),
            Self::High => kernels().any(|row| priority(row) == StreamPriority::High),
            Self::Low => kernels().any(|row| priority(row) != StreamPriority::High),
            Self::Deadline => scenario.tasks().iter().any(|task| task.deadline.is_some()),
            Self::Processes => {
                // Channels of one process take turns, too.
                let mut turns = issuing().map(|row| (scenario.task(row.task).process, scenario.streams()[row.stream].channel));
                turns.next().is_some_and(|first| turns.any(|other| other != first))
            }
            Self::GivesWay => {
                // A policy of one's own may hold back the only one.
                let is_alone = !Self::Processes.is_met(scenario);
                !is_alone || scenario.policy().signal_time() > Span::ZERO || scenario.own().is_some()
            }
            Self::SwitchCost => scenario.switches().longest().ns() > 0,
            Self::Signals => scenario.policy().signal_ns > 0,
            Self::Drains => {
                let by_mode = Self::Preemption(&[Preemption::Block, Preemption::Kernel, Preemption::None]).is_met(scenario);
                let has_deadlines = scenario.policy().kind.turns() == Turns::Deadlines;
                by_mode || (has_deadlines && scenario.tasks().iter().any(|task| task.pixel_latency.is_some()))
            }
            Self::Watchdog => scenario.policy().watchdog().is_some(),
            Self::Suspends => Self::Preemption(&[Preemption::Thread]).is_met(scenario) || Self::Watchdog.is_met(scenario),
            Self::RunlistUpdate => scenario.policy().runlist_ns > 0,
            Self::Class(class) => scenario.tasks().iter().any(|task| task.class == class),
            Self::Consumer => scenario.tasks().iter().any(|task| !task.consumes.is_empty()),
            Self::Chains => scenario.policy().chain == Chain::Resident,
            Self::Servers => scenario.policy().cbs,
            Self::Tick => scenario.own().is_some_and(|own| own.program().tick_every().is_some()),
            Self::Launches => scenario.own().is_some_and(|own| own.program().gates_launches()),
            Self::HearsLaunches => scenario.own().is_some_and(|own| own.program().hears_launches()),
            Self::HearsFinishes => scenario.own().is_some_and(|own| own.program().hears_finishes()),
            Self::Preemption(modes) if scenario.policy().kind.turns() == Turns::Deadlines => modes.contains(&scenario.policy().preemption),
            Self::Preemption(modes) => scenario.processes().iter().any(|process| modes.contains(&process.preemption)),
        }
    }

    fn words(self) -> String {
        let either = |words: Vec<&str>| one_of(&words);
        match self {
            Self::Operation => "a kernel or copy in the table".to_owned(),
            Self::Kernel => "a kernel in the table".to_owned(),
            Self::Policy(is_such) => {
                let such = PolicyKind::ALL.iter().filter(|&&kind| is_such(kind));
                format!("the policy {}", either(such.map(|kind| kind.word()).collect()))
            }
            Self::SharedMemory => "a kernel that uses shared memory".to_owned(),
            Self::Copies => "a kernel with a copy in or out".to_owned(),
            Self::Null => "a kernel in the NULL stream".to_owned(),
            Self::Events => "a kernel that waits for an event".to_owned(),
            Self::HostWaits => "a call in which the CPU waits".to_owned(),
            Self::Allocates => "a call that allocates or frees memory".to_owned(),
            Self::Graphs => "a graph that is launched".to_owned(),
            Self::Spins => "a kernel whose blocks spin (barrier or until)".to_owned(),
            Self::Cooperative => "a kernel with cooperative".to_owned(),
            Self::Connections => "hardware connections that streams share".to_owned(),
            Self::High => "a kernel in a stream of high priority".to_owned(),
            Self::Low => "a kernel in a stream that is not of high priority".to_owned(),
            Self::Deadline => "a task with a deadline or a period".to_owned(),
            Self::Processes | Self::GivesWay => "kernels of two processes or channels".to_owned(),
            Self::SwitchCost => "a switch cost".to_owned(),
            Self::Signals => "signals that take time".to_owned(),
            Self::RunlistUpdate => "runlists whose submission takes time".to_owned(),
            Self::Class(Class::RealTime) => "a real-time task".to_owned(),
            Self::Class(Class::BestEffort) => "a best-effort task".to_owned(),
            Self::Consumer => "a task that consumes what another one produces".to_owned(),
            Self::Chains => "chains that stay resident".to_owned(),
            Self::Servers => "servers (CBS)".to_owned(),
            Self::Drains => "the preemption mode block, kernel or none, or a graphics task".to_owned(),
            Self::Watchdog => "a watchdog".to_owned(),
            Self::Suspends => "the preemption mode thread, or a watchdog".to_owned(),
            Self::Tick => "a policy with a tick".to_owned(),
            Self::Launches => "a policy with a launch line".to_owned(),
            Self::HearsLaunches => "a policy with the event launch".to_owned(),
            Self::HearsFinishes => "a policy with the event finish".to_owned(),
            Self::Preemption(modes) => format!("the preemption mode {}", either(modes.iter().map(|mode| mode.word()).collect())),
        }
    }
}
