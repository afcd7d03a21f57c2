//! Parts of the page that share its state: what one of them does shows in the others.

use std::cell::Cell;

use blockstep::{Part, Stage};
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, frame, middle, mount, text_of, tick, until};

thread_local! {
    static STAGE: Cell<Option<Stage>> = const { Cell::new(None) };
}

/// Some parts over [TX2] Table 1, before its first step.
pub async fn parts(parts: &'static [Part]) -> (Mounted, Stage) {
    parts_of("tx2-table-1", parts).await
}

pub async fn parts_of(example: &str, parts: &'static [Part]) -> (Mounted, Stage) {
    parts_over(blockstep_sim::examples::find(example).unwrap().json, parts).await
}

/// The same over a scenario file.
pub async fn parts_over(scenario: &'static str, parts: &'static [Part]) -> (Mounted, Stage) {
    let page = mount(move || {
        let stage = Stage::new(scenario).unwrap();
        STAGE.set(Some(stage));
        parts.iter().map(|part| stage.part(*part)).collect_view()
    })
    .await;
    (page, STAGE.get().unwrap())
}

/// Goes on, step by step, until a selector finds something.
async fn go_until(page: &Mounted, stage: Stage, selector: &str) {
    for position in 1..stage.step_count() {
        stage.go_to(position);
        tick().await;
        if page.try_find(selector).is_some() {
            return;
        }
    }
    panic!("{selector} never comes");
}

/// Goes on until K4 waits.
async fn go_to_k4(page: &Mounted, stage: Stage) {
    go_until(page, stage, "#waiting [data-waits=K4]").await;
}

#[wasm_bindgen_test]
async fn waiting_says_why_and_by_which_rule() {
    let (page, stage) = parts(&[Part::Waiting]).await;
    assert_eq!(page.texts("#waiting .empty"), ["Nothing waits at this step."]);
    go_to_k4(&page, stage).await;
    assert!(page.count("#waiting [data-waits=K4] [data-rule]") == 1);
    let rules = page.attributes("#waiting [data-rule]", "data-rule");
    let said = page.count("#waiting .rule-words");
    let different = rules.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(said, different, "the words of a rule stand where it is first cited: {rules:?}");
}

#[wasm_bindgen_test]
async fn waiting_leads_to_the_step_that_ends_a_wait() {
    let (page, stage) = parts(&[Part::Waiting]).await;
    go_to_k4(&page, stage).await;
    let to: u32 = page.attribute("[data-waits=K4] [data-step]", "data-step").unwrap().parse().unwrap();
    assert!(page.text("[data-waits=K4] [data-step]").contains(&format!("step {to}")));
    let before = page.text("[data-waits=K4]");
    page.click("[data-waits=K4] [data-step]").await;
    assert_eq!(stage.position(), to);
    assert!(!page.texts("[data-waits=K4]").contains(&before), "it waits for that no more");
}

/// [TX2] Fig. 4 (b): K5 waits for shared memory, which K4 holds; (d): C2o waits for the copy engine, which C5o has.
#[wasm_bindgen_test]
async fn waiting_is_as_in_the_figure() {
    let (page, stage) = parts(&[Part::Waiting, Part::Transport]).await;
    stage.go_to_time(1_800_000_000);
    tick().await;
    let words = page.text("[data-waits=K5]");
    for word in ["shared memory", "32 KiB", "K4", "until step 40 (2 s)"] {
        assert!(words.contains(word), "{word}: {words}");
    }
    page.click("[data-waits=K5] [data-step]").await;
    assert_eq!((stage.position(), page.text("#step-time")), (40, "2 s".to_owned()));
    assert_eq!(page.text("#now .now-sentence"), "Block 0 of K5 is assigned to SM 0.");
    stage.go_to_time(3_020_000_000);
    tick().await;
    let words = page.text("[data-waits=C2o]");
    assert!(words.contains("C5o") && words.contains("(3.2 s)"), "{words}");
    stage.go_to(stage.step_count());
    tick().await;
    assert_eq!(page.texts("#waiting .empty"), ["Nothing waits at this step."]);
}

