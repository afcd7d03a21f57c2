//! Sorting and looking up by name, one way for the whole program: each kind of element that is
//! sorted in its own right, and each kind of map, costs the page some kilobytes of code.
//!
//! Depends on nothing. Invariants: equal numbers keep their order; what is in order already takes
//! linear time and nothing else.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Sorts by a whole number, ascending.
pub fn by_number<T>(list: &mut [T], number: impl Fn(&T) -> u64) {
    if list.is_sorted_by_key(&number) {
        return;
    }
    let mut places: Vec<(u64, usize)> = list.iter().enumerate().map(|(i, item)| (number(item), i)).collect();
    places.sort_unstable();
    // Along each cycle of the permutation, so that nothing is copied.
    for first in 0..places.len() {
        let mut to = first;
        loop {
            let from = std::mem::replace(&mut places[to].1, to);
            if from == first {
                break;
            }
            list.swap(to, from);
            to = from;
        }
    }
}

/// A place for each name; names of different groups have nothing to do with each other.
#[derive(Default)]
pub struct Names<'a>(BTreeMap<(u32, Cow<'a, str>), usize>);

impl<'a> Names<'a> {
    /// Names in group 0, each with its place; of equal names the first counts.
    pub fn from_names(names: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self::default();
        for (place, name) in names.enumerate() {
            all.place(0, name, place);
        }
        all
    }

    /// The place of a name.
    pub fn get(&self, group: u32, name: &str) -> Option<usize> {
        self.0.get(&(group, Cow::Borrowed(name))).copied()
    }

    /// The place of a name, which is `place` from now on if it had none.
    pub fn place(&mut self, group: u32, name: impl Into<Cow<'a, str>>, place: usize) -> usize {
        *self.slot(group, name.into(), place)
    }

    /// `name`, or `name (2)` and so on if that is taken, which is taken from now on. Of names all
    /// given by this, whose places say how often.
    pub fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        while self.get(0, &candidate).is_some() {
            let count = self.slot(0, name.to_owned().into(), 1);
            *count += 1;
            candidate = format!("{name} ({count})");
        }
        self.place(0, candidate.clone(), 1);
        candidate
    }

    /// The same, to be changed.
    pub fn slot(&mut self, group: u32, name: Cow<'a, str>, place: usize) -> &mut usize {
        self.0.entry((group, name)).or_insert(place)
    }
}
