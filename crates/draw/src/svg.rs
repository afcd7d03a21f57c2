//! A run's timeline as an SVG document, and those of several runs in one.
//!
//! Depends on `view` and plotters' SVG backend. Invariant: the document is well-formed whatever
//! characters the names hold, and each text is read in the order in which it is written.

use std::sync::Arc;

use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;

use super::{Theme, paint};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{is_directive, plain};
use blockstep_sim::trace::Trace;
use blockstep_view::frame::Frame;
use blockstep_view::queue_figure::QueueFigure;
use blockstep_view::timeline::Timeline;

/// Narrowest picture that has room for its labels.
const MIN_WIDTH: u32 = 240;
const TITLE_PX: u32 = 30;

/// The whole run as a picture `width` pixels wide; without a height, as high as its lanes need.
#[must_use]
pub fn svg(trace: &Arc<Trace>, records: &Arc<Records>, width: u32, height: Option<u32>, dark: bool) -> String {
    let timeline = Timeline::new(trace, records);
    let width = width.max(MIN_WIDTH);
    let name = &trace.variants().title(trace.scenario().name());
    let title_px = if name.is_empty() { 0 } else { TITLE_PX };
    let natural = timeline.natural_height_px(false).ceil() as u32;
    let height = height.map_or(natural, |h| h.saturating_sub(title_px));
    let frame = timeline.frame(&timeline.fit(f64::from(width)), f64::from(height), None, None);
    let description = format!(
        "Timeline of {} blocks and {} copies on {} SMs of {}",
        records.blocks.len(),
        records.copies.len(),
        trace.scenario().device().sms,
        trace.scenario().device().name
    );
    let described_as = match trace.scenario().name() {
        "" => trace.variants().title("Timeline"),
        _ => name.clone(),
    };
    stacked(&[(name, &frame)], &described_as, &description, dark)
}

/// A part of a sheet.
#[derive(Clone, Copy, Debug)]
pub enum SheetPart<'a> {
    /// A title; nothing if it is empty.
    Title(&'a str),
    /// A timeline.
    Frame(&'a Frame),
    /// A diagram, or words.
    Diagram(&'a QueueFigure),
}

impl SheetPart<'_> {
    fn size_px(self) -> (u32, u32) {
        let whole = |px: f64| px.ceil() as u32;
        match self {
            Self::Title("") => (0, 0),
            Self::Title(_) => (0, TITLE_PX),
            Self::Frame(frame) => (whole(frame.width_px), whole(frame.height_px)),
            Self::Diagram(figure) => (whole(figure.width_px), whole(figure.height_px)),
        }
    }
}

/// Frames below each other, each under its title, which may be empty; with a name and a description of the whole.
#[must_use]
pub fn stacked(pictures: &[(&str, &Frame)], name: &str, description: &str, dark: bool) -> String {
    let parts: Vec<SheetPart<'_>> = pictures.iter().flat_map(|(title, frame)| [SheetPart::Title(title), SheetPart::Frame(frame)]).collect();
    sheet(&parts, name, description, dark)
}

/// Parts below each other, with a name and a description of the whole.
#[must_use]
pub fn sheet(parts: &[SheetPart<'_>], name: &str, description: &str, dark: bool) -> String {
    let width = parts.iter().map(|part| part.size_px().0).max().filter(|&px| px > 0).unwrap_or(MIN_WIDTH);
    let height = parts.iter().map(|part| part.size_px().1).sum();
    let theme = if dark { Theme::dark() } else { Theme::light() }.for_svg();
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        let mut rest = root.clone();
        for part in parts {
            let (area, below) = rest.split_vertically(part.size_px().1);
            // Writing to memory does not fail.
            let _ = match part {
                SheetPart::Title(title) => super::paint_title(&area, title, width, &theme),
                SheetPart::Frame(frame) => paint(&area, frame, &theme),
                SheetPart::Diagram(figure) => super::paint_diagram(&area, figure, &theme),
            };
            rest = below;
        }
        let _ = root.present();
    }
    described(&text, name, description)
}

/// With a title and a description for those who do not see it, and without characters that XML forbids or that turn text.
pub(super) fn described(text: &str, name: &str, description: &str) -> String {
    let head_end = text.find('>').map_or(0, |i| i + 1);
    let (head, body) = text.split_at(head_end);
    let head = head.replacen("<svg ", "<svg role=\"img\" ", 1);
    let whole = format!("{head}\n<title>{}</title>\n<desc>{}</desc>{body}", escaped(&plain(name)), escaped(&plain(description)));
    whole.chars().map(|c| if is_xml(c) && !is_directive(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Whether XML 1.0 allows the character, and a terminal takes it for no command.
fn is_xml(c: char) -> bool {
    c == '\n' || !c.is_control() && matches!(c, '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
