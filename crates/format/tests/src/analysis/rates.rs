//! Exponential functions and rates by integers, by which task sets are drawn; compiled into the tests from their own file.
#![allow(dead_code, reason = "what draws task sets uses the rest of that file")]

use blockstep_analysis::generate::Recipe;
use blockstep_sim::dice::scaled;
use proptest::prelude::*;
use tilted::{LEAST_LEFT, POINT, Rate, negative_exp, power};

#[path = "../../../../analysis/src/generate/tilted.rs"]
mod tilted;

/// All of a set's utilization.
const ONE: u64 = 1 << 60;

const POINT_OF_ONE: u64 = 1 << POINT;
const ONE_BY_E: u64 = 6786177901268885274;

#[test]
fn e_to_minus_one_is_what_it_is() {
    // 0.36787944117144233 and more digits, in 2^-64ths.
    assert!(negative_exp(POINT_OF_ONE).abs_diff(ONE_BY_E) < 1000);
    assert!(negative_exp(0) > u64::MAX - 1000);
    assert_eq!(negative_exp(u64::MAX), 0);
}

proptest! {
    /// With the value at 1 there is only one such function.
    #[test]
    fn sums_are_products(a in 0..8 * POINT_OF_ONE, b in 0..8 * POINT_OF_ONE) {
        let product = scaled(negative_exp(a), negative_exp(b));
        prop_assert!(negative_exp(a + b).abs_diff(product) < 2000, "{} {}", negative_exp(a + b), product);
    }

    #[test]
    fn powers_are_multiples(x in 0..POINT_OF_ONE / 8, exponent in 0..300_u32) {
        let expected = if u64::from(exponent) * x < 60 * POINT_OF_ONE { negative_exp(u64::from(exponent) * x) } else { 0 };
        prop_assert!(power(negative_exp(x), exponent).abs_diff(expected) < 300_000);
    }

    #[test]
    fn rates_are_quotients(others in 0..200_u64, left in LEAST_LEFT..ONE, share in 0..ONE) {
        let exact = ((u128::from(others) * u128::from(share)) << POINT) / u128::from(left);
        let found = u128::from(Rate::new(others, left).times(share));
        prop_assert!(exact > u128::from(u64::MAX) || found.abs_diff(exact) <= 8, "{} {}", found, exact);
    }
}
