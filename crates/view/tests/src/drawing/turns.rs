//! Pictures of runs whose processes take turns: the band, what is suspended, the lanes of tasks.

use std::sync::Arc;

use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Class, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, TaskDraft};
use blockstep_sim::trace::{Change, Trace};
use blockstep_sim::units::{SpaceId, Time, TimeRange};
use blockstep_view::frame::{BoxFrame, Frame, JobMark, Stretch};
use blockstep_view::palette::{colour_of, colour_of_space, contrast, text_on};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{Hit, MAX_BOX_CALLS, MAX_LABELS, Timeline};
use proptest::prelude::*;

use super::{centre, paint, run, scale_of, timeline, views};
use blockstep_testing::arbitrary::{any_drafts, cases, turns};

const MS: u64 = 1_000_000;

fn any_turns() -> impl Strategy<Value = Draft> {
    prop_oneof![turns(PolicyKind::Runlist), turns(PolicyKind::Edf)]
}

/// Periodic tasks `(period, execution time)`, in ms, each in a process of its own, on the whole GPU.
fn periodic(tasks: &[(u64, u64)], horizon_ms: u64) -> Draft {
    let mut draft = Draft { horizon_ns: Some(horizon_ms * MS), ..Draft::default() };
    draft.policy = PolicyDraft { kind: PolicyKind::Edf, cbs: true, preemption: Preemption::Thread, ..PolicyDraft::default() };
    for (i, &(period, time)) in tasks.iter().enumerate() {
        draft.processes.push(ProcessDraft::named(format!("P{i}")));
        let (process, period_ns) = (Some(format!("P{i}")), Some(period * MS));
        draft.tasks.push(TaskDraft { process, release: Release::Periodic, period_ns, ..TaskDraft::named(format!("T{i}")) });
        draft.kernels.push(KernelDraft { task: Some(format!("T{i}")), ..KernelDraft::named(format!("K{i}"), 2, 1024, time * MS) });
    }
    draft
}

/// A picture so wide that every nanosecond of a small run is several pixels.
fn wide(timeline: &Timeline) -> (TimeScale, Frame) {
    let scale = timeline.fit(20_000.0);
    (scale, timeline.frame(&scale, 8_000.0, None, None))
}

/// The time that a box covers, in whole nanoseconds.
fn times(scale: &TimeScale, shown: &BoxFrame) -> TimeRange {
    TimeRange::new(scale.time_from_x(shown.x0), scale.time_from_x(shown.x1))
}

/// What is between the runs of a block or copy.
fn gaps(runs: &[TimeRange], start: Time, end: Time) -> Vec<TimeRange> {
    let starts = [start].into_iter().chain(runs.iter().map(|r| r.end));
    let ends = runs.iter().map(|r| r.start).chain([end]);
    starts.zip(ends).map(|(a, b)| TimeRange::new(a, b)).filter(|r| r.start < r.end).collect()
}

/// Times of the boxes of one record, in order, each once however many pieces it has.
fn shown_times(scale: &TimeScale, frame: &Frame, hit: Hit, is_suspended: bool) -> Vec<TimeRange> {
    let is_wanted = |b: &&BoxFrame| match b.stretch {
        Stretch::Running(_) => !is_suspended,
        Stretch::Suspended(_) => is_suspended,
        _ => false,
    };
    let mut shown: Vec<TimeRange> = frame.boxes.iter().filter(is_wanted).filter(|b| b.hit == Some(hit)).map(|b| times(scale, b)).collect();
    shown.sort_by_key(|r| r.start);
    shown.dedup();
    shown
}

