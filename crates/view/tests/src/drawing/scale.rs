//! Time scale, ticks and palette.

use blockstep_sim::units::{RowId, Time};
use blockstep_view::gesture::{Gesture, Move, Wheel};
use blockstep_view::palette::{Rgb, colour_of, contrast, pattern_of, text_on};
use blockstep_view::ticks::ticks;
use blockstep_view::time_scale::TimeScale;
use proptest::prelude::*;

use blockstep_testing::arbitrary::cases;

/// Ends of runs of any order of magnitude.
fn ends() -> impl Strategy<Value = u64> {
    (0..64_u32, any::<u64>()).prop_map(|(bits, n)| (n >> (63 - bits)).max(1))
}

/// How exact an instant can be, in ns: whole nanoseconds in floating point.
fn grain(t: Time) -> f64 {
    1.0 + t.ns() as f64 * 2e-15
}

/// A scale on some run, anywhere and at any zoom.
fn scales() -> impl Strategy<Value = (TimeScale, Time)> {
    (ends(), 50.0..3_000.0_f64, 0.0..40.0_f64, 0.0..1.0_f64).prop_map(|(end, width, zoom, around)| {
        let end = Time(end);
        (TimeScale::fit(end, 80.0, width).zoomed(zoom.exp2(), 80.0 + around * width, end), end)
    })
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn x_and_time_are_inverse((scale, _) in scales(), share in 0.0..1.0_f64) {
        let visible = scale.visible();
        let t = Time(visible.start.ns() + (visible.span().ns() as f64 * share) as u64);
        let back = scale.time_from_x(scale.x_from_time(t));
        let off = back.ns().abs_diff(t.ns()) as f64;
        prop_assert!(off <= grain(t), "{t} became {back}");
        // And the other way round, to the pixel, where a pixel is more than a nanosecond.
        let x = scale.left_px() + scale.width_px() * share;
        let x_again = scale.x_from_time(scale.time_from_x(x));
        let grain = grain(t) / scale.ns_per_px();
        prop_assert!(scale.time_from_x(x) == Time::ZERO || (x_again - x).abs() <= grain.max(0.01) + 1e-3, "{x} {x_again}");
    }

    #[test]
    fn fit_shows_everything(end in ends(), width in 50.0..3_000.0_f64) {
        let scale = TimeScale::fit(Time(end), 80.0, width);
        let visible = scale.visible();
        prop_assert!(visible.start == Time::ZERO && visible.end >= Time(end));
        prop_assert!(scale.x_from_time(Time::ZERO) >= 80.0 && scale.x_from_time(Time(end)) <= 80.0 + width);
    }

    #[test]
    fn zoom_keeps_its_anchor((scale, end) in scales(), factor in 0.2..5.0_f64, share in 0.0..1.0_f64) {
        let x = scale.left_px() + share * scale.width_px();
        let zoomed = scale.zoomed(factor, x, end);
        let clamped = zoomed.panned(1.0, end) == zoomed || zoomed.panned(-1.0, end) == zoomed;
        let t = scale.time_from_x(x);
        // Left of the run's start there is no instant under the pointer.
        let is_on_run = (scale.x_from_time(t) - x).abs() <= grain(t) / scale.ns_per_px() + 1e-3;
        if !clamped && is_on_run {
            prop_assert!((zoomed.x_from_time(t) - scale.x_from_time(t)).abs() < grain(t) / zoomed.ns_per_px().min(scale.ns_per_px()) + 1e-3);
        }
        let fit = TimeScale::fit(end, scale.left_px(), scale.width_px());
        prop_assert!(zoomed.ns_per_px() <= fit.ns_per_px() * (1.0 + 1e-12));
        prop_assert!(zoomed.visible().span().ns() >= 1);
    }

    #[test]
    fn panning_never_leaves_the_run((scale, end) in scales(), dx in -1e7..1e7_f64) {
        let panned = scale.panned(dx, end);
        let visible = panned.visible();
        prop_assert!(visible.start <= end && visible.span().ns() > 0);
        prop_assert!((panned.ns_per_px() - scale.ns_per_px()).abs() <= scale.ns_per_px() * 1e-9);
        let (first, last) = (panned.x_from_time(Time::ZERO), panned.x_from_time(end));
        prop_assert!(first <= panned.left_px() + 0.11 * panned.width_px() && last >= panned.right_px() - 0.11 * panned.width_px());
        let fit = TimeScale::fit(end, scale.left_px(), scale.width_px());
        prop_assert!(visible.end.ns() as f64 <= fit.visible().end.ns() as f64 + grain(end));
        // Back again, unless an edge was met.
        let back = panned.panned(-dx, end);
        let met = panned.panned(dx.signum(), end) == panned;
        prop_assert!(met || back.visible().start.ns().abs_diff(scale.visible().start.ns()) as f64 <= 2.0 + end.ns() as f64 * 1e-12);
    }

    #[test]
    fn centring_brings_an_instant_into_view((scale, end) in scales(), share in 0.0..1.0_f64) {
        let t = Time((end.ns() as f64 * share) as u64);
        let centred = scale.centred_on(t, end);
        let x = centred.x_from_time(t);
        prop_assert!(centred.left_px() - 1e-3 <= x && x <= centred.right_px() + 1e-3);
        prop_assert_eq!(centred.centred_on(t, end).visible(), centred.visible());
    }

    #[test]
    fn resizing_shows_the_same((scale, end) in scales(), width in 50.0..3_000.0_f64) {
        let resized = scale.resized(10.0, width, end);
        let (a, b) = (scale.visible(), resized.visible());
        let grain = 2.0 + end.ns() as f64 * 1e-12;
        prop_assert!(a.start.ns().abs_diff(b.start.ns()) as f64 <= grain && a.end.ns().abs_diff(b.end.ns()) as f64 <= grain);
        prop_assert_eq!((resized.left_px(), resized.width_px()), (10.0, width));
    }

    #[test]
    fn tick_labels_do_not_overlap_and_say_where_they_stand((scale, _) in scales()) {
        let axis = ticks(&scale);
        let labelled: Vec<_> = axis.ticks.iter().filter(|t| !t.label.is_empty()).collect();
        for pair in labelled.windows(2) {
            prop_assert!(pair[0].label_px().1 + 4.0 <= pair[1].label_px().0, "{:?}", pair);
        }
        prop_assert!(axis.ticks.windows(2).all(|p| p[0].x_px < p[1].x_px));
        prop_assert!(axis.ticks.len() <= (scale.width_px() / 8.0) as usize + 2);
        let unit: u128 = match axis.unit { "s" => 1_000_000_000, "ms" => 1_000_000, "µs" => 1_000, _ => 1 };
        let base = axis.base.as_deref().map_or(0, |b| decimal(b.strip_suffix(" s").unwrap(), 1_000_000_000));
        for tick in &labelled {
            prop_assert!(tick.major && tick.x_px >= scale.left_px() && tick.x_px <= scale.right_px());
            let ns = base + decimal(tick.label.trim_start_matches('+'), unit);
            let x = scale.x_from_time(Time(u64::try_from(ns).unwrap()));
            prop_assert!((x - tick.x_px).abs() < 1e-6, "{tick:?} means {ns} ns, which is at {x}");
        }
        let values: Vec<u128> = labelled.iter().map(|t| decimal(t.label.trim_start_matches('+'), unit)).collect();
        for pair in values.windows(2) {
            let step = (pair[1] - pair[0]).to_string();
            prop_assert!(matches!(step.trim_end_matches('0'), "1" | "2" | "5"), "{step}");
        }
    }
}