#[wasm_bindgen_test]
async fn waiting_selects_a_kernel_by_its_name() {
    let (page, stage) = parts(&[Part::Waiting]).await;
    go_to_k4(&page, stage).await;
    page.click("[data-waits=K4] [data-operation]").await;
    assert_eq!(stage.selected().unwrap(), "K4");
    assert!(page.has_class("[data-waits=K4]", "selected"));
    page.click("[data-waits=K4] [data-operation]").await;
    assert_eq!(stage.selected(), None);
}

#[wasm_bindgen_test]
async fn steps_are_sentences_with_rules_and_a_click_goes_there() {
    let (page, stage) = parts(&[Part::Steps]).await;
    until(|| page.count("#step-rows .step") > 3).await;
    assert_eq!(page.count(".step.current"), 0);
    assert!(page.has_class("#step-rows .step:nth-child(1)", "future"));
    page.click("[data-step='3']").await;
    assert_eq!(stage.position(), 3);
    until(|| page.try_find(".step.current [data-step='3']").is_some()).await;
    assert_eq!(page.attribute(".step.current", "aria-current").unwrap(), "step");
    assert_eq!(page.count(".step.current"), 1);
    assert!(!page.has_class("#step-rows .step:nth-child(1)", "future"));
    assert!(page.all(".step").iter().all(|row| row.query_selector("[data-rule]").unwrap().is_some()));
    assert_eq!(page.attribute(".step.current button", "tabindex").unwrap(), "0");
    stage.go_to(0);
    until(|| page.try_find(".step.current").is_none() && page.try_find("[data-step='1']").is_some()).await;
}

#[wasm_bindgen_test]
async fn steps_keep_the_current_one_in_sight() {
    let (page, stage) = parts(&[Part::Steps]).await;
    page.find("#step-scroll").set_attribute("style", "height:200px;overflow:auto").unwrap();
    let last = stage.step_count();
    stage.go_to(last);
    let is_seen = || {
        let (Some(row), list) = (page.try_find(".step.current"), page.find("#step-scroll").get_bounding_client_rect()) else {
            return false;
        };
        let row = row.get_bounding_client_rect();
        row.top() >= list.top() - 1.0 && row.bottom() <= list.bottom() + 1.0
    };
    until(is_seen).await;
    assert_eq!(page.attribute(".step.current button", "data-step").unwrap(), last.to_string());
    stage.go_to(1);
    until(|| page.try_find(".step.current [data-step='1']").is_some() && is_seen()).await;
}

#[wasm_bindgen_test]
async fn selection_goes_from_the_table_to_the_queues() {
    let (page, stage) = parts(&[Part::Tables, Part::Diagram]).await;
    stage.go_to(stage.step_count() / 2);
    tick().await;
    page.click("#kernels tr[data-row='0'] .swatch").await;
    assert_eq!(stage.selected().unwrap(), "K1");
    assert!(page.has_class("#kernels tr[data-row='0']", "selected"));
    let others = page.all("#queues [data-op]");
    assert!(others.iter().all(|of| of.class_list().contains("is-dimmed") || of.class_list().contains("is-selected")));
}

#[wasm_bindgen_test]
async fn selection_goes_from_the_queues_to_the_table() {
    let (page, stage) = parts(&[Part::Tables, Part::Diagram]).await;
    go_until(&page, stage, "#queues [data-place=ee][data-item=K4]").await;
    page.click("#queues [data-place=ee][data-item=K4]").await;
    assert_eq!(stage.selected().unwrap(), "K4");
    assert!(page.has_class("#kernels tr[data-row='3']", "selected"));
    assert_eq!(page.attribute("#kernels tr[data-row='3'] .swatch", "aria-pressed").unwrap(), "true");
}

