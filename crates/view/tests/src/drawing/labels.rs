//! The names in and beside the bars, at the sizes that the page has.

use std::collections::BTreeSet;

use super::*;
use blockstep_view::frame::{LabelFrame, Stretch};

/// Width of the picture, px, whether it is compact, and what room there is for its height: a laptop, a desk, a phone, the presenter view
/// of a projector and of a large screen.
const PICTURES: [(f64, bool, f64); 5] =
    [(984.0, false, 227.0), (1_040.0, false, 470.0), (374.0, true, 414.0), (830.0, false, 180.0), (1_240.0, false, 302.0)];

fn pictures(timeline: &Timeline) -> impl Iterator<Item = Frame> {
    PICTURES.into_iter().map(|(width, is_compact, room)| {
        let left_px = if is_compact { 62.0 } else { LEFT_PX };
        let scale = TimeScale::fit(timeline.end(), left_px, width - left_px - 16.0);
        timeline.frame(&scale, timeline.height_px(is_compact, Some(room), true), None, None)
    })
}

fn texts(frame: &Frame) -> Vec<&str> {
    let in_boxes = frame.boxes.iter().filter_map(|shown| shown.label.as_deref());
    in_boxes.chain(frame.labels.iter().map(|label| label.text.as_str())).collect()
}

fn overlap(label: &LabelFrame, (x0, y0, x1, y1): (f64, f64, f64, f64)) -> bool {
    label.x1.min(x1) - label.x0.max(x0) > 0.2 && label.y1.min(y1) - label.y0.max(y0) > 1.1
}

fn names_cover_nothing(timeline: &Timeline, frame: &Frame) {
    for (i, label) in frame.labels.iter().enumerate() {
        let is_named = |shown: &BoxFrame| label.is_on_bars && shown.hit.and_then(|hit| hit.op(timeline)) == label.hit.op(timeline);
        for shown in frame.boxes.iter().filter(|shown| !is_named(shown)) {
            assert!(!overlap(label, (shown.x0, shown.y0, shown.x1, shown.y1)), "{label:?} on {shown:?}");
        }
        for other in &frame.labels[i + 1..] {
            assert!(!overlap(label, (other.x0, other.y0, other.x1, other.y1)), "{label:?} on {other:?}");
        }
        let (top, bottom) = (frame.lanes[0].y, frame.lanes.iter().map(|lane| lane.y + lane.height).fold(0.0, f64::max));
        assert!(top - 0.2 <= label.y0 && label.y1 <= bottom + 0.2, "{label:?}");
        assert!(frame.left_px <= label.x0 && label.x1 <= frame.right_px, "{label:?}");
    }
}

#[test]
fn every_kernel_of_table_1_is_named_wherever_the_page_shows_it() {
    let timeline = timeline(&table_1());
    for frame in pictures(&timeline) {
        let names: BTreeSet<&str> = texts(&frame).into_iter().filter_map(|text| text.split(':').next()).collect();
        for kernel in ["K1", "K2", "K3", "K4", "K5", "K6"] {
            assert!(names.contains(kernel), "{kernel} in {names:?}, {} x {} px", frame.width_px, frame.height_px);
        }
    }
}

#[test]
fn low_bars_on_each_other_have_one_name() {
    let timeline = timeline(&table_1());
    let frame = pictures(&timeline).next().unwrap();
    let texts: Vec<(&str, bool)> = frame.labels.iter().map(|label| (label.text.as_str(), label.is_on_bars)).collect();
    assert_eq!(texts, [("K4:0, 2", true), ("K4:1, 3", true), ("K5:0", false), ("K5:1", false)]);
    for label in &frame.labels {
        let found = timeline.hit(
            &TimeScale::fit(timeline.end(), frame.left_px, frame.right_px - frame.left_px),
            frame.height_px,
            (label.x0 + label.x1) / 2.0,
            label.y1 - 1.0,
        );
        assert_eq!(found.and_then(|hit| hit.op(&timeline)), label.hit.op(&timeline), "{label:?}");
    }
}

/// Kernels with a bar that has room for a short name.
fn kernels_in_sight(timeline: &Timeline, frame: &Frame) -> BTreeSet<String> {
    const LEAST_PX: (f64, f64) = (40.0, 9.0);
    let is_block = |shown: &BoxFrame| matches!((shown.stretch, shown.hit), (Stretch::Running(_), Some(Hit::Block(_))));
    let is_large = |shown: &&BoxFrame| shown.x1 - shown.x0 >= LEAST_PX.0 && shown.y1 - shown.y0 >= LEAST_PX.1 && is_block(shown);
    frame.boxes.iter().filter(is_large).filter_map(|shown| Some(timeline.trace().op_label(shown.hit?.op(timeline)?))).collect()
}

#[test]
fn every_kernel_of_every_example_that_has_a_large_bar_is_named() {
    let mut nameless = Vec::new();
    for example in examples::all() {
        let timeline = timeline(&format::read_scenario(example.json).unwrap());
        for frame in pictures(&timeline) {
            names_cover_nothing(&timeline, &frame);
            let names: BTreeSet<&str> = texts(&frame).into_iter().map(|text| text.split(':').next().unwrap_or(text)).collect();
            for kernel in kernels_in_sight(&timeline, &frame) {
                if !names.contains(kernel.as_str()) {
                    nameless.push(format!("{} {kernel} {}x{}", example.id, frame.width_px, frame.height_px));
                }
            }
        }
    }
    assert!(nameless.is_empty(), "{nameless:#?}");
}

#[test]
fn blocks_in_many_low_lanes_have_one_name() {
    let timeline = timeline(&format::read_scenario(examples::find("cuda-grids").unwrap().json).unwrap());
    let frame = pictures(&timeline).next().unwrap();
    let texts: Vec<&str> = frame.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(texts.iter().filter(|text| **text == "B1:0–29").count(), 1, "{texts:?}");
    assert!(texts.len() < 12, "{texts:?}");
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn names_cover_neither_bars_nor_names(draft in drafts(), view in views()) {
        let timeline = timeline(&draft);
        names_cover_nothing(&timeline, &timeline.frame(&scale_of(&timeline, view), view.1, None, None));
    }
}

/// Table 1 on a GPU of many SMs.
fn table_1_on(device: &str) -> Draft {
    let mut draft = table_1();
    draft.device = DeviceDraft::Custom(BuiltIn::find(device).unwrap().device());
    draft
}

#[test]
fn a_few_blocks_on_many_sms_are_in_sight_and_the_idle_sms_share_a_lane() {
    for (device, sms) in [("h100", 132_usize), ("b200", 148)] {
        let (trace, records) = run(&table_1_on(device));
        let timeline = Timeline::new(&trace, &records);
        let used = records.blocks.iter().map(|block| block.sm.index() + 1).max().unwrap();
        for frame in pictures(&timeline) {
            assert_eq!(frame.lanes[..=used].iter().map(|lane| lane.count).sum::<usize>(), sms);
            let idle = &frame.lanes[used];
            assert_eq!((idle.label.as_str(), idle.count), (format!("SM {used}\u{2013}{}", sms - 1).as_str(), sms - used));
            assert_eq!(idle.sub_label, format!("{} SMs idle", sms - used));
            let blocks: BTreeSet<usize> = frame
                .boxes
                .iter()
                .filter(|b| b.y1 - b.y0 >= 1.0)
                .filter_map(|b| if let Some(Hit::Block(i)) = b.hit { Some(i) } else { None })
                .collect();
            assert_eq!(blocks.len(), records.blocks.len(), "{device}, {} px high", frame.height_px);
        }
    }
}
