//! Events: which rows record them, and which wait for them.
//!
//! Depends on the rest of `scenario`. Invariant: an event is known by its process and its name. Source: docs/semantics.md, section 3.

use super::validate::{At, FoundProblems};
use super::{Draft, KernelRow, Problem, Scenario, Task};
use crate::order::Names;
use crate::units::EventId;
use crate::units::written::format_count;

/// Most events that a row waits for: each operation keeps what they have captured.
pub const MAX_WAITS: usize = 64;

/// Looks up the events of every row; their names.
pub(super) fn events(draft: &Draft, tasks: &[Task], rows: &mut [KernelRow], found: &mut FoundProblems) -> Vec<String> {
    let (mut names, mut known) = (Vec::new(), Names::default());
    // By event: the last row that waits for it, counted from one.
    let mut named_by = Vec::new();
    let mut event = |process: u32, name: &str, named_by: &mut Vec<usize>| {
        let place = known.place(process, name.to_owned(), names.len());
        if place == names.len() {
            names.push(name.to_owned());
            named_by.push(0);
        }
        EventId::at(place)
    };
    for (i, (k, row)) in draft.kernels.iter().zip(rows).enumerate() {
        let process = tasks[row.task.index()].process.0;
        if k.waits_for.len() > MAX_WAITS {
            let count = format_count(k.waits_for.len() as u64);
            let what = if k.graph.is_some() { "nodes" } else { "events" };
            let message = format_args!("names {count} {what}; at most {MAX_WAITS} are waited for by one row");
            found.add(&At { table: "kernels", row: i, field: "waits_for" }, &message);
        }
        if k.graph.is_some() {
            // Its names are those of nodes.
            continue;
        }
        for (j, name) in k.waits_for.iter().take(MAX_WAITS).enumerate() {
            let path = format_args!("kernels[{i}].waits_for[{j}]");
            if name.trim().is_empty() {
                found.add(&path, &"is empty; name an event");
                continue;
            }
            let id = event(process, name, &mut named_by);
            if std::mem::replace(&mut named_by[id.index()], i + 1) == i + 1 {
                found.add(&path, &format_args!("\"{name}\" is named twice"));
            } else {
                row.waits_for.push(id);
            }
        }
        if let Some(name) = &k.records {
            if name.trim().is_empty() {
                found.add(&At { table: "kernels", row: i, field: "records" }, &"is empty; name an event");
            } else {
                row.records = Some(event(process, name, &mut named_by));
            }
        }
    }
    names
}

/// Waits for events that no row of the process records.
pub(super) fn never_recorded(scenario: &Scenario) -> Vec<Problem> {
    let mut is_recorded = vec![false; scenario.events.len()];
    scenario.rows.iter().filter_map(|row| row.records).for_each(|event| is_recorded[event.index()] = true);
    let waits =
        scenario.rows.iter().enumerate().flat_map(|(i, row)| row.waits_for.iter().enumerate().map(move |(j, &event)| (i, j, event)));
    let never = waits.filter(|(.., event)| !is_recorded[event.index()]);
    let warning = |(i, j, event)| {
        let message = format!("no row of this process records the event \"{}\", so nothing waits for it", scenario.event_name(event));
        Problem::new(format!("kernels[{i}].waits_for[{j}]"), message)
    };
    never.map(warning).collect()
}
