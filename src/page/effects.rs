//! What a tool has the page do; and what the page's address has it open.
//!
//! Invariant: an effect is done as if the reader had done it, so that it can be undone in the same way.

use std::sync::{Arc, Mutex};

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::UrlSearchParams;

use super::{files, guide, route, study};
use crate::panels::host::Tools;
use crate::state::address::UNDER;
use crate::state::desk::{forget_link, replace_link};
use crate::state::fence::Refusal;
use crate::state::page::Page;
use crate::state::pool::{Handed, Stage};
use crate::state::runs::RunData;
use crate::state::{AppState, address};
use blockstep_protocol::{Effect as ToolEffect, Hold, RunSweep};
use blockstep_sim::examples;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_tools::sweep::{self, Sweep};
use blockstep_tools::tool::Event;
use blockstep_tools::{ToolId, quiz, share};
use blockstep_ui::client;
use blockstep_view::document::Document;

/// Does what a tool wants; whether it wants to go on with long work.
pub(super) fn run(tools: Tools, tool: ToolId, effect: ToolEffect) -> bool {
    let state = tools.state;
    match effect {
        ToolEffect::GoToStep(position) => state.visit(|| state.cursor.go_to(position)),
        ToolEffect::GoToTime(at) => state.visit(|| state.cursor.go_to_time(at)),
        ToolEffect::SelectRow(name) => {
            let row = state.run.with_untracked(|run| run.row_named(&name));
            state.selection.kernel.set(row);
        }
        ToolEffect::OpenScenario { at, scenario, began_as } => {
            files::open_made(state, &scenario, at, began_as.as_deref().and_then(examples::known));
            // The run stands where the page of the tool was, and takes the focus of the button that is gone.
            if Page::of_model(tool).is_some_and(|page| page == tools.page.get_untracked()) {
                tools.close_tool(tool);
                window().scroll_to_with_x_and_y(0.0, 0.0);
                let main = document().get_element_by_id("main").and_then(|main| main.dyn_into::<web_sys::HtmlElement>().ok());
                // It can take it.
                let _ = main.map(|main| main.focus());
            }
            if tool == ToolId::Share {
                state.address.document.set_value(Some(state.document.get_untracked()));
            }
        }
        ToolEffect::OpenExample(id) => guide::open(state, &id),
        ToolEffect::ShowRange { from, to } => state.viewport.show((from.ns() as i64, to.ns() as i64)),
        ToolEffect::ExtendTimeline(to) => state.viewport.extent.set(to),
        ToolEffect::ShowPath(is_on) => state.settings.is_path_shown.set(is_on),
        ToolEffect::Present(is_on) => state.settings.is_presenting.set(is_on),
        // What a quiz hides only the quiz shows again.
        ToolEffect::HideFuture(_) | ToolEffect::RestoreTool { .. } if tool != ToolId::Quiz && untrack(|| state.fence.is_up()) => {}
        ToolEffect::Hold(hold) => state.fence.set(hold),
        // Every tool hears of a change, so what is no change is none.
        ToolEffect::HideFuture(is_on) if state.settings.is_future_hidden.get_untracked() == is_on => {}
        ToolEffect::HideFuture(is_on) => state.settings.is_future_hidden.set(is_on),
        ToolEffect::CloseOthers => ToolId::ALL.iter().copied().filter(|&other| other != tool).for_each(|other| tools.close_tool(other)),
        ToolEffect::KeepWork => tools.keep_work(),
        ToolEffect::RestoreWork(shown) => tools.restore_work(&shown),
        ToolEffect::OpenTool { name, word } => {
            if let Some(tool) = ToolId::from_name(&name) {
                hide_for(state, tool, &word);
                tools.show_tool(tool, &Event::Opened(word));
            }
        }
        ToolEffect::RestoreTool { name, memory } => {
            if let Some(tool) = ToolId::from_name(&name) {
                tools.set_memory(tool, memory);
                tools.show_tool(tool, &Event::Moved);
            }
        }
        ToolEffect::RunSweep { plan, count } => make_runs(tools, plan, count),
        ToolEffect::OpenStudy(query) => {
            let (location, hash) = (window().location(), format!("#study={query}"));
            if location.hash().is_ok_and(|now| now == hash) {
                study::follow_link(state);
            } else {
                // Some pages may not change their address; then the panel stays as it is.
                let _ = location.set_hash(&hash);
            }
        }
        ToolEffect::Announce(text) => state.cursor.spoken.set((state.cursor.position.get_untracked(), text)),
        ToolEffect::Say(text) => state.messages.say(text),
        ToolEffect::Complain(why) => state.messages.complain(why),
        ToolEffect::SaveFile { name, kind, text } => files::download_as(state, &name, &kind, &text),
        ToolEffect::SaveBytes(name, kind, bytes) => files::download_bytes(state, &name, &kind, &bytes),
        ToolEffect::SaveVideo(name, gif) => files::save_video(state, name, gif),
        ToolEffect::SavePicture { name, scale, svg } => files::save_picture(state, &name, scale, &svg),
        ToolEffect::CopyLink(word) => copy(state, link(state, tool, &word).unwrap_or_default()),
        ToolEffect::CopyText(text) => copy(state, text),
        ToolEffect::Close => tools.close_tool(tool),
        ToolEffect::Continue => return true,
    }
    false
}

