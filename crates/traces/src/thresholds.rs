//! What counts as no wait in a recording: how long a launch takes when nothing is in its way.
//!
//! Invariants: thresholds come from the file's own undisturbed launches where it has enough of them, and are bounded. Source of the two
//! samples: `docs/traces.md`; the bounds and the defaults are our choice.

use super::Recording;
use blockstep_sim::units::{Span, Time};

/// What counts as no wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// From a call to the start on an idle device: at most this.
    pub launch: Span,
    /// From the end of the operation before to the start of one that was launched long ago: at most this.
    pub gap: Span,
    /// How far device clock and host clock may be apart, at times without a step.
    pub clock: Span,
    /// Steps of a device's clock, by device and time: device, from when to when, and how far.
    pub clock_steps: Vec<(u32, Time, Time, Span)>,
    /// How many launches on an idle device there were.
    pub idle_launches: u64,
    /// How many operations followed another that still ran 10 µs after their call.
    pub gaps: u64,
}

/// In ns; times in a file may be whole ones.
pub(super) const MICROSECOND: u64 = 1_000;
/// Fewer launches say too little.
const ENOUGH: usize = 20;
/// A call that takes longer says nothing of how long a launch takes, and a copy may be staged within its call (our choice).
const ORDINARY: Span = Span(50_000);
/// A clock that seems to be further off is right: something else took that long (our choice; 14 µs were measured).
const MOST_STEP: u64 = 50_000;
/// The device's clock is compared with the host's in parts of this length.
const PART: u64 = 10_000_000;

impl Thresholds {
    /// Takes them from the launches and gaps of a recording.
    #[must_use]
    pub fn from_recording(recording: &Recording) -> Self {
        let (mut idle, mut gaps) = (Vec::new(), Vec::new());
        let mut parts: Vec<Vec<(u64, i64)>> = vec![Vec::new(); recording.devices.len()];
        // Until when each device is busy with what began before.
        let mut busy = vec![Time::ZERO; recording.devices.len()];
        let mut last = vec![None; recording.streams.len()];
        for operation in &recording.operations {
            let device = recording.stream(operation).device as usize;
            if let Some(call) = recording.call(operation) {
                let is_ordinary = !operation.kind.is_transfer() && call.end.since(call.start) <= ORDINARY;
                if is_ordinary && busy[device] <= call.start && operation.start >= call.start {
                    idle.push(operation.start.since(call.start).ns());
                    parts[device].push((call.start.ns() / PART, operation.start.ns() as i64 - call.end.ns() as i64));
                }
                let before: Option<Time> = last[operation.stream as usize];
                if let Some(end) = before.filter(|end| end.ns() > call.start.ns() + 10 * MICROSECOND && operation.start >= *end) {
                    gaps.push(operation.start.since(end).ns());
                }
            }
            busy[device] = busy[device].max(operation.end);
            let end = &mut last[operation.stream as usize];
            *end = (*end).max(Some(operation.end));
        }
        let (idle_launches, gap_count) = (idle.len() as u64, gaps.len() as u64);
        let of = |sample: &mut Vec<u64>, default: u64, least: u64, most: u64| {
            let ns = if sample.len() < ENOUGH { default } else { quantile(sample, 95).clamp(least, most) };
            Span(ns)
        };
        let launch = of(&mut idle, 20 * MICROSECOND, 5 * MICROSECOND, 50 * MICROSECOND);
        let gap = of(&mut gaps, 4 * MICROSECOND, MICROSECOND, 10 * MICROSECOND);
        let clock = Span(5 * MICROSECOND);
        let clock_steps = parts.iter_mut().enumerate().flat_map(|(device, part)| steps(device as u32, part, clock)).collect();
        Self { launch, gap, clock, clock_steps, idle_launches, gaps: gap_count }
    }

    /// How far the clock of a device may be off at an instant.
    #[must_use]
    pub fn clock_at(&self, device: u32, at: Time) -> Span {
        let next = self.clock_steps.partition_point(|&(of, from, _, _)| (of, from) <= (device, at));
        let step = next.checked_sub(1).map(|last| self.clock_steps[last]).filter(|&(of, _, to, _)| of == device && at < to);
        step.map_or(self.clock, |(_, _, _, by)| by.max(self.clock))
    }
}

/// The value below which `percent` of a sample are; zero of none.
pub(super) fn quantile(sample: &mut [u64], percent: usize) -> u64 {
    if sample.is_empty() {
        return 0;
    }
    let place = (sample.len() * percent / 100).min(sample.len() - 1);
    *sample.select_nth_unstable(place).1
}

/// Parts in which launches on the idle device start much later after their calls than in most parts.
fn steps(device: u32, part: &mut [(u64, i64)], clock: Span) -> Vec<(u32, Time, Time, Span)> {
    part.sort_unstable();
    let mut medians: Vec<(u64, i64)> = Vec::new();
    for of in part.chunk_by(|a, b| a.0 == b.0).filter(|of| of.len() >= 3) {
        medians.push((of[0].0, of[of.len() / 2].1));
    }
    let mut sorted: Vec<i64> = medians.iter().map(|&(_, median)| median).collect();
    sorted.sort_unstable();
    // The lowest quarter is what the clock shows when it is right.
    let Some(&usual) = sorted.get(sorted.len() / 4) else { return Vec::new() };
    let is_far = |&(_, median): &(u64, i64)| (clock.ns() as i64 + 1..=MOST_STEP as i64).contains(&median.saturating_sub(usual));
    let step = |(part, median): (u64, i64)| (device, Time(part * PART), Time((part + 1) * PART), Span(median.abs_diff(usual)));
    medians.into_iter().filter(is_far).map(step).collect()
}
