//! A page for the tools to act on: what it does with their effects, one after the other.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use blockstep_format as format;
use blockstep_protocol::{self as protocol, Cursor, Effect, RunId, Screen, ToolEvent};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{RowId, Time};
use blockstep_tools as tools;
use blockstep_tools::runs::Runs;
use blockstep_tools::share::{self, Share};
use blockstep_tools::tool::{Event, Tool, memory};
use blockstep_view::document::Document;
use blockstep_view::position;

/// Where the page is.
pub const BASE: &str = "https://example.org/sub/";

/// What the reader sees of it, for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub scenario: String,
    pub position: u32,
    pub at: u64,
    pub view: Option<(i64, i64)>,
    pub selected: String,
    pub is_future_hidden: bool,
    pub is_presenting: bool,
    pub is_path_shown: bool,
    /// Open tools with what they show.
    pub tools: BTreeMap<String, Panel>,
}

/// What a tool shows: its view in bytes, or nothing while it is hidden. Of a tool that is still written as HTML it reads as
/// its HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    bytes: Vec<u8>,
    html: String,
}

impl Panel {
    fn new(bytes: Vec<u8>) -> Self {
        Self { html: protocol::decode(&bytes).unwrap_or_default(), bytes }
    }

    /// The view of a tool.
    pub fn view<T: Tool>(&self) -> T::View {
        protocol::decode(&self.bytes).expect("it is not hidden")
    }
}

impl Deref for Panel {
    type Target = str;

    fn deref(&self) -> &str {
        &self.html
    }
}

impl fmt::Display for Panel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.html)
    }
}

/// What a tool is to be told: the event in bytes, and the fields of a form.
type Told = (String, Vec<u8>);

pub struct Page {
    runs: Runs,
    pub shown: Shown,
    /// What the built-in scenario on screen is called, if the page was told.
    pub began: Option<String>,
    pub memories: BTreeMap<String, String>,
    pub said: Vec<String>,
    pub clips: Vec<String>,
    /// Files, by name and text.
    pub saved: Vec<(String, String)>,
    /// A run that is not there yet: the scenario and time to be.
    pub coming: Option<(String, u64)>,
    /// Whether runs take their time.
    pub is_slow: bool,
    queue: VecDeque<Told>,
    /// The run made last.
    last: RefCell<Option<(String, Arc<Trace>)>>,
}

impl Page {
    pub fn new(draft: &Draft) -> Self {
        let scenario = format::write_scenario(&Document::new(draft.clone()).draft());
        Self {
            runs: Runs::default(),
            shown: Shown { scenario, ..Shown::default() },
            began: None,
            memories: BTreeMap::new(),
            said: Vec::new(),
            clips: Vec::new(),
            saved: Vec::new(),
            coming: None,
            is_slow: false,
            queue: VecDeque::new(),
            last: RefCell::default(),
        }
    }

