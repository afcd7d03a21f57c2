//! A decision: what a policy does on an event.
//!
//! Depends on `program` and `state`. Invariants: a decision does not change the state that it was made in but gives a new one; every
//! difference between the two is one of its changes; what it costs is counted, so that it ends.

mod values;

use crate::program::{Action, Gate, One, Program, Slot, Statement, Tasks, VariableKind};
use crate::state::{MAX_TASKS, State, TaskFacts, TaskNumber, TaskSet, VariablePlace};

/// Operations that a decision may take: actions, conditions, and tasks that were looked at.
pub const FUEL: u32 = 10_000;

/// What a policy is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A task asks for the GPU. It is among those ready.
    Request(TaskNumber),
    /// A task gives the GPU back. It is no longer among those ready.
    End(TaskNumber),
    /// Time has passed.
    Tick,
    /// A kernel of a task has been launched.
    Launch(TaskNumber),
    /// A kernel of a task has completed.
    Finish(TaskNumber),
}

/// What a policy may look at besides its own state.
#[derive(Clone, Copy, Debug)]
pub struct World<'w> {
    /// Of each task.
    pub tasks: &'w [TaskFacts],
    /// Those that have asked and not ended, after the event.
    pub ready: TaskSet,
}

/// Draws one of several with weights of at least 1, of which there is at least one; gives its place among them.
pub trait Draw {
    /// A place below the number of weights.
    fn draw(&mut self, weights: &[u64]) -> usize;
}

/// What an action changed. Variables are given by their place in [`Program::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Happened {
    /// A task came into a set or queue; to the front of a queue if so.
    Added(usize, TaskNumber, bool),
    /// A task left a set or queue.
    Removed(usize, TaskNumber),
    /// A set or queue was replaced as a whole, by these; from another one of that place, if it was set to one as it is.
    Replaced(usize, TaskSet, Option<usize>),
    /// A variable for a task has another one.
    Task(usize, Option<TaskNumber>),
    /// A number, or a flag as 0 or 1; of a task if it is a field.
    Number(usize, Option<TaskNumber>, i64),
}

/// A change with the line of the text that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// From 1.
    pub line: u32,
    /// What was changed.
    pub what: Happened,
}

/// What a policy has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its state from now on.
    pub state: State,
    /// Who may run from now on.
    pub admitted: TaskSet,
    /// The line that decided: the last that changed what `admit` reads, or else that of `admit`.
    pub line: u32,
    /// Whose kernels may be launched from now on, with the line that decided; `None` where the policy leaves launches alone.
    pub launching: Option<(TaskSet, u32)>,
    /// Every change, in order.
    pub changes: Vec<Change>,
}

/// Why a decision could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Failure {
    /// More than [`FUEL`].
    #[error("line {line}: the decision takes more than {FUEL} operations")]
    Fuel {
        /// From 1.
        line: u32,
    },
    /// A task is needed, and there is none.
    #[error("line {line}: a task is needed here, and it is none")]
    NoTask {
        /// From 1.
        line: u32,
    },
    /// Tasks beyond those that it was made for.
    #[error("line {line}: there are too many tasks")]
    TooManyTasks {
        /// From 1.
        line: u32,
    },
}

struct Run<'r> {
    program: &'r Program,
    places: Vec<VariablePlace>,
    world: World<'r>,
    draw: &'r mut dyn Draw,
    state: State,
    changes: Vec<Change>,
    event: Option<TaskNumber>,
    subject: Option<TaskNumber>,
    locals: Vec<i64>,
    line: u32,
    fuel: u32,
}

type Ran<T> = Result<T, Failure>;

impl Program {
    /// Decides in a state of this program for as many tasks as the world has.
    ///
    /// # Errors
    /// The line that needs a task where there is none, or more operations than there are.
    pub fn decide(&self, state: &State, event: Event, world: World<'_>, draw: &mut dyn Draw) -> Result<Decision, Failure> {
        let (task, body) = match event {
            Event::Request(task) => (Some(task), &self.on_request),
            Event::End(task) => (Some(task), &self.on_end),
            Event::Tick => (None, &self.on_tick),
            Event::Launch(task) => (Some(task), &self.on_launch),
            Event::Finish(task) => (Some(task), &self.on_finish),
        };
        let count = world.tasks.len();
        if count > MAX_TASKS || task.is_some_and(|task| usize::from(task.0) >= count) {
            return Err(Failure::TooManyTasks { line: self.admit.line });
        }
        let mut run = Run {
            program: self,
            places: self.places(count),
            world,
            draw,
            state: state.clone(),
            changes: Vec::new(),
            event: task,
            subject: None,
            locals: vec![0; self.locals],
            line: self.admit.line,
            fuel: FUEL,
        };
        run.block(body)?;
        let (admitted, line) = run.passing(&self.admit)?;
        let launching = self.launch.as_ref().map(|gate| run.passing(gate)).transpose()?;
        Ok(Decision { state: run.state, admitted, line, launching, changes: run.changes })
    }
}

