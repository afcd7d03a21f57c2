//! Opening and saving: files picked or dropped, downloads, and what is said about them.
//!
//! Invariant: a file that cannot be read changes nothing.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::panels::host::Tools;
use crate::panels::trace::{open_trace, open_traces};
use crate::state::desk::forget_link;
use crate::state::messages::{Cells, DurationQuestion};
use crate::state::page::Page;
use crate::state::video::NoVideo;
use crate::state::{AppState, address, reading};
use blockstep_format as format;
use blockstep_protocol::{OpenFile, Opened};
use blockstep_sim::scenario::Draft;
use blockstep_sim::units::Time;
use blockstep_tools::pasted::check_size;
use blockstep_tools::{ToolId, sweep};
use blockstep_ui::client;
use blockstep_view::document::{Document, WaitingCells};
use blockstep_view::table::Table;

const NO_FILE: &str = "The browser does not allow this page to save files.";

/// Longer scenario files are read by the worker first.
const MAX_BYTES_HERE: usize = 500_000;

/// Opens files that the reader picked or dropped.
pub(super) fn open_own(tools: Tools, files: Vec<web_sys::File>) {
    if address::names_files() {
        forget_link();
    }
    open_files(tools, files);
}

/// Opens files: a profiler's trace on its page, and what else is dropped there; other files as texts.
fn open_files(tools: Tools, files: Vec<web_sys::File>) {
    if tools.page.get_untracked() == Page::Trace {
        return open_trace(tools, files);
    }
    let is_report = matches!(&files[..], [file] if blockstep_traces_messages::to_export(&file.name()).is_some());
    let of_traces = files.clone();
    let then = move |are_traces: bool| {
        if are_traces || is_report {
            tools.open_tool(ToolId::Trace, "");
            open_traces(tools, files);
        } else {
            open_texts(tools, files);
        }
    };
    blockstep_traces_page::are_traces(of_traces, Box::new(then));
}

/// Opens the files of these names that the host has for the page beside it, in the folder `opened`: those of `blockstep serve FILE`.
pub(super) fn open_beside(tools: Tools, names: Vec<String>) {
    let arrives = tools.state.address.is_arriving;
    arrives.set(true);
    leptos::task::spawn_local(async move {
        let mut files = Vec::new();
        for name in names {
            match reading::fetch_file(&name).await {
                Ok(file) => files.push(file),
                Err(why) => tools.state.messages.complain(not_opened(&name, &why)),
            }
        }
        arrives.set(false);
        if !files.is_empty() {
            open_files(tools, files);
        }
    });
}

/// Opens texts: one as what it is, several as parts of a sweep or as the measured trace of one run; all as what the page of a class or of a
/// sweep takes, where that is shown.
fn open_texts(tools: Tools, files: Vec<web_sys::File>) {
    let page = tools.page.get_untracked();
    reading::read_all(tools.state, files, move |mut files| match (page, files.len()) {
        (Page::Class, _) => tools.give_files(ToolId::Class, files),
        (Page::Sweep, _) => tools.give_files(ToolId::Sweep, files),
        (_, 1) => {
            // What the reader opens is theirs, also after a link.
            tools.state.desk.touch(&tools.state.document.get_untracked());
            let (name, text) = files.remove(0);
            open_text(tools, &name, text, None);
        }
        (_, 0) => {}
        // As they are of a class, so are all.
        (_, _) if files.iter().all(|(_, text)| format::is_result(text)) => tools.give_files(ToolId::Class, files),
        // With one part come others, or what is none by mistake.
        (_, _) if files.iter().any(|(_, text)| sweep::is_table(text)) => tools.give_files(ToolId::Sweep, files),
        (_, _) => tools.give_files(ToolId::Measured, files),
    });
}

/// Shows a scenario or an examiner config.
pub(super) fn open_text(tools: Tools, name: &str, text: String, default_duration_ns: Option<u64>) {
    let state = tools.state;
    // What takes longer than a frame to read is read by the worker.
    if text.len() > MAX_BYTES_HERE || format::is_sheet(&text) || sweep::is_table(&text) {
        return import(tools, name.to_owned(), text, None);
    }
    match format::open_scenario(&text) {
        Ok(Some(draft)) => opened(state, name, draft, Vec::new()),
        Ok(None) => import(tools, name.to_owned(), text, default_duration_ns),
        Err(error) => state.messages.complain(not_opened(name, &error.to_string())),
    }
}

