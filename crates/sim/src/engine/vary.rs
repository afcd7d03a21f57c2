//! Which variants of the rules are in force, asked where a rule is applied.
//!
//! Depends on `trace`. Invariant: of [`Plain`], the rules as they are, every answer is known when
//! the engine is compiled, so the plain engine holds nothing of the variants.

use crate::trace::{Variant, Variants};

/// Answers whether a variant is in force.
pub(super) trait Variation: Copy {
    /// Whether it is.
    fn has(self, variant: Variant) -> bool;

    /// All that are.
    fn all(self) -> Variants;
}

/// The rules as they are.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl Variation for Plain {
    #[inline(always)]
    fn has(self, _: Variant) -> bool {
        false
    }

    fn all(self) -> Variants {
        Variants::NONE
    }
}

impl Variation for Variants {
    fn has(self, variant: Variant) -> bool {
        Self::has(self, variant)
    }

    fn all(self) -> Variants {
        self
    }
}
