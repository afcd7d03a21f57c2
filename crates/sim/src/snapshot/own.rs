//! What a policy of one's own is still to be told, and what it has decided last.
//!
//! Depends on the rest of `snapshot`. Invariants: it follows from the steps, like all of the state; a task asks once at a time, and each
//! of its jobs asks before it ends; what is told next is found by a look at each task, however many of its jobs wait. Source: docs/semantics.md, section 14.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::{Residency, Snapshot};
use crate::scenario::{Scenario, Turns};
use crate::trace::{Made, OpKind, Told, Trace};
use crate::units::{JobNo, OpId, SpaceId, StreamId, TaskId, Time};

/// Ticks in a row after which the policy is told of no more before something else happens, where nothing executes.
const MOST_IDLE_TICKS: u32 = 1000;

/// The policy of one's own, and who has to be told to it; nothing under other policies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnState {
    is_kept: bool,
    made: Option<Arc<Made>>,
    /// How many decisions there were.
    decisions: u32,
    /// By task.
    tasks: Vec<OwnTask>,
    /// How many jobs were released.
    released: u64,
    /// Jobs that are complete and whose end was not told, by when it is.
    ends: BTreeSet<(Time, TaskId, JobNo)>,
    /// Kernels that have joined their EE queue or completed, of which the policy hears and was not told, in this order.
    kernels: VecDeque<Told>,
    /// When the last tick or request was told: a tick comes before the requests of its instant, and once.
    ticks_until: Option<Time>,
    /// Ticks since something else happened, while nothing executes.
    idle_ticks: u32,
}

/// What is still to be told of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OwnTask {
    /// The job that has asked and of which the end was not told.
    asking: Option<JobNo>,
    /// Jobs that have been released and have not asked, in order of release.
    unasked: VecDeque<Unasked>,
    /// Jobs that are complete and whose end was not told, and when it is.
    ends: BTreeMap<JobNo, Time>,
}

/// A job that has not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unasked {
    /// Its place in the order of release of all jobs.
    order: u64,
    job: JobNo,
    deadline: Option<Time>,
}

impl OwnState {
    pub(super) fn new(scenario: &Scenario, residency: Residency) -> Self {
        let is_kept = scenario.policy().kind.turns() == Turns::Text && residency != Residency::Shared;
        let tasks = if is_kept { vec![OwnTask::default(); scenario.tasks().len()] } else { Vec::new() };
        Self { is_kept, tasks, ..Self::default() }
    }

    /// What was decided last; `None` before the first decision, when nobody is admitted.
    #[must_use]
    pub fn made(&self) -> Option<&Arc<Made>> {
        self.made.as_ref()
    }

    /// Whether a task may use the GPU.
    #[must_use]
    pub fn admits(&self, task: TaskId) -> bool {
        self.made.as_ref().is_some_and(|made| made.admits(task))
    }

    /// Whether kernels of a task may be launched.
    #[must_use]
    pub fn launches(&self, task: TaskId) -> bool {
        self.made.as_ref().is_some_and(|made| made.launches(task))
    }

    /// The job for which a task has asked, and of which the end was not told.
    #[must_use]
    pub fn asking(&self, task: TaskId) -> Option<JobNo> {
        self.tasks.get(task.index())?.asking
    }

    /// What it costs to find what is told next, in units of [`crate::work`]: a look at each task.
    pub(crate) fn cost(&self) -> u64 {
        self.tasks.len() as u64
    }

    /// Bytes that it takes beside itself and the decisions, which the trace has anyway.
    pub(super) fn bytes(&self) -> usize {
        let unasked: usize = self.tasks.iter().map(|task| task.unasked.len()).sum();
        let ends = 2 * size_of::<(Time, TaskId, JobNo)>() + 2 * size_of::<(JobNo, Time)>();
        let kernels = size_of::<Told>() * self.kernels.len();
        size_of_val(&self.tasks[..]) + size_of::<Unasked>() * unasked + ends * self.ends.len() + kernels
    }

    pub(super) fn release(&mut self, trace: &Trace, task: TaskId, job: JobNo, at: Time) {
        let info = trace.scenario().task(task);
        if info.has_operations()
            && let Some(place) = self.tasks.get_mut(task.index())
        {
            let deadline = info.deadline.and_then(|relative| at.after(relative));
            place.unasked.push_back(Unasked { order: self.released, job, deadline });
            self.released += 1;
        }
    }

