//! Things that cost time to make, kept by what they were made of.
//!
//! Invariant: what somebody needs still, or was asked for last, is not dropped because all together are large.

/// Who asks: a set of bits, one for each who may.
pub(super) type Askers = u64;

/// Things kept, the one asked for last at the end.
pub(super) struct Cache<K, T> {
    entries: Vec<CacheEntry<K, T>>,
    most: usize,
}

struct CacheEntry<K, T> {
    key: K,
    thing: T,
    steps: usize,
    askers: Askers,
}

impl<K, T: Clone> Cache<K, T> {
    /// At most so many things.
    pub(super) const fn new(most: usize) -> Self {
        Self { entries: Vec::new(), most }
    }

    /// The thing that somebody looks for.
    pub(super) fn find(&mut self, asker: Askers, is_this: impl Fn(&K, &T) -> bool) -> Option<T> {
        let place = self.entries.iter().position(|entry| is_this(&entry.key, &entry.thing))?;
        let mut entry = self.entries.remove(place);
        entry.askers |= asker;
        let thing = entry.thing.clone();
        self.entries.push(entry);
        Some(thing)
    }

    /// Adds what was made, and drops others as [`Cache::trim`] does.
    pub(super) fn add(&mut self, asker: Askers, key: K, thing: T, steps: usize, room: usize) {
        self.entries.push(CacheEntry { key, thing, steps, askers: asker });
        self.trim(room);
    }

    /// Nobody of these needs anything any more, but what they ask for from here on.
    pub(super) fn release(&mut self, askers: Askers) {
        self.entries.iter_mut().for_each(|entry| entry.askers &= !askers);
    }

    /// Whether something like this is kept.
    pub(super) fn has(&self, is_this: impl Fn(&T) -> bool) -> bool {
        self.entries.iter().any(|entry| is_this(&entry.thing))
    }

    /// Drops what was made of anything else than this.
    pub(super) fn retain(&mut self, is_of: impl Fn(&K) -> bool) {
        self.entries.retain(|entry| is_of(&entry.key));
    }

    /// Drops what was asked for longest ago until there are not too many; and until all together have room, but for what
    /// somebody needs still. What was asked for last stays.
    pub(super) fn trim(&mut self, room: usize) {
        while self.entries.len() > self.most {
            self.entries.remove(0);
        }
        while self.entries.iter().map(|entry| entry.steps).sum::<usize>() > room {
            let others = self.entries.split_last().map_or(&[][..], |(_, others)| others);
            let Some(place) = others.iter().position(|entry| entry.askers == 0) else { break };
            self.entries.remove(place);
        }
    }
}
