//! Explore: a question, its run as a flow and a timeline, and what to take hold of; what opens for whoever comes without a link.
//!
//! Depends on the page's own parts and on `learn::explore`. Invariants: the run is that of the page's document, so that Lab shows the
//! same; nothing that holds nothing is shown.

mod controls;
mod policies;
mod question;
mod top;

use std::sync::OnceLock;

use leptos::prelude::*;

use super::tables::Tables;
use super::timeline::{EditNote, TimelinePanel};
use super::transport::Transport;
use crate::panels::host::Tools;
use crate::panels::tool_panels::ToolPanels;
use crate::state::AppState;
use crate::state::page::Page;
use blockstep_learn::explore::{self, Card, CardScenario};
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_tools::ToolId;
use blockstep_tools::tool::Event;
use blockstep_ui::{DiagramOptions, FlowPicture};
use blockstep_view::document::Document;
use blockstep_view::queues::FlowView;
use controls::Controls;
use policies::Policies;
use question::Question;
use top::Top;

/// The timeline's part of the window's height: with its width, more than a third of the window.
const TIMELINE: f64 = 0.354;

/// What Explore begins with: the first question, at its moment.
pub(super) fn first() -> (Document, Option<Time>) {
    let card = &explore::cards()[0];
    (card.document(), Some(Time(card.at_ns)))
}

/// The question that the document is of, by the name of its scenario, which stays through edits and reloads, or by the example that it
/// began as.
fn card_of(document: &Document) -> Option<&'static Card> {
    let is_of_example = |card: &&Card| card.scenario == CardScenario::FirstExample;
    if document.example == Some(examples::first().id) {
        return explore::cards().iter().find(is_of_example);
    }
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| explore::cards().iter().map(|card| card.draft().name).collect());
    names.iter().position(|name| *name == document.rest.name).map(|place| &explore::cards()[place])
}

/// Opens a question at its moment; it can be undone.
pub(super) fn open(state: AppState, card: &Card) {
    state.open(card.document(), Some(Time(card.at_ns)));
}

/// Opens the question that an address names, unless it is there; false if there is none of that name.
pub(super) fn open_named(state: AppState, id: &str, is_arriving: bool) -> bool {
    let Some(card) = explore::card(id) else { return false };
    if state.document.with_untracked(|d| card_of(d).is_none_or(|here| here.id != card.id)) {
        if is_arriving {
            state.enter_link(false);
        }
        open(state, card);
    }
    true
}

/// The question on screen; it changes less often than the document.
fn current_card(state: AppState) -> Memo<Option<&'static str>> {
    Memo::new(move |_| state.document.with(|d| card_of(d).map(|card| card.id)))
}

/// Tools that stand beside a question; the others have Lab to themselves.
fn stands_beside(tool: ToolId) -> bool {
    !matches!(tool, ToolId::Tour) && tool.info().wide.is_none() && !tool.info().below_kernels
}

/// The page.
#[component]
pub(super) fn Explore() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let state = tools.state;
    let card = current_card(state);
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
                on:click=move |_| if is_here() { open(state, other) }
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
                <a href="learn/">"Examples, tours, rules and terms to read"</a>
            </p>
        </section>
    }
}
