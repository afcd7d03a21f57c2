//! The scenarios that are kept beside the reader's own, to be opened, saved or deleted.
//!
//! Invariant: what is deleted is not what is on screen.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::files;
use crate::state::{AppState, storage};
use blockstep_tools::stored::{KeptEntry, Slot};
use blockstep_ui::{Dialog, safe};

const KEPT_HELP: &str = "Scenarios that came by link and that you have changed, beside your own work. The last ten are kept.";

/// The button that opens the list, once there is one.
#[component]
pub(super) fn Kept() -> impl IntoView {
    let state = expect_context::<AppState>();
    let is_open = RwSignal::new(false);
    let entries = RwSignal::new(storage::entries());
    Effect::new(move |_| {
        // What a link brought may have become one.
        state.desk.at.track();
        state.desk.stored.track();
        is_open.track();
        let now = storage::entries();
        if entries.with_untracked(|entries| *entries != now) {
            entries.set(now);
        }
    });
    let line = move |entry: &KeptEntry| {
        let (slot, id) = (Slot::Kept(entry.id), entry.id);
        let name = if entry.name.is_empty() { "Without a name".to_owned() } else { safe(&entry.name) };
        let is_here = state.desk.stores() == Some(slot);
        let save = move |_| {
            if let Some(text) = storage::scenario(slot) {
                files::download_as(state, &format!("kept-{id}.json"), "text/plain", &text);
            }
        };
        let delete = move |_| {
            storage::delete_entry(id);
            entries.set(storage::entries());
        };
        view! {
            <tr>
                <th scope="row">{name.clone()}</th>
                <td class="quiet">{date(entry.saved_ms)}</td>
                <td>
                    {if is_here {
                        view! { <span class="quiet">"on screen"</span> }.into_any()
                    } else {
                        view! {
                            <button type="button" class="small" aria-label=does("Open", &name) on:click=move |_| state.go_to(slot)>
                                "Open"
                            </button>
                        }
                            .into_any()
                    }}
                </td>
                <td>
                    <button type="button" class="small" aria-label=does("Save", &name) on:click=save>"Save"</button>
                </td>
                <td>
                    {(!is_here)
                        .then(|| {
                            view! {
                                <button type="button" class="small" aria-label=does("Delete", &name) on:click=delete>
                                    "Delete"
                                </button>
                            }
                        })}
                </td>
            </tr>
        }
    };
    let lines = move || entries.with(|entries| entries.iter().map(line).collect_view());
    let own = move || {
        is_open.track();
        (storage::has_own() && state.desk.stores() != Some(Slot::Own)).then(|| {
            view! { <p><button type="button" class="small" on:click=move |_| state.go_to(Slot::Own)>"Your own work"</button></p> }
        })
    };
    view! {
        <Show when=move || entries.with(|entries| !entries.is_empty())>
            <button id="kept-scenarios" title=KEPT_HELP on:click=move |_| is_open.set(true)>"Kept"</button>
        </Show>
        <Dialog id="kept-list" class="help" title="Kept scenarios" is_open=is_open on_close=move |()| is_open.set(false)>
            <p class="quiet">{KEPT_HELP}</p>
            {own}
            <table><tbody>{lines}</tbody></table>
        </Dialog>
    }
}

/// A day and a time, as the reader's clock has them.
fn date(ms: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(ms as f64));
    let (year, month, day) = (date.get_full_year(), date.get_month() + 1, date.get_date());
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", date.get_hours(), date.get_minutes())
}

pub(crate) fn does(what: &str, name: &str) -> String {
    format!("{what} {name}")
}
