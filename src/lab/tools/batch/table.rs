//! The table of tasks: what was typed, what it says, and what is wrong with it.
//!
//! Depends on `batch` and `view`. Invariant: a message names the task, the field, what stands there
//! and the limit; nothing that was typed is changed.

use super::super::query::Query;
use super::model::{Model, OWN, TABLES};
use super::problem::Problem;
use crate::batch::arch::Costs;
use crate::batch::cases::CASES;
use crate::batch::task::{MAX_TASKS, TaskDraft, WorkloadDraft};
use crate::view::markup::Markup;
use crate::view::quantity::{Unit, format_bytes, format_count, format_time, parse};

/// A column of the table.
pub(super) struct Column {
    /// Its name in forms.
    pub(super) word: &'static str,
    /// Its heading.
    pub(super) title: &'static str,
    /// What stands there, for those who point at it.
    about: &'static str,
    /// Fields of files that it holds.
    pub(super) fields: &'static [&'static str],
}

const fn column(word: &'static str, title: &'static str, about: &'static str, fields: &'static [&'static str]) -> Column {
    Column { word, title, about, fields }
}

/// The columns.
pub(super) const COLUMNS: [Column; 11] = [
    column("name", "Name", "any name, each once", &["name"]),
    column("kind", "Kind", "latency: each output soon after its input; throughput: outputs at a steady pace", &[]),
    column("in", "Input copy", "a time, such as 1 ms, or a size, such as 6 MB", &["copy_in_ns", "copy_in_bytes"]),
    column("kernel", "Kernel time", "alone on the GPU", &["kernel_ns"]),
    column("blocks", "Blocks", "of the kernel", &["blocks"]),
    column("threads", "Threads", "of each block", &["threads_per_block"]),
    column("out", "Output copy", "a time or a size", &["copy_out_ns", "copy_out_bytes"]),
    column("first", "First input", "when it arrives", &["first_ns"]),
    column("every", "Interval", "from one input to the next", &["interval_ns"]),
    column(
        "within",
        "Deadline / separation",
        "latency: the deadline; throughput: from one output to the next",
        &["deadline_ns", "separation_ns"],
    ),
    column("after", "After", "names of tasks whose job of the same number comes before, with ; between", &["after"]),
];

/// Titles of costs, in the order of [`Costs::FIELDS`].
pub(super) const COSTS: [&str; 6] = [
    "Issuing a command (ns)",
    "Seeing a counter (ns)",
    "A message (ns)",
    "A decision on the GPU (ns)",
    "A launch on the GPU (ns)",
    "Threads of a scheduler on the GPU",
];

const THROUGHPUT: &str = "throughput";

/// A row as typed, by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row(pub(super) [String; COLUMNS.len()]);

impl Row {
    /// A task as it would be typed.
    pub(super) fn of(task: &TaskDraft) -> Self {
        let copy = |ns, bytes| if bytes > 0 { format_bytes(bytes) } else { format_time(ns) };
        let kind = if task.separation_ns.is_some() { THROUGHPUT } else { "latency" };
        Self([
            task.name.clone(),
            kind.to_owned(),
            copy(task.copy_in_ns, task.copy_in_bytes),
            format_time(task.kernel_ns),
            format_count(task.blocks),
            format_count(task.threads_per_block),
            copy(task.copy_out_ns, task.copy_out_bytes),
            format_time(task.first_ns),
            format_time(task.interval_ns),
            format_time(task.deadline_ns.or(task.separation_ns).unwrap_or(0)),
            task.after.join("; "),
        ])
    }

    /// What was remembered.
    pub(super) fn read(query: &Query) -> Self {
        Self(COLUMNS.map(|column| query.get(column.word).to_owned()))
    }

    /// To be remembered.
    pub(super) fn write(&self) -> Query {
        let mut query = Query::new();
        for (column, cell) in COLUMNS.iter().zip(&self.0) {
            query.set(column.word, cell);
        }
        query
    }

    pub(super) fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.0[0]);
        self
    }

    pub(super) fn cell(&self, word: &str) -> &str {
        COLUMNS.iter().position(|column| column.word == word).map_or("", |i| &self.0[i])
    }

    /// The task, with what cannot be read as 0.
    fn draft(&self, row: usize, problems: &mut Vec<Problem>) -> TaskDraft {
        let mut read = |word, unit| {
            let text = self.cell(word);
            parse(unit, text).unwrap_or_else(|message| {
                problems.push(Problem { row: Some(row), column: word, message });
                1
            })
        };
        let is_size = |word| self.cell(word).trim_end().ends_with(['B', 'b']);
        let mut copy = |word| {
            if is_size(word) { (0, read(word, Unit::Bytes)) } else { (read(word, Unit::Time), 0) }
        };
        let (copy_in_ns, copy_in_bytes) = copy("in");
        let (copy_out_ns, copy_out_bytes) = copy("out");
        let within = Some(read("within", Unit::Time));
        let is_throughput = self.cell("kind") == THROUGHPUT;
        TaskDraft {
            name: self.cell("name").to_owned(),
            copy_in_ns,
            copy_in_bytes,
            copy_out_ns,
            copy_out_bytes,
            kernel_ns: read("kernel", Unit::Time),
            blocks: read("blocks", Unit::Count),
            threads_per_block: read("threads", Unit::Count),
            first_ns: read("first", Unit::Time),
            interval_ns: read("every", Unit::Time),
            deadline_ns: within.filter(|_| !is_throughput),
            separation_ns: within.filter(|_| is_throughput),
            after: self.cell("after").split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        }
    }
}

