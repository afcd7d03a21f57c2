//! The list of notes: each with the step that it is about, and where that step is in the run on screen.
//!
//! Depends on `view` for what a step does in words. Invariants: at most one note of a step of one scenario, at most
//! `MAX_NOTES` of at most [`MAX_TEXT`] characters; what is written is read back as the same notes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::tool::ReaderPlace;
use blockstep_format as format;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{StepId, Time};
use blockstep_view::origin::Origin;
use blockstep_view::sentence::sentence;

/// Longest note, in characters.
pub const MAX_TEXT: usize = 2_000;
pub(super) const MAX_NOTES: usize = 200;

/// Longest of what else a note says, in characters: the id of its rule, what its step does, the name of its scenario.
const MAX_WORDS: usize = 500;

/// The step that a note is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoteSpot {
    /// Steps applied; 0 is before the first.
    pub position: u32,
    pub at: Time,
    /// The id of its rule; empty before the first step.
    pub rule: String,
    /// What it does; empty if the note came with a link and the run has no such step.
    pub sentence: String,
    pub scenario: String,
}

/// A note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Note {
    #[serde(flatten)]
    pub(super) spot: NoteSpot,
    pub(super) text: String,
}

/// Where a note's step is in the run on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoteMatch {
    Same,
    /// At another number of steps, as others came before it or are gone.
    Moved(u32),
    Gone,
    Other,
}

/// Every note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct List {
    /// By scenario in the order of their first note, then by step.
    pub(super) notes: Vec<Note>,
    pub(super) removed: Option<Note>,
    /// What was typed and cannot be kept as it is, and where.
    pub(super) unsaved: Option<Note>,
}

impl NoteSpot {
    /// The step that the reader stands at.
    pub(super) fn here(place: &ReaderPlace) -> Self {
        Self { position: place.position, ..Self::default() }.of_run(place)
    }

    /// The same number of steps in the run on screen; if that has another step there, as it was.
    pub(super) fn of_run(&self, place: &ReaderPlace) -> Self {
        let (trace, title) = (&place.simulation.run.trace, title(place));
        let spot = at(trace, self.position, &title);
        let is_same = self.rule.is_empty() || spot.as_ref().is_some_and(|spot| (spot.at, &spot.rule) == (self.at, &self.rule));
        Self { scenario: title, ..spot.filter(|_| is_same).unwrap_or_else(|| self.clone()) }
    }

    fn is_step_of(&self, other: &Self) -> bool {
        (self.position, self.at, &self.rule, &self.scenario) == (other.position, other.at, &other.rule, &other.scenario)
            && (self.sentence == other.sentence || self.sentence.is_empty() || other.sentence.is_empty())
    }
}

/// What notes call the scenario on screen: its name; of a built-in one that is changed and has no name, or is under another policy, that of
/// the original, so that notes stay with it.
fn title(place: &ReaderPlace) -> String {
    let name = place.simulation.run.trace.scenario().name();
    let origin = original(place).filter(|origin| name.is_empty() || origin.is_named(name));
    origin.as_ref().map_or(name, Origin::name).to_owned()
}

/// The built-in scenario that the one on screen began as.
fn original(place: &ReaderPlace) -> Option<Origin> {
    Some(Origin::new(&format::read_scenario(place.example?.json).ok()?))
}

fn at(trace: &Trace, position: u32, scenario: &str) -> Option<NoteSpot> {
    let scenario = scenario.to_owned();
    let Some(before) = position.checked_sub(1) else {
        return Some(NoteSpot { sentence: "Before the first step.".to_owned(), scenario, ..NoteSpot::default() });
    };
    if before as usize >= trace.steps().len() {
        return None;
    }
    let step = trace.step(StepId(before));
    Some(NoteSpot { position, at: step.at, rule: step.rule.id().to_owned(), sentence: sentence(trace, step), scenario })
}

impl Note {
    /// Where its step is in the run on screen.
    pub(super) fn found(&self, place: &ReaderPlace) -> NoteMatch {
        let (trace, spot) = (&place.simulation.run.trace, &self.spot);
        if spot.scenario != trace.scenario().name() && original(place).is_none_or(|origin| spot.scenario != origin.name()) {
            return NoteMatch::Other;
        }
        let is_here =
            |position: u32| at(trace, position, &spot.scenario).is_some_and(|now| NoteSpot { position, ..spot.clone() }.is_step_of(&now));
        if is_here(spot.position) {
            return NoteMatch::Same;
        }
        if spot.position == 0 || spot.sentence.is_empty() {
            return NoteMatch::Gone;
        }
        let from = trace.steps().partition_point(|step| step.at < spot.at);
        let same_time = trace.steps()[from..].iter().take_while(|step| step.at == spot.at).count();
        (from..from + same_time).map(|step| step as u32 + 1).find(|&position| is_here(position)).map_or(NoteMatch::Gone, NoteMatch::Moved)
    }
}

