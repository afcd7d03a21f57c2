//! The state of a run at an instant, and why an operation waits then.
//!
//! Depends on `table`, `sim::snapshot` and `view::reason`. Invariant: a name that fits several operations means the first that is not
//! complete.

use std::sync::Arc;

use blockstep_draw::figure::Style;
use blockstep_report::figure::{self, FigureSubject};
use blockstep_sim::engine;
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::{Progress, Snapshot};
use blockstep_sim::trace::{Level, Rule, Trace};
use blockstep_sim::units::{OpId, SpaceId, StreamId};
use blockstep_view::position::Stop;
use blockstep_view::quantity::format_time;
use blockstep_view::reason::{self, WaitingList};
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;
use pyo3::prelude::*;

use crate::run::in_notebook;
use crate::table::{Columns, Table, TableError};
use crate::work::apart;

/// What an operation does that waits.
const WAITS: &str = "waits";

/// Queues, SMs and waits at an instant.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct State {
    pub(crate) run: Arc<engine::Run>,
    pub(crate) records: Arc<Records>,
    pub(crate) state: Snapshot,
    pub(crate) stop: Stop,
}

/// What an operation does at an instant, and why.
#[pyclass(frozen, get_all, module = "blockstep")]
pub(crate) struct Why {
    /// The operation: `K5`, or `K5#2` where there are several jobs.
    op: String,
    /// `waits`, `executes`, `complete` or `not issued`.
    doing: &'static str,
    /// The same in words, without the operation's name; of one that waits, why.
    text: String,
    /// The reason in a few words.
    reason: Option<&'static str>,
    /// The rule that makes it wait, if one does.
    rule: Option<&'static str>,
    /// What it waits for, as far as that is known operations.
    blockers: Vec<String>,
    /// The step that assigns it next.
    until_step: Option<u32>,
    /// When that is, ns.
    until_ns: Option<u64>,
}

#[pymethods]
impl Why {
    fn __str__(&self) -> String {
        let does = if self.doing == WAITS { "waits: " } else { "" };
        format!("{} {does}{}", self.op, self.text)
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Why: {}>", self.__str__())
    }
}

impl State {
    fn trace(&self) -> &Trace {
        &self.run.trace
    }

    /// What an operation does, and why.
    ///
    /// # Errors
    /// If there is no operation of this name.
    pub(crate) fn why(&self, name: &str) -> Result<Why, String> {
        let trace = self.trace();
        let fits = |op: &OpId| trace.op_label(*op) == name || trace.op_name(*op) == name;
        let mut all = (0..trace.ops().len()).map(OpId::at).filter(fits);
        let mut last = all.next().ok_or_else(|| self.no_operation(name))?;
        let is_complete = |op: OpId| self.records.ops[op.index()].end.is_some_and(|end| self.is_past(end));
        while is_complete(last)
            && let Some(next) = all.next()
        {
            last = next;
        }
        Ok(self.why_of(last))
    }

    fn no_operation(&self, name: &str) -> String {
        const MOST: usize = 20;
        let mut known: Vec<String> = Vec::new();
        for op in (0..self.trace().ops().len()).map(OpId::at) {
            let name = self.trace().op_name(op);
            if !known.contains(&name) {
                known.push(name);
            }
            if known.len() > MOST {
                known[MOST] = "…".to_owned();
                break;
            }
        }
        format!("there is no operation \"{name}\"; there are {}", known.join(", "))
    }

    /// Whether an instant's steps have been applied.
    fn is_past(&self, at: blockstep_sim::units::Time) -> bool {
        at <= self.stop.at
    }

    fn why_of(&self, op: OpId) -> Why {
        let (trace, record) = (self.trace(), &self.records.ops[op.index()]);
        let op_label = trace.op_label(op);
        let said = |doing, text: String| Why {
            op: op_label.clone(),
            doing,
            text,
            reason: None,
            rule: None,
            blockers: Vec::new(),
            until_step: None,
            until_ns: None,
        };
        let is_issued = self.state.last_step().is_some_and(|last| record.issued_step <= last);
        if !is_issued {
            return said("not issued", format!("is issued at {}", format_time(record.issued.ns())));
        }
        if let Some(waiting) = reason::waiting_of(trace, &self.records, &self.state, op) {
            let (doing, text) = match waiting.executing {
                false => (WAITS, waiting.text),
                true => ("executes", format!("executes, and the rest of its blocks waits: {}", waiting.text)),
            };
            return Why {
                reason: Some(waiting.reason.kind().label()),
                rule: waiting.rule.map(Rule::id),
                blockers: waiting.blockers.iter().map(|&op| trace.op_label(op)).collect(),
                until_step: waiting.until.map(|step| step.0 + 1),
                until_ns: waiting.until.map(|step| trace.step(step).at.ns()),
                ..said(doing, text)
            };
        }
        if reason::executes(trace, &self.state, op) {
            return said("executes", "executes".to_owned());
        }
        said("complete", record.end.map_or_else(|| "is complete".to_owned(), |end| format!("is complete since {}", format_time(end.ns()))))
    }

