//! Lists to choose from.
//!
//! Invariant: what a list has chosen is among its options.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceList {
    pub options: Vec<(String, String)>,
    pub chosen: String,
}

impl ChoiceList {
    /// A list; what cannot be chosen is the first option.
    pub(super) fn new(options: Vec<(String, String)>, chosen: &str) -> Self {
        let is_known = options.iter().any(|(value, _)| value == chosen);
        let first = options.first().map_or("", |(value, _)| value);
        let chosen = if is_known { chosen } else { first }.to_owned();
        Self { options, chosen }
    }
}
