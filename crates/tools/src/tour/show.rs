//! What the panel of tours shows: the list of all of them, or one stop.
//!
//! Invariant: nothing tells which answer is right before one was chosen or the answer was asked for.

use super::state::{Answered, State, Walk, chosen};
use super::view::{Next, Paper, StopChoice, StopMark, StopQuestion, StopVerdict, StopView, TourEntry, TourList};
use blockstep_learn::tour::{PAPERS, Tour, TourQuestion};

/// A first path, for those who know nothing of this yet.
const FIRST: [&str; 5] = ["start", "tx2-fig-4", "tx2-fig-5", "edf-fig-1", "lp-fig-1"];

/// The list of tours: the first path, then the others by paper.
pub(super) fn list(tours: &[Tour], state: &State) -> TourList {
    let first = FIRST.iter().filter_map(|id| tours.iter().find(|tour| tour.id == *id)).map(|tour| entry(tour, state)).collect();
    let first = Paper { heading: "First path".to_owned(), tours: first };
    let paper = |(paper, about): (&str, &str)| {
        let mut tours: Vec<&Tour> = tours.iter().filter(|t| t.paper == paper && !FIRST.contains(&&*t.id)).collect();
        tours.sort_by_key(|t| t.number());
        let heading = format!("[{paper}] {about}");
        (!tours.is_empty()).then(|| Paper { heading, tours: tours.into_iter().map(|tour| entry(tour, state)).collect() })
    };
    TourList { note: state.note.clone(), papers: std::iter::once(first).chain(PAPERS.into_iter().filter_map(paper)).collect() }
}

fn entry(tour: &Tour, state: &State) -> TourEntry {
    let left = state.left.iter().find_map(|entry| entry.strip_prefix(&*tour.id)?.strip_prefix('/')?.parse::<usize>().ok());
    let left = left.filter(|&stop| stop > 1 && stop <= tour.stops.len());
    let is_done = state.done.contains(&tour.id);
    let stops = tour.stops.len();
    TourEntry {
        id: tour.id.clone(),
        title: if FIRST.contains(&&*tour.id) { tour.full_title() } else { format!("{}: {}", tour.figure, tour.title) },
        about: format!("{} {stops} stops, about {stops} minutes.", tour.about),
        is_done,
        left_at: left.filter(|&stop| !(is_done && stop == stops)),
    }
}

/// One stop, with its inset if it asks for one; `is_there` says whether the reader stands where it is.
pub(super) fn stop(walk: &Walk, answered: &Answered, inset: Option<StopQuestion>, is_there: bool) -> StopView {
    let (tour, stop) = (&walk.tour, walk.current());
    let is_open = stop.ask.is_some() && *answered == Answered::No;
    StopView {
        number: walk.stop + 1,
        label: tour.stop_label(walk.stop),
        stops: tour
            .stops
            .iter()
            .enumerate()
            .map(|(i, stop)| title(i + 1, Some(&*stop.title).filter(|_| !is_open || i <= walk.stop)))
            .collect(),
        title: stop.title.clone(),
        is_away: !is_there,
        text: stop.text.clone(),
        code: stop.code.clone(),
        picture: tour.picture(stop),
        question: inset.or_else(|| stop.ask.as_ref().map(|ask| question(ask, answered))),
        next: match (is_open, walk.stop + 1 == tour.stops.len()) {
            (true, _) => Next::ShowAnswer,
            (false, true) => Next::Finish,
            (false, false) => Next::Next,
        },
    }
}

/// A stop in the list of all. What comes after an open question may tell its answer, so it has a number alone.
fn title(number: usize, title: Option<&str>) -> String {
    title.map_or_else(|| format!("{number}. After your answer"), |title| format!("{number}. {title}"))
}

fn question(ask: &TourQuestion, answered: &Answered) -> StopQuestion {
    let is_open = *answered == Answered::No;
    let mark = |i: usize, is_right: bool| match (is_right, *answered == Answered::Chose(i)) {
        _ if is_open => StopMark::None,
        (true, true) => StopMark::ChosenRight,
        (true, false) => StopMark::Right,
        (false, true) => StopMark::ChosenWrong,
        (false, false) => StopMark::None,
    };
    let chosen = chosen(ask, answered);
    let is_right = chosen.is_some_and(|choice| choice.is_right);
    let right = ask.choices.iter().find(|choice| choice.is_right && !is_right && !is_open);
    let choices = ask.choices.iter().enumerate();
    StopQuestion {
        question: ask.question.clone(),
        is_open,
        choices: choices.map(|(i, choice)| StopChoice { text: choice.text.clone(), mark: mark(i, choice.is_right) }).collect(),
        inset: None,
        verdict: chosen.map(|choice| StopVerdict { is_right, why: vec![choice.why.clone()] }),
        answer: right.map(|choice| (choice.text.clone(), choice.why.clone())),
    }
}
