//! Tours: guided walks that drive the page.
//!
//! Depends on `learn::tour`. Invariants: the state holds the tour, the stop, what was answered, and how far every tour was
//! walked, so that a reader can leave and come back at any stop; a stop is shown whole each time it is come to; whether the
//! reader has wandered off follows from where they stand.

#[cfg(target_arch = "wasm32")]
mod panel;
mod show;
mod walk;

use serde::{Deserialize, Serialize};

use crate::app::tool::{Context, Effects, Event, Tool, memory};
use crate::learn::tour::{self, Ask, Paragraph};

/// The tool.
pub struct Tour;

/// Which tour is walked, and what was done in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The tour that is walked, by its id; empty while the list is shown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tour: String,
    /// The stop, counted from 1.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub stop: Option<usize>,
    /// What was answered in this tour: `STOP:CHOICE`, both counted from 1; choice 0 if the answer was only looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answer: Vec<String>,
    /// Where each tour was left: `ID/STOP`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// The tours that were walked to their end, by their ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<String>,
    /// Whether the scenario of the stop is on its way to the screen.
    #[serde(with = "memory::flag", skip_serializing_if = "memory::is_false")]
    pub arrive: bool,
    /// Something to say above the list, until the next event.
    #[serde(skip)]
    pub note: Option<String>,
    /// Whether the page goes to the stop because of this event.
    #[serde(skip)]
    pub has_moved: bool,
}

/// What the reader can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Walk a tour.
    Walk {
        /// Its id.
        tour: String,
        /// The stop to begin at, counted from 1.
        stop: usize,
    },
    /// Go to a stop of this tour, counted from 1.
    GoTo(usize),
    /// Have the answer shown if there is a question; else go to the next stop, or end the tour.
    Next,
    /// Go to the stop before.
    Back,
    /// Come back to this stop.
    Return,
    /// Choose an answer, counted from 0.
    Choose(usize),
    /// Leave the tour.
    Leave,
    /// Copy a link to this stop.
    CopyLink,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// All tours.
    List(List),
    /// One stop.
    Stop(Box<Stop>),
}

/// All tours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// Something to say above them.
    pub note: Option<String>,
    /// The papers that there are tours of.
    pub papers: Vec<Paper>,
}

/// A paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// Its name and what it is about.
    pub heading: String,
    /// Its tours, in the order of its figures.
    pub tours: Vec<Entry>,
}

/// A tour in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Its figure and title.
    pub title: String,
    /// What it is about, and how many stops it has.
    pub about: String,
    /// Whether it was walked to its end.
    pub is_done: bool,
    /// The stop at which it can be gone on with, counted from 1.
    pub left_at: Option<usize>,
}

/// A stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its place in the tour, in words.
    pub label: String,
    /// The titles of all stops, numbered.
    pub stops: Vec<String>,
    /// Its title.
    pub title: String,
    /// Whether the reader has gone elsewhere.
    pub is_away: bool,
    /// What is said.
    pub text: Vec<Paragraph>,
    /// What is asked.
    pub question: Option<Question>,
    /// What comes next.
    pub next: Next,
}

/// What the button that goes on does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Next {
    /// It shows the answer to the question.
    ShowAnswer,
    /// It goes to the next stop.
    #[default]
    Next,
    /// It ends the tour.
    Finish,
}

/// A question, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub question: Paragraph,
    /// Whether it waits for an answer.
    pub is_open: bool,
    /// What can be answered.
    pub choices: Vec<Choice>,
    /// What is said of the choice made.
    pub verdict: Option<Verdict>,
    /// The right answer and why, if another one or none was chosen.
    pub answer: Option<(Paragraph, Paragraph)>,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it says.
    pub text: Paragraph,
    /// Whether it was right or wrong, once that may be known.
    pub mark: Mark,
}

/// What a choice turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// Nothing is to be said of it.
    None,
    /// It is right.
    Right,
    /// It is right, and was chosen.
    ChosenRight,
    /// It was chosen, and is wrong.
    ChosenWrong,
}

/// What is said of the choice made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether it is right.
    pub is_right: bool,
    /// Why, or which misconception it is.
    pub why: Paragraph,
}

/// What was done about a stop's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    /// Nothing yet.
    No,
    /// The answer was looked at.
    Shown,
    /// A choice was made, counted from 0.
    Chose(usize),
}

/// The tour that is walked.
struct Walk {
    tour: tour::Tour,
    /// Counted from 0.
    stop: usize,
}

impl Tool for Tour {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, String> {
        walk::update(state, event, context)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        Ok(match state.walk()? {
            None => View::List(show::list(&tour::Tour::all()?, state)),
            Some(walk) => {
                let is_there = state.has_moved || state.arrive || walk.is_at(&context.place)?;
                View::Stop(Box::new(show::stop(&walk, state.answered(&walk), is_there)))
            }
        })
    }
}

impl State {
    /// The tour and stop that it names.
    fn walk(&self) -> Result<Option<Walk>, String> {
        if !tour::Tour::ids().any(|known| known == self.tour) {
            return Ok(None);
        }
        let tour = tour::Tour::find(&self.tour)?;
        let stop = self.stop.and_then(|n| n.checked_sub(1)).unwrap_or(0).min(tour.stops.len().saturating_sub(1));
        Ok(Some(Walk { tour, stop }))
    }

    fn answered(&self, walk: &Walk) -> Answered {
        let of_stop = |entry: &String| {
            let (stop, choice) = entry.split_once(':')?;
            (stop.parse() == Ok(walk.stop + 1)).then(|| choice.parse::<usize>().ok())?
        };
        match self.answer.iter().find_map(of_stop) {
            None => Answered::No,
            Some(0) => Answered::Shown,
            Some(choice) => Answered::Chose(choice - 1),
        }
    }

    /// Whether what comes later is hidden at the stop.
    fn is_future_hidden(&self, walk: &Walk) -> bool {
        walk.current().is_future_hidden && self.answered(walk) == Answered::No
    }
}

impl Walk {
    fn current(&self) -> &tour::Stop {
        &self.tour.stops[self.stop]
    }
}

/// The choice that was made, if it is one of the question's.
fn chosen(ask: &Ask, answered: Answered) -> Option<&tour::Answer> {
    if let Answered::Chose(i) = answered { ask.choices.get(i) } else { None }
}
