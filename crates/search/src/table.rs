//! A sequence of requests as a table of kernels: a run in which the policy is told of these requests, in this order.
//!
//! Depends on `walk` and on the engine. Invariant: what is given was run, and its policy was told of these requests before anything
//! else and decided each as here. Of requests that no such table is found for, nothing is given: a table has times, and not every order has one.

use blockstep_policy::TaskNumber;
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Class, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, Scenario, TaskDraft};
use blockstep_sim::trace::{Change, Told};
use blockstep_sim::units::{TaskId, Time};

use super::attributes::{DueOrder, deadlines, periods};
use super::graph::Request;
use super::walk::Walk;

/// From one request to the next where the policy has no tick, ns.
const UNIT: u64 = 1_000_000;
/// A tick that comes more often leaves no room for requests between two of them, ns.
const LEAST_TICK: u64 = 10_000;
/// Of the shortest time between two requests, a kernel takes this part, and a timeslice a part of that: so all who are admitted have their turn.
const PART: u64 = 16;
/// A thread that never wakes up, ns.
const NEVER: u64 = 1 << 50;

/// A table, and when the last of its requests is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyTable {
    /// The scenario.
    pub draft: Draft,
    /// After this instant the policy has been told of all of them.
    pub at: Time,
}

/// When a task's jobs begin and end.
#[derive(Default)]
struct Jobs {
    begins: Vec<u64>,
    ends: Vec<u64>,
}

