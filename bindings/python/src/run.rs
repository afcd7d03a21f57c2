//! `simulate`, and what is asked of a run.
//!
//! Depends on `argument`, `input`, `state`, `table` and `work`. Invariant: a run is whole: one that was cut is an exception.

use std::sync::{Arc, OnceLock};

use blockstep_draw::figure::{Palette, Style};
use blockstep_format::{self as format, Link};
use blockstep_report::columns;
use blockstep_report::figure::{self, FigureSubject};
use blockstep_report::stepper::Stepper;
use blockstep_report::{self as report, poster};
use blockstep_sim::engine::{self, Limits, Simulation};
use blockstep_sim::record::{self, Records};
use blockstep_sim::scenario::{Choice, Draft};
use blockstep_sim::trace::{Trace, Variant, Variants};
use blockstep_sim::work::{Budget, Progress};
use blockstep_view::dead_end::dead_end;
use blockstep_view::position::{Stop, parse_stop};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::timeline::Timeline;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyString};

use crate::argument;
use crate::error::{self, no_such, of_argument, of_cut, of_file};
use crate::input::{Instead, Loaded, load, load_text, time_ns};
use crate::pickle::{Pickled, by};
use crate::policy::PolicyGiven;
use crate::state::{State, Why};
use crate::table::{Columns, Table, TableError};
use crate::work::{Halt, apart};

/// Most bytes of a picture in a notebook.
const MOST_BYTES: usize = 28_000;

/// Width of the picture of a widget, px.
const WIDGET_PX: u32 = 800;

/// Units of work between two looks at the halt: some milliseconds.
const PORTION: u64 = 300_000;

/// A run, and what is folded from it when it is asked for.
pub(crate) struct Folded {
    pub(crate) run: engine::Run,
    records: OnceLock<Arc<Records>>,
    dead_end: OnceLock<Option<String>>,
}

impl Folded {
    pub(crate) fn trace(&self) -> &Arc<Trace> {
        &self.run.trace
    }

    /// What it did. The first call goes through all of its steps.
    pub(crate) fn records(&self) -> &Arc<Records> {
        self.records.get_or_init(|| Arc::new(Records::new(&self.run.trace)))
    }

    pub(crate) fn timeline(&self) -> Timeline {
        Timeline::new(self.trace(), self.records())
    }

    /// What can never complete, and why.
    fn dead_end(&self) -> Option<String> {
        self.dead_end.get_or_init(|| dead_end(&self.run, self.records())).clone()
    }
}

/// A finished run.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Run {
    whole: Arc<Folded>,
    draft: Draft,
    notes: Vec<String>,
    /// Those that were asked for: blocks, copies, kernels, jobs, waits, results, steps.
    tables: [PyOnceLock<Py<Table>>; 7],
}

/// A scenario, the rules that are changed, and the notes on it.
type Asked = (String, Vec<&'static str>, Vec<String>);

/// Runs a scenario.
///
/// `source` is a path, a text or a dict: a scenario (docs/file-format.md), a config of cuda_scheduling_examiner, or a task set of SimSo.
///
/// `policy` replaces the file's: `priority`, `fifo`, `runlist`, `edf` or `own` (the text in the file), the name of a published one
/// (`policies()`), a text, or what `policy(…)` gives. `device` is the id of a built-in device and replaces the file's. `duration` is how long a
/// block runs where the file does not say: at least 1 ns, as whole nanoseconds or a text such as `10ms`. `variants` are ids of rules to change
/// on purpose. `max_steps` limits the run: 1 to 100,000,000, by default 5,000,000.
///
/// Raises `Error` if any of these is wrong or the run is cut, and `OSError` if the file cannot be read.
#[pyfunction]
#[pyo3(signature = (source, *, policy=None, device=None, duration=None, variants=Vec::new(), max_steps=None))]
pub(crate) fn simulate(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument::policy)] policy: Option<PolicyGiven>,
    #[pyo3(from_py_with = argument::device)] device: Option<String>,
    duration: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument::variants)] variants: Vec<String>,
    #[pyo3(from_py_with = argument::max_steps)] max_steps: Option<u32>,
) -> PyResult<Run> {
    let variant = |id: &String| {
        Variant::from_id(id).ok_or_else(|| {
            let known: Vec<&str> = Variant::ALL.iter().map(|variant| variant.id()).collect();
            no_such(py, "variants", "variant", id, &known)
        })
    };
    let variants: Variants = variants.iter().map(variant).collect::<PyResult<Vec<_>>>()?.into_iter().collect();
    let max_steps = max_steps.unwrap_or(Limits::default().max_steps);
    let mut loaded = load(py, source, Instead::new(py, policy, device.as_deref(), duration)?)?;
    if !variants.is_none() {
        loaded.notes.push(format!("this is not what a GPU does; rules changed: {}", variants.ids()));
    }
    run_of(py, loaded, variants, max_steps)
}

