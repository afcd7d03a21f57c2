//! Where the response time of every kernel and copy went, as stacked bars and as a table.
//!
//! Depends on the rest of the panel. Invariant: the parts of a bar add up to its length, and those of a row of the table to
//! its response time.

use serde::{Deserialize, Serialize};

use super::{MAX_KERNELS, ResultsSubject, more};
use crate::palette::{self, PATTERNS, Rgb};
use crate::panels::sheet::{Sheet, SheetCell};
use crate::results::unit::{TimeUnit, percent};
use crate::results::{KernelResult, OpActivity};
use blockstep_sim::trace::name_in;
use blockstep_sim::units::RowId;

/// The whole width, in hundredths of a percent.
const WHOLE: u128 = 10_000;

/// Where the response times went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The parts that there are.
    pub legend: Vec<Swatch>,
    /// A bar for each operation.
    pub bars: Vec<Bar>,
    /// How many operations are not shown.
    pub more: Option<String>,
    /// The same as a table.
    pub table: Sheet,
}

/// How a part looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartLook {
    /// Its color.
    pub colour: Rgb,
    /// Its pattern, by number: 0 is none.
    pub pattern: u8,
}

/// A part in the legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swatch {
    /// How it looks.
    pub look: PartLook,
    /// What it is called.
    pub label: String,
}

/// The mean response time of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// The operation.
    pub name: String,
    /// Its parts in words.
    pub told: String,
    /// Its length, in hundredths of a percent of the longest.
    pub length: u32,
    /// Its parts, in order.
    pub parts: Vec<BarPart>,
    /// Its mean, and of how many.
    pub sum: String,
}

/// A part of a bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarPart {
    /// How it looks.
    pub look: PartLook,
    /// Its length, in hundredths of a percent of the bar.
    pub length: u32,
    /// What it is and how long, for where the pointer rests.
    pub title: String,
}

pub(super) fn section(subject: &ResultsSubject<'_>) -> Option<Breakdown> {
    let kernels = &subject.results.kernels;
    if kernels.is_empty() {
        return None;
    }
    let shown = &kernels[..kernels.len().min(MAX_KERNELS)];
    let longest = shown.iter().map(mean).max().unwrap_or(0).max(1);
    let parts: Vec<OpActivity> = OpActivity::ALL.into_iter().filter(|part| shown.iter().any(|k| time_of(k, *part) > 0)).collect();
    let unit = TimeUnit::for_greatest(longest);
    Some(Breakdown {
        legend: parts.iter().map(|&part| Swatch { look: look(subject, part), label: part.label().to_owned() }).collect(),
        bars: shown.iter().map(|kernel| bar(subject, kernel, longest, unit)).collect(),
        more: more(kernels.len(), MAX_KERNELS),
        table: table(subject, shown, &parts),
    })
}

fn bar(subject: &ResultsSubject<'_>, kernel: &KernelResult, longest: u128, unit: TimeUnit) -> Bar {
    let name = name_in(subject.trace.scenario().row(kernel.row), kernel.kind);
    let told = kernel.parts.iter().map(|&(part, time)| format!("{} {}", part.label(), percent(time, kernel.response)));
    let told = format!("{name}: {}", told.collect::<Vec<_>>().join(", "));
    // By the sums up to each part, so that the widths add up whatever is rounded.
    let (mut before, mut begin) = (0, 0);
    let mut parts = Vec::new();
    for &(part, time) in &kernel.parts {
        before += time;
        let end = before * WHOLE / kernel.response;
        let title = format!("{}: {} {}, {}", part.label(), unit.exact(time), unit.name, percent(time, kernel.response));
        parts.push(BarPart { look: look(subject, part), length: (end - begin) as u32, title });
        begin = end;
    }
    let sum = format!("{} {}", unit.short(mean(kernel)), unit.name);
    let sum = if kernel.count == 1 { sum } else { format!("{sum} × {}", kernel.count) };
    Bar { name, told, length: (mean(kernel) * WHOLE / longest) as u32, parts, sum }
}

/// The sums over the jobs; of parts that appear in none there is no column.
fn table(subject: &ResultsSubject<'_>, kernels: &[KernelResult], parts: &[OpActivity]) -> Sheet {
    let unit = TimeUnit::for_greatest(kernels.iter().map(|k| k.response).max().unwrap_or(0));
    let response = format!("#response ({})", unit.name);
    let mut head = vec!["Operation", "#issued", &response];
    let labels: Vec<String> = parts.iter().map(|part| format!("#{}", part.label())).collect();
    head.extend(labels.iter().map(String::as_str));
    let mut sheet = Sheet::new("Response times and their parts, summed over the jobs. The parts add up to the response time", &head);
    for kernel in kernels {
        let mut cells = vec![SheetCell::count(kernel.count), SheetCell::time(unit, Some(kernel.response))];
        cells.extend(parts.iter().map(|&part| SheetCell::time(unit, Some(time_of(kernel, part)).filter(|&time| time > 0))));
        sheet.push(Some(name_in(subject.trace.scenario().row(kernel.row), kernel.kind)), cells);
    }
    sheet
}

fn mean(kernel: &KernelResult) -> u128 {
    kernel.response / u128::from(kernel.count.max(1))
}

fn time_of(kernel: &KernelResult, part: OpActivity) -> u128 {
    kernel.parts.iter().find(|(of, _)| *of == part).map_or(0, |&(_, time)| time)
}

/// Eight hues, then the same paler and darker without those that come near another; patterns change with every part.
fn look(subject: &ResultsSubject<'_>, part: OpActivity) -> PartLook {
    // Blue for execution, gray for suspension.
    const ROWS: [u32; OpActivity::ALL.len()] = [0, 7, 4, 3, 2, 6, 1, 5, 10, 11, 12, 13, 9, 14, 16, 17, 18, 19, 21, 22, 23, 8];
    let i = part.index();
    PartLook { colour: palette::colour_of(RowId(ROWS[i]), subject.is_dark), pattern: (i % PATTERNS.len()) as u8 }
}
