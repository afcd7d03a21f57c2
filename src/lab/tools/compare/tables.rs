//! What the runs came to, as tables: operations, tasks, runs. The run on screen comes first; what
//! others have is followed by how much it differs, in words too.
//!
//! Depends on `learn::compare::tables`. Invariant: a better value never has only a colour to say so.

use super::Asked;
use super::beside::Beside;
use crate::learn::compare::tables::{Fate, Life, OperationLine, TaskLine, Whole};
use crate::units::Time;
use crate::view::markup::Markup;
use crate::view::palette::{colour_of, text_on};
use crate::view::quantity::{format_count, format_time, format_time_short};
use crate::view::results::unit::percent;

/// Most lines of a table; files hold all.
const MAX_LINES: usize = 120;

/// How two values are told apart.
#[derive(Clone, Copy)]
enum Measure {
    /// An instant: earlier or later.
    Instant,
    /// A length of time: shorter or longer.
    Length,
    /// A number of bad things: fewer or more.
    Count,
}

/// The tables of the runs that there are.
pub(super) fn tables(beside: &[Beside], asked: &mut Asked<'_>) -> String {
    let here = &asked.here;
    let made: Vec<_> = beside.iter().filter_map(|b| b.made.as_ref().ok().map(|made| (b.other, made))).collect();
    if made.is_empty() {
        return String::new();
    }
    let of_all: Vec<_> = std::iter::once(&here.made).chain(made.iter().map(|(_, made)| *made)).collect();
    let found = asked.runs.tables(&of_all);
    let mut names = vec![("On screen".to_owned(), false)];
    names.extend(made.iter().map(|(other, _)| (if other.is_changed() { other.heading() } else { other.short() }, other.is_changed())));
    let mut html = Markup::new();
    let table = &mut Table { html: &mut html, names: &names, is_dark: here.options.is_dark };
    table.runs(&found.wholes, &made.iter().map(|(_, made)| asked.runs.differences(&here.made, made).stops().len()).collect::<Vec<_>>());
    table.operations(&found.operations);
    table.tasks(&found.tasks);
    html.finish()
}

struct Table<'t> {
    html: &'t mut Markup,
    names: &'t [(String, bool)],
    is_dark: bool,
}

