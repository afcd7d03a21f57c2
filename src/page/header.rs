//! The bar on top: what is shown, under which policy, on which device; open, share, learn, undo.
//!
//! Invariant: every control here edits the document through the history, or runs a command.

use leptos::prelude::*;

use super::kept::Kept;
use super::{actions, files, guide};
use crate::panels::host::Tools;
use crate::state::document::DocumentState;
use blockstep_sim::scenario::device::{BUILT_IN, BuiltIn, OF_THE_PAPERS};
use blockstep_sim::scenario::{Choice, DeviceDraft, PolicyKind};
use blockstep_sim::{examples, policy};
use blockstep_tools::ToolId;
use blockstep_tools::commands::{self, Command};
use blockstep_tools::own::first_text;
use blockstep_tools::stored::Theme;
use blockstep_tools::tool::SharedPlace;
use blockstep_ui::{CommandButton, FilePicker, Icon, Menu, MenuEntry, focus_cell, safe};
use blockstep_view::table::Table;

#[component]
pub(super) fn Header() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let doc = expect_context::<DocumentState>();
    let on_run = Callback::new(move |command| actions::run(tools, command));
    let on_choose = Callback::new(move |command| actions::run_from_menu(tools, command));
    view! {
        <header class="top" id="top">
            <div class="brand">
                <a href="#/" title="Explore: questions with their runs" aria-label="Explore">
                    <Brand />
                </a>
                <div>
                    <h1>"Blockstep"</h1>
                    <p class="quiet">"GPU scheduling, step by step"</p>
                </div>
            </div>
            <Examples />
            <Policies />
            <button
                id="compare"
                title="Compare with another policy, device or rule (C)"
                on:click=move |_| actions::open(tools, ToolId::Compare)
            >
                "Compare"
            </button>
            <Devices />
            <div class="top-actions" role="group" aria-label="File and history">
                <Menu title="Tools" entries=menu_entries() on_choose=on_choose />
                <FilePicker
                    id="open"
                    label=Command::Open.about().title
                    field="open-file"
                    name="Scenario, table, examiner config or logs"
                    accept=".json,.xml,.csv,.tsv,.txt,.gz,.sqlite,.db,.nsys-rep,application/json,text/csv,application/gzip"
                    on_files=move |picked| files::open_own(tools, picked)
                />
                <button
                    id="save-scenario"
                    title=Command::SaveScenario.menu_help()
                    on:click=move |_| actions::run(tools, Command::SaveScenario)
                >
                    {Command::SaveScenario.about().title}
                </button>
                <Kept />
                <ShareButton />
                <CommandButton
                    id="undo"
                    command=Command::Undo
                    icon=Icon::Undo
                    is_off=Signal::derive(move || !doc.can_undo())
                    what=Memo::new(move |_| doc.undo_name())
                    on_run=on_run
                />
                <CommandButton
                    id="redo"
                    command=Command::Redo
                    icon=Icon::Redo
                    is_off=Signal::derive(move || !doc.can_redo())
                    what=Memo::new(move |_| doc.redo_name())
                    on_run=on_run
                />
                <Colors />
                <HelpButton />
            </div>
        </header>
    }
}

/// The sign of the page.
#[component]
pub(super) fn Brand() -> impl IntoView {
    view! {
        <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect x="2" y="5" width="14" height="9" rx="1.5" class="b1" />
            <rect x="18" y="5" width="12" height="9" rx="1.5" class="b2" />
            <rect x="2" y="18" width="8" height="9" rx="1.5" class="b3" />
            <rect x="12" y="18" width="18" height="9" rx="1.5" class="b1" />
        </svg>
    }
}

#[component]
pub(super) fn ShareButton() -> impl IntoView {
    let tools = expect_context::<Tools>();
    view! {
        <button id="share" title="Link, embed, image, LaTeX, data, text, notes" on:click=move |_| tools.open_tool(ToolId::Share, "")>
            {SharedPlace::Share.title()}
        </button>
    }
}

/// Changes the colors.
#[component]
pub(super) fn Colors() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let name = move || theme_name(tools.state.settings.theme.get());
    view! {
        <button id="theme" class="icon" aria-label=name title=name on:click=move |_| actions::run(tools, Command::Theme)>
            {Icon::Theme.view()}
        </button>
    }
}

#[component]
pub(super) fn HelpButton() -> impl IntoView {
    let tools = expect_context::<Tools>();
    view! {
        <button
            id="help"
            class="icon"
            aria-label=Command::Keys.tooltip()
            title=Command::Keys.tooltip()
            on:click=move |_| actions::run(tools, Command::Keys)
        >
            "?"
        </button>
    }
}

fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "Colors: as the system",
        Theme::Light => "Colors: light",
        Theme::Dark => "Colors: dark",
    }
}

