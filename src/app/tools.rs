//! The tools beside a run: panels that the lab fills, and what it has the page do.
//!
//! Depends on `state` and `lab`. Invariants: what a tool shows and remembers comes from the lab, and
//! this file knows none of them; a tool is asked one thing at a time, in order, and of moves only the
//! latest.

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement, UrlSearchParams};

use super::dynamic::{by_id, effect, form_query, listen, said, set_html, target};
use super::files;
use super::guide;
use super::lab::{self, Desk, text};
use super::runs::RunData;
use super::state::AppState;
use super::{storage, study};
use crate::examples;
use crate::units::Time;
use crate::view::document::Document;
use crate::view::markup::Markup;

/// Every tool: its name, as the lab knows it, and its title.
const TOOLS: [(&str, &str); 15] = [
    ("tour", "Tours"),
    ("quiz", "Predict"),
    ("ask", "Why not now?"),
    ("compare", "Compare runs"),
    ("until", "Run until"),
    ("rules", "Rules"),
    ("find", "Find an example"),
    ("words", "The run in tables"),
    ("glossary", "Glossary"),
    ("measured", "Measured traces"),
    ("figure", "Figures"),
    ("export", "Other formats"),
    (SHARE, "Link and embed"),
    (NOTES, "Notes"),
    (BATCH, "Application-level schedulers"),
];
/// The one that is open while a kernel is selected.
const ASK: usize = 2;
/// The one that is told of all others.
const SHARE: &str = "share";
/// The one that the link holds even while it is closed.
const NOTES: &str = "notes";
/// The one that has the whole page.
const BATCH: &str = "batch";
/// Those whose memory survives a reload.
const KEPT: [&str; 4] = [NOTES, BATCH, "compare", "quiz"];
/// Those that draw under the timeline too.
const WIDE: [(&str, &str); 2] = [("compare", "Runs side by side"), ("measured", "Measured blocks")];

/// What the page keeps for a tool.
#[derive(Default)]
pub(super) struct Desks {
    desks: [Kept; TOOLS.len()],
    /// The scenario file of a run, by the run's number.
    scenario: (u32, String),
    /// Names and texts of files that a tool is to be told of.
    files: Vec<String>,
    /// The built-in scenario that the next one to be opened began as.
    began: Option<&'static str>,
    /// What the page's address holds.
    linked: Option<Arc<Document>>,
}

#[derive(Default)]
struct Kept {
    memory: String,
    /// Whether it is being asked.
    is_busy: bool,
    /// What it is to be asked after that.
    next: VecDeque<String>,
}

/// Panels of every tool.
pub(super) fn skeleton() -> String {
    let mut html = Markup::new();
    html.raw("<div id=tools class=tools>");
    for (name, title) in TOOLS {
        let id = format!("tool-{name}");
        html.open(
            "section",
            &[("class", "panel tool"), ("id", &id), ("data-tool", name), ("aria-labelledby", &format!("{id}-title")), ("hidden", "1")],
        );
        html.open("div", &[("class", "tool-head")]).leaf("h2", &[("id", &format!("{id}-title")), ("tabindex", "-1")], title);
        html.raw("<button class='icon small' data-close=1 aria-label=Close title=Close>×</button>").close();
        html.leaf("form", &[("class", "tool-body"), ("id", &format!("{id}-form")), ("novalidate", "1")], "").close();
    }
    html.raw("</div>");
    html.finish()
}

/// Where tools draw pictures as wide as the timeline.
pub(super) fn wide() -> String {
    let place =
        |(name, label)| format!("<section class='panel tool-wide' id=wide-{name} data-tool={name} aria-label='{label}' hidden></section>");
    WIDE.map(place).concat()
}