#[wasm_bindgen_test]
async fn selection_comes_from_a_block_on_the_timeline() {
    let (page, stage) = parts(&[Part::Timeline, Part::Tables]).await;
    // It has been painted.
    until(|| page.attribute("#timeline", "width").is_some()).await;
    let rect = page.find("#timeline-place").get_bounding_client_rect();
    // From the left to the right through the middle of the first SM's lane, until something is hit.
    let mut x = 80.0;
    while stage.selected().is_none() {
        assert!(x < rect.width(), "no block was hit");
        let at = (rect.left() + x, rect.top() + 40.0);
        page.pointer("#timeline-place", "pointerdown", at).await;
        page.pointer("#timeline-place", "pointerup", at).await;
        x += 7.0;
    }
    assert_eq!(stage.selected().unwrap(), "K1", "the first on SM 0");
    assert!(page.has_class("#kernels tr[data-row='0']", "selected"));
}

#[wasm_bindgen_test]
async fn timeline_goes_to_a_time_on_its_axis() {
    let (page, stage) = parts(&[Part::Timeline, Part::Transport]).await;
    // It has been painted.
    until(|| page.attribute("#timeline", "width").is_some()).await;
    let rect = page.find("#timeline-place").get_bounding_client_rect();
    assert_eq!(stage.position(), 0);
    let at = (rect.left() + rect.width() / 2.0, rect.bottom() - 4.0);
    page.pointer("#timeline-place", "pointerdown", at).await;
    page.pointer("#timeline-place", "pointerup", at).await;
    assert!(stage.position() > 5, "{}", stage.position());
    let (x, _) = middle(&page.find("#cursor-line"));
    assert!((x - at.0).abs() < 10.0, "{x} and {}", at.0);
}

#[wasm_bindgen_test]
async fn transport_says_where_the_run_is_to_those_who_do_not_see_it() {
    let (page, stage) = parts(&[Part::Transport]).await;
    let count = stage.step_count();
    assert!(page.text("#announcer").starts_with("Before the first of"));
    page.type_into("#scrubber", &count.to_string()).await;
    assert_eq!((stage.position(), page.value("#scrubber")), (count, count.to_string()));
    let says = page.attribute("#scrubber", "aria-valuetext").unwrap();
    assert!(says.starts_with(&format!("Step {count} of {count}, 4.8 s: ")), "{says}");
    stage.go_to(1);
    tick().await;
    assert_eq!(page.value("#scrubber"), "1", "it follows");
    assert_eq!(page.text("#announcer"), format!("Step 1 of {count}, 0 s: {}", page.text("#now .now-sentence")));
}

#[wasm_bindgen_test]
async fn transport_leads_to_times_and_steps_and_nonsense_nowhere() {
    let (page, stage) = parts(&[Part::Transport]).await;
    let go = async |text: &str| {
        page.type_into("#jump", text).await;
        page.click(".jump button").await;
        (stage.position(), page.text("#step-time"))
    };
    assert_eq!(go("1.1 s").await, (30, "1.1 s".to_owned()), "every step up to 1 s is applied");
    assert_eq!(go("#12").await.0, 12);
    assert_eq!(go("200ms").await.1, "200 ms");
    assert_eq!(go("step 0").await.0, 0);
    let before = go("2.5").await;
    assert_eq!(before.1, "2.5 s");
    for nonsense in ["soon", "#", "#100000", "-1 s", "1 furlong", "🕑"] {
        assert_eq!(go(nonsense).await, before, "{nonsense} leads nowhere");
        assert_ne!(page.text("#jump-error"), "", "{nonsense}");
        assert_eq!((page.attribute("#jump", "aria-invalid").unwrap(), page.value("#jump")), ("true".to_owned(), nonsense.to_owned()));
    }
    page.type_into("#jump", "3").await;
    assert_eq!(page.text("#jump-error"), "");
    assert_eq!(go("99 s").await.0, stage.step_count(), "later than the run is its end");
}

