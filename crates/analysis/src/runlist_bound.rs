//! The response time that a task in a process of high interleaving cannot exceed under `runlist`.
//!
//! Depends on everything up to `engine`. Invariant: a bound is given only where the proof below
//! holds. Source: [EDF] Theorem 1, equations (2) and (3); docs/semantics.md, section 6.
//!
//! **What is bounded.** Task i alone in its process h, which is high and preempted by thread; C is
//! the time its job takes alone (in the worst job, where execution times vary; a shorter one has
//! fewer gaps and less work), TS the timeslice of h.
//!
//! **One gap.** Between two neighboring entries of h stand all other high processes once and one
//! medium or low one (if there are any); of a process of several channels each channel counts as a
//! process. A process that is served while h has work leaves at its next expiry at the latest, as h
//! waits for it, so it stays at most its timeslice from then on; and if none of its jobs is released
//! before or as the last one completes, at most the work of one job. Hence from any instant at which h
//! has work and is neither resident nor being switched to, the Host stands in one gap, and at most `l`,
//! the sum of these, passes in other processes' stays before h is served. (Where the Host idles the gap
//! is the one the pointer stands in.)
//!
//! **All gaps.** The job has work from its release to its end, and what it executes while h is
//! resident is what it would execute alone, only later: all it launches, it launches at its
//! release or as an earlier row completes. So h, once served, leaves at an expiry or with the job
//! complete. If the job finds h away, there is one gap before the first of its ceil(C / TS) stays
//! and one between any two: ceil(C / TS) gaps. If it is released as the last job completes,
//! h is still resident with r < TS of a timeslice left, and it takes ceil((C - r) / TS) gaps, which
//! is no more. That is equation (2): ceil(C / TS) l + C. A call of the CPU that takes time breaks this: the job has no work then, h
//! leaves, and comes back only after one more gap. So there is no bound for such a task.
//!
//! **Switches.** Every entry served in a gap may cost a switch (one that is under way when the
//! job is released belongs to its entry), and so may the return to h: with n processes in the gap,
//! n + 1 switches. Equation (3) has one for each gap, which is too few as soon as n is positive.
//! The bound that charges them all: ceil(C / TS) (l + (n + 1) x) + C, x being the cost of one.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use blockstep_sim::engine::{Limits, time_alone};
use blockstep_sim::record::{JobRecord, Records};
use blockstep_sim::scenario::{Interleave, KernelRow, PolicyKind, Preemption, Scenario};
use blockstep_sim::trace::{Cut, Trace};
use blockstep_sim::units::{JobNo, ProcessId, RowId, SpaceId, Span, TaskId};

/// The terms of the theorem for one task, and what follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunlistBound {
    /// C: the job alone on the idle device.
    pub execution: Span,
    /// TS: the timeslice of the task's process.
    pub timeslice: Span,
    /// ceil(C / TS): gaps that the job can have to wait through.
    pub gaps: u64,
    /// The other channels of high processes that have work at all.
    pub high: Others,
    /// Of the medium and low ones, the one that can stay longest; a gap holds one of them.
    pub other: Option<Stay>,
    /// l: the longest gap without switches. `None` beyond 64 bits, like the bounds.
    pub gap: Option<Span>,
    /// x: the cost of a switch, the longest if they vary.
    pub switch_cost: Span,
    /// n + 1: switches of one gap and the return from it; 0 if nobody else has work.
    pub switches: u64,
    /// Equation (2), without any cost.
    pub without_cost: Option<Span>,
    /// Equation (3): one switch for each expiry of the task's own.
    pub at_own_expiries: Option<Span>,
    /// Every switch of every gap.
    pub every_switch: Option<Span>,
}

/// The channels of all high processes that have work, but for those of one process. All tasks share the list.
#[derive(Clone, Debug)]
pub struct Others {
    all: Arc<[Stay]>,
    own: Range<u32>,
}

impl Others {
    /// Each of them, in table order.
    pub fn iter(&self) -> impl Iterator<Item = &Stay> + Clone {
        self.all.iter().filter(|stay| !self.own.contains(&stay.channel.0))
    }
}

impl PartialEq for Others {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Others {}

impl FromIterator<Stay> for Others {
    fn from_iter<I: IntoIterator<Item = Stay>>(stays: I) -> Self {
        Self { all: stays.into_iter().collect(), own: 0..0 }
    }
}

/// For how long a channel of a process can keep another waiting when it is served once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// Which one.
    pub channel: SpaceId,
    /// How long.
    pub time: Span,
    /// Whether that is the work of one job and not the timeslice.
    pub is_work: bool,
}

