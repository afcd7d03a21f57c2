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

/// The one that comes with the page.
#[must_use]
pub fn first() -> &'static Example {
    &tx2_tables::FIRST
}

/// What is offered besides, of [`further`]: group, id and title of each. Written out, as those who only offer
/// them need none of their texts.
pub const FURTHER: [(&str, &str, &str); 18] = [
    ("[TX2] one address space", "tx2-table-2", "Table 2: the NULL stream"),
    ("[TX2] one address space", "tx2-table-3", "Table 3: starvation by priority"),
    ("[TX2] one address space", "tx2-table-4", "Table 4: two priorities, not three"),
    ("[TX2] one address space", "tx2-table-5", "Table 5: no cutting ahead"),
    ("[TX2] tasks and processes", "tx2-fig-9-tasks", "Fig. 9: two tasks"),
    ("[TX2] tasks and processes", "tx2-fig-9-processes", "Fig. 9: two processes"),
    ("[TX2] tasks and processes", "tx2-process-priorities", "Stream priorities across processes"),
    ("[TX2] tasks and processes", "tx1-processes", "TX1: two processes, block by block"),
    ("[EDF] runlist and deadlines", "edf-fig-1", "Fig. 1: two high, two medium"),
    ("[EDF] runlist and deadlines", "edf-fig-2a", "Fig. 2a: just missed"),
    ("[EDF] runlist and deadlines", "edf-vi-a-runlist", "Section VI-A under the runlist"),
    ("[EDF] runlist and deadlines", "edf-vi-a-cbs", "Section VI-A under EDF with servers"),
    ("[EDF] servers and dependencies", "edf-inheritance", "A producer inherits a deadline"),
    ("[EDF] servers and dependencies", "edf-overrun-cbs", "A budget overrun, with servers"),
    ("[EDF] servers and dependencies", "edf-overrun-plain", "A budget overrun, without servers"),
    ("[LP] full, limited and no preemption", "lp-thread", "Full preemption"),
    ("[LP] full, limited and no preemption", "lp-block", "Limited preemption"),
    ("[LP] full, limited and no preemption", "lp-none", "No preemption"),
];

/// The id among all ids.
#[must_use]
pub fn known(id: &str) -> Option<&'static str> {
    std::iter::once(first().id).chain(FURTHER.iter().map(|f| f.1)).find(|known| *known == id)
}

/// The other ones, group by group. Apart from the first so that the page can load them later.
pub fn further() -> impl Iterator<Item = &'static Example> {
    tx2_tables::OTHERS.iter().chain(&tx2_processes::ALL).chain(&edf_paper::ALL).chain(&edf_tasks::ALL).chain(&limited::ALL)
}

/// Every built-in scenario, group by group.
pub fn all() -> impl Iterator<Item = &'static Example> {
    std::iter::once(first()).chain(further())
}

/// The built-in scenario with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Example> {
    all().find(|e| e.id == id)
}

const fn at(at_ns: u64, label: &'static str, text: &'static str) -> Bookmark {
    Bookmark { at_ns, label, text }
}
