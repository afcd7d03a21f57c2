//! What a sweep runs: a scenario, the fields that vary, and what is measured.
//!
//! Depends on the files beside it. Invariant: run numbers count all combinations, the last field fastest.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::SweepError;
use super::field::Field;
use super::measure::Measure;
use super::values::Values;
use blockstep_format::{self as format, NEWEST_VERSION};
use blockstep_format::{Link, Located, json_comment, write_link};
use blockstep_learn::compare::Side;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario, plain};
use blockstep_sim::units::written::said_of;

/// Most runs of a sweep.
pub const MAX_RUNS: u64 = 1_000_000;

/// The column of a run's number, the first.
pub const RUN: &str = "run";

/// A sweep that can be made.
#[derive(Clone, Debug)]
pub struct Plan {
    scenario: Value,
    fields: Vec<(Field, Values)>,
    measures: Vec<Measure>,
    /// What stands before the link of each run; without it there are none.
    links: Option<String>,
    limits: Limits,
    count: u64,
    mark: String,
    /// The run of the file as it is, where a measure compares with it.
    base: Option<Arc<(Run, Records)>>,
}

impl Plan {
    /// `vary`: `FIELD=VALUES` each. `links`: the address of a page, for a column with a link to each run.
    ///
    /// # Errors
    /// [`SweepError`] says which argument is wrong, and why.
    pub fn new(draft: &Draft, vary: &[String], measures: &[Measure], links: Option<&str>, limits: Limits) -> Result<Self, SweepError> {
        let mut scenario: Value = serde_json::from_str(&format::write_scenario(draft)).unwrap_or_default();
        // Fields of any version may vary.
        scenario["version"] = NEWEST_VERSION.into();
        let mut fields: Vec<(Field, Values)> = Vec::new();
        for argument in vary {
            let (name, values) = argument.split_once('=').ok_or_else(|| SweepError::NoValues(argument.clone()))?;
            let field = Field::find(name.trim(), &scenario)?;
            if fields.iter().any(|(other, _)| other.name == field.name) {
                return Err(SweepError::Twice(field.name));
            }
            let values = Values::read(values.trim(), &field)?;
            fields.push((field, values));
        }
        if let Ok(scenario) = Scenario::new(draft) {
            measures.iter().try_for_each(|measure| measure.check(&scenario))?;
        }
        let is_compared = measures.contains(&Measure::FirstDifference);
        let base = is_compared.then(|| simulated(draft, limits)).transpose().map_err(SweepError::NoBase)?.map(Arc::new);
        let count = fields.iter().fold(1u128, |count, (_, values)| count.saturating_mul(values.count().into()));
        let count = u64::try_from(count).ok().filter(|count| *count <= MAX_RUNS).ok_or(SweepError::TooMany(count))?;
        let words: Vec<String> = measures.iter().map(ToString::to_string).collect();
        let mark = json!({ "scenario": scenario, "vary": vary, "measure": words, "links": links, "max_steps": limits.max_steps });
        // It stands in a table, which a spreadsheet may open and a terminal may show.
        let mark = json_comment(&escaped(&mark.to_string()));
        Ok(Self { scenario, fields, measures: measures.to_vec(), links: links.map(str::to_owned), limits, count, mark, base })
    }

    /// How many runs it has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// One line that two sweeps share only if their runs are the same.
    #[must_use]
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// The names of the columns.
    #[must_use]
    pub fn header(&self) -> Vec<String> {
        let fields = self.fields.iter().map(|(field, _)| field.name.clone());
        let measures = self.measures.iter().map(ToString::to_string);
        let link = self.links.iter().map(|_| "link".to_owned());
        [RUN.to_owned()].into_iter().chain(fields).chain(measures).chain(["problem".to_owned()]).chain(link).collect()
    }

