//! Run until: a condition, and the steps at which it becomes true, on or back.
//!
//! Depends on `learn::until`. Invariant: a condition stands in the tool's memory as text, and what is
//! wrong with it is said, not guessed.

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here};
use crate::learn::until::{self, Condition, Kind, Parameter, REASONS};
use crate::scenario::PolicyKind;
use crate::trace::{Rule, Trace};
use crate::units::{SpaceId, StepId};
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};

/// Names offered in a list; more are typed.
const MAX_NAMES: usize = 300;

/// Fields of a condition, as the form names them.
const FIELDS: [&str; 8] = ["until", "row", "sm", "below", "reason", "task", "process", "rule"];

/// Answers as a tool.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let here = &asked.here;
    let run = &here.made.run;
    let mut memory = asked.state.clone();
    let scenario = mark(&here.scenario);
    if memory.get("scenario") != scenario {
        forget(&mut memory, &run.trace);
    }
    let given = match &asked.event {
        Event::Opened(word) => Query::read(word),
        Event::Changed(_) | Event::Did(_) => asked.fields.clone(),
        Event::Moved => Query::new(),
    };
    for field in FIELDS {
        // A control that is not shown keeps what it held; one that is may hold nothing.
        if given.all(field).next().is_some() {
            memory.set(field, given.get(field));
        }
    }
    settle(&mut memory, here);
    let condition = Condition::read(&run.trace, |field| memory.get(field));
    let mut acts = Vec::new();
    let asks = FIELDS.iter().map(|field| memory.get(field)).collect::<Vec<_>>().join("\n");
    if memory.get("asks") != asks || memory.get("scenario") != scenario {
        let count = condition.as_ref().map(|&condition| times(until::find(run, here.position, condition).count)).unwrap_or_default();
        memory.set("asks", asks).set("scenario", scenario).set("said", count).set("step", "");
    }
    if let (Event::Did(word), Ok(condition)) = (&asked.event, &condition) {
        let found = until::find(run, here.position, *condition);
        let (step, none) = match word.as_str() {
            "previous" => (found.previous, "Not before this step"),
            _ => (found.next, "Not again before the end of the run"),
        };
        let said = match step {
            Some(step) => {
                acts.push(Act::Go(step.0 + 1));
                let place = until::find(run, step.0 + 1, *condition).before;
                let which = if found.count > 1 {
                    format!(" ({} of {})", format_count(place.into()), format_count(found.count.into()))
                } else {
                    String::new()
                };
                format!("{}: {}{which}.", when(&run.trace, step), condition.describe(run, step))
            }
            None if found.count == 0 => times(0),
            None => format!("{none}. {}", times(found.count)),
        };
        memory.set("step", step.map(|step| (step.0 + 1).to_string()).unwrap_or_default()).set("said", &*said);
        acts.push(Act::Say(said));
    }
    Ok(Answer { html: form(here, &memory, condition.err().as_deref()), state: memory, acts })
}

/// Forgets names that another scenario does not have.
fn forget(memory: &mut Query, trace: &Trace) {
    let scenario = trace.scenario();
    if !scenario.rows().iter().any(|row| row.name == memory.get("row")) {
        memory.set("row", "");
    }
    if !scenario.tasks().iter().any(|task| task.name == memory.get("task")) {
        memory.set("task", "");
    }
    if !scenario.processes().iter().any(|process| process.name == memory.get("process")) {
        memory.set("process", "");
    }
}

/// Fills in what is not chosen yet: the kernel selected on the page, else the first of each list.
fn settle(memory: &mut Query, here: &Here) {
    let trace = &*here.made.run.trace;
    let scenario = trace.scenario();
    let selected = here.selected.map(|row| scenario.row(row).name.clone()).unwrap_or_default();
    if memory.get("selected") != selected {
        memory.set("selected", &*selected);
        if !selected.is_empty() {
            memory.set("row", &*selected);
        }
    }
    if Kind::from_id(memory.get("until")).is_none() {
        memory.set("until", Kind::FirstBlock.id());
    }
    let needs_row = Kind::from_id(memory.get("until")).is_some_and(|kind| kind.parameters().contains(&Parameter::Row));
    let names = [
        ("row", if needs_row { scenario.rows().first().map(|row| row.name.clone()) } else { None }),
        ("sm", Some("0".to_owned())),
        ("below", Some((scenario.device().threads_per_sm / 2).max(1).to_string())),
        ("reason", REASONS.first().map(|(id, _)| (*id).to_owned())),
        ("process", if takes_turns(trace) { Some(trace.space_name(SpaceId(0))) } else { None }),
        ("rule", Some(Rule::G1.id().to_owned())),
    ];
    for (field, value) in names {
        if memory.get(field).is_empty() {
            memory.set(field, value.unwrap_or_default());
        }
    }
}

fn takes_turns(trace: &Trace) -> bool {
    matches!(trace.scenario().policy().kind, PolicyKind::Runlist | PolicyKind::Edf)
}

/// Tells one scenario file from another, in few letters (the FNV-1a hash).
pub(super) fn mark(scenario: &str) -> String {
    let hash = scenario.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:x}")
}