/// The workload as typed.
///
/// # Errors
/// What cannot be read.
pub(super) fn draft_of(model: &Model) -> Result<WorkloadDraft, Vec<Problem>> {
    let mut problems = Vec::new();
    let tasks = model.rows.iter().enumerate().map(|(i, row)| row.draft(i, &mut problems)).collect();
    let until_ns = parse(Unit::Time, &model.until).unwrap_or_else(|message| {
        problems.push(Problem { row: None, column: "until", message });
        1
    });
    if problems.is_empty() { Ok(WorkloadDraft { name: model.name.clone(), until_ns, tasks }) } else { Err(problems) }
}

/// The costs as typed, in the units of their names.
///
/// # Errors
/// The first that cannot be.
pub(super) fn costs(texts: &[String; 6]) -> Result<Costs, Problem> {
    let mut values = Costs::default().values();
    for ((value, text), (field, ..)) in values.iter_mut().zip(texts).zip(Costs::FIELDS) {
        if !text.trim().is_empty() {
            *value = parse(Unit::Count, text).map_err(|message| Problem { row: None, column: field, message })?;
        }
    }
    Costs::of(values).map_err(|(column, message)| Problem { row: None, column, message })
}

/// Whether a cost as typed is the default.
pub(super) fn is_default_cost(place: usize, text: &str) -> bool {
    parse(Unit::Count, text).ok() == Costs::default().values().get(place).copied()
}

/// The choice of a built-in workload, or of one's own.
pub(super) fn choice(html: &mut Markup, model: &Model) {
    html.open("label", &[]).leaf("span", &[], "Workload").open("select", &[("name", "from"), ("data-keep", "from")]);
    html.option(TABLES, "Tables I and II: two tasks, one false dependency", model.from == TABLES);
    for case in &CASES {
        html.option(case.name, &format!("{}: {}", case.name, case.title), model.from == case.name);
    }
    if let Some(name) = model.own_name() {
        let name = if name.is_empty() { "without a name" } else { &name };
        html.option(OWN, &format!("Yours: {name}"), model.from == OWN);
    }
    html.close().close();
}

/// What is wrong, as a list; nothing if nothing is.
pub(super) fn problems(html: &mut Markup, model: &Model, problems: &[Problem]) {
    html.open("div", &[("class", "batch-wrong"), ("role", "alert"), ("id", "batch-wrong")]);
    html.leaf("p", &[], "This workload cannot run. What you typed stays until you change it.").open("ul", &[]);
    for problem in problems {
        html.leaf("li", &[], &problem.says(model));
    }
    html.close().close();
}