impl Walk<'_> {
    /// A scenario in which a run under this policy, whose text is given, is told of the first `steps` requests and of nothing before them.
    /// `None` if none was found. Tasks get deadlines and periods in the order that they have here. Of SMs and durations a walk has no values,
    /// so a policy that reads them has a table only if they do not matter.
    #[must_use]
    pub fn table(&self, text: &str, steps: usize) -> Option<PolicyTable> {
        let requests: Vec<Request> = self.requests().take(steps).collect();
        if requests.is_empty() {
            return None;
        }
        let (times, least) = times(&requests, self.program().tick_every())?;
        let mut jobs: Vec<Jobs> = (0..self.tasks()).map(|_| Jobs::default()).collect();
        for (request, at) in requests.iter().zip(&times) {
            match *request {
                Request::Begin(task, _) => jobs.get_mut(usize::from(task.0))?.begins.push(*at),
                Request::End(task) => jobs.get_mut(usize::from(task.0))?.ends.push(*at),
                Request::Tick => {}
            }
        }
        // Tasks behind the last that asks have no part in it.
        jobs.truncate(jobs.iter().rposition(|jobs| !jobs.begins.is_empty())? + 1);
        let at = *times.last()?;
        let horizon = at.checked_add(4 * least)?;
        let mut draft = self.drafted(text, &jobs, least, horizon)?;
        self.set_periods(&mut draft, horizon)?;
        self.set_deadlines(&mut draft, &requests, &times, [horizon, least])?;
        // Whoever ends first needs no other's end to be known.
        let mut ending: Vec<usize> = (0..jobs.len()).filter(|&task| !jobs[task].ends.is_empty()).collect();
        ending.sort_by_key(|&task| jobs[task].ends[0]);
        for task in ending {
            let run = run(&draft)?;
            let records = Records::new(&run.trace);
            let first = records.jobs.iter().find(|job| job.task == TaskId::at(task))?.end?;
            draft.tasks[task].wake_ns = jobs[task].ends[0].checked_sub(first.ns())?;
        }
        self.is_told(&run(&draft)?, &requests).then_some(PolicyTable { draft, at: Time(at) })
    }

    fn drafted(&self, text: &str, jobs: &[Jobs], least: u64, horizon: u64) -> Option<Draft> {
        let work = (least / PART).max(1);
        let mut draft = Draft {
            name: format!("Requests {}", self.words().collect::<Vec<_>>().join(" ")),
            policy: PolicyDraft { kind: PolicyKind::Own, text: text.to_owned(), ..PolicyDraft::default() },
            horizon_ns: Some(horizon),
            ..Draft::default()
        };
        for (number, jobs) in jobs.iter().enumerate() {
            let task = TaskNumber(u8::try_from(number).ok()?);
            let (name, rank) = (self.name(task), self.rank(task));
            let period = match jobs.begins[..] {
                [first, second, ..] => Some(second - first),
                _ => None,
            };
            if let Some(period) = period
                && jobs.begins.windows(2).any(|pair| pair[1] - pair[0] != period)
            {
                return None;
            }
            draft.processes.push(ProcessDraft {
                timeslice_ns: (work / PART).max(1),
                preemption: Some(Preemption::Thread),
                ..ProcessDraft::named(name.clone())
            });
            draft.tasks.push(TaskDraft {
                process: Some(name.clone()),
                release: if period.is_some() { Release::Periodic } else { Release::Once },
                period_ns: period,
                jobs: period.map(|_| jobs.begins.len() as u64),
                // A task that asks for nothing comes after all of it.
                offset_ns: jobs.begins.first().copied().unwrap_or(horizon.saturating_add(1)),
                class: Some(if rank == 0 { Class::BestEffort } else { Class::RealTime }),
                // The smaller number is the higher priority.
                priority: -i64::from(rank),
                wake_ns: NEVER,
                ..TaskDraft::named(name.clone())
            });
            // What has no end among the requests is not complete by then.
            let time = if jobs.ends.is_empty() { horizon } else { work };
            draft.kernels.push(KernelDraft { task: Some(name.clone()), ..KernelDraft::named(format!("K{name}"), 4, 1024, time) });
        }
        Some(draft)
    }

    /// Where the policy reads periods, those of real-time tasks are in the order of their ranks.
    fn set_periods(&self, draft: &mut Draft, step: u64) -> Option<()> {
        if self.program().reads().period {
            let ranks: Vec<u8> =
                (0..draft.tasks.len()).map(|task| u8::try_from(task).map_or(0, |task| self.rank(TaskNumber(task)))).collect();
            let given: Vec<Option<u64>> = draft.tasks.iter().map(|task| task.period_ns).collect();
            draft.tasks.iter_mut().zip(periods(&ranks, &given, step)?).for_each(|(task, period)| task.period_ns = period);
        }
        Some(())
    }

    /// Where the policy reads deadlines, those of real-time tasks are in the order in which their jobs are due here. All are later than
    /// `least`, and `gap` apart if they can.
    fn set_deadlines(&self, draft: &mut Draft, requests: &[Request], times: &[u64], [least, gap]: [u64; 2]) -> Option<()> {
        if !self.program().reads().deadline {
            return Some(());
        }
        let mut begins = vec![0; self.tasks()];
        let mut orders = Vec::new();
        for (step, (request, at)) in requests.iter().zip(times).enumerate() {
            let Request::Begin(task, due) = *request else { continue };
            let task = usize::from(task.0);
            *begins.get_mut(task)? = *at;
            let places = self.due(step + 1);
            let others = (0..places.len()).filter(|other| due.is_some() && *other != task && places[*other] > 0);
            orders.extend(
                others.map(|other| DueOrder { jobs: [(task, *at), (other, begins[other])], order: places[task].cmp(&places[other]) }),
            );
        }
        let tasks = draft.tasks.len();
        let found = deadlines(tasks, &orders, least, gap).or_else(|| deadlines(tasks, &orders, least, 1))?;
        let of_realtime = draft.tasks.iter_mut().zip(found).filter(|(task, _)| task.class == Some(Class::RealTime));
        of_realtime.for_each(|(task, deadline)| task.deadline_ns = Some(deadline));
        Some(())
    }

    /// Whether the policy was told of these requests first, and decided as here.
    fn is_told(&self, run: &Run, requests: &[Request]) -> bool {
        let made = run.trace.steps().iter().filter_map(|step| match step.change {
            Change::PolicyTold { decision } => Some(run.trace.made(decision)),
            _ => None,
        });
        let number = |task: TaskId| u8::try_from(task.index()).ok().map(TaskNumber);
        let mut told = 0;
        for (made, request) in made.zip(requests) {
            let is_same = match (made.told, *request) {
                (Told::Request(task, _), Request::Begin(wanted, _)) | (Told::End(task, _), Request::End(wanted)) => {
                    number(task) == Some(wanted)
                }
                (Told::Tick, Request::Tick) => true,
                _ => false,
            };
            told += 1;
            if !is_same || made.decision.admitted != self.admitted(told) {
                return false;
            }
        }
        // A decision that fails ends the run.
        let fails = matches!(self.decision(requests.len()), Some(Err(_)));
        told + usize::from(fails && run.trace.cut().is_some()) == requests.len()
    }
}

/// When each request comes, and the shortest time between two, ns. Ticks come when the policy's interval says.
fn times(requests: &[Request], every: Option<u64>) -> Option<(Vec<u64>, u64)> {
    let Some(every) = every else {
        return Some(((0..requests.len() as u64).map(|place| place * UNIT).collect(), UNIT));
    };
    if every < LEAST_TICK {
        return None;
    }
    let (mut times, mut least, mut begin) = (Vec::new(), every, 0_u64);
    for between in requests.split_inclusive(|request| *request == Request::Tick) {
        let step = every / (between.len() as u64 + 1);
        least = least.min(step);
        times.extend((1..=between.len() as u64).map(|place| begin + place * step));
        begin += every;
        if between.last() == Some(&Request::Tick)
            && let Some(last) = times.last_mut()
        {
            *last = begin;
        }
    }
    Some((times, least))
}

fn run(draft: &Draft) -> Option<Run> {
    Some(simulate(&Scenario::new(draft).ok()?, Limits::default()))
}
