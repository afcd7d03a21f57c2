//! Figures of `blockstep simulate` for LaTeX: TikZ, and slides of steps.
//!
//! Depends on `report`, `draw::tikz` and clap. Invariant: an option that does not go with the others is an
//! error that names both, never ignored.

use crate::error::FigureError;
use std::sync::Arc;

use super::figure::FigureArgs;
use super::simulate::OtherRun;
use super::{Failed, Streams};
use blockstep_draw::figure::Style;
use blockstep_draw::tikz::{self, TikzSheet};
use blockstep_report::figure;
use blockstep_report::slides::{self, Deck};
use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_view::timeline::Timeline;

/// Width of the text of an article, which also fits other documents; and letters somewhat smaller than its own.
const USUAL_PT: (f64, f64) = (345.0, 8.0);

#[derive(clap::Args)]
#[command(next_help_heading = "Figures for LaTeX")]
pub(super) struct LatexArgs {
    /// Only what \input reads in a document of your own: the tikzpicture, or the frame
    #[arg(long)]
    fragment: bool,
    /// Show on every slide, or in every frame of a GIF, the whole timeline, also what comes after the step
    #[arg(long)]
    with_future: bool,
}

impl LatexArgs {
    /// The option that films have, too.
    pub(super) const WITH_FUTURE: &str = "--with-future";

    /// Whether the whole timeline is shown.
    pub(super) fn has_future(&self) -> bool {
        self.with_future
    }

    /// The first option given, if any is.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [("--fragment", self.fragment), (Self::WITH_FUTURE, self.with_future)];
        options.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}

impl Streams<'_> {
    /// The figure asked for as TikZ.
    pub(super) fn tikz(
        &mut self,
        figure: &FigureArgs,
        latex: &LatexArgs,
        run: &Run,
        records: &Arc<Records>,
        others: &[OtherRun],
    ) -> Result<String, Failed> {
        if latex.with_future {
            return self.fail("--with-future goes with --format beamer or gif");
        }
        let timeline = Timeline::new(&run.trace, records);
        let (width, text) = figure.sizes(USUAL_PT);
        let style = tikz::style(width, text, figure.palette()).map(|style| Style { has_legend: figure.has_legend(), ..style });
        match style.map_err(FigureError::from).and_then(|style| Ok((style, figure.subject(run, &timeline, others)?))) {
            Ok((style, subject)) => {
                let drawn = figure::draw(run, &timeline, &subject, figure.has_title(), style);
                let sheet = TikzSheet::from_picture(&drawn.picture);
                self.warn_of_letters(&sheet.foreign());
                Ok(figure::tex(&run.trace, &sheet, !latex.fragment))
            }
            Err(why) => self.fail(&why.to_string()),
        }
    }

    /// Steps as slides.
    pub(super) fn beamer(&mut self, figure: &FigureArgs, latex: &LatexArgs, run: &Run, records: &Arc<Records>) -> Result<String, Failed> {
        let timeline = Timeline::new(&run.trace, records);
        let deck = figure.slides(run).map(|(stops, shows)| Deck {
            stops,
            shows,
            palette: figure.palette(),
            hides_future: !latex.with_future,
            is_document: !latex.fragment,
        });
        match deck.and_then(|deck| Ok(slides::tex(run, &timeline, &deck)?)) {
            Ok(tex) => Ok(tex),
            Err(why) => self.fail(&why.to_string()),
        }
    }

    fn warn_of_letters(&mut self, foreign: &[String]) {
        if !foreign.is_empty() {
            self.say("note", "some letters are not in LaTeX's own fonts and are written as numbers; a comment in the file lists them");
        }
    }
}
