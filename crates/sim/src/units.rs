//! Quantities and ids that every other layer speaks in.
//!
//! Depends on serde alone. Invariant: a time is a whole number of nanoseconds from the scenario's
//! start, arithmetic on it is checked, and no floating point is involved.

pub mod written;

use std::fmt;

use serde::{Deserialize, Serialize};

/// An instant: nanoseconds since the scenario's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub u64);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span(pub u64);

impl Time {
    /// The scenario's start.
    pub const ZERO: Self = Self(0);
    /// The last instant that can be represented.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant in nanoseconds.
    #[must_use]
    pub const fn ns(self) -> u64 {
        self.0
    }

    /// `self + span`, or `None` beyond 64 bits.
    #[must_use]
    pub const fn after(self, span: Span) -> Option<Self> {
        match self.0.checked_add(span.0) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }

    /// The time from `earlier` to `self`; zero if `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// The length in nanoseconds.
    #[must_use]
    pub const fn ns(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A half-open interval of time: `start` belongs to it, `end` does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeRange {
    /// First instant inside.
    pub start: Time,
    /// First instant after; never before `start`.
    pub end: Time,
}

impl TimeRange {
    /// The interval from `start` to `end`; empty if `end` is earlier.
    #[must_use]
    pub fn new(start: Time, end: Time) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Its length.
    #[must_use]
    pub const fn span(self) -> Span {
        self.end.since(self.start)
    }

    /// Whether `t` lies in it.
    #[must_use]
    pub fn contains(self, t: Time) -> bool {
        self.start <= t && t < self.end
    }
}

impl From<TaskId> for ClaimantId {
    /// A task, for all that it issues itself.
    fn from(task: TaskId) -> Self {
        Self(task.0)
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $repr);

        impl $name {
            /// The id as an index into the table it numbers.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of entry `index` of its table. Tables are bounded on input, far below
            /// what the id can count.
            #[must_use]
            pub const fn at(index: usize) -> Self {
                debug_assert!(index <= <$repr>::MAX as usize);
                Self(index as $repr)
            }
        }
    )*};
}

ids! {
    /// A streaming multiprocessor, counted from 0.
    SmId(u16);
    /// A process, by its place in the scenario's table.
    ProcessId(u32);
    /// A CPU task, by its place in the scenario's table.
    TaskId(u32);
    /// What claims the GPU under `edf`, with times of its own: a task, whose number it has, or a batch of one.
    ClaimantId(u32);
    /// A row of the kernel table.
    RowId(u32);
    /// An address space of a run: all processes together, or one each. Where a process has several channels, one of these.
    SpaceId(u32);
    /// A stream queue of a run.
    StreamId(u32);
    /// An event of a scenario.
    EventId(u32);
    /// A hardware connection of a run, by its place among those of all address spaces.
    ConnectionId(u32);
    /// An operation (kernel or copy), in issue order over the whole run.
    OpId(u32);
    /// A job of a task, counted from 0.
    JobNo(u32);
    /// A step of a trace, counted from 0.
    StepId(u32);
}
