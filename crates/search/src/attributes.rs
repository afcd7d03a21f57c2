//! Deadlines and periods for a table of requests: a policy that compares them finds the order that the search has.
//!
//! Depends on nothing. A search knows deadlines and periods as an order alone; a run needs them in ns.

use std::cmp::Ordering;

/// That of two jobs, each with its task and its begin in ns, the first is due before, with or after the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct DueOrder {
    pub(super) jobs: [(usize, u64); 2],
    pub(super) order: Ordering,
}

/// A deadline for each of so many tasks, in ns from the begin of any of its jobs, at least `least`, such that all orders hold; jobs that are
/// not due at once are `gap` apart. `None` if there are no such deadlines.
pub(super) fn deadlines(tasks: usize, orders: &[DueOrder], least: u64, gap: u64) -> Option<Vec<u64>> {
    // `later` is due at least `by` after `earlier`, if both began at 0.
    let mut bounds: Vec<(usize, usize, i64)> = Vec::new();
    for DueOrder { jobs: [(a, begin_a), (b, begin_b)], order } in orders {
        let apart = i64::try_from(*begin_a).ok()?.checked_sub_unsigned(*begin_b)?;
        let gap = i64::try_from(gap).ok()?;
        match order {
            Ordering::Less => bounds.push((*a, *b, apart.checked_add(gap)?)),
            Ordering::Greater => bounds.push((*b, *a, gap.checked_sub(apart)?)),
            Ordering::Equal => bounds.extend([(*a, *b, apart), (*b, *a, apart.checked_neg()?)]),
        }
    }
    let mut found = vec![i64::try_from(least).ok()?; tasks];
    // Longest paths: after as many rounds as tasks nothing changes, unless the bounds contradict one another.
    for _ in 0..=tasks {
        let mut is_done = true;
        for (earlier, later, by) in &bounds {
            let due = found.get(*earlier)?.checked_add(*by)?;
            let place = found.get_mut(*later)?;
            if due > *place {
                (*place, is_done) = (due, false);
            }
        }
        if is_done {
            return found.into_iter().map(|due| u64::try_from(due).ok()).collect();
        }
    }
    None
}

/// A period for each task of a rank above 0, in ns: the higher the rank, the shorter. Some are given; a rank without one has its period about
/// `step` above that of the next higher rank. `None` if those that are given stand in another order.
pub(super) fn periods(ranks: &[u8], given: &[Option<u64>], step: u64) -> Option<Vec<Option<u64>>> {
    let mut levels: Vec<u8> = ranks.iter().copied().filter(|rank| *rank > 0).collect();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    levels.dedup();
    let of = |level: u8| ranks.iter().zip(given).filter(move |(rank, _)| **rank == level).filter_map(|(_, given)| *given).next();
    let mut found = given.to_vec();
    let mut last = 0_u64;
    for (place, level) in levels.iter().enumerate() {
        let next = levels[place..].iter().find_map(|level| of(*level));
        let period = match (of(*level), next) {
            (Some(period), _) => period,
            (None, Some(next)) => last.checked_add(next.checked_sub(last)? / 2)?,
            (None, None) => last.checked_add(step)?,
        };
        let is_kept = ranks.iter().zip(given).all(|(rank, given)| rank != level || given.is_none_or(|given| given == period));
        if period <= last || !is_kept {
            return None;
        }
        ranks.iter().zip(&mut found).filter(|(rank, _)| *rank == level).for_each(|(_, found)| *found = Some(period));
        last = period;
    }
    Some(found)
}
