//! The oracle's context decision under `runlist` (docs/semantics.md, section 6) and, but for who may go, `own` (section 14), and what all
//! policies that give turns share: who may execute, what waits for a producer, stays.

use blockstep_sim::scenario::{Interleave, PolicyKind, Preemption, ProcessDraft, SwitchCharge};
use blockstep_sim::trace::OpKind;

use super::edf::Edf;
use super::own::Own;
use super::{Assigned, Model, OracleStay, Run, extend, vary};

/// Whether processes take turns under a policy.
pub(super) fn takes_turns(kind: PolicyKind) -> bool {
    matches!(kind, PolicyKind::Runlist | PolicyKind::Edf | PolicyKind::Own)
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// All execute.
    Shared,
    Nobody,
    /// A runlist is being submitted.
    Submitting {
        to: usize,
        until: u64,
    },
    Switching {
        to: usize,
        until: u64,
    },
    Resident {
        channel: usize,
        draining: bool,
    },
}

#[derive(Clone)]
pub(super) struct Turns {
    pub(super) turn: Turn,
    /// Who was resident last.
    pub(super) last: Option<usize>,
    /// Whether that process was made to leave.
    made_to_leave: bool,
    stays: Vec<(usize, Vec<(u64, u64)>)>,
    runlist: Vec<usize>,
    pointer: usize,
    pub(super) slice_start: u64,
    /// When the resident process began to drain, under `edf`.
    pub(super) drains_since: u64,
    /// Processes that the watchdog has reset.
    pub(super) reset: Vec<usize>,
    /// That took time.
    switches: u64,
    pub(super) edf: Edf,
    pub(super) own: Own,
}

impl Turns {
    pub(super) fn new(m: &Model) -> Self {
        Self {
            turn: if takes_turns(m.policy.kind) { Turn::Nobody } else { Turn::Shared },
            last: None,
            made_to_leave: false,
            stays: vec![],
            runlist: runlist(m),
            pointer: 0,
            slice_start: 0,
            drains_since: 0,
            reset: vec![],
            switches: 0,
            edf: Edf::new(m),
            own: Own::default(),
        }
    }
}

/// Section 6, construction; all are equal under `own`.
fn runlist(m: &Model) -> Vec<usize> {
    if m.policy.kind == PolicyKind::Own {
        return (0..m.channels.all.len()).collect();
    }
    let level_of = |channel: usize| m.processes[m.channels.all[channel].0].interleave;
    let of = |level: Interleave| (0..m.channels.all.len()).filter(|&channel| level_of(channel) == level).collect::<Vec<_>>();
    let (high, medium, low) = (of(Interleave::High), of(Interleave::Medium), of(Interleave::Low));
    let medium_list: Vec<usize> = medium.iter().flat_map(|&m| [&high[..], &[m]].concat()).collect();
    if !low.is_empty() {
        low.iter().flat_map(|&l| [&medium_list[..], &high, &[l]].concat()).collect()
    } else if !medium.is_empty() {
        medium_list
    } else {
        high
    }
}

