//! The paper's two trees, as nested lists.
//!
//! Invariant: what is on the path is said to those who do not see it, too.

use leptos::prelude::*;

use blockstep_view::batch::trees::Branch;

pub(super) fn tree(root: &Branch) -> impl IntoView + use<> {
    view! { <ul class="batch-tree">{branch(root)}</ul> }
}

fn branch(of: &Branch) -> AnyView {
    let answer = (!of.answer().is_empty()).then(|| {
        let class = if of.is_on_path { "batch-answer is-path" } else { "batch-answer" };
        view! { <span class=class>{of.answer()}</span> " " }
    });
    let text = of.text.clone();
    let content = match &of.says {
        Some(says) => view! { <b title=says.clone()>{text}</b> " " <span class="tool-note">{says.clone()}</span> }.into_any(),
        None if of.below.is_empty() || of.is_on_path => view! { <b>{text}</b> }.into_any(),
        None => view! { <span>{text}</span> }.into_any(),
    };
    let here = (of.below.is_empty() && of.is_on_path).then(|| view! { <span class="visually-hidden">" (recommended here)"</span> });
    let below = (!of.below.is_empty()).then(|| view! { <ul>{of.below.iter().map(branch).collect_view()}</ul> });
    view! { <li class=if of.is_on_path { "is-path" } else { "" }>{answer} {content} {here} {below}</li> }.into_any()
}
