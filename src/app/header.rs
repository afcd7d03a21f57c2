//! The bar on top: what is shown, under which policy, on which device; open, save, undo.
//!
//! Depends on `state`. Invariant: every control here edits the document through the history.

use leptos::prelude::*;

use super::dynamic::{live_flag, live_part, live_text, options};
use super::files::{OpenButton, SaveMenu};
use super::state::{AppState, Theme, app};
use crate::engine;
use crate::examples;
use crate::scenario::device::BUILT_IN;
use crate::scenario::{Choice, DeviceDraft, Placement, PolicyKind};

/// The bar.
#[component]
pub(super) fn Header() -> impl IntoView {
    let state = app();
    view! {
        <header class="top">
            <div class="brand">
                <svg viewBox="0 0 32 32" aria-hidden="true"><rect x="2" y="5" width="14" height="9" rx="1.5" class="b1"/><rect x="18" y="5" width="12" height="9" rx="1.5" class="b2"/><rect x="2" y="18" width="8" height="9" rx="1.5" class="b3"/><rect x="12" y="18" width="18" height="9" rx="1.5" class="b1"/></svg>
                <h1>"Blockstep"</h1>
            </div>
            {examples_picker(state)}
            <PolicySwitch/>
            {device_picker(state)}
            {placement_picker(state)}
            <div class="top-actions" role="group" aria-label="File and history">
                <OpenButton/>
                <SaveMenu/>
                <button id="undo" aria-label="Undo (Ctrl+Z)" title="Undo (Ctrl+Z)" class="icon" disabled=live_flag(move || !state.history.with(|h| h.can_undo())) on:click=move |_| state.undo()>
                    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5 3 11l6 6v-4h5a4 4 0 0 1 0 8H8v2h6a6 6 0 0 0 0-12H9z"/></svg>
                </button>
                <button id="redo" aria-label="Redo (Ctrl+Y)" title="Redo (Ctrl+Y)" class="icon" disabled=live_flag(move || !state.history.with(|h| h.can_redo())) on:click=move |_| state.redo()>
                    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="m15 5 6 6-6 6v-4h-5a4 4 0 0 0 0 8h6v2h-6a6 6 0 0 1 0-12h5z"/></svg>
                </button>
                <ThemeButton/>
                <button id="help" class="icon" aria-label="Keys and gestures (?)" title="Keys and gestures (?)" on:click=move |_| state.help_open.set(true)>"?"</button>
            </div>
        </header>
    }
}

/// The policy, as a row of radio buttons.
#[component]
fn PolicySwitch() -> impl IntoView {
    let state = app();
    let current = move || state.document.with(|d| d.rest.policy.kind);
    // A file may name a policy that cannot be simulated yet: it is shown, so that nothing is lost.
    let kinds = move || {
        let mut kinds: Vec<PolicyKind> = engine::kinds().collect();
        if !kinds.contains(&current()) {
            kinds.push(current());
        }
        kinds
    };
    let title = |kind: PolicyKind| match kind {
        PolicyKind::Fifo => ("FIFO", "One EE queue; stream priorities are ignored"),
        PolicyKind::Priority => ("Priority", "A high-priority and a low-priority EE queue, as on the TX2"),
        PolicyKind::Runlist => ("Runlist", "Processes take turns in time slices"),
        PolicyKind::Edf => ("EDF", "Earliest deadline first"),
    };
    view! {
        <fieldset class="switch" id="policy">
            <legend>"Policy"</legend>
            {live_part(move || kinds().into_iter().map(|kind| {
                let (name, help) = title(kind);
                view! {
                    <label title=help>
                        <input
                            type="radio"
                            name="policy"
                            value=kind.word()
                            prop:checked=live_flag(move || current() == kind)
                            on:change=move |_| state.edit(None, |d| d.rest.policy.kind = kind)
                        />
                        <span>{name}</span>
                    </label>
                }
            }).collect_view())}
        </fieldset>
    }
}

/// A list to pick from, with its label.
fn picker(
    id: &'static str,
    label: &'static str,
    listed: impl Fn() -> (Vec<(String, String)>, String) + Send + 'static,
    pick: impl Fn(String) + 'static,
) -> AnyView {
    view! {
        <label class="field">
            <span>{label}</span>
            <select id=id on:change=move |ev| pick(event_target_value(&ev))>
                {live_part(move || {
                    let (list, current) = listed();
                    options(list, &current)
                })}
            </select>
        </label>
    }
    .into_any()
}

/// The built-in scenarios.
fn examples_picker(state: AppState) -> AnyView {
    let listed = move || {
        let current = state.document.with(|d| d.example).unwrap_or_default();
        let own = current.is_empty().then(|| (String::new(), "Own scenario".to_owned()));
        let list = examples::all().iter().map(|e| (e.id.to_owned(), e.title.to_owned()));
        (own.into_iter().chain(list).collect(), current.to_owned())
    };
    let pick = move |id: String| {
        if let Some(example) = examples::find(&id) {
            state.open_example(example);
        }
    };
    picker("example", "Example", listed, pick)
}

/// The device, built in or edited.
fn device_picker(state: AppState) -> AnyView {
    let listed = move || {
        let mut list: Vec<_> = BUILT_IN.iter().map(|d| (d.id.to_owned(), d.name.to_owned())).collect();
        let current = state.document.with(|d| match &d.rest.device {
            DeviceDraft::BuiltIn(id) => id.clone(),
            DeviceDraft::Custom(device) => {
                list.push((String::new(), device.name.clone()));
                String::new()
            }
        });
        (list, current)
    };
    picker("device", "Device", listed, move |id| state.edit(None, |d| d.set_device(&id)))
}

/// The placement rule.
fn placement_picker(state: AppState) -> AnyView {
    let title = |placement| match placement {
        Placement::MostFree => "Most free SM",
        Placement::FirstFit => "First fit",
        Placement::RoundRobin => "Round robin",
    };
    let listed = move || {
        let list = Placement::ALL.iter().map(|&p| (p.word().to_owned(), title(p).to_owned())).collect();
        (list, state.document.with(|d| d.rest.placement).word().to_owned())
    };
    let pick = move |word: String| {
        if let Some(placement) = Placement::from_word(&word) {
            state.edit(None, |d| d.rest.placement = placement);
        }
    };
    picker("placement", "Placement", listed, pick)
}

/// Light, dark, or as the system says; in turn.
#[component]
fn ThemeButton() -> impl IntoView {
    let state = app();
    Effect::new(move |_| {
        if let Some(root) = document().document_element() {
            // Cannot fail on an element of this document.
            let _ = root.set_attribute("data-theme", if state.is_dark() { "dark" } else { "light" });
        }
    });
    let name = move || match state.theme.get() {
        Theme::System => "Colours: as the system".to_owned(),
        Theme::Light => "Colours: light".to_owned(),
        Theme::Dark => "Colours: dark".to_owned(),
    };
    let next = move |_| {
        let dark_system = state.is_dark();
        state.theme.update(|theme| {
            *theme = match (*theme, dark_system) {
                (Theme::System, true) | (Theme::Dark, _) => Theme::Light,
                (Theme::System | Theme::Light, _) => Theme::Dark,
            }
        });
    };
    view! {
        <button id="theme" class="icon" aria-label=live_text(name) title=live_text(name) on:click=next>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18zm0-2a11 11 0 1 1 0 22 11 11 0 0 1 0-22z"/></svg>
        </button>
    }
}
