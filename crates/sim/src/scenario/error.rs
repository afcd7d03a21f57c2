//! What can be wrong with a scenario.
//!
//! Depends on how units write messages. Invariant: a message names the value and the limit, the path names the field.

use std::fmt;

use crate::units::written::said_of;

/// One thing wrong (or doubtful), at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, as `kernels[2].blocks`; empty for the scenario as a whole.
    pub path: String,
    /// What, without the path.
    pub message: String,
    /// The number that the value passes, in the unit of the field, where the problem is that.
    pub limit: Option<u64>,
}

impl Problem {
    /// A problem at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), limit: None }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&said_of(&self.path, &self.message))
    }
}

/// Everything wrong with a scenario; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// In the order of the file.
    pub problems: Vec<Problem>,
}

impl ScenarioError {
    /// A single problem.
    #[must_use]
    pub fn one(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { problems: vec![Problem::new(path, message)] }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{p}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}
