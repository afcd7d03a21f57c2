//! The tool "Link and embed": the whole state as a link, and from a link back.
//!
//! Depends on `format` and on what the page tells this tool alone. Invariants: what is shared is what
//! is restored; a link that cannot be followed changes nothing and is told why; nothing is sent
//! anywhere.
//!
//! Words: `follow` and the fragment of an address. As long as the tool remembers something as
//! `arriving`, the page tells it of moves, open or not.

mod follow;
mod panel;
mod room;

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here, Runs, notes};
use crate::examples::{self, Example};
use crate::format::{self, Embed, Link};
use crate::scenario::Draft;
use crate::view::document::Document;
use crate::view::markup::Markup;

/// Tools that a link does not take along: what they show came from files, or is the link itself.
const LEFT_HERE: [&str; 2] = ["measured", "share"];

/// What tools remember that is the reader's own, or follows from where they stand.
const OWN: [(&str, &str); 9] = [
    ("tour", "left"),
    ("tour", "done"),
    ("tour", "arrive"),
    ("compare", "reach"),
    ("compare", "instead"),
    ("compare", "instead_of"),
    ("ask", "clicked"),
    ("batch", "kept"),
    ("batch", "past"),
];

/// In place of what a tool remembers: the word to open it with.
const WORD: &str = "open";

/// What a link may go without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Zoom,
    Selection,
    Tools,
    Notes,
}

impl Part {
    const ALL: [Self; 4] = [Self::Zoom, Self::Selection, Self::Tools, Self::Notes];

    fn word(self) -> &'static str {
        match self {
            Self::Zoom => "zoom",
            Self::Selection => "selection",
            Self::Tools => "tools",
            Self::Notes => "notes",
        }
    }

    /// Whether it is what a tool remembers.
    fn holds(self, tool: &str) -> bool {
        match self {
            Self::Zoom => false,
            // It is open as long as something is selected.
            Self::Selection => tool == "ask",
            Self::Notes => tool == "notes",
            Self::Tools => tool != "ask" && tool != "notes",
        }
    }
}

/// Answers what the reader did.
///
/// # Errors
/// None; what is wrong stands in the panel.
#[expect(clippy::unnecessary_wraps, reason = "as every tool")]
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut state = std::mem::take(&mut asked.state);
    let mut acts = Vec::new();
    match &asked.event {
        Event::Did(word) if word.starts_with("follow ") => {
            let address = word["follow ".len()..].to_owned();
            acts = follow::begin(&address, &mut state, asked);
        }
        Event::Did(word) if word == "again" => acts = follow::go_on(&mut state, asked),
        Event::Moved => acts = follow::go_on(&mut state, asked),
        Event::Opened(word) if word == "problem" => {}
        event => {
            state.set("problem", "");
            follow::forget(&mut state);
            keep_choices(&mut state, event, &asked.fields);
        }
    }
    let shared = Shared::new(&state, &asked.here, asked.runs);
    match &asked.event {
        Event::Did(word) if word == "copy" => acts.extend(shared.address.as_ref().ok().cloned().map(Act::Clip)),
        Event::Did(word) if word == "copy-embed" => acts.extend(shared.frame.as_ref().ok().cloned().map(Act::Clip)),
        _ => {}
    }
    let html = panel::panel(&state, &shared, &asked.here);
    Ok(Answer { state, html, acts })
}

/// Keeps what was ticked, chosen and typed.
fn keep_choices(state: &mut Query, event: &Event, fields: &Query) {
    let Event::Changed(name) = event else { return };
    if name == "part" {
        let offered: Vec<&str> = fields.all("offered").collect();
        let ticked: Vec<&str> = fields.all("part").collect();
        let without = Part::ALL.map(Part::word).into_iter();
        // What is not offered now stays as it was chosen before.
        let without =
            without.filter(|word| if offered.contains(word) { !ticked.contains(word) } else { state.all("without").any(|w| w == *word) });
        let without = without.collect::<Vec<_>>().join(" ");
        state.set("without", without);
    }
    for name in ["view", "width", "height"] {
        if fields.all(name).next().is_some() {
            state.set(name, fields.get(name));
        }
    }
    state.set("sandbox", if fields.get("sandbox").is_empty() { "" } else { "1" });
}

/// The link to what is on screen, and the code of a frame with it.
struct Shared {
    /// What there is to take along, and whether it is.
    parts: Vec<(Part, bool)>,
    address: Result<String, String>,
    /// The height of a frame whose author has not chosen one.
    usual_height: u32,
    frame: Result<String, String>,
}

