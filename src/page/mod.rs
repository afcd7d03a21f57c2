//! The page's own panels over the view models, and what commands and effects do.
//!
//! Depends on `state`, on components and on the panels of tools. Invariant: a panel reads memos and paints; it decides nothing about scheduling.

mod actions;
mod answers;
mod desk;
mod diagram;
mod dragging;
pub(super) mod effects;
mod embedded;
mod explore;
mod files;
mod guide;
mod header;
mod help;
mod intro;
mod kept;
mod keys;
mod notices;
mod printed;
mod results;
mod route;
mod setup;
mod sheet_preview;
mod small;
pub mod stage;
mod steps;
mod study;
mod tables;
mod timeline;
mod tip;
mod transport;
mod verdicts;
mod waiting;

use leptos::mount::mount_to_body;
use leptos::prelude::*;

use crate::panels::host::{self, Tools};
use crate::panels::tool_panels::{ToolPanels, WideParts};
use crate::state::page::Page;
use crate::state::settings::Settings;
use crate::state::{AppState, begun};
use blockstep_ui::{Splitter, set_root_px};
use desk::Unfinished;
use diagram::Diagram;
use explore::Explore;
use header::Header;
use help::Help;
use intro::Intro;
use notices::{Begin, FirstVisit, Hint, Notices};
use printed::Printed;
use results::Results;
use route::PagePanel;
use setup::Limits;
use sheet_preview::SheetPreview;
use small::SmallTabs;
use steps::Steps;
use study::Schedulability;
use tables::Tables;
use timeline::TimelinePanel;
use tip::Tip;
use transport::Transport;
use waiting::WaitingNow;

/// Puts the page into the document and takes the loading message away.
pub fn mount() {
    std::panic::set_hook(Box::new(|panic| say_that_it_stopped(&panic.to_string())));
    mount_to_body(page);
    ready();
}

/// Says, without the page's own means, that a bug of ours has stopped it.
fn say_that_it_stopped(what: &str) {
    let document = document();
    let (Some(body), Ok(notice)) = (document.body(), document.create_element("pre")) else { return };
    notice.set_class_name("stopped");
    // Cannot fail on a new element.
    let _ = notice.set_attribute("role", "alert");
    notice.set_text_content(Some(&format!(
        "A bug in Blockstep stopped this page. Please report it. Your work is saved: reload the page to continue.\n{what}"
    )));
    // If this fails too, nothing is left to say it with.
    let _ = body.append_child(&notice);
}

/// Tells the document that the page has loaded.
fn ready() {
    let document = document();
    if let Some(boot) = document.get_element_by_id("boot") {
        boot.remove();
    }
    if let Some(root) = document.document_element() {
        // Cannot fail on an element of this document.
        let _ = root.set_attribute("data-ready", "1");
    }
}

/// The page; before it a question, if what it would show did not finish the last time.
fn page() -> impl IntoView {
    let question = RwSignal::new(begun::unfinished());
    move || match question.get() {
        Some(work) => view! { <Unfinished work=work on_answer=move || question.set(None) /> }.into_any(),
        None => whole_page().into_any(),
    }
}

fn whole_page() -> impl IntoView {
    begun::begin();
    let first = Page::at_start();
    let state = AppState::new(if first == Page::Explore { explore::first } else { stage::table_1 });
    let tools = stage::set(state);
    state.keep();
    keys::listen(tools);
    files::accept_drops(tools);
    dragging::listen(state);
    guide::start(state);
    host::start(tools);
    effects::start(tools);
    embedded::start(tools);
    route::start(tools, first);
    follow_looks(state);
    begun::end_soon();
    let hint = Hint::new(tools);
    let is_explore = Memo::new(move |_| tools.page.get() == Page::Explore);
    view! {
        <div class="page">
            <Begin hint=hint />
            <a class="skip" href="#main">"Skip to the timeline"</a>
            <Show when=move || !is_explore.get()>
                <a class="skip" href="#queues">"Skip to the queues"</a>
            </Show>
            <a class="skip" href="#kernels-title">"Skip to the tables"</a>
            <a class="skip" href="#transport">"Skip to the steps"</a>
            <Show when=move || !is_explore.get()>
                <a class="skip" href="#stage-side">"Skip to the texts and tools"</a>
            </Show>
            <Notices />
            {move || if is_explore.get() { view! { <Explore /> }.into_any() } else { view! { <Lab hint=hint tools=tools /> }.into_any() }}
            <Tip />
            <Help />
            <SheetPreview />
        </div>
    }
}

