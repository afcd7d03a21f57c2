//! What part of a long run is shown first, and how high a run is beside another one.

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

#[test]
fn drawing_own_tasks_open_on_their_hyperperiod_however_wide_their_bars_are() {
    let opening = |change: fn(&mut Draft)| {
        let mut draft = periodic(100_000_000);
        change(&mut draft);
        timeline(&draft).own_opening()
    };
    assert_eq!(opening(|_| ()), Some(Time(10_000_000)));
    let other = |draft: &mut Draft| {
        draft.tasks.push(TaskDraft { release: Release::Periodic, period_ns: Some(15_000_000), ..TaskDraft::named("b") });
    };
    assert_eq!(opening(other), Some(Time(30_000_000)));
    assert_eq!(opening(|draft| draft.horizon_ns = Some(10_000_000)), None, "the run is no longer");
    assert_eq!(opening(|draft| draft.horizon_ns = None), None, "it lasts that long if nothing is said");
    assert_eq!(opening(|draft| draft.tasks[0].jobs = Some(4)), None, "after four jobs nothing recurs");
    assert_eq!(opening(|draft| draft.tasks[0] = TaskDraft::named("a")), None, "nothing is periodic");
}

#[test]
fn drawing_lanes_are_as_high_as_those_beside() {
    let lane = |timeline: &Timeline, height_px: f64| {
        let scale = TimeScale::fit(timeline.end(), LEFT_PX, 900.0);
        // Those of copy engines and of idle SMs are lower.
        timeline.frame(&scale, height_px, None, None).lanes.iter().map(|lane| lane.height).fold(0.0, f64::max)
    };
    let on = |device: &str| {
        let mut draft = table_1();
        draft.device = DeviceDraft::BuiltIn(device.to_owned());
        timeline(&draft)
    };
    let (tx2, gtx) = (on("tx2"), on("gtx1070"));
    assert_eq!(gtx.height_as(&tx2, 880.0), 880.0, "so many lanes of that height take more than a window");
    for height_px in [180.0, 231.0] {
        assert_eq!(tx2.height_as(&on("tx1"), height_px), height_px, "as many SMs");
        let other = gtx.height_as(&tx2, height_px);
        let (wanted, made) = (lane(&tx2, height_px), lane(&gtx, other));
        assert!((wanted..wanted + 1.5).contains(&made), "{wanted} {made}");
    }
}
