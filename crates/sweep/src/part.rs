//! Rows of a sweep as a file: what it is of, which runs, and a row each.
//!
//! Depends on csv and on plans. Invariants: parts that are joined are the bytes of the whole; no cell is a formula to a spreadsheet.

use std::fmt::Write;
use std::ops::Range;

use serde_json::Value;

use super::error::{PartError, differs, shown};
use super::plan::{LINK, PROBLEM, Plan};
use super::values::DRAWN;
use blockstep_format::csv_cell;

/// Begins the line that says what it is of.
const SWEEP: &str = "# blockstep sweep of runs ";
/// Begins the line that says which runs.
const RUNS: &str = "# runs ";

/// Whether a cell that was read is the text that was written.
pub(crate) fn is_same(cell: &str, text: &str) -> bool {
    cell == text || cell == csv_read(text)
}

/// A text as it is read back from its cell.
fn csv_read(text: &str) -> String {
    let cell = csv_cell(text).to_string();
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    inner.map_or_else(|| cell.clone(), |inner| inner.replace("\"\"", "\""))
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Real,
    /// Words.
    Word,
}

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

    /// Reads what [`Part::write`] wrote. What it says twice is compared: which runs there are, how many, the columns, and the values of
    /// each run.
    ///
    /// # Errors
    /// [`PartError::NotAPart`], [`PartError::Differs`], or if a run is there twice.
    pub fn read(text: &str) -> Result<Self, PartError> {
        let mut lines = text.splitn(3, '\n');
        let mark =
            lines.next().and_then(|line| line.trim_end().strip_prefix(SWEEP)).ok_or(PartError::NotAPart("its first line is another"))?;
        let runs = lines.next().and_then(|line| line.trim_end().strip_prefix(RUNS)).and_then(|runs| runs.split_once(" of "));
        let (ranges, count) = runs
            .and_then(|(ranges, count)| Some((ranges, count.parse().ok()?)))
            .ok_or(PartError::NotAPart("its second line names no runs"))?;
        let mut reader = csv::Reader::from_reader(lines.next().unwrap_or_default().as_bytes());
        let owned = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let header = reader.headers().map(owned).map_err(|_| PartError::NotAPart("it has no header"))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|_| PartError::NotAPart("a row has another number of cells than the header"))?;
            let run = record.get(0).and_then(|run| run.parse().ok()).filter(|run| *run < count);
            rows.push((run.ok_or(PartError::NotAPart("a row has no number of a run"))?, owned(&record)));
        }
        let part = Self { mark: mark.to_owned(), count, header, rows }.sorted()?;
        let plan = part.plan()?;
        let found = part.ranges();
        if ranges != found {
            let shown = |ranges: &str| if ranges.is_empty() { "none".to_owned() } else { ranges.to_owned() };
            return Err(differs("the list of runs", &shown(ranges), format!("the rows are of {}", shown(&found))));
        }
        for (run, cells) in &part.rows {
            plan.check(*run, &part.header, cells)?;
        }
        Ok(part)
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

    /// The runs that are here, as the second line names them.
    fn ranges(&self) -> String {
        let ranges: Vec<String> = self.runs().iter().map(|range| format!("{}..{}", range.start, range.end)).collect();
        ranges.join(" ")
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
        let at = self.header.iter().rposition(|name| name == PROBLEM);
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

    /// What the cells of a column hold, by its place: numbers if every cell that is not empty is one.
    #[must_use]
    pub fn kind(&self, place: usize) -> CellKind {
        let is_all =
            |is: fn(&str) -> bool| self.rows.iter().filter_map(|(_, cells)| cells.get(place)).all(|cell| cell.is_empty() || is(cell));
        if self.header.get(place).is_some_and(|name| name == PROBLEM) {
            CellKind::Word
        } else if is_all(|cell| cell.parse::<u64>().is_ok()) {
            CellKind::Whole
        } else if is_all(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite)) {
            CellKind::Real
        } else {
            CellKind::Word
        }
    }

    /// The same without the column of links.
    ///
    /// # Errors
    /// [`PartError`], of a part that was not read.
    pub fn without_links(mut self) -> Result<Self, PartError> {
        if let Some(place) = self.header.iter().rposition(|name| name == LINK && self.mark()["links"].is_string()) {
            let plan = self.plan()?.without_links();
            self.mark = plan.mark().to_owned();
            self.header.remove(place);
            self.rows.iter_mut().for_each(|(_, cells)| drop(cells.remove(place)));
        }
        Ok(self)
    }

    /// What makes the scenarios of these runs; it does not compare them with the file as it is.
    ///
    /// # Errors
    /// [`PartError::NotAPart`] or [`PartError::Differs`] if what the part says of itself does not make its runs.
    pub fn plan(&self) -> Result<Plan, PartError> {
        let plan = Plan::described(&self.mark)?;
        if plan.count() != self.count {
            return Err(differs("the number of runs", &self.count.to_string(), format!("the fields that vary make {}", plan.count())));
        }
        let (header, given) = (plan.header(), &self.header);
        if let Some((given, column)) = given.iter().zip(&header).find(|(given, column)| !is_same(given, column)) {
            return Err(differs("a column of the header", given, format!("\"{}\" is expected there", shown(column))));
        }
        if given.len() != header.len() {
            return Err(differs("the number of columns", &given.len().to_string(), format!("{} are expected", header.len())));
        }
        Ok(plan)
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
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{SWEEP}{}\n{RUNS}{} of {}", self.mark, self.ranges(), self.count);
        for cells in std::iter::once(&self.header).chain(self.rows.iter().map(|(_, cells)| cells)) {
            for (place, cell) in cells.iter().enumerate() {
                let _ = write!(out, "{}{}", if place == 0 { "" } else { "," }, csv_cell(cell));
            }
            out.push('\n');
        }
        out
    }
}