/// Makes the runs of a sweep on a pool of workers, and gives the tool what was made of them.
fn make_runs(tools: Tools, plan: String, count: u64) {
    let pool = tools.state.sweep;
    let (plan, parts) = (Arc::new(plan), Arc::new(Mutex::new(Vec::new())));
    let on_end = {
        let (plan, parts) = (Arc::clone(&plan), Arc::clone(&parts));
        Callback::new(move |()| {
            let parts = parts.lock().map(|mut parts| std::mem::take(&mut *parts)).unwrap_or_default();
            tools.send::<Sweep>(ToolId::Sweep, sweep::Msg::Ran((*plan).clone(), parts));
        })
    };
    let hand = Callback::new(move |part: Handed| {
        let parts = Arc::clone(&parts);
        let request = RunSweep { plan: (*plan).clone(), from: part.from, to: part.to };
        client::ask_worker(
            part.worker,
            request,
            |_, _| (),
            move |answer| match answer {
                _ if !pool.is_of(&part) => {}
                Ok(swept) => {
                    if let Ok(mut parts) = parts.lock() {
                        parts.push(swept.rows);
                    }
                    pool.add(&part, swept.took_ms);
                }
                Err(why) => {
                    tools.state.messages.complain(why);
                    pool.finish(Stage::Cancelled);
                }
            },
        );
    });
    pool.begin((1, count), 1, hand, on_end);
}

/// Puts a text on the clipboard. Where there is none, it is in what is said.
fn copy(state: AppState, text: String) {
    // Pages that are not secure have none.
    let clipboard = if window().is_secure_context() { Some(window().navigator().clipboard()) } else { None };
    match clipboard {
        Some(clipboard) => {
            let promise = clipboard.write_text(&text);
            leptos::task::spawn_local(async move {
                let is_copied = wasm_bindgen_futures::JsFuture::from(promise).await.is_ok();
                state.messages.say(if is_copied { "Copied to the clipboard.".to_owned() } else { text });
            });
        }
        None => state.messages.say(text),
    }
}

/// The address of this page with a tool open on what is on screen.
fn link(state: AppState, tool: ToolId, word: &str) -> Option<String> {
    let query = UrlSearchParams::new().ok()?;
    query.append(tool.info().name, word);
    match state.document.with_untracked(|d| d.example).filter(|_| !untrack(|| state.document.is_edited())) {
        Some(id) => {
            query.append("on", id);
            if let Some(kind) = untrack(|| state.document.other_policy()) {
                query.append(UNDER, kind.word());
            }
        }
        None => query.append("scenario", &state.run.with_untracked(RunData::scenario_text)),
    }
    Some(format!("{}#{}", address::page_address()?, String::from(query.to_string())))
}

