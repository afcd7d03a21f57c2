//! Find an example: the reader names an effect, and gets the smallest table found that shows it.
//!
//! Depends on `learn::find`. Invariants: a request makes a small portion of the search, so that
//! other tools are not kept waiting; all that is known of the search stands in the state; what is
//! told of an example is judged anew from its table.

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here};
use crate::format::{read_scenario, write_scenario};
use crate::learn::find::{Effect, MOST_ATTEMPTS, Place, Progress, Search, Shown};
use crate::scenario::{BlockTimes, Choice, Draft, KernelDraft, NULL_STREAM, PolicyKind, Release, StreamPriority, TaskDraft};
use crate::units::{RowId, Time};
use crate::view::document::Document;
use crate::view::markup::Markup;
use crate::view::palette;
use crate::view::quantity::{format_block_times, format_bytes, format_count, format_time};

/// The seed at first.
const SEED: u64 = 1;
/// Attempts of one request: some milliseconds.
const PORTION: u32 = 150;

/// What the tool remembers.
struct Desk {
    search: Search,
    /// What was typed as a seed, if it is none.
    wrong_seed: Option<String>,
    is_going: bool,
}

impl Desk {
    fn read(state: &Query, fields: &Query) -> Self {
        let held = |name: &str| if fields.get(name).is_empty() { state.get(name) } else { fields.get(name) }.trim().to_owned();
        let effect = Effect::from_id(&held("effect")).unwrap_or(Effect::ALL[0]);
        let text = held("seed");
        let seed = text.parse().unwrap_or(SEED);
        let wrong_seed = (!text.is_empty() && text.parse::<u64>().is_err()).then_some(text);
        let mut desk = Self { search: Search::new(effect, seed), wrong_seed, is_going: false };
        // The search that was under way, if it is still the one asked for.
        let is_same = state.get("effect") == effect.id() && state.number("seed") == Some(seed) && desk.wrong_seed.is_none();
        if is_same {
            let count = |name: &str| state.number(name).and_then(|n| u32::try_from(n).ok());
            desk.search.attempts = count("attempts").unwrap_or(0);
            desk.search.examples = count("examples").unwrap_or(0);
            desk.search.last = count("last").unwrap_or(MOST_ATTEMPTS);
            desk.search.best = read_scenario(state.get("best")).ok();
            desk.is_going = state.get("going") == "1";
        }
        desk
    }

    fn write(&self) -> Query {
        let mut state = Query::new();
        let seed = self.wrong_seed.clone().unwrap_or_else(|| self.search.seed.to_string());
        state.set("effect", self.search.effect.id()).set("seed", seed);
        state.set("attempts", self.search.attempts.to_string()).set("examples", self.search.examples.to_string());
        state.set("last", self.search.last.to_string());
        state.set("best", self.search.best.as_ref().map(write_scenario).unwrap_or_default());
        state.set("going", if self.is_going { "1" } else { "" });
        state
    }

    /// Begins, or goes on where it was stopped.
    fn begin(&mut self, effect: Effect, seed: u64) {
        if (effect, seed) != (self.search.effect, self.search.seed) {
            self.search = Search::new(effect, seed);
        }
        (self.is_going, self.wrong_seed) = (true, None);
    }

    /// A portion of the search.
    fn advance(&mut self, acts: &mut Vec<Act>) {
        let progress = self.search.run(PORTION);
        self.is_going = progress == Progress::Searching;
        match progress {
            Progress::Searching => acts.push(Act::Again),
            Progress::Found => acts.extend(self.shown().map(|(_, shown)| Act::Say(format!("Found. {}", shown.sentence)))),
            Progress::GivenUp => acts.push(Act::Say("No example was found with this seed.".to_owned())),
        }
    }

    /// The example, once the search has ended.
    fn shown(&self) -> Option<(Draft, Shown)> {
        let (search, found) = (&self.search, self.search.progress() == Progress::Found);
        let mut draft = search.best.clone().filter(|_| found)?;
        let mut shown = search.effect.shown_by(&draft)?;
        draft.name = format!("{} (found with seed {})", search.effect.title(), search.seed);
        if let Some(twin) = &mut shown.twin {
            twin.draft.name = format!("{}, but {}", draft.name, twin.change);
        }
        Some((draft, shown))
    }
}