/// Why the theorem says nothing of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inapplicable {
    /// The process is not at the high level.
    NotHigh,
    /// Other tasks launch work in the process too; the first of them.
    SharedProcess(TaskId),
    /// The task's rows are on several channels of its process, which take turns with one another.
    OwnChannels,
    /// The process is not preempted by thread.
    OwnPreemption,
    /// The task launches nothing.
    NoWork,
    /// The row is launched some time after the release or the row before it.
    DelayedRow(RowId),
    /// The CPU's call for the row takes time, in which the process may have no work and leave.
    TimedCall(RowId),
    /// The task waits for producers.
    Producers,
    /// Blocks of this row, the first such one of the scenario, spin or are assigned only all together.
    Together(RowId),
    /// How long this row runs varies, and rows run beside each other: a shorter one may then make the
    /// job longer, so the time alone with all at their longest is no bound.
    VaryingBesideOthers(RowId),
    /// The job was released before the one before it was complete.
    Overlap(JobNo),
    /// Nothing says for how long this process stays when it is served.
    OtherPreemption(ProcessId),
    /// How long a job takes alone could not be found out.
    Unknown(Cut),
}

impl Inapplicable {
    /// The reason in a sentence, which may be said of several tasks at once.
    #[must_use]
    pub fn sentence(&self, scenario: &Scenario) -> String {
        match self {
            Self::NotHigh => "The theorem requires a process at the high interleaving level.".to_owned(),
            Self::SharedProcess(task) => format!("The process is shared with task {}.", scenario.task(*task).name),
            Self::OwnChannels => "The kernels are on several channels of the process; the theorem is about one.".to_owned(),
            Self::OwnPreemption => "The process does not leave at once when its timeslice expires.".to_owned(),
            Self::NoWork => "Nothing is launched.".to_owned(),
            Self::DelayedRow(row) => {
                format!("Kernel {} is launched with a delay after the job's release or the kernel before it.", scenario.row(*row).name)
            }
            Self::TimedCall(row) => {
                format!(
                    "The call for {} takes time, in which the job may have no work; the theorem does not cover such a pause.",
                    scenario.row(*row).name
                )
            }
            Self::Producers => "The jobs wait for producers.".to_owned(),
            Self::Together(row) => {
                format!("Blocks of kernel {} spin or start only together; the theorem does not cover that.", scenario.row(*row).name)
            }
            Self::VaryingBesideOthers(row) => {
                let name = &scenario.row(*row).name;
                format!(
                    "The block times of kernel {name} vary and the task's kernels may run concurrently, so no single job is the \
                         longest."
                )
            }
            Self::Overlap(job) => format!("Job {} was released before the previous job was complete.", job.0),
            Self::OtherPreemption(process) => {
                let name = &scenario.processes()[process.index()].name;
                format!("Process {name} may stay resident for longer than its timeslice.")
            }
            Self::Unknown(cut) => format!("The execution time of a job alone is unknown: {cut}."),
        }
    }
}

/// The bound of every task in its place, or why there is none; nothing under other policies.
/// `limits` are those of the runs that find out how long the jobs take alone, all together.
#[must_use]
pub fn bounds(trace: &Trace, records: &Records, limits: Limits) -> Vec<Result<RunlistBound, Inapplicable>> {
    let scenario = &**trace.scenario();
    if scenario.policy().kind != PolicyKind::Runlist {
        return Vec::new();
    }
    let mut left = limits.max_steps;
    let mut alone = |task| {
        let (time, steps) = time_alone(scenario, task, Limits { max_steps: left })?;
        left -= steps;
        Ok(time)
    };
    let mut jobs: Vec<Vec<&JobRecord>> = vec![Vec::new(); scenario.tasks().len()];
    records.jobs.iter().for_each(|job| jobs[job.task.index()].push(job));
    let facts: Vec<_> = (0..).zip(&jobs).map(|(i, jobs)| Facts::new(scenario, jobs, TaskId(i), &mut alone)).collect();
    let company = Company::new(scenario, &facts);
    (0..).zip(&facts).map(|(i, own)| bound(scenario, own, &company, TaskId(i))).collect()
}

/// Why no task of a scenario has a bound, where a run of it under the runlist may have no end: blocks that spin, without a horizon.
#[must_use]
pub fn endless(scenario: &Scenario) -> Option<Vec<Result<RunlistBound, Inapplicable>>> {
    let row = scenario.first_together().filter(|_| scenario.has_spins() && scenario.horizon().is_none())?;
    Some(scenario.tasks().iter().map(|_| Err(Inapplicable::Together(row))).collect())
}

