//! The runlist: which channels the Host looks at, and in which order (docs/semantics.md, section 6). Most processes have one.
//!
//! Depends on `units` and the rest of `scenario`. Invariant: the list is a cycle of groups, each
//! all of H and then one other channel, and is never written out: its length is a product of
//! three tables' lengths. Source: [EDF] section III-B, Fig. 1.

use std::ops::Range;

use super::Interleave;
use crate::units::SpaceId;

/// The runlist of a scenario's channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runlist {
    high: Vec<SpaceId>,
    medium: Vec<SpaceId>,
    low: Vec<SpaceId>,
    /// By channel: its level, and its place among those of the level.
    places: Vec<(Interleave, u64)>,
}

/// The channels of a level, by their places in the order of the levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPart {
    /// Those of the level.
    pub orders: Range<usize>,
    /// The one that stands next on the runlist; the first again, or the end of the level, if none of
    /// the others does.
    pub next: usize,
}

/// Where the entries of a level's channels stand: the first one, and how far the next one is.
struct Spacing {
    first: u64,
    step: u64,
    /// After how many entries they come again.
    cycle: u64,
}

impl Runlist {
    /// The runlist of the channels of these levels, in table order.
    #[must_use]
    pub fn new(levels: impl IntoIterator<Item = Interleave>) -> Self {
        let mut list = Self { high: Vec::new(), medium: Vec::new(), low: Vec::new(), places: Vec::new() };
        for (i, interleave) in levels.into_iter().enumerate() {
            let level = match interleave {
                Interleave::High => &mut list.high,
                Interleave::Medium => &mut list.medium,
                Interleave::Low => &mut list.low,
            };
            list.places.push((interleave, level.len() as u64));
            level.push(SpaceId::at(i));
        }
        list
    }

    /// How many entries it has; at least one, as there is at least one channel.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.groups() * self.group_len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The channel of an entry; entries are counted from 0 and begin anew after the last.
    #[must_use]
    pub fn entry(&self, entry: u64) -> SpaceId {
        let (group, place) = ((entry / self.group_len()) % self.groups(), (entry % self.group_len()) as usize);
        if let Some(&high) = self.high.get(place) {
            return high;
        }
        let round = self.medium.len() as u64 + u64::from(!self.low.is_empty());
        match self.medium.get((group % round) as usize) {
            Some(&medium) => medium,
            None => self.low[(group / round) as usize],
        }
    }

    /// Every entry, in order.
    pub fn entries(&self) -> impl Iterator<Item = SpaceId> + '_ {
        (0..self.len()).map(|entry| self.entry(entry))
    }

    /// How many entries stand between `pointer` and the next one of `channel`, none if it is there.
    #[must_use]
    pub fn distance(&self, pointer: u64, channel: SpaceId) -> u64 {
        let (level, place) = self.places[channel.index()];
        let Spacing { first, step, cycle } = self.spacing(level);
        (first + place * step + cycle - pointer % cycle) % cycle
    }

    /// The place of a channel in the order of the levels: all high ones, then the medium, then the low.
    #[must_use]
    pub fn order(&self, channel: SpaceId) -> usize {
        let (level, place) = self.places[channel.index()];
        self.orders(level).start + place as usize
    }

    /// The channel at a place in the order of the levels.
    #[must_use]
    pub fn in_order(&self, order: usize) -> SpaceId {
        let (medium, low) = (self.orders(Interleave::Medium), self.orders(Interleave::Low));
        if order < medium.start {
            self.high[order]
        } else if order < low.start {
            self.medium[order - medium.start]
        } else {
            self.low[order - low.start]
        }
    }

    /// For each level, the channel that stands next from `pointer` on.
    #[must_use]
    pub fn levels_from(&self, pointer: u64) -> [LevelPart; 3] {
        [Interleave::High, Interleave::Medium, Interleave::Low].map(|level| {
            let orders = self.orders(level);
            let Spacing { first, step, cycle } = self.spacing(level);
            let skipped = (pointer % cycle.max(1)).saturating_sub(first).div_ceil(step.max(1));
            LevelPart { next: orders.start + (skipped as usize).min(orders.len()), orders }
        })
    }

    fn orders(&self, level: Interleave) -> Range<usize> {
        let (high, medium) = (self.high.len(), self.medium.len());
        match level {
            Interleave::High => 0..high,
            Interleave::Medium => high..high + medium,
            Interleave::Low => high + medium..self.places.len(),
        }
    }

    fn spacing(&self, level: Interleave) -> Spacing {
        let (group_len, high, medium) = (self.group_len(), self.high.len() as u64, self.medium.len() as u64);
        let round = medium + u64::from(!self.low.is_empty());
        match level {
            Interleave::High => Spacing { first: 0, step: 1, cycle: group_len },
            Interleave::Medium => Spacing { first: high, step: group_len, cycle: round * group_len },
            Interleave::Low => Spacing { first: medium * group_len + high, step: round * group_len, cycle: self.len() },
        }
    }

    /// Each medium channel and then the low ones in turn end a group; without any, there is one group.
    fn groups(&self) -> u64 {
        let (medium, low) = (self.medium.len() as u64, self.low.len() as u64);
        if low > 0 { low * (medium + 1) } else { medium.max(1) }
    }

    fn group_len(&self) -> u64 {
        let has_others = !self.medium.is_empty() || !self.low.is_empty();
        self.high.len() as u64 + u64::from(has_others)
    }
}
