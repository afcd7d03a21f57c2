//! The pictures of the page and of saved files.
//!
//! Invariant: what is saved is drawn as what is on the page, on a light ground; a sheet stands alone, with a title and words for those
//! who cannot see it.

use serde::{Deserialize, Serialize};

use super::files::NothingToSave;
use super::scene::{Scene, bar, lanes, time};
use super::state::{Setup, State};
use blockstep_batch::advice::Advice;
use blockstep_batch::arch::Arch;
use blockstep_batch::run::{Comparison, Outcome};
use blockstep_batch::state::BatchState;
use blockstep_draw::{SheetPart, sheet};
use blockstep_report::Options;
use blockstep_sim::units::Time;
use blockstep_view::batch::timeline::{self, Bar, BatchTimeline};
use blockstep_view::batch::{PictureSpot, legend, queues, trees};
use blockstep_view::frame::Frame;
use blockstep_view::queue_figure::{QueueFigure, note};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureLook {
    pub(super) is_dark: bool,
    pub(super) width_px: f64,
}

/// Width of the column of commands beside the queues, and the gap after it.
const COLUMN_PX: f64 = 310.0;
/// Of the panel, on both sides together; half as much on a phone.
const EDGES_PX: u32 = 40;
/// Of a sheet that is saved.
const SHEET_PX: f64 = 1000.0;
const ROW_PX: f64 = 24.0;
/// Where six timelines stand below each other.
const LOW_ROW_PX: f64 = 14.0;
/// Batches shown unless the whole run is.
const BATCHES: usize = 2;

impl PictureLook {
    pub(super) fn new(options: &Options) -> Self {
        let edges = if options.width_px > 500 { EDGES_PX } else { EDGES_PX / 2 };
        Self { is_dark: options.is_dark, width_px: f64::from(options.width_px.saturating_sub(edges).clamp(280, 2400)) }
    }

    /// Whether commands and queues have room beside each other.
    pub(super) fn is_wide(self) -> bool {
        self.width_px >= 860.0
    }
}

/// A picture with the words that come up where the pointer is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    pub svg: String,
    /// Its width and height, px.
    pub size_px: (f64, f64),
    pub label: String,
    /// What is in it, in the order in which it is painted.
    pub spots: Vec<PictureSpot>,
}

fn drawing(part: SheetPart<'_>, size_px: (f64, f64), label: &str, spots: Vec<PictureSpot>, is_dark: bool) -> Drawing {
    Drawing { svg: sheet(&[part], label, label, is_dark), size_px, label: label.to_owned(), spots }
}

pub(super) fn queue_drawing(scene: &Scene, state: &BatchState, look: PictureLook) -> Drawing {
    let room = if look.is_wide() { look.width_px - COLUMN_PX } else { look.width_px };
    let (figure, spots) = queue_figure(scene, state, room);
    let size = (figure.width_px, figure.height_px);
    drawing(SheetPart::Diagram(&figure), size, "Hardware queues at this step; a list below has the same data", spots, look.is_dark)
}

fn queue_figure(scene: &Scene, state: &BatchState, width_px: f64) -> (QueueFigure, Vec<PictureSpot>) {
    queues::diagram(&scene.run, state, &scene.held(), scene.latest_command(), width_px)
}

/// Copies and kernels of a batch over time.
pub(super) fn batch_timeline(scene: &Scene) -> BatchTimeline {
    BatchTimeline { lanes: lanes(&scene.arch), bars: scene.bars(), end: scene.run.end.max(Time(1)), row_px: ROW_PX }
}

/// Until when the timelines of all schedulers are shown.
pub(super) fn shown_to(ours: &Comparison, is_whole: bool) -> Time {
    let end = |outcome: &Outcome| {
        if is_whole { outcome.end } else { outcome.batches[..outcome.batches.len().min(BATCHES)].last().map_or(outcome.end, |b| b.end) }
    };
    ours.outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).map(end).max().unwrap_or(Time(1)).max(Time(1))
}

/// The timeline of a scheduler until `to`.
pub(super) fn outcome_drawing(arch: &Arch, outcome: &Outcome, names: &[&str], to: Time, look: PictureLook) -> Drawing {
    let (frame, spots) = outcome_frame(arch, outcome, names, to, look.width_px);
    let label = format!("Timeline of {}; the table below has its numbers", outcome.scheduler.name());
    drawing(SheetPart::Frame(&frame), (frame.width_px, frame.height_px), &label, spots, look.is_dark)
}

