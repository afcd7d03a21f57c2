//! What a tool beside the run is: what it remembers, what it is told, what it shows, and what it has the page do.
//!
//! Depends on the protocol, on runs and on serde. Invariant: `update` and `view` depend on their arguments alone, so the worker
//! runs them, where the runs are, and a test runs them as well.

mod error;
pub mod link;
pub mod memory;
pub(crate) mod pairs;

pub use error::ToolError;
pub use pairs::Pair;

use std::borrow::Cow;
use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ToolId;
use crate::runs::whole::whole;
use crate::runs::{Runs, RunsError, Simulation};
use blockstep_protocol::{self as protocol, Cursor, Effect, Screen, ToolAnswer, ToolEvent};
use blockstep_report::Options;
use blockstep_sim::examples::Example;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::{OpId, RowId, Time};
use blockstep_view::position::Stop;
use blockstep_view::time_scale::TimeScale;

/// Saves a table for spreadsheets, or says to everyone that it is too large.
pub(crate) fn save_table(name: String, text: impl Display) -> Effect {
    match whole(text) {
        Ok(text) => Effect::SaveFile { name, kind: "text/csv".to_owned(), text },
        Err(why) => Effect::Complain(why.to_string()),
    }
}

/// What happens to a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event<M> {
    /// Its panel was opened, or opened anew, perhaps with a word of its link.
    Opened(String),
    /// It was opened with files: name and text of each.
    OpenedWith(Vec<(String, String)>),
    /// The run, the step, the selection or the part of the timeline in sight is another one.
    Moved,
    /// It asked to go on with long work ([`Effect::Continue`]).
    Continued,
    /// Its panel was closed.
    Closed,
    /// The reader changed controls: what [`memory::since`] says of the state, which has it by now.
    Edit(String),
    /// The reader did something else in the panel.
    Message(M),
}

/// Takes an event in bytes, and what the tool remembers.
pub type AnswerApart = fn(&[u8], &str) -> Result<ToolAnswer, ToolError>;

/// The messages of a tool that takes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoMsg {}

/// What a tool is to the page.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name in links and in the browser's storage; never changes.
    pub name: &'static str,
    /// The title of its panel.
    pub title: &'static str,
    /// What it is for, in the menu.
    pub help: &'static str,
    /// Its name in the menu, if the menu has it; the others stand where they are needed.
    pub menu: Option<&'static str>,
    /// The letter that opens and closes it, in lower case; empty if it has none.
    pub key: &'static str,
    /// Whether it would tell what an open question asks: then it says nothing.
    pub hides: bool,
    /// Whether it leads to other runs or out of the page, so that it is closed while a quiz is going on.
    pub leaves: bool,
    /// Whether what it remembers survives a reload.
    pub keeps: bool,
    /// What its part under the timeline is called, if it has one.
    pub wide: Option<&'static str>,
    /// What answers for an [`Apart`] tool, which looks at no run.
    pub answer_apart: Option<AnswerApart>,
    /// Whether it stays in sight beside another tool, as it may have that one opened.
    pub stays: bool,
    /// Whether its panel stands below the kernels, not among those beside the run.
    pub below_kernels: bool,
    /// Whether it is open as long as a kernel is selected.
    pub follows_selection: bool,
    /// Whether it makes links, so that it is told what other tools remember, and follows them.
    pub makes_links: bool,
    /// Whether links take along what it remembers while it is closed.
    pub travels_closed: bool,
    /// Whether it is told of moves while it is closed, by what it remembers.
    pub is_waiting: fn(&str) -> bool,
    /// The place that it belongs to, if it does not stand by itself. Those with tabs share one panel there; one without has a
    /// button among the tabs, and a panel of its own.
    pub place: Option<SharedPlace>,
    /// Its tabs in that place, each with its word.
    pub tabs: &'static [(&'static str, &'static str)],
}

impl Info {
    /// What stands above its panel.
    #[must_use]
    pub const fn heading(&self) -> &'static str {
        match self.place {
            Some(place) if self.shares_panel() => place.title(),
            _ => self.title,
        }
    }

    /// Whether it shares a panel with the other tools of its place.
    #[must_use]
    pub const fn shares_panel(&self) -> bool {
        !self.tabs.is_empty()
    }
}

/// Where several tools are one to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedPlace {
    /// What can be taken out of the page: links, pictures, files, texts.
    Share,
    /// What words mean, and what rules do.
    Rules,
}

impl SharedPlace {
    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Share => "Share",
            Self::Rules => "Rules and terms",
        }
    }

    /// What its tabs choose, for screen readers.
    #[must_use]
    pub const fn asks(self) -> &'static str {
        match self {
            Self::Share => "What to share",
            Self::Rules => "Rules or terms",
        }
    }
}

