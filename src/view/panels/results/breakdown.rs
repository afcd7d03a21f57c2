//! Where the response time of every kernel and copy went, as stacked bars and as a table.
//!
//! Depends on the rest of the panel. Invariant: the parts of a bar add up to its length, and those
//! of a row of the table to its response time.

use super::{MAX_KERNELS, Subject, close_table, count_cell, more, note, open_details, open_section, open_table, time_cell, width};
use crate::trace::op_name;
use crate::units::RowId;
use crate::view::markup::Markup;
use crate::view::palette;
use crate::view::results::unit::{TimeUnit, percent};
use crate::view::results::{KernelResult, Part};

/// The whole width, in hundredths of a percent.
const WHOLE: u128 = 10_000;

pub(super) fn section(html: &mut Markup, subject: &Subject<'_>) {
    let kernels = &subject.results.kernels;
    if kernels.is_empty() {
        return;
    }
    let shown = &kernels[..kernels.len().min(MAX_KERNELS)];
    let longest = shown.iter().map(mean).max().unwrap_or(0).max(1);
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| shown.iter().any(|k| time_of(k, *part) > 0)).collect();
    open_section(html, "breakdown", "Where the response times go");
    html.open("ul", &[("class", "res-legend")]);
    for &part in &parts {
        html.open("li", &[]).leaf("span", &[("class", &format!("res-swatch {}", pattern(part))), ("style", &colour(subject, part))], "");
        html.text(part.label()).close();
    }
    html.close();
    let unit = TimeUnit::for_greatest(longest);
    html.open("ul", &[("class", "res-bars")]);
    for kernel in shown {
        bar(html, subject, kernel, longest, unit);
    }
    html.close();
    more(html, kernels.len(), MAX_KERNELS);
    note(html, "A bar is the mean over the jobs, from the issue to the completion or to the end of the run.");
    table(html, subject, shown, &parts);
    html.close();
}

fn bar(html: &mut Markup, subject: &Subject<'_>, kernel: &KernelResult, longest: u128, unit: TimeUnit) {
    let name = op_name(&subject.trace.scenario().row(kernel.row).name, kernel.kind);
    let told = kernel.parts.iter().map(|&(part, time)| format!("{} {}", part.label(), percent(time, kernel.response)));
    let told = format!("{name}: {}", told.collect::<Vec<_>>().join(", "));
    html.open("li", &[]).leaf("span", &[("class", "res-bar-name"), ("data-row", &kernel.row.0.to_string())], &name);
    html.open("span", &[("class", "res-bar")])
        .open("span", &[("class", "res-stack"), ("style", &width(mean(kernel) * WHOLE / longest)), ("role", "img"), ("aria-label", &told)]);
    // By the sums up to each part, so that the widths add up whatever is rounded.
    let (mut before, mut begin) = (0, 0);
    for &(part, time) in &kernel.parts {
        before += time;
        let end = before * WHOLE / kernel.response;
        let style = format!("{};{}", width(end - begin), colour(subject, part));
        let title = format!("{}: {} {} of {}", part.label(), unit.exact(time), unit.name, percent(time, kernel.response));
        html.leaf("span", &[("class", pattern(part)), ("style", &style), ("title", &title)], "");
        begin = end;
    }
    html.close().close();
    let mean = format!("{} {}", unit.short(mean(kernel)), unit.name);
    let text = if kernel.count == 1 { mean } else { format!("{mean} × {}", kernel.count) };
    html.leaf("span", &[("class", "res-bar-sum")], &text).close();
}

/// The sums over the jobs; of parts that appear in none there is no column.
fn table(html: &mut Markup, subject: &Subject<'_>, kernels: &[KernelResult], parts: &[Part]) {
    let unit = TimeUnit::for_greatest(kernels.iter().map(|k| k.response).max().unwrap_or(0));
    let response = format!("#response ({})", unit.name);
    let mut head = vec!["Operation", "#issued", &response];
    let labels: Vec<String> = parts.iter().map(|part| format!("#{}", part.label())).collect();
    head.extend(labels.iter().map(String::as_str));
    open_details(html, "The same as a table: sums over the jobs");
    open_table(html, "Response times and their parts, summed over the jobs; the parts add up to the response time", &head);
    for kernel in kernels {
        let name = op_name(&subject.trace.scenario().row(kernel.row).name, kernel.kind);
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &name);
        count_cell(html, kernel.count);
        time_cell(html, unit, Some(kernel.response));
        for &part in parts {
            time_cell(html, unit, Some(time_of(kernel, part)).filter(|&time| time > 0));
        }
        html.close();
    }
    close_table(html);
    html.close();
}

fn mean(kernel: &KernelResult) -> u128 {
    kernel.response / u128::from(kernel.count.max(1))
}

fn time_of(kernel: &KernelResult, part: Part) -> u128 {
    kernel.parts.iter().find(|(of, _)| *of == part).map_or(0, |&(_, time)| time)
}

/// Colours repeat after eight parts and patterns change with every one, so no two look the same.
fn colour(subject: &Subject<'_>, part: Part) -> String {
    // Blue for execution, grey for suspension.
    const ORDER: [u32; 8] = [0, 7, 4, 3, 2, 6, 1, 5];
    let i = part.index();
    format!("--p:{}", palette::colour_of(RowId(ORDER[i % ORDER.len()]), subject.is_dark).css())
}

fn pattern(part: Part) -> &'static str {
    const PATTERNS: [&str; 5] = ["res-p0", "res-p1", "res-p2", "res-p3", "res-p4"];
    PATTERNS[part.index() % PATTERNS.len()]
}
