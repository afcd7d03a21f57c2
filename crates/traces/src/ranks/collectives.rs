//! The collectives of a rank, as they are compared with those of others.
//!
//! Invariant: they are in the order of the calls of each stream, which is the same on all ranks of one program.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Recording;
use crate::communication::{CollectiveKind, Communication};
use crate::words::short_name;

/// Of more collectives none are compared.
const MOST_COLLECTIVES: usize = 100_000;

/// A collective in which a rank waits for the others of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Collective {
    /// What it is, a place in [`Collectives::names`].
    name: u32,
    /// How long it ran, ns.
    pub(super) ns: u64,
    /// Which ranks take part, a place in [`Collectives::groups`]; all ranks if the file does not say.
    group: Option<u32>,
}

/// What ran in which a rank waits for others, in the order of the calls of each stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Collectives {
    /// How many there are, by stream.
    by_stream: Vec<u64>,
    /// What they are called, each once.
    names: Vec<String>,
    /// Each; none if there are too many.
    pub(super) each: Vec<Collective>,
    /// Groups of ranks, each sorted and once.
    groups: Vec<Vec<u64>>,
}

/// What a collective is, as it is told from others: its kind, else the name of its kernel.
fn label(recording: &Recording, of: &Communication) -> String {
    match of.kind {
        CollectiveKind::Other => short_name(recording.name(&recording.operations[of.operation as usize])),
        kind => kind.word().to_owned(),
    }
}

/// Whether ranks of a group leave it together, and wait for each other in it: not in an all-to-all of unequal parts, nor alone.
fn is_compared(of: &Communication) -> bool {
    of.kind.is_left_together() && of.group_size != Some(1) && !(of.kind == CollectiveKind::AllToAll && of.is_uneven)
}

impl Collectives {
    /// Those of a device.
    pub(super) fn new(recording: &Recording, device: u32) -> Self {
        let mut streams: Vec<_> = recording.streams.iter().filter(|stream| stream.device == device).collect();
        streams.sort_by_key(|stream| (stream.process, stream.context, stream.id));
        let mut found = Self { groups: recording.groups.clone(), ..Self::default() };
        let mut places: BTreeMap<String, u32> = BTreeMap::new();
        for stream in streams {
            let mut count = 0;
            for of in stream.operations.iter().filter_map(|&place| recording.communication(place)).filter(|of| is_compared(of)) {
                count += 1;
                if found.each.len() > MOST_COLLECTIVES {
                    continue;
                }
                let label = label(recording, of);
                let name = *places.entry(label).or_insert_with_key(|label| {
                    found.names.push(label.clone());
                    found.names.len() as u32 - 1
                });
                found.each.push(Collective { name, ns: recording.operations[of.operation as usize].duration().ns(), group: of.group });
            }
            found.by_stream.extend((count > 0).then_some(count));
        }
        if found.each.len() > MOST_COLLECTIVES {
            (found.each, found.names) = (Vec::new(), Vec::new());
        }
        found
    }

    /// How many there are, whether they are kept or not.
    pub(super) fn count(&self) -> u64 {
        self.by_stream.iter().sum()
    }

    /// The groups of ranks that are fewer than so many, each once.
    pub(super) fn groups_below(&self, world: u64) -> impl Iterator<Item = &Vec<u64>> {
        self.groups.iter().filter(move |group| group.len() > 1 && (group.len() as u64) < world)
    }

    /// Whether of each collective the file says which ranks take part.
    pub(super) fn say_groups(&self) -> bool {
        self.each.iter().all(|of| of.group.is_some())
    }

    /// Those of a group alone, or those of all of so many ranks.
    pub(super) fn of(&self, group: Option<&Vec<u64>>, world: u64) -> Self {
        let is_of = |of: &&Collective| {
            let ranks = of.group.map(|place| &self.groups[place as usize]);
            match group {
                Some(group) => ranks == Some(group),
                None => ranks.is_none_or(|ranks| ranks.len() as u64 >= world),
            }
        };
        let each: Vec<Collective> = self.each.iter().filter(is_of).map(|of| Collective { group: None, ..*of }).collect();
        // Which stream each is in says no more once others are left out.
        Self { by_stream: vec![each.len() as u64], names: self.names.clone(), each, groups: Vec::new() }
    }

    /// Whether those of another recording are the same, but for their durations.
    pub(super) fn are_those_of(&self, other: &Self) -> bool {
        let names = |of: &Self| of.each.iter().map(|each| of.names[each.name as usize].clone()).collect::<Vec<_>>();
        self.by_stream == other.by_stream && names(self) == names(other)
    }

    /// How long they took together, ns.
    pub(super) fn ns(&self) -> u64 {
        self.each.iter().fold(0, |sum, each| sum.saturating_add(each.ns))
    }
}
