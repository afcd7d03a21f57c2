//! How values are spread: histograms, distribution functions and levels over time, with so few
//! points that any run can be drawn.
//!
//! Depends on `trace` and `record`. Invariants: integers only; counts add up to the number of
//! values; however much is left out, the greatest and the least level of every stretch is kept.

use blockstep_sim::record::Records;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{Span, Time};

/// Most points of a distribution function.
const CDF_POINTS: u64 = 400;
/// Most stretches of time that levels are told apart in.
const STRETCHES: u64 = 300;
/// Bins that a histogram has at most, one more or less.
const BINS: u64 = 20;

/// Values counted in bins of equal width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Lower end of the first bin; a multiple of the width.
    pub first: u64,
    /// Width of a bin: 1, 2 or 5 times a power of ten. A bin holds its lower end.
    pub width: u64,
    /// Values in each bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// The histogram of ascending values; `None` without any.
    #[must_use]
    pub fn new(sorted: &[Span]) -> Option<Self> {
        Self::with_bins(sorted, BINS)
    }

    /// One with so many bins at most, one more or less; at least 1.
    #[must_use]
    pub fn with_bins(sorted: &[Span], bins: u64) -> Option<Self> {
        let (least, greatest) = (sorted.first()?.ns(), sorted.last()?.ns());
        let width = class_width((greatest - least).max(greatest / 10), bins);
        let first = least / width * width;
        let mut counts = vec![0; ((greatest - first) / width + 1) as usize];
        for value in sorted {
            counts[((value.ns() - first) / width) as usize] += 1;
        }
        Some(Self { first, width, counts })
    }

    /// The upper end of the last bin, which is not in it.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.width.saturating_mul(self.counts.len() as u64))
    }
}

/// The width of so many classes, at most one more, that reach so far: 1, 2 or 5 times a power of ten.
#[must_use]
pub fn class_width(span: u64, classes: u64) -> u64 {
    round_up(span.div_ceil(classes.max(1)).max(1))
}

/// The next 1, 2 or 5 times a power of ten, or the greatest there is.
fn round_up(least: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [1, 2, 5] {
            match power.checked_mul(digit) {
                Some(step) if step >= least => return step,
                None => return u64::MAX,
                Some(_) => {}
            }
        }
        match power.checked_mul(10) {
            Some(next) => power = next,
            None => return u64::MAX,
        }
    }
}

/// How many of ascending values are at most so great: points (value, count), ascending, the last
/// one for all. Where there are many, values of a four-hundredth of the range share a point.
#[must_use]
pub fn distribution(sorted: &[Span]) -> Vec<(u64, u64)> {
    let (Some(least), Some(greatest)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let grain = ((greatest.ns() - least.ns()) / CDF_POINTS).max(1);
    let mut points: Vec<(u64, u64)> = Vec::new();
    for (i, value) in sorted.iter().enumerate() {
        let point = (value.ns(), i as u64 + 1);
        match points.last_mut() {
            // The same stretch of values: the last of them stands for it.
            Some(last) if (last.0 - least.ns()) / grain == (value.ns() - least.ns()) / grain => *last = point,
            _ => points.push(point),
        }
    }
    points
}

/// A number over time: (from this instant on, level), ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// The changes, or the least and greatest of each stretch where there are too many.
    pub points: Vec<(Time, u64)>,
    /// The greatest.
    pub greatest: u64,
}

impl Levels {
    /// What changes at these instants by these amounts come to, up to the end of the run.
    fn new(mut changes: Vec<(Time, i64)>, end: Time) -> Self {
        changes.sort_unstable();
        let mut exact: Vec<(Time, u64)> = Vec::new();
        let mut level = 0_i64;
        for (at, change) in changes {
            level += change;
            match exact.last_mut() {
                Some(last) if last.0 == at => last.1 = level as u64,
                _ => exact.push((at, level as u64)),
            }
        }
        exact.dedup_by_key(|&mut (_, level)| level);
        let greatest = exact.iter().map(|&(_, level)| level).max().unwrap_or(0);
        let points = if exact.len() as u64 > 2 * STRETCHES { thinned(&exact, end) } else { exact };
        Self { points, greatest }
    }
}

/// Of each stretch of time the least and the greatest level as they come, and the last.
fn thinned(exact: &[(Time, u64)], end: Time) -> Vec<(Time, u64)> {
    let length = (end.ns() / STRETCHES).max(1);
    let mut points = Vec::new();
    for stretch in exact.chunk_by(|a, b| a.0.ns() / length == b.0.ns() / length) {
        let extreme = |key: fn(&(Time, u64)) -> i128| stretch.iter().min_by_key(|p| key(p)).copied();
        let kept = [extreme(|p| p.1.into()), extreme(|p| -i128::from(p.1)), stretch.last().copied()];
        let from = points.len();
        points.extend(kept.into_iter().flatten());
        points[from..].sort_by_key(|&(at, _)| at);
    }
    points.dedup();
    points
}

/// By process: its threads over time; nothing if there is but one.
pub(super) fn threads_by_process(trace: &Trace, records: &Records) -> Vec<Levels> {
    let scenario = trace.scenario();
    if scenario.processes().len() < 2 {
        return Vec::new();
    }
    let mut changes: Vec<Vec<(Time, i64)>> = vec![Vec::new(); scenario.processes().len()];
    for block in &records.blocks {
        let row = trace.row_of(block.op);
        let (own, threads) = (&mut changes[scenario.task(row.task).process.index()], i64::from(row.needs.threads));
        own.push((block.start, threads));
        own.extend(block.end.map(|end| (end, -threads)));
    }
    changes.into_iter().map(|changes| Levels::new(changes, trace.end())).collect()
}

/// By task: how long its completed blocks took, ascending, and its threads over time.
pub(super) fn blocks_by_task(trace: &Trace, records: &Records) -> Vec<(Vec<Span>, Levels)> {
    let mut tasks = vec![(Vec::new(), Vec::new()); trace.scenario().tasks().len()];
    for block in &records.blocks {
        let row = trace.row_of(block.op);
        let (times, changes) = &mut tasks[row.task.index()];
        changes.push((block.start, i64::from(row.needs.threads)));
        if let Some(end) = block.end {
            times.push(end.since(block.start));
            changes.push((end, -i64::from(row.needs.threads)));
        }
    }
    let finish = |(mut times, changes): (Vec<Span>, Vec<(Time, i64)>)| {
        times.sort_unstable();
        (times, Levels::new(changes, trace.end()))
    };
    tasks.into_iter().map(finish).collect()
}