/// Listens to the tools, and tells those that are open where the reader goes.
pub(super) fn start(state: AppState) {
    for name in KEPT {
        if let (Some(tool), Some(memory)) = (number(name), storage::memory(name)) {
            state.tools.update_value(|t| t.desks[tool].memory = memory);
        }
    }
    listen("main", "click", move |event: &ev::MouseEvent| on_click(state, event));
    listen("main", "change", move |event: &ev::Event| {
        if let (Some(tool), Some(name)) = (tool_of(event), target(event).and_then(|e| e.get_attribute("name"))) {
            ask(state, tool, format!("change:{name}"));
        }
    });
    listen("main", "submit", move |event: &ev::SubmitEvent| {
        if let Some(tool) = tool_of(event) {
            event.prevent_default();
            ask(state, tool, "do:submit".to_owned());
        }
    });
    effect(move || {
        state.run.track();
        state.scale.track();
        state.selected.track();
        state.asked_op.track();
        let _ = (state.position.get(), state.now(), state.is_dark(), state.is_veiled.get());
        // While a link is being followed its run may be on its way.
        let arriving = state.tools.with_value(|t| number(SHARE).filter(|&share| t.desks[share].memory.contains("arriving=")));
        for tool in (0..TOOLS.len()).filter(|&tool| is_open(state, tool) || arriving == Some(tool)) {
            ask(state, tool, "move".to_owned());
        }
    });
    // A kernel that is selected is asked about.
    effect(move || match (state.selected.with(Option::is_some), is_open(state, ASK)) {
        (true, false) => show(state, ASK, ""),
        (false, true) => close(state, ASK),
        _ => {}
    });
    effect(move || {
        let open = state.open_tools.get();
        for (tool, (name, _)) in TOOLS.into_iter().enumerate() {
            if let Some(panel) = by_id::<Element>(&format!("tool-{name}")) {
                // Cannot fail on an element of this document.
                let _ = panel.toggle_attribute_with_force("hidden", open & 1 << tool == 0);
            }
            if let (BATCH, Some(root)) = (name, document().document_element()) {
                // The name of an attribute.
                let _ = root.toggle_attribute_with_force("data-batch", open & 1 << tool != 0);
            }
        }
        renew_link(state);
    });
    // The address names what is on screen only as long as that is not edited.
    effect(move || {
        let now = state.document.get();
        let is_other = |linked: Option<Arc<Document>>| linked.is_some_and(|linked| !Arc::ptr_eq(&linked, &now));
        if state.tools.try_update_value(|t| is_other(t.linked.clone()) && t.linked.take().is_some()) == Some(true) {
            let path = window().location().pathname().unwrap_or_default();
            // Some pages may not change their address; then it stays the link's.
            let _ = window().history().and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&path)));
        }
    });
    effect(move || follow_link(state));
    let follow = window_event_listener_untyped("hashchange", move |_| follow_link(state));
    on_cleanup(move || follow.remove());
}

fn is_open(state: AppState, tool: usize) -> bool {
    state.open_tools.get_untracked() & 1 << tool != 0
}

/// Opens a tool by its name, with a word for it.
pub(super) fn open(state: AppState, name: &str, word: &str) {
    if let Some(tool) = number(name) {
        show(state, tool, word);
        // Once it is not hidden any more.
        request_animation_frame(move || focus(tool));
    }
}

/// Opens a tool, or closes it if it is open.
pub(super) fn toggle(state: AppState, name: &str) {
    match number(name) {
        Some(tool) if is_open(state, tool) => close(state, tool),
        _ => open(state, name, ""),
    }
}

/// Whether the tool that has the whole page is open.
pub(super) fn has_page(state: AppState) -> bool {
    number(BATCH).is_some_and(|tool| is_open(state, tool))
}

/// Has that tool take a key.
pub(super) fn take_key(state: AppState, key: &str) {
    tell(state, BATCH, key);
}

/// Has a tool do something, if it is open; false if it is not.
pub(super) fn tell(state: AppState, name: &str, word: &str) -> bool {
    tell_event(state, name, format!("do:{word}"))
}

fn tell_event(state: AppState, name: &str, event: String) -> bool {
    let tool = number(name).filter(|&tool| is_open(state, tool));
    if let Some(tool) = tool {
        ask(state, tool, event);
    }
    tool.is_some()
}

