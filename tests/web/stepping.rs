//! Moving through a run: bookmarks, buttons, keys, instants, times; and what the panels then say.

use wasm_bindgen_test::wasm_bindgen_test;

use super::page::Page;

/// What [TX2] Fig. 4 (d) shows.
fn assert_inset_d(page: &Page) {
    assert_eq!(page.queue("CE queue"), ["C2o"]);
    assert_eq!(page.queue("Copy engine"), ["C5o*"]);
    assert_eq!(page.queue("Stream S1"), ["C2o", "C3i", "K3", "C3o"]);
    assert_eq!(page.queue("Stream S2"), ["K6*", "C6o"]);
    assert_eq!(page.queue("Stream S3"), ["C5o*"]);
    assert!(page.queue("EE queue, high priority").is_empty());
    assert!(page.queue("EE queue, low priority").is_empty());
    assert_eq!(page.texts("[data-sm='0'] [data-block]"), ["K6:0"]);
    assert_eq!(page.texts("[data-sm='1'] [data-block]"), ["K6:1"]);
    assert!(page.text("[data-sm='0'] [data-gauge=threads]").starts_with("1,536"), "free threads");
}

#[wasm_bindgen_test]
async fn the_bookmark_leads_to_inset_d() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(d)']").await;
    assert_eq!(page.now(), "3.02 s");
    assert_inset_d(&page);
    assert_eq!(page.attribute("[data-bookmark^='(d)']", "aria-pressed").unwrap(), "true");
    assert_eq!(page.attribute("[data-bookmark^='(a)']", "aria-pressed").unwrap(), "false");
    assert!(page.text(".bookmark-text").contains("C5o"), "what to see there is said");
    page.close().await;
}

#[wasm_bindgen_test]
async fn stepping_leads_to_inset_d() {
    let page = Page::open().await;
    page.click("#first").await;
    assert_eq!(page.step().0, 0);
    assert_eq!(page.queue("CE queue"), [""; 0]);
    // By the button to just before 3 s, by the key from there on, to the last step of that instant.
    while page.step().0 < 51 {
        page.click("#forward").await;
    }
    assert_eq!(page.now(), "2.8 s");
    while page.current_step() != "C5o is assigned to the copy engine." {
        page.press("ArrowRight").await;
    }
    assert_eq!(page.now(), "3 s");
    while page.now() == "3 s" {
        page.press("ArrowRight").await;
    }
    page.press("ArrowLeft").await;
    assert_eq!(page.now(), "3 s");
    assert_inset_d(&page);
    let place = page.step();
    // And back and forth: the same state by another way.
    page.click("#last").await;
    assert_eq!(page.step().0, page.step().1);
    while page.step().0 > place.0 {
        page.click("#back").await;
    }
    assert_inset_d(&page);
    page.close().await;
}

#[wasm_bindgen_test]
async fn instants_by_button_and_key() {
    let page = Page::open().await;
    page.press("Home").await;
    let mut seen = Vec::new();
    for i in 0..7 {
        if i % 2 == 0 {
            page.click("#next-instant").await
        } else {
            page.press(".").await
        }
        seen.push(page.now());
    }
    assert_eq!(seen, ["0 s", "200 ms", "400 ms", "1 s", "2 s", "2.8 s", "3 s"]);
    assert_inset_d(&page);
    page.click("#previous-instant").await;
    assert_eq!(page.now(), "2.8 s");
    page.press(",").await;
    assert_eq!(page.now(), "2 s");
    page.press("End").await;
    let (position, count) = page.step();
    assert_eq!(position, count);
    assert_eq!(page.attribute("#forward", "aria-disabled").unwrap(), "true");
    // At the end there is nowhere to go.
    page.click("#forward").await;
    page.click("#next-instant").await;
    assert_eq!(page.step(), (count, count));
    page.click("#first").await;
    assert_eq!(page.attribute("#back", "aria-disabled").unwrap(), "true");
    page.click("#back").await;
    assert_eq!(page.step(), (0, count));
    page.close().await;
}

