//! Pages of their own: `#/batch`, `#/class`, `#/trace`.
//!
//! Invariants: the address names the tool that has the whole page, so that a reload, a link and the browser's back button lead where
//! they should; so does the document's title.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::panels::host::Tools;
use crate::state::storage;
use blockstep_tools::ToolId;
use blockstep_tools::tool::Event;

pub(super) fn is_route(hash: &str) -> bool {
    hash.starts_with("#/")
}

fn fragment(tool: ToolId) -> String {
    format!("#/{}", tool.info().name)
}

fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

fn named(hash: &str) -> Option<ToolId> {
    ToolId::from_name(hash.strip_prefix("#/")?).filter(|tool| tool.info().is_page)
}

/// Opens the page that the address names, and closes every other.
fn follow(tools: Tools) {
    let hash = hash();
    let tool = named(&hash);
    if tool.is_none() && is_route(&hash) && hash != "#/" {
        let name: String = hash.chars().skip(2).take(40).collect();
        tools.state.messages.complain(format!("There is no page “{name}” here. This is the run."));
    }
    match (tool, untrack(|| tools.page())) {
        (Some(tool), open) if open != Some(tool) => tools.show_tool(tool, &Event::Opened(String::new())),
        (None, Some(open)) => tools.close_tool(open),
        _ => {}
    }
}

/// Follows the address, and has it follow the page.
pub(super) fn start(tools: Tools) {
    if storage::is_embedded() {
        return;
    }
    let title = document().title();
    if is_route(&hash()) {
        follow(tools);
    }
    let listener = window_event_listener_untyped("hashchange", move |_| follow(tools));
    on_cleanup(move || listener.remove());
    Effect::new(move |_| {
        let page = tools.page();
        document().set_title(&page.map_or_else(|| title.clone(), |tool| format!("{} · Blockstep", tool.info().title)));
        let hash = hash();
        let address = match page {
            Some(tool) if named(&hash) != Some(tool) => fragment(tool),
            None if named(&hash).is_some() => window().location().pathname().unwrap_or_default(),
            _ => return,
        };
        // Some pages may not change their address; then it stays as it is.
        let _ = window().history().and_then(|history| history.push_state_with_url(&JsValue::NULL, "", Some(&address)));
    });
}
