//! What the panel shows of a search: how far it is, and the example that it found.
//!
//! Invariant: an instant is a link only if its run is on screen.

use serde::{Deserialize, Serialize};

use super::state::State;
use super::words;
use crate::tool::ReaderPlace;
use blockstep_format::read_scenario;
use blockstep_learn::find::{self, Search, SearchProgress, ShownEffect};
use blockstep_sim::scenario::{Draft, KernelDraft};
use blockstep_sim::units::{RowId, Time};
use blockstep_view::document::Document;
use blockstep_view::quantity::{format_count, format_time};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub sentence: String,
    pub is_going: bool,
    pub status: Option<FindStatus>,
    pub example: Option<Example>,
}

/// How far the search is, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FindStatus {
    /// What was typed is no seed.
    WrongSeed(String),
    Searching(String),
    Stopped(String),
    GivenUp(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    pub sentence: String,
    pub has_changed: bool,
    pub looks: Vec<ExampleRun>,
    /// What else the table says than its kernels, a line each.
    pub settings: Vec<String>,
    pub kernels: Vec<Kernel>,
    /// Among how many tables it was found, in a sentence.
    pub count: String,
    pub is_dark: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleRun {
    pub title: String,
    pub is_on_screen: bool,
    /// The instants, in order of time.
    pub moments: Vec<FoundMoment>,
}

/// An instant worth a look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundMoment {
    /// The instant, ns from the start of the run.
    pub at: Time,
    pub time: String,
    pub what: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    pub row: RowId,
    pub name: String,
    pub words: String,
}

pub(super) fn view(state: &State, place: &ReaderPlace) -> View {
    let search = state.search();
    let shown = state.shown().filter(|_| state.wrong_seed().is_none());
    View {
        sentence: search.effect.sentence().to_owned(),
        is_going: state.going,
        status: status(state, &search),
        example: shown.map(|(draft, shown)| example(&search, &draft, &shown, place)),
    }
}

fn status(state: &State, search: &Search) -> Option<FindStatus> {
    let tried = search.attempts;
    if let Some(text) = state.wrong_seed() {
        return Some(FindStatus::WrongSeed(format!("seed: \"{text}\" is not a whole number from 0 to {}.", u64::MAX)));
    }
    match search.progress() {
        _ if state.going => Some(FindStatus::Searching(match search.examples {
            0 => format!("{} random tables tried…", format_count(tried.into())),
            n => format!("{n} found in {} random tables; looking for a simpler one…", format_count(tried.into())),
        })),
        SearchProgress::Searching if tried > 0 => {
            Some(FindStatus::Stopped(format!("Stopped after {} random tables. Press Find to continue.", format_count(tried.into()))))
        }
        SearchProgress::GivenUp => {
            Some(FindStatus::GivenUp(format!("None of {} random tables shows this effect. Try another seed.", format_count(tried.into()))))
        }
        SearchProgress::Searching => Some(FindStatus::Stopped("Press Find to look for a small table that shows it.".to_owned())),
        SearchProgress::Found => None,
    }
}

fn example(search: &Search, draft: &Draft, shown: &ShownEffect, place: &ReaderPlace) -> Example {
    let on_screen = read_scenario(&place.scenario).ok().map(Document::new).map(|d| unnamed(d.draft()));
    let is_on_screen = |draft: &Draft| on_screen.as_ref() == Some(&unnamed(Document::new(draft.clone()).draft()));
    let title = if shown.counterpart.is_some() { "In this table" } else { "Where to look" };
    let mut looks = vec![look(title.to_owned(), &shown.places, is_on_screen(draft))];
    looks.extend(
        shown
            .counterpart
            .as_ref()
            .map(|counterpart| look(format!("Changed: {}", counterpart.change), &counterpart.places, is_on_screen(&counterpart.draft))),
    );
    let kernel = |(i, kernel): (usize, &KernelDraft)| Kernel { row: RowId::at(i), name: kernel.name.clone(), words: words::row(kernel) };
    Example {
        sentence: shown.sentence.clone(),
        has_changed: shown.counterpart.is_some(),
        looks,
        settings: words::settings(draft),
        kernels: draft.kernels.iter().enumerate().map(kernel).collect(),
        count: if search.examples == 1 {
            let tried = format_count(search.attempts.into());
            format!("It is the one example among {tried} random tables. It is minimal: if you remove any row, the effect disappears.")
        } else {
            simplest(search.examples, search.attempts)
        },
        is_dark: place.options.is_dark,
    }
}

fn unnamed(draft: Draft) -> Draft {
    Draft { name: String::new(), ..draft }
}

fn look(title: String, places: &[find::ShownInstant], is_on_screen: bool) -> ExampleRun {
    let moment = |place: &find::ShownInstant| FoundMoment { at: place.at, time: format_time(place.at.ns()), what: place.what.clone() };
    ExampleRun { title, is_on_screen, moments: places.iter().map(moment).collect() }
}

pub(super) fn simplest(examples: u32, tried: u32) -> String {
    let tried = format_count(tried.into());
    format!(
        "It is the simplest of {examples} examples among {tried} random tables. It is minimal: if you remove any row, the effect \
            disappears."
    )
}
