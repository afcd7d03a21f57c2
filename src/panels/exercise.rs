//! The panel of "Make an exercise".
//!
//! Invariant: a question keeps its fields, and so what is being typed, while its key changes.

use leptos::prelude::*;

use crate::components::StepLink;
use crate::panels::open_tool::OpenTool;
use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_format::{ExerciseQuestion, VariedNumber};
use blockstep_tools::ToolId;
use blockstep_tools::exercise::{Exercise, Msg, View};
use blockstep_ui::{Select, SelectField, TextField, safe};

impl Panel for Exercise {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let form = StateForm::new(host);
        let introduction = form.part(|state| state.introduction.clone());
        let here = Memo::new(move |_| view.with(|view| view.here.clone()));
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let lacks = Memo::new(move |_| view.with(|view| view.lacks.clone()));
        let count = Memo::new(move |_| view.with(|view| view.questions.len()));
        let can_ask = Memo::new(move |_| view.with(|view| view.can_ask));
        let button = move |label: &'static str, message: fn() -> Msg| {
            view! { <button type="button" disabled=move || count.get() == 0 on:click=move |_| host.send(message())>{label}</button> }
        };
        view! {
            <p class="tool-note">
                "Go to the step before a decision and press Ask here. The right answers come from the run. Students answer in Predict."
            </p>
            <p>{move || here.get()}</p>
            <div class="tool-row">
                <button type="button" class="primary" disabled=move || !can_ask.get() on:click=move |_| host.send(Msg::AskHere)>
                    "Ask here"
                </button>
                <button type="button" on:click=move |_| host.send(Msg::GoOn)>"Next decision"</button>
                <button type="button" on:click=move |_| host.send(Msg::Suggest)>"Suggest questions"</button>
                <button type="button" on:click=move |_| host.send(Msg::AskOwn)>"Ask your own"</button>
            </div>
            {move || problem.get().map(|problem| view! { <p class="field-error" role="alert">{safe(&problem)}</p> })}
            <ol class="tool-list exercise-list">
                <For each=move || 0..count.get() key=|i| *i children=move |i| question(host, form, view, count, i) />
            </ol>
            {vary(host, form, view)}
            <div class="exercise-fields">
                <TextField
                    label="Title"
                    name="title"
                    size=26
                    placeholder="optional".to_owned()
                    text=form.part(|state| state.title.clone())
                    on_change=form.set(|state, text| state.title = text)
                />
                <label>
                    <span>"Introduction"</span>
                    <textarea
                        name="introduction"
                        rows="3"
                        dir="auto"
                        placeholder="What students read before the first question (optional)"
                        prop:value=move || introduction.get()
                        on:change:target=move |event| form.edit(|state| state.introduction = event.target().value())
                    ></textarea>
                </label>
                <TextField
                    label=blockstep_tools::exercise::PASS
                    name="pass"
                    size=4
                    is_number=true
                    placeholder="none".to_owned()
                    text=form.part(|state| state.pass.clone())
                    on_change=form.set(|state, text: String| state.set_pass(&text))
                />
            </div>
            {move || lacks.get().map(|lacks| view! { <p class="field-error" role="status">{safe(&lacks)}</p> })}
            <div class="tool-row">
                {button("Copy link", || Msg::CopyLink)} {button("Save file", || Msg::Save)} {button("Try it", || Msg::Try)}
                {button("Clear", || Msg::Clear)}
            </div>
            <p class="tool-note">"The link and the file hold the scenario and the questions. Of the answers they hold only those to your own questions."</p>
            <div class="tool-row">
                <OpenTool tool=ToolId::Class>"Class results…"</OpenTool>
            </div>
        }
        .into_any()
    }
}

/// The numbers that differ from student to student.
fn vary(host: Host<Exercise>, form: StateForm<Exercise>, view: Memo<View>) -> impl IntoView {
    let count = form.part(|state| state.vary.len());
    let numbers = Memo::new(move |_| view.with(|view| view.numbers.clone()));
    let tables = Memo::new(move |_| view.with(|view| view.tables.clone()));
    let number = move |i: usize| {
        let of = move |of: fn(&VariedNumber) -> &String| form.part(move |state| state.vary.get(i).map(of).cloned().unwrap_or_default());
        let item = Memo::new(move |_| view.with(|view| view.vary.get(i).cloned().unwrap_or_default()));
        let is_wrong = Signal::derive(move || item.with(|item| item.problem.is_some()));
        let set_values =
            move |values: String| form.edit(|state| state.vary.get_mut(i).into_iter().for_each(|of| of.values.clone_from(&values)));
        view! {
            <div class="tool-row" role="group" aria-label=format!("Number {} that differs", i + 1)>
                <SelectField
                    label="Number"
                    name="vary-number"
                    choices=numbers
                    value=of(|of| &of.field)
                    on_change=move |field| host.send(Msg::ChooseNumber(i, field))
                />
                <TextField
                    label="Values"
                    name="vary-values"
                    size=18
                    text=of(|of| &of.values)
                    is_wrong=is_wrong
                    on_change=set_values
                />
                <button
                    type="button"
                    class="small"
                    aria-label=format!("Remove number {} that differs", i + 1)
                    on:click=move |_| host.send(Msg::RemoveNumber(i))
                >
                    "×"
                </button>
                <span class=move || if is_wrong.get() { "field-error" } else { "tool-note" }>
                    {move || item.with(|item| safe(item.problem.as_ref().unwrap_or(&item.hint)))}
                </span>
            </div>
        }
    };
    view! {
        <fieldset class="exercise-vary">
            <legend>"Numbers that differ"</legend>
            <p class="tool-note">"With these, each student gets a table of their own, which follows from the name or number that they type."</p>
            <For each=move || 0..count.get() key=|i| *i children=number />
            <div class="tool-row">
                <button type="button" on:click=move |_| host.send(Msg::AddNumber)>"Add a number"</button>
            </div>
            <p class="tool-note" role="status">{move || tables.get()}</p>
        </fieldset>
    }
}

