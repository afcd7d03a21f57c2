//! The panel of schedulability: studies on a pool of workers.
//!
//! Depends on `state` and `lab`. Invariants: nothing is reckoned here but sums of counts, and no field
//! is read; which sets are counted does not depend on the number of workers or on their speed;
//! what was counted before a study is cancelled stays.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::dynamic::{by_id, effect, flag, form_query, listen, said, set_html, target};
use super::files;
use super::state::AppState;
use super::verdicts::{self, show_answer, theme, width};
use crate::app::client::{self, WorkerFor, text, words};
use crate::format;
use crate::lab::study::counted;
use crate::lab::whole;
use crate::protocol::LegacyPart;
use crate::units::Time;
use crate::view::document::Document;
use crate::view::quantity::format_count;

/// How long a part is to take, in ms.
const PART_MS: f64 = 140.0;
/// Sets of the first part.
const FIRST: u64 = 4;
/// The least time between two pictures of a study that goes on, in ms.
const REDRAW_MS: f64 = 500.0;
/// Most workers of the pool.
const MAX_WORKERS: usize = 64;
/// Begins the fragment of an address that holds a study.
const LINK: &str = "#study=";

/// Its fixed parts.
pub(super) const PARTS: &str = r#"<details class="panel results study" id="study"><summary><h2>Schedulability</h2><span class="quiet">tests of this scenario; studies of many random task sets, with the figures of [LP] and [EDF]</span></summary><div id="verdicts" aria-live="off"></div><details class="res-details typed"><summary>The same for a task set that you type in</summary><label for="typed-set">A task a line: execution time, period, and deadline if it is not the period</label><textarea id="typed-set" rows="4" spellcheck="false" placeholder="3 ms, 10 ms&#10;5 ms, 20 ms, 15 ms"></textarea><div><button class="small" data-act="typed-open">Open in the stepper</button></div><div id="typed-verdicts" class="res"></div></details><section class="study-lab"><h3>Studies of random task sets</h3><form id="study-form" novalidate></form><div class="study-run"><button class="primary" id="study-run" form="study-form">Run</button><button id="study-pause" data-act="pause" disabled>Pause</button><button id="study-cancel" data-act="cancel-study" disabled>Cancel</button><progress id="study-bar" max="1000" value="0" aria-label="Counted so far"></progress><span id="study-text" class="quiet"></span><span id="study-status" class="visually-hidden" role="status"></span></div><div id="study-done" hidden><div id="study-figure" class="res"></div><div class="study-run"><button class="small" data-act="study-svg">Save SVG</button><button class="small" data-act="study-png">Save PNG</button><button class="small" data-act="study-csv">Save CSV</button><a id="study-link">Link to this study</a></div><details class="res-details" id="study-table"><summary>The same as a table</summary><div id="study-rows" class="res"></div></details><div id="study-sets" class="res"></div></div></section></details>"#;

/// Where the study stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    None,
    Running,
    Paused,
    Cancelled,
    Whole,
}

impl Stage {
    /// As the lab calls it.
    fn word(self) -> &'static str {
        ["", "running", "paused", "cancelled", "whole"][self as usize]
    }

    /// As the page says it.
    fn name(self) -> &'static str {
        ["", "", "Paused: ", "Cancelled: partial, ", "Complete: "][self as usize]
    }
}

/// The study on screen.
struct Study {
    /// Told apart from those before it.
    number: u32,
    stage: Stage,
    /// As a file.
    text: String,
    link: String,
    /// Sets of each point.
    sets: u64,
    /// Numbers of each point in `counts`.
    width: usize,
    counts: Vec<u64>,
    /// Of each point: the first set not handed out, and how many make a part.
    next: Vec<(u64, u64)>,
    /// Sets that were counted.
    done: u64,
    busy: [bool; MAX_WORKERS],
    /// When it began or went on, and how long it had run before, in ms.
    since: f64,
    spent: f64,
    /// Whether a picture is asked for, when the last one was, and whether another one is due.
    is_drawing: bool,
    drawn: f64,
    is_due: bool,
}

