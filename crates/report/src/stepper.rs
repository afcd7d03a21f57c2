//! A run as what can be stepped through without the simulator: a picture, and of each step its sentence and its queues.
//!
//! Depends on `view` and `figure`. Invariants: the picture is the timeline of `figure`, nothing is drawn anew; what stands in a box is what
//! the queue diagram says there; of a step only the boxes that differ from those of the step before are kept, so that its size follows from
//! the steps, however large the device.

use std::collections::BTreeMap;

use blockstep_draw::figure::{self as drawing, Style};
use blockstep_sim::engine::Run;
use blockstep_sim::scenario::{Choice, StreamPriority};
use blockstep_sim::units::RowId;
use blockstep_view::palette::{colour_of, text_on};
use blockstep_view::position::Stop;
use blockstep_view::queues::{EngineView, Presence, QueueBox, QueuedOp, SmView, SpaceView, StreamView, queues};
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;
use serde::Serialize;

use crate::figure::{self, FigureSubject};

/// Operations of a queue that are shown; the rest is counted.
const MAX_ITEMS: usize = 12;
/// Of more SMs, nothing but the blocks is said.
const MANY_SMS: usize = 8;

/// The run, or its beginning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stepper {
    /// The timeline as an SVG document; of a beginning, as far as that goes.
    pub svg: String,
    /// What the picture shows, in words.
    pub described: String,
    /// Steps of the whole run.
    pub count: usize,
    /// Every box that is there at some step, once.
    pub boxes: Vec<StepperBox>,
    /// Colors of kernels: ground, and letters on it.
    pub colors: Vec<(String, String)>,
    /// After so many steps, from 0 on: where it is in the picture, from 0 at its left edge to 1 at its right.
    pub x: Vec<f64>,
    /// The sentence for it.
    pub said: Vec<String>,
    /// The rule of the step; none before the first.
    pub rules: Vec<&'static str>,
    /// Its boxes: how many there are, then the places that hold another box than after the step before, each with the number of that box.
    pub changes: Vec<Vec<usize>>,
}

/// A queue, an SM, a copy engine, or the name of an address space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct StepperBox {
    /// Where it stands.
    pub part: Part,
    /// Its name.
    pub label: String,
    /// What else is to be said of it; may be empty.
    pub note: String,
    /// What is in it, head first, with the number of its color if it is dispatched and not suspended.
    pub items: Vec<(String, Option<usize>)>,
    /// How many more are behind those.
    pub more: usize,
}

/// A part of the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The name of the address space whose boxes follow.
    Space,
    /// A stream queue.
    Stream,
    /// An EE or CE queue.
    Queue,
    /// An SM or a copy engine.
    Gpu,
}

impl Stepper {
    /// The first `most` steps of a run whose timeline is `timeline`, or all of them. `is_wanted` is asked after each step; `None` if it
    /// says no.
    #[must_use]
    pub fn new(run: &Run, timeline: &Timeline, most: usize, style: Style, is_wanted: &dyn Fn() -> bool) -> Option<Self> {
        let trace = &run.trace;
        let count = trace.steps().len();
        let sent = count.min(most);
        let shown = (sent < count).then(|| (0, i64::try_from(Stop::at_step(trace, sent as u32).at.ns()).unwrap_or(i64::MAX)));
        let drawn = figure::draw(run, timeline, &FigureSubject::Timeline { shown, cursor: None, selected: None }, true, style);
        let scale = drawing::timeline_scale(timeline, style.layout_px(), shown);
        let mut of = Self {
            svg: drawn.svg(),
            described: drawn.description,
            count,
            boxes: Vec::new(),
            colors: Vec::new(),
            x: Vec::new(),
            said: Vec::new(),
            rules: Vec::new(),
            changes: Vec::new(),
        };
        let (mut known, mut before, mut replay) = (BTreeMap::new(), Vec::new(), run.replay());
        for step in 0..=sent as u32 {
            if !is_wanted() {
                return None;
            }
            let stop = Stop::at_step(trace, step);
            let view = queues(trace, replay.seek(step), None, stop.at, MAX_ITEMS);
            let boxes: Vec<StepperBox> = view.spaces.iter().flat_map(|space| of.boxes_of(space)).collect();
            let number = |one: StepperBox| {
                let next = known.len();
                *known.entry(one).or_insert(next)
            };
            let boxes: Vec<usize> = boxes.into_iter().map(number).collect();
            let others = boxes.iter().enumerate().filter(|(place, one)| before.get(*place) != Some(*one));
            of.changes.push([boxes.len()].into_iter().chain(others.flat_map(|(place, one)| [place, *one])).collect());
            // Four digits: less than a pixel.
            of.x.push((scale.x_from_time(stop.at) / style.layout_px() * 1e4).round() / 1e4);
            of.said.push(spoken(trace, stop));
            of.rules.push(step.checked_sub(1).map_or("", |last| trace.steps()[last as usize].rule.id()));
            before = boxes;
        }
        let mut boxes: Vec<(StepperBox, usize)> = known.into_iter().collect();
        boxes.sort_by_key(|(_, number)| *number);
        of.boxes = boxes.into_iter().map(|(one, _)| one).collect();
        Some(of)
    }

