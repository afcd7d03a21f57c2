//! The texts of "Measured traces": every word that a reader meets there, but for what is judged and assumed of logs. Depends on
//! `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

use crate::language::{one_or, s};
use crate::measured::fit::How;
use crate::units::Time;
use crate::view::quantity::{format_count, format_time};

// What is wrong with files.

pub(super) const GONE: &str = "These logs are no longer loaded. Open them again.";

pub(super) fn not_logs(files: &[&str]) -> String {
    format!("{}: not logs, because they have no times. You can open one scenario or config together with its logs.", files.join(", "))
}

pub(super) fn wrong_file(file: &str, problem: &str) -> String {
    format!("{file}: {problem}")
}

pub(super) fn needs_duration(file: &str, problem: &str) -> String {
    format!("{file}: {problem}\nOpen it by itself first, then the logs.")
}

pub(super) fn other_runs(why: &str) -> String {
    format!("These are logs of different runs. {why} Open the logs of each run separately.")
}

// Without logs.

pub(super) const LEAD: &str = "This tool reads the logs that cuda_scheduling_examiner wrote on a real GPU, one for each benchmark of a run. It checks them against the rules, builds a scenario from them, and overlays the measured blocks on a simulated run.";

#[cfg(target_arch = "wasm32")]
pub(super) fn how_to_open() -> impl IntoView {
    view! {
        "To open logs, press " <b>"Open…"</b>
        " at the top of the page and choose all logs of one run together, or drop them on the page. You can include the config or scenario that was run."
    }
}

pub(super) const HOW_TO_GET: &str = "To get logs, run the examiner with a config on a computer with an NVIDIA GPU. Each benchmark writes one JSON file, named by its log_name.";
pub(super) const TRY: &str = "Try it with the run on screen";
pub(super) const TRY_HELP: &str =
    "This generates logs of the run on screen as a GPU might write them, with slightly inexact clocks. Nothing is measured.";
pub(super) const NO_BLOCK: &str = "No block of the run on screen completes. Open another scenario to try this.";

pub(super) fn too_many_blocks(most: usize) -> String {
    format!("The run on screen has more than {} blocks. Open a smaller scenario to try this.", format_count(most as u64))
}

// What was read.

pub(super) const GENERATED: &str =
    "Generated logs: they come from a simulated run, with clocks that are off by up to 900 ns. Nothing here was measured.";

pub(super) fn logs_read(count: usize) -> String {
    match count {
        1 => "1 log was read.".to_owned(),
        count => format!("{} logs were read.", format_count(count as u64)),
    }
}

/// How much there is, over which time, if that is known.
pub(super) fn extent(logs: usize, kernels: usize, blocks: usize, span_ns: Option<u64>) -> String {
    let some = |n: usize, what: &str| format!("{} {what}{}", format_count(n as u64), if n == 1 { "" } else { "s" });
    let span = span_ns.map(|ns| format!(" in {}", format_time(ns))).unwrap_or_default();
    format!("{}, {}, {}{span}.", some(logs, "log"), some(kernels, "kernel"), some(blocks, "block"))
}

pub(super) fn more_notes(count: usize) -> String {
    format!("… and {} more.", format_count(count as u64))
}

// By what the logs are judged.

pub(super) const DEVICE: &str = "Device";
pub(super) const DEVICE_EVIDENCE: &str = "Evidence for the device";
pub(super) const TOLERANCE: &str = "Tolerance";
pub(super) const TOLERANCE_HELP: &str = "Differences up to the tolerance count as clock noise.";

pub(super) fn from_logs(device: &str) -> String {
    format!("From the logs: {device}")
}

pub(super) fn wrong_tolerance(why: &str, tolerance_ns: u64) -> String {
    format!("{why}. Until then it is {}.", format_time(tolerance_ns))
}

// What the rules say.

pub(super) const RULE_CHECK: &str = "Rule check";
pub(super) const SHOW: &str = "Show";
pub(super) const UNJUDGED: &str = "Not checked";
pub(super) const JUDGED: &str = "Checks";
pub(super) const ASSUMED: &str = "Assumptions";

pub(super) fn verdict(violations: u64, tolerance_ns: u64) -> String {
    let tolerance = format_time(tolerance_ns);
    match violations {
        0 => format!("No violations found, with a tolerance of {tolerance}."),
        1 => format!("1 violation, with a tolerance of {tolerance}."),
        _ => format!("{} violations, with a tolerance of {tolerance}.", format_count(violations)),
    }
}

