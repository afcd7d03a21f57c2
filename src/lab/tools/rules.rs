//! The tool "rules": which rules the run used and when, and what happens without one.
//!
//! Depends on `learn::ledger` and `learn::parting`. Invariant: the run on screen is always that of
//! the rules; of the run with rules changed only words are shown, and a banner that says so.

use super::{Act, Answer, Asked, Event};
use crate::format;
use crate::learn::ledger::{Entry, Held, Ledger, hint};
use crate::learn::parting::{effects, first_difference};
use crate::learn::showcases::showcase;
use crate::runs::Simulation;
use crate::trace::{Rule, Trace, Variant, Variants};
use crate::units::Time;
use crate::view::markup::Markup;
use crate::view::panels::chip;
use crate::view::quantity::{format_count, format_time};
use crate::view::sentence::sentence;

/// What begins to wait at a step is named up to so many.
const MAX_HELD: usize = 4;

/// Rules by what they are about, by the first letter of their ids.
const FAMILIES: [(&str, &str); 9] = [
    ("Streams, EE queues, blocks", "GXRB"),
    ("Copies", "C"),
    ("NULL stream", "N"),
    ("Priorities", "A"),
    ("Jobs and deadlines", "JD"),
    ("Processes take turns", "S"),
    ("Runlist", "L"),
    ("Earliest deadline first", "E"),
    ("Servers", "Q"),
];

/// Answers a request.
///
/// # Errors
/// If the scenario cannot be simulated with the rules changed.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let ledger = asked.runs.ledger(&asked.here.made);
    let made = asked.here.made.clone();
    let trace = &*made.run.trace;
    let mut walk = Walk { rule: rule(asked.state.get("rule")), position: asked.here.position };
    let mut variants: Variants = asked.state.all("variant").filter_map(Variant::from_id).collect();
    let mut acts = Vec::new();
    let mut folds: Vec<String> = asked.state.all("fold").map(str::to_owned).collect();
    match asked.event.clone() {
        Event::Opened(word) => {
            let word = super::query::Query::read(&word);
            walk.rule = rule(word.get("rule")).or(walk.rule);
            variants = word.all("variant").filter_map(Variant::from_id).fold(variants, Variants::with);
        }
        Event::Changed(name) if name == "variant" => variants = asked.fields.all("variant").filter_map(Variant::from_id).collect(),
        Event::Did(word) => match word.split_once('-').unwrap_or((&word, "")) {
            ("next" | "previous", id) => {
                if let Some(rule) = rule(id) {
                    acts.push(walk.go(trace, ledger.entry(rule), word.starts_with("next")));
                }
            }
            ("reset", _) => variants = Variants::NONE,
            ("compare", _) => {
                let word = variants.iter().fold(super::query::Query::new(), |mut query, v| {
                    query.add("variant", v.id());
                    query
                });
                acts.push(Act::Tool { name: "compare", word: word.write() });
            }
            ("fold", number) => fold(&mut folds, number),
            ("show", id) => acts.extend(Variant::from_id(id).and_then(open_showcase)),
            _ => {}
        },
        Event::Changed(_) | Event::Moved => {}
    }
    let mut html = Markup::new();
    bar(&mut html, &ledger);
    if !variants.is_none() {
        let other = asked.runs.beside(&asked.here.scenario, variants)?;
        changed(&mut html, &made, &other);
        if matches!(asked.event, Event::Changed(_)) {
            acts.push(Act::Say(format!("Rules changed: {}. This is not what a GPU does.", variants.ids())));
        }
    }
    let list = List { ledger: &ledger, trace, walk: &walk, variants, folds: &folds };
    for (i, (name, letters)) in FAMILIES.into_iter().enumerate() {
        family(&mut html, &list, i, name, letters);
    }
    let mut state = super::query::Query::new();
    state.set("rule", walk.rule.map_or("", Rule::id));
    for variant in variants.iter() {
        state.add("variant", variant.id());
    }
    for number in &folds {
        state.add("fold", number.as_str());
    }
    Ok(Answer { state, html: html.finish(), acts })
}

/// Opens a family that is closed, and the other way round.
fn fold(folds: &mut Vec<String>, number: &str) {
    match folds.iter().position(|fold| fold == number) {
        Some(place) => drop(folds.remove(place)),
        None => folds.push(number.to_owned()),
    }
}

