//! Figures of `blockstep simulate`: which, how large, in which colors.
//!
//! Depends on `report::figure` and clap. Invariant: an option that does not go with the others is an error
//! that names both, never ignored.

use crate::error::{ArgError, FigureError};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::latex::LatexArgs;
use super::simulate::OtherRun;
use super::{Failed, Streams, time};
use blockstep_draw::figure::{FONTS, Palette, Style, WIDTHS};
use blockstep_draw::tikz::beamer::MAX_SLIDES;
use blockstep_film::{self as film, DELAYS, Dots, Film, FilmError, MAX_FRAMES};
use blockstep_png::Painter;
use blockstep_report::figure::{self, Beside, ChartKind, DrawnFigure, FigureSubject, MAX_INSETS};
use blockstep_report::slides::{Shows, SlidesError};
use blockstep_report::stops::{StopsError, stops};
use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::results::Results;
use blockstep_view::timeline::Timeline;

#[derive(clap::Args)]
#[command(next_help_heading = "Figures")]
pub(super) struct FigureArgs {
    /// What to draw
    #[arg(long, value_enum)]
    figure: Option<FigureKind>,
    /// When: queues as they are then, or a line through the timeline; more than once for a strip
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Vec<u64>,
    /// After how many steps, instead of --at
    #[arg(long, value_name = "N")]
    step: Vec<u32>,
    /// Of a GIF or of slides, which steps: 12-30, or several, as 3,12-30 [default: all]
    #[arg(long, value_name = "STEPS")]
    steps: Option<String>,
    /// Where the timeline begins
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<u64>,
    /// Where the timeline ends
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<u64>,
    /// Width of the figure in pixels, 240 to 4000 [default: 1200; of a GIF 800]; of TikZ in points, to 2000 [default: 345]
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(i64::from(*WIDTHS.start())..=i64::from(*WIDTHS.end())))]
    width: Option<u32>,
    /// Height of the letters in pixels, 6 to 40 [default: 12]; of TikZ in points, to 24 [default: 8]
    #[arg(long, value_name = "PX", value_parser = font_size)]
    font_size: Option<f64>,
    /// Colors
    #[arg(long, value_parser = palette_parser())]
    palette: Option<Palette>,
    /// Diagrams beside each other in a strip [default: as many as have room]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    columns: Option<u32>,
    /// How long a frame of a GIF stays, 20ms to 60s [default: 1.5s]; the last one stays twice as long
    #[arg(long, value_name = "TIME", value_parser = delay)]
    delay: Option<u32>,
    /// Leave out what each step does in a GIF
    #[arg(long)]
    no_captions: bool,
    /// Pixels of a PNG or GIF for each of the figure, 1 to 4 [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    scale: Option<u32>,
    /// Leave out the scenario's name above the figure
    #[arg(long)]
    no_title: bool,
    /// Leave out what the boxes of queue diagrams and the lines of charts mean
    #[arg(long)]
    no_legend: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FigureKind {
    /// The timeline, or a part of it
    Timeline,
    /// The queue diagram at a step
    Queues,
    /// Queue diagrams at several steps
    Strip,
    /// The distribution of the tasks' response times
    ResponseTimes,
    /// The tasks' response times as histograms, those above the shortest deadline magnified, as
    /// [EDF] Fig. 4
    Histograms,
    /// The distribution of their blocks' times
    BlockTimes,
    /// Threads in flight over time, of every process, or of every task where there is one process
    Threads,
    /// Switches that vary, drawn 100,000 times: a histogram, as [LP] Fig. 1
    Switches,
    /// The longest half percent of them, as [LP] Fig. 2
    LongestSwitches,
    /// Timeline and queue diagram, on slides or in a GIF
    Both,
}

impl FigureKind {
    /// The chart that it is, if it is one.
    fn chart(self) -> Option<ChartKind> {
        match self {
            Self::ResponseTimes => Some(ChartKind::Responses),
            Self::Histograms => Some(ChartKind::Histograms),
            Self::BlockTimes => Some(ChartKind::BlockTimes),
            Self::Threads => Some(ChartKind::InFlight),
            Self::Switches => Some(ChartKind::Switches),
            Self::LongestSwitches => Some(ChartKind::LongestSwitches),
            Self::Timeline | Self::Queues | Self::Strip | Self::Both => None,
        }
    }
}

