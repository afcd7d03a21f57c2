//! What the tool "Notes" remembers: each note with the step that it is about.
//!
//! Depends on `view`. Invariants: at most one note of a step of one scenario, at most [`MAX_NOTES`] of
//! at most [`MAX_TEXT`] characters; what is written is read back as the same notes.

use super::super::query::Query;
use super::Here;
use crate::format;
use crate::trace::Trace;
use crate::units::{StepId, Time};
use crate::view::sentence::sentence;

/// Longest note, in characters.
pub(super) const MAX_TEXT: usize = 2_000;
/// Most notes.
pub(super) const MAX_NOTES: usize = 200;

/// The step that a note is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// Steps applied; 0 is before the first.
    pub(super) position: u32,
    /// Time of the step, ns.
    pub(super) at_ns: u64,
    /// Its rule; empty before the first step.
    pub(super) rule: String,
    /// What it does; empty if the note came with a link and the run has no such step.
    pub(super) said: String,
    /// Name of the scenario.
    pub(super) scenario: String,
}

/// A note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) spot: Spot,
    pub(super) text: String,
}

/// Where a note's step is in the run on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Where it was.
    Same,
    /// At another number of steps, as others came before it or are gone.
    Moved(u32),
    /// Nowhere.
    Gone,
    /// The note is about a scenario of another name.
    Other,
}

/// Every note.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// By scenario in the order of their first note, then by step.
    pub(super) list: Vec<Note>,
    /// What was removed last.
    pub(super) removed: Option<Note>,
}

impl Spot {
    /// The step that the reader stands at.
    pub(super) fn here(here: &Here) -> Self {
        Self { position: here.position, ..Self::default() }.of_run(here)
    }

    /// The same number of steps in the run on screen; if that has another step there, as it was.
    pub(super) fn of_run(&self, here: &Here) -> Self {
        let trace = &here.made.run.trace;
        let spot = at(trace, self.position, &title(here));
        let is_same = self.rule.is_empty() || spot.as_ref().is_some_and(|spot| (spot.at_ns, &spot.rule) == (self.at_ns, &self.rule));
        Self { scenario: title(here), ..spot.filter(|_| is_same).unwrap_or_else(|| self.clone()) }
    }

    /// Reads the step that the panel's text area is about.
    pub(super) fn read(fields: &Query) -> Option<Self> {
        let mut spots = Notes::read(&Query::read(fields.get("about"))).list;
        spots.pop().filter(|_| fields.all("text").next().is_some()).map(|note| note.spot)
    }

    pub(super) fn write(self) -> String {
        let mut query = Query::new();
        Note { spot: self, text: String::new() }.write(&mut query);
        query.write()
    }

    fn is_step_of(&self, other: &Self) -> bool {
        (self.position, self.at_ns, &self.rule, &self.scenario) == (other.position, other.at_ns, &other.rule, &other.scenario)
            && (self.said == other.said || self.said.is_empty() || other.said.is_empty())
    }
}

/// What notes call the scenario on screen: its name; of a changed built-in one without a name, that of the original, so
/// that notes stay with it.
fn title(here: &Here) -> String {
    let name = here.made.run.trace.scenario().name();
    if name.is_empty() { original(here).unwrap_or_default() } else { name.to_owned() }
}

/// The name of the built-in scenario that the one on screen began as.
fn original(here: &Here) -> Option<String> {
    Some(format::read_scenario(here.example?.json).ok()?.name)
}

/// The step of a run at a position.
fn at(trace: &Trace, position: u32, scenario: &str) -> Option<Spot> {
    let scenario = scenario.to_owned();
    let Some(before) = position.checked_sub(1) else {
        return Some(Spot { said: "Before the first step.".to_owned(), scenario, ..Spot::default() });
    };
    if before as usize >= trace.steps().len() {
        return None;
    }
    let step = trace.step(StepId(before));
    Some(Spot { position, at_ns: step.at.ns(), rule: step.rule.id().to_owned(), said: sentence(trace, step), scenario })
}

impl Note {
    /// Where its step is in the run on screen.
    pub(super) fn found(&self, here: &Here) -> Found {
        let (trace, spot) = (&here.made.run.trace, &self.spot);
        if spot.scenario != trace.scenario().name() && Some(&spot.scenario) != original(here).as_ref() {
            return Found::Other;
        }
        let is_here =
            |position: u32| at(trace, position, &spot.scenario).is_some_and(|now| Spot { position, ..spot.clone() }.is_step_of(&now));
        if is_here(spot.position) {
            return Found::Same;
        }
        if spot.position == 0 || spot.said.is_empty() {
            return Found::Gone;
        }
        let time = Time(spot.at_ns);
        let from = trace.steps().partition_point(|step| step.at < time);
        let same_time = trace.steps()[from..].iter().take_while(|step| step.at == time).count();
        (from..from + same_time).map(|step| step as u32 + 1).find(|&position| is_here(position)).map_or(Found::Gone, Found::Moved)
    }