#[wasm_bindgen_test]
async fn jumps_to_a_time_a_step_and_not_to_nonsense() {
    let page = Page::open().await;
    let go = async |text: &str| {
        page.type_into("#jump", text).await;
        page.click(".jump button").await;
    };
    go("1.1 s").await;
    assert_eq!(page.now(), "1.1 s");
    assert_eq!(page.step().0, 30, "every step up to 1 s is applied");
    go("#12").await;
    assert_eq!(page.step().0, 12);
    go("200ms").await;
    assert_eq!(page.now(), "200 ms");
    go("step 0").await;
    assert_eq!(page.step().0, 0);
    go("2.5").await;
    assert_eq!(page.now(), "2.5 s");
    let place = page.step();
    for nonsense in ["soon", "#", "#100000", "-1 s", "1 furlong", "🕑"] {
        go(nonsense).await;
        assert_ne!(page.text("#jump-error"), "", "{nonsense} is complained about");
        assert_eq!(page.attribute("#jump", "aria-invalid").unwrap(), "true");
        assert_eq!(page.value("#jump"), nonsense, "what was typed stays");
        assert_eq!(page.step(), place, "{nonsense} leads nowhere");
    }
    page.type_into("#jump", "3").await;
    assert_eq!(page.text("#jump-error"), "", "the complaint goes as soon as it is mended");
    go("99 s").await;
    assert_eq!(page.step().0, page.step().1, "later than the run is its end");
    page.close().await;
}

#[wasm_bindgen_test]
async fn the_scrubber_goes_through_all_steps() {
    let page = Page::open().await;
    let count = page.step().1;
    assert_eq!(page.attribute("#scrubber", "max").unwrap(), count.to_string());
    for position in [0, 1, count / 2, count] {
        page.type_into("#scrubber", &position.to_string()).await;
        assert_eq!(page.step().0, position);
        assert_eq!(page.value("#scrubber"), position.to_string());
    }
    assert!(page.attribute("#scrubber", "aria-valuetext").unwrap().starts_with(&format!("Step {count} of {count}, 4.8 s: ")));
    page.press("Home").await;
    assert_eq!(page.value("#scrubber"), page.step().0.to_string(), "it follows");
    page.close().await;
}

#[wasm_bindgen_test]
async fn plays_pauses_and_ends() {
    let page = Page::open().await;
    let name = || page.attribute("#play", "aria-label").unwrap();
    page.pick("#speed", "60").await;
    page.click("#first").await;
    assert_eq!(name(), "Play (Space)");
    page.click("#play").await;
    assert_eq!(name(), "Pause (Space)");
    page.until("some steps are played", |p| p.step().0 > 3).await;
    page.click("#play").await;
    let (position, count) = page.step();
    assert!(position < count, "it was stopped on the way");
    assert_eq!(name(), "Play (Space)", "and stands");
    page.find("#play").blur().unwrap();
    page.press(" ").await;
    assert_eq!(name(), "Pause (Space)");
    page.until("the end is reached", |p| p.step().0 == count).await;
    page.until("it stops there", |p| p.attribute("#play", "aria-label").unwrap().starts_with("Play")).await;
    // From the end it plays from the start.
    page.pick("#speed", "1").await;
    page.click("#play").await;
    page.until("it begins again", |p| p.step().0 < count).await;
    // Whoever moves takes over.
    page.click("#forward").await;
    assert_eq!(name(), "Play (Space)");
    page.close().await;
}

#[wasm_bindgen_test]
async fn the_step_list_leads_to_its_steps() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(d)']").await;
    assert_eq!(page.count(".step.current"), 1);
    let current: u32 = page.attribute(".step.current .step-text", "data-step").unwrap().parse().unwrap();
    assert_eq!(current, page.step().0);
    page.click(&format!(".steps [data-step='{}']", current - 1)).await;
    assert_eq!(page.step().0, current - 1);
    assert_eq!(page.attribute(".step.current", "aria-current").unwrap(), "step");
    assert!(page.count(".step.future") >= 1, "what is to come looks so");
    page.click("#last").await;
    assert_eq!(page.attribute(".step.current .step-text", "data-step").unwrap(), page.step().1.to_string(), "the list follows");
    page.click("#first").await;
    assert_eq!(page.count(".step.current"), 0);
    assert!(page.count(".steps [data-step='1']") == 1, "the first step is in sight");
    page.close().await;
}

