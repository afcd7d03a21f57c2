//! A small timeline without words: bars alone, on the scale of others beside it.
//!
//! Depends on `view::frame`. Invariant: what is pale stands in the picture that it is compared with, too.

use leptos::prelude::*;

use blockstep_sim::units::RowId;
use blockstep_view::frame::{BoxFrame, Frame, JobMark, Stretch};
use blockstep_view::palette;

/// A bar of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MiniBar {
    /// Left, top, width and height, px.
    pub place: [f64; 4],
    pub row: RowId,
    /// Whether it does not stand in the picture that this one is compared with.
    pub is_other: bool,
}

/// A small timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MiniTimeline {
    /// Width and height, px.
    pub size: (f64, f64),
    pub bars: Vec<MiniBar>,
    /// Deadlines that are missed, px from the left edge, each with the part of the height where it stands.
    pub misses: Vec<f64>,
}

impl MiniTimeline {
    /// The lanes of a frame; `is_other` says of a bar whether it is not in the picture that this one is compared with.
    #[must_use]
    pub fn new(frame: &Frame, is_other: impl Fn(&BoxFrame) -> bool) -> Self {
        let bottom = frame.lanes.iter().map(|lane| lane.y + lane.height).fold(0.0, f64::max);
        let (top, left) = (frame.lanes.first().map_or(0.0, |lane| lane.y), frame.left_px);
        let bar = |bar: &BoxFrame| match bar.stretch {
            Stretch::Running(row) => {
                Some(MiniBar { place: [bar.x0 - left, bar.y0 - top, bar.x1 - bar.x0, bar.y1 - bar.y0], row, is_other: is_other(bar) })
            }
            _ => None,
        };
        let missed = frame.tasks.iter().flat_map(|task| &task.marks).filter(|mark| mark.mark == JobMark::Missed);
        Self {
            size: (frame.right_px - left, bottom - top),
            bars: frame.boxes.iter().filter_map(bar).collect(),
            misses: missed.map(|mark| mark.x - left).collect(),
        }
    }
}

/// The picture.
#[component]
pub fn Miniature(
    #[prop(into)] picture: Signal<MiniTimeline>,
    /// Whether all of it stands out, as that with which the others are compared.
    #[prop(into)]
    is_chosen: Signal<bool>,
    #[prop(into)] is_dark: Signal<bool>,
) -> impl IntoView {
    let bars = move || {
        let (dark, chosen) = (is_dark.get(), is_chosen.get());
        picture.with(|picture| {
            let bar = |bar: &MiniBar| {
                let [x, y, width, height] = bar.place;
                let class = if chosen || bar.is_other { "mini-bar" } else { "mini-bar same" };
                let fill = palette::colour_of(bar.row, dark).css();
                view! { <rect class=class x=px(x) y=px(y) width=px((width - 0.8).max(0.6)) height=px((height - 0.8).max(0.6)) style=format!("fill:{fill}") /> }
            };
            picture.bars.iter().map(bar).collect_view()
        })
    };
    let misses = move || {
        picture.with(|picture| {
            let height = picture.size.1;
            let miss = |x: &f64| {
                let (x, h) = (*x, height);
                let path = format!("M{} 0V{}M{} {}l5 5m0 -5l-5 5", px(x), px(h), px(x - 2.5), px(h / 2.0 - 2.5));
                view! { <path class="mini-miss" d=path /> }
            };
            picture.misses.iter().map(miss).collect_view()
        })
    };
    let shape = move || picture.with(|picture| format!("0 0 {} {}", px(picture.size.0.max(1.0)), px(picture.size.1.max(1.0))));
    view! {
        <svg class="miniature" viewBox=shape preserveAspectRatio="none" aria-hidden="true">
            {bars} {misses}
        </svg>
    }
}

/// A number of pixels with one digit after the point, in few letters.
fn px(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths / 10, (tenths % 10).abs()) {
        (whole, 0) => whole.to_string(),
        (0, tenth) if tenths < 0 => format!("-0.{tenth}"),
        (whole, tenth) => format!("{whole}.{tenth}"),
    }
}
