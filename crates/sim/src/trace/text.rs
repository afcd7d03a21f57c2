//! The text form of a trace: one line a step, the form goldens are kept in.
//!
//! Depends on the rest of `trace`. Invariants: a line holds everything its step holds, and is one line
//! whatever the names are.

use std::fmt::{self, Display, Write};

use super::{Change, Level, Step, Trace};
use crate::scenario::{Choice, plain};
use crate::units::{ClaimantId, JobNo, RowId, SpaceId, TaskId};

impl Trace {
    /// `time rule what` of one step, without a line break: `0 X1 K1:0 -> SM0`.
    ///
    /// # Errors
    /// Only what `out` reports.
    pub fn write_step(&self, step: &Step, out: &mut impl Write) -> fmt::Result {
        write!(out, "{} {} ", step.at, step.rule.id())?;
        let job = |out: &mut dyn Write, task: TaskId, job: JobNo| write!(out, "{}#{}", self.scenario.task(task).name, job.0);
        let batch = |claimant: ClaimantId| {
            self.scenario.claimant(claimant).batch.as_ref().map(|batch| format!(" batch {}", batch.name)).unwrap_or_default()
        };
        let name = |claimant: ClaimantId| format!("{}{}", self.scenario.claims_for(claimant).name, batch(claimant));
        let part = |out: &mut dyn Write, claimant: ClaimantId, job: JobNo| {
            write!(out, "{}#{}{}", self.scenario.claims_for(claimant).name, job.0, batch(claimant))
        };
        let stream = |op| self.layout.label(&self.scenario, self.op(op).stream);
        match step.change {
            Change::JobReleased { task, job: no } => {
                out.write_str("released ")?;
                job(out, task, no)
            }
            Change::JobCompleted { task, job: no } => {
                out.write_str("completed ")?;
                job(out, task, no)
            }
            Change::DeadlineMissed { task, job: no } => {
                out.write_str("deadline missed by ")?;
                job(out, task, no)
            }
            Change::Issued { op } => write!(out, "{} -> stream {}", self.op_label(op), stream(op)),
            Change::EeJoined { op, level } => write!(out, "{} -> EE {}", self.op_label(op), level.word()),
            Change::CeJoined { op, engine } => write!(out, "{} -> CE{engine} queue", self.op_label(op)),
            Change::BlockAssigned { op, block, sm } => write!(out, "{}:{block} -> SM{}", self.op_label(op), sm.0),
            Change::EeLeft { op, level } => write!(out, "{} <- EE {}", self.op_label(op), level.word()),
            Change::BlockEnded { op, block, sm } => write!(out, "{}:{block} <- SM{}", self.op_label(op), sm.0),
            Change::SpinEnded { op } => write!(out, "{} goes on", self.op_label(op)),
            Change::KernelCompleted { op } => write!(out, "{} <- stream {}", self.op_label(op), stream(op)),
            Change::CopyAssigned { op, engine } => write!(out, "{} -> CE{engine}", self.op_label(op)),
            Change::CeLeft { op, engine } => write!(out, "{} <- CE{engine} queue", self.op_label(op)),
            Change::CopyCompleted { op, engine } => write!(out, "{} <- CE{engine} and stream {}", self.op_label(op), stream(op)),
            Change::SignalSent { signal, claimant, job: no } => {
                write!(out, "signal {} sent by ", signal.letter())?;
                part(out, claimant, no)
            }
            Change::SignalArrived { signal, claimant, job: no } => {
                write!(out, "signal {} arrived of ", signal.letter())?;
                part(out, claimant, no)
            }
            Change::RunlistSubmitted { to, until } => write!(out, "runlist of {} submitted until {until}", self.space_name(to)),
            Change::SwitchStarted { to, until } => write!(out, "switching to {} until {until}", self.space_name(to)),
            Change::Entered { space } => write!(out, "{} resident", self.space_name(space)),
            Change::DrainStarted { space, .. } => write!(out, "{} draining", self.space_name(space)),
            Change::ChannelReset { space } => write!(out, "{} reset", self.space_name(space)),
            Change::Left { space } => write!(out, "{} left", self.space_name(space)),
            Change::BlockSuspended { op, block, sm } => write!(out, "{}:{block} suspended on SM{}", self.op_label(op), sm.0),
            Change::BlockResumed { op, block, sm } => write!(out, "{}:{block} resumed on SM{}", self.op_label(op), sm.0),
            Change::CopySuspended { op, engine } => write!(out, "{} suspended on CE{engine}", self.op_label(op)),
            Change::CopyResumed { op, engine } => write!(out, "{} resumed on CE{engine}", self.op_label(op)),
            Change::Chosen { claimant, job: no } => {
                out.write_str("chosen ")?;
                part(out, claimant, no)
            }
            Change::ServerRenewed { claimant, deadline } => {
                write!(out, "server {} deadline {deadline}", name(claimant))
            }
            Change::DeadlinePostponed { claimant, deadline } => {
                write!(out, "server {} postponed to {deadline}", name(claimant))
            }
            Change::HostWaits { row, job } => write!(out, "{} waits", self.call_label(row, job)),
            Change::HostReturned { row, job } => write!(out, "{} returned", self.call_label(row, job)),
            Change::PolicyTold { decision } => {
                let told = self.made(decision).told;
                write!(out, "policy told of {}", told.word())?;
                match (told.kernel(), told.job()) {
                    (Some(op), _) => write!(out, " {}", self.op_label(op))?,
                    (None, Some((task, no))) => {
                        out.write_char(' ')?;
                        job(out, task, no)?;
                    }
                    (None, None) => {}
                }
                let decision = &self.made(decision).decision;
                let launching = decision.launching.map(|(tasks, line)| ("launches", tasks, line));
                for (what, tasks, line) in [("admits", decision.admitted, decision.line)].into_iter().chain(launching) {
                    write!(out, ", line {line} {what}")?;
                    if tasks.is_empty() {
                        out.write_str(" nobody")?;
                    }
                    for task in tasks.iter() {
                        write!(out, " {}", self.scenario.task(TaskId::at(usize::from(task.0))).name)?;
                    }
                }
                Ok(())
            }
            Change::EntryVisited { space, entry } => write!(out, "runlist entry {entry} {}", self.space_name(space)),
        }
    }

