//! What a tool's components know: their view, and where to send what the reader did.
//!
//! Depends on Leptos, the protocol and fields. Invariants: a component sees typed values alone; its view changes with each answer of
//! the tool, and stays as it was where an answer cannot be read.

use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;
use serde::de::DeserializeOwned;

use blockstep_protocol as protocol;
use blockstep_tools::tool::{Event, Tool, memory};
use blockstep_ui::{ChoiceField, TickField};

/// What a tool shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Shown {
    /// Nothing yet.
    #[default]
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
enum ShownKind {
    Nothing,
    Says(String),
    View,
}

/// The line between a tool and its components, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// What it shows.
    pub(crate) shown: RwSignal<Shown>,
    /// What it remembers.
    pub(crate) memory: Signal<String>,
    /// The same with what was edited since.
    pub(crate) latest: StoredValue<String>,
    /// What stands over its panel in place of its own title; empty if nothing does.
    pub(crate) title: RwSignal<String>,
    /// Takes its events.
    pub(crate) send: Callback<Vec<u8>>,
    /// Takes why an event could not be written.
    pub(crate) complain: Callback<String>,
}

/// What a component knows of its tool.
pub(crate) struct Host<T: Tool> {
    line: Line,
    tool: PhantomData<fn() -> T>,
}

impl<T: Tool> Clone for Host<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Tool> Copy for Host<T> {}

impl<T: Tool> Host<T> {
    fn new(line: Line) -> Self {
        Self { line, tool: PhantomData }
    }

    /// Tells the tool what the reader did.
    pub(crate) fn send(self, message: T::Msg) {
        self.tell(&Event::Message(message));
    }

    /// Has this stand over the panel in place of the tool's title, unless it is empty.
    pub(crate) fn set_title(self, title: String) {
        self.line.title.set(title);
    }

    fn tell(self, event: &Event<T::Msg>) {
        match protocol::encode(event) {
            Ok(bytes) => self.line.send.run(bytes),
            Err(why) => self.line.complain.run(why.to_string()),
        }
    }
}

/// What a tool remembers, bound to controls: each shows a part of it, and sets that when the reader changes it. Changes that
/// follow each other quickly are all kept.
pub(crate) struct StateForm<T: Tool> {
    host: Host<T>,
    state: Memo<T::State>,
}

impl<T: Tool> Clone for StateForm<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Tool> Copy for StateForm<T> {}

impl<T: Tool> StateForm<T> {
    pub(crate) fn new(host: Host<T>) -> Self {
        Self { host, state: Memo::new(move |_| host.line.memory.with(|memory| T::remembered(memory))) }
    }

    /// A part of what the tool remembers.
    pub(crate) fn part<V: PartialEq + Send + Sync + 'static>(self, part: impl Fn(&T::State) -> V + Send + Sync + 'static) -> Signal<V> {
        Memo::new(move |_| self.state.with(&part)).into()
    }

    /// Changes what the tool remembers, and tells it so.
    pub(crate) fn edit(self, change: impl FnOnce(&mut T::State)) {
        let latest = self.host.line.latest;
        let earlier = latest.with_value(|latest| T::remembered(latest));
        let mut state = earlier.clone();
        change(&mut state);
        if state == earlier {
            return;
        }
        match memory::since(&state, &earlier) {
            Ok(changes) => {
                latest.update_value(|latest| *latest = memory::edited(latest, &changes));
                self.host.tell(&Event::Edit(changes));
            }
            Err(why) => self.host.line.complain.run(why.to_string()),
        }
    }

    /// What a control calls with what the reader typed or chose.
    pub(crate) fn set<V: 'static>(self, set: fn(&mut T::State, V)) -> Callback<V> {
        Callback::new(move |value| self.edit(|state| set(state, value)))
    }

    pub(crate) fn tick(
        self,
        label: impl Into<Signal<String>>,
        name: &'static str,
        is_on: fn(&T::State) -> bool,
        set: fn(&mut T::State, bool),
    ) -> impl IntoView {
        view! { <TickField label=label.into() name=name value=self.part(is_on) on_change=self.set(set) /> }
    }

    /// A list of the values of a type.
    pub(crate) fn choice<C: Copy + PartialEq + Send + Sync + 'static>(
        self,
        label: &'static str,
        name: &'static str,
        word: fn(C) -> &'static str,
        options: &'static [(C, &'static str)],
        chosen: fn(&T::State) -> C,
        set: fn(&mut T::State, C),
    ) -> impl IntoView {
        view! { <ChoiceField label=label name=name word=word options=options value=self.part(chosen) on_change=self.set(set) /> }
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
pub(crate) trait Show {
    /// The content of its panel.
    fn show(line: Line) -> AnyView;
    /// Its part under the timeline.
    fn show_wide(line: Line) -> AnyView;
}

impl<T: Panel> Show for T {
    fn show(line: Line) -> AnyView {
        let (kind, view) = follow::<T::View>(line.shown);
        let content = move || match kind.get() {
            ShownKind::Nothing => ().into_any(),
            ShownKind::Says(why) => view! { <p class="tool-note">{why}</p> }.into_any(),
            ShownKind::View => view().map_or_else(|| ().into_any(), |view| T::panel(Host::new(line), view)),
        };
        view! { <div class="tool-body">{content}</div> }.into_any()
    }

    fn show_wide(line: Line) -> AnyView {
        let (kind, view) = follow::<T::View>(line.shown);
        let content = move || match kind.get() {
            ShownKind::View => view().map_or_else(|| ().into_any(), |view| T::wide(Host::new(line), view)),
            _ => ().into_any(),
        };
        view! { {content} }.into_any()
    }
}

/// The parts of what a tool shows that components follow: its kind, and the view.
fn follow<V>(shown: RwSignal<Shown>) -> (Memo<ShownKind>, impl Fn() -> Option<Memo<V>>)
where
    V: DeserializeOwned + Clone + PartialEq + Send + Sync + 'static,
{
    let kind = Memo::new(move |_| {
        shown.with(|shown| match shown {
            Shown::Nothing => ShownKind::Nothing,
            Shown::Hidden => ShownKind::Says("Answer the question to see more.".to_owned()),
            Shown::Failed(why) => ShownKind::Says(why.clone()),
            Shown::View(_) => ShownKind::View,
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
