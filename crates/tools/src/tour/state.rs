//! Which tour is walked, where the reader is in it, and what was answered.
//!
//! Invariant: names and values are those of links of version 1; a tour that is none is as if the list were shown.

use serde::{Deserialize, Serialize};

use blockstep_learn::quiz::Filled;
use blockstep_learn::tour::{self, TourError, TourPlace, TourQuestion};

/// Which tour is walked, and what was done in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The tour that is walked, by its id; empty while the list is shown.
    pub tour: String,
    /// The stop, counted from 1.
    pub stop: Option<usize>,
    /// What was answered in this tour: `STOP:CHOICE`, both counted from 1; choice 0 if the answer was only looked at; `STOP:i` and what
    /// was filled in of an inset.
    pub answer: Vec<String>,
    /// What was put into the inset of the stop so far.
    pub filled: String,
    /// Where each tour was left: `ID/STOP`.
    pub left: Vec<String>,
    /// The tours that were walked to their end, by their ids.
    pub done: Vec<String>,
    /// Whether the scenario of the stop is on its way to the screen.
    pub arrive: bool,
    /// Something to say above the list, until the next event.
    #[serde(skip)]
    pub note: Option<String>,
    /// Whether the page goes to the stop because of this event.
    #[serde(skip)]
    pub has_moved: bool,
}

/// What was done about a stop's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answered {
    No,
    Shown,
    /// An inset was filled in.
    Filled(Filled),
    /// A choice was made, counted from 0.
    Chose(usize),
}

pub(super) struct Walk {
    pub(super) tour: tour::Tour,
    /// Counted from 0.
    pub(super) stop: usize,
}

impl State {
    pub(super) fn walk(&self) -> Result<Option<Walk>, TourError> {
        if !tour::Tour::ids().any(|known| known == self.tour) {
            return Ok(None);
        }
        let tour = tour::Tour::find(&self.tour)?;
        let stop = self.stop.and_then(|n| n.checked_sub(1)).unwrap_or(0).min(tour.stops.len().saturating_sub(1));
        Ok(Some(Walk { tour, stop }))
    }

    pub(super) fn answered(&self, walk: &Walk) -> Answered {
        let of_stop = |entry: &String| {
            let (stop, choice) = entry.split_once(':')?;
            stop.parse().ok().filter(|stop: &usize| *stop == walk.stop + 1)?;
            Some(match (choice.strip_prefix('i'), choice.parse::<usize>()) {
                (Some(filled), _) => Answered::Filled(filled.parse().unwrap_or_default()),
                (None, Ok(0)) => Answered::Shown,
                (None, Ok(choice)) => Answered::Chose(choice - 1),
                (None, Err(_)) => return None,
            })
        };
        self.answer.iter().find_map(of_stop).unwrap_or(Answered::No)
    }

    /// Where the reader stands at the stop: once an inset is answered, at the moment that it shows.
    pub(super) fn place(&self, walk: &Walk) -> TourPlace {
        let stop = walk.current();
        let shown = stop.ask.as_ref().and_then(|ask| ask.inset).filter(|_| self.answered(walk) != Answered::No);
        shown.map_or(stop.place, TourPlace::At)
    }

    /// Whether what comes later is hidden at the stop.
    pub(super) fn is_future_hidden(&self, walk: &Walk) -> bool {
        walk.current().is_future_hidden && self.answered(walk) == Answered::No
    }
}

impl Walk {
    pub(super) fn current(&self) -> &tour::TourStop {
        &self.tour.stops[self.stop]
    }
}

/// The choice that was made, if it is one of the question's.
pub(super) fn chosen<'a>(ask: &'a TourQuestion, answered: &Answered) -> Option<&'a tour::TourAnswer> {
    if let Answered::Chose(i) = answered { ask.choices.get(*i) } else { None }
}
