//! A page for the tools to act on: what it does with their acts, one after the other.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use blockstep::engine::{self, Limits};
use blockstep::format;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};
use blockstep::scenario::{Draft, Scenario};
use blockstep::trace::Trace;
use blockstep::units::Time;
use blockstep::view::document::Document;
use blockstep::view::position;

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
    pub is_veiled: bool,
    pub is_presenting: bool,
    /// Open tools with what they show.
    pub tools: BTreeMap<String, String>,
}

pub struct Page {
    lab: Lab,
    pub shown: Shown,
    /// What the built-in scenario on screen is called, if the page was told.
    pub began: Option<String>,
    pub memories: BTreeMap<String, String>,
    pub said: Vec<String>,
    pub clips: Vec<String>,
    /// A run that is not there yet: the scenario and time to be.
    pub coming: Option<(String, u64)>,
    /// Whether runs take their time.
    pub is_slow: bool,
    queue: VecDeque<(String, String, String)>,
    /// The run made last.
    last: RefCell<Option<(String, Arc<Trace>)>>,
}

impl Page {
    pub fn new(draft: &Draft) -> Self {
        let scenario = format::write_scenario(&Document::new(draft.clone()).draft());
        Self {
            lab: Lab::default(),
            shown: Shown { scenario, ..Shown::default() },
            began: None,
            memories: BTreeMap::new(),
            said: Vec::new(),
            clips: Vec::new(),
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
            let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default()).unwrap();
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
        if self.memories.get("share").is_some_and(|memory| memory.contains("arriving=")) && !open.contains(&"share".to_owned()) {
            open.push("share".to_owned());
        }
        for tool in open {
            self.queue.push_back((tool, "move".to_owned(), String::new()));
        }
        self.settle()
    }

    pub fn open(&mut self, tool: &str, word: &str) -> &mut Self {
        self.shown.tools.insert(tool.to_owned(), String::new());
        self.ask(tool, &format!("open:{word}"), "")
    }

    pub fn ask(&mut self, tool: &str, event: &str, fields: &str) -> &mut Self {
        self.queue.push_back((tool.to_owned(), event.to_owned(), fields.to_owned()));
        self.settle()
    }

    pub fn follow(&mut self, address: &str) -> &mut Self {
        self.ask("share", &format!("do:follow {address}"), "")
    }

    /// The link to all of it.
    pub fn link(&mut self) -> String {
        let was_open = self.shown.tools.contains_key("share");
        self.open("share", "").ask("share", "do:copy", "");
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
        while let Some((tool, event, fields)) = self.queue.pop_front() {
            left -= 1;
            assert!(left > 0, "tools do not come to rest");
            let place = self.place(&tool);
            let memory = self.memories.get(&tool).cloned().unwrap_or_default();
            let arguments = [&*tool, &event, &fields, &memory, &self.shown.scenario, &place];
            let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            let parts = self.lab.answer("tool", &arguments).unwrap();
            let texts: Vec<String> =
                parts.into_iter().map(|part| if let Part::Text(text) = part { text } else { panic!("a tool answers in texts") }).collect();
            self.memories.insert(tool.clone(), texts[0].clone());
            if let Some(html) = self.shown.tools.get_mut(&tool) {
                texts[1].clone_into(html);
            }
            for act in texts[2..].chunks_exact(2) {
                self.act(&tool, &act[0], &act[1]);
            }
        }
        self
    }

    fn place(&self, tool: &str) -> String {
        let shown = &self.shown;
        let mut place = Query::new();
        place.set("left", "84").set("plot", "700").set("position", shown.position.to_string()).set("at", shown.at.to_string());
        place.set("veiled", if shown.is_veiled { "1" } else { "" }).set("presenting", if shown.is_presenting { "1" } else { "" });
        if let Some((from, to)) = shown.view {
            place.set("from", from.to_string()).set("to", to.to_string());
        }
        if let Some(row) = self.trace().scenario().rows().iter().position(|row| row.name == shown.selected) {
            place.set("row", row.to_string());
        }
        if let Some(id) = &self.began {
            place.set("example", id.as_str());
        }
        if tool == "share" {
            place.set("base", BASE);
            for tool in shown.tools.keys().filter(|tool| *tool != "share") {
                place.add("tool", tool).add("memory", self.memories.get(tool).map_or("", String::as_str));
            }
        }
        place.write()
    }

    fn act(&mut self, tool: &str, kind: &str, value: &str) {
        let (first, rest) = value.split_once('\n').unwrap_or((value, ""));
        let number = first.parse::<u64>().unwrap_or(0);
        match kind {
            "go" => self.go_later(number as u32),
            "at" => self.show(self.shown.scenario.clone(), number),
            "select" => {
                let is_there = self.trace().scenario().rows().iter().any(|row| row.name == value);
                self.shown.selected = if is_there { value.to_owned() } else { String::new() };
            }
            "began" => self.began = Some(value.to_owned()),
            "scenario" => {
                let scenario = format::write_scenario(&Document::new(format::read_scenario(rest).unwrap()).draft());
                (self.shown.view, self.shown.selected) = (None, String::new());
                if self.is_slow {
                    self.coming = Some((scenario, number));
                } else {
                    self.show(scenario, number);
                }
            }
            "show" => {
                let range = (number as i64, rest.parse::<i64>().unwrap());
                self.shown.view = Some(range).filter(|(from, to)| from != to);
            }
            "veil" => self.shown.is_veiled = !value.is_empty(),
            "present" => self.shown.is_presenting = !value.is_empty(),
            "alone" => {
                let others: Vec<String> = self.shown.tools.keys().filter(|other| *other != tool).cloned().collect();
                for other in others {
                    self.shown.tools.remove(&other);
                    self.queue.push_back((other, "do:close".to_owned(), String::new()));
                }
            }
            "tool" => {
                self.shown.tools.insert(first.to_owned(), String::new());
                self.queue.push_back((first.to_owned(), format!("open:{rest}"), String::new()));
            }
            "restore" => {
                self.memories.insert(first.to_owned(), rest.to_owned());
                self.shown.tools.insert(first.to_owned(), String::new());
                self.queue.push_back((first.to_owned(), "move".to_owned(), String::new()));
            }
            "say" => self.said.push(value.to_owned()),
            "clip" => self.clips.push(value.to_owned()),
            "again" => self.queue.push_back((tool.to_owned(), "do:again".to_owned(), String::new())),
            "close" => drop(self.shown.tools.remove(tool)),
            "extend" | "wide" => {}
            _ => panic!("the page knows no act {kind}"),
        }
    }

    fn go_later(&mut self, position: u32) {
        let trace = self.trace();
        self.shown.position = position.min(trace.steps().len() as u32);
        self.shown.at = position::time_at(&trace, self.shown.position).ns();
    }
}
