//! Built-in scenarios, most of them experiments of the papers, with what to look for in each.
//!
//! Depends on nothing; the scenarios are files of our format. Invariants: ids are unique, and a
//! bookmark's text describes the state after every step whose time is not later than it. All
//! texts in our own words; each part names its source.

mod edf_paper;
mod edf_tasks;
mod limited;
mod tx2_processes;
mod tx2_tables;

/// A moment of an example worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The moment: the state after all steps up to and including this instant.
    pub at_ns: u64,
    /// A few words for a button.
    pub label: &'static str,
    /// What is to be seen there.
    pub text: &'static str,
}

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it stands under in a list.
    pub group: &'static str,
    /// What the command line and links call it.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// What to look for.
    pub text: &'static str,
    /// The scenario file.
    pub json: &'static str,
    /// Moments worth a look, in order of time.
    pub bookmarks: &'static [Bookmark],
}

/// The first ones, of one address space, in the order of the paper.
#[must_use]
pub fn basic() -> &'static [Example] {
    &tx2_tables::ALL
}

/// The other ones, group by group. Apart from the first so that the page can load them later.
pub fn further() -> impl Iterator<Item = &'static Example> {
    tx2_processes::ALL.iter().chain(&edf_paper::ALL).chain(&edf_tasks::ALL).chain(&limited::ALL)
}

/// Every built-in scenario, group by group.
pub fn all() -> impl Iterator<Item = &'static Example> {
    basic().iter().chain(further())
}

/// The one of [`basic`] with this id.
#[must_use]
pub fn find_basic(id: &str) -> Option<&'static Example> {
    basic().iter().find(|e| e.id == id)
}

/// The built-in scenario with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Example> {
    all().find(|e| e.id == id)
}

const fn at(at_ns: u64, label: &'static str, text: &'static str) -> Bookmark {
    Bookmark { at_ns, label, text }
}
