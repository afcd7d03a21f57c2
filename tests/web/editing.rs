//! What is typed into tables and fields, beside the run that it changes and the messages about it.

use blockstep::{Part, Stage};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, tick, until};
use crate::page::{parts, parts_of};

const EDITED: &[Part] =
    &[Part::Timeline, Part::Diagram, Part::Tables, Part::Limits, Part::Notices, Part::Transport, Part::Waiting, Part::Policies];

/// The selector of a cell's field.
pub fn cell(table: &str, row: usize, field: &str) -> String {
    format!("#{table} tr[data-row='{row}'] td[data-field={field}] :is(input:not([type=button]), select)")
}

fn kernel(row: usize, field: &str) -> String {
    cell("kernels", row, field)
}

/// What the fields of a column hold.
pub fn column(page: &Mounted, table: &str, field: &str) -> Vec<String> {
    page.values(&format!("#{table} td[data-field={field}] :is(input:not([type=button]), select)"))
}

/// What the timeline shows, in words.
pub fn shown(page: &Mounted) -> String {
    page.attribute("#timeline", "aria-label").unwrap()
}

pub async fn undo(stage: Stage) {
    stage.undo();
    tick().await;
}

/// What says that the document cannot be simulated: one message or none.
pub fn problems(page: &Mounted) -> usize {
    page.count("#problems")
}

#[wasm_bindgen_test]
async fn editing_simulates_each_keystroke_and_ends_an_edit_with_its_cell() {
    let (page, stage) = parts(&[Part::Timeline, Part::Tables]).await;
    let time = kernel(0, "block_time_ns");
    page.type_into(&time, "0.5").await;
    assert!(shown(&page).contains("K1 from 0 s to 1 s"), "{}", shown(&page));
    assert_eq!(page.value(&time), "0.5", "it stays as typed");
    page.enter(&time, "1250 ms").await;
    assert_eq!(page.value(&time), "1.25 s", "once it is left, a cell shows how it was read");
    page.enter(&time, "1500 ms").await;
    undo(stage).await;
    assert_eq!(page.value(&time), "1.25 s", "leaving the cell ended the edit before");
    undo(stage).await;
    assert_eq!(page.value(&time), "1 s", "the keystrokes of a cell are one edit");
}

#[wasm_bindgen_test]
async fn editing_keeps_nonsense_and_the_last_valid_run() {
    let (page, stage) = parts(EDITED).await;
    stage.go_to_time(3_020_000_000);
    tick().await;
    let (blocks, threads) = (kernel(0, "blocks"), kernel(2, "threads_per_block"));
    let beside = "#kernels tr[data-row='2'] td[data-field=threads_per_block] .field-error";
    let run = || (shown(&page), stage.step_count());
    let before = run();
    for nonsense in ["lots", "12 parsecs", "-3", "1e99", "99999999999999999999999", "0", "4,096", "5000", "🕑"] {
        page.type_into(&threads, nonsense).await;
        assert_ne!(page.text(beside), "", "{nonsense}");
        assert_eq!(page.attribute(beside, "role").unwrap(), "alert");
        assert_eq!(page.attribute(&threads, "aria-invalid").unwrap(), "true");
        assert_eq!(page.attribute(&threads, "aria-describedby"), page.attribute(beside, "id"), "the message belongs to the cell");
        assert!(page.text("#problems").contains("last valid run"), "{}", page.text("#problems"));
        assert_eq!(page.value(&threads), nonsense, "what was typed stays");
        assert_eq!(run(), before, "{nonsense}");
        assert_eq!(page.attributes("[data-queue='CE queue'] [data-item]", "data-item"), ["C2o"]);
        assert_eq!(page.text("#step-time"), "3.02 s");
    }
    // Another cell, then away from both.
    page.enter(&threads, "lots").await;
    page.enter(&blocks, "none").await;
    assert_eq!([page.value(&threads), page.value(&blocks)], ["lots", "none"]);
    assert_eq!(page.count("#kernels .field-error"), 2);
    assert!(page.text("#problems").contains("1 more"));
    let position = stage.position();
    page.click("#forward").await;
    assert_eq!(stage.position(), position + 1, "one still can step through the run");
    page.enter(&threads, "1,024").await;
    assert_eq!(problems(&page), 1, "one of both is mended");
    page.enter(&blocks, "6").await;
    assert_eq!((problems(&page), page.count("#kernels .field-error")), (0, 0));
    assert_eq!(page.attribute(&threads, "aria-invalid").unwrap(), "false");
    assert_eq!(run(), before);
    // It can be undone where it is said.
    let time = kernel(1, "block_time_ns");
    page.enter(&time, "whenever").await;
    assert!(page.text("#problems").contains("whenever"));
    page.click("#problems button").await;
    assert_eq!((problems(&page), page.value(&time), run()), (0, "1 s".to_owned(), before));
}

