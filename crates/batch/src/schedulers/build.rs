//! What schedulers on the CPU have in common: streams, and the commands of each operation.
//!
//! Depends on the other files of `batch`. Invariants: an operation is one copy or kernel with a
//! start event before and a stop event after it; operations of one task are in one stream, or in
//! streams of which each waits for the stop event of the operation before. Source: [MT] sections 3,
//! 5.1 and 7.

use super::Batch;
use crate::command::{Command, CommandKind, CommandNo, Edge, HostStep, KernelLaunch, Op, Program, StreamNo};
use crate::methods::Method;
use crate::task::Task;
use blockstep_sim::units::Span;

/// Whether tasks have kernel streams of their own, or share one that keeps their kernels apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernels {
    Apart,
    Concurrent,
}

/// A program in the making.
pub(super) struct Build<'a> {
    pub(super) batch: &'a Batch<'a>,
    kernels: Kernels,
    /// Output copies go to the streams of their kernels (TX1).
    copies_follow: bool,
    program: Program,
    /// By task: the stop events of the input copy and of the kernel, where there are.
    stops: Vec<[Option<CommandNo>; 2]>,
    /// By task.
    pub(super) launched: Vec<Option<CommandNo>>,
}

impl<'a> Build<'a> {
    pub(super) fn new(batch: &'a Batch<'a>, kernels: Kernels, copies_follow: bool) -> Self {
        let count = batch.tasks.len();
        let mut build =
            Self { batch, kernels, copies_follow, program: Program::default(), stops: vec![[None; 2]; count], launched: vec![None; count] };
        if build.has(Method::SetEventQueue) {
            build.dummies();
        }
        build
    }

    pub(super) fn has(&self, method: Method) -> bool {
        self.batch.methods.has(method) && (!method.is_for_tx1() || self.batch.arch.misplaces_events)
    }

    pub(super) fn tasks(&self) -> std::ops::Range<usize> {
        0..self.batch.tasks.len()
    }

    /// The stream of an operation: one of each kind for each task (s1 and s2 copy in, s3 and s4
    /// execute, s5 and s6 copy out), or one for each task.
    fn stream(&self, task: usize, op: Op) -> StreamNo {
        let (task, tasks) = (task as u32, self.batch.tasks.len() as u32);
        let kernel = if self.kernels == Kernels::Apart { tasks + 1 } else { tasks + 1 + task };
        match op {
            _ if !self.has(Method::SetEventQueue) => task + 1,
            Op::CopyIn => task + 1,
            Op::Kernel => kernel,
            Op::CopyOut if self.copies_follow => kernel,
            Op::CopyOut => 2 * tasks + 1 + task,
        }
    }

    /// A dummy command in each stream, so that its events land in the queue of its operations.
    fn dummies(&mut self) {
        let mut begun: Vec<StreamNo> = Vec::new();
        for op in [Op::CopyIn, Op::Kernel, Op::CopyOut] {
            for task in self.tasks() {
                let stream = self.stream(task, op);
                if !begun.contains(&stream) {
                    begun.push(stream);
                    self.issue(Command { stream, task: None, kind: CommandKind::Dummy(op) });
                }
            }
        }
    }

    /// Adds a command that the host does not issue by itself.
    pub(super) fn add(&mut self, command: Command) -> CommandNo {
        self.program.commands.push(command);
        CommandNo(self.program.commands.len() as u32 - 1)
    }

    pub(super) fn issue(&mut self, command: Command) -> CommandNo {
        let no = self.add(command);
        self.host(HostStep::Issue(no));
        no
    }

    pub(super) fn host(&mut self, step: HostStep) {
        self.program.host.push(step);
    }

    /// The host waits for the device, with dummy events around what comes before (TX1).
    pub(super) fn sync(&mut self) {
        self.dummy_event();
        self.host(HostStep::Sync);
    }

    /// TX1: before the first command, and before the host waits.
    pub(super) fn dummy_event(&mut self) {
        if self.has(Method::DummyEvents) {
            self.issue(Command { stream: 0, task: None, kind: CommandKind::DummyRecord });
        }
    }

    fn command(&self, task: usize, op: Op, kind: CommandKind) -> Command {
        Command { stream: self.stream(task, op), task: Some(task), kind }
    }

