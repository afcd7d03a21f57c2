//! Rows: added, duplicated, moved, deleted, pasted from a spreadsheet.

use wasm_bindgen_test::wasm_bindgen_test;

use super::page::{BLOCKS, NAME, Page, START, STREAM, THREADS, TIME, kernel_cell};

async fn act(page: &Page, row: usize, action: &str) {
    page.click(&format!("#kernels tr[data-row='{row}'] [data-action='{action}']")).await;
}

#[wasm_bindgen_test]
async fn rows_are_added_duplicated_moved_and_deleted() {
    let page = Page::open().await;
    assert_eq!(page.kernels(), ["K1", "K2", "K3", "K4", "K5", "K6"]);
    act(&page, 0, "Duplicate").await;
    assert_eq!(page.kernels(), ["K1", "K7", "K2", "K3", "K4", "K5", "K6"]);
    for column in [STREAM, BLOCKS, THREADS, TIME] {
        assert_eq!(page.kernel(1, column), page.kernel(0, column));
    }
    assert!(page.timeline_name().contains("K7 from"), "{}", page.timeline_name());
    act(&page, 1, "Move down").await;
    assert_eq!(page.kernels(), ["K1", "K2", "K7", "K3", "K4", "K5", "K6"]);
    act(&page, 2, "Move up").await;
    act(&page, 1, "Move up").await;
    assert_eq!(page.kernels(), ["K7", "K1", "K2", "K3", "K4", "K5", "K6"]);
    act(&page, 0, "Move up").await;
    act(&page, 6, "Move down").await;
    assert_eq!(page.kernels(), ["K7", "K1", "K2", "K3", "K4", "K5", "K6"], "there is no further");
    act(&page, 0, "Delete").await;
    assert_eq!(page.kernels(), ["K1", "K2", "K3", "K4", "K5", "K6"]);
    assert!(!page.timeline_name().contains("K7"));
    page.click("#add-kernel").await;
    assert_eq!(page.kernels(), ["K1", "K2", "K3", "K4", "K5", "K6", "K7"]);
    page.until("the new row has the focus", |p| {
        let focused = web_sys::window().unwrap().document().unwrap().active_element();
        focused.as_ref().is_some_and(|e| e == p.find(&kernel_cell(6, NAME)).as_ref())
    })
    .await;
    // All the way back: two moves that changed nothing are none.
    for _ in 0..6 {
        page.click("#undo").await;
    }
    assert_eq!(page.attribute("#undo", "disabled"), Some(String::new()));
    assert_eq!(page.kernels(), ["K1", "K2", "K3", "K4", "K5", "K6"]);
    assert_eq!(page.count("#reset"), 0, "nothing is edited any more");
    page.close().await;
}

#[wasm_bindgen_test]
async fn a_table_without_rows_is_fine() {
    let page = Page::open().await;
    for _ in 0..6 {
        act(&page, 0, "Delete").await;
    }
    assert!(page.kernels().is_empty());
    assert_eq!(page.texts("#problems"), [""; 0]);
    assert_eq!(page.text("#waiting"), "Nothing waits at this step.");
    page.click("#last").await;
    page.click("#forward").await;
    page.click("#first").await;
    page.press("f").await;
    page.click("#play").await;
    page.until("it ends", |p| p.attribute("#play", "aria-label").unwrap().starts_with("Play")).await;
    page.click("#add-kernel").await;
    assert_eq!(page.kernels().len(), 1);
    assert_eq!(page.count("#problems"), 0);
    assert!(page.timeline_name().contains("K1 from 0 s to"), "{}", page.timeline_name());
    page.close().await;
}