/// Where the reader stands, and in which run.
pub struct ReaderPlace {
    /// The scenario file of the run on screen.
    pub scenario: String,
    /// Its run.
    pub simulation: Simulation,
    /// Steps applied.
    pub position: u32,
    /// The time shown; not before that of the last step applied.
    pub at: Time,
    /// The kernel row selected, if one is.
    pub selected: Option<RowId>,
    /// The operation asked about, if a single one was.
    pub op: Option<OpId>,
    /// The block of it that was pointed at, if one was.
    pub block: Option<u32>,
    /// How pictures are to look.
    pub options: Options,
    /// What of the timeline is in sight, in px of the timeline.
    pub scale: TimeScale,
    /// How high the timeline is, px; `None` if that is not known.
    pub timeline_px: Option<f64>,
    /// Whether that is not all of it.
    pub is_zoomed: bool,
    /// Whether what comes after the step is hidden.
    pub is_future_hidden: bool,
    /// While a quiz is going on: steps that may be applied.
    pub held: Option<u32>,
    /// The wall clock, in ms since 1970; 0 if it is not known.
    pub now_ms: u64,
    /// Whether only timeline and queues are shown, and large.
    pub is_presenting: bool,
    /// Whether the path of a submission is shown in place of the queues, where processes take turns.
    pub is_path_shown: bool,
    /// The built-in scenario that it began as, changed since or not.
    pub example: Option<&'static Example>,
    /// For the tool that makes links: the address of the page, without a fragment.
    pub base: String,
    /// For the tool that makes links: every other tool that is open, with what it remembers.
    pub tools: Vec<(String, String)>,
    /// For the tool that follows links: the names of all tools that there are.
    pub known_tools: Vec<&'static str>,
}

/// What a tool may look at.
pub struct Context<'a> {
    /// Where the reader stands.
    pub place: ReaderPlace,
    /// Other runs, and what is derived from runs, kept so that asking again costs nothing.
    pub runs: &'a mut Runs,
}

/// What the page is to do, in order.
pub type Effects = Vec<Effect>;

/// A tool.
pub trait Tool: Sized + 'static {
    /// What it remembers: a struct, written as JSON ([`memory`]), in links, in the browser, and between two events. Names are
    /// those of links of version 1.
    type State: Serialize + DeserializeOwned + Default + Clone + PartialEq + Send + Sync + 'static;
    /// What the reader can do in its panel that is not just a change of the state ([`Event::Edit`]).
    type Msg: Serialize + DeserializeOwned + 'static;
    /// What its panel shows.
    type View: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static;
    /// The pairs that links open it with; none if it takes another word, or none.
    const PAIRS: &'static [Pair] = &[];

    /// Reads what it remembers, now or in a link of version 1.
    #[must_use]
    fn remembered(memory: &str) -> Self::State {
        memory::read(memory)
    }

    /// Takes an event; returns what the page is to do.
    ///
    /// # Errors
    /// Why it cannot, as a sentence that the panel shows.
    fn update(state: &mut Self::State, event: Event<Self::Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError>;

    /// What its panel shows.
    ///
    /// # Errors
    /// Why there is nothing, as a sentence that the panel shows instead.
    fn view(state: &Self::State, context: &mut Context<'_>) -> Result<Self::View, ToolError>;
}

/// A tool that looks at no run. The page itself answers for one with [`Info::answer_apart`], and tells it of no moves; a worker answers
/// for one whose work may take longer than a frame.
pub trait Apart: Sized + 'static {
    /// See [`Tool::State`].
    type State: Serialize + DeserializeOwned + Default + Clone + PartialEq + Send + Sync + 'static;
    /// See [`Tool::Msg`].
    type Msg: Serialize + DeserializeOwned + 'static;
    /// See [`Tool::View`].
    type View: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static;

    /// Takes an event; returns what the page is to do.
    fn update(state: &mut Self::State, event: Event<Self::Msg>) -> Effects;

    /// What its panel shows.
    fn view(state: &Self::State) -> Self::View;
}

impl<T: Apart> Tool for T {
    type State = T::State;
    type Msg = T::Msg;
    type View = T::View;

    fn update(state: &mut T::State, event: Event<T::Msg>, _: &mut Context<'_>) -> Result<Effects, ToolError> {
        Ok(T::update(state, event))
    }

    fn view(state: &T::State, _: &mut Context<'_>) -> Result<T::View, ToolError> {
        Ok(T::view(state))
    }
}

/// Answers an event of a tool that looks at no run, in bytes.
pub(super) fn answer_apart<T: Apart>(event: &[u8], memory: &str) -> Result<ToolAnswer, ToolError> {
    let event = protocol::decode(event)?;
    let mut state: T::State = memory::read(&with_edit(memory, &event));
    let effects = T::update(&mut state, event);
    Ok(ToolAnswer { memory: memory::write(&state)?, view: protocol::encode(&T::view(&state))?, effects })
}

/// Longest value of what a link has a tool remember, in bytes, and most bytes of all of them.
const MAX_VALUE: usize = 20_000;
const MAX_VALUES: usize = 100_000;