    pub(super) fn copy_in(&mut self, task: usize) {
        let time = self.batch.tasks[task].copy_in.on(self.batch.arch);
        let command = |build: &Self, kind| build.command(task, Op::CopyIn, kind);
        self.issue(command(self, CommandKind::Record(Op::CopyIn, Edge::Start)));
        self.issue(command(self, CommandKind::Copy(Op::CopyIn, time)));
        self.stops[task][0] = Some(self.issue(command(self, CommandKind::Record(Op::CopyIn, Edge::Stop))));
    }

    /// The kernel with its start event; its stop event is another matter.
    pub(super) fn kernel(&mut self, task: usize, counts: bool) {
        let command = |build: &Self, kind| build.command(task, Op::Kernel, kind);
        let stream = self.stream(task, Op::Kernel);
        if let Some(stop) = self.stops[task][0].filter(|stop| self.program.command(*stop).stream != stream) {
            self.issue(command(self, CommandKind::Wait(stop)));
        }
        // Kernels that are to run one after the other, but have no stream in common.
        if self.kernels == Kernels::Apart
            && let Some(stop) = task.checked_sub(1).and_then(|other| self.stops[other][1])
            && self.program.command(stop).stream != stream
        {
            self.issue(command(self, CommandKind::Wait(stop)));
        }
        self.issue(command(self, CommandKind::Record(Op::Kernel, Edge::Start)));
        let launch = launch(self.batch, self.batch.tasks[task], counts);
        self.launched[task] = Some(self.issue(command(self, CommandKind::Kernel(launch))));
    }

    pub(super) fn kernel_stop(&mut self, task: usize) {
        self.stops[task][1] = Some(self.issue(self.command(task, Op::Kernel, CommandKind::Record(Op::Kernel, Edge::Stop))));
    }

    /// The output copy after the kernel's stop event, all issued now.
    pub(super) fn copy_out(&mut self, task: usize) {
        for no in self.copy_out_later(task, None) {
            self.host(HostStep::Issue(no));
        }
    }

    /// Where the stop event of a kernel goes that the host has seen end, and the output copy after it.
    pub(super) fn stop_and_copy_out(&mut self, task: usize, stop_in: Op) -> Vec<CommandNo> {
        let stream = self.stream(task, stop_in);
        let stop = self.add(Command { stream, task: Some(task), kind: CommandKind::Record(Op::Kernel, Edge::Stop) });
        let mut commands = vec![stop];
        commands.extend(self.copy_out_later(task, Some(stop)));
        commands
    }

    fn copy_out_later(&mut self, task: usize, stop: Option<CommandNo>) -> Vec<CommandNo> {
        let time = self.batch.tasks[task].copy_out.on(self.batch.arch);
        let command = |build: &Self, kind| build.command(task, Op::CopyOut, kind);
        let stream = self.stream(task, Op::CopyOut);
        let mut commands = Vec::new();
        if let Some(stop) = stop.or(self.stops[task][1]).filter(|stop| self.program.command(*stop).stream != stream) {
            commands.push(self.add(command(self, CommandKind::Wait(stop))));
        }
        // In the kernel's stream a start event would be the kernel's stop event by another name.
        if !self.copies_follow {
            commands.push(self.add(command(self, CommandKind::Record(Op::CopyOut, Edge::Start))));
        }
        commands.push(self.add(command(self, CommandKind::Copy(Op::CopyOut, time))));
        commands.push(self.add(command(self, CommandKind::Record(Op::CopyOut, Edge::Stop))));
        commands
    }

    pub(super) fn stream_of(&self, no: CommandNo) -> StreamNo {
        self.program.command(no).stream
    }

    pub(super) fn finish(self) -> Program {
        self.program
    }
}

/// A task's kernel as it is launched; counting its threads takes longer.
pub(super) fn launch(batch: &Batch<'_>, task: &Task, counts: bool) -> KernelLaunch {
    let counting = if counts { batch.arch.counting(task.threads()) } else { Span::ZERO };
    let alone = Span(task.kernel.0.saturating_add(counting.0));
    KernelLaunch { blocks: task.blocks, threads_per_block: task.threads_per_block, alone, counts }
}
