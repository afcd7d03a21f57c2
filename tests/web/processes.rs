//! Processes that take turns: their tables, the settings of their policies, and the scheduler of the diagram.

use blockstep::{Part, Stage};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, tick};
use crate::editing::{cell, column, problems, shown, undo};
use crate::page::{parts, parts_of, parts_over};

const MS: u64 = 1_000_000;
const PARTS: &[Part] = &[Part::Timeline, Part::Diagram, Part::Tables, Part::Limits, Part::Notices, Part::Transport, Part::Policies];

/// Two processes and three tasks, under servers.
const SHARED: &str = r#"{
  "version": 1, "name": "Shared", "device": "tx2", "horizon_ns": 40000000,
  "policy": { "kind": "edf", "cbs": true, "switch_cost_ns": 100000 },
  "processes": [{ "name": "P0", "interleave": "high", "timeslice_ns": 2000000 }, { "name": "P1", "interleave": "low", "timeslice_ns": 1000000 }],
  "tasks": [
    { "name": "viewer", "process": "P0", "release": "continuous", "class": "best_effort" },
    { "name": "camera", "process": "P1", "release": "periodic", "period_ns": 20000000, "deadline_ns": 18000000, "offset_ns": 1000000 },
    { "name": "log", "process": "P0", "class": "best_effort", "priority": 3 }
  ],
  "kernels": [
    { "name": "V", "task": "viewer", "stream": "S1", "blocks": 6, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "L", "task": "log", "stream": "S2", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 },
    { "name": "C", "task": "camera", "stream": "S1", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000, "copy_in_bytes": 65536 }
  ]
}"#;

async fn go_to(stage: Stage, ns: u64) {
    stage.go_to_time(ns);
    tick().await;
}

/// The processes of the runlist's entries, in the order of the list.
fn ring(page: &Mounted) -> Vec<String> {
    let entries = page.attributes("[data-runlist-entry]", "data-runlist-entry");
    let mut ring: Vec<(u64, String)> =
        entries.iter().map(|entry| entry.parse().unwrap()).zip(page.attributes("[data-runlist-entry]", "data-process")).collect();
    ring.sort();
    ring.into_iter().map(|(_, process)| process).collect()
}

/// [EDF] Fig. 1.
#[wasm_bindgen_test]
async fn processes_stand_on_the_ring_and_the_pointer_follows_the_turns() {
    let (page, stage) = parts_of("edf-fig-1", PARTS).await;
    let turns = ["H1", "H2", "M1", "H1", "H2", "M2"];
    assert_eq!(ring(&page), turns);
    for (i, turn) in (0_u64..).zip(turns) {
        go_to(stage, i * MS + MS / 2).await;
        assert_eq!(page.attribute("[data-served]", "data-process").unwrap(), turn);
        let next = ((i + 1) % 6).to_string();
        assert_eq!(page.attribute("[data-pointer]", "data-runlist-entry").unwrap(), next, "after the entry that is served");
        assert!(page.text("[data-scheduler]").contains(&format!("Resident: process {turn}")), "{}", page.text("[data-scheduler]"));
    }
}

#[wasm_bindgen_test]
async fn processes_of_two_channels_stand_on_the_ring_twice() {
    let (page, stage) = parts_of("edf-channels", PARTS).await;
    let sorted = || {
        let mut ring = ring(&page);
        ring.sort();
        ring.join(", ")
    };
    assert_eq!(sorted(), "A channel 1, A channel 2, B");
    go_to(stage, 3 * MS / 2).await;
    assert!(page.text("[data-scheduler]").contains("Resident: process A channel 2"), "{}", page.text("[data-scheduler]"));
    let channels = cell("processes", 0, "channels");
    assert_eq!(page.value(&channels), "2");
    page.type_into(&channels, "33").await;
    assert!(page.text("#processes").contains("is 33; at most 32 are possible"), "{}", page.text("#processes"));
    assert_eq!(sorted(), "A channel 1, A channel 2, B", "the last valid run stays");
    page.type_into(&channels, "").await;
    assert_eq!(sorted(), "A, B");
}

#[wasm_bindgen_test]
async fn processes_take_the_turns_of_a_measured_gpu_at_once() {
    let (page, stage) = parts_of("edf-channels", PARTS).await;
    let seen = || (column(&page, "processes", "timeslice_ns").join(", "), page.value("#policy-switch_cost_ns"));
    let before = seen();
    assert_eq!(before, ("1 ms, 1 ms".to_owned(), String::new()));
    let button = "#runlist-settings .presets button";
    assert_eq!(page.text(button), "RTX 5090");
    page.click(button).await;
    assert_eq!(seen(), ("2.209 ms, 2.209 ms".to_owned(), "56 µs".to_owned()));
    undo(stage).await;
    assert_eq!(seen(), before, "it is one edit");
}

