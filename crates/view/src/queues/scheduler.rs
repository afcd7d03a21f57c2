//! What is shared between processes that take turns: the runlist, or the queues of the deadline
//! scheduler.
//!
//! Depends on the rest of `queues`, `quantity` and `sentence`. Invariants: who goes first is what
//! the state says, by the facts that the policies decide by; however long the runlist and however
//! many the jobs, a bounded number is spelt out. Sources: [EDF] sections III-B and IV.

use serde::{Deserialize, Serialize};

use super::{Builder, Gauge, Presence};
use crate::quantity::{format_count, format_time};
use crate::sentence;
use blockstep_sim::scenario::{Class, Interleave, Turns};
use blockstep_sim::snapshot::{Claim, Message, Residency};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{ClaimantId, JobNo, Span, Time};

/// A runlist of up to that many entries is spelt out.
const MAX_ENTRIES: u64 = 16;
/// Of a longer one, that many entries before the pointer are, and that many from it on.
const NEAR_POINTER: (u64, u64) = (4, 9);
/// Jobs of one list that are spelt out.
const MAX_JOBS: usize = 16;

/// Who may execute, and who is next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulerView {
    /// Who is resident, in a sentence.
    pub status: String,
    /// What is left of the resident process's timeslice, ns.
    pub timeslice: Option<Gauge>,
    /// Whether the last step changed who is resident or served.
    pub changed: bool,
    /// Who is next.
    pub order: OrderView,
}

/// In which order processes are served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderView {
    /// That of the runlist.
    Runlist(RunlistView),
    /// That of deadlines, then priorities.
    Deadlines(DeadlinesView),
}

/// The runlist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunlistView {
    /// Entries in all; at least one.
    pub len: u64,
    /// The entry that the Host looks at next.
    pub pointer: u64,
    /// The entry it serves.
    pub serving: Option<u64>,
    /// Every entry, or those around the pointer.
    pub entries: Vec<EntryView>,
}

/// An entry of the runlist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryView {
    /// Its place, counted from 0.
    pub entry: u64,
    /// Its process's name.
    pub process: String,
    /// The process's interleaving level; none where a text decides, as all are equal.
    pub level: Option<Interleave>,
    /// Whether the process has work; where a text decides, whether it is admitted, too.
    pub has_work: bool,
    /// Whether the process may execute.
    pub residency: Presence,
    /// Whether the Host serves this very entry.
    pub is_served: bool,
    /// Whether the pointer stands here.
    pub is_next: bool,
    /// Whether the last step was about this very entry, or its process while it is served.
    pub changed: bool,
}

/// What the deadline scheduler chooses from: of each task its first pending job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadlinesView {
    /// By deadline: real-time jobs, and those that inherit a deadline.
    pub ready: JobList,
    /// By priority: the other jobs, chosen only when none of those is pending.
    pub best_effort: JobList,
    /// The first open jobs of tasks without a pending one.
    pub waiting: JobList,
}

/// Some jobs, the first ones spelt out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobList {
    /// In the order in which they would be chosen.
    pub jobs: Vec<JobView>,
    /// Those behind them.
    pub hidden: usize,
    /// The job that the last step completed.
    pub left: Option<String>,
}

/// A job that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobView {
    /// `a`, or `a#2` where its task has several.
    pub label: String,
    /// Its process's name; empty if its task is called the same.
    pub process: String,
    /// The absolute deadline that scheduling uses.
    pub deadline: Option<Time>,
    /// How far that is away: `in 3 ms`, `now`, `3 ms ago`.
    pub distance: String,
    /// The task whose deadline that is, if it is inherited.
    pub inherited_from: Option<String>,
    /// Rank among best-effort tasks.
    pub priority: i64,
    /// What is left of its server's budget, ns, and the server's deadline.
    pub server: Option<(Gauge, Time)>,
    /// Further open jobs of its task.
    pub later: usize,
    /// Whether its own deadline, by which it is judged, has passed.
    pub missed: bool,
    /// Whether it is the one chosen.
    pub chosen: bool,
    /// Why it is not pending; of one that is, the signal about it that is under way.
    pub why: String,
    /// Whether the last step was about its task.
    pub changed: bool,
}

