//! The runlist: its entries, and how far away each channel is.

use blockstep_sim::scenario::{Interleave, LevelPart, Runlist};
use blockstep_sim::units::SpaceId;

/// Channels named by level, and the runlist as the contract's sentences write it down.
fn naive(high: usize, medium: usize, low: usize) -> (Vec<(String, Interleave)>, Vec<String>) {
    let level = |letter: char, n: usize| (1..=n).map(|i| format!("{letter}{i}")).collect::<Vec<_>>();
    let (h, m, l) = (level('H', high), level('M', medium), level('L', low));
    let medium_list: Vec<String> = m.iter().flat_map(|m| h.iter().chain([m]).cloned()).collect();
    let list = match (l.is_empty(), m.is_empty()) {
        (false, _) => l.iter().flat_map(|l| medium_list.iter().chain(&h).chain([l]).cloned()).collect(),
        (true, false) => medium_list,
        (true, true) => h.clone(),
    };
    // Table order within a level is what counts, so the levels stand mixed.
    let mut channels = Vec::new();
    for i in 0..high.max(medium).max(low) {
        for (names, interleave) in [(&l, Interleave::Low), (&h, Interleave::High), (&m, Interleave::Medium)] {
            channels.extend(names.get(i).map(|name| (name.clone(), interleave)));
        }
    }
    (channels, list)
}

#[test]
fn two_high_and_two_medium_are_figure_1() {
    let (channels, _) = naive(2, 2, 0);
    let names: Vec<_> = Runlist::new(channels.iter().map(|(_, level)| *level)).entries().map(|p| channels[p.index()].0.clone()).collect();
    assert_eq!(names.join(" "), "H1 H2 M1 H1 H2 M2");
}

#[test]
fn entries_and_distances_are_those_of_the_list_written_out() {
    for (high, medium, low) in (0..4).flat_map(|h| (0..4).flat_map(move |m| (0..4).map(move |l| (h, m, l)))) {
        let (channels, expected) = naive(high, medium, low);
        if channels.is_empty() {
            continue;
        }
        let list = Runlist::new(channels.iter().map(|(_, level)| *level));
        let names: Vec<_> = list.entries().map(|p| channels[p.index()].0.clone()).collect();
        assert_eq!(names, expected, "{high} {medium} {low}");
        for pointer in 0..names.len() {
            for (i, channel) in channels.iter().enumerate() {
                let away = (0..names.len()).find(|d| names[(pointer + d) % names.len()] == channel.0);
                assert_eq!(Some(list.distance(pointer as u64, SpaceId::at(i)) as usize), away, "{names:?} from {pointer} to {i}");
            }
            let next_of = |LevelPart { orders, next }: LevelPart| {
                let order = if next < orders.end { next } else { orders.start };
                (!orders.is_empty()).then(|| list.in_order(order))
            };
            let away = |&channel: &SpaceId| list.distance(pointer as u64, channel);
            for (level, part) in [high, medium, low].into_iter().zip(list.levels_from(pointer as u64)) {
                let of_level: Vec<_> = part.orders.clone().map(|order| list.in_order(order)).collect();
                assert_eq!(of_level.len(), level);
                assert!(part.orders.clone().zip(&of_level).all(|(order, &channel)| list.order(channel) == order));
                assert_eq!(next_of(part), of_level.iter().copied().min_by_key(away), "{names:?} from {pointer}");
            }
        }
    }
}
