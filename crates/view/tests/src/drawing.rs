//! The timeline's geometry and its painting, on a backend that records every call.
//!
//! Depends on the library and `arbitrary`. Sizes of text are never compared: they differ between
//! backends.

mod labels;
mod opening;
mod parts;
mod scale;
mod svg;
mod turns;

use std::collections::BTreeSet;
use std::sync::Arc;

use blockstep_draw::{self as draw, Theme};
use blockstep_format as format;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::examples;
use blockstep_sim::record::{BlockRecord, Records};
use blockstep_sim::scenario::{BlockTimes, BuiltIn, DeviceDraft, Draft, KernelDraft, Release, Scenario, TaskDraft};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{RowId, Time};
use blockstep_testing::recorder::{Call, Recorder};
use blockstep_view::frame::{BoxFrame, Emphasis, Frame, Stretch};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{Hit, LEFT_PX, MAX_BOX_CALLS, MAX_LABELS, Timeline};
use plotters::drawing::IntoDrawingArea;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{cases, drafts};

/// Runs a draft.
fn run(draft: &Draft) -> (Arc<Trace>, Arc<Records>) {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let records = Arc::new(Records::new(&run.trace));
    (run.trace, records)
}

fn timeline(draft: &Draft) -> Timeline {
    let (trace, records) = run(draft);
    Timeline::new(&trace, &records)
}

fn table_1() -> Draft {
    format::read_scenario(examples::find("tx2-table-1").unwrap().json).unwrap()
}

fn paint(frame: &Frame, scale: f64) -> Vec<Call> {
    let size = ((frame.width_px * scale).ceil() as u32, (frame.height_px * scale).ceil() as u32);
    let recorder = Recorder::new(size);
    let calls = recorder.calls();
    draw::paint(&recorder.into_drawing_area(), frame, &Theme::light().scaled(scale)).unwrap();
    calls.take()
}

fn centre(b: &BoxFrame) -> (f64, f64) {
    ((b.x0 + b.x1) / 2.0, (b.y0 + b.y1) / 2.0)
}

/// A view: width, height, zoom, where it is zoomed in, how far it is moved on.
fn views() -> impl Strategy<Value = (f64, f64, f64, f64, f64)> {
    (100.0..2_000.0_f64, 100.0..900.0_f64, 0.0..12.0_f64, 0.0..1.0_f64, -500.0..500.0_f64)
}