impl Run<'_> {
    /// Whether a block or copy executes now.
    pub(super) fn executes(&self, a: &Assigned) -> bool {
        a.end.is_none()
            && match self.turns.turn {
                Turn::Shared => true,
                Turn::Resident { channel, .. } => self.space(a.op) == channel,
                Turn::Nobody | Turn::Submitting { .. } | Turn::Switching { .. } => false,
            }
    }

    /// The address space that is assigned to now, and whether it only finishes the kernels that have begun.
    pub(super) fn assigning(&self) -> Option<(usize, bool)> {
        match self.turns.turn {
            Turn::Shared => Some((0, false)),
            Turn::Resident { channel, draining: false } => Some((channel, false)),
            Turn::Resident { channel, draining: true } if self.mode(channel) == Preemption::Kernel => Some((channel, true)),
            _ => None,
        }
    }

    /// How a channel gives way: the policy's mode under `edf`, else that of its process or the device.
    pub(super) fn mode(&self, channel: usize) -> Preemption {
        match self.m.policy.kind {
            PolicyKind::Edf => self.m.policy.preemption,
            _ => self.process(channel).preemption.unwrap_or(self.m.device_mode),
        }
    }

    pub(super) fn process(&self, channel: usize) -> &ProcessDraft {
        &self.m.processes[self.m.channels.all[channel].0]
    }

    /// Of every operation, whether it is incomplete and waits for a producer (section 8), or for an operation of another channel
    /// (section 6).
    pub(super) fn waiting(&self) -> Vec<bool> {
        if self.m.tasks.iter().all(|t| t.producers.is_empty()) && self.m.channels.all.len() == self.m.processes.len() {
            return vec![false; self.ops.len()];
        }
        let mut waits: Vec<bool> = vec![];
        for op in 0..self.ops.len() {
            let holds_up = |earlier: usize| {
                let is_elsewhere = self.space(earlier) != self.space(op);
                self.ops[earlier].end.is_none() && (waits[earlier] || is_elsewhere) && self.must_follow(op, earlier).is_some()
            };
            let it_waits = self.ops[op].end.is_none() && (self.job_waits(op) || (0..op).any(holds_up));
            waits.push(it_waits);
        }
        waits
    }

    fn has_work(&self, channel: usize) -> bool {
        // What the policy has not launched is no work.
        if (0..self.ops.len()).any(|op| self.is_gated(op)) {
            return (0..self.ops.len()).any(|op| self.space(op) == channel && self.ops[op].end.is_none() && self.ops[op].joined.is_some());
        }
        let waits = self.waiting();
        (0..self.ops.len()).any(|op| self.space(op) == channel && self.ops[op].end.is_none() && !waits[op])
    }

    /// Whether a channel has work and, under `own`, is let go.
    fn may_go(&self, channel: usize) -> bool {
        self.has_work(channel) && self.is_let_go(self.m.channels.all[channel].0)
    }

    /// When a switch or a timeslice ends, or somebody is told something.
    pub(super) fn timers(&self) -> Option<u64> {
        let of_turn = self.turn_timer();
        of_turn.into_iter().chain(self.next_arrival()).chain(self.telling()).min()
    }

    fn turn_timer(&self) -> Option<u64> {
        match self.turns.turn {
            Turn::Submitting { until, .. } | Turn::Switching { until, .. } => Some(until),
            Turn::Resident { channel, draining: false } if self.m.policy.kind != PolicyKind::Edf => {
                Some(self.turns.slice_start + self.process(channel).timeslice_ns).filter(|&end| end > self.now)
            }
            Turn::Resident { draining: true, .. } if self.m.policy.kind == PolicyKind::Edf => self.drain_timer(),
            Turn::Resident { channel, .. } => self.exhaustion().into_iter().chain(self.turn_end(channel)).min(),
            _ => None,
        }
    }

    pub(super) fn end_switch(&mut self) {
        if let Turn::Submitting { to, until } = self.turns.turn
            && until == self.now
        {
            self.switch_to(to);
        } else if let Turn::Switching { to, until } = self.turns.turn
            && until == self.now
        {
            self.enter(to);
        }
    }

    fn enter(&mut self, channel: usize) {
        self.turns.turn = Turn::Resident { channel, draining: false };
        self.turns.last = Some(channel);
        self.turns.slice_start = self.now;
    }

    /// Nobody is resident; under `edf` this process is to be, for which a runlist is submitted unless it is on the last one.
    pub(super) fn make_resident(&mut self, to: usize, is_listed: bool) {
        match self.m.policy.runlist_ns {
            _ if is_listed => self.switch_to(to),
            0 => self.switch_to(to),
            ns => self.turns.turn = Turn::Submitting { to, until: self.now + ns },
        }
    }

    /// Nobody is resident; this channel is to be.
    pub(super) fn switch_to(&mut self, to: usize) {
        let cost = vary::switch(self.m.seed, &self.m.policy, self.turns.switches);
        let pays = match self.m.policy.switch_charge {
            SwitchCharge::Every => true,
            SwitchCharge::Expiries => self.turns.made_to_leave || self.m.policy.kind != PolicyKind::Runlist,
        };
        if cost == 0 || !pays || self.turns.last.is_none_or(|last| last == to) {
            self.enter(to);
        } else {
            self.turns.switches += 1;
            self.turns.turn = Turn::Switching { to, until: self.now + cost };
        }
    }

    pub(super) fn leave(&mut self, made_to: bool) {
        self.turns.made_to_leave = made_to;
        self.turns.turn = Turn::Nobody;
    }

    /// The channel drains from here on, or has nothing to drain and leaves.
    pub(super) fn drain(&mut self, channel: usize) {
        if self.has_to_finish(channel) {
            self.turns.turn = Turn::Resident { channel, draining: true };
        } else {
            self.leave(true);
        }
    }

    pub(super) fn has_to_finish(&self, channel: usize) -> bool {
        let finishes = |op: usize| {
            let begun = self.blocks_assigned(op);
            self.space(op) == channel && self.ops[op].kind == OpKind::Kernel && begun > 0 && self.ops[op].end.is_none()
        };
        let has_begun = self.mode(channel) == Preemption::Kernel && (0..self.ops.len()).any(finishes);
        has_begun || self.assigned.iter().any(|a| self.executes(a))
    }

    /// Step 4.
    pub(super) fn context(&mut self) {
        if self.m.policy.kind == PolicyKind::Own {
            self.tell();
        }
        if matches!(self.m.policy.kind, PolicyKind::Runlist | PolicyKind::Own) {
            while self.runlist_decides() {}
        }
        if self.m.policy.kind == PolicyKind::Edf {
            self.send_signals();
            self.replenish();
            while self.edf_decides() {}
        }
    }

    /// One decision of the Host; whether there was one that may be followed by another.
    fn runlist_decides(&mut self) -> bool {
        match self.turns.turn {
            Turn::Nobody => {
                let n = self.turns.runlist.len();
                let entries = (0..n).map(|i| (self.turns.pointer + i) % n);
                let Some(entry) = entries.into_iter().find(|&e| self.may_go(self.turns.runlist[e])) else { return false };
                self.turns.pointer = (entry + 1) % n;
                self.switch_to(self.turns.runlist[entry]);
                false
            }
            Turn::Resident { channel, draining } => {
                let timeslice = self.process(channel).timeslice_ns;
                if !self.has_work(channel) {
                    self.leave(draining);
                    true
                } else if draining {
                    self.drain(channel);
                    self.turns.turn == Turn::Nobody
                } else if !self.may_go(channel) {
                    self.give_way(channel)
                } else if self.now == self.turns.slice_start + timeslice {
                    if !(0..self.m.channels.all.len()).any(|other| other != channel && self.may_go(other)) {
                        self.turns.slice_start = self.now;
                        return false;
                    }
                    self.give_way(channel)
                } else {
                    false
                }
            }
            Turn::Submitting { .. } | Turn::Switching { .. } | Turn::Shared => false,
        }
    }

    /// The channel leaves as its mode lets it; whether it has left.
    fn give_way(&mut self, channel: usize) -> bool {
        match self.mode(channel) {
            Preemption::Thread => self.leave(true),
            Preemption::Block | Preemption::Kernel => self.drain(channel),
            Preemption::None => {}
        }
        self.turns.turn == Turn::Nobody
    }

    /// Whoever is resident stays until then.
    pub(super) fn turns_until(&mut self, then: u64) {
        let Turn::Resident { channel, .. } = self.turns.turn else { return };
        if then == self.now {
            return;
        }
        self.pay(then - self.now);
        match self.turns.stays.last_mut() {
            Some((last, stay)) if *last == channel && stay.last().is_some_and(|s| s.1 == self.now) => extend(stay, self.now, then),
            _ => self.turns.stays.push((channel, vec![(self.now, then)])),
        }
    }

    pub(super) fn residency(&self) -> Option<Vec<OracleStay>> {
        let stay = |(channel, stay): &(usize, Vec<(u64, u64)>)| OracleStay {
            process: self.name(*channel),
            start_ns: stay[0].0,
            end_ns: stay[0].1,
        };
        (self.turns.turn != Turn::Shared).then(|| self.turns.stays.iter().map(stay).collect())
    }

    fn name(&self, channel: usize) -> String {
        self.m.channels.name(channel, &self.process(channel).name)
    }

    pub(super) fn runlist(&self) -> Option<Vec<String>> {
        let names = || self.turns.runlist.iter().map(|&channel| self.name(channel)).collect();
        (self.m.policy.kind == PolicyKind::Runlist).then(names)
    }
}
