//! Words that lead somewhere: to a step, to a time, to an operation; and the chips of rules.
//!
//! Invariant: a link does what a click on the thing itself would do.

use leptos::prelude::*;

use super::text::safe;
use crate::state::AppState;
use crate::state::selection::Selection;
use blockstep_learn::tour::text::{Paragraph, ParagraphPiece};
use blockstep_sim::trace::Rule;
use blockstep_sim::units::{OpId, Time};

/// A button that goes to a number of steps applied, and shows where that is on the timeline.
#[component]
pub(crate) fn StepLink(position: u32, #[prop(into)] label: String, #[prop(default = "link")] class: &'static str) -> impl IntoView {
    let state = expect_context::<AppState>();
    view! {
        <button type="button" class=class data-step=position on:click=move |_| state.visit(|| state.cursor.go_to(position))>
            {safe(&label)}
        </button>
    }
}

/// A button that goes to a time, after every step that is not later.
#[component]
pub(crate) fn TimeLink(
    at: Time,
    #[prop(into)] label: String,
    #[prop(default = "link")] class: &'static str,
    #[prop(optional, into)] title: Option<String>,
    /// What screen readers say instead, where what it says is too short for them.
    #[prop(optional, into)]
    spoken: Option<String>,
) -> impl IntoView {
    let state = expect_context::<AppState>();
    view! {
        <button
            type="button"
            class=class
            data-time=at.ns()
            title=title.map(|title| safe(&title))
            aria-label=spoken.map(|spoken| safe(&spoken))
            on:click=move |_| state.visit(|| state.cursor.go_to_time(at))
        >
            {safe(&label)}
        </button>
    }
}

/// A button that selects an operation's kernel, and asks about the operation.
#[component]
pub(crate) fn OpLink(
    op: OpId,
    #[prop(into)] label: String,
    #[prop(default = "link")] class: &'static str,
    #[prop(default = "")] title: &'static str,
) -> impl IntoView {
    let selection = expect_context::<Selection>();
    let on_click = move |_| selection.ask(op, None);
    let title = (!title.is_empty()).then_some(title);
    view! { <button type="button" class=class data-operation=op.0 title=title on:click=on_click>{safe(&label)}</button> }
}

/// A rule's id; on hover and focus the page says what the rule says.
#[component]
pub(crate) fn Chip(
    rule: Rule,
    /// Whether it can take the focus, as it must where its words stand nowhere beside it.
    #[prop(default = true)]
    is_focusable: bool,
) -> impl IntoView {
    let family = format!("chip chip-{}", rule.id().chars().next().unwrap_or('G').to_ascii_lowercase());
    let label = format!("Rule {}: {} {}", rule.id(), rule.sentence(), rule.source());
    view! {
        <span class=family data-rule=rule.id() tabindex=is_focusable.then_some("0") role="note" aria-label=label>{rule.id()}</span>
    }
}

/// A paragraph's words, bold words and rules, for within another element.
#[component]
pub(crate) fn Inline(of: Paragraph) -> impl IntoView {
    let piece = |piece: &ParagraphPiece| match piece {
        ParagraphPiece::Text(text) => safe(text).into_any(),
        ParagraphPiece::Bold(text) => view! { <strong>{safe(text)}</strong> }.into_any(),
        ParagraphPiece::Rule(rule) => view! { <Chip rule=*rule /> }.into_any(),
    };
    of.0.iter().map(piece).collect_view()
}

/// Paragraphs of words, bold words and rules: what tours and notes of ours are written in.
#[component]
pub(crate) fn Paragraphs(of: Vec<Paragraph>) -> impl IntoView {
    of.into_iter().map(|paragraph| view! { <p><Inline of=paragraph /></p> }).collect_view()
}
