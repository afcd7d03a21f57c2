//! Editing: every change is simulated at once, can be undone, and loses nothing when it is nonsense.

use wasm_bindgen_test::wasm_bindgen_test;

use super::page::{AFTER, BLOCKS, NAME, Page, STREAM, THREADS, TIME, kernel_cell};

/// What an edit may change, read from the page.
#[derive(Debug, PartialEq)]
struct Seen {
    steps: u32,
    name: String,
    pixels: String,
}

/// Without the run before the last edit, which is behind it until it is let go.
async fn seen(page: &Page) -> Seen {
    page.leave_tables().await;
    if page.count("#forget-edit") == 1 {
        page.click("#forget-edit").await;
    }
    Seen { steps: page.step().1, name: page.timeline_name(), pixels: page.timeline_pixels() }
}

#[wasm_bindgen_test]
async fn a_cell_changes_the_timeline_and_is_undone() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(b)']").await;
    let before = seen(&page).await;
    assert!(before.name.contains("K1 from 0 s to 2 s"), "{}", before.name);
    assert_eq!(page.kernel(0, BLOCKS), "6");
    assert_eq!(page.attribute("#undo", "disabled"), Some(String::new()));

    page.enter_kernel(0, BLOCKS, "4").await;
    let after = seen(&page).await;
    assert!(after.name.contains("K1 from 0 s to 1 s"), "{}", after.name);
    assert!(after.steps < before.steps);
    assert_ne!(after.pixels, before.pixels);
    assert_eq!(page.now(), "1.8 s", "the cursor keeps its time");
    assert!(page.count("#reset") == 1, "it says that the example is edited");

    page.click("#undo").await;
    assert_eq!(page.kernel(0, BLOCKS), "6");
    assert_eq!(seen(&page).await, before);
    page.click("#redo").await;
    assert_eq!(page.kernel(0, BLOCKS), "4");
    assert_eq!(seen(&page).await, after);
    // By keys, outside a text field.
    page.press("Ctrl+z").await;
    assert_eq!(seen(&page).await, before);
    page.press("Ctrl+y").await;
    assert_eq!(seen(&page).await, after);
    // And inside one that is not being typed into.
    page.find(&kernel_cell(0, BLOCKS)).focus().unwrap();
    page.press("Ctrl+z").await;
    assert_eq!(seen(&page).await, before);
    assert_eq!(page.kernel(0, BLOCKS), "6");
    assert_eq!(page.attribute("#undo", "disabled"), Some(String::new()), "there is no more to undo");
    page.close().await;
}

#[wasm_bindgen_test]
async fn keystrokes_of_a_cell_are_one_edit() {
    let page = Page::open().await;
    page.type_letters(&kernel_cell(0, TIME), "1250 ms").await;
    page.find(&kernel_cell(0, TIME)).blur().unwrap();
    page.settle().await;
    assert_eq!(page.kernel(0, TIME), "1.25 s", "once it is left, a cell shows how it was read");
    page.enter_kernel(0, TIME, "1500 ms").await;
    page.click("#undo").await;
    assert_eq!(page.kernel(0, TIME), "1.25 s", "leaving the cell ended the edit before");
    page.click("#undo").await;
    assert_eq!(page.kernel(0, TIME), "1 s");
    assert_eq!(page.attribute("#undo", "disabled"), Some(String::new()));
    page.close().await;
}

#[wasm_bindgen_test]
async fn what_is_edited_is_simulated_while_typing() {
    let page = Page::open().await;
    page.type_letters(&kernel_cell(0, TIME), "0.5").await;
    assert!(page.timeline_name().contains("K1 from 0 s to 1 s"), "{}", page.timeline_name());
    assert_eq!(page.kernel(0, TIME), "0.5", "while it is typed, a text stays as it is");
    page.close().await;
}

