//! What the program says of the order of calls.
//!
//! Depends on the simulator's scenarios. Invariant: a call has to wait only for calls of rows that come before it in the table's own order.

use blockstep_sim::scenario::{Draft, KernelRow, Scenario};
use blockstep_sim::units::RowId;

/// Orders of more calls than this are not counted.
const MOST_COUNTED: usize = 18;

/// By row: those whose calls come first. Of one task and stream in the order of their times, then of the table; of rows that record an event
/// or wait for it likewise; and what somebody asks for besides.
pub(crate) fn before(draft: &Draft, scenario: &Scenario, first: Option<RowId>) -> Vec<Vec<RowId>> {
    let rows = scenario.rows();
    // From the start of the run, as far as the table says.
    let mut starts: Vec<u64> = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        let offset = draft.tasks.get(row.task.index()).map_or(0, |task| task.offset_ns);
        let from = row.after.map_or(offset, |after| starts[after.index()]);
        starts.push(from.saturating_add(draft.kernels[place].start_ns));
    }
    let precedes = |a: usize, b: usize| (starts[a], a) < (starts[b], b);
    let share = |a: usize, b: usize| {
        let (a, b) = (&rows[a], &rows[b]);
        let is_in_order = a.task == b.task && a.stream == b.stream && a.call.is_in_stream() && b.call.is_in_stream();
        let records = |one: &KernelRow, other: &KernelRow| {
            one.records.is_some_and(|event| other.records == Some(event) || other.waits_for.contains(&event))
        };
        is_in_order || records(a, b) || records(b, a)
    };
    (0..rows.len())
        .map(|b| {
            let program =
                (0..rows.len()).filter(|&a| a != b && is_call(scenario, a) && is_call(scenario, b) && precedes(a, b) && share(a, b));
            let asked = first.filter(|first| first.index() != b && is_call(scenario, b));
            program.map(RowId::at).chain(asked).collect()
        })
        .collect()
}

/// Whether a row is a call, and no node of a graph.
fn is_call(scenario: &Scenario, place: usize) -> bool {
    scenario.call_of(RowId::at(place)).index() == place
}

/// By row: all whose calls come first by the table alone, what it is `after` and earlier calls of its thread among them.
fn all_before(draft: &Draft, scenario: &Scenario) -> Vec<Vec<RowId>> {
    let mut found = before(draft, scenario, None);
    for (place, row) in scenario.rows().iter().enumerate() {
        found[place].extend(row.after.map(|after| scenario.call_of(after)));
        if scenario.task(row.task).calls_in_turn {
            let earlier =
                scenario.task(row.task).rows.iter().copied().filter(|other| other.index() < place && is_call(scenario, other.index()));
            found[place].extend(earlier);
        }
    }
    found
}

/// Whether the call of a row can be the first of all.
pub(crate) fn can_be_first(draft: &Draft, scenario: &Scenario, row: RowId) -> bool {
    is_call(scenario, row.index()) && all_before(draft, scenario)[row.index()].is_empty()
}

/// How many orders of the calls the program allows, as far as the table alone says: what a call waits for while it runs may make it fewer.
/// `None` of more calls than can be counted.
pub(crate) fn count(draft: &Draft, scenario: &Scenario) -> Option<u128> {
    let before = all_before(draft, scenario);
    let calls: Vec<usize> = (0..scenario.rows().len()).filter(|&place| is_call(scenario, place)).collect();
    if calls.len() > MOST_COUNTED {
        return None;
    }
    let bit = |row: RowId| calls.binary_search(&row.index()).map_or(0, |place| 1_usize << place);
    let needed: Vec<usize> = calls.iter().map(|&place| before[place].iter().map(|&row| bit(row)).fold(0, |all, one| all | one)).collect();
    // By set of calls that were made: in how many orders that can be.
    let mut orders = vec![0_u128; 1 << calls.len()];
    orders[0] = 1;
    for made in 0..orders.len() {
        for (place, needed) in needed.iter().enumerate() {
            if made >> place & 1 == 0 && made & needed == *needed {
                orders[made | 1 << place] += orders[made];
            }
        }
    }
    orders.last().copied()
}
