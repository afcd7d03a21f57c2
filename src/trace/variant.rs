//! Rules changed on purpose, so that a reader sees what a rule is for: which there are.
//!
//! Depends on nothing. Invariant: a run says with which variants it was made, and one with any of
//! them is never taken for a run of the rules themselves. What each changes is in the engine.

/// A plausible misreading of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Variant {
    /// X1: a kernel that does not fit is passed over, and blocks of those behind it are assigned.
    WorkConserving,
    /// A2: a kernel that has begun keeps its turn until its last block is assigned.
    PriorityByKernel,
    /// N1, N2: the NULL stream is a stream like any other.
    NoNullBarrier,
    /// Placement: a block goes to the highest-numbered SM on which it fits.
    LastFit,
}

impl Variant {
    /// Every variant, in the order of a list.
    pub const ALL: [Self; 4] = [Self::WorkConserving, Self::PriorityByKernel, Self::NoNullBarrier, Self::LastFit];

    /// Its name in files, links and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.text().0
    }

    /// A few words for a list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.text().1
    }

    /// What it does instead of the rule.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        self.text().2
    }

    /// The variant of this name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|v| v.id() == id)
    }

    const fn text(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::WorkConserving => (
                "work-conserving",
                "X1 work-conserving",
                "A kernel that does not fit is passed over, and blocks of the kernels behind it are assigned.",
            ),
            Self::PriorityByKernel => (
                "priority-by-kernel",
                "A2 by kernel, not by block",
                "A kernel that has begun keeps its turn until its last block is assigned, whatever arrives in a higher EE queue.",
            ),
            Self::NoNullBarrier => (
                "no-null-barrier",
                "N1, N2 off",
                "The NULL stream is a stream like any other: nothing waits for it, and it waits for nothing.",
            ),
            Self::LastFit => ("last-fit", "Last-fit placement", "A block goes to the highest-numbered SM on which it fits."),
        }
    }
}

/// A set of variants; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variants(u32);

impl Variants {
    /// The rules as they are.
    pub const NONE: Self = Self(0);

    /// Whether a variant is in force.
    #[must_use]
    pub const fn has(self, variant: Variant) -> bool {
        self.0 & 1 << variant as u8 != 0
    }

    /// The same with another one.
    #[must_use]
    pub const fn with(self, variant: Variant) -> Self {
        Self(self.0 | 1 << variant as u8)
    }

    /// Whether these are the rules as they are.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Those in force.
    pub fn iter(self) -> impl Iterator<Item = Variant> {
        Variant::ALL.into_iter().filter(move |&v| self.has(v))
    }
}

impl FromIterator<Variant> for Variants {
    fn from_iter<I: IntoIterator<Item = Variant>>(variants: I) -> Self {
        variants.into_iter().fold(Self::NONE, Self::with)
    }
}