#[wasm_bindgen_test]
async fn a_chip_says_its_rule() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(a)']").await;
    assert_eq!(page.count("[role=tooltip]"), 0);
    let rule = page.text(".step.current .chip");
    page.point_at(".step.current .chip").await;
    assert_eq!(page.text("[role=tooltip] strong"), format!("Rule {rule}"));
    assert!(page.text("[role=tooltip]").contains("[TX2]"), "the source is named");
    page.point_at("#jump").await;
    assert_eq!(page.count("[role=tooltip]"), 0);
    // And by focus, in Waiting now.
    page.find("#waiting .chip").focus().unwrap();
    page.settle().await;
    assert_eq!(page.text("[role=tooltip] strong"), format!("Rule {}", page.text("#waiting .chip")));
    page.find("#jump").focus().unwrap();
    page.settle().await;
    assert_eq!(page.count("[role=tooltip]"), 0);
    page.close().await;
}

#[wasm_bindgen_test]
async fn waiting_now_gives_reasons_and_leads_to_their_end() {
    let page = Page::open().await;
    // [TX2] Fig. 4 (b): K5 waits for shared memory, which K4 holds.
    page.click("[data-bookmark^='(b)']").await;
    let reason = page.text("#waiting [data-waits=K5]");
    assert!(reason.contains("shared memory") && reason.contains("32 KiB") && reason.contains("K4"), "{reason}");
    assert!(reason.contains("until step 40 (2 s)"), "{reason}");
    page.click("#waiting [data-waits=K5] button.link").await;
    assert_eq!((page.step().0, page.now()), (40, "2 s".to_owned()));
    assert_eq!(page.current_step(), "Block 0 of K5 is assigned to SM 0.");
    // (d): C2o waits for the copy engine, which C5o has.
    page.click("[data-bookmark^='(d)']").await;
    let reason = page.text("#waiting [data-waits=C2o]");
    assert!(reason.contains("C5o") && reason.contains("(3.2 s)"), "{reason}");
    page.click("#last").await;
    assert_eq!(page.text("#waiting"), "Nothing waits at this step.");
    page.close().await;
}

#[wasm_bindgen_test]
async fn a_selection_is_seen_in_every_panel() {
    let page = Page::open().await;
    page.click("[data-bookmark^='(d)']").await;
    let plain = page.timeline_pixels();
    page.click("[data-queue='Stream S1'] [data-item=K3]").await;
    assert_ne!(page.timeline_pixels(), plain, "the timeline shows it");
    assert_eq!(page.texts("#queues .is-selected").iter().filter(|t| t.contains("K6")).count(), 0);
    assert!(page.count("#queues .is-selected") >= 3, "K3 and its copies");
    assert_eq!(page.count("#kernels tr.selected"), 1);
    assert_eq!(page.attribute("#kernels tr.selected", "data-row").unwrap(), "2");
    assert!(page.count("#waiting .selected") >= 1);
    page.press("Escape").await;
    assert_eq!(page.count(".is-selected, tr.selected, .waiting.selected"), 0);
    assert_eq!(page.timeline_pixels(), plain);
    page.close().await;
}

#[wasm_bindgen_test]
async fn screen_readers_are_told_each_step() {
    let page = Page::open().await;
    assert_eq!(page.attribute("#announcer", "aria-live").unwrap(), "polite");
    page.click("#first").await;
    assert!(page.text("#announcer").starts_with("Before the first of"));
    page.click("#forward").await;
    let (_, count) = page.step();
    assert_eq!(page.text("#announcer"), format!("Step 1 of {count}, 0 s: {}", page.current_step()));
    page.close().await;
}
