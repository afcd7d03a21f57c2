//! Steps of a run as slides: a frame of beamer with an overlay for each step.
//!
//! Depends on `view` and `draw`. Invariants: the pictures keep their place from slide to slide; what
//! comes after a step is not on its slide, if that is asked for.

use serde::{Deserialize, Serialize};

use super::figure::tex_comment;
use blockstep_draw::figure::{Figure, Palette, Picture, Style};
use blockstep_draw::tikz::beamer::{self, Ground, MAX_SLIDES, ROOM_PT, Slide};
use blockstep_draw::tikz::{TikzSheet, UNITS_PER_PT};
use blockstep_sim::engine::Run;
use blockstep_view::position::Stop;
use blockstep_view::quantity::format_count;
use blockstep_view::queue_figure::{Inset, inset};
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;

/// Heights of letters that are tried, pt, the first one with which everything fits; below the last,
/// pictures are made smaller as they are.
const TEXT_PT: [u32; 4] = [8, 7, 6, 5];
/// Height of the letters of a layout, px.
const LAYOUT_PX: f64 = 12.0;
/// Between two pictures beside each other, pt.
const GAP_PT: f64 = 11.0;

blockstep_sim::listed! {
    /// What slides show.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Shows(word, from_word) {
        /// The timeline.
        Timeline = "timeline",
        /// The queue diagram.
        Queues = "queues",
        /// Both, beside each other.
        #[default]
        Both = "both",
    }
}

/// Slides of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    /// When each slide is.
    pub stops: Vec<Stop>,
    /// What is on them.
    pub shows: Shows,
    /// In which colors.
    pub palette: Palette,
    /// Whether the timeline shows only what has happened by then.
    pub hides_future: bool,
    /// Whether it is a document of its own, or a frame to be put into one.
    pub is_document: bool,
}

/// Why there are no slides.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlidesError {
    #[error("no step was chosen for a slide")]
    NoSteps,
    #[error("{} steps are too many for slides, the limit is {MAX_SLIDES}: choose some of them", format_count(*.0 as u64))]
    TooMany(usize),
}

/// The slides as LaTeX.
///
/// # Errors
/// How many slides were asked for, and the limit; or that there are none.
pub fn tex(run: &Run, timeline: &Timeline, deck: &Deck) -> Result<String, SlidesError> {
    let count = deck.stops.len();
    if count == 0 {
        return Err(SlidesError::NoSteps);
    }
    if count > MAX_SLIDES {
        return Err(SlidesError::TooMany(count));
    }
    let pictures = pictures(run, timeline, deck);
    let words = deck.stops.iter().map(|&stop| spoken(&run.trace, stop));
    let slides: Vec<Slide> = pictures.into_iter().zip(words).map(|(pictures, words)| Slide { pictures, words }).collect();
    let title = run.trace.variants().title(run.trace.scenario().name());
    let theme = deck.palette.theme();
    let ground = (deck.palette == Palette::Dark).then_some(Ground { ground: theme.ground, ink: theme.ink });
    let tex = if deck.is_document { beamer::document(&title, &slides, ground) } else { beamer::frame(&title, &slides) };
    Ok(tex_comment(&run.trace) + &tex)
}

/// The pictures of every slide.
fn pictures(run: &Run, timeline: &Timeline, deck: &Deck) -> Vec<Vec<TikzSheet>> {
    let half = (ROOM_PT.0 - GAP_PT) / 2.0;
    match deck.shows {
        Shows::Timeline => timelines(timeline, deck, ROOM_PT, TEXT_PT[0]).into_iter().map(|sheet| vec![sheet]).collect(),
        Shows::Queues => queues(run, deck, ROOM_PT.0).0.into_iter().map(|sheet| vec![sheet]).collect(),
        Shows::Both => {
            let (queues, text) = queues(run, deck, half);
            let height = queues.iter().map(|sheet| sheet.size_pt().1).fold(0.0, f64::max);
            let timelines = timelines(timeline, deck, (half, height), text);
            timelines.into_iter().zip(queues).map(|(timeline, queues)| vec![timeline, queues]).collect()
        }
    }
}

fn style(width_pt: f64, text_pt: u32, palette: Palette) -> Style {
    let units = f64::from(UNITS_PER_PT);
    Style { width_px: (width_pt * units).floor() as u32, font_px: f64::from(text_pt) * units, palette, has_legend: false }
}

/// The timeline at every step, as high as there is room at most.
fn timelines(timeline: &Timeline, deck: &Deck, (width_pt, room_pt): (f64, f64), text_pt: u32) -> Vec<TikzSheet> {
    let px = LAYOUT_PX / f64::from(text_pt);
    let style = style(width_pt, text_pt, deck.palette);
    let (scale, height) = (timeline.fit(style.layout_px()), timeline.natural_height_px(false).min(room_pt * px));
    let of = |&Stop { at, .. }: &Stop| {
        let frame = timeline.frame(&scale, height, Some(at), None);
        let frame = if deck.hides_future { frame.until(scale.x_from_time(at)) } else { frame };
        TikzSheet::from_picture(&Picture::of_frame(frame, style))
    };
    deck.stops.iter().map(of).collect()
}

/// The queues at every step, and the height of their letters, pt.
fn queues(run: &Run, deck: &Deck, width_pt: f64) -> (Vec<TikzSheet>, u32) {
    let mut replay = run.replay();
    let mut of = |&stop: &Stop| Inset { caption: String::new(), ..inset(&mut replay, stop) };
    let insets: Vec<Inset> = deck.stops.iter().map(&mut of).collect();
    let drawn = |text| insets.iter().map(|inset| Picture::new(&Figure::Queues(inset), "", style(width_pt, text, deck.palette))).collect();
    let room = (ROOM_PT.1 * f64::from(UNITS_PER_PT)) as u32;
    let least = TEXT_PT[TEXT_PT.len() - 1];
    let mut tries = TEXT_PT.into_iter().map(|text| (drawn(text), text));
    let fits = tries.find(|(pictures, _): &(Vec<Picture>, u32)| pictures.iter().all(|picture| picture.size().1 <= room));
    let (pictures, text) = fits.unwrap_or_else(|| (drawn(least), least));
    (pictures.iter().map(TikzSheet::from_picture).collect(), text)
}