#[wasm_bindgen_test]
async fn transport_goes_from_instant_to_instant_and_no_further_than_either_end() {
    let (page, stage) = parts(&[Part::Transport]).await;
    let mut seen = Vec::new();
    for _ in 0..7 {
        page.click("#next-instant").await;
        seen.push(page.text("#step-time"));
    }
    assert_eq!(seen, ["0 s", "200 ms", "400 ms", "1 s", "2 s", "2.8 s", "3 s"]);
    for expected in ["2.8 s", "2 s"] {
        page.click("#previous-instant").await;
        assert_eq!(page.text("#step-time"), expected);
    }
    let is_off = |button: &str| page.attribute(button, "aria-disabled").unwrap() == "true";
    stage.go_to(stage.step_count());
    tick().await;
    assert!(is_off("#forward"));
    page.click("#forward").await;
    page.click("#next-instant").await;
    assert_eq!(stage.position(), stage.step_count());
    stage.go_to(0);
    tick().await;
    assert!(is_off("#back"));
    page.click("#back").await;
    assert_eq!(stage.position(), 0);
}

#[wasm_bindgen_test]
async fn transport_plays_to_the_end_begins_again_and_gives_way() {
    let (page, stage) = parts(&[Part::Transport]).await;
    let button = || page.attribute("#play", "aria-label").unwrap();
    // So slow that it does not end on the way.
    page.choose("#speed", "2").await;
    page.click("#play").await;
    assert_eq!(button(), "Pause (Space)");
    until(|| stage.position() > 1).await;
    page.click("#play").await;
    assert_eq!(button(), "Play (Space)");
    assert!(stage.position() < stage.step_count(), "it was stopped on the way");
    page.choose("#speed", "60").await;
    page.click("#play").await;
    until(|| stage.position() == stage.step_count() && button() == "Play (Space)").await;
    // From the end it plays from the start.
    page.choose("#speed", "1").await;
    page.click("#play").await;
    until(|| stage.position() < stage.step_count()).await;
    assert_eq!(button(), "Pause (Space)");
    page.click("#forward").await;
    assert_eq!(button(), "Play (Space)", "whoever moves takes over");
}

#[wasm_bindgen_test]
async fn transport_plays_evenly_in_time() {
    let (page, stage) = parts(&[Part::Transport]).await;
    let is_over = || page.attribute("#play", "aria-label").unwrap() == "Play (Space)";
    // The slowest, so that it does not end on the way.
    page.choose("#speed", "run-60").await;
    page.click("#play").await;
    until(|| page.text("#step-then").starts_with("at ")).await;
    page.click("#last").await;
    assert!(is_over());
    page.choose("#speed", "run-10").await;
    page.click("#back").await;
    page.click("#play").await;
    until(|| is_over() && page.text("#step-time") == "4.8 s").await;
    assert_eq!(stage.position(), stage.step_count());
}

#[wasm_bindgen_test]
async fn between_steps_it_is_said_when_the_last_was_and_nothing_is_marked() {
    let (page, stage) = parts(&[Part::Diagram, Part::Transport]).await;
    let marks = || page.count("#queues .changed, #queues .ghost");
    let count = stage.step_count();
    stage.go_to(18);
    tick().await;
    assert_eq!((page.text("#step-number"), page.text("#step-time")), (format!("Step 18 of {count}"), "400 ms".to_owned()));
    assert!(marks() > 0);
    stage.go_to_time(800_000_000);
    tick().await;
    assert_eq!((page.text("#step-number"), page.text("#step-time")), (format!("After step 18 of {count} at 400 ms"), "800 ms".to_owned()));
    assert_eq!((stage.position(), marks()), (18, 0));
    let said = page.text("#announcer");
    assert!(said.starts_with(&format!("800 ms, after step 18 of {count} at 400 ms: ")), "{said}");
}

/// Kernels on the 80 SMs of a Titan V.
const WIDE: &str = r#"{ "version": 1, "name": "Volta", "device": "titanv", "kernels": [
  { "name": "A", "stream": "S0", "blocks": 60, "threads_per_block": 256, "block_time_ns": 5000000 },
  { "name": "B", "stream": "S1", "start_ns": 1000000, "blocks": 203, "threads_per_block": 256, "block_time_ns": 16000000 },
  { "name": "C", "stream": "S2", "start_ns": 2000000, "blocks": 86, "threads_per_block": 256, "block_time_ns": 7000000 }
] }"#;

