//! Figures of a run, for the command line and the page.
//!
//! Depends on `view` and `draw`. Invariant: a figure of a run with changed rules says so above it, whether
//! it has a title or not.

mod charts;
mod frequencies;
mod switches;

use std::sync::Arc;

pub use charts::ChartKind;

use blockstep_draw::figure::{Figure, Picture, Style};
use blockstep_draw::tikz::{self, TikzSheet};
use blockstep_sim::engine::Run;
use blockstep_sim::language::capitalized;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{RowId, Time};
use blockstep_view::position::Stop;
use blockstep_view::queue_figure::{inset, insets};
use blockstep_view::results::Results;
use blockstep_view::timeline::Timeline;

/// Most diagrams of a strip.
pub const MAX_INSETS: usize = 30;
/// What the packages for other languages draw, by the words of the command line's figures.
pub const FIGURES: [&str; 2] = ["timeline", "queues"];

/// The part of a run that is drawn.
#[derive(Clone, Debug)]
pub enum FigureSubject {
    /// Its timeline.
    Timeline {
        /// The part of it, ns, as [`blockstep_view::time_scale::TimeScale::showing`] takes it; `None` for all.
        shown: Option<(i64, i64)>,
        /// Where a line marks an instant.
        cursor: Option<Time>,
        /// The kernel row before which others step back.
        selected: Option<RowId>,
    },
    /// The queues at a stop.
    Queues(Stop),
    /// The queues at several stops; the first [`MAX_INSETS`] are drawn.
    Strip {
        /// When each is.
        stops: Vec<Stop>,
        /// How many stand beside each other, if that is not left to the width.
        columns: Option<usize>,
    },
    /// A chart of its results.
    Chart {
        /// Results of the run.
        results: Arc<Results>,
        /// The kind of chart.
        kind: ChartKind,
        /// Other runs that are drawn with it, as far as the chart has several curves.
        beside: Vec<Beside>,
    },
}

/// A run whose results are drawn with those of another one.
#[derive(Clone, Debug)]
pub struct Beside {
    /// What it is called.
    pub name: String,
    /// Trace of the run.
    pub trace: Arc<Trace>,
    /// What it came to.
    pub results: Arc<Results>,
}

/// Most runs that are drawn with another one.
pub const MAX_BESIDE: usize = 4;

/// A figure, ready to be written.
pub struct DrawnFigure {
    /// The drawing.
    pub picture: Picture,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// The name of a file that holds it, without what comes after the dot.
    pub stem: &'static str,
}

impl DrawnFigure {
    /// As an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        self.picture.svg(&self.description)
    }
}

/// Draws a figure of a run, whose timeline is `timeline`, under the run's name if it is to have a title.
#[must_use]
pub fn draw(run: &Run, timeline: &Timeline, subject: &FigureSubject, has_title: bool, style: Style) -> DrawnFigure {
    let name = if has_title { run.trace.scenario().name() } else { "" };
    let title = run.trace.variants().title(name);
    let mut drawn = match subject {
        FigureSubject::Timeline { shown, cursor, selected } => {
            let figure = Figure::Timeline { timeline, shown: *shown, cursor: *cursor, selected: *selected };
            DrawnFigure { picture: Picture::new(&figure, &title, style), description: timeline.summary(), stem: "timeline" }
        }
        FigureSubject::Queues(stop) => {
            let inset = inset(&mut run.replay(), *stop);
            let picture = Picture::new(&Figure::Queues(&inset), &title, style);
            DrawnFigure { picture, description: format!("Queue diagram. {}", inset.caption), stem: "queues" }
        }
        FigureSubject::Strip { stops, columns } => {
            let insets = insets(&mut run.replay(), &stops[..stops.len().min(MAX_INSETS)]);
            let picture = Picture::new(&Figure::Strip { insets: &insets, columns: *columns }, &title, style);
            let captions: Vec<&str> = insets.iter().map(|inset| inset.caption.as_str()).collect();
            DrawnFigure { picture, description: format!("Queue diagrams. {}", captions.join(" ")), stem: "queue-strip" }
        }
        FigureSubject::Chart { results, kind, beside } => {
            let what = kind.title(&run.trace);
            let beside = if kind.has_several() { &beside[..] } else { &[] };
            let title = if has_title { run.trace.variants().title(&joined(&named(name, beside), &what)) } else { title };
            let picture = match charts::chart(&run.trace, results, *kind, beside, style.palette) {
                Some(chart) => Picture::new(&Figure::Chart(&chart), &title, style),
                None => Picture::new(&Figure::Note(&format!("There are no {what} to draw in this run.")), &title, style),
            };
            DrawnFigure { picture, description: format!("Chart of {what}"), stem: "chart" }
        }
    };
    if let Some(evidence) = run.trace.scenario().device().evidence().sentence() {
        let stop = if drawn.description.ends_with('.') { "" } else { "." };
        drawn.description.push_str(&format!("{stop} {evidence}"));
    }
    drawn
}

/// A figure of a run for LaTeX: a document, or the picture alone.
#[must_use]
pub fn tex(trace: &Trace, sheet: &TikzSheet, is_document: bool) -> String {
    tex_comment(trace) + &if is_document { tikz::document(sheet) } else { tikz::fragment(sheet) }
}

/// A comment on how far the rules are known, for the first line of a file for LaTeX.
pub(crate) fn tex_comment(trace: &Trace) -> String {
    trace.scenario().device().evidence().sentence().map_or_else(String::new, |evidence| format!("% {evidence}\n"))
}

/// The names of the runs that a chart shows, of which the first has this one.
fn named(name: &str, beside: &[Beside]) -> String {
    let others = beside.len();
    std::iter::once(or_unnamed(name, others)).chain(beside.iter().map(|b| or_unnamed(&b.name, others))).collect::<Vec<_>>().join("; ")
}

/// A run's name: beside others, so many, one without a name is called so.
pub const fn or_unnamed(name: &str, others: usize) -> &str {
    if name.is_empty() && others > 0 { "unnamed" } else { name }
}

fn joined(name: &str, what: &str) -> String {
    // What is drawn first, as a long name is cut.
    let what = capitalized(what);
    if name.is_empty() { what } else { format!("{what}: {name}") }
}