fn number(name: &str) -> Option<usize> {
    TOOLS.iter().position(|t| t.0 == name)
}

fn tool_of(event: &web_sys::Event) -> Option<usize> {
    said(event, "data-tool").and_then(|name| number(&name))
}

fn show(state: AppState, tool: usize, word: &str) {
    state.open_tools.update(|open| *open |= 1 << tool);
    ask(state, tool, format!("open:{word}"));
}

fn close(state: AppState, tool: usize) {
    if is_open(state, tool) {
        state.open_tools.update(|open| *open &= !(1 << tool));
        ask(state, tool, "do:close".to_owned());
        if tool == ASK {
            state.selected.set(None);
        }
    }
}

fn focus(tool: usize) {
    if let Some(title) = by_id::<HtmlElement>(&format!("tool-{}-title", TOOLS[tool].0)) {
        // It can take the focus, which brings it into sight.
        let _ = title.focus();
    }
}

fn on_click(state: AppState, event: &ev::MouseEvent) {
    let Some(tool) = tool_of(event) else { return };
    if said(event, "data-close").is_some() {
        close(state, tool);
    } else if let Some(word) = said(event, "data-do") {
        // A box that is ticked tells by its change.
        event.prevent_default();
        ask(state, tool, format!("do:{word}"));
    } else {
        state.follow(event);
    }
}

/// Tells a tool of files: their names and texts by turns.
pub(super) fn give(state: AppState, name: &str, files: Vec<String>) {
    state.notice.set(None);
    state.tools.update_value(|t| t.files = files);
    if let Some(tool) = number(name) {
        show(state, tool, "files");
    }
}

/// Opens what the page's address names.
fn follow_link(state: AppState) {
    let hash = window().location().hash().unwrap_or_default();
    if let (true, Some(tool)) = (hash.starts_with("#v"), number(SHARE)) {
        return ask(state, tool, format!("do:follow {hash}"));
    }
    let Ok(query) = UrlSearchParams::new_with_str(hash.trim_start_matches('#')) else { return };
    let Some((name, word)) = TOOLS.iter().find_map(|(name, _)| Some((*name, query.get(name)?))) else { return };
    match (query.get("on"), query.get("scenario")) {
        (Some(id), _) => guide::open_then(state, &id, move || open(state, name, &word)),
        (None, Some(text)) => {
            files::open_text(state, "link", text, None);
            open(state, name, &word);
        }
        (None, None) => open(state, name, &word),
    }
}

/// The address of this page with a tool open on what is on screen.
fn link(state: AppState, tool: usize, word: &str) -> Option<String> {
    let query = UrlSearchParams::new().ok()?;
    query.append(TOOLS[tool].0, word);
    match state.document.with_untracked(|d| d.example).filter(|_| !untrack(|| state.is_edited())) {
        Some(id) => query.append("on", id),
        None => query.append("scenario", &state.run.with_untracked(RunData::scenario_text)),
    }
    let here = window().location().href().ok()?;
    Some(format!("{}#{}", here.split('#').next().unwrap_or_default(), String::from(query.to_string())))
}

// ---- Asking ----

fn ask(state: AppState, tool: usize, event: String) {
    let is_busy = state.tools.try_update_value(|t| {
        let kept = &mut t.desks[tool];
        if kept.is_busy {
            if event != "move" || kept.next.back() != Some(&event) {
                kept.next.push_back(event.clone());
            }
            return true;
        }
        kept.is_busy = true;
        false
    });
    if is_busy == Some(false) {
        send(state, tool, &event);
    }
}