/// What is painted last at a point, if it is something to point at.
fn topmost(frame: &Frame, x: f64, y: f64) -> Option<Hit> {
    frame.boxes.iter().rev().find(|b| b.x0 <= x && x < b.x1 && b.y0 <= y && y < b.y1)?.hit
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_call_lies_inside_the_frame(draft in any_drafts(), view in views(), dpr in 1.0..3.0_f64) {
        let timeline = timeline(&draft);
        let scale = scale_of(&timeline, view);
        let frame = timeline.frame(&scale, view.1, Some(Time(7)), None);
        let (right, bottom) = ((frame.width_px * dpr).ceil() as i32, (frame.height_px * dpr).ceil() as i32);
        for call in paint(&frame, dpr) {
            let (x0, y0, x1, y1) = call.bounds();
            prop_assert!(x0 >= 0 && y0 >= 0 && x1 <= right && y1 <= bottom, "{call:?} in {right} x {bottom}");
        }
    }

    #[test]
    fn lanes_stand_one_below_the_other(draft in any_turns(), view in views()) {
        let timeline = timeline(&draft);
        let frame = timeline.frame(&scale_of(&timeline, view), view.1, None, None);
        let lanes: Vec<_> = frame.band.iter().chain(&frame.lanes).chain(frame.tasks.iter().map(|t| &t.lane)).collect();
        for pair in lanes.windows(2) {
            prop_assert!(pair[0].y + pair[0].height <= pair[1].y + 1e-9, "{:?}", pair);
        }
        prop_assert!(lanes.iter().all(|l| l.height > 0.0 && l.y >= 0.0 && l.y + l.height <= frame.axis_y), "{:?}", lanes);
        for task in &frame.tasks {
            let (top, bottom) = (task.lane.y, task.lane.y + task.lane.height);
            prop_assert!(task.bars.iter().all(|b| top <= b.y0 && b.y1 <= bottom && b.x0 < b.x1));
            prop_assert!(task.bars.iter().all(|b| frame.left_px <= b.x0 && b.x1 <= frame.right_px));
        }
    }

    #[test]
    fn what_executes_never_overlaps(draft in any_turns(), view in views()) {
        let timeline = timeline(&draft);
        let frame = timeline.frame(&scale_of(&timeline, view), view.1, None, None);
        let runs = |b: &&BoxFrame| matches!(b.stretch, Stretch::Running(_)) && b.hit.is_some();
        let running: Vec<&BoxFrame> = frame.boxes.iter().filter(runs).collect();
        for (i, a) in running.iter().enumerate() {
            for b in &running[i + 1..] {
                let (wide, high) = (a.x1.min(b.x1) - a.x0.max(b.x0), a.y1.min(b.y1) - a.y0.max(b.y0));
                prop_assert!(wide < 1e-6 || high < 1e-3, "{a:?} and {b:?} overlap by {wide} x {high}");
            }
        }
    }

    #[test]
    fn the_pointer_finds_what_is_painted_last(draft in any_turns()) {
        let timeline = timeline(&draft);
        let (scale, frame) = wide(&timeline);
        for shown in frame.boxes.iter().filter(|b| b.hit.is_some() && b.x1 - b.x0 > 4.0) {
            // Nowhere near the middle, where the edges of others may be.
            let (x, y) = (shown.x0 + 0.37 * (shown.x1 - shown.x0), shown.y0 + 0.37 * (shown.y1 - shown.y0));
            let (expected, found) = (topmost(&frame, x, y), timeline.hit(&scale, 8_000.0, x, y));
            // Of two suspended ones, one behind the other, either will do.
            let behind = |hit: Option<Hit>| frame.boxes.iter().any(|b| matches!(b.stretch, Stretch::Suspended(_)) && b.hit == hit);
            prop_assert!(found == expected || (behind(found) && behind(expected)), "{found:?} instead of {expected:?} at {shown:?}");
        }
        for task in &frame.tasks {
            for mark in &task.marks {
                prop_assert_eq!(timeline.hit(&scale, 8_000.0, mark.x, mark.mark.y(&task.lane)), Some(mark.hit));
            }
            for bar in &task.bars {
                let (x, y) = ((bar.x0 + bar.x1) / 2.0, (bar.y0 + bar.y1) / 2.0);
                let is_clear = task.marks.iter().all(|m| (m.x - x).abs() > 8.0);
                prop_assert!(!is_clear || timeline.hit(&scale, 8_000.0, x, y) == bar.hit, "{:?}", bar);
            }
        }
    }

    #[test]
    fn suspended_parts_are_those_of_the_records(draft in any_turns()) {
        let (trace, records) = run(&draft);
        let timeline = Timeline::new(&trace, &records);
        let (scale, frame) = wide(&timeline);
        for (i, block) in records.blocks.iter().enumerate() {
            let runs = records.block_runs(i);
            prop_assert_eq!(shown_times(&scale, &frame, Hit::Block(i), false), runs.clone(), "{:?}", block);
            let suspended = gaps(&runs, block.start, block.end.unwrap_or(trace.end()));
            prop_assert_eq!(shown_times(&scale, &frame, Hit::Block(i), true), suspended, "{:?}", block);
            // Suspended or not, it keeps its place.
            let own = frame.boxes.iter().filter(|b| b.hit == Some(Hit::Block(i)) && !matches!(b.stretch, Stretch::SuspendedEdge(_)));
            let mut ys: Vec<_> = own.map(|b| (b.y0.to_bits(), b.y1.to_bits())).collect();
            ys.sort_unstable();
            ys.dedup();
            let height: f64 = ys.iter().map(|y| f64::from_bits(y.1) - f64::from_bits(y.0)).sum();
            let share = f64::from(trace.row_of(block.op).needs.threads) / trace.scenario().device().threads_per_sm as f64;
            let lane = frame.lanes[block.sm.index()].height;
            prop_assert!(ys.is_empty() || (height - share * lane).abs() < 0.01 * lane, "{block:?}: {height} of {lane}");
        }
        for (i, copy) in records.copies.iter().enumerate() {
            let runs = records.copy_runs(i);
            prop_assert_eq!(shown_times(&scale, &frame, Hit::Copy(i), false), runs.clone(), "{:?}", copy);
            let suspended = gaps(&runs, copy.start, copy.end.unwrap_or(trace.end()));
            prop_assert_eq!(shown_times(&scale, &frame, Hit::Copy(i), true), suspended, "{:?}", copy);
        }
    }

    #[test]
    fn the_band_has_every_stay_and_every_switch(draft in any_turns()) {
        let (trace, records) = run(&draft);
        let timeline = Timeline::new(&trace, &records);
        let (scale, frame) = wide(&timeline);
        // A run may go on after the last that happens in it, out of the picture.
        let all = |is_wanted: fn(Stretch) -> Option<SpaceId>| -> Vec<(SpaceId, TimeRange)> {
            let range = |b: &BoxFrame| TimeRange { end: if b.cut_right { trace.end() } else { times(&scale, b).end }, ..times(&scale, b) };
            frame.boxes.iter().filter_map(|b| Some((is_wanted(b.stretch)?, range(b)))).collect()
        };
        let stays = all(|s| if let Stretch::Resident(space) = s { Some(space) } else { None });
        let drains = all(|s| if let Stretch::Draining(space) = s { Some(space) } else { None });
        let switches = all(|s| if let Stretch::Switching(space) = s { Some(space) } else { None });
        prop_assert_eq!(&stays, &records.residency);
        prop_assert_eq!(&drains, &records.drains);
        prop_assert_eq!(&switches, &records.switches);
        prop_assert_eq!(frame.band.is_some(), !stays.is_empty() || !switches.is_empty());
        let (mut started, mut draining): (Vec<(SpaceId, TimeRange)>, _) = (Vec::new(), Vec::new());
        for step in trace.steps() {
            match step.change {
                // The runlist for it was submitted just before.
                Change::SwitchStarted { to, until } if started.last().is_some_and(|(s, r)| (*s, r.end) == (to, step.at)) => {
                    started.last_mut().unwrap().1.end = until.min(trace.end());
                }
                Change::RunlistSubmitted { to, until } | Change::SwitchStarted { to, until } => {
                    started.push((to, TimeRange::new(step.at, until.min(trace.end()))));
                }
                Change::DrainStarted { space, .. } => draining.push((space, step.at)),
                _ => {}
            }
        }
        prop_assert_eq!(switches, started.into_iter().filter(|(_, r)| r.start < r.end).collect::<Vec<_>>());
        for (space, drain) in &records.drains {
            prop_assert!(draining.contains(&(*space, drain.start)));
            prop_assert!(records.residency.iter().any(|(s, stay)| s == space && stay.start <= drain.start && drain.end <= stay.end));
        }
    }

    #[test]
    fn a_server_pays_no_more_than_its_budget(draft in turns(PolicyKind::Edf)) {
        let (trace, records) = run(&draft);
        let has_servers = draft.policy.cbs;
        for (i, task) in trace.scenario().tasks().iter().enumerate() {
            let paid = |from: Time, to: Time| -> u64 {
                let own = records.charges.iter().filter(|(t, _)| t.index() == i);
                own.map(|(_, r)| r.end.min(to).since(r.start.max(from)).ns()).sum()
            };
            let refills: Vec<Time> = records.refills.iter().filter(|r| r.claimant.index() == i).map(|r| r.at).collect();
            let until = refills.iter().skip(1).copied().chain([trace.end()]);
            for (from, to) in refills.iter().copied().zip(until) {
                let budget = trace.budget(blockstep_sim::units::TaskId::at(i)).ns();
                // Without preemption a job goes on in its gaps, whatever its budget.
                prop_assert!(paid(from, to) <= budget || draft.policy.preemption == Preemption::None, "{} from {from} to {to}", task.name);
            }
        }
        let timeline = Timeline::new(&trace, &records);
        let (scale, frame) = wide(&timeline);
        for task in &frame.tasks {
            prop_assert!(has_servers || task.charges.is_empty());
            for charge in &task.charges {
                let at = TimeRange::new(scale.time_from_x(charge.0), scale.time_from_x(charge.1));
                prop_assert!(records.charges.iter().any(|(_, r)| r.start == at.start && (r.end == at.end || charge.1 >= frame.right_px)));
                prop_assert!(records.residency.iter().any(|(s, r)| *s == task.space && r.start <= at.start && at.end <= r.end));
            }
        }
        let shown: usize = frame.tasks.iter().map(|t| t.charges.len()).sum();
        let of_servers = records.charges.iter().filter(|(task, r)| trace.budget(*task).ns() > 0 && r.start < timeline.end());
        prop_assert!(records.refills.is_empty() || shown == of_servers.count());
    }

    #[test]
    fn every_deadline_has_its_mark(draft in any_drafts()) {
        let (trace, records) = run(&draft);
        let timeline = Timeline::new(&trace, &records);
        let (scale, frame) = wide(&timeline);
        let marks: Vec<_> = frame.tasks.iter().flat_map(|t| &t.marks).collect();
        let has = |hit: Hit, mark: JobMark, at: Time| marks.iter().any(|m| m.hit == hit && m.mark == mark && (m.x - scale.x_from_time(at)).abs() < 1e-6);
        for (i, job) in records.jobs.iter().enumerate() {
            let task = trace.scenario().task(job.task);
            let is_shown = task.calls_in_turn || task.deadline.is_some() || task.class == Class::RealTime || draft.policy.kind == PolicyKind::Edf;
            prop_assert_eq!(is_shown, has(Hit::Release(i), JobMark::Release, job.release), "{:?}", job);
            let Some(deadline) = job.deadline.filter(|&d| d <= timeline.end()) else { continue };
            let mark = match job.met {
                Some(true) => JobMark::Met,
                Some(false) => JobMark::Missed,
                None => JobMark::Open,
            };
            prop_assert!(has(Hit::Deadline(i), mark, deadline), "{job:?}: no {mark:?} in {marks:?}");
        }
        let refills = trace.steps().iter().filter(|s| matches!(s.change, Change::ServerRenewed { .. } | Change::DeadlinePostponed { .. }));
        prop_assert_eq!(records.refills.len(), refills.count());
        let shown: usize = marks.iter().filter(|m| matches!(m.mark, JobMark::Renewed | JobMark::Postponed)).map(|m| m.count).sum();
        prop_assert_eq!(shown, records.refills.len());
    }
}

