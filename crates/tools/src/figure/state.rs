//! What the tool of figures remembers: the controls, by the names that links of version 1 have.
//!
//! Invariant: what was typed stays as it was typed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool::memory;
use blockstep_draw::figure::Palette;
use blockstep_report::slides::Shows;
use blockstep_sim::scenario::Choice;

/// Width and height of letters, before anything is typed.
pub(super) const WIDTH: &str = "800";
pub(super) const FONT: &str = "12";
/// PNG scale, before anything is chosen.
pub(super) const SCALE: &str = "2";

/// Controls that hold text or one of a list.
const FIELDS: [&str; 13] = [
    "figure",
    "part",
    "chart",
    "beside",
    "columns",
    "width",
    "font",
    "palette",
    "scale",
    "tex-width",
    "tex-size",
    "tex-shows",
    "tex-steps",
];
/// Controls that are ticked or not.
const TICKED: [&str; 5] = ["line", "title", "legend", "tex-fragment", "tex-future"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Timeline,
    Queues,
    Strip,
    Chart,
}

impl Choice for Kind {
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

impl Kind {
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Timeline => "Timeline",
            Self::Queues => "Queue diagram at this step",
            Self::Strip => "Strip of queue diagrams",
            Self::Chart => "Chart of the results",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    #[default]
    Shown,
    All,
}

impl Choice for Part {
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
    pub figure: Kind,
    /// What of the timeline.
    pub part: Part,
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
    /// Why what was to be saved last could not be; until the next event.
    pub unsaved: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Setting {
    /// See [`State::figure`].
    Figure(Kind),
    /// See [`State::part`].
    Part(Part),
    /// See [`State::chart`].
    Chart(String),
    /// See [`State::beside`].
    Beside(String),
    /// See [`State::columns`].
    Columns(Option<u64>),
    /// See [`State::width`].
    Width(String),
    /// See [`State::font`].
    Font(String),
    /// See [`State::palette`].
    Palette(Palette),
    /// See [`State::scale`].
    Scale(u32),
    /// See [`State::line`].
    Line(bool),
    /// See [`State::title`].
    Title(bool),
    /// See [`State::legend`].
    Legend(bool),
    /// See [`State::tex_width`].
    TexWidth(u32),
    /// See [`State::tex_size`].
    TexSize(u32),
    /// See [`State::tex_shows`].
    TexShows(Shows),
    /// See [`State::tex_steps`].
    TexSteps(String),
    /// See [`State::tex_future`].
    TexFuture(bool),
    /// See [`State::tex_fragment`].
    TexFragment(bool),
}

impl State {
    pub(super) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Figure(kind) => self.figure = kind,
            Setting::Part(part) => self.part = part,
            Setting::Chart(key) => self.chart = key,
            Setting::Beside(key) => self.beside = key,
            Setting::Columns(columns) => self.columns = columns,
            Setting::Width(text) => self.width = text,
            Setting::Font(text) => self.font = text,
            Setting::Palette(palette) => self.palette = palette,
            Setting::Scale(scale) => self.scale = scale.to_string(),
            Setting::Line(is_on) => self.line = Some(is_on),
            Setting::Title(is_on) => self.title = Some(is_on),
            Setting::Legend(is_on) => self.legend = Some(is_on),
            Setting::TexWidth(width) => self.tex_width = width.to_string(),
            Setting::TexSize(size) => self.tex_size = size.to_string(),
            Setting::TexShows(shows) => self.tex_shows = shows,
            Setting::TexSteps(text) => self.tex_steps = text,
            Setting::TexFuture(is_on) => self.tex_future = Some(is_on),
            Setting::TexFragment(is_on) => self.tex_fragment = Some(is_on),
        }
    }

    /// Takes the controls that a link names, as names with values; the others keep what they hold. A form sends of ticked
    /// boxes those alone that are; its name `shown` names all of them.
    pub(super) fn take(&mut self, word: &str) {
        let (Ok(kept), word) = (memory::write(self), memory::fields(word)) else { return };
        let mut fields = memory::fields(&kept);
        let named = |name: &str| word.get(name).and_then(Value::as_str);
        let listed = word.get("shown").map_or_else(Vec::new, |shown| shown.as_array().cloned().unwrap_or_else(|| vec![shown.clone()]));
        for field in FIELDS {
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

    /// Whether a line marks the time shown; not at first.
    pub(super) fn has_line(&self) -> bool {
        self.line.unwrap_or(false)
    }

    /// Whether the scenario's name stands above; so it does at first.
    pub(super) fn has_title(&self) -> bool {
        self.title.unwrap_or(true)
    }

    /// Whether it says what its signs mean; so it does at first.
    pub(super) fn has_legend(&self) -> bool {
        self.legend.unwrap_or(true)
    }

    /// Whether the timeline of a slide shows what comes later; not at first.
    pub(super) fn has_future(&self) -> bool {
        self.tex_future.unwrap_or(false)
    }

    /// Whether files are for `\input`; not at first.
    pub(super) fn is_fragment(&self) -> bool {
        self.tex_fragment.unwrap_or(false)
    }
}

/// What a field holds, or what it holds at first.
pub(super) fn held<'t>(text: &'t str, first: &'t str) -> &'t str {
    if text.is_empty() { first } else { text }
}
