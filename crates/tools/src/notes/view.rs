//! What the panel of notes shows: the note of the current step first, as a caption; then all of them.
//!
//! Invariant: the text area belongs to one step, which the view names beside it.

use serde::{Deserialize, Serialize};

use super::list::{List, MAX_NOTES, Note, NoteMatch, NoteSpot};
use super::step;
use crate::tool::ReaderPlace;
use blockstep_sim::trace::Rule;
use blockstep_sim::units::Time;
use blockstep_view::quantity::{format_count, format_time};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub caption: Caption,
    pub turns: Option<Turns>,
    pub field: Field,
    pub removed: Option<String>,
    /// The notes of this run, and those whose step it has no more.
    pub groups: Vec<NoteGroup>,
    pub others: Option<Others>,
}

/// The note of the step that the reader stands at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Caption {
    Note(String),
    /// None, though other steps have some.
    NoneHere,
    /// None, nor at any other step.
    None,
}

/// Where the notes before and after the step are: steps applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turns {
    pub previous: Option<u32>,
    pub next: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub about: NoteSpot,
    pub label: String,
    pub text: String,
    /// What the step does; empty before the first one.
    pub sentence: String,
    /// Why what was typed is not kept.
    pub problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteGroup {
    pub title: String,
    /// What they have in common; may be empty.
    pub lead: String,
    pub notes: Vec<NoteItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteItem {
    pub spot: NoteSpot,
    pub place: Where,
    pub rule: Option<Rule>,
    pub text: String,
    pub is_current: bool,
    pub remove: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Where {
    Step {
        position: u32,
        label: String,
        /// Where it was when the note was written, if that was elsewhere.
        was: Option<String>,
    },
    /// Nowhere; the run goes on at its time.
    Time { at: Time, label: String, was: String },
    /// Nowhere; the run ends before its time, in words.
    Behind(String),
}

/// Notes about scenarios of other names: they wait for those.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Others {
    pub sentence: String,
    /// Whether they are so many that they are in the way.
    pub is_many: bool,
}

impl View {
    pub(super) fn new(list: &List, problem: Option<&str>, place: &ReaderPlace) -> Self {
        // Notes of later steps say what these do.
        let is_told = |(note, found): &(&Note, NoteMatch)| {
            !place.is_future_hidden || found.position(&note.spot).map_or(note.spot.at <= place.at, |position| position <= place.position)
        };
        let found: Vec<(&Note, NoteMatch)> = list.notes.iter().map(|note| (note, note.found(place))).filter(is_told).collect();
        let of = |is_wanted: fn(NoteMatch) -> bool| found.iter().copied().filter(move |(_, found)| is_wanted(*found));
        let here = |(note, found): &(&Note, NoteMatch)| found.position(&note.spot) == Some(place.position);
        let places: Vec<u32> = found.iter().filter_map(|(note, found)| found.position(&note.spot)).collect();
        let current = found.iter().copied().find(here).map(|(note, _)| note);
        let groups = [
            NoteGroup::new("Notes of this run", "", of(|found| matches!(found, NoteMatch::Same | NoteMatch::Moved(_))), place),
            NoteGroup::new(
                "Notes without a step",
                "The run no longer has these steps. The notes return when it has them again.",
                of(|found| found == NoteMatch::Gone),
                place,
            ),
        ];
        Self {
            caption: match current {
                Some(note) => Caption::Note(note.text.clone()),
                None if places.is_empty() => Caption::None,
                None => Caption::NoneHere,
            },
            turns: Turns::new(&places, place.position),
            field: Field::new(list.unsaved.as_ref(), current, problem, place),
            removed: list
                .removed
                .as_ref()
                .map(|removed| format!("The note of step {} was removed.", format_count(removed.spot.position.into()))),
            groups: groups.into_iter().flatten().collect(),
            others: Others::new(&of(|found| found == NoteMatch::Other).map(|(note, _)| note).collect::<Vec<_>>()),
        }
    }
}

impl Turns {
    fn new(places: &[u32], here: u32) -> Option<Self> {
        let previous = places.iter().copied().filter(|&p| p < here).max();
        let next = places.iter().copied().filter(|&p| p > here).min();
        (previous.is_some() || next.is_some()).then_some(Self { previous, next })
    }
}

impl Field {
    /// What could not be kept is shown instead of what is, and of the step that the reader went on to.
    fn new(unsaved: Option<&Note>, current: Option<&Note>, problem: Option<&str>, place: &ReaderPlace) -> Self {
        let (about, text) = match unsaved.or(current) {
            Some(note) => (note.spot.clone(), note.text.clone()),
            None => (NoteSpot::here(place), String::new()),
        };
        // Of a note whose step has moved, the step is where it is now.
        let position = if unsaved.is_some() { about.position } else { place.position };
        let (label, sentence) = match position {
            0 => ("Note before the first step".to_owned(), String::new()),
            position => (format!("Note at step {}, {}", format_count(position.into()), format_time(about.at.ns())), about.sentence.clone()),
        };
        Self { about, label, text, sentence, problem: problem.map(str::to_owned) }
    }
}

impl NoteGroup {
    fn new<'n>(title: &str, lead: &str, notes: impl Iterator<Item = (&'n Note, NoteMatch)>, place: &ReaderPlace) -> Option<Self> {
        let notes: Vec<NoteItem> = notes.map(|(note, found)| NoteItem::new(note, found, place)).collect();
        (!notes.is_empty()).then(|| Self { title: format!("{title} ({})", notes.len()), lead: lead.to_owned(), notes })
    }
}

impl NoteItem {
    fn new(note: &Note, found: NoteMatch, place: &ReaderPlace) -> Self {
        let spot = &note.spot;
        let was = || format!("was {}", step(spot.position).to_lowercase());
        let time = format_time(spot.at.ns());
        let run = &place.simulation;
        let end = run.run.trace.end().max(run.records.end());
        let stands = match found.position(spot) {
            None if spot.at > end => Where::Behind(format!("{time}, after the end of the run at {}", format_time(end.ns()))),
            None => Where::Time { at: spot.at, label: time, was: was() },
            Some(position) => {
                let was = matches!(found, NoteMatch::Moved(_)).then(was);
                Where::Step { position, label: format!("{}, {time}", step(position)), was }
            }
        };
        Self {
            place: stands,
            rule: Rule::ALL.iter().copied().find(|rule| rule.id() == spot.rule),
            text: note.text.clone(),
            is_current: found.position(spot) == Some(place.position),
            remove: format!("Remove the note of {}", step(found.position(spot).unwrap_or(spot.position)).to_lowercase()),
            spot: spot.clone(),
        }
    }
}

impl Others {
    fn new(notes: &[&Note]) -> Option<Self> {
        let first = notes.first()?;
        let count = notes.len();
        let is_one = notes.iter().all(|note| note.spot.scenario == first.spot.scenario);
        let sentence = if is_one {
            {
                let scenario = &first.spot.scenario;
                let name = if scenario.is_empty() { "without a name".to_owned() } else { format!("“{scenario}”") };
                format!("{count} of {MAX_NOTES} notes belong to scenario {name}. They appear when their scenario is open.")
            }
        } else {
            format!("{count} of {MAX_NOTES} notes belong to other scenarios. They appear when their scenario is open.")
        };
        Some(Self { sentence, is_many: count > MAX_NOTES / 2 })
    }
}
