//! The tools on the page: which are open, what they are told, and what they have the page do.
//!
//! Depends on the page's state and on its workers. Invariants: a tool is told one thing at a time, in order, and of moves only
//! the latest; what it remembers and shows comes from its own `update` and `view`; nothing here knows one tool from another
//! but by its [`blockstep_tools::Info`].

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::panels::panel::{Line, Shown};
use crate::state::{AppState, address, desk::DeskPlace, fence::Refusal, page::Page, storage};
use blockstep_format as format;
use blockstep_protocol::{self as protocol, Cursor, Effect as ToolEffect, Screen, ToolAnswer, ToolEvent};
use blockstep_sim::units::Time;
use blockstep_tools::ToolId;
use blockstep_tools::tool::{Event, Info, Tool};
use blockstep_ui::client::{self, PlaceOf};
use blockstep_view::document::Document;

/// What the page keeps of its tools.
#[derive(Clone, Copy)]
pub(crate) struct Tools {
    /// The page that is shown.
    pub(crate) page: RwSignal<Page>,
    /// Those beside the run that are open, in the order of their panels.
    pub(crate) open: RwSignal<Vec<ToolId>>,
    /// The one in sight of those that share a place.
    pub(super) front: RwSignal<Option<ToolId>>,
    slots: StoredValue<Vec<Slot>>,
    /// The reader's own scenario, while a tool shows another, and the time shown of it.
    kept: StoredValue<Option<(Arc<Document>, Time)>>,
    /// What the page's other parts share.
    pub(crate) state: AppState,
    /// Does what a tool wants; whether it wants to go on with long work.
    effect: OnEffect,
    /// What had the focus when a tool was opened last.
    opener: StoredValue<Option<HtmlElement>, LocalStorage>,
}

/// Takes what a tool has the page do.
pub(crate) type OnEffect = fn(Tools, ToolId, ToolEffect) -> bool;

/// What is kept for a tool.
struct Slot {
    /// Its tab in sight, by its word; empty if it has none.
    tab: RwSignal<&'static str>,
    /// What it remembers.
    memory: RwSignal<String>,
    /// The same with what the reader has edited since, of which it is being told.
    latest: StoredValue<String>,
    /// What it shows.
    shown: RwSignal<Shown>,
    /// What stands over its panel in place of its title; empty if nothing does.
    title: RwSignal<String>,
    /// What it is being told.
    on_its_way: PlaceOf,
    /// Whether it is being told something.
    is_busy: bool,
    /// What it is to be told after that.
    next: VecDeque<Vec<u8>>,
}

impl Slot {
    fn new(tool: ToolId) -> Self {
        Self {
            tab: RwSignal::new(tool.info().tabs.first().map_or("", |(word, _)| word)),
            memory: RwSignal::default(),
            latest: StoredValue::default(),
            shown: RwSignal::default(),
            title: RwSignal::default(),
            on_its_way: PlaceOf::default(),
            is_busy: false,
            next: VecDeque::new(),
        }
    }

    /// Forgets what was edited, unless it is still to be told.
    fn forget_edits(&self) {
        if !self.is_busy {
            self.latest.set_value(self.memory.get_untracked());
        }
    }
}

impl Tools {
    /// The run, and no tool is open.
    pub(crate) fn new(state: AppState, effect: OnEffect) -> Self {
        Self {
            page: RwSignal::new(Page::Run),
            open: RwSignal::new(Vec::new()),
            front: RwSignal::new(None),
            slots: StoredValue::new(ToolId::ALL.iter().map(|tool| Slot::new(*tool)).collect()),
            kept: StoredValue::new(None),
            opener: StoredValue::new_local(None),
            state,
            effect,
        }
    }

    /// Puts a text on the clipboard for a tool.
    pub(super) fn copy(self, tool: ToolId, text: String) {
        (self.effect)(self, tool, ToolEffect::CopyText(text));
    }

    /// Whether a tool is open, or its page is shown; tracks it.
    pub(crate) fn is_open(self, tool: ToolId) -> bool {
        self.open.with(|open| open.contains(&tool)) || self.page.get().model() == Some(tool)
    }

