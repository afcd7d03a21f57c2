//! What is measured of a run.
//!
//! Depends on the records of a run, on its usage of the device, and on the comparison of two runs.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::error::SweepError;
use blockstep_learn::compare::{Differences, Side};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Class, Scenario};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::Span;
use blockstep_view::results::{response, usage};

/// What is measured of a run, by the word that is its column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// When the run ends, ns.
    End,
    /// How many steps it has.
    Steps,
    /// Jobs of any class that missed their deadline, as tables of earlier versions count them: those that completed late, and those not
    /// complete at a deadline that the run reaches.
    Misses,
    /// Those of real-time tasks.
    RealTimeMisses,
    /// Those of best-effort tasks, to which [EDF] gives no deadline.
    BestEffortLate,
    /// Threads that ran times how long, in percent of what the device holds until the run's end, to a thousandth.
    Utilization,
    /// The first instant at which it does otherwise than the run of the file as it is, ns. Nothing if it never does.
    FirstDifference,
    /// The greatest response time, ns: of a task's jobs, from release to completion; of a kernel row that is no task's name, from
    /// the kernel's issue to its completion. Nothing if none completed.
    Response(String),
}

impl FromStr for Measure {
    type Err = SweepError;

    fn from_str(word: &str) -> Result<Self, SweepError> {
        let plain = Self::PLAIN.into_iter().find(|measure| measure.to_string() == word);
        let response = || word.strip_prefix("response:").filter(|name| !name.is_empty()).map(|name| Self::Response(name.to_owned()));
        plain.or_else(response).ok_or_else(|| SweepError::NotAMeasure(word.to_owned()))
    }
}

impl Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("end"),
            Self::Steps => f.write_str("steps"),
            Self::Misses => f.write_str("misses"),
            Self::RealTimeMisses => f.write_str("real-time-misses"),
            Self::BestEffortLate => f.write_str("best-effort-late"),
            Self::Utilization => f.write_str("utilization"),
            Self::FirstDifference => f.write_str("first-difference"),
            Self::Response(name) => write!(f, "response:{name}"),
        }
    }
}

impl Measure {
    /// Those that are a word, in the order in which they are named.
    pub const PLAIN: [Self; 7] =
        [Self::End, Self::Steps, Self::RealTimeMisses, Self::BestEffortLate, Self::Misses, Self::Utilization, Self::FirstDifference];

    /// All that can be measured, as help and messages name it: `end, steps, …, response:NAME of a task or a kernel row`.
    #[must_use]
    pub fn words() -> String {
        let word = |measure: Self| match measure {
            Self::Misses => "misses (both)".to_owned(),
            _ => measure.to_string(),
        };
        format!("{}, and response:NAME of a task or a kernel row", Self::PLAIN.map(word).join(", "))
    }

    /// What is measured if nothing is said of it.
    pub const USUAL: [Self; 3] = [Self::End, Self::RealTimeMisses, Self::Utilization];

    /// What people call it, without its unit.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::End => "End of the run".to_owned(),
            Self::Steps => "Steps".to_owned(),
            Self::Misses => "Late jobs of any class".to_owned(),
            Self::RealTimeMisses => "Late real-time jobs".to_owned(),
            Self::BestEffortLate => "Late best-effort jobs".to_owned(),
            Self::Utilization => "Utilization".to_owned(),
            Self::FirstDifference => "First difference".to_owned(),
            Self::Response(name) => format!("Largest response of {name}"),
        }
    }

    /// Whether it is a time, ns.
    #[must_use]
    pub fn is_time(&self) -> bool {
        matches!(self, Self::End | Self::FirstDifference | Self::Response(_))
    }

    /// Whether a scenario has what it is about.
    ///
    /// # Errors
    /// [`SweepError::NoName`].
    pub(crate) fn check(&self, scenario: &Scenario) -> Result<(), SweepError> {
        let Self::Response(name) = self else { return Ok(()) };
        let tasks = scenario.tasks().iter().map(|task| task.name.clone());
        let known: Vec<String> = tasks.chain(scenario.rows().iter().map(|row| row.name.clone())).collect();
        if known.contains(name) { Ok(()) } else { Err(SweepError::NoName { name: name.clone(), known }) }
    }

    /// As a cell: a number, or nothing. `base` is the run of the file as it is, where a measure asks for it.
    pub(crate) fn cell(&self, trace: &Trace, records: &Records, base: Option<Side<'_>>) -> String {
        let missed = |class| records.judged(trace.scenario(), class).missed;
        match self {
            Self::End => trace.end().ns().to_string(),
            Self::Steps => trace.steps().len().to_string(),
            Self::Misses => (missed(Class::RealTime) + missed(Class::BestEffort)).to_string(),
            Self::RealTimeMisses => missed(Class::RealTime).to_string(),
            Self::BestEffortLate => missed(Class::BestEffort).to_string(),
            Self::Utilization => {
                let usage = usage(trace);
                let thousandths = (usage.thread_time() * 100_000).checked_div(usage.available());
                thousandths.map_or_else(String::new, |part| format!("{}.{:03}", part / 1000, part % 1000))
            }
            Self::FirstDifference => {
                let differences = base.map(|base| Differences::new(base, Side { trace, records }));
                differences.and_then(|found| Some(found.stops().first()?.at.ns().to_string())).unwrap_or_default()
            }
            Self::Response(name) => greatest(name, trace, records).map_or_else(String::new, |span| span.ns().to_string()),
        }
    }
}

/// A cell that is a number, whole or with three digits after the point, in thousandths.
#[must_use]
pub fn thousandths(cell: &str) -> Option<u128> {
    let (whole, part) = cell.split_once('.').unwrap_or((cell, "000"));
    let is_number = !whole.is_empty() && part.len() == 3 && [whole, part].concat().bytes().all(|byte| byte.is_ascii_digit());
    let whole: u64 = whole.parse().ok().filter(|_| is_number)?;
    Some(u128::from(whole) * 1_000 + part.parse::<u128>().ok()?)
}

fn greatest(name: &str, trace: &Trace, records: &Records) -> Option<Span> {
    let scenario = trace.scenario();
    if let Some(task) = scenario.tasks().iter().position(|task| task.name == *name) {
        return records.jobs.iter().filter(|job| job.task.index() == task).filter_map(response).max();
    }
    let kernels = trace.ops().iter().zip(&records.ops).filter(|(op, _)| op.kind == OpKind::Kernel && scenario.row(op.row).name == *name);
    kernels.filter_map(|(_, record)| Some(record.end?.since(record.issued))).max()
}