#[wasm_bindgen_test]
async fn nonsense_is_named_and_nothing_is_lost() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(d)']").await;
    let before = seen(&page).await;
    let queue = page.queue("CE queue");
    let cell = kernel_cell(2, THREADS);
    let beside = "#kernels tr[data-row='2'] [data-field=threads_per_block] .field-error";
    for nonsense in ["lots", "12 parsecs", "-3", "1e99", "99999999999999999999999", "0", "4,096", "5000", "🕑"] {
        page.type_into(&cell, nonsense).await;
        assert_ne!(page.text(beside), "", "{nonsense} is complained about");
        assert_eq!(page.attribute(beside, "role").unwrap(), "alert");
        assert_eq!(page.attribute(&cell, "aria-invalid").unwrap(), "true");
        assert_eq!(page.attribute(&cell, "aria-describedby"), page.attribute(beside, "id"), "the message belongs to the cell");
        assert!(page.text("#problems").contains("last valid run"), "{}", page.text("#problems"));
        assert_eq!(page.value(&cell), nonsense, "what was typed stays");
        assert_eq!(seen(&page).await, before, "{nonsense}: the last valid run stays on screen");
        assert_eq!(page.queue("CE queue"), queue);
        assert_eq!(page.now(), "3.02 s");
    }
    // Another cell, then away from both: the texts are still there.
    page.enter_kernel(2, THREADS, "lots").await;
    page.enter_kernel(0, BLOCKS, "none").await;
    assert_eq!((page.kernel(2, THREADS), page.kernel(0, BLOCKS)), ("lots".to_owned(), "none".to_owned()));
    assert_eq!(page.count("#kernels .field-error"), 2);
    assert!(page.text("#problems").contains("1 more"), "{}", page.text("#problems"));
    // One still can step through the run.
    page.click("#forward").await;
    assert_eq!(page.step().0, 62);
    // Correcting one is not enough, correcting both is.
    page.enter_kernel(2, THREADS, "1,024").await;
    assert_eq!(page.count("#problems"), 1);
    page.enter_kernel(0, BLOCKS, "6").await;
    assert_eq!(page.count("#problems"), 0);
    assert_eq!(page.count("#kernels .field-error"), 0);
    assert_eq!(page.attribute(&cell, "aria-invalid").unwrap(), "false");
    assert_eq!(seen(&page).await, before);
    page.close().await;
}

#[wasm_bindgen_test]
async fn nonsense_can_be_undone_where_it_is_named() {
    let page = Page::open().await;
    let before = seen(&page).await;
    page.enter_kernel(1, TIME, "whenever").await;
    assert!(page.text("#problems").contains("whenever"));
    page.click("#problems button").await;
    assert_eq!(page.count("#problems"), 0);
    assert_eq!(page.kernel(1, TIME), "1 s");
    assert_eq!(seen(&page).await, before);
    page.close().await;
}

#[wasm_bindgen_test]
async fn names_are_taken_when_they_are_complete() {
    let page = Page::open().await;
    page.type_into(&kernel_cell(0, NAME), "K2").await;
    assert_eq!(page.count("#problems"), 0, "on the way to another name");
    page.enter(&kernel_cell(0, NAME), "K2").await;
    assert_eq!(page.count("#problems"), 1, "two kernels of a name");
    assert_ne!(page.text("#kernels [data-field=name] .field-error"), "");
    page.enter_kernel(0, NAME, "First").await;
    assert_eq!(page.count("#problems"), 0);
    assert!(page.timeline_name().contains("First from 0 s to 2 s"), "{}", page.timeline_name());
    // A new stream comes into being as it is named.
    page.enter_kernel(3, STREAM, "S9").await;
    assert_eq!(page.count("[data-queue='Stream S9']"), 1);
    assert_eq!(page.count("[data-stream=S9]"), 1, "its priority can be chosen");
    page.close().await;
}

#[wasm_bindgen_test]
async fn rows_wait_for_others_and_streams_have_priorities() {
    let page = Page::open().await;
    // K4 after … there is no earlier row of its task; K5 after K4 there is.
    let shown = |p: &Page| p.timeline_name();
    page.click("#columns-kernel").await;
    page.pick(&kernel_cell(4, AFTER), "K4").await;
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    assert!(shown(&page).contains("K5 from 2.4 s to 3.4 s"), "{}", shown(&page));
    page.click("#undo").await;
    assert!(shown(&page).contains("K5 from 2 s to 3 s"));
    assert!(shown(&page).contains("K4 from 1 s to 2 s"));
    page.pick("[data-stream=S2]", "high").await;
    assert!(page.texts(".priority").contains(&"high".to_owned()));
    assert!(shown(&page).contains("K4 from 200 ms to 1.2 s"), "it passes K1: {}", shown(&page));
    page.click("#undo").await;
    assert!(shown(&page).contains("K4 from 1 s to 2 s"));
    page.close().await;
}

