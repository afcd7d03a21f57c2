//! Sums of fractions compared with 1, exactly.
//!
//! Depends on nothing. Invariant: the answer is exact for any number of 64-bit fractions; only sums
//! within rounding of 1 take more than one division a term.

use std::cmp::Ordering;

/// How the sum of `cost / period` over all terms compares with 1. Periods are at least 1.
pub(super) fn compare_with_one(terms: impl Iterator<Item = (u64, u64)> + Clone) -> Ordering {
    // In 2^-63rds, rounded down; each term is off by less than one.
    let (mut least, mut count) = (0_u128, 0_u128);
    for (cost, period) in terms.clone() {
        least = least.saturating_add((u128::from(cost) << 63) / u128::from(period));
        count += 1;
    }
    const ONE: u128 = 1 << 63;
    if least > ONE {
        Ordering::Greater
    } else if least + count <= ONE {
        Ordering::Less
    } else {
        exactly(terms)
    }
}

/// The sum over the product of all periods, as long numbers.
fn exactly(terms: impl Iterator<Item = (u64, u64)>) -> Ordering {
    let (mut above, mut below) = (Long::from(0), Long::from(1));
    for (cost, period) in terms {
        let divisor = common_divisor(cost, period);
        let (cost, period) = (cost / divisor, period / divisor);
        above.multiply(period);
        above.add_product(&below, cost);
        below.multiply(period);
    }
    above.compare(&below)
}

/// The greatest number that divides both; `b` is not 0.
#[must_use]
pub const fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b
}

/// A whole number of any length: 64-bit digits, the lowest first.
struct Long(Vec<u64>);

impl Long {
    fn from(digit: u64) -> Self {
        Self(vec![digit])
    }

    fn multiply(&mut self, by: u64) {
        let mut carry = 0;
        for digit in &mut self.0 {
            let product = u128::from(*digit) * u128::from(by) + carry;
            (*digit, carry) = (product as u64, product >> 64);
        }
        if carry > 0 {
            self.0.push(carry as u64);
        }
    }

    fn add_product(&mut self, other: &Self, by: u64) {
        let mut carry = 0;
        for i in 0.. {
            if i >= other.0.len() && carry == 0 {
                break;
            }
            if i == self.0.len() {
                self.0.push(0);
            }
            let digit = other.0.get(i).copied().unwrap_or(0);
            let sum = u128::from(digit) * u128::from(by) + u128::from(self.0[i]) + carry;
            (self.0[i], carry) = (sum as u64, sum >> 64);
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let digit = |number: &Self, i: usize| number.0.get(i).copied().unwrap_or(0);
        let length = self.0.len().max(other.0.len());
        (0..length).rev().map(|i| digit(self, i).cmp(&digit(other, i))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }
}
