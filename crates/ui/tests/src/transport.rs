//! The bar of steps, and what stands along a timeline.

use blockstep_sim::units::Time;
use blockstep_ui::{CanvasPlace, CursorLine, EventGoals, Pace, Stepping, TransportBar, Viewport, ZoomButtons};
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, tick, told};

/// A run of ten steps, one each second.
#[derive(Clone, Copy)]
struct Run {
    position: RwSignal<u32>,
    now: RwSignal<Time>,
    stepping: Stepping,
}

const SECOND: u64 = 1_000_000_000;

fn run() -> Run {
    let (position, now) = (RwSignal::new(0_u32), RwSignal::new(Time::ZERO));
    let go = move |to: u32| {
        position.set(to.min(10));
        now.set(Time(u64::from(to.min(10)) * SECOND));
    };
    let end = Signal::derive(|| Time(10 * SECOND));
    let stepping = Stepping {
        position: position.into(),
        count: Signal::derive(|| 10),
        step_time: Signal::derive(move || Time(u64::from(position.get()) * SECOND)),
        now: now.into(),
        end,
        is_playing: RwSignal::new(false),
        pace: RwSignal::new(Pace::Steps(2)),
        go_to_step: Callback::new(go),
        go_to_time: Callback::new(move |at: Time| {
            position.set((at.ns() / SECOND).min(10) as u32);
            now.set(at);
        }),
        beside: Callback::new(move |forward: bool| position.get_untracked().saturating_add_signed(if forward { 3 } else { -3 })),
        viewport: Viewport::new(end, |_, _| None),
    };
    Run { position, now, stepping }
}

/// The bar, with the run, and the events that were asked for.
async fn bar(has_events: bool) -> (Mounted, Run, RwSignal<Vec<String>>) {
    let (made, asked) = (RwSignal::new(None), told());
    let page = mount(move || {
        let run = run();
        made.set(Some(run));
        let visit = move |phrase: String| {
            asked.update(|asked: &mut Vec<String>| asked.push(phrase.clone()));
            if phrase == "never" { Err("It never happens.".to_owned()) } else { Ok(()) }
        };
        let goals = EventGoals { visit: Callback::new(visit), offered: vec!["K1 starts".to_owned()].into(), example: "K1 starts".to_owned().into() };
        let said = || view! { <b>"K1 starts"</b> };
        match has_events {
            true => view! { <TransportBar stepping=run.stepping prefix="" spoken="spoken".to_owned() announced="told".to_owned() said=said events=goals /> }.into_any(),
            false => view! { <TransportBar stepping=run.stepping prefix="" spoken="spoken".to_owned() announced="told".to_owned() said=said /> }.into_any(),
        }
    })
    .await;
    (page, made.get_untracked().unwrap(), asked)
}

#[wasm_bindgen_test]
async fn transport_steps_by_its_buttons() {
    let (page, run, _) = bar(false).await;
    let at = || run.position.get_untracked();
    for (button, expected) in [("#forward", 1), ("#next-instant", 4), ("#back", 3), ("#previous-instant", 0), ("#last", 10), ("#first", 0)]
    {
        page.click(button).await;
        assert_eq!(at(), expected, "{button}");
    }
}

#[wasm_bindgen_test]
async fn transport_says_where_the_reader_stands() {
    let (page, run, _) = bar(false).await;
    assert!(page.text("#now").contains("Nothing has happened yet"));
    assert_eq!(page.text("#step-number"), "Step 0 of 10");
    page.click("#forward").await;
    assert_eq!((page.text("#now"), page.text("#step-time")), ("K1 starts".to_owned(), "1 s".to_owned()));
    run.now.set(Time(1_500_000_000));
    tick().await;
    assert_eq!(page.text("#step-number"), "After step 1 of 10 at 1 s");
    assert_eq!(page.text("#step-time"), "1.5 s");
}

#[wasm_bindgen_test]
async fn transport_buttons_have_nothing_to_do_at_the_ends() {
    let (page, run, _) = bar(false).await;
    let is_off = |button: &str| page.attribute(button, "aria-disabled").unwrap() == "true";
    assert!(is_off("#first") && is_off("#back") && !is_off("#forward") && !is_off("#last"));
    run.position.set(10);
    tick().await;
    assert!(!is_off("#first") && !is_off("#back") && is_off("#forward") && is_off("#last"));
    assert_eq!(page.attribute("#forward", "disabled"), None, "it keeps the focus");
}

#[wasm_bindgen_test]
async fn transport_scrubs() {
    let (page, run, _) = bar(false).await;
    assert_eq!(page.attribute("#scrubber", "max").unwrap(), "10");
    page.type_into("#scrubber", "7").await;
    assert_eq!(run.position.get_untracked(), 7);
    assert_eq!(page.attribute("#scrubber", "aria-valuetext").unwrap(), "spoken");
    page.click("#back").await;
    assert_eq!(page.value("#scrubber"), "6");
}

