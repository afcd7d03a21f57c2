//! A window on the rows of a long table: only those in sight, and a few around them, exist.
//!
//! Depends on Leptos. Invariants: a short table exists whole; the window moves by whole chunks, so that scrolling within one
//! builds nothing.

use std::ops::Range;

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::size::follow_size;

/// Tables of so many rows exist whole.
pub(crate) const WHOLE: usize = 30;

/// Rows by which the window moves.
const CHUNK: usize = 8;

/// Height of a row until one was measured, px.
const ROW_PX: f64 = 34.0;

/// The rows of a table that exist, in a box that scrolls.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// The box that scrolls.
    pub(crate) scroller: NodeRef<Div>,
    count: Memo<usize>,
    row_px: RwSignal<f64>,
    /// How far it is scrolled and how high it is, px.
    sight: RwSignal<(f64, f64)>,
    /// The rows that exist.
    pub(crate) rows: Memo<Range<usize>>,
}

impl Window {
    /// The window on a table of so many rows; to be called in a component.
    pub(crate) fn new(count: Memo<usize>) -> Self {
        let row_px = RwSignal::new(ROW_PX);
        let sight = RwSignal::new((0.0, 500.0));
        let rows = Memo::new(move |_| {
            let (scrolled, height) = sight.get();
            around(count.get(), scrolled / row_px.get(), height / row_px.get())
        });
        let window = Self { scroller: NodeRef::new(), count, row_px, sight, rows };
        follow_size(window.scroller, move |_| window.measure());
        window
    }

    /// Whether the table is too long to exist whole; tracks how many rows it has.
    pub(crate) fn is_long(self) -> bool {
        self.count.get() > WHOLE
    }

    /// Takes what is in sight, whenever the box was scrolled.
    pub(crate) fn measure(self) {
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else { return };
        let row = scroller.query_selector("tbody tr[data-row]").ok().flatten().and_then(|row| row.dyn_into::<HtmlElement>().ok());
        let height = row.map_or(0, |row| row.offset_height());
        if height > 0 && (f64::from(height) - self.row_px.get_untracked()).abs() > 0.5 && !self.has_measured() {
            self.row_px.set(height.into());
        }
        let sight = (f64::from(scroller.scroll_top()), f64::from(scroller.client_height()).max(1.0));
        if self.sight.get_untracked() != sight {
            self.sight.set(sight);
        }
    }

    /// Rows with a message are higher than others, so the first measure counts.
    fn has_measured(self) -> bool {
        (self.row_px.get_untracked() - ROW_PX).abs() > f64::EPSILON
    }

    /// Scrolls so that a row exists.
    pub(crate) fn reveal(self, row: usize) {
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else { return };
        if !self.rows.with_untracked(|rows| rows.contains(&row)) {
            let middle = f64::from(scroller.client_height()) / 2.0;
            scroller.set_scroll_top((row as f64 * self.row_px.get_untracked() - middle).max(0.0) as i32);
            self.measure();
        }
    }

    /// Height of the rows before the window and after it, px.
    pub(crate) fn around_px(self) -> (f64, f64) {
        let (rows, count, row_px) = (self.rows.get(), self.count.get(), self.row_px.get());
        (rows.start as f64 * row_px, (count - rows.end.min(count)) as f64 * row_px)
    }
}

/// The rows that exist where `first` rows, fractional, are scrolled away and `fit` fit into sight.
fn around(count: usize, first: f64, fit: f64) -> Range<usize> {
    if count <= WHOLE {
        return 0..count;
    }
    let first = (first.max(0.0) as usize).min(count - 1) / CHUNK * CHUNK;
    let last = first + fit.max(1.0).ceil() as usize + 2 * CHUNK;
    first.saturating_sub(CHUNK)..last.min(count)
}