impl Happened {
    /// The variable that was changed, by its place in [`Program::variables`].
    #[must_use]
    pub fn variable(self) -> usize {
        match self {
            Self::Added(slot, ..) | Self::Removed(slot, _) | Self::Replaced(slot, ..) | Self::Task(slot, _) | Self::Number(slot, ..) => {
                slot
            }
        }
    }
}

impl Program {
    /// Whether what is admitted is made of this variable, by its place in [`Program::variables`].
    #[must_use]
    pub fn admits(&self, variable: usize) -> bool {
        names(&self.admit.tasks, variable)
    }

    /// The same of whose kernels may be launched.
    #[must_use]
    pub fn launches(&self, variable: usize) -> bool {
        self.launch.as_ref().is_some_and(|launch| names(&launch.tasks, variable))
    }
}

/// Whether a set is made of this variable.
fn names(tasks: &Tasks, slot: Slot) -> bool {
    let one = |task: &One| *task == One::Variable(slot);
    match tasks {
        Tasks::Ready => false,
        Tasks::Variable(other) => *other == slot,
        Tasks::Listed(listed) => listed.iter().any(one),
        Tasks::Plus(a, b) | Tasks::Minus(a, b) => names(a, slot) || names(b, slot),
        Tasks::Several(_, pick) => names(&pick.from, slot),
        Tasks::Of(One::Pick(pick)) => names(&pick.from, slot),
        Tasks::Of(task) => one(task),
    }
}

const fn held(task: Option<TaskNumber>) -> i64 {
    match task {
        Some(task) => task.0 as i64,
        None => -1,
    }
}

