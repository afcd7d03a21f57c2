//! Processes, classes and the settings of policies: edited beside the tables, wrong or right.

use wasm_bindgen_test::wasm_bindgen_test;

use super::page::Page;

/// A cell of the task table.
fn task(row: usize, column: usize) -> String {
    format!("[data-cell='tasks:{row}:{column}']")
}

/// A cell of the process table.
fn process(row: usize, column: usize) -> String {
    format!("[data-cell='processes:{row}:{column}']")
}

const PROCESS: usize = 1;
const RELEASE: usize = 2;
const PERIOD: usize = 4;
const DEADLINE: usize = 5;
const CLASS: usize = 7;
const BUDGET: usize = 8;
const RANK: usize = 9;
const CONSUMES: usize = 10;
const INTERLEAVE: usize = 1;
const TIMESLICE: usize = 2;
const PREEMPTION: usize = 3;

/// What the switch says of where the tasks are.
fn pressed(page: &Page) -> [String; 2] {
    ["#one-process", "#process-each"].map(|button| page.attribute(button, "aria-pressed").unwrap())
}

#[wasm_bindgen_test]
async fn tasks_move_into_a_process_each_and_back() {
    let page = Page::open().await;
    page.pick("[data-stream=S2]", "high").await;
    page.click("#policy [value=runlist]").await;
    assert_eq!(pressed(&page), ["true", "false"]);
    let one = page.timeline_name();
    page.click("#process-each").await;
    assert_eq!(pressed(&page), ["false", "true"]);
    assert_eq!(page.count("#processes tbody tr"), 2);
    assert_eq!([0, 1].map(|row| page.value(&process(row, 0))), ["CPU 0", "CPU 1"]);
    assert_eq!([0, 1].map(|row| page.value(&task(row, PROCESS))), ["CPU 0", "CPU 1"]);
    assert_eq!(page.value("[data-stream='CPU 1 S2']"), "high", "the stream's priority goes along");
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    let each = page.timeline_name();
    assert_ne!(each, one, "processes take turns");

    page.click("#one-process").await;
    assert_eq!((page.timeline_name(), pressed(&page)), (one.clone(), ["true".to_owned(), "false".to_owned()]));
    assert_eq!(page.value(&process(0, 0)), "P0");
    page.click("#undo").await;
    assert_eq!(page.timeline_name(), each);
    // Neither holds when some share a process and some do not.
    page.click("#add-task").await;
    assert_eq!(pressed(&page), ["false", "false"]);
    page.click("#undo").await;
    page.click("#undo").await;
    assert_eq!((page.timeline_name(), pressed(&page)), (one, ["true".to_owned(), "false".to_owned()]));
    assert_eq!(page.count("#processes tbody tr"), 1);
    page.close().await;
}

#[wasm_bindgen_test]
async fn timeslices_and_switch_costs_change_the_turns() {
    let page = Page::open().await;
    page.click("#process-each").await;
    page.click("#policy [value=runlist]").await;
    assert_eq!(page.value(&process(0, TIMESLICE)), "");
    assert_eq!(page.attribute(&process(0, TIMESLICE), "placeholder").unwrap(), "2 ms", "what an empty cell stands for");
    page.enter(&process(0, TIMESLICE), "500 ms").await;
    page.enter(&process(1, TIMESLICE), "0.5").await;
    assert_eq!([0, 1].map(|row| page.value(&process(row, TIMESLICE))), ["500 ms", "500 ms"]);
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    let (halves, steps) = (page.timeline_name(), page.step().1);
    page.enter(&process(1, TIMESLICE), "750 ms").await;
    assert_ne!(page.timeline_name(), halves);
    page.click("#undo").await;
    assert_eq!(page.timeline_name(), halves);

    page.enter("#policy-switch_cost_ns", "10 ms").await;
    assert_eq!(page.value("#policy-switch_cost_ns"), "10 ms");
    assert!(page.step().1 > steps, "switches are steps");
    let slow = page.timeline_name();
    assert_ne!(slow, halves);
    page.click("#policy-settings [title='EDF with registers and local memory, average']").await;
    assert_eq!(page.value("#policy-switch_cost_ns"), "263 µs", "as [LP] measured it");
    assert_ne!(page.timeline_name(), slow);
    page.enter("#policy-switch_cost_ns", "a while").await;
    assert!(page.text("#policy-switch_cost_ns-error").contains("a while"));
    assert_eq!((page.value("#policy-switch_cost_ns"), page.count("#problems")), ("a while".to_owned(), 1));
    page.click("#undo").await;
    assert_eq!((page.value("#policy-switch_cost_ns"), page.count("#problems")), ("263 µs".to_owned(), 0));

    page.pick(&process(0, PREEMPTION), "none").await;
    page.pick(&process(1, INTERLEAVE), "high").await;
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    page.close().await;
}

