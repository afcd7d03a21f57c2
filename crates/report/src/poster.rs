//! The picture that stands for a run in another page until a reader wants to step through it.
//!
//! Depends on `view` and `draw`. Invariant: no poster is larger than [`MAX_BYTES`], as readers load it with the page around it;
//! of a long run it shows a part around the step.

use std::slice;

use blockstep_draw::{self as draw, SheetPart};
use blockstep_format::Embed;
use blockstep_sim::engine::Run;
use blockstep_view::position::Stop;
use blockstep_view::timeline::Timeline;
use blockstep_view::{queue_figure, sentence};

/// Largest poster, in bytes.
pub const MAX_BYTES: usize = 45_000;

/// Width, px: letters are to be read on a phone, where a poster is drawn at half its size.
const WIDTH: f64 = 680.0;

/// How often a timeline that is too large is halved.
const MOST_HALVINGS: usize = 40;

/// A poster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poster {
    /// As an SVG document on one line.
    pub svg: String,
    /// How much of it, from the top, is the timeline, px; the rest is the queue diagram.
    pub timeline_px: u32,
}

/// The poster of a run at a stop, with `shown` of its timeline (ns; `None` for all) and the view that a frame is to show. Where both
/// timeline and queues are too large for one picture, it is the timeline. `None` if nothing is small enough.
#[must_use]
pub fn poster(run: &Run, timeline: &Timeline, stop: Stop, shown: Option<(i64, i64)>, view: Embed) -> Option<Poster> {
    let trace = &run.trace;
    let name = trace.variants().title(trace.scenario().name());
    let name = name_or_ours(&name);
    let sentence = sentence::spoken(trace, stop);
    let timeline_px = timeline.natural_height_px(false).ceil();
    let sheet = |parts: &[SheetPart<'_>]| {
        let svg = compact(&draw::sheet(parts, name, &sentence, false));
        let is_timeline = |part: &SheetPart<'_>| matches!(part, SheetPart::Frame(_));
        let timeline_px = if parts.iter().any(is_timeline) { timeline_px as u32 } else { 0 };
        Some(Poster { svg, timeline_px }).filter(|poster| poster.svg.len() <= MAX_BYTES)
    };

    let inset = queue_figure::inset(&mut run.replay(), stop);
    let queues = queue_figure::strip(slice::from_ref(&inset), 1, WIDTH, true);
    let frame = |(from, to)| {
        let scale = timeline.fit(WIDTH).showing((from, to), timeline.end());
        timeline.frame(&scale, timeline_px, Some(stop.at), None)
    };
    let whole = shown.filter(|(from, to)| from < to).unwrap_or((0, i64::try_from(timeline.end().ns()).unwrap_or(i64::MAX)));
    let halved = || {
        let mut part = whole;
        (0..MOST_HALVINGS).find_map(|_| {
            let poster = sheet(&[SheetPart::Frame(&frame(part))]);
            part = half_around(part, i64::try_from(stop.at.ns()).unwrap_or(i64::MAX));
            poster
        })
    };
    match view {
        Embed::Queues => sheet(&[SheetPart::Diagram(&queues)]),
        Embed::Both => sheet(&[SheetPart::Frame(&frame(whole)), SheetPart::Diagram(&queues)]).or_else(halved),
        Embed::Timeline => halved(),
    }
}

/// The timeline alone under the run's name, without a line at a step, as an SVG document of at most so many bytes: of a long run its
/// beginning, as much of it as fits. `None` if nothing is small enough.
#[must_use]
pub fn timeline_within(max_bytes: usize, run: &Run, timeline: &Timeline) -> Option<String> {
    let name = run.trace.variants().title(run.trace.scenario().name());
    let mut end = i64::try_from(timeline.end().ns()).unwrap_or(i64::MAX);
    (0..MOST_HALVINGS).find_map(|_| {
        let scale = timeline.fit(WIDTH).showing((0, end), timeline.end());
        let frame = timeline.frame(&scale, timeline.natural_height_px(false).ceil(), None, None);
        let parts = [SheetPart::Title(&name), SheetPart::Frame(&frame)];
        end = (end / 2).max(1);
        Some(compact(&draw::sheet(&parts, name_or_ours(&name), &timeline.summary(), false))).filter(|svg| svg.len() <= max_bytes)
    })
}

/// What a picture of a run without a name is called.
fn name_or_ours(name: &str) -> &str {
    if name.is_empty() { "Blockstep" } else { name }
}

/// Half of a part of the timeline, with an instant in its middle if that leaves it within the part.
fn half_around((from, to): (i64, i64), at: i64) -> (i64, i64) {
    let half = (to.saturating_sub(from) / 2).max(1);
    let start = at.saturating_sub(half / 2).clamp(from, to.saturating_sub(half).max(from));
    (start, start.saturating_add(half))
}

/// The same picture in fewer letters: what plotters says of every shape although it is the usual, and ends of lines, are left out. Only
/// lines that are tags are changed; texts have lines of their own.
fn compact(svg: &str) -> String {
    let tag = |line: &str| line.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "");
    svg.lines().map(|line| if line.starts_with('<') { tag(line) } else { line.to_owned() }).collect()
}