fn rule(id: &str) -> Option<Rule> {
    Rule::ALL.into_iter().find(|rule| rule.id() == id)
}

/// Where the reader walks.
struct Walk {
    /// Through the uses of this rule.
    rule: Option<Rule>,
    /// Steps applied.
    position: u32,
}

impl Walk {
    /// To the next or the previous use of a rule, or a word that there is none.
    fn go(&mut self, trace: &Trace, entry: &Entry, forward: bool) -> Act {
        self.rule = Some(entry.rule);
        let to = if forward { entry.next(trace, self.position) } else { entry.previous(trace, self.position) };
        match to {
            Some(to) => {
                self.position = to;
                Act::Go(to)
            }
            None => Act::Say(format!("There is no {} use of {}.", if forward { "later" } else { "earlier" }, entry.rule.id())),
        }
    }
}

/// A small table, where the two runs part.
fn open_showcase(variant: Variant) -> Option<Act> {
    let draft = showcase(variant);
    let scenario = crate::scenario::Scenario::new(&draft).ok()?;
    let runs = [Variants::NONE, Variants::NONE.with(variant)]
        .map(|variants| crate::engine::simulate_varied(&scenario, variants, crate::engine::Limits::default()).ok());
    let [Some(one), Some(other)] = runs else { return None };
    let parting = first_difference(&one.trace, &other.trace)?;
    let at = one.trace.steps().get(parting).map_or(Time::ZERO, |step| step.at);
    Some(Act::Open { at, scenario: format::write_scenario(&draft) })
}

fn bar(html: &mut Markup, ledger: &Ledger) {
    let (used, all) = (ledger.used().to_string(), Rule::ALL.len().to_string());
    html.open("div", &[("class", "rules-bar")]);
    html.open("p", &[("id", "rules-used")]).leaf("strong", &[], &format!("{used} of {all} rules used")).text(" by this run").close();
    html.leaf("progress", &[("value", &used), ("max", &all), ("aria-labelledby", "rules-used")], &format!("{used} of {all}"));
    html.close();
}

/// What the run with rules changed does.
fn changed(html: &mut Markup, made: &Simulation, other: &Simulation) {
    let (one, two) = (&*made.run.trace, &*other.run.trace);
    html.open("div", &[("class", "rules-changed verdict-bad")]);
    html.open("p", &[]).leaf("strong", &[], "Not what a GPU does.").text(" Rules changed:").close();
    html.open("ul", &[("class", "tool-list")]);
    for variant in two.variants().iter() {
        html.open("li", &[]).leaf("strong", &[], variant.title()).text(". ").text(variant.sentence());
        html.leaf("div", &[("class", "tool-note")], variant.misconception()).close();
    }
    html.close();
    match first_difference(one, two) {
        None => {
            html.leaf("p", &[], "In this run it makes no difference: both are the same to the last step.");
            html.open("p", &[("class", "tool-row")]);
            for variant in two.variants().iter() {
                let (word, label) = (format!("show-{}", variant.id()), format!("Open a small table for {}", variant.title()));
                html.leaf("button", &[("type", "button"), ("class", "small"), ("data-do", &word), ("data-keep", &word)], &label);
            }
            html.close();
        }
        Some(step) => parting(html, made, other, step),
    }
    html.open("p", &[("class", "tool-row")]);
    button(html, "compare", "primary small", "Compare both runs");
    button(html, "reset", "small", "All rules as they are");
    html.close();
    html.leaf("p", &[("class", "tool-note")], "The run on screen stays the one by the rules.");
    html.close();
}

