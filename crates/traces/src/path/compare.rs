//! Two recordings of one program: what changed in the path.
//!
//! Noise is measured from the steps inside each recording; a difference counts if it is beyond that. Where one of them has no steps, the whole
//! runs are compared, and nobody knows their noise. Invariants: equal recordings have no difference; what is compared of both is the median of
//! the steps, or the run. What is called noise is our choice.

use std::collections::BTreeMap;

use super::groups::PathShare;
use super::steps::{Steps, launches, steps};
use super::{DevicePath, wall_clock, words};
use crate::flaws::bearing;
use crate::{Flaw, Recording};

/// A difference counts if it is so many times what the median of the steps may be off by.
const SIGMAS: u64 = 5;
/// And at least so much of a step, in thousandths.
const LEAST_PERMILLE: u64 = 5;
/// Of whole runs differences from a hundredth on are told.
const LEAST_OF_RUNS: u64 = 10;

/// A time of a step in both recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeforeAfter {
    /// Before, the median of the steps, ns.
    pub before_ns: u64,
    /// After, ns.
    pub after_ns: u64,
    /// So much they may differ by noise, ns; of whole runs, from how much on a difference is told.
    pub noise_ns: u64,
}

impl BeforeAfter {
    /// Whether they differ beyond noise.
    #[must_use]
    pub const fn differs(&self) -> bool {
        self.before_ns.abs_diff(self.after_ns) > self.noise_ns
    }
}

/// What of a step changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathChange {
    /// Its share of the path.
    pub share: PathShare,
    /// What it is before, as a label; empty if it is new.
    pub before: String,
    /// What it is after; empty if it is gone. The same as before unless a kernel has a new name at the same place.
    pub after: String,
    /// How long it takes in a step.
    pub time: BeforeAfter,
}

/// Two recordings beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether whole runs are compared, one each, as one of the recordings has no steps.
    pub is_of_runs: bool,
    /// Steps before and after; one each of whole runs.
    pub steps: (usize, usize),
    /// The length of a step, or of the run.
    pub step: BeforeAfter,
    /// What changed beyond noise, the most first.
    pub changes: Vec<PathChange>,
    /// What is wrong with each of the files and may be why they differ: before and after.
    pub flaws: [Vec<Flaw>; 2],
}

impl Comparison {
    /// By how much a step is slower beyond noise, in thousandths of what it was; zero if it is not.
    #[must_use]
    pub fn slower_permille(&self) -> u64 {
        let slower = self.step.after_ns.saturating_sub(self.step.before_ns);
        let permille = u128::from(slower) * 1_000 / u128::from(self.step.before_ns.max(1));
        if self.step.differs() { u64::try_from(permille).unwrap_or(u64::MAX) } else { 0 }
    }
}

/// A recording with the path of the device that ended last.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'r> {
    /// The recording.
    pub recording: &'r Recording,
    /// Its path.
    pub path: &'r DevicePath,
}

/// What of a recording is compared.
#[derive(Clone, Debug)]
pub struct Times {
    /// Its steps, if something repeats in it.
    steps: Option<StepTimes>,
    /// All of it, as one step.
    run: StepTimes,
    flaws: Vec<Flaw>,
}

/// How long steps are, and what each of them went to.
#[derive(Clone, Debug)]
struct StepTimes {
    lengths: Vec<u64>,
    times: BTreeMap<Key, OfSteps>,
}

impl StepTimes {
    fn new(of: Compared<'_>, steps: &Steps) -> Self {
        Self { lengths: steps.lengths(), times: times(of, steps) }
    }
}

impl Times {
    /// Takes them from a recording.
    #[must_use]
    pub fn new(of: Compared<'_>) -> Self {
        let steps = steps(of.recording, of.path.device).or_else(|| launches(of.recording, of.path.device));
        let (first, end) = wall_clock(of.recording);
        let run = Steps { stream: 0, operations: 0, bounds: vec![first, end] };
        Self { steps: steps.map(|steps| StepTimes::new(of, &steps)), run: StepTimes::new(of, &run), flaws: bearing(of.recording) }
    }
}

/// Compares two recordings by their steps; by the whole runs if one of them has none.
#[must_use]
pub fn compare(before: &Times, after: &Times) -> Comparison {
    let compared = match (&before.steps, &after.steps) {
        (Some(first), Some(second)) => compare_steps(first, second, false),
        _ => compare_steps(&before.run, &after.run, true),
    };
    Comparison { flaws: [before.flaws.clone(), after.flaws.clone()], ..compared }
}

