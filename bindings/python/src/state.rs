//! The state of a run at an instant, and why an operation waits then.
//!
//! Depends on `table` and `report`. Invariant: nothing is computed here.

use std::sync::Arc;

use blockstep_draw::figure::Style;
use blockstep_report::figure::{self, FigureSubject};
use blockstep_report::{columns, why};
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::Trace;
use blockstep_view::position::Stop;
use blockstep_view::sentence::spoken;
use pyo3::prelude::*;

use crate::run::{Folded, in_notebook};
use crate::table::{Columns, Table, TableError};
use crate::work::apart;

/// Queues, SMs and waits at an instant.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct State {
    pub(crate) whole: Arc<Folded>,
    pub(crate) state: Snapshot,
    pub(crate) stop: Stop,
}

/// What an operation does at an instant, and why.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Why {
    /// The operation: `K5`, or `K5#2` where there are several jobs.
    #[pyo3(get)]
    op: String,
    /// `waits`, `executes`, `complete` or `not issued`.
    #[pyo3(get)]
    doing: &'static str,
    /// The same in words, without the operation's name; of one that waits, why.
    #[pyo3(get)]
    text: String,
    /// The reason in a few words.
    #[pyo3(get)]
    reason: Option<&'static str>,
    /// The rule that makes it wait, if one does.
    #[pyo3(get)]
    rule: Option<&'static str>,
    /// What it waits for, as far as that is known operations.
    #[pyo3(get)]
    blockers: Vec<String>,
    /// The step that assigns it next.
    #[pyo3(get)]
    until_step: Option<u32>,
    /// When that is, ns.
    #[pyo3(get)]
    until_ns: Option<u64>,
    /// All of it.
    sentence: String,
}

#[pymethods]
impl Why {
    fn __str__(&self) -> &str {
        &self.sentence
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Why: {}>", self.sentence)
    }
}

impl From<why::Why> for Why {
    fn from(of: why::Why) -> Self {
        let sentence = of.to_string();
        let why::Why { op, doing, text, reason, rule, blockers, until_step, until_ns } = of;
        Self { op, doing, text, reason, rule, blockers, until_step, until_ns, sentence }
    }
}

impl State {
    fn trace(&self) -> &Trace {
        self.whole.trace()
    }

    /// What an operation does, and why.
    ///
    /// # Errors
    /// If there is no operation of this name.
    pub(crate) fn why(&self, name: &str) -> Result<Why, String> {
        why::why(self.trace(), self.whole.records(), (&self.state, self.stop), name).map(Why::from)
    }
}

#[pymethods]
impl State {
    /// Steps applied.
    #[getter]
    fn step(&self) -> u32 {
        self.stop.position
    }

    /// The instant, ns.
    #[getter]
    fn at_ns(&self) -> u64 {
        self.stop.at.ns()
    }

    fn __str__(&self) -> String {
        spoken(self.trace(), self.stop)
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.State: {}>", spoken(self.trace(), self.stop))
    }

    /// What stands in stream queues, EE queues and CE queues, head first.
    #[getter]
    fn queues(&self) -> Result<Table, TableError> {
        columns::queues(Columns::default(), self.trace(), &self.state)?.table()
    }

    /// What is free on each SM, as each address space sees it.
    #[getter]
    fn sms(&self) -> Result<Table, TableError> {
        columns::sms(Columns::default(), self.trace(), &self.state)?.table()
    }

    /// The blocks that are on the SMs: each with its end if it executes, or with what is left of it if it is suspended.
    #[getter]
    fn blocks(&self) -> Result<Table, TableError> {
        columns::on_sms(Columns::default(), self.trace(), &self.state)?.table()
    }

    /// What waits and why: in issue order, then the kernels that execute and have blocks that wait.
    #[getter]
    fn waiting(&self) -> Result<Table, TableError> {
        columns::waiting(Columns::default(), self.trace(), self.whole.records(), &self.state)?.table()
    }

    /// The queue diagram.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let (whole, subject) = (Arc::clone(&self.whole), FigureSubject::Queues(self.stop));
        apart(py, move |_| figure::draw(&whole.run, &whole.timeline(), &subject, true, Style::default()).svg())
    }

    /// The queue diagram as notebooks show it.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(in_notebook(&self.svg(py)?))
    }
}