/// A quiz that a word begins hides what comes, and nothing of that is seen before the tool says so, or that there is no such quiz.
fn hide_for(state: AppState, tool: ToolId, word: &str) {
    if tool == ToolId::Quiz && !word.is_empty() {
        state.settings.is_future_hidden.set(true);
    }
}

fn follow_link(tools: Tools) {
    let state = tools.state;
    let hash = window().location().hash().unwrap_or_default();
    if route::is_route(&hash) || !hash.contains('=') {
        return;
    }
    if state.fence.refuses(Refusal::Open) {
        return forget_link();
    }
    if hash.starts_with("#v") {
        state.enter_link(false);
        state.address.is_arriving.set(true);
        return tools.send::<share::Share>(ToolId::Share, share::Msg::Follow(hash));
    }
    let Ok(query) = UrlSearchParams::new_with_str(hash.trim_start_matches('#')) else { return };
    if address::names_files() {
        let names = query.get_all("open").iter().filter_map(|name| name.as_string()).collect();
        return files::open_beside(tools, names);
    }
    if let Some(id) = query.get("example") {
        state.settings.is_path_shown.set(query.has("path"));
        return open_example(state, &id, &query);
    }
    let named = ToolId::ALL.iter().find_map(|&tool| Some((tool, query.get(tool.info().name)?)));
    let Some((tool, word)) = named else {
        if let Some(id) = query.get("on").filter(|id| examples::known(id).is_none()) {
            return complain_of_example(state, &id);
        }
        // `#study=` is the panel of studies', `#...&embed` that of frames; an anchor of the page has no value.
        let name = hash.trim_start_matches('#').split('&').next().and_then(|first| first.split_once('=')).map(|(name, _)| name);
        if let Some(name) = name.filter(|name| !["study", "embed", "on", UNDER, "scenario"].contains(name)) {
            let name: String = name.chars().take(40).collect();
            state.messages.complain(format!("This link names “{name}”, which this page does not know. The page opened without it."));
        }
        return;
    };
    let word = if tool.takes(&word) {
        word
    } else {
        let (title, word) = (tool.info().title, word.chars().take(40).collect::<String>());
        state.messages.complain(format!("This link asks {title} for “{word}”, which does not exist. The page opened without it."));
        String::new()
    };
    state.enter_link(tool.info().keeps && !word.is_empty());
    hide_for(state, tool, &word);
    match (query.get("on"), query.get("scenario")) {
        (Some(id), _) if examples::known(&id).is_none() => {
            complain_of_example(state, &id);
            tools.open_tool(tool, &word);
        }
        (Some(id), _) => guide::open_then(state, &id, policy_of(state, &query), move || {
            // Once that is changed, the address no longer names it.
            state.address.document.set_value(Some(state.document.get_untracked()));
            tools.open_tool(tool, &word);
        }),
        (None, Some(text)) => {
            files::open_text(tools, "link", text, None);
            state.address.document.set_value(Some(state.document.get_untracked()));
            tools.open_tool(tool, &word);
        }
        (None, None) => tools.open_tool(tool, &word),
    }
}

/// The policy under which an address shows an example, if it names one.
fn policy_of(state: AppState, query: &UrlSearchParams) -> Option<PolicyKind> {
    let word = query.get(UNDER)?;
    // A text of one's own is in no such address.
    let kind = PolicyKind::from_word(&word).filter(|&kind| kind != PolicyKind::Own);
    if kind.is_none() {
        let word: String = word.chars().take(20).collect();
        let names = PolicyKind::ALL.iter().filter(|&&kind| kind != PolicyKind::Own).map(|kind| kind.word()).collect::<Vec<_>>().join(", ");
        state.messages.complain(format!(
            "This link asks for the policy “{word}”, which is none of {names}. The example opens under the policy that it has."
        ));
    }
    kind
}

