//! Files of a sweep as one table.
//!
//! Invariant: parts are joined as `blockstep sweep-merge` joins them.

use blockstep_sim::language::capitalized;
use blockstep_sim::scenario::plain;
use blockstep_sim::units::written::format_count;
use blockstep_sweep::{MergeError, Merged, Part, Whole, merge};

/// Most runs of a table: the page sends the table to the worker with each thing that the reader does.
pub const MAX_RUNS: usize = 20_000;

/// What was read.
pub(super) struct Read {
    /// The table as a file, without links.
    pub(super) table: String,
    /// Its columns, by their names.
    pub(super) columns: Vec<String>,
    /// Which runs are missing; empty if none is.
    pub(super) missing: String,
}

/// Reads files: name and text of each. What is of the sweep that is shown is added to that.
pub(super) fn read(shown: &str, files: &[(String, String)]) -> Result<Read, String> {
    let mut texts = Vec::new();
    for (name, text) in files {
        // The page makes each scenario itself, without its link.
        let part = Part::read(text).and_then(Part::without_links).map_err(|why| said(name, &why.to_string()))?;
        if part.rows().is_empty() {
            return Err(said(name, "it has no run"));
        }
        texts.push(part.write());
    }
    let together = std::iter::once(shown).chain(texts.iter().map(String::as_str)).collect::<Vec<_>>();
    let merged = match merge(&together) {
        Ok(merged) => merged,
        // It takes the place of what is shown.
        Err(_) => merge(&texts).map_err(|why| match &why {
            MergeError::Runs(place, _) => said(files.get(*place).map_or("", |(name, _)| name), &why.to_string()),
            _ => format!("{}.", capitalized(&why.to_string())),
        })?,
    };
    let Merged { whole: Whole::Runs(part), missing } = merged else { return Err("There is no table.".to_owned()) };
    let runs = part.rows().len();
    let first = files.first().map_or("", |(name, _)| name);
    if runs > MAX_RUNS {
        let (runs, most) = (format_count(runs as u64), format_count(MAX_RUNS as u64));
        let why = format!("{runs} runs are too many for the page; the maximum is {most}. The command line draws them all: --chart MEASURE");
        return Err(said(first, &why));
    }
    Ok(Read { table: part.write(), columns: part.header().to_vec(), missing: missing.unwrap_or_default() })
}

fn said(name: &str, why: &str) -> String {
    format!("{} cannot be opened: {why}.", plain(name))
}