    pub(super) fn complete(&mut self, trace: &Trace, task: TaskId, job: JobNo, at: Time) {
        let info = trace.scenario().task(task);
        // Past the last instant there is, it is never told.
        if info.has_operations()
            && let Some(place) = self.tasks.get_mut(task.index())
            && let Some(at) = at.after(info.wake)
        {
            place.ends.insert(job, at);
            self.ends.insert((at, task, job));
        }
    }

    /// A kernel has joined its EE queue.
    pub(super) fn launch(&mut self, trace: &Trace, op: OpId) {
        if self.is_kept && trace.scenario().own().is_some_and(|own| own.program().hears_launches()) {
            self.kernels.push_back(Told::Launch(trace.row_of(op).task, trace.op(op).job, op));
        }
    }

    /// A kernel has completed.
    pub(super) fn finish(&mut self, trace: &Trace, op: OpId) {
        if self.is_kept && trace.scenario().own().is_some_and(|own| own.program().hears_finishes()) {
            self.kernels.push_back(Told::Finish(trace.row_of(op).task, trace.op(op).job, op));
        }
    }

    /// The policy was told of something.
    pub(super) fn tell(&mut self, made: &Arc<Made>, at: Time) {
        self.made = Some(Arc::clone(made));
        self.decisions += 1;
        match made.told {
            Told::Request(task, job) => {
                self.ticks_until = Some(at);
                if let Some(place) = self.tasks.get_mut(task.index()) {
                    place.asking = Some(job);
                    remove(&mut place.unasked, |unasked| unasked.job == job);
                }
            }
            Told::End(task, job) => {
                if let Some(place) = self.tasks.get_mut(task.index()) {
                    place.asking = None;
                    let at = place.ends.remove(&job);
                    at.map(|at| self.ends.remove(&(at, task, job)));
                }
            }
            Told::Tick => self.ticks_until = Some(at),
            Told::Launch(..) | Told::Finish(..) => remove(&mut self.kernels, |told| *told == made.told),
        }
    }

    /// A step was applied: whether that was a tick while nothing executes.
    pub(super) fn count(&mut self, is_idle_tick: bool) {
        self.idle_ticks = if is_idle_tick { self.idle_ticks + 1 } else { 0 };
    }

    /// Whether time is told: somebody is ready, and it may make a difference.
    fn heeds_ticks(&self) -> bool {
        self.idle_ticks < MOST_IDLE_TICKS && self.made.as_ref().is_some_and(|made| !made.ready.is_empty() && !made.is_still)
    }
}

impl Snapshot {
    /// The policy of one's own, under `own`.
    #[must_use]
    pub fn own(&self) -> &OwnState {
        &self.own
    }

    /// What the policy is told next at this instant, if anything, and when the job is due that asks: kernels as they came, then ends, a
    /// tick, and requests.
    #[must_use]
    pub fn next_told(&self, trace: &Trace, now: Time) -> Option<(Told, Option<Time>)> {
        let own = &self.own;
        if let Some(&told) = own.kernels.front() {
            return Some((told, None));
        }
        let tasks = || own.tasks.iter().enumerate().map(|(task, place)| (TaskId::at(task), place));
        let ended = |(task, place): (TaskId, &OwnTask)| Some((*place.ends.get(&place.asking?)?, task, place.asking?));
        if let Some((_, task, job)) = tasks().filter_map(ended).filter(|(at, ..)| *at <= now).min() {
            return Some((Told::End(task, job), None));
        }
        let every = trace.scenario().own().and_then(|own| own.program().tick_every()).filter(|&every| every > 0);
        let is_tick = every.is_some_and(|every| now.ns().is_multiple_of(every) && now > Time::ZERO && own.ticks_until != Some(now));
        if is_tick && own.heeds_ticks() {
            return Some((Told::Tick, None));
        }
        let asks = tasks().filter(|(_, place)| place.asking.is_none()).filter_map(|(task, place)| Some((task, place.unasked.front()?)));
        let (task, &Unasked { job, deadline, .. }) = asks.min_by_key(|(_, first)| first.order)?;
        Some((Told::Request(task, job), deadline))
    }

