//! The texts of the panel of schedulability, below the verdicts: studies of random task sets. Depends on how counts
//! are written, and on Leptos for the caption with its emphasis. Fields, curves and tables come with words of their own.

use leptos::prelude::*;

use crate::view::quantity::format_count;

pub(super) const TITLE: &str = "Schedulability";
pub(super) const SUMMARY: &str = "tests of this scenario; studies of random task sets, as in [LP] and [EDF]";

// The form.

pub(super) const STUDIES: &str = "Studies of random task sets";
pub(super) const STUDY: &str = "Study";

// Buttons under it, and how far the study is.

pub(super) const RUN: &str = "Run";
pub(super) const PAUSE: &str = "Pause";
pub(super) const RESUME: &str = "Resume";
pub(super) const CANCEL: &str = "Cancel";
pub(super) const PROGRESS: &str = "Study progress";

/// For screen readers, which are not told every number.
pub(super) const RUNNING: &str = "Running";
pub(super) const PAUSED: &str = "Paused";
pub(super) const CANCELLED: &str = "Canceled: partial";
pub(super) const COMPLETE: &str = "Complete";

/// `left_s`: the seconds that the rest will take, if that is known.
pub(super) fn running(done: u64, all: u64, left_s: Option<u64>) -> String {
    match left_s {
        Some(left) => format!("{}, about {} left", sets(done, all), duration(left)),
        None => sets(done, all),
    }
}

pub(super) fn paused(done: u64, all: u64, spent_s: u64) -> String {
    format!("Paused: {}, {}", sets(done, all), duration(spent_s))
}

pub(super) fn cancelled(done: u64, all: u64, spent_s: u64) -> String {
    format!("Canceled: partial, {}, {}", sets(done, all), duration(spent_s))
}

pub(super) fn complete(done: u64, all: u64, spent_s: u64) -> String {
    format!("Complete: {}, {}", sets(done, all), duration(spent_s))
}

fn sets(done: u64, all: u64) -> String {
    format!("{} of {} sets", format_count(done), format_count(all))
}

fn duration(seconds: u64) -> String {
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

// The figure.

/// `partial` stands out: the study did not count all sets.
pub(super) fn caption(title: String, partial: Option<String>, caption: String) -> impl IntoView {
    let partial = partial.map(|partial| view! { <strong class="study-partial">{partial}</strong> ". " });
    view! { {title} ": " {partial} {caption} }
}

pub(super) const SAVE_SVG: &str = "Save SVG";
pub(super) const SAVE_PNG: &str = "Save PNG";
pub(super) const SAVE_CSV: &str = "Save CSV";
pub(super) const SVG_FILE: &str = "study.svg";
pub(super) const PNG_FILE: &str = "study.png";
pub(super) const CSV_FILE: &str = "study.csv";
pub(super) const COPY_LINK: &str = "Copy link to this study";
pub(super) const AS_TABLE: &str = "Data as a table";
/// A cell without a number.
pub(super) const NO_NUMBER: &str = "\u{2013}";

// Sets that fail.

pub(super) const OPEN: &str = "Open in the stepper";