impl NoteMatch {
    /// Where the note is shown, if it is.
    pub(super) fn position(self, spot: &NoteSpot) -> Option<u32> {
        match self {
            Self::Same => Some(spot.position),
            Self::Moved(position) => Some(position),
            Self::Gone | Self::Other => None,
        }
    }
}

impl List {
    /// Reads what links of version 1 have; what is no note of ours is left out.
    pub(super) fn of_pairs<'p>(pairs: impl Iterator<Item = (Cow<'p, str>, Cow<'p, str>)>) -> Self {
        let mut list = Self::default();
        for (name, value) in pairs {
            match (&*name, list.notes.last_mut()) {
                ("step", _) => {
                    let position = value.parse().unwrap_or(u32::MAX);
                    list.notes.push(Note { spot: NoteSpot { position, ..NoteSpot::default() }, ..Note::default() });
                }
                ("at", Some(note)) => note.spot.at = Time(value.parse().unwrap_or(0)),
                ("rule", Some(note)) => note.spot.rule = value.into_owned(),
                ("said", Some(note)) => note.spot.sentence = value.into_owned(),
                ("of", Some(note)) => note.spot.scenario = value.into_owned(),
                ("text", Some(note)) => note.text = value.into_owned(),
                ("removed", Some(_)) => list.removed = list.notes.pop(),
                ("unsaved", Some(_)) => list.unsaved = list.notes.pop(),
                _ => {}
            }
        }
        list
    }

    /// The same with nothing longer than a page writes it.
    pub(super) fn bounded(mut self) -> Self {
        for note in self.notes.iter_mut().chain(&mut self.removed).chain(&mut self.unsaved) {
            for text in [&mut note.spot.rule, &mut note.spot.sentence, &mut note.spot.scenario] {
                if let Some((end, _)) = text.char_indices().nth(MAX_WORDS) {
                    text.truncate(end);
                }
            }
        }
        self
    }

    /// Sets the note of a step; an empty text takes it out. False if there is no room for another one.
    pub(super) fn set(&mut self, spot: NoteSpot, text: &str) -> bool {
        let place = self.notes.iter().position(|note| note.spot.is_step_of(&spot));
        match (place, text.is_empty()) {
            (Some(place), true) => drop(self.notes.remove(place)),
            (Some(place), false) => text.clone_into(&mut self.notes[place].text),
            (None, true) => {}
            (None, false) if self.notes.len() >= MAX_NOTES => return false,
            (None, false) => self.insert(Note { spot, text: text.to_owned() }),
        }
        true
    }

    /// Adds one of somebody else; where there is one already, both texts are kept. False if there is no room.
    pub(super) fn merge(&mut self, note: Note) -> bool {
        if note.text.chars().count() > MAX_TEXT {
            return false;
        }
        let own = self.notes.iter().find(|own| own.spot.is_step_of(&note.spot)).map(|own| own.text.clone());
        let text = match own {
            Some(own) if own.contains(&note.text) => return true,
            Some(own) if !note.text.contains(&own) => format!("{own}\n\n{}", note.text),
            _ => note.text,
        };
        text.chars().count() <= MAX_TEXT && self.set(note.spot, &text)
    }

    fn insert(&mut self, note: Note) {
        let is_same = |other: &Note| other.spot.scenario == note.spot.scenario;
        let place = self.notes.iter().rposition(|other| is_same(other) && other.spot.position <= note.spot.position).map(|place| place + 1);
        let place = place.or_else(|| self.notes.iter().position(is_same)).unwrap_or(self.notes.len());
        self.notes.insert(place, note);
    }

    /// Takes the one of a step out; it can be had back until the next one is.
    pub(super) fn remove(&mut self, spot: &NoteSpot) -> bool {
        let place = self.notes.iter().position(|note| note.spot == *spot);
        if let Some(place) = place {
            self.removed = Some(self.notes.remove(place));
        }
        place.is_some()
    }

    /// Puts back what was removed last.
    pub(super) fn restore(&mut self) -> bool {
        match self.removed.take() {
            Some(note) => self.merge(note),
            None => false,
        }
    }

    /// Takes out every note about scenarios of other names.
    pub(super) fn forget_others(&mut self, place: &ReaderPlace) {
        self.notes.retain(|note| note.found(place) != NoteMatch::Other);
    }

    /// The notes about the run on screen, for a link: where its steps are now, and without what follows from the run.
    pub(super) fn carried(&self, place: &ReaderPlace) -> Self {
        let carried = |note: &Note| {
            let position = note.found(place).position(&note.spot)?;
            let spot = NoteSpot { position, sentence: String::new(), scenario: String::new(), ..note.spot.clone() };
            Some(Note { spot, text: note.text.clone() })
        };
        Self { notes: self.notes.iter().filter_map(carried).collect(), ..Self::default() }
    }
}
