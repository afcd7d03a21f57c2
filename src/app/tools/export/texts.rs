//! The texts of "Data", the tab for other formats: every word that a reader meets there. Depends on `runs` and `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use std::fmt::Display;

use crate::runs::whole::MAX_SAVED;
use crate::view::quantity::{format_bytes, format_count};

// Above the list.

pub(super) const LEAD: &str =
    "Files are made on this page, and nothing is sent anywhere. To save the scenario itself, press Save beside Open.";

pub(super) fn cut(cut: &impl Display) -> String {
    format!("This run was cut short: {cut}. Files hold the run up to that point.")
}

// A form of file, in the order of the list: its title, what it is for, what opens it, and what is not in it.

/// What is said of a form.
pub(super) struct Words {
    /// As a heading.
    pub(super) title: &'static str,
    /// What it is for, a sentence.
    pub(super) purpose: &'static str,
    /// What opens it, after "Opens in ".
    pub(super) opens: &'static str,
    /// What of a run is not in any file of this form, a sentence; empty if that is said run by run.
    pub(super) lacks: &'static str,
}

const TABLES: &str = "spreadsheets, R, pandas";

pub(super) const TRACE: Words = Words {
    title: "Trace (JSON)",
    purpose: "Every block, copy, kernel and job with its times in nanoseconds, for your own scripts.",
    opens: "any program that reads JSON",
    lacks: "The order of events at one instant, and the rules behind them.",
};

pub(super) const STEPS: Words = Words {
    title: "Steps (text)",
    purpose: "Every decision with its time and its rule, one per line. Useful for reading and for comparing two runs.",
    opens: "any editor, and diff",
    lacks: "Names and limits of the device; the scenario has them.",
};

pub(super) const BLOCKS: Words = Words {
    title: "Blocks and copies (CSV)",
    purpose: "A row for every block and copy: where it ran, when it was issued, queued, begun and ended.",
    opens: TABLES,
    lacks: "Suspensions of blocks; the trace has them.",
};

pub(super) const KERNELS: Words = Words {
    title: "Kernels (CSV)",
    purpose: "A row for every kernel of every job: issued, queued, begun, ended, response time, and what its blocks need.",
    opens: TABLES,
    lacks: "Individual blocks and copies.",
};

pub(super) const JOBS: Words = Words {
    title: "Jobs (CSV)",
    purpose: "A row for every job: release, deadline, end, response time, and whether the deadline was met.",
    opens: TABLES,
    lacks: "What the jobs did.",
};

pub(super) const WAITS: Words = Words {
    title: "Waiting reasons (CSV)",
    purpose: "A row for every interval in which an operation waited: start, end, reason and rule.",
    opens: TABLES,
    lacks: "What exactly it waited for; “Why not now?” shows that step by step.",
};

pub(super) const RESULTS: Words = Words {
    title: "Results (CSV)",
    purpose: "Response times, deadline misses, total waiting times, utilization and bounds, as in the panel Results.",
    opens: TABLES,
    lacks: "Single blocks.",
};

pub(super) const CHROME: Words = Words {
    title: "Chrome trace",
    purpose: "The timeline in a viewer for long traces: SMs, copy engines, jobs, arrows from launch to first block, free threads.",
    opens: "Perfetto (ui.perfetto.dev), chrome://tracing",
    lacks: "Queues, waiting reasons and rules; shared memory, registers and block slots that are free.",
};

pub(super) const LOGS: Words = Words {
    title: "Examiner logs",
    purpose: "The run as cuda_scheduling_examiner would log it, one file for each stream.",
    opens: "the examiner's scripts, such as view_blocksbysm.py, and Measured traces on this page",
    lacks: "",
};

pub(super) const SIMSO: Words = Words {
    title: "SimSo task set (XML)",
    purpose: "The real-time tasks with their execution times alone on the GPU, for EDF and related schedulers on a processor.",
    opens: "SimSo, and this page",
    lacks: "",
};

pub(super) fn about(of: &Words) -> String {
    format!("{} Opens in {}.", of.purpose, of.opens)
}

// Its buttons.

pub(super) const PREVIEW: &str = "Preview";
pub(super) const SAVE: &str = "Save";

pub(super) fn preview_of(title: &str) -> String {
    format!("Preview {title}")
}

/// Of a form, or of a file.
pub(super) fn save_of(name: &str) -> String {
    format!("Save {name}")
}

pub(super) fn previewed(title: &str) -> String {
    format!("The preview of {title} is below its name.")
}

pub(super) fn saved(name: &str) -> String {
    format!("Saved {name}.")
}

pub(super) fn saved_several(count: usize) -> String {
    format!("Saved {count} files.")
}

// Why there is no file.

pub(super) const NO_LOGS: &str = "No kernel of this run completed, so a log would be empty.";

pub(super) fn no_trace(cut: &impl Display) -> String {
    format!("There is no whole trace to save: {cut}.")
}

// The preview.

pub(super) const NOT_INCLUDED: &str = "Not included:";

pub(super) fn not_included(lacks: &str) -> String {
    format!("Not included: {lacks}")
}

pub(super) fn size(lines: usize, bytes: usize) -> String {
    if bytes > MAX_SAVED {
        return format!("more than {}, the most that the page saves at once", format_bytes(MAX_SAVED as u64));
    }
    let unit = if lines == 1 { "line" } else { "lines" };
    format!("{} {unit}, {}", format_count(lines as u64), format_bytes(bytes as u64))
}

pub(super) fn first_lines(file: &str) -> String {
    format!("First lines of {file}")
}

pub(super) fn more_files(count: usize) -> String {
    format!("And {count} more files, which the command line writes: blockstep simulate --format examiner -o FOLDER.")
}
