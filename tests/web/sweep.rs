//! A number of the table that varies: the form, the runs, and the points of the chart.

use blockstep::Part;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, send, text_of, until};
use crate::page::parts;

/// The form as it opens from a cell.
async fn form(page: &Mounted, cell: &str, button: &str) {
    send(&page.find(cell), "FocusEvent", "focusin", &[]);
    until(|| page.try_find("[id^=vary-]").is_some_and(|vary| text_of(&vary) == button)).await;
    page.click("[id^=vary-]").await;
    until(|| page.try_find("#sweep-run").is_some()).await;
}

async fn run(page: &Mounted) {
    page.click("#sweep-run").await;
    until(|| page.try_find("#sweep-text").is_some_and(|text| text_of(&text).starts_with("Complete"))).await;
    until(|| page.try_find(".sweep-point").is_some()).await;
}

fn value(page: &Mounted, name: &str) -> String {
    page.value(&format!("[name={name}]"))
}

#[wasm_bindgen_test]
async fn sweep_form_opens_with_the_number_of_the_cell() {
    crate::worker::serve_the_page();
    let (page, _) = parts(&[Part::Tables, Part::Page]).await;
    assert_eq!(page.text("#vary-kernel"), "Vary a number…");
    form(&page, "[data-cell='kernels:0:4']", "Vary Blocks of K1…").await;
    assert_eq!((value(&page, "sweep-number"), value(&page, "sweep-values")), ("kernels[K1].blocks".to_owned(), "1 to 12".to_owned()));
    page.choose("[name=sweep-number]", "kernels[K4].threads_per_block").await;
    until(|| value(&page, "sweep-values") == "128 to 512 step 32").await;
    // What cannot be read says so beside the field, and makes no run.
    page.enter("[name=sweep-values]", "1 to many").await;
    page.click("#sweep-run").await;
    until(|| page.text("#sweep-problem").starts_with("Threads of K4: \"many\" is not a number")).await;
    assert_eq!(page.attribute("[name=sweep-values]", "aria-invalid").unwrap(), "true");
    assert!(page.try_find("#sweep-bar").is_none());
}

#[wasm_bindgen_test]
async fn sweep_points_are_told_and_opened_by_keyboard() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Tables, Part::Page, Part::Notices]).await;
    form(&page, "[data-cell='kernels:2:4']", "Vary Blocks of K3…").await;
    page.enter("[name=sweep-values]", "1 to 3").await;
    page.click("[name=sweep-policy]").await;
    run(&page).await;
    assert!(page.text("#sweep-text").starts_with("Complete: 12 of 12 runs"), "{}", page.text("#sweep-text"));
    let told = || page.attribute(".sweep-point", "aria-label").unwrap();
    assert!(told().starts_with("Open Run 0: blocks of K3 = 1, FIFO; largest response of K3 = "), "{}", told());
    assert!(!page.key(".sweep-point", "ArrowRight").await, "the key is taken");
    until(|| told().starts_with("Open Run 4: blocks of K3 = 2, FIFO")).await;
    page.key(".sweep-point", "ArrowDown").await;
    until(|| told().starts_with("Open Run 5: blocks of K3 = 2, Priority")).await;
    page.key(".sweep-point", "ArrowLeft").await;
    until(|| told().starts_with("Open Run 1: blocks of K3 = 1, Priority")).await;
    page.key(".sweep-point", "ArrowLeft").await;
    until(|| told().starts_with("Open Run 8: blocks of K3 = 3, FIFO")).await;
    // Enter in a button is a click.
    page.click(".sweep-point").await;
    until(|| page.try_find("#sweep-run").is_none()).await;
    assert_eq!(page.value("[data-cell='kernels:2:4']"), "3");
    stage.undo();
    until(|| page.value("[data-cell='kernels:2:4']") == "2").await;
    // The runs are still there.
    assert!(stage.open_tool("sweep", ""));
    until(|| page.count("#sweep-table tbody tr[data-run]") == 12).await;
}
