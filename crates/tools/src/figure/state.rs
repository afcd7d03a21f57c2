//! What the tool of figures remembers: the controls, by the names that links of version 1 have.
//!
//! Invariant: what was typed stays as it was typed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::latex::{SIZES, TEX_WIDTHS};
use super::list::ChoiceList;
use crate::runs::beside;
use crate::tool::Pair;
use crate::tool::memory;
use crate::tool::pairs::words;
use blockstep_draw::figure::Palette;
use blockstep_film::DELAY_MS;
use blockstep_report::figure::ChartKind;
use blockstep_report::slides::Shows;
use blockstep_sim::scenario::Choice;

/// Its controls: those that hold text or one of a list, then those that are ticked, each by itself and all in one list.
pub(super) const PAIRS: &[Pair] = &[
    Pair::one_of("figure", || words(FigureKind::ALL.iter().copied(), FigureKind::word)),
    Pair::one_of("part", || words(TimelinePart::ALL.iter().copied(), TimelinePart::word)),
    Pair::one_of("chart", || words(ChartKind::KEYS, str::to_owned)),
    Pair::one_of("beside", beside::keys),
    Pair::number("columns", 1, 6),
    Pair::text("width"),
    Pair::text("font"),
    Pair::one_of("palette", || words(Palette::ALL, Palette::word)),
    Pair::text("scale"),
    Pair::one_of("tex-width", || words(TEX_WIDTHS, |(width, _)| width)),
    Pair::one_of("tex-size", || words(SIZES, str::to_owned)),
    Pair::one_of("tex-shows", || words(Shows::ALL, Shows::word)),
    Pair::text("tex-steps"),
    Pair::one_of("gif-shows", || words(Shows::ALL, Shows::word)),
    Pair::text("gif-steps"),
    Pair::one_of("gif-delay", || words(GIF_DELAYS, |(seconds, _)| seconds)),
    Pair::one_of(TICKED[0], on_and_off),
    Pair::one_of(TICKED[1], on_and_off),
    Pair::one_of(TICKED[2], on_and_off),
    Pair::one_of(TICKED[3], on_and_off),
    Pair::one_of(TICKED[4], on_and_off),
    Pair::one_of(TICKED[5], on_and_off),
    Pair::one_of("shown", || words(TICKED, str::to_owned)).repeated(),
];

fn on_and_off() -> Vec<String> {
    words(["on", "off"], str::to_owned)
}

/// How long a step of a GIF can stay, s, the usual one first; with the same in ms.
const GIF_DELAYS: [(&str, u32); 6] = [("1.5", DELAY_MS), ("0.5", 500), ("1", 1_000), ("2", 2_000), ("3", 3_000), ("5", 5_000)];

/// Controls that are ticked or not.
const TICKED: [&str; 6] = ["line", "title", "legend", "tex-fragment", "tex-future", "gif-captions"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureKind {
    #[default]
    Timeline,
    Queues,
    Strip,
    Chart,
}

impl Choice for FigureKind {
    const ALL: &'static [Self] = &[Self::Timeline, Self::Queues, Self::Strip, Self::Chart];

    fn word(self) -> &'static str {
        match self {
            Self::Timeline => "timeline",
            Self::Queues => "queues",
            Self::Strip => "strip",
            Self::Chart => "chart",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimelinePart {
    #[default]
    Shown,
    All,
}

impl Choice for TimelinePart {
    const ALL: &'static [Self] = &[Self::Shown, Self::All];

    fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::All => "all",
        }
    }
}

/// What the controls hold. Texts are empty, and boxes `None`, where nobody has changed them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct State {
    /// Which figure.
    pub figure: FigureKind,
    /// What of the timeline.
    pub part: TimelinePart,
    /// Which chart, by its key.
    pub chart: String,
    /// The run that is drawn with the one on screen, as [`crate::runs::beside`] names it.
    pub beside: String,
    /// Diagrams of a strip beside each other; `None` is as many as have room.
    pub columns: Option<u64>,
    /// Width, px, as typed.
    pub width: String,
    /// Height of letters, px, as typed.
    pub font: String,
    /// The palette, for screen or print.
    pub palette: Palette,
    /// Pixels of a PNG for each of the figure.
    pub scale: String,
    /// Whether a line marks the time shown.
    pub line: Option<bool>,
    /// Whether the scenario's name stands above.
    pub title: Option<bool>,
    /// Whether it says what its signs mean.
    pub legend: Option<bool>,
    /// The stops of the strip, in order: `18`, or `18@800000000` where the time is later than that of the step.
    pub step: Vec<String>,
    /// For LaTeX: width, pt.
    pub tex_width: String,
    /// For LaTeX: height of letters, pt.
    pub tex_size: String,
    /// What slides show.
    pub tex_shows: Shows,
    /// Of which steps there are slides, as typed.
    pub tex_steps: String,
    /// Whether the timeline of a slide shows what comes later.
    pub tex_future: Option<bool>,
    /// Whether files are for `\input`.
    pub tex_fragment: Option<bool>,
    /// What a GIF shows.
    pub gif_shows: Shows,
    /// Of which steps it is, as typed.
    pub gif_steps: String,
    /// How long each of them stays, s.
    pub gif_delay: String,
    /// Whether it says what each of them does.
    pub gif_captions: Option<bool>,
    /// Why what was to be saved last could not be; until the next event.
    pub unsaved: String,
}

