//! The timeline's twin in tables: what runs now, and every block, operation and job of the run.
//!
//! Depends on the records of the run. Invariant: each row stands for one thing that the timeline
//! draws, with the step that began it as a button; while a question is open nothing is told that comes
//! after the step.

use super::{Answer, Asked, Event};
use crate::record::{BlockRecord, CopyRecord, JobRecord, OpRecord};
use crate::runs::Simulation;
use crate::snapshot::{Progress, Snapshot, SpaceState};
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, SpaceId, StepId, Time};
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};

/// Rows of a table shown at once.
const PAGE: usize = 50;

/// Tables by name and title.
const TABLES: [(&str, &str); 4] =
    [("now", "Executing now"), ("blocks", "Blocks, SM by SM"), ("ops", "Kernels and copies"), ("jobs", "Jobs")];

/// A row: its cells, and the step that a button in the first cell leads to.
struct Row {
    step: StepId,
    cells: Vec<String>,
}

/// Answers as a tool.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut state = asked.state.clone();
    match &asked.event {
        Event::Changed(name) if name == "table" => {
            state.set("table", asked.fields.get("table")).set("page", "");
        }
        Event::Did(word) => {
            if let Some(page) = word.strip_prefix("page:") {
                state.set("page", page);
            }
        }
        _ => {}
    }
    let table = TABLES.iter().find(|t| t.0 == state.get("table")).unwrap_or(&TABLES[0]).0;
    let (head, rows) = rows(asked, table);
    let pages = rows.len().div_ceil(PAGE).max(1);
    let page = state.number("page").and_then(|p| usize::try_from(p).ok()).unwrap_or(0).min(pages - 1);
    let mut html = Markup::new();
    html.open("label", &[]).text("Table ").open("select", &[("name", "table"), ("data-keep", "table")]);
    for (name, title) in TABLES {
        html.option(name, title, name == table);
    }
    html.close().close();
    let title = TABLES.iter().find(|t| t.0 == table).map_or("", |t| t.1);
    let caption = match rows.len() {
        0 => format!("{title} at {}: nothing", format_time(asked.here.at.ns())),
        n if table == "now" => format!("{title} at {}: {n}", format_time(asked.here.at.ns())),
        n => format!("{title}: {}", format_count(n as u64)),
    };
    if asked.here.is_veiled {
        html.leaf("p", &[("class", "tool-note")], "What comes after this step is hidden until you have answered.");
    }
    html.open("div", &[("class", "tool-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", title), ("data-keep", "scroll")]);
    html.open("table", &[("class", "tool-table")]).leaf("caption", &[("class", "tool-note")], &caption);
    html.open("thead", &[]).open("tr", &[]);
    for name in head {
        html.leaf("th", &[("scope", "col")], name);
    }
    html.close().close().open("tbody", &[]);
    for (i, row) in rows.iter().enumerate().skip(page * PAGE).take(PAGE) {
        html.open("tr", &[]);
        for (column, cell) in row.cells.iter().enumerate() {
            if column == 0 {
                let position = (row.step.0 + 1).to_string();
                let keep = format!("row{i}");
                html.open("th", &[("scope", "row")]);
                html.leaf("button", &[("type", "button"), ("class", "link"), ("data-go", &position), ("data-keep", &keep)], cell).close();
            } else {
                html.leaf("td", &[], cell);
            }
        }
        html.close();
    }
    html.close().close().close();
    if pages > 1 {
        html.open("div", &[("class", "tool-row")]);
        let turn = |html: &mut Markup, to: Option<usize>, name: &str| {
            let to = to.filter(|&to| to < pages);
            let word = to.map(|to| format!("page:{to}")).unwrap_or_default();
            let off = if to.is_none() { "1" } else { "" };
            html.leaf(
                "button",
                &[("type", "button"), ("class", "small"), ("data-do", &word), ("disabled", off), ("data-keep", name)],
                name,
            );
        };
        turn(&mut html, page.checked_sub(1), "Earlier rows");
        html.leaf("span", &[("class", "tool-note")], &format!("page {} of {}", page + 1, format_count(pages as u64)));
        turn(&mut html, Some(page + 1), "Later rows");
        html.close();
    }
    Ok(Answer { state, html: html.finish(), acts: Vec::new() })
}

/// What of the run may be told: all of it, or while a question is open what is so at the step.
struct Sight<'a> {
    made: &'a Simulation,
    state: &'a Snapshot,
    is_veiled: bool,
}