type Shared = Rc<RefCell<Study>>;

/// Fills the panel; nothing is asked for while it is closed.
pub(super) fn start(state: AppState) {
    let is_open = RwSignal::new(false);
    verdicts::start(state, is_open);
    let study = Rc::new(RefCell::new(Study {
        number: 0,
        stage: Stage::None,
        text: String::new(),
        link: String::new(),
        sets: 0,
        width: 2,
        counts: Vec::new(),
        next: Vec::new(),
        done: 0,
        busy: [false; MAX_WORKERS],
        since: 0.0,
        spent: 0.0,
        is_drawing: false,
        drawn: 0.0,
        is_due: false,
    }));
    let opened = Rc::clone(&study);
    let on_toggle = move |event: &ev::Event| {
        let now_open = target(event).is_some_and(|details| details.has_attribute("open"));
        is_open.set(now_open);
        if now_open && by_id::<Element>("study-form").is_some_and(|form| !form.has_attribute("data-asked")) {
            show_form(state, "");
        }
    };
    listen("study", "toggle", on_toggle);
    let on_click = {
        let study = Rc::clone(&study);
        move |event: &ev::MouseEvent| click(state, &study, event)
    };
    listen("study", "click", on_click);
    listen("study-form", "submit", {
        let study = Rc::clone(&study);
        move |event: &ev::SubmitEvent| {
            event.prevent_default();
            let stage = study.borrow().stage;
            if stage != Stage::Running && stage != Stage::Paused {
                run(state, &study);
            }
        }
    });
    listen("study-form", "change", move |event: &ev::Event| match target(event).filter(|e| e.id() == "sf-preset").and_then(|_| chosen()) {
        Some(preset) => show_form(state, &preset),
        None => check(state, |_| ()),
    });
    let redraw = Rc::clone(&study);
    listen("study-table", "toggle", move |_: &ev::Event| draw(state, &redraw, true));
    effect(move || {
        state.is_dark();
        draw(state, &opened, true);
    });
    // The page's parts stand when effects run.
    effect(move || follow_link(state));
    let follow = window_event_listener_untyped("hashchange", move |_| follow_link(state));
    on_cleanup(move || follow.remove());
}

/// Opens what the page's address asks for.
pub(super) fn follow_link(state: AppState) {
    let hash = window().location().hash().unwrap_or_default();
    if let (Some(fields), Some(panel)) = (hash.strip_prefix(LINK), by_id::<Element>("study")) {
        show_form(state, fields);
        // Cannot fail on an element of this document.
        let _ = panel.set_attribute("open", "");
        panel.scroll_into_view();
    }
}

// ---- The form ----

fn show_form(state: AppState, fields: &str) {
    if let Some(form) = by_id::<Element>("study-form") {
        // Cannot fail on an element of this document.
        let _ = form.set_attribute("data-asked", "");
    }
    client::ask_legacy(WorkerFor::Requests, None, &["study-form", fields], move |answer| {
        show_answer("study-form", answer);
        check(state, |_| ());
    });
}

/// The form as a query.
fn fields() -> String {
    form_query("study-form")
}

/// The preset's part of it, which comes first.
fn chosen() -> Option<String> {
    fields().split('&').next().map(str::to_owned)
}

/// Tells what is wrong with the form, and else what comes of it.
fn check(state: AppState, then: impl Fn(&[LegacyPart]) + 'static) {
    client::ask_legacy(WorkerFor::Requests, None, &["study", &fields()], move |answer| {
        let parts = match answer {
            Ok(parts) => parts,
            Err(why) => return state.complain(why),
        };
        let parts = &parts[..];
        let Some(form) = by_id::<Element>("study-form") else { return };
        let Ok(places) = form.query_selector_all(".field-error") else { return };
        let problem = |id: &str| (3..parts.len()).step_by(2).find(|&i| format!("sf-{}-error", text(parts, i)) == id);
        for place in (0..places.length()).filter_map(|i| by_node(&places, i)) {
            let id = place.id();
            let what = problem(&id).map_or_else(String::new, |i| text(parts, i + 1));
            if let Some(control) = by_id::<Element>(id.trim_end_matches("-error")) {
                // A name of an attribute.
                let _ =
                    if what.is_empty() { control.remove_attribute("aria-invalid") } else { control.set_attribute("aria-invalid", "true") };
            }
            if place.text_content().as_deref() != Some(&what) {
                place.set_text_content(Some(&what));
            }
        }
        if !text(parts, 0).is_empty() {
            then(parts);
        }
    });
}