    /// What a tool remembers.
    pub(crate) fn memory(self, tool: ToolId) -> String {
        self.slots.with_value(|slots| slots[tool.index()].memory).get_untracked()
    }

    /// Has it remember something else.
    pub(crate) fn set_memory(self, tool: ToolId, memory: String) {
        self.slots.with_value(|slots| {
            let slot = &slots[tool.index()];
            if slot.memory.with_untracked(|now| *now != memory) {
                slot.memory.set(memory);
            }
            slot.forget_edits();
        });
    }

    fn shown(self, tool: ToolId) -> RwSignal<Shown> {
        self.slots.with_value(|slots| slots[tool.index()].shown)
    }

    pub(super) fn title(self, tool: ToolId) -> RwSignal<String> {
        self.slots.with_value(|slots| slots[tool.index()].title)
    }

    pub(super) fn on_its_way(self, tool: ToolId) -> PlaceOf {
        self.slots.with_value(|slots| slots[tool.index()].on_its_way)
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
        if !tool.info().stays && !tool.info().below_kernels {
            if is_open {
                self.front.set(Some(tool));
            } else if self.front.get_untracked() == Some(tool) {
                self.front.set(
                    self.open.with_untracked(|open| open.iter().rfind(|other| !other.info().stays && !other.info().below_kernels).copied()),
                );
            }
        }
    }

    /// Keeps the scenario on screen if it is the reader's own and nothing is kept yet.
    pub(crate) fn keep_work(self) {
        let is_own = untrack(|| {
            let document = self.state.document;
            document.with(|d| d.example.is_none()) || document.is_edited() || document.other_policy().is_some()
        });
        if is_own && self.kept.with_value(Option::is_none) {
            self.kept.set_value(Some((self.state.document.get_untracked(), self.state.cursor.now_untracked())));
        }
    }

    /// Brings back what was kept, unless something else than this scenario file has taken its place since.
    pub(crate) fn restore_work(self, shown: &str) {
        let is_shown = format::read_scenario(shown)
            .is_ok_and(|shown| self.state.document.with_untracked(|d| d.draft() == Document::new(shown).draft()));
        // A quiz about what is shown goes on.
        if self.state.fence.refuses(Refusal::Open) {
            return;
        }
        let kept = self.kept.try_update_value(Option::take).flatten();
        if let Some((document, at)) = kept.filter(|_| is_shown) {
            self.state.open((*document).clone(), Some(at));
            self.state.messages.say("Your own scenario is back.".to_owned());
        }
    }

    /// Whether a tool's panel is in sight.
    pub(super) fn is_in_front(self, tool: ToolId) -> bool {
        tool.info().stays || self.front.get() == Some(tool)
    }
}

impl Tools {
    /// Opens a tool with a word for it, and brings it into sight.
    pub(crate) fn open_tool(self, tool: ToolId, word: &str) {
        let focused = document().active_element().and_then(|element| element.dyn_into::<HtmlElement>().ok());
        self.opener.set_value(focused);
        self.show_tool(tool, &Event::Opened(word.to_owned()));
        // Once it is there.
        request_animation_frame(move || {
            if let Some(title) = by_id::<HtmlElement>(&title_id(tool.info())) {
                // It can take the focus, which brings it into sight.
                let _ = title.focus();
            }
        });
    }

    /// Opens a tool, or the page that shows it, and tells it so; the focus stays where it is.
    pub(crate) fn show_tool(self, tool: ToolId, event: &Event<()>) {
        if let Some(page) = Page::of_model(tool) {
            return self.show_page(page, event);
        }
        if let Some((first, _)) = tool.info().tabs.first().filter(|_| !untrack(|| self.is_open(tool))) {
            self.tab(tool).set(first);
        }
        self.set_open(tool, true);
        tool.sharers().filter(|other| *other != tool).for_each(|other| self.close_tool(other));
        self.tell_tool(tool, event);
    }