#[wasm_bindgen_test]
async fn timeline_of_eighty_sms_has_shared_lanes_or_one_for_each() {
    let (page, _) = parts_over(WIDE, &[Part::Timeline]).await;
    let height = || page.find("#timeline-place").get_bounding_client_rect().height();
    let shared = height();
    assert!(shared < 500.0, "{shared}");
    page.click("#group-sms").await;
    assert!(height() > 700.0, "{}", height());
    page.click("#group-sms").await;
    assert_eq!(height(), shared);
}

#[wasm_bindgen_test]
async fn edit_makes_another_run_at_once() {
    let (page, stage) = parts(&[Part::Tables, Part::Transport]).await;
    let steps = stage.step_count();
    let blocks = "#kernels tr[data-row='0'] td[data-field=blocks] input";
    page.type_into(blocks, "12").await;
    assert!(stage.step_count() > steps);
    assert!(page.text("#step-count").contains(&stage.step_count().to_string()));
    assert!(stage.scenario().contains("\"blocks\": 12"));
}

#[wasm_bindgen_test]
async fn error_keeps_the_last_run_and_undo_takes_it_back() {
    let (page, stage) = parts(&[Part::Tables, Part::Notices]).await;
    let (steps, cell) = (stage.step_count(), "#kernels tr[data-row='0'] td[data-field=threads_per_block] input");
    page.type_into(cell, "99999").await;
    page.leave(cell).await;
    assert_eq!(stage.step_count(), steps);
    assert!(page.text("#problems pre").starts_with("Not simulated: "), "{}", page.text("#problems pre"));
    assert_eq!(page.value(cell), "99,999");
    assert_eq!(page.attribute(cell, "aria-invalid").unwrap(), "true");
    page.click("#problems button").await;
    assert!(page.try_find("#problems").is_none());
    assert_eq!(page.value(cell), "768");
}

#[wasm_bindgen_test]
async fn table_adds_a_row_and_its_first_cell_has_the_focus() {
    let (page, _) = parts(&[Part::Tables]).await;
    page.click("#add-kernel").await;
    assert_eq!(page.count("#kernels tbody tr[data-row]"), 7);
    until(|| page.try_find("[data-cell='kernels:6:0']").is_some() && page.has_focus("[data-cell='kernels:6:0']")).await;
    page.click("#kernels tr[data-row='6'] [data-action=Delete]").await;
    assert_eq!(page.count("#kernels tbody tr[data-row]"), 6);
}

#[wasm_bindgen_test]
async fn message_is_said_once_and_put_away() {
    let (page, stage) = parts(&[Part::Notices]).await;
    assert_eq!(page.count("#said"), 0);
    stage.say("Copied.", false);
    tick().await;
    assert_eq!((page.text("#said pre"), page.attribute("#said", "role").unwrap()), ("Copied.".to_owned(), "status".to_owned()));
    stage.say("It failed.", true);
    tick().await;
    assert_eq!((page.count("#said"), page.text("#said pre")), (1, "It failed.".to_owned()));
    assert_eq!(page.attribute("#said", "role").unwrap(), "alert");
    page.click("#said button").await;
    assert_eq!(page.count("#said"), 0);
}

#[wasm_bindgen_test]
async fn path_bar_chooses_between_queues_and_path() {
    let (page, _) = parts_of("edf-path", &[Part::Diagram]).await;
    assert_eq!(page.texts(".diagram-choice button"), ["Queues", "Path"]);
    let is_pressed = |title: &str| page.attribute(&format!("[data-diagram={title}]"), "aria-pressed").unwrap() == "true";
    page.click("[data-diagram=Path]").await;
    assert!(is_pressed("Path") && !is_pressed("Queues"));
    assert!(page.try_find("#queues .path").is_some() && page.try_find("#queues .column-streams").is_none());
    assert!(page.attribute("#queues", "aria-label").unwrap().starts_with("Path"));
    page.click("[data-diagram=Queues]").await;
    assert!(is_pressed("Queues") && page.try_find("#queues .path").is_none());
}

