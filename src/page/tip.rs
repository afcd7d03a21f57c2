//! The one tooltip of the page, and what the chips of rules say in it.
//!
//! Invariant: there is one tooltip, and what it says can also be had by focus and by screen readers.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::state::AppState;
use crate::state::tip::{TipText, tip};
use blockstep_sim::trace::Rule;
use blockstep_ui::safe;

/// All tooltips of rules begin with it.
const RULE: &str = "Rule";

/// Shows what a rule says while its chip, anywhere on the page, is pointed at or has the focus.
fn explain_rules(state: AppState) {
    let slot = tip();
    let show = move |target: Option<web_sys::EventTarget>| {
        let chip = target.and_then(|t| t.dyn_into::<web_sys::Element>().ok()).and_then(|e| e.closest("[data-rule]").ok().flatten());
        let rule = chip.as_ref().and_then(|c| c.get_attribute("data-rule")).and_then(|id| Rule::ALL.into_iter().find(|r| r.id() == id));
        match (chip, rule) {
            (Some(chip), Some(rule)) => {
                let at = chip.get_bounding_client_rect();
                slot.set(Some(TipText {
                    title: format!("{RULE} {}", rule.id()),
                    lines: vec![(String::new(), rule.sentence().to_owned()), ("Source".to_owned(), rule.cited())],
                    x: at.left(),
                    y: at.bottom(),
                }));
            }
            // Only a rule's tip is taken away: the timeline has its own.
            _ if slot.with_untracked(|tip| tip.as_ref().is_some_and(|tip| tip.title.starts_with(RULE))) => slot.set(None),
            _ => {}
        }
    };
    let over = window_event_listener(leptos::ev::mouseover, move |ev| show(ev.target()));
    let focus = window_event_listener(leptos::ev::focusin, move |ev| show(ev.target()));
    // Escape takes any tip away; a step makes the chips anew, so that a tip's chip is gone.
    let escape = window_event_listener(leptos::ev::keydown, move |ev| {
        if ev.key() == "Escape" {
            slot.set(None)
        }
    });
    Effect::new(move |_| {
        state.run.track();
        state.cursor.position.track();
        show(None);
    });
    on_cleanup(move || {
        over.remove();
        focus.remove();
        escape.remove();
    });
}

/// The tooltip, kept inside the window.
#[component]
pub(super) fn Tip() -> impl IntoView {
    let state = expect_context::<AppState>();
    explain_rules(state);
    let slot = tip();
    let width = || window().inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(1024.0);
    let height = || window().inner_height().ok().and_then(|h| h.as_f64()).unwrap_or(768.0);
    let line = |(name, value): &(String, String)| {
        let name = (!name.is_empty()).then(|| view! { <dt>{safe(name)}</dt> });
        view! { <div>{name} <dd>{safe(value)}</dd></div> }
    };
    let shown = move || {
        let tip = slot.get()?;
        let left = (tip.x + 8.0).min(width() - 296.0).max(8.0) as i64;
        let place = if tip.y > height() - 190.0 {
            format!("left:{left}px;bottom:{}px", (height() - tip.y) as i64 + 28)
        } else {
            format!("left:{left}px;top:{}px", tip.y as i64 + 10)
        };
        Some(view! {
            <div class="tip" role="tooltip" style=place>
                <strong>{safe(&tip.title)}</strong>
                <dl>{tip.lines.iter().map(line).collect_view()}</dl>
            </div>
        })
    };
    view! { <div id="tip-place">{shown}</div> }
}