/// A run that was pickled. It was whole, so that its limit is of no account.
#[pyfunction]
pub(crate) fn _run(py: Python<'_>, scenario: &str, variants: Vec<String>, notes: Vec<String>) -> PyResult<Run> {
    let loaded = load_text(scenario, &Instead::default()).map_err(|e| of_file(py, "", scenario, &e))?;
    let variants = variants.iter().filter_map(|id| Variant::from_id(id)).collect();
    run_of(py, Loaded { notes, ..loaded }, variants, Limits::MOST_STEPS)
}

fn run_of(py: Python<'_>, loaded: Loaded, variants: Variants, max_steps: u32) -> PyResult<Run> {
    let mut simulation = Simulation::new(&loaded.scenario, variants, Limits { max_steps });
    let is_short = py.detach(|| simulation.run_for(&mut Budget::new(PORTION))) == Progress::Done;
    let work = move |halt: &Halt| finish(simulation, halt);
    // A thread would take longer than most runs.
    let run = if is_short { py.detach(|| work(&Halt::default())) } else { apart(py, work)? };
    if let Some(cut) = run.trace.cut() {
        return Err(of_cut(py, cut));
    }
    let whole = Arc::new(Folded { run, records: OnceLock::new(), dead_end: OnceLock::new() });
    Ok(Run { whole, draft: loaded.draft, notes: loaded.notes, tables: std::array::from_fn(|_| PyOnceLock::new()) })
}

/// Goes on to the end of a run.
fn finish(mut simulation: Simulation, halt: &Halt) -> engine::Run {
    while !halt.is_asked() && simulation.run_for(&mut Budget::new(PORTION)) == Progress::Paused {}
    simulation.finish()
}

impl Run {
    /// A table that is made once.
    fn table(
        &self,
        py: Python<'_>,
        kept: &PyOnceLock<Py<Table>>,
        make: impl FnOnce(&Folded) -> Result<Table, TableError> + Send + 'static,
    ) -> PyResult<Py<Table>> {
        let made = kept.get_or_try_init(py, || {
            let whole = Arc::clone(&self.whole);
            Py::new(py, apart(py, move |_| make(&whole))??)
        })?;
        Ok(made.clone_ref(py))
    }

    /// Where `at` is: so many steps, or a text such as `1.2s` or `#12`.
    fn stop(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<Stop> {
        let (trace, end) = (self.whole.trace(), self.whole.trace().end());
        let count = trace.steps().len();
        let stop = if at.is_instance_of::<PyString>() {
            parse_stop(trace, &argument::text("at", at)?).map_err(|e| {
                let limit = matches!(e, blockstep_view::position::GoalError::NoStep { .. }).then_some(count as u64);
                of_argument(py, "at", at, limit, e)
            })?
        } else if at.is_instance_of::<PyInt>() || at.hasattr("__index__")? {
            match at.extract::<u32>().ok().filter(|&step| step as usize <= count) {
                Some(step) => Stop::at_step(trace, step),
                None => {
                    return Err(of_argument(
                        py,
                        "at",
                        at,
                        Some(count as u64),
                        format_args!("is {}; the run has {count} steps", argument::shown(at)),
                    ));
                }
            }
        } else {
            return Err(argument::of_type("at", at, "a place in a run: steps as a whole number, or a time such as \"1.2s\""));
        };
        if stop.at > end {
            return Err(of_argument(py, "at", at, Some(end.ns()), format_args!("is {at}; the run ends at {}", format_time(end.ns()))));
        }
        Ok(stop)
    }

    fn end_stop(&self) -> Stop {
        Stop::at_time(self.whole.trace(), self.whole.trace().end())
    }
}

/// A picture that is no wider than its notebook, on a ground of its own, whatever the notebook's.
pub(crate) fn in_notebook(svg: &str) -> String {
    svg.replacen("<svg ", "<svg style=\"max-width:100%;height:auto;background:#fff\" ", 1)
}

#[pymethods]
impl Run {
    /// The scenario's name.
    #[getter]
    fn name(&self) -> &str {
        self.whole.trace().scenario().name()
    }

