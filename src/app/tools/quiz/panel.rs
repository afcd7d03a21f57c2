//! The panel of "Predict".
//!
//! Depends on the shared components. Invariants: an open question shows nothing of its answer; the button that goes on is the
//! same element at every stage, so that it keeps the focus from one question to the next.

use std::mem::{Discriminant, discriminant};

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use super::{Answered, Explanation, Form, Msg, Offered, Outcome, Over, QuestionView, Quiz, Stage, Told, View};
use crate::app::components::{Chip, SelectField, StepLink, TextField, safe};
use crate::app::state::settings::Settings;
use crate::app::tool::panel::{Host, Panel};
use crate::units::RowId;
use crate::view::palette;

impl Panel for Quiz {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let props = PanelProps {
            host,
            stage: Memo::new(move |_| view.with(|view| view.stage.clone())),
            chosen: StoredValue::new(None),
            seed: NodeRef::new(),
        };
        let kind = Memo::new(move |_| props.stage.with(discriminant));
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        // What belongs to one stage is made anew for the next one.
        let staged = move |part: fn(PanelProps) -> AnyView| {
            let made = move |_: Discriminant<Stage>| part(props);
            view! { <For each=move || [kind.get()] key=|kind| *kind children=made /> }
        };
        view! {
            <form novalidate on:submit=move |event| props.go_on(&event)>
                {move || problem.get().map(|problem| view! { <p class="field-error" role="alert">{safe(&problem)}</p> })}
                {staged(content)}
                <div class="tool-row">
                    {staged(before_main)}
                    <button type="submit" class="primary">{move || props.stage.with(main_label)}</button>
                    {staged(after_main)}
                </div>
                {staged(below)}
            </form>
        }
        .into_any()
    }
}

/// What the parts of the panel share.
#[derive(Clone, Copy)]
struct PanelProps {
    host: Host<Quiz>,
    stage: Memo<Stage>,
    /// The answer that is ticked.
    chosen: StoredValue<Option<usize>>,
    /// The field of the seed.
    seed: NodeRef<Input>,
}

impl PanelProps {
    /// A part of the stage; `None` once that is over.
    fn part<T: Clone + PartialEq + Send + Sync + 'static>(self, of: fn(&Stage) -> Option<T>) -> Memo<Option<T>> {
        Memo::new(move |_| self.stage.with(of))
    }

    fn go_on(self, event: &SubmitEvent) {
        event.prevent_default();
        self.host.send(self.stage.with_untracked(|stage| match stage {
            Stage::Start(form) => Msg::Start { seed: self.seed.get_untracked().map_or_else(|| form.seed.clone(), |input| input.value()) },
            Stage::Asks(_) => Msg::Answer(self.chosen.get_value()),
            Stage::Rests(_) => Msg::Resume,
            Stage::Told(_) => Msg::Next,
            Stage::Changed(_) => Msg::Again,
            Stage::Over(_) => Msg::Another,
        }));
    }

    fn button(self, class: Option<&'static str>, label: &'static str, message: fn() -> Msg) -> impl IntoView {
        view! {
            <button type="button" class=class on:click=move |_| self.host.send(message())>
                {label}
            </button>
        }
    }
}

fn main_label(stage: &Stage) -> &'static str {
    match stage {
        Stage::Start(_) => "Start",
        Stage::Asks(_) => "Answer",
        Stage::Rests(_) => "Back to the question",
        Stage::Told(told) if told.is_last => "See the score",
        Stage::Told(_) => "Next question",
        Stage::Changed(_) => "Start again with this one",
        Stage::Over(_) => "Another quiz",
    }
}

fn content(props: PanelProps) -> AnyView {
    props.stage.with_untracked(|stage| match stage {
        Stage::Start(_) => kinds(props),
        Stage::Asks(_) => asks(props),
        Stage::Rests(_) | Stage::Changed(_) => {
            let sentence = props.part(|stage| match stage {
                Stage::Rests(sentence) | Stage::Changed(sentence) => Some(sentence.clone()),
                _ => None,
            });
            view! { <p>{move || sentence.get()}</p> }.into_any()
        }
        Stage::Told(_) => {
            let told = props.part(|stage| if let Stage::Told(told) = stage { Some(told.clone()) } else { None });
            view! { {move || told.get().map(|told| verdict(*told))} }.into_any()
        }
        Stage::Over(_) => {
            let over = props.part(score);
            view! { {move || over.get().map(results)} }.into_any()
        }
    })
}