#[wasm_bindgen_test]
async fn deadline_scheduler_has_jobs_by_deadline_with_budgets_and_best_effort_below() {
    let (page, stage) = parts_over(SHARED, PARTS).await;
    go_to(stage, 3 * MS / 2).await;
    assert!(page.text("[data-chosen]").contains("camera"));
    let scheduler = || page.text("[data-scheduler]");
    let place = |what: &str| scheduler().find(what).unwrap_or_else(|| panic!("no {what} in {}", scheduler()));
    assert!(place("camera") < place("viewer") && place("log") > 0, "real-time jobs stand first: {}", scheduler());
    assert!(scheduler().contains("budget"));
    page.choose("#policy-cbs", "off").await;
    assert!(!scheduler().contains("budget"));
}

#[wasm_bindgen_test]
async fn horizon_before_the_cursor_takes_it_along_and_a_later_one_leaves_it() {
    let (page, stage) = parts_over(SHARED, PARTS).await;
    go_to(stage, 26 * MS).await;
    for (horizon, expected) in [("10 ms", "10 ms"), ("0", "1 ns"), ("40 ms", "26 ms")] {
        page.enter("#horizon_ns", horizon).await;
        let [now, end] =
            ["aria-valuenow", "aria-valuemax"].map(|name| page.attribute("#cursor-line", name).unwrap().parse::<f64>().unwrap());
        assert!(now <= end, "{now} of {end} ns");
        assert_eq!(page.text("#step-time"), expected);
        assert!(!shown(&page).contains(". ."), "nothing is named where nothing ran: {}", shown(&page));
    }
}

#[wasm_bindgen_test]
async fn tasks_move_into_a_process_each_and_back() {
    let (page, stage) = parts(PARTS).await;
    page.choose("select[data-stream=S2]", "high").await;
    page.click("#policy [value=runlist]").await;
    let pressed = || ["#one-process", "#process-each"].map(|button| page.attribute(button, "aria-pressed").unwrap()).join(", ");
    let seen = || (shown(&page), column(&page, "processes", "name").join(", "), pressed());
    let one = seen();
    assert_eq!((&*one.1, &*one.2), ("P0", "true, false"));
    page.click("#process-each").await;
    let each = seen();
    assert_eq!((&*each.1, &*each.2), ("CPU 0, CPU 1", "false, true"));
    assert_eq!(column(&page, "tasks", "process"), ["CPU 0", "CPU 1"]);
    assert_eq!(page.value("select[data-stream='CPU 1 S2']"), "high", "the stream's priority goes along");
    assert_eq!(problems(&page), 0);
    assert_ne!(each.0, one.0, "processes take turns");
    page.click("#one-process").await;
    assert_eq!(seen(), one);
    undo(stage).await;
    assert_eq!(seen(), each);
    page.click("#add-task").await;
    assert_eq!(pressed(), "false, false", "some share a process and some do not");
    undo(stage).await;
    undo(stage).await;
    assert_eq!(seen(), one);
}

#[wasm_bindgen_test]
async fn timeslices_and_what_a_switch_costs_change_the_turns() {
    let (page, stage) = parts(PARTS).await;
    page.click("#process-each").await;
    page.click("#policy [value=runlist]").await;
    let (slices, cost) = ([0, 1].map(|row| cell("processes", row, "timeslice_ns")), "#policy-switch_cost_ns");
    assert_eq!(page.value(&slices[0]), "");
    assert_eq!(page.attribute(&slices[0], "placeholder").unwrap(), "2 ms", "what an empty cell stands for");
    page.enter(&slices[0], "500 ms").await;
    page.enter(&slices[1], "0.5").await;
    assert_eq!(column(&page, "processes", "timeslice_ns"), ["500 ms", "500 ms"]);
    assert_eq!(problems(&page), 0);
    let (halves, steps) = (shown(&page), stage.step_count());
    page.enter(&slices[1], "750 ms").await;
    assert_ne!(shown(&page), halves);
    undo(stage).await;
    assert_eq!(shown(&page), halves);
    page.enter(cost, "10 ms").await;
    assert_eq!(page.value(cost), "10 ms");
    assert!(stage.step_count() > steps, "switches are steps");
    let slow = shown(&page);
    assert_ne!(slow, halves);
    page.click("#policy-settings [title='EDF with registers and local memory, average']").await;
    assert_ne!(shown(&page), slow);
    assert_eq!(page.value(cost), "263 µs", "as [LP] measured it");
    page.enter(cost, "a while").await;
    assert!(page.text("#policy-switch_cost_ns-error").contains("a while"));
    assert_eq!((page.value(cost), problems(&page)), ("a while".to_owned(), 1));
    undo(stage).await;
    assert_eq!((page.value(cost), problems(&page)), ("263 µs".to_owned(), 0));
    page.choose(&cell("processes", 0, "preemption"), "none").await;
    page.choose(&cell("processes", 1, "interleave"), "high").await;
    assert_eq!(problems(&page), 0);
}