    /// What the scenario is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.scenario["name"].as_str().unwrap_or_default()
    }

    /// The fields that vary, by their names.
    #[must_use]
    pub fn fields(&self) -> Vec<&str> {
        self.fields.iter().map(|(field, _)| field.name.as_str()).collect()
    }

    /// The scenario file of a run, whose number is below [`Plan::count`], and the value of each field in it.
    fn scenario(&self, run: u64) -> (Value, Vec<Value>) {
        let mut scenario = self.scenario.clone();
        let mut values = vec![Value::Null; self.fields.len()];
        let mut rest = run;
        for (value, (_, of)) in values.iter_mut().zip(&self.fields).rev() {
            *value = of.value(rest % of.count(), 0, "");
            rest /= of.count();
        }
        let is_drawn = |of: &Values| matches!(of, Values::Drawn { .. });
        for (value, (field, _)) in values.iter().zip(&self.fields).filter(|(_, (_, of))| !is_drawn(of)) {
            field.set(&mut scenario, value.clone());
        }
        // By the run's own seed, which may be one of the values.
        let seed = scenario.get("seed").and_then(Value::as_u64).unwrap_or_default();
        for (value, (field, of)) in values.iter_mut().zip(&self.fields).filter(|(_, (_, of))| is_drawn(of)) {
            *value = of.value(0, seed, &field.name);
            field.set(&mut scenario, value.clone());
        }
        (scenario, values)
    }

    /// The draft of a run, whose number is below [`Plan::count`].
    ///
    /// # Errors
    /// Why there is none, in a line.
    pub fn draft(&self, run: u64) -> Result<Draft, String> {
        read(&self.scenario(run).0)
    }

    /// The cells of a run, whose number is below [`Plan::count`], in the order of [`Plan::header`].
    #[must_use]
    pub fn row(&self, run: u64) -> Vec<String> {
        let (scenario, values) = self.scenario(run);
        let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut cells: Vec<String> = [run.to_string()].into_iter().chain(values.iter().map(cell)).collect();
        let measured = read(&scenario).and_then(|draft| self.measured(&draft).map(|measured| (measured, draft)));
        match measured {
            Ok((measured, draft)) => {
                cells.extend(measured);
                cells.push(String::new());
                cells.extend(self.links.iter().map(|page| {
                    let link = Link { scenario: draft.clone(), ..Link::default() };
                    // What is too large for a link is opened as a file.
                    write_link(&link, None).map_or_else(|_| String::new(), |link| format!("{page}#{link}"))
                }));
            }
            Err(why) => {
                cells.extend(self.measures.iter().map(|_| String::new()));
                cells.push(why);
                cells.extend(self.links.iter().map(|_| String::new()));
            }
        }
        cells
    }

    fn measured(&self, draft: &Draft) -> Result<Vec<String>, String> {
        let (run, records) = simulated(draft, self.limits)?;
        let base = self.base.as_deref().map(|(run, records)| Side { trace: &run.trace, records });
        Ok(self.measures.iter().map(|measure| measure.cell(&run.trace, &records, base)).collect())
    }
}

/// A run that is not cut, or why there is none, in a line.
fn simulated(draft: &Draft, limits: Limits) -> Result<(Run, Records), String> {
    let scenario = Scenario::new(draft).map_err(|e| said(e.problems.iter().map(ToString::to_string)))?;
    let run = engine::simulate(&scenario, limits);
    if let Some(cut) = run.trace.cut() {
        return Err(plain(&cut.to_string()));
    }
    let records = Records::new(&run.trace);
    Ok((run, records))
}

fn read(scenario: &Value) -> Result<Draft, String> {
    // The lines are none of the reader's own file.
    let problem = |problem: &Located| said_of(&problem.path, &problem.message);
    format::read_scenario(&scenario.to_string()).map_err(|e| said(e.problems.iter().map(problem)))
}

/// JSON in which no character is a command to a terminal, as serde_json leaves some of them.
fn escaped(json: &str) -> String {
    json.chars().map(|c| if c.is_control() { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }).collect()
}

/// All problems in a line.
fn said(problems: impl Iterator<Item = String>) -> String {
    plain(&problems.collect::<Vec<_>>().join("; "))
}