#[wasm_bindgen_test]
async fn policies_lead_to_different_steps() {
    let page = Page::open().await;
    page.open_file("table-3.json", blockstep_sim::examples::find("tx2-table-3").unwrap().json).await;
    page.until("the file is open", |p| p.timeline_name().contains("K2 from 500 ms")).await;
    let sentences = async || {
        let mut sentences = Vec::new();
        page.click("#first").await;
        while page.step().0 < page.step().1 {
            page.click("#forward").await;
            sentences.push(format!("{} {}", page.now(), page.current_step()));
        }
        sentences
    };
    assert!(page.timeline_name().contains("K1 from 0 s to 5 s; K2 from 500 ms to 2.5 s; K3 from 2.5 s to 4.5 s"));
    let priority = sentences().await;
    assert!(priority.contains(&"500 ms Block 0 of K2 is assigned to SM 0, before anything in the low-priority EE queue.".to_owned()));
    page.click("#policy [value=fifo]").await;
    assert!(page.timeline_name().contains("K1 from 0 s to 1 s; K2 from 1 s to 3 s; K3 from 3 s to 5 s"), "{}", page.timeline_name());
    assert_eq!(page.count("[data-queue='EE queue']"), 1);
    assert_eq!(page.count("[data-queue='EE queue, high priority']"), 0);
    let fifo = sentences().await;
    assert_ne!(fifo, priority);
    assert!(fifo.contains(&"500 ms Block 4 of K1 is assigned to SM 0.".to_owned()), "{fifo:?}");
    page.click("#policy [value=priority]").await;
    assert_eq!(sentences().await, priority);
    page.close().await;
}

#[wasm_bindgen_test]
async fn limits_of_the_device_can_be_changed() {
    let page = Page::open().await;
    let before = seen(&page).await;
    assert!(before.name.starts_with("Block timeline of 2 SMs."));
    page.enter("#device-sms", "4").await;
    let after = seen(&page).await;
    assert!(after.name.starts_with("Block timeline of 4 SMs."), "{}", after.name);
    assert!(after.name.contains("K1 from 0 s to 1 s"), "six blocks fit at once");
    assert_eq!(page.count("[data-sm]"), 4);
    assert_ne!(after.pixels, before.pixels);
    assert!(page.text("#limits summary").contains("edited"), "it is no longer the TX2");
    // A device with less than a kernel needs.
    page.enter("#device-threads_per_sm", "512").await;
    assert_eq!(page.count("#problems"), 1);
    assert_eq!(seen(&page).await, after);
    page.click("#undo").await;
    page.click("#undo").await;
    assert_eq!(seen(&page).await, before);
    page.enter("#device-sms", "several").await;
    assert_ne!(page.text("#device-sms-error"), "");
    assert_eq!(page.value("#device-sms"), "several");
    assert_eq!(seen(&page).await, before);
    page.click("#undo").await;
    page.pick("#device", "titanv").await;
    assert!(page.timeline_name().starts_with("Block timeline of 80 SMs."), "{}", page.timeline_name());
    page.close().await;
}

#[wasm_bindgen_test]
async fn a_reload_finds_the_work_again() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(d)']").await;
    page.enter_kernel(0, BLOCKS, "4").await;
    page.enter_kernel(2, THREADS, "lots and lots").await;
    page.click("#theme").await;
    let theme = page.attribute("#theme", "aria-label");
    page.close().await;
    let page = Page::reopen().await;
    assert_eq!(page.kernel(0, BLOCKS), "4");
    assert_eq!(page.kernel(2, THREADS), "lots and lots");
    assert_eq!(page.count("#problems"), 1);
    assert_eq!(page.now(), "3.02 s");
    assert_eq!(page.attribute("#theme", "aria-label"), theme);
    page.enter_kernel(2, THREADS, "1024").await;
    assert_eq!(page.count("#problems"), 0);
    assert!(page.timeline_name().contains("K1 from 0 s to 1 s"), "{}", page.timeline_name());
    assert_eq!(page.now(), "3.02 s");
    page.close().await;
}