pub(super) fn show_violation(number: usize) -> String {
    format!("Show violation {number}")
}

pub(super) fn first_listed(count: usize) -> String {
    format!("The first {count} are listed.")
}

/// A check, how often it was made and of what, and how often it failed.
pub(super) fn judged(check: &str, count: u64, unit: &str, violations: u64) -> String {
    let failed = if violations > 0 { format!("; violated by {}", format_count(violations)) } else { String::new() };
    format!("{check} Checked: {} {unit}{failed}.", format_count(count))
}

// The run on screen, if it is another one.

pub(super) const COMPARISON: &str = "Comparison with the run on screen";
pub(super) const OTHER_RUN: &str =
    "The scenario on screen has none of the kernels in these logs. Open the scenario that was run, or build one from the logs.";

// How the logs and the run on screen were laid over each other.

pub(super) const MATCHED: &str = "Matched";
pub(super) const OFFSET: &str = "Offset";
pub(super) const TYPICALLY: &str = "Typical difference";
pub(super) const WORST_START: &str = "Worst start";
pub(super) const WORST_END: &str = "Worst end";
pub(super) const NO_WORST: &str = "none is known";

/// Kernels and blocks that are matched, of how many, and by what.
pub(super) fn matched(kernels: (usize, usize), blocks: (usize, usize), how: Option<How>) -> String {
    let how = match how {
        Some(How::Order) => "those without a known name by their order, because blocks and threads agree",
        Some(How::Label) => "by the logs' labels, in their order",
        _ => "by their names",
    };
    let of = |(some, all): (usize, usize)| format!("{} of {}", format_count(some as u64), format_count(all as u64));
    format!("{} kernels, {} blocks; {how}", of(kernels), of(blocks))
}

pub(super) fn offset(seconds: &str) -> String {
    format!("{seconds} of the logs is 0 s of the run")
}

pub(super) fn typically(ns: u64) -> String {
    format!("{} off, earlier or later (the median of all starts and ends)", format_time(ns))
}

pub(super) fn worst(later_ns: i64, kernel: &str, block: usize) -> String {
    format!("{} ({kernel}:{block})", later(later_ns))
}

/// `3 µs later`, `17 ns earlier`, `at the same time`.
pub(super) fn later(ns: i64) -> String {
    match ns {
        0 => "at the same time".to_owned(),
        1.. => format!("{} later", format_time(ns.unsigned_abs())),
        _ => format!("{} earlier", format_time(ns.unsigned_abs())),
    }
}

// What differs.

pub(super) const DIFFERENCES: &str = "Differences, by kernel";
pub(super) const FIRST_DIFFERENCES: &str = "First differences, by kernel";
pub(super) const LARGEST_DIFFERENCES: &str = "Largest differences, by kernel";
pub(super) const OTHER_DIFFERENCES: &str = "Other differences";
pub(super) const GO_TO: &str = "Go to the instant";

pub(super) fn go_to(time_ns: u64) -> String {
    format!("Go to {}", format_time(time_ns))
}

pub(super) fn agrees(tolerance_ns: u64) -> String {
    format!("All matched blocks start and end within {} of the simulation.", format_time(tolerance_ns))
}

pub(super) fn started(kernel: &str, block: usize, later_ns: i64, at: Time) -> String {
    format!("{kernel}, block {block}: started {} than simulated ({}).", later(later_ns), format_time(at.ns()))
}

pub(super) fn ended(kernel: &str, block: usize, later_ns: i64, at: Time) -> String {
    format!("{kernel}, block {block}: ended {} than simulated ({}).", later(later_ns), format_time(at.ns()))
}

pub(super) fn moved(kernel: &str, moved: usize, blocks: usize) -> String {
    format!("{kernel}: {} of its {} blocks ran on other SMs than simulated.", format_count(moved as u64), format_count(blocks as u64))
}

pub(super) fn only_simulated_blocks(kernel: &str, blocks: usize) -> String {
    format!("{kernel}: {} of its blocks were simulated, but not measured.", format_count(blocks as u64))
}

pub(super) fn only_measured_blocks(kernel: &str, blocks: usize) -> String {
    format!("{kernel}: {} of its blocks were measured, but not simulated.", format_count(blocks as u64))
}

pub(super) fn only_measured(kernel: &str) -> String {
    format!("{kernel} was measured and has no counterpart in the run on screen.")
}

