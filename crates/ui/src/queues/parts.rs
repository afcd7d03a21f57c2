//! What the parts of the diagram have in common: bars, lists that were cut short, what the last step changed.
//!
//! Invariant: an entry of a list is found by its key, so that what did not change is left alone.

use leptos::prelude::*;

use blockstep_view::queues::Gauge;

/// Of what was in a place.
pub(super) const COMPLETED: &str = "Completed by this step";

/// A bar of which a part is filled, with words in strong and plain type below it.
#[component]
pub(super) fn Bar(
    #[prop(into)] name: Signal<&'static str>,
    #[prop(into)] title: Signal<String>,
    /// The part: what is free, of all.
    #[prop(into)]
    filled: Signal<Gauge>,
    #[prop(into)] strong: Signal<String>,
    #[prop(into)] plain: Signal<String>,
) -> impl IntoView {
    view! {
        <span class="gauge" data-gauge=move || name.get() title=move || Some(title.get()).filter(|title| !title.is_empty())>
            <span class="gauge-bar">
                <span style=move || format!("width:{}%", filled.get().percent())></span>
            </span>
            <span class="gauge-text">
                <b>{move || strong.get()}</b>
                " "
                {move || plain.get()}
            </span>
        </span>
    }
}

/// How many are not shown.
pub(super) fn more(hidden: usize, text: fn(u64) -> String) -> Option<impl IntoView> {
    (hidden > 0).then(|| view! { <p class="more quiet">{text(hidden as u64)}</p> })
}

/// The entry of a list that has a key, as it changes; once it is gone, as it was last.
pub(super) fn keyed_entry<T, L>(list: L, first: T, is_it: impl Fn(&T) -> bool + Send + Sync + 'static) -> Memo<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
    L: With<Value = Vec<T>> + Send + Sync + 'static,
{
    Memo::new(move |last: Option<&T>| {
        list.with(|list| list.iter().find(|entry| is_it(entry)).cloned()).unwrap_or_else(|| last.unwrap_or(&first).clone())
    })
}

/// A class name, marked if the last step changed what it is the class of.
pub(super) fn marked(class: &str, changed: bool) -> String {
    if changed { format!("{class} changed") } else { class.to_owned() }
}
