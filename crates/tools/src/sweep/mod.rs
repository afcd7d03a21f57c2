//! A sweep: a number of the table that varies, the table of its runs, a chart of a measure, and each run as a scenario to step through.
//!
//! Invariants: a run that is opened is the one that `blockstep sweep --run` prints; what cannot be read changes nothing; the table stays
//! in the page and is gone with it; the page makes the runs and knows nothing of them.

pub(crate) mod form;
mod read;
mod rows;

use serde::{Deserialize, Serialize};

use crate::tool::{Context, Effects, Event, ReaderPlace, Tool, ToolError};
use blockstep_format as format;
use blockstep_protocol::{self as protocol, Effect};
use blockstep_report::Options;
use blockstep_sim::language::{all_of, capitalized, one_or};
use blockstep_sim::units::Time;
use blockstep_sim::units::written::format_count;
use blockstep_sweep::{ChartLook, Measure, Names, Part, Plan, RUN, SweepChart, SweepPoint, chart_with_points};
use form::Numbers;

pub use read::MAX_RUNS;
pub use rows::MAX_ROWS;

/// The tool.
pub struct Sweep;

/// The table, and how it is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The number that varies, by its field; the first if the scenario has no such.
    number: String,
    /// Its values, as typed; usual ones if it is empty.
    pub values: String,
    /// Whether each value is run under each policy.
    pub by_policy: bool,
    /// The table as a file, without links; empty if there is none.
    table: String,
    /// Which runs are missing, and which parts hold them.
    missing: String,
    /// The measure that is drawn; the first if the table has no such.
    measure: String,
    /// The column that the rows are sorted by; the run if it is empty, or the table has no such.
    by: String,
    /// Whether the greatest comes first.
    is_descending: bool,
    /// What is wrong with what was just done; it is said once.
    #[serde(skip)]
    problem: Option<String>,
    /// What is wrong with what is to vary; it is said once.
    #[serde(skip)]
    form_problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Take files: name and text of each.
    Add(Vec<(String, String)>),
    /// Draw this measure.
    Draw(String),
    /// Sort by the column of this name; by the same once more, the other way round.
    Sort(String),
    /// Open a run in the stepper.
    Open(u64),
    SaveSvg,
    SaveCsv,
    /// Have another number vary, by its field.
    Vary(String),
    /// Make the runs.
    Run,
    /// Runs of the sweep of this line were made: parts as the workers wrote them.
    Ran(String, Vec<Vec<u8>>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub problem: Option<String>,
    /// `None` if the scenario has no number.
    pub form: Option<FormView>,
    /// `None` if there is no table.
    pub sweep: Option<SweepView>,
}

/// What is to vary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormView {
    /// The scenario.
    pub of: String,
    /// The numbers that there are: field and name of each.
    pub numbers: Vec<(String, String)>,
    /// That which varies.
    pub number: String,
    pub values: String,
    /// What may be written, and what the number is now.
    pub hint: String,
    pub problem: Option<String>,
}

/// A point of the chart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointView {
    /// From the left and from the top of the picture, px.
    pub at: (i32, i32),
    pub run: u64,
    /// The run with its values and what is measured of it.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepView {
    /// What it is of.
    pub heading: String,
    /// How many runs there are, and which fields vary.
    pub about: String,
    /// Which runs are missing.
    pub missing: Option<String>,
    /// The measures that there are: word and name of each.
    pub measures: Vec<(String, String)>,
    /// That which is drawn.
    pub measure: String,
    /// The chart; empty if there is none.
    pub chart: String,
    /// Its width and height, px.
    pub chart_px: (u32, u32),
    /// Its points, curve by curve from left to right.
    pub points: Vec<PointView>,
    /// What the chart shows, or why there is none.
    pub said: String,
    /// The columns, name and title of each; the number of the run is the first.
    pub columns: Vec<(String, String)>,
    /// Whether the values of each column are numbers or times.
    pub are_numbers: Vec<bool>,
    /// The first rows in their order: a text for each column.
    pub rows: Vec<Vec<String>>,
    /// How many of all are shown, if that is not all.
    pub shown: Option<String>,
    /// The column that they are sorted by.
    pub by: String,
    pub is_descending: bool,
}

/// Whether a text is the table of a sweep.
#[must_use]
pub fn is_table(text: &str) -> bool {
    Part::is_part(text)
}