fn by_node(list: &web_sys::NodeList, i: u32) -> Option<Element> {
    use wasm_bindgen::JsCast;
    list.item(i)?.dyn_into().ok()
}

// ---- Counting ----

fn click(state: AppState, study: &Shared, event: &ev::MouseEvent) {
    if let Some(key) = said(event, "data-point") {
        match said(event, "data-set") {
            Some(set) => open_set(state, study, &key, &set),
            None => show_failing(study, &key),
        }
        return;
    }
    match said(event, "data-act").as_deref() {
        Some("pause") => pause(state, study),
        Some("cancel-study") => finish(state, study, Stage::Cancelled),
        Some("study-svg") => save(state, study, "study-svg", "svg", "image/svg+xml"),
        Some("study-png") => save(state, study, "study-svg", "png", ""),
        Some("study-csv") => save(state, study, "study-csv", "csv", "text/csv"),
        _ => {}
    }
}

fn run(state: AppState, study: &Shared) {
    let study = Rc::clone(study);
    check(state, move |parts| {
        let &[points, tests, low, high] = &words(parts, 2)[..] else { return };
        stop_workers();
        let link = format!("{LINK}{}", text(parts, 1));
        {
            let mut s = study.borrow_mut();
            let width = 2 + tests as usize;
            *s = Study {
                number: s.number + 1,
                stage: Stage::Running,
                text: text(parts, 0),
                link,
                sets: whole(low, high),
                width,
                counts: vec![0; points as usize * width],
                next: vec![(0, 0); points as usize],
                done: 0,
                busy: [false; MAX_WORKERS],
                since: now(),
                spent: 0.0,
                is_drawing: false,
                drawn: 0.0,
                is_due: false,
            };
            if let Some(link) = by_id::<Element>("study-link") {
                // Cannot fail on an element of this document.
                let _ = link.set_attribute("href", &s.link);
            }
            if let Ok(history) = window().history() {
                // Some pages may not change their address; the link is there all the same.
                let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&s.link));
            }
        }
        if let Some(sets) = by_id::<Element>("study-sets") {
            sets.set_inner_html("");
        }
        say(&study);
        feed(state, &study);
    });
}

fn pause(state: AppState, study: &Shared) {
    let stage = {
        let mut s = study.borrow_mut();
        match s.stage {
            Stage::Running => {
                s.spent += now() - s.since;
                s.stage = Stage::Paused;
            }
            Stage::Paused => {
                s.since = now();
                s.stage = Stage::Running;
            }
            _ => return,
        }
        s.stage
    };
    say(study);
    if stage == Stage::Running {
        feed(state, study);
    } else {
        draw(state, study, true);
    }
}

/// Ends it, with what was counted.
fn finish(state: AppState, study: &Shared, stage: Stage) {
    stop_workers();
    {
        let mut s = study.borrow_mut();
        s.spent += if s.stage == Stage::Running { now() - s.since } else { 0.0 };
        s.stage = stage;
        // What comes of earlier requests is of no use.
        s.number += 1;
        s.is_drawing = false;
    }
    say(study);
    draw(state, study, true);
}

fn stop_workers() {
    (0..MAX_WORKERS).for_each(|i| client::stop(WorkerFor::Study(i)));
}

/// One fewer than the processors, and at least one.
fn workers() -> usize {
    (window().navigator().hardware_concurrency() as usize).saturating_sub(1).clamp(1, MAX_WORKERS)
}

