//! Figures: the timeline, queue diagrams and charts of the run on screen as pictures for papers and slides.
//!
//! Invariants: what is previewed is what is saved; what is typed stays as it was typed, and what is wrong with it is said.
//!
//! Words: none, or controls with what they hold, such as `figure=queues&palette=print`.

mod latex;
mod list;
mod state;
mod view;
mod wanted;

pub use list::ChoiceList;
pub use state::{FigureKind, State, TimelinePart};
pub use view::{Controls, FigurePreview, StripStop, To, View};
pub use wanted::{FigureField, FigureProblem};

use serde::{Deserialize, Serialize};

use crate::runs::{Painter, Runs};
use crate::tool::{Context, Effects, Event, Pair, ReaderPlace, Tool, ToolError};
use blockstep_draw::tikz::TikzStyleError;
use blockstep_film::{self as film, Film, FilmError, MAX_FRAMES};
use blockstep_protocol::Effect;
use blockstep_report::figure::{self, DrawnFigure, MAX_INSETS};
use blockstep_report::slides::SlidesError;
use blockstep_report::stops::{StopsError, stops};
use blockstep_sim::trace::Trace;
use blockstep_view::position::Stop;
use blockstep_view::quantity::format_count;
use latex::Whole;
use wanted::Wanted;

/// Pixels that browsers draw on, by side and in all.
const MAX_SIDE: u64 = 16_384;
const MAX_PIXELS: u64 = 100_000_000;

pub struct Figure;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Add,
    /// Move a stop of the strip, counted from 0, toward its beginning.
    Earlier(usize),
    Later(usize),
    Remove(usize),
    Clear,
    Save(FileKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileKind {
    Svg,
    Png,
    Tikz,
    Beamer,
    Gif,
    /// The same as a video, which the browser encodes from the GIF.
    Video,
}

impl Tool for Figure {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] = state::PAIRS;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        state.unsaved.clear();
        let place = &context.place;
        let message = match event {
            Event::Opened(word) => {
                state.take(&word);
                let trace = &place.simulation.run.trace;
                let wrong = [latex::slide_stops(trace, state).err(), gif_stops(trace, state).err()].into_iter().flatten();
                return Ok(wrong.map(|why| Effect::Complain(why.to_string())).collect());
            }
            Event::Message(message) => message,
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => return Ok(Vec::new()),
        };
        let said = match message {
            Msg::Add => Some(add(state, place)),
            Msg::Earlier(number) => rearrange(state, Move::Earlier, number, place),
            Msg::Later(number) => rearrange(state, Move::Later, number, place),
            Msg::Remove(number) => rearrange(state, Move::Out, number, place),
            Msg::Clear => {
                state.step.clear();
                Some("The strip is empty.".to_owned())
            }
            Msg::Save(kind) => match save(kind, state, place, context.runs) {
                Ok(saved) => return Ok(saved.into_iter().collect()),
                Err(why) => {
                    state.unsaved = why.to_string();
                    None
                }
            },
        };
        Ok(said.map(Effect::Announce).into_iter().collect())
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let (place, runs) = (&context.place, &mut *context.runs);
        let timeline = runs.timeline(&place.simulation);
        let drawn = Wanted::read(state, place, runs).map(|wanted| {
            let drawn = figure::draw(&place.simulation.run, &timeline, &wanted.subject, wanted.has_title, wanted.style);
            (wanted, drawn)
        });
        Ok(view::view(state, place, &drawn))
    }
}

/// Adds where the reader stands to the strip, and says so.
fn add(state: &mut State, place: &ReaderPlace) -> String {
    let count = state.step.len();
    if count >= MAX_INSETS {
        return format!("A strip holds at most {MAX_INSETS} steps: remove one first.");
    }
    let (trace, stop) = (&place.simulation.run.trace, place.stop());
    state.step.push(wanted::word(trace, stop));
    format!("{}: added, the strip holds {}.", wanted::name(trace, stop), count + 1)
}

enum Move {
    Earlier,
    Later,
    Out,
}

/// Moves a stop of the strip, and says so; nothing if there is none of this number.
fn rearrange(state: &mut State, to: Move, number: usize, place: &ReaderPlace) -> Option<String> {
    let trace = &place.simulation.run.trace;
    let mut stops = wanted::stops(state, trace);
    let stop = *stops.get(number)?;
    let name = wanted::name(trace, stop);
    let said = match to {
        Move::Earlier if number > 0 => {
            stops.swap(number, number - 1);
            format!("{name}: now {number} of {}.", stops.len())
        }
        Move::Later if number + 1 < stops.len() => {
            stops.swap(number, number + 1);
            format!("{name}: now {} of {}.", number + 2, stops.len())
        }
        Move::Out => {
            stops.remove(number);
            format!("{name}: removed, the strip holds {}.", stops.len())
        }
        Move::Earlier | Move::Later => format!("{name}: stays where it is."),
    };
    state.step = stops.into_iter().map(|stop| wanted::word(trace, stop)).collect();
    Some(said)
}

