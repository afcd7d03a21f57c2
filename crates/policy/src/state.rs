//! The state of a policy between two decisions, and what it may know of tasks.
//!
//! Depends on `program`. Invariant: a state is a plain value. Two states are equal exactly if the policy cannot tell them apart.

use crate::program::{Program, VariableKind};

/// Tasks that a policy may have to do with.
pub const MAX_TASKS: usize = 64;

/// A task, by its number from 0 to [`MAX_TASKS`] - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskNumber(pub u8);

/// Some tasks, in the order of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskSet(pub u64);

impl TaskSet {
    /// Of no tasks.
    pub const EMPTY: Self = Self(0);

    /// The set of one task.
    #[must_use]
    pub const fn single(task: TaskNumber) -> Self {
        Self(1_u64.wrapping_shl(task.0 as u32))
    }

    /// Whether it has this task.
    #[must_use]
    pub const fn has(self, task: TaskNumber) -> bool {
        self.0 & Self::single(task).0 != 0
    }

    /// With a task more.
    #[must_use]
    pub const fn with(self, task: TaskNumber) -> Self {
        Self(self.0 | Self::single(task).0)
    }

    /// Without a task.
    #[must_use]
    pub const fn without(self, task: TaskNumber) -> Self {
        Self(self.0 & !Self::single(task).0)
    }

    /// Those in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that the other has not.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it has.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Its tasks.
    pub fn iter(self) -> impl Iterator<Item = TaskNumber> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| TaskNumber(rest.trailing_zeros() as u8));
            rest &= rest.wrapping_sub(1);
            next
        })
    }
}

/// What a policy may know of a task, and of its job if it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskFacts {
    /// Real time, or else best effort.
    pub realtime: bool,
    /// Higher is more urgent. Best-effort tasks are below all others whatever their numbers, which order them among themselves.
    pub priority: i64,
    /// In ns; none is longer than any.
    pub period: Option<u64>,
    /// Of its job, as an absolute time in ns; none is later than any.
    pub deadline: Option<u64>,
    /// SMs that its job uses at most.
    pub sms: i64,
    /// How long its job takes alone, in ns.
    pub duration: i64,
}

/// The values of all variables. One that is put together has as many of each as [`Program::start`] gives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The tasks of each set, in the order of declaration.
    pub sets: Vec<TaskSet>,
    /// The tasks of each queue, its head first.
    pub queues: Vec<Vec<TaskNumber>>,
    /// What each variable for a task holds.
    pub tasks: Vec<Option<TaskNumber>>,
    /// Numbers and flags; of a field one for each task.
    pub numbers: Vec<i64>,
}

/// Where in a state a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariablePlace {
    Set(usize),
    Queue(usize),
    Task(usize),
    /// The first of its numbers.
    Number(usize),
}

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// The tasks of a set, or of a queue with its head first.
    Tasks(Vec<TaskNumber>),
    /// A task or none.
    Task(Option<TaskNumber>),
    /// A number; of a flag 0 or 1.
    Number(i64),
    /// The same for each task.
    Numbers(Vec<i64>),
}

impl Program {
    /// What each variable holds in a state for so many tasks, in the order of [`Program::variables`].
    #[must_use]
    pub fn held(&self, state: &State, tasks: usize) -> Vec<Held> {
        let number = |at: usize| state.numbers.get(at).copied().unwrap_or(0);
        let held = |(place, variable): (VariablePlace, &crate::program::Variable)| match place {
            VariablePlace::Set(at) => Held::Tasks(state.sets.get(at).map_or_else(Vec::new, |set| set.iter().collect())),
            VariablePlace::Queue(at) => Held::Tasks(state.queues.get(at).cloned().unwrap_or_default()),
            VariablePlace::Task(at) => Held::Task(state.tasks.get(at).copied().flatten()),
            VariablePlace::Number(at) => match variable.kind {
                VariableKind::NumberOfTask(_) | VariableKind::FlagOfTask(_) => Held::Numbers((at..at + tasks).map(number).collect()),
                _ => Held::Number(number(at)),
            },
        };
        self.places(tasks).into_iter().zip(&self.variables).map(held).collect()
    }

    /// The state before the first request, for so many tasks (at most [`MAX_TASKS`] count).
    #[must_use]
    pub fn start(&self, tasks: usize) -> State {
        let tasks = tasks.min(MAX_TASKS);
        let mut state = State { sets: Vec::new(), queues: Vec::new(), tasks: Vec::new(), numbers: Vec::new() };
        for variable in &self.variables {
            match variable.kind {
                VariableKind::Set => state.sets.push(TaskSet::EMPTY),
                VariableKind::Queue => state.queues.push(Vec::new()),
                VariableKind::Task => state.tasks.push(None),
                VariableKind::Number(range) => state.numbers.push(range.first),
                VariableKind::Flag(first) => state.numbers.push(i64::from(first)),
                VariableKind::NumberOfTask(range) => state.numbers.extend(std::iter::repeat_n(range.first, tasks)),
                VariableKind::FlagOfTask(first) => state.numbers.extend(std::iter::repeat_n(i64::from(first), tasks)),
            }
        }
        state
    }

    /// Where the state of so many tasks has each variable.
    pub(crate) fn places(&self, tasks: usize) -> Vec<VariablePlace> {
        let (mut sets, mut queues, mut ones, mut numbers) = (0, 0, 0, 0);
        let next = |count: &mut usize, by: usize| std::mem::replace(count, *count + by);
        let place = |variable: &crate::program::Variable| match variable.kind {
            VariableKind::Set => VariablePlace::Set(next(&mut sets, 1)),
            VariableKind::Queue => VariablePlace::Queue(next(&mut queues, 1)),
            VariableKind::Task => VariablePlace::Task(next(&mut ones, 1)),
            VariableKind::Number(_) | VariableKind::Flag(_) => VariablePlace::Number(next(&mut numbers, 1)),
            VariableKind::NumberOfTask(_) | VariableKind::FlagOfTask(_) => VariablePlace::Number(next(&mut numbers, tasks)),
        };
        self.variables.iter().map(place).collect()
    }
}
