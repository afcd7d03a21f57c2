//! What starts: heads of queues, and blocks of kernels.
//!
//! Depends on the other files of `batch`. Invariants: only heads start, and only if what they truly
//! follow is done and their engine is free; of those that want the same engine the one issued first
//! gets it.

use super::{Active, EndingBlocks, Sim};
use crate::command::{CommandKind, CommandNo, KernelLaunch};
use crate::state::{BatchChange, BatchRule, CommandStatus};
use blockstep_sim::units::{Span, Time};

impl Sim<'_> {
    pub(super) fn heads(&mut self) -> bool {
        let mut any = false;
        loop {
            let mut heads: Vec<CommandNo> = self.state.queues.iter().filter_map(|(_, waiting)| waiting.first().copied()).collect();
            blockstep_sim::order::by_number(&mut heads, |no| self.state.issued.iter().position(|c| c == no).unwrap_or(0) as u64);
            // What takes no time first: only then is it clear who wants an engine, and what was
            // issued first gets it.
            let (engines, others): (Vec<_>, Vec<_>) = heads.into_iter().partition(|no| self.takes_engine(*no));
            let mut moved = false;
            for no in others {
                moved |= self.head(no);
            }
            if !moved {
                moved = engines.into_iter().any(|no| self.head(no));
            }
            if !moved {
                return any;
            }
            any = true;
        }
    }

    /// Whether a command waits for an engine that others may want too.
    fn takes_engine(&self, no: CommandNo) -> bool {
        let kind = self.program.command(no).kind;
        self.state.status(no) == CommandStatus::Waits && (matches!(kind, CommandKind::Kernel(_)) || self.arch.engine(kind).is_some())
    }

    /// Whether the head of a queue could do something.
    fn head(&mut self, no: CommandNo) -> bool {
        if let Some(i) = self.active.iter().position(|k| k.no == no) {
            let is_placed = self.active[i].placed == self.active[i].launch.blocks;
            if is_placed {
                self.step(BatchRule::AllPlaced, BatchChange::Leave(no));
            }
            return is_placed;
        }
        let follows = self.previous[no.index()].is_none_or(|p| self.state.is_done(p));
        if self.state.status(no) != CommandStatus::Waits || !follows || !self.is_free_for(no) {
            return false;
        }
        let costs = &self.arch.costs;
        let takes = match self.program.command(no).kind {
            CommandKind::Wait(event) if !self.state.is_done(event) => return false,
            CommandKind::SeeCounter(kernel) | CommandKind::SyncDevice(kernel) if !self.is_seen_on_device(no, kernel) => return false,
            CommandKind::Kernel(launch) => {
                self.start_kernel(no, launch);
                return true;
            }
            CommandKind::Copy(_, takes) => takes,
            CommandKind::MessageIn | CommandKind::MessageOut => costs.message,
            CommandKind::Choose => costs.decision,
            CommandKind::Launch => Span(costs.decision.0.saturating_add(costs.launch.0)),
            CommandKind::Dummy(_)
            | CommandKind::Record(..)
            | CommandKind::DummyRecord
            | CommandKind::Wait(_)
            | CommandKind::Query
            | CommandKind::SeeCounter(_)
            | CommandKind::SyncDevice(_) => Span::ZERO,
        };
        if takes == Span::ZERO {
            self.step(BatchRule::TakesNoTime, BatchChange::Done(no));
        } else {
            self.step(BatchRule::EngineFree, BatchChange::Start(no));
            self.ends.push((Time(self.now.0.saturating_add(takes.0)), no));
        }
        true
    }

    /// Whether the engine that a command needs is free for it.
    fn is_free_for(&self, no: CommandNo) -> bool {
        let kind = self.program.command(no).kind;
        let engine = self.arch.engine(kind);
        let runs = |(_, other): &(Time, CommandNo)| self.arch.engine(self.program.command(*other).kind) == engine;
        match kind {
            // Started kernels that still have blocks to place come first.
            CommandKind::Kernel(_) => self.active.iter().all(|k| k.placed == k.launch.blocks),
            _ => engine.is_none() || !self.ends.iter().any(runs),
        }
    }

    /// Whether a command would run at once if it were its turn.
    pub(crate) fn could_run(&self, no: CommandNo) -> bool {
        let has_room = match self.program.command(no).kind {
            CommandKind::Kernel(launch) => self.room.has_room(launch.threads_per_block),
            _ => true,
        };
        has_room && self.is_free_for(no)
    }

    fn is_seen_on_device(&self, no: CommandNo, kernel: CommandNo) -> bool {
        let Some(me) = self.active.iter().position(|k| k.no == kernel) else { return false };
        match self.program.command(no).kind {
            CommandKind::SyncDevice(_) => self.active[..=me].iter().all(|k| k.ended),
            _ => self.active[me].ended,
        }
    }

    fn start_kernel(&mut self, no: CommandNo, launch: KernelLaunch) {
        let wave = self.arch.wave(launch.threads_per_block).max(1);
        let waves = u64::from(launch.blocks).div_ceil(wave);
        self.step(BatchRule::EngineFree, BatchChange::Start(no));
        let active =
            Active { no, launch, wave, waves, placed: 0, resident: 0, began: None, waited: false, ended: false, until: Vec::new() };
        self.active.push(active);
        self.blocks();
        if let Some(kernel) = self.active.last_mut() {
            kernel.waited = kernel.placed < kernel.launch.blocks;
        }
    }

    /// Places blocks, those of the kernel that started first before the others.
    pub(super) fn blocks(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.active.len() {
            while self.active[i].placed < self.active[i].launch.blocks {
                let kernel = &mut self.active[i];
                let Some(sm) = self.room.place_one(kernel.launch.threads_per_block) else { return any };
                // Waves of a kernel that runs alone fill its time exactly, to the nanosecond.
                let turn = u64::from(kernel.placed) / kernel.wave;
                let share = |turn: u64| (u128::from(kernel.launch.alone.0) * u128::from(turn) / u128::from(kernel.waves)) as u64;
                let end = Time(self.now.0.saturating_add(share(turn + 1) - share(turn)));
                kernel.began.get_or_insert(self.now);
                kernel.placed += 1;
                kernel.resident += 1;
                any = true;
                match self.groups.iter_mut().find(|g| g.end == end && g.kernel == i && g.sm == sm) {
                    Some(group) => group.blocks += 1,
                    None => self.groups.push(EndingBlocks { end, kernel: i, sm, blocks: 1 }),
                }
            }
        }
        any
    }

    /// Steps for kernels whose resident blocks are not what was last shown; full waves that follow
    /// each other are none.
    pub(super) fn show_blocks(&mut self) {
        for i in 0..self.active.len() {
            let kernel = &self.active[i];
            let (no, resident, left) = (kernel.no, kernel.resident, kernel.launch.blocks - kernel.placed);
            let shown = self.state.blocks[no.index()];
            if shown.0 != resident || (left == 0) != (shown.1 == 0) {
                self.step(BatchRule::BlocksChange, BatchChange::Blocks(no, resident, left));
            }
        }
    }
}
