//! What a reader has vary: a number of the table, its values, and perhaps the policy.
//!
//! Invariants: what cannot be read is said with the number's name, the value and the limit; a field is named as `blockstep sweep --vary`
//! names it.

use serde_json::Value;

use super::MAX_RUNS;
use blockstep_format as format;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::scenario::{Choice, Class, Draft, Release, Scenario};
use blockstep_sim::units::Time;
use blockstep_sim::units::written::format_count;
use blockstep_sweep::{Measure, Plan};
use blockstep_view::document::Document;
use blockstep_view::panels::unused_columns;
use blockstep_view::quantity::{self, Unit};
use blockstep_view::table::{ColumnKind, Table};

/// Most numbers that a list offers. A cell of the table leads to any.
const MAX_OFFERED: usize = 400;

/// Most tasks and rows whose responses are measured.
const MAX_RESPONSES: usize = 12;

/// What the list begins with, if the table has one.
const FIRST: &str = "blocks";

/// A number of the table.
pub(crate) struct Number {
    /// By the name of its row where that tells it: `kernels[K1].blocks`.
    pub(crate) field: String,
    /// By the place of its row: `kernels[0].blocks`.
    by_place: String,
    /// `Blocks of K1`.
    pub(crate) label: String,
    /// The name of its row.
    row: String,
    pub(crate) unit: Unit,
    /// What it is now; nothing if its cell is empty.
    pub(crate) now: Option<u64>,
}

/// What may vary in a scenario.
pub(crate) struct Numbers {
    draft: Draft,
    all: Vec<Number>,
    end: Time,
}

impl Numbers {
    /// Those of a scenario file whose run ends at a time.
    pub(crate) fn new(scenario: &str, end: Time) -> Result<Self, String> {
        let draft = format::read_scenario(scenario).map_err(|why| why.to_string())?;
        let file: Value = serde_json::from_str(&format::write_scenario(&draft)).unwrap_or_default();
        let document = Document::new(draft.clone());
        let all = Table::ALL.into_iter().flat_map(|table| of_table(&document, table, &file[table.field()])).collect();
        Ok(Self { draft, all, end })
    }

    /// What the list offers: each with its name.
    pub(crate) fn offered(&self) -> Vec<(String, String)> {
        self.all.iter().take(MAX_OFFERED).map(|number| (number.field.clone(), number.label.clone())).collect()
    }

    /// The number of this name, by either.
    pub(crate) fn find(&self, field: &str) -> Option<&Number> {
        self.all.iter().find(|number| number.field == field || number.by_place == field)
    }

    /// That of a name, else the one that the list begins with.
    pub(crate) fn chosen(&self, field: &str) -> Option<&Number> {
        let is_first = |number: &&Number| number.field.rsplit('.').next() == Some(FIRST);
        self.find(field).or_else(|| self.all.iter().find(is_first)).or_else(|| self.all.first())
    }

    /// Values around what a number is now.
    pub(crate) fn usual(&self, number: &Number) -> String {
        let write = |n| quantity::format(number.unit, n);
        let range = |first: u64, last: u64, step: u64| format!("{} to {} step {}", write(first), write(last), write(step));
        match (number.unit, number.now.unwrap_or(0)) {
            (Unit::Count, 0) => "0 to 8".to_owned(),
            (Unit::Count, now) if now <= 32 => format!("1 to {}", (2 * now).max(8)),
            (Unit::Bytes, 0) => range(0, 1 << 20, 1 << 17),
            (Unit::Time, 0) => range(0, self.end.ns() / 8 * 8, (self.end.ns() / 8).max(1)),
            (_, now) => range(now / 2, now.saturating_mul(2), (now / 8).max(1)),
        }
    }

    /// The sweep of a number, in each policy too if `by_policy`, with the measure that says most of it.
    pub(crate) fn plan(&self, number: &Number, values: &str, by_policy: bool) -> Result<(Plan, Measure), String> {
        let (given, count) = number.read(values).map_err(|why| format!("{}: {why}.", number.label))?;
        let policies: Vec<&str> = engine::kinds().filter(|_| by_policy).map(Choice::word).collect();
        let runs = count.saturating_mul(policies.len().max(1) as u64);
        if runs > MAX_RUNS as u64 {
            let (runs, most) = (format_count(runs), format_count(MAX_RUNS as u64));
            return Err(format!("{}: \"{values}\" makes {runs} runs; the page makes at most {most}.", number.label));
        }
        let mut vary = vec![format!("{}={given}", number.field)];
        if by_policy {
            vary.push(format!("policy.kind={}", policies.join(",")));
        }
        let scenario = Scenario::new(&self.draft).map_err(|why| why.to_string())?;
        let measures = measures(&scenario);
        let own = Measure::Response(number.row.clone());
        let first = if measures.contains(&own) { own } else { Measure::End };
        let plan = Plan::new(&self.draft, &vary, &measures, None, Limits::default()).map_err(|why| format!("{why}."))?;
        Ok((plan, first))
    }
}

