//! When a run ends if the scenario does not say (docs/semantics.md, section 9).
//!
//! Depends on the rest of `scenario`. Invariant: products are taken in 128 bits.

use super::{Problem, Release, Task};
use crate::units::Time;
use crate::units::written::{format_time, grouped};

/// Horizons of recurring tasks are cut at this many of the longest period.
const LONGEST_PERIODS: u128 = 20;

/// The default horizon; `None` if no task is periodic and the run ends by itself.
pub(super) fn default_horizon(tasks: &[Task]) -> Result<Option<Time>, Problem> {
    let Some(longest) = periods(tasks).max() else {
        return match tasks.iter().find(|t| t.release == Release::Continuous && t.jobs.is_none()) {
            None => Ok(None),
            Some(t) => Err(Problem::new(
                "horizon_ns",
                format!(
                    "is required: task \"{}\" is continuous without a number of jobs and no task is periodic, so nothing says when the run ends",
                    t.name
                ),
            )),
        };
    };
    let end = first_hyperperiod(tasks).unwrap_or_else(|| longest * LONGEST_PERIODS + greatest_offset(tasks));
    u64::try_from(end).map(|ns| Some(Time(ns))).map_err(|_| {
        Problem::new(
            "horizon_ns",
            format!(
                "the default horizon is {} s, beyond the limit of {}; give one",
                grouped(&(end / 1_000_000_000).to_string()),
                format_time(u64::MAX)
            ),
        )
    })
}

/// When everything that is periodic has begun and recurred, ns; `None` if nothing is periodic, or that is later than the default horizon.
pub(super) fn first_hyperperiod(tasks: &[Task]) -> Option<u128> {
    let cap = periods(tasks).max()? * LONGEST_PERIODS;
    // Cut as soon as the multiple exceeds the cap, so it stays far below 128 bits.
    let hyperperiod = periods(tasks).try_fold(1_u128, |acc, p| {
        let lcm = acc / gcd(acc, p) * p;
        (lcm <= cap).then_some(lcm)
    });
    Some(hyperperiod? + greatest_offset(tasks))
}

fn periods(tasks: &[Task]) -> impl Iterator<Item = u128> + '_ {
    tasks.iter().filter(|t| t.release == Release::Periodic).filter_map(|t| t.period).map(|p| u128::from(p.ns()))
}

fn greatest_offset(tasks: &[Task]) -> u128 {
    tasks.iter().map(|t| u128::from(t.offset.ns())).max().unwrap_or(0)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