#[wasm_bindgen_test]
async fn editing_takes_names_when_they_are_complete_and_makes_streams() {
    let (page, _) = parts(EDITED).await;
    let name = kernel(0, "name");
    page.type_into(&name, "K2").await;
    assert_eq!(problems(&page), 0, "on the way to another name");
    page.leave(&name).await;
    assert!(page.text("#problems").contains("\"Name\" of kernel row 1: \"K2\" is already the name of row 2"), "{}", page.text("#problems"));
    assert_eq!((page.count("#kernels td.invalid"), page.count("#kernels tr[data-row='0'] td.invalid")), (1, 1), "where it was typed");
    assert_ne!(page.text("#kernels td[data-field=name] .field-error"), "");
    page.enter(&name, "First").await;
    assert_eq!(problems(&page), 0);
    assert!(shown(&page).contains("First from 0 s to 2 s"), "{}", shown(&page));
    page.enter(&kernel(3, "stream"), "S9").await;
    assert_eq!(page.count("[data-queue='Stream S9']"), 1);
    assert_eq!(page.count("select[data-stream=S9]"), 1, "its priority can be chosen");
}

#[wasm_bindgen_test]
async fn editing_makes_rows_wait_and_streams_pass() {
    let (page, stage) = parts(EDITED).await;
    stage.go_to_time(800_000_000);
    tick().await;
    let runs = |what: &str| assert!(shown(&page).contains(what), "{what}: {}", shown(&page));
    page.click("#columns-kernel").await;
    page.choose(&kernel(4, "after"), "K4").await;
    assert_eq!(problems(&page), 0);
    runs("K5 from 2.4 s to 3.4 s");
    undo(stage).await;
    runs("K4 from 1 s to 2 s");
    runs("K5 from 2 s to 3 s");
    page.choose("select[data-stream=S2]", "high").await;
    runs("K4 from 200 ms to 1.2 s");
    assert!(page.texts("#queues .priority").contains(&"high".to_owned()));
    undo(stage).await;
    runs("K4 from 1 s to 2 s");
}

/// [TX2] Table 3.
#[wasm_bindgen_test]
async fn policies_make_different_steps_and_each_the_same_ones_again() {
    let (page, stage) = parts_of("tx2-table-3", EDITED).await;
    let steps = async || {
        let mut said = Vec::new();
        for position in 1..=stage.step_count() {
            stage.go_to(position);
            tick().await;
            said.push(format!("{}: {}", page.text("#step-time"), page.text("#now .now-sentence")));
        }
        said
    };
    let has = |steps: &[String], step: &str| assert!(steps.iter().any(|said| said == step), "{step} is not in {steps:#?}");
    assert!(shown(&page).contains("K1 from 0 s to 5 s; K2 from 500 ms to 2.5 s; K3 from 2.5 s to 4.5 s"), "{}", shown(&page));
    let priority = steps().await;
    has(&priority, "500 ms: Block 0 of K2 is assigned to SM 0, before anything in the low-priority EE queue.");
    page.click("#policy [value=fifo]").await;
    assert!(shown(&page).contains("K1 from 0 s to 1 s; K2 from 1 s to 3 s; K3 from 3 s to 5 s"), "{}", shown(&page));
    assert_eq!((page.count("[data-queue='EE queue']"), page.count("[data-queue='EE queue, high priority']")), (1, 0));
    let fifo = steps().await;
    has(&fifo, "500 ms: Block 4 of K1 is assigned to SM 0.");
    assert_ne!(fifo, priority);
    page.click("#policy [value=priority]").await;
    assert_eq!(steps().await, priority);
}