/// The tab of the workload.
pub(super) fn show(html: &mut Markup, model: &Model) {
    html.open("div", &[("class", "batch-row")]);
    choice(html, model);
    html.close();
    if model.is_tables() {
        html.leaf(
            "p",
            &[("class", "tool-note")],
            "Tables I and II are a fixed sequence of commands, not a workload. Below is Case-2, to begin from: edit it and it is yours.",
        );
    }
    let wrong = model.workload().err().unwrap_or_default();
    if !wrong.is_empty() {
        problems(html, model, &wrong);
    }
    html.open("div", &[("class", "batch-row")]);
    field(html, "name", "Name of the workload", &model.name, "16rem", false);
    field(html, "until", "Inputs until", &model.until, "7rem", wrong.iter().any(|p| p.is_at(None, "until")));
    html.close();
    html.open("div", &[("class", "tool-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Tasks"), ("data-keep", "tasks")]);
    html.open("table", &[("class", "tool-table batch-tasks")]).leaf("caption", &[("class", "visually-hidden")], "Tasks");
    html.open("thead", &[]).open("tr", &[]);
    for column in &COLUMNS {
        html.leaf("th", &[("scope", "col"), ("title", column.about)], column.title);
    }
    html.raw("<th scope=col><span class=visually-hidden>Remove</span></th>").close().close().open("tbody", &[]);
    for (i, row) in model.rows.iter().enumerate() {
        html.open("tr", &[]);
        for (column, text) in COLUMNS.iter().zip(&row.0) {
            cell(html, column, i, text, wrong.iter().any(|p| p.is_at(Some(i), column.word)));
        }
        let (word, label) = (format!("remove {i}"), format!("Remove task {}", i + 1));
        let off = if model.rows.len() < 2 { "1" } else { "" };
        let button =
            [("type", "button"), ("class", "small"), ("data-do", &word), ("data-keep", &word), ("aria-label", &label), ("disabled", off)];
        html.open("td", &[]).leaf("button", &button, "×").close().close();
    }
    html.close().close().close();
    html.open("div", &[("class", "batch-row")]);
    let off = if model.rows.len() >= MAX_TASKS { "1" } else { "" };
    html.leaf("button", &[("type", "button"), ("data-do", "add"), ("data-keep", "add"), ("disabled", off)], "Add a task");
    let (off, label) = if model.past.is_empty() { ("true", "Take back") } else { ("", "Take back the last change") };
    let attributes = [("type", "button"), ("data-do", "back"), ("data-keep", "back"), ("aria-disabled", off)];
    html.leaf("button", &attributes, label);
    html.raw("<button type=button data-do=save data-keep=save>Save workload (JSON)</button>").close();
    html.leaf(
        "p",
        &[("class", "tool-note")],
        "To open a saved workload, drop its file here; or close this page with × and choose Open…, which brings you back. Times without a unit are seconds. A task's inputs arrive at its interval from the first on; whether a kernel is small or large follows from its blocks and threads on the GPU chosen.",
    );
    costs_form(html, model, &wrong);
}

fn costs_form(html: &mut Markup, model: &Model, wrong: &[Problem]) {
    model.details(html, "costs", "What the host and schedulers on the GPU take");
    html.open("div", &[("class", "batch-row")]);
    for (((name, ..), title), text) in Costs::FIELDS.into_iter().zip(COSTS).zip(&model.costs) {
        field(html, name, title, text, "7rem", wrong.iter().any(|p| p.is_at(None, name)));
    }
    html.close().leaf("p", &[("class", "tool-note")], "The paper names these costs without numbers; the defaults are ours.").close();
}

fn field(html: &mut Markup, name: &str, title: &str, text: &str, width: &str, is_wrong: bool) {
    let style = format!("width:{width}");
    html.open("label", &[]).leaf("span", &[], title);
    html.single("input", &input(name, text, &style, is_wrong)).close();
}

fn input<'a>(name: &'a str, text: &'a str, style: &'a str, is_wrong: bool) -> [(&'static str, &'a str); 8] {
    let (invalid, wrong) = if is_wrong { ("true", "batch-wrong") } else { ("", "") };
    [
        ("name", name),
        ("value", text),
        ("style", style),
        ("data-keep", name),
        ("autocomplete", "off"),
        ("spellcheck", "false"),
        ("aria-invalid", invalid),
        ("aria-describedby", wrong),
    ]
}

fn cell(html: &mut Markup, column: &Column, row: usize, text: &str, is_wrong: bool) {
    let (name, label) = (format!("{}.{row}", column.word), format!("{}, task {}", column.title, row + 1));
    html.open("td", &[]).open("label", &[]).leaf("span", &[("class", "visually-hidden")], &label);
    if column.word == "kind" {
        html.open("select", &[("name", &name), ("data-keep", &name)]);
        html.option("latency", "latency", text != THROUGHPUT).option(THROUGHPUT, "throughput", text == THROUGHPUT).close();
    } else {
        let style = if matches!(column.word, "name" | "after") { "width:8rem" } else { "width:5.6rem" };
        html.single("input", &input(&name, text, style, is_wrong));
    }
    html.close().close();
}
