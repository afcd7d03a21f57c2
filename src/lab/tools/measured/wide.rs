//! The wide part under the page's timeline: the measured blocks by SM, with the simulated ones over them.
//!
//! Depends on `draw` and `view::measured`. Invariants: laid over a run, the picture lines up with the page's timeline;
//! all that it shows is in words and in a table too.

use std::sync::Arc;

use super::words::later;
use super::{Act, Here, Runs, State, View, conform};
use crate::check::measured::{Conformance, Violation};
use crate::draw;
use crate::units::RowId;
use crate::view::frame::Frame;
use crate::view::markup::Markup;
use crate::view::measured::{Area, BlockAt, Layout, Picture};
use crate::view::palette;
use crate::view::quantity::{format_count, format_time};
use crate::view::time_scale::TimeScale;

/// Pictures narrower than this are compact.
const COMPACT_PX: f64 = 640.0;
/// Most simulated blocks that are drawn over the picture.
const MAX_OUTLINES: usize = 2_000;
/// Most places that tell what they are when pointed at.
const MAX_POINTED: usize = 600;
/// Most blocks in the table.
const MAX_TABLE: usize = 200;
/// Most names in the legend.
const MAX_LEGEND: usize = 12;
/// Most violations that are marked; the one chosen always is.
const MAX_MARKED: usize = 100;

/// What the picture is drawn with.
struct Canvas<'a> {
    view: &'a View<'a>,
    picture: Arc<Picture>,
    scale: TimeScale,
    height: f64,
    /// The measured instant at the picture's 0, ns.
    zero_ns: i64,
    rows: Vec<Vec<RowId>>,
}

/// Shows a violation: where it is in the run, or in the logs alone.
pub(super) fn visit(state: &mut State, view: &View<'_>, violation: &Violation) -> Vec<Act> {
    let said = Act::Say(violation.sentence.clone());
    if let Some(laid) = &view.laid {
        return vec![Act::GoTime(laid.fit.simulated(violation.at_ns)), said];
    }
    let zero = view.measured.extent().map_or(0, |(from, _)| from);
    let from_zero = |ns: i64| if ns > zero { ns.abs_diff(zero) } else { 0 };
    let (from, to) = conform::extent(view, violation);
    let (from, to) = (from_zero(from), from_zero(to));
    let around = (to - from).max(1_000);
    state.part = Some((from.saturating_sub(around), to.saturating_add(around)));
    vec![said]
}

pub(super) fn wide(state: &State, view: &View<'_>, found: &Conformance, here: &Here, runs: &mut Runs) -> String {
    let canvas = Canvas::new(state, view, here, runs);
    let mut html = Markup::new();
    html.open("div", &[("class", "measured-wide")]);
    let heading = if view.is_made_up { "Simulation-up blocks, by SM" } else { "Measured blocks, by SM" };
    html.leaf("h3", &[], heading);
    if view.laid.is_none() && state.part.is_some() {
        html.leaf(
            "button",
            &[("type", "button"), ("class", "small"), ("data-do", "whole"), ("data-keep", "measured-whole")],
            "Show the whole run",
        );
    }
    let cursor = view.laid.as_ref().map(|_| here.at);
    let selected = here.selected.filter(|_| view.laid.is_some());
    let frame = canvas.picture.frame(&canvas.scale, canvas.height, cursor, selected);
    let svg = draw::stacked(&[("", &frame)], heading, &description(view, found), here.options.is_dark);
    let (outlines, is_all) = canvas.outlines();
    let mut over = Markup::new();
    for area in outlines {
        rect(&mut over, area, "measured-simulated").close();
    }
    canvas.marks(&mut over, state, found);
    canvas.pointed(&mut over, &frame);
    html.open("div", &[("class", "compare-picture measured-picture")]);
    match svg.rfind("</svg>") {
        Some(end) => html.markup(&svg[..end]).markup(&over.finish()).markup(&svg[end..]),
        None => html.markup(&svg),
    };
    html.close();
    canvas.legend(&mut html, state, found, here);
    if !is_all {
        let most = format_count(MAX_OUTLINES as u64);
        html.leaf(
            "p",
            &[("class", "tool-note")],
            &format!("Outlines of the simulated blocks are left out where more than {most} are in sight: zoom in to see them."),
        );
    }
    if state.fold(&mut html, "table", "The blocks as a table", false) {
        canvas.table(&mut html);
    }
    html.finish()
}

