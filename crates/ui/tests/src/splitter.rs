//! The bar between two panes.

use blockstep_ui::Splitter;
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, send, tick, told};

/// A bar of a pane of 300 px, between 100 and 400 px.
async fn splitter(is_level: bool, is_before: bool) -> (Mounted, RwSignal<Vec<Option<f64>>>) {
    let sizes = told();
    let mounted = mount(move || {
        view! {
            <Splitter
                label="Height of it"
                is_level=is_level
                is_before=is_before
                size=300.0
                range=(100.0, 400.0)
                on_change=move |px| sizes.update(|sizes| sizes.push(px))
            />
        }
    })
    .await;
    (mounted, sizes)
}

const BAR: &str = "[role=separator]";

#[wasm_bindgen_test]
async fn splitter_moves_by_the_arrows_along_it() {
    let (page, sizes) = splitter(true, false).await;
    assert!(!page.key(BAR, "ArrowUp").await);
    assert!(!page.key(BAR, "ArrowDown").await);
    assert!(page.key(BAR, "ArrowLeft").await, "the others are not its own");
    assert_eq!(sizes.get_untracked(), [Some(276.0), Some(324.0)]);
}

#[wasm_bindgen_test]
async fn splitter_after_which_the_pane_stands_moves_the_other_way() {
    let (page, sizes) = splitter(false, true).await;
    page.key(BAR, "ArrowLeft").await;
    page.key(BAR, "ArrowRight").await;
    assert_eq!(sizes.get_untracked(), [Some(324.0), Some(276.0)]);
}

#[wasm_bindgen_test]
async fn splitter_follows_the_pointer_within_its_range() {
    let (page, sizes) = splitter(true, false).await;
    page.pointer(BAR, "pointermove", (0.0, 40.0)).await;
    assert!(sizes.get_untracked().is_empty(), "it is not held");
    page.pointer(BAR, "pointerdown", (0.0, 50.0)).await;
    assert!(page.has_focus(BAR));
    for y in [60.4, 500.0, -500.0] {
        page.pointer(BAR, "pointermove", (0.0, y)).await;
    }
    page.pointer(BAR, "pointerup", (0.0, 60.0)).await;
    page.pointer(BAR, "pointermove", (0.0, 90.0)).await;
    assert_eq!(sizes.get_untracked(), [Some(310.0), Some(400.0), Some(100.0)]);
}

#[wasm_bindgen_test]
async fn splitter_gives_the_usual_size_back_at_a_double_click() {
    let (page, sizes) = splitter(true, false).await;
    send(&page.find(BAR), "MouseEvent", "dblclick", &[]);
    tick().await;
    assert_eq!(sizes.get_untracked(), [None]);
}

#[wasm_bindgen_test]
async fn splitter_says_its_size_and_its_limits() {
    let (page, _) = splitter(true, false).await;
    let says = |name: &str| page.attribute(BAR, name).unwrap();
    assert_eq!([says("aria-valuenow"), says("aria-valuemin"), says("aria-valuemax")], ["300", "100", "400"]);
    assert_eq!((says("aria-orientation"), says("aria-label")), ("horizontal".to_owned(), "Height of it".to_owned()));
}
