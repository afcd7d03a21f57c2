//! Steps of a run as they are typed: `12, 20-30, 1.1 s`.
//!
//! Depends on `view`. Invariant: a message names what was typed, and the limit.

use blockstep_sim::trace::Trace;
use blockstep_view::position::{self, GoalError, Stop};
use blockstep_view::quantity::format_count;

/// Why a text names no steps of a run.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopsError {
    #[error(transparent)]
    Step(#[from] GoalError),
    #[error("steps {0}: the first is after the last")]
    Backwards(String),
    #[error("{} steps are too many", format_count(*.0 as u64))]
    TooMany(usize),
}

/// Steps as typed: numbers of steps, ranges of them, times, `limit` at most; all of the run if nothing is typed.
///
/// # Errors
/// What is wrong with the first piece that names no steps of the run.
pub fn stops(trace: &Trace, text: &str, limit: usize) -> Result<Vec<Stop>, StopsError> {
    let count = trace.steps().len() as u32;
    if text.trim().is_empty() {
        return Ok((1..=count).map(|position| Stop::at_step(trace, position)).collect());
    }
    let step = |text: &str| match text.trim().parse::<u32>() {
        Ok(step) => position::parse_stop(trace, &format!("#{step}")),
        Err(_) => position::parse_stop(trace, text),
    };
    let mut found = Vec::new();
    for piece in text.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
        // A dash before anything else would be a sign.
        match piece.split_once(['-', '\u{2013}']).filter(|(from, _)| !from.trim().is_empty()) {
            Some((from, to)) => {
                let (from, to) = (step(from)?.position, step(to)?.position);
                if from > to {
                    return Err(StopsError::Backwards(piece.to_owned()));
                }
                let count = found.len() + (to - from) as usize + 1;
                if count > limit {
                    return Err(StopsError::TooMany(count));
                }
                found.extend((from..=to).map(|position| Stop::at_step(trace, position)));
            }
            None => found.push(step(piece)?),
        }
    }
    Ok(found)
}
