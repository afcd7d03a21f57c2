//! The tools beside a run: each answers what the reader does in its panel with new HTML and with
//! what the page is to do.
//!
//! Depends on `learn` and `lab::runs`. Invariants: an answer depends on the request alone: what a
//! tool remembers stands in its state, a query that the page keeps for it; a tool never reaches into
//! the page, it says what is to be done as [`Act`]s.
//!
//! In a tool's HTML, attributes tell the page what a click means: `data-go` (to that position of the
//! run on screen), `data-go-time` (to that time in ns), `data-op` (select the operation's kernel),
//! `data-do` (ask the tool again, with this word); `data-keep` names what keeps the focus when the
//! HTML is replaced. Every control with a `name` is sent along.

pub mod query;

mod veil;

use query::Query;

use super::Part;
use crate::examples::{self, Example};
use crate::protocol::Effect;
use crate::report::Options;
use crate::runs::{Runs, Simulation};
use crate::trace::Variants;
use crate::units::{OpId, RowId, Time};
use crate::view::position::Stop;
use crate::view::time_scale::TimeScale;

/// What the reader did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The panel was opened, or opened anew, perhaps with a word for the tool.
    Opened(String),
    /// Something with `data-do` was clicked, or a form was sent: its word.
    Did(String),
    /// A control was changed: its name.
    Changed(String),
    /// The run, the step, the selection or the part of the timeline in sight is another one.
    Moved,
}

impl Event {
    /// An event in words: `open:word`, `do:word`, `change:name`, `move`.
    #[must_use]
    pub fn of(words: &str) -> Self {
        match words.split_once(':').unwrap_or((words, "")) {
            ("open", word) => Self::Opened(word.to_owned()),
            ("do", word) => Self::Did(word.to_owned()),
            ("change", name) => Self::Changed(name.to_owned()),
            _ => Self::Moved,
        }
    }
}

/// Where the reader stands.
pub struct Here {
    /// The scenario file of the run on screen.
    pub scenario: String,
    /// Its run.
    pub made: Simulation,
    /// Steps applied.
    pub position: u32,
    /// The time shown; not before that of the last step applied.
    pub at: Time,
    /// The kernel row selected, if one is.
    pub selected: Option<RowId>,
    /// The operation asked about, if a single one was.
    pub op: Option<OpId>,
    /// How panels are to look.
    pub options: Options,
    /// What of the timeline is in sight, in px of the timeline.
    pub scale: TimeScale,
    /// Whether that is not all of it.
    pub is_zoomed: bool,
    /// Whether what comes after the step is hidden.
    pub is_veiled: bool,
    /// Whether only timeline and queues are shown, and large.
    pub is_presenting: bool,
    /// The built-in scenario that it began as, changed since or not.
    pub example: Option<&'static Example>,
    /// The address of the page, without a fragment; only the tool `share` is told.
    pub base: String,
    /// The other tools that are open, with what they remember; only the tool `share` is told.
    pub tools: Vec<(String, Query)>,
}

/// A request to a tool.
pub struct Asked<'a> {
    /// What the reader did.
    pub event: Event,
    /// What the named controls of the panel hold.
    pub fields: Query,
    /// What the tool remembers.
    pub state: Query,
    /// Where the reader stands.
    pub here: Here,
    /// Files that the reader opened for it, with [`Event::Opened`] and the word `files`: name and text.
    pub files: Vec<(String, String)>,
    /// Other runs.
    pub runs: &'a mut Runs,
}

/// What the page is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Go to a number of steps applied.
    Go(u32),
    /// Go to a time, after every step that is not later.
    GoTime(Time),
    /// Select the kernel row of this name; none if it is empty.
    Select(String),
    /// Show another scenario at a time.
    Open {
        /// Where the reader then stands.
        at: Time,
        /// The scenario file.
        scenario: String,
    },
    /// The scenario that is shown next is this built-in one, by its id, so that its texts belong to it.
    Began(&'static str),
    /// Open a built-in scenario, by its id.
    Example(String),
    /// Show this part of the timeline; all of it if both are equal.
    Show {
        /// First instant.
        from: Time,
        /// End, excluded.
        to: Time,
    },
    /// Have the whole timeline reach to this time at least, as a run beside it does.
    Extend(Time),
    /// Hide what comes after the current step, or show it again.
    Veil(bool),
    /// Show timeline and queues alone, and large, or everything again.
    Present(bool),
    /// Close every other tool.
    Alone,
    /// Open another tool with a word for it.
    Tool {
        /// Its name.
        name: &'static str,
        /// The word.
        word: String,
    },
    /// Open another tool with what it is to remember, and have it told that the reader has moved.
    Restore {
        /// Its name.
        name: String,
        /// What it remembers.
        memory: Query,
    },
    /// Open the panel of schedulability with a study, as its link has it.
    Study(String),
    /// Say this to screen readers.
    Say(String),
    /// Save a file.
    Save {
        /// Its name.
        name: String,
        /// Its media type.
        kind: &'static str,
        /// What is in it.
        text: String,
    },
    /// Save an SVG as a PNG.
    Picture {
        /// The file's name.
        name: String,
        /// Pixels of the PNG for each of the SVG.
        scale: u32,
        /// The SVG.
        svg: String,
    },
    /// Put the link to this tool with this word on the clipboard.
    Copy(String),
    /// Put this text on the clipboard.
    Clip(String),
    /// Put HTML where the tool's wide part is, under the timeline; only `compare` and `measured` have one.
    Wide(String),
    /// Close the tool's panel.
    Close,
    /// Ask the tool again at once, as if a click had said `again`, unless the reader has done
    /// something else since: so that long work is done in portions.
    Again,
}