    /// Every address space with its name.
    fn spaces(&self) -> Vec<(SpaceId, String)> {
        (0..self.state.spaces().len()).map(SpaceId::at).map(|space| (space, self.trace().space_name(space))).collect()
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
        let trace = self.trace();
        let mut rows: Vec<(&str, String, String, usize, OpId)> = Vec::new();
        for id in (0..trace.layout().streams().len()).map(StreamId::at) {
            let (name, space) = (trace.layout().label(trace.scenario(), id), trace.layout().stream(id).space);
            let of_stream = self.state.stream(id).queue.iter().enumerate();
            rows.extend(of_stream.map(|(place, &op)| ("stream", name.clone(), trace.space_name(space), place, op)));
        }
        for (id, process) in self.spaces() {
            let space = self.state.space(id);
            for level in [Level::High, Level::Low] {
                let queue = space.ee(level).iter().enumerate();
                rows.extend(queue.map(|(place, &op)| ("EE", level.word().to_owned(), process.clone(), place, op)));
            }
            for engine in 0..space.engines.len() as u8 {
                let queue = space.ce(engine).iter().enumerate();
                rows.extend(queue.map(|(place, &op)| ("CE", engine.to_string(), process.clone(), place, op)));
            }
        }
        Columns::default()
            .found_words("kind", rows.iter().map(|row| Some(row.0)))?
            .found_words("queue", rows.iter().map(|row| Some(&row.1)))?
            .found_words("process", rows.iter().map(|row| Some(&row.2)))?
            .small("place", rows.iter().map(|row| row.3 as u32))?
            .texts("op", rows.iter().map(|row| Some(trace.op_label(row.4))))
            .table()
    }

    /// What is free on each SM, as each address space sees it.
    #[getter]
    fn sms(&self) -> Result<Table, TableError> {
        let spaces = self.spaces();
        let rows: Vec<_> = spaces
            .iter()
            .enumerate()
            .flat_map(|(place, (id, _))| self.state.space(*id).sms.iter().enumerate().map(move |(sm, state)| (place, sm, state)))
            .collect();
        Columns::default()
            .words("process", spaces.iter().map(|(_, name)| name), rows.iter().map(|row| Some(row.0)))?
            .small("sm", rows.iter().map(|row| row.1 as u32))?
            .small("blocks", rows.iter().map(|row| row.2.blocks.len() as u32))?
            .small("free_threads", rows.iter().map(|row| row.2.threads))?
            .small("free_slots", rows.iter().map(|row| row.2.slots))?
            .numbers("free_shared_memory_bytes", rows.iter().map(|row| row.2.shared_memory))?
            .numbers("free_registers", rows.iter().map(|row| row.2.registers))?
            .table()
    }

    /// The blocks that are on the SMs: each with its end if it executes, or with what is left of it if it is suspended.
    #[getter]
    fn blocks(&self) -> Result<Table, TableError> {
        let (trace, spaces) = (self.trace(), self.spaces());
        let mut rows = Vec::new();
        for (place, (id, _)) in spaces.iter().enumerate() {
            for (sm, state) in self.state.space(*id).sms.holding() {
                rows.extend(state.blocks.iter().map(|block| (place, sm, *block)));
            }
        }
        let end = |progress| match progress {
            Progress::Runs(end) => Some(end.ns()),
            Progress::Suspended(_) => None,
        };
        let left = |progress| match progress {
            Progress::Runs(_) => None,
            Progress::Suspended(left) => Some(left.ns()),
        };
        Columns::default()
            .words("process", spaces.iter().map(|(_, name)| name), rows.iter().map(|row| Some(row.0)))?
            .small("sm", rows.iter().map(|row| row.1 as u32))?
            .texts("op", rows.iter().map(|row| Some(trace.op_label(row.2.op))))
            .small("block", rows.iter().map(|row| row.2.block))?
            .optional("end_ns", rows.iter().map(|row| end(row.2.progress)))?
            .optional("left_ns", rows.iter().map(|row| left(row.2.progress)))?
            .table()
    }

    /// What waits and why: in issue order, then the kernels that execute and have blocks that wait.
    #[getter]
    fn waiting(&self) -> Result<Table, TableError> {
        let trace = self.trace();
        let WaitingList { items, .. } = reason::waiting(trace, &self.records, &self.state, usize::MAX);
        Columns::default()
            .texts("op", items.iter().map(|item| Some(item.label.clone())))
            .found_words("reason", items.iter().map(|item| Some(item.reason.kind().label())))?
            .found_words("rule", items.iter().map(|item| item.rule.map(Rule::id)))?
            .texts("text", items.iter().map(|item| Some(item.text.clone())))
            .truths("executes", items.iter().map(|item| Some(item.executing)))
            .optional("until_step", items.iter().map(|item| item.until.map(|step| u64::from(step.0) + 1)))?
            .optional("until_ns", items.iter().map(|item| item.until.map(|step| trace.step(step).at.ns())))?
            .table()
    }

    /// The queue diagram.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let (run, records, subject) = (Arc::clone(&self.run), Arc::clone(&self.records), FigureSubject::Queues(self.stop));
        apart(py, move |_| figure::draw(&run, &Timeline::new(&run.trace, &records), &subject, true, Style::default()).svg())
    }

    /// The queue diagram as notebooks show it.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(in_notebook(&self.svg(py)?))
    }
}
