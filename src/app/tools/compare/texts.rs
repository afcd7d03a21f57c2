//! The texts of "Compare": every word that a reader meets there, but for what the runs do, which `learn::compare` words.
//! Depends on nothing.

// Many are shown on the page alone.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

// What runs are called.

/// The run on screen.
pub(super) fn run(policy: &str, device: &str) -> String {
    format!("{policy}, {device}")
}

pub(super) fn under_policy(policy: &str) -> String {
    format!("Policy: {policy}")
}

pub(super) fn on_device(device: &str) -> String {
    format!("On the {device}")
}

pub(super) fn rules_changed(rules: &str) -> String {
    format!("Rules changed: {rules}")
}

pub(super) const PINNED: &str = "Before the edit";

/// A device that has no name.
pub(super) const OWN_DEVICE: &str = "device of this table";

/// What a link or a message names instead of a run.
pub(super) fn no_run(key: &str) -> String {
    format!("\"{key}\" is not the name of a run")
}

// The same within a sentence: the run on screen, and the other.

pub(super) fn in_policy(policy: &str) -> String {
    format!("under {policy}")
}

pub(super) fn in_device(device: &str) -> String {
    format!("on the {device}")
}

pub(super) const IN_RULES: [&str; 2] = ["with the rules", "with changed rules"];
pub(super) const IN_TIME: [&str; 2] = ["now", "before the edit"];

// Which runs are compared.

/// `beside` is one of the next two.
#[cfg(target_arch = "wasm32")]
pub(super) fn on_screen(run: impl IntoView, beside: impl IntoView) -> impl IntoView {
    view! { "On screen: " <b>{run}</b> ". " {beside} }
}

pub(super) const NOTHING_BESIDE: &str = "Choose a run to compare it with.";

#[cfg(target_arch = "wasm32")]
pub(super) fn beside(runs: impl IntoView) -> impl IntoView {
    view! { "Compared under the timeline with: " {runs} "." }
}

pub(super) const DIFFERENCES_FROM: &str = "Differences from";

// Where the runs agree.

pub(super) const IMPOSSIBLE: &str = "This run is not possible; the reason is below the timeline.";
pub(super) const SAME: &str = "The two runs are the same at every instant.";
pub(super) const NO_HIGH: &str = "No stream here has high priority, so FIFO and priority give the same run.";
pub(super) const ONE_PROCESS: &str = "There is only one process here, so it never waits for its turn.";
pub(super) const NONE_DIFFERS: &str = "None of the other policies, devices and rules that were tried gives another run.";

pub(super) fn show_instead(run: &str) -> String {
    format!("Show a run that differs: {run}")
}

// The way from difference to difference.

pub(super) const TO_FIRST: &str = "Go to first difference";
pub(super) const TO_PREVIOUS: &str = "‹ Previous";
pub(super) const TO_NEXT: &str = "Next ›";
pub(super) const NONE_LATER: &str = "There is no later difference.";
pub(super) const NONE_EARLIER: &str = "There is no earlier difference.";

pub(super) fn at_difference(number: &str, of: &str, time: &str) -> String {
    format!("Difference {number} of {of}, at {time}")
}

/// The same aloud, with what the runs do there.
pub(super) fn said_difference(number: usize, of: usize, sentences: &str) -> String {
    format!("Difference {number} of {of}. {sentences}")
}

pub(super) fn before_first(total: &str, is_one: bool, first: &str) -> String {
    let instants = if is_one { "instant" } else { "instants" };
    format!("The runs agree so far. They differ at {total} {instants}; the first is at {first}.")
}

pub(super) fn between(numbers: [&str; 2], total: &str, times: [&str; 2]) -> String {
    let ([last, next], [from, to]) = (numbers, times);
    format!("The runs agree at this instant. It lies between differences {last} and {next} of {total}, at {from} and {to}.")
}

pub(super) fn after_last(total: &str, last: &str) -> String {
    format!("The runs agree from here on. The last of {total} differences was at {last}.")
}

pub(super) const FIRST_STEP: &str = "First different step:";

/// The first step of a run that is not the same.
pub(super) fn first_step(run: &str, step: &str) -> String {
    format!("{run}, {step}")
}

// How the runs are aligned.

pub(super) const ALIGN: &str = "Align the runs";
pub(super) const BY_TIME: &str = "By time";
pub(super) const BY_TIME_HELP: &str = "Shows each run at the same instant";
pub(super) const BY_DECISION: &str = "By decision";
pub(super) const BY_DECISION_HELP: &str = "Shows each run right after the last event on screen has happened in it";

// What is saved.

