//! The bar on top of Explore: where else to go, share, colors, help.
//!
//! Invariant: whoever goes elsewhere takes the run along.

use leptos::prelude::*;

use super::super::header::{Brand, Colors, HelpButton, ShareButton};
use crate::panels::host::Tools;
use crate::state::page::Page;
use blockstep_tools::ToolId;
use blockstep_tools::tool::Event;

#[component]
pub(super) fn Top() -> impl IntoView {
    let tools = expect_context::<Tools>();
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
                <ShareButton />
                <Colors />
                <HelpButton />
            </div>
        </header>
    }
}
