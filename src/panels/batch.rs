//! The page of application-level schedulers.
//!
//! Invariant: a part follows its own share of the view, so that what the reader types, scrolls or has the focus on stays when another
//! part changes.

mod compare;
mod holds;
mod paper;
mod parts;
mod step;
mod stepping;
mod timeline;
mod trees;
mod workload;

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel};
use crate::state::AppState;
use blockstep_tools::batch::{Batch, Body, Msg, Tab, View};
use blockstep_tools::commands::Command;
use blockstep_ui::{CommandButton, Icon, safe};
use parts::narrowed;

impl Panel for Batch {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let tab = Memo::new(move |_| view.with(|view| view.body.tab()));
        let note = Memo::new(move |_| view.with(|view| view.note.clone()));
        let is_wide = Memo::new(move |_| view.with(|view| view.is_wide));
        let said = move || {
            // Line by line, as the breaks are ours.
            let lines = note.get().map(|note| note.lines().map(safe).collect::<Vec<_>>().join("\n"));
            lines.map(|lines| view! { <p class="batch-said" role="status">{lines}</p> })
        };
        let edit = move |command| match command {
            Command::Undo => host.send(Msg::Undo),
            Command::Redo => host.send(Msg::Redo),
            _ => (),
        };
        expect_context::<AppState>().page_keys.listen(move |command| {
            edit(command);
            matches!(command, Command::Undo | Command::Redo)
        });
        let cannot_undo = Signal::derive(move || view.with(|view| !view.can_undo));
        let cannot_redo = Signal::derive(move || view.with(|view| !view.can_redo));
        let undo = Memo::new(move |_| view.with(|view| view.undo_name.clone()));
        let redo = Memo::new(move |_| view.with(|view| view.redo_name.clone()));
        view! {
            <div class="batch" class:is-wide=move || is_wide.get()>
                <p class="batch-what">
                    "A real-time program sends two tasks at a time to a GPU that does not know their deadlines. This page \
                               compares six ways to do so and shows the GPU's hardware queues for each."</p>
                <div class="batch-tabs" role="group" aria-label="Views">
                    {Tab::ALL.map(|of| tab_button(host, tab, of)).into_iter().collect_view()}
                    <span class="batch-end">
                        <CommandButton id="batch-undo" command=Command::Undo icon=Icon::Undo is_off=cannot_undo what=undo on_run=edit />
                        <CommandButton id="batch-redo" command=Command::Redo icon=Icon::Redo is_off=cannot_redo what=redo on_run=edit />
                        <button type="button" class="link" on:click=move |_| host.send(Msg::CopyLink)>"Copy link"</button>
                    </span>
                </div>
                {said}
                {move || body(host, view, tab.get())}
            </div>
        }
        .into_any()
    }
}

fn tab_button(host: Host<Batch>, tab: Memo<Tab>, of: Tab) -> impl IntoView {
    let pressed = move || if tab.get() == of { "true" } else { "false" };
    view! { <button type="button" aria-pressed=pressed on:click=move |_| host.send(Msg::Show(of))>{of.title()}</button> }
}

fn body(host: Host<Batch>, view: Memo<View>, tab: Tab) -> Option<AnyView> {
    Some(match tab {
        Tab::Step => step::step(host, narrowed(view, |view| if let Body::Step(step) = &view.body { Some(&**step) } else { None })?),
        Tab::All => {
            let is_dark = Memo::new(move |_| view.with(|view| view.is_dark));
            compare::compare(host, narrowed(view, |view| if let Body::All(all) = &view.body { Some(&**all) } else { None })?, is_dark)
        }
        Tab::Paper => paper::paper(host, narrowed(view, |view| if let Body::Paper(paper) = &view.body { Some(&**paper) } else { None })?),
        Tab::Workload => {
            workload::workload(host, narrowed(view, |view| if let Body::Workload(own) = &view.body { Some(&**own) } else { None })?)
        }
    })
}
