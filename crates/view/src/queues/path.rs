//! The path of a submission, from a guest to the engines: [EDF] Fig. 2b as a model.
//!
//! Depends on the rest of `queues`. Invariants: every operation that is issued and not complete is in exactly one push buffer; a
//! signal is lit only at the step that is its event. What the RunList Manager shows is what it has been told.
//! Sources: [EDF] sections III-C and III-D; under `runlist` section III-B, where the Host polls the channels of all.

use serde::{Deserialize, Serialize};

use super::{Builder, EngineView, Gauge, OrderView, QueuedOp, SchedulerView, SmView, choose};
use crate::quantity::format_time;
use blockstep_sim::order::Names;
use blockstep_sim::scenario::Turns;
use blockstep_sim::snapshot::{Message, Residency, Snapshot};
use blockstep_sim::trace::{Change, Rule, Signal, Step, Trace};
use blockstep_sim::units::{ClaimantId, JobNo, OpId, SpaceId, Span, StreamId, Time};

/// Guests that are shown at most.
const MAX_GUESTS: usize = 8;
/// Push buffers of a guest that are shown at most.
const MAX_BUFFERS: usize = 8;
/// Channels of a chain that are shown at most.
const MAX_CHANNELS: usize = 6;
/// Batches of a push buffer that are shown at most.
const MAX_BATCHES: usize = 4;

/// The whole path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathView {
    /// Those who submit work, in table order of their first processes.
    pub guests: Vec<GuestView>,
    /// Guests not shown, all of them without work unless there are very many.
    pub hidden_guests: usize,
    /// Who is next: the queues of the RunList Manager, or the runlist of all channels.
    pub scheduler: SchedulerView,
    /// The RunList Manager's timer; `None` under `runlist`, which has no such manager.
    pub timer: Option<TimerView>,
    /// The signals of [EDF] III-D: A, B, C; none under `runlist`.
    pub signals: Vec<SignalView>,
    /// What the Host is told to poll, or polls by itself.
    pub submitted: SubmittedView,
    /// What the Host does, in words.
    pub host: String,
    /// The operation of which the last step handed the first part to an engine.
    pub fetched: Option<String>,
    /// Whether the last step changed who is resident.
    pub host_changed: bool,
    /// Whose channel executes, or did last.
    pub executing: String,
    /// SMs as that one sees them.
    pub sms: Vec<SmView>,
    /// SMs not shown.
    pub hidden_sms: usize,
    /// Copy engines.
    pub engines: Vec<EngineView>,
}

/// A guest of the hypervisor ([EDF] III-C).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestView {
    /// Its name; unless one is given, that of its process.
    pub name: String,
    /// Its processes, where they are called otherwise.
    pub processes: String,
    /// The operation that the last step pushed.
    pub pushed: Option<String>,
    /// Command push buffers, one for each stream.
    pub buffers: Vec<PushBuffer>,
    /// Push buffers not shown, all of them empty unless there are very many.
    pub hidden_buffers: usize,
}

/// A command push buffer: what a stream's queue holds, in batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushBuffer {
    /// The stream.
    pub stream: StreamId,
    /// Its name.
    pub label: String,
    /// Batches, head first.
    pub batches: Vec<BatchView>,
    /// Operations of the batches behind those.
    pub hidden: usize,
    /// Whether an operation joined, left or moved on by the last step.
    pub changed: bool,
    /// The operation that the last step took out of it.
    pub left: Option<String>,
}

/// What one job has issued and not completed for one claimant, in one push buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchView {
    /// Whose it is.
    pub claimant: ClaimantId,
    /// Which job.
    pub job: JobNo,
    /// The job by name.
    pub label: String,
    /// Operations, head first.
    pub items: Vec<QueuedOp>,
    /// Operations behind those.
    pub hidden: usize,
}

/// The RunList Manager's timer, which measures the time that the running application has had ([EDF] III-D).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimerView {
    /// Whose budget it measures, what is left of it, ns, and when that is used up; `None` while it is off.
    pub running: Option<(String, Gauge, Time)>,
}

/// Which of the signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignalKind {
    /// A: new work submitted, from a guest to the RunList Manager.
    A,
    /// B: work batch completed, from the Host to the RunList Manager.
    B,
    /// C: budget expired, from the timer to the scheduler, within the RunList Manager.
    C,
}