#[wasm_bindgen_test]
async fn path_bar_is_not_there_where_nobody_takes_turns() {
    let (page, _) = parts(&[Part::Diagram]).await;
    assert_eq!(page.count(".diagram-choice"), 0);
    assert_eq!(page.text("#diagram-title"), "Queues");
}

/// Where the system does not want less motion, as in the browsers of these tests.
#[wasm_bindgen_test]
async fn queue_moves_what_a_step_moved_where_the_reader_wants_it() {
    let (page, stage) = parts(&[Part::Diagram]).await;
    let sliding = || {
        page.all("[data-entered]")
            .iter()
            .filter(|of| web_sys::HtmlElement::style(of).get_property_value("animation-name").unwrap() != "")
            .count()
    };
    go_until(&page, stage, "[data-entered]").await;
    let entered = stage.position();
    stage.go_to(entered - 1);
    tick().await;
    // What is to slide begins with the next frame; who switches motion off before that sees none.
    stage.go_to(entered);
    leptos::task::tick().await;
    stage.show_motion(false);
    for _ in 0..3 {
        frame().await;
    }
    assert_eq!((page.count("[data-entered]"), sliding()), (1, 0));
    stage.show_motion(true);
    stage.go_to(entered - 1);
    tick().await;
    stage.go_to(entered);
    until(|| sliding() == 1).await;
}

#[wasm_bindgen_test]
async fn why_card_answers_for_the_kernel_that_was_clicked() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Waiting, Part::Tools]).await;
    go_to_k4(&page, stage).await;
    page.click("[data-waits=K4] [data-operation]").await;
    until(|| page.try_find("#tool-ask [data-rule]").is_some() && page.try_find("#tool-ask [data-step]").is_some()).await;
    assert!(page.text("#tool-ask").contains("K4"));
    assert!(page.count("#tool-ask [data-rule]") > 0, "{}", page.text("#tool-ask"));
    // A cause names its step, and leads there.
    let to: u32 = page.attribute("#tool-ask [data-step]", "data-step").unwrap().parse().unwrap();
    page.click("#tool-ask [data-step]").await;
    assert_eq!(stage.position(), to);
    page.click("#tool-ask .tool-head button").await;
    assert!(page.try_find("#tool-ask").is_none());
    assert_eq!(stage.selected(), None, "nothing is asked about any more");
}

/// [TX2] Fig. 4: at (a) K2 stands behind K1, whose next block finds no SM with 768 free threads, and K4 would fit.
#[wasm_bindgen_test]
async fn why_card_leads_to_the_root_and_follows_the_reader() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Diagram, Part::Waiting, Part::Tools, Part::Transport]).await;
    let says = |words: &str| page.try_find("#tool-ask").is_some_and(|tool| text_of(&tool).contains(words));
    stage.go_to_time(800_000_000);
    tick().await;
    page.click("[data-queue='Stream S2'] [data-item=K4]").await;
    until(|| page.try_find("#tool-ask .why-fit").is_some()).await;
    let fit = page.text("#tool-ask .why-fit");
    assert!(fit.starts_with("A block would fit ") && fit.ends_with("Room is not the reason."), "{fit}");
    page.click("[data-queue='Stream S1'] [data-item=K2]").await;
    until(|| says("K2 waits behind K1 in stream S1. K1's next block needs 768 threads")).await;
    assert!(says("512"), "what is free: {}", page.text("#tool-ask"));
    assert!(page.count("#tool-ask .why-chain > li") >= 3, "a chain, not one reason: {}", page.text("#tool-ask"));
    let steps = page.all("#tool-ask .why-chain [data-step]");
    steps.iter().find(|link| text_of(link).starts_with("step ")).unwrap().click();
    until(|| page.text("#step-time") == "2 s").await;
    // At 3 s K2 is complete, and its output copy waits for the copy engine.
    stage.go_to_time(3_000_000_000);
    until(|| says("C2o waits behind C5o")).await;
    page.click("#tool-ask .tool-head button").await;
    assert_eq!(page.count(".is-selected"), 0, "closing it selects nothing");
    stage.go_to_time(1_800_000_000);
    tick().await;
    page.click("#waiting .waiting-name").await;
    until(|| says("waits")).await;
}

