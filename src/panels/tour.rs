//! The panel of a tour: the list of all of them, or one stop.
//!
//! Invariant: the focus goes where a click leads, as what was clicked is gone by then.

use leptos::either::Either;
use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::panels::panel::{Host, Panel};
use crate::state::settings::Settings;
use blockstep_tools::tour::{Msg, Next, StopChoice, StopMark, StopQuestion, StopView, Tour, TourEntry, TourList, View};
use blockstep_ui::{Inline, InsetPicture, Paragraphs, Picture, safe, starts_at_top};

/// What takes the focus when it is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Lead,
    Title,
    Verdict,
}

type Focus = StoredValue<Option<Goal>>;

impl Panel for Tour {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let focus = Focus::new(None);
        let is_stop = Memo::new(move |_| view.with(|view| matches!(view, View::Stop(_))));
        // Each keeps its last value while it is on its way out.
        let list = Memo::new(move |last: Option<&TourList>| match view.get() {
            View::List(list) => list,
            View::Stop(_) => last.cloned().unwrap_or_default(),
        });
        let stop = Memo::new(move |last: Option<&StopView>| match view.get() {
            View::Stop(stop) => *stop,
            View::List(_) => last.cloned().unwrap_or_default(),
        });
        let subject = move || view.with(|view| if let View::Stop(stop) = view { stop.label.clone() } else { String::new() });
        starts_at_top(subject, || Some("#tool-tour".to_owned()));
        let content = move || if is_stop.get() { one(host, focus, stop).into_any() } else { all(host, focus, list).into_any() };
        view! { {content} }.into_any()
    }
}

/// An element that takes the focus when it comes to stand, if a click led there.
fn takes<E>(focus: Focus, goal: Goal) -> NodeRef<E>
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    let node = NodeRef::<E>::new();
    Effect::new(move |_| {
        if let (Some(element), true) = (node.get(), focus.get_value() == Some(goal)) {
            focus.set_value(None);
            // It has a tab index.
            let _ = element.unchecked_ref::<HtmlElement>().focus();
        }
    });
    node
}

fn all(host: Host<Tour>, focus: Focus, list: Memo<TourList>) -> impl IntoView {
    let note = move || list.with(|list| list.note.as_deref().map(|note| view! { <p class="verdict-bad" role="status">{safe(note)}</p> }));
    let papers = move || {
        list.with(|list| {
            let paper = |paper: &blockstep_tools::tour::Paper| {
                let tours = paper.tours.iter().map(|tour| entry(host, focus, tour)).collect_view();
                view! { <h3>{paper.heading.clone()}</h3> <ul class="tool-list tours">{tours}</ul> }
            };
            list.papers.iter().map(paper).collect_view()
        })
    };
    view! {
        {note}
        <p tabindex="-1" node_ref=takes(focus, Goal::Lead)>
            "Each tour explains one figure of a paper. You predict, then see what happens and which rule decides."
        </p>
        {papers}
    }
}

fn entry(host: Host<Tour>, focus: Focus, tour: &TourEntry) -> impl IntoView {
    let walk = {
        let id = tour.id.clone();
        move |stop: usize| {
            focus.set_value(Some(Goal::Title));
            host.send(Msg::Walk { tour: id.clone(), stop });
        }
    };
    let go_on = tour.left_at.map(|stop| {
        let label = format!("Resume at stop {stop}");
        let spoken = format!("Resume at stop {stop} of {}", tour.title);
        let walk = walk.clone();
        view! { <button type="button" class="small" aria-label=spoken on:click=move |_| walk(stop)>{label}</button> }
    });
    let done = tour.is_done.then(|| view! { " " <span class="quiet">"\u{2713} completed"</span> });
    view! {
        <li>
            <button type="button" class="link" on:click=move |_| walk(1)>{tour.title.clone()}</button>
            {done}
            <p class="tool-note">{tour.about.clone()}</p>
            {go_on}
        </li>
    }
}

fn one(host: Host<Tour>, focus: Focus, stop: Memo<StopView>) -> impl IntoView {
    let text = Memo::new(move |_| stop.with(|stop| stop.text.clone()));
    let code = Memo::new(move |_| stop.with(|stop| stop.code.clone()));
    let picture = Memo::new(move |_| stop.with(|stop| stop.picture.clone()));
    // What is put into the picture leaves the question as it is.
    let asked = Memo::new(move |_| stop.with(|stop| stop.question.clone().map(|asked| StopQuestion { inset: None, ..asked })));
    let has_inset = Memo::new(move |_| stop.with(|stop| stop.question.as_ref().is_some_and(|asked| asked.inset.is_some())));
    let next = Memo::new(move |_| stop.with(|stop| stop.next));
    let is_first = Memo::new(move |_| stop.with(|stop| stop.number == 1));
    let is_away = Memo::new(move |_| stop.with(|stop| stop.is_away));
    let away = move || {
        is_away.get().then(|| {
            view! {
                <p class="tool-row tour-away">
                    <span>"You left this stop."</span>
                    " "
                    <button type="button" class="small" on:click=move |_| host.send(Msg::Return)>"Return to this stop"</button>
                </p>
            }
        })
    };
    let back = move || {
        let before = move || view! { <button type="button" on:click=move |_| host.send(Msg::Back)>"Back"</button> };
        (!is_first.get()).then(before)
    };
    let go_on = move |_| {
        if next.get_untracked() == Next::Finish {
            focus.set_value(Some(Goal::Lead));
        }
        host.send(Msg::Next);
    };
    let leave = move |_| {
        focus.set_value(Some(Goal::Lead));
        host.send(Msg::Leave);
    };
    let go_on_label = move || match next.get() {
        Next::ShowAnswer => "Show the answer",
        Next::Next => "Next",
        Next::Finish => "Finish",
    };
    view! {
        <div class="tool-row">
            <span class="quiet">{move || stop.with(|stop| stop.label.clone())}</span>
            {stops(host, stop)}
        </div>
        <h3 tabindex="-1" node_ref=takes(focus, Goal::Title)>{move || stop.with(|stop| stop.title.clone())}</h3>
        {away}
        {move || view! { <Paragraphs of=text.get() /> }}
        {move || code.get().map(|code| view! { <pre class="tour-code" tabindex="0">{code}</pre> })}
        {move || {
            picture.get().map(|drawn| view! { <Picture svg=drawn.svg label=drawn.label class="tour-picture" /> })
        }}
        {move || asked.with(|asked| asked.as_ref().map(|asked| question(host, focus, asked).into_any()))}
        {move || has_inset.get().then(|| filling(host, focus, stop))}
        <div class="tool-row">
            {back}
            // While a question is open, answering it is what comes first.
            <button type="button" class:primary=move || next.get() != Next::ShowAnswer on:click=go_on>{go_on_label}</button>
        </div>
        <div class="tool-row">
            <button type="button" class="link" on:click=leave>"Leave the tour"</button>
            <button type="button" class="link" on:click=move |_| host.send(Msg::CopyLink)>"Copy a link to this stop"</button>
        </div>
    }
}