impl Builder<'_> {
    /// `None` where there is one address space for all.
    pub(super) fn scheduler(&self) -> Option<SchedulerView> {
        let order = match self.trace.scenario().policy().kind.turns() {
            Turns::Runlist | Turns::Text => OrderView::Runlist(self.runlist()),
            Turns::Deadlines => OrderView::Deadlines(self.deadlines()),
            Turns::None => return None,
        };
        Some(SchedulerView { status: self.status(), timeslice: self.timeslice(), changed: self.changes.space.is_some(), order })
    }

    fn status(&self) -> String {
        let name = |space| sentence::process(self.trace, space);
        let what = match self.state.residency() {
            Residency::Resident { space, draining: false, .. } => match self.state.idles_for() {
                Some(message) => format!("Resident: {}, idle until signal B arrives at {}", name(space), format_time(message.arrives.ns())),
                None => format!("Resident: {}", name(space)),
            },
            Residency::Resident { space, .. } => format!("Draining: {}, which starts no new work", name(space)),
            Residency::Submitting { to, until, .. } => format!("Submitting the runlist of {} until {}", name(to), format_time(until.ns())),
            Residency::Switching { to, until } => format!("Switching to {} until {}", name(to), format_time(until.ns())),
            Residency::Idle { .. } | Residency::Shared => "No process is resident".to_owned(),
        };
        match self.state.edf().chosen {
            Some((claimant, job)) => format!("{what}. Chosen: {}.", self.job_label(claimant, job)),
            None => format!("{what}."),
        }
    }

    fn timeslice(&self) -> Option<Gauge> {
        let Residency::Resident { space, .. } = self.state.residency() else { return None };
        let left = self.state.timeslice_left(self.trace, self.now)?;
        Some(Gauge { free: left.ns(), total: self.trace.scenario().process_of(space).timeslice_ns })
    }

    fn runlist(&self) -> RunlistView {
        let (len, at) = (self.trace.scenario().runlist().len(), self.state.runlist());
        let (first, count) = match NEAR_POINTER {
            _ if len <= MAX_ENTRIES => (0, len),
            (before, after) => (at.pointer + len - before, before + after),
        };
        let entries = (first..first + count).map(|entry| self.entry(entry % len)).collect();
        RunlistView { len, pointer: at.pointer, serving: at.serving, entries }
    }

    fn entry(&self, entry: u64) -> EntryView {
        let scenario = self.trace.scenario();
        let space = scenario.runlist().entry(entry);
        let is_text = scenario.policy().kind.turns() == Turns::Text;
        let at = self.state.runlist();
        let is_served = at.serving == Some(entry);
        // Of one that has just left, the pointer stands behind the entry.
        let was_served = at.serving.is_none() && (entry + 1) % scenario.runlist().len() == at.pointer;
        EntryView {
            entry,
            process: self.trace.space_name(space),
            level: (!is_text).then(|| scenario.process_of(space).interleave),
            has_work: if is_text { self.state.may_go(self.trace, space) } else { self.state.has_work(space) },
            residency: self.residency(space).unwrap_or(Presence::NotResident),
            is_served,
            is_next: at.pointer == entry,
            changed: (is_served || was_served) && self.changes.space == Some(space),
        }
    }

    fn deadlines(&self) -> DeadlinesView {
        let claimants = (0..self.trace.scenario().claimants().len()).map(ClaimantId::at);
        let (mut pending, mut waiting) = ([Vec::new(), Vec::new()], JobList::default());
        for claimant in claimants {
            match self.state.claim(self.trace, claimant, self.now) {
                Some(claim) => {
                    let ((is_best_effort, rank), stands_back, _) = self.state.order_of(&claim, self.trace.variants());
                    pending[usize::from(is_best_effort)].push((rank, stands_back, claimant.index()));
                }
                None if !self.is_open(claimant) => {}
                None if waiting.jobs.len() == MAX_JOBS => waiting.hidden += 1,
                None => waiting.jobs.extend(self.waiting_job(claimant)),
            }
        }
        let [ready, best_effort] = pending.map(|claims| self.in_order(claims));
        let mut view = DeadlinesView { ready, best_effort, waiting };
        if let Some(Change::JobCompleted { task, job }) = self.last {
            let is_real_time = self.trace.scenario().task(task).class == Class::RealTime;
            let list = if is_real_time { &mut view.ready } else { &mut view.best_effort };
            list.left = Some(self.job_label(task, job));
        }
        view
    }

    /// Whether a claimant has an open job: a batch, or a task with batches, one of which it has something incomplete.
    fn is_open(&self, claimant: ClaimantId) -> bool {
        let open = &self.state.claimant(claimant).open;
        open.iter().any(|open| self.state.has_rows_left(self.trace, claimant, open.job))
    }

    /// Claimants by rank; of equals the one that is chosen, then by number.
    fn in_order(&self, mut claims: Vec<(u64, bool, usize)>) -> JobList {
        claims.sort_unstable();
        let claimants = claims.iter().take(MAX_JOBS).map(|&(_, _, claimant)| ClaimantId::at(claimant));
        let jobs: Vec<JobView> = claimants
            .filter_map(|claimant| self.state.claim(self.trace, claimant, self.now))
            .map(|claim| self.pending_job(&claim))
            .collect();
        JobList { hidden: claims.len() - jobs.len(), jobs, left: None }
    }

    fn pending_job(&self, claim: &Claim) -> JobView {
        let signal = self.signal_under_way(claim.claimant, claim.job);
        let and_signal = if signal.is_empty() { String::new() } else { format!("; {signal}") };
        JobView {
            deadline: claim.deadline,
            distance: claim.deadline.map(|deadline| distance(self.now, deadline) + &and_signal).unwrap_or_default(),
            inherited_from: claim.inherited_from.map(|task| self.trace.scenario().task(task).name.clone()),
            ..self.job(claim.claimant, claim.job, signal)
        }
    }

    fn waiting_job(&self, claimant: ClaimantId) -> Option<JobView> {
        let mut open = self.state.claimant(claimant).open.iter();
        let open = open.find(|open| self.state.has_rows_left(self.trace, claimant, open.job))?;
        let task = self.trace.scenario().claimant(claimant).task;
        let producer = self.state.unfinished_producer(self.trace, task, open.job);
        let why = match producer {
            _ if self.state.is_reset(self.trace, task) => "its channel was reset".to_owned(),
            _ if open.live == 0 => "has nothing issued".to_owned(),
            _ if !self.state.knows(claimant, open.job) => match self.signal_under_way(claimant, open.job) {
                // Its work was issued at this instant.
                none if none.is_empty() => "the RunList Manager does not know of it yet".to_owned(),
                signal => signal,
            },
            Some(producer) => format!("waits for {}", self.job_label(producer, open.job)),
            None => "waits behind what waits for a producer".to_owned(),
        };
        Some(self.job(claimant, open.job, why))
    }

    /// `signal A arrives at 5 ns`.
    fn signal_under_way(&self, claimant: ClaimantId, job: JobNo) -> String {
        let text = |message: Message| format!("signal {} arrives at {}", message.signal.letter(), format_time(message.arrives.ns()));
        self.state.signal_of(claimant, job).map(text).unwrap_or_default()
    }

    fn job(&self, claimant: ClaimantId, job: JobNo, why: String) -> JobView {
        let scenario = self.trace.scenario();
        let info = scenario.claims_for(claimant);
        let (budget, server) = (self.trace.budget(claimant), self.state.server(claimant, self.now));
        // Where signals take time, it may be complete.
        let open = self.state.claimant(claimant).job(job);
        let own_deadline = open.zip(scenario.claimant(claimant).deadline).and_then(|(open, deadline)| open.release.after(deadline));
        let gauge = Gauge { free: server.budget.ns(), total: budget.ns() };
        let process = &scenario.processes()[info.process.index()];
        JobView {
            label: self.job_label(claimant, job),
            process: if process.name == info.name { String::new() } else { process.name.clone() },
            deadline: None,
            distance: String::new(),
            inherited_from: None,
            priority: info.priority,
            server: (budget > Span::ZERO).then_some((gauge, server.deadline)),
            later: self.state.claimant(claimant).open.len() - usize::from(open.is_some()),
            missed: own_deadline.is_some_and(|own| own < self.now),
            chosen: self.state.edf().chosen == Some((claimant, job)),
            why,
            changed: self.changes.claimant == Some(claimant),
        }
    }

    pub(super) fn job_label(&self, claimant: impl Into<ClaimantId>, job: JobNo) -> String {
        let claimant = claimant.into();
        let info = self.trace.scenario().claims_for(claimant);
        let label = if info.jobs == Some(1) { info.name.clone() } else { format!("{}#{}", info.name, format_count(job.0.into())) };
        match &self.trace.scenario().claimant(claimant).batch {
            Some(batch) => format!("{label}: {}", batch.name),
            None => label,
        }
    }
}

fn distance(now: Time, deadline: Time) -> String {
    if deadline > now {
        format!("in {}", format_time(deadline.since(now).ns()))
    } else if deadline < now {
        format!("{} ago", format_time(now.since(deadline).ns()))
    } else {
        "now".to_owned()
    }
}
