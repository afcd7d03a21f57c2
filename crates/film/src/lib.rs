//! Steps of a run as a picture that moves: a frame for each step, with timeline, queues and the step's sentence.
//!
//! Depends on `view`, `draw` and `report`. Invariants: a frame is the figure of its step, drawn by whoever draws the other pictures of dots;
//! all frames have one size, and what they have in common stays in its place.

mod reel;
mod webm;

use std::ops::RangeInclusive;

use blockstep_draw::figure::{Part, Picture, Style, timeline_scale};
use blockstep_report::slides::Shows;
use blockstep_sim::engine::Run;
use blockstep_sim::trace::Trace;
use blockstep_view::position::Stop;
use blockstep_view::quantity::format_count;
use blockstep_view::queue_figure::{Inset, inset, note, strip};
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;
use reel::Reel;
pub use webm::{EncodedFrame, webm};

/// Most frames.
pub const MAX_FRAMES: usize = 200;
/// How long a frame can stay, ms. Browsers show one of less than 20 ms for 100.
pub const DELAYS: RangeInclusive<u32> = 20..=60_000;
/// How long it stays if that is not said, ms: a sentence is read.
pub const DELAY_MS: u32 = 1_500;
/// Width of a film if that is not said, px.
pub const WIDTH: u32 = 800;
/// Dots of all frames together, so that no press of a button takes minutes.
const MAX_DOTS: u64 = 400_000_000;

/// What is filmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// When each frame is, in order.
    pub stops: Vec<Stop>,
    /// What is on it.
    pub shows: Shows,
    /// The part of the timeline, ns; `None` for all.
    pub shown: Option<(i64, i64)>,
    /// How it looks.
    pub style: Style,
    /// Whether the run's name stands above.
    pub has_title: bool,
    /// Whether a sentence says what the step does, and by which rule.
    pub has_captions: bool,
    /// Whether the timeline shows only what has happened by then.
    pub hides_future: bool,
    /// How long a frame stays, ms, within [`DELAYS`]; the last one stays twice as long.
    pub delay_ms: u32,
}

/// A picture of dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dots {
    /// Dots beside each other.
    pub width: u32,
    /// Dots above each other.
    pub height: u32,
    /// Red, green, blue and opacity of each dot, row by row.
    pub rgba: Vec<u8>,
}

/// Why there is no film.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilmError {
    #[error("no step was chosen for a GIF")]
    NoSteps,
    #[error("{} steps are too many for a GIF, the limit is {MAX_FRAMES}: choose some of them", format_count(*.0 as u64))]
    TooMany(usize),
    #[error(
        "a frame for each of {frames} steps, {width} x {height} pixels each, is too much for a GIF: choose fewer steps, or a smaller width or scale"
    )]
    TooLarge { frames: usize, width: u64, height: u64 },
    #[error("a frame can stay for {least} to {most} ms", least = DELAYS.start(), most = DELAYS.end())]
    Delay,
    #[error("{0}")]
    Unpainted(String),
    #[error("the pictures cannot be written as GIF: {0}")]
    Unwritten(String),
}

/// The film as a GIF that begins again when it is over. `paint` draws a picture with `scale` dots for each of its pixels.
///
/// # Errors
/// What is too much of it, with the limit; or why it cannot be drawn.
pub fn gif(
    run: &Run,
    timeline: &Timeline,
    film: &Film,
    scale: u32,
    mut paint: impl FnMut(&Picture, u32) -> Result<Dots, String>,
) -> Result<Vec<u8>, FilmError> {
    if !DELAYS.contains(&film.delay_ms) {
        return Err(FilmError::Delay);
    }
    let pictures = pictures(run, timeline, film)?;
    let (width, height) = pictures.first().map(Picture::size).ok_or(FilmError::NoSteps)?;
    let frames = pictures.len();
    let (width, height) = (u64::from(width) * u64::from(scale), u64::from(height) * u64::from(scale));
    let too_large = || FilmError::TooLarge { frames, width, height };
    let (Ok(wide), Ok(high)) = (u16::try_from(width), u16::try_from(height)) else { return Err(too_large()) };
    if width * height * frames as u64 > MAX_DOTS {
        return Err(too_large());
    }
    let mut reel = Reel::new(wide, high);
    for picture in &pictures {
        reel.add(&paint(picture, scale).map_err(FilmError::Unpainted)?.rgba);
    }
    // GIF counts in hundredths of a second.
    let delay = film.delay_ms.div_ceil(10) as u16;
    let delays: Vec<u16> = (1..=frames).map(|frame| if frame == frames { 2 * delay } else { delay }).collect();
    reel.finish(&delays).map_err(|why| FilmError::Unwritten(why.to_string()))
}

/// The picture of every frame; all have one size.
///
/// # Errors
/// That there are none, or too many.
pub fn pictures(run: &Run, timeline: &Timeline, film: &Film) -> Result<Vec<Picture>, FilmError> {
    let count = film.stops.len();
    if count == 0 {
        return Err(FilmError::NoSteps);
    }
    if count > MAX_FRAMES {
        return Err(FilmError::TooMany(count));
    }
    let (trace, width) = (&run.trace, film.style.layout_px());
    let scale = timeline_scale(timeline, width, film.shown);
    let mut replay = run.replay();
    let mut parts_of = |&stop: &Stop| {
        let caption = film.has_captions.then(|| Part::Diagram(note(&said(trace, stop), width)));
        let lanes = (film.shows != Shows::Queues).then(|| {
            let frame = timeline.frame(&scale, timeline.natural_height_px(false), Some(stop.at), None);
            Part::Timeline(Box::new(if film.hides_future { frame.until(scale.x_from_time(stop.at)) } else { frame }))
        });
        let queues = (film.shows != Shows::Timeline).then(|| {
            let inset = Inset { caption: String::new(), ..inset(&mut replay, stop) };
            Part::Diagram(strip(&[inset], 1, width, film.style.has_legend))
        });
        [caption, lanes, queues].into_iter().flatten().collect::<Vec<Part>>()
    };
    let frames: Vec<Vec<Part>> = film.stops.iter().map(&mut parts_of).collect();
    // Each part has the room of the highest one in its place.
    let highest = |place: usize| frames.iter().map(|parts| parts[place].height_px()).fold(0.0, f64::max);
    let rooms: Vec<f64> = (0..frames[0].len()).map(highest).collect();
    let title = trace.variants().title(if film.has_title { trace.scenario().name() } else { "" });
    let picture = |parts: Vec<Part>| Picture::stacked(parts.into_iter().zip(rooms.iter().copied()).collect(), &title, film.style);
    Ok(frames.into_iter().map(picture).collect())
}

/// What is said of a step: what it does, and by which rule.
fn said(trace: &Trace, stop: Stop) -> String {
    let last = (stop.within(trace).position as usize).checked_sub(1).and_then(|i| trace.steps().get(i));
    let rule = last.map_or_else(String::new, |step| format!(" Rule {}.", step.rule.id()));
    spoken(trace, stop) + &rule
}
