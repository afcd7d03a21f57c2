//! The queue diagram and the path of a submission.

use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::scenario::Scenario;
use blockstep_sim::units::{OpId, RowId, StepId, Time};
use blockstep_ui::{DiagramOptions, PathDiagram, QueueDiagram, on_chip_key};
use blockstep_view::queues::{self, PathView, QueueView};
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, send, tick, told};

fn run(example: &str) -> Run {
    let example = blockstep_sim::examples::find(example).unwrap();
    engine::simulate(&Scenario::new(&blockstep_format::read_scenario(example.json).unwrap()).unwrap(), Limits::default())
}

/// The first position at which something holds of the queues.
fn position(run: &Run, holds: impl Fn(&QueueView) -> bool) -> u32 {
    (0..=run.trace.steps().len() as u32).find(|&position| holds(&view_at(run, position))).unwrap()
}

fn view_at(run: &Run, position: u32) -> QueueView {
    let (trace, mut replay) = (&run.trace, run.replay());
    let last = position.checked_sub(1).map(|step| trace.step(StepId(step)));
    queues::queues(trace, replay.seek(position), last, Time::ZERO, 12)
}

fn path_at(run: &Run, position: u32) -> Option<PathView> {
    let (trace, mut replay) = (&run.trace, run.replay());
    let last = position.checked_sub(1).map(|step| trace.step(StepId(step)));
    queues::path(trace, replay.seek(position), last, last.map_or(Time::ZERO, |step| step.at), 12)
}

struct Shown {
    page: Mounted,
    view: RwSignal<QueueView>,
    look: RwSignal<DiagramOptions>,
    asked: RwSignal<Vec<OpId>>,
}

async fn diagram(first: QueueView) -> Shown {
    let (view, look, asked) = (RwSignal::new(first), RwSignal::new(DiagramOptions::default()), told());
    let page = mount(move || {
        let on_select = move |op| asked.update(|asked: &mut Vec<OpId>| asked.push(op));
        view! {
            <div id="queues" class="diagram-grid" tabindex="0" on:keydown=on_chip_key>
                <QueueDiagram view=view look=look on_select=on_select />
            </div>
        }
    })
    .await;
    Shown { page, view, look, asked }
}

/// What stands in the EE queues, which are two under `priority`.
fn in_ee(view: &QueueView) -> Vec<(&str, OpId)> {
    view.spaces[0].ee.iter().flat_map(|queue| &queue.items).map(|item| (item.label.as_str(), item.op)).collect()
}

/// [TX2] Table 1 where K1 heads the EE queue and K4 waits behind it.
fn k4_waits(view: &QueueView) -> bool {
    in_ee(view).iter().map(|(label, _)| *label).eq(["K1", "K4"])
}

#[wasm_bindgen_test]
async fn diagram_shows_each_operation_in_its_queue() {
    let run = run("tx2-table-1");
    let Shown { page, .. } = diagram(view_at(&run, position(&run, k4_waits))).await;
    assert_eq!(page.texts("[data-place=ee][data-item] b"), ["K1", "K4"]);
    assert!(page.texts("[data-queue='Stream S1'] [data-item] b").starts_with(&["K1".to_owned()]));
    assert_eq!(page.texts("[data-queue='Stream S3'] .queue-empty"), ["empty"]);
    assert_eq!(page.count("[data-sm]"), 2);
    assert!(page.texts("[data-block]").iter().all(|block| block.starts_with("K1")));
    assert_eq!(page.count("[role=listitem]"), 2, "a box for each CPU task");
}

/// Two blocks of 768 threads are on an SM that holds 2,048.
#[wasm_bindgen_test]
async fn diagram_has_bars_as_long_as_what_is_free() {
    let run = run("tx2-table-1");
    let Shown { page, .. } = diagram(view_at(&run, position(&run, k4_waits))).await;
    let gauge = "[data-sm='0'] [data-gauge=threads]";
    assert_eq!(page.attribute(gauge, "title").unwrap(), "threads: 512 free of 2,048");
    let width = |of: &str| page.find(&format!("{gauge} {of}")).get_bounding_client_rect().width();
    let share = width(".gauge-bar span") / width(".gauge-bar");
    assert!((share - 0.25).abs() < 0.01, "{share}");
}

#[wasm_bindgen_test]
async fn diagram_marks_what_the_last_step_changed() {
    let run = run("tx2-table-1");
    let at = position(&run, k4_waits);
    let Shown { page, view, .. } = diagram(view_at(&run, at)).await;
    assert!(page.has_class("[data-place=ee][data-item=K4]", "changed"));
    assert_eq!(page.attribute("[data-place=ee][data-item=K4]", "data-entered").unwrap(), "1");
    assert!(!page.has_class("[data-place=ee][data-item=K1]", "changed"));
    view.set(view_at(&run, at + 1));
    tick().await;
    assert!(!page.has_class("[data-place=ee][data-item=K4]", "changed"));
}

