//! Figures for LaTeX: what can be chosen for them, and their files.
//!
//! Invariants: the figure is the one that the rest of the panel says; what cannot be saved is said in words.

use super::SaveError;
use super::list::ChoiceList;
use super::state::{State, held};
use super::wanted::Wanted;
use blockstep_draw::figure::Style;
use blockstep_draw::tikz::beamer::MAX_SLIDES;
use blockstep_draw::tikz::{self, TikzSheet};
use blockstep_protocol::Effect;
use blockstep_report::figure;
use blockstep_report::slides::{self, Deck, SlidesError};
use blockstep_report::stops::{StopsError, stops};
use blockstep_sim::engine::Run;
use blockstep_sim::trace::Trace;
use blockstep_view::position::Stop;
use blockstep_view::timeline::Timeline;

/// Widths in pt, each with what is as wide.
pub(super) const TEX_WIDTHS: [(&str, &str); 6] = [
    ("345", "text width of an article, 345 pt"),
    ("240", "one of two columns, 240 pt"),
    ("252", "a column of IEEE, 252 pt"),
    ("516", "both columns of IEEE, 516 pt"),
    ("427", "a slide, 427 pt"),
    ("483", "A4 with small margins, 17 cm"),
];

/// Heights of letters to choose from, pt.
pub(super) const SIZES: [&str; 5] = ["8", "6", "7", "9", "10"];

pub(super) struct Whole<'a> {
    pub(super) run: &'a Run,
    pub(super) timeline: &'a Timeline,
}

impl State {
    /// Widths of a figure, pt.
    #[must_use]
    pub fn tex_widths(&self) -> ChoiceList {
        ChoiceList::new(TEX_WIDTHS.iter().map(|&(value, text)| (value.to_owned(), text.to_owned())).collect(), &self.tex_width)
    }

    /// Heights of letters, pt.
    #[must_use]
    pub fn tex_sizes(&self) -> ChoiceList {
        ChoiceList::new(SIZES.iter().map(|size| ((*size).to_owned(), format!("{size} pt"))).collect(), &self.tex_size)
    }
}

pub(super) fn tikz(whole: &Whole<'_>, wanted: &Wanted, state: &State) -> Result<Effect, SaveError> {
    let number = |text: &str, usual: &str| held(text, usual).parse::<f64>().unwrap_or(f64::NAN);
    let (width, size) = (number(&state.tex_width, TEX_WIDTHS[0].0), number(&state.tex_size, SIZES[0]));
    let style = Style { has_legend: wanted.style.has_legend, ..tikz::style(width, size, wanted.style.palette)? };
    let drawn = figure::draw(whole.run, whole.timeline, &wanted.subject, wanted.has_title, style);
    let sheet = TikzSheet::from_picture(&drawn.picture);
    let text = figure::tex(&whole.run.trace, &sheet, !state.is_fragment());
    Ok(file(whole.run, drawn.stem, text))
}

pub(super) fn beamer(whole: &Whole<'_>, state: &State) -> Result<Effect, SaveError> {
    let deck = Deck {
        stops: slide_stops(&whole.run.trace, state)?,
        shows: state.tex_shows,
        palette: state.palette,
        hides_future: !state.has_future(),
        is_document: !state.is_fragment(),
    };
    Ok(file(whole.run, "slides", slides::tex(whole.run, whole.timeline, &deck)?))
}

/// The steps of slides, as typed.
pub(super) fn slide_stops(trace: &Trace, state: &State) -> Result<Vec<Stop>, SaveError> {
    stops(trace, &state.tex_steps, MAX_SLIDES).map_err(|why| match why {
        StopsError::TooMany(count) => SlidesError::TooMany(count).into(),
        why => why.into(),
    })
}

fn file(run: &Run, stem: &str, text: String) -> Effect {
    Effect::SaveFile { name: run.trace.variants().file_name(stem, "tex"), kind: "application/x-tex".to_owned(), text }
}
