//! The tools on the page: which are open, what they are told, and what they have the page do.
//!
//! Depends on the page's state and on its workers. Invariants: a tool is told one thing at a time, in order, and of moves only
//! the latest; what it remembers and shows comes from its own `update` and `view`; nothing here knows one tool from another
//! but by its [`super::Info`].

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::{Event, Info, Tool, ToolId, share};
use crate::app::client;
use crate::app::page::state::AppState;
use crate::app::page::{effects, storage};
use crate::protocol::{self, Cursor, Screen, ToolAnswer, ToolEvent};
use crate::view::document::Document;

/// What the page keeps of its tools.
#[derive(Clone, Copy)]
pub(crate) struct Tools {
    /// Those that are open, in the order of their panels.
    pub(crate) open: RwSignal<Vec<ToolId>>,
    slots: StoredValue<Vec<Slot>>,
    /// The document that the page's address holds.
    pub(crate) linked: StoredValue<Option<Arc<Document>>>,
}

/// What is kept for a tool.
struct Slot {
    /// What it remembers.
    memory: String,
    /// What it shows.
    shown: RwSignal<Shown>,
    /// Whether it is being told something.
    is_busy: bool,
    /// What it is to be told after that.
    next: VecDeque<Vec<u8>>,
}

/// What a tool shows.
#[derive(Clone, Debug, PartialEq)]
enum Shown {
    /// Nothing yet.
    Nothing,
    /// Nothing, because it would tell what is asked.
    Hidden,
    /// Why there is nothing.
    Failed(String),
    /// Its view, in bytes.
    View(Arc<[u8]>),
}

/// The kind of what is shown, which changes less often.
#[derive(Clone, PartialEq)]
enum Kind {
    Nothing,
    Says(String),
    View,
}

impl Tools {
    /// No tool is open.
    pub(crate) fn new() -> Self {
        let slot = |_: &ToolId| Slot { memory: String::new(), shown: RwSignal::new(Shown::Nothing), is_busy: false, next: VecDeque::new() };
        Self {
            open: RwSignal::new(Vec::new()),
            slots: StoredValue::new(ToolId::ALL.iter().map(slot).collect()),
            linked: StoredValue::new(None),
        }
    }

    /// Whether a tool is open; tracks it.
    pub(crate) fn is_open(self, tool: ToolId) -> bool {
        self.open.with(|open| open.contains(&tool))
    }

    /// Whether a tool has the whole page; tracks it.
    pub(crate) fn page(self) -> Option<ToolId> {
        self.open.with(|open| open.iter().copied().find(|tool| tool.info().is_page))
    }

    /// What a tool remembers.
    pub(crate) fn memory(self, tool: ToolId) -> String {
        self.slots.with_value(|slots| slots[tool.index()].memory.clone())
    }

    /// Has it remember something else.
    pub(crate) fn set_memory(self, tool: ToolId, memory: String) {
        self.slots.update_value(|slots| slots[tool.index()].memory = memory);
    }

    fn shown(self, tool: ToolId) -> RwSignal<Shown> {
        self.slots.with_value(|slots| slots[tool.index()].shown)
    }

    fn set_open(self, tool: ToolId, is_open: bool) {
        if untrack(|| self.is_open(tool)) != is_open {
            self.open.update(|open| {
                open.retain(|other| *other != tool);
                if is_open {
                    open.push(tool);
                }
                open.sort();
            });
        }
    }
}

impl AppState {
    /// Opens a tool with a word for it, and brings it into sight.
    pub(crate) fn open_tool(self, tool: ToolId, word: &str) {
        self.show_tool(tool, &Event::Opened(word.to_owned()));
        // Once it stands.
        request_animation_frame(move || {
            if let Some(title) = by_id::<HtmlElement>(&title_id(tool.info())) {
                // It can take the focus, which brings it into sight.
                let _ = title.focus();
            }
        });
    }

    /// Opens a tool, and tells it so; the focus stays where it is.
    pub(crate) fn show_tool(self, tool: ToolId, event: &Event<()>) {
        self.tools.set_open(tool, true);
        if !tool.info().is_page {
            return self.tell_tool(tool, event);
        }
        // How wide it is, is known once it has the page.
        let event = event.clone();
        leptos::task::spawn_local(async move {
            leptos::task::tick().await;
            if untrack(|| self.tools.is_open(tool)) {
                self.tell_tool(tool, &event);
            }
        });
    }