fn palette_parser() -> impl TypedValueParser<Value = Palette> {
    let help = |palette| match palette {
        Palette::Light => "On white",
        Palette::Dark => "On a dark ground",
        Palette::Print => "Grays and patterns for paper",
    };
    PossibleValuesParser::new(Palette::ALL.iter().map(|&palette| PossibleValue::new(palette.word()).help(help(palette))))
        .try_map(|word| Palette::from_word(&word).ok_or("unknown palette"))
}

/// How long a frame stays, ms.
fn delay(text: &str) -> Result<u32, ArgError> {
    let ms = u32::try_from(time(text)? / 1_000_000).unwrap_or(u32::MAX);
    if DELAYS.contains(&ms) { Ok(ms) } else { Err(ArgError::Delay) }
}

fn font_size(text: &str) -> Result<f64, ArgError> {
    let limits = f64::from(*FONTS.start())..=f64::from(*FONTS.end());
    match text.trim().parse::<f64>() {
        Ok(size) if limits.contains(&size) => Ok(size),
        _ => Err(ArgError::FontSize),
    }
}

impl FigureArgs {
    /// The first option given, if any is.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--figure", self.figure.is_some()),
            ("--at", !self.at.is_empty()),
            ("--step", !self.step.is_empty()),
            ("--steps", self.steps.is_some()),
            ("--from", self.from.is_some()),
            ("--to", self.to.is_some()),
            ("--width", self.width.is_some()),
            ("--font-size", self.font_size.is_some()),
            ("--palette", self.palette.is_some()),
            ("--columns", self.columns.is_some()),
            ("--delay", self.delay.is_some()),
            ("--no-captions", self.no_captions),
            ("--scale", self.scale.is_some()),
            ("--no-title", self.no_title),
            ("--no-legend", self.no_legend),
        ];
        options.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// The first option given that only a GIF has.
    pub(super) fn of_gif(&self) -> Option<&'static str> {
        self.delay.map(|_| "--delay").or(self.no_captions.then_some("--no-captions"))
    }

    /// Whether steps are given as ranges.
    pub(super) fn has_steps(&self) -> bool {
        self.steps.is_some()
    }

    /// How many pixels a PNG or GIF has for each of the figure, if that is told.
    pub(super) fn scale(&self) -> Option<u32> {
        self.scale
    }

    pub(super) fn palette(&self) -> Palette {
        self.palette.unwrap_or_default()
    }

    /// Width and height of the letters, where they are not given those.
    pub(super) fn sizes(&self, usual: (f64, f64)) -> (f64, f64) {
        (self.width.map_or(usual.0, f64::from), self.font_size.unwrap_or(usual.1))
    }

    pub(super) fn has_title(&self) -> bool {
        !self.no_title
    }

    pub(super) fn has_legend(&self) -> bool {
        !self.no_legend
    }

    fn style(&self, usual_px: u32) -> Result<Style, FigureError> {
        let usual = Style::default();
        let palette = self.palette();
        let style = Style::new(self.width.unwrap_or(usual_px), self.font_size.unwrap_or(usual.font_px), palette)?;
        Ok(Style { has_legend: self.has_legend(), ..style })
    }

    /// Whether it is a chart that other runs can be drawn in.
    pub(super) fn is_of_several(&self) -> bool {
        self.figure.and_then(FigureKind::chart).is_some_and(ChartKind::has_several)
    }

    pub(super) fn subject(&self, run: &Run, timeline: &Timeline, others: &[OtherRun]) -> Result<FigureSubject, FigureError> {
        let kind = self.figure.unwrap_or(FigureKind::Timeline);
        if kind != FigureKind::Strip && self.columns.is_some() {
            return Err(FigureError::Options("--columns goes with --figure strip"));
        }
        if kind != FigureKind::Timeline && (self.from.is_some() || self.to.is_some()) {
            return Err(FigureError::Options("--from and --to go with --figure timeline"));
        }
        let stops = self.stops(run)?;
        if let (Some(kind), []) = (kind.chart(), stops.as_slice()) {
            let beside = |other: &OtherRun| Beside {
                name: other.name.clone(),
                trace: Arc::clone(&other.run.trace),
                results: Arc::new(Results::new(other.run.replay(), &other.records)),
            };
            let results = Arc::new(Results::new(run.replay(), timeline.records()));
            if kind.is_of_switches() && !ChartKind::with_data(&run.trace, &results).contains(&kind) {
                return Err(FigureError::Options(
                    "the switches of this scenario do not vary: it has no switch_cost_max_ns or switch_samples_ns",
                ));
            }
            return Ok(FigureSubject::Chart { results, kind, beside: others.iter().map(beside).collect() });
        }
        match (kind, stops.as_slice()) {
            (FigureKind::Timeline, [] | [_]) => {
                let cursor = stops.first().map(|stop| stop.at);
                Ok(FigureSubject::Timeline { shown: self.shown(timeline.end())?, cursor, selected: None })
            }
            (FigureKind::Timeline, _) => Err(FigureError::Options("a timeline has one line: give --at or --step once")),
            (FigureKind::Both, _) => Err(FigureError::Options("--figure both goes with --format beamer or gif")),
            (FigureKind::Queues, &[stop]) => Ok(FigureSubject::Queues(stop)),
            (FigureKind::Queues, _) => Err(FigureError::Options("a queue diagram is of one step: give --at TIME or --step N once")),
            (
                FigureKind::ResponseTimes
                | FigureKind::Histograms
                | FigureKind::BlockTimes
                | FigureKind::Threads
                | FigureKind::Switches
                | FigureKind::LongestSwitches,
                _,
            ) => Err(FigureError::Options("--at and --step do not go with a chart")),
            (FigureKind::Strip, []) => Err(FigureError::Options("a strip is of some steps: give --at TIME or --step N, once for each")),
            (FigureKind::Strip, many) if many.len() > MAX_INSETS => Err(FigureError::ManyInsets(many.len())),
            (FigureKind::Strip, _) => {
                let mut stops = stops;
                stops.sort_unstable();
                stops.dedup();
                Ok(FigureSubject::Strip { stops, columns: self.columns.map(|n| n as usize) })
            }
        }
    }

    /// Steps that are to be on slides, and what of them.
    pub(super) fn slides(&self, run: &Run) -> Result<(Vec<Stop>, Shows), FigureError> {
        let shows = self.shows()?;
        let sizes = [
            ("--width", self.width.is_some()),
            ("--font-size", self.font_size.is_some()),
            ("--no-title", self.no_title),
            ("--no-legend", self.no_legend),
        ];
        if let Some((option, _)) = sizes.into_iter().find(|(_, is_given)| *is_given) {
            return Err(FigureError::SizeOfSlides(option));
        }
        Ok((self.steps(run, MAX_SLIDES, |count| FigureError::ManySlides(SlidesError::TooMany(count)))?, shows))
    }

    /// What is filmed of the run.
    pub(super) fn film(&self, run: &Run, hides_future: bool) -> Result<Film, FigureError> {
        Ok(Film {
            shows: self.shows()?,
            stops: self.steps(run, MAX_FRAMES, |count| FigureError::ManyFrames(FilmError::TooMany(count)))?,
            shown: None,
            style: self.style(film::WIDTH)?,
            has_title: self.has_title(),
            has_captions: !self.no_captions,
            hides_future,
            delay_ms: self.delay.unwrap_or(film::DELAY_MS),
        })
    }

    /// What a picture of many steps shows.
    fn shows(&self) -> Result<Shows, FigureError> {
        if self.columns.is_some() {
            return Err(FigureError::Options("--columns goes with --figure strip"));
        }
        match self.figure {
            Some(FigureKind::Timeline) => Ok(Shows::Timeline),
            Some(FigureKind::Queues) => Ok(Shows::Queues),
            None | Some(FigureKind::Both) => Ok(Shows::Both),
            Some(FigureKind::Strip) => Err(FigureError::Options("--figure strip is one picture: on slides and in a GIF, take queues")),
            Some(_) => Err(FigureError::Options("a chart does not change from step to step: use --format svg, png or tikz")),
        }
    }

    /// The steps given by --steps, or by --at and --step, or all from --from to --to; at most so many.
    fn steps(&self, run: &Run, most: usize, too_many: fn(usize) -> FigureError) -> Result<Vec<Stop>, FigureError> {
        let steps = run.trace.steps();
        let is_part = self.from.is_some() || self.to.is_some();
        let of_some = self.stops(run)?;
        if let Some(text) = &self.steps {
            if is_part || !of_some.is_empty() {
                return Err(FigureError::Options("--steps says which steps there are: leave --at, --step, --from and --to out"));
            }
            return stops(&run.trace, text, most).map_err(|why| match why {
                StopsError::TooMany(count) => too_many(count),
                why => FigureError::Steps(why),
            });
        }
        if !of_some.is_empty() {
            if is_part {
                return Err(FigureError::Options("the steps are those given by --at and --step, or all from --from to --to"));
            }
            return Ok(of_some);
        }
        let first = steps.partition_point(|step| step.at.ns() < self.from.unwrap_or(0));
        let last = self.to.map_or(steps.len(), |to| steps.partition_point(|step| step.at.ns() <= to));
        let count = last.saturating_sub(first);
        if count == 0 {
            return Err(FigureError::Options("no step is there from --from to --to"));
        }
        if count > most {
            return Err(too_many(count));
        }
        Ok(((first as u32 + 1)..=(last as u32)).map(|position| Stop::at_step(&run.trace, position)).collect())
    }

    /// What each --at and --step is.
    fn stops(&self, run: &Run) -> Result<Vec<Stop>, FigureError> {
        let count = run.trace.steps().len();
        if let Some(&step) = self.step.iter().find(|&&step| step as usize > count) {
            return Err(FigureError::NoStep { step, count });
        }
        let end_ns = run.trace.end().ns();
        if let Some(&at_ns) = self.at.iter().find(|&&at| at > end_ns) {
            return Err(FigureError::AfterRun { at_ns, end_ns });
        }
        let of_times = self.at.iter().map(|&at| Stop::at_time(&run.trace, Time(at)));
        Ok(of_times.chain(self.step.iter().map(|&step| Stop::at_step(&run.trace, step))).collect())
    }

    fn shown(&self, end: Time) -> Result<Option<(i64, i64)>, FigureError> {
        if self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let (from, to) = (self.from.unwrap_or(0), self.to.unwrap_or(end.ns()));
        if from >= end.ns() {
            return Err(FigureError::AfterTimeline { from_ns: from, end_ns: end.ns() });
        }
        if from >= to {
            return Err(FigureError::Backwards { from_ns: from, to_ns: to });
        }
        let number = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
        Ok(Some((number(from), number(to.min(end.ns())))))
    }
}