    /// The next instant after `now` at which the policy is told of something that no other event brings.
    #[must_use]
    pub fn next_telling(&self, trace: &Trace, now: Time) -> Option<Time> {
        let own = &self.own;
        let later = Time(now.ns().checked_add(1)?);
        let end = own.ends.range((later, TaskId::at(0), JobNo(0))..).next().map(|(at, ..)| *at);
        let every = trace.scenario().own().and_then(|own| own.program().tick_every()).filter(|_| own.heeds_ticks());
        let tick = every.and_then(|every| (now.ns().checked_div(every)? + 1).checked_mul(every)).map(Time);
        [end, tick].into_iter().flatten().min()
    }

    /// The kernel that moves on next by P5: the first in issue order that heads its stream, waits for nothing else, and is of a task whose
    /// kernels may be launched.
    #[must_use]
    pub fn next_launch(&self, trace: &Trace) -> Option<OpId> {
        let made = self.own.made.as_ref()?;
        let streams = (0..self.streams.len()).map(StreamId::at);
        let heads = streams.filter_map(|stream| self.promotable_under(trace, stream)).filter(|&op| trace.op(op).kind == OpKind::Kernel);
        heads.filter(|&op| made.launches(trace.row_of(op).task)).min()
    }

    /// Whether this head of a stream waits for the policy alone to be launched.
    #[must_use]
    pub fn waits_for_launch(&self, trace: &Trace, op: OpId) -> bool {
        self.gates_launches(trace) && trace.op(op).kind == OpKind::Kernel && self.promotable_under(trace, trace.op(op).stream) == Some(op)
    }

    /// Whether kernels move on as the policy says (P5).
    #[must_use]
    pub fn gates_launches(&self, trace: &Trace) -> bool {
        self.own.is_kept && trace.scenario().own().is_some_and(|own| own.program().gates_launches())
    }

    /// Whether a process may go: it has work, and a task of it that is admitted has something issued and incomplete.
    #[must_use]
    pub fn may_go(&self, trace: &Trace, space: SpaceId) -> bool {
        let is_of_it = |task: TaskId| trace.scenario().task(task).process.index() == space.index();
        self.has_work(space) && self.admitted().any(|task| is_of_it(task) && self.task(task).is_live())
    }

    /// The tasks that may use the GPU, in table order.
    pub fn admitted(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.own.made.iter().flat_map(|made| made.admitted())
    }

    /// The processes that may go, once for each of their tasks that let them.
    fn who_may_go(&self, trace: &Trace) -> impl Iterator<Item = SpaceId> {
        let live = self.admitted().filter(|&task| self.task(task).is_live());
        live.map(|task| SpaceId(trace.scenario().task(task).process.0)).filter(|&space| self.has_work(space))
    }

    /// Whether another process than this one may go.
    pub(super) fn others_may_go(&self, trace: &Trace, space: SpaceId) -> bool {
        self.who_may_go(trace).any(|other| other != space)
    }

    /// The process that may go and stands next from the pointer on, and how many entries are skipped.
    #[must_use]
    pub fn next_admitted(&self, trace: &Trace) -> Option<(u64, SpaceId)> {
        let (list, pointer) = (trace.scenario().runlist(), self.runlist().pointer);
        self.who_may_go(trace).map(|space| (list.distance(pointer, space), space)).min()
    }

    /// The decision since which the policy keeps a task from the GPU, by its place, if it does and the task has asked. Looks at every
    /// decision since then.
    #[must_use]
    pub fn held_back_by(&self, trace: &Trace, task: TaskId) -> Option<u32> {
        self.barred_since(trace, task, Made::admits)
    }

    /// The decision since which the policy does not let kernels of a task be launched, likewise.
    #[must_use]
    pub fn not_launched_by(&self, trace: &Trace, task: TaskId) -> Option<u32> {
        self.barred_since(trace, task, Made::launches)
    }

    fn barred_since(&self, trace: &Trace, task: TaskId, passes: fn(&Made, TaskId) -> bool) -> Option<u32> {
        let since = self.own.asking(task).filter(|_| !self.own.made().is_some_and(|made| passes(made, task)))?;
        let asked = |place: u32| trace.made(place).told == Told::Request(task, since);
        let mut place = self.own.decisions.checked_sub(1)?;
        while !asked(place)
            && let Some(before) = place.checked_sub(1).filter(|&before| !passes(trace.made(before), task))
        {
            place = before;
        }
        Some(place)
    }
}

/// Takes the first of these out: it nearly always comes first.
fn remove<T>(queue: &mut VecDeque<T>, is_it: impl Fn(&T) -> bool) {
    if let Some(place) = queue.iter().position(is_it) {
        queue.remove(place);
    }
}