/// Why a figure cannot be saved.
#[derive(Debug, thiserror::Error)]
enum SaveError {
    #[error(transparent)]
    Style(#[from] TikzStyleError),
    #[error(transparent)]
    Slides(#[from] SlidesError),
    #[error(transparent)]
    Stops(#[from] StopsError),
    #[error(transparent)]
    Film(#[from] FilmError),
    #[error("GIFs are made by the page alone.")]
    NoPainter,
    #[error(
        "A PNG of {} × {} pixels is too large: a browser draws at most {} by side and {} in total. Use a smaller scale or width, or save \
         an SVG.",
        format_count(*.width), format_count(*.height), format_count(MAX_SIDE), format_count(MAX_PIXELS)
    )]
    LargePng { width: u64, height: u64 },
}

/// The file that a button asks for; none while something is wrong with the figure, which is said already.
fn save(kind: FileKind, state: &State, place: &ReaderPlace, runs: &mut Runs) -> Result<Option<Effect>, SaveError> {
    let run = &place.simulation.run;
    let timeline = runs.timeline(&place.simulation);
    let whole = Whole { run, timeline: &timeline };
    if kind == FileKind::Beamer {
        return latex::beamer(&whole, state).map(Some);
    }
    let painter = runs.painter;
    let Ok(wanted) = Wanted::read(state, place, runs) else { return Ok(None) };
    let file = |extension: &str| run.trace.variants().file_name("steps", extension);
    if kind == FileKind::Gif {
        let bytes = gif(&whole, &wanted, state, place, painter)?;
        return Ok(Some(Effect::SaveBytes(file("gif"), "image/gif".to_owned(), bytes)));
    }
    if kind == FileKind::Video {
        return Ok(Some(Effect::SaveVideo(file("webm"), gif(&whole, &wanted, state, place, painter)?)));
    }
    if kind == FileKind::Tikz {
        return latex::tikz(&whole, &wanted, state).map(Some);
    }
    let drawn = figure::draw(run, &timeline, &wanted.subject, wanted.has_title, wanted.style);
    let name = |extension: &str| run.trace.variants().file_name(drawn.stem, extension);
    if kind == FileKind::Svg {
        return Ok(Some(Effect::SaveFile { name: name("svg"), kind: "image/svg+xml".to_owned(), text: drawn.svg() }));
    }
    fits_a_browser(&drawn, wanted.scale)?;
    Ok(Some(Effect::SavePicture { name: name("png"), scale: wanted.scale, svg: drawn.svg() }))
}

/// The steps of a GIF, as typed.
fn gif_stops(trace: &Trace, state: &State) -> Result<Vec<Stop>, SaveError> {
    stops(trace, &state.gif_steps, MAX_FRAMES).map_err(|why| match why {
        StopsError::TooMany(count) => FilmError::TooMany(count).into(),
        why => why.into(),
    })
}

fn gif(whole: &Whole<'_>, wanted: &Wanted, state: &State, place: &ReaderPlace, painter: Option<Painter>) -> Result<Vec<u8>, SaveError> {
    let trace = &whole.run.trace;
    let film = Film {
        stops: gif_stops(trace, state)?,
        shows: state.gif_shows,
        shown: Some(place.scale.shown()).filter(|_| place.is_zoomed),
        style: wanted.style,
        has_title: wanted.has_title,
        has_captions: state.has_captions(),
        hides_future: true,
        delay_ms: state.delay_ms(),
    };
    let paint = painter.ok_or(SaveError::NoPainter)?;
    Ok(film::gif(whole.run, whole.timeline, &film, wanted.scale, paint)?)
}

fn fits_a_browser(drawn: &DrawnFigure, scale: u32) -> Result<(), SaveError> {
    let (width, height) = drawn.picture.size();
    let (width, height) = (u64::from(width) * u64::from(scale), u64::from(height) * u64::from(scale));
    if width.max(height) <= MAX_SIDE && width * height <= MAX_PIXELS {
        return Ok(());
    }
    Err(SaveError::LargePng { width, height })
}