fn question(host: Host<Exercise>, form: StateForm<Exercise>, view: Memo<View>, count: Memo<usize>, i: usize) -> impl IntoView {
    // The last one goes while its parts still look at it.
    let item = Memo::new(move |_| view.with(|view| view.questions.get(i).cloned().unwrap_or_default()));
    let kind = form.part(move |state| state.questions.get(i).map(|asked| asked.kind.clone()).unwrap_or_default());
    let kinds = Memo::new(move |_| item.with(|item| item.kinds.clone()));
    let text = form.part(move |state| state.questions.get(i).map(|asked| asked.text.clone()).unwrap_or_default());
    let place = Memo::new(move |_| item.with(|item| (item.position, item.place.clone())));
    let change = move |change: &dyn Fn(&mut ExerciseQuestion)| form.edit(|state| state.questions.get_mut(i).into_iter().for_each(change));
    let set_kind = move |id: String| change(&|asked| asked.kind.clone_from(&id));
    let number = i + 1;
    let is_own = Memo::new(move |_| item.with(|item| item.is_own));
    let choices = form.part(move |state| state.questions.get(i).map(|asked| asked.choices.join("\n")).unwrap_or_default());
    let right = form.part(move |state| state.questions.get(i).map(|asked| asked.right.to_string()).unwrap_or_default());
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    let own = move || {
        view! {
            <label>
                <span class="visually-hidden">{format!("Choices of question {number}, one per line")}</span>
                <textarea
                    name="choices"
                    rows="3"
                    dir="auto"
                    placeholder="Choices, one per line"
                    prop:value=move || choices.get()
                    on:change:target=move |event| change(&|asked| asked.choices = lines(&event.target().value()))
                ></textarea>
            </label>
            <TextField
                label="Right choice"
                name="right"
                size=3
                is_number=true
                text=right
                on_change=move |text: String| change(&|asked| asked.right = text.trim().parse().unwrap_or_default())
            />
        }
    };
    let preview = move || {
        let key = item.get();
        let choice = |(text, is_right): (String, bool)| {
            let mark = is_right.then(|| view! { " " <strong class="exercise-key">"key"</strong> });
            view! { <li>{safe(&text)} {mark}</li> }
        };
        let warning = key.warning.map(|warning| view! { <p class="verdict-bad">{warning}</p> });
        view! {
            <p class="quiz-asked">{safe(&key.question)}</p>
            <ul class="exercise-choices">{key.choices.into_iter().map(choice).collect_view()}</ul>
            <p class="tool-note">{safe(&key.why)}</p>
            {warning}
        }
    };
    view! {
        <li>
            <div class="tool-row">
                {move || {
                    let (position, label) = place.get();
                    view! { <StepLink position=position label=label /> }
                }}
                <span class="exercise-moves">
                    <button
                        type="button"
                        class="small"
                        aria-label=format!("Move question {number} up")
                        disabled=i == 0
                        on:click=move |_| host.send(Msg::Up(i))
                    >
                        "↑"
                    </button>
                    <button
                        type="button"
                        class="small"
                        aria-label=format!("Move question {number} down")
                        disabled=move || count.get() == i + 1
                        on:click=move |_| host.send(Msg::Down(i))
                    >
                        "↓"
                    </button>
                    <button
                        type="button"
                        class="small"
                        aria-label=format!("Remove question {number}")
                        on:click=move |_| host.send(Msg::Remove(i))
                    >
                        "×"
                    </button>
                </span>
            </div>
            <label>
                <span class="visually-hidden">{format!("Kind of question {number}")}</span>
                <Select choices=kinds value=kind on_change=Callback::new(set_kind) name="kind" />
            </label>
            {preview}
            <label>
                <span class="visually-hidden">{format!("Your text before question {number}")}</span>
                <textarea
                    name="question-text"
                    rows="1"
                    dir="auto"
                    placeholder=move || if is_own.get() { "Your question" } else { "Your text before this question (optional)" }
                    prop:value=move || text.get()
                    on:change:target=move |event| change(&|asked| asked.text = event.target().value())
                ></textarea>
            </label>
            {move || is_own.get().then(own)}
        </li>
    }
}