fn before_main(props: PanelProps) -> AnyView {
    if !props.stage.with_untracked(|stage| matches!(stage, Stage::Start(_))) {
        return ().into_any();
    }
    let form = props.part(settings);
    let counts = move || form.get().map(|form| form.counts).unwrap_or_default().iter().map(|n| (n.to_string(), n.to_string())).collect();
    let count = move || form.get().map(|form| form.count.to_string()).unwrap_or_default();
    let set_count = move |count: String| {
        if let Ok(count) = count.parse() {
            props.host.send(Msg::SetCount(count));
        }
    };
    let seed = Memo::new(move |_| form.get().map(|form| form.seed).unwrap_or_default());
    view! {
        <SelectField label="Questions" name="n" choices=Signal::derive(counts) value=Signal::derive(count) on_change=Callback::new(set_count) />
        <TextField
            label="Seed"
            title="The same seed gives the same questions"
            name="seed"
            size=6
            is_number=true
            node_ref=props.seed
            text=seed
            on_change=move |text| props.host.send(Msg::SetSeed(text))
        />
    }
    .into_any()
}

fn after_main(props: PanelProps) -> AnyView {
    let end = move || props.button(Some("link"), "End the quiz", || Msg::End);
    props.stage.with_untracked(|stage| match stage {
        Stage::Start(_) => ().into_any(),
        Stage::Asks(_) => view! { {props.button(None, "I do not know", || Msg::Pass)} {end()} }.into_any(),
        Stage::Rests(_) => end().into_any(),
        Stage::Told(_) => {
            let places = props.part(|stage| match stage {
                Stage::Told(told) => Some((told.can_ask_why, told.before, told.after)),
                _ => None,
            });
            let ways = move |(can_ask_why, before, after): (bool, u32, Option<u32>)| {
                view! {
                    {can_ask_why.then(|| props.button(None, "Ask why", || Msg::AskWhy))}
                    <StepLink position=before label="Before" />
                    {after.map(|after| view! { <StepLink position=after label="After" /> })}
                }
            };
            view! { {move || places.get().map(ways)} }.into_any()
        }
        Stage::Changed(_) => props.button(None, "Other questions", || Msg::ChangeSettings).into_any(),
        Stage::Over(_) => view! {
            {props.button(None, "Other settings", || Msg::ChangeSettings)}
            {props.button(None, "Save answers", || Msg::Save)}
            {props.button(None, "Copy link", || Msg::CopyLink)}
        }
        .into_any(),
    })
}

fn below(props: PanelProps) -> AnyView {
    let is_over = props.stage.with_untracked(|stage| matches!(stage, Stage::Over(_)));
    is_over.then(|| view! { <p class="tool-note">"The link starts this quiz: the same questions about this scenario."</p> }).into_any()
}

fn settings(stage: &Stage) -> Option<Form> {
    if let Stage::Start(form) = stage { Some(form.clone()) } else { None }
}

fn kinds(props: PanelProps) -> AnyView {
    let kinds = props.part(|stage| settings(stage).map(|form| form.kinds));
    let tick = move |is_on: bool, kind| props.host.send(Msg::SetKind { kind, is_on });
    let all = move || {
        let boxes = kinds.get().unwrap_or_default().into_iter().map(|of| {
            view! {
                <label>
                    <input
                        type="checkbox"
                        name="kind"
                        value=of.kind.id()
                        prop:checked=of.is_on
                        on:change:target=move |event| tick(event.target().checked(), of.kind)
                    />
                    " "
                    {of.title}
                </label>
            }
        });
        boxes.collect_view()
    };
    view! {
        <p>"The run pauses before some decisions and asks what happens next. Everything later is hidden until you answer."</p>
        <fieldset class="quiz-kinds">
            <legend>"Ask"</legend>
            {all}
        </fieldset>
    }
    .into_any()
}

fn asks(props: PanelProps) -> AnyView {
    let head = props.part(|stage| if let Stage::Asks(asks) = stage { Some(asks.head.clone()) } else { None });
    let away_from = props.part(|stage| if let Stage::Asks(asks) = stage { asks.away_from } else { None });
    let question = props.part(|stage| if let Stage::Asks(asks) = stage { Some(asks.question.clone()) } else { None });
    let back = |position: u32| {
        view! {
            <p>
                "You stand at another step than the one asked about. " <StepLink position=position label="Back to it" />
            </p>
        }
    };
    view! {
        <p class="tool-note">{move || head.get()}</p>
        {move || away_from.get().map(back)}
        <For each=move || question.get() key=|question| question.clone() children=move |question| choices(props, question) />
    }
    .into_any()
}