#[wasm_bindgen_test]
async fn until_goes_on_and_back_and_says_where_it_ends() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Tools, Part::Transport]).await;
    assert!(stage.open_tool("until", ""));
    until(|| page.try_find("select[name=until]").is_some()).await;
    page.choose("select[name=until]", "completes").await;
    until(|| page.try_find("select[name=row]").is_some()).await;
    page.choose("select[name=row]", "K4").await;
    page.click("#tool-until button.primary").await;
    until(|| page.text("#step-time") == "2 s").await;
    let there = stage.position();
    page.click("#tool-until button.primary").await;
    until(|| page.text("#tool-until").contains("K4 ends once, at 2 s.")).await;
    assert_eq!(stage.position(), there, "there is no other one");
    stage.go_to(stage.step_count());
    tick().await;
    page.click("#tool-until form button[type=button]:not(.primary)").await;
    until(|| stage.position() == there).await;
}

#[wasm_bindgen_test]
async fn example_that_is_found_is_opened() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Tools, Part::Notices]).await;
    assert!(stage.open_tool("find", ""));
    until(|| page.try_find("#tool-find button.primary").is_some()).await;
    assert!(page.count("#tool-find select option") >= 5);
    page.click("#tool-find button.primary").await;
    let open = || page.all("#tool-find button").into_iter().find(|button| text_of(button) == "Open");
    until(|| open().is_some()).await;
    open().unwrap().click();
    until(|| !stage.scenario().contains("TX2 Table 1")).await;
    assert_eq!(page.count("#problems"), 0);
}

#[wasm_bindgen_test]
async fn tools_that_are_open_have_tabs_and_one_is_in_sight() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Tools]).await;
    for tool in ["rules", "find"] {
        assert!(stage.open_tool(tool, ""));
        until(|| page.try_find(&format!("#tool-{tool} .tool-body > *")).is_some()).await;
    }
    let hidden = || ["rules", "find"].map(|tool| page.attribute(&format!("#tool-{tool}"), "hidden").is_some());
    assert_eq!(hidden(), [true, false]);
    page.click("button[data-tab=rules]").await;
    assert_eq!(hidden(), [false, true]);
    page.click("#tool-rules .tool-head button").await;
    assert_eq!((page.count("#tool-rules"), page.attribute("#tool-find", "hidden")), (0, None));
    assert_eq!(page.count(".tool-tabs"), 0);
}

#[wasm_bindgen_test]
async fn tour_pane_starts_at_its_top() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Tools]).await;
    // As beside the run in a wide window.
    let side = leptos::prelude::document().get_element_by_id("container").unwrap();
    side.set_class_name("stage-side");
    side.set_attribute("style", "display:block;width:400px;height:240px;min-height:0;overflow:auto;position:relative").unwrap();
    assert!(stage.open_tool("tour", ""));
    until(|| page.count("#tool-tour .tours li") > 3).await;
    side.set_scroll_top(100_000);
    assert!(side.scroll_top() > 100, "{} of {}, by {}", side.client_height(), side.scroll_height(), side.scroll_top());
    let last = page.all("#tool-tour .tours li .link").pop().unwrap();
    last.click();
    until(|| page.try_find("#tool-tour select[name=stop]").is_some()).await;
    until(|| (page.find("#tool-tour").get_bounding_client_rect().top() - side.get_bounding_client_rect().top()).abs() < 60.0).await;
    assert!(page.find("#tool-tour h3").get_attribute("tabindex").is_some());
}

