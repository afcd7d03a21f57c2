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
    let periods = || tasks.iter().filter(|t| t.release == Release::Periodic).filter_map(|t| t.period).map(|p| u128::from(p.ns()));
    let Some(longest) = periods().max() else {
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
    let cap = longest * LONGEST_PERIODS;
    // Cut as soon as the multiple exceeds the cap, so it stays far below 128 bits.
    let hyperperiod = periods().try_fold(1_u128, |acc, p| {
        let lcm = acc / gcd(acc, p) * p;
        (lcm <= cap).then_some(lcm)
    });
    let offset = tasks.iter().map(|t| u128::from(t.offset.ns())).max().unwrap_or(0);
    let end = hyperperiod.unwrap_or(cap).min(cap) + offset;
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

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
