//! The bar on top: what is shown, under which policy, on which device; open, save, undo.
//!
//! Depends on `state`. Invariant: every control here edits the document through the history.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{Of, bind, by_id, effect, flag, held, listen, said, target};
use super::state::{AppState, Theme};
use super::{files, guide};
use crate::app::tools::{ToolId, tour};
use crate::examples;
use crate::scenario::device::BUILT_IN;
use crate::scenario::{Choice, DeviceDraft, Placement, PolicyKind};
use crate::view::markup::Markup;

/// Its fixed parts.
pub(super) const BAR: &str = r#"<header class="top" id="top"><div class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><rect x="2" y="5" width="14" height="9" rx="1.5" class="b1"/><rect x="18" y="5" width="12" height="9" rx="1.5" class="b2"/><rect x="2" y="18" width="8" height="9" rx="1.5" class="b3"/><rect x="12" y="18" width="18" height="9" rx="1.5" class="b1"/></svg><h1>Blockstep</h1></div>
<label class="field"><span>Example</span><select id="example"></select></label>
<fieldset class="switch" id="policy"><legend>Policy</legend><label title="One EE queue; stream priorities are ignored"><input type="radio" name="policy" value="fifo"><span>FIFO</span></label><label title="A high-priority and a low-priority EE queue, as on the TX2"><input type="radio" name="policy" value="priority"><span>Priority</span></label><label title="Processes take turns in time slices"><input type="radio" name="policy" value="runlist"><span>Runlist</span></label><label title="Earliest deadline first"><input type="radio" name="policy" value="edf"><span>EDF</span></label></fieldset><button id="compare" data-open-tool="compare" title="Beside another policy, device or rule (C)">Compare</button>
<label class="field"><span>Device</span><select id="device"></select></label>
<label class="field"><span>Placement</span><select id="placement"></select></label>
<div class="top-actions" role="group" aria-label="File and history"><details class="menu"><summary>Learn</summary><div class="menu-list"><button data-open-tool="tour"><b>Tours</b><span class="quiet">Walks through the papers' figures (T)</span></button><button data-open-tool="quiz"><b>Predict</b><span class="quiet">What does the scheduler do next? (Q)</span></button><button data-open-tool="ask"><b>Why not now?</b><span class="quiet">Or click anything that waits</span></button><button data-open-tool="compare"><b>Compare</b><span class="quiet">Policies, devices, rules, before and after (C)</span></button><button data-open-tool="until"><b>Run until</b><span class="quiet">On or back to what you look for (U)</span></button><button data-open-tool="rules"><b>Rules</b><span class="quiet">How often each was used; switch one off (R)</span></button><button data-open-tool="find"><b>Find an example</b><span class="quiet">A small table that shows an effect</span></button><button data-open-tool="words"><b>The run in tables</b><span class="quiet">Blocks, kernels and copies as text</span></button><button data-open-tool="measured"><b>Measured traces</b><span class="quiet">Logs of a real GPU beside the rules</span></button><button data-open-tool="batch"><b>Batch schedulers</b><span class="quiet">The six of [MT], Fermi to TX1</span></button><button data-open-tool="glossary"><b>Glossary</b><span class="quiet">What the words mean (G)</span></button><button data-act="present"><b>Presenter view</b><span class="quiet">Timeline and queues, large (P)</span></button></div></details><button id="open" data-act="open">Open…</button><input id="open-file" type="file" accept=".json,.xml,application/json" multiple hidden aria-label="Scenario, examiner config or logs"><details class="menu"><summary>Share</summary><div class="menu-list"><button id="save-scenario" data-act="scenario"><b>Save scenario</b><span class="quiet">JSON, opens here again</span></button><button data-open-tool="share"><b>Link, embed</b><span class="quiet">What you see, for others</span></button><button data-open-tool="notes"><b>Notes</b><span class="quiet">Your words at a step; links take them along</span></button><button data-open-tool="figure"><b>Figure…</b><span class="quiet">SVG, PNG, TikZ, for print or slides</span></button><button id="save-figure" data-act="figure"><b>Save screenshot</b><span class="quiet">PNG of the timeline as it is shown</span></button><button id="save-trace" data-act="trace"><b>Save trace</b><span class="quiet">JSON, every block and copy</span></button><button id="save-csv" data-act="csv"><b>Save blocks and copies</b><span class="quiet">CSV, for a spreadsheet</span></button><button data-open-tool="export"><b>Other formats…</b><span class="quiet">Perfetto, examiner, SimSo, CSV</span></button></div></details><button id="undo" data-act="undo" aria-label="Undo (Ctrl+Z)" title="Undo (Ctrl+Z)" class="icon"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5 3 11l6 6v-4h5a4 4 0 0 1 0 8H8v2h6a6 6 0 0 0 0-12H9z"/></svg></button><button id="redo" data-act="redo" aria-label="Redo (Ctrl+Y)" title="Redo (Ctrl+Y)" class="icon"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="m15 5 6 6-6 6v-4h-5a4 4 0 0 0 0 8h6v2h-6a6 6 0 0 1 0-12h5z"/></svg></button><button id="theme" data-act="theme" class="icon"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18zm0-2a11 11 0 1 1 0 22 11 11 0 0 1 0-22z"/></svg></button><button id="help" data-act="help" class="icon" aria-label="Keys and gestures (?)" title="Keys and gestures (?)">?</button></div></header>"#;

