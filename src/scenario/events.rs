//! Events: which rows record them, and which wait for them.
//!
//! Depends on the rest of `scenario`. Invariant: an event is known by its process and its name. Source: docs/semantics.md, section 3.

use super::validate::{At, Found};
use super::{Draft, Problem, Row, Scenario, Task};
use crate::order::Names;
use crate::units::EventId;

/// Looks up the events of every row; their names.
pub(super) fn events(draft: &Draft, tasks: &[Task], rows: &mut [Row], found: &mut Found) -> Vec<String> {
    let (mut names, mut known) = (Vec::new(), Names::default());
    let mut event = |process: u32, name: &str| {
        let place = known.place(process, name.to_owned(), names.len());
        if place == names.len() {
            names.push(name.to_owned());
        }
        EventId::at(place)
    };
    for (i, (k, row)) in draft.kernels.iter().zip(rows).enumerate() {
        let process = tasks[row.task.index()].process.0;
        for (j, name) in k.waits_for.iter().enumerate() {
            let path = format_args!("kernels[{i}].waits_for[{j}]");
            if name.trim().is_empty() {
                found.add(&path, &"is empty; name an event");
                continue;
            }
            let id = event(process, name);
            if row.waits_for.contains(&id) {
                found.add(&path, &format_args!("\"{name}\" is named twice"));
            } else {
                row.waits_for.push(id);
            }
        }
        if let Some(name) = &k.records {
            if name.trim().is_empty() {
                found.add(&At { table: "kernels", row: i, field: "records" }, &"is empty; name an event");
            } else {
                row.records = Some(event(process, name));
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