#[wasm_bindgen_test]
async fn transport_goes_to_a_time_or_a_step_as_typed() {
    let (page, run, _) = bar(false).await;
    page.type_into("#jump", "4 s").await;
    page.click(".jump button").await;
    assert_eq!((run.position.get_untracked(), run.now.get_untracked()), (4, Time(4 * SECOND)));
    page.type_into("#jump", "#9").await;
    page.click(".jump button").await;
    assert_eq!(run.position.get_untracked(), 9);
    page.type_into("#jump", "soon").await;
    page.click(".jump button").await;
    assert_ne!(page.text("#jump-error"), "");
    assert_eq!(page.attribute("#jump", "aria-invalid").unwrap(), "true");
    assert_eq!(run.position.get_untracked(), 9);
    page.type_into("#jump", "#1").await;
    assert_eq!(page.text("#jump-error"), "", "it is said until something else is typed");
    page.type_into("#jump", "99 s").await;
    page.click(".jump button").await;
    assert!(page.text("#jump-error").contains("10 s"), "{}", page.text("#jump-error"));
}

#[wasm_bindgen_test]
async fn transport_asks_for_events_where_there_are_some() {
    let (page, _, asked) = bar(true).await;
    assert_eq!(page.attribute("#jump-offered option", "value").unwrap(), "K1 starts");
    page.type_into("#jump", "K1 starts").await;
    page.click(".jump button").await;
    page.type_into("#jump", "never").await;
    page.click(".jump button").await;
    assert_eq!(asked.get_untracked(), ["K1 starts", "never"]);
    assert_eq!(page.text("#jump-error"), "It never happens.");
}

#[wasm_bindgen_test]
async fn transport_plays_at_a_pace_and_a_move_by_hand_ends_it() {
    let (page, run, _) = bar(false).await;
    page.choose("#speed", "run-30").await;
    assert!(run.stepping.pace.get_untracked() == Pace::Run(30));
    assert_eq!(page.texts("#speed option").len(), Pace::ALL.len());
    page.click("#play").await;
    assert!(run.stepping.is_playing.get_untracked());
    assert_eq!(page.attribute("#play", "aria-label").unwrap(), "Pause (Space)");
    assert_eq!(page.text("#announcer"), "", "nothing is told while it plays fast");
    page.click("#last").await;
    assert!(!run.stepping.is_playing.get_untracked());
    assert_eq!((page.attribute("#play", "aria-label").unwrap(), page.text("#announcer")), ("Play (Space)".to_owned(), "told".to_owned()));
}

#[wasm_bindgen_test]
async fn zoom_keeps_the_middle_and_shows_all_again() {
    let made = RwSignal::new(None);
    let page = mount(move || {
        let run = run();
        made.set(Some(run.stepping.viewport));
        view! { <ZoomButtons viewport=run.stepping.viewport fit_id="fit" /> }
    })
    .await;
    let viewport = made.get_untracked().unwrap();
    let middle = || viewport.scale.with_untracked(|scale| scale.time_from_x(scale.left_px() + scale.width_px() / 2.0)).ns();
    let (before, whole) = (middle(), viewport.scale.get_untracked());
    page.click(".zoom button:nth-child(2)").await;
    assert!(untrack(|| !viewport.is_whole()));
    assert!(middle().abs_diff(before) < SECOND / 100, "{} and {before}", middle());
    page.click("#fit").await;
    assert!(untrack(|| viewport.is_whole()) && viewport.scale.get_untracked() == whole);
}

#[wasm_bindgen_test]
async fn cursor_line_stands_at_its_time_and_is_dragged() {
    let made = RwSignal::new(None);
    let page = mount(move || {
        let run = run();
        made.set(Some(run));
        let place = CanvasPlace::new(Signal::from(1.0_f64));
        run.stepping.viewport.fill(1000.0);
        view! {
            <div node_ref=place.node style="position:relative;height:100px">
                <CursorLine stepping=run.stepping place=place magnification=Signal::from(1.0_f64) prefix="" />
            </div>
        }
    })
    .await;
    let run: Run = made.get_untracked().unwrap();
    let x_of = |at| run.stepping.viewport.scale.with_untracked(|scale| scale.x_from_time(at));
    let left = page.find("div").get_bounding_client_rect().left();
    run.now.set(Time(5 * SECOND));
    tick().await;
    assert_eq!(page.attribute("#cursor-line", "aria-valuetext").unwrap(), "5 s");
    let shown = page.find("#cursor-line").get_bounding_client_rect();
    assert!((shown.left() + shown.width() / 2.0 - left - x_of(Time(5 * SECOND))).abs() < 8.0);
    page.pointer("#cursor-line", "pointermove", (left + x_of(Time(2 * SECOND)), 10.0)).await;
    assert_eq!(run.now.get_untracked(), Time(5 * SECOND), "it is not held");
    page.pointer("#cursor-line", "pointerdown", (left + x_of(Time(5 * SECOND)), 10.0)).await;
    page.pointer("#cursor-line", "pointermove", (left + x_of(Time(2 * SECOND)), 10.0)).await;
    page.pointer("#cursor-line", "pointerup", (0.0, 10.0)).await;
    page.pointer("#cursor-line", "pointermove", (left + x_of(Time(8 * SECOND)), 10.0)).await;
    let off = run.now.get_untracked().ns().abs_diff(2 * SECOND);
    assert!(off < SECOND / 20, "{off}");
}