/// What stands for a table with one row among the examples.
const NEW: &str = "new";

/// The example that is a page of its own.
const BATCH: &str = ToolId::Batch.info().name;

#[component]
fn Examples() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let state = tools.state;
    let current = Memo::new(move |_| state.document.with(|d| d.example).filter(|_| !state.document.has_departed.get()).unwrap_or_default());
    let first = examples::first();
    let mut groups: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    for (group, id, title) in std::iter::once((first.group, first.id, first.title)).chain(examples::FURTHER) {
        match groups.last_mut() {
            Some((last, entries)) if *last == group => entries.push((id, title)),
            _ => groups.push((group, vec![(id, title)])),
        }
    }
    let option = move |(id, title): (&'static str, &'static str)| {
        view! { <option value=id prop:selected=move || current.get() == id>{title}</option> }
    };
    let choose = move |select: web_sys::HtmlSelectElement| {
        let id = select.value();
        match id.as_str() {
            NEW => {
                state.desk.touch(&state.document.get_untracked());
                let mut new = state.document.with_untracked(|d| d.emptied());
                new.add(Table::Kernels, None, false);
                if state.open(new, None) {
                    request_animation_frame(|| focus_cell(Table::Kernels.field(), 0, 0));
                }
            }
            BATCH => actions::open(tools, ToolId::Batch),
            id => return guide::open(state, id),
        }
        // These are actions: the run that is shown, then, is a scenario of one's own or what was there.
        request_animation_frame(move || select.set_value(current.get_untracked()));
    };
    let groups = groups.into_iter().map(|(group, entries)| {
        view! { <optgroup label=group>{entries.into_iter().map(option).collect_view()}</optgroup> }
    });
    view! {
        <label class="field">
            <span>"Example"</span>
            <select id="example" on:change:target=move |event| choose(event.target())>
                <Show when=move || current.get().is_empty()>
                    <option value="" selected>"Own scenario"</option>
                </Show>
                <option value=NEW>"New: a table with one row"</option>
                {groups.collect_view()}
                <optgroup label="Schedulers above the driver">
                    <option value=BATCH>"[MT] The six batch schedulers"</option>
                </optgroup>
            </select>
        </label>
    }
}

#[component]
pub(super) fn Policies() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let current = Memo::new(move |_| doc.with(|d| d.rest.policy.kind));
    let choose = move |kind: PolicyKind| {
        doc.edit(None, |d| {
            d.rest.policy.kind = kind;
            // Without a text it could not decide anything.
            if kind == PolicyKind::Own && d.rest.policy.text.is_empty() {
                first_text().clone_into(&mut d.rest.policy.text);
            }
        });
    };
    let choice = move |kind: PolicyKind| {
        let about = policy::about(kind);
        // Short, so that the bar has room for the names beside it.
        let label = if kind == PolicyKind::Own { "Own" } else { about.title };
        view! {
            <label title=about.help>
                <input
                    type="radio"
                    name="policy"
                    value=kind.word()
                    prop:checked=move || current.get() == kind
                    on:change=move |_| choose(kind)
                />
                <span>{label}</span>
            </label>
        }
    };
    view! {
        <fieldset class="switch" id="policy">
            <legend>"Policy"</legend>
            {PolicyKind::ALL.iter().copied().map(choice).collect_view()}
        </fieldset>
    }
}

#[component]
fn Devices() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let device = Memo::new(move |_| doc.with(|d| d.rest.device.clone()));
    let id = move || device.with(|device| if let DeviceDraft::BuiltIn(id) = device { id.clone() } else { String::new() });
    let own = move || device.with(|device| if let DeviceDraft::Custom(device) = device { Some(safe(&device.name)) } else { None });
    let option = move |d: &'static BuiltIn| view! { <option value=d.id prop:selected=move || id() == d.id>{d.name}</option> };
    let (papers, others) = BUILT_IN.split_at(OF_THE_PAPERS);
    let papers = papers.iter().map(option).collect_view();
    let others = others.iter().map(option).collect_view();
    view! {
        <label class="field">
            <span>"Device"</span>
            <select id="device" on:change:target=move |event| doc.edit(None, |d| d.set_device(&event.target().value()))>
                <optgroup label="GPUs of the papers">{papers}</optgroup>
                <optgroup label="Others, by compute capability">{others}</optgroup>
                {move || own().map(|name| view! { <option value="" selected>{name}</option> })}
            </select>
        </label>
    }
}

fn menu_entries() -> Vec<MenuEntry<Command>> {
    let entry =
        |command: Command| MenuEntry { value: command, opens: tool_of(command), title: command.about().title, help: command.menu_help() };
    commands::menu().into_iter().map(entry).collect()
}

fn tool_of(command: Command) -> Option<&'static str> {
    match command {
        Command::Tool(tool) => Some(tool.info().name),
        _ => None,
    }
}
