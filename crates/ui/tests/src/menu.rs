//! The menu.

use blockstep_ui::{Menu, MenuEntry};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, send, tick, told};

async fn menu() -> (Mounted, RwSignal<Vec<u32>>, RwSignal<Vec<String>>) {
    let (chosen, heard) = (told(), told());
    let mounted = mount(move || {
        let entry = |value, title, opens| MenuEntry { value, opens, title, help: format!("about {title}") };
        let entries = vec![entry(1, "One", None), entry(2, "Two", Some("ask")), entry(3, "Three", None)];
        view! {
            <div on:keydown=move |event| heard.update(|heard| heard.push(event.key()))>
                <Menu title="Tools" entries=entries on_choose=move |value| chosen.update(|chosen| chosen.push(value)) />
                <button id="elsewhere"></button>
            </div>
        }
    })
    .await;
    (mounted, chosen, heard)
}

fn is_open(page: &Mounted) -> bool {
    page.find("details").unchecked_into::<web_sys::HtmlDetailsElement>().open()
}

#[wasm_bindgen_test]
async fn menu_closes_with_a_choice_and_tells_it() {
    let (page, chosen, _) = menu().await;
    assert!(!is_open(&page));
    page.click("summary").await;
    assert!(is_open(&page));
    assert_eq!(page.texts(".menu-list button b"), ["One", "Two", "Three"]);
    assert_eq!(page.attribute("[data-open-tool]", "data-open-tool").unwrap(), "ask");
    page.click(".menu-list button:nth-child(2)").await;
    assert!(!is_open(&page));
    assert_eq!(chosen.get_untracked(), [2]);
}

#[wasm_bindgen_test]
async fn menu_closes_at_escape_and_its_title_has_the_focus() {
    let (page, chosen, _) = menu().await;
    page.click("summary").await;
    page.key(".menu-list button:nth-child(3)", "Escape").await;
    assert!(!is_open(&page));
    assert!(page.has_focus("summary"));
    assert!(chosen.get_untracked().is_empty());
}

#[wasm_bindgen_test]
async fn menu_leads_around_by_arrows() {
    let (page, ..) = menu().await;
    page.click("summary").await;
    page.key("summary", "ArrowDown").await;
    assert!(page.has_focus("button:nth-child(1)"));
    page.key(".menu-list button:nth-child(1)", "ArrowDown").await;
    assert!(page.has_focus("button:nth-child(2)"));
    page.key(".menu-list button:nth-child(1)", "ArrowUp").await;
    assert!(page.has_focus("button:nth-child(3)"), "from the first to the last");
    page.key(".menu-list button:nth-child(3)", "ArrowDown").await;
    assert!(page.has_focus("button:nth-child(1)"), "from the last to the first");
    page.key("summary", "ArrowUp").await;
    assert!(page.has_focus("button:nth-child(3)"));
}

#[wasm_bindgen_test]
async fn menu_keeps_its_keys_to_itself_while_it_is_open() {
    let (page, _, heard) = menu().await;
    page.key("summary", "ArrowDown").await;
    assert_eq!(heard.get_untracked(), ["ArrowDown"], "a closed one leaves them to others");
    page.click("summary").await;
    assert!(!page.key("summary", "ArrowRight").await);
    assert!(page.key("summary", "Tab").await, "Tab is the browser's");
    assert_eq!(heard.get_untracked(), ["ArrowDown", "Tab"]);
}

#[wasm_bindgen_test]
async fn menu_closes_at_a_click_elsewhere() {
    let (page, ..) = menu().await;
    page.click("summary").await;
    send(&page.find(".menu-list"), "PointerEvent", "pointerdown", &[]);
    tick().await;
    assert!(is_open(&page), "a click inside leaves it open");
    send(&page.find("#elsewhere"), "PointerEvent", "pointerdown", &[]);
    tick().await;
    assert!(!is_open(&page));
}