/// The first step that differs, on both sides, and what comes of it.
fn parting(html: &mut Markup, made: &Simulation, other: &Simulation, step: usize) {
    let (one, two) = (&*made.run.trace, &*other.run.trace);
    let before = match step {
        0 => "From the first step on the runs differ:".to_owned(),
        1 => "After 1 step that is the same, the runs part:".to_owned(),
        steps => format!("After {} steps that are the same, the runs part:", format_count(steps as u64)),
    };
    html.leaf("p", &[], &before);
    html.open("table", &[("class", "tool-table")]);
    for (name, trace) in [("By the rules", one), ("Changed", two)] {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], name).open("td", &[]);
        match trace.steps().get(step) {
            Some(step) => {
                html.text(&format_time(step.at.ns())).text(" ");
                chip(html, step.rule, false);
                html.text(" ").text(&sentence(trace, step));
            }
            None => {
                html.text("Nothing more happens.");
            }
        }
        html.close().close();
    }
    html.close();
    let effects = effects((one, &made.records), (two, &other.records));
    if !effects.is_empty() {
        html.open("p", &[]).leaf("strong", &[], "Changed, the run ").text("differs in this: ").text(&effects.join(" ")).close();
    }
    if let Some(cut) = two.cut() {
        html.leaf("p", &[], &format!("Changed, it was stopped: {cut}."));
    }
    let place = (step + 1).min(one.steps().len()).to_string();
    html.open("p", &[("class", "tool-row")]);
    html.leaf("button", &[("type", "button"), ("class", "small"), ("data-go", &place), ("data-keep", "parting")], "Go to where they part")
        .close();
}

fn button(html: &mut Markup, word: &str, class: &str, text: &str) {
    html.leaf("button", &[("type", "button"), ("class", class), ("data-do", word), ("data-keep", word)], text);
}

/// What the list of rules is made of.
struct List<'a> {
    ledger: &'a Ledger,
    trace: &'a Trace,
    walk: &'a Walk,
    variants: Variants,
    /// Families that are not as they are at first: open if the run uses one of their rules.
    folds: &'a [String],
}

fn family(html: &mut Markup, list: &List<'_>, number: usize, name: &str, letters: &str) {
    let belongs = |entry: &&Entry| entry.rule.id().starts_with(|letter| letters.contains(letter));
    let (used, unused): (Vec<&Entry>, Vec<&Entry>) = list.ledger.entries().iter().filter(belongs).partition(|entry| entry.is_used());
    let (id, word, total) = (format!("rules-family-{number}"), format!("fold-{number}"), used.len() + unused.len());
    let is_walked = |entry: &&Entry| list.walk.rule == Some(entry.rule);
    let is_open = used.is_empty() == list.folds.contains(&number.to_string()) || unused.iter().any(is_walked);
    html.open("section", &[("aria-labelledby", &id)]).open("h3", &[("id", &id)]);
    let expanded = if is_open { "true" } else { "false" };
    html.open(
        "button",
        &[("type", "button"), ("class", "rules-family"), ("data-do", &word), ("data-keep", &word), ("aria-expanded", expanded)],
    );
    html.text(name).leaf("span", &[("class", "quiet")], &format!(" {} of {total} used", used.len())).close().close();
    if !is_open {
        // What is switched off in here stays so.
        let here = |variant: &Variant| used.iter().chain(&unused).any(|entry| variant.rules().first() == Some(&entry.rule));
        for variant in list.variants.iter().filter(here) {
            html.single("input", &[("type", "hidden"), ("name", "variant"), ("value", variant.id())]);
        }
        html.close();
        return;
    }
    html.open("ul", &[("class", "tool-list")]);
    for entry in used.into_iter().chain(unused) {
        row(html, list, entry);
    }
    html.close().close();
}

fn row(html: &mut Markup, list: &List<'_>, entry: &Entry) {
    let position = list.walk.position;
    let last = (position as usize).checked_sub(1).and_then(|i| list.trace.steps().get(i));
    let is_current = last.is_some_and(|step| step.rule == entry.rule);
    let is_walked = list.walk.rule == Some(entry.rule);
    let class = format!("rule-entry{}{}", if is_current { " is-current" } else { "" }, if entry.is_used() { "" } else { " is-unused" },);
    html.open("li", &[("class", &class), ("data-entry", entry.rule.id()), ("aria-current", if is_current { "step" } else { "" })]);
    html.open("p", &[]);
    chip(html, entry.rule, false);
    html.text(" ").text(entry.rule.sentence()).text(" ").leaf("span", &[("class", "tool-note")], entry.rule.source()).close();
    html.open("div", &[("class", "tool-row")]);
    if entry.is_used() {
        html.leaf("span", &[("class", "rule-count")], &count(list.trace, entry));
        walk_button(html, list, entry, false);
        walk_button(html, list, entry, true);
    } else {
        html.leaf("span", &[("class", "tool-note")], &format!("Not used. {}", hint(entry.rule, list.trace.scenario())));
    }
    html.close();
    if is_walked {
        here(html, list, entry);
    }
    for variant in Variant::ALL.into_iter().filter(|variant| variant.rules().first() == Some(&entry.rule)) {
        switch(html, list.variants.has(variant), variant);
    }
    html.close();
}