fn send(state: AppState, tool: usize, event: &str) {
    let (name, _) = TOOLS[tool];
    let fields = form_query(&format!("tool-{name}-form"));
    let (run, mut place) = untrack(|| state.run.with(|run| (run.id, place(state, run))));
    place.push_str(&around(state, name == SHARE).unwrap_or_default());
    let (memory, scenario) = state
        .tools
        .try_update_value(|t| {
            if t.scenario.0 != run {
                t.scenario = (run, state.run.with_untracked(RunData::scenario_text));
            }
            (t.desks[tool].memory.clone(), t.scenario.1.clone())
        })
        .unwrap_or_default();
    let listener = move |kind: &str, parts: &js_sys::Array| {
        // The page may be gone in tests.
        if state.open_tools.try_get_untracked().is_some() {
            answered(state, tool, kind, parts);
        }
    };
    let mut request = vec!["tool", name, event, &fields, &memory, &scenario, &place];
    let files = if event == "open:files" { state.tools.try_update_value(|t| std::mem::take(&mut t.files)) } else { None };
    request.extend(files.iter().flatten().map(String::as_str));
    if !lab::ask(Desk::Rest, &request, listener) {
        state.tools.update_value(|t| t.desks[tool] = Kept::default());
        state.complain(lab::NO_WORKERS);
    }
}

/// Where the reader stands.
fn place(state: AppState, run: &RunData) -> String {
    let scale = state.scale.get();
    let mut place = format!(
        "position={}&at={}&veiled={}&presenting={}&dark={}&left={}&plot={}&end={}&width={}",
        state.position.get(),
        state.now().ns(),
        u8::from(state.is_veiled.get()),
        u8::from(state.is_presenting.get()),
        u8::from(state.is_dark()),
        scale.left_px().round() as u32,
        scale.width_px().round() as u32,
        state.whole_end().ns(),
        by_id::<HtmlElement>("tools").map_or(0, |e| e.client_width()),
    );
    if let Some(id) = state.document.with(|d| d.example) {
        place.push_str(&format!("&example={id}"));
    }
    if state.is_zoomed() {
        let (from, to) = scale.shown();
        place.push_str(&format!("&from={from}&to={to}"));
    }
    if let Some(row) = state.selected.get().and_then(|id| run.row(id)) {
        place.push_str(&format!("&row={}", row.0));
    }
    if let Some(op) = state.asked_op.get() {
        place.push_str(&format!("&op={}", op.0));
    }
    place
}

/// The link on screen holds which tools are open, and what they remember.
fn renew_link(state: AppState) {
    tell_event(state, SHARE, "move".to_owned());
}

/// The address of the page, and if asked every other tool that is open with what it remembers;
/// notes are the reader's own, open or not.
fn around(state: AppState, with_tools: bool) -> Option<String> {
    let (query, here) = (UrlSearchParams::new().ok()?, window().location().href().ok()?);
    query.append("base", here.split('#').next().unwrap_or_default());
    state.tools.with_value(|t| {
        for (tool, (name, _)) in TOOLS.into_iter().enumerate() {
            let memory = &t.desks[tool].memory;
            if with_tools && name != SHARE && (is_open(state, tool) || name == NOTES && !memory.is_empty()) {
                query.append("tool", name);
                query.append("memory", memory);
            }
        }
    });
    Some(format!("&{}", String::from(query.to_string())))
}

fn answered(state: AppState, tool: usize, kind: &str, parts: &js_sys::Array) {
    let form = by_id::<Element>(&format!("tool-{}-form", TOOLS[tool].0));
    let mut is_to_ask_again = false;
    if kind == "done" {
        let memory = text(parts, 0);
        state.tools.update_value(|t| {
            let before = &mut t.desks[tool].memory;
            // Most answers change nothing that is to be kept.
            if *before != memory && KEPT.contains(&TOOLS[tool].0) {
                storage::keep_memory(TOOLS[tool].0, &memory);
            }
            *before = memory;
        });
        if TOOLS[tool].0 != SHARE {
            renew_link(state);
        }
        if let Some(form) = form {
            set_html(&form, &text(parts, 1), "data-keep");
        }
        for i in (2..parts.length()).step_by(2) {
            is_to_ask_again |= act(state, tool, &text(parts, i), text(parts, i + 1));
        }
    } else if let Some(form) = form {
        form.set_text_content(Some(&text(parts, 0)));
    }
    let next = state.tools.try_update_value(|t| {
        let kept = &mut t.desks[tool];
        let next = kept.next.pop_front();
        kept.is_busy = next.is_some();
        next
    });
    match next.flatten() {
        Some(event) => send(state, tool, &event),
        None if is_to_ask_again => ask(state, tool, "do:again".to_owned()),
        None => {}
    }
}