#[wasm_bindgen_test]
async fn settings_are_shown_where_they_matter_and_kept() {
    let page = Page::open().await;
    let hidden = |p: &Page| {
        let of = |css: &str| p.find(css).offset_parent().is_none();
        [of("#policy-settings"), of("#policy-preemption")]
    };
    assert_eq!(hidden(&page), [true, true]);
    page.click("#policy [value=runlist]").await;
    assert_eq!(hidden(&page), [false, true]);
    page.click("#policy [value=edf]").await;
    assert_eq!(hidden(&page), [false, false]);
    assert_eq!(["#policy-preemption", "#policy-cbs"].map(|css| page.value(css)), ["thread", "on"]);
    page.pick("#policy-preemption", "block").await;
    page.pick("#policy-cbs", "off").await;
    page.enter("#policy-switch_cost_ns", "50 us").await;
    page.click("#policy [value=fifo]").await;
    assert_eq!(hidden(&page), [true, true]);
    page.click("#policy [value=edf]").await;
    let values = ["#policy-preemption", "#policy-cbs", "#policy-switch_cost_ns"].map(|css| page.value(css));
    assert_eq!(values, ["block", "off", "50 µs"]);
    page.close().await;
}

#[wasm_bindgen_test]
async fn classes_follow_from_times_unless_they_are_picked() {
    let page = Page::open().await;
    page.click("#policy [value=edf]").await;
    let name = |p: &Page| p.text(&format!("{} option", task(0, CLASS)));
    assert_eq!((page.value(&task(0, CLASS)), name(&page)), (String::new(), "auto (best effort)".to_owned()));
    page.enter(&task(0, DEADLINE), "9 s").await;
    assert_eq!((page.value(&task(0, CLASS)), name(&page)), (String::new(), "auto (real time)".to_owned()));
    page.pick(&task(0, CLASS), "best_effort").await;
    page.enter(&task(0, RANK), "-3").await;
    page.enter(&task(0, BUDGET), "250 ms").await;
    assert_eq!([CLASS, RANK, BUDGET].map(|column| page.value(&task(0, column))), ["best_effort", "-3", "250 ms"]);
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    page.enter(&task(0, RANK), "first").await;
    assert!(page.text("#tasks [data-field=priority] .field-error").contains("first"));
    page.enter(&task(0, RANK), "").await;
    assert_eq!(page.count("#problems"), 0, "an empty cell is 0");
    // A whole row at once, as from a spreadsheet.
    page.click("#columns-task").await;
    page.paste(&task(0, DEADLINE), "8 s\t2\treal time\t1.5 s\t7\t").await;
    page.click("#preview-take").await;
    let row = [DEADLINE, CLASS, BUDGET, RANK, CONSUMES].map(|column| page.value(&task(0, column)));
    assert_eq!(row, ["8 s", "real_time", "1.5 s", "7", ""]);
    page.click("#undo").await;
    assert_eq!(page.value(&task(0, CLASS)), "best_effort", "a paste is one edit");
    page.close().await;
}