    /// Shows a page in the place of another one, and tells it so.
    pub(crate) fn show_page(self, page: Page, event: &Event<()>) {
        self.set_page(page);
        // How wide it is, is known once it is there.
        let event = event.clone();
        leptos::task::spawn_local(async move {
            leptos::task::tick().await;
            if let Some(model) = page.model().filter(|_| self.page.get_untracked() == page) {
                self.tell_tool(model, &event);
            }
        });
    }

    fn set_page(self, page: Page) {
        let left = self.page.get_untracked();
        if left != page {
            self.page.set(page);
            if let Some(model) = left.model() {
                self.tell_closed(model);
            }
        }
    }

    /// Opens a tool with files: name and text of each.
    pub(crate) fn give_files(self, tool: ToolId, files: Vec<(String, String)>) {
        self.state.messages.notice.set(None);
        self.show_tool(tool, &Event::OpenedWith(files));
    }

    /// Closes a tool, or leaves the page that shows it.
    pub(crate) fn close_tool(self, tool: ToolId) {
        if self.page.get_untracked().model() == Some(tool) {
            self.set_page(Page::Run);
        } else if untrack(|| self.is_open(tool)) {
            self.set_open(tool, false);
            self.tell_closed(tool);
            if tool.info().follows_selection {
                self.state.selection.kernel.set(None);
            }
        }
    }

    fn tell_closed(self, tool: ToolId) {
        self.tell_tool(tool, &Event::Closed);
        client::give_up(self.on_its_way(tool));
    }

    /// Closes a tool whose close button was pressed: the focus goes back to where it was when the tool was opened.
    pub(crate) fn dismiss(self, tool: ToolId) {
        self.close_tool(tool);
        let opener = self.opener.try_update_value(Option::take).flatten();
        // An entry of a menu that is closed by now cannot take the focus: its menu does.
        let menu = |opener: &HtmlElement| {
            let menu = opener.closest("details").ok().flatten()?;
            menu.query_selector("summary").ok().flatten()?.dyn_into::<HtmlElement>().ok()
        };
        if let Some(opener) = opener.filter(|opener| opener.is_connected()) {
            // Cannot fail on an element of this document.
            let _ = menu(&opener).unwrap_or(opener).focus();
        }
    }

