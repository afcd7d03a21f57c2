//! The panel of the tool "Notes": the note of the current step first, as a caption; then all of them.
//!
//! Depends on its parent and on `view::markup`. Invariants: what is changed here, and so is not shown
//! inside another page, has the class `notes-edit`; texts come out as they were written.

use super::super::Here;
use super::memory::{Found, MAX_NOTES, MAX_TEXT, Note, Notes, Spot};
use crate::trace::Rule;
use crate::view::markup::Markup;
use crate::view::panels::chip;
use crate::view::quantity::{format_count, format_time};

/// `unsaved` is shown in the text area instead of what is kept, and of the step that the reader went on to.
pub(super) fn panel(notes: &Notes, here: &Here, problem: Option<&str>, unsaved: Option<&(Spot, String)>) -> String {
    let mut html = Markup::new();
    let found: Vec<Found> = notes.list.iter().map(|note| note.found(here)).collect();
    let of_run = || notes.list.iter().zip(&found).enumerate().map(|(i, (note, found))| (i, note, *found));
    let position = |note: &Note, found: Found| match found {
        Found::Same => Some(note.spot.position),
        Found::Moved(position) => Some(position),
        Found::Gone | Found::Other => None,
    };
    let places: Vec<u32> = of_run().filter_map(|(_, note, found)| position(note, found)).collect();
    let current = of_run().find(|&(_, note, found)| position(note, found) == Some(here.position)).map(|(_, note, _)| note);
    if let Some(note) = current {
        html.open("div", &[("class", "note-here")]).open("p", &[("dir", "auto")]).verbatim(&note.text).close().close();
    } else if !places.is_empty() {
        html.leaf("p", &[("class", "tool-note")], "No note at this step.");
    }
    turn(&mut html, &places, here.position);
    write(&mut html, current, here, problem, unsaved);
    if let Some(removed) = &notes.removed {
        html.open("p", &[("class", "tool-note tool-row notes-edit")])
            .text(&format!("The note of step {} was removed. ", format_count(removed.spot.position.into())));
        button(&mut html, "link", "restore", "notes-restore", "Bring it back", "").close();
    }
    list(&mut html, "Notes of this run", "", of_run().filter(|(.., found)| matches!(found, Found::Same | Found::Moved(_))), here);
    let gone = "The run has no such step at that time any more. They come back when it has the step again.";
    list(&mut html, "Notes without a step", gone, of_run().filter(|(.., found)| *found == Found::Gone), here);
    others(&mut html, of_run().filter(|(.., found)| *found == Found::Other).map(|(_, note, _)| note).collect());
    html.finish()
}

/// From note to note.
fn turn(html: &mut Markup, places: &[u32], here: u32) {
    let (before, after) = (places.iter().filter(|&&p| p < here).max(), places.iter().filter(|&&p| p > here).min());
    if before.is_none() && after.is_none() {
        return;
    }
    html.open("div", &[("class", "tool-row")]);
    for (to, keep, label) in [(before, "notes-previous", "◀ Previous note"), (after, "notes-next", "Next note ▶")] {
        let (go, off) = (to.map(u32::to_string).unwrap_or_default(), if to.is_none() { "1" } else { "" });
        html.leaf("button", &[("type", "button"), ("class", "small"), ("data-go", &go), ("data-keep", keep), ("disabled", off)], label);
    }
    html.close();
}

fn write(html: &mut Markup, current: Option<&Note>, here: &Here, problem: Option<&str>, unsaved: Option<&(Spot, String)>) {
    let (spot, text) = match (unsaved, current) {
        (Some((spot, text)), _) => (spot.clone(), text.as_str()),
        (None, Some(note)) => (note.spot.clone(), note.text.as_str()),
        (None, None) => (Spot::here(here), ""),
    };
    // Of a note whose step has moved, the step is where it is now.
    let position = if unsaved.is_some() { spot.position } else { here.position };
    let label = match position {
        0 => "Note before the first step".to_owned(),
        position => format!("Note at step {}, {}", format_count(position.into()), format_time(spot.at_ns)),
    };
    html.open("div", &[("class", "note-field notes-edit")]);
    html.single("input", &[("type", "hidden"), ("name", "about"), ("value", &spot.clone().write())]);
    html.open("label", &[]).text(&label);
    let (limit, keep) = (MAX_TEXT.to_string(), format!("note-{}", spot.position));
    let area = [("name", "text"), ("rows", "3"), ("maxlength", &*limit), ("dir", "auto"), ("data-keep", &*keep)];
    // A line break that stands first is skipped by browsers.
    html.open("textarea", &area).text("\n").verbatim(text).close().close();
    let about = if position == 0 { "" } else { &*spot.said };
    if !about.is_empty() {
        html.leaf("p", &[("class", "tool-note")], about);
    }
    if let Some(problem) = problem {
        html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], problem);
    }
    html.open("div", &[("class", "tool-row")]).leaf("button", &[("class", "small"), ("data-keep", "notes-submit")], "Keep");
    html.leaf("span", &[("class", "tool-note")], "It is kept as you go on, too, and links take it along.").close().close();
}

