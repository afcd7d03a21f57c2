//! Why a command waits, as things stand at a step.
//!
//! Depends on the other files of `batch`. Invariants: the reasons are those by which the simulation
//! keeps a command waiting, looked up in the state alone; where all is settled at an instant, nothing
//! that waits has [`Wait::Nothing`] as its reason.

use super::arch::Arch;
use super::command::{CommandKind, CommandNo, Program};
use super::queues::Queue;
use super::state::{BatchState, CommandStatus};

/// What a command waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// It is not at the head of its queue; this is.
    Behind(Queue, CommandNo),
    /// The command before it in its stream is not done.
    Stream(CommandNo),
    /// The event that it waits for is not recorded yet.
    Event(CommandNo),
    /// Its engine carries this out.
    Engine(CommandNo),
    /// A kernel that started before has blocks to place, which come first.
    Blocks(CommandNo),
    /// A kernel whose end it watches for has not ended, or one that is waited for with it.
    End(CommandNo),
    /// A kernel that has started: blocks that have no room yet.
    Room(Room),
    /// Nothing: its turn comes at this instant.
    Nothing,
}

/// Blocks that wait for room, and what is free on all multiprocessors together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Blocks left to place.
    pub left: u32,
    /// Threads of each, which have to fit into one multiprocessor.
    pub threads: u32,
    /// Free threads.
    pub free_threads: u64,
    /// Free places for blocks.
    pub free_blocks: u64,
}

/// Why a command waits; nothing if it does not.
#[must_use]
pub fn why(program: &Program, arch: &Arch, state: &BatchState, no: CommandNo) -> Option<Wait> {
    let (kind, left) = (program.command(no).kind, state.blocks[no.index()].1);
    match (state.status(no), kind) {
        (CommandStatus::Runs(_), CommandKind::Kernel(launch)) if left > 0 => {
            return Some(Wait::Room(room(program, arch, state, left, launch.threads_per_block)));
        }
        (CommandStatus::Waits, _) => {}
        _ => return None,
    }
    let (queue, place) = state.place(no)?;
    if place > 0 {
        return Some(Wait::Behind(queue, state.queue(queue)[0]));
    }
    if let Some(before) = previous(program, state, no).filter(|before| !state.is_done(*before)) {
        return Some(Wait::Stream(before));
    }
    let busy = |other: &CommandNo| state.is_running(*other) && arch.engine(program.command(*other).kind) == arch.engine(kind);
    Some(match kind {
        CommandKind::Wait(event) if !state.is_done(event) => Wait::Event(event),
        CommandKind::SeeCounter(kernel) if !has_ended(state, kernel) => Wait::End(kernel),
        // It waits for those launched before it too.
        CommandKind::SyncDevice(kernel) => {
            let mut launched = running_kernels(program, state).take_while(|other| *other <= kernel);
            launched.next().or(Some(kernel).filter(|kernel| !has_ended(state, *kernel))).map_or(Wait::Nothing, Wait::End)
        }
        CommandKind::Kernel(_) => {
            running_kernels(program, state).find(|other| state.blocks[other.index()].1 > 0).map_or(Wait::Nothing, Wait::Blocks)
        }
        _ if arch.engine(kind).is_some() => state.issued.iter().copied().find(busy).map_or(Wait::Nothing, Wait::Engine),
        _ => Wait::Nothing,
    })
}

/// The command before it in its stream; queries are none, as they stand in no queue.
fn previous(program: &Program, state: &BatchState, no: CommandNo) -> Option<CommandNo> {
    let stream = program.command(no).stream;
    let before = state.issued.iter().copied().take_while(|other| *other != no);
    before.filter(|other| program.command(*other).stream == stream && program.command(*other).kind != CommandKind::Query).last()
}

/// Kernels that have started and not ended, in order of issue.
fn running_kernels<'a>(program: &'a Program, state: &'a BatchState) -> impl Iterator<Item = CommandNo> + use<'a> {
    let is_kernel = |no: &CommandNo| matches!(program.command(*no).kind, CommandKind::Kernel(_));
    state.issued.iter().copied().filter(move |no| is_kernel(no) && state.is_running(*no))
}

fn has_ended(state: &BatchState, no: CommandNo) -> bool {
    matches!(state.status(no), CommandStatus::Ended(_) | CommandStatus::Done(_))
}

fn room(program: &Program, arch: &Arch, state: &BatchState, left: u32, threads: u32) -> Room {
    let (mut free_threads, mut free_blocks) = (arch.threads(), u64::from(arch.blocks_per_sm) * u64::from(arch.sms));
    let mut take = |blocks: u64, threads: u32| {
        free_blocks = free_blocks.saturating_sub(blocks);
        free_threads = free_threads.saturating_sub(blocks * u64::from(threads));
    };
    if program.on_gpu {
        take(1, arch.costs.scheduler_threads);
    }
    for (command, (resident, _)) in program.commands.iter().zip(&state.blocks) {
        if let CommandKind::Kernel(launch) = command.kind {
            take(u64::from(*resident), launch.threads_per_block);
        }
    }
    Room { left, threads, free_threads, free_blocks }
}
