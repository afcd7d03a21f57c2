//! Controls with a label, and buttons of commands.

use blockstep_tools::commands::Command;
use blockstep_ui::{ChoiceField, CommandButton, Field, Icon, SelectField, TextField, TickField};
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{mount, tick, told};

#[wasm_bindgen_test]
async fn field_says_what_is_wrong_beside_it() {
    let problem = RwSignal::new(None::<String>);
    let page = mount(move || {
        view! {
            <Field
                id="horizon".to_owned()
                title="Horizon"
                text="1 s".to_owned()
                problem=problem
                is_wrong=Signal::derive(move || problem.with(Option::is_some))
                placeholder="none"
                on_input=|_| ()
                on_leave=|()| ()
                on_undo=|_| ()
            />
        }
    })
    .await;
    assert_eq!(page.attribute("label", "for").unwrap(), "horizon");
    assert_eq!(page.text("#horizon-error"), "");
    problem.set(Some("0; the minimum is 1 ns".to_owned()));
    tick().await;
    assert_eq!(page.text("#horizon-error"), "0; the minimum is 1 ns");
    assert_eq!(page.attribute("#horizon", "aria-describedby").unwrap(), "horizon-error");
    assert_eq!(page.attribute("#horizon", "aria-invalid").unwrap(), "true");
}

#[wasm_bindgen_test]
async fn list_follows_its_value_and_its_choices() {
    let (value, chosen) = (RwSignal::new("b".to_owned()), told());
    let choices = RwSignal::new(vec![("a".to_owned(), "First".to_owned()), ("b".to_owned(), "Second".to_owned())]);
    let page = mount(move || {
        let on_change = move |value| chosen.update(|chosen: &mut Vec<String>| chosen.push(value));
        view! { <SelectField label="Which" choices=choices value=value on_change=on_change name="which" /> }
    })
    .await;
    assert_eq!((page.value("select"), page.texts("option")), ("b".to_owned(), vec!["First".to_owned(), "Second".to_owned()]));
    page.choose("select", "a").await;
    assert_eq!(chosen.get_untracked(), ["a"]);
    choices.update(|choices| choices.push(("c".to_owned(), "Third".to_owned())));
    value.set("c".to_owned());
    tick().await;
    assert_eq!(page.value("select"), "c");
}

#[wasm_bindgen_test]
async fn choice_has_the_words_of_its_values() {
    let (value, chosen) = (RwSignal::new(2_u8), told());
    let page = mount(move || {
        let on_change = move |value| chosen.update(|chosen: &mut Vec<u8>| chosen.push(value));
        let word = |value: u8| if value == 1 { "one" } else { "two" };
        view! { <ChoiceField label="Number" name="number" word=word options=&[(1, "The first"), (2, "The second")] value=value on_change=on_change /> }
    })
    .await;
    assert_eq!(page.value("select"), "two");
    page.choose("select", "one").await;
    page.choose("select", "nothing").await;
    assert_eq!(chosen.get_untracked(), [1], "what is no value is not told");
}

#[wasm_bindgen_test]
async fn tick_and_text_tell_what_the_reader_did() {
    let says = told();
    let say = move |what: String| says.update(|says: &mut Vec<String>| says.push(what));
    let is_wrong = RwSignal::new(false);
    let page = mount(move || {
        view! {
            <TickField label="Group".to_owned() value=false on_change=move |on: bool| say(format!("ticked {on}")) />
            <TextField
                label="Seed"
                text="7".to_owned()
                on_change=move |text: String| say(format!("typed {text}"))
                size=9
                is_number=true
                unit="runs"
                is_wrong=is_wrong
                described_by="why"
            />
        }
    })
    .await;
    page.click("[type=checkbox]").await;
    page.type_into("[type=text]", "8").await;
    assert_eq!(says.get_untracked(), ["ticked true"], "a text is told when it is done");
    page.leave("[type=text]").await;
    assert_eq!(says.get_untracked(), ["ticked true", "typed 8"]);
    assert_eq!(page.attribute("[type=text]", "inputmode").unwrap(), "numeric");
    assert_eq!(page.attribute("[type=text]", "aria-describedby"), None);
    is_wrong.set(true);
    tick().await;
    assert_eq!(page.attribute("[type=text]", "aria-describedby").unwrap(), "why");
}

#[wasm_bindgen_test]
async fn command_button_names_its_command_and_its_key() {
    let (is_off, what, ran) = (RwSignal::new(true), RwSignal::new(String::new()), told());
    let page = mount(move || {
        let on_run = move |command: Command| ran.update(|ran: &mut Vec<Command>| ran.push(command));
        view! {
            <CommandButton id="undo" command=Command::Undo icon=Icon::Undo is_off=is_off.into() what=what on_run=on_run />
            <CommandButton id="next" command=Command::StepForward icon=Icon::Forward is_off=is_off.into() keeps_focus=true on_run=on_run />
        }
    })
    .await;
    assert_eq!(page.attribute("#undo", "title").unwrap(), Command::Undo.tooltip());
    assert!(page.attribute("#undo", "disabled").is_some());
    assert!(page.attribute("#next", "disabled").is_none());
    assert_eq!(page.attribute("#next", "aria-disabled").unwrap(), "true");
    is_off.set(false);
    what.set("blocks of K1 from 6 to 4".to_owned());
    tick().await;
    for name in ["title", "aria-label"] {
        assert_eq!(page.attribute("#undo", name).unwrap(), "Undo: blocks of K1 from 6 to 4 (Ctrl+Z)");
    }
    page.click("#undo").await;
    page.click("#next").await;
    assert!(ran.get_untracked() == [Command::Undo, Command::StepForward]);
}
