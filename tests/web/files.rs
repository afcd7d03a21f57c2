//! Opening files: by the dialog and by dropping; ours and the examiner's; what cannot be opened or
//! simulated changes nothing.

use wasm_bindgen_test::{console_log, wasm_bindgen_test};

use super::page::Page;

/// The examiner's config of [TX2] Fig. 3, if the papers' data was at hand when this was built.
const FIG_3: Option<&str> = option_env!("BLOCKSTEP_EXAMINER_FIG3");

/// Every start and end of a block or copy, as the steps tell them.
async fn block_times(page: &Page) -> Vec<String> {
    page.click("#first").await;
    let mut times = Vec::new();
    while page.step().0 < page.step().1 {
        page.click("#forward").await;
        let step = page.current_step();
        if step.starts_with("Block ") || step.contains("copy engine") {
            // Streams are named otherwise in a config.
            let what = step.split_once(" and stream").map_or(step.as_str(), |(what, _)| what);
            times.push(format!("{}: {what}", page.now()));
        }
    }
    times
}

#[wasm_bindgen_test]
async fn the_examiners_config_of_fig_3_has_the_times_of_table_1() {
    let Some(fig_3) = FIG_3 else {
        console_log!("skipped: BLOCKSTEP_EXAMINER_FIG3 was not set when this was built");
        return;
    };
    let page = Page::open().await;
    let expected = block_times(&page).await;
    assert_eq!(expected.len(), 2 * (6 + 2 + 2 + 4 + 2 + 2) + 2 * 5, "18 blocks and 5 copies begin and end");
    let kernels = page.kernels();
    for dropped in [false, true] {
        page.pick("#example", "tx2-table-3").await;
        assert_ne!(page.kernels(), kernels);
        let name = "rtss_2017_fig3_bigexperiment.json";
        if dropped {
            assert!(page.drop_file("#kernels", name, fig_3).await, "the page takes the file");
        } else {
            page.open_file(name, fig_3).await;
        }
        page.until("the file is open", |p| p.value("#scenario-name") == "RTSS 2017 experiment - figure 3").await;
        page.settle().await;
        assert_eq!(page.count("#problems"), 0);
        assert_eq!(block_times(&page).await, expected);
        assert!(page.text(".notes").contains("TX2"), "what was assumed is said");
        assert_eq!(page.value("#example"), "", "it is no example");
        page.click("#undo").await;
        assert_eq!(page.value("#example"), "tx2-table-3");
    }
    page.close().await;
}

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
        ("list.json", "[1, 2, 3]"),
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
    page.open_file("turns.json", &SMALL.replace("fifo", "runlist")).await;
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

#[wasm_bindgen_test]
async fn a_config_without_times_is_asked_about() {
    let config = r#"{ "name": "No times", "max_iterations": 1, "max_time": 0, "cuda_device": 0,
        "benchmarks": [{ "filename": "./bin/mandelbrot.so", "log_name": "a.json", "thread_count": 256, "block_count": 4,
        "data_size": 0, "additional_info": null }] }"#;
    let page = Page::open().await;
    let before = page.kernels();
    page.open_file("no-times.json", config).await;
    page.until("it asks", |p| p.count("#ask-duration") == 1 || p.count(".notice.error") > 0).await;
    page.settle().await;
    assert_eq!(page.texts(".notice.error"), [""; 0]);
    assert_eq!(page.kernels(), before, "nothing is opened yet");
    page.enter("#ask-duration input", "as long as it takes").await;
    page.click("#ask-duration .primary").await;
    assert_ne!(page.text("#ask-duration .field-error"), "");
    page.enter("#ask-duration input", "25 ms").await;
    page.click("#ask-duration .primary").await;
    assert_eq!(page.count("#ask-duration"), 0);
    assert!(page.timeline_name().contains("to 25 ms"), "{}", page.timeline_name());
    page.close().await;
}
