//! Built-in scenarios, most of them experiments of the papers, with what to look for in each.
//!
//! Depends on nothing. One file an example: its title, its texts, its bookmarks and the scenario file. Invariants:
//! ids are unique, and a bookmark's text describes the state after every step whose time is not later than it. All
//! texts in our own words; each names its source.

mod cuda_connections;
mod cuda_copies;
mod cuda_copies_overlap;
mod cuda_default_streams;
mod cuda_event_wait;
mod cuda_events;
mod cuda_free;
mod cuda_graph;
mod cuda_graph_branches;
mod cuda_grids;
mod cuda_launches;
mod cuda_non_blocking;
mod cuda_one_connection;
mod cuda_priority;
mod cuda_send_behind_gemm;
mod cuda_synchronize;
mod edf_batches;
mod edf_chain;
mod edf_channels;
mod edf_fig_1;
mod edf_fig_2a;
mod edf_graphics;
mod edf_inheritance;
mod edf_overrun_cbs;
mod edf_overrun_plain;
mod edf_path;
mod edf_signals;
mod edf_six_processes;
mod edf_vi_a_cbs;
mod edf_vi_a_runlist;
mod lp_block;
mod lp_none;
mod lp_thread;
mod own_gcaps;
mod own_gpreempt;
mod own_orion;
mod spin_barrier;
mod spin_barrier_hang;
mod spin_collective;
mod spin_cooperative;
mod spin_free;
mod spin_two_barriers;
mod spin_workers;
mod tx1_processes;
mod tx2_fig_9_processes;
mod tx2_fig_9_tasks;
mod tx2_process_priorities;
mod tx2_table_1;
mod tx2_table_2;
mod tx2_table_3;
mod tx2_table_4;
mod tx2_table_5;

/// Every example, in the order of the list; those of a group stand together. The first one comes with the page.
const ALL: &[Example] = &[
    tx2_table_1::EXAMPLE,
    tx2_table_2::EXAMPLE,
    tx2_table_3::EXAMPLE,
    tx2_table_4::EXAMPLE,
    tx2_table_5::EXAMPLE,
    tx2_fig_9_tasks::EXAMPLE,
    tx2_fig_9_processes::EXAMPLE,
    tx2_process_priorities::EXAMPLE,
    tx1_processes::EXAMPLE,
    edf_fig_1::EXAMPLE,
    edf_channels::EXAMPLE,
    edf_six_processes::EXAMPLE,
    edf_fig_2a::EXAMPLE,
    edf_vi_a_runlist::EXAMPLE,
    edf_vi_a_cbs::EXAMPLE,
    edf_inheritance::EXAMPLE,
    edf_chain::EXAMPLE,
    edf_overrun_cbs::EXAMPLE,
    edf_overrun_plain::EXAMPLE,
    edf_path::EXAMPLE,
    edf_signals::EXAMPLE,
    edf_batches::EXAMPLE,
    edf_graphics::EXAMPLE,
    lp_thread::EXAMPLE,
    lp_block::EXAMPLE,
    lp_none::EXAMPLE,
    own_gcaps::EXAMPLE,
    own_gpreempt::EXAMPLE,
    own_orion::EXAMPLE,
    cuda_grids::EXAMPLE,
    cuda_send_behind_gemm::EXAMPLE,
    cuda_copies_overlap::EXAMPLE,
    cuda_priority::EXAMPLE,
    cuda_connections::EXAMPLE,
    cuda_one_connection::EXAMPLE,
    cuda_events::EXAMPLE,
    cuda_non_blocking::EXAMPLE,
    cuda_synchronize::EXAMPLE,
    cuda_event_wait::EXAMPLE,
    cuda_launches::EXAMPLE,
    cuda_graph::EXAMPLE,
    cuda_graph_branches::EXAMPLE,
    cuda_copies::EXAMPLE,
    cuda_free::EXAMPLE,
    cuda_default_streams::EXAMPLE,
    spin_barrier::EXAMPLE,
    spin_barrier_hang::EXAMPLE,
    spin_two_barriers::EXAMPLE,
    spin_cooperative::EXAMPLE,
    spin_workers::EXAMPLE,
    spin_collective::EXAMPLE,
    spin_free::EXAMPLE,
];

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
    /// Moments worth a look, in order of time.
    pub bookmarks: &'static [Bookmark],
    /// The scenario file.
    pub json: &'static str,
}

/// The one that comes with the page.
#[must_use]
pub fn first() -> &'static Example {
    // Apart from the table, so that a program that shows only this one holds no other's texts.
    static FIRST: Example = ALL[0];
    &FIRST
}

/// What is offered besides, of [`further`]: group, id and title of each. Copied out of the table when the program is
/// compiled, so that who only offers them holds none of their texts.
pub const FURTHER: [(&str, &str, &str); ALL.len() - 1] = {
    let mut list = [("", "", ""); ALL.len() - 1];
    let mut i = 0;
    while i < list.len() {
        let example = &ALL[i + 1];
        list[i] = (example.group, example.id, example.title);
        i += 1;
    }
    list
};

/// The id among all ids.
#[must_use]
pub fn known(id: &str) -> Option<&'static str> {
    std::iter::once(first().id).chain(FURTHER.iter().map(|f| f.1)).find(|known| *known == id)
}

/// The other ones, group by group. Apart from the first so that the page can load them later.
pub fn further() -> impl Iterator<Item = &'static Example> {
    all().skip(1)
}

/// Every built-in scenario, group by group.
pub fn all() -> impl Iterator<Item = &'static Example> {
    ALL.iter()
}

/// The built-in scenario with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Example> {
    all().find(|e| e.id == id)
}

const fn at(at_ns: u64, label: &'static str, text: &'static str) -> Bookmark {
    Bookmark { at_ns, label, text }
}