pub(super) const SAVE_TABLES: &str = "Save as CSV";
pub(super) const SAVE_FIGURE: &str = "Save figure";
/// The beginning of the files' names.
pub(super) const FILE_NAME: &str = "comparison";
/// The run on screen, in the column of runs.
pub(super) const FILE_ON_SCREEN: &str = "on screen";

/// The title of a figure, if the scenario has no name.
pub(super) const FIGURE: &str = "Comparison";

pub(super) fn figure_title(scenario: &str, run: &str) -> String {
    format!("{scenario}: {run}")
}

pub(super) fn figure_description(titles: &[&str]) -> String {
    format!("Timelines on one scale: {}.", titles.join("; "))
}

// Adding a run.

pub(super) const ADD: &str = "Add a run";
pub(super) const POLICIES: &str = "Another policy";
pub(super) const DEVICES: &str = "Another device";
pub(super) const RULES: &str = "Changed rules";
pub(super) const CHANGE_RULE: &str = "Change a rule…";
pub(super) const BEFORE_EDIT: &str = "Before an edit";
pub(super) const PIN: &str = "Pin this run";
pub(super) const PIN_AGAIN: &str = "Pin again";
pub(super) const IS_PINNED: &str = "The run on screen is pinned. Edit the table to compare with it.";

pub(super) fn full(most: usize) -> String {
    format!("You can compare the run on screen with at most {most} other runs.")
}

// Under the timeline: a picture of each run.

pub(super) const SIDE_BY_SIDE: &str = "Runs side by side";

pub(super) fn above(policy: &str, device: &str) -> String {
    format!("On screen, above: {policy}, {device}")
}

/// What the changed rules of a run say.
pub(super) fn not_a_gpu(rules: &str) -> String {
    format!("Not what a GPU does. {rules}")
}

pub(super) fn not_simulated(why: &str) -> String {
    format!("This run cannot be simulated: {why}")
}

pub(super) fn timeline(run: &str) -> String {
    format!("{run}: timeline")
}

/// A picture in words: its name, and what it shows.
pub(super) fn picture(name: &str, summary: &str) -> String {
    format!("{name}. {summary}")
}

pub(super) fn beginning(cut: &str) -> String {
    format!("This is only the beginning of the run: {cut}.")
}

pub(super) const QUEUES: &str = "Queues";

pub(super) fn queues_of(run: &str) -> String {
    format!("Queues, {run}")
}

// Under the timeline: the tables.

pub(super) const ON_SCREEN: &str = "On screen";
pub(super) const RUNS: &str = "Runs";
pub(super) const RUN_COLUMNS: [&str; 5] = ["Run", "Last end", "Threads in use", "Deadlines missed", "Differs at"];
pub(super) const OPERATIONS: &str = "Kernels and copies";
pub(super) const OPERATION_COLUMNS: [&str; 7] = ["Operation", "Run", "Issued", "Begins", "Ends", "Response", "Waits"];
/// Where a line is of many operations.
pub(super) const MANY_COLUMNS: [&str; 7] = ["Operation", "Run", "Complete", "First begins", "Last ends", "Mean response", "Mean wait"];
pub(super) const TASKS: &str = "Tasks";
pub(super) const TASK_COLUMNS: [&str; 6] = ["Task", "Run", "Jobs complete", "Worst response", "Mean response", "Deadlines missed"];

/// At how many instants a run differs.
pub(super) fn instants(count: usize, written: &str) -> String {
    match count {
        0 => "no instant".to_owned(),
        1 => "1 instant".to_owned(),
        _ => format!("{written} instants"),
    }
}

pub(super) fn complete_of(complete: &str, all: &str) -> String {
    format!("{complete} of {all}")
}

pub(super) const ABSENT: &str = "not in this run";
pub(super) const EQUAL: &str = "the same";
pub(super) const NONE_DUE: &str = "none due";

pub(super) fn more_operations(count: &str) -> String {
    format!("And {count} more operations; the saved table has all.")
}

pub(super) fn more_tasks(count: &str) -> String {
    format!("And {count} more tasks; the saved table has all.")
}

// How a value differs from that of the run on screen.

pub(super) fn earlier(by: &str) -> String {
    format!("−{by}, earlier")
}

pub(super) fn later(by: &str) -> String {
    format!("+{by}, later")
}

pub(super) fn shorter(by: &str) -> String {
    format!("−{by}, shorter")
}

pub(super) fn longer(by: &str) -> String {
    format!("+{by}, longer")
}

pub(super) fn fewer(by: &str) -> String {
    format!("−{by}, fewer")
}

pub(super) fn more(by: &str) -> String {
    format!("+{by}, more")
}
