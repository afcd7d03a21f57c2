//! What a study's counts come to as a figure: curves, bands, names.
//!
//! Depends on `sweep`. Invariant: whole numbers throughout; shares and utilizations are in
//! millionths. Source for the bands: Wilson's score interval at 95 %.

use super::edf::{EdfTest, Sections};
use super::edf_run::EdfRun;
use super::generate::MILLION;
use super::signal_run::SignalRun;
use super::sweep::{Counts, Figure, Sweep, Test};
use super::switch_run::SwitchRun;
use blockstep_sim::scenario::{Preemption, SwitchCharge};
use blockstep_sim::units::written::format_time;

/// The square of 1.959964, in millionths.
const Z_SQUARED: u128 = 3_841_459;

/// A share with its band, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Sets that passed, of those tested; rounded to the nearest.
    pub share: u32,
    /// Lower end of the band.
    pub least: u32,
    /// Upper end of the band.
    pub most: u32,
}

/// A curve of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// What it shows.
    pub label: String,
    /// Where it stands, by x, ascending. x is a utilization in millionths or the tests' parameter; a
    /// y is a share, or a utilization in all three of its numbers.
    pub points: Vec<(u64, Share)>,
    /// Where each of them comes from: the test and the utilization, by place in the study.
    pub sources: Vec<(usize, usize)>,
}

/// A point and where it comes from.
type Sourced = (u64, Share, (usize, usize));

impl Curve {
    fn new(label: String, mut points: Vec<Sourced>) -> Self {
        blockstep_sim::order::by_number(&mut points, |p| p.0);
        Self { label, sources: points.iter().map(|p| p.2).collect(), points: points.iter().map(|p| (p.0, p.1)).collect() }
    }
}

/// The share of `passed` among `sets`, with its band; `None` of no sets.
#[must_use]
pub fn share(passed: u64, sets: u64) -> Option<Share> {
    if sets == 0 {
        return None;
    }
    let (k, n, million) = (u128::from(passed.min(sets)), u128::from(sets), u128::from(MILLION));
    let middle = 2 * k * million + Z_SQUARED;
    let spread = (Z_SQUARED * (Z_SQUARED + 4 * k * (n - k) * million / n)).isqrt();
    let below = 2 * (n * million + Z_SQUARED);
    let in_millionths = |above: u128| ((above * million + below / 2) / below).min(million) as u32;
    // Where all passed, or none, the band ends there.
    let least = if k == 0 { 0 } else { in_millionths(middle.saturating_sub(spread)) };
    let most = if k == n { MILLION } else { in_millionths(middle + spread) };
    Some(Share { share: ((k * million + n / 2) / n) as u32, least, most })
}

impl Sweep {
    /// The curves of this study; `counts` by point. Points without sets are left out.
    #[must_use]
    pub fn curves(&self, counts: &[Counts]) -> Vec<Curve> {
        match self.figure {
            Figure::ByUtilisation => {
                let curve = |test: usize| Curve::new(self.tests[test].label(), self.by_utilisation(counts, test));
                (0..self.tests.len()).map(curve).collect()
            }
            Figure::ByParameter => {
                let points = |at: usize, point: &Counts| {
                    let one = |i: usize| Some((self.tests[i].parameter(), share(*point.passed.get(i)?, point.sets)?, (i, at)));
                    (0..self.tests.len()).filter_map(one).collect()
                };
                let label = |utilisation: u32| format!("U = {}", decimal(utilisation));
                let points = self.utilisation.iter().zip(counts).enumerate().map(|(at, (u, c))| (label(u), points(at, c)));
                points.map(|(label, points)| Curve::new(label, points)).collect()
            }
            Figure::Above(thousandths) => self.above(counts, thousandths),
        }
    }

    /// How long the runs are by which a share of the sets is counted, as an addition to what names the share: ` (runs of 1 s)`. Empty
    /// of a study without runs.
    #[must_use]
    pub fn length_of_runs(&self) -> String {
        let length = |test: &Test| match test {
            Test::EdfRun(EdfRun { until, .. }) | Test::SignalRun(SignalRun { until, .. }) | Test::SwitchRun(SwitchRun { until, .. }) => {
                Some(format!("of {}", format_time(until.saturating_mul(1000))))
            }
            // Of a job of each task, after the worst moment for it.
            Test::RunlistRun(_) => Some("up to a deadline".to_owned()),
            Test::Edf(_) | Test::EdfDelay { .. } | Test::RunlistBound(_) => None,
        };
        let mut lengths: Vec<String> = self.tests.iter().filter_map(length).collect();
        lengths.dedup();
        if lengths.is_empty() { String::new() } else { format!(" (runs {})", lengths.join(", ")) }
    }

