//! The dialog, and the message over the page.

use blockstep_ui::{Dialog, Toast};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, tick, until};

/// A dialog, whether it is to be open, and how often it was closed.
async fn dialog(has_first: bool) -> (Mounted, RwSignal<bool>, RwSignal<u32>) {
    let (is_open, closed) = (RwSignal::new(false), RwSignal::new(0));
    let mounted = mount(move || {
        let on_close = move |()| {
            closed.update(|closed| *closed += 1);
            is_open.set(false);
        };
        view! {
            <Dialog id="dialog" class="help" title="Keys" is_open=is_open on_close=on_close>
                <a href="#x">"A link"</a>
                {has_first.then(|| view! { <button id="first" autofocus=true>"First"</button> })}
            </Dialog>
        }
    })
    .await;
    (mounted, is_open, closed)
}

fn is_open(page: &Mounted) -> bool {
    page.find("#dialog").unchecked_into::<web_sys::HtmlDialogElement>().open()
}

#[wasm_bindgen_test]
async fn dialog_opens_and_closes_by_its_signal() {
    let (page, open, closed) = dialog(false).await;
    assert!(!is_open(&page));
    open.set(true);
    tick().await;
    assert!(is_open(&page));
    assert!(page.has_focus("form button"), "Enter closes it");
    open.set(false);
    until(|| closed.get_untracked() == 1).await;
    assert!(!is_open(&page));
}

#[wasm_bindgen_test]
async fn dialog_tells_that_its_button_closed_it() {
    let (page, open, closed) = dialog(false).await;
    open.set(true);
    tick().await;
    assert_eq!((page.text("h2"), page.text("form button")), ("Keys".to_owned(), "Close".to_owned()));
    page.click("form button").await;
    until(|| closed.get_untracked() == 1).await;
    assert!(!open.get_untracked() && !is_open(&page));
}

#[wasm_bindgen_test]
async fn dialog_leaves_the_focus_to_what_asks_to_be_first() {
    let (page, open, _) = dialog(true).await;
    open.set(true);
    tick().await;
    assert!(page.has_focus("#first"));
}

#[wasm_bindgen_test]
async fn toast_is_an_alert_only_if_something_is_wrong() {
    let page = mount(|| {
        view! {
            <Toast id="bad" is_error=true text="It \u{202e}failed".to_owned()><button>"Undo"</button></Toast>
            <Toast id="good" is_error=false text="Done".to_owned() />
        }
    })
    .await;
    assert_eq!(page.attribute("#bad", "role").unwrap(), "alert");
    assert_eq!(page.attribute("#good", "role").unwrap(), "status");
    assert!(page.has_class("#bad", "error") && !page.has_class("#good", "error"));
    assert!(!page.text("#bad pre").contains('\u{202e}'), "no name turns the text around it");
    assert_eq!(page.texts("#bad button"), ["Undo"]);
}
