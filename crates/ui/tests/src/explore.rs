//! The parts of Explore that know no state of the page: a value in a sentence, the flow of the queues, small timelines.

use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{PolicyKind, Scenario};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{StepId, Time};
use blockstep_ui::{DiagramOptions, Dial, FlowPicture, MiniTimeline, Miniature};
use blockstep_view::queues::{FlowView, queues};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::Timeline;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, frame, middle, mount, send, tick, told, until};

/// A value of five; what it was changed to.
async fn dial(first: Option<usize>) -> (Mounted, RwSignal<Option<usize>>) {
    let place = RwSignal::new(first);
    let mounted = mount(move || {
        view! {
            <Dial
                name="K1 has … blocks"
                text=Signal::derive(move || place.get().map_or("other".to_owned(), |place| (place + 1).to_string()))
                index=place
                count=5
                on_change=move |to: usize| place.set(Some(to))
                on_rest=|()| ()
            />
        }
    })
    .await;
    (mounted, place)
}

#[wasm_bindgen_test]
async fn dial_is_stepped_by_keys_as_far_as_its_ends() {
    let (page, place) = dial(Some(2)).await;
    assert_eq!(page.attributes(".dial", "aria-valuetext"), ["3"]);
    for (key, is) in [("ArrowUp", 3), ("ArrowRight", 4), ("ArrowUp", 4), ("Home", 0), ("ArrowDown", 0), ("End", 4), ("ArrowLeft", 3)] {
        assert!(!page.key(".dial", key).await, "{key} is taken");
        assert_eq!(place.get_untracked(), Some(is), "{key}");
    }
    assert!(page.key(".dial", "a").await, "other keys are not");
    assert_eq!(page.attributes(".dial", "aria-valuenow"), ["4"]);
}

#[wasm_bindgen_test]
async fn dial_is_dragged_and_tapped() {
    let (page, place) = dial(Some(2)).await;
    let (x, y) = middle(&page.find(".dial"));
    for (kind, dx) in [("pointerdown", 0.0), ("pointermove", 30.0), ("pointerup", 30.0)] {
        page.pointer(".dial", kind, (x + dx, y)).await;
    }
    assert_eq!(place.get_untracked(), Some(3), "to the right it grows");
    for (kind, dx) in [("pointerdown", 0.0), ("pointermove", -70.0), ("pointerup", -70.0)] {
        page.pointer(".dial", kind, (x + dx, y)).await;
    }
    assert_eq!(place.get_untracked(), Some(0));
    for kind in ["pointerdown", "pointerup"] {
        page.pointer(".dial", kind, (x + 10.0, y)).await;
    }
    assert_eq!(place.get_untracked(), Some(1), "a tap on its right half is a step on");
    for kind in ["pointerdown", "pointerup"] {
        page.pointer(".dial", kind, (x - 10.0, y)).await;
    }
    assert_eq!(place.get_untracked(), Some(0));
}

#[wasm_bindgen_test]
async fn dial_is_turned_by_the_wheel() {
    let (page, place) = dial(Some(2)).await;
    let turn = |by: f64| send(&page.find(".dial"), "WheelEvent", "wheel", &[("deltaY", by.into())]);
    assert!(!turn(-10.0), "the page does not scroll");
    tick().await;
    assert_eq!(place.get_untracked(), Some(3));
    turn(10.0);
    turn(10.0);
    tick().await;
    assert_eq!(place.get_untracked(), Some(1));
}

#[wasm_bindgen_test]
async fn dial_leads_from_another_value_to_the_first() {
    let (page, place) = dial(None).await;
    assert_eq!(page.text(".dial b"), "other");
    page.key(".dial", "ArrowUp").await;
    assert_eq!(place.get_untracked(), Some(0));
}

fn table_1(kind: PolicyKind) -> Run {
    let mut draft = blockstep_format::read_scenario(blockstep_sim::examples::first().json).unwrap();
    draft.policy.kind = kind;
    engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default())
}

fn flow(run: &Run, position: u32) -> FlowView {
    let last = position.checked_sub(1).map(|last| run.trace.step(StepId(last)));
    FlowView::new(&queues(&run.trace, run.replay().seek(position), last, Time::ZERO, 12))
}

/// Steps after which a block has just been assigned.
fn assigned(trace: &Trace) -> u32 {
    use blockstep_sim::trace::Change;
    trace.steps().iter().position(|step| matches!(step.change, Change::BlockAssigned { .. })).unwrap() as u32 + 1
}