    /// The boxes of an address space, under its name where address spaces take turns.
    fn boxes_of(&mut self, space: &SpaceView) -> Vec<StepperBox> {
        let one = |part, label: &str, note: String| StepperBox { part, label: label.to_owned(), note, items: Vec::new(), more: 0 };
        let name = space.residency.map(|residency: Presence| one(Part::Space, &space.name, residency.words().to_owned()));
        let mut boxes: Vec<StepperBox> = name.into_iter().collect();
        for stream in &space.streams {
            let items = stream.items.iter().map(|item| self.item(item)).collect();
            boxes.push(StepperBox { items, more: stream.hidden, ..one(Part::Stream, &stream.label, note(stream)) });
        }
        for QueueBox { label, items, hidden, .. } in space.ee.iter().chain(&space.ce) {
            let items = items.iter().map(|item| self.item(item)).collect();
            boxes.push(StepperBox { items, more: *hidden, ..one(Part::Queue, label, String::new()) });
        }
        for sm in &space.sms {
            let items = sm.blocks.iter().map(|group| (group.label.clone(), (!group.suspended).then(|| self.color(group.row)))).collect();
            let free = if space.sms.len() > MANY_SMS { String::new() } else { free(sm) };
            boxes.push(StepperBox { items, ..one(Part::Gpu, &format!("SM {}", sm.sm.0), free) });
        }
        for EngineView { label, item, suspended, .. } in &space.engines {
            let items = item.iter().map(|item| (item.label.clone(), (!suspended).then(|| self.color(item.row)))).collect();
            boxes.push(StepperBox { items, ..one(Part::Gpu, label, String::new()) });
        }
        boxes
    }

    fn item(&mut self, item: &QueuedOp) -> (String, Option<usize>) {
        let words = [Some(item.label.clone()), item.progress()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        (words, item.dispatched.then(|| self.color(item.row)))
    }

    /// The number of a kernel's color.
    fn color(&mut self, row: RowId) -> usize {
        let ground = colour_of(row, false);
        let color = (ground.css(), text_on(ground).css());
        self.colors.iter().position(|known| *known == color).unwrap_or_else(|| {
            self.colors.push(color);
            self.colors.len() - 1
        })
    }
}

/// What is to be said of a stream beside its name.
fn note(stream: &StreamView) -> String {
    let priority = (stream.priority != StreamPriority::None).then(|| format!("{} priority", stream.priority.word()));
    priority.into_iter().chain(stream.traits.iter().cloned()).collect::<Vec<_>>().join(", ")
}

/// What of an SM is free.
fn free(sm: &SmView) -> String {
    sm.gauges().map(|(name, _, free, _)| format!("{free} {name}")).join(", ") + " free"
}