fn opened(state: AppState, name: &str, draft: Draft, notes: Vec<String>) {
    let mut document = Document::new(draft);
    document.notes = notes;
    if document.rest.name.is_empty() {
        document.rest.name = name.trim_end_matches(".json").to_owned();
    }
    if state.open(document, None) {
        if address::names_files() {
            // Until it is edited, a reload reads it anew.
            state.address.document.set_value(Some(state.document.get_untracked()));
        }
        state.messages.say(format!("Opened {name}."));
    }
}

/// Shows what the cells of a spreadsheet would come to.
fn open_table(state: AppState, name: &str, cells: &str, is_of_semicolons: bool) {
    if let Err(why) = check_size(cells) {
        return state.messages.complain(not_opened(name, &why.to_string()));
    }
    state.messages.cells.set(Some(Cells {
        file: Some(name.to_owned()),
        table: Table::Kernels,
        waiting: WaitingCells { text: cells.to_owned(), is_of_semicolons, ..WaitingCells::default() },
    }));
}

/// Has the worker read a file, which may need a duration.
fn import(tools: Tools, name: String, text: String, duration: Option<u64>) {
    let state = tools.state;
    let request = OpenFile { text: text.clone(), default_duration_ns: duration };
    client::ask(request, move |answer| match answer {
        Ok(Opened::NeedsDuration { question }) => state.messages.needs_duration.set(Some(DurationQuestion { name, text, question })),
        Ok(Opened::ForTool(tool)) => {
            if let Some(tool) = ToolId::from_name(&tool) {
                tools.give_files(tool, vec![(name, text)]);
            }
        }
        Ok(Opened::Table(cells)) => open_table(state, &name, &cells, format::is_of_semicolons(&text)),
        Ok(Opened::Scenario { scenario, .. }) if AppState::too_long(scenario.len()).is_some() => {
            state.messages.complain(not_opened(&name, &AppState::too_long(scenario.len()).unwrap_or_default()));
        }
        // The worker wrote it.
        Ok(Opened::Scenario { scenario, notes }) => opened(state, &name, format::read_scenario(&scenario).unwrap_or_default(), notes),
        Err(error) => state.messages.complain(not_opened(&name, &error)),
    });
}

/// Shows a scenario that the worker made, at a time, and perhaps with the built-in one that it began as.
pub(super) fn open_made(state: AppState, text: &str, at: Time, example: Option<&'static str>) {
    if let Some(why) = AppState::too_long(text.len()) {
        return state.messages.complain(why);
    }
    match format::read_scenario(text) {
        Ok(draft) => {
            let mut document = Document::new(draft);
            document.example = example;
            state.open(document, Some(at));
        }
        Err(error) => state.messages.complain(error.to_string()),
    }
}

pub(super) fn accept_drops(tools: Tools) {
    let over = window_event_listener(ev::dragover, |event| {
        if event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0)) {
            event.prevent_default();
        }
    });
    let drop = window_event_listener(ev::drop, move |event| {
        if let Some(files) = event.data_transfer().and_then(|data| data.files()).filter(|files| files.length() > 0) {
            event.prevent_default();
            open_own(tools, blockstep_ui::listed(&files));
        }
    });
    on_cleanup(move || {
        over.remove();
        drop.remove();
    });
}

pub(super) fn save_scenario(state: AppState) {
    let (text, lost) = state.document.with_untracked(|d| (format::write_scenario(&d.draft().with_effect()), d.raw_texts().len()));
    download(state, "json", "application/json", &text);
    if lost > 0 {
        state.messages.say(saved_without(lost));
    }
}

/// Hands a text to the browser as a file named after the scenario.
pub(super) fn download(state: AppState, extension: &str, mime: &str, text: &str) {
    download_as(state, &named(state, extension), mime, text);
}

