//! The notes that links take along, for the tool that makes links.
//!
//! Depends on `view`. Invariant: it reads what the tool "Notes" remembers (`app::tools::notes`), and goes when the tool that
//! makes links has become a tool with types: then `app::tools::notes::carried` does the same.

use super::Here;
use super::query::Query;
use crate::format;
use crate::trace::Trace;
use crate::units::{StepId, Time};
use crate::view::sentence::sentence;

/// A note: its text, and the step that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Note {
    position: u32,
    at: Time,
    rule: String,
    said: String,
    scenario: String,
    text: String,
    /// Whether it was removed, or could not be kept.
    is_put_aside: bool,
}

impl Note {
    fn is_step_of(&self, other: &Self) -> bool {
        (self.at, &self.rule) == (other.at, &other.rule) && (self.said == other.said || self.said.is_empty())
    }

    /// Where its step is in the run on screen, if it is there.
    fn found(&self, here: &Here) -> Option<u32> {
        let trace = &here.made.run.trace;
        let original = || Some(format::read_scenario(here.example?.json).ok()?.name);
        if self.scenario != trace.scenario().name() && Some(&self.scenario) != original().as_ref() {
            return None;
        }
        let is_here = |position: u32| at(trace, position).is_some_and(|now| self.is_step_of(&now));
        if is_here(self.position) {
            return Some(self.position);
        }
        if self.position == 0 || self.said.is_empty() {
            return None;
        }
        let from = trace.steps().partition_point(|step| step.at < self.at);
        let same_time = trace.steps()[from..].iter().take_while(|step| step.at == self.at).count();
        (from..from + same_time).map(|step| step as u32 + 1).find(|&position| is_here(position))
    }
}

/// The step of a run at a position.
fn at(trace: &Trace, position: u32) -> Option<Note> {
    let Some(before) = position.checked_sub(1) else {
        return Some(Note { said: "Before the first step.".to_owned(), ..Note::default() });
    };
    if before as usize >= trace.steps().len() {
        return None;
    }
    let step = trace.step(StepId(before));
    Some(Note { position, at: step.at, rule: step.rule.id().to_owned(), said: sentence(trace, step), ..Note::default() })
}

fn read(query: &Query) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for (name, value) in query.pairs() {
        match (name, notes.last_mut()) {
            ("step", _) => notes.push(Note { position: value.parse().unwrap_or(u32::MAX), ..Note::default() }),
            ("at", Some(note)) => note.at = Time(value.parse().unwrap_or(0)),
            ("rule", Some(note)) => value.clone_into(&mut note.rule),
            ("said", Some(note)) => value.clone_into(&mut note.said),
            ("of", Some(note)) => value.clone_into(&mut note.scenario),
            ("text", Some(note)) => value.clone_into(&mut note.text),
            ("removed" | "unsaved", Some(note)) => note.is_put_aside = true,
            _ => {}
        }
    }
    notes.retain(|note| !note.is_put_aside);
    notes
}

/// Of what the tool "Notes" remembers, the notes about the run on screen, for a link: without what follows from the run.
pub(super) fn carried(memory: &Query, here: &Here) -> Query {
    let mut carried = Query::new();
    for note in read(memory) {
        let Some(position) = note.found(here) else { continue };
        carried.add("step", position.to_string()).add("at", note.at.ns().to_string());
        for (name, value) in [("rule", note.rule), ("text", note.text)] {
            if !value.is_empty() {
                carried.add(name, value);
            }
        }
    }
    carried
}
