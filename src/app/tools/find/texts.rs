//! The texts of "Find an example": every word that a reader meets there, but for the effects. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use crate::view::quantity::{format_bytes, format_count};

// What is looked for.

pub(super) const EFFECT: &str = "Effect";
pub(super) const SEED: &str = "Seed ";
pub(super) const FIND: &str = "Find";
pub(super) const ANOTHER: &str = "Find another";
pub(super) const CANCEL: &str = "Cancel";

pub(super) fn wrong_seed(text: &str) -> String {
    format!("seed: \"{text}\" is not a whole number from 0 to {}.", u64::MAX)
}

// How far the search is.

pub(super) const NOT_FOUND: &str = "No example was found with this seed.";

pub(super) fn tried(tried: u32) -> String {
    format!("{} random tables tried…", format_count(tried.into()))
}

pub(super) fn going_on(found: u32, tried: u32) -> String {
    format!("{found} found in {} random tables; looking for a simpler one…", format_count(tried.into()))
}

pub(super) fn stopped(tried: u32) -> String {
    format!("Stopped after {} random tables. Press Find to continue.", format_count(tried.into()))
}

pub(super) fn given_up(tried: u32) -> String {
    format!("None of {} random tables shows this effect. Try another seed.", format_count(tried.into()))
}

pub(super) fn found(sentence: &str) -> String {
    format!("Found. {sentence}")
}

// The example.

pub(super) const OPEN: &str = "Open";
pub(super) const OPEN_CHANGED: &str = "Open the changed table";
pub(super) const OPEN_BOTH: &str = "Open and compare";
pub(super) const LOOK: &str = "Where to look";
pub(super) const LOOK_HERE: &str = "In this table";
pub(super) const THE_TABLE: &str = "The table";

/// The example's name, once it is open.
pub(super) fn name(effect: &str, seed: u64) -> String {
    format!("{effect} (found with seed {seed})")
}

/// The name of the changed table, once that is open.
pub(super) fn changed_name(name: &str, change: &str) -> String {
    format!("{name}, but {change}")
}

pub(super) fn look_changed(change: &str) -> String {
    format!("Changed: {change}")
}

pub(super) fn only_one(tried: u32) -> String {
    let tried = format_count(tried.into());
    format!("It is the one example among {tried} random tables. It is minimal: if you remove any row, the effect disappears.")
}

pub(super) fn simplest(examples: u32, tried: u32) -> String {
    let tried = format_count(tried.into());
    format!(
        "It is the simplest of {examples} examples among {tried} random tables. It is minimal: if you remove any row, the effect disappears."
    )
}

// Settings of the table, a line each.

pub(super) fn policy(policy: &str) -> String {
    format!("Policy {policy}")
}

pub(super) fn policy_edf(preemption: &str, has_servers: bool) -> String {
    format!("Policy EDF, preemption mode {preemption}, {} servers", if has_servers { "with" } else { "without" })
}

pub(super) fn ends_at(time: &str) -> String {
    format!("The run ends at {time}")
}

pub(super) fn stream_priority(stream: &str, priority: &str) -> String {
    format!("Stream {stream} has {priority} priority")
}

/// What is said of a task; what goes without saying is `None`.
pub(super) struct Task<'a> {
    pub(super) name: &'a str,
    pub(super) process: Option<&'a str>,
    pub(super) releases: Releases,
    pub(super) offset: Option<String>,
    pub(super) deadline: Option<String>,
}

/// When jobs of a task are released.
pub(super) enum Releases {
    WhenDone,
    Every(String),
    Once,
}

pub(super) fn task(task: &Task<'_>) -> String {
    let name = task.name;
    let process = task.process.map_or(String::new(), |process| format!(" of process {process}"));
    let jobs = match &task.releases {
        Releases::WhenDone => "a job whenever the last one is done".to_owned(),
        Releases::Every(period) => format!("a job every {period}"),
        Releases::Once => "one job".to_owned(),
    };
    let first = task.offset.as_ref().map_or(String::new(), |offset| format!(", the first at {offset}"));
    let due = task.deadline.as_ref().map_or(String::new(), |deadline| format!(", due {deadline} after its release"));
    format!("Task {name}{process}: {jobs}{first}{due}")
}

// Rows of the table.

/// What is said of a kernel; what goes without saying is `None`.
pub(super) struct Row<'a> {
    pub(super) task: Option<&'a str>,
    /// `None` is the NULL stream.
    pub(super) stream: Option<&'a str>,
    pub(super) blocks: u64,
    pub(super) threads: u64,
    pub(super) time: String,
    pub(super) launch: Option<String>,
    pub(super) bytes_in: u64,
    pub(super) bytes_out: u64,
}

pub(super) fn row(row: &Row<'_>) -> String {
    let task = row.task.map_or(String::new(), |task| format!("of {task} "));
    let stream = row.stream.map_or("the NULL stream".to_owned(), |stream| format!("stream {stream}"));
    let (threads, time) = (format_count(row.threads), &row.time);
    let blocks = match row.blocks {
        1 => format!("1 block of {threads} threads, {time}"),
        blocks => format!("{} blocks of {threads} threads, {time} each", format_count(blocks)),
    };
    let launch = row.launch.as_ref().map_or(String::new(), |launch| format!(", launched at {launch}"));
    let copies = |bytes: u64, way: &str| if bytes > 0 { format!(", copies {} {way}", format_bytes(bytes)) } else { String::new() };
    let (copies_in, copies_out) = (copies(row.bytes_in, "in"), copies(row.bytes_out, "out"));
    format!("{task}on {stream}: {blocks}{launch}{copies_in}{copies_out}")
}