/// Keeps the bar in step with the state.
pub(super) fn start(state: AppState) {
    bind("example", Of::Html, move || {
        let current = state.document.with(|d| d.example).filter(|_| !state.has_departed.get()).unwrap_or_default();
        let mut html = Markup::new();
        if current.is_empty() {
            html.option("", "Own scenario", true);
        }
        let mut last = "";
        let first = examples::first();
        for (group, id, title) in std::iter::once((first.group, first.id, first.title)).chain(examples::FURTHER) {
            if group != last {
                if !last.is_empty() {
                    html.close();
                }
                html.open("optgroup", &[("label", group)]);
                last = group;
            }
            html.option(id, title, id == current);
        }
        html.finish()
    });
    bind("device", Of::Html, move || {
        state.document.with(|d| {
            let built_in = BUILT_IN.iter().map(|d| (d.id, d.name));
            match &d.rest.device {
                DeviceDraft::BuiltIn(id) => options(built_in, id),
                DeviceDraft::Custom(device) => options(built_in.chain([("", &*device.name)]), ""),
            }
        })
    });
    bind("placement", Of::Html, move || {
        let title = |placement| match placement {
            Placement::MostFree => "Most free SM",
            Placement::FirstFit => "First fit",
            Placement::RoundRobin => "Round robin",
        };
        let current = state.document.with(|d| d.rest.placement).word();
        options(Placement::ALL.iter().map(|&p| (p.word(), title(p))), current)
    });
    effect(move || {
        let selector = format!("#policy [value={}]", state.document.with(|d| d.rest.policy.kind).word());
        let radio = document().query_selector(&selector).ok().flatten();
        if let Some(radio) = radio.and_then(|r| r.dyn_into::<web_sys::HtmlInputElement>().ok()) {
            radio.set_checked(true);
        }
    });
    bind("undo", Of::Flag("disabled"), move || flag(!state.history.with(|h| h.can_undo())));
    bind("redo", Of::Flag("disabled"), move || flag(!state.history.with(|h| h.can_redo())));
    bind("theme", Of::Attribute("aria-label"), move || theme_name(state));
    bind("theme", Of::Attribute("title"), move || theme_name(state));
    effect(move || {
        if let Some(root) = document().document_element() {
            // Cannot fail on an element of this document.
            let _ = root.set_attribute("data-theme", if state.is_dark() { "dark" } else { "light" });
        }
    });
    effect(move || {
        let (veiled, presenting) = (state.is_veiled.get(), state.is_presenting.get());
        if let Some(root) = document().document_element() {
            // Names of attributes.
            let _ = root.toggle_attribute_with_force("data-veiled", veiled);
            let _ = root.toggle_attribute_with_force("data-presenting", presenting);
        }
    });
    listen("leave-presenting", "click", move |_: &ev::MouseEvent| state.is_presenting.set(false));
    listen("top", "click", move |event| on_click(state, event));
    listen("top", "change", move |event| on_change(state, event));
}

