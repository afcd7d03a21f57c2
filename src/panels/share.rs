//! The panel of "Link and embed".
//!
//! Invariant: what stands in the fields is what the buttons beside them copy.

use leptos::prelude::*;

use crate::components::{Choices, SelectField, TextField, safe};
use crate::panels::panel::{Host, Panel};
use blockstep_format::Embed;
use blockstep_tools::share::{Address, Form, Frame, Msg, PartOffer, Share, View};

/// What a frame can show.
const VIEWS: [(Embed, &str); 3] = [(Embed::Both, "timeline and queues"), (Embed::Timeline, "the timeline"), (Embed::Queues, "the queues")];

/// What the code can be.
const FORMS: [(Form, &str); 2] = [(Form::Element, "a picture, then the page"), (Form::Frame, "the page at once")];

impl Panel for Share {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let notice = Memo::new(move |_| view.with(|view| view.notice.clone()));
        let link = Memo::new(move |_| view.with(|view| view.link.clone()));
        let parts = Memo::new(move |_| view.with(|view| view.parts.clone()));
        let frame = Memo::new(move |_| view.with(|view| view.frame.clone()));
        let is_element = Memo::new(move |_| frame.with(|frame| frame.form == Form::Element));
        view! {
            {move || problem.get().map(|why| not_opened(&why))}
            {move || notice.get().map(|text| view! { <p class="tool-note" role="status">{text}</p> })}
            <div data-part="link">{move || link.with(|link| address(host, link))}</div>
            {move || parts.with(|parts| choice(host, parts))}
            <div data-part="link">
                <p class="tool-note">
                    "Nothing is stored anywhere. The link itself holds everything after the #, and browsers do not send that part \
                        to the server. Anyone with the link has the scenario. Measured traces and files that you opened stay on \
                        your computer."
                </p>
            </div>
            <div data-part="embed">
            {size(host, frame, is_element)}
            <div class="share-parts">
                <label>
                    <input
                        type="checkbox"
                        name="sandbox"
                        prop:checked=move || frame.with(|frame| frame.is_restricted)
                        on:change:target=move |event| host.send(Msg::Restrict(event.target().checked()))
                    />
                    <span>"restrict the frame (sandbox)"</span>
                </label>
                {move || is_element.get().then(|| separate(host, frame))}
            </div>
            {move || frame.with(|frame| code(host, frame))}
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
fn choice(host: Host<Share>, parts: &[PartOffer]) -> AnyView {
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
                    on:change:target=move |event| host.send(Msg::Take(part, event.target().checked()))
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

fn size(host: Host<Share>, frame: Memo<Frame>, is_element: Memo<bool>) -> impl IntoView {
    let forms: Choices = FORMS.iter().map(|(form, label)| (form.word().to_owned(), (*label).to_owned())).collect();
    let choose_form = move |word: String| {
        if let Some(form) = Form::ALL.into_iter().find(|form| form.word() == word) {
            host.send(Msg::Choose(form));
        }
    };
    let choices: Choices = VIEWS.iter().map(|(view, label)| (view.word().to_owned(), (*label).to_owned())).collect();
    let choose = move |word: String| {
        if let Some(view) = Embed::from_word(&word) {
            host.send(Msg::Show(view));
        }
    };
    let of = move |read: fn(&Frame) -> String| Signal::derive(move || frame.with(read));
    let length = move |label: &'static str, name: &'static str, value: Signal<String>, usual: Signal<String>, told: fn(String) -> Msg| {
        view! { <TextField label=label name=name size=5 placeholder=usual text=value on_change=move |text| host.send(told(text)) /> }
    };
    let lengths = move || {
        (!is_element.get()).then(|| {
            view! {
                {length("Width (px or 100%)", "width", of(|frame| frame.width.clone()), Signal::stored("100%".to_owned()), Msg::Width)}
                {length("Height (px)", "height", of(|frame| frame.height.clone()), of(|frame| frame.usual_height.clone()), Msg::Height)}
            }
        })
    };
    view! {
        <div class="tool-row share-size">
            <SelectField
                label="Code for"
                name="form"
                choices=Signal::stored(forms)
                value=of(|frame| frame.form.word().to_owned())
                on_change=choose_form
            />
            <SelectField
                label="Show"
                name="view"
                choices=Signal::stored(choices)
                value=of(|frame| frame.view.word().to_owned())
                on_change=choose
            />
            {lengths}
        </div>
    }
}

/// Whether the picture is a file of its own.
fn separate(host: Host<Share>, frame: Memo<Frame>) -> impl IntoView {
    view! {
        <label>
            <input
                type="checkbox"
                name="separate"
                prop:checked=move || frame.with(|frame| frame.is_separate)
                on:change:target=move |event| host.send(Msg::Separate(event.target().checked()))
            />
            <span>"keep the picture in a file of its own"</span>
        </label>
    }
}

fn code(host: Host<Share>, frame: &Frame) -> AnyView {
    let saves = frame.form == Form::Element && frame.is_separate;
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
                {saves
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