impl Streams<'_> {
    /// The figure asked for.
    pub(super) fn figure(
        &mut self,
        args: &FigureArgs,
        run: &Run,
        records: &Arc<Records>,
        others: &[OtherRun],
    ) -> Result<DrawnFigure, Failed> {
        let timeline = Timeline::new(&run.trace, records);
        match args.style(Style::default().width_px).and_then(|style| Ok((style, args.subject(run, &timeline, others)?))) {
            Ok((style, subject)) => Ok(figure::draw(run, &timeline, &subject, !args.no_title, style)),
            Err(why) => self.fail(&why.to_string()),
        }
    }

    /// The film asked for.
    pub(super) fn film(&mut self, args: &FigureArgs, latex: &LatexArgs, run: &Run) -> Result<Film, Failed> {
        args.film(run, !latex.has_future()).or_else(|why| self.fail(&why.to_string()))
    }

    /// A film as a GIF; with it comes a letter that no font here has, if there are some.
    pub(super) fn gif(&mut self, film: &Film, scale: u32, run: &Run, records: &Arc<Records>) -> Result<(Vec<u8>, Option<char>), Failed> {
        let painter = match Painter::new() {
            Ok(painter) => painter,
            Err(why) => return self.fail(&why.to_string()),
        };
        let made = film::gif(run, &Timeline::new(&run.trace, records), film, scale, |picture, scale| {
            let (width, height, rgba) = painter.dots(&picture.svg(""), scale).map_err(|why| why.to_string())?;
            Ok(Dots { width, height, rgba })
        });
        match made {
            Ok(bytes) => Ok((bytes, painter.missing())),
            Err(why) => self.fail(&why.to_string()),
        }
    }
}
