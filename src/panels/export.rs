//! The panel of other formats.
//!
//! Invariant: a button says which form or file it is about.

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_tools::export::{Export, ExportFile, FormId, FormPreview, Lacks, Msg, Offer, View};
use blockstep_ui::safe;

impl Panel for Export {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let state_form = StateForm::new(host);
        let cut = Memo::new(move |_| view.with(|view| view.cut.clone()));
        // There are always the same.
        let forms = view.with_untracked(|view| view.forms.clone());
        let forms = forms.into_iter().enumerate().map(|(i, first)| {
            let now = Memo::new(move |_| view.with(|view| view.forms.get(i).cloned()).unwrap_or_else(|| first.clone()));
            offer(host, state_form, now)
        });
        view! {
            <p class="tool-note">
                "Files are made on this page, and nothing is sent anywhere. To save the scenario itself, press Save beside Open."
            </p>
            {move || cut.get().map(|cut| view! { <p class="verdict-bad">{cut}</p> })}
            <ul class="export-list">{forms.collect_view()}</ul>
        }
        .into_any()
    }
}

/// A form with its buttons.
fn offer(host: Host<Export>, state_form: StateForm<Export>, now: Memo<Offer>) -> impl IntoView {
    let Offer { form, title, about, .. } = now.get_untracked();
    let id = format!("export-{}", form.word());
    let is_shown = Memo::new(move |_| now.with(|offer| offer.look.is_some()));
    let problem = Memo::new(move |_| now.with(|offer| offer.problem.clone()));
    let look = Memo::new(move |_| now.with(|offer| offer.look.clone()));
    let (controls, of_look, of_save) = (id.clone(), format!("Preview {title}"), save_of(&title));
    view! {
        <li>
            <div class="tool-row">
                <strong>{title}</strong>
                <button
                    type="button"
                    class="small"
                    aria-expanded=move || is_shown.get().to_string()
                    aria-controls=move || is_shown.get().then(|| controls.clone())
                    aria-label=of_look
                    on:click=move |_| state_form.edit(|state| state.look(form))
                >
                    "Preview"
                </button>
                <button type="button" class="small" aria-label=of_save on:click=move |_| host.send(Msg::Save(form))>
                    "Save"
                </button>
            </div>
            <p class="tool-note">{about}</p>
            {move || problem.get().map(|why| view! { <p class="verdict-bad" role="alert">{safe(&why)}</p> })}
            {move || {
                let id = id.clone();
                look.get().map(|look| view! { <div class="export-more" id=id>{shown(host, form, look)}</div> })
            }}
        </li>
    }
}

/// What is not in the files, and how they begin.
fn shown(host: Host<Export>, form: FormId, look: FormPreview) -> impl IntoView {
    let lacks = match look.lacks {
        Lacks::Nothing => ().into_any(),
        Lacks::Always(lacks) => view! { <p class="tool-note">{lacks}</p> }.into_any(),
        Lacks::InThisRun(losses) => view! {
            <p class="tool-note">"Not included:"</p>
            <ul class="tool-note">{losses.iter().map(|loss| view! { <li>{safe(loss)}</li> }).collect_view()}</ul>
        }
        .into_any(),
    };
    let has_several = look.files.len() > 1;
    let files = look.files.into_iter().enumerate().map(|(number, of)| file(host, form, has_several.then_some(number), &of));
    view! {
        {look.problem.map(|problem| view! { <p class="verdict-bad">{safe(&problem)}</p> })}
        {lacks}
        {files.collect_view()}
        {look.more.map(|more| view! { <p class="tool-note">{more}</p> })}
    }
}

/// How a file begins; it can be saved by its number where there are several.
fn file(host: Host<Export>, form: FormId, number: Option<usize>, of: &ExportFile) -> impl IntoView + use<> {
    let save = number.map(|number| {
        view! {
            <button
                type="button"
                class="small"
                aria-label=save_of(&of.name)
                on:click=move |_| host.send(Msg::SaveFile(form, number))
            >
                "Save"
            </button>
        }
    });
    let head = of.head.iter().map(|line| safe(line)).collect::<Vec<_>>().join("\n");
    view! {
        <div class="tool-row export-file">
            <strong>{safe(&of.name)}</strong>
            {save}
            <span class="tool-note">{of.size.clone()}</span>
        </div>
        <pre class="export-head" tabindex="0" role="region" aria-label=format!("First lines of {}", of.name)>{head}</pre>
    }
}

/// Of a form, or of a file.
fn save_of(name: &str) -> String {
    format!("Save {name}")
}