fn stops(host: Host<Tour>, stop: Memo<StopView>) -> impl IntoView {
    let titles = Memo::new(move |_| stop.with(|stop| stop.stops.iter().cloned().enumerate().collect::<Vec<_>>()));
    let number = Memo::new(move |_| stop.with(|stop| stop.number));
    let option = move |(i, title): (usize, String)| {
        view! { <option value=i + 1 prop:selected=move || number.get() == i + 1>{title}</option> }
    };
    let go = move |value: String| {
        if let Ok(stop) = value.parse() {
            host.send(Msg::GoTo(stop));
        }
    };
    view! {
        <select
            name="stop"
            aria-label="Go to stop"
            prop:value=move || {
                titles.track();
                number.get().to_string()
            }
            on:change:target=move |event| go(event.target().value())
        >
            <For each=move || titles.get() key=|title| title.clone() children=option />
        </select>
    }
}

fn question(host: Host<Tour>, focus: Focus, question: &StopQuestion) -> impl IntoView {
    let choices = question.choices.iter().enumerate().map(|(i, choice)| {
        let choice =
            if question.is_open { Either::Left(open_choice(host, focus, i, choice)) } else { Either::Right(judged_choice(choice)) };
        view! { <li>{choice}</li> }
    });
    let verdict = question.verdict.as_ref().map(|verdict| {
        let (class, says) = if verdict.is_right { ("verdict-good", "Right. ") } else { ("verdict-bad", "Not quite. ") };
        view! {
            // The focus goes from the button, which is gone, to what came of it.
            <p class=class tabindex="-1" node_ref=takes(focus, Goal::Verdict)>
                <strong>{says}</strong>
                {verdict.why.first().map(|why| view! { <Inline of=why.clone() /> })}
            </p>
            {verdict.why.iter().skip(1).map(|why| view! { <p class=class><Inline of=why.clone() /></p> }).collect_view()}
        }
    });
    let answer = question.answer.as_ref().map(|(text, why)| {
        view! {
            <p class="verdict-good">
                <strong>"The answer: "</strong>
                <Inline of=text.clone() />
                " "
                <Inline of=why.clone() />
            </p>
        }
    });
    view! {
        <p>
            <strong>
                <Inline of=question.question.clone() />
            </strong>
        </p>
        {(!question.choices.is_empty()).then(|| view! { <ul class="tool-list tour-choices">{choices.collect_view()}</ul> })}
        {verdict}
        {answer}
    }
}

/// The picture to fill in.
fn filling(host: Host<Tour>, focus: Focus, stop: Memo<StopView>) -> impl IntoView {
    let settings = expect_context::<Settings>();
    let inset = move || stop.with(|stop| stop.question.as_ref().and_then(|asked| asked.inset.clone())).unwrap_or_default();
    let check = move |_| {
        focus.set_value(Some(Goal::Verdict));
        host.send(Msg::Check);
    };
    let is_empty = Memo::new(move |_| inset().boxes.iter().all(|of| of.puts.is_empty()));
    view! {
        <InsetPicture
            inset=Signal::derive(inset)
            is_dark=Signal::derive(move || settings.is_dark())
            on_put=move |(piece, place)| host.send(Msg::Put { piece, place })
            on_take=move |(piece, place)| host.send(Msg::Take { piece, place })
        />
        <div class="tool-row">
            <button type="button" class="primary" disabled=is_empty on:click=check>"Check"</button>
        </div>
    }
}

/// A choice that can be made. A rule's chip would be a control in a control.
fn open_choice(host: Host<Tour>, focus: Focus, number: usize, choice: &StopChoice) -> impl IntoView {
    let choose = move |_| {
        focus.set_value(Some(Goal::Verdict));
        host.send(Msg::Choose(number));
    };
    view! { <button type="button" on:click=choose>{choice.text.plain()}</button> }
}

/// A choice once the answer is known.
fn judged_choice(choice: &StopChoice) -> impl IntoView {
    let mark = match choice.mark {
        StopMark::None => None,
        StopMark::Right => Some("(\u{2713} right)"),
        StopMark::ChosenRight => Some("(\u{2713} right, your answer)"),
        StopMark::ChosenWrong => Some("(\u{2717} your answer)"),
    };
    view! {
        <Inline of=choice.text.clone() />
        {mark.map(|mark| view! { " " <strong>{mark}</strong> })}
    }
}