/// What is known of a task by itself.
struct Facts {
    /// Whether it launches anything.
    has_work: bool,
    /// The job's time alone, or why the job has none that holds in company.
    execution: Result<Span, Inapplicable>,
    /// The first job released before the one before it was complete.
    overlap: Option<JobNo>,
    /// Whether every job was complete before the next one's release.
    is_apart: bool,
}

impl Facts {
    fn new(scenario: &Scenario, jobs: &[&JobRecord], id: TaskId, alone: &mut impl FnMut(TaskId) -> Result<Span, Cut>) -> Self {
        let task = scenario.task(id);
        let mut facts = Self { has_work: !task.rows.is_empty(), execution: Err(Inapplicable::NoWork), overlap: None, is_apart: true };
        let mut before: Option<Option<_>> = None;
        for job in jobs {
            if let Some(end) = before.replace(job.end) {
                if end.is_none_or(|end| end > job.release) {
                    facts.overlap.get_or_insert(job.job);
                }
                facts.is_apart &= end.is_some_and(|end| end < job.release);
            }
        }
        let row_where = |is_so: fn(&KernelRow) -> bool| task.rows.iter().copied().find(|&row| is_so(scenario.row(row)));
        let delayed = row_where(|row| row.start > Span::ZERO);
        let timed = row_where(|row| row.call_time > Span::ZERO);
        let varying = row_where(|row| row.variation.most() > Span::ZERO).filter(|_| !runs_in_turn(scenario, &task.rows));
        if let (true, true, Some(row)) = (facts.has_work, task.consumes.is_empty(), scenario.first_together()) {
            facts.execution = Err(Inapplicable::Together(row));
            return facts;
        }
        facts.execution = match (delayed, timed, varying) {
            _ if !facts.has_work => Err(Inapplicable::NoWork),
            _ if !task.consumes.is_empty() => Err(Inapplicable::Producers),
            (Some(row), ..) => Err(Inapplicable::DelayedRow(row)),
            (None, Some(row), _) => Err(Inapplicable::TimedCall(row)),
            (None, None, Some(row)) => Err(Inapplicable::VaryingBesideOthers(row)),
            (None, None, None) => alone(id).map_err(Inapplicable::Unknown),
        };
        facts
    }
}

/// Whether each row's operations begin after those of the row before are complete: it is in the same
/// stream, or launched by their completion. Then no block that runs longer makes the job shorter.
pub(super) fn runs_in_turn(scenario: &Scenario, rows: &[RowId]) -> bool {
    rows.windows(2).all(|pair| {
        let (before, row) = (scenario.row(pair[0]), scenario.row(pair[1]));
        row.after == Some(pair[0]) || (row.after.is_none() && before.after.is_none() && row.stream == before.stream)
    })
}

fn bound(scenario: &Scenario, own: &Facts, company: &Company, id: TaskId) -> Result<RunlistBound, Inapplicable> {
    let home = scenario.task(id).process;
    let process = &scenario.processes()[home.index()];
    if !own.has_work {
        return Err(Inapplicable::NoWork);
    }
    if process.interleave != Interleave::High {
        return Err(Inapplicable::NotHigh);
    }
    let at_home = &company.processes[home.index()];
    if let Some(other) = at_home.workers.into_iter().flatten().find(|&other| other != id) {
        return Err(Inapplicable::SharedProcess(other));
    }
    if at_home.channels.len() > 1 {
        return Err(Inapplicable::OwnChannels);
    }
    if process.preemption != Preemption::Thread {
        return Err(Inapplicable::OwnPreemption);
    }
    let execution = own.execution.clone()?;
    if let Some(job) = own.overlap {
        return Err(Inapplicable::Overlap(job));
    }
    if let Some(&process) = company.unbounded.iter().flatten().find(|&&process| process != home) {
        return Err(Inapplicable::OtherPreemption(process));
    }
    let high = Others { all: Arc::clone(&company.high), own: at_home.places.clone() };
    let other = company.longest_below;
    let timeslice = Span(process.timeslice_ns);
    let gaps = execution.ns().div_ceil(timeslice.ns());
    let of_others = company.high.len() - at_home.stays.len();
    let in_gap = of_others as u64 + u64::from(other.is_some());
    let switches = if in_gap == 0 { 0 } else { in_gap + 1 };
    let switch_cost = scenario.switches().longest();
    // At most a table's length of 64-bit times: far below 128 bits.
    let sum = |stays: &[Stay]| stays.iter().map(|stay| u128::from(stay.time.ns())).sum::<u128>();
    let gap = company.high_ns - sum(&at_home.stays) + sum(other.as_slice());
    let total = |switches: u64| {
        let each = gap + u128::from(switches) * u128::from(switch_cost.ns());
        let all = each.checked_mul(gaps.into())?.checked_add(execution.ns().into())?;
        u64::try_from(all).ok().map(Span)
    };
    Ok(RunlistBound {
        execution,
        timeslice,
        gaps,
        high,
        other,
        gap: u64::try_from(gap).ok().map(Span),
        switch_cost,
        switches,
        without_cost: total(0),
        at_own_expiries: total(1),
        every_switch: total(switches),
    })
}