/// Opens a built-in scenario at a step, under a policy: `#example=tx2-table-1&under=edf&step=17`.
fn open_example(state: AppState, id: &str, query: &UrlSearchParams) {
    let step = query.get("step");
    let step = match step.as_deref().map(|step| (step, step.parse::<u32>())) {
        Some((step, Err(_))) => {
            let step: String = step.chars().take(20).collect();
            state.messages.complain(format!(
                "This link asks for step “{step}”, which is not a whole number of 0 or more. It opens before the first step."
            ));
            None
        }
        step => step.and_then(|(_, step)| step.ok()),
    };
    if examples::known(id).is_none() {
        return complain_of_example(state, id);
    }
    state.enter_link(false);
    state.address.is_arriving.set(true);
    guide::open_then(state, id, policy_of(state, query), move || {
        state.address.document.set_value(Some(state.document.get_untracked()));
        if let Some(step) = step {
            state.visit(|| state.cursor.go_to(step));
        }
        state.address.is_arriving.set(false);
    });
}

fn complain_of_example(state: AppState, id: &str) {
    let id: String = id.chars().take(60).collect();
    state.messages.complain(format!("This link asks for the example “{id}”, which does not exist. The scenario on screen is unchanged."));
}

/// A quiz that was going on when the page was left hides the future from the beginning. A link that leads elsewhere gives it up.
fn go_on_with_quiz(tools: Tools) {
    let memory = tools.memory(ToolId::Quiz);
    if !quiz::is_on(&memory) {
        return;
    }
    let hash = window().location().hash().unwrap_or_default();
    if hash.contains('=') {
        // Without the link it goes on.
        return tools.set_memory(ToolId::Quiz, quiz::given_up(&memory));
    }
    let limit = tools.state.cursor.position.get_untracked();
    tools.state.fence.set(Some(Hold { limit, is_asking: false }));
    tools.state.settings.is_future_hidden.set(true);
    tools.show_tool(ToolId::Quiz, &Event::Opened(String::new()));
}

/// What the address is now, if it names the example on screen under another policy than the one on screen.
fn renamed_link(state: AppState, now: &Document) -> Option<String> {
    let hash = window().location().hash().ok()?;
    let query = UrlSearchParams::new_with_str(hash.trim_start_matches('#')).ok()?;
    let named = query.get("example")?;
    if now.example != Some(named.as_str()) || state.document.is_edited() {
        return None;
    }
    match state.document.other_policy() {
        Some(kind) => query.set(UNDER, kind.word()),
        None => query.delete(UNDER),
    }
    Some(format!("#{}", String::from(query.to_string())))
}

/// Follows the address, now and when it changes.
pub(super) fn start(tools: Tools) {
    let state = tools.state;
    go_on_with_quiz(tools);
    // The fragment that was followed last.
    let followed = StoredValue::new(String::new());
    // The address names what is on screen only as long as that is not edited.
    Effect::new(move |_| {
        let now = state.document.get();
        let linked = state.address.document;
        let is_other = linked.with_value(|linked: &Option<Arc<Document>>| linked.as_ref().is_some_and(|linked| !Arc::ptr_eq(linked, &now)));
        if is_other {
            let renamed = untrack(|| renamed_link(state, &now));
            linked.set_value(renamed.is_some().then_some(now));
            followed.set_value(renamed.clone().unwrap_or_default());
            match renamed {
                Some(hash) => replace_link(&hash),
                None => forget_link(),
            }
        }
    });
    let hash = || window().location().hash().unwrap_or_default();
    Effect::new(move |_| {
        follow_link(tools);
        followed.set_value(hash());
    });
    let follow = window_event_listener_untyped("hashchange", move |_| {
        // Back from a page of its own the run is as it was left.
        if !route::is_route(&hash()) && followed.with_value(|followed| *followed != hash()) {
            follow_link(tools);
            // A link that was refused has left the address.
            followed.set_value(hash());
        }
    });
    on_cleanup(move || follow.remove());
}