/// Answers as a tool.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut desk = Desk::read(&asked.state, &asked.fields);
    let mut acts = Vec::new();
    let Search { effect, seed, .. } = desk.search;
    match &asked.event {
        Event::Opened(word) => {
            if let Some(effect) = Effect::from_id(word) {
                desk.begin(effect, seed);
            }
        }
        Event::Did(word) => match word.as_str() {
            "submit" if desk.wrong_seed.is_none() => desk.begin(effect, seed),
            "another" => desk.begin(effect, seed.wrapping_add(1)),
            "cancel" => desk.is_going = false,
            "open" | "twin" | "compare" => acts.extend(desk.shown().into_iter().flat_map(|(draft, shown)| opened(word, draft, shown))),
            _ => {}
        },
        Event::Changed(_) | Event::Moved => {}
    }
    if desk.is_going {
        desk.advance(&mut acts);
    }
    Ok(Answer { state: desk.write(), html: html(&desk, &asked.here), acts })
}

/// What the page does to show an example.
fn opened(how: &str, draft: Draft, shown: Shown) -> Vec<Act> {
    let row = |draft: &Draft| draft.kernels.get(shown.row).map(|k| k.name.clone()).unwrap_or_default();
    let name = row(&draft);
    let first = write_scenario(&draft);
    let Some(twin) = shown.twin.filter(|_| how != "open") else {
        return vec![Act::Open { at: shown.at, scenario: first }, Act::Select(name)];
    };
    let is_there = twin.draft.kernels.iter().any(|k| k.name == name);
    let mut acts =
        vec![Act::Open { at: twin.at, scenario: write_scenario(&twin.draft) }, Act::Select(if is_there { name } else { String::new() })];
    if how == "compare" {
        // As if the reader had pinned the first and edited it.
        acts.push(Act::Tool { name: "compare", word: Query::new().set("pin", first).write() });
    }
    acts
}

fn html(desk: &Desk, here: &Here) -> String {
    let mut html = Markup::new();
    let search = &desk.search;
    html.open("label", &[]).text("Effect ").open("select", &[("name", "effect"), ("data-keep", "effect")]);
    for effect in Effect::ALL {
        html.option(effect.id(), effect.title(), effect == search.effect);
    }
    html.close().close();
    html.leaf("p", &[("class", "tool-note")], search.effect.sentence());
    let seed = desk.wrong_seed.clone().unwrap_or_else(|| search.seed.to_string());
    html.open("div", &[("class", "tool-row")]).open("label", &[]).text("Seed ");
    html.single(
        "input",
        &[("type", "text"), ("inputmode", "numeric"), ("size", "8"), ("name", "seed"), ("value", &seed), ("data-keep", "seed")],
    );
    html.close();
    html.leaf("button", &[("class", "primary"), ("data-keep", "find"), ("disabled", if desk.is_going { "1" } else { "" })], "Find");
    if desk.is_going {
        button(&mut html, "cancel", "Cancel");
    } else {
        button(&mut html, "another", "Another");
    }
    html.close();
    match (&desk.wrong_seed, search.progress()) {
        (Some(text), _) => {
            let what = format!("seed: \"{text}\" is no whole number from 0 to {}.", u64::MAX);
            html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], &what);
        }
        _ if desk.is_going => {
            let what = match search.examples {
                0 => format!("{} random tables tried…", format_count(search.attempts.into())),
                n => format!("{n} found in {} random tables; looking for a simpler one…", format_count(search.attempts.into())),
            };
            html.leaf("p", &[("class", "tool-note")], &what);
        }
        (_, Progress::Searching) if search.attempts > 0 => {
            let what = format!("Stopped after {} random tables. “Find” goes on.", format_count(search.attempts.into()));
            html.leaf("p", &[("class", "tool-note")], &what);
        }
        (_, Progress::GivenUp) => {
            let what = format!("None of {} random tables shows it. Try another seed.", format_count(search.attempts.into()));
            html.leaf("p", &[("class", "verdict-bad")], &what);
        }
        _ => {}
    }
    if let Some((draft, shown)) = desk.shown().filter(|_| desk.wrong_seed.is_none()) {
        example(&mut html, search, &draft, &shown, here);
    }
    html.finish()
}

