//! Sums of fractions, compared exactly.
#![allow(dead_code)]

use std::cmp::Ordering::{self, Equal, Greater, Less};

use fraction::compare_with_one;

#[path = "../../../../analysis/src/fraction.rs"]
mod fraction;

fn compare(terms: &[(u64, u64)]) -> Ordering {
    compare_with_one(terms.iter().copied())
}

#[test]
fn sums_are_compared_exactly() {
    assert_eq!(compare(&[]), Less);
    assert_eq!(compare(&[(1, 1)]), Equal);
    assert_eq!(compare(&[(1, 3), (1, 3), (1, 3)]), Equal);
    assert_eq!(compare(&[(1, 2), (1, 3), (1, 6)]), Equal);
    assert_eq!(compare(&[(1, 2), (1, 3), (1, 7)]), Less);
    assert_eq!(compare(&[(1, 2), (1, 3), (2, 11)]), Greater);
    assert_eq!(compare(&[(u64::MAX - 1, u64::MAX), (1, u64::MAX)]), Equal);
    assert_eq!(compare(&[(u64::MAX - 2, u64::MAX), (1, u64::MAX - 1)]), Less);
    assert_eq!(compare(&[(u64::MAX - 1, u64::MAX), (1, u64::MAX - 1)]), Greater);
    assert_eq!(compare(&[(u64::MAX, 1), (u64::MAX, 1)]), Greater);
}

#[test]
fn many_terms_with_nothing_in_common() {
    // 1 - 1/p as a telescope: 1/(k(k+1)) from 1 to p-1.
    let telescope: Vec<(u64, u64)> = (1..100).map(|k| (1, k * (k + 1))).collect();
    assert_eq!(compare(&telescope), Less);
    assert_eq!(compare(&[&telescope[..], &[(1, 100)]].concat()), Equal);
    assert_eq!(compare(&[&telescope[..], &[(1, 99)]].concat()), Greater);
    assert_eq!(compare(&[&telescope[..], &[(99_999_999_999_999, 9_999_999_999_999_999)]].concat()), Less);
}