    /// Opens a tool with files: name and text of each.
    pub(crate) fn give_files(self, tool: ToolId, files: Vec<(String, String)>) {
        self.notice.set(None);
        self.show_tool(tool, &Event::OpenedWith(files));
    }

    /// Opens a tool, or closes it if it is open.
    pub(crate) fn toggle_tool(self, tool: ToolId) {
        if untrack(|| self.tools.is_open(tool)) { self.close_tool(tool) } else { self.open_tool(tool, "") }
    }

    /// Closes a tool.
    pub(crate) fn close_tool(self, tool: ToolId) {
        if untrack(|| self.tools.is_open(tool)) {
            self.tools.set_open(tool, false);
            self.tell_tool(tool, &Event::Closed);
            if tool == ToolId::Ask {
                self.selected.set(None);
            }
        }
    }

    /// Tells a tool something that has no message of its own.
    pub(crate) fn tell_tool(self, tool: ToolId, event: &Event<()>) {
        // The bytes do not depend on the type of messages, of which this is none.
        match protocol::encode(event) {
            Ok(bytes) => self.tell_bytes(tool, bytes, matches!(event, Event::Moved)),
            Err(why) => self.complain(why),
        }
    }

    /// Tells a tool what the reader did elsewhere than in its panel; false if it is not open.
    pub(crate) fn send_to_tool<T: Tool>(self, tool: ToolId, message: T::Msg) -> bool {
        let is_open = untrack(|| self.tools.is_open(tool));
        if let (true, Ok(bytes)) = (is_open, protocol::encode(&Event::Message(message))) {
            self.tell_bytes(tool, bytes, false);
        }
        is_open
    }

    fn tell_bytes(self, tool: ToolId, event: Vec<u8>, is_move: bool) {
        let is_busy = self.tools.slots.try_update_value(|slots| {
            let slot = &mut slots[tool.index()];
            if slot.is_busy {
                if !is_move || slot.next.back() != Some(&event) {
                    slot.next.push_back(event.clone());
                }
                return true;
            }
            slot.is_busy = true;
            false
        });
        if is_busy == Some(false) {
            self.send_event(tool, event);
        }
    }

    fn send_event(self, tool: ToolId, event: Vec<u8>) {
        let name = tool.info().name;
        let request = untrack(|| ToolEvent {
            tool: name.to_owned(),
            event,
            memory: self.tools.memory(tool),
            run: self.run.with(|run| run.id),
            cursor: self.cursor_now(),
            screen: self.screen(),
            example: self.document.with(|d| d.example).map(str::to_owned),
            page: effects::page_address().map(|base| (base, self.other_tools(tool))),
        });
        client::ask(request, move |answer| {
            // The page may be gone in tests.
            if self.tools.open.try_get_untracked().is_some() {
                self.take_answer(tool, answer);
            }
        });
    }

    /// For the tool that makes links: every other tool that is open with what it remembers; notes are the reader's own, open
    /// or not.
    fn other_tools(self, tool: ToolId) -> Vec<(String, String)> {
        if tool != ToolId::Share {
            return Vec::new();
        }
        let is_told = |other: &ToolId| {
            *other != tool && (self.tools.is_open(*other) || *other == ToolId::Notes && !self.tools.memory(*other).is_empty())
        };
        let told = ToolId::ALL.iter().copied().filter(is_told);
        told.map(|other| (other.info().name.to_owned(), self.tools.memory(other))).collect()
    }

    fn cursor_now(self) -> Cursor {
        let row = self.selected.get().and_then(|id| self.run.with(|run| run.row(id)));
        Cursor { position: self.position.get(), at: self.now(), row, op: self.asked_op.get() }
    }

    fn screen(self) -> Screen {
        let scale = self.scale.get();
        Screen {
            is_dark: self.is_dark(),
            is_future_hidden: self.is_veiled.get(),
            is_presenting: self.is_presenting.get(),
            width_px: by_id::<HtmlElement>("tools").map_or(0, |e| e.client_width().max(0) as u32),
            left_px: scale.left_px().round() as u32,
            plot_px: scale.width_px().round() as u32,
            end: self.whole_end(),
            shown: self.is_zoomed().then(|| scale.shown()),
        }
    }

