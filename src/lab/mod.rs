//! The tools that are still written as HTML, and what they are asked in texts.
//!
//! Depends on everything but the page. Invariant: an answer depends on the request alone; what is
//! kept from one request to the next only saves time.

pub mod tools;

use crate::runs::Runs;

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// 32-bit words.
    Words(Vec<u32>),
}

/// What the lab keeps.
#[derive(Default)]
pub struct Lab {
    runs: Runs,
}

impl Lab {
    /// Answers a request: `tool`, with the arguments that [`tools`] takes.
    ///
    /// # Errors
    /// What is wrong with the request, as a sentence for the reader.
    pub fn answer(&mut self, request: &str, arguments: &[String]) -> Result<Vec<Part>, String> {
        match request {
            "tool" => tools::answer(arguments, &mut self.runs),
            _ => Err(format!("The lab knows no request \"{request}\": load the page again, it may be of another version.")),
        }
    }
}
