//! Waiting now: every operation that waits at this step, why, and until when.
//!
//! Depends on `reason`. Invariant: reasons come from the view model; nothing is judged here.

use super::{Look, chip};
use crate::trace::Trace;
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};
use crate::view::reason::WaitingList;

/// The list; says so if nothing waits.
#[must_use]
pub fn waiting(trace: &Trace, list: &WaitingList, look: Look) -> String {
    let mut html = Markup::new();
    if list.items.is_empty() {
        html.leaf("p", &[("class", "empty")], "Nothing waits at this step.");
        return html.finish();
    }
    html.open("ul", &[("class", "waiting-list")]);
    for w in &list.items {
        let is_selected = look.selected == Some(trace.op(w.op).row);
        html.open("li", &[("class", if is_selected { "waiting selected" } else { "waiting" }), ("data-waits", &w.label)]);
        let select = [("class", "waiting-name"), ("data-op", &*w.op.0.to_string()), ("title", "Select this kernel everywhere")];
        html.leaf("button", &select, &w.label).open("div", &[("class", "waiting-why")]);
        if let Some(rule) = w.rule {
            chip(&mut html, rule, true);
        }
        html.leaf("span", &[], &format!(" {}", w.text));
        match w.until {
            Some(step) => {
                let position = step.0 + 1;
                let text = format!("until step {} ({})", format_count(position.into()), format_time(trace.step(step).at.ns()));
                html.leaf("button", &[("class", "link"), ("data-go", &position.to_string())], &text);
            }
            None => {
                html.leaf("span", &[("class", "quiet")], "until after the end of the run");
            }
        }
        html.close().close();
    }
    html.close();
    let listed = list.items.iter().filter(|w| !w.executing).count();
    if list.total > listed {
        html.leaf("p", &[("class", "empty")], &format!("and {} more", format_count((list.total - listed) as u64)));
    }
    html.finish()
}