pub(super) fn only_simulated(kernel: &str) -> String {
    format!("{kernel} was simulated and is in none of the logs.")
}

pub(super) fn more_differences(count: u64) -> String {
    format!("… and {} more of this kind.", format_count(count))
}

// Buttons.

pub(super) const BUILD: &str = "Build the scenario from the logs";
pub(super) const SAVE_CSV: &str = "Save blocks as CSV";
pub(super) const CLOSE: &str = "Close the logs";
pub(super) const BUILT_NOTES: &str = "Assumptions of the scenario built from the logs";

pub(super) fn built(kernels: usize) -> String {
    match kernels {
        1 => "The scenario is built: 1 kernel.".to_owned(),
        count => format!("The scenario is built: {} kernels.", format_count(count as u64)),
    }
}

pub(super) fn cannot_build(device: &str, problem: &str) -> String {
    format!("The scenario from these logs cannot be simulated on {device}:\n{problem}")
}

// Files.

pub(super) const FILE: &str = "measured.csv";
pub(super) const FILE_GENERATED: &str = "measured-made-up.csv";

// Under the timeline: the picture.

pub(super) const PICTURE: &str = "Measured blocks, by SM";
pub(super) const PICTURE_GENERATED: &str = "Generated blocks, by SM";
pub(super) const SHOW_ALL: &str = "Show the whole run";

/// What the picture shows: blocks and SMs; simulated blocks with what is typical, if there are some; violations.
pub(super) fn description(blocks: usize, sms: usize, over: Option<(usize, u64)>, violations: usize) -> String {
    let count = |n: usize| format_count(n as u64);
    let over = over.map_or(String::new(), |(blocks, typical_ns)| {
        let typical = format_time(typical_ns);
        format!(
            " Outlines show {} simulated block{}. The median difference of starts and ends is {typical}.",
            count(blocks),
            s(blocks as u64)
        )
    });
    let marked = if violations == 0 {
        "No violations.".to_owned()
    } else {
        format!("{} violation{} marked.", count(violations), one_or(violations as u64, " is", "s are"))
    };
    format!("{} block{} on {} SM{}.{over} {marked}", count(blocks), s(blocks as u64), count(sms), s(sms as u64))
}

pub(super) fn no_outlines(most: usize) -> String {
    let most = format_count(most as u64);
    format!("More than {most} simulated blocks are in view, so their outlines are hidden. Zoom in to see them.")
}

/// What a block tells of itself: kernel and block, where and when it ran.
pub(super) struct Tip<'a> {
    pub(super) kernel: &'a str,
    pub(super) block: usize,
    pub(super) sm: Option<u32>,
    pub(super) start: String,
    pub(super) end: String,
    /// How much later than simulated it started and, if that is known, ended, ns.
    pub(super) later_ns: Option<(i64, Option<i64>)>,
}

pub(super) fn tip(of: &Tip<'_>) -> String {
    let sm = of.sm.map_or("an SM that is not known".to_owned(), sm);
    let compared = match of.later_ns {
        None => String::new(),
        Some((start, None)) => format!("; compared with the simulation: started {}", later(start)),
        Some((start, Some(end))) => format!("; compared with the simulation: started {}, ended {}", later(start), later(end)),
    };
    format!("{}, block {}, on {sm}: {} to {}{compared}", of.kernel, of.block, of.start, of.end)
}

pub(super) fn sm(number: u32) -> String {
    format!("SM {number}")
}

// Its legend.

pub(super) const MORE_KERNELS: &str = "…";
pub(super) const SIMULATED: &str = "dashed: as simulated";
pub(super) const BROKEN: &str = "breaks a rule";
pub(super) const AWAITED: &str = "what it should have waited for";
pub(super) const ARROWS: &str = "arrows: when launches were called";

// Under the timeline: the blocks as a table.

pub(super) const TABLE: &str = "The blocks as a table";
pub(super) const TABLE_LABEL: &str = "Measured blocks";
pub(super) const HEADS: [&str; 5] = ["Kernel", "Block", "SM", "Start", "End"];
/// Beside a run on screen.
pub(super) const MORE_HEADS: [&str; 3] = ["Start difference", "End difference", "Simulated on"];
pub(super) const UNKNOWN: &str = "?";

pub(super) fn more_rows(shown: usize, count: usize) -> String {
    format!("The table shows the first {shown} of {}; the CSV has all.", format_count(count as u64))
}