    fn take_answer(self, tool: ToolId, answer: Result<ToolAnswer, String>) {
        let mut goes_on = false;
        match answer {
            Ok(answer) => {
                let is_new = self.tools.memory(tool) != answer.memory;
                // Most answers change nothing that is to be kept.
                if is_new && tool.info().keeps {
                    storage::keep_memory(tool.info().name, &answer.memory);
                }
                self.tools.set_memory(tool, answer.memory);
                if tool != ToolId::Share {
                    self.renew_link();
                }
                let shown = if answer.view.is_empty() { Shown::Hidden } else { Shown::View(answer.view.into()) };
                let signal = self.tools.shown(tool);
                if signal.with_untracked(|now| *now != shown) {
                    signal.set(shown);
                }
                for effect in answer.effects {
                    goes_on |= effects::run(self, tool, effect);
                }
            }
            Err(why) if why == client::NO_WORKERS => self.complain(why),
            Err(why) => self.tools.shown(tool).set(Shown::Failed(why)),
        }
        let next = self.tools.slots.try_update_value(|slots| {
            let slot = &mut slots[tool.index()];
            let next = slot.next.pop_front();
            slot.is_busy = next.is_some();
            next
        });
        match next.flatten() {
            Some(event) => self.send_event(tool, event),
            None if goes_on => self.tell_tool(tool, &Event::Continued),
            None => {}
        }
    }

    /// Has the tool that makes links follow one, open or not.
    pub(crate) fn follow_share_link(self, hash: &str) {
        Host::<share::Share>::new(self, ToolId::Share).send(share::Msg::Follow(hash.to_owned()));
    }

    /// The link on screen holds which tools are open, and what they remember.
    pub(crate) fn renew_link(self) {
        if untrack(|| self.tools.is_open(ToolId::Share)) {
            self.tell_tool(ToolId::Share, &Event::Moved);
        }
    }
}

/// Loads what tools remember of earlier visits, and tells those that are open where the reader goes.
pub(crate) fn start(state: AppState) {
    for tool in ToolId::ALL.iter().copied().filter(|tool| tool.info().keeps) {
        if let Some(memory) = storage::memory(tool.info().name) {
            state.tools.set_memory(tool, memory);
        }
    }
    Effect::new(move |_| {
        state.run.track();
        state.scale.track();
        state.selected.track();
        state.asked_op.track();
        let _ = (state.position.get(), state.now(), state.is_dark(), state.is_veiled.get());
        let open = state.tools.open.get_untracked();
        // While a link is being followed its run may be on its way.
        let arriving = Some(ToolId::Share).filter(|tool| !open.contains(tool) && share::is_waiting(&state.tools.memory(*tool)));
        for tool in open.into_iter().chain(arriving) {
            state.tell_tool(tool, &Event::Moved);
        }
    });
    // A kernel that is selected is asked about.
    Effect::new(move |_| match (state.selected.with(Option::is_some), untrack(|| state.tools.is_open(ToolId::Ask))) {
        (true, false) => state.show_tool(ToolId::Ask, &Event::Opened(String::new())),
        (false, true) => state.close_tool(ToolId::Ask),
        _ => {}
    });
    Effect::new(move |_| {
        let has_page = state.tools.page().is_some();
        if let Some(root) = document().document_element() {
            // The name of an attribute.
            let _ = root.toggle_attribute_with_force("data-batch", has_page);
        }
        state.renew_link();
    });
}

/// The element with this id.
fn by_id<E: JsCast>(id: &str) -> Option<E> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

fn title_id(info: &Info) -> String {
    format!("tool-{}-title", info.name)
}

/// The panels of the tools that are open.
#[component]
pub(crate) fn ToolPanels(state: AppState) -> impl IntoView {
    let panel = move |tool: ToolId| {
        let info = tool.info();
        view! {
            <section class="panel tool" id=format!("tool-{}", info.name) data-tool=info.name aria-labelledby=title_id(info)>
                <div class="tool-head">
                    <h2 id=title_id(info) tabindex="-1">{info.title}</h2>
                    <button class="icon small" aria-label="Close" title="Close" on:click=move |_| state.close_tool(tool)>"×"</button>
                </div>
                {tool.panel(state)}
            </section>
        }
    };
    view! {
        <div id="tools" class="tools">
            <For each=move || state.tools.open.get() key=|tool| *tool children=panel />
        </div>
    }
}

