//! Rows of a sweep as a file: what it is of, which runs, and a row each.
//!
//! Depends on csv and on plans. Invariants: parts that are joined are the bytes of the whole; no cell is a formula to a spreadsheet.

use std::fmt::Write;
use std::ops::Range;

use serde_json::Value;

use super::error::PartError;
use super::plan::Plan;
use super::values::DRAWN;
use blockstep_format::{self as format, csv_cell};
use blockstep_sim::engine::Limits;

/// Begins the line that says what it is of.
const SWEEP: &str = "# blockstep sweep of runs ";
/// Begins the line that says which runs.
const RUNS: &str = "# runs ";

/// Some rows of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    mark: String,
    /// Runs of the whole sweep.
    count: u64,
    pub(crate) header: Vec<String>,
    /// By the number of the run; each has as many cells as the header.
    pub(crate) rows: Vec<(u64, Vec<String>)>,
}

impl Part {
    /// The rows of runs, by their numbers, of a sweep of `count`.
    #[must_use]
    pub fn new(mark: &str, count: u64, header: Vec<String>, rows: Vec<(u64, Vec<String>)>) -> Self {
        Self { mark: mark.to_owned(), count, header, rows }
    }

    /// Whether a text claims to be one.
    #[must_use]
    pub fn is_part(text: &str) -> bool {
        text.starts_with(SWEEP)
    }

    /// Reads what [`Part::write`] wrote.
    ///
    /// # Errors
    /// [`PartError::NotAPart`], or if a run is there twice.
    pub fn read(text: &str) -> Result<Self, PartError> {
        let mut lines = text.splitn(3, '\n');
        let mark =
            lines.next().and_then(|line| line.trim_end().strip_prefix(SWEEP)).ok_or(PartError::NotAPart("its first line is another"))?;
        let runs = lines.next().and_then(|line| line.trim_end().strip_prefix(RUNS));
        let count =
            runs.and_then(|runs| runs.split_once(" of ")?.1.parse().ok()).ok_or(PartError::NotAPart("its second line names no runs"))?;
        let mut reader = csv::Reader::from_reader(lines.next().unwrap_or_default().as_bytes());
        let owned = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let header = reader.headers().map(owned).map_err(|_| PartError::NotAPart("it has no header"))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|_| PartError::NotAPart("a row has another number of cells than the header"))?;
            let run = record.get(0).and_then(|run| run.parse().ok()).filter(|run| *run < count);
            rows.push((run.ok_or(PartError::NotAPart("a row has no number of a run"))?, owned(&record)));
        }
        Self { mark: mark.to_owned(), count, header, rows }.sorted()
    }

    /// By the numbers of the runs, of which none is there twice.
    fn sorted(mut self) -> Result<Self, PartError> {
        self.rows.sort_by_key(|(run, _)| *run);
        match self.rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(PartError::Twice(pair[0].0)),
            None => Ok(self),
        }
    }

    /// With the rows of another part.
    ///
    /// # Errors
    /// If it is of another sweep, or has a run that is here already.
    pub fn join(mut self, other: Self) -> Result<Self, PartError> {
        if (&other.mark, other.count, &other.header) != (&self.mark, self.count, &self.header) {
            return Err(PartError::Another);
        }
        self.rows.extend(other.rows);
        self.sorted()
    }

    /// How many runs the whole sweep has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The runs that are here, as ranges that do not touch.
    #[must_use]
    pub fn runs(&self) -> Vec<Range<u64>> {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for (run, _) in &self.rows {
            match ranges.last_mut() {
                Some(last) if last.end == *run => last.end += 1,
                _ => ranges.push(*run..run + 1),
            }
        }
        ranges
    }

    /// The runs that are not here, as ranges.
    #[must_use]
    pub fn missing(&self) -> Vec<Range<u64>> {
        let mut missing = Vec::new();
        let mut next = 0;
        for run in self.rows.iter().map(|(run, _)| *run).chain([self.count]) {
            if run > next {
                missing.push(next..run);
            }
            next = run + 1;
        }
        missing
    }

    /// Why runs could not be made, of each of these.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        let at = self.header.iter().rposition(|name| name == "problem");
        let cells = self.rows.iter().filter_map(move |(_, cells)| cells.get(at?));
        cells.map(String::as_str).filter(|cell| !cell.is_empty())
    }

    /// The names of the columns; the number of the run is the first.
    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The runs that are here, by their numbers: a cell for each column.
    #[must_use]
    pub fn rows(&self) -> &[(u64, Vec<String>)] {
        &self.rows
    }

    /// The same without a column, if it is there.
    #[must_use]
    pub fn without(mut self, column: &str) -> Self {
        if let Some(place) = self.header.iter().position(|name| name == column) {
            self.header.remove(place);
            self.rows.iter_mut().for_each(|(_, cells)| drop(cells.remove(place)));
        }
        self
    }

    /// What makes the scenarios of these runs; it measures nothing.
    ///
    /// # Errors
    /// [`PartError::NotAPart`] if what the part says of itself does not make its runs.
    pub fn plan(&self) -> Result<Plan, PartError> {
        let wrong = PartError::NotAPart("its first line does not describe these runs");
        let of = self.mark();
        let draft = format::read_scenario(&of["scenario"].to_string()).map_err(|_| wrong.clone())?;
        let vary: Vec<String> = of["vary"].as_array().into_iter().flatten().filter_map(|given| given.as_str().map(str::to_owned)).collect();
        let plan = Plan::new(&draft, &vary, &[], None, Limits::default()).map_err(|_| wrong.clone())?;
        let (header, problem) = (plan.header(), 1);
        let fits = self.header.starts_with(&header[..header.len() - problem]) && plan.count() == self.count;
        if fits { Ok(plan) } else { Err(wrong) }
    }

    /// What it says of itself.
    fn mark(&self) -> Value {
        serde_json::from_str(&self.mark).unwrap_or_default()
    }

    /// Whether the values of a field are drawn by the seed.
    pub(crate) fn is_drawn(&self, field: &str) -> bool {
        let of = self.mark();
        let mut given = of["vary"].as_array().into_iter().flatten().filter_map(|given| given.as_str()?.split_once('='));
        given.any(|(name, values)| name.trim() == field && values.trim().starts_with(DRAWN))
    }

    /// As a file: what it is of, which runs, and a row each.
    #[must_use]
    pub fn write(&self) -> String {
        let ranges: Vec<String> = self.runs().iter().map(|range| format!("{}..{}", range.start, range.end)).collect();
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{SWEEP}{}\n{RUNS}{} of {}", self.mark, ranges.join(" "), self.count);
        for cells in std::iter::once(&self.header).chain(self.rows.iter().map(|(_, cells)| cells)) {
            for (place, cell) in cells.iter().enumerate() {
                let _ = write!(out, "{}{}", if place == 0 { "" } else { "," }, csv_cell(cell));
            }
            out.push('\n');
        }
        out
    }
}
