//! The empty picture of the queues, and the operations that are put into it: by drag, by tap, and by keyboard.
//!
//! Invariants: it decides nothing, and tells what was put where or taken out; an operation that was chosen stays chosen, as it may be in
//! several places; what a key has changed keeps the focus.

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::canvas::capture;
use super::text::safe;
use blockstep_learn::quiz::{InsetBoxView, InsetView};
use blockstep_sim::units::RowId;
use blockstep_view::palette;

/// A pointer that moves less has tapped, px.
const TAP_PX: f64 = 4.0;

/// The picture.
#[component]
pub fn InsetPicture(
    #[prop(into)] inset: Signal<InsetView>,
    #[prop(into)] is_dark: Signal<bool>,
    /// Told which operation is put into which box, by their numbers.
    #[prop(into)]
    on_put: Callback<(usize, usize)>,
    /// Told which operation is taken out of which box.
    #[prop(into)]
    on_take: Callback<(usize, usize)>,
) -> impl IntoView {
    let chosen = RwSignal::new(None::<usize>);
    // Where the pointer went down, and how far it has come.
    let held = StoredValue::new(None::<(f64, f64)>);
    let moved = RwSignal::new(None::<(f64, f64)>);
    let pieces = Memo::new(move |_| inset.with(|inset| inset.pieces.clone()));
    let boxes = Memo::new(move |_| inset.with(|inset| inset.boxes.len()));
    let colours = move |row: RowId| {
        let colour = palette::colour_of(row, is_dark.get());
        format!("--k:{};--kt:{}", colour.css(), palette::text_on(colour).css())
    };
    let put = move |place: usize| {
        if let Some(piece) = chosen.get_untracked() {
            on_put.run((piece, place));
        }
    };
    let on_down = move |event: PointerEvent, piece: usize| {
        if event.button() == 0 {
            capture(&event);
            chosen.set(Some(piece));
            held.set_value(Some((event.client_x().into(), event.client_y().into())));
        }
    };
    let on_move = move |event: PointerEvent| {
        let Some((x, y)) = held.get_value() else { return };
        let by = (f64::from(event.client_x()) - x, f64::from(event.client_y()) - y);
        if moved.get_untracked().is_some() || by.0.hypot(by.1) >= TAP_PX {
            moved.set(Some(by));
        }
    };
    let on_up = move |event: PointerEvent| {
        held.set_value(None);
        if moved.get_untracked().is_some() && event.type_() == "pointerup" {
            // What is dragged is no obstacle: it lets pointers through.
            let under = document().element_from_point(event.client_x() as f32, event.client_y() as f32);
            let place =
                under.and_then(|under| under.closest("[data-place]").ok()?).and_then(|of| of.get_attribute("data-place")?.parse().ok());
            place.into_iter().for_each(put);
        }
        moved.set(None);
    };
    let piece = move |(i, (label, row)): (usize, (String, RowId))| {
        let is_chosen = move || chosen.get() == Some(i);
        let drawn = move || {
            let way = moved.get().filter(|_| is_chosen()).map(|(x, y)| format!(";pointer-events:none;transform:translate({x}px,{y}px)"));
            format!("{}{}", colours(row), way.unwrap_or_default())
        };
        let choose = move |event: MouseEvent| {
            chosen.set(Some(i));
            // A key has pressed it, so keys go on from the first box.
            if event.detail() == 0 {
                focus_near(&event.current_target(), ".inset", ".inset-put");
            }
        };
        view! {
            <button
                type="button"
                class="inset-piece"
                aria-pressed=move || is_chosen().to_string()
                style=drawn
                on:click=choose
                on:pointerdown=move |event| on_down(event, i)
                on:pointermove=on_move
                on:pointerup=on_up
                on:pointercancel=on_up
            >
                {safe(&label)}
            </button>
        }
    };
    let one = move |place: usize| {
        let of = Memo::new(move |_| inset.with(|inset| inset.boxes.get(place).cloned().unwrap_or_default()));
        let spoken = move || {
            let of = of.get();
            let put = chosen.get().and_then(|i| pieces.with(|pieces| Some(format!(". Put {} here", safe(&pieces.get(i)?.0)))));
            format!("{}{}", in_words(&of), put.unwrap_or_default())
        };
        let item = move |(i, text): &(usize, String)| {
            let piece = *i;
            let row = pieces.with_untracked(|pieces| pieces.get(piece).map(|(_, row)| *row));
            let take = move |event: MouseEvent| {
                event.stop_propagation();
                if event.detail() == 0 {
                    focus_near(&event.current_target(), "[data-place]", ".inset-put");
                }
                on_take.run((piece, place));
            };
            let label = format!("Take out {}", safe(text));
            view! {
                <button type="button" class="inset-item" title="Take it out" aria-label=label style=row.map(colours) on:click=take>
                    {safe(text)}
                </button>
            }
        };
        view! {
            <li class="inset-box" class:wide=move || of.with(|of| of.is_wide) data-place=place on:click=move |_| put(place)>
                <button type="button" class="inset-put" aria-label=spoken>{move || of.with(|of| safe(&of.label))}</button>
                {move || of.with(|of| of.puts.iter().map(item).collect_view())}
                {move || of.with(|of| of.fixed.iter().map(|label| view! { <span class="inset-fixed">{safe(label)}</span> }).collect_view())}
            </li>
        }
    };
    view! {
        <div class="inset" on:keydown=on_key>
            <div class="inset-pieces" role="group" aria-label="Operations">
                {move || pieces.get().into_iter().enumerate().map(piece).collect_view()}
            </div>
            <p class="tool-note">"Choose an operation, then each place where it is, or drag it there. Press it there to take it out."</p>
            <ul class="inset-boxes">{move || (0..boxes.get()).map(one).collect_view()}</ul>
        </div>
    }
}