fn outcome_frame(arch: &Arch, outcome: &Outcome, names: &[&str], to: Time, width_px: f64) -> (Frame, Vec<PictureSpot>) {
    let operations = outcome.operations().filter(|op| op.time.start < to);
    let bars: Vec<Bar> = operations.map(|op| bar(arch, op.op, op.task, op.time, names[op.task])).collect();
    let timeline = BatchTimeline { lanes: lanes(arch), bars, end: outcome.end, row_px: LOW_ROW_PX };
    let frame = timeline.frame(&timeline::fit(to, width_px), None);
    let spots = timeline.spots(&frame);
    (frame, spots)
}

/// A picture that can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BatchPicture {
    Timeline,
    Queues,
    Comparison,
    Advice,
    Family,
}

impl BatchPicture {
    /// The end of its file's name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Timeline => "timeline",
            Self::Queues => "queues",
            Self::Comparison => "compare",
            Self::Advice => "advice",
            Self::Family => "family",
        }
    }

    /// The picture, as SVG.
    ///
    /// # Errors
    /// Why there is nothing to draw.
    pub(super) fn svg(self, state: &State) -> Result<String, NothingToSave> {
        let setup = state.setup();
        match self {
            Self::Timeline | Self::Queues => {
                let scene = Scene::new(setup).map_err(|_| NothingToSave::NoBatch)?;
                Ok(if self == Self::Queues { queue_sheet(setup, &scene) } else { batch_sheet(setup, &scene) })
            }
            Self::Comparison => comparison_sheet(setup),
            Self::Advice => {
                let workload = setup.workload().map_err(|_| NothingToSave::WrongWorkload)?;
                let tree = trees::picture(&trees::advice(&Advice::new(&workload, &setup.arch())), SHEET_PX);
                let words = note("Drawn from [MT] Table III, section 7 and the conclusions; the path of this workload is bold.", SHEET_PX);
                Ok(titled(
                    &format!("Which scheduler for \"{}\"", workload.name()),
                    &[SheetPart::Diagram(&tree), SheetPart::Diagram(&words)],
                ))
            }
            Self::Family => {
                let tree = trees::picture(&trees::taxonomy(), SHEET_PX);
                Ok(titled("The six schedulers, after [MT] Fig. 1", &[SheetPart::Diagram(&tree)]))
            }
        }
    }
}

fn titled(title: &str, parts: &[SheetPart<'_>]) -> String {
    sheet(&[&[SheetPart::Title(title)], parts].concat(), title, title, false)
}

/// Which batch it is, and where the reader stands in it.
fn title_of(setup: &Setup, scene: &Scene) -> String {
    let of = if setup.is_tables() { "Tables I and II".to_owned() } else { format!("{}, {}", setup.name, setup.by.name()) };
    format!("{of} · {}: step {} of {}, {}", scene.arch.name, scene.at, scene.run.steps.len(), time(scene.time()))
}

fn batch_sheet(setup: &Setup, scene: &Scene) -> String {
    let timeline = batch_timeline(scene);
    let frame = timeline.frame(&timeline::fit(timeline.end, SHEET_PX), Some(scene.time()));
    titled(&title_of(setup, scene), &[SheetPart::Frame(&frame)])
}

fn queue_sheet(setup: &Setup, scene: &Scene) -> String {
    let words = note("Hardware queues, heads on top. Thin lines: true dependencies. Bold: false dependencies.", SHEET_PX);
    let (figure, _) = queue_figure(scene, &scene.state(), SHEET_PX);
    titled(&title_of(setup, scene), &[SheetPart::Diagram(&words), SheetPart::Diagram(&figure)])
}

fn comparison_sheet(setup: &Setup) -> Result<String, NothingToSave> {
    let (workload, arch) = (setup.workload().map_err(|_| NothingToSave::WrongWorkload)?, setup.arch());
    let ours = Comparison::new(&workload, &arch, setup.methods);
    let names: Vec<&str> = workload.tasks().iter().map(|task| task.name.as_str()).collect();
    let to = shown_to(&ours, setup.is_whole);
    let colours = legend(&names, SHEET_PX);
    // A title each, and a timeline where it runs.
    let timelines: Vec<(String, Option<Frame>)> = ours
        .outcomes
        .iter()
        .map(|(id, outcome)| match outcome {
            Ok(outcome) => {
                let performance = ours.performance(*id).map_or("–".to_owned(), |p| format!("{p}×"));
                (format!("{}: {performance}", id.name()), Some(outcome_frame(&arch, outcome, &names, to, SHEET_PX).0))
            }
            Err(why) => (format!("{}: not on this GPU: {why}", id.name()), None),
        })
        .collect();
    let mut parts = vec![SheetPart::Diagram(&colours)];
    for (title, frame) in &timelines {
        parts.push(SheetPart::Title(title));
        parts.extend(frame.as_ref().map(SheetPart::Frame));
    }
    Ok(titled(&format!("{} · {}", workload.name(), arch.name), &parts))
}