fn compare_steps(first: &StepTimes, second: &StepTimes, is_of_runs: bool) -> Comparison {
    let (lengths, later) = (&first.lengths, &second.lengths);
    let permille = if is_of_runs { LEAST_OF_RUNS } else { LEAST_PERMILLE };
    let least = median_and_spread(lengths).0 / 1_000 * permille;
    let step = before_after(lengths, later, least);
    let (old, mut new) = (&first.times, second.times.clone());
    let mut changes = Vec::new();
    let renamed = renamed(old, &new);
    for (key, of) in old {
        let same = new.remove(key);
        // Of a function whose line moved the new line is told.
        let before = same.as_ref().unwrap_or(of).label.clone();
        let after = same.or_else(|| renamed.get(key).and_then(|name| new.remove(&(key.0, name.clone())))).unwrap_or_default();
        let none = vec![0; later.len()];
        let time = before_after(&of.ns, if after.ns.is_empty() { &none } else { &after.ns }, least);
        changes.push(PathChange { share: key.0, before, after: after.label, time });
    }
    for ((share, _), of) in new {
        let time = before_after(&vec![0; lengths.len()], &of.ns, least);
        changes.push(PathChange { share, before: String::new(), after: of.label, time });
    }
    changes.retain(|change| change.time.differs());
    changes.sort_by_key(|change| (std::cmp::Reverse(change.time.before_ns.abs_diff(change.time.after_ns)), change.before.clone()));
    Comparison { is_of_runs, steps: (lengths.len(), later.len()), step, changes, flaws: Default::default() }
}

/// What pieces have in common: their share, and their label without lines of source.
type Key = (PathShare, String);

/// The time of some pieces in each step, and where in a step the first of them is.
#[derive(Clone, Debug, Default)]
struct OfSteps {
    label: String,
    ns: Vec<u64>,
    place: usize,
}

/// The time of each group of pieces in each step.
fn times(of: Compared<'_>, steps: &Steps) -> BTreeMap<Key, OfSteps> {
    let mut times: BTreeMap<Key, OfSteps> = BTreeMap::new();
    let mut places = vec![0_usize; steps.count()];
    for (step, piece) in steps.pieces(of.path) {
        let subject = piece.subject(of.recording, of.path.device);
        let place = places[step];
        // Places are counted in what ran.
        places[step] += usize::from(subject.share == PathShare::Working);
        let label = words::subject(of.recording, subject);
        let group = times.entry((subject.share, words::without_lines(&label)));
        let group = group.or_insert_with(|| OfSteps { label, ns: vec![0; steps.count()], place });
        group.ns[step] = group.ns[step].saturating_add(piece.span().ns());
    }
    times
}

/// Kernels that have another name after, by their places in a step: each old one with the new one at its place.
fn renamed(old: &BTreeMap<Key, OfSteps>, new: &BTreeMap<Key, OfSteps>) -> BTreeMap<Key, String> {
    let only = |these: &BTreeMap<Key, OfSteps>, others: &BTreeMap<Key, OfSteps>| {
        let only = these.iter().filter(|(key, _)| key.0 == PathShare::Working && !others.contains_key(*key));
        only.map(|(key, of)| (of.place, key.clone())).collect::<BTreeMap<usize, Key>>()
    };
    let (gone, new) = (only(old, new), only(new, old));
    gone.into_iter().filter_map(|(place, key)| Some((key, new.get(&place)?.1.clone()))).collect()
}

/// The medians of two samples, and by how much they may differ by noise.
fn before_after(before: &[u64], after: &[u64], least: u64) -> BeforeAfter {
    let ((before_ns, first), (after_ns, second)) = (median_and_spread(before), median_and_spread(after));
    let noise = (u128::from(first).pow(2) + u128::from(second).pow(2)).isqrt();
    BeforeAfter { before_ns, after_ns, noise_ns: u64::try_from(noise).unwrap_or(u64::MAX).saturating_mul(SIGMAS).max(least) }
}

/// The median of a sample, and by how much it may be off: from the mean distance of most of the sample from it.
fn median_and_spread(sample: &[u64]) -> (u64, u64) {
    let median = |mut sample: Vec<u64>| {
        sample.sort_unstable();
        sample.get(sample.len() / 2).copied().unwrap_or(0)
    };
    let middle = median(sample.to_vec());
    let mut distances: Vec<u64> = sample.iter().map(|ns| ns.abs_diff(middle)).collect();
    distances.sort_unstable();
    // Without the farthest quarter, as the first and the last step often differ. Of a normal distribution the deviation is 2.09 of that
    // mean, and the error of the median 1.25 of the mean's.
    distances.truncate(sample.len() - sample.len() / 4);
    let mean = distances.iter().map(|&ns| u128::from(ns)).sum::<u128>() / distances.len().max(1) as u128;
    let off = ((mean * 262 / 100).saturating_pow(2) / sample.len().max(1) as u128).isqrt();
    (middle, u64::try_from(off).unwrap_or(u64::MAX))
}