/// What the picture shows, for those who do not see it.
fn description(view: &View<'_>, found: &Conformance) -> String {
    let count = |n: usize| format_count(n as u64);
    let blocks = view.measured.blocks().count();
    let sms: std::collections::BTreeSet<Option<u32>> = view.measured.blocks().map(|block| block.sm).collect();
    let over = match &view.laid {
        Some(laid) => format!(
            " Over them, as outlines, {} simulated ones; typically they start and end {} apart.",
            count(laid.fit.blocks.len()),
            format_time(laid.fit.typical_ns())
        ),
        None => String::new(),
    };
    let marked = if found.violations.is_empty() {
        "None breaks a rule.".to_owned()
    } else {
        format!("{} violations are marked.", count(found.violations.len()))
    };
    format!("{} blocks on {} SMs.{over} {marked}", count(blocks), count(sms.len()))
}

fn rect<'m>(over: &'m mut Markup, [x0, y0, x1, y1]: Area, class: &str) -> &'m mut Markup {
    let px = |n: f64| format!("{n:.1}");
    over.open("rect", &[("class", class), ("x", &px(x0)), ("y", &px(y0)), ("width", &px(x1 - x0)), ("height", &px(y1 - y0))])
}

impl<'a> Canvas<'a> {
    fn new(state: &State, view: &'a View<'a>, here: &Here, runs: &mut Runs) -> Self {
        let rows_on_screen = here.made.run.trace.scenario().rows().len();
        let row = |log: usize, kernel: usize| match &view.laid {
            Some(laid) => match laid.of_kernel[log][kernel] {
                Some(of) => here.made.run.trace.op(laid.fit.kernels[of].op).row,
                None => RowId::at(rows_on_screen + log),
            },
            None => RowId::at(log),
        };
        let rows: Vec<Vec<RowId>> =
            view.measured.logs.iter().enumerate().map(|(log, of)| (0..of.kernels.len()).map(|kernel| row(log, kernel)).collect()).collect();
        let zero_ns = view.laid.as_ref().map_or_else(|| view.measured.extent().map_or(0, |(from, _)| from), |laid| laid.fit.offset_ns);
        let layout = Layout { sms: view.device.sms, threads_per_sm: view.device.threads_per_sm, zero_ns, rows: &rows, names: &view.names };
        let key = format!("{} {} {zero_ns}", layout.sms, layout.threads_per_sm);
        let over = view.laid.as_ref().map(|laid| &laid.made.run.trace);
        let picture = runs.logs.picture(&key, over, || Picture::new(&view.measured, &layout));
        let scale = match (&view.laid, state.part) {
            (Some(_), _) => here.scale,
            (None, part) => {
                let whole = TimeScale::fit(picture.end(), here.scale.left_px(), here.scale.width_px());
                let ns = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
                part.map_or(whole, |(from, to)| whole.showing((ns(from), ns(to)), picture.end()))
            }
        };
        let height = picture.natural_height_px(here.scale.width_px() < COMPACT_PX);
        Self { view, picture, scale, height, zero_ns, rows }
    }

    fn is_in_sight(&self, (from, to): (u64, u64)) -> bool {
        let sight = self.scale.visible();
        to >= sight.start.ns() && from <= sight.end.ns()
    }