#[test]
fn two_processes_that_fill_the_gpu_take_turns_on_it() {
    let (trace, records) = run(&blockstep_testing::large::sharing(32, MS, 0));
    let timeline = Timeline::new(&trace, &records);
    let frame = timeline.frame(&timeline.fit(1_440.0), timeline.natural_height_px(false), None, None);
    let labels = |is_wanted: fn(Stretch) -> bool| -> Vec<&str> {
        frame.boxes.iter().filter(|b| is_wanted(b.stretch)).filter_map(|b| b.label.as_deref()).collect()
    };
    assert_eq!(labels(|s| matches!(s, Stretch::Resident(_))), ["P0", "P1"].repeat(10));
    // Each block shows five times: 5 ms, 1 ms at a time; and is suspended between.
    assert_eq!(labels(|s| matches!(s, Stretch::Running(_))).len(), 64 * 5);
    let count = |is_wanted: fn(Stretch) -> bool| frame.boxes.iter().filter(|b| is_wanted(b.stretch)).count();
    assert_eq!(count(|s| matches!(s, Stretch::Suspended(_))), 64 * 4);
    assert_eq!(count(|s| matches!(s, Stretch::SuspendedEdge(_))), 64 * 4);
    let start = "Block timeline of 2 SMs; 20 stays of resident processes, 0 switches that take time";
    assert_eq!(timeline.summary().split('.').next(), Some(start));
}

