//! The form of a study: its fields, and what is wrong with each.
//!
//! Invariants: what is typed stays until another study is chosen; a problem stands beside its field.

use leptos::prelude::*;

use crate::state::AppState;
use blockstep_protocol::{CheckStudy, FieldProblem, OpenStudyForm, StudyForm, StudyPlan};
use blockstep_ui::client;
use blockstep_view::panels::study::{FIELDS, GROUPS, fields_of};

/// The field that the studies are chosen with, by place.
const PRESET: usize = 0;

/// What the form holds.
#[derive(Clone, Copy)]
pub(super) struct FormState {
    state: AppState,
    is_asked: StoredValue<bool>,
    /// The studies to choose from; none before the form is there.
    studies: RwSignal<Vec<(String, String)>>,
    /// What the fields hold, by place in [`FIELDS`].
    texts: RwSignal<Vec<String>>,
    problems: RwSignal<Vec<FieldProblem>>,
    /// Why there is no form.
    failure: RwSignal<Option<String>>,
    /// The check asked for last.
    check: StoredValue<u32>,
}

impl FormState {
    pub(super) fn new(state: AppState) -> Self {
        Self {
            state,
            is_asked: StoredValue::new(false),
            studies: RwSignal::new(Vec::new()),
            texts: RwSignal::new(Vec::new()),
            problems: RwSignal::new(Vec::new()),
            failure: RwSignal::new(None),
            check: StoredValue::new(0),
        }
    }

    /// Shows the first study, unless one is shown already.
    pub(super) fn show_first(self) {
        if !self.is_asked.get_value() {
            self.show("");
        }
    }

    /// Shows a study, as its link has it.
    pub(super) fn show(self, link: &str) {
        self.is_asked.set_value(true);
        client::ask(OpenStudyForm(link.to_owned()), move |answer| match answer {
            Ok(StudyForm { texts, studies, unknown }) => {
                self.failure.set(None);
                if let Some(unknown) = unknown.first() {
                    self.state
                        .messages
                        .complain(format!("This link names {unknown}, which this page does not know. The page opened without it."));
                }
                self.texts.set(texts);
                self.studies.set(studies);
                self.check(|_, _| ());
            }
            Err(why) => self.failure.set(Some(why)),
        });
    }

    /// Tells what is wrong with the form; else `then` takes its link and what comes of it.
    pub(super) fn check(self, then: impl FnOnce(String, StudyPlan) + 'static) {
        let texts = self.texts.get_untracked();
        // No study is chosen yet.
        if texts.is_empty() {
            return;
        }
        let number = self.check.get_value() + 1;
        self.check.set_value(number);
        client::ask(CheckStudy { texts }, move |answer| {
            let checked = match answer {
                Ok(checked) => checked,
                Err(why) => return self.state.messages.complain(why),
            };
            // The page may be gone in tests; and what was typed since is being checked, too.
            let is_last = self.check.try_get_value() == Some(number);
            match checked.plan {
                Ok(plan) => {
                    if is_last {
                        self.problems.set(Vec::new());
                    }
                    then(checked.link, plan);
                }
                Err(problems) if is_last => self.problems.set(problems),
                Err(_) => {}
            }
        });
    }

    fn type_into(self, place: usize, text: String) {
        self.texts.update(|texts| texts[place] = text);
    }

    fn text(self, place: usize) -> Memo<String> {
        Memo::new(move |_| self.texts.with(|texts| texts.get(place).cloned().unwrap_or_default()))
    }

    /// What is wrong with a field; empty if nothing is.
    fn problem(self, place: usize) -> Memo<String> {
        let name = FIELDS[place].name;
        Memo::new(move |_| {
            self.problems.with(|problems| problems.iter().find(|p| p.field == name).map(|p| p.problem.clone()).unwrap_or_default())
        })
    }
}

/// All fields, once it is known what they hold.
#[component]
pub(super) fn Fields(form: FormState) -> impl IntoView {
    let is_there = Memo::new(move |_| form.studies.with(|studies| !studies.is_empty()));
    let group = move |(i, (title, _)): (usize, &(&'static str, &'static str))| {
        let fields = fields_of(i).map(|place| view! { <Field form=form place=place /> }).collect_view();
        view! {
            <fieldset>
                <legend>{*title}</legend>
                <div class="study-fields">{fields}</div>
            </fieldset>
        }
    };
    let all = move || {
        is_there.get().then(|| {
            view! {
                <Study form=form />
                {GROUPS.iter().enumerate().map(group).collect_view()}
            }
        })
    };
    view! { {move || form.failure.get()} {all} }
}

#[component]
fn Study(form: FormState) -> impl IntoView {
    let choices = form.studies.get_untracked();
    let on_change = move |id: String| {
        form.type_into(PRESET, id.clone());
        // Ids of ours, that need no escape.
        form.show(&format!("preset={id}"));
    };
    view! {
        <div class="study-pick top-field">
            <label for="sf-preset">"Study"</label>
            <Select form=form place=PRESET choices=choices on_change=Callback::new(on_change) />
            <Problem form=form place=PRESET />
        </div>
    }
}

#[component]
fn Field(
    form: FormState,
    /// Which, by place in [`FIELDS`].
    place: usize,
) -> impl IntoView {
    let field = &FIELDS[place];
    let (text, problem) = (form.text(place), form.problem(place));
    let check = move || form.check(|_, _| ());
    let control = if field.choices.is_empty() {
        view! {
            <input
                id=id(place)
                name=field.name
                aria-describedby=error_id(place)
                aria-invalid=move || problem.with(|problem| (!problem.is_empty()).then_some("true"))
                type="text"
                autocomplete="off"
                spellcheck="false"
                placeholder=(!field.empty.is_empty()).then_some(field.empty)
                prop:value=move || text.get()
                on:input:target=move |event| form.type_into(place, event.target().value())
                on:change=move |_| check()
            />
        }
        .into_any()
    } else {
        let choices = field.choices.iter().map(|&(word, name)| (word.to_owned(), name.to_owned())).collect();
        let on_change = move |word: String| {
            form.type_into(place, word);
            check();
        };
        view! { <Select form=form place=place choices=choices on_change=Callback::new(on_change) /> }.into_any()
    };
    view! {
        <div class="top-field">
            <label for=id(place)>{field.title}</label>
            {control}
            <Problem form=form place=place />
        </div>
    }
}

#[component]
fn Select(
    form: FormState,
    /// Which field, by place in [`FIELDS`].
    place: usize,
    choices: Vec<(String, String)>,
    on_change: Callback<String>,
) -> impl IntoView {
    let (text, problem) = (form.text(place), form.problem(place));
    let option = |(word, name): (String, String)| {
        let value = word.clone();
        view! { <option value=value prop:selected=move || text.with(|text| *text == word)>{name}</option> }
    };
    view! {
        <select
            id=id(place)
            name=FIELDS[place].name
            aria-describedby=error_id(place)
            aria-invalid=move || problem.with(|problem| (!problem.is_empty()).then_some("true"))
            prop:value=move || text.get()
            on:change:target=move |event| on_change.run(event.target().value())
        >
            {choices.into_iter().map(option).collect_view()}
        </select>
    }
}

#[component]
fn Problem(
    form: FormState,
    /// Which field, by place in [`FIELDS`].
    place: usize,
) -> impl IntoView {
    let problem = form.problem(place);
    view! { <span class="field-error" id=error_id(place) role="alert">{move || problem.get()}</span> }
}

fn id(place: usize) -> String {
    format!("sf-{}", FIELDS[place].name)
}

fn error_id(place: usize) -> String {
    format!("sf-{}-error", FIELDS[place].name)
}