fn scale_of(timeline: &Timeline, (width, _, zoom, around, pan): (f64, f64, f64, f64, f64)) -> TimeScale {
    let fit = timeline.fit(width);
    fit.zoomed(zoom.exp2(), fit.left_px() + around * fit.width_px(), timeline.end()).panned(pan, timeline.end())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_call_lies_inside_the_frame(draft in drafts(), view in views(), dpr in 1.0..3.0_f64, cursor in 0..60_u64) {
        let timeline = timeline(&draft);
        let scale = scale_of(&timeline, view);
        let frame = timeline.frame(&scale, view.1, Some(Time(cursor)), Some(RowId(0)));
        prop_assert!(frame.height_px >= view.1);
        let (right, bottom) = ((frame.width_px * dpr).ceil() as i32, (frame.height_px * dpr).ceil() as i32);
        for call in paint(&frame, dpr) {
            let (x0, y0, x1, y1) = call.bounds();
            prop_assert!(x0 >= 0 && y0 >= 0 && x1 <= right && y1 <= bottom, "{call:?} in {right} x {bottom}");
        }
    }

    #[test]
    fn the_centre_of_every_box_hits_its_block(draft in drafts(), view in views()) {
        let timeline = timeline(&draft);
        let scale = scale_of(&timeline, view);
        let frame = timeline.frame(&scale, view.1, None, None);
        for shown in frame.boxes.iter().filter(|b| b.hit.is_some()) {
            let (x, y) = centre(shown);
            prop_assert_eq!(timeline.hit(&scale, view.1, x, y), shown.hit);
        }
        for arrow in frame.arrows.iter().filter(|a| a.count == 1) {
            let hit = timeline.hit(&scale, view.1, arrow.x, frame.launches_y + 4.0);
            prop_assert_eq!(hit, Some(Hit::Launch(arrow.op)));
        }
    }

    #[test]
    fn boxes_stay_in_their_lanes_and_never_overlap(draft in drafts(), view in views()) {
        let timeline = timeline(&draft);
        let frame = timeline.frame(&scale_of(&timeline, view), view.1, None, None);
        for pair in frame.lanes.windows(2) {
            prop_assert!(pair[0].y + pair[0].height <= pair[1].y + 1e-9, "{:?}", pair);
        }
        prop_assert!(frame.lanes.iter().all(|l| l.height > 0.0 && l.y >= 0.0 && l.y + l.height <= frame.axis_y));
        // While a block spins, that is drawn over it.
        let is_over = |b: &&BoxFrame| matches!(b.stretch, Stretch::Spinning(_));
        let single: Vec<&BoxFrame> = frame.boxes.iter().filter(|b| b.hit.is_some() && !is_over(b)).collect();
        for (i, a) in single.iter().enumerate() {
            prop_assert!(frame.lanes.iter().any(|l| l.y - 1e-3 <= a.y0 && a.y1 <= l.y + l.height + 1e-3), "{a:?}");
            prop_assert!(frame.left_px <= a.x0 && a.x0 < a.x1 && a.x1 <= frame.right_px, "{a:?}");
            for b in &single[i + 1..] {
                let wide = a.x1.min(b.x1) - a.x0.max(b.x0);
                let high = a.y1.min(b.y1) - a.y0.max(b.y0);
                prop_assert!(wide < 1e-6 || high < 1e-3, "{a:?} and {b:?} overlap by {wide} x {high}");
            }
        }
    }

    #[test]
    fn pieces_of_a_block_have_its_times_and_threads(draft in drafts()) {
        let (trace, records) = run(&draft);
        let timeline = Timeline::new(&trace, &records);
        // So high and wide that every block shows, even of 1 thread in 2048 and 1 ns in 1,000.
        let (width, height) = (20_000.0, 8_000.0);
        let scale = timeline.fit(width);
        let frame = timeline.frame(&scale, height, None, None);
        let capacity = trace.scenario().device().threads_per_sm as f64;
        let mut heights = vec![0.0; records.blocks.len()];
        for shown in &frame.boxes {
            let Some(Hit::Block(i)) = shown.hit.filter(|_| !matches!(shown.stretch, Stretch::Spinning(_))) else { continue };
            let block = &records.blocks[i];
            heights[i] += (shown.y1 - shown.y0) / frame.lanes[block.sm.index()].height * capacity;
            prop_assert!((shown.x0 - scale.x_from_time(block.start)).abs() < 1e-6);
            let end = scale.x_from_time(block.end.unwrap_or(trace.end()));
            prop_assert!((end - shown.x1).abs() < 1.0 + 1e-6, "{} {end}", shown.x1);
            prop_assert_eq!(shown.open_ended, block.end.is_none());
        }
        for (block, height) in records.blocks.iter().zip(heights) {
            let lasts = block.end.is_none_or(|end| end > block.start) && block.start < trace.end();
            let threads = if lasts { f64::from(trace.row_of(block.op).needs.threads) } else { 0.0 };
            prop_assert!((height - threads).abs() < 0.01 * threads.max(1.0), "{block:?}: {height} instead of {threads}");
        }
    }
}

#[test]
fn the_cursor_stands_at_its_time_and_only_in_view() {
    let timeline = timeline(&table_1());
    let fit = timeline.fit(1_000.0);
    let at = Time(2_000_000_000);
    let frame = timeline.frame(&fit, 400.0, Some(at), None);
    let cursor = frame.cursor.clone().unwrap();
    assert!((cursor.x - fit.x_from_time(at)).abs() < 1e-9);
    assert_eq!(cursor.label, "2 s");
    let without = paint(&timeline.frame(&fit, 400.0, None, None), 1.0);
    let with = paint(&frame, 1.0);
    let line = |c: &&Call| matches!(c, Call::Rect { x0, x1, .. } if f64::from(*x0) == (cursor.x - 1.0).round() && x1 - x0 == 2);
    assert_eq!((without.iter().filter(line).count(), with.iter().filter(line).count()), (0, 1));
    let away = fit.zoomed(100.0, fit.left_px(), timeline.end());
    assert_eq!(timeline.frame(&away, 400.0, Some(at), None).cursor, None);
}

#[test]
fn a_selection_dims_the_others() {
    let timeline = timeline(&table_1());
    let frame = timeline.frame(&timeline.fit(1_000.0), 400.0, None, Some(RowId(1)));
    for shown in &frame.boxes {
        let expected = if shown.row() == Some(RowId(1)) { Emphasis::Selected } else { Emphasis::Dimmed };
        assert_eq!(shown.emphasis, expected);
    }
    // K2 is launched together with K1 and K3.
    assert_eq!(frame.arrows[0].count, 3);
    assert_eq!(frame.arrows[0].emphasis, Emphasis::Selected);
    assert!(frame.arrows[1..].iter().all(|a| a.emphasis == Emphasis::Dimmed));
}