#[wasm_bindgen_test]
async fn editing_changes_the_limits_of_the_device() {
    let (page, stage) = parts(EDITED).await;
    let run = || (shown(&page), stage.step_count());
    let before = run();
    assert!(before.0.starts_with("Block timeline of 2 SMs."), "{}", before.0);
    page.enter("#device-sms", "4").await;
    let after = run();
    assert!(after.0.starts_with("Block timeline of 4 SMs.") && after.0.contains("K1 from 0 s to 1 s"), "six blocks fit: {}", after.0);
    assert_eq!(page.count("[data-sm]"), 4);
    assert!(page.text("#device-name").contains("edited"), "it is no longer the TX2");
    // A device with less than a kernel needs.
    page.enter("#device-threads_per_sm", "512").await;
    assert_eq!((problems(&page), run()), (1, after));
    undo(stage).await;
    undo(stage).await;
    assert_eq!(run(), before);
    page.enter("#device-sms", "several").await;
    assert_ne!(page.text("#device-sms-error"), "");
    assert_eq!((page.value("#device-sms"), run()), ("several".to_owned(), before));
}

#[wasm_bindgen_test]
async fn editing_copies_moves_and_deletes_rows_and_takes_all_of_it_back() {
    let (page, stage) = parts(EDITED).await;
    let act = async |row: usize, action: &str| page.click(&format!("#kernels tr[data-row='{row}'] [data-action='{action}']")).await;
    let names = || column(&page, "kernels", "name").join(" ");
    act(0, "Duplicate").await;
    assert_eq!(names(), "K1 K7 K2 K3 K4 K5 K6");
    for field in ["stream", "blocks", "threads_per_block", "block_time_ns"] {
        assert_eq!(page.value(&kernel(1, field)), page.value(&kernel(0, field)), "{field}");
    }
    assert!(shown(&page).contains("K7 from"));
    act(1, "Move down").await;
    assert_eq!(names(), "K1 K2 K7 K3 K4 K5 K6");
    act(2, "Move up").await;
    act(1, "Move up").await;
    assert_eq!(names(), "K7 K1 K2 K3 K4 K5 K6");
    act(0, "Move up").await;
    act(6, "Move down").await;
    assert_eq!(names(), "K7 K1 K2 K3 K4 K5 K6", "there is no further");
    act(0, "Delete").await;
    assert_eq!(names(), "K1 K2 K3 K4 K5 K6");
    assert!(!shown(&page).contains("K7"));
    page.click("#add-kernel").await;
    assert_eq!(names(), "K1 K2 K3 K4 K5 K6 K7");
    // Two moves that changed nothing are none.
    for _ in 0..6 {
        undo(stage).await;
    }
    assert_eq!(names(), "K1 K2 K3 K4 K5 K6");
    assert_eq!(page.value(&kernel(0, "blocks")), "6");
}

#[wasm_bindgen_test]
async fn editing_leaves_a_table_without_rows_and_goes_on_from_there() {
    let (page, _) = parts(EDITED).await;
    for _ in 0..6 {
        page.click("#kernels tr[data-row='0'] [data-action=Delete]").await;
    }
    assert_eq!((page.count("#kernels tbody tr[data-row]"), problems(&page)), (0, 0));
    assert_eq!(page.texts("#waiting .empty"), ["Nothing waits at this step."]);
    // They say that there is nowhere to go, and can be clicked all the same.
    for button in ["#last", "#forward", "#first", "#fit", "#play"] {
        page.click(button).await;
    }
    until(|| page.attribute("#play", "aria-label").unwrap() == "Play (Space)").await;
    page.click("#add-kernel").await;
    assert!(shown(&page).contains("K1 from 0 s to"), "{}", shown(&page));
    assert_eq!((column(&page, "kernels", "name"), problems(&page)), (vec!["K1".to_owned()], 0));
}