/// What is measured of each run: deadlines and responses as far as the scenario has them.
fn measures(scenario: &Scenario) -> Vec<Measure> {
    let has_class = |class| scenario.tasks().iter().any(|task| task.class == class && task.deadline.is_some());
    let of_class = [(Class::RealTime, Measure::RealTimeMisses), (Class::BestEffort, Measure::BestEffortLate)];
    let late = of_class.into_iter().filter(|(class, _)| has_class(*class)).map(|(_, measure)| measure);
    let is_periodic = scenario.tasks().iter().any(|task| task.release == Release::Periodic);
    let tasks = scenario.tasks().iter().filter(|_| is_periodic).map(|task| &task.name);
    let mut names: Vec<&String> = Vec::new();
    for name in tasks.chain(scenario.rows().iter().map(|row| &row.name)) {
        if names.len() < MAX_RESPONSES && !names.contains(&name) {
            names.push(name);
        }
    }
    let responses = names.into_iter().map(|name| Measure::Response(name.clone()));
    late.chain(responses).chain([Measure::End, Measure::Utilization]).collect()
}

/// The numbers of a table, whose rows a file has as well.
fn of_table(document: &Document, table: Table, file: &Value) -> Vec<Number> {
    let unused = unused_columns(document, table, &[]);
    let names = document.names(table);
    let mut all = Vec::new();
    for (row, name) in names.iter().enumerate() {
        // A row that goes without saying is not in the file.
        let Some(written) = file.get(row).filter(|written| written.is_object()) else { continue };
        let is_told = is_plain(name) && names.iter().filter(|other| *other == name).count() == 1;
        let told = if is_told { name.clone() } else { row.to_string() };
        for (place, column) in table.columns().iter().enumerate() {
            let unit = match column.kind {
                ColumnKind::Quantity(unit) => unit,
                ColumnKind::Integer => Unit::Count,
                ColumnKind::Times => Unit::Time,
                _ => continue,
            };
            let value = &written[column.field];
            let is_there = column.empty.is_some() || !document.text(table, row, place).is_empty();
            // Neither a list of times nor a number below 0.
            if unused.contains(&column.field) || !is_there || !(value.is_null() || value.is_u64()) {
                continue;
            }
            let field = |row: &str| format!("{}[{row}].{}", table.field(), column.field);
            all.push(Number {
                field: field(&told),
                by_place: field(&row.to_string()),
                label: format!("{} of {name}", column.title),
                row: name.clone(),
                unit,
                now: value.as_u64(),
            });
        }
    }
    all
}

/// Whether a name can stand in the name of a field.
fn is_plain(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == ' ';
    !name.is_empty() && name.trim() == name && name.chars().all(is_part) && !name.chars().all(|c| c.is_ascii_digit())
}

impl Number {
    /// Reads `1 to 12`, `1 ms to 4 ms step 500 µs`, `1, 2, 4` or `1..13`: the values as `--vary` takes them, and how many there are.
    pub(crate) fn read(&self, text: &str) -> Result<(String, u64), String> {
        let one = |word: &str| quantity::parse(self.unit, word.trim()).map_err(|why| why.to_string());
        let text = text.trim();
        // As the command line writes a range, too, whose end is left out unless `=` stands before it.
        let range = text.split_once(" to ").map(|of| (of, " step ")).or_else(|| text.split_once("..").map(|of| (of, ":")));
        let Some(((first, rest), by)) = range else {
            let list = self.list(text).into_iter().map(|word| one(&word)).collect::<Result<Vec<_>, _>>()?;
            let words: Vec<String> = list.iter().map(u64::to_string).collect();
            return Ok((words.join(","), list.len() as u64));
        };
        let (last, step) = rest.split_once(by).map_or((rest, None), |(last, step)| (last, Some(step)));
        let (last, is_left_out) = match last.strip_prefix('=').filter(|_| by == ":") {
            Some(last) => (last, false),
            None => (last, by == ":"),
        };
        let (first, last) = (one(first)?, one(last)?);
        let step = match step {
            Some(step) => one(step)?,
            None if self.unit == Unit::Count => 1,
            None => {
                let such = quantity::format(self.unit, (last.saturating_sub(first) / 10).max(1));
                return Err(format!("\"{text}\" has no step; write {text}{by}{such}"));
            }
        };
        if step == 0 {
            return Err(format!("\"{text}\" has the step 0; the least is {}", quantity::format(self.unit, 1)));
        }
        if last < first || is_left_out && last == first {
            return Err(format!("\"{text}\" has no value; the last has to be at least the first"));
        }
        let last = last - u64::from(is_left_out);
        Ok((format!("{first}..={last}:{step}"), ((last - first) / step).saturating_add(1)))
    }

    /// The words of a list. A comma within a number stands between groups of three digits.
    fn list(&self, text: &str) -> Vec<String> {
        let text = text.replace(';', ", ");
        let words = |by: &str| text.split(by).map(str::to_owned).collect();
        if text.contains(", ") {
            words(", ")
        } else if quantity::parse(self.unit, &text).is_ok() {
            vec![text]
        } else {
            words(",")
        }
    }

    /// What may be written.
    pub(crate) fn hint(&self) -> String {
        let now = self.now.map_or_else(String::new, |now| format!("Now it is {}. ", quantity::format(self.unit, now)));
        let such = match self.unit {
            Unit::Count => "1 to 12, 64 to 512 step 64, or 1, 2, 4",
            Unit::Time => "1 ms to 4 ms step 500 µs, or 1 ms, 2 ms, 4 ms",
            Unit::Bytes => "0 to 48 KB step 4 KB, or 1 KB, 2 KB, 4 KB",
        };
        format!("{now}Write {such}.")
    }
}