/// What a tool may remember of what a link has it remember: names that it knows, none with a value that is too long.
#[must_use]
pub(super) fn known<T: Tool>(memory: &str) -> String {
    let mut fields = memory::fields(&memory::write(&T::remembered(memory)).unwrap_or_default());
    let mut room = MAX_VALUES;
    let mut fits = |value: &Value| {
        let length = value.as_str().map_or_else(|| value.to_string().len(), str::len);
        let left = room.checked_sub(length).filter(|_| length <= MAX_VALUE);
        room = left.unwrap_or(room);
        left.is_some()
    };
    fields.retain(|_, value| match value {
        Value::Array(items) => {
            items.retain(&mut fits);
            true
        }
        value => fits(value),
    });
    memory::text(&fields)
}

/// What a tool remembers of a text that was stored; `None` if it is nothing that a tool could have written.
#[must_use]
pub(super) fn stored<T: Tool>(text: &str) -> Option<String> {
    let kept = memory::write(&T::remembered(text)).ok().filter(|_| memory::is_well_formed(text))?;
    (text.is_empty() || !kept.is_empty()).then_some(kept)
}

/// The word that a hidden tool was opened with, among what it remembers.
const HIDDEN_WORD: &str = "veiled-word";

/// Answers events, in bytes.
pub(super) trait Serve {
    /// Answers one; `is_hidden` if it is to tell nothing now.
    fn serve(request: &ToolEvent, context: &mut Context<'_>, is_hidden: bool) -> Result<ToolAnswer, ToolError>;
}

impl<T: Tool> Serve for T {
    fn serve(request: &ToolEvent, context: &mut Context<'_>, is_hidden: bool) -> Result<ToolAnswer, ToolError> {
        let mut event: Event<T::Msg> = protocol::decode(&request.event)?;
        let (kept, word) = memory::without(&request.memory, HIDDEN_WORD);
        if is_hidden && event_waits(&event) {
            let memory = match event {
                Event::Opened(word) => memory::with(&kept, HIDDEN_WORD, word),
                _ => request.memory.clone(),
            };
            return Ok(ToolAnswer { memory, view: Vec::new(), effects: Vec::new() });
        }
        // What it was opened with while it was hidden, it is told afterwards.
        if let (Some(word), Event::Moved) = (word, &event) {
            event = Event::Opened(word);
        }
        let refused = match &event {
            Event::Opened(word) => ToolId::from_name(&request.tool).and_then(|tool| tool.refused(word)),
            _ => None,
        };
        let mut state = T::remembered(&with_edit(&kept, &event));
        let mut effects = T::update(&mut state, event, context)?;
        effects.extend(refused.map(Effect::Complain));
        let view = if is_hidden { Vec::new() } else { protocol::encode(&T::view(&state, context)?)? };
        Ok(ToolAnswer { memory: memory::write(&state)?, view, effects })
    }
}

/// What is remembered, with what the event changes of it.
fn with_edit<'m, M>(memory: &'m str, event: &Event<M>) -> Cow<'m, str> {
    match event {
        Event::Edit(changes) => memory::edited(memory, changes).into(),
        _ => memory.into(),
    }
}

/// Whether an event of a hidden tool is not for it yet: closing it is, and files are given once.
fn event_waits<M>(event: &Event<M>) -> bool {
    !matches!(event, Event::Closed | Event::OpenedWith(_))
}

impl ReaderPlace {
    /// A place in the run of a scenario file.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn new(scenario: &str, cursor: Cursor, screen: Screen, runs: &mut Runs) -> Result<Self, RunsError> {
        let simulation = runs.get(scenario, Variants::NONE)?;
        let trace = &simulation.run.trace;
        let (steps, rows, ops) = (trace.steps().len() as u32, trace.scenario().rows().len(), trace.ops().len());
        // As far as the page's picture reaches: to the last event, or further beside a longer run.
        let end = if screen.end == Time::ZERO { trace.end().max(simulation.records.end()) } else { screen.end };
        let plot = if screen.plot_px == 0 { 700 } else { screen.plot_px.clamp(40, 10_000) };
        let left = if screen.plot_px == 0 { 84 } else { screen.left_px.min(400) };
        let whole = TimeScale::fit(end, f64::from(left), f64::from(plot));
        Ok(Self {
            scenario: scenario.to_owned(),
            position: cursor.position.min(steps),
            at: cursor.at,
            selected: cursor.row.filter(|row| row.index() < rows),
            op: cursor.op.filter(|op| op.index() < ops),
            block: cursor.block,
            options: Options { is_dark: screen.is_dark, width_px: if screen.width_px == 0 { 760 } else { screen.width_px } },
            scale: match screen.shown {
                Some((from, to)) if from < to => whole.showing((from, to), end),
                _ => whole,
            },
            timeline_px: (screen.timeline_px > 0).then(|| f64::from(screen.timeline_px.min(10_000))),
            is_zoomed: screen.shown.is_some(),
            is_future_hidden: screen.is_future_hidden,
            held: screen.held,
            now_ms: screen.now_ms,
            is_presenting: screen.is_presenting,
            is_path_shown: screen.is_path_shown,
            example: None,
            base: String::new(),
            tools: Vec::new(),
            known_tools: Vec::new(),
            simulation,
        })
    }

    /// Steps applied and the time shown.
    #[must_use]
    pub fn stop(&self) -> Stop {
        Stop { position: self.position, at: self.at }.within(&self.simulation.run.trace)
    }
}
