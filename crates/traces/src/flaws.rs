//! What is wrong with a file, as far as it changes what is said beside other files.
//!
//! Invariant: what is said of a file alone has every flaw; here are those that may be why a file differs from another. Which ones is our
//! choice.

use crate::idle::idle_ns;
use crate::path::wall_clock;
use crate::{Flaw, Recording, words};
use blockstep_sim::language::one_or;
use blockstep_sim::units::written::format_count;

/// What concerns fewer than one in so many is left out: our choice.
const LEAST_SHARE: u64 = 100;

/// The flaws of a recording that may change its times: those of which one is enough, and those that concern a hundredth or more of what
/// they are about.
#[must_use]
pub fn bearing(recording: &Recording) -> Vec<Flaw> {
    let operations = recording.operations.len() as u64;
    let is_much = |count: u64, of: u64| u128::from(count) * u128::from(LEAST_SHARE) >= u128::from(of);
    let bears = |flaw: &Flaw| match *flaw {
        Flaw::CutOff(_) | Flaw::MaybeCut(_) | Flaw::Lost(_) | Flaw::NoObjects(_) | Flaw::GraphsWhole(_) => true,
        Flaw::WithoutCall(count) | Flaw::Clipped(count) => is_much(count, operations),
        Flaw::WithoutTime(count) => is_much(count, count.saturating_add(operations).saturating_add(recording.calls.len() as u64)),
        Flaw::WithoutOperation(count) => {
            let launches = recording.launching().into_iter().filter(|&launches| launches).count() as u64;
            is_much(count, count.saturating_add(launches))
        }
        Flaw::IdleWaits(_) => {
            let (first, end) = wall_clock(recording);
            is_much(idle_ns(recording), end.since(first).ns())
        }
        Flaw::BeforeCall(_) | Flaw::Warned(_) | Flaw::Mended(_) | Flaw::UnreadRows(_) | Flaw::Microseconds => false,
    };
    recording.flaws.iter().filter(|flaw| bears(flaw)).copied().collect()
}

/// What is wrong with a file, sentences: with the profiler's own words where it says so.
#[must_use]
pub fn sentences(recording: &Recording) -> Vec<String> {
    let told = |is_of_loss: bool| {
        let of_kind = recording.messages.iter().filter(move |message| message.is_of_loss == is_of_loss);
        of_kind.map(|message| format!(" \"{}\"", message.text)).collect::<String>()
    };
    let sentence = |&flaw: &Flaw| match flaw {
        Flaw::Lost(_) => words::flaw(flaw) + &told(true),
        Flaw::Warned(_) => words::flaw(flaw) + &told(false),
        _ => words::flaw(flaw),
    };
    recording.flaws.iter().map(sentence).collect()
}

/// A flaw in a few words, after a colon.
#[must_use]
pub fn short(flaw: Flaw) -> String {
    let many = |count: u64, one: &str, more: &str| format!("{} {}", format_count(count), one_or(count, one, more));
    match flaw {
        Flaw::CutOff(_) => "it was cut off".to_owned(),
        Flaw::MaybeCut(_) => "it has as many events as its profiler writes at most, so later ones may be missing".to_owned(),
        Flaw::Lost(_) => "the profiler lost events".to_owned(),
        Flaw::Warned(n) => format!("{} of the profiler", many(n, "warning", "warnings")),
        Flaw::NoObjects(n) => format!("{} left out that {} no event", many(n, "entry", "entries"), one_or(n, "is", "are")),
        Flaw::WithoutCall(n) => format!("{} without a call", many(n, "operation", "operations")),
        Flaw::BeforeCall(n) => format!("{} before the call", many(n, "start", "starts")),
        Flaw::WithoutTime(n) => format!("{} without a usable time", many(n, "event", "events")),
        Flaw::WithoutOperation(n) => format!("{} without an operation", many(n, "launch", "launches")),
        Flaw::Clipped(n) => format!("{} cut short", many(n, "duration", "durations")),
        Flaw::Mended(n) => format!("{} that {} not JSON", many(n, "place", "places"), one_or(n, "is", "are")),
        Flaw::GraphsWhole(n) => format!("{} of graphs without their nodes", many(n, "launch", "launches")),
        Flaw::UnreadRows(n) => format!("{} not read", many(n, "row", "rows")),
        Flaw::IdleWaits(n) => format!("{} of the host while nothing in the file runs", many(n, "long wait", "long waits")),
        Flaw::Microseconds => "whole microseconds".to_owned(),
    }
}

/// What a reader should know of a file beside others: "after.json: 3 launches without an operation." `None` if there is nothing.
#[must_use]
pub fn of_file(name: &str, flaws: &[Flaw]) -> Option<String> {
    let short: Vec<String> = flaws.iter().map(|&flaw| short(flaw)).collect();
    (!short.is_empty()).then(|| format!("{name}: {}.", short.join("; ")))
}
