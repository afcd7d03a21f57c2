//! Rules by what they are about.
//!
//! Depends on `trace` for the rules. Invariant, kept by a test: every rule is of one family.

use blockstep_sim::trace::Rule;

/// Rules that are about the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleFamily {
    /// What they are about.
    pub name: &'static str,
    /// The first letters of their ids.
    letters: &'static str,
}

impl RuleFamily {
    /// Whether a rule is one of them.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        rule.id().starts_with(|letter| self.letters.contains(letter))
    }
}

const fn family(name: &'static str, letters: &'static str) -> RuleFamily {
    RuleFamily { name, letters }
}

/// Every family. Links know them by their places, so a new one comes last.
pub const FAMILIES: [RuleFamily; 12] = [
    family("Streams, EE queues, blocks", "GXRB"),
    family("Copies", "C"),
    family("NULL stream", "N"),
    family("Priorities", "A"),
    family("Jobs and deadlines", "JD"),
    family("Processes take turns", "S"),
    family("Runlist", "L"),
    family("Earliest deadline first", "E"),
    family("Servers", "Q"),
    family("CUDA: events, connections, calls that wait", "WHT"),
    family("RunList Manager", "M"),
    family("A policy of your own", "P"),
];
