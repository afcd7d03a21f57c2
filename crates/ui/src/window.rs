//! A window on a long list: only the items in sight, and a few around them, exist.
//!
//! Invariants: a short list exists whole; items are of one height, in columns of one width; the window moves by whole chunks, so that
//! scrolling within one builds nothing.

use std::ops::Range;

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::size::follow_size;

/// Rows by which the window moves.
const CHUNK: usize = 2;

/// A list and its items, for the style sheet and for measuring.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Lists of so many items exist whole.
    pub whole: usize,
    /// Selects the items that exist, in the box that scrolls.
    pub items: &'static str,
}

/// What is known of a list on screen.
#[derive(Clone, Copy, PartialEq)]
struct Sight {
    /// How far it is scrolled, px.
    scrolled: f64,
    /// Height of the box that scrolls, px.
    height: f64,
    /// From one row to the next, px.
    pitch: f64,
    columns: usize,
}

/// The items of a list that exist, in a box that scrolls.
#[derive(Clone, Copy)]
pub struct Window {
    pub scroller: NodeRef<Div>,
    count: Memo<usize>,
    shape: Shape,
    sight: RwSignal<Sight>,
    pub items: Memo<Range<usize>>,
}

impl Window {
    /// The window on a list of so many items; to be called in a component.
    pub fn new(count: Memo<usize>, shape: Shape) -> Self {
        let sight = RwSignal::new(Sight { scrolled: 0.0, height: 450.0, pitch: 34.0, columns: 1 });
        let items = Memo::new(move |_| {
            let sight = sight.get();
            around(count.get(), shape.whole, sight)
        });
        let window = Self { scroller: NodeRef::new(), count, shape, sight, items };
        follow_size(window.scroller, move |_| window.measure());
        // Items of a list that became long are measured once they stand.
        let is_long = Memo::new(move |_| count.get() > shape.whole);
        Effect::new(move |_| {
            if is_long.get() {
                request_animation_frame(move || window.measure());
            }
        });
        window
    }

    /// Whether the list is too long to exist whole; tracks how many items it has.
    pub fn is_long(self) -> bool {
        self.count.get() > self.shape.whole
    }

    /// Takes what is in sight, whenever the box was scrolled.
    pub fn measure(self) {
        // The page may be gone in tests.
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else { return };
        if self.count.get_untracked() <= self.shape.whole {
            return;
        }
        let mut sight = self.sight.get_untracked();
        sight.scrolled = scroller.scroll_top().into();
        sight.height = f64::from(scroller.client_height()).max(1.0);
        if let Some((pitch, columns)) = self.layout(&scroller) {
            (sight.pitch, sight.columns) = (pitch, columns);
        }
        if self.sight.get_untracked() != sight {
            self.sight.set(sight);
        }
    }

    /// From one row to the next, px, and how many items stand beside each other.
    fn layout(self, scroller: &HtmlElement) -> Option<(f64, usize)> {
        let items = scroller.query_selector_all(self.shape.items).ok()?;
        let top = |i: u32| Some(items.get(i)?.dyn_into::<HtmlElement>().ok()?.offset_top());
        let first = top(0)?;
        let next = (1..items.length()).find(|&i| top(i).is_some_and(|top| top > first))?;
        Some((f64::from(top(next)? - first), next as usize))
    }

    /// Scrolls so that an item is in sight.
    pub fn reveal(self, item: usize) {
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else { return };
        if self.count.get_untracked() <= self.shape.whole {
            return;
        }
        let sight = self.sight.get_untracked();
        let top = (item / sight.columns) as f64 * sight.pitch;
        if top < sight.scrolled || top + sight.pitch > sight.scrolled + sight.height {
            scroller.set_scroll_top((top - (sight.height - sight.pitch) / 2.0).max(0.0) as i32);
            self.measure();
        }
    }

    /// The entries of a list that exist; tracks it.
    pub fn in_sight<T: Clone + Send + Sync + 'static>(self, list: Memo<Vec<T>>) -> Vec<T> {
        let items = self.items.get();
        list.with(|list| list[items.start.min(list.len())..items.end.min(list.len())].to_vec())
    }

    /// Keeps in sight what the last step changed.
    pub fn follow<T: Send + Sync + 'static>(self, list: Memo<Vec<T>>, is_changed: fn(&T) -> bool) {
        Effect::new(move |_| {
            if let Some(changed) = list.with(|list| list.iter().position(is_changed)) {
                self.reveal(changed);
            }
        });
    }

    /// Room of the items before the window and after it, px.
    pub fn room_px(self) -> (f64, f64) {
        let (items, count, sight) = (self.items.get(), self.count.get(), self.sight.get());
        let rows = |items: usize| items.div_ceil(sight.columns) as f64 * sight.pitch;
        (rows(items.start), rows(count - items.end.min(count)))
    }

    /// The same as a style: padding before and after.
    pub fn padding(self) -> Option<String> {
        let (before, after) = self.room_px();
        self.is_long().then(|| format!("{before}px 0 {after}px"))
    }
}

/// The items that exist of so many.
fn around(count: usize, whole: usize, sight: Sight) -> Range<usize> {
    if count <= whole {
        return 0..count;
    }
    let rows = count.div_ceil(sight.columns);
    let first = ((sight.scrolled / sight.pitch).max(0.0) as usize).min(rows - 1) / CHUNK * CHUNK;
    let last = first + (sight.height / sight.pitch).max(1.0).ceil() as usize + 2 * CHUNK;
    first.saturating_sub(CHUNK) * sight.columns..(last * sight.columns).min(count)
}

/// A box that scrolls if its list is long.
#[component]
pub fn WindowBox(
    window: Window,
    classes: (&'static str, &'static str),
    /// Told when it was scrolled.
    #[prop(optional)]
    on_scroll: Option<Callback<()>>,
    children: Children,
) -> impl IntoView {
    let scrolled = move |_| {
        window.measure();
        if let Some(on_scroll) = on_scroll {
            on_scroll.run(());
        }
    };
    view! {
        <div
            class=move || if window.is_long() { classes.1 } else { classes.0 }
            tabindex=move || window.is_long().then_some("0")
            node_ref=window.scroller
            on:scroll=scrolled
        >
            {children()}
        </div>
    }
}

/// The items of a long list that exist, in a box that scrolls.
#[component]
pub fn LongList(
    window: Window,
    #[prop(into)] class: Signal<&'static str>,
    /// Its role, if it is none of its own.
    #[prop(optional)]
    role: Option<&'static str>,
    children: Children,
) -> impl IntoView {
    view! {
        <WindowBox window=window classes=("", "long-list")>
            <div class=move || class.get() role=role style:padding=move || window.padding()>
                {children()}
            </div>
        </WindowBox>
    }
}

/// The rows of a long table that exist, between rows that leave the room of the others.
#[component]
pub fn LongRows(window: Window, children: Children) -> impl IntoView {
    let room = |px: f64| (px > 0.0).then(|| view! { <tr aria-hidden="true" style:height=format!("{px}px")></tr> });
    view! {
        <tbody>
            {move || room(window.room_px().0)}
            {children()}
            {move || room(window.room_px().1)}
        </tbody>
    }
}