fn list<'n>(html: &mut Markup, title: &str, lead: &str, notes: impl Iterator<Item = (usize, &'n Note, Found)>, here: &Here) {
    let notes: Vec<_> = notes.collect();
    if notes.is_empty() {
        return;
    }
    html.open("section", &[("class", "notes-edit tool-list")]).leaf("h3", &[], &format!("{title} ({})", notes.len()));
    if !lead.is_empty() {
        html.leaf("p", &[("class", "tool-note")], lead);
    }
    html.open("ul", &[("class", "notes-list tool-list")]);
    for (number, note, found) in notes {
        let (spot, keep) = (&note.spot, format!("notes-go-{number}"));
        let place = |position: u32| if position == 0 { "Start".to_owned() } else { format!("Step {}", format_count(position.into())) };
        let position = if let Found::Moved(position) = found { position } else { spot.position };
        let is_current = found != Found::Gone && position == here.position;
        html.open("li", &[("class", if is_current { "is-current" } else { "" })]).open("div", &[("class", "tool-row")]);
        let time = format_time(spot.at_ns);
        let end = here.made.run.trace.end().max(here.made.records.end());
        if found == Found::Gone && spot.at_ns > end.ns() {
            let behind = format!("{time}, behind the end of the run at {}", format_time(end.ns()));
            html.leaf("span", &[("class", "quiet")], &behind);
        } else if found == Found::Gone {
            let go = [("type", "button"), ("class", "link"), ("data-go-time", &*spot.at_ns.to_string()), ("data-keep", &*keep)];
            html.leaf("button", &go, &time).leaf("span", &[("class", "quiet")], &format!("was {}", place(spot.position).to_lowercase()));
        } else {
            let go = [("type", "button"), ("class", "link"), ("data-go", &*position.to_string()), ("data-keep", &*keep)];
            html.leaf("button", &go, &format!("{}, {time}", place(position)));
        }
        if let Some(rule) = Rule::ALL.iter().find(|rule| rule.id() == spot.rule) {
            chip(html, *rule, false);
        }
        if let Found::Moved(_) = found {
            html.leaf("span", &[("class", "quiet")], &format!("was {}", place(spot.position).to_lowercase()));
        }
        html.close();
        if !spot.said.is_empty() {
            html.leaf("span", &[("class", "tool-note")], &spot.said);
        }
        html.open("p", &[("class", "note-text"), ("dir", "auto")]).verbatim(&note.text).close();
        let spoken = format!("Remove the note of {}", place(position).to_lowercase());
        html.open("div", &[("class", "notes-edit")]);
        button(html, "link", &format!("remove {number}"), &format!("notes-remove-{number}"), "Remove", &spoken);
        html.close().close();
    }
    html.close().close();
}

/// Notes about scenarios of other names: they wait for those.
fn others(html: &mut Markup, notes: Vec<&Note>) {
    let Some(first) = notes.first() else { return };
    let name =
        |note: &Note| if note.spot.scenario.is_empty() { "without a name".to_owned() } else { format!("“{}”", note.spot.scenario) };
    let is_one = notes.iter().all(|note| note.spot.scenario == first.spot.scenario);
    let of = if is_one { format!("scenario {}", name(first)) } else { "other scenarios".to_owned() };
    html.open("p", &[("class", "tool-note tool-row notes-edit")]);
    html.leaf("span", &[("dir", "auto")], &format!("{} of {MAX_NOTES} notes are about {of} and show when it is open.", notes.len()));
    // They are in nobody's way before.
    if notes.len() > MAX_NOTES / 2 {
        button(html, "link", "forget", "notes-forget", "Remove them for good", "");
    }
    html.close();
}

fn button<'m>(html: &'m mut Markup, class: &str, word: &str, keep: &str, label: &str, spoken: &str) -> &'m mut Markup {
    let attributes = [("type", "button"), ("class", class), ("data-do", word), ("data-keep", keep), ("aria-label", spoken)];
    html.leaf("button", &attributes, label)
}
