//! Why an argument cannot be read, and why there is no figure.

use blockstep_batch::methods::Method;
use blockstep_draw::figure::{FONTS, StyleError};
use blockstep_draw::tikz::TikzStyleError;
use blockstep_film::{DELAYS, FilmError};
use blockstep_report::figure::MAX_INSETS;
use blockstep_report::slides::SlidesError;
use blockstep_report::stops::StopsError;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::trace::Variant;
use blockstep_view::quantity::{QuantityError, format_time};

/// Why a text is no value of its option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArgError {
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    #[error("has no unit; give one: {0}ms, {0}s, {0}us or {0}ns")]
    NoUnit(String),
    #[error("is 0; a block runs for at least 1 ns")]
    NoDuration,
    #[error("is 0; leave --max-time out for no limit")]
    NoTime,
    #[error("there is no such built-in device; there are {}", BUILT_IN.iter().map(|d| d.id).collect::<Vec<_>>().join(", "))]
    NoDevice,
    #[error("there is no such variant of a rule; there are{}", variants())]
    NoVariant,
    #[error("is not one of the parts 1/N to N/N")]
    NoPart,
    #[error("\"{0}\" is not a method; give all, none, or some of {known}", known = Method::ALL.map(Method::word).join(", "))]
    NoMethod(String),
    #[error("no format has names that end in .{0}; say with --format what to write")]
    NoFormatOfName(String),
    #[error("it is a number from {} to {}", FONTS.start(), FONTS.end())]
    FontSize,
    #[error("it is a time from {}ms to {}s", DELAYS.start(), DELAYS.end() / 1_000)]
    Delay,
}

/// A variant a line.
fn variants() -> String {
    let width = Variant::ALL.iter().map(|v| v.id().len()).max().unwrap_or(0);
    Variant::ALL.iter().map(|v| format!("\n  {:width$}  {}", v.id(), v.sentence())).collect()
}

/// Why there is no such figure of a run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum FigureError {
    #[error(transparent)]
    Style(#[from] StyleError),
    #[error(transparent)]
    TikzStyle(#[from] TikzStyleError),
    #[error(transparent)]
    Slides(#[from] SlidesError),
    /// Options that do not go together.
    #[error("{0}")]
    Options(&'static str),
    #[error("{0} does not go with slides, which are as large as beamer has them")]
    SizeOfSlides(&'static str),
    #[error("{0} by --steps, --at, --step, --from and --to")]
    ManySlides(SlidesError),
    #[error("{0} by --steps, --at, --step, --from and --to")]
    ManyFrames(FilmError),
    #[error("--steps: {0}")]
    Steps(StopsError),
    #[error("{0} steps are too many for a strip, the limit is {MAX_INSETS}")]
    ManyInsets(usize),
    #[error("--step {step}: the run has {count} steps")]
    NoStep { step: u32, count: usize },
    #[error("--at {}: the run ends at {}", format_time(*.at_ns), format_time(*.end_ns))]
    AfterRun { at_ns: u64, end_ns: u64 },
    #[error("--from {}: the timeline ends at {}", format_time(*.from_ns), format_time(*.end_ns))]
    AfterTimeline { from_ns: u64, end_ns: u64 },
    #[error("--from {} is not before --to {}", format_time(*.from_ns), format_time(*.to_ns))]
    Backwards { from_ns: u64, to_ns: u64 },
}
