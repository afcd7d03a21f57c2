//! How high a frame is to be, so that its reader has what it shows in sight.
//!
//! Invariant: a whole number of tens of pixels, from [`LEAST`] to [`MOST`]. The lengths are those of the page in a frame, in pixels at
//! its usual size of letters.

use crate::notes;
use crate::runs::Runs;
use crate::tool::ReaderPlace;
use blockstep_format::{Embed, Link};
use blockstep_sim::examples::Example;
use blockstep_sim::units::SpaceId;

/// Lowest and highest frame that is proposed: in lower ones there is no room for the bar of steps, and higher ones
/// do not fit on a screen; what has more scrolls.
const LEAST: u32 = 200;
const MOST: u32 = 1_200;

/// Frames narrower than this are compact.
const COMPACT: u32 = 655;
/// Above the first panel and below the last one, with the bar of steps.
const AROUND: u32 = 60;
/// Between panels.
const GAP: u32 = 12;
/// The head of the timeline without bookmarks, and what each line of those adds.
const HEAD: (u32, u32) = (40, 32);
/// Bookmarks that have room in a line.
const IN_LINE: usize = 4;
/// A queue, an SM or a copy engine with the distance to the next one.
const BOX: u32 = 65;
/// What a queue diagram has beside that, and each of several address spaces.
const DIAGRAM: u32 = 120;
const SPACE: u32 = 50;
/// Heading of the device's part, an SM and a copy engine.
const DEVICE: u32 = 200;
/// The runlist, or the queues of deadlines.
const SCHEDULER: u32 = 290;
/// Streams of a space, and spaces, that are counted: more scroll.
const MOST_COUNTED: usize = 16;
/// A note of one line, what each further line adds, and the buttons from note to note.
const NOTE: (u32, u32, u32) = (80, 19, 38);
/// Letters of a note in a line.
const LINE: usize = 90;
/// A stop of a tour.
const TOUR: u32 = 280;

/// The height for a link, of which it is known which built-in scenario it shows, in a frame of that width, if it has one in pixels.
pub(super) fn height(link: &Link, example: Option<&Example>, place: &ReaderPlace, runs: &mut Runs, view: Embed, width: Option<u32>) -> u32 {
    let is_compact = width.is_some_and(|px| px < COMPACT);
    let mut px = AROUND;
    if view != Embed::Queues {
        let bookmarks = example.map_or(0, |example| example.bookmarks.len());
        let lines = if is_compact { bookmarks.min(1) } else { bookmarks.div_ceil(IN_LINE) };
        let timeline = runs.timeline(&place.simulation).natural_height_px(is_compact).ceil() as u32;
        px += timeline + HEAD.0 + HEAD.1 * lines as u32;
    }
    if view == Embed::Both {
        px += GAP;
    }
    if view != Embed::Timeline {
        px += queues(place, is_compact);
    }
    for (name, memory) in &link.tools {
        px += match name.as_str() {
            "notes" => GAP + notes(&notes::texts(memory)),
            "tour" => GAP + TOUR,
            _ => 0,
        };
    }
    px.next_multiple_of(10).clamp(LEAST, MOST)
}

fn queues(place: &ReaderPlace, is_compact: bool) -> u32 {
    let trace = &place.simulation.run.trace;
    let (layout, device) = (trace.layout(), trace.scenario().device());
    let count = |n: usize| n.min(MOST_COUNTED) as u32;
    let sms = u32::try_from(device.sms).unwrap_or(u32::MAX).clamp(1, 64);
    let sm_rows = if sms > 8 { 6 } else { sms.div_ceil(if is_compact { 1 } else { 3 }) };
    let mut px = DIAGRAM;
    let spaces = layout.spaces().len();
    for space in (0..spaces.min(MOST_COUNTED)).map(SpaceId::at) {
        let (streams, waiting) =
            (count(layout.space(space).streams.len()), 2 + count(usize::try_from(device.copy_engines).unwrap_or(usize::MAX)));
        let boxes = if is_compact { streams + waiting } else { streams.max(waiting) };
        px += BOX * boxes + DEVICE + BOX * (sm_rows - 1);
        px += if spaces > 1 { SPACE } else { 0 };
    }
    px + if spaces > 1 { SCHEDULER } else { 0 }
}

/// The highest of the notes.
fn notes(texts: &[String]) -> u32 {
    let lines = |text: &str| text.lines().map(|line| line.chars().count().div_ceil(LINE).max(1)).sum::<usize>();
    let most = texts.iter().map(|text| lines(text)).max().unwrap_or(1);
    NOTE.0 + NOTE.1 * (most.min(MOST_COUNTED) as u32 - 1) + if texts.len() > 1 { NOTE.2 } else { 0 }
}