/// `5 steps, held back 3 times (2.5 s in all), from 0 s to 3 s`.
fn count(trace: &Trace, entry: &Entry) -> String {
    let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{} times", format_count(n)) };
    let steps = match entry.cited {
        0 => None,
        1 => Some("1 step".to_owned()),
        n => Some(format!("{} steps", format_count(n))),
    };
    let waited = u64::try_from(entry.waited_ns).map_or_else(|_| "longer than can be said".to_owned(), format_time);
    let held = (entry.waits > 0).then(|| format!("held back {} ({waited} in all)", times(entry.waits)));
    let at = |position: Option<u32>| position.and_then(|p| trace.steps().get(p as usize - 1)).map(|step| format_time(step.at.ns()));
    let when = match (at(entry.first()), at(entry.last())) {
        (Some(first), Some(last)) if first == last => Some(format!("at {first}")),
        (Some(first), Some(last)) => Some(format!("from {first} to {last}")),
        _ => None,
    };
    [steps, held, when].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn walk_button(html: &mut Markup, list: &List<'_>, entry: &Entry, forward: bool) {
    let position = list.walk.position;
    let (word, sign, way) = if forward { ("next", "›", "Next") } else { ("previous", "‹", "Previous") };
    let is_there = if forward { entry.last() > Some(position) } else { entry.first().is_some_and(|first| first < position) };
    let (word, label) = (format!("{word}-{}", entry.rule.id()), format!("{way} use of {}", entry.rule.id()));
    html.leaf(
        "button",
        &[
            ("type", "button"),
            ("class", "small"),
            ("data-do", &word),
            ("data-keep", &word),
            ("aria-label", &label),
            ("title", &label),
            ("aria-disabled", if is_there { "" } else { "true" }),
        ],
        sign,
    );
}

/// What of the rule there is at the step the reader stands at.
fn here(html: &mut Markup, list: &List<'_>, entry: &Entry) {
    let position = list.walk.position;
    let cited = entry.ordinal(list.trace, position).map(|n| format!("Here: step {} of {}.", format_count(n), format_count(entry.cited)));
    let held = entry.held_from(position);
    if cited.is_none() && held.is_empty() {
        return;
    }
    html.open("p", &[("class", "rule-here")]);
    if let Some(cited) = cited {
        html.text(&cited).text(" ");
    }
    for &Held { op, until, is_rest, .. } in held.iter().take(MAX_HELD) {
        let what = if is_rest { "The rest of " } else { "" };
        html.text(what).leaf(
            "button",
            &[
                ("type", "button"),
                ("class", "link"),
                ("data-op", &op.0.to_string()),
                ("data-keep", &format!("held-{}-{}", entry.rule.id(), op.0)),
            ],
            &list.trace.op_label(op),
        );
        let end = if until >= list.trace.end() { "to the end of the run".to_owned() } else { format!("until {}", format_time(until.ns())) };
        html.text(&format!(" begins to wait here, {end}. "));
    }
    if let more @ 1.. = held.len().saturating_sub(MAX_HELD) {
        html.text(&format!("And {more} more."));
    }
    html.close();
}

fn switch(html: &mut Markup, is_on: bool, variant: Variant) {
    html.open("p", &[("class", if is_on { "rule-switch is-on" } else { "rule-switch" })]).open("label", &[]);
    html.single(
        "input",
        &[
            ("type", "checkbox"),
            ("name", "variant"),
            ("value", variant.id()),
            ("checked", if is_on { "checked" } else { "" }),
            ("data-keep", &format!("variant-{}", variant.id())),
        ],
    );
    let others: Vec<_> = variant.rules()[1..].iter().map(|rule| rule.id()).collect();
    let with = if others.is_empty() { String::new() } else { format!(" (with {})", others.join(", ")) };
    html.open("span", &[]).leaf("strong", &[], &format!("Instead{with}:")).text(" ").text(variant.sentence()).close();
    html.close().close();
}