/// What a box holds.
fn in_words(of: &InsetBoxView) -> String {
    let held: Vec<String> = of.puts.iter().map(|(_, text)| safe(text)).chain(of.fixed.iter().map(|text| safe(text))).collect();
    format!("{}: {}", safe(&of.label), if held.is_empty() { "empty".to_owned() } else { held.join(", ") })
}

/// Gives the focus to an element that stands in the same part as another one.
fn focus_near(from: &Option<web_sys::EventTarget>, part: &str, selector: &str) {
    let from = from.as_ref().and_then(|from| from.dyn_ref::<Element>());
    let near = from.and_then(|from| from.closest(part).ok()?).and_then(|part| part.query_selector(selector).ok()?);
    if let Some(near) = near {
        // It can take it.
        let _ = near.unchecked_ref::<HtmlElement>().focus();
    }
}

/// Arrows go along the operations, or along the boxes; Escape goes from a box back to what is chosen.
fn on_key(event: KeyboardEvent) {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) else { return };
    let list = if target.class_name() == "inset-piece" { ".inset-piece" } else { ".inset-put" };
    let step = match event.key().as_str() {
        "ArrowDown" | "ArrowRight" => 1,
        "ArrowUp" | "ArrowLeft" => -1,
        "Escape" if list == ".inset-put" => {
            focus_near(&event.target(), ".inset", "[aria-pressed=true]");
            0
        }
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    let found = target.closest(".inset").ok().flatten().and_then(|whole| whole.query_selector_all(list).ok());
    let all: Vec<HtmlElement> = found.iter().flat_map(|all| (0..all.length()).filter_map(|i| all.item(i)?.dyn_into().ok())).collect();
    let Some(at) = all.iter().position(|one| *one == target).filter(|_| step != 0) else { return };
    if let Some(to) = at.checked_add_signed(step).and_then(|to| all.get(to)) {
        // It can take it.
        let _ = to.focus();
    }
}
