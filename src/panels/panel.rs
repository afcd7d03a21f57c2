//! What a tool's components know: their view, and where to send what the reader did.
//!
//! Depends on Leptos and the protocol. Invariants: a component sees typed values alone; its view changes with each answer of
//! the tool, and stays as it was where an answer cannot be read.

use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;
use serde::de::DeserializeOwned;

use blockstep_protocol as protocol;
use blockstep_tools::tool::{Event, Tool};

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
enum Kind {
    Nothing,
    Says(String),
    View,
}

/// The line between a tool and its components, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// What it shows.
    pub(crate) shown: RwSignal<Shown>,
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
        match protocol::encode(&Event::Message(message)) {
            Ok(bytes) => self.line.send.run(bytes),
            Err(why) => self.line.complain.run(why),
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
            Kind::Nothing => ().into_any(),
            Kind::Says(why) => view! { <p class="tool-note">{why}</p> }.into_any(),
            Kind::View => view().map_or_else(|| ().into_any(), |view| T::panel(Host::new(line), view)),
        };
        view! { <div class="tool-body">{content}</div> }.into_any()
    }

    fn show_wide(line: Line) -> AnyView {
        let (kind, view) = follow::<T::View>(line.shown);
        let content = move || match kind.get() {
            Kind::View => view().map_or_else(|| ().into_any(), |view| T::wide(Host::new(line), view)),
            _ => ().into_any(),
        };
        view! { {content} }.into_any()
    }
}

/// The parts of what a tool shows that components follow: its kind, and the view.
fn follow<V>(shown: RwSignal<Shown>) -> (Memo<Kind>, impl Fn() -> Option<Memo<V>>)
where
    V: DeserializeOwned + Clone + PartialEq + Send + Sync + 'static,
{
    let kind = Memo::new(move |_| {
        shown.with(|shown| match shown {
            Shown::Nothing => Kind::Nothing,
            Shown::Hidden => Kind::Says("Hidden until you answer.".to_owned()),
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