    /// Where the simulated blocks would be; whether these are all that are in sight.
    fn outlines(&self) -> (Vec<Area>, bool) {
        let Some(laid) = &self.view.laid else { return (Vec::new(), true) };
        let records = &laid.made.records;
        let times = |record: usize| {
            let block = &records.blocks[record];
            (block.start.ns(), block.end.unwrap_or(records.end()).ns())
        };
        let matched = laid.fit.kernels.iter().flat_map(|k| laid.fit.blocks[k.blocks.clone()].iter().map(move |b| (k, b)));
        let matched = matched.filter(|(_, block)| self.is_in_sight(times(block.record)));
        let alone = laid.fit.only_simulated.iter().flat_map(|&op| records.blocks_of(op)).map(|&record| record as usize);
        let alone: Vec<usize> = alone.filter(|&record| self.is_in_sight(times(record))).take(MAX_OUTLINES + 1).collect();
        let matched: Vec<_> = matched.take(MAX_OUTLINES + 1).collect();
        if matched.len() + alone.len() > MAX_OUTLINES {
            return (Vec::new(), false);
        }
        let on_lane =
            |record: usize| self.picture.lane_area(&self.scale, self.height, u32::from(records.blocks[record].sm.0), times(record));
        let mut areas: Vec<Area> = Vec::new();
        for (kernel, block) in matched {
            areas.extend(if block.is_moved {
                on_lane(block.record)
            } else {
                self.picture.area_if(&self.scale, self.height, (kernel.log, kernel.kernel, block.measured), times(block.record))
            });
        }
        areas.extend(alone.into_iter().filter_map(on_lane));
        (areas, true)
    }

    /// Marks what breaks a rule, and of the violation chosen what should have come before.
    fn marks(&self, over: &mut Markup, state: &State, found: &Conformance) {
        for (i, violation) in found.violations.iter().enumerate().filter(|(i, _)| *i < MAX_MARKED || state.see == Some(i + 1)) {
            let is_chosen = state.see == Some(i + 1);
            if let Some((log, kernel)) = violation.waits_for.filter(|_| is_chosen) {
                let blocks = self.view.measured.logs[log].kernels[kernel].blocks.len();
                for area in (0..blocks.min(MAX_MARKED)).filter_map(|b| self.picture.area(&self.scale, self.height, (log, kernel, b))) {
                    rect(over, area, "measured-awaited").close();
                }
            }
            let class = if is_chosen { "measured-broken is-chosen" } else { "measured-broken" };
            for at in violation.blocks.iter().take(MAX_MARKED) {
                if let Some(area) = self.picture.area(&self.scale, self.height, (at.log, at.launch, at.block)) {
                    rect(over, area, class).close();
                }
            }
        }
    }

    /// Places that tell what they are, and go there.
    fn pointed(&self, over: &mut Markup, frame: &Frame) {
        for shown in frame.boxes.iter().filter(|shown| shown.hit.is_some()).take(MAX_POINTED) {
            let Some(block) = shown.hit.and_then(|hit| self.picture.block(hit)) else { continue };
            let measured = &self.view.measured.logs[block.0].kernels[block.1].blocks[block.2];
            let go = self.view.laid.as_ref().map(|laid| laid.fit.simulated(measured.start_ns).to_string()).unwrap_or_default();
            let px = |n: f64| format!("{n:.1}");
            over.open(
                "rect",
                &[
                    ("class", "measured-block"),
                    ("x", &px(shown.x0)),
                    ("y", &px(shown.y0)),
                    ("width", &px(shown.x1 - shown.x0)),
                    ("height", &px(shown.y1 - shown.y0)),
                    ("data-go-time", &go),
                ],
            );
            over.leaf("title", &[], &self.tip(block)).close();
        }
    }

    fn tip(&self, block: BlockAt) -> String {
        let (log, kernel, number) = block;
        let of = &self.view.measured.logs[log].kernels[kernel].blocks[number];
        let sm = of.sm.map_or("an SM that is not known".to_owned(), |sm| format!("SM {sm}"));
        let mut text =
            format!("{}, block {number}, on {sm}: {} to {}", self.view.names[log][kernel], self.time(of.start_ns), self.time(of.end_ns));
        if let Some((laid, at)) = self.view.laid.as_ref().and_then(|laid| Some((laid, laid.of_block(block)?))) {
            let fit = &laid.fit.blocks[at];
            text.push_str(&format!("; started {}", later(fit.start_ns)));
            if let Some(end) = fit.end_ns {
                text.push_str(&format!(", ended {}", later(end)));
            }
            text.push_str(" than simulated");
        }
        text
    }

    /// A measured instant on the picture's axis.
    fn time(&self, ns: i64) -> String {
        let sign = if ns < self.zero_ns { "−" } else { "" };
        format!("{sign}{}", format_time(ns.abs_diff(self.zero_ns)))
    }

