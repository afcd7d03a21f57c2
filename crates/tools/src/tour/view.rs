//! What the panel of tours shows.
//!
//! Depends on the paragraphs of `learn::tour`. Invariant: what stands here is shown; the right answer does only once it may be
//! known.

use serde::{Deserialize, Serialize};

use blockstep_learn::tour::Paragraph;

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