impl State {
    /// Takes the controls that a link names, as names with values; the others keep what they hold. A form sends of ticked
    /// boxes those alone that are; its name `shown` names all of them.
    pub(super) fn take(&mut self, word: &str) {
        let (Ok(kept), word) = (memory::write(self), memory::fields(word)) else { return };
        let mut fields = memory::fields(&kept);
        let named = |name: &str| word.get(name).and_then(Value::as_str);
        let listed = word.get("shown").map_or_else(Vec::new, |shown| shown.as_array().cloned().unwrap_or_else(|| vec![shown.clone()]));
        for field in PAIRS.iter().map(|pair| pair.name).filter(|name| !TICKED.contains(name) && *name != "shown") {
            fields.extend(named(field).map(|value| (field.to_owned(), value.into())));
        }
        for field in TICKED {
            let value = named(field).unwrap_or_default();
            if !value.is_empty() || listed.iter().any(|name| name == field) {
                fields.insert(field.to_owned(), (value == "on").into());
            }
        }
        *self = memory::read(&memory::text(&fields));
    }

    /// Width, px.
    #[must_use]
    pub fn width(&self) -> &str {
        held(&self.width, "800")
    }

    /// Height of letters, px.
    #[must_use]
    pub fn font(&self) -> &str {
        held(&self.font, "12")
    }

    /// Pixels of a PNG for each of the figure.
    #[must_use]
    pub fn scale(&self) -> &str {
        held(&self.scale, "2")
    }

    /// How many diagrams of a strip stand beside each other.
    #[must_use]
    pub fn column_choices(&self) -> ChoiceList {
        let counts = (1..=6).map(|n: u32| (n.to_string(), n.to_string()));
        let options = std::iter::once((String::new(), "as many as fit".to_owned())).chain(counts).collect();
        ChoiceList::new(options, &self.columns.map(|columns| columns.to_string()).unwrap_or_default())
    }

    /// Whether a line marks the time shown; not at first.
    #[must_use]
    pub fn has_line(&self) -> bool {
        self.line.unwrap_or(false)
    }

    /// Whether the scenario's name stands above; so it does at first.
    #[must_use]
    pub fn has_title(&self) -> bool {
        self.title.unwrap_or(true)
    }

    /// Whether it says what its signs mean; so it does at first.
    #[must_use]
    pub fn has_legend(&self) -> bool {
        self.legend.unwrap_or(true)
    }

    /// Whether the timeline of a slide shows what comes later; not at first.
    #[must_use]
    pub fn has_future(&self) -> bool {
        self.tex_future.unwrap_or(false)
    }

    /// How long each step of a GIF stays, s.
    #[must_use]
    pub fn gif_delays(&self) -> ChoiceList {
        let options = GIF_DELAYS.iter().map(|&(seconds, _)| (seconds.to_owned(), format!("{seconds} s"))).collect();
        ChoiceList::new(options, &self.gif_delay)
    }

    /// The same in ms.
    pub(super) fn delay_ms(&self) -> u32 {
        GIF_DELAYS.iter().find(|(seconds, _)| *seconds == self.gif_delay).map_or(DELAY_MS, |&(_, ms)| ms)
    }

    /// Whether a GIF says what each step does; so it does at first.
    #[must_use]
    pub fn has_captions(&self) -> bool {
        self.gif_captions.unwrap_or(true)
    }

    /// Whether files are for `\input`; not at first.
    #[must_use]
    pub fn is_fragment(&self) -> bool {
        self.tex_fragment.unwrap_or(false)
    }
}

/// What a field holds, or what it holds at first.
pub(super) fn held<'t>(text: &'t str, first: &'t str) -> &'t str {
    if text.is_empty() { first } else { text }
}
