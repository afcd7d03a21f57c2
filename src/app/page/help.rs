//! The list of keys and gestures.
//!
//! Depends on the table of commands. Invariant: it lists every key that a command has.

use leptos::prelude::*;

use super::desk::AllAside;
use super::texts::help as texts;
use crate::app::commands::{Command, KEYS};
use crate::app::components::Dialog;
use crate::app::state::settings::Settings;

/// The dialog; it opens and closes as the state says.
#[component]
pub(super) fn Help() -> impl IntoView {
    let settings = expect_context::<Settings>();
    let key = |command: &Command| view! { <kbd>{command.key_name()}</kbd> " " };
    let line = |(commands, what): &(&[Command], &'static str)| {
        view! { <tr><th scope="row">{commands.iter().map(key).collect_view()}</th><td>{*what}</td></tr> }
    };
    let keys = KEYS.iter().map(line).collect_view();
    let gestures =
        texts::GESTURES.map(|(gesture, what)| view! { <tr><th scope="row"><kbd>{gesture}</kbd></th><td>{what}</td></tr> }).collect_view();
    let class_results = move |name| view! { <a href="#/class" on:click=move |_| settings.help_open.set(false)>{name}</a> };
    view! {
        <Dialog id="keys" class="help" title=texts::TITLE is_open=settings.help_open on_close=move |()| settings.help_open.set(false)>
            <table><tbody>{keys}</tbody></table>
            <h3>{texts::ON_TIMELINE}</h3>
            <table><tbody>{gestures}</tbody></table>
            <p>{texts::units()}</p>
            <h3>{texts::FOR_TEACHERS}</h3>
            <p>{texts::teaching(class_results)}</p>
            <h3>{texts::FOR_TROUBLE}</h3>
            // The loader, public/boot.js, listens to it: it is there before all that could be kept wrongly.
            <p>{texts::TROUBLE} " " <button type="button" class="small" id="reload-without-cache">{texts::RELOAD}</button></p>
            <AllAside />
            <p><a id="licenses" href="third-party.txt" target="_blank" rel="noopener">{texts::NOTICES}</a></p>
        </Dialog>
    }
}