/// What is known of a process by itself.
#[derive(Clone, Default)]
struct Member {
    /// The first two tasks that launch anything.
    workers: [Option<TaskId>; 2],
    /// The channels that its rows put operations on.
    channels: BTreeSet<u32>,
    /// All of its channels, among those of the scenario.
    places: Range<u32>,
    /// For how long each of those with work keeps others waiting; nothing if nobody knows.
    stays: Vec<Stay>,
}

/// What is known of all processes, so that no task need look at all of them.
struct Company {
    processes: Vec<Member>,
    /// Channels with work of the high ones.
    high: Arc<[Stay]>,
    /// How long these are together, ns.
    high_ns: u128,
    /// Of the others, the one that can stay longest.
    longest_below: Option<Stay>,
    /// The first two processes of which nobody knows how long they stay.
    unbounded: [Option<ProcessId>; 2],
}

impl Company {
    fn new(scenario: &Scenario, facts: &[Facts]) -> Self {
        let mut processes = vec![Member::default(); scenario.processes().len()];
        for (i, task) in scenario.tasks().iter().enumerate().filter(|(i, _)| facts[*i].has_work) {
            let member = &mut processes[task.process.index()];
            if let Some(free) = member.workers.iter_mut().find(|worker| worker.is_none()) {
                *free = Some(TaskId::at(i));
            }
        }
        for row in scenario.rows().iter().filter(|row| row.call.has_operation()) {
            let process = scenario.task(row.task).process;
            processes[process.index()].channels.insert(scenario.streams()[row.stream].channel);
        }
        for (channel, place) in scenario.channels().iter().zip(0..) {
            let places = &mut processes[channel.process.index()].places;
            *places = if channel.number == 0 { place..place + 1 } else { places.start..place + 1 };
        }
        let (mut high, mut longest_below, mut unbounded) = (Vec::new(), None::<Stay>, [None; 2]);
        for (i, member) in processes.iter_mut().enumerate() {
            match stays(scenario, facts, ProcessId::at(i), member) {
                Some(stays) => member.stays = stays,
                None => unbounded.iter_mut().find(|slot| slot.is_none()).into_iter().for_each(|slot| *slot = Some(ProcessId::at(i))),
            }
            for stay in &member.stays {
                if scenario.processes()[i].interleave == Interleave::High {
                    high.push(*stay);
                } else if longest_below.is_none_or(|longest| stay.time > longest.time) {
                    longest_below = Some(*stay);
                }
            }
        }
        let high_ns = high.iter().map(|stay| u128::from(stay.time.ns())).sum();
        Self { processes, high: high.into(), high_ns, longest_below, unbounded }
    }
}

/// The longest time that each channel of a process keeps others waiting when it is served; nothing if it never has
/// work, and `None` if nobody knows. As in the theorem, only high processes count with the work of a job where that is less
/// than their timeslice; one that is not preempted at all counts with nothing else. What a job does on one of several
/// channels is not known.
fn stays(scenario: &Scenario, facts: &[Facts], id: ProcessId, member: &Member) -> Option<Vec<Stay>> {
    let process = &scenario.processes()[id.index()];
    let [Some(first), second] = member.workers else { return Some(Vec::new()) };
    let first = &facts[first.index()];
    // One job at a time, and none that follows another at once: a stay is the work of one at most.
    let work = first.execution.as_ref().ok().filter(|_| first.is_apart && second.is_none() && member.channels.len() < 2);
    let timeslice = Span(process.timeslice_ns);
    let (time, is_work) = match (process.preemption, work) {
        (Preemption::None, Some(&work)) => (work, true),
        (Preemption::Thread, Some(&work)) if process.interleave == Interleave::High && work < timeslice => (work, true),
        (Preemption::Thread, _) => (timeslice, false),
        (Preemption::None | Preemption::Kernel | Preemption::Block, _) => return None,
    };
    let stay = |&number: &u32| Stay { channel: SpaceId(member.places.start + number), time, is_work };
    Some(member.channels.iter().map(stay).collect())
}
