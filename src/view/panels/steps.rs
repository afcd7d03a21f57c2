//! Rows of the step list: every decision in one sentence, with its rule.
//!
//! Depends on `sentence`. Invariant: a row is about one step; only the rows asked for are made.

use std::ops::Range;

use super::{Look, chip};
use crate::trace::Trace;
use crate::units::StepId;
use crate::view::markup::Markup;
use crate::view::{quantity, sentence};

/// Rows `rows` (counted from 0) where `position` steps have been applied.
#[must_use]
pub fn steps(trace: &Trace, rows: Range<u32>, position: u32, look: Look) -> String {
    let mut html = Markup::new();
    for i in rows {
        let step = trace.step(StepId(i));
        let is_current = i + 1 == position;
        let opens_instant = i == 0 || trace.step(StepId(i - 1)).at != step.at;
        let row = step.change.op().map(|op| trace.op(op).row);
        let class = format!(
            "step{}{}{}",
            if is_current { " current" } else { "" },
            if i >= position { " future" } else { "" },
            if look.selected.is_some() && row == look.selected { " selected" } else { "" },
        );
        html.open("li", &[("class", &class), ("aria-current", if is_current { "step" } else { "" })]);
        let time = |write: fn(u64) -> String| if opens_instant { write(step.at.ns()) } else { String::new() };
        let exact = time(quantity::format_time);
        html.leaf("span", &[("class", "step-time"), ("title", &exact)], &time(quantity::format_time_short));
        chip(&mut html, step.rule, is_current);
        let attributes = [("class", "step-text"), ("data-go", &(i + 1).to_string()), ("tabindex", if is_current { "0" } else { "-1" })];
        html.leaf("button", &attributes, &sentence::sentence(trace, step)).close();
    }
    html.finish()
}