/// A tool's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What it remembers from here on.
    pub state: Query,
    /// What its panel shows.
    pub html: String,
    /// What the page is to do, in order.
    pub acts: Vec<Act>,
}

/// Asks a tool by its name.
///
/// # Errors
/// What is wrong with the request, as a sentence for the reader.
pub fn ask(name: &str, asked: &mut Asked<'_>) -> Result<Answer, String> {
    let tool = TOOLS.iter().find(|(known, _)| *known == name);
    let (_, tool) = tool.ok_or_else(|| format!("The lab knows no tool \"{name}\": load the page again, it may be of another version."))?;
    match (veil::hides(name, asked), asked.files.is_empty()) {
        (false, _) => tool(asked),
        (true, true) => Ok(veil::answer(asked)),
        // Files are given once.
        (true, false) => Ok(Answer { html: veil::html(), ..tool(asked)? }),
    }
}

/// What a tool wants the page to do, in the words of the protocol.
#[must_use]
pub fn effects(acts: Vec<Act>) -> Vec<Effect> {
    let mut began = None;
    let mut effects = Vec::new();
    for act in acts {
        effects.push(match act {
            Act::Began(id) => {
                began = Some(id.to_owned());
                continue;
            }
            Act::Go(position) => Effect::GoToStep(position),
            Act::GoTime(at) => Effect::GoToTime(at),
            Act::Select(row) => Effect::SelectRow(row),
            Act::Open { at, scenario } => Effect::OpenScenario { at, scenario, began_as: began.take() },
            Act::Example(id) => Effect::OpenExample(id),
            Act::Show { from, to } => Effect::ShowRange { from, to },
            Act::Extend(to) => Effect::ExtendTimeline(to),
            Act::Veil(is_on) => Effect::HideFuture(is_on),
            Act::Present(is_on) => Effect::Present(is_on),
            Act::Tool { name, word } => Effect::OpenTool { name: name.to_owned(), word },
            Act::Restore { name, memory } => Effect::RestoreTool { name, memory: memory.write() },
            Act::Picture { name, scale, svg } => Effect::SavePicture { name, scale, svg },
            Act::Clip(text) => Effect::CopyText(text),
            Act::Study(query) => Effect::OpenStudy(query),
            Act::Say(text) => Effect::Announce(text),
            Act::Save { name, kind, text } => Effect::SaveFile { name, kind: kind.to_owned(), text },
            Act::Copy(text) => Effect::CopyLink(text),
            Act::Wide(html) => Effect::LegacyWide(html),
            Act::Close => Effect::Close,
            Act::Again => Effect::Continue,
            Act::Alone => Effect::CloseOthers,
        });
    }
    effects
}