    /// The whole trace, a line a step, after a line that names scenario and policy; a line is made as it is written.
    #[must_use]
    pub fn lines(&self) -> impl Display {
        fmt::from_fn(|out| {
            write!(out, "# {} | {} | end {}", plain(self.scenario.name()), self.scenario.policy().kind.word(), self.end)?;
            if !self.variants.is_none() {
                write!(out, " | rules changed: {}", self.variants.ids())?;
            }
            out.write_char('\n')?;
            let mut line = String::new();
            for step in &self.steps {
                line.clear();
                self.write_step(step, &mut line)?;
                writeln!(out, "{}", plain(&line))?;
            }
            Ok(())
        })
    }

    /// The same as one text, for runs that are not large.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines().to_string()
    }

    /// What the call of a row is called: by the row's name, with its job where the task has several.
    #[must_use]
    pub fn call_label(&self, row: RowId, job: JobNo) -> String {
        let info = self.scenario.row(row);
        if self.scenario.task(info.task).jobs == Some(1) { info.name.clone() } else { format!("{}#{}", info.name, job.0) }
    }

    /// The names of the processes of an address space, with the channel where the process has several; these are counted from 1.
    #[must_use]
    pub fn space_name(&self, space: SpaceId) -> String {
        let names: Vec<_> = self.layout.space(space).processes.iter().map(|p| self.scenario.processes()[p.index()].name.as_str()).collect();
        match self.layout.channel_number(space) {
            Some(number) => format!("{} channel {}", names.join(", "), number + 1),
            None => names.join(", "),
        }
    }
}

impl Level {
    /// `high` or `low`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
        }
    }
}
