//! The panel of notes.
//!
//! Invariants: what is changed here, and so is not shown inside another page, has the class `notes-edit`; notes come out as they were
//! written; what stands in the text area when that goes is kept for its step.

use leptos::prelude::*;

use crate::components::{StepLink, TimeLink};
use crate::panels::panel::{Host, Panel};
use blockstep_tools::notes::list::MAX_TEXT;
use blockstep_tools::notes::{Caption, Msg, NoteGroup, NoteItem, NoteSpot, Notes, Others, Turns, View, Where};
use blockstep_ui::{Chip, safe};

impl Panel for Notes {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let caption = Memo::new(move |_| view.with(|view| view.caption.clone()));
        let turns = Memo::new(move |_| view.with(|view| view.turns));
        let removed = Memo::new(move |_| view.with(|view| view.removed.clone()));
        let groups = Memo::new(move |_| view.with(|view| view.groups.clone()));
        let others = Memo::new(move |_| view.with(|view| view.others.clone()));
        view! {
            {move || of_step(caption.get())}
            {move || turns.get().map(ways)}
            {field(host, view)}
            {move || {
                removed
                    .get()
                    .map(|sentence| {
                        view! {
                            <p class="tool-note tool-row notes-edit">
                                {sentence} " "
                                <button type="button" class="link" on:click=move |_| host.send(Msg::Restore)>
                                    "Restore"
                                </button>
                            </p>
                        }
                    })
            }}
            {move || groups.get().into_iter().map(|notes| group(host, notes)).collect_view()}
            {move || others.get().map(|notes| waiting(host, notes))}
        }
        .into_any()
    }
}

fn of_step(caption: Caption) -> AnyView {
    match caption {
        Caption::Note(text) => view! { <div class="note-here"><p dir="auto">{text}</p></div> }.into_any(),
        Caption::NoneHere => view! { <p class="tool-note">"No note at this step."</p> }.into_any(),
        Caption::None => ().into_any(),
    }
}

fn ways(turns: Turns) -> impl IntoView {
    let way = |to: Option<u32>, label: &'static str| match to {
        Some(position) => view! { <StepLink position=position label=label class="small" /> }.into_any(),
        None => view! { <button type="button" class="small" disabled>{label}</button> }.into_any(),
    };
    view! { <div class="tool-row">{way(turns.previous, "◀ Previous note")} {way(turns.next, "Next note ▶")}</div> }
}

/// What was typed into the text area since it was last kept, and at which step.
type Draft = StoredValue<Option<(NoteSpot, String)>>;

fn field(host: Host<Notes>, view: Memo<View>) -> impl IntoView {
    let draft = Draft::new(None);
    let about = Memo::new(move |_| view.with(|view| view.field.about.clone()));
    let label = Memo::new(move |_| view.with(|view| view.field.label.clone()));
    let text = Memo::new(move |_| view.with(|view| view.field.text.clone()));
    let sentence = Memo::new(move |_| view.with(|view| view.field.sentence.clone()));
    let problem = Memo::new(move |_| view.with(|view| view.field.problem.clone()));
    let sentence = move || {
        Some(sentence.get()).filter(|sentence| !sentence.is_empty()).map(|sentence| view! { <p class="tool-note">{safe(&sentence)}</p> })
    };
    view! {
        <div class="note-field notes-edit">
            <label>{move || label.get()} {move || area(host, draft, about.get(), text)}</label>
            {sentence}
            {move || problem.get().map(|problem| view! { <p class="verdict-bad" role="alert">{problem}</p> })}
            <div class="tool-row">
                <button type="button" class="small" on:click=move |_| keep(host, draft)>
                    "Keep"
                </button>
                <span class="tool-note">"Saved automatically; included in links."</span>
            </div>
        </div>
    }
}

/// The text area of one step: another step has another one.
fn area(host: Host<Notes>, draft: Draft, about: NoteSpot, text: Memo<String>) -> impl IntoView {
    // The reader goes on, or closes the panel.
    on_cleanup(move || keep(host, draft));
    let value = move || {
        let kept = text.get();
        // What was typed meanwhile stays.
        draft.with_value(|draft| draft.as_ref().map(|(_, typed)| typed.clone())).unwrap_or(kept)
    };
    view! {
        <textarea
            name="text"
            rows="3"
            maxlength=MAX_TEXT.to_string()
            dir="auto"
            prop:value=value
            on:input:target=move |event| draft.set_value(Some((about.clone(), event.target().value())))
            on:change=move |_| keep(host, draft)
        ></textarea>
    }
}

fn keep(host: Host<Notes>, draft: Draft) {
    if let Some((about, text)) = draft.try_update_value(Option::take).flatten() {
        host.send(Msg::Write { about, text });
    }
}

fn group(host: Host<Notes>, group: NoteGroup) -> impl IntoView {
    let lead = (!group.lead.is_empty()).then(|| view! { <p class="tool-note">{group.lead}</p> });
    view! {
        <section class="notes-edit tool-list">
            <h3>{group.title}</h3>
            {lead}
            <ul class="notes-list tool-list">{group.notes.into_iter().map(|note| item(host, note)).collect_view()}</ul>
        </section>
    }
}

fn item(host: Host<Notes>, item: NoteItem) -> impl IntoView {
    let quiet = |text: String| view! { <span class="quiet">{text}</span> };
    let chip = item.rule.map(|rule| view! { <Chip rule=rule is_focusable=false /> });
    let place = match item.place {
        Where::Step { position, label, was } => view! { <StepLink position=position label=label /> {chip} {was.map(quiet)} }.into_any(),
        Where::Time { at, label, was } => view! { <TimeLink at=at label=label /> {quiet(was)} {chip} }.into_any(),
        Where::Behind(label) => view! { {quiet(label)} {chip} }.into_any(),
    };
    let sentence = (!item.spot.sentence.is_empty()).then(|| view! { <span class="tool-note">{safe(&item.spot.sentence)}</span> });
    let spot = item.spot.clone();
    view! {
        <li class=if item.is_current { "is-current" } else { "" }>
            <div class="tool-row">{place}</div>
            {sentence}
            <p class="note-text" dir="auto">
                {item.text}
            </p>
            <div class="notes-edit">
                <button type="button" class="link" aria-label=item.remove on:click=move |_| host.send(Msg::Remove(spot.clone()))>
                    "Remove"
                </button>
            </div>
        </li>
    }
}

fn waiting(host: Host<Notes>, others: Others) -> impl IntoView {
    let forget = others.is_many.then(|| {
        view! {
            <button type="button" class="link" on:click=move |_| host.send(Msg::ForgetOthers)>
                "Remove permanently"
            </button>
        }
    });
    view! { <p class="tool-note tool-row notes-edit"><span dir="auto">{safe(&others.sentence)}</span> {forget}</p> }
}