#[test]
fn a_switch_is_a_gap_that_says_so() {
    let (trace, records) = run(&blockstep_testing::large::sharing(16, MS, MS));
    let timeline = Timeline::new(&trace, &records);
    let fit = timeline.fit(1_440.0);
    let height = timeline.natural_height_px(false);
    let frame = timeline.frame(&fit, height, None, None);
    let shown = frame.boxes.iter().find(|b| b.stretch == Stretch::Switching(SpaceId(1))).unwrap();
    assert_eq!(shown.label.as_deref(), Some("switch"));
    assert_eq!(times(&fit, shown).start.ns().abs_diff(MS) / 100_000, 0);
    let (x, y) = centre(shown);
    let hit = timeline.hit(&fit, height, x, y).unwrap();
    assert_eq!((hit, hit.label(&timeline), hit.at(&timeline)), (Hit::Switch(0), "Switch to P1".to_owned(), Some(Time(MS))));
    assert!(timeline.describe(&hit).contains(&("Duration", "1 ms".to_owned())));
    let stay = Hit::Stay(1);
    assert_eq!((stay.label(&timeline), stay.at(&timeline), stay.op(&timeline)), ("P1".to_owned(), Some(Time(2 * MS)), None));
    let block = timeline.describe(&Hit::Block(0));
    assert!(block.contains(&("Executed", "5 ms".to_owned())) && block.contains(&("Suspended", "12 ms".to_owned())), "{block:?}");
}

