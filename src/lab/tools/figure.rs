//! Figures: the timeline, queue diagrams and charts of the run on screen as pictures for papers and slides.
//!
//! Depends on `report::figure` and `draw::figure`. Invariants: what is previewed is what is saved; what is
//! typed stays as it was typed, and what is wrong with it is said.
//!
//! Words: none, or fields of the form as a query, such as `figure=queues&palette=print`.

mod form;
mod latex;
mod wanted;

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here};
use crate::report::figure::{self, Drawn, MAX_INSETS};
use crate::view::quantity::format_count;
use wanted::Wanted;

/// Controls that hold text or one of a list.
const FIELDS: [&str; 9] = ["figure", "part", "chart", "beside", "columns", "width", "font", "palette", "scale"];
/// Controls that are ticked or not.
const TICKED: [&str; 3] = ["line", "title", "legend"];
/// Pixels that browsers draw on, by side and in all.
const MAX_SIDE: u64 = 16_384;
const MAX_PIXELS: u64 = 100_000_000;

/// Answers as a tool.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut memory = asked.state.clone();
    match &asked.event {
        Event::Opened(word) => take(&mut memory, &Query::read(word)),
        Event::Changed(_) | Event::Did(_) => take(&mut memory, &asked.fields),
        Event::Moved => {}
    }
    let mut acts = Vec::new();
    let mut save = String::new();
    if let Event::Did(word) = asked.event.clone() {
        match word.split_once(' ').unwrap_or((&word, "")) {
            ("add", _) => acts.push(Act::Say(add(&mut memory, &asked.here))),
            (what @ ("remove" | "earlier" | "later"), place) => {
                if let Ok(place) = place.parse() {
                    acts.push(Act::Say(rearrange(&mut memory, what, place, &asked.here)));
                }
            }
            ("clear", _) => {
                memory.set("step", "");
                acts.push(Act::Say("The strip is empty.".to_owned()));
            }
            // The form is sent by Enter: then it is only looked at anew.
            ("submit", _) => {}
            _ => save = word,
        }
    }
    let wanted = Wanted::read(&memory, &asked.here, asked.runs);
    let mut html_problem = None;
    let timeline = asked.runs.timeline(&asked.here.made);
    let drawn = wanted.map(|wanted| {
        let drawn = figure::draw(&asked.here.made.run, &timeline, &wanted.subject, wanted.has_title, wanted.style);
        (wanted, drawn)
    });
    let whole = latex::Whole { run: &asked.here.made.run, timeline: &timeline, wanted: drawn.as_ref().ok().map(|(wanted, _)| wanted) };
    if let Some(file) = latex::save(&save, &whole, &memory) {
        match file {
            Ok(act) => acts.push(act),
            Err(why) => html_problem = Some(why),
        }
    } else if let Ok((wanted, drawn)) = &drawn
        && !save.is_empty()
    {
        match saved(&save, wanted, drawn, asked) {
            Ok(act) => acts.push(act),
            Err(why) => html_problem = Some(why),
        }
    }
    let html = form::form(&asked.here, &memory, &drawn, html_problem.as_deref());
    Ok(Answer { state: memory, html, acts })
}

/// What the controls hold; those that are not shown keep what they held.
fn take(memory: &mut Query, given: &Query) {
    take_of(memory, given, &FIELDS, &TICKED);
    latex::take(memory, given);
}

fn take_of(memory: &mut Query, given: &Query, fields: &[&str], ticked: &[&str]) {
    for &field in fields {
        if given.all(field).next().is_some() {
            memory.set(field, given.get(field));
        }
    }
    // Of ticked boxes a form sends those alone that are; `shown` names all of them.
    for &field in ticked {
        if given.all("shown").any(|name| name == field) || !given.get(field).is_empty() {
            memory.set(field, if given.get(field) == "on" { "on" } else { "off" });
        }
    }
}

/// Adds where the reader stands to the strip, and says so.
fn add(memory: &mut Query, here: &Here) -> String {
    let count = memory.all("step").count();
    if count >= MAX_INSETS {
        return format!("A strip holds at most {MAX_INSETS} steps: remove one first.");
    }
    let (trace, stop) = (&here.made.run.trace, here.stop());
    memory.add("step", wanted::word(trace, stop));
    format!("{}: added, the strip holds {}.", wanted::name(trace, stop), count + 1)
}

/// Moves a stop of the strip, or takes it out, and says so.
fn rearrange(memory: &mut Query, what: &str, place: usize, here: &Here) -> String {
    let trace = &here.made.run.trace;
    let mut stops = wanted::stops(memory, here);
    let Some(&stop) = stops.get(place) else { return String::new() };
    let name = wanted::name(trace, stop);
    let said = match what {
        "earlier" if place > 0 => {
            stops.swap(place, place - 1);
            format!("{name}: now {place} of {}.", stops.len())
        }
        "later" if place + 1 < stops.len() => {
            stops.swap(place, place + 1);
            format!("{name}: now {} of {}.", place + 2, stops.len())
        }
        "remove" => {
            stops.remove(place);
            format!("{name}: removed, the strip holds {}.", stops.len())
        }
        _ => format!("{name}: stays where it is."),
    };
    memory.set("step", "");
    for stop in stops {
        memory.add("step", wanted::word(trace, stop));
    }
    said
}

/// The file that a button asks for.
fn saved(word: &str, wanted: &Wanted, drawn: &Drawn, asked: &Asked<'_>) -> Result<Act, String> {
    let variants = asked.here.made.run.trace.variants();
    match word {
        "png" => {
            let (width, height) = drawn.picture.size();
            let (width, height) = (u64::from(width) * u64::from(wanted.scale), u64::from(height) * u64::from(wanted.scale));
            if width.max(height) > MAX_SIDE || width * height > MAX_PIXELS {
                return Err(format!(
                    "A PNG of {} × {} pixels is too large: a browser draws at most {} by side and {} in all. \
                     Take a smaller scale or width, or save an SVG.",
                    format_count(width),
                    format_count(height),
                    format_count(MAX_SIDE),
                    format_count(MAX_PIXELS),
                ));
            }
            Ok(Act::Picture { name: variants.file_name(drawn.stem, "png"), scale: wanted.scale, svg: drawn.svg() })
        }
        "svg" => Ok(Act::Save { name: variants.file_name(drawn.stem, "svg"), kind: "image/svg+xml", text: drawn.svg() }),
        _ => Err(format!("There is no way to save a figure as \"{word}\".")),
    }
}
