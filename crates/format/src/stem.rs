//! What files of a run are called, and times as decimals of larger units.
//!
//! Depends on `trace`. Invariants: a name is a name on every system; a decimal is exact.

use blockstep_sim::trace::Trace;

/// Longest name taken over from a scenario, in characters.
const MOST: usize = 60;

/// What the names of a run's logs begin with: the scenario's name, and whether rules are changed.
pub(super) fn file_stem(trace: &Trace) -> String {
    format!("{}{}", plain(trace), if trace.variants().is_none() { "" } else { "-varied" })
}

/// The scenario's name as far as files can have it.
fn plain(trace: &Trace) -> String {
    let mut stem = String::new();
    for c in trace.scenario().name().chars() {
        if stem.chars().count() >= MOST {
            break;
        }
        if c.is_alphanumeric() {
            stem.push(c);
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
    }
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() { "run".to_owned() } else { stem.to_owned() }
}

/// The name of a file of a run: `table-1-kernels.csv`, `table-1-kernels-varied.csv`.
#[must_use]
pub fn file_name(trace: &Trace, what: &str, extension: &str) -> String {
    trace.variants().file_name(&format!("{}-{what}", plain(trace)), extension)
}

/// Nanoseconds as seconds: `0.618556682`.
pub(super) fn seconds(ns: u64) -> String {
    format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// Nanoseconds as microseconds, without needless digits: `12`, `0.5`.
pub(super) fn microseconds(ns: u64) -> String {
    shortest(ns, 1000, 3)
}

/// Nanoseconds as milliseconds, without needless digits.
pub(super) fn milliseconds(ns: u64) -> String {
    shortest(ns, 1_000_000, 6)
}

fn shortest(ns: u64, unit: u64, places: usize) -> String {
    let (whole, rest) = (ns / unit, ns % unit);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:0places$}").trim_end_matches('0').to_owned() }
}
