//! The field that a quantity is typed into.

use blockstep_ui::QuantityInput;
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, tick, told};

/// A field, and what it told: `typed 5`, `left 5`, `left`, `undo true`, `row true`, `pasted a`.
async fn field(text: RwSignal<String>, is_wrong: RwSignal<bool>) -> (Mounted, RwSignal<Vec<String>>) {
    let says = told();
    let say = move |what: String| says.update(|says| says.push(what));
    let mounted = mount(move || {
        let on_leave = move |text: Option<String>| say(text.map_or("left".to_owned(), |text| format!("left {text}")));
        view! {
            <QuantityInput
                id="field"
                text=text
                draft=RwSignal::new(None)
                is_wrong=is_wrong
                error_id="field-error".to_owned()
                placeholder="none"
                on_input=move |text: String| say(format!("typed {text}"))
                on_leave=on_leave
                on_undo=move |is_undo: bool| say(format!("undo {is_undo}"))
                on_row=Callback::new(move |is_below: bool| say(format!("row {is_below}")))
                on_paste=Callback::new(move |text: String| {
                    say(format!("pasted {text}"));
                    text.contains('\t')
                })
            />
        }
    })
    .await;
    (mounted, says)
}

#[wasm_bindgen_test]
async fn quantity_stays_as_typed_until_it_is_left() {
    let text = RwSignal::new("1 s".to_owned());
    let (page, says) = field(text, RwSignal::new(false)).await;
    assert_eq!(page.value("#field"), "1 s");
    page.type_into("#field", "1500ms").await;
    text.set("1.5 s".to_owned());
    tick().await;
    assert_eq!(page.value("#field"), "1500ms");
    page.leave("#field").await;
    assert_eq!(page.value("#field"), "1.5 s");
    assert_eq!(says.get_untracked()[..2], ["typed 1500ms", "left 1500ms"]);
}

#[wasm_bindgen_test]
async fn quantity_follows_its_value_while_nobody_types() {
    let text = RwSignal::new("1 s".to_owned());
    let (page, says) = field(text, RwSignal::new(false)).await;
    text.set("2 s".to_owned());
    tick().await;
    assert_eq!(page.value("#field"), "2 s");
    page.leave("#field").await;
    assert!(says.get_untracked().iter().all(|said| said == "left"), "{:?}", says.get_untracked());
}

#[wasm_bindgen_test]
async fn quantity_leads_to_other_rows_by_enter_and_arrows() {
    let (page, says) = field(RwSignal::new("1".to_owned()), RwSignal::new(false)).await;
    page.type_into("#field", "7").await;
    assert!(!page.key("#field", "Enter").await);
    assert!(!page.key("#field", "ArrowUp").await);
    assert!(!page.key("#field", "ArrowDown").await);
    assert_eq!(says.get_untracked(), ["typed 7", "left 7", "row true", "left", "row false", "left", "row true"]);
    assert!(page.key("#field", "a").await, "a letter is the browser's");
}

#[wasm_bindgen_test]
async fn quantity_gives_up_at_escape() {
    let (page, _) = field(RwSignal::new("1".to_owned()), RwSignal::new(false)).await;
    page.type_into("#field", "7").await;
    page.key("#field", "Escape").await;
    assert_eq!(page.value("#field"), "1");
    assert!(!page.has_focus("#field"));
}

#[wasm_bindgen_test]
async fn quantity_undoes_in_the_document_only_where_nothing_is_typed() {
    let (page, says) = field(RwSignal::new("1".to_owned()), RwSignal::new(false)).await;
    assert!(!page.key_with("#field", "z", &["ctrlKey"]).await);
    assert!(!page.key_with("#field", "Z", &["ctrlKey", "shiftKey"]).await);
    assert!(!page.key_with("#field", "y", &["metaKey"]).await);
    assert_eq!(says.get_untracked(), ["undo true", "undo false", "undo false"]);
    page.type_into("#field", "7").await;
    assert!(page.key_with("#field", "z", &["ctrlKey"]).await, "the browser takes back what is typed");
    assert_eq!(says.get_untracked().len(), 4);
}

#[wasm_bindgen_test]
async fn quantity_leaves_a_single_value_to_the_browser() {
    let (page, says) = field(RwSignal::new("1".to_owned()), RwSignal::new(false)).await;
    assert!(page.paste("#field", "5").await);
    page.type_into("#field", "7").await;
    assert!(!page.paste("#field", "5\t6").await);
    assert_eq!(page.value("#field"), "1", "what was typed is gone once several cells were pasted");
    assert_eq!(says.get_untracked(), ["pasted 5", "typed 7", "pasted 5\t6"]);
}

#[wasm_bindgen_test]
async fn quantity_says_whether_it_is_wrong_and_where_that_is_told() {
    let is_wrong = RwSignal::new(false);
    let (page, _) = field(RwSignal::new(String::new()), is_wrong).await;
    assert_eq!(page.attribute("#field", "aria-invalid").unwrap(), "false");
    is_wrong.set(true);
    tick().await;
    assert_eq!(page.attribute("#field", "aria-invalid").unwrap(), "true");
    assert_eq!(page.attribute("#field", "aria-describedby").unwrap(), "field-error");
    assert_eq!(page.attribute("#field", "placeholder").unwrap(), "none");
}