/// Does what a tool wants; whether it wants to be asked again.
fn act(state: AppState, tool: usize, kind: &str, value: String) -> bool {
    let (first, rest) = value.split_once('\n').unwrap_or((&value, ""));
    let number = first.parse::<u64>().unwrap_or(0);
    match kind {
        "go" => state.visit(|| state.go_to(number as u32)),
        "at" => state.visit(|| state.go_to_time(Time(number))),
        "select" => {
            let row = state.run.with_untracked(|run| run.row_named(&value));
            state.selected.set(row);
        }
        "began" => state.tools.update_value(|t| t.began = examples::known(&value)),
        "scenario" => {
            let began = state.tools.try_update_value(|t| t.began.take()).flatten();
            files::open_made(state, rest, Time(number), began);
            if TOOLS[tool].0 == SHARE {
                state.tools.update_value(|t| t.linked = Some(state.document.get_untracked()));
            }
        }
        "example" => guide::open(state, &value),
        "show" => state.show((number as i64, rest.parse().unwrap_or(0))),
        "extend" => state.extent.set(Time(number)),
        "present" => state.is_presenting.set(!value.is_empty()),
        // Every tool hears of a change, so what is no change is none.
        "veil" if state.is_veiled.get_untracked() == value.is_empty() => state.is_veiled.set(!value.is_empty()),
        "alone" => (0..TOOLS.len()).filter(|&other| other != tool).for_each(|other| close(state, other)),
        "tool" => {
            if let Some(tool) = self::number(first) {
                show(state, tool, rest);
            }
        }
        "restore" => {
            if let Some(tool) = self::number(first) {
                state.tools.update_value(|t| t.desks[tool].memory = rest.to_owned());
                state.open_tools.update(|open| *open |= 1 << tool);
                ask(state, tool, "move".to_owned());
            }
        }
        "study" => {
            let (location, hash) = (window().location(), format!("#study={value}"));
            if location.hash().is_ok_and(|now| now == hash) {
                study::follow_link(state);
            } else {
                // Some pages may not change their address; then the panel stays as it is.
                let _ = location.set_hash(&hash);
            }
        }
        "say" => state.spoken.set((state.position.get_untracked(), value)),
        "save" => {
            let (kind, file) = rest.split_once('\n').unwrap_or((rest, ""));
            files::download_as(state, first, kind, file);
        }
        "picture" => {
            let (scale, svg) = rest.split_once('\n').unwrap_or_default();
            files::save_picture(state, first, scale.parse().unwrap_or(2), svg);
        }
        "copy" | "clip" => {
            let link = if kind == "copy" { link(state, tool, &value).unwrap_or_default() } else { value };
            // Where there is no clipboard, the link is in what is said.
            let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into()).ok().filter(|c| c.is_object());
            let write = clipboard.as_ref().and_then(|c| js_sys::Reflect::get(c, &"writeText".into()).ok());
            let write = write.and_then(|f| wasm_bindgen::JsCast::dyn_into::<js_sys::Function>(f).ok());
            let is_copied = clipboard.zip(write).is_some_and(|(c, write)| write.call1(&c, &link.as_str().into()).is_ok());
            state.say(if is_copied { "Copied to the clipboard.".to_owned() } else { link });
        }
        "wide" => {
            if let Some(wide) = by_id::<Element>(&format!("wide-{}", TOOLS[tool].0)) {
                set_html(&wide, &value, "data-keep");
                // Cannot fail on an element of this document.
                let _ = wide.toggle_attribute_with_force("hidden", value.is_empty());
            }
        }
        "close" => close(state, tool),
        "again" => return true,
        _ => {}
    }
    false
}
