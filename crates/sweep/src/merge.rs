//! Parts, as texts, joined to the whole: of a study of random task sets, or of a sweep over a scenario.
//!
//! Depends on `analysis` and the formats. Invariant: the whole is what one process would have written, byte for byte, in whatever order the
//! parts are given; what is missing of it is said.

use std::ops::Range;

use super::error::PartError;
use super::part::Part;
use blockstep_analysis::parts;
use blockstep_analysis::results::{JoinError, Results};
use blockstep_format::{FormatError, read_results, write_results};
use blockstep_sim::language::and_more;

/// What parts are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Counts of a study.
    Study(Results),
    /// Rows of a sweep.
    Runs(Part),
}

/// Parts that were joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// What they are together.
    pub whole: Whole,
    /// A sentence on the sets or runs that are not among them, and the parts that hold these; `None` if nothing is missing.
    pub missing: Option<String>,
}

/// Why parts cannot be joined; the number of the part that is wrong, counted from 0, comes with it.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("there is no part")]
    Nothing,
    #[error("{1}")]
    Format(usize, FormatError),
    #[error("{1}")]
    Study(usize, JoinError),
    #[error("{1}")]
    Runs(usize, PartError),
}

/// Joins what [`write_results`] or [`Part::write`] wrote of parts.
///
/// # Errors
/// [`MergeError`]. That a part is missing is none: [`Merged::missing`] says so.
pub fn merge(texts: &[impl AsRef<str>]) -> Result<Merged, MergeError> {
    let texts = || texts.iter().map(AsRef::as_ref).enumerate();
    let is_of_runs = texts().next().is_some_and(|(_, text)| Part::is_part(text));
    if is_of_runs { merge_runs(texts()) } else { merge_study(texts()) }
}

fn merge_study<'t>(texts: impl Iterator<Item = (usize, &'t str)>) -> Result<Merged, MergeError> {
    let mut all: Option<Results> = None;
    let mut given = Vec::new();
    for (place, text) in texts {
        let part = read_results(text).map_err(|why| MergeError::Format(place, why))?;
        given.extend(part.sets.iter().flatten().cloned());
        match &mut all {
            Some(all) => all.join(&part).map_err(|why| MergeError::Study(place, why))?,
            None => all = Some(part),
        }
    }
    let all = all.ok_or(MergeError::Nothing)?;
    let missing = match all.missing() {
        Some(gaps) => said("set", all.sweep.sets, &gaps, &given),
        None => Some("the study was stopped midway, so it is unknown which sets are missing".to_owned()),
    };
    Ok(Merged { whole: Whole::Study(all), missing })
}

fn merge_runs<'t>(texts: impl Iterator<Item = (usize, &'t str)>) -> Result<Merged, MergeError> {
    let mut all: Option<Part> = None;
    let mut given = Vec::new();
    for (place, text) in texts {
        let part = Part::read(text).map_err(|why| MergeError::Runs(place, why))?;
        given.extend(part.runs());
        all = Some(match all {
            Some(all) => all.join(part).map_err(|why| MergeError::Runs(place, why))?,
            None => part,
        });
    }
    let all = all.ok_or(MergeError::Nothing)?;
    let missing = said("run", all.count(), &all.missing(), &given);
    Ok(Merged { whole: Whole::Runs(all), missing })
}

/// Which things are missing of `count` of which those of `given` parts are there, and which parts hold them.
fn said(thing: &str, count: u64, gaps: &[Range<u64>], given: &[Range<u64>]) -> Option<String> {
    const MOST_NAMED: usize = 5;
    let divided = parts::parts(count, given);
    let named = gaps.iter().take(MOST_NAMED).map(|gap| {
        let things = match gap.end - 1 {
            last if last == gap.start => format!("{thing} {last}"),
            last => format!("{thing}s {} to {last}", gap.start),
        };
        let part = |of: u64| [gap.start, gap.end - 1].map(|number| parts::part_of(count, number, of));
        match divided.map(|of| (part(of), of)) {
            Some(([first, last], of)) if first == last => format!("{things} (part {first}/{of})"),
            Some(([first, last], of)) => format!("{things} (parts {first}/{of} to {last}/{of})"),
            None => things,
        }
    });
    let named: Vec<String> = named.collect();
    let list = and_more(&named, gaps.len() - named.len());
    (!gaps.is_empty()).then(|| format!("of {count} {thing}s, counted from 0, these are missing: {list}"))
}

impl Whole {
    /// As a file, of which a whole is made again.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Self::Study(results) => write_results(results),
            Self::Runs(part) => part.write(),
        }
    }
}