/// A signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalView {
    /// Which.
    pub kind: SignalKind,
    /// Of the last step: what it tells.
    pub event: Option<String>,
    /// Signals of this kind that are on their way, the next to arrive first: `brake#0, arrives at 25 us`.
    pub under_way: Vec<String>,
    /// How long one takes; `None` for the manager's own.
    pub lasts: Option<String>,
}

/// The runlist that the Host polls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedView {
    /// The channels in it: one each of the chosen application, or of its whole chain where that stays resident; under `runlist`, of all.
    pub channels: Vec<String>,
    /// Channels behind those.
    pub hidden: usize,
    /// What the last step did to it: `now that of process P1`.
    pub event: Option<String>,
}

/// The path after a step, at `now` or at the step if that is later; arguments are those of [`queues`](super::queues). `None` where
/// processes do not take turns.
/// Cost: what is issued and not complete, and the blocks on the SMs.
#[must_use]
pub fn path(trace: &Trace, state: &Snapshot, last: Option<&Step>, now: Time, max_items: usize) -> Option<PathView> {
    Builder::new(trace, state, last, now, max_items).path()
}

impl SignalKind {
    /// Its letter in [EDF] Fig. 2b.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::A => Signal::Submitted.letter(),
            Self::B => Signal::Completed.letter(),
            Self::C => "C",
        }
    }

    /// What it is the signal of, as [EDF] III-D has it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::A => Signal::Submitted.name(),
            Self::B => Signal::Completed.name(),
            Self::C => "budget expired",
        }
    }

    /// From where to where it goes, and what makes it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::A => "A, new work submitted: from a guest to the RunList Manager, when a batch is pushed.",
            Self::B => "B, batch completed: from the Host to the RunList Manager, by the semaphore or syncpoint at the batch's end.",
            Self::C => "C, budget expired: from the timer to the scheduler, within the RunList Manager (rule Q2).",
        }
    }
}

