//! What is to be done, at a look, about a command that goes on.
//!
//! Depends on no clock: whoever looks says what has passed. Invariant: the same look leads to the same, so that what a terminal shows is
//! tested by values.

use std::time::Duration;

use blockstep_sim::language::capitalized;
use blockstep_view::quantity::format_count;
use indicatif::HumanDuration;

/// What takes less time says nothing of how far it is.
const SILENCE: Duration = Duration::from_secs(1);
/// What looks at the clock itself has ended so long after its time is up, and has said what it knows.
const GRACE: Duration = Duration::from_millis(500);
/// Letters of a bar.
const BAR: u64 = 40;

/// A command that goes on.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// How long it has gone on.
    pub passed: Duration,
    /// How long it has gone on without time, if its time is up.
    pub beyond: Option<Duration>,
    /// What is done so far, `12 steps`; of what is counted, what these are: `sets`.
    pub done: &'a str,
    /// How many are done, and of how many, of what is counted.
    pub counted: Option<(u64, u64)>,
}

/// What it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It goes on, and says nothing.
    Nothing,
    /// The terminal shows this line.
    Draw(String),
    /// The program ends.
    End,
}

impl Look<'_> {
    /// What is to be done about it.
    #[must_use]
    pub fn act(&self) -> Act {
        if self.beyond.is_some_and(|beyond| beyond >= GRACE) {
            return Act::End;
        }
        if self.passed < SILENCE {
            return Act::Nothing;
        }
        Act::Draw(self.counted.map_or_else(|| capitalized(self.done), |(done, of)| self.bar(done, of)))
    }

    /// `██░░  50 %  1,000 of 2,000 sets, 500/s, 2s left`
    fn bar(&self, done: u64, of: u64) -> String {
        let share = |whole: u64| u64::try_from(u128::from(done.min(of)) * u128::from(whole) / u128::from(of.max(1))).unwrap_or(whole);
        let full = share(BAR) as usize;
        let (full, empty) = ("█".repeat(full), "░".repeat(BAR as usize - full));
        let (percent, seconds) = (share(100), self.passed.as_secs_f64());
        let so_far = format!("{full}{empty} {percent:>3} %  {} of {} {}", format_count(done), format_count(of), self.done);
        if done == 0 {
            return so_far;
        }
        let left = Duration::try_from_secs_f64(seconds * of.saturating_sub(done) as f64 / done as f64).unwrap_or(Duration::MAX);
        format!("{so_far}, {:.0}/s, {:#} left", done as f64 / seconds, HumanDuration(left))
    }
}
