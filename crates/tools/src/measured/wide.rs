//! The part under the page's timeline: the measured blocks by SM, with the simulated ones over them.
//!
//! Invariants: laid over a run, the picture lines up with the page's timeline; all that it shows is in words and in a table too.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::folded::{Folded, folded};
use super::later;
use super::loaded::Loaded;
use super::state::{Fold, State};
use crate::runs::Runs;
use crate::tool::ReaderPlace;
use blockstep_draw as draw;
use blockstep_sim::check::measured::Conformance;
use blockstep_sim::language::{one_or, s};
use blockstep_sim::units::{RowId, Time};
use blockstep_view::frame::Frame;
use blockstep_view::measured::{Area, BlockAt, Layout, Picture};
use blockstep_view::palette;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::time_scale::TimeScale;

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

/// The part under the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredWide {
    pub heading: String,
    /// Whether only a part of the logs is in sight, where they are not laid over a run.
    pub is_part: bool,
    pub svg: String,
    /// What is to be seen, for those who do not see it.
    pub description: String,
    /// Width and height of the picture, px.
    pub size: (u32, u32),
    pub outlines: Vec<Area>,
    /// That these are left out, where there are too many.
    pub left_out: Option<String>,
    pub marks: Vec<BlockMark>,
    pub pointed: Vec<PointedBlock>,
    pub legend: Vec<LegendLine>,
    pub table: BlockTable,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockMark {
    pub area: Area,
    pub kind: MarkKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MarkKind {
    Broken,
    Chosen,
    /// A block that those should have waited for.
    Awaited,
}

/// A block that tells what it is when pointed at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointedBlock {
    pub area: Area,
    /// When it began in the run that the logs are laid over.
    pub at: Option<Time>,
    pub tip: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegendLine {
    pub sign: LegendSign,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LegendSign {
    /// A kernel's color, as `#rrggbb`.
    Kernel(String),
    More,
    Simulated,
    Broken,
    Awaited,
    Arrows,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockTable {
    pub heads: Vec<String>,
    pub rows: Folded<Vec<String>>,
    pub more: Option<String>,
}

struct Canvas<'a> {
    loaded: &'a Loaded<'a>,
    picture: Arc<Picture>,
    scale: TimeScale,
    height: f64,
    /// The measured instant at the picture's 0, ns.
    zero_ns: i64,
    rows: Vec<Vec<RowId>>,
}

pub(super) fn wide(state: &State, loaded: &Loaded<'_>, found: &Conformance, place: &ReaderPlace, runs: &mut Runs) -> MeasuredWide {
    let canvas = Canvas::new(state, loaded, place, runs);
    let heading = if loaded.is_generated { "Generated blocks, by SM" } else { "Measured blocks, by SM" };
    let cursor = loaded.laid.as_ref().map(|_| place.at);
    let selected = place.selected.filter(|_| loaded.laid.is_some());
    let frame = canvas.picture.frame(&canvas.scale, canvas.height, cursor, selected);
    let description = description(loaded, found);
    let outlines = canvas.outlines();
    MeasuredWide {
        heading: heading.to_owned(),
        is_part: loaded.laid.is_none() && state.part().is_some(),
        svg: draw::stacked(&[("", &frame)], heading, &description, place.options.is_dark),
        description,
        size: (frame.width_px.ceil() as u32, frame.height_px.ceil() as u32),
        left_out: outlines.is_none().then(|| {
            let most = format_count(MAX_OUTLINES as u64);
            format!("More than {most} simulated blocks are in view, so their outlines are hidden. Zoom in to see them.")
        }),
        outlines: outlines.unwrap_or_default(),
        marks: canvas.marks(state, found),
        pointed: canvas.pointed(&frame),
        legend: canvas.legend(state, found, place.options.is_dark),
        table: canvas.table(state),
    }
}

/// What the picture shows, for those who do not see it.
fn description(loaded: &Loaded<'_>, found: &Conformance) -> String {
    let blocks = loaded.measured.blocks().count();
    let sms: std::collections::BTreeSet<Option<u32>> = loaded.measured.blocks().map(|block| block.sm).collect();
    let over = loaded.laid.as_ref().map(|laid| (laid.fit.blocks.len(), laid.fit.typical_ns()));
    described(blocks, sms.len(), over, found.violations.len())
}

impl<'a> Canvas<'a> {
    fn new(state: &State, loaded: &'a Loaded<'a>, place: &ReaderPlace, runs: &mut Runs) -> Self {
        let rows_on_screen = place.simulation.run.trace.scenario().rows().len();
        let row = |log: usize, kernel: usize| match &loaded.laid {
            Some(laid) => match laid.of_kernel[log][kernel] {
                Some(of) => place.simulation.run.trace.op(laid.fit.kernels[of].op).row,
                None => RowId::at(rows_on_screen + log),
            },
            None => RowId::at(log),
        };
        let rows: Vec<Vec<RowId>> = loaded
            .measured
            .logs
            .iter()
            .enumerate()
            .map(|(log, of)| (0..of.kernels.len()).map(|kernel| row(log, kernel)).collect())
            .collect();
        let zero_ns = loaded.laid.as_ref().map_or_else(|| loaded.measured.extent().map_or(0, |(from, _)| from), |laid| laid.fit.offset_ns);
        let layout =
            Layout { sms: loaded.device.sms, threads_per_sm: loaded.device.threads_per_sm, zero_ns, rows: &rows, names: &loaded.names };
        let key = format!("{} {} {zero_ns}", layout.sms, layout.threads_per_sm);
        let over = loaded.laid.as_ref().map(|laid| &laid.simulation.run.trace);
        let picture = runs.logs.picture(&key, over, || Picture::new(&loaded.measured, &layout));
        let scale = match (&loaded.laid, state.part()) {
            (Some(_), _) => place.scale,
            (None, part) => {
                let whole = TimeScale::fit(picture.end(), place.scale.left_px(), place.scale.width_px());
                let ns = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
                part.map_or(whole, |(from, to)| whole.showing((ns(from), ns(to)), picture.end()))
            }
        };
        let height = picture.natural_height_px(place.scale.width_px() < COMPACT_PX);
        Self { loaded, picture, scale, height, zero_ns, rows }
    }

    fn is_in_sight(&self, (from, to): (u64, u64)) -> bool {
        let sight = self.scale.visible();
        to >= sight.start.ns() && from <= sight.end.ns()
    }

    /// Where the simulated blocks would be; `None` if too many are in sight.
    fn outlines(&self) -> Option<Vec<Area>> {
        let Some(laid) = &self.loaded.laid else { return Some(Vec::new()) };
        let records = &laid.simulation.records;
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
            return None;
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
        Some(areas)
    }

    /// Marks what breaks a rule, and of the violation chosen what should have come before.
    fn marks(&self, state: &State, found: &Conformance) -> Vec<BlockMark> {
        let mut marks = Vec::new();
        let mut mark =
            |at: BlockAt, kind| marks.extend(self.picture.area(&self.scale, self.height, at).map(|area| BlockMark { area, kind }));
        for (i, violation) in found.violations.iter().enumerate().filter(|(i, _)| *i < MAX_MARKED || state.see == Some(i + 1)) {
            let is_chosen = state.see == Some(i + 1);
            if let Some((log, kernel)) = violation.waits_for.filter(|_| is_chosen) {
                let blocks = self.loaded.measured.logs[log].kernels[kernel].blocks.len();
                (0..blocks.min(MAX_MARKED)).for_each(|block| mark((log, kernel, block), MarkKind::Awaited));
            }
            let kind = if is_chosen { MarkKind::Chosen } else { MarkKind::Broken };
            violation.blocks.iter().take(MAX_MARKED).for_each(|at| mark((at.log, at.launch, at.block), kind));
        }
        marks
    }

    /// Places that tell what they are, and go there.
    fn pointed(&self, frame: &Frame) -> Vec<PointedBlock> {
        let shown = frame.boxes.iter().filter(|shown| shown.hit.is_some()).take(MAX_POINTED);
        let pointed = shown.filter_map(|shown| {
            let block = self.picture.block(shown.hit?)?;
            let measured = &self.loaded.measured.logs[block.0].kernels[block.1].blocks[block.2];
            let at = self.loaded.laid.as_ref().map(|laid| laid.fit.simulated(measured.start_ns));
            Some(PointedBlock { area: [shown.x0, shown.y0, shown.x1, shown.y1], at, tip: self.tip(block) })
        });
        pointed.collect()
    }

    fn tip(&self, block: BlockAt) -> String {
        let (log, kernel, number) = block;
        let of = &self.loaded.measured.logs[log].kernels[kernel].blocks[number];
        let fit = self.loaded.laid.as_ref().and_then(|laid| Some(&laid.fit.blocks[laid.of_block(block)?]));
        let sm = of.sm.map_or("an unknown SM".to_owned(), |number| format!("SM {number}"));
        let compared = match fit.map(|fit| (fit.start_ns, fit.end_ns)) {
            None => String::new(),
            Some((start, None)) => format!("; compared with the simulation: started {}", later(start)),
            Some((start, Some(end))) => format!("; compared with the simulation: started {}, ended {}", later(start), later(end)),
        };
        let (name, start, end) = (&self.loaded.names[log][kernel], self.time(of.start_ns), self.time(of.end_ns));
        format!("{name}, block {number}, on {sm}: {start} to {end}{compared}")
    }

    /// A measured instant on the picture's axis.
    fn time(&self, ns: i64) -> String {
        let sign = if ns < self.zero_ns { "−" } else { "" };
        format!("{sign}{}", format_time(ns.abs_diff(self.zero_ns)))
    }

    fn legend(&self, state: &State, found: &Conformance, is_dark: bool) -> Vec<LegendLine> {
        let mut shown: Vec<(RowId, &str)> = Vec::new();
        for (log, of) in self.rows.iter().enumerate() {
            for (kernel, &row) in of.iter().enumerate() {
                if shown.len() <= MAX_LEGEND && !shown.iter().any(|(of, _)| *of == row) {
                    shown.push((row, &self.loaded.names[log][kernel]));
                }
            }
        }
        let line = |sign: LegendSign, text: &str| LegendLine { sign, text: text.to_owned() };
        let colour = |row: RowId| palette::colour_of(row, is_dark).css();
        let mut legend: Vec<LegendLine> =
            shown.iter().take(MAX_LEGEND).map(|(row, name)| line(LegendSign::Kernel(colour(*row)), name)).collect();
        if shown.len() > MAX_LEGEND {
            legend.push(line(LegendSign::More, "…"));
        }
        if self.loaded.laid.is_some() {
            legend.push(line(LegendSign::Simulated, "dashed: as simulated"));
        }
        if !found.violations.is_empty() {
            legend.push(line(LegendSign::Broken, "breaks a rule"));
        }
        let chosen = state.see.and_then(|n| found.violations.get(n.checked_sub(1)?));
        if chosen.is_some_and(|violation| violation.waits_for.is_some()) {
            legend.push(line(LegendSign::Awaited, "what it should have waited for"));
        }
        legend.push(line(LegendSign::Arrows, "arrows: when launches were called"));
        legend
    }

    fn table(&self, state: &State) -> BlockTable {
        let more: &[&str] = if self.loaded.laid.is_some() { &["Start difference", "End difference", "Simulated on"] } else { &[] };
        let rows = folded(state, Fold::Table, false, || self.blocks().take(MAX_TABLE).map(|at| self.row(at)).collect());
        let total = self.loaded.measured.blocks().count();
        let more_blocks = rows.is_open && total > MAX_TABLE;
        BlockTable {
            heads: ["Kernel", "Block", "SM", "Start", "End"].iter().chain(more).map(|head| (*head).to_owned()).collect(),
            rows,
            more: more_blocks
                .then(|| format!("The table shows the first {} of {}; the CSV has all.", MAX_TABLE, format_count(total as u64))),
        }
    }

    /// Every block, log by log.
    fn blocks(&self) -> impl Iterator<Item = BlockAt> {
        let logs = self.loaded.measured.logs.iter().enumerate();
        let kernels = logs.flat_map(|(log, of)| of.kernels.iter().enumerate().map(move |(kernel, launch)| (log, kernel, launch)));
        kernels.flat_map(|(log, kernel, launch)| (0..launch.blocks.len()).map(move |block| (log, kernel, block)))
    }

    fn row(&self, at: BlockAt) -> Vec<String> {
        let (log, kernel, number) = at;
        let block = &self.loaded.measured.logs[log].kernels[kernel].blocks[number];
        let sm = block.sm.map_or("?".to_owned(), |sm| sm.to_string());
        let mut cells =
            vec![self.loaded.names[log][kernel].clone(), number.to_string(), sm, self.time(block.start_ns), self.time(block.end_ns)];
        if let Some(laid) = &self.loaded.laid {
            let fit = laid.of_block(at).map(|at| &laid.fit.blocks[at]);
            cells.push(fit.map_or(String::new(), |fit| later(fit.start_ns)));
            cells.push(fit.and_then(|fit| fit.end_ns).map_or(String::new(), later));
            cells.push(fit.map_or(String::new(), |fit| format!("SM {}", laid.simulation.records.blocks[fit.record].sm.0)));
        }
        cells
    }
}

/// What the picture shows: blocks and SMs; simulated blocks with what is typical, if there are some; violations.
fn described(blocks: usize, sms: usize, over: Option<(usize, u64)>, violations: usize) -> String {
    let count = |n: usize| format_count(n as u64);
    let over = over.map_or(String::new(), |(blocks, typical_ns)| {
        let typical = format_time(typical_ns);
        format!(
            " Outlines show {} simulated block{}. The median difference of starts and ends is {typical}.",
            count(blocks),
            s(blocks as u64)
        )
    });
    let marked = if violations == 0 {
        "No violations.".to_owned()
    } else {
        format!("{} violation{} marked.", count(violations), one_or(violations as u64, " is", "s are"))
    };
    format!("{} block{} on {} SM{}.{over} {marked}", count(blocks), s(blocks as u64), count(sms), s(sms as u64))
}
