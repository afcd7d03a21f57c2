//! Opening files: by the dialog and by dropping; what cannot be opened or simulated changes nothing.

use wasm_bindgen_test::wasm_bindgen_test;

use super::page::Page;

const SMALL: &str = r#"{ "version": 1, "name": "Small", "device": "tx2", "policy": { "kind": "fifo" },
    "kernels": [{ "name": "A", "stream": "S", "blocks": 1, "threads_per_block": 32, "block_time_ns": 3000 }] }"#;

#[wasm_bindgen_test]
async fn a_scenario_is_opened_and_undone() {
    let page = Page::open().await;
    let before = (page.timeline_name(), page.now());
    page.open_file("small.json", SMALL).await;
    page.until("it is open", |p| p.kernels() == ["A"]).await;
    page.settle().await;
    assert!(page.timeline_name().contains("A from 0 s to 3 µs"), "{}", page.timeline_name());
    assert_eq!(page.value("#scenario-name"), "Small");
    assert_eq!(page.texts(".bookmark"), [""; 0], "the moments of an example are not its own");
    page.click("#undo").await;
    assert_eq!(page.timeline_name(), before.0);
    assert_eq!(page.count("[data-bookmark]"), 5);
    page.click("#redo").await;
    assert_eq!(page.kernels(), ["A"]);
    page.close().await;
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_changes_nothing() {
    let page = Page::open().await;
    let before = (page.timeline_pixels(), page.kernels(), page.now());
    let bad = [
        ("picture.png", "\u{89}PNG"),
        ("empty.json", ""),
        ("three.json", r#"{ "version": 1, "kernels": 3 }"#),
        ("typo.json", r#"{ "version": 1, "kernles": [] }"#),
        ("later.json", r#"{ "version": 99 }"#),
    ];
    for (name, text) in bad {
        page.open_file(name, text).await;
        page.until("it is refused", |p| p.texts(".notice[role=alert]").iter().any(|t| t.contains(name))).await;
        page.settle().await;
        assert_eq!((page.timeline_pixels(), page.kernels(), page.now()), before, "{name}");
        assert_eq!(page.attribute("#undo", "disabled"), Some(String::new()), "{name} is no edit");
        page.click(".notice [aria-label=Dismiss]").await;
        assert_eq!(page.count(".notice"), 0);
    }
    page.close().await;
}

#[wasm_bindgen_test]
async fn every_policy_runs_the_same_table() {
    let page = Page::open().await;
    assert!(page.drop_file("#kernels", "turns.json", &SMALL.replace("fifo", "runlist")).await, "the page takes the file");
    page.until("it is open", |p| p.kernels() == ["A"]).await;
    page.settle().await;
    assert_eq!(page.count("#policy [value=runlist]:checked"), 1);
    for policy in ["fifo", "priority", "runlist", "edf"] {
        page.click(&format!("#policy [value={policy}]")).await;
        assert_eq!(page.count("#problems"), 0, "{policy}: {}", page.text("body"));
        assert!(page.timeline_name().contains("A from 0 s to 3 µs"), "{policy}: {}", page.timeline_name());
    }
    page.close().await;
}