impl Sight<'_> {
    fn trace(&self) -> &Trace {
        &self.made.run.trace
    }

    fn knows(&self, step: StepId) -> bool {
        !self.is_veiled || step.0 < self.state.applied()
    }

    /// A time, if it is known that it is over by now.
    fn time(&self, time: Option<Time>, is_over: impl FnOnce() -> bool, otherwise: &str) -> String {
        match time {
            Some(time) if !self.is_veiled || is_over() => format_time(time.ns()),
            _ if self.is_veiled => "not yet".to_owned(),
            _ => otherwise.to_owned(),
        }
    }

    fn space(&self, op: OpId) -> &SpaceState {
        self.state.space(self.trace().layout().stream(self.trace().op(op).stream).space)
    }

    fn is_complete(&self, op: OpId) -> bool {
        self.state.stream(self.trace().op(op).stream).queue.binary_search(&op).is_err()
    }

    fn has_joined(&self, op: OpId) -> bool {
        let stream = self.state.stream(self.trace().op(op).stream);
        self.is_complete(op) || (stream.promoted && stream.queue.front() == Some(&op))
    }

    fn block(&self, b: &BlockRecord) -> Row {
        let on_sm = || self.space(b.op).sms[b.sm.index()].blocks.iter().any(|on| (on.op, on.block) == (b.op, b.block));
        Row {
            step: b.start_step,
            cells: vec![
                format!("{}:{}", self.trace().op_label(b.op), b.block),
                format!("SM {}", b.sm.0),
                format_count(self.trace().row_of(b.op).needs.threads.into()),
                format_time(b.start.ns()),
                self.time(b.end, || !on_sm(), "after the end"),
            ],
        }
    }

    fn copy(&self, c: &CopyRecord) -> Row {
        Row {
            step: c.start_step,
            cells: vec![
                self.trace().op_label(c.op),
                format!("Copy engine {}", c.engine),
                "–".to_owned(),
                format_time(c.start.ns()),
                self.time(c.end, || self.is_complete(c.op), "after the end"),
            ],
        }
    }

    fn op(&self, op: OpId, record: &OpRecord) -> Row {
        let trace = self.trace();
        let kind = match trace.op(op).kind {
            OpKind::Kernel => "kernel",
            OpKind::CopyIn => "input copy",
            OpKind::CopyOut => "output copy",
        };
        let start = record.start_step.filter(|&step| self.knows(step));
        Row {
            step: start.unwrap_or(record.issued_step),
            cells: vec![
                trace.op_label(op),
                kind.to_owned(),
                trace.layout().stream(trace.op(op).stream).name.clone(),
                format_time(record.issued.ns()),
                self.time(record.queued, || self.has_joined(op), "not yet"),
                self.time(record.start, || start.is_some(), "not yet"),
                self.time(record.end, || self.is_complete(op), "not yet"),
            ],
        }
    }

    fn job(&self, j: &JobRecord) -> Row {
        let is_complete = || self.state.job_complete(j.task, j.job);
        let met = match j.met {
            Some(_) if self.is_veiled && !is_complete() => j.deadline.filter(|&at| at < self.state.now()).map(|_| false),
            met => met,
        };
        Row {
            step: j.release_step,
            cells: vec![
                format!("{}#{}", self.trace().scenario().task(j.task).name, j.job.0),
                format_time(j.release.ns()),
                j.deadline.map_or_else(|| "none".to_owned(), |t| format_time(t.ns())),
                self.time(j.end, is_complete, "not yet"),
                met.map_or("–", |met| if met { "met" } else { "missed" }).to_owned(),
            ],
        }
    }
}

fn rows(asked: &Asked<'_>, table: &str) -> (&'static [&'static str], Vec<Row>) {
    let made = &asked.here.made;
    let (trace, records) = (&made.run.trace, &made.records);
    let mut replay = made.run.replay();
    let state = replay.seek(asked.here.position);
    let sight = Sight { made, state, is_veiled: asked.here.is_veiled };
    match table {
        "blocks" => {
            let mut rows: Vec<&BlockRecord> = records.blocks.iter().filter(|b| sight.knows(b.start_step)).collect();
            rows.sort_by_key(|b| (b.sm, b.start_step));
            (&["Block", "On", "Threads", "From", "To"], rows.into_iter().map(|b| sight.block(b)).collect())
        }
        "ops" => {
            let issued = records.ops.iter().enumerate().filter(|(_, record)| sight.knows(record.issued_step));
            let ops = issued.map(|(i, record)| sight.op(OpId::at(i), record));
            (&["Operation", "Kind", "Stream", "Issued", "Queued", "Start", "End"], ops.collect())
        }
        "jobs" => {
            let jobs = records.jobs.iter().filter(|j| sight.knows(j.release_step)).map(|j| sight.job(j));
            (&["Job", "Release", "Deadline", "End", "Deadline met"], jobs.collect())
        }
        _ => {
            // Suspended ones hold their place, but do not execute.
            let spaces = || (0..trace.layout().spaces().len()).map(|i| state.space(SpaceId::at(i)));
            let on_sms: Vec<(OpId, u32)> = spaces()
                .flat_map(|s| &s.sms)
                .flat_map(|sm| &sm.blocks)
                .filter(|b| is_running(b.progress))
                .map(|b| (b.op, b.block))
                .collect();
            let blocks = on_sms.iter().flat_map(|&(op, number)| {
                records.blocks_of(op).iter().map(|&i| &records.blocks[i as usize]).filter(move |b| b.block == number)
            });
            let on_engines: Vec<OpId> =
                spaces().flat_map(|s| s.engines.iter().flatten()).filter(|c| is_running(c.progress)).map(|c| c.op).collect();
            let copies = records.copies.iter().filter(|c| on_engines.contains(&c.op));
            let rows = blocks.map(|b| sight.block(b)).chain(copies.map(|c| sight.copy(c)));
            (&["Block or copy", "On", "Threads", "From", "To"], rows.collect())
        }
    }
}

fn is_running(progress: Progress) -> bool {
    matches!(progress, Progress::Runs(_))
}
