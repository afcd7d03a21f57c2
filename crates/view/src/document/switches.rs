//! How the switches of a document vary, as one choice, and cards for which it was measured.
//!
//! Depends on the rest of `document`. Invariant: a choice keeps the times that are typed, as far as it has a use for them.

use super::Document;
use crate::quantity::{self, QuantityError};
use blockstep_sim::scenario::{BlockTimes, PolicyDraft, TAIL_PER_MILLION};

/// Samples that a field shows; more are summed up, and can be replaced only.
const MAX_SAMPLES_SHOWN: usize = 64;

/// How the switches of a scenario vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchShape {
    /// Not at all.
    Constant,
    /// Around an average, with a tail.
    Tail,
    /// As samples do.
    Samples,
}

impl SwitchShape {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Constant, Self::Tail, Self::Samples];

    /// As a list's value has it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Tail => "tail",
            Self::Samples => "samples",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.word() == word)
    }

    /// What a policy has.
    #[must_use]
    pub const fn from_policy(policy: &PolicyDraft) -> Self {
        match policy {
            _ if !policy.switch_samples_ns.is_empty() => Self::Samples,
            PolicyDraft { switch_cost_max_ns: Some(_), .. } => Self::Tail,
            _ => Self::Constant,
        }
    }

    /// Gives a policy this shape. Where nothing is typed yet, the numbers are those of the GT 710 in [LP] III-B.
    pub(super) fn shape(self, policy: &mut PolicyDraft) {
        if policy.switch_cost_ns == 0 && self != Self::Constant {
            policy.switch_cost_ns = CARDS[0].average_ns;
        }
        let usual_max = policy.switch_cost_ns.saturating_mul(CARDS[0].longest_ns) / CARDS[0].average_ns;
        match self {
            Self::Constant => (policy.switch_cost_max_ns, policy.switch_tail_per_million) = (None, TAIL_PER_MILLION),
            Self::Tail => policy.switch_cost_max_ns = policy.switch_cost_max_ns.or(Some(usual_max)),
            Self::Samples => {
                let samples = [Some(policy.switch_cost_ns), policy.switch_cost_max_ns];
                if policy.switch_samples_ns.is_empty() {
                    policy.switch_samples_ns = samples.into_iter().flatten().collect();
                }
                return;
            }
        }
        policy.switch_samples_ns.clear();
    }
}

/// A card whose switches were measured, [LP] Table I.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// Of the GeForce series.
    pub name: &'static str,
    /// SMs, bandwidth of its DRAM and size of a context, where the table has them.
    pub about: &'static str,
    /// Shortest, ns.
    pub least_ns: Option<u64>,
    /// On average, ns.
    pub average_ns: u64,
    /// Longest, ns.
    pub longest_ns: u64,
}

/// The cards of [LP] Table I. The row of the GT 710 is empty in our copy; its numbers are those of section III-B, the longest 3.7 times
/// the average. With a large display it was more than 5.5 times (section I); that the average stays is a choice.
pub const CARDS: [Card; 5] = [
    Card { name: "GT 710", about: "Fig. 1", least_ns: None, average_ns: 21_500, longest_ns: 79_550 },
    Card { name: "GT 710, large display", about: "Fig. 2", least_ns: None, average_ns: 21_500, longest_ns: 118_250 },
    Card { name: "GT 640", about: "2 SMs, 28.5 GiB/s, 68.2 KiB", least_ns: Some(13_600), average_ns: 26_500, longest_ns: 43_700 },
    Card { name: "GTX 650", about: "2 SMs, 80 GiB/s, 68.2 KiB", least_ns: Some(12_700), average_ns: 23_200, longest_ns: 36_000 },
    Card { name: "GTX 780", about: "12 SMs, 288.4 GiB/s, 268.6 KiB", least_ns: Some(9_700), average_ns: 20_000, longest_ns: 28_600 },
];

impl Card {
    /// All that is known of it in a line: `GT 640: 2 SMs, 28.5 GiB/s, 68.2 KiB; 13.6, 26.5 and 43.7 µs`.
    #[must_use]
    pub fn line(&self) -> String {
        let [average, longest] = [self.average_ns, self.longest_ns].map(quantity::format_time);
        let least = self.least_ns.map(|ns| format!("{} at least, ", quantity::format_time(ns))).unwrap_or_default();
        format!("{} ({}): {least}{average} on average, {longest} at most", self.name, self.about)
    }
}

/// Bytes of what [EDF] VI-C has saved at a switch: constants, of each SM shared memory and registers, and the L2 cache.
const CONSTANTS: u64 = 64 << 10;
const OF_AN_SM: u64 = (48 << 10) + (32 << 10) * 4;
const L2: u64 = 512 << 10;
/// Bytes that the memory takes in a microsecond, [EDF] VI-C: 20 GB/s.
const BYTES_PER_US: u64 = 20_000;

impl Document {
    /// How long a device with as many SMs as this one saves such a state, ns, rounded up to 100 ns; [EDF] VI-C has about 50 µs for two SMs.
    #[must_use]
    pub fn time_to_save(&self) -> u64 {
        let bytes = OF_AN_SM.saturating_mul(self.device().sms).saturating_add(CONSTANTS + L2);
        bytes.saturating_mul(10).div_ceil(BYTES_PER_US).saturating_mul(100)
    }

    /// Which of [`CARDS`] has these switches.
    #[must_use]
    pub fn switch_card(&self) -> Option<usize> {
        let policy = &self.rest.policy;
        let has = |card: &Card| (policy.switch_cost_ns, policy.switch_cost_max_ns) == (card.average_ns, Some(card.longest_ns));
        (SwitchShape::from_policy(policy) == SwitchShape::Tail).then(|| CARDS.iter().position(has)).flatten()
    }

    /// Has all switches take the same time, as it is typed.
    pub fn set_constant_switches(&mut self, cost: &str) {
        self.set_top("policy.switches", SwitchShape::Constant.word());
        self.set_top("policy.switch_cost_ns", cost);
    }

    /// Takes the switches of a card: its average and its longest, with the usual share in the tail.
    pub fn set_switch_card(&mut self, card: &Card) {
        self.raw.remove_all("policy.switch_");
        let policy = &mut self.rest.policy;
        (policy.switch_cost_ns, policy.switch_cost_max_ns) = (card.average_ns, Some(card.longest_ns));
        policy.switch_tail_per_million = TAIL_PER_MILLION;
        policy.switch_samples_ns.clear();
    }
}

/// As [`samples`] reads them, or what they are where there are many.
pub(super) fn samples_text(samples: &[u64]) -> String {
    let times = samples.iter().map(|&ns| quantity::format_time(ns));
    if samples.len() <= MAX_SAMPLES_SHOWN {
        return times.collect::<Vec<_>>().join("; ");
    }
    let [least, most] = [samples.iter().min(), samples.iter().max()].map(|ns| quantity::format_time(ns.copied().unwrap_or(0)));
    format!("{} times, {least} to {most}", quantity::format_count(samples.len() as u64))
}

/// The times that a text lists, as the cell of block times reads them. There is at least one, so that the field stays while it is typed anew.
pub(super) fn samples(text: &str) -> Result<Vec<u64>, QuantityError> {
    match quantity::parse_block_times(text) {
        Ok(BlockTimes::Each(ns)) => Ok(vec![ns]),
        Ok(BlockTimes::List(list)) => Ok(list.to_vec()),
        Err(QuantityError::OfBlock { block, why }) => Err(QuantityError::OfSample { sample: block, why }),
        Err(why) => Err(why),
    }
}
