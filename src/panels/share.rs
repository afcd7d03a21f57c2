//! The panel of "Link and embed".
//!
//! Invariant: what stands in the fields is what the buttons beside them copy.

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_format::Embed;
use blockstep_tools::share::{Address, CodeForm, EmbedFrame, Msg, PartOffer, Share, View};
use blockstep_ui::{TextField, safe};

/// What a frame can show.
const VIEWS: [(Embed, &str); 3] = [(Embed::Both, "timeline and queues"), (Embed::Timeline, "the timeline"), (Embed::Queues, "the queues")];

/// What the code can be.
const FORMS: [(CodeForm, &str); 2] = [(CodeForm::Element, "a picture, then the page"), (CodeForm::Frame, "the page at once")];

impl Panel for Share {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let notice = Memo::new(move |_| view.with(|view| view.notice.clone()));
        let link = Memo::new(move |_| view.with(|view| view.link.clone()));
        let parts = Memo::new(move |_| view.with(|view| view.parts.clone()));
        let frame = Memo::new(move |_| view.with(|view| view.frame.clone()));
        let form = StateForm::new(host);
        let is_element = form.part(|state| state.form == CodeForm::Element);
        let has_poster = form.part(|state| state.form == CodeForm::Element && state.is_separate);
        view! {
            {move || problem.get().map(|why| not_opened(&why))}
            {move || notice.get().map(|text| view! { <p class="tool-note" role="status">{text}</p> })}
            <div data-part="link">{move || link.with(|link| address(host, link))}</div>
            {move || parts.with(|parts| choice(form, parts))}
            <div data-part="link">
                <p class="tool-note">
                    "Nothing is stored anywhere. The link itself holds everything after the #, and browsers do not send that part \
                        to the server. Anyone with the link has the scenario. Measured traces and files that you opened stay on \
                        your computer."
                </p>
            </div>
            <div data-part="embed">
            {size(form, frame, is_element)}
            <div class="share-parts">
                {form.tick("restrict the frame (sandbox)", "sandbox", |state| state.sandbox, |state, is_on| state.sandbox = is_on)}
                {move || is_element.get().then(|| separate(form))}
            </div>
            {move || frame.with(|frame| code(host, frame, has_poster.get()))}
            <p class="tool-note">
                {move || if is_element.get() { "Readers see the picture and the step's sentence. A click loads the page in its \
                    place, as high as it needs to be. " } else { "" }}
                "Readers step with keys or buttons. Notes are shown as captions, and a link opens the full page."
            </p>
            </div>
        }
        .into_any()
    }
}

fn not_opened(why: &str) -> impl IntoView + use<> {
    view! {
        <div class="verdict-bad share-problem" role="alert">
            <strong>"The link was not opened."</strong>
            <p>{safe(why)}</p>
        </div>
    }
}

fn alert(problem: &str) -> AnyView {
    view! { <p class="verdict-bad" role="alert">{safe(problem)}</p> }.into_any()
}

fn address(host: Host<Share>, link: &Result<Address, String>) -> AnyView {
    let link = match link {
        Ok(link) => link.clone(),
        Err(problem) => return alert(problem),
    };
    view! {
        <label class="share-field">
            "Link to what you see"
            <input type="text" readonly spellcheck="false" prop:value=link.address />
        </label>
        <div class="tool-row">
            <button type="button" class="primary" on:click=move |_| host.send(Msg::CopyLink)>
                "Copy link"
            </button>
            <span class="tool-note">{link.length}</span>
        </div>
        {link.warning.map(|warning| view! { <p class="verdict-bad">{warning}</p> })}
    }
    .into_any()
}

/// What the link takes along, to be ticked.
fn choice(form: StateForm<Share>, parts: &[PartOffer]) -> AnyView {
    if parts.is_empty() {
        return view! { <p class="tool-note">"It contains the scenario with its policy and device, and the step."</p> }.into_any();
    }
    let offer = |offer: &PartOffer| {
        let part = offer.part;
        view! {
            <label>
                <input
                    type="checkbox"
                    name="part"
                    value=part.word()
                    prop:checked=offer.is_in
                    on:change:target=move |event| form.edit(|state| state.include(part, event.target().checked()))
                />
                <span dir="auto">{safe(&offer.label)}</span>
            </label>
        }
    };
    view! {
        <fieldset class="share-parts">
            <legend>"Also include"</legend>
            {parts.iter().map(offer).collect_view()}
        </fieldset>
    }
    .into_any()
}

fn size(form: StateForm<Share>, frame: Memo<EmbedFrame>, is_element: Signal<bool>) -> impl IntoView {
    let usual_height = Signal::derive(move || frame.with(|frame| frame.usual_height.clone()));
    let lengths = move || {
        (!is_element.get()).then(|| {
            view! {
                <TextField
                    label="Width (px or 100%)"
                    name="width"
                    size=5
                    placeholder=Signal::stored("100%".to_owned())
                    text=form.part(|state| state.width.clone())
                    on_change=form.set(|state, text: String| text.trim().clone_into(&mut state.width))
                />
                <TextField
                    label="Height (px)"
                    name="height"
                    size=5
                    placeholder=usual_height
                    text=form.part(|state| state.height.clone())
                    on_change=form.set(|state, text: String| text.trim().clone_into(&mut state.height))
                />
            }
        })
    };
    view! {
        <div class="tool-row share-size">
            {form.choice("Code for", "form", CodeForm::word, &FORMS, |state| state.form, |state, of| state.form = of)}
            {form.choice(
                "Show",
                "view",
                Embed::word,
                &VIEWS,
                |state| state.view.unwrap_or(Embed::Both),
                |state, of| state.view = Some(of),
            )}
            {lengths}
        </div>
    }
}

/// Whether the picture is a file of its own.
fn separate(form: StateForm<Share>) -> impl IntoView {
    let label = "keep the picture in a file of its own";
    form.tick(label, "separate", |state| state.is_separate, |state, is_on| state.is_separate = is_on)
}

fn code(host: Host<Share>, frame: &EmbedFrame, has_poster: bool) -> AnyView {
    match &frame.code {
        Ok(code) => view! {
            <label class="share-field">
                "Embed code"
                <textarea rows="4" readonly spellcheck="false" prop:value=code.clone()></textarea>
            </label>
            <div class="tool-row">
                <button type="button" on:click=move |_| host.send(Msg::CopyCode)>
                    "Copy code"
                </button>
                {has_poster
                    .then(|| {
                        view! {
                            <button type="button" on:click=move |_| host.send(Msg::SavePoster)>
                                "Save picture"
                            </button>
                        }
                    })}
            </div>
        }
        .into_any(),
        Err(problem) => alert(problem),
    }
}