#[wasm_bindgen_test]
async fn editing_tasks_takes_their_kernels_along() {
    let (page, stage) = parts(EDITED).await;
    page.click("#add-task").await;
    assert_eq!(page.count("#tasks tbody tr[data-row]"), 3);
    assert_eq!(page.value(&cell("tasks", 1, "name")), "CPU 1");
    page.enter(&cell("tasks", 1, "name"), "Camera").await;
    assert_eq!((page.value(&kernel(3, "task")), problems(&page)), ("Camera".to_owned(), 0));
    assert!(page.texts(".task-box b").contains(&"Camera".to_owned()));
    // A task with kernels cannot go without a word.
    page.click("#tasks tr[data-row='1'] [data-action=Delete]").await;
    assert_eq!(problems(&page), 1);
    assert!(page.count("#kernels td[data-field=task] .field-error") >= 1, "it stands beside the cells that need it");
    undo(stage).await;
    assert_eq!(problems(&page), 0);
    page.choose(&cell("tasks", 1, "release"), "periodic").await;
    assert!(page.count("#tasks .field-error") >= 1, "a period is missing");
    page.enter(&cell("tasks", 1, "period_ns"), "5 s").await;
    page.enter(&cell("tasks", 1, "jobs"), "2").await;
    assert_eq!(problems(&page), 0);
    page.click("#last").await;
    assert!(page.texts(".task-box").join("\n").contains("2 jobs, "), "{:?}", page.texts(".task-box"));
    page.click("#add-process").await;
    assert_eq!((page.count("#processes tbody tr[data-row]"), problems(&page)), (2, 0));
}

#[wasm_bindgen_test]
async fn editing_shows_columns_that_are_wanted_or_used() {
    let (page, _) = parts(EDITED).await;
    let count = |table: &str, field: &str| page.count(&cell(table, 0, field));
    assert_eq!(count("kernels", "block_time_max_ns"), 0);
    page.click("#columns-kernel").await;
    page.enter(&kernel(0, "block_time_max_ns"), "0.5").await;
    assert!(page.text("#problems").contains("\"Worst time\" of K1 is 500 ms; at least 1 s is needed"), "{}", page.text("#problems"));
    page.enter(&kernel(0, "block_time_max_ns"), "2 s").await;
    page.click("#columns-kernel").await;
    assert_eq!((count("kernels", "block_time_max_ns"), count("kernels", "after")), (1, 0), "one is used now");
    assert_eq!(count("tasks", "budget_ns"), 0);
    page.click("#policy [value=edf]").await;
    assert_eq!(count("tasks", "budget_ns"), 1, "the policy uses it");
}

#[wasm_bindgen_test]
async fn editing_of_doubtful_times_is_simulated_with_a_note() {
    let (page, _) = parts(&[Part::Tables, Part::Notices]).await;
    let task = |field: &str| cell("tasks", 0, field);
    let counts = || ["#problems", "#warnings", "#tasks td.doubtful"].map(|selector| page.count(selector));
    page.enter(&task("deadline_ns"), "1 ms").await;
    let beside = "#tasks td[data-field=deadline_ns] .field-error";
    assert!(page.text(beside).starts_with("is 1 ms; a job takes at least"), "{}", page.text(beside));
    assert_eq!(page.attribute(beside, "role").unwrap(), "status");
    assert_eq!(page.attribute(&task("deadline_ns"), "aria-invalid").unwrap(), "false");
    assert_eq!(page.attribute(&task("deadline_ns"), "aria-describedby"), page.attribute(beside, "id"));
    assert_eq!(counts(), [0, 1, 1]);
    page.enter(&task("period_ns"), "10 s").await;
    page.enter(&task("deadline_ns"), "").await;
    assert_eq!(page.count("#warnings"), 0);
    page.click("#columns-task").await;
    page.enter(&task("budget_ns"), "11 s").await;
    assert_eq!(page.text("#tasks td[data-field=budget_ns] .field-error"), "is 11 s, above the period of 10 s");
    page.enter(&task("budget_ns"), "").await;
    assert_eq!(counts(), [0, 0, 0]);
}
