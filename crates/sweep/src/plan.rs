//! What a sweep runs: a scenario, the fields that vary, and what is measured.
//!
//! Depends on the files beside it. Invariant: run numbers count all combinations, the last field fastest.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::error::{PartError, SweepError, differs, shown};
use super::field::Field;
use super::measure::{Measure, thousandths};
use super::part::is_same;
use super::values::Values;
use blockstep_format as format;
use blockstep_format::{Link, Located, json_comment, write_link};
use blockstep_learn::compare::Side;
use blockstep_sim::engine::{Limits, Run, Simulation};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario, plain};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::written::said_of;
use blockstep_sim::work::{Progress, in_portions};

/// Most runs of a sweep.
pub const MAX_RUNS: u64 = 1_000_000;

/// The column of a run's number, the first.
pub const RUN: &str = "run";

/// The column of links, the last.
pub(crate) const LINK: &str = "link";

/// What says why a run could not be made.
pub(crate) const PROBLEM: &str = "problem";

/// What the mark of a sweep has.
const MARK: [&str; 5] = ["scenario", "vary", "measure", "links", "max_steps"];

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
        let plan = Self::without_base(draft, vary, measures, links, limits)?;
        let is_compared = measures.contains(&Measure::FirstDifference);
        let base = is_compared.then(|| simulated(draft, limits, u64::MAX, &|| true)).transpose().map_err(SweepError::NoBase)?;
        let base = base.flatten().map(Arc::new);
        Ok(Self { base, ..plan })
    }

    /// The same, which cannot compare with the run of the file as it is.
    fn without_base(draft: &Draft, vary: &[String], measures: &[Measure], links: Option<&str>, limits: Limits) -> Result<Self, SweepError> {
        let mut scenario: Value = serde_json::from_str(&format::write_scenario(draft)).unwrap_or_default();
        // Fields of a later version than the file's may vary.
        let varied = vary.iter().filter_map(|argument| argument.split_once('=')?.0.trim().rsplit('.').next());
        scenario["version"] = varied.map(format::version_of_field).fold(draft.version().max(2), u8::max).into();
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
        let count = fields.iter().fold(1u128, |count, (_, values)| count.saturating_mul(values.count().into()));
        let count = u64::try_from(count).ok().filter(|count| *count <= MAX_RUNS).ok_or(SweepError::TooMany(count))?;
        let words: Vec<String> = measures.iter().map(ToString::to_string).collect();
        let mark = json!({ "scenario": scenario, "vary": vary, "measure": words, "links": links, "max_steps": limits.max_steps });
        let mark = mark_of(&mark);
        Ok(Self { scenario, fields, measures: measures.to_vec(), links: links.map(str::to_owned), limits, count, mark, base: None })
    }

    /// What made a mark. It has no run to compare with, so it cannot say when a run first differs.
    ///
    /// # Errors
    /// [`PartError::Differs`] names what is wrong in it.
    pub fn described(mark: &str) -> Result<Self, PartError> {
        let is_wrong = |why: String| differs("the first line", mark, why);
        let of: Map<String, Value> = serde_json::from_str(mark).map_err(|why| is_wrong(format!("it cannot be read: {why}")))?;
        if let Some(other) = of.keys().find(|key| !MARK.contains(&key.as_str())) {
            return Err(differs("a field of the first line", other, format!("it has {}", MARK.join(", "))));
        }
        let get = |name: &str| of.get(name).unwrap_or(&Value::Null);
        let wrong = |name: &str, expected: &str| differs(name, &get(name).to_string(), format!("{expected} is expected"));
        let words = |name: &str| {
            let list = get(name).as_array().and_then(|list| list.iter().map(|word| word.as_str().map(str::to_owned)).collect());
            list.ok_or_else(|| wrong(name, "a list of texts"))
        };
        let scenario = get("scenario");
        let draft =
            read(scenario).map_err(|why| differs("scenario", &scenario.to_string(), format!("it cannot be read: {}", shown(&why))))?;
        let vary: Vec<String> = words("vary")?;
        let measures: Vec<String> = words("measure")?;
        let measures = measures.iter().map(|word| word.parse());
        let measures: Vec<Measure> = measures
            .collect::<Result<_, _>>()
            .map_err(|why: SweepError| differs("measure", &get("measure").to_string(), why.to_string()))?;
        let links = match get("links") {
            Value::Null => None,
            Value::String(page) => Some(page.as_str()),
            _ => return Err(wrong("links", "an address or null")),
        };
        let most =
            get("max_steps").as_u64().and_then(|most| u32::try_from(most).ok()).filter(|most| (1..=Limits::MOST_STEPS).contains(most));
        let max_steps = most.ok_or_else(|| wrong("max_steps", &format!("a number from 1 to {}", Limits::MOST_STEPS)))?;
        Self::without_base(&draft, &vary, &measures, links, Limits { max_steps })
            .map_err(|why| differs(why.argument(), &get(why.argument()).to_string(), shown(&why.to_string())))
    }

    /// The same without links.
    pub(crate) fn without_links(mut self) -> Self {
        let mut of: Value = serde_json::from_str(&self.mark).unwrap_or_default();
        of["links"] = Value::Null;
        self.mark = mark_of(&of);
        self.links = None;
        self
    }

    /// Compares the cells of a run with what this makes of it, where that takes no run.
    ///
    /// # Errors
    /// [`PartError::Differs`] names the column.
    pub(crate) fn check(&self, run: u64, header: &[String], cells: &[String]) -> Result<(), PartError> {
        let column = |place: usize| format!("{} of run {run}", header[place]);
        let values = [Value::from(run)].into_iter().chain(self.values(run));
        for ((place, cell), value) in cells.iter().enumerate().zip(values) {
            let text = written(&value);
            if !is_same(cell, &text) {
                return Err(differs(&column(place), cell, format!("\"{}\" is expected", shown(&text))));
            }
        }
        let first = 1 + self.fields.len();
        let problem = first + self.measures.len();
        for (place, measure) in (first..).zip(&self.measures) {
            let expected = match measure {
                _ if !cells[problem].is_empty() => "nothing is expected of a run that has a problem",
                Measure::Utilization | Measure::FirstDifference | Measure::Response(_) if cells[place].is_empty() => continue,
                Measure::Utilization if thousandths(&cells[place]).is_some() => continue,
                Measure::Utilization => "a number with three decimals is expected",
                _ if cells[place].parse::<u64>().is_ok_and(|number| number.to_string() == cells[place]) => continue,
                _ => "a whole number is expected",
            };
            if !cells[place].is_empty() || cells[problem].is_empty() {
                return Err(differs(&column(place), &cells[place], expected.to_owned()));
            }
        }
        match (&self.links, cells.get(problem + 1)) {
            (Some(page), Some(link)) if !link.is_empty() && !link.trim_start_matches('\'').starts_with(page.as_str()) => {
                Err(differs(&column(problem + 1), link, format!("an address that begins with \"{}\" is expected", shown(page))))
            }
            _ => Ok(()),
        }
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
        let link = self.links.iter().map(|_| LINK.to_owned());
        [RUN.to_owned()].into_iter().chain(fields).chain(measures).chain([PROBLEM.to_owned()]).chain(link).collect()
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

    pub(crate) fn fields_of(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().map(|(field, _)| field)
    }

    pub(crate) fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// The file whose fields vary.
    pub(crate) fn scenario_file(&self) -> &Value {
        &self.scenario
    }

    /// The scenario file of a run, whose number is below [`Plan::count`], and the value of each field in it.
    fn scenario(&self, run: u64) -> (Value, Vec<Value>) {
        let mut scenario = self.scenario.clone();
        let values = self.values(run);
        let (drawn, given): (Vec<_>, Vec<_>) = self.fields.iter().zip(&values).partition(|((_, of), _)| of.is_drawn());
        for ((field, _), value) in given.into_iter().chain(drawn) {
            field.set(&mut scenario, value.clone());
        }
        (scenario, values)
    }

    /// The value of each field in a run, whose number is below [`Plan::count`], in the order of [`Plan::fields`].
    #[must_use]
    pub fn values(&self, run: u64) -> Vec<Value> {
        let mut values = vec![Value::Null; self.fields.len()];
        let mut rest = run;
        for (value, (_, of)) in values.iter_mut().zip(&self.fields).rev() {
            *value = of.value(rest % of.count(), 0, "");
            rest /= of.count();
        }
        // By the run's own seed, which may be one of the values.
        let given = self.fields.iter().position(|(field, of)| field.name == SEED && !of.is_drawn());
        let seed = given.map(|place| &values[place]).or_else(|| self.scenario.get(SEED)).and_then(Value::as_u64).unwrap_or_default();
        for (value, (field, of)) in values.iter_mut().zip(&self.fields).filter(|(_, (_, of))| of.is_drawn()) {
            *value = of.value(0, seed, &field.name);
        }
        values
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
        self.row_within(run, u64::MAX, &|| true).unwrap_or_default()
    }

    /// The same if it may go on whenever so many units of work were done; else nothing.
    #[must_use]
    pub fn row_within(&self, run: u64, units: u64, may_go_on: &dyn Fn() -> bool) -> Option<Vec<String>> {
        let (scenario, values) = self.scenario(run);
        let mut cells: Vec<String> = [run.to_string()].into_iter().chain(values.iter().map(written)).collect();
        let measured = read(&scenario).and_then(|draft| Ok((self.measured(&draft, units, may_go_on)?, draft)));
        match measured {
            Ok((None, _)) => return None,
            Ok((Some(measured), draft)) => {
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
        Some(cells)
    }

    fn measured(&self, draft: &Draft, units: u64, may_go_on: &dyn Fn() -> bool) -> Result<Option<Vec<String>>, String> {
        let Some((run, records)) = simulated(draft, self.limits, units, may_go_on)? else { return Ok(None) };
        let base = self.base.as_deref().map(|(run, records)| Side { trace: &run.trace, records });
        Ok(Some(self.measures.iter().map(|measure| measure.cell(&run.trace, &records, base)).collect()))
    }
}

/// The field that values are drawn by.
const SEED: &str = "seed";

/// A value as a text of a cell.
fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What says of a table what it is of: a spreadsheet may open it, and a terminal may show it.
fn mark_of(of: &Value) -> String {
    json_comment(&escaped(&of.to_string()))
}

/// A run that is not cut, or why there is none, in a line; nothing if it may not go on after so many units of work.
fn simulated(draft: &Draft, limits: Limits, units: u64, may_go_on: &dyn Fn() -> bool) -> Result<Option<(Run, Records)>, String> {
    let scenario = Scenario::new(draft).map_err(|e| said(e.problems.iter().map(ToString::to_string)))?;
    let mut simulation = Simulation::new(&scenario, Variants::NONE, limits);
    if in_portions(units, |budget| simulation.run_for(budget), may_go_on) == Progress::Paused {
        return Ok(None);
    }
    let run = simulation.finish();
    if let Some(cut) = run.trace.cut() {
        return Err(plain(&cut.to_string()));
    }
    let records = Records::new(&run.trace);
    Ok(Some((run, records)))
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