/// [LP] II-B and Table II: what a switch does, and how much state each mode has to keep.
#[test]
fn a_switch_names_its_phases() {
    for (mode, pause, state) in [
        (Preemption::Thread, "at once", "676.2 KiB: context 68.2, registers 512, local memory 96"),
        (Preemption::Block, "after the running blocks", "68.2 KiB: the context"),
        (Preemption::Kernel, "after the running kernels", "68.2 KiB: the context"),
        (Preemption::None, "after all its work", "68.2 KiB: the context"),
    ] {
        let mut draft = blockstep_testing::large::sharing(16, MS, MS);
        draft.processes.iter_mut().for_each(|process| process.preemption = Some(mode));
        let (trace, records) = run(&draft);
        let lines = Timeline::new(&trace, &records).describe(&Hit::Switch(0));
        assert!(lines.contains(&("1 Pause", format!("of all GPCs by FECS, {pause}, before the start"))), "{lines:?}");
        assert!(lines.contains(&("2 Save", format!("{state}, by FECS and a GPCCS in each GPC"))), "{lines:?}");
    }
}

#[test]
fn a_miss_is_marked_and_said() {
    // At 10 ms the first job has half of its 20 ms.
    let (trace, records) = run(&periodic(&[(10, 20)], 100));
    let timeline = Timeline::new(&trace, &records);
    let frame = timeline.frame(&timeline.fit(1_440.0), timeline.natural_height_px(false), None, None);
    let [task] = &frame.tasks[..] else { panic!("{:?}", frame.tasks) };
    assert_eq!(task.lane.label, "T0");
    let missed: Vec<Hit> = task.marks.iter().filter(|m| m.mark == JobMark::Missed).map(|m| m.hit).collect();
    assert_eq!(missed, (0..10).map(Hit::Deadline).collect::<Vec<_>>());
    assert!(task.bars.iter().any(|b| b.late));
    let lines = timeline.describe(&Hit::Deadline(0));
    assert!(lines.contains(&("Deadline is", "missed by 10 ms".to_owned())) && lines.contains(&("Response time", "20 ms".to_owned())));
    // The eleventh is due after the end of the run.
    assert!(timeline.summary().contains("; 10 of 10 deadlines missed"), "{}", timeline.summary());
    // [EDF] gives no deadlines to best effort.
    let mut best_effort = periodic(&[(10, 20)], 100);
    best_effort.tasks[0].class = Some(Class::BestEffort);
    let (trace, records) = run(&best_effort);
    let summary = Timeline::new(&trace, &records).summary();
    assert!(summary.contains("; best effort: 10 of 10 jobs late") && !summary.contains("missed"), "{summary}");
}