#[wasm_bindgen_test]
async fn cells_are_pasted_from_a_spreadsheet() {
    let page = Page::open().await;
    // Start, blocks, threads and time of K4 and K5.
    page.paste(&kernel_cell(3, START), "0.25\t2\t1,024\t500 ms\r\n0.5\t3\t64\t0.1\r\n").await;
    page.click("#preview-take").await;
    let row = |r| [START, BLOCKS, THREADS, TIME].map(|c| page.kernel(r, c));
    assert_eq!(row(3), ["250 ms", "2", "1,024", "500 ms"]);
    assert_eq!(row(4), ["500 ms", "3", "64", "100 ms"]);
    assert_eq!(page.count("#problems"), 0);
    page.click("#undo").await;
    assert_eq!(row(3), ["200 ms", "4", "256", "1 s"], "a paste is one edit");
    assert_eq!(page.attribute("#undo", "disabled"), Some(String::new()));
    // A block with titles, beyond the last row: rows are added.
    page.paste(
        &kernel_cell(5, NAME),
        "Kernel\tTask\tStream\tStart\tThreads\tTime\tBlocks\nL1\tCPU 1\tS2\t3\t32\t1\t1\nL2\tCPU 0\tS1\t\t32\t1\t2\nL3\tCPU 0\tS1\t\t32\t1\tmany\n",
    )
    .await;
    // Titles are shown with what they are taken for first.
    assert_eq!(page.kernels().len(), 6);
    page.click("#preview [value=cells]").await;
    page.click("#preview-take").await;
    assert_eq!(page.kernels(), ["K1", "K2", "K3", "K4", "K5", "L1", "L2", "L3"]);
    assert_eq!(page.kernel(7, BLOCKS), "many", "what cannot be read stays too");
    assert_eq!(page.count("#problems"), 1);
    page.enter_kernel(7, BLOCKS, "1").await;
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    assert!(page.timeline_name().contains("L3 from"), "{}", page.timeline_name());
    page.close().await;
}

#[wasm_bindgen_test]
async fn enter_and_arrows_go_from_row_to_row() {
    let page = Page::open().await;
    let focused = || web_sys::window().unwrap().document().unwrap().active_element().and_then(|e| e.get_attribute("data-cell"));
    page.type_into(&kernel_cell(0, BLOCKS), "5").await;
    page.press("Enter").await;
    assert_eq!(focused().as_deref(), Some("kernels:1:4"));
    assert_eq!(page.kernel(0, BLOCKS), "5");
    page.press("ArrowDown").await;
    assert_eq!(focused().as_deref(), Some("kernels:2:4"));
    page.press("ArrowUp").await;
    assert_eq!(focused().as_deref(), Some("kernels:1:4"));
    // Keys of the page are letters and digits in here.
    let place = page.step();
    page.press("Home").await;
    page.press(" ").await;
    assert_eq!(page.step(), place);
    page.press("Escape").await;
    assert_eq!(focused(), None);
    page.press("Home").await;
    assert_eq!(page.step().0, 0);
    page.close().await;
}

#[wasm_bindgen_test]
async fn tasks_and_processes_are_edited_too() {
    let page = Page::open().await;
    page.click("#add-task").await;
    assert_eq!(page.count("#tasks tbody tr"), 3);
    let name = |p: &Page, row: usize| p.value(&format!("[data-cell='tasks:{row}:0']"));
    assert_eq!(name(&page, 1), "CPU 1");
    page.enter("[data-cell='tasks:1:0']", "Camera").await;
    assert_eq!(page.value(&kernel_cell(3, 1)), "Camera", "kernels follow the name of their task");
    assert_eq!(page.count("#problems"), 0);
    assert!(page.texts(".task-box b").contains(&"Camera".to_owned()));
    // A task with kernels cannot go without a word.
    page.click("#tasks tr[data-row='1'] [data-action=Delete]").await;
    assert_eq!(page.count("#problems"), 1);
    assert!(page.count("#kernels [data-field=task] .field-error") >= 1, "it stands beside the cells that need it");
    page.click("#undo").await;
    assert_eq!(page.count("#problems"), 0);
    page.pick("[data-cell='tasks:1:2']", "periodic").await;
    assert!(page.count("#tasks .field-error") >= 1, "a period is missing");
    page.enter("[data-cell='tasks:1:4']", "5 s").await;
    page.enter("[data-cell='tasks:1:6']", "2").await;
    assert_eq!(page.texts("#problems"), [""; 0]);
    page.click("#last").await;
    assert!(page.texts(".task-box").iter().any(|t| t.contains("2 jobs, ")), "{:?}", page.texts(".task-box"));
    page.click("#add-process").await;
    assert_eq!(page.count("#processes tbody tr"), 2);
    assert_eq!(page.texts("#problems"), [""; 0]);
    page.close().await;
}
