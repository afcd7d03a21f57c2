//! What the host does: it issues commands, waits and polls.
//!
//! Depends on the other files of `batch`. Invariant: a command is issued once, and to one queue.

use super::Sim;
use crate::command::{CommandKind, CommandNo, HostStep, Op, Poll, Sight};
use crate::queues::{Before, QueueKind, place};
use crate::state::{BatchChange, BatchRule, Host};
use blockstep_sim::units::Time;

impl Sim<'_> {
    pub(super) fn host(&mut self) -> bool {
        let before = self.steps.len();
        while self.host_free <= self.now {
            if !self.pending.is_empty() {
                let no = self.pending.remove(0);
                self.issue(no);
                continue;
            }
            let Some(step) = self.program.host.get(self.host_at) else { break };
            let is_over = match step {
                HostStep::Issue(no) => {
                    self.issue(*no);
                    true
                }
                HostStep::Sync => {
                    let is_idle = self.state.issued.iter().all(|no| self.state.is_done(*no));
                    self.wait(Host::Waits, is_idle)
                }
                HostStep::Await(no) => self.wait(Host::WaitsFor(*no), self.state.is_done(*no)),
                HostStep::Poll(poll) => self.poll(poll),
            };
            if is_over {
                self.host_at += 1;
                if self.host_at == self.program.host.len() {
                    self.step(BatchRule::HostGoesOn, BatchChange::Host(Host::Through));
                }
            } else if self.pending.is_empty() {
                break;
            }
        }
        self.steps.len() > before
    }

    /// Whether the host goes on; it was blocked then.
    fn wait(&mut self, host: Host, is_over: bool) -> bool {
        if is_over {
            self.gap = true;
            if self.state.host != Host::Issues {
                self.step(BatchRule::HostGoesOn, BatchChange::Host(Host::Issues));
            }
        } else if self.state.host != host {
            self.step(BatchRule::HostWaits, BatchChange::Host(host));
        }
        is_over
    }

    /// When the host sees the end of each kernel polled that has ended but was not seen, in order.
    pub(super) fn sights(&self) -> Vec<(Time, CommandNo)> {
        let Some(HostStep::Poll(poll)) = self.program.host.get(self.host_at) else { return Vec::new() };
        let ends: Vec<_> = poll.kernels.iter().map(|p| (self.spans[p.kernel.index()].map(|s| s.end), p.kernel)).collect();
        let all = if ends.iter().all(|(end, _)| end.is_some()) { ends.iter().filter_map(|(end, _)| *end).max() } else { None };
        let seen = |end: Option<Time>| if poll.sight == Sight::Counter { end } else { all };
        let mut sights: Vec<(Time, CommandNo)> = ends
            .into_iter()
            .filter(|(_, no)| !self.seen.contains(no))
            .filter_map(|(end, no)| Some((seen(end)?.after(self.arch.costs.poll)?, no)))
            .collect();
        blockstep_sim::order::by_number(&mut sights, |(at, _)| at.ns());
        sights
    }

    /// Whether all kernels polled were seen.
    fn poll(&mut self, poll: &Poll) -> bool {
        if self.seen.len() == poll.kernels.len() {
            self.step(BatchRule::HostGoesOn, BatchChange::Host(Host::Issues));
            return true;
        }
        match self.sights().first() {
            Some(&(at, no)) if at <= self.now => {
                self.gap = true;
                self.seen.push(no);
                let is_last = self.seen.len() == poll.kernels.len();
                self.step(BatchRule::HostSees, BatchChange::Host(Host::Sees(no)));
                if let Some(polled) = poll.kernels.iter().find(|p| p.kernel == no) {
                    self.pending.clone_from(if is_last { &polled.if_last } else { &polled.if_first });
                }
                false
            }
            _ => {
                if self.state.host != Host::Polls {
                    self.step(BatchRule::HostWaits, BatchChange::Host(Host::Polls));
                }
                false
            }
        }
    }

    fn issue(&mut self, no: CommandNo) {
        let command = self.program.command(no);
        let entry = self.streams.iter().position(|(stream, ..)| *stream == command.stream);
        let latest = entry.map(|i| self.streams[i].1);
        let before = Before {
            stream_queue: entry.and_then(|i| self.streams[i].2),
            back_to_back: latest.is_none() || latest == self.state.issued.last().copied(),
            gap: self.gap,
        };
        let (queue, rule) = place(self.arch, self.program, no, before);
        match command.kind {
            CommandKind::Query => {
                let kernels =
                    self.program.commands.iter().enumerate().filter(|(_, c)| c.stream == command.stream && c.op() == Some(Op::Kernel));
                self.queried.extend(kernels.map(|(i, _)| CommandNo(i as u32)));
            }
            CommandKind::DummyRecord => self.gap = false,
            _ => {}
        }
        self.issued_after[no.index()] = (before.back_to_back, before.gap);
        self.step(rule, BatchChange::Issue(no, queue));
        self.host_free = Time(self.now.0.saturating_add(self.arch.costs.issue.0));
        if queue.is_none() {
            return;
        }
        self.previous[no.index()] = latest;
        let follows = queue.filter(|q| q.kind != QueueKind::Events).or(before.stream_queue);
        match entry {
            Some(i) => self.streams[i] = (command.stream, no, follows),
            None => self.streams.push((command.stream, no, follows)),
        }
    }
}