#[wasm_bindgen_test]
async fn flow_has_a_block_come_from_its_queue_and_go_back() {
    let run = table_1(PolicyKind::Fifo);
    let to = assigned(&run.trace);
    let (position, is_moving) = (RwSignal::new(to - 1), RwSignal::new(true));
    let (at, selected) = (run.clone(), told());
    let page = mount(move || {
        view! {
            <FlowPicture
                flow=Signal::derive(move || flow(&at, position.get()))
                look=Signal::derive(DiagramOptions::default)
                position=position
                is_moving=is_moving
                on_select=move |op| selected.update(|all| all.push(op))
            />
        }
    })
    .await;
    frame().await;
    assert_eq!(page.count(".flow-block"), 0);
    position.set(to);
    until(|| page.count(".flow-block.moves") == 1).await;
    let dx = page.find(".flow-block").style().get_property_value("--dx").unwrap();
    assert!(dx.starts_with('-'), "it comes from the left: {dx}");
    // Another step ends what is on its way; back in time the kernel's part of the line comes from the SM.
    position.set(to - 1);
    until(|| page.count("[data-part^=e].moves") == 1).await;
    assert_eq!(page.count(".flow-block"), 0);
    is_moving.set(false);
    frame().await;
    position.set(to);
    frame().await;
    frame().await;
    assert_eq!(page.count(".moves"), 0, "nothing moves where that is switched off");
    page.click("[data-part^=b]").await;
    assert_eq!(selected.with_untracked(Vec::len), 1);
    // By keys alone: down into it, on to the last, and back to the whole.
    let all = page.count("#flow [role=button]");
    assert!(all > 1 && !page.key("#flow", "ArrowDown").await && page.has_focus("#flow [data-op] [role=button]"));
    let on_focused = "#flow [role=button]:focus";
    for _ in 0..all {
        page.key(on_focused, "ArrowRight").await;
    }
    assert!(page.has_focus("[data-part^=b] [role=button]"), "the block is the last");
    page.key(on_focused, "Enter").await;
    assert_eq!(selected.with_untracked(|ops| (ops.len(), ops[0] == ops[1])), (2, true));
    page.key(on_focused, "Escape").await;
    assert!(page.has_focus("#flow"));
}

#[wasm_bindgen_test]
async fn flow_says_nothing_of_what_holds_nothing() {
    let run = table_1(PolicyKind::Fifo);
    let end = run.trace.steps().len() as u32;
    for at in 0..=end {
        let words = flow(&run, at).in_words();
        assert!(!words.contains("empty") && !words.contains("idle"), "{words}");
    }
    let last = flow(&run, end);
    let page = mount(move || {
        view! {
            <FlowPicture
                flow=Signal::derive(move || last.clone())
                look=Signal::derive(DiagramOptions::default)
                position=Signal::derive(|| 0)
                is_moving=Signal::derive(|| true)
                on_select=|_| ()
            />
        }
    })
    .await;
    assert_eq!((page.count("[data-flow=sm]"), page.count(".flow-streams"), page.count(".flow-waiting")), (2, 0, 0));
}

#[wasm_bindgen_test]
async fn miniature_pales_what_is_as_in_the_other() {
    let runs = [PolicyKind::Fifo, PolicyKind::Priority].map(table_1);
    let timelines = runs.map(|run| Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace))));
    let scale = TimeScale::fit(timelines[0].end(), 0.0, 300.0);
    let [fifo, priority] = timelines.map(|timeline| timeline.frame(&scale, 120.0, None, None));
    let has_others = |picture: &MiniTimeline| picture.bars.iter().any(|bar| bar.is_other);
    assert!(!has_others(&MiniTimeline::new(&fifo, |_| false)));
    let later = scale.x_from_time(Time(1_000_000_000));
    let beside = MiniTimeline::new(&priority, |bar| bar.x0 > later);
    assert!(has_others(&beside));
    let others = beside.bars.iter().filter(|bar| bar.is_other).count();
    let bars = beside.bars.len();
    let page = mount(move || {
        view! { <Miniature picture=Signal::derive(move || beside.clone()) is_chosen=Signal::derive(|| false) is_dark=Signal::derive(|| false) /> }
    })
    .await;
    assert_eq!((page.count(".mini-bar"), page.count(".mini-bar.same")), (bars, bars - others));
}