#[wasm_bindgen_test]
async fn tour_goes_from_stop_to_stop() {
    crate::worker::serve_the_page();
    let (page, stage) = parts(&[Part::Tools]).await;
    assert!(stage.open_tool("tour", "start"));
    until(|| page.try_find("#tool-tour select[name=stop]").is_some()).await;
    assert_eq!(page.value("#tool-tour select[name=stop]"), "1");
    let stops = page.count("#tool-tour select[name=stop] option");
    assert!(stops > 2);
    page.choose("#tool-tour select[name=stop]", "2").await;
    until(|| page.text("#tool-tour .tool-row .quiet").contains("stop 2 of")).await;
    assert_eq!(page.value("#tool-tour select[name=stop]"), "2");
}

#[wasm_bindgen_test]
async fn page_has_no_more_memory_when_it_was_mounted_ten_times_than_after_three() {
    let all = &[Part::Timeline, Part::Diagram, Part::Tables, Part::Transport, Part::Waiting, Part::Steps, Part::Notices];
    let mut bytes = Vec::new();
    for _ in 0..10 {
        let (page, stage) = parts(all).await;
        stage.go_to(stage.step_count() / 2);
        tick().await;
        // What it asked to be painted has been painted, and is gone.
        frame().await;
        assert!(page.try_find("#kernels").is_some());
        bytes.push(crate::worker::memory());
    }
    assert!(bytes[9] - bytes[2] < 2_000_000.0, "{bytes:?}");
}

/// A task that runs for 1 ms every 10 ms, ten times.
const PERIODIC: &str = r#"{"version":1,"name":"Mine","horizon_ns":100000000,
  "tasks":[{"name":"camera","release":"periodic","period_ns":10000000}],
  "kernels":[{"name":"K1","task":"camera","blocks":2,"threads_per_block":256,"block_time_ns":1000000}]}"#;

#[wasm_bindgen_test]
async fn timeline_opens_own_tasks_on_their_hyperperiod_until_the_reader_zooms() {
    let (page, _) = parts_over(PERIODIC, &[Part::Timeline, Part::Tables]).await;
    until(|| page.texts("#part-shown") == ["first 10 ms of 100 ms"]).await;
    let period = "#tasks [data-field=period_ns] input";
    page.enter(period, "20 ms").await;
    until(|| page.texts("#part-shown") == ["first 20 ms of 100 ms"]).await;
    // What the reader has chosen stays.
    page.click("#fit").await;
    until(|| page.count("#part-shown") == 0).await;
    page.enter(period, "25 ms").await;
    tick().await;
    assert_eq!(page.count("#part-shown"), 0);
}

#[wasm_bindgen_test]
async fn scenarios_are_kept_renamed_deleted_and_brought_back() {
    let (page, stage) = parts(&[Part::Kept]).await;
    stage.show_scenarios();
    tick().await;
    assert_eq!(page.count("#kept-list tr"), 0, "nothing is stored yet");
    let keep = "#kept-list > p:last-of-type button";
    page.click(keep).await;
    page.click(keep).await;
    let names = || page.attributes("#kept-list tr button:not([aria-label^=Open]):not([aria-label^=Delete])", "aria-label");
    assert_eq!(names(), ["Save TX2 Table 1: basic scheduling rules", "Save TX2 Table 1: basic scheduling rules"]);
    page.enter("#kept-list tr:first-child input", "Mine").await;
    assert_eq!(names(), ["Save Mine", "Save TX2 Table 1: basic scheduling rules"]);
    page.click("#kept-list tr:first-child [aria-label='Delete Mine']").await;
    assert_eq!(names(), ["Save TX2 Table 1: basic scheduling rules"]);
    assert!(page.text("#kept-list [role=status]").contains("Deleted: Mine."));
    page.click("#kept-list [role=status] button").await;
    assert_eq!(names(), ["Save Mine", "Save TX2 Table 1: basic scheduling rules"], "at its place");
}
