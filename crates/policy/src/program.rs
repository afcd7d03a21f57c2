//! A policy that was read: what it declares, and what it does on each event. Its kinds agree.
//!
//! Depends on nothing. Invariant: a program refers to its variables by numbers that exist, each of the kind that its
//! place needs, so that a run can fail only for a task that is none or for too many operations.

/// A kind of variable that lasts from decision to decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// Tasks, each at most once, in the order of their numbers.
    Set,
    /// Tasks, each at most once, in the order in which they came.
    Queue,
    /// A task, or none.
    Task,
    /// A number that stays within its range.
    Number(Range),
    /// True or false.
    Flag(bool),
    /// A number for each task.
    NumberOfTask(Range),
    /// A flag for each task.
    FlagOfTask(bool),
}

/// The range of a number, ends included, and its first value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// At least so much.
    pub least: i64,
    /// At most so much.
    pub most: i64,
    /// To begin with.
    pub first: i64,
}

impl Range {
    /// The nearest number in it.
    #[must_use]
    pub fn saturated(self, number: i64) -> i64 {
        number.clamp(self.least, self.most)
    }
}

/// A variable that the text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As the text calls it.
    pub name: String,
    /// What it holds.
    pub kind: VariableKind,
}

/// What its author says of a policy, so that a search can hold it against that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// No task waits while one that is less urgent runs.
    Preemption,
    /// No best-effort task runs beside a real-time one.
    Separation,
    /// No task waits forever for a job of equal or lower priority, even if that never ends: time passes.
    Turns,
    /// At most so many tasks run at once; if so, only real-time ones count.
    AtMost(u32, bool),
    /// Every deadline is met that the test of EDF promises.
    Deadlines,
}

/// A policy whose text has no mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub(crate) text: String,
    pub(crate) variables: Vec<Variable>,
    pub(crate) expects: Vec<Expectation>,
    pub(crate) on_request: Vec<Statement>,
    pub(crate) on_end: Vec<Statement>,
    pub(crate) on_tick: Vec<Statement>,
    pub(crate) on_launch: Vec<Statement>,
    pub(crate) on_finish: Vec<Statement>,
    /// In ns.
    pub(crate) tick_every: Option<u64>,
    pub(crate) admit: Gate,
    /// Whose kernels may be launched, if the policy says so.
    pub(crate) launch: Option<Gate>,
    pub(crate) locals: usize,
    pub(crate) reads: Reads,
}

/// What of tasks a program looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Priorities.
    pub priority: bool,
    /// Periods.
    pub period: bool,
    /// Deadlines of jobs.
    pub deadline: bool,
    /// SMs or durations.
    pub sizes: bool,
    /// In which order tasks are numbered, other than to decide between two that are equally urgent.
    pub order: bool,
    /// Chance.
    pub chance: bool,
}

impl Program {
    /// As it was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variables, as the text declares them.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What its author says of it.
    #[must_use]
    pub fn expects(&self) -> &[Expectation] {
        &self.expects
    }

    /// How often it is told of the time, in ns.
    #[must_use]
    pub fn tick_every(&self) -> Option<u64> {
        self.tick_every
    }

    /// Whether it says whose kernels may be launched.
    #[must_use]
    pub fn gates_launches(&self) -> bool {
        self.launch.is_some()
    }

    /// Whether it is told of each kernel that has been launched.
    #[must_use]
    pub fn hears_launches(&self) -> bool {
        !self.on_launch.is_empty()
    }

    /// Whether it is told of each kernel that has finished.
    #[must_use]
    pub fn hears_finishes(&self) -> bool {
        !self.on_finish.is_empty()
    }

    /// What of tasks it looks at.
    #[must_use]
    pub fn reads(&self) -> Reads {
        self.reads
    }
}

/// Who may pass, at all times: the tasks that a line at the margin names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) line: u32,
    pub(crate) tasks: Tasks,
}

/// The place of a variable, or of a local name.
pub(crate) type Slot = usize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) line: u32,
    pub(crate) action: Action,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A task into a set or queue; at its front if so.
    Add(One, Slot, bool),
    Remove(One, Slot),
    /// Out of every set and queue, and then into this one.
    Move(One, Slot, bool),
    SetTasks(Slot, Tasks),
    SetTask(Slot, One),
    SetNumber(Slot, Number),
    SetFlag(Slot, Condition),
    SetNumberOf(Slot, One, Number),
    SetFlagOf(Slot, One, Condition),
    LetTask(Slot, One),
    LetNumber(Slot, Number),
    LetFlag(Slot, Condition),
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// Each task of a set, as a local name.
    ForEach(Slot, Tasks, Option<Condition>, Vec<Statement>),
}

/// A task, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum One {
    None,
    /// The task of the event.
    Event,
    /// The task that a condition after `where` is about.
    Subject,
    Local(Slot),
    Variable(Slot),
    Pick(Box<Pick>),
}

/// One of some tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pick {
    pub(crate) how: How,
    pub(crate) from: Tasks,
    pub(crate) only: Option<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Highest(Value),
    Lowest(Value),
    First,
    /// By chance: each alike, or each as likely as its number.
    Draw(Option<Slot>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tasks {
    Ready,
    Variable(Slot),
    Listed(Vec<One>),
    Plus(Box<Tasks>, Box<Tasks>),
    Minus(Box<Tasks>, Box<Tasks>),
    /// So many of them, one pick after the other.
    Several(u32, Box<Pick>),
    /// The task that a variable holds, if any.
    Of(One),
}

/// What can be compared with its like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(Number),
    Priority(One),
    Period(One),
    Deadline(One),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Is(i64),
    Variable(Slot),
    Local(Slot),
    Of(Slot, One),
    Count(Tasks),
    Id(One),
    Sms(One),
    /// In ns.
    Duration(One),
    Plus(Box<Number>, Box<Number>),
    Minus(Box<Number>, Box<Number>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Is(bool),
    Variable(Slot),
    Local(Slot),
    Of(Slot, One),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    IsNone(One),
    IsEmpty(Tasks),
    In(One, Tasks),
    Any(Tasks, Option<Box<Condition>>),
    Realtime(One),
    Same(One, One),
    Compare(Value, Sign, Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Less,
    AtMost,
    More,
    AtLeast,
    Same,
    Differs,
}
