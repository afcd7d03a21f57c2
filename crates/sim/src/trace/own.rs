//! The decisions of a policy of one's own: what it was told, what it knew then, and what came of it.
//!
//! Depends on the rest of `trace` and on the crate `policy`. Invariant: a decision follows from the scenario, the decision before it and the
//! event with its deadline; so a run is put together again from its steps, and a replay decides nothing. Source: docs/semantics.md,
//! section 14.

use std::sync::Arc;

use blockstep_policy::{Decision, Event, Failure, MAX_TASKS, TaskFacts, TaskNumber, TaskSet, World};

use super::Trace;
use crate::scenario::Class;
use crate::units::{JobNo, OpId, TaskId, Time};

/// What a policy is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Told {
    /// A job asks for the GPU.
    Request(TaskId, JobNo),
    /// A job is over, and its task has woken up.
    End(TaskId, JobNo),
    /// Time has passed.
    Tick,
    /// A kernel of this job has joined its EE queue.
    Launch(TaskId, JobNo, OpId),
    /// A kernel of this job has completed.
    Finish(TaskId, JobNo, OpId),
}

impl Told {
    /// The job that it is about.
    #[must_use]
    pub const fn job(self) -> Option<(TaskId, JobNo)> {
        match self {
            Self::Request(task, job) | Self::End(task, job) | Self::Launch(task, job, _) | Self::Finish(task, job, _) => Some((task, job)),
            Self::Tick => None,
        }
    }

    /// The kernel that it is about.
    #[must_use]
    pub const fn kernel(self) -> Option<OpId> {
        match self {
            Self::Launch(.., op) | Self::Finish(.., op) => Some(op),
            Self::Request(..) | Self::End(..) | Self::Tick => None,
        }
    }

    /// The name of the event in the language.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Request(..) => "request",
            Self::End(..) => "end",
            Self::Tick => "tick",
            Self::Launch(..) => "launch",
            Self::Finish(..) => "finish",
        }
    }
}

/// A decision of a policy of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What it was told.
    pub told: Told,
    /// When the job that asks is due.
    pub deadline: Option<Time>,
    /// The tasks that have asked and not ended, from then on.
    pub ready: TaskSet,
    /// Whether the next tick would change nothing either: it was one, changed nothing, and drew nothing.
    pub is_still: bool,
    /// What came of it.
    pub decision: Decision,
}

impl Made {
    /// Whether a task may use the GPU from then on.
    #[must_use]
    pub fn admits(&self, task: TaskId) -> bool {
        number(task).is_some_and(|task| self.decision.admitted.has(task))
    }

    /// The tasks that may use the GPU from then on, in table order.
    pub fn admitted(&self) -> impl Iterator<Item = TaskId> + use<> {
        self.decision.admitted.iter().map(|task| TaskId::at(usize::from(task.0)))
    }

    /// Those whose kernels may be launched, where the policy says so, with the line that decided.
    #[must_use]
    pub fn launching(&self) -> Option<(impl Iterator<Item = TaskId> + use<>, u32)> {
        let (tasks, line) = self.decision.launching?;
        Some((tasks.iter().map(|task| TaskId::at(usize::from(task.0))), line))
    }

    /// Whether kernels of a task may be launched from then on.
    #[must_use]
    pub fn launches(&self, task: TaskId) -> bool {
        self.decision.launching.is_none_or(|(launching, _)| number(task).is_some_and(|task| launching.has(task)))
    }
}

/// A task, as the language has it; `None` past the last that it knows.
#[must_use]
pub fn number(task: TaskId) -> Option<TaskNumber> {
    u8::try_from(task.0).ok().filter(|&task| usize::from(task) < MAX_TASKS).map(TaskNumber)
}

fn bytes_of(Decision { state, changes, .. }: &Decision) -> usize {
    let queues = state.queues.iter().map(|queue| size_of_val(queue) + size_of_val(&queue[..])).sum::<usize>();
    size_of::<Made>()
        + size_of_val(&state.sets[..])
        + queues
        + size_of_val(&state.tasks[..])
        + size_of_val(&state.numbers[..])
        + size_of_val(&changes[..])
}

/// The decisions of a run, and what the next one may look at.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    made: Vec<Arc<Made>>,
    facts: Vec<TaskFacts>,
    bytes: usize,
}

impl Trace {
    /// Tells the policy of something, and adds what it decides; its place among the decisions. Before the step that says so.
    ///
    /// # Errors
    /// The line that needs a task where there is none, or more operations than there are; `None` without such a policy.
    pub fn tell(&mut self, told: Told, deadline: Option<Time>) -> Result<u32, Option<Failure>> {
        let Some(own) = self.scenario.own().cloned() else { return Err(None) };
        if self.decisions.facts.is_empty() {
            self.decisions.facts = (0..self.scenario.tasks().len()).map(|task| self.facts_of(TaskId::at(task))).collect();
        }
        let program = own.program();
        let last = self.decisions.made.last().cloned();
        let (mut ready, place) = (last.as_ref().map_or(TaskSet::EMPTY, |last| last.ready), self.decisions.made.len() as u32);
        let known = |task| number(task).ok_or(None);
        let event = match told {
            Told::Tick => Event::Tick,
            Told::Request(task, _) => {
                let task = known(task)?;
                ready = ready.with(task);
                if let Some(facts) = self.decisions.facts.get_mut(usize::from(task.0)) {
                    facts.deadline = deadline.map(Time::ns);
                }
                Event::Request(task)
            }
            Told::End(task, _) => {
                let task = known(task)?;
                ready = ready.without(task);
                Event::End(task)
            }
            Told::Launch(task, ..) => Event::Launch(known(task)?),
            Told::Finish(task, ..) => Event::Finish(known(task)?),
        };
        let world = World { tasks: &self.decisions.facts, ready };
        let start = last.is_none().then(|| program.start(world.tasks.len()));
        let state = last.as_ref().map(|last| &last.decision.state).or(start.as_ref());
        let state = state.ok_or(None)?;
        let decision = program.decide(state, event, world, &mut own.draws(place)).map_err(Some)?;
        let admits_the_same = last.as_ref().is_some_and(|last| last.decision.admitted == decision.admitted);
        let is_still = told == Told::Tick && admits_the_same && decision.state == *state && !program.reads().chance;
        self.decisions.bytes += bytes_of(&decision);
        self.decisions.made.push(Arc::new(Made { told, deadline, ready, is_still, decision }));
        Ok(place)
    }

    /// A decision, by its place.
    #[must_use]
    pub fn made(&self, place: u32) -> &Arc<Made> {
        &self.decisions.made[place as usize]
    }

    /// How many decisions a policy of one's own has made.
    #[must_use]
    pub fn decisions(&self) -> u32 {
        self.decisions.made.len() as u32
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes_of_decisions(&self) -> usize {
        self.decisions.bytes
    }

    /// What a policy may know of a task before it asks.
    fn facts_of(&self, id: TaskId) -> TaskFacts {
        let (scenario, task) = (&self.scenario, self.scenario.task(id));
        let blocks = task.rows.iter().map(|&row| scenario.row(row).blocks).max().unwrap_or(0);
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        TaskFacts {
            realtime: task.class == Class::RealTime,
            // In scenarios smaller numbers go first, and in the language the higher priority does.
            priority: task.priority.saturating_neg(),
            period: task.period.map(|period| period.ns()),
            deadline: None,
            sms: number(blocks.min(scenario.device().sms)),
            duration: number(self.budget(id).ns()),
        }
    }
}