/// Where tools draw pictures as wide as the timeline.
#[component]
pub(crate) fn WideParts(state: AppState) -> impl IntoView {
    let with_part = move || state.tools.open.get().into_iter().filter(|tool| tool.info().wide.is_some()).collect::<Vec<_>>();
    view! { <For each=with_part key=|tool| *tool children=move |tool: ToolId| tool.wide(state) /> }
}

/// What a component knows of its tool.
pub(crate) struct Host<T: Tool> {
    state: AppState,
    id: ToolId,
    tool: PhantomData<fn() -> T>,
}

impl<T: Tool> Clone for Host<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Tool> Copy for Host<T> {}

impl<T: Tool> Host<T> {
    fn new(state: AppState, id: ToolId) -> Self {
        Self { state, id, tool: PhantomData }
    }

    /// Tells the tool what the reader did.
    pub(crate) fn send(self, message: T::Msg) {
        match protocol::encode(&Event::Message(message)) {
            Ok(bytes) => self.state.tell_bytes(self.id, bytes, false),
            Err(why) => self.state.complain(why),
        }
    }
}

/// A tool with a component.
pub(crate) trait Panel: Tool {
    /// The content of its panel. Called when there is first something to show; `view` changes with each answer.
    fn panel(host: Host<Self>, view: Memo<Self::View>) -> AnyView;

    /// Its part under the timeline, as a whole section; nothing for most tools.
    fn wide(host: Host<Self>, view: Memo<Self::View>) -> AnyView {
        let _ = (host, view);
        ().into_any()
    }
}

/// What the table of tools calls.
pub(super) trait Show {
    /// The content of its panel.
    fn show(id: ToolId, state: AppState) -> AnyView;
    /// Its part under the timeline.
    fn show_wide(id: ToolId, state: AppState) -> AnyView;
}

/// The parts of what a tool shows that components follow: its kind, and the view.
fn follow<V>(shown: RwSignal<Shown>) -> (Memo<Kind>, impl Fn() -> Option<Memo<V>>)
where
    V: serde::de::DeserializeOwned + Clone + PartialEq + Send + Sync + 'static,
{
    let kind = Memo::new(move |_| {
        shown.with(|shown| match shown {
            Shown::Nothing => Kind::Nothing,
            Shown::Hidden => Kind::Says("Hidden until you have answered.".to_owned()),
            Shown::Failed(why) => Kind::Says(why.clone()),
            Shown::View(_) => Kind::View,
        })
    });
    let decoded = move || {
        shown.with(|shown| match shown {
            Shown::View(bytes) => protocol::decode::<V>(bytes).ok(),
            _ => None,
        })
    };
    let view = move || {
        let first = untrack(decoded)?;
        Some(Memo::new(move |last: Option<&V>| decoded().unwrap_or_else(|| last.unwrap_or(&first).clone())))
    };
    (kind, view)
}

impl<T: Panel> Show for T {
    fn show(id: ToolId, state: AppState) -> AnyView {
        let host = Host::<T>::new(state, id);
        let (kind, view) = follow::<T::View>(state.tools.shown(id));
        let content = move || match kind.get() {
            Kind::Nothing => ().into_any(),
            Kind::Says(why) => view! { <p class="tool-note">{why}</p> }.into_any(),
            Kind::View => view().map_or_else(|| ().into_any(), |view| T::panel(host, view)),
        };
        view! { <div class="tool-body">{content}</div> }.into_any()
    }

    fn show_wide(id: ToolId, state: AppState) -> AnyView {
        let host = Host::<T>::new(state, id);
        let (kind, view) = follow::<T::View>(state.tools.shown(id));
        let content = move || match kind.get() {
            Kind::View => view().map_or_else(|| ().into_any(), |view| T::wide(host, view)),
            _ => ().into_any(),
        };
        view! { {content} }.into_any()
    }
}