impl Shared {
    fn new(state: &Query, here: &Here, runs: &mut Runs) -> Self {
        let all = link_of(here);
        let without: Vec<&str> = state.get("without").split(' ').collect();
        let is_there = |part: Part| match part {
            Part::Zoom => all.view.is_some(),
            Part::Selection => !all.selected.is_empty(),
            part => all.tools.iter().any(|(tool, _)| part.holds(tool)),
        };
        let parts: Vec<_> =
            Part::ALL.into_iter().filter(|&part| is_there(part)).map(|part| (part, !without.contains(&part.word()))).collect();
        let link = parts.iter().filter(|(_, is_in)| !is_in).fold(all, |link, (part, _)| leave_out(link, *part));
        let address =
            |embed| format::write_link(&link, embed).map(|fragment| format!("{}#{fragment}", here.base)).map_err(|e| e.to_string());
        let view = Embed::from_word(state.get("view")).unwrap_or(Embed::Both);
        let usual_height = room::height(&link, example_of(&link.scenario), here, runs, view, typed(state, "width", "100%").parse().ok());
        let frame = size(state, &usual_height.to_string()).and_then(|(width, height)| {
            let name = here.made.run.trace.scenario().name();
            let title = if name.is_empty() { "Blockstep".to_owned() } else { format!("Blockstep: {name}") };
            Ok(frame(&address(Some(view))?, &title, &width, &height, state.get("sandbox") == "1"))
        });
        Self { parts, address: address(None), usual_height, frame }
    }
}

/// The page as it stands.
fn link_of(here: &Here) -> Link {
    // The page wrote it.
    let scenario = format::read_scenario(&here.scenario).unwrap_or_default();
    let selected = here.selected.map(|row| here.made.run.trace.scenario().row(row).name.clone()).unwrap_or_default();
    let mut link = Link {
        position: here.position,
        at_ns: here.at.ns(),
        example: here.example.filter(|_| example_of(&scenario).is_none()).map(|example| example.id.to_owned()).unwrap_or_default(),
        scenario,
        view: here.is_zoomed.then(|| here.scale.shown()).filter(|(from, to)| from < to),
        selected,
        op: here.op.map(|op| op.0),
        is_veiled: here.is_veiled,
        is_presenting: here.is_presenting,
        tools: Vec::new(),
    };
    for (name, memory) in here.tools.iter().filter(|(name, _)| !LEFT_HERE.contains(&name.as_str())) {
        let memory = if name == "notes" { notes::carried(memory, here) } else { memory.clone() };
        let is_own = |key: &str| OWN.contains(&(name.as_str(), key));
        let kept = memory.pairs().filter(|(key, _)| !is_own(key)).map(|(key, value)| (key.to_owned(), value.to_owned()));
        link.tools.push((name.clone(), kept.collect()));
    }
    // A panel without notes has nothing to say to others.
    link.tools.retain(|(name, memory)| name != "notes" || !memory.is_empty());
    link
}

fn leave_out(mut link: Link, part: Part) -> Link {
    match part {
        Part::Zoom => link.view = None,
        Part::Selection => (link.selected, link.op) = (String::new(), None),
        Part::Tools | Part::Notes => {}
    }
    if part == Part::Tools {
        // It hides what a tool asks about.
        link.is_veiled = false;
    }
    link.tools.retain(|(tool, _)| !part.holds(tool));
    link
}

/// Width and height of a frame, as its attributes have them.
fn size(state: &Query, usual_height: &str) -> Result<(String, String), String> {
    let (width, height) = (typed(state, "width", "100%"), typed(state, "height", usual_height));
    let number = |name: &str, text: &str, least: u32| match text.parse::<u32>() {
        Ok(px) if (least..=4_000).contains(&px) => Ok(px.to_string()),
        _ => Err(format!(
            "{name}: \"{text}\" is no whole number of pixels from {least} to 4,000{}.",
            if name == "Width" { ", nor 100%" } else { "" }
        )),
    };
    let width = if width == "100%" { width.to_owned() } else { number("Width", width, 240)? };
    Ok((width, number("Height", height, 120)?))
}

fn typed<'s>(state: &'s Query, name: &str, otherwise: &'s str) -> &'s str {
    match state.get(name).trim() {
        "" => otherwise,
        typed => typed,
    }
}

/// The code of a frame.
fn frame(address: &str, title: &str, width: &str, height: &str, is_restricted: bool) -> String {
    // Scripts and the page's own worker are what it runs on; the link to the full page opens a tab.
    let sandbox = if is_restricted { "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox" } else { "" };
    let mut html = Markup::new();
    html.leaf(
        "iframe",
        &[
            ("src", address),
            ("title", title),
            ("width", width),
            ("height", height),
            ("style", "border:0"),
            ("loading", "lazy"),
            ("sandbox", sandbox),
        ],
        "",
    );
    html.finish()
}

/// The built-in scenario that this is, once it is on screen.
fn example_of(draft: &Draft) -> Option<&'static Example> {
    let shown = |draft: Draft| Document::new(draft).draft();
    let this = shown(draft.clone());
    examples::all().find(|example| format::read_scenario(example.json).is_ok_and(|draft| shown(draft) == this))
}

/// Puts a link to the scenario on screen, with one tool opened with a word, on the clipboard. Of a
/// built-in scenario the page's own link is shorter, and can be read.
pub(super) fn copy_with_tool(here: &Here, tool: &str, word: String) -> Act {
    let Link { scenario, position, at_ns, example, .. } = link_of(here);
    let tools = vec![(tool.to_owned(), vec![(WORD.to_owned(), word.clone())])];
    let link = Link { scenario, position, at_ns, example, tools, ..Link::default() };
    let is_short = here.base.is_empty() || example_of(&link.scenario).is_some();
    match format::write_link(&link, None) {
        Ok(fragment) if !is_short => Act::Clip(format!("{}#{fragment}", here.base)),
        _ => Act::Copy(word),
    }
}
