//! How long the switches of a run take: always the same time, a time with a tail, or one of a list of samples
//! (docs/varying-times.md, "Switches").
//!
//! Depends on `units`, `dice` and `draft`. Invariant: a draw is a pure function of the seed and of the number of the switch in
//! the run, in whole numbers; where they vary, it is at least 1 ns and at most [`SwitchTimes::longest`].

use std::sync::Arc;

use super::draft::{Draft, PolicyDraft};
use super::validate::FoundProblems;
use crate::dice::{scaled, scrambled};
use crate::units::Span;
use crate::units::written::{format_count, format_time};

/// Most samples of a scenario.
pub const MAX_SAMPLES: usize = 100_000;

/// Switches of a million that are in the tail where a scenario does not say: about 0.3 %, [LP] III-B.
pub const TAIL_PER_MILLION: u64 = 3_000;

/// The whole of what shares of it are given in.
const MILLION: u64 = 1_000_000;

/// What is drawn for: no row of the kernel table has this number.
const PURPOSE: u64 = u64::MAX;

/// How long the switches of a run take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTimes {
    /// Of the scenario and of switches together.
    seed: u64,
    kind: SwitchKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum SwitchKind {
    Constant(u64),
    Tailed(Tailed),
    /// At least one of them.
    Samples(Arc<[u64]>),
}

/// Most switches around the average, a few up to the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tailed {
    average: u64,
    longest: u64,
    /// In the tail, of a million.
    share: u64,
    /// How far all others reach around their middle, to either side. The tail begins so far above the average.
    reach: u64,
    /// Their middle: below the average, so that the tail does not move that.
    center: u64,
}

impl SwitchTimes {
    /// No switch takes time.
    pub(super) const FREE: Self = Self { seed: 0, kind: SwitchKind::Constant(0) };

    /// Switches of this average, up to the longest, with the usual share in the tail; `None` where a scenario with them would be refused.
    #[must_use]
    pub fn around(average: Span, longest: Span, seed: u64) -> Option<Self> {
        let tailed = Tailed::new(average.ns(), longest.ns().max(average.ns()), TAIL_PER_MILLION)?;
        Some(Self { seed: scrambled(scrambled(seed) ^ PURPOSE), kind: SwitchKind::Tailed(tailed) })
    }

    /// The longest that one can take; what an analysis has to count on.
    #[must_use]
    pub fn longest(&self) -> Span {
        Span(match &self.kind {
            SwitchKind::Constant(ns) => *ns,
            SwitchKind::Tailed(tailed) => tailed.longest,
            SwitchKind::Samples(samples) => samples.iter().copied().max().unwrap_or(0),
        })
    }

    /// Of the distribution; of samples rounded down. What was drawn in a run has another one, as a rule.
    #[must_use]
    pub fn average(&self) -> Span {
        Span(match &self.kind {
            SwitchKind::Constant(ns) => *ns,
            SwitchKind::Tailed(tailed) => tailed.average,
            SwitchKind::Samples(samples) => {
                let sum: u128 = samples.iter().map(|&ns| u128::from(ns)).sum();
                u64::try_from(sum / samples.len().max(1) as u128).unwrap_or(u64::MAX)
            }
        })
    }

    /// Where the tail begins, if there is one: what takes at least this long is in it.
    #[must_use]
    pub fn tail_from(&self) -> Option<Span> {
        match &self.kind {
            SwitchKind::Tailed(tailed) => Some(Span(tailed.average + tailed.reach)),
            _ => None,
        }
    }

    /// Whether one takes longer than another.
    #[must_use]
    pub fn vary(&self) -> bool {
        !matches!(self.kind, SwitchKind::Constant(_))
    }

    /// How long number `number` of the switches of a run takes, counted from 0 over those that take time.
    #[must_use]
    pub fn draw(&self, number: u64) -> Span {
        let even = || scrambled(self.seed ^ number);
        Span(match &self.kind {
            SwitchKind::Constant(ns) => *ns,
            SwitchKind::Tailed(tailed) => tailed.at(even()),
            SwitchKind::Samples(samples) => samples.get(scaled(even(), samples.len() as u64) as usize).copied().unwrap_or(0),
        })
    }
}

