//! A run's timeline as an SVG document.
//!
//! Depends on `view` and plotters' SVG backend. Invariant: the document is well-formed whatever
//! characters the names hold.

use std::sync::Arc;

use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;

use super::{Theme, paint};
use crate::record::Records;
use crate::trace::Trace;
use crate::view::timeline::Timeline;

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
    let height = frame.height_px.ceil() as u32;
    let theme = if dark { Theme::dark() } else { Theme::light() }.for_svg();
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (width, height + title_px)).into_drawing_area();
        let (head, body) = root.split_vertically(title_px);
        // Writing to memory does not fail.
        let _ = super::paint_title(&head, name, width, &theme);
        let _ = paint(&body, &frame, &theme);
        let _ = root.present();
    }
    described(&text, trace, records)
}

/// With a title and a description for those who do not see it, and without characters that XML forbids.
fn described(text: &str, trace: &Trace, records: &Records) -> String {
    let name = match trace.scenario().name() {
        "" => "Timeline",
        name => name,
    };
    let name = &trace.variants().title(name);
    let description = format!(
        "Timeline of {} blocks and {} copies on {} SMs of {}",
        records.blocks.len(),
        records.copies.len(),
        trace.scenario().device().sms,
        trace.scenario().device().name
    );
    let head_end = text.find('>').map_or(0, |i| i + 1);
    let (head, body) = text.split_at(head_end);
    let head = head.replacen("<svg ", "<svg role=\"img\" ", 1);
    let whole = format!("{head}\n<title>{}</title>\n<desc>{}</desc>{body}", escaped(name), escaped(&description));
    whole.chars().map(|c| if is_xml(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Whether XML 1.0 allows the character.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