    fn write(&self, query: &mut Query) {
        let spot = &self.spot;
        query.add("step", spot.position.to_string()).add("at", spot.at_ns.to_string());
        for (name, value) in [("rule", &spot.rule), ("said", &spot.said), ("of", &spot.scenario), ("text", &self.text)] {
            if !value.is_empty() {
                query.add(name, &**value);
            }
        }
    }
}

impl Notes {
    /// Reads them; what is no note of ours is left out.
    pub(super) fn read(query: &Query) -> Self {
        let mut notes = Self::default();
        for (name, value) in query.pairs() {
            match (name, notes.list.last_mut()) {
                ("step", _) => {
                    let position = value.parse().unwrap_or(u32::MAX);
                    notes.list.push(Note { spot: Spot { position, ..Spot::default() }, ..Note::default() });
                }
                ("at", Some(note)) => note.spot.at_ns = value.parse().unwrap_or(0),
                ("rule", Some(note)) => value.clone_into(&mut note.spot.rule),
                ("said", Some(note)) => value.clone_into(&mut note.spot.said),
                ("of", Some(note)) => value.clone_into(&mut note.spot.scenario),
                ("text", Some(note)) => value.clone_into(&mut note.text),
                ("removed", Some(_)) => notes.removed = notes.list.pop(),
                _ => {}
            }
        }
        notes
    }

    pub(super) fn write(&self) -> Query {
        let mut query = Query::new();
        self.list.iter().for_each(|note| note.write(&mut query));
        if let Some(note) = &self.removed {
            note.write(&mut query);
            query.add("removed", "1");
        }
        query
    }

    /// Sets the note of a step; an empty text takes it out. False if there is no room for another one.
    pub(super) fn set(&mut self, spot: Spot, text: &str) -> bool {
        let place = self.list.iter().position(|note| note.spot.is_step_of(&spot));
        match (place, text.is_empty()) {
            (Some(place), true) => drop(self.list.remove(place)),
            (Some(place), false) => text.clone_into(&mut self.list[place].text),
            (None, true) => {}
            (None, false) if self.list.len() >= MAX_NOTES => return false,
            (None, false) => self.insert(Note { spot, text: text.to_owned() }),
        }
        true
    }

    /// Adds one of somebody else; where there is one already, both texts are kept. False if there is no room.
    pub(super) fn merge(&mut self, note: Note) -> bool {
        if note.text.chars().count() > MAX_TEXT {
            return false;
        }
        let own = self.list.iter().find(|own| own.spot.is_step_of(&note.spot)).map(|own| own.text.clone());
        let text = match own {
            Some(own) if own.contains(&note.text) => return true,
            Some(own) if !note.text.contains(&own) => format!("{own}\n\n{}", note.text),
            _ => note.text,
        };
        text.chars().count() <= MAX_TEXT && self.set(note.spot, &text)
    }

    fn insert(&mut self, note: Note) {
        let is_same = |other: &Note| other.spot.scenario == note.spot.scenario;
        let place = self.list.iter().rposition(|other| is_same(other) && other.spot.position <= note.spot.position).map(|place| place + 1);
        let place = place.or_else(|| self.list.iter().position(is_same)).unwrap_or(self.list.len());
        self.list.insert(place, note);
    }

    /// Takes one out, by its place; it can be had back until the next one is.
    pub(super) fn remove(&mut self, place: usize) -> bool {
        let is_there = place < self.list.len();
        if is_there {
            self.removed = Some(self.list.remove(place));
        }
        is_there
    }

    /// Puts back what was removed last.
    pub(super) fn restore(&mut self) -> bool {
        match self.removed.take() {
            Some(note) => self.merge(note),
            None => false,
        }
    }

    /// Takes out every note about scenarios of other names.
    pub(super) fn forget_others(&mut self, here: &Here) {
        self.list.retain(|note| note.found(here) != Found::Other);
    }
}

/// Of what this tool remembers, the notes about the run on screen, for a link: without what follows from the run.
pub(crate) fn carried(memory: &Query, here: &Here) -> Query {
    let mut carried = Query::new();
    for note in Notes::read(memory).list {
        let position = match note.found(here) {
            Found::Same => note.spot.position,
            Found::Moved(position) => position,
            Found::Gone | Found::Other => continue,
        };
        let spot = Spot { position, said: String::new(), scenario: String::new(), ..note.spot };
        Note { spot, text: note.text }.write(&mut carried);
    }
    carried
}
