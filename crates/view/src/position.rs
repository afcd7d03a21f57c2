//! Where a reader stands in a run: after how many steps; moves by instant, by time, by typed text.
//!
//! Depends on `trace` and `quantity`. Invariant: a position is the number of steps applied, from 0
//! to the number of steps of the run.

use super::quantity::{self, QuantityError, Unit, format_time};
use blockstep_sim::language::counted;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::Time;

/// Where a reader stands: how many steps have been applied, and when that is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stop {
    /// Steps applied.
    pub position: u32,
    /// The instant, ns; not before the last of those steps, and perhaps long after it.
    pub at: Time,
}

impl Stop {
    /// At the instant of the last of `position` steps, or of the run's last one if there are fewer.
    #[must_use]
    pub fn at_step(trace: &Trace, position: u32) -> Self {
        let position = position.min(trace.steps().len() as u32);
        Self { position, at: time_at(trace, position) }
    }

    /// At an instant, after every step that is not later.
    #[must_use]
    pub fn at_time(trace: &Trace, at: Time) -> Self {
        Self { position: at_time(trace, at), at }
    }

    /// The same in this run, and not before its last step.
    #[must_use]
    pub fn within(self, trace: &Trace) -> Self {
        let step = Self::at_step(trace, self.position);
        Self { at: self.at.max(step.at), ..step }
    }
}

/// The position after every step that is not later than `at`.
#[must_use]
pub fn at_time(trace: &Trace, at: Time) -> u32 {
    trace.steps().partition_point(|s| s.at <= at) as u32
}

/// The position after the last step of the next instant.
#[must_use]
pub fn next_instant(trace: &Trace, position: u32) -> u32 {
    trace.steps().get(position as usize).map_or(position, |next| at_time(trace, next.at))
}

/// The position after the last step of the instant before the one at `position`.
#[must_use]
pub fn previous_instant(trace: &Trace, position: u32) -> u32 {
    let Some(last) = (position as usize).checked_sub(1).and_then(|i| trace.steps().get(i)) else { return 0 };
    trace.steps().partition_point(|s| s.at < last.at) as u32
}

/// The time at a position: that of the last step applied, 0 before the first.
#[must_use]
pub fn time_at(trace: &Trace, position: u32) -> Time {
    (position as usize).checked_sub(1).and_then(|i| trace.steps().get(i)).map_or(Time::ZERO, |s| s.at)
}

/// Where to go, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// After so many steps.
    Step(u32),
    /// After every step that is not later.
    Time(Time),
}

/// Why a text is no place of a run.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    #[error("step {step}: the run has {}", counted(u64::from(*.count), "step"))]
    NoStep { step: u64, count: u32 },
}

/// Reads "where to go" in a run of so many steps: a time (`1.1 s`, `200 ms`) or a step (`#12`, `step 12`).
///
/// # Errors
/// What is wrong, naming the value and the limit.
pub fn parse_goal(text: &str, count: u32) -> Result<Goal, GoalError> {
    let text = text.trim();
    let step = text.strip_prefix('#').or_else(|| text.get(..4).filter(|s| s.eq_ignore_ascii_case("step")).map(|_| &text[4..]));
    match step {
        Some(number) => {
            let step = quantity::parse(Unit::Count, number.trim())?;
            let within = u32::try_from(step).ok().filter(|&s| s <= count);
            within.map(Goal::Step).ok_or(GoalError::NoStep { step, count })
        }
        None => Ok(Goal::Time(Time(quantity::parse(Unit::Time, text)?))),
    }
}

impl Goal {
    /// That it lies beyond the end of a timeline, in a sentence, if it does.
    #[must_use]
    pub fn beyond(self, end: Time) -> Option<String> {
        match self {
            Self::Time(at) if at > end => {
                Some(format!("{} is beyond the end of the timeline, {}.", format_time(at.ns()), format_time(end.ns())))
            }
            _ => None,
        }
    }
}

/// The same as a place in a run.
///
/// # Errors
/// What is wrong, naming the value and the limit.
pub fn parse_stop(trace: &Trace, text: &str) -> Result<Stop, GoalError> {
    Ok(match parse_goal(text, trace.steps().len() as u32)? {
        Goal::Step(position) => Stop::at_step(trace, position),
        Goal::Time(at) => Stop::at_time(trace, at),
    })
}
