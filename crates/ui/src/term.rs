//! A label that is a term and leads to its entry in the glossary.
//!
//! Invariant: where no glossary can be opened, as in a frame, it is plain text.

use leptos::prelude::*;

use blockstep_view::labels::LabelTerm;

/// Opens the glossary at a term; a context of the page.
#[derive(Clone, Copy, Debug)]
pub struct OpenTerm(pub Callback<LabelTerm>);

#[component]
pub fn TermLink(
    term: LabelTerm,
    text: &'static str,
    /// Whether the same label stands before it, so that the Tab key passes it over.
    #[prop(optional, into)]
    is_repeated: Signal<bool>,
) -> impl IntoView {
    match use_context::<OpenTerm>() {
        Some(OpenTerm(open)) => view! {
            <button
                type="button"
                class="term"
                data-term=term.name()
                tabindex=move || is_repeated.get().then_some("-1")
                on:click=move |_| open.run(term)
            >
                {text}
            </button>
        }
        .into_any(),
        None => text.into_any(),
    }
}