/// A question, none of whose answers is ticked yet.
fn choices(props: PanelProps, question: QuestionView) -> impl IntoView {
    props.chosen.set_value(None);
    let hint = (!question.hint.is_empty()).then(|| view! { <p class="tool-note">{safe(&question.hint)}</p> });
    let offered = |(i, Offered { text, row }): (usize, Offered)| {
        view! {
            <label>
                <input type="radio" name="choice" value=i.to_string() on:change=move |_| props.chosen.set_value(Some(i)) />
                {row.map(swatch)}
                <span>{safe(&text)}</span>
            </label>
        }
    };
    view! {
        <fieldset class="quiz">
            <legend>{safe(&question.text)}</legend>
            {hint}
            {question.choices.into_iter().enumerate().map(offered).collect_view()}
        </fieldset>
    }
}

/// The colour of the kernel that a choice names.
fn swatch(row: RowId) -> impl IntoView {
    let settings = expect_context::<Settings>();
    view! { <span class="quiz-swatch" style=("--k", move || palette::colour_of(row, settings.is_dark()).css()) aria-hidden="true"></span> }
}

fn verdict(told: Told) -> impl IntoView {
    let answer = safe(&told.answer);
    let class = if told.outcome == Outcome::Right { "verdict-good" } else { "verdict-bad" };
    let why = explanation(told.why);
    let said = match told.outcome {
        Outcome::Wrong { given, why: why_not } => view! {
            <div class=class>
                <p>
                    <strong>"Not quite."</strong>
                    {format!(" You answered {}.", safe(&given))}
                </p>
                {explanation(why_not)}
            </div>
            <div class="verdict-good">
                <p>"The run: " <strong>{answer}</strong> "."</p>
                {why}
            </div>
        }
        .into_any(),
        outcome => view! {
            <div class=class>
                <p>{if outcome == Outcome::Right { "Right: " } else { "The run: " }} <strong>{answer}</strong> "."</p>
                {why}
            </div>
        }
        .into_any(),
    };
    let others = (!told.others.is_empty()).then(|| {
        let other = |(text, why): (String, Explanation)| view! { <li><strong>{safe(&text)}</strong> {explanation(why)}</li> };
        view! {
            <details>
                <summary>"Why not the other answers"</summary>
                <ul class="tool-list">{told.others.into_iter().map(other).collect_view()}</ul>
            </details>
        }
    });
    view! {
        <p class="tool-note">{told.head}</p>
        <p class="quiz-asked">{safe(&told.question)}</p>
        {said}
        {others}
    }
}

/// Why a choice is right or wrong, by which rule, and what one would have to believe.
fn explanation(of: Explanation) -> impl IntoView {
    let belief = of.belief.map(|belief| {
        let notes = belief.notes.into_iter().map(|note| view! { <p class="tool-note">{safe(&note)}</p> });
        view! {
            <p>
                <em>{belief.lead}</em>
                " "
                {safe(&belief.sentence)}
            </p>
            {notes.collect_view()}
        }
    });
    view! {
        <p><Chip rule=of.rule /> " " {safe(&of.why)}</p>
        {belief}
    }
}

fn score(stage: &Stage) -> Option<Over> {
    if let Stage::Over(over) = stage { Some(over.clone()) } else { None }
}

fn results(over: Over) -> impl IntoView {
    let rules = over.rules;
    let rules = (!rules.is_empty()).then(|| {
        let chips = rules.into_iter().map(|rule| view! { <Chip rule=rule /> " " });
        view! { <p>"To look at again: " {chips.collect_view()}</p> }
    });
    let answer = |given: Answered| {
        view! {
            <li>
                <strong>{if given.is_right { "Right" } else { "Wrong" }}</strong>
                {format!(": {} ", safe(&given.text))}
                <StepLink position=given.position label=given.label />
            </li>
        }
    };
    view! {
        <p class="quiz-score"><strong>{over.score}</strong> " right."</p>
        {over.note.map(|note| view! { <p class="tool-note">{note}</p> })}
        {rules}
        <ol class="tool-list quiz-answers">{over.answers.into_iter().map(answer).collect_view()}</ol>
    }
}