impl Table<'_> {
    fn begin(&mut self, caption: &str, columns: &[&str]) {
        // Tables that are wider than the page are scrolled by keyboard too.
        let keep = format!("compare-table-{caption}");
        self.html.open(
            "div",
            &[("class", "compare-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption), ("data-keep", &keep)],
        );
        self.html.open("table", &[("class", "tool-table")]).leaf("caption", &[], caption).open("thead", &[]).open("tr", &[]);
        for column in columns {
            self.html.leaf("th", &[("scope", "col")], column);
        }
        self.html.close().close();
    }

    fn end(&mut self, hidden: usize, what: &str) {
        self.html.close().close();
        if hidden > 0 {
            let text = format!("And {} more {what}; the saved table has all.", format_count(hidden as u64));
            self.html.leaf("p", &[("class", "tool-note")], &text);
        }
    }

    fn run_cell(&mut self, run: usize) {
        let (name, is_changed) = &self.names[run];
        self.html.leaf("th", &[("scope", "row"), ("class", if *is_changed { "compare-changed" } else { "" })], name);
    }

    /// A value, and how it differs from that of the run on screen.
    fn cell(&mut self, value: Option<u64>, base: Option<Option<u64>>, measure: Measure) {
        self.html.open("td", &[]);
        let write = |value: u64| match measure {
            Measure::Count => format_count(value),
            _ => format_time_short(value),
        };
        self.html.text(&value.map_or_else(|| "–".to_owned(), write));
        if let (Some(value), Some(Some(base))) = (value, base)
            && value != base
        {
            let (text, is_better) = change(base, value, measure);
            self.html.text(" ").leaf("span", &[("class", if is_better { "compare-better" } else { "compare-worse" })], &text);
        }
        self.html.close();
    }

    fn same(&mut self, columns: usize) {
        self.html.leaf("td", &[("class", "quiet"), ("colspan", &columns.to_string())], "the same");
    }

    fn missing(&mut self, columns: usize) {
        self.html.leaf("td", &[("class", "quiet"), ("colspan", &columns.to_string())], "not in this run");
    }

    fn runs(&mut self, wholes: &[Whole], differences: &[usize]) {
        self.begin("Runs", &["Run", "Last end", "Threads in use", "Deadlines missed", "Differs at"]);
        self.html.open("tbody", &[]);
        for (run, w) in wholes.iter().enumerate() {
            let base = (run > 0).then_some(&wholes[0]);
            self.html.open("tr", &[]);
            self.run_cell(run);
            self.cell(Some(w.last.ns()), base.map(|base| Some(base.last.ns())), Measure::Instant);
            self.html.leaf("td", &[], &percent(w.thread_time, w.available));
            self.cell(Some(w.missed), base.map(|base| Some(base.missed)), Measure::Count);
            let differs = match run.checked_sub(1).map(|run| differences[run]) {
                None => "–".to_owned(),
                Some(0) => "no instant".to_owned(),
                Some(1) => "1 instant".to_owned(),
                Some(n) => format!("{} instants", format_count(n as u64)),
            };
            self.html.leaf("td", &[], &differs).close();
        }
        self.html.close();
        self.end(0, "");
    }

    fn operations(&mut self, lines: &[OperationLine]) {
        if lines.is_empty() {
            return;
        }
        let are_many = lines.iter().any(|line| line.is_of_many);
        let columns: &[&str] = if are_many {
            &["Operation", "Run", "Complete", "First begins", "Last ends", "Mean response", "Mean wait"]
        } else {
            &["Operation", "Run", "Issued", "Begins", "Ends", "Response", "Waits"]
        };
        self.begin("Kernels and copies", columns);
        for line in lines.iter().take(MAX_LINES) {
            self.html.open("tbody", &[]);
            let base = line.runs[0];
            for (run, life) in line.runs.iter().enumerate() {
                self.html.open("tr", &[]);
                if run == 0 {
                    self.operation_head(line);
                }
                self.run_cell(run);
                match life {
                    None => self.missing(5),
                    Some(life) if run > 0 && Some(*life) == base => self.same(5),
                    Some(life) => self.life(life, base.filter(|_| run > 0), line.is_of_many),
                }
                self.html.close();
            }
            self.html.close();
        }
        self.end(lines.len().saturating_sub(MAX_LINES), "operations");
    }

    fn operation_head(&mut self, line: &OperationLine) {
        self.html.open("th", &[("scope", "rowgroup"), ("rowspan", &line.runs.len().to_string())]);
        let style = line.row.map_or_else(String::new, |row| {
            let colour = colour_of(row, self.is_dark);
            format!("--k:{};--kt:{}", colour.css(), text_on(colour).css())
        });
        self.html.leaf("span", &[("class", if line.row.is_some() { "compare-op" } else { "" }), ("style", &style)], &line.name).close();
    }

    fn life(&mut self, life: &Life, base: Option<Life>, is_of_many: bool) {
        if is_of_many {
            self.html.leaf("td", &[], &format!("{} of {}", format_count(life.completed), format_count(life.count)));
        } else {
            self.cell(Some(life.issued.ns()), base.map(|b| Some(b.issued.ns())), Measure::Instant);
        }
        self.cell(life.start.map(Time::ns), base.map(|b| b.start.map(Time::ns)), Measure::Instant);
        self.cell(life.end.map(Time::ns), base.map(|b| b.end.map(Time::ns)), Measure::Instant);
        self.cell(life.response, base.map(|b| b.response), Measure::Length);
        self.cell(life.waiting, base.map(|b| b.waiting), Measure::Length);
    }

    fn tasks(&mut self, lines: &[TaskLine]) {
        self.begin("Tasks", &["Task", "Run", "Jobs complete", "Worst response", "Mean response", "Deadlines missed"]);
        for line in lines.iter().take(MAX_LINES) {
            self.html.open("tbody", &[]);
            let base = line.runs[0];
            for (run, fate) in line.runs.iter().enumerate() {
                self.html.open("tr", &[]);
                if run == 0 {
                    self.html.leaf("th", &[("scope", "rowgroup"), ("rowspan", &line.runs.len().to_string())], &line.name);
                }
                self.run_cell(run);
                match fate {
                    None => self.missing(4),
                    Some(fate) if run > 0 && Some(*fate) == base => self.same(4),
                    Some(fate) => self.fate(fate, base.filter(|_| run > 0)),
                }
                self.html.close();
            }
            self.html.close();
        }
        self.end(lines.len().saturating_sub(MAX_LINES), "tasks");
    }

    fn fate(&mut self, fate: &Fate, base: Option<Fate>) {
        self.html.leaf("td", &[], &format!("{} of {}", format_count(fate.completed), format_count(fate.released)));
        self.cell(fate.worst, base.map(|b| b.worst), Measure::Length);
        self.cell(fate.mean, base.map(|b| b.mean), Measure::Length);
        match fate.judged {
            0 => {
                self.html.leaf("td", &[("class", "quiet")], "none due");
            }
            _ => self.cell(Some(fate.missed), base.map(|b| Some(b.missed)), Measure::Count),
        }
    }
}

/// How much a value differs: `−1 s, earlier`; and whether that is better.
fn change(base: u64, value: u64, measure: Measure) -> (String, bool) {
    let is_less = value < base;
    let by = value.abs_diff(base);
    let sign = if is_less { '−' } else { '+' };
    let text = match (measure, is_less) {
        (Measure::Instant, true) => format!("{sign}{}, earlier", format_time(by)),
        (Measure::Instant, false) => format!("{sign}{}, later", format_time(by)),
        (Measure::Length, true) => format!("{sign}{}, shorter", format_time(by)),
        (Measure::Length, false) => format!("{sign}{}, longer", format_time(by)),
        (Measure::Count, true) => format!("{sign}{}, fewer", format_count(by)),
        (Measure::Count, false) => format!("{sign}{}, more", format_count(by)),
    };
    (text, is_less)
}