impl Builder<'_> {
    fn path(&self) -> Option<PathView> {
        let scheduler = self.scheduler()?;
        let is_edf = self.trace.scenario().policy().kind.turns() == Turns::Deadlines;
        let guests = self.guests();
        let shown = choose(guests.len(), MAX_GUESTS, |i| guests[i].1.iter().any(|&space| self.is_busy(space)));
        let front = self.front();
        let (sms, hidden_sms) = self.sms(front);
        Some(PathView {
            hidden_guests: guests.len() - shown.len(),
            guests: shown.into_iter().map(|i| self.guest(&guests[i])).collect(),
            timer: is_edf.then(|| self.timer()),
            signals: if is_edf { self.signals() } else { Vec::new() },
            submitted: self.submitted(&scheduler.order),
            host: self.host(),
            fetched: match self.last {
                Some(Change::CopyAssigned { op, .. }) => Some(self.trace.op_label(op)),
                Some(Change::BlockAssigned { op, .. }) if self.state.stream(self.trace.op(op).stream).assigned == 1 => {
                    Some(self.trace.op_label(op))
                }
                _ => None,
            },
            host_changed: scheduler.changed,
            scheduler,
            executing: self.trace.space_name(front),
            sms,
            hidden_sms,
            engines: self.engine_numbers().map(|engine| self.engine(front, engine)).collect(),
        })
    }

    /// Guests by their first processes, with the address spaces of all of theirs.
    fn guests(&self) -> Vec<(String, Vec<SpaceId>)> {
        let scenario = self.trace.scenario();
        let (mut guests, mut places) = (Vec::<(String, Vec<SpaceId>)>::new(), Names::default());
        for space in (0..self.state.spaces().len()).map(SpaceId::at) {
            let name = &scenario.process_of(space).guest;
            let at = places.place(0, name.clone(), guests.len());
            if at == guests.len() {
                guests.push((name.clone(), Vec::new()));
            }
            guests[at].1.push(space);
        }
        guests
    }

    fn guest(&self, (name, spaces): &(String, Vec<SpaceId>)) -> GuestView {
        let (scenario, layout) = (self.trace.scenario(), self.trace.layout());
        let mut processes: Vec<&str> = spaces.iter().map(|&space| scenario.process_of(space).name.as_str()).collect();
        processes.dedup();
        let streams: Vec<StreamId> = spaces.iter().flat_map(|&space| layout.space(space).streams.iter().copied()).collect();
        let is_busy = |i: usize| self.state.head(streams[i]).is_some() || self.changes.stream == Some(streams[i]);
        let shown = choose(streams.len(), MAX_BUFFERS, is_busy);
        let pushed = match self.last {
            Some(Change::Issued { op }) if streams.contains(&self.trace.op(op).stream) => Some(self.trace.op_label(op)),
            _ => None,
        };
        GuestView {
            name: name.clone(),
            processes: if processes == [name.as_str()] { String::new() } else { processes.join(", ") },
            pushed,
            hidden_buffers: streams.len() - shown.len(),
            buffers: shown.into_iter().map(|i| self.buffer(streams[i])).collect(),
        }
    }

    fn buffer(&self, id: StreamId) -> PushBuffer {
        let queue = &self.state.stream(id).queue;
        let (mut batches, mut hidden) = (Vec::<BatchView>::new(), 0);
        for (i, &op) in queue.iter().enumerate() {
            let (claimant, job) = self.job_of(op);
            let count = batches.len();
            match batches.last_mut().filter(|batch| (batch.claimant, batch.job) == (claimant, job)) {
                Some(batch) if batch.items.len() < self.max_items => batch.items.push(self.item(op, self.changes.into_stream)),
                Some(batch) => batch.hidden += 1,
                None if count == MAX_BATCHES => {
                    hidden = queue.len() - i;
                    break;
                }
                None => {
                    let items = vec![self.item(op, self.changes.into_stream)];
                    batches.push(BatchView { claimant, job, label: self.job_label(claimant, job), items, hidden: 0 });
                }
            }
        }
        let changed = self.changes.stream == Some(id);
        PushBuffer {
            stream: id,
            label: self.trace.layout().label(self.trace.scenario(), id),
            batches,
            hidden,
            changed,
            left: self.left(self.changes.out_of_stream && changed),
        }
    }

    fn job_of(&self, op: OpId) -> (ClaimantId, JobNo) {
        (self.trace.row_of(op).claimant, self.trace.op(op).job)
    }

    fn timer(&self) -> TimerView {
        let of = |claimant: ClaimantId, at: Time| {
            let left = Gauge { free: self.state.server(claimant, self.now).budget.ns(), total: self.trace.budget(claimant).ns() };
            (self.server_label(claimant), left, at)
        };
        let chosen = self.state.edf().chosen.filter(|&(claimant, _)| self.trace.scenario().has_server(claimant));
        TimerView { running: chosen.zip(self.state.exhaustion(self.now)).map(|((claimant, _), at)| of(claimant, at)) }
    }

    /// Whose server it is: `brake`, or `brake: urgent` of a batch.
    fn server_label(&self, claimant: ClaimantId) -> String {
        let (name, batch) = (&self.trace.scenario().claims_for(claimant).name, &self.trace.scenario().claimant(claimant).batch);
        batch.as_ref().map_or_else(|| name.clone(), |batch| format!("{name}: {}", batch.name))
    }

    /// The signals, lit by the step that is their event, and those on their way. Where signals take no time, A and B are no steps: then an
    /// issue or a completion is the event.
    fn signals(&self) -> Vec<SignalView> {
        let live = |op: OpId| {
            let (claimant, job) = self.job_of(op);
            (self.job_label(claimant, job), self.state.claimant(claimant).job(job).map_or(0, |open| open.live))
        };
        let time = self.trace.scenario().policy().signal_time();
        let takes_time = time > Span::ZERO;
        let (mut submitted, mut completed, mut expired) = (None, None, None);
        match self.last {
            Some(Change::SignalSent { signal, claimant, job }) => match signal {
                Signal::Submitted => submitted = Some(self.job_label(claimant, job)),
                Signal::Completed => completed = Some(self.job_label(claimant, job)),
            },
            Some(Change::SignalArrived { signal, claimant, job }) => match signal {
                Signal::Submitted => submitted = Some(format!("{} has arrived", self.job_label(claimant, job))),
                Signal::Completed => completed = Some(format!("{} has arrived", self.job_label(claimant, job))),
            },
            Some(Change::Issued { .. } | Change::KernelCompleted { .. } | Change::CopyCompleted { .. }) if takes_time => {}
            // The first of a batch; what joins it later is known by then.
            Some(Change::Issued { op }) => submitted = Some(live(op)).filter(|&(_, live)| live == 1).map(|(label, _)| label),
            Some(Change::KernelCompleted { op } | Change::CopyCompleted { op, .. }) => {
                completed = Some(live(op)).filter(|&(_, live)| live == 0).map(|(label, _)| label);
            }
            Some(Change::DeadlinePostponed { claimant, .. }) => expired = Some(self.server_label(claimant)),
            _ => {}
        }
        let lasts = if takes_time { format_time(time.ns()) } else { "no time".to_owned() };
        let under_way = |signal: Signal| {
            let of_kind = self.state.signals_under_way().filter(move |message| message.signal == signal);
            let told = |of: Message| format!("{}, arrives at {}", self.job_label(of.claimant, of.job), format_time(of.arrives.ns()));
            of_kind.take(self.max_items).map(told).collect()
        };
        vec![
            SignalView { kind: SignalKind::A, event: submitted, under_way: under_way(Signal::Submitted), lasts: Some(lasts.clone()) },
            SignalView { kind: SignalKind::B, event: completed, under_way: under_way(Signal::Completed), lasts: Some(lasts) },
            SignalView { kind: SignalKind::C, event: expired, under_way: Vec::new(), lasts: None },
        ]
    }

    fn submitted(&self, order: &OrderView) -> SubmittedView {
        match order {
            OrderView::Runlist(list) => {
                let channels: Vec<String> = list.entries.iter().map(|entry| entry.process.clone()).collect();
                let hidden = usize::try_from(list.len).unwrap_or(usize::MAX) - channels.len();
                SubmittedView { channels, hidden, event: None }
            }
            OrderView::Deadlines(_) => {
                let scenario = self.trace.scenario();
                let process = |of: ClaimantId| scenario.processes()[scenario.claims_for(of).process.index()].name.clone();
                let rule = self.state.last_step().map(|step| self.trace.step(step).rule);
                // Where a chain stays resident, a turn that ends changes nothing of its runlist.
                let ends_turn = rule == Some(Rule::E7);
                let is_preempted = rule == Some(Rule::E4) && self.state.edf().chosen.is_none();
                let mut listed = if is_preempted { Vec::new() } else { self.state.listed_processes(self.trace, self.now) };
                if listed.is_empty() {
                    // A process that drains is in it until it has left.
                    listed.extend(match self.state.residency() {
                        Residency::Resident { space, .. }
                        | Residency::Switching { to: space, .. }
                        | Residency::Submitting { to: space, .. } => Some(space),
                        Residency::Idle { .. } | Residency::Shared => None,
                    });
                }
                let hidden = listed.len().saturating_sub(MAX_CHANNELS);
                let channels = listed.into_iter().take(MAX_CHANNELS).map(|space| self.trace.space_name(space)).collect();
                let event = match self.last {
                    Some(Change::Chosen { claimant, .. }) if matches!(self.state.residency(), Residency::Idle { .. }) => {
                        Some(if self.state.is_listed(self.trace, self.now) {
                            format!("the turn of {}", process(claimant))
                        } else {
                            format!("now that of {}", process(claimant))
                        })
                    }
                    Some(Change::RunlistSubmitted { until, .. }) => Some(format!("at the Host at {}", format_time(until.ns()))),
                    Some(Change::DrainStarted { space, .. } | Change::Left { space }) if ends_turn => {
                        Some(format!("ends the turn of {}", self.trace.space_name(space)))
                    }
                    Some(Change::DrainStarted { space, .. }) => Some(format!("preempts {}, which drains", self.trace.space_name(space))),
                    Some(Change::Left { space }) if matches!(self.state.residency(), Residency::Idle { gave_way: true, .. }) => {
                        Some(format!("without {}", self.trace.space_name(space)))
                    }
                    _ => None,
                };
                SubmittedView { channels, hidden, event }
            }
        }
    }

    fn host(&self) -> String {
        let name = |space| self.trace.space_name(space);
        match self.state.residency() {
            Residency::Resident { space, draining: false, .. } => format!("executes {}", name(space)),
            Residency::Resident { space, .. } => format!("drains {}", name(space)),
            Residency::Switching { to, until } => format!("switches to {} until {}", name(to), format_time(until.ns())),
            Residency::Submitting { to, until, .. } => format!("gets the runlist of {} at {}", name(to), format_time(until.ns())),
            Residency::Idle { .. } | Residency::Shared => "has nothing to execute".to_owned(),
        }
    }
}