    /// By which policy it was scheduled.
    #[getter]
    fn policy(&self) -> &'static str {
        self.whole.trace().scenario().policy().kind.word()
    }

    /// The device's name.
    #[getter]
    fn device(&self) -> &str {
        &self.whole.trace().scenario().device().name
    }

    /// When it ends, ns.
    #[getter]
    fn end_ns(&self) -> u64 {
        self.whole.trace().end().ns()
    }

    /// What was assumed of its file, what is doubtful, and how far the rules are known: a sentence each.
    #[getter]
    fn notes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let whole = Arc::clone(&self.whole);
        let dead_end = apart(py, move |_| whole.dead_end())?;
        Ok(self.notes.iter().cloned().chain(dead_end).collect())
    }

    /// How many steps it has.
    fn __len__(&self) -> usize {
        self.whole.trace().steps().len()
    }

    fn __repr__(&self) -> String {
        let (trace, name) = (self.whole.trace(), self.whole.trace().scenario().name());
        let policy = trace.scenario().policy().kind.word();
        format!("<blockstep.Run: \"{name}\" under {policy}, {} steps, ends at {}>", trace.steps().len(), format_time(trace.end().ns()))
    }

    /// The scenario with what was given instead of its own, which runs again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, Asked>> {
        let variants = self.whole.trace().variants().iter().map(Variant::id).collect();
        by(py, "_run", (format::write_scenario(&self.draft), variants, self.notes.clone()))
    }

    /// A row for each block that was assigned.
    #[getter]
    fn blocks(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[0], |whole| columns::blocks(Columns::default(), whole.trace(), whole.records())?.table())
    }

    /// A row for each copy that was assigned.
    #[getter]
    fn copies(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[1], |whole| columns::copies(Columns::default(), whole.trace(), whole.records())?.table())
    }

    /// A row for each kernel that was issued.
    #[getter]
    fn kernels(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[2], |whole| columns::kernels(Columns::default(), whole.trace(), whole.records())?.table())
    }

    /// A row for each job that was released.
    #[getter]
    fn jobs(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[3], |whole| columns::jobs(Columns::default(), whole.trace(), &record::jobs(whole.trace()))?.table())
    }

    /// A row for each wait of an operation, with its reason and rule.
    #[getter]
    fn waits(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[4], |whole| columns::waits(Columns::default(), &whole.run, whole.records())?.table())
    }

    /// A row for each task, with what came of its jobs.
    #[getter]
    fn results(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[5], |whole| columns::results(Columns::default(), &whole.run, whole.records())?.table())
    }

    /// A row for each step.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.tables[6], |whole| columns::steps(Columns::default(), whole.trace())?.table())
    }

    /// Queues, SMs and waits at an instant.
    ///
    /// `at` is a number of steps, from 0 to `len(run)`, or a text: a time such as `1.2s`, after every step that is not later, or a step such as
    /// `#20`. Raises `Error` if it is none of these or is after the end.
    fn state(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<State> {
        let stop = self.stop(py, at)?;
        let whole = Arc::clone(&self.whole);
        // So that who asks the state does not wait.
        let state = apart(py, move |_| {
            whole.records();
            whole.run.replay().seek(stop.position).clone()
        })?;
        Ok(State { whole: Arc::clone(&self.whole), state, stop })
    }

    /// Why an operation does not execute at an instant, or what it does.
    ///
    /// `operation` is a name such as `K5`, which means the first job that is not complete, or `K5#2`, which means job 2. `at` is that of
    /// `state`. Raises `Error` if there is no such operation; the message lists all of them.
    #[pyo3(signature = (operation, at))]
    fn why(&self, py: Python<'_>, #[pyo3(from_py_with = argument::operation)] operation: String, at: &Bound<'_, PyAny>) -> PyResult<Why> {
        let state = self.state(py, at)?;
        state.why(&operation).map_err(|message| of_argument(py, "operation", operation, None, message))
    }

    /// A picture, as the text of an SVG.
    ///
    /// `figure` is `timeline`, with a line at `at`, or `queues`, at `at` or else at the end. `start` and `end` limit the timeline: whole
    /// nanoseconds, or texts such as `1s`. `width` is 240 to 4,000 px, `palette` is `light`, `dark` or `print`, and `title` says whether the
    /// scenario's name stands above the picture. Raises `Error` if any of these is wrong.
    #[pyo3(
        signature = (*, figure="timeline".to_owned(), at=None, start=None, end=None, width=1200, palette="light".to_owned(), title=true),
        text_signature = "($self, *, figure='timeline', at=None, start=None, end=None, width=1200, palette='light', title=True)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn svg(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::figure)] figure: String,
        at: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        end: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = argument::width)] width: u32,
        #[pyo3(from_py_with = argument::palette)] palette: String,
        #[pyo3(from_py_with = argument::title)] title: bool,
    ) -> PyResult<String> {
        let known: Vec<&str> = Palette::ALL.iter().map(|palette| palette.word()).collect();
        let palette = Palette::from_word(&palette).ok_or_else(|| no_such(py, "palette", "palette", &palette, &known))?;
        let style = Style::new(width, Style::default().font_px, palette).map_err(|e| of_argument(py, "width", width, None, e))?;
        let stop = at.map(|at| self.stop(py, at)).transpose()?;
        let subject = match figure.as_str() {
            "timeline" => {
                let whole = self.whole.trace().end().ns();
                let (start_ns, end_ns) = (
                    start.map_or(Ok(0), |start| time_ns(py, "start", start))?,
                    end.map_or(Ok(whole), |end| time_ns(py, "end", end))?.min(whole),
                );
                if let Some(start) = start.filter(|_| start_ns >= end_ns) {
                    return Err(of_argument(py, "start", start, Some(end_ns), format_args!("is not before {}", format_time(end_ns))));
                }
                let is_part = start.is_some() || end.is_some();
                let number = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
                let shown = is_part.then(|| (number(start_ns), number(end_ns)));
                FigureSubject::Timeline { shown, cursor: stop.map(|stop| stop.at), selected: None }
            }
            "queues" => FigureSubject::Queues(stop.unwrap_or_else(|| self.end_stop())),
            _ => return Err(no_such(py, "figure", "figure", &figure, &figure::FIGURES)),
        };
        let whole = Arc::clone(&self.whole);
        apart(py, move |_| figure::draw(&whole.run, &whole.timeline(), &subject, title, style).svg())
    }

    /// The timeline as notebooks show it: a picture of at most 30 KB; of a long run its beginning.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let whole = Arc::clone(&self.whole);
        let svg = apart(py, move |_| poster::timeline_within(MOST_BYTES, &whole.run, &whole.timeline()))?;
        Ok(svg.map_or_else(|| format!("<p>{} steps, too many for a picture here</p>", self.__len__()), |svg| in_notebook(&svg)))
    }

    /// A widget for notebooks that steps through it. It needs anywidget: `pip install "blockstep[widget]"`.
    ///
    /// `at` is where it begins, as `state` takes it. `max_steps` is how many steps it has at most, 1 to 100,000,000; 2,000 without it. Raises
    /// `ImportError` without anywidget, and `Error` if `at` is none of its steps.
    #[pyo3(signature = (*, at=None, max_steps=None))]
    fn widget<'py>(
        of: &Bound<'py, Self>,
        at: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = argument::max_steps)] max_steps: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(of.py());
        at.map_or(Ok(()), |at| options.set_item("at", at))?;
        max_steps.map_or(Ok(()), |most| options.set_item("max_steps", most))?;
        of.py().import("blockstep.widget")?.call_method("RunWidget", (of,), Some(&options))
    }

    /// The step of `at`, and what the widget shows of its first steps, as JSON.
    fn _stepper(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::steps_of_widget)] max_steps: u32,
    ) -> PyResult<(u32, String)> {
        let step = self.stop(py, at)?.position;
        if step > max_steps {
            let [shown, most] = [step, max_steps].map(|count| format_count(count.into()));
            let message = format!("is step {shown}; the widget has steps 0 to {most}, and max_steps sends more");
            return Err(of_argument(py, "at", at, Some(max_steps.into()), message));
        }
        let whole = Arc::clone(&self.whole);
        let sent = apart(py, move |halt| {
            let style = Style { width_px: WIDGET_PX, ..Style::default() };
            let stepper = Stepper::new(&whole.run, &whole.timeline(), max_steps as usize, style, &|| !halt.is_asked());
            serde_json::to_string(&stepper).map_err(error::plain)
        })?;
        Ok((step, sent?))
    }

    /// The run as the command line prints it. `form` is `trace`, `steps`, `csv`, `kernels`, `jobs`, `waits`, `results`, `chrome` or `scenario`.
    ///
    /// Raises `Error` if it is none of these.
    fn text(&self, py: Python<'_>, #[pyo3(from_py_with = argument::form)] form: String) -> PyResult<String> {
        let whole = Arc::clone(&self.whole);
        match form.as_str() {
            "trace" => {
                apart(py, move |_| format::write_trace(whole.trace(), whole.records()).map(|text| text.to_string()).unwrap_or_default())
            }
            "steps" => apart(py, move |_| format::write_steps(whole.trace()).to_string()),
            "csv" => apart(py, move |_| format::write_csv(whole.trace(), whole.records()).to_string()),
            "kernels" => apart(py, move |_| format::write_kernels_csv(whole.trace(), whole.records()).to_string()),
            "jobs" => apart(py, move |_| format::write_jobs_csv(whole.trace(), whole.records()).to_string()),
            "waits" => apart(py, move |_| report::waits_csv(&whole.run, whole.records()).to_string()),
            "results" => apart(py, move |_| report::results_csv(&whole.run, whole.records()).to_string()),
            "chrome" => apart(py, move |_| format::write_chrome(whole.trace(), whole.records()).to_string()),
            "scenario" => Ok(format::write_scenario(&self.draft.with_effect())),
            _ => Err(no_such(py, "form", "form", &form, &report::FORMS)),
        }
    }

    /// A link that opens the run in the page at this address: http, https or a relative path. `at` is where, as `state` takes it.
    ///
    /// Raises `Error` if the address is none of these, if the scenario is too long for a link, or if rules were changed, as no link holds that.
    #[pyo3(signature = (*, page=String::new(), at=None), text_signature = "($self, *, page='', at=None)")]
    fn link(&self, py: Python<'_>, #[pyo3(from_py_with = argument::page)] page: String, at: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        if let Some(variant) = self.whole.trace().variants().iter().next() {
            return Err(error::plain(format_args!("rules were changed ({}), which a link does not hold", variant.id())));
        }
        if let Some(why) = format::no_page(&page) {
            return Err(of_argument(py, "page", page, None, why));
        }
        let stop = at.map_or(Ok(Stop::default()), |at| self.stop(py, at))?;
        let link = Link { scenario: self.draft.clone(), position: stop.position, at_ns: stop.at.ns(), ..Link::default() };
        let fragment = format::write_link(&link, None).map_err(error::plain)?;
        Ok(format!("{page}#{fragment}"))
    }
}
