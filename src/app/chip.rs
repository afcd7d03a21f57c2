//! Rules as chips, and the one tooltip of the page.
//!
//! Depends on `trace` for the rules' words. Invariant: there is one tooltip, and what it says can
//! also be had by focus and by screen readers.

use leptos::prelude::*;

use crate::trace::Rule;

/// What the tooltip shows, and below which point of the window, px.
#[derive(Clone, PartialEq)]
pub(super) struct TipText {
    pub(super) title: String,
    pub(super) lines: Vec<(String, String)>,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The tooltip's content; a context of its own.
#[derive(Clone, Copy)]
pub(super) struct TipSlot(pub(super) RwSignal<Option<TipText>>);

/// The tooltip slot; made at first use.
pub(super) fn tip() -> RwSignal<Option<TipText>> {
    use_context::<TipSlot>().map_or_else(|| RwSignal::new(None), |slot| slot.0)
}

/// A rule's id; on hover and focus it says what the rule says and where it is from.
#[component]
pub(super) fn Chip(rule: Rule, #[prop(optional)] focusable: bool) -> impl IntoView {
    let slot = tip();
    let show = move |target: web_sys::EventTarget| {
        use wasm_bindgen::JsCast;
        let Some(element) = target.dyn_ref::<web_sys::Element>() else { return };
        let at = element.get_bounding_client_rect();
        slot.set(Some(TipText {
            title: format!("Rule {}", rule.id()),
            lines: vec![(String::new(), rule.sentence().to_owned()), ("Source".to_owned(), rule.source().to_owned())],
            x: at.left(),
            y: at.bottom(),
        }));
    };
    let label = format!("{}: {} {}", rule.id(), rule.sentence(), rule.source());
    view! {
        <span
            class=format!("chip chip-{}", rule.id().chars().next().unwrap_or('G').to_ascii_lowercase())
            tabindex=focusable.then_some("0")
            role="note"
            aria-label=label
            on:mouseenter=move |e| e.current_target().into_iter().for_each(show)
            on:mouseleave=move |_| slot.set(None)
            on:focus=move |e| e.current_target().into_iter().for_each(show)
            on:blur=move |_| slot.set(None)
        >
            {rule.id()}
        </span>
    }
}

/// The tooltip. Kept inside the window.
#[component]
pub(super) fn Tip() -> impl IntoView {
    let slot = tip();
    let width = || window().inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(1024.0);
    let height = || window().inner_height().ok().and_then(|h| h.as_f64()).unwrap_or(768.0);
    view! {
        {move || slot.get().map(|tip| {
            let left = (tip.x + 8.0).min(width() - 296.0).max(8.0);
            let place = if tip.y > height() - 190.0 {
                format!("left:{left}px;bottom:{}px", height() - tip.y + 28.0)
            } else {
                format!("left:{left}px;top:{}px", tip.y + 10.0)
            };
            view! {
                <div class="tip" role="tooltip" style=place>
                    <strong>{tip.title}</strong>
                    <dl>
                        {tip.lines.into_iter().map(|(name, value)| view! {
                            <div>{(!name.is_empty()).then(|| view! { <dt>{name}</dt> })}<dd>{value}</dd></div>
                        }).collect_view()}
                    </dl>
                </div>
            }
        })}
    }
}