impl Tailed {
    /// `None` if all others than those of the tail would reach down to no time at all.
    fn new(average: u64, longest: u64, share: u64) -> Option<Self> {
        let reach = average.min(longest - average) / 4;
        let rest = MILLION.checked_sub(share).filter(|&rest| rest > 0)?;
        let below = u128::from(share) * Self::weight(average, longest, reach) / (4 * u128::from(rest));
        let center = average.checked_sub(u64::try_from(below).ok()?).filter(|&center| center > reach)?;
        Some(Self { average, longest, share, reach, center })
    }

    /// Four times what the average of the tail is above that of all.
    fn weight(average: u64, longest: u64, reach: u64) -> u128 {
        u128::from(longest - average) + 3 * u128::from(reach)
    }

    /// The greatest share with which there is one.
    fn most_share(average: u64, longest: u64) -> u64 {
        let reach = average.min(longest - average) / 4;
        let room = 4 * u128::from(average - reach);
        // share * weight < room * (a million - share)
        let shares = (room * u128::from(MILLION)).div_ceil(Self::weight(average, longest, reach) + room) - 1;
        u64::try_from(shares).unwrap_or(MILLION - 1)
    }

    /// By a number spread evenly over all of 64 bits.
    fn at(self, even: u64) -> u64 {
        let second = scrambled(even);
        if scaled(even, MILLION) < self.share {
            let least = self.average + self.reach;
            let cube = scaled(scaled(second, second), second);
            return least + (self.longest - least).checked_add(1).map_or(cube, |count| scaled(count, cube));
        }
        let (third, count) = (scrambled(second), self.reach + 1);
        // The sum of two numbers spread evenly is most often in the middle.
        self.center - self.reach + scaled(second, count) + scaled(third, count)
    }
}

/// The switch times of a draft.
pub(super) fn switches(draft: &Draft, found: &mut FoundProblems) -> SwitchTimes {
    let PolicyDraft { switch_cost_ns, switch_cost_max_ns, switch_tail_per_million, switch_samples_ns, .. } = &draft.policy;
    let seed = scrambled(scrambled(draft.seed) ^ PURPOSE);
    if !switch_samples_ns.is_empty() {
        if switch_samples_ns.len() > MAX_SAMPLES {
            let (count, most) = (format_count(switch_samples_ns.len() as u64), format_count(MAX_SAMPLES as u64));
            found.add(&"policy.switch_samples_ns", &format_args!("lists {count} samples; at most {most} are possible"));
        }
        if let Some(zero) = switch_samples_ns.iter().position(|&ns| ns == 0) {
            found.add(&format_args!("policy.switch_samples_ns[{zero}]"), &"is 0 ns; at least 1 ns is needed");
        }
        return SwitchTimes { seed, kind: SwitchKind::Samples(switch_samples_ns.as_slice().into()) };
    }
    let average = *switch_cost_ns;
    let Some(max) = *switch_cost_max_ns else { return SwitchTimes { seed: 0, kind: SwitchKind::Constant(average) } };
    if average == 0 {
        found.add(&"policy.switch_cost_ns", &"is 0 ns; at least 1 ns is needed where switch_cost_max_ns is given");
        return SwitchTimes::FREE;
    }
    if max < average {
        let max = if max == 0 { "0 ns".to_owned() } else { format_time(max) };
        let message = format_args!("is {max}; at least {} is needed, the average in switch_cost_ns", format_time(average));
        found.add(&"policy.switch_cost_max_ns", &message);
        return SwitchTimes::FREE;
    }
    let share = *switch_tail_per_million;
    let Some(tailed) = Tailed::new(average, max, share) else {
        let (given, limit) = (format_count(share), format_count(Tailed::most_share(average, max)));
        let message = format_args!("is {given}; at most {limit} is possible if a switch takes {} on average", format_time(average));
        found.add(&"policy.switch_tail_per_million", &message);
        return SwitchTimes::FREE;
    };
    SwitchTimes { seed, kind: SwitchKind::Tailed(tailed) }
}
