//! What the panel of tours shows.
//!
//! Invariant: what stands here is shown; the right answer does only once it may be known.

use serde::{Deserialize, Serialize};

use blockstep_learn::quiz::InsetView;
use blockstep_learn::tour::{Paragraph, Picture};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    List(TourList),
    Stop(Box<StopView>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TourList {
    pub note: Option<String>,
    pub papers: Vec<Paper>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    pub heading: String,
    /// Its tours, in the order of its figures.
    pub tours: Vec<TourEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TourEntry {
    pub id: String,
    pub title: String,
    pub about: String,
    pub is_done: bool,
    /// The stop at which it can be gone on with, counted from 1.
    pub left_at: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopView {
    /// Its number, counted from 1.
    pub number: usize,
    pub label: String,
    pub stops: Vec<String>,
    pub title: String,
    pub is_away: bool,
    pub text: Vec<Paragraph>,
    /// Lines of a program.
    pub code: Option<String>,
    pub picture: Option<Picture>,
    pub question: Option<StopQuestion>,
    pub next: Next,
}

/// What the button that goes on does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Next {
    ShowAnswer,
    #[default]
    Next,
    Finish,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopQuestion {
    pub question: Paragraph,
    pub is_open: bool,
    pub choices: Vec<StopChoice>,
    /// The picture to fill in, while it is open.
    pub inset: Option<InsetView>,
    pub verdict: Option<StopVerdict>,
    /// The right answer and why, if another one or none was chosen.
    pub answer: Option<(Paragraph, Paragraph)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopChoice {
    pub text: Paragraph,
    /// Whether it was right or wrong, once that may be known.
    pub mark: StopMark,
}

/// What a choice turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopMark {
    None,
    Right,
    ChosenRight,
    ChosenWrong,
}

/// What is said of the choice made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopVerdict {
    pub is_right: bool,
    pub why: Vec<Paragraph>,
}