impl Tool for Sweep {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut effects = Effects::new();
        match event {
            Event::Opened(field) | Event::Message(Msg::Vary(field)) => {
                if !field.is_empty() {
                    (state.number, state.values) = (field, String::new());
                }
            }
            Event::Message(Msg::Run) => match state.plan(&context.place) {
                Ok(plan) => effects.push(Effect::RunSweep { plan: plan.mark().to_owned(), count: plan.count() }),
                Err(why) => state.form_problem = Some(why),
            },
            Event::Message(Msg::Ran(plan, parts)) => {
                // Nothing was made: what is shown stays.
                if let Some(part) = made(&plan, &parts) {
                    let (here, all) = (part.rows().len() as u64, part.count());
                    let rest = format!("{} of {} runs were made; the others were canceled", format_count(here), format_count(all));
                    (state.table, state.missing) = (part.write(), if here < all { rest } else { String::new() });
                    (state.by, state.is_descending) = (String::new(), false);
                }
            }
            // What the browser could not read, it has said.
            Event::OpenedWith(files) | Event::Message(Msg::Add(files)) if files.is_empty() => {}
            Event::OpenedWith(files) | Event::Message(Msg::Add(files)) => match read::read(&state.table, &files) {
                Ok(read) => {
                    (state.table, state.missing) = (read.table, read.missing);
                    if !read.columns.contains(&state.by) {
                        (state.by, state.is_descending) = (String::new(), false);
                    }
                }
                Err(why) => state.problem = Some(why),
            },
            Event::Message(Msg::Draw(measure)) => state.measure = measure,
            Event::Message(Msg::Sort(column)) => {
                let by = if state.by.is_empty() { RUN } else { &state.by };
                state.is_descending = by == column && !state.is_descending;
                state.by = column;
            }
            Event::Message(Msg::Open(run)) => match state.scenario(run) {
                Ok((said, scenario)) => {
                    effects.push(Effect::Say(said));
                    effects.push(Effect::OpenScenario { at: Time::ZERO, scenario, began_as: None });
                }
                Err(why) => state.problem = Some(format!("Run {run} cannot be opened: {why}.")),
            },
            Event::Message(Msg::SaveSvg) => {
                if let Some(Ok(chart)) =
                    state.part().map(|(part, plan)| drawn(&part, &state.measure(&part), &Names::in_words(&plan), ChartLook::FILE))
                {
                    let text = chart.chart.svg;
                    effects.push(Effect::SaveFile { name: "sweep.svg".to_owned(), kind: "image/svg+xml".to_owned(), text });
                }
            }
            Event::Message(Msg::SaveCsv) => {
                let text = state.table.clone();
                effects.push(Effect::SaveFile { name: "sweep.csv".to_owned(), kind: "text/csv".to_owned(), text });
            }
            Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let look = look(context.place.options);
        let sweep = state.part().map(|(part, plan)| state.show(&part, &plan, look));
        Ok(View { problem: state.problem.clone(), form: state.form(&context.place), sweep })
    }
}

impl State {
    /// What may vary in the run on screen.
    fn numbers(place: &ReaderPlace) -> Result<Numbers, String> {
        Numbers::new(&place.scenario, place.simulation.run.trace.end())
    }

    fn form(&self, place: &ReaderPlace) -> Option<FormView> {
        let numbers = Self::numbers(place).ok()?;
        let number = numbers.chosen(&self.number)?;
        let scenario = place.simulation.run.trace.scenario();
        let mut offered = numbers.offered();
        if !offered.iter().any(|(field, _)| *field == number.field) {
            offered.push((number.field.clone(), number.label.clone()));
        }
        Some(FormView {
            of: named(scenario.name()),
            numbers: offered,
            number: number.field.clone(),
            values: self.values(&numbers, number),
            hint: number.hint(),
            problem: self.form_problem.clone(),
        })
    }

    /// The values of a number. Those typed were for the number of that name.
    fn values(&self, numbers: &Numbers, number: &form::Number) -> String {
        let is_of = self.number.is_empty() || numbers.find(&self.number).is_some();
        if self.values.trim().is_empty() || !is_of { numbers.usual(number) } else { self.values.clone() }
    }

    /// The sweep that the form asks for; what says most of it is drawn, unless the reader has chosen what every sweep has.
    fn plan(&mut self, place: &ReaderPlace) -> Result<Plan, String> {
        let numbers = Self::numbers(place)?;
        let number = numbers.chosen(&self.number).ok_or("The scenario has no number that could vary.")?;
        let (plan, first) = numbers.plan(number, &self.values(&numbers, number), self.by_policy)?;
        if !plan.header().contains(&self.measure) {
            self.measure = first.to_string();
        }
        Ok(plan)
    }

    /// The table with what makes its runs; nothing if there is none.
    fn part(&self) -> Option<(Part, Plan)> {
        // The reader of files wrote it, or a link that somebody made up.
        let part = Part::read(&self.table).ok()?;
        let plan = part.plan().ok()?;
        Some((part, plan))
    }

    /// A run in words, and as a file.
    fn scenario(&self, run: u64) -> Result<(String, String), String> {
        let (part, plan) = self.part().ok_or("the table has no such run")?;
        let at = part.rows().binary_search_by_key(&run, |(run, _)| *run).map_err(|_| "the table has no such run")?;
        let values = plan.fields().into_iter().zip(part.rows()[at].1.iter().skip(1));
        let names = Names::in_words(&plan);
        let values: Vec<String> = values.map(|(field, value)| names.pair(field, value)).collect();
        Ok((format!("Run {run} of the sweep: {}.", values.join(", ")), format::write_scenario(&plan.draft(run)?)))
    }

