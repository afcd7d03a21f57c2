//! The list of what this browser keeps of the reader's work: to be opened, renamed, saved or deleted.
//!
//! Invariants: what is deleted is not what is on screen, and can be brought back; a copy takes the place of nothing.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::files;
use crate::state::storage::Deleted;
use crate::state::{AppState, storage};
use blockstep_tools::commands::Command;
use blockstep_tools::stored::Slot;
use blockstep_ui::{Dialog, safe};

const KEPT_HELP: &str = "This browser keeps your own work, and beside it ten scenarios: copies that you keep, and links that you have changed. An \
     eleventh link takes the place of the oldest.";
const NO_ROOM: &str = "There is no room for one more. Delete one, or save it as a file.";

/// Stored work, as the list has it.
#[derive(Clone, PartialEq)]
struct Work {
    slot: Slot,
    name: String,
    /// When it was stored last, in ms since 1970, if it is beside the reader's own.
    saved_ms: Option<u64>,
    is_here: bool,
}

/// Everything that is stored, the reader's own work first.
fn stored_work(state: AppState) -> Vec<Work> {
    let here = state.desk.stores();
    let work = |slot: Slot, name: String, saved_ms| {
        let is_here = here == Some(slot);
        let name = if is_here { state.document.with_untracked(|document| document.rest.name.clone()) } else { name };
        Work { slot, name, saved_ms, is_here }
    };
    let own = storage::has_own().then(|| work(Slot::Own, storage::own_name(), None));
    let kept = storage::entries().into_iter().map(|entry| work(Slot::Kept(entry.id), entry.name, Some(entry.saved_ms)));
    own.into_iter().chain(kept).collect()
}

/// The list, which the menu opens.
#[component]
pub(super) fn Kept() -> impl IntoView {
    let state = expect_context::<AppState>();
    let is_open = state.settings.scenarios_open;
    let all = RwSignal::new(Vec::new());
    let deleted = RwSignal::new(None::<Deleted>);
    let is_full = RwSignal::new(false);
    let renew = move || {
        if is_open.get_untracked() {
            all.set(stored_work(state));
        }
    };
    Effect::new(move |_| {
        // What a link brought may have become one.
        state.desk.at.track();
        state.desk.stored.track();
        is_open.track();
        renew();
    });
    let close = move |()| {
        is_open.set(false);
        deleted.set(None);
        is_full.set(false);
    };
    let keep = move |_| {
        is_full.set(!state.keep_copy());
        renew();
    };
    let bring_back = move |_| {
        is_full.set(deleted.with_untracked(|gone| gone.as_ref().is_some_and(|gone| !storage::bring_back(gone))));
        deleted.set(None);
        renew();
    };
    // A row stays as it is while others change, so that what is typed or pressed there is not lost.
    let line = move |Work { slot, saved_ms, is_here, .. }: Work| {
        let name = Memo::new(move |_| {
            all.with(|all| all.iter().find(|work: &&Work| work.slot == slot).map(|work| work.name.clone()).unwrap_or_default())
        });
        let does = move |what: &'static str| move || does(what, &name.with(|name| shown(name)));
        let rename = move |event| {
            let name = event_target_value(&event);
            if is_here {
                state.document.edit(None, |document| document.rest.name = name);
            } else {
                storage::rename(slot, &name);
            }
            renew();
        };
        let save = move |_| {
            if let Some(text) = storage::scenario(slot) {
                let id = if let Slot::Kept(id) = slot { format!("kept-{id}.json") } else { "own.json".to_owned() };
                files::download_as(state, &id, "text/plain", &text);
            }
        };
        let delete = move |_| {
            deleted.set(storage::delete(slot));
            renew();
        };
        let can_be_deleted = saved_ms.is_some() && !is_here;
        view! {
            <tr aria-current=is_here.then_some("true")>
                <th scope="row">
                    <input aria-label=does("Name of") prop:value=name placeholder="Without a name" on:change=rename />
                </th>
                <td class="quiet">{saved_ms.map_or_else(|| "your own".to_owned(), date)}</td>
                <td>
                    {if is_here {
                        view! { <span class="quiet">"on screen"</span> }.into_any()
                    } else {
                        view! { <button type="button" class="small" aria-label=does("Open") on:click=move |_| state.go_to(slot)>"Open"</button> }
                            .into_any()
                    }}
                </td>
                <td>
                    <button type="button" class="small" aria-label=does("Save") on:click=save>"Save"</button>
                </td>
                <td>
                    {can_be_deleted
                        .then(|| view! { <button type="button" class="small" aria-label=does("Delete") on:click=delete>"Delete"</button> })}
                </td>
            </tr>
        }
    };
    let gone = move || {
        deleted.with(|gone| {
            gone.as_ref().map(|gone| {
                let said = format!("Deleted: {}. ", shown(&gone.entry.name));
                view! { {said} <button type="button" class="small" on:click=bring_back>"Undo"</button> }
            })
        })
    };
    view! {
        <Dialog id="kept-list" class="help" title=Command::Scenarios.about().title is_open=is_open on_close=close>
            <p class="quiet">{KEPT_HELP}</p>
            <table>
                <tbody>
                    <For each=move || all.get() key=|work| (work.slot.word(), work.is_here) children=line />
                </tbody>
            </table>
            <p role="status">{gone} {move || is_full.get().then_some(NO_ROOM)}</p>
            <p><button type="button" on:click=keep>"Keep a copy of what is on screen"</button></p>
        </Dialog>
    }
}

fn shown(name: &str) -> String {
    if name.is_empty() { "Without a name".to_owned() } else { safe(name) }
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