    fn by_utilisation(&self, counts: &[Counts], test: usize) -> Vec<Sourced> {
        let point = |(at, (u, c)): (usize, (u32, &Counts))| Some((u64::from(u), share(*c.passed.get(test)?, c.sets)?, (test, at)));
        self.utilisation.iter().zip(counts).enumerate().filter_map(point).collect()
    }

    /// One curve for each overhead: over the work-groups (or another parameter) the last utilization
    /// before the share first falls to the limit or below; nothing where the first one is there already.
    fn above(&self, counts: &[Counts], thousandths: u32) -> Vec<Curve> {
        let mut curves: Vec<(String, Vec<Sourced>)> = Vec::new();
        for (i, test) in self.tests.iter().enumerate() {
            let label = test.label_without_groups();
            let limit = thousandths.saturating_mul(1000);
            let points = self.by_utilisation(counts, i);
            let last = |at: fn(&Share) -> u32| points.iter().take_while(|(_, s, _)| at(s) > limit).last().map_or(0, |p| p.0 as u32);
            let found = Share { share: last(|s| s.share), least: last(|s| s.least), most: last(|s| s.most) };
            let place = curves.iter().position(|c| c.0 == label).unwrap_or_else(|| {
                curves.push((label, Vec::new()));
                curves.len() - 1
            });
            if found.share > 0 {
                // Where too many fail, or else the last one there is.
                let source = points.iter().find(|(_, s, _)| s.share <= limit).or(points.last()).map_or((i, 0), |p| p.2);
                curves[place].1.push((test.parameter(), found, source));
            }
        }
        curves.into_iter().map(|(label, points)| Curve::new(label, points)).collect()
    }
}

/// Millionths as a decimal number without superfluous zeros: `0.2`, `1`.
#[must_use]
pub fn decimal(millionths: u32) -> String {
    let text = format!("{}.{:06}", millionths / MILLION, millionths % MILLION);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Test {
    /// What a legend and a table call it.
    #[must_use]
    pub fn label(&self) -> String {
        let groups = match self {
            Self::Edf(EdfTest { sections: Sections::Groups(least, most), .. }) if least == most => format!(", {least} groups"),
            Self::Edf(EdfTest { sections: Sections::Groups(least, most), .. }) => format!(", {least} to {most} groups"),
            _ => String::new(),
        };
        self.label_without_groups() + &groups
    }

    fn label_without_groups(&self) -> String {
        match self {
            Self::Edf(edf) => {
                let name = match edf.preemption {
                    Preemption::Thread => "EDF",
                    Preemption::Block => "lpEDF",
                    Preemption::Kernel => "EDF by kernels",
                    Preemption::None => "npEDF",
                };
                format!("{name}, {} x {} µs", edf.per_job, edf.switch)
            }
            Self::EdfDelay { overhead } => format!("EDF, deadlines {overhead} µs earlier"),
            Self::EdfRun(run) => format!("EDF run, {} µs a preemption", run.overhead),
            Self::SwitchRun(run) if run.longest > run.average => {
                format!("npEDF run, switches drawn, {} µs on average, at most {} µs", run.average, run.longest)
            }
            Self::SignalRun(run) => format!("EDF run, {} µs a signal", run.signal),
            Self::SwitchRun(run) => format!("npEDF run, {} µs a switch", run.average),
            Self::RunlistBound(runlist) => match runlist.charge {
                SwitchCharge::Every => format!("Theorem 1, timeslice {} µs", runlist.timeslice),
                SwitchCharge::Expiries => format!("equation 3 (no bound), timeslice {} µs", runlist.timeslice),
            },
            Self::RunlistRun(runlist) => match runlist.charge {
                SwitchCharge::Every => format!("runlist run, every switch, timeslice {} µs", runlist.timeslice),
                SwitchCharge::Expiries => format!("runlist run, timeslice {} µs", runlist.timeslice),
            },
        }
    }
}
