//! Timelines of batches: made of the lanes, boxes and axis of a run's timeline.

use blockstep_sim::units::{RowId, Time, TimeRange};
use blockstep_view::batch::SpotShape;
use blockstep_view::batch::timeline::{Bar, BatchTimeline, fit};
use blockstep_view::frame::{Frame, Stretch};
use proptest::prelude::*;

use super::{BatchPicture, Page, Saved};
use blockstep_testing::arbitrary::cases;

fn bar(lane: usize, row: u32, from: u64, to: u64, is_held_up: bool) -> Bar {
    let time = TimeRange::new(Time(from), Time(to));
    Bar { lane, row: RowId(row), time, label: format!("t{row} kernel"), short: "in".to_owned(), is_held_up }
}

fn timeline(bars: &[Bar], to: u64) -> BatchTimeline {
    let lanes = ["Copies", "Kernels"].map(str::to_owned).into();
    BatchTimeline { lanes, bars: bars.to_vec(), end: Time(to), row_px: 24.0 }
}

/// All of it, so wide.
fn frame_of(timeline: &BatchTimeline, width_px: f64) -> Frame {
    timeline.frame(&fit(timeline.end, width_px), Some(Time(timeline.end.ns() / 3)))
}

#[test]
fn batch_page_timeline_shows_what_ran_and_what_was_held_up() {
    let mut page = Page::new();
    let texts: Vec<String> = page.scene().timeline.bars.iter().map(Bar::words).collect();
    for text in ["t1 input copy: 0 s to 1 ms", "t2 input copy: 1 ms to 5 ms", "t1 kernel: 5 ms to 7 ms", "t1 kernel held up: 1 ms to 5 ms"]
    {
        assert!(texts.iter().any(|words| words == text), "{text}: {texts:?}");
    }
    assert_eq!(texts.len(), 4);
    let (_, _, svg) = page.saved(Saved::Svg(BatchPicture::Timeline));
    for word in ["Copies", "Kernels", "time, ms", "t1 kernel held up"] {
        assert!(svg.contains(word), "{word}\n{svg}");
    }
    assert!(!svg.contains("launches"), "there is no strip of launches");
    let of_run = Page::at("from=Case-2&tab=all");
    let wide = |page: &Page| page.compared().1.schedulers[0].outcome.as_ref().unwrap().timeline.spots.len();
    assert!(wide(&Page::at("from=Case-2&tab=all&span=all")) > wide(&of_run), "the whole run has more");
}

#[test]
fn batch_page_timeline_has_a_row_for_each_that_runs_at_the_same_time() {
    let bars = [bar(1, 0, 0, 50, false), bar(1, 1, 10, 30, false), bar(1, 2, 30, 60, true), bar(1, 3, 60, 99, false)];
    let shown = timeline(&bars, 100);
    let frame = frame_of(&shown, 800.0);
    assert_eq!(frame.lanes.iter().map(|lane| (&*lane.label, lane.height)).collect::<Vec<_>>(), [("Copies", 24.0), ("Kernels", 48.0)]);
    let tops: Vec<f64> = frame.boxes.iter().map(|b| b.y0 - frame.lanes[1].y).collect();
    // Those that ran come in the order of their starts, then those that were held up.
    assert_eq!(tops.iter().map(|top| top.round()).collect::<Vec<_>>(), [0.0, 24.0, 0.0, 24.0]);
    let kinds: Vec<Stretch> = frame.boxes.iter().map(|b| b.stretch).collect();
    assert_eq!(kinds, [Stretch::Running(RowId(0)), Stretch::Running(RowId(1)), Stretch::Running(RowId(3)), Stretch::HeldUp(RowId(2))]);
    assert!(frame.cursor.is_some() && frame.end_x.is_some() && frame.launches_y >= frame.height_px);
    let narrow = frame_of(&shown, 150.0);
    assert!(narrow.boxes.iter().all(|b| b.label.as_deref() != Some("t0 kernel")), "words only where they fit");
}

fn overlap(frame: &Frame, stretch: fn(Stretch) -> bool) -> bool {
    let boxes: Vec<_> = frame.boxes.iter().filter(|b| stretch(b.stretch) && b.hit.is_some()).collect();
    let over = |a: f64, b: f64, c: f64, d: f64| a + 1e-6 < d && c + 1e-6 < b;
    boxes.iter().enumerate().any(|(i, a)| boxes[..i].iter().any(|b| over(a.x0, a.x1, b.x0, b.x1) && over(a.y0, a.y1, b.y0, b.y1)))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn batch_page_timelines_stay_inside_and_hide_nothing(
        parts in prop::collection::vec((0_usize..2, 0_u32..4, 0_u64..1000, 1_u64..300, any::<bool>()), 0..60),
        width in 240_u32..1600,
    ) {
        let bars: Vec<Bar> = parts.into_iter().map(|(lane, row, from, long, held)| bar(lane, row, from, from + long, held)).collect();
        let shown = timeline(&bars, 1300);
        let frame = frame_of(&shown, f64::from(width));
        let inside = |x: f64, y: f64| (frame.left_px - 1e-6..=frame.right_px + 1e-6).contains(&x) && (0.0..=frame.axis_y + 1.0).contains(&y);
        for b in &frame.boxes {
            prop_assert!(inside(b.x0, b.y0) && inside(b.x1, b.y1), "{b:?}");
        }
        prop_assert!(!overlap(&frame, |_| true), "{bars:?}");
        let spots = shown.spots(&frame);
        let wide = |b: &&Bar| (b.time.end.ns() - b.time.start.ns()) as f64 > 1300.0 / (frame.right_px - frame.left_px) * 2.0;
        prop_assert!(spots.len() >= bars.iter().filter(wide).count(), "all that is wide enough can be pointed at");
        for spot in &spots {
            let SpotShape::Area([x0, y0, x1, y1]) = spot.shape else { continue };
            let hit = shown.hit(&frame, (f64::midpoint(x0, x1), f64::midpoint(y0, y1)));
            prop_assert_eq!(hit.map(Bar::words), Some(spot.text.clone()), "what is pointed at is what is there");
        }
        prop_assert!(spots.iter().all(|spot| matches!(spot.shape, SpotShape::Area(_)) && spot.text.contains(" to ")));
    }
}

/// However long a run is, its picture takes a bounded number of boxes.
#[test]
fn batch_page_timeline_of_a_long_run_is_bounded() {
    let bars: Vec<Bar> = (0..200_000).map(|i| bar((i % 2) as usize, (i % 5) as u32, i * 10, i * 10 + 15, i % 7 == 0)).collect();
    let frame = frame_of(&timeline(&bars, 2_000_015), 1000.0);
    assert!(frame.boxes.len() < 6_000, "{}", frame.boxes.len());
    assert!(!frame.boxes.is_empty());
}