/// The example found: what it shows, its table, where to look, and what can be done with it.
fn example(html: &mut Markup, search: &Search, draft: &Draft, shown: &Shown, here: &Here) {
    html.leaf("p", &[("class", "verdict-good")], &shown.sentence);
    html.open("div", &[("class", "tool-row")]);
    button(html, "open", "Open");
    if shown.twin.is_some() {
        button(html, "twin", "Open the changed one");
        button(html, "compare", "Open and compare");
    }
    html.close();
    let on_screen = read_scenario(&here.scenario).ok().map(Document::new).map(|d| unnamed(d.draft()));
    let is_on_screen = |draft: &Draft| on_screen.as_ref() == Some(&unnamed(Document::new(draft.clone()).draft()));
    look_at(html, if shown.twin.is_some() { "In this table" } else { "Where to look" }, &shown.places, is_on_screen(draft));
    if let Some(twin) = &shown.twin {
        look_at(html, &format!("Changed: {}", twin.change), &twin.places, is_on_screen(&twin.draft));
    }
    html.leaf("h3", &[], "The table");
    html.open("ul", &[("class", "tool-list")]);
    for line in settings(draft) {
        html.leaf("li", &[], &line);
    }
    for (i, kernel) in draft.kernels.iter().enumerate() {
        let colour = palette::colour_of(RowId::at(i), here.options.is_dark);
        let style = format!("background:{};color:{};padding:0 .3rem;border-radius:4px", colour.css(), palette::text_on(colour).css());
        html.open("li", &[]).leaf("span", &[("style", &style)], &kernel.name).text(&format!(" {}", row_in_words(kernel))).close();
    }
    html.close();
    let examples =
        if search.examples == 1 { "the one example".to_owned() } else { format!("the simplest of {} examples", search.examples) };
    let tried = format_count(search.attempts.into());
    let count = format!(
        "It is {examples} among {tried} random tables, made smaller as far as it goes: without any of its rows it shows this no more."
    );
    html.leaf("p", &[("class", "tool-note")], &count);
}

fn unnamed(draft: Draft) -> Draft {
    Draft { name: String::new(), ..draft }
}

/// Instants, as links if their run is on screen.
fn look_at(html: &mut Markup, title: &str, places: &[Place], is_on_screen: bool) {
    html.leaf("h3", &[], title).open("ul", &[("class", "tool-list")]);
    for (i, Place { at: Time(ns), what }) in places.iter().enumerate() {
        html.open("li", &[]);
        if is_on_screen {
            let keep = format!("place{i}");
            html.leaf(
                "button",
                &[("type", "button"), ("class", "link"), ("data-go-time", &ns.to_string()), ("data-keep", &keep)],
                &format_time(*ns),
            );
        } else {
            html.text(&format_time(*ns));
        }
        html.text(&format!(": {what}")).close();
    }
    html.close();
}

/// Policy, end, processes, tasks and streams, as far as they are not what goes without saying.
fn settings(draft: &Draft) -> Vec<String> {
    let policy = &draft.policy;
    let mut lines = vec![match policy.kind {
        PolicyKind::Edf => {
            format!("Policy edf, preemption {}, {} servers", policy.preemption.word(), if policy.cbs { "with" } else { "without" })
        }
        kind => format!("Policy {}", kind.word()),
    }];
    lines.extend(draft.horizon_ns.map(|ns| format!("The run ends at {}", format_time(ns))));
    for stream in draft.streams.iter().filter(|s| s.priority != StreamPriority::None) {
        lines.push(format!("Stream {} has {} priority", stream.name, stream.priority.word()));
    }
    lines.extend(draft.tasks.iter().map(task_in_words));
    lines
}

fn task_in_words(task: &TaskDraft) -> String {
    let mut line = format!("Task {}", task.name);
    if let Some(process) = &task.process {
        line.push_str(&format!(" of process {process}"));
    }
    match (task.release, task.period_ns) {
        (Release::Continuous, _) => line.push_str(": a job whenever the last one is done"),
        (Release::Periodic, Some(period)) => line.push_str(&format!(": a job every {}", format_time(period))),
        _ => line.push_str(": one job"),
    }
    if task.offset_ns > 0 {
        line.push_str(&format!(", the first at {}", format_time(task.offset_ns)));
    }
    if let Some(deadline) = task.deadline_ns {
        line.push_str(&format!(", due {} after its release", format_time(deadline)));
    }
    line
}

fn row_in_words(kernel: &KernelDraft) -> String {
    let blocks = if kernel.blocks == 1 { "1 block".to_owned() } else { format!("{} blocks", format_count(kernel.blocks)) };
    let stream = if kernel.stream == NULL_STREAM { "the NULL stream".to_owned() } else { format!("stream {}", kernel.stream) };
    let task = kernel.task.as_ref().map_or(String::new(), |task| format!("of {task} "));
    let long = match &kernel.block_time_ns {
        BlockTimes::Each(ns) => format_time(*ns),
        times => format_block_times(times),
    };
    let each = if kernel.blocks == 1 { "" } else { " each" };
    let mut line = format!("{task}on {stream}: {blocks} of {} threads, {long}{each}", format_count(kernel.threads_per_block));
    if kernel.start_ns > 0 {
        line.push_str(&format!(", launched at {}", format_time(kernel.start_ns)));
    }
    for (bytes, way) in [(kernel.copy_in_bytes, "in"), (kernel.copy_out_bytes, "out")] {
        if bytes > 0 {
            line.push_str(&format!(", copies {} {way}", format_bytes(bytes)));
        }
    }
    line
}

fn button(html: &mut Markup, word: &str, label: &str) {
    html.leaf("button", &[("type", "button"), ("data-do", word), ("data-keep", word)], label);
}