    /// The place of the column that the rows are sorted by.
    fn place(&self, part: &Part) -> usize {
        part.header().iter().position(|name| *name == self.by).unwrap_or(0)
    }

    fn measure(&self, part: &Part) -> String {
        let mut measures = measures(part);
        let first = measures.next().unwrap_or_default();
        if measures.any(|of| of == self.measure) { self.measure.clone() } else { first.to_owned() }
    }

    fn show(&self, part: &Part, plan: &Plan, look: ChartLook) -> SweepView {
        let names = Names::in_words(plan);
        let measure = self.measure(part);
        let place = self.place(part);
        let columns = rows::columns(part);
        let rows = rows::rows(part, &columns, &names, place, self.is_descending);
        let (all, count) = (part.rows().len() as u64, rows.len() as u64);
        let shown = (count < all)
            .then(|| format!("The table shows the first {} of {} runs in this order.", format_count(count), format_count(all)));
        let (chart, said, chart_px, points) = match drawn(part, &measure, &names, look) {
            Ok(SweepChart { chart, size, points }) => (chart.svg, chart.label, size, points),
            Err(why) => (String::new(), format!("There is no chart: {why}."), (0, 0), Vec::new()),
        };
        let points = points.iter().map(|point| pointed(part, plan, &names, point)).collect();
        SweepView {
            heading: named(plan.name()),
            about: about(part, plan, &names),
            missing: (!self.missing.is_empty()).then(|| format!("{}.", capitalized(&self.missing))),
            measures: measures(part).map(|word| (word.to_owned(), titled(part, word))).collect(),
            measure,
            chart,
            chart_px,
            points,
            said,
            are_numbers: columns.iter().map(|column| column.is_number).collect(),
            columns: columns.iter().map(|column| (column.name.clone(), rows::title(&names, &column.name))).collect(),
            rows,
            shown,
            by: part.header().get(place).cloned().unwrap_or_default(),
            is_descending: self.is_descending,
        }
    }
}

/// The runs that were made of a sweep; nothing if none was.
fn made(plan: &str, parts: &[Vec<u8>]) -> Option<Part> {
    let plan = Plan::described(plan).ok()?;
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    for part in parts {
        rows.extend(protocol::decode::<Vec<(u64, Vec<String>)>>(part).ok()?);
    }
    rows.sort_unstable_by_key(|(run, _)| *run);
    (!rows.is_empty()).then(|| Part::new(plan.mark(), plan.count(), plan.header(), rows))
}

fn named(name: &str) -> String {
    if name.is_empty() { "A scenario without a name".to_owned() } else { name.to_owned() }
}

/// A point with its run in words: `Run 4: blocks of K3 = 3, FIFO; end of the run = 5 s`.
fn pointed(part: &Part, plan: &Plan, names: &Names, point: &SweepPoint) -> PointView {
    let SweepPoint { at, run, text } = point;
    let row = part.rows().binary_search_by_key(run, |(run, _)| *run).ok().and_then(|place| part.rows().get(place));
    let cells = row.iter().flat_map(|(_, cells)| cells.iter().skip(1));
    let values: Vec<String> = plan.fields().into_iter().zip(cells).map(|(field, value)| names.pair(field, value)).collect();
    PointView { at: *at, run: *run, text: format!("Run {run}: {}; {text}", values.join(", ")) }
}

fn titled(part: &Part, word: &str) -> String {
    word.parse().map_or_else(|_| word.to_owned(), |measure| part.title(&measure))
}

/// The measures of a table, by their names.
fn measures(part: &Part) -> impl Iterator<Item = &str> {
    part.header().iter().map(String::as_str).filter(|name| name.parse::<Measure>().is_ok())
}

fn about(part: &Part, plan: &Plan, names: &Names) -> String {
    let fields: Vec<String> = plan.fields().into_iter().map(|field| names.of(field)).collect();
    let (runs, failed) = (part.rows().len() as u64, part.problems().count() as u64);
    let by = if fields.is_empty() { String::new() } else { format!(" by {}", all_of(&fields)) };
    let problems = match failed {
        0 => String::new(),
        failed => format!(" {} cannot be made; the column Problem says why.", counted(failed)),
    };
    format!("{}{by}.{problems}", counted(runs))
}

fn counted(runs: u64) -> String {
    format!("{} {}", format_count(runs), one_or(runs, "run", "runs"))
}

fn drawn(part: &Part, measure: &str, names: &Names, look: ChartLook) -> Result<SweepChart, String> {
    let measure: Measure = measure.parse().map_err(|_| "the table has no measure".to_owned())?;
    chart_with_points(part, &measure, names, look).map_err(|why| why.to_string())
}

/// As wide as the page, less its margins.
fn look(options: Options) -> ChartLook {
    let width = options.width_px.saturating_sub(40).clamp(280, 1000);
    ChartLook { is_dark: options.is_dark, size: (width, if width < 500 { 280 } else { 320 }) }
}
