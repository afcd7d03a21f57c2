//! What happened in a range, in words.
//!
//! Invariant: the times of a device's shares add up to the length, as they are written.

use super::overview::{by_cause, permille, rows, title};
use super::tracer::time;
use crate::path;
use crate::path::groups::{PathShare, shares};
use crate::path::words::written_alike;
use crate::ranges::{DeviceRange, RangeSums, WorkKind};
use crate::{Recording, words};
use blockstep_sim::units::Span;
use blockstep_sim::units::written::{format_count, format_time_short};
use blockstep_traces_messages::{RangeCard, ShareOf, ShownPath, ShownRange, TimeShare, percent};

/// So many rows of a path are listed on the page.
pub(super) const SHOWN_ROWS: usize = 5;
/// Lengths have so many digits.
const DIGITS: u32 = 5;
const WAITS: &str = "Waits of the operations that began in this range. They overlap, so they add up to more than its length:";

const fn label(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Computation => "Kernels",
        WorkKind::Communication => "Communication",
        WorkKind::Copies => "Copies over the bus",
        WorkKind::Memory => "Memsets, other copies",
        WorkKind::Migrations => "Page migrations",
    }
}

/// What happened in a range, with the longest rows of each path, at most so many.
#[must_use]
pub fn card(recording: &Recording, sums: &RangeSums, most_rows: usize) -> RangeCard {
    let [begin, end] = [sums.from, sums.to].map(|time| format_time_short(time.ns()));
    let mut card = RangeCard {
        from: sums.from,
        to: sums.to,
        length: time(sums.length()),
        ends: format!("from {begin} to {end}"),
        devices: sums.devices.iter().map(|device| of_device(recording, device, most_rows)).collect(),
        waits: by_cause(sums.waited_ns),
        text: String::new(),
    };
    card.text = text(&card);
    card
}

fn of_device(recording: &Recording, of: &DeviceRange, most_rows: usize) -> ShownRange {
    let sums = shares(recording, &of.path);
    let whole = sums.iter().fold(0_u64, |sum, ns| sum.saturating_add(*ns));
    let mut all: Vec<PathShare> = PathShare::ALL.into_iter().filter(|&share| sums[share as usize] > 0).collect();
    all.sort_by_key(|&share| std::cmp::Reverse(sums[share as usize]));
    let (_, times) = written_alike(&all.iter().map(|&share| sums[share as usize]).collect::<Vec<_>>(), DIGITS);
    let share = |(share, time): (PathShare, String)| TimeShare {
        of: ShareOf::Path(share),
        label: path::words::share_in(recording, share).0.to_owned(),
        permille: permille(sums[share as usize], whole),
        time,
        help: path::words::share_in(recording, share).1.to_owned(),
    };
    let (rows, left) = rows(recording, &of.path, most_rows);
    let path = ShownPath {
        title: title(recording, &of.path),
        shares: all.into_iter().zip(times).map(share).collect(),
        rows,
        left,
        notes: path::words::overlap(&of.together, &time),
    };
    let ran = WorkKind::ALL.into_iter().zip(of.work).filter(|(_, work)| work.busy_ns > 0 || work.began > 0);
    let work = ran.map(|(kind, work)| [label(kind).to_owned(), time(Span(work.busy_ns)), format_count(work.began)]);
    ShownRange { path, work: work.collect() }
}

/// All of it as lines.
fn text(card: &RangeCard) -> String {
    let row = |what: &str, time: &str, more: &str| format!("  {:<44} {time:>12}  {more:>11}", words::cut(what, 44));
    let of_share = |share: &TimeShare| row(&share.label, &share.time, &percent(share.permille));
    let mut lines = vec![format!("{}, {}", card.length, card.ends)];
    for ShownRange { path, work } in &card.devices {
        lines.extend([String::new(), format!("{}:", path.title)]);
        lines.extend(path.shares.iter().map(of_share));
        lines.push("Most of its critical path:".to_owned());
        lines.extend(path.rows.iter().map(|of| row(&of.label, &of.time, &percent(of.permille))));
        if !work.is_empty() {
            lines.push(row("", "busy for", "began"));
        }
        lines.extend(work.iter().map(|[kind, busy, began]| row(kind, busy, began)));
        lines.extend(path.notes.iter().map(|note| format!("  {note}")));
    }
    if !card.waits.is_empty() {
        lines.extend([String::new(), WAITS.to_owned()]);
    }
    lines.extend(card.waits.iter().map(of_share));
    lines.join("\n") + "\n"
}
