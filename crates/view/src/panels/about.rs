//! What was written for a built-in scenario: its text and its moments.
//!
//! Depends on `units`. Invariant: moments are in order of time.

use blockstep_sim::units::Time;

/// What was written for a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its title.
    pub title: String,
    /// Where it is from.
    pub source: String,
    /// What to look for.
    pub text: String,
    /// Moments worth a look, in order of time.
    pub moments: Vec<Moment>,
}

/// A moment worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The instant, ns from the start of the run.
    pub at: Time,
    /// A few words.
    pub label: String,
    /// What is to be seen there.
    pub text: String,
}

impl About {
    /// The title; of a table of a paper, its number alone: `Table 1`.
    #[must_use]
    pub fn short_title(&self) -> &str {
        self.title.split_once(": ").map(|(head, _)| head).filter(|head| head.starts_with("Table ")).unwrap_or(&self.title)
    }
}