/// Hands a text to the browser as a file.
pub(super) fn download_as(state: AppState, name: &str, mime: &str, text: &str) {
    download_bytes(state, name, mime, text.as_bytes());
}

/// Hands bytes to the browser as a file.
pub(super) fn download_bytes(state: AppState, name: &str, mime: &str, bytes: &[u8]) {
    if !hand_over(name, mime, bytes) {
        state.messages.complain(NO_FILE);
    }
}

/// The same where the page does not stand yet.
pub(super) fn download_text(name: &str, text: &str) {
    // There is nobody yet to tell that it failed.
    let _ = hand_over(name, "text/plain", text.as_bytes());
}

/// Hands bytes to the browser as a file; whether it could be asked.
fn hand_over(name: &str, mime: &str, bytes: &[u8]) -> bool {
    let blob = gloo::file::Blob::new_with_options(bytes, Some(mime));
    let url = gloo::file::ObjectUrl::from(blob);
    let is_asked = click(name, &url);
    // The browser reads it after this returns.
    set_timeout(move || drop(url), std::time::Duration::from_secs(10));
    is_asked
}

/// Saves an SVG as a PNG, `scale` times as large.
pub(super) fn save_picture(state: AppState, name: &str, scale: u32, svg: &str) {
    let name = name.to_owned();
    let Ok(image) = web_sys::HtmlImageElement::new() else { return };
    let picture = image.clone();
    let on_load = wasm_bindgen::closure::Closure::once_into_js(move || {
        let canvas = document().create_element("canvas").ok().and_then(|e| e.dyn_into::<web_sys::HtmlCanvasElement>().ok());
        let url = canvas.and_then(|canvas| {
            let (width, height) = (scale * picture.natural_width(), scale * picture.natural_height());
            canvas.set_width(width);
            canvas.set_height(height);
            let context = canvas.get_context("2d").ok()??.dyn_into::<web_sys::CanvasRenderingContext2d>().ok()?;
            context.draw_image_with_html_image_element_and_dw_and_dh(&picture, 0.0, 0.0, width.into(), height.into()).ok()?;
            canvas.to_data_url().ok()
        });
        match url {
            Some(url) => offer(state, &name, &url),
            None => state.messages.complain("The browser could not turn this figure into a PNG."),
        }
    });
    image.set_onload(Some(on_load.unchecked_ref()));
    image.set_src(&format!("data:image/svg+xml,{}", String::from(js_sys::encode_uri_component(svg))));
}

/// Makes a video of what a GIF shows, and offers that as a file.
pub(super) fn save_video(state: AppState, name: String, gif: Vec<u8>) {
    leptos::task::spawn_local(async move {
        match state.video.make(&gif).await {
            Ok(video) => download_bytes(state, &name, "video/webm", &video),
            Err(NoVideo::Cancelled) => {}
            Err(NoVideo::Failed) => state.messages.complain("The browser could not make a video. Save a GIF instead."),
        }
    });
}

fn named(state: AppState, extension: &str) -> String {
    let name = state.document.with_untracked(|d| d.rest.name.clone());
    let stem: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let stem = stem.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let stem = if stem.is_empty() { "scenario" } else { &stem };
    format!("{stem}.{extension}")
}

/// Offers what is at an address as a file.
fn offer(state: AppState, name: &str, url: &str) {
    if !click(name, url) {
        state.messages.complain(NO_FILE);
    }
}

/// Has the browser save what is at an address as a file; whether it could be asked.
fn click(name: &str, url: &str) -> bool {
    let link = document().create_element("a").ok().and_then(|a| a.dyn_into::<web_sys::HtmlAnchorElement>().ok());
    if let Some(link) = &link {
        link.set_href(url);
        link.set_download(name);
        link.click();
    }
    link.is_some()
}

pub(crate) fn not_opened(name: &str, why: &str) -> String {
    format!("{name} cannot be opened. {why}")
}

/// `cells`: how many hold a text that is not a value.
fn saved_without(cells: usize) -> String {
    match cells {
        1 => "Saved. 1 cell holds text that is not a value. In the file, the last valid value takes its place.".to_owned(),
        _ => format!("Saved. {cells} cells hold text that is not a value. In the file, the last valid value takes its place."),
    }
}
