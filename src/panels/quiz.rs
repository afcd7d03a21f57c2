//! The panel of "Predict".
//!
//! Invariants: an open question shows nothing of its answer; the button that goes on is the same element at every stage, so that it
//! keeps the focus from one question to the next.

use std::mem::{Discriminant, discriminant};

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use crate::components::StepLink;
use crate::panels::panel::{Host, Panel};
use crate::state::settings::Settings;
use blockstep_sim::units::RowId;
use blockstep_tools::quiz::{
    Answered, Explanation, GradedAnswer, Marked, Msg, Offered, Over, QuestionView, Quiz, QuizForm, QuizOutcome, Ready, Stage, View,
};
use blockstep_ui::{Chip, InsetPicture, SelectField, TextField, safe, spoken_time, starts_at_top};
use blockstep_view::palette;

impl Panel for Quiz {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let props = PanelProps {
            host,
            stage: Memo::new(move |_| view.with(|view| view.stage.clone())),
            chosen: StoredValue::new(None),
            seed: NodeRef::new(),
            student: NodeRef::new(),
        };
        starts_at_top(move || props.stage.with(subject), || Some("#tool-quiz".to_owned()));
        let kind = Memo::new(move |_| props.stage.with(discriminant));
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let numbers = Memo::new(move |_| view.with(|view| view.numbers.clone()));
        // What belongs to one stage is made anew for the next one.
        let staged = move |part: fn(PanelProps) -> AnyView| {
            let made = move |_: Discriminant<Stage>| part(props);
            view! { <For each=move || [kind.get()] key=|kind| *kind children=made /> }
        };
        view! {
            <form novalidate on:submit=move |event| props.go_on(&event)>
                {move || numbers.with(|numbers| (!numbers.is_empty()).then(|| view! { <p class="quiz-numbers">{safe(numbers)}</p> }))}
                {staged(content)}
                <div class="tool-row">
                    {staged(before_main)}
                    <button type="submit" class="primary">{move || props.stage.with(main_label)}</button>
                    {staged(after_main)}
                </div>
                // Below the buttons: it goes when the field is left, and would move the one that is being pressed.
                {move || problem.get().map(|problem| view! { <p class="field-error" role="alert">{safe(&problem)}</p> })}
                {staged(below)}
            </form>
        }
        .into_any()
    }
}

#[derive(Clone, Copy)]
struct PanelProps {
    host: Host<Quiz>,
    stage: Memo<Stage>,
    chosen: StoredValue<Option<usize>>,
    seed: NodeRef<Input>,
    student: NodeRef<Input>,
}

