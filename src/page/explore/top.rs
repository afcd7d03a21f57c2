//! The bar on top of Explore: where else to go, share, colors, help.
//!
//! Invariant: whoever goes elsewhere takes the run along.

use leptos::prelude::*;

use super::super::actions;
use super::super::header::{Brand, theme_name};
use crate::panels::host::Tools;
use crate::state::page::Page;
use blockstep_tools::ToolId;
use blockstep_tools::commands::Command;
use blockstep_tools::tool::{Event, SharedPlace};
use blockstep_ui::Icon;

#[component]
pub(super) fn Top() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let settings = tools.state.settings;
    let tours = move |_| {
        tools.show_page(Page::Run, &Event::Opened(String::new()));
        tools.open_tool(ToolId::Tour, "");
    };
    view! {
        <header class="explore-top" id="top">
            <div class="brand"><Brand /> <b>"Blockstep"</b></div>
            <nav aria-label="Pages">
                <a href="#/" aria-current="page">"Explore"</a>
                <button type="button" class="link" id="to-tours" on:click=tours>"Tours"</button>
                <a href="#/trace">"Traces"</a>
                <a href="#/lab" id="to-lab">"Lab"</a>
            </nav>
            <div class="explore-actions">
                <button id="share" title="Link, embed, image, LaTeX, data, text, notes" on:click=move |_| tools.open_tool(ToolId::Share, "")>
                    {SharedPlace::Share.title()}
                </button>
                <button
                    id="theme"
                    class="icon"
                    aria-label=move || theme_name(settings.theme.get())
                    title=move || theme_name(settings.theme.get())
                    on:click=move |_| actions::run(tools, Command::Theme)
                >
                    {Icon::Theme.view()}
                </button>
                <button
                    id="help"
                    class="icon"
                    aria-label=Command::Keys.tooltip()
                    title=Command::Keys.tooltip()
                    on:click=move |_| actions::run(tools, Command::Keys)
                >
                    "?"
                </button>
            </div>
        </header>
    }
}