/// The run with all that the page has.
#[component]
fn Lab(hint: Hint, tools: Tools) -> impl IntoView {
    let state = tools.state;
    view! {
        <>
            <Header />
            <main id="main" tabindex="-1">
                <div class="stage">
                    <div class="stage-main">
                        // The timeline keeps in sight as long as this is, and lets go below.
                        <div class="edited">
                            <SmallTabs />
                            <TimelinePanel />
                            <WideParts tools=tools />
                            <Diagram />
                            <Tables />
                        </div>
                        <Results />
                        <Schedulability />
                        <Limits />
                    </div>
                    <SideWidth />
                    <div class="stage-side" id="stage-side" tabindex="-1">
                        <FirstVisit hint=hint />
                        <ToolPanels tools=tools>
                            <PagePanel tools=tools />
                        </ToolPanels>
                        <Intro />
                        <Printed />
                        <WaitingNow />
                        <Steps />
                    </div>
                </div>
            </main>
            <footer class="foot">
                <p>
                    "Blockstep simulates GPU scheduling as four papers describe it: [TX2] Amert et al., RTSS 2017; \
     [EDF] Capodieci et al., RTSS 2018; [LP] Spliet and Mullins, 2018; [MT] Muyan-Özçelik and Owens, 2016. Everything runs in your browser. "
                    // Pages of their own, without script: crates/site.
                    <a id="to-read" href="learn/">"Examples, tours, rules, terms and guides to read"</a>
                    " · "
                    <a href="#/">"Questions to explore"</a>
                </p>
            </footer>
            <Transport />
            <button id="leave-presenting" on:click=move |_| state.settings.is_presenting.set(false)>
                "Leave the presenter view (Esc)"
            </button>
        </>
    }
}

/// The bar between the timeline and what is beside it.
#[component]
fn SideWidth() -> impl IntoView {
    const LEAST_PX: f64 = 240.0;
    /// What the timeline keeps.
    const REST_PX: f64 = 480.0;
    let settings = expect_context::<Settings>();
    let window_width = || window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1440.0);
    Effect::new(move |_| set_root_px("--side", settings.panes.get().side_px));
    let shown = move || {
        let side = document().get_element_by_id("stage-side");
        settings.panes.get().side_px.or_else(|| side.map(|side| side.get_bounding_client_rect().width())).unwrap_or(LEAST_PX)
    };
    let range = move || {
        settings.panes.track();
        (LEAST_PX, window_width() - REST_PX)
    };
    let on_change = move |px| settings.panes.update(|panes| panes.side_px = px);
    view! {
        <Splitter
            label="Width of the side pane"
            is_before=true
            size=Signal::derive(shown)
            range=Signal::derive(range)
            on_change=on_change
        />
    }
}

/// Ids of what edits the scenario, which stays as it is during a quiz.
const KEPT: [&str; 8] = ["example", "policy", "device", "editors", "limits", "scenario-name", "reset-place", "explore-controls"];

/// The document's root says how the page looks, for the style sheet.
fn follow_looks(state: AppState) {
    Effect::new(move |_| {
        if let Some(root) = document().document_element() {
            // Cannot fail on an element of this document.
            let _ = root.set_attribute("data-theme", if state.settings.is_dark() { "dark" } else { "light" });
        }
    });
    Effect::new(move |_| {
        let (veiled, presenting) = (state.settings.is_future_hidden.get(), state.settings.is_presenting.get());
        let arriving = state.address.is_arriving.get();
        if let Some(root) = document().document_element() {
            // Names of attributes.
            let _ = root.toggle_attribute_with_force("data-veiled", veiled);
            let _ = root.toggle_attribute_with_force("data-presenting", presenting);
            let _ = root.toggle_attribute_with_force("data-arriving", arriving);
        }
    });
    Effect::new(move |_| {
        let is_up = state.fence.is_up();
        for element in KEPT.iter().filter_map(|id| document().get_element_by_id(id)) {
            // The name of an attribute.
            let _ = element.toggle_attribute_with_force("inert", is_up);
        }
    });
}