    fn legend(&self, html: &mut Markup, state: &State, found: &Conformance, here: &Here) {
        html.open("ul", &[("class", "measured-legend")]);
        let mut shown: Vec<(RowId, &str)> = Vec::new();
        for (log, of) in self.rows.iter().enumerate() {
            for (kernel, &row) in of.iter().enumerate() {
                if shown.len() <= MAX_LEGEND && !shown.iter().any(|(of, _)| *of == row) {
                    shown.push((row, &self.view.names[log][kernel]));
                }
            }
        }
        for (row, name) in shown.iter().take(MAX_LEGEND) {
            let style = format!("--k:{}", palette::colour_of(*row, here.options.is_dark).css());
            html.open("li", &[])
                .leaf("span", &[("class", "quiz-swatch"), ("style", &style), ("aria-hidden", "true")], "")
                .text(name)
                .close();
        }
        if shown.len() > MAX_LEGEND {
            html.leaf("li", &[], "…");
        }
        if self.view.laid.is_some() {
            html.open("li", &[])
                .leaf("span", &[("class", "measured-key measured-key-simulated"), ("aria-hidden", "true")], "")
                .text("dashed: as simulated")
                .close();
        }
        if !found.violations.is_empty() {
            html.open("li", &[])
                .leaf("span", &[("class", "measured-key measured-key-broken"), ("aria-hidden", "true")], "")
                .text("breaks a rule")
                .close();
        }
        let chosen = state.see.and_then(|n| found.violations.get(n.checked_sub(1)?));
        if chosen.is_some_and(|violation| violation.waits_for.is_some()) {
            html.open("li", &[])
                .leaf("span", &[("class", "measured-key measured-key-awaited"), ("aria-hidden", "true")], "")
                .text("what it should have waited for")
                .close();
        }
        html.leaf("li", &[("class", "quiet")], "arrows: when launches were called");
        html.close();
    }

    fn table(&self, html: &mut Markup) {
        let laid = self.view.laid.as_ref();
        let scroll = [
            ("class", "tool-scroll"),
            ("tabindex", "0"),
            ("role", "group"),
            ("aria-label", "Measured blocks"),
            ("data-keep", "measured-table"),
        ];
        html.open("div", &scroll);
        html.open("table", &[("class", "tool-table")]).open("thead", &[]).open("tr", &[]);
        let more: &[&str] = if laid.is_some() { &["Start, than simulated", "End, than simulated", "Simulated on"] } else { &[] };
        for head in ["Kernel", "Block", "SM", "Start", "End"].iter().chain(more) {
            html.leaf("th", &[("scope", "col")], head);
        }
        html.close().close().open("tbody", &[]);
        let mut left = MAX_TABLE;
        for (log, of) in self.view.measured.logs.iter().enumerate() {
            for (kernel, launch) in of.kernels.iter().enumerate() {
                for (number, block) in launch.blocks.iter().enumerate().take(left) {
                    html.open("tr", &[]).leaf("th", &[("scope", "row")], &self.view.names[log][kernel]);
                    html.leaf("td", &[], &number.to_string()).leaf("td", &[], &block.sm.map_or("?".to_owned(), |sm| sm.to_string()));
                    html.leaf("td", &[], &self.time(block.start_ns)).leaf("td", &[], &self.time(block.end_ns));
                    if let Some(laid) = laid {
                        let fit = laid.of_block((log, kernel, number)).map(|at| &laid.fit.blocks[at]);
                        html.leaf("td", &[], &fit.map_or(String::new(), |fit| later(fit.start_ns)));
                        html.leaf("td", &[], &fit.and_then(|fit| fit.end_ns).map_or(String::new(), later));
                        html.leaf("td", &[], &fit.map_or(String::new(), |fit| format!("SM {}", laid.made.records.blocks[fit.record].sm.0)));
                    }
                    html.close();
                }
                left = left.saturating_sub(launch.blocks.len());
            }
        }
        html.close().close().close();
        let total = self.view.measured.blocks().count();
        if total > MAX_TABLE {
            html.leaf(
                "p",
                &[("class", "tool-note")],
                &format!("These are the first {MAX_TABLE} of {}; the CSV has all.", format_count(total as u64)),
            );
        }
    }
}
