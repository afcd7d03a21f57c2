//! Parts of the simulator by themselves. Those that are not public are compiled into the tests from their own files.
#![allow(dead_code, reason = "the simulator uses the rest of those files")]

#[path = "../../src/check/measured/before.rs"]
mod before;
#[path = "../../src/snapshot/numbers.rs"]
mod numbers;
#[path = "../../src/snapshot/ranks.rs"]
mod ranks;

/// Numbers below a limit.
mod sets_of_numbers {
    use super::numbers::Numbers;
    use std::collections::BTreeSet;

    /// The same as a set of the standard library, whatever is put in and taken out, at every size
    /// at which a level is added.
    #[test]
    fn it_is_a_set() {
        for limit in [0, 1, 63, 64, 65, 4095, 4096, 4097, 262_144, 262_145, 300_000] {
            let (mut numbers, mut expected) = (Numbers::below(limit), BTreeSet::new());
            let mut seed = limit as u64 + 1;
            for _ in 0..if limit == 0 { 0 } else { 2_000 } {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Often the same few, so that much is taken out again.
                let number = (seed >> 33) as usize % limit / 37 * 37;
                if seed >> 62 == 0 {
                    numbers.remove(number);
                    expected.remove(&number);
                } else {
                    numbers.insert(number);
                    expected.insert(number);
                }
                assert_eq!(numbers.len(), expected.len());
                let probe = (seed >> 13) as usize % (limit + 2);
                assert_eq!(numbers.from(probe), expected.range(probe..).next().copied(), "{probe} of {limit}");
            }
            assert!(numbers.iter().eq(expected.iter().copied()), "{limit}");
            for number in expected {
                numbers.remove(number);
            }
            assert_eq!((numbers.from(0), numbers == Numbers::below(limit)), (None, true));
        }
    }
}

/// Ranks of tasks.
mod ranks_of_tasks {
    use super::ranks::Ranks;
    use blockstep_sim::units::ClaimantId;

    #[test]
    fn the_first_of_the_lowest_rank_goes_first() {
        for tasks in 1..70 {
            let (mut tree, mut ranks, mut seed) = (Ranks::empty(tasks), vec![None; tasks], tasks as u64);
            for _ in 0..500 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let task = (seed >> 33) as usize % tasks;
                let rank = (seed >> 62 != 0).then_some((seed >> 61 & 1 == 0, seed >> 20 & 7));
                (ranks[task], _) = (rank, tree.set(ClaimantId::at(task), rank));
                let first = (0..tasks).filter(|&task| ranks[task].is_some()).min_by_key(|&task| ranks[task]);
                assert_eq!(tree.first(), first.map(ClaimantId::at));
            }
            (0..tasks).for_each(|task| tree.set(ClaimantId::at(task), None));
            assert_eq!((tree.first(), tree.rank(ClaimantId(0))), (None, None));
        }
    }
}

/// What came before an instant, in logs.
mod what_came_before {
    use super::before::{Before, Item, in_doubt};

    #[test]
    fn the_longest_is_never_of_the_same_group() {
        let item = |by, until, group, index| Item { by, until, group, index };
        let before = Before::new(vec![item(3, 5, 1, 2), item(1, 9, 0, 0), item(2, 7, 0, 1), item(4, 6, 2, 3)]);
        let longest = |from, group| before.longest(from, group).map(|i| i.index);
        assert_eq!((longest(1, 5), longest(2, 5), longest(2, 0)), (None, Some(0), None));
        assert_eq!((longest(4, 0), longest(5, 0), longest(5, 2), longest(9, 0)), (Some(2), Some(3), Some(0), Some(3)));
    }

    #[test]
    fn doubt_is_between_groups_alone() {
        assert_eq!(in_doubt(vec![(0, 5, 0), (4, 8, 0), (9, 9, 1)]), 0);
        assert_eq!(in_doubt(vec![(0, 5, 0), (1, 2, 0), (5, 8, 1), (8, 9, 1), (6, 7, 0)]), 2);
    }
}

/// SMs and the room on them.
mod sms {
    use blockstep_sim::scenario::{Device, Needs};
    use blockstep_sim::snapshot::{Progress, RunningBlock, Sms};
    use blockstep_sim::units::{OpId, Time};