impl Run<'_> {
    /// Whom a gate lets pass now, and the line that decided: the last that changed what it reads, or else its own.
    fn passing(&mut self, gate: &Gate) -> Ran<(TaskSet, u32)> {
        self.line = gate.line;
        let tasks = self.list(&gate.tasks)?.set();
        let decided = self.changes.iter().rev().find(|change| names(&gate.tasks, change.what.variable()));
        Ok((tasks, decided.map_or(gate.line, |change| change.line)))
    }

    fn block(&mut self, body: &[Statement]) -> Ran<()> {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn spend(&mut self) -> Ran<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Failure::Fuel { line: self.line })?;
        Ok(())
    }

    fn record(&mut self, what: Happened) {
        self.changes.push(Change { line: self.line, what });
    }

    fn statement(&mut self, statement: &Statement) -> Ran<()> {
        self.line = statement.line;
        self.spend()?;
        match &statement.action {
            Action::Add(task, slot, front) => {
                let task = self.needed(task)?;
                self.add(*slot, task, *front);
            }
            Action::Remove(task, slot) => {
                let task = self.needed(task)?;
                self.remove(*slot, task);
            }
            Action::Move(task, slot, front) => {
                let task = self.needed(task)?;
                for other in 0..self.places.len() {
                    // Within a queue it moves to the end, or to the front.
                    if other != *slot || matches!(self.places[other], VariablePlace::Queue(_)) {
                        self.remove(other, task);
                    }
                }
                self.add(*slot, task, *front);
            }
            Action::SetTasks(slot, tasks) => self.replace(*slot, tasks)?,
            Action::SetTask(slot, task) => {
                let task = self.one(task)?;
                if let VariablePlace::Task(at) = self.places[*slot]
                    && self.state.tasks[at] != task
                {
                    self.state.tasks[at] = task;
                    self.record(Happened::Task(*slot, task));
                }
            }
            Action::SetNumber(slot, number) => {
                let number = self.number(number)?;
                self.set_number(*slot, None, number);
            }
            Action::SetFlag(slot, flag) => {
                let flag = self.is(flag)?;
                self.set_number(*slot, None, i64::from(flag));
            }
            Action::SetNumberOf(slot, task, number) => {
                let (task, number) = (self.needed(task)?, self.number(number)?);
                self.set_number(*slot, Some(task), number);
            }
            Action::SetFlagOf(slot, task, flag) => {
                let (task, flag) = (self.needed(task)?, self.is(flag)?);
                self.set_number(*slot, Some(task), i64::from(flag));
            }
            Action::LetTask(slot, task) => self.locals[*slot] = held(self.one(task)?),
            Action::LetNumber(slot, number) => self.locals[*slot] = self.number(number)?,
            Action::LetFlag(slot, flag) => self.locals[*slot] = i64::from(self.is(flag)?),
            Action::If(condition, then, otherwise) => {
                let body = if self.is(condition)? { then } else { otherwise };
                self.block(body)?;
            }
            Action::ForEach(slot, from, only, body) => {
                let list = self.list(from)?;
                for task in list.all() {
                    self.line = statement.line;
                    self.spend()?;
                    if self.passes(*task, only.as_ref())? {
                        self.locals[*slot] = held(Some(*task));
                        self.block(body)?;
                    }
                }
            }
        }
        Ok(())
    }

    // Changes.

    fn add(&mut self, slot: Slot, task: TaskNumber, front: bool) {
        let is_new = match self.places[slot] {
            VariablePlace::Set(at) => {
                let set = &mut self.state.sets[at];
                let is_new = !set.has(task);
                *set = set.with(task);
                is_new
            }
            VariablePlace::Queue(at) => {
                let queue = &mut self.state.queues[at];
                let is_new = !queue.contains(&task);
                if is_new {
                    queue.insert(if front { 0 } else { queue.len() }, task);
                }
                is_new
            }
            VariablePlace::Task(_) | VariablePlace::Number(_) => false,
        };
        if is_new {
            self.record(Happened::Added(slot, task, front));
        }
    }

    fn remove(&mut self, slot: Slot, task: TaskNumber) {
        let was_there = match self.places[slot] {
            VariablePlace::Set(at) => {
                let set = &mut self.state.sets[at];
                let was_there = set.has(task);
                *set = set.without(task);
                was_there
            }
            VariablePlace::Queue(at) => {
                let queue = &mut self.state.queues[at];
                let place = queue.iter().position(|other| *other == task);
                place.map(|place| queue.remove(place)).is_some()
            }
            VariablePlace::Task(_) | VariablePlace::Number(_) => false,
        };
        if was_there {
            self.record(Happened::Removed(slot, task));
        }
    }

    fn replace(&mut self, slot: Slot, tasks: &Tasks) -> Ran<()> {
        let list = self.list(tasks)?;
        let differs = match self.places[slot] {
            VariablePlace::Set(at) => std::mem::replace(&mut self.state.sets[at], list.set()) != list.set(),
            VariablePlace::Queue(at) => {
                let differs = self.state.queues[at] != list.all();
                if differs {
                    self.state.queues[at] = list.all().to_vec();
                }
                differs
            }
            VariablePlace::Task(_) | VariablePlace::Number(_) => false,
        };
        if differs {
            let from = if let Tasks::Variable(from) = tasks { Some(*from) } else { None };
            self.record(Happened::Replaced(slot, list.set(), from));
        }
        Ok(())
    }

    /// Where the number of a variable is, of a task if it is a field.
    fn cell(&self, slot: Slot, task: Option<TaskNumber>) -> usize {
        match self.places[slot] {
            VariablePlace::Number(at) => at + task.map_or(0, |task| usize::from(task.0)),
            _ => usize::MAX,
        }
    }

    fn set_number(&mut self, slot: Slot, task: Option<TaskNumber>, number: i64) {
        let number = match self.program.variables[slot].kind {
            VariableKind::Number(range) | VariableKind::NumberOfTask(range) => range.saturated(number),
            _ => number,
        };
        let cell = self.cell(slot, task);
        if let Some(place) = self.state.numbers.get_mut(cell)
            && *place != number
        {
            *place = number;
            self.record(Happened::Number(slot, task, number));
        }
    }

    fn get_number(&self, slot: Slot, task: Option<TaskNumber>) -> i64 {
        self.state.numbers.get(self.cell(slot, task)).copied().unwrap_or(0)
    }
}