#[test]
fn tooltips_say_what_the_run_says() {
    let timeline = timeline(&table_1());
    let find = |name: &str| {
        let frame = timeline.frame(&timeline.fit(1_000.0), 400.0, None, None);
        frame.boxes.iter().filter_map(|b| b.hit).find(|h| h.label(&timeline) == name).unwrap()
    };
    let line = |name: &str, key: &str| timeline.describe(&find(name)).into_iter().find(|(k, _)| *k == key).unwrap().1;
    assert_eq!(line("K4:0", "Block"), "K4:0");
    assert_eq!(line("K4:0", "SM"), "0");
    assert_eq!(line("K4:0", "Start"), "1 s");
    assert_eq!(line("K4:0", "End"), "2 s");
    assert_eq!(line("K4:0", "Threads"), "256");
    assert_eq!(line("K4:0", "Shared memory"), "32 KiB");
    assert_eq!(line("C5o", "Start"), "3 s");
    assert_eq!(line("C5o", "Duration"), "200 ms");
    assert_eq!(line("C5o", "Size"), "256 MiB");
    let launch = timeline.describe(&Hit::Launch(find("K6:0").op(&timeline).unwrap()));
    assert!(launch.contains(&("Launched", "2.8 s".to_owned())), "{launch:?}");
}

#[test]
fn a_hundred_thousand_blocks_take_a_bounded_number_of_calls() {
    for device in ["tx2", "gtx1070", "titanv"] {
        let (trace, records) = run(&blockstep_testing::large::scattered(device));
        assert_eq!(records.blocks.len(), 100_000);
        let timeline = Timeline::new(&trace, &records);
        for zoom in [1.0, 4.0, 16.0, 64.0, 256.0, 4_096.0] {
            for width in [390.0, 1_440.0, 3_840.0] {
                let fit = timeline.fit(width);
                let scale = fit.zoomed(zoom, fit.left_px() + 0.4 * fit.width_px(), timeline.end());
                let frame = timeline.frame(&scale, timeline.natural_height_px(width < 500.0), None, None);
                assert!(frame.boxes.iter().map(BoxFrame::cost).sum::<usize>() <= MAX_BOX_CALLS);
                assert!(frame.boxes.iter().filter(|b| b.label.is_some()).count() <= MAX_LABELS);
                let others = 3 * frame.lanes.len() + 3 * frame.ticks.ticks.len() + 3 * frame.arrows.len() + 10;
                let calls = paint(&frame, 1.0).len();
                assert!(calls <= MAX_BOX_CALLS + MAX_LABELS + others, "{calls} calls on {device}");
                all_that_ran_shows(&timeline, &frame, &scale, &records);
            }
        }
    }
}

