//! Steps and commands of a batch in sentences.
//!
//! Depends on `batch`. Invariant: every command and every change has a sentence of its own.

use crate::quantity::format_count;
use blockstep_batch::command::{CommandKind, CommandNo, Edge, Op, Program};
use blockstep_batch::state::{BatchChange, BatchState, Host};
use blockstep_batch::waits::Wait;
use blockstep_sim::language::{one_or, s};

/// What an operation is called.
#[must_use]
pub const fn op(op: Op) -> &'static str {
    match op {
        Op::CopyIn => "input copy",
        Op::Kernel => "kernel",
        Op::CopyOut => "output copy",
    }
}

/// What a command is, in words: "the event before the kernel of t1".
#[must_use]
pub fn command(program: &Program, no: CommandNo) -> String {
    let command = program.command(no);
    let of = command.task.map_or(String::new(), |task| format!(" of t{}", task + 1));
    match command.kind {
        CommandKind::Copy(what, _) => format!("the {}{of}", op(what)),
        CommandKind::Kernel(launch) if launch.counts => format!("the kernel{of}, whose threads count themselves"),
        CommandKind::Kernel(_) => format!("the kernel{of}"),
        CommandKind::Dummy(Op::Kernel) => format!("a dummy kernel, so that stream s{} belongs to an execution queue", command.stream),
        CommandKind::Dummy(_) => format!("a dummy copy, so that stream s{} belongs to a copy queue", command.stream),
        CommandKind::Record(what, Edge::Start) => format!("the event before the {}{of}", op(what)),
        CommandKind::Record(what, Edge::Stop) => format!("the event after the {}{of}", op(what)),
        CommandKind::DummyRecord => "a dummy event".to_owned(),
        CommandKind::Wait(event) => format!("stream s{} waits for {}", command.stream, program.label(event)),
        CommandKind::Query => format!("a query of stream s{}", command.stream),
        CommandKind::MessageIn => "a message to the scheduler on the GPU".to_owned(),
        CommandKind::MessageOut => "a message to the host".to_owned(),
        CommandKind::Choose => "the scheduler on the GPU chooses the tasks".to_owned(),
        CommandKind::Launch => format!("the scheduler on the GPU launches the kernel{of}"),
        CommandKind::SeeCounter(kernel) => format!("the scheduler on the GPU watches the counter of {}", program.label(kernel)),
        CommandKind::SyncDevice(kernel) => format!("the scheduler on the GPU synchronizes to see the end of {}", program.label(kernel)),
    }
}

/// What a step does; `before` is the state that it is applied to.
#[must_use]
pub fn change(program: &Program, before: &BatchState, change: BatchChange) -> String {
    let label = |no| program.label(no);
    match change {
        BatchChange::Issue(no, Some(queue)) => {
            let what = command(program, no);
            let at = match before.queue(queue) {
                [] => "at its head".to_owned(),
                [head] => format!("behind {}", label(*head)),
                [.., last] => format!("at the end, behind {}", label(*last)),
            };
            format!("The host issues {} ({what}). It lands in the {}, {at}.", label(no), queue.name())
        }
        BatchChange::Issue(no, None) => format!("The host carries out {} itself ({}).", label(no), command(program, no)),
        BatchChange::Start(no) => format!("{} starts ({}).", label(no), command(program, no)),
        BatchChange::Blocks(no, resident, 0) if resident > 0 => {
            format!("All blocks of {} are placed; {} {}.", label(no), format_count(resident.into()), one_or(resident, "runs", "run"))
        }
        BatchChange::Blocks(no, 0, 0) => format!("The last block of {} ends.", label(no)),
        BatchChange::Blocks(no, resident, left) => format!(
            "{} block{} of {} {}, {} {} for room.",
            format_count(resident.into()),
            s(resident),
            label(no),
            one_or(resident, "runs", "run"),
            format_count(left.into()),
            one_or(left, "waits", "wait")
        ),
        BatchChange::Leave(no) => format!("{} leaves its queue and keeps running; the next command has its turn.", label(no)),
        BatchChange::End(no) => format!("{} has ended, but its finish signal is held back.", label(no)),
        BatchChange::Done(no) => format!("{} is done ({}).", label(no), command(program, no)),
        BatchChange::Host(Host::Issues) => "The host continues to issue commands.".to_owned(),
        BatchChange::Host(Host::Waits) => "The host waits until the device has done everything.".to_owned(),
        BatchChange::Host(Host::WaitsFor(no)) => format!("The host waits for {}.", label(no)),
        BatchChange::Host(Host::Polls) => "The host polls to learn which kernel ends first.".to_owned(),
        BatchChange::Host(Host::Sees(no)) => format!("The host sees that {} has ended.", label(no)),
        BatchChange::Host(Host::Through) => "The host has finished this batch.".to_owned(),
    }
}

/// What the host does, in a few words.
#[must_use]
pub fn host(program: &Program, host: Host) -> String {
    match host {
        Host::Issues => "issues commands".to_owned(),
        Host::Waits => "waits for the device".to_owned(),
        Host::WaitsFor(no) => format!("waits for {}", program.label(no)),
        Host::Polls => "polls".to_owned(),
        Host::Sees(no) => format!("saw the end of {}", program.label(no)),
        Host::Through => "has finished this batch".to_owned(),
    }
}

/// Why a command waits.
#[must_use]
pub fn wait(program: &Program, no: CommandNo, wait: Wait) -> String {
    let label = |no| program.label(no);
    let me = label(no);
    match wait {
        Wait::Behind(queue, head) => format!("{me} is in the {} behind its head, {}.", queue.name(), label(head)),
        Wait::Stream(before) => format!("{me} waits for {}, which comes before it in its stream and is not done.", label(before)),
        Wait::Event(event) => format!("{me} waits for the event {}, which is not recorded yet.", label(event)),
        Wait::Engine(other) => match program.command(other).kind {
            CommandKind::Copy(..) => format!("{me} waits for the copy engine, which carries out {}.", label(other)),
            _ => format!("{me} waits for the scheduler on the GPU, which is busy with {}.", label(other)),
        },
        Wait::Blocks(kernel) => format!("{me} waits until all blocks of {}, which started earlier, are placed.", label(kernel)),
        Wait::End(kernel) => format!("{me} waits for the end of {}.", label(kernel)),
        Wait::Room(room) => format!(
            "{} of {me} {} for room: each needs {} threads on one SM; all SMs together have {} threads and {} block slots free.",
            if room.left == 1 { "1 block".to_owned() } else { format!("{} blocks", format_count(room.left.into())) },
            if room.left == 1 { "waits" } else { "wait" },
            room.threads,
            format_count(room.free_threads),
            room.free_blocks
        ),
        Wait::Nothing => format!("{me} has its turn at this instant."),
    }
}