impl PanelProps {
    /// A part of the stage; `None` once that is over.
    fn part<T: Clone + PartialEq + Send + Sync + 'static>(self, of: fn(&Stage) -> Option<T>) -> Memo<Option<T>> {
        Memo::new(move |_| self.stage.with(of))
    }

    fn go_on(self, event: &SubmitEvent) {
        event.prevent_default();
        let typed = |input: NodeRef<Input>, kept: &str| input.get_untracked().map_or_else(|| kept.to_owned(), |input| input.value());
        self.host.send(self.stage.with_untracked(|stage| match stage {
            Stage::Start(form) => Msg::Start { seed: typed(self.seed, &form.seed), student: typed(self.student, &form.student) },
            Stage::Ready(ready) => Msg::Start { seed: String::new(), student: typed(self.student, &ready.student) },
            Stage::Asks(_) => Msg::Answer(self.chosen.get_value()),
            Stage::Told(_) => Msg::Next,
            Stage::Changed(_) => Msg::Again,
            Stage::Over(over) => Msg::Save { student: typed(self.student, &over.student) },
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
        Stage::Start(_) | Stage::Ready(_) => "Start",
        Stage::Asks(_) => "Answer",
        Stage::Told(told) if told.is_last => "See the result",
        Stage::Told(_) => "Next question",
        Stage::Changed(_) => "Start again with this question",
        Stage::Over(_) => "Save result",
    }
}

/// What is other content: the next question is, and so is what is said of the answer.
fn subject(stage: &Stage) -> String {
    let head = match stage {
        Stage::Asks(asks) => &asks.head,
        Stage::Told(told) => &told.head,
        _ => "",
    };
    format!("{} {head}", main_label(stage))
}

fn content(props: PanelProps) -> AnyView {
    props.stage.with_untracked(|stage| match stage {
        Stage::Start(_) => kinds(props),
        Stage::Asks(_) => asks(props),
        Stage::Ready(_) => {
            let ready = props.part(|stage| if let Stage::Ready(ready) = stage { Some(ready.clone()) } else { None });
            view! { {move || ready.get().map(introduction)} }.into_any()
        }
        Stage::Changed(_) => {
            let sentence = props.part(|stage| if let Stage::Changed(sentence) = stage { Some(sentence.clone()) } else { None });
            view! { <p>{move || sentence.get()}</p> }.into_any()
        }
        Stage::Told(_) => {
            let told = props.part(|stage| if let Stage::Told(told) = stage { Some(told.clone()) } else { None });
            view! { {move || told.get().map(|told| verdict(*told))} }.into_any()
        }
        Stage::Over(_) => {
            let over = props.part(score);
            view! { {move || over.get().map(|over| results(props, over))} }.into_any()
        }
    })
}

fn before_main(props: PanelProps) -> AnyView {
    let (is_start, is_ready) = props.stage.with_untracked(|stage| (matches!(stage, Stage::Start(_)), matches!(stage, Stage::Ready(_))));
    if is_ready {
        return student(props).into_any();
    }
    if !is_start {
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
        {student(props)}
        <SelectField
            label="Questions"
            name="n"
            choices=Signal::derive(counts)
            value=Signal::derive(count)
            on_change=Callback::new(set_count)
        />
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

fn student(props: PanelProps) -> impl IntoView {
    let name = Memo::new(move |_| {
        props.stage.with(|stage| match stage {
            Stage::Start(form) => form.student.clone(),
            Stage::Ready(ready) => ready.student.clone(),
            Stage::Over(over) => over.student.clone(),
            _ => String::new(),
        })
    });
    let is_needed = props.stage.with_untracked(|stage| matches!(stage, Stage::Ready(Ready { needs_name: true, .. })));
    let (label, title, placeholder) = if is_needed {
        ("Your name or number", "The numbers of your table come from it", "required")
    } else {
        ("Your name", "Optional; only the result that you save has it", "optional")
    };
    view! {
        <TextField
            label=label
            title=title
            name="student"
            size=18
            placeholder=placeholder.to_owned()
            node_ref=props.student
            text=name
            on_change=move |text| props.host.send(Msg::SetStudent(text))
        />
    }
}

/// What a teacher says before the first question.
fn introduction(ready: Ready) -> impl IntoView {
    let title = (!ready.title.is_empty()).then(|| view! { <h3 class="exercise-title" dir="auto">{safe(&ready.title)}</h3> });
    let text = (!ready.text.is_empty()).then(|| view! { <p class="note-text" dir="auto">{ready.text}</p> });
    view! { {title} {text} <p>{ready.about}</p> }
}

fn after_main(props: PanelProps) -> AnyView {
    let end = move || props.button(Some("link"), "Give up the quiz", || Msg::End);
    props.stage.with_untracked(|stage| match stage {
        Stage::Start(_) => ().into_any(),
        Stage::Asks(_) => view! { {props.button(None, "Give up this question", || Msg::Pass)} {end()} }.into_any(),
        Stage::Ready(_) => end().into_any(),
        Stage::Told(_) => {
            let places = props.part(|stage| match stage {
                Stage::Told(told) => Some((told.before, told.after, told.is_last)),
                _ => None,
            });
            let ways = move |(before, after, is_last): (u32, Option<u32>, bool)| {
                view! {
                    <StepLink position=before label="Before" />
                    {after.map(|after| view! { <StepLink position=after label="After" /> })}
                    {(!is_last).then(end)}
                }
            };
            view! { {move || places.get().map(ways)} }.into_any()
        }
        Stage::Changed(_) => props.button(None, "Other questions", || Msg::ChangeSettings).into_any(),
        Stage::Over(_) => view! {
            {props.button(None, "Other settings", || Msg::ChangeSettings)}
            {props.button(None, "Another quiz", || Msg::Another)}
            {props.button(None, "Copy link", || Msg::CopyLink)}
        }
        .into_any(),
    })
}

fn below(props: PanelProps) -> AnyView {
    let is_over = props.stage.with_untracked(|stage| matches!(stage, Stage::Over(_)));
    let is_on = props.stage.with_untracked(|stage| matches!(stage, Stage::Ready(_) | Stage::Asks(_) | Stage::Told(_)));
    let note = match (is_on, is_over) {
        (true, _) => "Until the quiz is over, the scenario cannot be changed, and tools that would show the answer are closed.",
        (_, true) => "The result is a file for your teacher. The link starts this quiz: the same questions about this scenario.",
        _ => return ().into_any(),
    };
    view! { <p class="tool-note">{note}</p> }.into_any()
}

fn settings(stage: &Stage) -> Option<QuizForm> {
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
    let text =
        props.part(|stage| if let Stage::Asks(asks) = stage { Some(asks.text.clone()).filter(|text| !text.is_empty()) } else { None });
    let back = |position: u32| {
        view! {
            <p>
                "The question is about another step. " <StepLink position=position label="Back to it" />
            </p>
        }
    };
    view! {
        <p class="tool-note">{move || head.get()}</p>
        {move || away_from.get().map(back)}
        {move || text.get().map(|text| view! { <p class="note-text" dir="auto">{text}</p> })}
        <For each=move || question.get() key=|question| question.clone() children=move |question| choices(props, question) />
    }
    .into_any()
}

/// The picture of a question that has one.
fn inset(props: PanelProps) -> impl IntoView {
    let inset = props.part(|stage| if let Stage::Asks(asks) = stage { asks.inset.clone() } else { None });
    let settings = expect_context::<Settings>();
    view! {
        <InsetPicture
            inset=Signal::derive(move || inset.get().unwrap_or_default())
            is_dark=Signal::derive(move || settings.is_dark())
            on_put=move |(piece, place)| props.host.send(Msg::Put { piece, place })
            on_take=move |(piece, place)| props.host.send(Msg::Take { piece, place })
        />
    }
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
            {question.choices.is_empty().then(|| inset(props))}
            {question.choices.into_iter().enumerate().map(offered).collect_view()}
        </fieldset>
    }
}

/// The color of the kernel that a choice names.
fn swatch(row: RowId) -> impl IntoView {
    let settings = expect_context::<Settings>();
    view! { <span class="quiz-swatch" style=("--k", move || palette::colour_of(row, settings.is_dark()).css()) aria-hidden="true"></span> }
}

fn verdict(told: GradedAnswer) -> impl IntoView {
    let answer = safe(&told.answer);
    let lead = told.lead;
    let class = if told.outcome == QuizOutcome::Right { "verdict-good" } else { "verdict-bad" };
    let why = told.why.map(explanation);
    let said = match told.outcome {
        QuizOutcome::Wrong { given, why: why_not, further } => view! {
            <div class=class>
                <p><strong>"Not quite."</strong> {format!(" You answered {}.", safe(&given))}</p>
                {why_not.into_iter().map(explanation).collect_view()}
                {further}
            </div>
            <div class="verdict-good">
                <p>{the_right(lead, answer)}</p>
                {why}
            </div>
        }
        .into_any(),
        outcome => {
            let said = if outcome == QuizOutcome::Right { right(answer).into_any() } else { the_right(lead, answer).into_any() };
            view! { <div class=class><p>{said}</p> {why}</div> }.into_any()
        }
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
    // A name that is typed leaves what is below its field alone.
    let of = |over: &Over| if over.is_named { over.clone() } else { Over { student: String::new(), ..over.clone() } };
    if let Stage::Over(over) = stage { Some(of(over)) } else { None }
}

fn results(props: PanelProps, over: Over) -> impl IntoView {
    let rules = over.rules;
    let rules = (!rules.is_empty()).then(|| {
        let chips = rules.into_iter().map(|rule| view! { <Chip rule=rule /> " " });
        view! { <p>"Rules to review: " {chips.collect_view()}</p> }
    });
    let answer = |(number, given): (usize, Answered)| {
        let mark = match given.mark {
            Marked::Right => "Right",
            Marked::Wrong => "Wrong",
            Marked::GivenUp => "Given up",
        };
        let why = given.can_ask_why.then(|| {
            let ask = move |_| props.host.send(Msg::AskWhy(number));
            let label = format!("Ask why, question {}", number + 1);
            view! { " " <button type="button" class="link" aria-label=label on:click=ask>"Ask why"</button> }
        });
        view! {
            <li>
                <strong>{mark}</strong>
                {format!(": {} ", safe(&given.text))}
                <StepLink position=given.position label=given.label />
                {why}
            </li>
        }
    };
    let passed = over.passed.map(|(is_passed, text)| {
        view! { <p class=if is_passed { "verdict-good" } else { "verdict-bad" }>{text}</p> }
    });
    let (began, ended) = over.times;
    let times = (!began.is_empty()).then(|| (spoken_time(&began), spoken_time(&ended)));
    view! {
        <p class="quiz-score"><strong>{over.score}</strong> " right."</p>
        {passed}
        <p class="tool-note">{about(&safe(&over.about), over.seed, times)}</p>
        <p class="tool-row">
            {if over.is_named { format!("Your name: {}", safe(&over.student)).into_any() } else { student(props).into_any() }}
        </p>
        {over.note.map(|note| view! { <p class="tool-note">{note}</p> })}
        {rules}
        <ol class="tool-list quiz-answers">{over.answers.into_iter().enumerate().map(answer).collect_view()}</ol>
    }
}

fn right(answer: String) -> impl IntoView {
    view! { "Right: " <strong>{answer}</strong> "." }
}

fn the_right(lead: String, answer: String) -> impl IntoView {
    view! { {lead} ": " <strong>{answer}</strong> "." }
}

/// Exercise or scenario, and when it began and ended, if that is known.
fn about(title: &str, seed: u64, times: Option<(String, String)>) -> String {
    match times {
        Some((began, ended)) => format!("{title}, seed {seed}, {began} to {ended}"),
        None => format!("{title}, seed {seed}"),
    }
}
