//! Which of all that came before an instant lasted longest.
//!
//! Depends on nothing. Invariant: an answer is never of the asker's own group. Cost: `n log n` to
//! build, `log n` an answer.

/// Something that is certainly there by an instant, and lasts until another.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) by: i64,
    pub(super) until: i64,
    pub(super) group: usize,
    pub(super) index: usize,
}

/// Items in order of `by`, each with the two longest so far, of different groups.
pub(super) struct Before(Vec<(i64, [Option<Item>; 2])>);

impl Before {
    pub(super) fn new(mut items: Vec<Item>) -> Self {
        items.sort_by_key(|item| item.by);
        let mut best: [Option<Item>; 2] = [None; 2];
        let list = items.into_iter().map(|item| {
            best = with(best, item);
            (item.by, best)
        });
        Self(list.collect())
    }

    /// The longest of those there strictly before `from` that is not of this group.
    pub(super) fn longest(&self, from: i64, group: usize) -> Option<Item> {
        let count = self.0.partition_point(|&(by, _)| by < from);
        let (_, best) = self.0.get(count.checked_sub(1)?)?;
        best.iter().flatten().find(|item| item.group != group).copied()
    }
}

/// The two longest, of different groups, with one more to choose from.
fn with([first, second]: [Option<Item>; 2], new: Item) -> [Option<Item>; 2] {
    let is_longer = |than: Option<Item>| than.is_none_or(|item| new.until > item.until);
    match first {
        Some(top) if top.group == new.group => [if is_longer(first) { Some(new) } else { first }, second],
        _ if is_longer(first) => [Some(new), first],
        _ if is_longer(second) => [first, Some(new)],
        _ => [first, second],
    }
}

/// How many of the windows, each with its group, begin before one of another group that began earlier has ended.
pub(super) fn in_doubt(mut windows: Vec<(i64, i64, usize)>) -> usize {
    windows.sort_unstable();
    let mut best: [Option<Item>; 2] = [None; 2];
    let mut count = 0;
    for (index, (from, by, group)) in windows.into_iter().enumerate() {
        count += usize::from(best.iter().flatten().any(|item| item.group != group && item.until >= from));
        best = with(best, Item { by: from, until: by, group, index });
    }
    count
}