#[wasm_bindgen_test]
async fn bad_input_is_named_beside_its_cell() {
    let page = Page::open().await;
    let problem = |p: &Page, at: &str| p.texts(&format!("{at} .field-error")).concat();
    assert_eq!(page.count(&process(0, TIMESLICE)), 0, "no policy that is chosen uses it");
    page.click("#columns-process").await;
    page.click("#columns-task").await;
    page.enter(&process(0, TIMESLICE), "0").await;
    assert_eq!(problem(&page, "#processes [data-field=timeslice_ns]"), "is 0 ns; at least 1 ns is needed");
    assert_eq!(
        (page.value(&process(0, TIMESLICE)), page.attribute(&process(0, TIMESLICE), "aria-invalid").unwrap()),
        ("0 s".to_owned(), "true".to_owned())
    );
    page.click("#undo").await;
    page.enter(&task(0, CONSUMES), "CPU 1").await;
    page.enter(&task(1, CONSUMES), "CPU 0").await;
    let found = problem(&page, "#tasks [data-field=consumes]");
    assert!(found.ends_with("CPU 0 waits for CPU 1, which waits for CPU 0"), "{found}");
    page.enter(&task(1, CONSUMES), "CPU 9").await;
    assert_eq!(problem(&page, "#tasks [data-field=consumes]"), "there is no task \"CPU 9\"");
    page.enter(&task(1, CONSUMES), "").await;
    page.enter(&task(0, CONSUMES), "").await;
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));

    page.click("#process-each").await;
    page.click("#processes tr[data-row='1'] [data-action=Delete]").await;
    assert_eq!(problem(&page, "#tasks [data-field=process]"), "there is no process \"CPU 1\"");
    assert!(problem(&page, "#streams").contains("there is no process \"CPU 1\""), "nor for its streams");
    assert_eq!(page.value(&task(1, PROCESS)), "CPU 1", "it is not lost");
    page.click("#undo").await;

    // The field for the horizon is unfolded when one is missing.
    assert_eq!(page.attribute("#limits", "open"), None);
    page.pick(&task(0, RELEASE), "continuous").await;
    assert!(page.text("#horizon_ns-error").contains("is required"));
    assert_eq!(page.attribute("#limits", "open"), Some(String::new()));
    page.enter("#horizon_ns", "5 s").await;
    assert_eq!(page.count("#problems"), 0, "{:?}", page.texts("#problems"));
    page.close().await;
}

#[wasm_bindgen_test]
async fn doubtful_input_is_simulated_with_a_warning() {
    let page = Page::open().await;
    page.enter(&task(0, DEADLINE), "1 ms").await;
    let beside = "#tasks [data-field=deadline_ns] .field-error";
    assert!(page.text(beside).starts_with("is 1 ms; a job takes at least"), "{}", page.text(beside));
    assert_eq!(page.attribute(beside, "role").unwrap(), "status");
    assert_eq!(page.attribute(&task(0, DEADLINE), "aria-invalid").unwrap(), "false");
    assert_eq!(page.attribute(&task(0, DEADLINE), "aria-describedby"), page.attribute(beside, "id"));
    assert_eq!((page.count("#problems"), page.count("#warnings"), page.count("#tasks td.doubtful")), (0, 1, 1));
    page.enter(&task(0, PERIOD), "10 s").await;
    page.enter(&task(0, DEADLINE), "").await;
    assert_eq!(page.count("#warnings"), 0, "{:?}", page.texts("#warnings"));
    page.click("#columns-task").await;
    page.enter(&task(0, BUDGET), "11 s").await;
    assert_eq!(page.text("#tasks [data-field=budget_ns] .field-error"), "is 11 s, above the period of 10 s");
    page.enter(&task(0, BUDGET), "").await;
    assert_eq!((page.count("#warnings"), page.count("#tasks td.doubtful")), (0, 0));
    page.close().await;
}