/// How often something happens.
fn times(count: u32) -> String {
    match count {
        0 => "Never in this run.".to_owned(),
        1 => "Once in this run.".to_owned(),
        count => format!("{} times in this run.", format_count(count.into())),
    }
}

fn when(trace: &Trace, step: StepId) -> String {
    format!("Step {} ({})", format_count(u64::from(step.0) + 1), format_time(trace.step(step).at.ns()))
}

fn form(here: &Here, memory: &Query, problem: Option<&str>) -> String {
    let trace = &*here.made.run.trace;
    let kind = Kind::from_id(memory.get("until")).unwrap_or(Kind::FirstBlock);
    let mut html = Markup::new();
    html.open("div", &[("class", "tool-row")]).open("label", &[]).text("Until ");
    html.open("select", &[("name", "until"), ("data-keep", "until")]);
    for of in Kind::ALL.into_iter().filter(|of| *of != Kind::Resident || takes_turns(trace) || *of == kind) {
        html.option(of.id(), of.title(), of == kind);
    }
    html.close().close().close();
    if !kind.parameters().is_empty() {
        html.open("div", &[("class", "tool-row")]);
        kind.parameters().iter().for_each(|&parameter| control(&mut html, trace, memory, parameter));
        html.close();
    }
    html.open("div", &[("class", "tool-row")]);
    let off = if problem.is_some() { "1" } else { "" };
    for (word, name, class) in [("previous", "◀ Previous", ""), ("next", "Next ▶", "primary")] {
        html.leaf("button", &[("type", "button"), ("class", class), ("data-do", word), ("data-keep", word), ("disabled", off)], name);
    }
    // So that Enter in the form does as Next.
    html.raw("<button type=submit hidden></button>").close();
    match problem {
        Some(problem) => html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], problem),
        None => result(&mut html, memory),
    };
    html.finish()
}

fn result<'h>(html: &'h mut Markup, memory: &Query) -> &'h mut Markup {
    let (said, step) = (memory.get("said"), memory.get("step"));
    html.open("p", &[("class", if step.is_empty() { "tool-note" } else { "verdict-good" })]);
    match said.split_once(": ").filter(|_| !step.is_empty()) {
        Some((place, what)) => {
            html.leaf("button", &[("type", "button"), ("class", "link"), ("data-go", step), ("data-keep", "found")], place);
            html.text(": ").text(what)
        }
        None => html.text(said),
    };
    html.close()
}

fn control(html: &mut Markup, trace: &Trace, memory: &Query, parameter: Parameter) {
    let scenario = trace.scenario();
    let held = memory.get(parameter.name());
    let same = |name: &String| (name.clone(), name.clone());
    let (label, any, names): (&str, Option<&str>, Vec<(String, String)>) = match parameter {
        Parameter::Row => ("Kernel ", None, scenario.rows().iter().map(|row| same(&row.name)).collect()),
        Parameter::AnyRow => ("of ", Some("any kernel"), scenario.rows().iter().map(|row| same(&row.name)).collect()),
        Parameter::AnyTask => ("Task ", Some("any task"), scenario.tasks().iter().map(|task| same(&task.name)).collect()),
        Parameter::Process => {
            ("Process ", None, (0..trace.layout().spaces().len()).map(|space| same(&trace.space_name(SpaceId::at(space)))).collect())
        }
        Parameter::Sm => ("SM ", None, (0..scenario.device().sms).map(|sm| same(&sm.to_string())).collect()),
        Parameter::Reason => ("Reason ", None, REASONS.iter().map(|(id, kind)| ((*id).to_owned(), kind.label().to_owned())).collect()),
        Parameter::Rule => (
            "Rule ",
            None,
            Rule::ALL.iter().map(|rule| (rule.id().to_owned(), format!("{}: {}", rule.id(), shortened(rule.sentence())))).collect(),
        ),
        Parameter::Below => ("below ", None, Vec::new()),
    };
    html.open("label", &[]).text(label);
    if parameter == Parameter::Below || names.len() > MAX_NAMES {
        let mode = if parameter == Parameter::Below { "numeric" } else { "" };
        let keep = parameter.name();
        html.single("input", &[("type", "text"), ("name", keep), ("value", held), ("inputmode", mode), ("size", "8"), ("data-keep", keep)]);
        html.text(if parameter == Parameter::Below { " free threads" } else { "" });
    } else {
        html.open("select", &[("name", parameter.name()), ("data-keep", parameter.name())]);
        if let Some(any) = any {
            html.option("", any, held.is_empty());
        }
        // What is not there (any more) is shown, and said to be wrong.
        if !held.is_empty() && !names.iter().any(|(value, _)| value == held) {
            html.option(held, held, true);
        }
        for (value, name) in &names {
            html.option(value, name, value == held);
        }
        html.close();
    }
    html.close();
}

/// The first words of a sentence, for a list.
fn shortened(sentence: &str) -> String {
    const MOST: usize = 30;
    let cut = sentence.char_indices().nth(MOST).map_or(sentence.len(), |(place, _)| place);
    if cut < sentence.len() { format!("{}…", sentence[..cut].trim_end()) } else { sentence.to_owned() }
}
