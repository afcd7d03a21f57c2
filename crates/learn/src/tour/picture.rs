//! Pictures beside the texts of tours: the parts of a chip, and of a context switch.
//!
//! Depends on the devices of `scenario`. Invariants: a picture takes its colors from the page around it; its words are ours, so that
//! nothing in it has to be escaped; what it shows is also said in words.

mod chip;
mod switch;

use serde::{Deserialize, Serialize};

use blockstep_sim::scenario::DeviceDraft;

/// What a stop's `picture` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// The chip of the scenario's device, with a part that stands out.
    Chip(Option<chip::Part>),
    /// A context switch in one of its phases.
    Switch(switch::Phase),
}

/// A picture, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// An SVG element, to stand within a page.
    pub svg: String,
    /// What it shows, for those who do not see it.
    pub label: String,
}

impl PictureKind {
    /// Reads `chip`, `chip:memory` or `switch:save`.
    #[must_use]
    pub(super) fn read(word: &str) -> Option<Self> {
        match word.split_once(':') {
            None if word == "chip" => Some(Self::Chip(None)),
            Some(("chip", part)) => chip::Part::read(part).map(|part| Self::Chip(Some(part))),
            Some(("switch", phase)) => switch::Phase::read(phase).map(Self::Switch),
            _ => None,
        }
    }

    /// The picture on a device; none of a chip of which no parts beside the GPU are known.
    #[must_use]
    pub(super) fn draw(self, device: &DeviceDraft) -> Option<Picture> {
        match self {
            Self::Chip(part) => chip::draw(device, part),
            Self::Switch(phase) => Some(switch::draw(phase)),
        }
    }
}

/// Boxes, lines and words of a picture, in pixels.
struct Sheet {
    height: i32,
    text: String,
}

/// How something looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Plain,
    /// The part that is told of.
    Strong,
}

impl Look {
    const fn strong_if(is_strong: bool) -> Self {
        if is_strong { Self::Strong } else { Self::Plain }
    }

    /// Its line, and how wide that is.
    const fn stroke(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => ("var(--quiet)", "1"),
            Self::Strong => ("var(--accent)", "2"),
        }
    }
}

impl Sheet {
    const WIDTH: i32 = 340;

    const fn new(height: i32) -> Self {
        Self { height, text: String::new() }
    }

    /// A box with lines of words in its middle.
    fn boxed(&mut self, (x, y, width, height): (i32, i32, i32, i32), words: &[&str], look: Look) {
        let (stroke, line) = look.stroke();
        let fill = if look == Look::Strong { "var(--accent-soft)" } else { "var(--panel)" };
        self.text.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>"
        ));
        let count = i32::try_from(words.len()).unwrap_or(0);
        for (i, word) in (0..).zip(words) {
            self.word((x + width / 2, y + height / 2 + 4 + 14 * i - 7 * (count - 1)), word, "middle");
        }
    }

    /// A box around others, with its name at the top left.
    fn group(&mut self, (x, y, width, height): (i32, i32, i32, i32), name: &str) {
        self.text.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"var(--soft)\" stroke=\"var(--quiet)\"/>"
        ));
        self.word((x + 8, y + 15), name, "start");
    }

    fn word(&mut self, (x, y): (i32, i32), word: &str, anchor: &str) {
        self.text
            .push_str(&format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"11\" fill=\"var(--ink)\">{word}</text>"));
    }

    /// A line from one place to another, with a head there if it is an arrow.
    fn line(&mut self, from: (i32, i32), to: (i32, i32), look: Look, is_arrow: bool) {
        let (stroke, line) = look.stroke();
        self.text.push_str(&format!(
            "<path d=\"M{} {}L{} {}\" stroke=\"{stroke}\" stroke-width=\"{line}\" fill=\"none\"/>",
            from.0, from.1, to.0, to.1
        ));
        if is_arrow {
            let (dx, dy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
            // Level or upright: one of the two is 0.
            let (back, side) = ((to.0 - 7 * dx, to.1 - 7 * dy), (4 * dy, 4 * dx));
            self.text.push_str(&format!(
                "<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{stroke}\"/>",
                to.0,
                to.1,
                back.0 + side.0,
                back.1 + side.1,
                back.0 - side.0,
                back.1 - side.1
            ));
        }
    }

    fn finish(self, label: String) -> Picture {
        let (width, height) = (Self::WIDTH, self.height);
        let svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"system-ui, sans-serif\">{}</svg>",
            self.text
        );
        Picture { svg, label }
    }
}