/// Some box of its SM's lane covers the middle of every visible block's time.
fn all_that_ran_shows(timeline: &Timeline, frame: &Frame, scale: &TimeScale, records: &Records) {
    let mut covered: Vec<Vec<(f64, f64)>> = vec![Vec::new(); frame.lanes.len()];
    for shown in &frame.boxes {
        let middle = (shown.y0 + shown.y1) / 2.0;
        let lane = frame.lanes.iter().position(|l| l.y <= middle && middle <= l.y + l.height).unwrap();
        covered[lane].push((shown.x0, shown.x1));
    }
    for lane in &mut covered {
        lane.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let reach: Vec<Vec<f64>> = covered
        .iter()
        .map(|lane| {
            lane.iter()
                .scan(0.0_f64, |far, x| {
                    *far = far.max(x.1);
                    Some(*far)
                })
                .collect()
        })
        .collect();
    for block in records.blocks.iter().step_by(37) {
        let (x0, x1) = (scale.x_from_time(block.start), scale.x_from_time(block.end.unwrap()));
        let x = (x0 + x1) / 2.0;
        if x < scale.left_px() || x > scale.right_px() {
            continue;
        }
        // What is narrower than a column lies in the column of its start; a pixel is kept between boxes.
        let x = if x1 - x0 < 64.0 { x0.max(scale.left_px()) } else { x };
        let lane = block.sm.index();
        let i = covered[lane].partition_point(|c| c.0 <= x + 1e-6);
        assert!(i > 0 && reach[lane][i - 1] >= x - 1.0, "{block:?} does not show at {x} of {}", timeline.end());
    }
}

#[test]
fn a_device_of_four_thousand_sms_is_drawn_too() {
    let mut device = BuiltIn::find("tx2").unwrap().device();
    device.sms = 4_096;
    let mut draft = blockstep_testing::large::scattered("tx2");
    draft.device = DeviceDraft::Custom(device);
    let timeline = timeline(&draft);
    let height = timeline.natural_height_px(false);
    assert!(height < 1_500.0);
    let scale = timeline.fit(1_440.0);
    let frame = timeline.frame(&scale, height, None, None);
    assert!(frame.boxes.iter().map(BoxFrame::cost).sum::<usize>() <= MAX_BOX_CALLS);
    assert_eq!(frame.lanes.iter().map(|l| l.count).sum::<usize>(), 4_096);
    assert!(!frame.boxes.is_empty());
    // Where several SMs share a lane, the pointer still finds a block of one of them.
    let shown = frame.boxes.iter().max_by(|a, b| (a.y1 - a.y0).total_cmp(&(b.y1 - b.y0))).unwrap();
    let (x, y) = centre(shown);
    assert!(matches!(timeline.hit(&scale, height, x, y), Some(Hit::Block(_))));
}

/// A lane is kept in parts: the long block is in the first one, those that run beside it later in others.
#[test]
fn a_block_is_drawn_and_found_beside_thousands_that_begin_after_it() {
    let kernel = |name: &str, blocks, ns| KernelDraft { stream: name.to_owned(), ..KernelDraft::named(name, blocks, 1024, ns) };
    let (trace, records) = run(&Draft { kernels: vec![kernel("long", 1, 10_000), kernel("short", 12_000, 1)], ..Draft::default() });
    let timeline = Timeline::new(&trace, &records);
    let (fit, height) = (timeline.fit(1_000.0), 300.0);
    for at in [10, 1_500, 3_900, 9_000] {
        let running = |block: &BlockRecord| block.start.ns() <= at && block.end.is_none_or(|end| at < end.ns());
        let expected: BTreeSet<usize> = (0..records.blocks.len()).filter(|&i| running(&records.blocks[i])).collect();
        assert_eq!(expected.len(), if at < 4_000 { 4 } else { 1 });
        let scale = fit.zoomed(200.0, fit.x_from_time(Time(at)), timeline.end());
        let x = (scale.x_from_time(Time(at)) + scale.x_from_time(Time(at + 1))) / 2.0;
        let block = |hit: Hit| if let Hit::Block(i) = hit { Some(i) } else { None };
        let found: BTreeSet<usize> = (0..300).filter_map(|y| timeline.hit(&scale, height, x, f64::from(y)).and_then(block)).collect();
        assert_eq!(found, expected, "at {at} ns");
        let frame = timeline.frame(&scale, height, None, None);
        let drawn: BTreeSet<usize> = frame.boxes.iter().filter_map(|shown| shown.hit.and_then(block)).collect();
        assert!(drawn.is_superset(&expected), "at {at} ns");
    }
}

#[test]
fn an_empty_run_has_an_empty_picture() {
    let timeline = timeline(&Draft::default());
    assert_eq!(timeline.end(), Time(1));
    let frame = timeline.frame(&timeline.fit(800.0), 300.0, Some(Time::ZERO), None);
    assert!(frame.boxes.is_empty() && frame.arrows.is_empty());
    assert_eq!(frame.lanes.len(), 2);
    assert!(!paint(&frame, 2.0).is_empty());
    assert_eq!(timeline.hit(&timeline.fit(800.0), 300.0, 400.0, 40.0), None);
}

#[test]
fn the_heights_of_table_1_are_its_threads() {
    let (trace, records) = run(&table_1());
    let timeline = Timeline::new(&trace, &records);
    let frame = timeline.frame(&timeline.fit(1_440.0), timeline.natural_height_px(false), None, None);
    let labels: Vec<&str> = frame.boxes.iter().filter_map(|b| b.label.as_deref()).collect();
    for label in ["K1:0", "K1:5", "K2:1", "K3:0", "K4:3", "K5:1", "K6:0", "C5o", "C2o", "C3i", "C3o", "C6o"] {
        assert!(labels.contains(&label), "{label} in {labels:?}");
    }
    // 18 blocks and 5 copies, none of them cut in pieces.
    assert_eq!(frame.boxes.len(), 23);
    assert_eq!(frame.lanes.iter().map(|l| l.label.as_str()).collect::<Vec<_>>(), ["SM 0", "SM 1", "Copy"]);
    assert!(LEFT_PX <= frame.left_px);
    assert_eq!(frame.ticks.unit, "s");
}