/// Hands a part to every worker that has none.
fn feed(state: AppState, study: &Shared) {
    for worker in 0..workers() {
        let (text, number, point, from, to) = {
            let mut s = study.borrow_mut();
            if s.stage != Stage::Running || s.busy[worker] {
                continue;
            }
            // The point with the fewest, so that all curves sharpen evenly.
            let sets = s.sets;
            let Some(point) = (0..s.next.len()).filter(|&p| s.next[p].0 < sets).min_by_key(|&p| s.next[p].0) else { continue };
            let (from, size) = s.next[point];
            let to = from.saturating_add(size.max(FIRST)).min(sets);
            s.next[point].0 = to;
            s.busy[worker] = true;
            (s.text.clone(), s.number, point, from, to)
        };
        let (began, shared) = (now(), Rc::clone(study));
        let on_answer = move |answer: Result<Vec<LegacyPart>, String>| {
            if shared.borrow().number != number {
                return;
            }
            let parts = match answer {
                Ok(parts) => parts,
                Err(why) => {
                    state.complain(why);
                    return finish(state, &shared, Stage::Cancelled);
                }
            };
            let is_whole = add(&shared, worker, point, to - from, &counted(&words(&parts, 0)), now() - began);
            if is_whole {
                return finish(state, &shared, Stage::Whole);
            }
            feed(state, &shared);
            say(&shared);
            let is_running = shared.borrow().stage == Stage::Running;
            draw(state, &shared, !is_running);
        };
        let request = ["study-count", &*text, &point.to_string(), &from.to_string(), &to.to_string()];
        client::ask_legacy(WorkerFor::Study(worker), None, &request, on_answer);
    }
}

/// Adds what a part came to; whether that was the last one.
fn add(study: &Shared, worker: usize, point: usize, sets: u64, numbers: &[u64], took: f64) -> bool {
    let mut s = study.borrow_mut();
    let s = &mut *s;
    s.busy[worker] = false;
    s.done += sets;
    s.counts[point * s.width..].iter_mut().zip(numbers).for_each(|(sum, more)| *sum += more);
    // The first part of a worker takes the time to load it, so a single one says little.
    let size = (sets as f64 * PART_MS / took.max(1.0)) as u64;
    s.next[point].1 = size.clamp(FIRST, sets.max(FIRST) * 8);
    s.done == s.sets * s.next.len() as u64
}

fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

/// What the buttons can do, and how far it is.
fn say(study: &Shared) {
    let s = study.borrow();
    let (is_running, is_paused) = (s.stage == Stage::Running, s.stage == Stage::Paused);
    let set = |id: &str, name: &str, value: &str| {
        if let Some(element) = by_id::<Element>(id) {
            // Names of attributes.
            let _ = if value.is_empty() { element.remove_attribute(name) } else { element.set_attribute(name, value) };
        }
    };
    let write = |id: &str, text: &str| {
        if let Some(element) = by_id::<Element>(id).filter(|e| e.text_content().as_deref() != Some(text)) {
            element.set_text_content(Some(text));
        }
    };
    set("study-run", "disabled", &flag(is_running || is_paused));
    set("study-pause", "disabled", &flag(!is_running && !is_paused));
    set("study-cancel", "disabled", &flag(!is_running && !is_paused));
    set("study-done", "hidden", &flag(s.stage == Stage::None));
    write("study-pause", if is_paused { "Go on" } else { "Pause" });
    let all = s.sets * s.next.len() as u64;
    let done = u128::from(s.done);
    set("study-bar", "value", &(done * 1000 / u128::from(all.max(1))).to_string());
    let spent = s.spent + if is_running { now() - s.since } else { 0.0 };
    let time = if is_running {
        let left = spent * (all - s.done) as f64 / s.done.max(1) as f64;
        if spent < 1000.0 { String::new() } else { format!(", about {} left", seconds(left)) }
    } else {
        format!(", {}", seconds(spent))
    };
    write("study-text", &format!("{}{} of {} sets{time}", s.stage.name(), format_count(s.done), format_count(all)));
    write("study-status", if is_running { "Running" } else { s.stage.name().trim_end_matches([':', ',', ' ']) });
}

