//! Which rank came last, by the collectives that all have.
//!
//! Invariant: collectives are compared among the ranks that take part alone, and only if each of them has the same ones.

use super::collectives::Collectives;
use super::{CannotTell, Longer, RankTimes, SAME_NS, Slowest, is_much, median};

/// A file by its place, with its times, and the collectives that are compared.
struct Compared<'r> {
    file: usize,
    times: &'r RankTimes,
    collectives: Collectives,
}

/// Which of these ranks of so many came last, where kernels communicate.
pub(super) fn compared(read: &[(usize, &RankTimes)], world: u64) -> Result<Slowest, CannotTell> {
    let (first, model) = read[0];
    let has_groups = |times: &RankTimes| times.collectives.groups_below(world).next().is_some();
    let unknown = |&&(_, times): &&(usize, &RankTimes)| !times.collectives.say_groups();
    let below = |times: &RankTimes| times.job.smallest_group.filter(|&group| group < world);
    let small = read.iter().find_map(|&(file, times)| Some((file, below(times)?)));
    if !read.iter().any(|&(_, times)| has_groups(times)) || small.is_some() && read.iter().find(unknown).is_some() {
        if let Some(&(other, _)) = read.iter().find(|(_, times)| !times.collectives.are_those_of(&model.collectives)) {
            return Err(CannotTell::OtherCollectives(first, other));
        }
        are_kept(read)?;
        if let Some((file, group)) = small {
            return Err(CannotTell::Groups(file, group));
        }
        let all = read.iter().map(|&(file, times)| Compared { file, times, collectives: times.collectives.clone() }).collect();
        return among(all, None);
    }
    are_kept(read)?;
    by_group(read, world)
}

/// Whether there are collectives, and few enough to be compared.
fn are_kept(read: &[(usize, &RankTimes)]) -> Result<(), CannotTell> {
    if read.iter().all(|(_, times)| times.collectives.count() == 0) {
        return Err(CannotTell::NoCollectives);
    }
    let too_many = read.iter().any(|(_, times)| times.collectives.count() > 0 && times.collectives.each.is_empty());
    if too_many { Err(CannotTell::TooMany) } else { Ok(()) }
}

/// Compares each group of ranks for itself, and all ranks in what all take part in. The rank that holds others up longest is named.
fn by_group<'r>(read: &[(usize, &'r RankTimes)], world: u64) -> Result<Slowest, CannotTell> {
    let mut groups: Vec<&Vec<u64>> = read.iter().flat_map(|(_, times)| times.collectives.groups_below(world)).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut found: Vec<Slowest> = Vec::new();
    for group in std::iter::once(None).chain(groups.into_iter().map(Some)) {
        let takes_part =
            |times: &RankTimes| group.is_none_or(|group| times.job.rank.is_some_and(|rank| group.binary_search(&rank).is_ok()));
        let those = read.iter().filter(|(_, times)| takes_part(times));
        let of = |&(file, times): &(usize, &'r RankTimes)| Compared {
            file,
            times,
            collectives: Collectives::of(&times.collectives, group, world),
        };
        let of_group: Vec<Compared<'_>> = those.map(of).collect();
        if of_group.len() < 2 || of_group.iter().all(|of| of.collectives.count() == 0) {
            continue;
        }
        if let Some(other) = of_group.iter().find(|of| !of.collectives.are_those_of(&of_group[0].collectives)) {
            return Err(CannotTell::OtherCollectives(of_group[0].file, other.file));
        }
        found.push(among(of_group, group.map(|group| group.len() as u64))?);
    }
    let rank = |slowest: &Slowest| match *slowest {
        Slowest::HoldsUp { behind_ns, .. } => (behind_ns, 0),
        Slowest::Nobody { of, .. } => (0, of),
        Slowest::Longest { .. } | Slowest::Alike => (0, 0),
    };
    found.into_iter().max_by_key(rank).ok_or(CannotTell::NoCollectives)
}

/// Which of these, all of the same collectives, came last.
fn among(all: Vec<Compared<'_>>, group: Option<u64>) -> Result<Slowest, CannotTell> {
    let count = all.first().map_or(0, |of| of.collectives.each.len());
    // In how many collectives each came last: it alone spent least time in them, by more than times may be off.
    let mut last_in = vec![0_u64; all.len()];
    for place in 0..count {
        let ns = |of: usize| all[of].collectives.each[place].ns;
        let Some(least) = (0..all.len()).min_by_key(|&of| ns(of)) else { continue };
        if (0..all.len()).all(|of| of == least || ns(of) - ns(least) > SAME_NS) {
            last_in[least] += 1;
        }
    }
    let most = (0..all.len()).max_by_key(|&of| (last_in[of], std::cmp::Reverse(of))).ok_or(CannotTell::TooFew)?;
    let (own, of) = (&all[most], count as u64);
    let others = || all.iter().filter(|other| other.file != own.file);
    let least = others().map(|other| other.collectives.ns()).min().unwrap_or(0);
    let behind_ns = least.saturating_sub(own.collectives.ns());
    if last_in[most] * 2 <= of || !is_much(behind_ns, own.times.wall_clock_ns) {
        return Ok(Slowest::Nobody { file: (last_in[most] > 0).then_some(own.file), last_in: last_in[most], of });
    }
    let by = |of: &dyn Fn(&RankTimes) -> u64| of(own.times).saturating_sub(median(others().map(|other| of(other.times)).collect()));
    let longer = [(Longer::OtherWork, by(&RankTimes::other_work_ns)), (Longer::Idle, by(&RankTimes::idle_ns))];
    let longer = longer.into_iter().filter(|&(_, ns)| ns >= behind_ns / 2).max_by_key(|&(_, ns)| ns);
    Ok(Slowest::HoldsUp { file: own.file, behind_ns, last_in: last_in[most], of, longer, group })
}
