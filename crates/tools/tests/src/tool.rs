//! Tools as the page uses them: an event goes to a tool in bytes, and its view and effects come back.

use std::marker::PhantomData;

use blockstep_protocol::{self as protocol, Cursor, Effect, RunId, Screen, ToolAnswer, ToolEvent};
use blockstep_sim::units::Time;
use blockstep_tools::runs::Runs;
use blockstep_tools::tool::{Event, Tool, memory};
use blockstep_tools::{self as tools, ToolId};

/// Opens any tool with a word at a place in a run.
pub(crate) fn open_any(name: &str, word: &str, scenario: &str, cursor: Cursor) -> Result<ToolAnswer, String> {
    let request = ToolEvent {
        tool: name.to_owned(),
        event: protocol::encode(&Event::<()>::Opened(word.to_owned())).unwrap(),
        memory: String::new(),
        run: RunId(1),
        cursor,
        screen: Screen::default(),
        example: None,
        page: None,
    };
    tools::answer(&request, scenario, &mut Runs::default()).map_err(|why| why.to_string())
}

/// A tool on a page of its own: what it remembers, and where the reader stands.
pub(crate) struct OnPage<T: Tool> {
    name: &'static str,
    /// The scenario file of the run on screen.
    pub(crate) scenario: String,
    /// The built-in scenario that it began as.
    pub(crate) example: Option<String>,
    pub(crate) cursor: Cursor,
    pub(crate) screen: Screen,
    /// What it remembers names with values.
    pub(crate) memory: String,
    /// The address of the page, and what other tools that are open remember.
    pub(crate) page: Option<(String, Vec<(String, String)>)>,
    pub(crate) runs: Runs,
    tool: PhantomData<T>,
}

/// What came of an event.
pub(crate) struct Told<T: Tool> {
    /// `None` while it is hidden.
    pub(crate) view: Option<T::View>,
    pub(crate) effects: Vec<Effect>,
}

impl<T: Tool> OnPage<T> {
    pub(crate) fn new(name: &'static str, scenario: &str) -> Self {
        Self {
            name,
            scenario: scenario.to_owned(),
            example: None,
            cursor: Cursor::default(),
            screen: Screen::default(),
            memory: String::new(),
            page: None,
            runs: Runs::default(),
            tool: PhantomData,
        }
    }

    /// On a built-in scenario.
    pub(crate) fn on(name: &'static str, example: &str) -> Self {
        let mut page = Self::new(name, blockstep_sim::examples::find(example).unwrap().json);
        page.example = Some(example.to_owned());
        page
    }

    /// At a number of steps applied.
    pub(crate) fn at(mut self, position: u32) -> Self {
        self.go(position);
        self
    }

    pub(crate) fn go(&mut self, position: u32) -> &mut Self {
        self.cursor = Cursor { position, at: Time::ZERO, ..self.cursor };
        self
    }

    pub(crate) fn tell(&mut self, event: Event<T::Msg>) -> Result<Told<T>, String> {
        let request = ToolEvent {
            tool: self.name.to_owned(),
            event: protocol::encode(&event).unwrap(),
            memory: self.memory.clone(),
            run: RunId(1),
            cursor: self.cursor,
            screen: self.screen,
            example: self.example.clone(),
            page: self.page.clone(),
        };
        let answer = tools::answer(&request, &self.scenario, &mut self.runs).map_err(|why| why.to_string())?;
        self.memory = answer.memory;
        self.check_links(&answer.effects);
        let view = (!answer.view.is_empty()).then(|| protocol::decode(&answer.view).unwrap());
        Ok(Told { view, effects: answer.effects })
    }

    /// Whatever word a tool writes for a link, or opens another one with, is taken in full. Those of links that it follows are not its own.
    fn check_links(&self, effects: &[Effect]) {
        for effect in effects {
            let (name, word) = match effect {
                Effect::CopyLink(word) => (self.name, word),
                Effect::OpenTool { name, word } if self.name != "share" => (name.as_str(), word),
                _ => continue,
            };
            let refused = ToolId::from_name(name).and_then(|tool| tool.refused(word));
            assert_eq!(refused, None, "{name}={word}");
        }
    }

    /// Opens it with a word, and returns what it shows.
    pub(crate) fn open(&mut self, word: &str) -> T::View {
        self.tell(Event::Opened(word.to_owned())).unwrap().view.expect("it is not hidden")
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, message: T::Msg) -> Told<T> {
        self.tell(Event::Message(message)).unwrap()
    }

    /// Changes what it remembers, as controls of the panel do.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut T::State)) -> Told<T> {
        let earlier = T::remembered(&self.memory);
        let mut state = earlier.clone();
        change(&mut state);
        self.tell(Event::Edit(memory::since(&state, &earlier).unwrap())).unwrap()
    }

    /// Tells it that the reader has moved, and returns what it shows.
    pub(crate) fn moved(&mut self) -> T::View {
        self.tell(Event::Moved).unwrap().view.expect("it is not hidden")
    }
}
