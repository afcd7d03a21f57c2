//! The page: panels over the view models, and the state they share.
//!
//! Depends on everything; the only folder that knows Leptos and the browser. Invariant: a panel
//! reads memos and paints; it decides nothing about scheduling.

mod canvas;
mod diagram;
pub(super) mod dynamic;
mod editing;
pub(super) mod effects;
mod files;
mod guide;
mod header;
mod help;
mod intro;
mod keys;
mod results;
mod runs;
mod setup;
mod size;
pub(super) mod state;
mod steps;
pub(super) mod storage;
mod study;
mod tables;
mod timeline;
mod tip;
mod transport;
mod verdicts;
mod waiting;

use leptos::mount::{mount_to, mount_to_body};
use leptos::prelude::*;

use crate::app::tools::host::{self, ToolPanels, WideParts};
use crate::view::markup::Markup;
use state::AppState;

/// Puts the page into the document and takes the loading message away.
pub fn mount() {
    std::panic::set_hook(Box::new(|panic| say_that_it_stopped(&panic.to_string())));
    mount_to_body(page);
    ready();
}

/// Puts the page into an element, for tests; it stays until the handle is dropped.
pub fn mount_in(parent: web_sys::HtmlElement) -> impl Sized {
    let handle = mount_to(parent, page);
    ready();
    handle
}

/// Says, without the page's own means, that a bug of ours has stopped it.
fn say_that_it_stopped(what: &str) {
    let document = document();
    let (Some(body), Ok(notice)) = (document.body(), document.create_element("pre")) else { return };
    notice.set_class_name("stopped");
    // Cannot fail on a new element.
    let _ = notice.set_attribute("role", "alert");
    notice.set_text_content(Some(&format!(
        "A bug of ours has stopped this page. Please report it; your work is kept, load the page again to go on.\n{what}"
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

/// The page's fixed parts; what stands in them comes with [`page`].
fn skeleton() -> String {
    let mut html = Markup::new();
    html.raw("<a class=skip href=#main>Skip to the timeline</a>").raw(header::BAR).raw(files::PLACES);
    html.raw("<main id=main tabindex=-1><div class=stage>")
        .raw(timeline::PARTS)
        .raw("<div id=wide-place></div>")
        .raw(diagram::PARTS)
        .raw("<div class=stage-side>");
    html.raw("<div id=tools-place></div>");
    html.raw(intro::PARTS).raw(waiting::PARTS).raw(steps::PARTS).raw("</div></div>").markup(&tables::skeleton());
    html.raw(results::PARTS)
        .raw(study::PARTS)
        .markup(&setup::limits())
        .raw("</main>")
        .raw(FOOT)
        .raw(transport::BAR)
        .raw("<button id=leave-presenting>Leave presenter view (Esc)</button>")
        .raw("<div id=tip-place></div>");
    html.raw(help::KEYS);
    html.finish()
}

const FOOT: &str = "<footer class=foot><p>Blockstep simulates what four papers found out about GPU scheduling: [TX2] Amert et al., RTSS 2017; [EDF] Capodieci et al., RTSS 2018; [LP] Spliet and Mullins, 2018; [MT] Muyan-Özçelik and Owens, 2016. Times are integer nanoseconds; everything runs in this page.</p></footer>";

/// The whole page.
fn page() -> impl IntoView {
    let state = AppState::new();
    provide_context(state);
    provide_context(tip::TipSlot(RwSignal::new(None)));
    storage::keep(state);
    keys::listen(state);
    files::accept_drops(state);
    let parts = [
        header::start,
        files::start,
        guide::start,
        timeline::start,
        diagram::start,
        intro::start,
        waiting::start,
        steps::start,
        tables::start,
        results::start,
        study::start,
        setup::start,
        transport::start,
        tip::start,
        host::start,
        effects::start,
        help::start,
    ];
    parts.iter().for_each(|start| start(state));
    // Until the rest of the page is a component.
    dynamic::effect(move || {
        for (id, is_wide) in [("wide-place", true), ("tools-place", false)] {
            if let Some(place) = dynamic::by_id::<web_sys::HtmlElement>(id) {
                let part = move || {
                    if is_wide {
                        WideParts(host::WidePartsProps { state }).into_any()
                    } else {
                        ToolPanels(host::ToolPanelsProps { state }).into_any()
                    }
                };
                mount_to(place, part).forget();
            }
        }
    });
    view! { <div class="page" inner_html=skeleton()></div> }
}