    /// The tab of a tool in sight, by its word.
    pub(super) fn tab(self, tool: ToolId) -> RwSignal<&'static str> {
        self.slots.with_value(|slots| slots[tool.index()].tab)
    }

    /// Shows a tab of a shared place, which keeps the focus.
    pub(super) fn open_tab(self, tool: ToolId, word: &'static str) {
        if !untrack(|| self.is_open(tool)) {
            self.show_tool(tool, &Event::Opened(String::new()));
        }
        self.tab(tool).set(word);
        request_animation_frame(move || {
            let tab = format!("#tool-{} [data-open-tab={word}]", tool.info().name);
            if let Some(tab) = document().query_selector(&tab).ok().flatten().and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
                // It is in sight, as its panel is.
                let _ = tab.focus();
            }
        });
    }

    /// Tells a tool something that has no message of its own.
    pub(crate) fn tell_tool(self, tool: ToolId, event: &Event<()>) {
        // The bytes do not depend on the type of messages, of which this is none.
        match protocol::encode(event) {
            Ok(bytes) => self.tell_bytes(tool, bytes, matches!(event, Event::Moved)),
            Err(why) => self.state.messages.complain(why.to_string()),
        }
    }

    /// Tells a tool what the reader did elsewhere than in its panel; false if it is not open.
    pub(crate) fn send_to_tool<T: Tool>(self, tool: ToolId, message: T::Msg) -> bool {
        let is_open = untrack(|| self.is_open(tool));
        if is_open {
            self.send::<T>(tool, message);
        }
        is_open
    }

    /// Tells a tool what the reader did, open or not.
    pub(crate) fn send<T: Tool>(self, tool: ToolId, message: T::Msg) {
        match protocol::encode(&Event::Message(message)) {
            Ok(bytes) => self.tell_bytes(tool, bytes, false),
            Err(why) => self.state.messages.complain(why.to_string()),
        }
    }

    /// The line to a tool's components.
    pub(super) fn line(self, tool: ToolId) -> Line {
        let (memory, latest) = self.slots.with_value(|slots| (slots[tool.index()].memory, slots[tool.index()].latest));
        Line {
            shown: self.shown(tool),
            memory: memory.into(),
            latest,
            title: self.title(tool),
            send: Callback::new(move |bytes| {
                // What is to be kept of a link's tool, once the reader uses it, is theirs.
                if tool.info().keeps && storage::has_acted() {
                    self.state.desk.touch(&self.state.document.get_untracked());
                }
                self.tell_bytes(tool, bytes, false);
            }),
            complain: Callback::new(move |why: String| self.state.messages.complain(why)),
        }
    }

    fn tell_bytes(self, tool: ToolId, event: Vec<u8>, is_move: bool) {
        match tool.info().answer_apart {
            Some(_) if is_move => return,
            Some(answer) => return self.take_answer(tool, answer(&event, &self.memory(tool)).map_err(|why| why.to_string())),
            None => {}
        }
        let is_busy = self.slots.try_update_value(|slots| {
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
            memory: self.memory(tool),
            run: self.state.run.with(|run| run.id),
            cursor: self.cursor_now(),
            screen: self.screen(),
            example: self.state.document.with(|d| d.example).map(str::to_owned),
            page: address::page_address().map(|base| (base, self.other_tools(tool))),
        });
        let take = move |answer| {
            // The page may be gone in tests.
            if self.open.try_get_untracked().is_some() {
                self.take_answer(tool, answer);
            }
        };
        if untrack(|| self.is_open(tool)) { client::ask_at(self.on_its_way(tool), request, take) } else { client::ask(request, take) }
    }

    /// For the tool that makes links: every other tool that is open, or travels closed, with what it remembers.
    fn other_tools(self, tool: ToolId) -> Vec<(String, String)> {
        if !tool.info().makes_links {
            return Vec::new();
        }
        let travels = |other: ToolId| self.is_open(other) || other.info().travels_closed && !self.memory(other).is_empty();
        let told = ToolId::ALL.iter().copied().filter(|&other| other != tool && travels(other));
        told.map(|other| (other.info().name.to_owned(), self.memory(other))).collect()
    }

    fn cursor_now(self) -> Cursor {
        let row = self.state.selection.kernel.get().and_then(|id| self.state.run.with(|run| run.row(id)));
        Cursor {
            position: self.state.cursor.position.get(),
            at: self.state.cursor.now(),
            row,
            op: self.state.selection.op.get(),
            block: self.state.selection.block.get(),
        }
    }

    fn screen(self) -> Screen {
        let scale = self.state.viewport.scale.get();
        Screen {
            is_dark: self.state.settings.is_dark(),
            is_future_hidden: self.state.settings.is_future_hidden.get(),
            held: self.state.fence.hold.get().map(|hold| hold.limit),
            now_ms: js_sys::Date::now() as u64,
            is_presenting: self.state.settings.is_presenting.get(),
            is_path_shown: self.state.settings.is_path_shown.get(),
            width_px: by_id::<HtmlElement>("tools").map_or(0, |e| e.client_width().max(0) as u32),
            left_px: scale.left_px().round() as u32,
            plot_px: scale.width_px().round() as u32,
            timeline_px: self.state.viewport.height_px.get().round() as u32,
            end: self.state.viewport.whole_end(),
            shown: (!self.state.viewport.is_whole()).then(|| scale.shown()),
        }
    }

    fn take_answer(self, tool: ToolId, answer: Result<ToolAnswer, String>) {
        let mut goes_on = false;
        match answer {
            Ok(answer) => {
                let is_new = self.memory(tool) != answer.memory;
                // Most answers change nothing that is to be kept.
                if is_new && tool.info().keeps {
                    self.state.desk.keep_memory(tool.info().name, &answer.memory);
                }
                self.set_memory(tool, answer.memory);
                if !tool.info().makes_links {
                    self.renew_link();
                }
                // A view without content is not hidden, of a tool that hides nothing.
                let is_hidden = answer.view.is_empty() && tool.info().answer_apart.is_none();
                let shown = if is_hidden { Shown::Hidden } else { Shown::View(answer.view.into()) };
                let signal = self.shown(tool);
                if signal.with_untracked(|now| *now != shown) {
                    signal.set(shown);
                }
                for effect in answer.effects {
                    goes_on |= (self.effect)(self, tool, effect);
                }
            }
            Err(why) if why == client::NO_WORKERS => self.state.messages.complain(why),
            Err(why) if why == client::CANCELLED && self.shown(tool).with_untracked(|now| *now != Shown::Nothing) => {
                self.state.messages.say(why);
            }
            Err(why) => self.shown(tool).set(Shown::Failed(why)),
        }
        let is_arriving = self.state.address.is_arriving;
        if tool.info().makes_links && !goes_on && !self.is_waiting(tool) && is_arriving.get_untracked() {
            is_arriving.set(false);
        }
        let next = self.slots.try_update_value(|slots| {
            let slot = &mut slots[tool.index()];
            let next = slot.next.pop_front();
            slot.is_busy = next.is_some();
            slot.forget_edits();
            next
        });
        match next.flatten() {
            Some(event) => self.send_event(tool, event),
            None if goes_on => self.tell_tool(tool, &Event::Continued),
            None => {}
        }
    }

    fn is_waiting(self, tool: ToolId) -> bool {
        self.slots.with_value(|slots| slots[tool.index()].memory).with_untracked(|memory| (tool.info().is_waiting)(memory))
    }

    /// The link on screen holds which tools are open, and what they remember.
    pub(crate) fn renew_link(self) {
        let open = self.open.get_untracked();
        open.into_iter().filter(|tool| tool.info().makes_links).for_each(|tool| self.tell_tool(tool, &Event::Moved));
    }
}