fn seconds(ms: f64) -> String {
    let s = (ms / 1000.0) as u64 + 1;
    if s < 100 { format!("{s} s") } else { format!("{} min", s.div_ceil(60)) }
}

/// The picture of what was counted so far; `must` if it cannot wait.
fn draw(state: AppState, study: &Shared, must: bool) {
    let (number, request) = {
        let mut s = study.borrow_mut();
        if s.stage == Stage::None {
            return;
        }
        if s.is_drawing || (!must && now() - s.drawn < REDRAW_MS) {
            s.is_due |= must;
            return;
        }
        (s.is_drawing, s.is_due, s.drawn) = (true, false, now());
        let has_table = by_id::<Element>("study-table").is_some_and(|details| details.has_attribute("open"));
        let width = width("study-figure");
        let numbers = numbers(&s.counts);
        (
            s.number,
            [
                "study-figure".to_owned(),
                s.text.clone(),
                numbers,
                s.stage.word().to_owned(),
                theme(state).to_owned(),
                width,
                flag(has_table),
            ],
        )
    };
    let shared = Rc::clone(study);
    let on_answer = move |answer: Result<Vec<LegacyPart>, String>| {
        let is_due = {
            let mut s = shared.borrow_mut();
            if s.number != number {
                return;
            }
            s.is_drawing = false;
            s.is_due
        };
        if let (Some(rows), Ok(parts)) = (by_id::<Element>("study-rows"), &answer) {
            set_html(&rows, &text(parts, 1), "data-point");
        }
        show_answer("study-figure", answer);
        if is_due {
            draw(state, &shared, true);
        }
    };
    client::ask_legacy(WorkerFor::Requests, None, &request.each_ref().map(String::as_str), on_answer);
}

fn numbers(counts: &[u64]) -> String {
    let mut out = String::new();
    for n in counts {
        out.push_str(&n.to_string());
        out.push(' ');
    }
    out
}

// ---- What comes of it ----

fn save(state: AppState, study: &Shared, request: &str, extension: &'static str, mime: &'static str) {
    let s = study.borrow();
    client::ask_legacy(WorkerFor::Requests, None, &[request, &s.text, &numbers(&s.counts)], move |answer| match answer {
        Ok(parts) if mime.is_empty() => files::save_picture(state, "study.png", 2, &text(&parts, 0)),
        Ok(parts) => files::download_as(state, &format!("study.{extension}"), mime, &text(&parts, 0)),
        Err(why) => state.complain(why),
    });
}

fn show_failing(study: &Shared, key: &str) {
    let on_answer = move |answer| {
        show_answer("study-sets", answer);
        if let Some(title) = by_id::<web_sys::HtmlElement>("study-sets-title") {
            // It can take the focus.
            let _ = title.focus();
        }
    };
    client::ask_legacy(WorkerFor::Requests, None, &["study-failing", &study.borrow().text, key], on_answer);
}

fn open_set(state: AppState, study: &Shared, key: &str, set: &str) {
    let on_answer = move |answer: Result<Vec<LegacyPart>, String>| {
        let parts = match answer {
            Ok(parts) => parts,
            Err(why) => return state.complain(why),
        };
        let draft = match format::read_scenario(&text(&parts, 0)) {
            Ok(draft) => draft,
            Err(error) => return state.complain(error.to_string()),
        };
        state.open(Document::new(draft), Time(text(&parts, 1).parse().unwrap_or(0)));
        state.show_cursor();
        state.say(text(&parts, 2));
        window().scroll_to_with_x_and_y(0.0, 0.0);
    };
    client::ask_legacy(WorkerFor::Requests, None, &["study-open", &study.borrow().text, key, set], on_answer);
}