#[test]
fn misses_of_tasks_without_a_lane_of_their_own_still_show() {
    let mut tasks = vec![(1_000, 1); 20];
    tasks.push((4, 5));
    let timeline = timeline(&periodic(&tasks, 100));
    let frame = timeline.frame(&timeline.fit(1_440.0), timeline.natural_height_px(false), None, None);
    let last = frame.tasks.last().unwrap();
    assert!(last.lane.count > 1 && last.lane.label == format!("+{} tasks", last.lane.count));
    assert_eq!(frame.tasks.iter().map(|t| t.lane.count).sum::<usize>(), 21);
    assert!(!last.marks.is_empty() && last.marks.iter().all(|m| m.mark == JobMark::Missed));
}

/// The picture of a large run at several zooms and widths: calls within bounds.
fn assert_bounded(trace: &Arc<Trace>, records: &Arc<Records>) {
    let timeline = Timeline::new(trace, records);
    for zoom in [1.0, 16.0, 256.0, 4_096.0] {
        for width in [390.0, 1_440.0, 3_840.0] {
            let fit = timeline.fit(width);
            let scale = fit.zoomed(zoom, fit.left_px() + 0.4 * fit.width_px(), timeline.end());
            let frame = timeline.frame(&scale, timeline.natural_height_px(width < 500.0), None, None);
            assert!(frame.boxes.iter().map(BoxFrame::cost).sum::<usize>() <= MAX_BOX_CALLS);
            let others = 3 * frame.lanes.len() + 3 * frame.ticks.ticks.len() + 3 * frame.arrows.len() + 60;
            let calls = paint(&frame, 1.0).len();
            assert!(calls <= MAX_BOX_CALLS + MAX_LABELS + 3_000 + others, "{calls} calls at {zoom} on {width}");
            // Somebody is resident nearly all the time, and the band is never empty.
            let band: Vec<&BoxFrame> = frame.boxes.iter().filter(|b| matches!(b.stretch, Stretch::Resident(_))).collect();
            let covered: f64 = band.iter().map(|b| b.x1 - b.x0).sum();
            let end = scale.x_from_time(timeline.end()).min(scale.right_px());
            let start = scale.x_from_time(Time::ZERO).max(scale.left_px());
            assert!(covered > 0.8 * (end - start), "{covered} of {start}..{end} at {zoom} on {width}");
        }
    }
}

#[test]
fn a_hundred_thousand_stays_take_a_bounded_number_of_calls() {
    let (trace, records) = run(&blockstep_testing::large::sharing(160, 1_000, 100));
    assert!(records.residency.len() >= 100_000, "{}", records.residency.len());
    assert_bounded(&trace, &records);
}

#[test]
fn thousands_of_jobs_take_a_bounded_number_of_calls() {
    let (trace, records) = run(&periodic(&[(2, 1), (3, 2), (5, 3), (7, 1)], 20_000));
    assert!(records.jobs.len() > 20_000);
    assert_bounded(&trace, &records);
}

#[test]
fn processes_stand_out_from_the_ground_and_from_kernels() {
    let apart = |a: blockstep_view::palette::Rgb, b: blockstep_view::palette::Rgb| {
        let off = |a: u8, b: u8| u32::from(a.abs_diff(b));
        off(a.0, b.0) + off(a.1, b.1) + off(a.2, b.2)
    };
    for (dark, ground) in [(false, blockstep_draw::Theme::light().lane), (true, blockstep_draw::Theme::dark().lane)] {
        for i in 0..6 {
            let colour = colour_of_space(SpaceId(i), dark);
            assert!(contrast(colour, ground) >= 4.5 && contrast(colour, text_on(colour)) >= 4.5, "{colour:?}");
            for j in i + 1..6 {
                assert!(apart(colour, colour_of_space(SpaceId(j), dark)) >= 40);
            }
            for row in 0..8 {
                assert!(apart(colour, colour_of(blockstep_sim::units::RowId(row), dark)) >= 60, "{colour:?} and row {row}");
            }
        }
    }
}