    /// The same answers as looking at every SM, whatever comes and goes.
    #[test]
    fn room_is_found_as_by_looking_at_all() {
        for count in [1, 3, 64, 256, 257, 500, 1_000] {
            let mut sms = Sms::new(&Device { sms: count, ..Device::default() });
            let mut held: Vec<(usize, Needs, u32)> = Vec::new();
            let mut seed = count;
            let mut dice = |below: u64| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) % below
            };
            for block in 0..4_000 {
                let needs = Needs { threads: 32 * (1 + dice(40) as u32), shared_memory: dice(30_000), registers: dice(30_000) };
                let fits: Vec<usize> = (0..sms.len()).filter(|&i| sms[i].fits(&needs)).collect();
                let from = dice(count) as usize;
                assert_eq!(sms.first_from(0, |sm| sm.fits(&needs)), fits.first().copied());
                assert_eq!(sms.first_from(from, |sm| sm.fits(&needs)), fits.iter().copied().find(|&i| i >= from));
                assert_eq!(sms.most_free(&needs), fits.iter().copied().min_by_key(|&i| (std::cmp::Reverse(sms[i].threads), i)));
                if dice(3) == 0 && !held.is_empty() {
                    let (i, needs, block) = held.swap_remove(dice(held.len() as u64) as usize);
                    sms.free(i, &needs, OpId(0), block);
                } else if let Some(&i) = fits.get(dice(fits.len().max(1) as u64) as usize) {
                    sms.take(i, &needs, RunningBlock { op: OpId(0), block, order: 0, progress: Progress::Runs(Time(1)) });
                    held.push((i, needs, block));
                }
            }
            let holding: usize = sms.holding().map(|(_, sm)| sm.blocks.len()).sum();
            assert_eq!(holding, held.len());
            for (i, needs, block) in held {
                sms.free(i, &needs, OpId(0), block);
            }
            assert_eq!(sms, Sms::new(&Device { sms: count, ..Device::default() }), "all as at first");
        }
    }
}

mod order {
    use blockstep_sim::order::{Names, by_number};

    #[test]
    fn equal_numbers_keep_their_order() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (1, 'd'), (2, 'e')];
        by_number(&mut list, |&(number, _)| number);
        assert_eq!(list, [(1, 'b'), (1, 'd'), (2, 'e'), (3, 'a'), (3, 'c')]);
    }

    #[test]
    fn the_first_of_equal_names_counts() {
        let mut names = Names::from_names(["a", "b", "a"].into_iter());
        assert_eq!((names.get(0, "a"), names.get(0, "b"), names.get(0, "c")), (Some(0), Some(1), None));
        assert_eq!(names.get(1, "a"), None);
        assert_eq!((names.place(1, "a", 7), names.place(1, "a".to_owned(), 8)), (7, 7));
    }
}

mod work {
    use blockstep_sim::work::Budget;

    #[test]
    fn what_has_begun_may_cost_more_than_there_is() {
        let mut budget = Budget::new(10);
        budget.spend(7);
        assert_eq!((budget.spent(), budget.left(), budget.is_spent()), (7, 3, false));
        budget.spend(7);
        assert_eq!((budget.spent(), budget.left(), budget.is_spent()), (14, 0, true));
        let mut endless = Budget::UNLIMITED;
        endless.spend(u64::MAX - 1);
        endless.spend(5);
        assert_eq!(endless.spent(), u64::MAX);
    }
}

mod language {
    use blockstep_sim::language::{all_of, and_more, counted, one_of, one_or};

    #[test]
    fn numbers_go_with_their_nouns() {
        assert_eq!([0_u64, 1, 2].map(|n| counted(n, "block")), ["0 blocks", "1 block", "2 blocks"]);
        assert_eq!((one_or(1_usize, "is", "are"), one_or(3_usize, "is", "are")), ("is", "are"));
    }

    #[test]
    fn lists_end_with_their_word() {
        let names = ["a", "b", "c"];
        assert_eq!([0, 1, 2, 3].map(|n| all_of(&names[..n])), ["", "a", "a and b", "a, b and c"]);
        assert_eq!(one_of(&names), "a, b or c");
        assert_eq!((and_more(&names, 0), and_more(&names[..1], 2)), ("a, b, c".to_owned(), "a and 2 more".to_owned()));
    }
}

mod occupancy {
    use blockstep_sim::occupancy::Limits;

    #[test]
    fn blocks_of_an_sm_follow_the_guides() {
        let resident = |capability, threads, registers, shared| {
            Limits::at_capability(capability).expect("it is in the tables").resident(threads, registers, shared)
        };
        // An A100 with nothing but threads: 2,048 of them.
        assert_eq!(resident((8, 0), 1024, 32, 0), (2, 1));
        assert_eq!(resident((8, 0), 32, 16, 0), (32, 0), "32 blocks at most");
        // 168 registers of 384 threads: 12 warps of 5,376 registers, 12 such warps in three quarters of four parts.
        assert_eq!(resident((9, 0), 384, 168, 0), (1, 2));
        // 227 KB and 1 KB that the system keeps.
        assert_eq!(resident((9, 0), 384, 32, 227 * 1024), (1, 3));
        assert_eq!(resident((7, 0), 256, 32, 48 * 1024), (2, 3));
        assert_eq!(resident((7, 5), 256, 0, 0), (4, 1), "1,024 threads");
        assert_eq!(Limits::at_capability((2, 0)), None);
    }
}

mod products {
    use blockstep_sim::dice::product;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_are_those_of_128_bits(a in any::<u64>(), b in any::<u64>(), by in 0..64_u32, and in 0..64_u32) {
            let (a, b) = (a >> by, b >> and);
            let (high, low) = product(a, b);
            prop_assert_eq!(u128::from(high) << 64 | u128::from(low), u128::from(a) * u128::from(b));
        }
    }
}
