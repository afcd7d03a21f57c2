//! The chips of rules, and paragraphs that have some.
//!
//! Invariant: a chip says its rule to those who do not see it.

use leptos::prelude::*;

use super::text::safe;
use blockstep_learn::tour::text::{Paragraph, ParagraphPiece};
use blockstep_sim::trace::Rule;

/// A rule's id; on hover and focus the page says what the rule says.
#[component]
pub fn Chip(
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
pub fn Inline(of: Paragraph) -> impl IntoView {
    let piece = |piece: &ParagraphPiece| match piece {
        ParagraphPiece::Text(text) => safe(text).into_any(),
        ParagraphPiece::Bold(text) => view! { <strong>{safe(text)}</strong> }.into_any(),
        ParagraphPiece::Rule(rule) => view! { <Chip rule=*rule /> }.into_any(),
    };
    of.0.iter().map(piece).collect_view()
}

/// Paragraphs of words, bold words and rules: what tours and notes of ours are written in.
#[component]
pub fn Paragraphs(of: Vec<Paragraph>) -> impl IntoView {
    of.into_iter().map(|paragraph| view! { <p><Inline of=paragraph /></p> }).collect_view()
}