/// `1,234.5` in units of `unit` nanoseconds, as nanoseconds.
fn decimal(text: &str, unit: u128) -> u128 {
    let text = text.replace(',', "");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let part = if fraction.is_empty() { 0 } else { fraction.parse::<u128>().unwrap() * unit / 10_u128.pow(fraction.len() as u32) };
    whole.parse::<u128>().unwrap() * unit + part
}

#[test]
fn a_usual_width_has_several_labels() {
    for end in [1_u64, 7, 4_800_000_000, 999, 60_000_000_000, 86_400_000_000_000, u64::MAX] {
        let axis = ticks(&TimeScale::fit(Time(end), 80.0, 1_000.0));
        let count = axis.ticks.iter().filter(|t| !t.label.is_empty()).count();
        assert!(count >= 2 || end < 3, "{count} labels for {end} ns");
    }
}

#[test]
fn zoom_stops_at_a_few_nanoseconds() {
    let end = Time(4_800_000_000);
    let deep = TimeScale::fit(end, 80.0, 1_000.0).zoomed(1e30, 500.0, end);
    assert!((4..=20).contains(&deep.visible().span().ns()), "{:?}", deep.visible());
    let fit = TimeScale::fit(end, 80.0, 1_000.0);
    assert_eq!(deep.zoomed(1e-30, 300.0, end), fit);
    assert_eq!(fit.zoomed(f64::NAN, 300.0, end), fit);
    assert_eq!(fit.zoomed(0.0, 300.0, end), fit);
    assert_eq!(fit.panned(f64::INFINITY, end), fit);
}

#[test]
fn a_pointed_time_has_the_digits_that_a_pixel_shows() {
    let scale = TimeScale::fit(Time(4_800_000_000), 84.0, 900.0);
    for x in 90..980 {
        let (exact, round) = (scale.time_from_x(f64::from(x)), scale.round_time_from_x(f64::from(x)));
        assert_eq!(round.ns() % 1_000_000, 0, "milliseconds");
        assert!(exact.ns().abs_diff(round.ns()) <= 500_000, "{exact:?} {round:?}");
    }
    let close = TimeScale::fit(Time(20), 0.0, 900.0);
    assert_eq!(close.round_time_from_x(450.0), close.time_from_x(450.0));
}