/// The options of a list, as values and names.
fn options<'a>(list: impl Iterator<Item = (&'a str, &'a str)>, current: &str) -> String {
    let mut html = Markup::new();
    for (value, name) in list {
        html.option(value, name, value == current);
    }
    html.finish()
}

fn on_click(state: AppState, event: &ev::MouseEvent) {
    if let Some(tool) = said(event, "data-open-tool").and_then(|name| ToolId::from_name(&name)) {
        state.open_tool(tool, "");
    }
    match said(event, "data-act").unwrap_or_default().as_str() {
        "" => {}
        "present" => present(state),
        "open" => {
            if let Some(input) = by_id::<web_sys::HtmlElement>("open-file") {
                input.click();
            }
        }
        "undo" => state.undo(),
        "redo" => state.redo(),
        "theme" => next_theme(state),
        "help" => state.help_open.set(true),
        file => files::save(state, file),
    }
    // What was picked closes the menu it is in.
    if let Some(menu) = target(event).and_then(|t| t.closest("details").ok().flatten()) {
        // Cannot fail on an element of this document.
        let _ = menu.remove_attribute("open");
    }
}

/// Leaves the presenter view, or goes there.
pub(super) fn present(state: AppState) {
    state.is_presenting.update(|is_on| *is_on = !*is_on);
}

/// The next stop of the tour, or the one before; without a tour the next moment worth seeing, or
/// instant.
pub(super) fn next_moment(state: AppState, forward: bool) {
    if state.send_if_open::<tour::Tour>(ToolId::Tour, if forward { tour::Msg::Next } else { tour::Msg::Back }) {
        return;
    }
    let now = state.now_untracked();
    let has_departed = state.has_departed.get_untracked();
    let moment = state.guide.with_untracked(|guide| {
        let mut moments = guide.iter().filter(|_| !has_departed).flat_map(|g| &g.about.moments).map(|moment| moment.at);
        if forward { moments.find(|&at| at > now) } else { moments.rfind(|&at| at < now) }
    });
    state.visit(|| match moment {
        Some(at) => state.go_to_time(at),
        None => state.instant(forward),
    });
}

fn on_change(state: AppState, event: &ev::Event) {
    let (Some(control), value) = (target(event), held(event)) else { return };
    match control.id().as_str() {
        "example" => {
            guide::open(state, &value);
        }
        "device" => state.edit(None, |d| d.set_device(&value)),
        "placement" => {
            if let Some(placement) = Placement::from_word(&value) {
                state.edit(None, |d| d.rest.placement = placement);
            }
        }
        "open-file" => {
            if let Ok(input) = control.dyn_into::<web_sys::HtmlInputElement>() {
                if let Some(files) = input.files() {
                    files::open_files(state, &files);
                }
                // The same file can be picked again.
                input.set_value("");
            }
        }
        _ => {
            if let Some(kind) = PolicyKind::from_word(&value) {
                state.edit(None, |d| d.rest.policy.kind = kind);
            }
        }
    }
}

fn theme_name(state: AppState) -> String {
    match state.theme.get() {
        Theme::System => "Colours: as the system",
        Theme::Light => "Colours: light",
        Theme::Dark => "Colours: dark",
    }
    .to_owned()
}

/// Light, dark, or as the system says; in turn.
fn next_theme(state: AppState) {
    let dark_system = untrack(|| state.is_dark());
    state.theme.update(|theme| {
        *theme = match (*theme, dark_system) {
            (Theme::System, true) | (Theme::Dark, _) => Theme::Light,
            (Theme::System | Theme::Light, _) => Theme::Dark,
        }
    });
}
