//! The picture of the queues to fill in: what a pointer, a tap and keys put where.

use blockstep_learn::quiz::{InsetBoxView, InsetView};
use blockstep_sim::units::RowId;
use blockstep_ui::{InsetPicture, safe};
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, middle, mount, send, tick, told};

type Moves = RwSignal<Vec<(&'static str, usize, usize)>>;

fn named(label: &str, puts: &[(usize, &str)]) -> InsetBoxView {
    let puts = puts.iter().map(|(piece, text)| (*piece, (*text).to_owned())).collect();
    InsetBoxView { label: label.to_owned(), puts, fixed: vec!["K9\u{202e}".to_owned()], is_wide: false }
}

/// Two operations and three boxes, in one of which is one; what is put and taken.
async fn picture() -> (Mounted, Moves, RwSignal<InsetView>) {
    let pieces = vec![("K1".to_owned(), RowId(0)), ("K2".to_owned(), RowId(1))];
    let boxes = vec![named("Stream S1", &[]), named("EE queue", &[(1, "K2")]), named("SM 0", &[])];
    let (inset, moves) = (RwSignal::new(InsetView { pieces, boxes }), told());
    let page = mount(move || {
        view! {
            <InsetPicture
                inset=inset
                is_dark=false
                on_put=move |(piece, place)| moves.update(|moves| moves.push(("put", piece, place)))
                on_take=move |(piece, place)| moves.update(|moves| moves.push(("take", piece, place)))
            />
        }
    })
    .await;
    (page, moves, inset)
}

#[wasm_bindgen_test]
async fn inset_is_filled_by_taps() {
    let (page, moves, inset) = picture().await;
    page.click("[data-place='0']").await;
    assert_eq!(moves.get_untracked(), [], "nothing is chosen yet");
    page.click(".inset-piece").await;
    assert_eq!(page.attributes(".inset-piece", "aria-pressed"), ["true", "false"]);
    page.click("[data-place='0']").await;
    page.click("[data-place='2'] .inset-put").await;
    assert_eq!(moves.get_untracked(), [("put", 0, 0), ("put", 0, 2)], "what is chosen stays chosen");
    page.click("[data-place='1'] .inset-item").await;
    assert_eq!(moves.get_untracked()[2..], [("take", 1, 1)], "and nothing is put there");
    inset.update(|inset| inset.boxes[2].puts.push((0, "K1 \u{d7}2".to_owned())));
    tick().await;
    assert_eq!(page.texts("[data-place='2'] .inset-item"), ["K1 \u{d7}2"]);
    assert_eq!(
        page.attribute("[data-place='2'] .inset-put", "aria-label").unwrap(),
        format!("SM 0: K1 \u{d7}2, {}. Put K1 here", safe("K9\u{202e}"))
    );
}

#[wasm_bindgen_test]
async fn inset_is_filled_by_dragging() {
    let (page, moves, _) = picture().await;
    let (from, to) = (middle(&page.find(".inset-piece")), middle(&page.find("[data-place='1']")));
    page.pointer(".inset-piece", "pointerdown", from).await;
    page.pointer(".inset-piece", "pointermove", to).await;
    let style = page.attribute(".inset-piece", "style").unwrap();
    assert!(style.contains("translate("), "it goes along: {style}");
    page.pointer(".inset-piece", "pointerup", to).await;
    assert_eq!(moves.get_untracked(), [("put", 0, 1)]);
    assert!(!page.attribute(".inset-piece", "style").unwrap().contains("translate("));
    // Beside the boxes, or taken away by the browser, it goes nowhere.
    for (end, at) in [("pointerup", (to.0, 5_000.0)), ("pointercancel", to)] {
        page.pointer(".inset-piece", "pointerdown", from).await;
        page.pointer(".inset-piece", "pointermove", to).await;
        page.pointer(".inset-piece", end, at).await;
    }
    assert_eq!(moves.get_untracked().len(), 1);
}

#[wasm_bindgen_test]
async fn inset_is_filled_by_keys() {
    let (page, moves, _) = picture().await;
    assert!(!page.key(".inset-piece", "ArrowRight").await, "the run is not stepped by it");
    assert!(page.has_focus(".inset-piece:nth-child(2)"));
    // As Enter does.
    page.click(".inset-piece:nth-child(2)").await;
    assert!(page.has_focus("[data-place='0'] .inset-put"));
    page.key("[data-place='0'] .inset-put", "ArrowDown").await;
    page.key("[data-place='1'] .inset-put", "ArrowDown").await;
    page.key("[data-place='2'] .inset-put", "ArrowDown").await;
    assert!(page.has_focus("[data-place='2'] .inset-put"), "there is none behind it");
    page.click("[data-place='2'] .inset-put").await;
    assert_eq!(moves.get_untracked(), [("put", 1, 2)]);
    page.key("[data-place='2'] .inset-put", "Escape").await;
    assert!(page.has_focus(".inset-piece:nth-child(2)"), "back to what is chosen");
    page.click("[data-place='1'] .inset-item").await;
    assert!(page.has_focus("[data-place='1'] .inset-put"), "where it was taken from");
    assert!(send(&page.find(".inset-put"), "KeyboardEvent", "keydown", &[("key", "x".into())]), "other keys are free");
}