#[test]
fn text_stands_out_from_every_colour() {
    for dark in [false, true] {
        for row in (0..24).map(RowId) {
            let colour = colour_of(row, dark);
            assert!(contrast(colour, text_on(colour)) >= 4.5, "{colour:?}");
        }
    }
    assert!((contrast(Rgb(0, 0, 0), Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
    assert_eq!(Rgb(0, 0x72, 0xb2).css(), "#0072b2");
}

#[test]
fn rows_look_different_from_each_other() {
    for dark in [false, true] {
        let looks: std::collections::HashSet<_> = (0..120).map(RowId).map(|r| (colour_of(r, dark), pattern_of(r))).collect();
        assert_eq!(looks.len(), 120);
        let colours: std::collections::HashSet<_> = (0..24).map(RowId).map(|r| colour_of(r, dark)).collect();
        assert_eq!(colours.len(), 24, "the kernels of most tables have colours of their own");
        // The nearest two of them can still be told apart, and have different patterns besides.
        for (a, b) in (0..24).flat_map(|a| (a + 1..24).map(move |b| (a, b))) {
            let (one, other) = (colour_of(RowId(a), dark), colour_of(RowId(b), dark));
            let apart = [(one.0, other.0), (one.1, other.1), (one.2, other.2)].map(|(x, y)| u32::from(x.abs_diff(y))).iter().sum::<u32>();
            assert!(apart >= 20, "rows {a} and {b}: {one:?}, {other:?}");
            assert!(apart >= 45 || pattern_of(RowId(a)) != pattern_of(RowId(b)), "rows {a} and {b}: {one:?}, {other:?}");
        }
        for row in 0..120 {
            assert_ne!(colour_of(RowId(row), dark), colour_of(RowId(row + 1), dark));
            assert_ne!(pattern_of(RowId(row)), pattern_of(RowId(row + 1)));
        }
    }
}

/// What one pointer does that goes down at a place and moves by steps.
fn dragged(steps: &[f64]) -> (Vec<Move>, bool) {
    let mut gesture = Gesture::default();
    gesture.down(7, 200.0, 50.0);
    let mut x = 200.0;
    let moves = steps.iter().map(|dx| {
        x += dx;
        gesture.follow(7, x, 50.0)
    });
    (moves.collect(), gesture.up(7))
}

#[test]
fn gesture_a_pointer_clicks_until_it_has_moved() {
    assert_eq!(dragged(&[]), (vec![], true));
    assert_eq!(dragged(&[2.0, -1.0]), (vec![Move::Rest, Move::Rest], true));
    assert_eq!(dragged(&[3.0, 3.0, 10.0]), (vec![Move::Rest, Move::Pan(3.0), Move::Pan(10.0)], false));
    let mut gesture = Gesture::default();
    assert_eq!(gesture.follow(1, 5.0, 5.0), Move::Hover, "it is not down");
    assert!(!gesture.up(1), "what did not go down does not click");
    gesture.down(1, 5.0, 5.0);
    assert!(!gesture.is_idle() && !gesture.up(2) && gesture.up(1) && gesture.is_idle());
}

#[test]
fn gesture_two_fingers_pinch_and_never_click() {
    let end = Time(1_000_000);
    let scale = TimeScale::fit(end, 80.0, 800.0).zoomed(4.0, 480.0, end);
    let mut gesture = Gesture::default();
    gesture.down(1, 300.0, 0.0);
    gesture.down(2, 500.0, 9.0);
    let pinch = gesture.follow(2, 700.0, 9.0);
    assert_eq!(pinch, Move::Pinch { factor: 2.0, around: 500.0, by: 100.0 });
    let (held, now) = (scale.time_from_x(300.0), pinch.apply(scale, end));
    assert!((now.ns_per_px() * 2.0 - scale.ns_per_px()).abs() < 1e-9, "twice as close");
    assert!((now.x_from_time(held) - 200.0).abs() < 1.0, "around the middle of the fingers");
    assert_eq!(gesture.follow(3, 1.0, 1.0), Move::Hover);
    gesture.down(3, 0.0, 0.0);
    assert_eq!(gesture.follow(3, 90.0, 0.0), Move::Rest, "three fingers do nothing");
    assert!([1, 2, 3].into_iter().all(|id| !gesture.up(id)));
}

#[test]
fn gesture_a_plain_wheel_scrolls_the_page() {
    let end = Time(1_000_000);
    let scale = TimeScale::fit(end, 80.0, 800.0).zoomed(4.0, 480.0, end);
    let plain = Wheel { dx: 1.0, dy: 120.0, is_shift: false, is_zoom: false };
    assert_eq!(plain.apply(scale, 300.0, end), None);
    assert_eq!(Wheel { is_shift: true, ..plain }.apply(scale, 300.0, end), Some(scale.panned(120.0, end)));
    assert_eq!(Wheel { dx: 150.0, ..plain }.apply(scale, 300.0, end), Some(scale.panned(150.0, end)));
    let out = Wheel { is_zoom: true, ..plain }.apply(scale, 300.0, end).unwrap();
    assert!(out.ns_per_px() > scale.ns_per_px(), "down is further away");
    let at = scale.time_from_x(300.0);
    assert!((out.x_from_time(at) - 300.0).abs() < 1.0, "what is under the pointer stays there");
}