#[wasm_bindgen_test]
async fn diagram_leaves_alone_what_did_not_change() {
    let run = run("tx2-table-1");
    let at = position(&run, k4_waits);
    let Shown { page, view, .. } = diagram(view_at(&run, at)).await;
    let before = page.find("[data-place=ee][data-item=K1]");
    view.set(view_at(&run, at + 1));
    tick().await;
    assert!(before.is_same_node(Some(&page.find("[data-place=ee][data-item=K1]"))));
}

#[wasm_bindgen_test]
async fn diagram_tells_which_operation_was_clicked_wherever_it_stands() {
    let run = run("tx2-table-1");
    let view = view_at(&run, position(&run, k4_waits));
    let [k1, k4] = [0, 1].map(|i| in_ee(&view)[i].1);
    let Shown { page, asked, .. } = diagram(view).await;
    page.click("[data-place=ee][data-item=K4]").await;
    page.click("[data-queue='Stream S1'] [data-item=K1]").await;
    page.click("[data-sm='0'] [data-block]").await;
    assert_eq!(asked.get_untracked(), [k4, k1, k1]);
}

#[wasm_bindgen_test]
async fn diagram_dims_what_is_beside_the_selection() {
    let run = run("tx2-table-1");
    let Shown { page, look, .. } = diagram(view_at(&run, position(&run, k4_waits))).await;
    assert_eq!(page.count(".is-dimmed, .is-selected"), 0);
    look.set(DiagramOptions { is_dark: false, selected: Some(RowId::at(0)) });
    tick().await;
    assert!(page.has_class("[data-place=ee][data-item=K1]", "is-selected"));
    assert!(page.has_class("[data-place=ee][data-item=K4]", "is-dimmed"));
    let light = page.attribute("[data-place=ee][data-item=K1]", "style");
    look.set(DiagramOptions { is_dark: true, selected: None });
    tick().await;
    assert_ne!(page.attribute("[data-place=ee][data-item=K1]", "style"), light);
}

#[wasm_bindgen_test]
async fn diagram_is_walked_by_arrows_and_enter_asks() {
    let run = run("tx2-table-1");
    let Shown { page, asked, .. } = diagram(view_at(&run, position(&run, k4_waits))).await;
    page.key("#queues", "ArrowDown").await;
    let chips = page.all("[data-op] [role=button], [data-op][role=button]");
    let has_focus = |i: usize| document().active_element().unwrap().is_same_node(Some(&chips[i]));
    assert!(has_focus(0));
    let press = async |key: &str| {
        send(&document().active_element().unwrap(), "KeyboardEvent", "keydown", &[("key", key.into())]);
        tick().await;
    };
    press("ArrowRight").await;
    assert!(has_focus(1));
    press("ArrowLeft").await;
    assert!(has_focus(0));
    press("Enter").await;
    assert_eq!(asked.get_untracked().len(), 1);
    press("Escape").await;
    assert!(page.has_focus("#queues"));
}

#[wasm_bindgen_test]
async fn diagram_of_the_runlist_is_a_ring_in_its_order() {
    let run = run("edf-fig-1");
    let Shown { page, view, .. } = diagram(view_at(&run, 0)).await;
    let has_scheduler = view.with_untracked(|view| view.scheduler.is_some());
    assert_eq!(page.try_find("[data-scheduler]").is_some(), has_scheduler);
    let entries = page.attributes("[data-runlist-entry]", "data-runlist-entry");
    let entries: Vec<usize> = entries.iter().map(|entry| entry.parse().unwrap()).collect();
    assert!(!entries.is_empty() && entries.is_sorted(), "{entries:?}");
    assert!(page.count("[data-pointer]") <= 1);
}

#[wasm_bindgen_test]
async fn path_reads_from_the_guests_to_the_engines() {
    let run = run("edf-path");
    let (view, asked) = (RwSignal::new(path_at(&run, 0)), told());
    let page = mount(move || {
        let on_select = move |op| asked.update(|asked: &mut Vec<OpId>| asked.push(op));
        view! { <PathDiagram view=view look=DiagramOptions::default() on_select=on_select /> }
    })
    .await;
    let guests = view.with_untracked(|view| view.as_ref().unwrap().guests.iter().map(|guest| guest.name.clone()).collect::<Vec<_>>());
    assert_eq!(page.attributes("[data-guest]", "data-guest"), guests);
    let steps = run.trace.steps().len() as u32;
    // A step at which something is pushed, and lit.
    let pushes =
        (1..=steps).find(|&at| path_at(&run, at).is_some_and(|view| view.guests.iter().any(|guest| guest.pushed.is_some()))).unwrap();
    view.set(path_at(&run, pushes));
    tick().await;
    assert!(page.text(".path-event").starts_with("pushes "));
    assert_eq!(page.count(".path-box.changed[data-guest]"), 1);
    // On to where an operation is on its way.
    for at in pushes..=steps {
        view.set(path_at(&run, at));
        tick().await;
        if page.try_find("[data-op]").is_some() {
            break;
        }
    }
    page.click("[data-op]").await;
    assert_eq!(asked.get_untracked().len(), 1);
}
