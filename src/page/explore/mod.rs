//! Explore: a question, its run as a flow and a timeline, and what to take hold of; what opens for whoever comes without a link.
//!
//! Depends on the page's own parts and on `learn::explore`. Invariants: the run is that of the page's document, so that Lab shows the
//! same; nothing that holds nothing is shown.

mod cards;
mod controls;
mod policies;
mod question;
mod top;

use leptos::prelude::*;

use super::tables::Tables;
use super::timeline::{EditNote, TimelinePanel};
use super::transport::Transport;
use crate::panels::host::Tools;
use crate::panels::tool_panels::ToolPanels;
use crate::state::AppState;
use crate::state::page::Page;
use blockstep_learn::explore::{self, Card};
use blockstep_tools::ToolId;
use blockstep_tools::tool::Event;
use blockstep_ui::{DiagramOptions, FlowPicture};
use blockstep_view::queues::FlowView;
pub(super) use cards::{first, is_as_given, open_named};
use controls::Controls;
use policies::Policies;
use question::Question;
use top::Top;

/// The timeline's part of the window's height: with its width, more than a third of the window.
const TIMELINE: f64 = 0.354;

/// Tools that stand beside a question; the others have Lab to themselves.
fn stands_beside(tool: ToolId) -> bool {
    !matches!(tool, ToolId::Tour) && tool.info().wide.is_none() && !tool.info().below_kernels
}

/// The page.
#[component]
pub(super) fn Explore() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let state = tools.state;
    let card = cards::current(state);
    Effect::new(move |_| {
        if tools.open.with(|open| open.iter().any(|tool| !stands_beside(*tool))) {
            tools.show_page(Page::Run, &Event::Opened(String::new()));
        }
    });
    let is_beside = Memo::new(move |_| tools.open.with(|open| !open.is_empty()));
    view! {
        <Top />
        <main id="main" tabindex="-1" class="explore" class:beside=move || is_beside.get()>
            <div class="explore-main">
                <Question card=card />
                <Flow />
                <TimelinePanel share=TIMELINE />
                <Transport />
                <div class="explore-say">
                    <Controls card=card />
                    <EditNote />
                </div>
                <Policies />
                <Tables only_kernels=true />
                <More card=card />
            </div>
            <div class="explore-beside" id="stage-side" tabindex="-1" hidden=move || !is_beside.get()>
                <ToolPanels tools=tools>""</ToolPanels>
            </div>
        </main>
    }
}

/// The queues as one flow.
#[component]
fn Flow() -> impl IntoView {
    let state = expect_context::<AppState>();
    let (cursor, run, settings, selection) = (state.cursor, state.run, state.settings, state.selection);
    let flow = Memo::new(move |_| cursor.queues.with(FlowView::new));
    let look = Memo::new(move |_| DiagramOptions { is_dark: settings.is_dark(), selected: selection.selected_row() });
    let on_select = move |op| {
        if run.with_untracked(|run| !run.is_coming) {
            selection.ask(op, None);
        }
    };
    view! {
        <FlowPicture
            flow=flow
            look=look
            position=cursor.position
            is_moving=Signal::derive(move || settings.shows_motion())
            on_select=on_select
        />
    }
}

/// The other questions, and all that the page has beside.
#[component]
fn More(card: Memo<Option<&'static str>>) -> impl IntoView {
    let tools = expect_context::<Tools>();
    let state = tools.state;
    let chip = move |other: &'static Card| {
        let (id, is_here) = (other.id, move || card.get() == Some(other.id));
        view! {
            <a
                class="explore-card"
                href=format!("#/explore/{id}")
                data-card=id
                aria-current=move || is_here().then_some("true")
                on:click=move |_| if is_here() { cards::open(state, other) }
            >
                {other.question}
            </a>
        }
    };
    let source = move || {
        let card = explore::card(card.get()?)?;
        Some(view! {
            <p class="explore-source">
                {card.teaches} " " <a href=card.source.link>{card.source.label}</a>
            </p>
        })
    };
    view! {
        <section class="explore-more" aria-labelledby="more-title">
            {source}
            <h2 id="more-title">"More questions"</h2>
            <div class="explore-cards">{explore::cards().iter().map(chip).collect_view()}</div>
            <p>
                <a href="#/lab" id="open-lab">"Open in Lab"</a>
                " for tasks, processes, devices and all tools. "
                <a href="learn/">"All questions, examples and tours, with pictures"</a>
            </p>
        </section>
    }
}
