//! The timeline's twin in tables: what runs now, and every block, operation and job of the run.
//!
//! Depends on the records of the run. Invariant: each row stands for one thing that the timeline
//! draws, with the step that began it as a button.

use super::{Answer, Asked, Event};
use crate::record::{BlockRecord, CopyRecord};
use crate::snapshot::Progress;
use crate::trace::OpKind;
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

fn rows(asked: &Asked<'_>, table: &str) -> (&'static [&'static str], Vec<Row>) {
    let made = &asked.here.made;
    let (trace, records) = (&made.run.trace, &made.records);
    let time = |time: Option<Time>, otherwise: &str| time.map_or_else(|| otherwise.to_owned(), |t| format_time(t.ns()));
    let block = |b: &BlockRecord| Row {
        step: b.start_step,
        cells: vec![
            format!("{}:{}", trace.op_label(b.op), b.block),
            format!("SM {}", b.sm.0),
            format_count(trace.row_of(b.op).needs.threads.into()),
            time(Some(b.start), ""),
            time(b.end, "after the end"),
        ],
    };
    let copy = |c: &CopyRecord| Row {
        step: c.start_step,
        cells: vec![
            trace.op_label(c.op),
            format!("Copy engine {}", c.engine),
            "–".to_owned(),
            time(Some(c.start), ""),
            time(c.end, "after the end"),
        ],
    };
    match table {
        "blocks" => {
            let mut rows: Vec<&BlockRecord> = records.blocks.iter().collect();
            rows.sort_by_key(|b| (b.sm, b.start_step));
            (&["Block", "On", "Threads", "From", "To"], rows.into_iter().map(block).collect())
        }
        "ops" => {
            let op = |(i, record): (usize, &crate::record::OpRecord)| {
                let op = OpId::at(i);
                let kind = match trace.op(op).kind {
                    OpKind::Kernel => "kernel",
                    OpKind::CopyIn => "input copy",
                    OpKind::CopyOut => "output copy",
                };
                Row {
                    step: record.start_step.unwrap_or(record.issued_step),
                    cells: vec![
                        trace.op_label(op),
                        kind.to_owned(),
                        trace.layout().stream(trace.op(op).stream).name.clone(),
                        time(Some(record.issued), ""),
                        time(record.queued, "not yet"),
                        time(record.start, "not yet"),
                        time(record.end, "not yet"),
                    ],
                }
            };
            (&["Operation", "Kind", "Stream", "Issued", "Queued", "Start", "End"], records.ops.iter().enumerate().map(op).collect())
        }
        "jobs" => {
            let job = |j: &crate::record::JobRecord| Row {
                step: j.release_step,
                cells: vec![
                    format!("{}#{}", trace.scenario().task(j.task).name, j.job.0),
                    time(Some(j.release), ""),
                    time(j.deadline, "none"),
                    time(j.end, "not yet"),
                    j.met.map_or("–", |met| if met { "met" } else { "missed" }).to_owned(),
                ],
            };
            (&["Job", "Release", "Deadline", "End", "Deadline met"], records.jobs.iter().map(job).collect())
        }
        _ => {
            // Suspended ones hold their place, but do not execute.
            let mut replay = made.run.replay();
            let state = replay.seek(asked.here.position);
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
            (&["Block or copy", "On", "Threads", "From", "To"], blocks.map(block).chain(copies.map(copy)).collect())
        }
    }
}

fn is_running(progress: Progress) -> bool {
    matches!(progress, Progress::Runs(_))
}
