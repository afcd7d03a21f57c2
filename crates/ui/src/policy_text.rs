//! The text of a policy of one's own: its lines with numbers and marks, and its first mistake.
//!
//! Invariants: a mark is a word or a sign, not a color alone; the text lies over its lines and is as high as they are.

use leptos::prelude::*;

use super::text::safe;
use blockstep_tools::own::{MAX_TEXT, MistakeAt, TextLine};

/// An editor of such a text. Its parts have ids that begin with `id`.
#[component]
pub fn PolicyText(
    id: &'static str,
    #[prop(into)] text: Signal<String>,
    #[prop(into)] lines: Signal<Vec<TextLine>>,
    #[prop(into)] mistake: Signal<Option<MistakeAt>>,
    /// Told of every change of the text.
    on_type: impl Fn(String) + 'static,
) -> impl IntoView {
    let count = Memo::new(move |_| text.with(|text| text.split('\n').count()));
    let decided = Memo::new(move |_| lines.with(|lines| lines.iter().position(|line| *line == TextLine::Decided)));
    Effect::new(move |_| {
        if let Some(line) = decided.get() {
            // Once it is there.
            request_animation_frame(move || bring_into_sight(id, line + 1));
        }
    });
    let marks = move || {
        let (lines, mistake) = (lines.get(), mistake.get());
        let line = move |i: usize| {
            let (class, sign, says) = match lines.get(i).copied().unwrap_or_default() {
                TextLine::Plain => ("", "", ""),
                TextLine::Changed => ("is-changed", "·", "changed something at this step"),
                TextLine::Decided => ("is-decided", "▸", "decided this step"),
                TextLine::Wrong => ("is-wrong", "!", "has a mistake"),
            };
            let word = mistake.as_ref().filter(|mistake| mistake.line as usize == i + 1).map(|mistake| {
                let style = format!("left:{}ch;width:{}ch", mistake.column.saturating_sub(1), mistake.width);
                view! { <i style=style></i> }
            });
            view! {
                <div class=class data-line=i + 1 title=says>
                    <span class="policy-number"><b>{sign}</b>{i + 1}</span>
                    <span class="policy-mark">{word}</span>
                </div>
            }
        };
        (0..count.get()).map(line).collect_view()
    };
    let said = move || match mistake.get() {
        Some(MistakeAt { line, column, message, .. }) => {
            let text = format!("Line {line}, column {column}: {}", safe(&message));
            view! { <p class="field-error" id=format!("{id}-mistake")>{text}</p> }.into_any()
        }
        None => ().into_any(),
    };
    view! {
        <div class="policy-editor" id=format!("{id}-editor") role="group" aria-label="Text with line numbers">
            <div class="policy-lines" aria-hidden="true">{marks}</div>
            <textarea
                id=format!("{id}-area")
                class="policy-area"
                aria-label="Text of the policy"
                aria-describedby=format!("{id}-said")
                aria-invalid=move || mistake.with(Option::is_some).to_string()
                wrap="off"
                maxlength=MAX_TEXT.to_string()
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                rows=move || count.get()
                prop:value=move || text.get()
                on:input:target=move |event| on_type(event.target().value())
            ></textarea>
        </div>
        <div class="policy-said" id=format!("{id}-said") role="status">{said}</div>
        <p class="tool-note">"Declarations, then " <code>"on request(t):"</code> ", " <code>"on end(t):"</code> " and " <code>"admit"</code>
            ". " <a href="learn/guide-policy-language.html">"A guide"</a> " describes the language."</p>
    }
}

/// Scrolls the text so that a line is in sight, unless the reader is typing.
fn bring_into_sight(id: &str, line: usize) {
    let document = document();
    let is_typing = document.active_element().is_some_and(|element| element.id() == format!("{id}-area"));
    let line = document.query_selector(&format!("#{id}-editor [data-line='{line}']")).ok().flatten();
    if let (false, Some(editor), Some(line)) = (is_typing, document.get_element_by_id(&format!("{id}-editor")), line) {
        let (whole, part) = (editor.get_bounding_client_rect(), line.get_bounding_client_rect());
        let off = part.top() - whole.top();
        if off < 0.0 || off + part.height() > whole.height() {
            editor.set_scroll_top(editor.scroll_top() + (off - whole.height() / 2.0) as i32);
        }
    }
}
