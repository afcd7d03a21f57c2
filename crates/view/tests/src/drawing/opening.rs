//! What part of a long run is shown first.

use super::*;

/// Words of what an example opens on, on a plot so many px wide; `None` if on all of it.
fn opening(id: &str, width_px: f64) -> Option<String> {
    let example = examples::find(id).unwrap();
    let timeline = timeline(&format::read_scenario(example.json).unwrap());
    let moment = example.bookmarks.iter().map(|b| Time(b.at_ns)).find(|at| *at > Time::ZERO);
    let whole = TimeScale::fit(timeline.end(), LEFT_PX, width_px);
    whole.up_to(timeline.opening(width_px, moment)?, timeline.end()).part_of(timeline.end())
}

#[test]
fn drawing_long_runs_open_on_a_part() {
    let parts: Vec<_> = examples::all().filter_map(|e| Some(format!("{}: {}", e.id, opening(e.id, 900.0)?))).collect();
    let expected =
        ["edf-six-processes: first 13.59 ms of 17.187 s", "edf-vi-a-runlist: first 165 ms of 2 s", "edf-vi-a-cbs: first 165 ms of 2 s"];
    assert_eq!(parts, expected);
}

/// A task that runs for 1 ms every 10 ms.
fn periodic(horizon_ns: u64) -> Draft {
    let mut draft = table_1();
    draft.kernels.truncate(1);
    draft.kernels[0].block_time_ns = BlockTimes::Each(1_000_000);
    draft.kernels[0].task = Some("a".to_owned());
    draft.tasks = vec![TaskDraft { release: Release::Periodic, period_ns: Some(10_000_000), ..TaskDraft::named("a") }];
    draft.horizon_ns = Some(horizon_ns);
    draft
}

#[test]
fn drawing_what_is_periodic_opens_on_its_hyperperiod() {
    let opening = |horizon_ns| timeline(&periodic(horizon_ns)).opening(900.0, Some(Time(1)));
    assert_eq!(opening(10_000_000_000), Some(Time(10_000_000)));
    assert_eq!(opening(100_000_000), None, "its bars are wide enough");
}