/// A tool: a pure function of the request.
type Tool = fn(&mut Asked<'_>) -> Result<Answer, String>;

/// Every tool by its name.
const TOOLS: &[(&str, Tool)] = &[
];

/// Answers a request: `tool` with its name, event (`open:word`, `do:word`, `change:name`, `move`),
/// fields, state, scenario file, and place as a query of `position`, `at`, `row`, `op`, `dark`,
/// `width`, `left`, `plot`, `end`, `from`, `to`, `veiled`, `presenting`, `example`, `base`, and of each open tool `tool` and `memory`;
/// then names and texts of files.
///
/// # Errors
/// What is wrong with the request, as a sentence for the reader.
pub(super) fn answer(arguments: &[String], runs: &mut Runs) -> Result<Vec<Part>, String> {
    let argument = |i: usize| arguments.get(i).map_or("", String::as_str);
    let here = here(argument(4), &Query::read(argument(5)), runs)?;
    let event = Event::of(argument(1));
    let files = arguments.get(6..).unwrap_or_default().chunks_exact(2).map(|file| (file[0].clone(), file[1].clone())).collect();
    let mut asked = Asked { event, fields: Query::read(argument(2)), state: Query::read(argument(3)), here, files, runs };
    let answer = ask(argument(0), &mut asked)?;
    Ok(answer.into_parts())
}

fn here(scenario: &str, place: &Query, runs: &mut Runs) -> Result<Here, String> {
    let made = runs.get(scenario, Variants::NONE)?;
    let (trace, number) = (&made.run.trace, |name: &str| place.get(name).parse::<u64>().ok());
    let small = |name: &str| number(name).and_then(|n| u32::try_from(n).ok());
    let (steps, rows, ops) = (trace.steps().len() as u32, trace.scenario().rows().len(), trace.ops().len());
    let width_px = |name: &str, otherwise: u32| f64::from(small(name).unwrap_or(otherwise).clamp(40, 10_000));
    // As far as the page's picture reaches: to the last event, or further beside a longer run.
    let end = number("end").map_or(trace.end().max(made.records.end()), Time);
    let whole = TimeScale::fit(end, f64::from(small("left").unwrap_or(84).min(400)), width_px("plot", 700));
    Ok(Here {
        scenario: scenario.to_owned(),
        position: small("position").unwrap_or(0).min(steps),
        at: Time(number("at").unwrap_or(0)),
        selected: small("row").filter(|&row| (row as usize) < rows).map(RowId),
        op: small("op").filter(|&op| (op as usize) < ops).map(OpId),
        options: Options { is_dark: place.get("dark") == "1", width_px: small("width").unwrap_or(760) },
        scale: match (place.get("from").parse::<i64>(), place.get("to").parse::<i64>()) {
            (Ok(from), Ok(to)) if from < to => whole.showing((from, to), end),
            _ => whole,
        },
        is_zoomed: !place.get("from").is_empty(),
        is_veiled: place.get("veiled") == "1",
        is_presenting: place.get("presenting") == "1",
        example: examples::find(place.get("example")),
        base: place.get("base").to_owned(),
        tools: place.all("tool").map(str::to_owned).zip(place.all("memory").map(Query::read)).collect(),
        made,
    })
}

impl Here {
    /// Steps applied and the time shown.
    fn stop(&self) -> Stop {
        Stop { position: self.position, at: self.at }.within(&self.made.run.trace)
    }
}

impl Answer {
    /// As parts of a message: state, HTML, then kind and value of each act.
    fn into_parts(self) -> Vec<Part> {
        let mut parts = vec![self.state.write(), self.html];
        parts.extend(self.acts.into_iter().flat_map(|act| {
            let (kind, value) = act.into_text();
            [kind.to_owned(), value]
        }));
        parts.into_iter().map(Part::Text).collect()
    }
}

impl Act {
    fn into_text(self) -> (&'static str, String) {
        match self {
            Self::Go(position) => ("go", position.to_string()),
            Self::GoTime(at) => ("at", at.ns().to_string()),
            Self::Select(row) => ("select", row),
            Self::Open { at, scenario } => ("scenario", format!("{}\n{scenario}", at.ns())),
            Self::Began(id) => ("began", id.to_owned()),
            Self::Example(id) => ("example", id),
            Self::Show { from, to } => ("show", format!("{}\n{}", from.ns(), to.ns())),
            Self::Extend(to) => ("extend", to.ns().to_string()),
            Self::Veil(is_on) => ("veil", if is_on { "1" } else { "" }.to_owned()),
            Self::Present(is_on) => ("present", if is_on { "1" } else { "" }.to_owned()),
            Self::Tool { name, word } => ("tool", format!("{name}\n{word}")),
            Self::Restore { name, memory } => ("restore", format!("{name}\n{}", memory.write())),
            Self::Picture { name, scale, svg } => ("picture", format!("{name}\n{scale}\n{svg}")),
            Self::Clip(text) => ("clip", text),
            Self::Study(query) => ("study", query),
            Self::Say(text) => ("say", text),
            Self::Save { name, kind, text } => ("save", format!("{name}\n{kind}\n{text}")),
            Self::Copy(text) => ("copy", text),
            Self::Wide(html) => ("wide", html),
            Self::Close => ("close", String::new()),
            Self::Again => ("again", String::new()),
            Self::Alone => ("alone", String::new()),
        }
    }
}