    pub fn trace(&self) -> Arc<Trace> {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(scenario, _)| *scenario != self.shown.scenario) {
            let draft = format::read_scenario(&self.shown.scenario).unwrap();
            let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
            *last = Some((self.shown.scenario.clone(), run.trace));
        }
        Arc::clone(&last.as_ref().unwrap().1)
    }

    /// The reader goes somewhere.
    pub fn go(&mut self, position: u32) -> &mut Self {
        let trace = self.trace();
        self.shown.position = position.min(trace.steps().len() as u32);
        self.shown.at = position::time_at(&trace, self.shown.position).ns();
        self.moved()
    }

    /// Tells the tools that are open; the one for links too, as long as it remembers something.
    pub fn moved(&mut self) -> &mut Self {
        let mut open: Vec<String> = self.shown.tools.keys().cloned().collect();
        if self.memories.get("share").is_some_and(|memory| share::is_waiting(memory)) && !open.contains(&"share".to_owned()) {
            open.push("share".to_owned());
        }
        for tool in open {
            self.tell(&tool, &Event::Moved);
        }
        self.settle()
    }

    pub fn open(&mut self, tool: &str, word: &str) -> &mut Self {
        self.shown.tools.entry(tool.to_owned()).or_default();
        self.tell(tool, &Event::Opened(word.to_owned())).settle()
    }

    /// The reader does something in the panel of a tool.
    pub fn send<T: Tool>(&mut self, tool: &str, message: T::Msg) -> &mut Self {
        self.queue.push_back((tool.to_owned(), protocol::encode(&Event::Message(message)).unwrap()));
        self.settle()
    }

    /// The reader changes what a tool remembers by a control of its panel.
    pub fn edit<T: Tool>(&mut self, tool: &str, change: impl FnOnce(&mut T::State)) -> &mut Self {
        let earlier = T::remembered(self.memories.get(tool).map_or("", String::as_str));
        let mut state = earlier.clone();
        change(&mut state);
        self.tell(tool, &Event::Edit(memory::since(&state, &earlier).unwrap())).settle()
    }

    /// The view of a tool that is open.
    pub fn view<T: Tool>(&self, tool: &str) -> T::View {
        self.shown.tools[tool].view::<T>()
    }

    /// The reader closes the panel of a tool.
    pub fn close(&mut self, tool: &str) -> &mut Self {
        self.tell(tool, &Event::Closed).settle()
    }

    fn tell(&mut self, tool: &str, event: &Event<()>) -> &mut Self {
        self.queue.push_back((tool.to_owned(), protocol::encode(event).unwrap()));
        self
    }

    pub fn follow(&mut self, address: &str) -> &mut Self {
        self.send::<Share>("share", share::Msg::Follow(address.to_owned()))
    }

    /// The link to all of it.
    pub fn link(&mut self) -> String {
        let was_open = self.shown.tools.contains_key("share");
        self.open("share", "").send::<Share>("share", share::Msg::CopyLink);
        if !was_open {
            self.shown.tools.remove("share");
        }
        self.clips.pop().unwrap()
    }

    /// The run that was to come has come.
    pub fn arrive(&mut self) -> &mut Self {
        let (scenario, at) = self.coming.take().unwrap();
        self.show(scenario, at);
        self.moved()
    }

    fn show(&mut self, scenario: String, at: u64) {
        self.shown.scenario = scenario;
        let trace = self.trace();
        self.shown.at = at.min(trace.end().ns().max(trace.steps().last().map_or(0, |s| s.at.ns())));
        self.shown.position = position::at_time(&trace, Time(self.shown.at));
    }

    fn settle(&mut self) -> &mut Self {
        let mut left = 200;
        while let Some((tool, event)) = self.queue.pop_front() {
            left -= 1;
            assert!(left > 0, "tools do not come to rest");
            let request = self.request(&tool, event);
            let answer = tools::answer(&request, &self.shown.scenario, &mut self.runs).unwrap();
            self.memories.insert(tool.clone(), answer.memory);
            if let Some(panel) = self.shown.tools.get_mut(&tool) {
                *panel = Panel::new(answer.view);
            }
            for effect in answer.effects {
                self.run(&tool, effect);
            }
        }
        self
    }

    fn request(&self, tool: &str, event: Vec<u8>) -> ToolEvent {
        let shown = &self.shown;
        let memory = |tool: &str| self.memories.get(tool).cloned().unwrap_or_default();
        let others = shown.tools.keys().filter(|other| tool == "share" && *other != "share");
        let row = self.trace().scenario().rows().iter().position(|row| row.name == shown.selected).map(RowId::at);
        ToolEvent {
            tool: tool.to_owned(),
            event,
            memory: memory(tool),
            run: RunId(1),
            cursor: Cursor { position: shown.position, at: Time(shown.at), row, op: None, block: None },
            screen: Screen {
                is_future_hidden: shown.is_future_hidden,
                is_presenting: shown.is_presenting,
                is_path_shown: shown.is_path_shown,
                left_px: 84,
                plot_px: 700,
                shown: shown.view,
                ..Screen::default()
            },
            example: self.began.clone(),
            page: Some((BASE.to_owned(), others.map(|other| (other.clone(), memory(other))).collect())),
        }
    }

    fn run(&mut self, tool: &str, effect: Effect) {
        match effect {
            Effect::GoToStep(position) => self.go_later(position),
            Effect::GoToTime(at) => self.show(self.shown.scenario.clone(), at.ns()),
            Effect::SelectRow(name) => {
                let is_there = self.trace().scenario().rows().iter().any(|row| row.name == name);
                self.shown.selected = if is_there { name } else { String::new() };
            }
            Effect::OpenScenario { at, scenario, began_as } => {
                if began_as.is_some() {
                    self.began = began_as;
                }
                let scenario = format::write_scenario(&Document::new(format::read_scenario(&scenario).unwrap()).draft());
                (self.shown.view, self.shown.selected) = (None, String::new());
                if self.is_slow {
                    self.coming = Some((scenario, at.ns()));
                } else {
                    self.show(scenario, at.ns());
                }
            }
            Effect::ShowRange { from, to } => {
                self.shown.view = Some((from.ns() as i64, to.ns() as i64)).filter(|(from, to)| from != to);
            }
            Effect::HideFuture(is_on) => self.shown.is_future_hidden = is_on,
            Effect::Present(is_on) => self.shown.is_presenting = is_on,
            Effect::ShowPath(is_on) => self.shown.is_path_shown = is_on,
            Effect::CloseOthers => {
                let others: Vec<String> = self.shown.tools.keys().filter(|other| *other != tool).cloned().collect();
                for other in others {
                    self.shown.tools.remove(&other);
                    self.tell(&other, &Event::Closed);
                }
            }
            Effect::OpenTool { name, word } => {
                self.shown.tools.entry(name.clone()).or_default();
                self.tell(&name, &Event::Opened(word));
            }
            Effect::RestoreTool { name, memory } => {
                self.memories.insert(name.clone(), memory);
                self.shown.tools.entry(name.clone()).or_default();
                self.tell(&name, &Event::Moved);
            }
            Effect::Announce(text) => self.said.push(text),
            Effect::CopyText(text) => self.clips.push(text),
            Effect::SaveFile { name, text, .. } => self.saved.push((name, text)),
            Effect::Continue => drop(self.tell(tool, &Event::Continued)),
            Effect::Close => drop(self.shown.tools.remove(tool)),
            Effect::ExtendTimeline(_) | Effect::Hold(_) => {}
            effect => panic!("this page does not know {effect:?}"),
        }
    }

    fn go_later(&mut self, position: u32) {
        let trace = self.trace();
        self.shown.position = position.min(trace.steps().len() as u32);
        self.shown.at = position::time_at(&trace, self.shown.position).ns();
    }
}
