//! The text of a policy, with its lines and marks.

use blockstep_tools::own::{MistakeAt, TextLine};
use blockstep_ui::PolicyText;
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, mount, tick, told, until};

struct Editor {
    page: Mounted,
    lines: RwSignal<Vec<TextLine>>,
    mistake: RwSignal<Option<MistakeAt>>,
    typed: RwSignal<Vec<String>>,
}

/// An editor 120 px high of a text of so many lines.
async fn editor(count: usize) -> Editor {
    let text = (1..=count).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
    let (lines, mistake, typed) = (RwSignal::new(Vec::new()), RwSignal::new(None), told());
    let page = mount(move || {
        view! {
            <style>"#own-editor { height: 120px; overflow: auto }"</style>
            <PolicyText id="own" text=text lines=lines mistake=mistake on_type=move |text| typed.update(|typed| typed.push(text)) />
        }
    })
    .await;
    Editor { page, lines, mistake, typed }
}

#[wasm_bindgen_test]
async fn policy_text_numbers_its_lines() {
    let Editor { page, typed, .. } = editor(3).await;
    assert_eq!(page.texts(".policy-number"), ["1", "2", "3"]);
    assert_eq!(page.value("#own-area"), "line 1\nline 2\nline 3");
    page.type_into("#own-area", "admit").await;
    assert_eq!(typed.get_untracked(), ["admit"]);
}

#[wasm_bindgen_test]
async fn policy_text_lights_the_line_that_decided_and_brings_it_into_sight() {
    let Editor { page, lines, .. } = editor(60).await;
    let mut marks = vec![TextLine::Plain; 60];
    (marks[49], marks[51]) = (TextLine::Decided, TextLine::Changed);
    lines.set(marks);
    tick().await;
    let line = |n: usize| format!("[data-line='{n}']");
    assert!(page.has_class(&line(50), "is-decided") && page.has_class(&line(52), "is-changed"));
    assert_eq!(page.text(&format!("{} b", line(50))), "▸", "a sign, not a color alone");
    assert_eq!(page.attribute(&line(50), "title").unwrap(), "decided this step");
    until(|| page.find("#own-editor").scroll_top() > 0).await;
    let (whole, lit) = (page.find("#own-editor").get_bounding_client_rect(), page.find(&line(50)).get_bounding_client_rect());
    assert!(lit.top() >= whole.top() && lit.bottom() <= whole.bottom(), "the line is in sight");
}

#[wasm_bindgen_test]
async fn policy_text_marks_its_first_mistake() {
    let Editor { page, lines, mistake, .. } = editor(3).await;
    assert_eq!(page.text("#own-said"), "");
    lines.set(vec![TextLine::Plain, TextLine::Wrong, TextLine::Plain]);
    mistake.set(Some(MistakeAt { line: 2, column: 3, width: 4, message: "unknown word.".to_owned() }));
    tick().await;
    assert_eq!(page.text("#own-mistake"), "Line 2, column 3: unknown word.");
    assert_eq!(page.attribute("#own-area", "aria-invalid").unwrap(), "true");
    assert_eq!(page.attribute("[data-line='2'] i", "style").unwrap(), "left:2ch;width:4ch");
    assert_eq!(page.count(".policy-mark i"), 1);
    assert_eq!(page.text("[data-line='2'] b"), "!");
    mistake.set(None);
    tick().await;
    assert_eq!(page.attribute("#own-area", "aria-invalid").unwrap(), "false");
}