/// Loads what tools remember of earlier visits, and tells those that are open where the reader goes.
pub(crate) fn start(tools: Tools) {
    let state = tools.state;
    for tool in ToolId::ALL.iter().copied().filter(|tool| tool.info().keeps) {
        if let Some(memory) = state.desk.memory(tool.info().name, |text| tool.stored(text)) {
            tools.set_memory(tool, memory);
        }
    }
    // What a link brought and the reader has changed is kept as a whole.
    let mut was_link = false;
    Effect::new(move |_| {
        let is_link = state.desk.at.with(|at| matches!(at, DeskPlace::Link { .. }));
        if std::mem::replace(&mut was_link, is_link) && !is_link {
            for tool in ToolId::ALL.iter().copied().filter(|tool| tool.info().keeps) {
                let memory = tools.memory(tool);
                if !memory.is_empty() {
                    state.desk.keep_memory(tool.info().name, &memory);
                }
            }
        }
    });
    Effect::new(move |_| {
        state.run.track();
        state.fence.hold.track();
        state.viewport.scale.track();
        // Whoever opens a tool may make room for it.
        state.viewport.height_px.track();
        state.selection.kernel.track();
        state.selection.op.track();
        state.selection.block.track();
        let _ = (state.cursor.position.get(), state.cursor.now(), state.settings.is_dark(), state.settings.is_future_hidden.get());
        // While a link is being followed its run may be on its way.
        for tool in ToolId::ALL.iter().copied().filter(|&tool| untrack(|| tools.is_open(tool)) || tools.is_waiting(tool)) {
            tools.tell_tool(tool, &Event::Moved);
        }
    });
    // A kernel that is selected is asked about.
    Effect::new(move |_| {
        let is_selected = state.selection.kernel.with(Option::is_some);
        for tool in ToolId::ALL.iter().copied().filter(|tool| tool.info().follows_selection) {
            match (is_selected, untrack(|| tools.is_open(tool))) {
                (true, false) => tools.show_tool(tool, &Event::Opened(String::new())),
                (false, true) => tools.close_tool(tool),
                _ => {}
            }
        }
    });
    Effect::new(move |_| {
        tools.open.track();
        tools.page.track();
        state.settings.is_path_shown.track();
        tools.renew_link();
    });
}

/// The element with this id.
fn by_id<E: JsCast>(id: &str) -> Option<E> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

pub(crate) fn title_id(info: &Info) -> String {
    format!("tool-{}-title", info.name)
}