#[wasm_bindgen_test]
async fn class_follows_from_a_tasks_times_unless_it_is_picked() {
    let (page, _) = parts(PARTS).await;
    page.click("#policy [value=edf]").await;
    let task = |field: &str| cell("tasks", 0, field);
    let automatic = || (page.value(&task("class")), page.text(&format!("{} option", task("class"))));
    assert_eq!(automatic(), (String::new(), "auto (best effort)".to_owned()));
    page.enter(&task("deadline_ns"), "9 s").await;
    assert_eq!(automatic(), (String::new(), "auto (real time)".to_owned()));
    page.choose(&task("class"), "best_effort").await;
    page.enter(&task("priority"), "-3").await;
    page.enter(&task("budget_ns"), "250 ms").await;
    assert_eq!(["class", "priority", "budget_ns"].map(|field| page.value(&task(field))), ["best_effort", "-3", "250 ms"]);
    assert_eq!(problems(&page), 0);
    page.enter(&task("priority"), "first").await;
    assert!(page.text("#tasks td[data-field=priority] .field-error").contains("first"));
    page.enter(&task("priority"), "").await;
    assert_eq!(problems(&page), 0, "an empty cell is 0");
}

#[wasm_bindgen_test]
async fn bad_input_of_tasks_and_processes_is_named_beside_its_cell() {
    let (page, stage) = parts(PARTS).await;
    let wrong = |table: &str, field: &str| page.texts(&format!("#{table} td[data-field={field}] .field-error")).concat();
    let slice = cell("processes", 0, "timeslice_ns");
    let [first, second] = [0, 1].map(|row| cell("tasks", row, "consumes"));
    assert_eq!(page.count(&slice), 0, "no policy that is chosen uses it");
    page.click("#columns-process").await;
    page.click("#columns-task").await;
    page.enter(&slice, "0").await;
    assert_eq!(wrong("processes", "timeslice_ns"), "is 0 ns; at least 1 ns is needed");
    assert_eq!((page.value(&slice), page.attribute(&slice, "aria-invalid").unwrap()), ("0 s".to_owned(), "true".to_owned()));
    undo(stage).await;
    page.enter(&first, "CPU 1").await;
    page.enter(&second, "CPU 0").await;
    let circle = wrong("tasks", "consumes");
    assert!(circle.ends_with("CPU 0 waits for CPU 1, which waits for CPU 0"), "{circle}");
    page.enter(&second, "CPU 9").await;
    assert_eq!(wrong("tasks", "consumes"), "there is no task \"CPU 9\"");
    page.enter(&second, "").await;
    page.enter(&first, "").await;
    assert_eq!(problems(&page), 0);

    page.click("#process-each").await;
    page.click("#processes tr[data-row='1'] [data-action=Delete]").await;
    assert_eq!(wrong("tasks", "process"), "there is no process \"CPU 1\"");
    assert!(page.texts("#streams .field-error").concat().contains("there is no process \"CPU 1\""), "nor for its streams");
    assert_eq!(page.value(&cell("tasks", 1, "process")), "CPU 1", "it is not lost");
    undo(stage).await;

    // The field for the horizon is unfolded when one is missing.
    assert_eq!(page.attribute("#limits", "open"), None);
    page.choose(&cell("tasks", 0, "release"), "continuous").await;
    assert!(page.text("#horizon_ns-error").contains("is required"), "{}", page.text("#horizon_ns-error"));
    assert_eq!(page.attribute("#limits", "open").unwrap(), "");
    page.enter("#horizon_ns", "5 s").await;
    assert_eq!(problems(&page), 0);
}
