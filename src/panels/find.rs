//! The panel of the search for an example.
//!
//! Invariant: the field of the seed is made once, so that what is typed stays while the search tells how far it is.

use std::sync::LazyLock;

use leptos::prelude::*;

use crate::components::TimeLink;
use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_learn::find::Effect;
use blockstep_tools::find::{Example, ExampleRun, Find, FindStatus, Kernel, Msg, Opening, State, View};
use blockstep_ui::safe;
use blockstep_view::palette;

static EFFECTS: LazyLock<[(Effect, &str); Effect::ALL.len()]> = LazyLock::new(|| Effect::ALL.map(|effect| (effect, effect.title())));

impl Panel for Find {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let form = StateForm::new(host);
        let status = Memo::new(move |_| view.with(|view| view.status.clone()));
        let found = Memo::new(move |_| view.with(|view| view.example.clone()));
        view! {
            {form.choice("Effect", "effect", Effect::id, &*EFFECTS, State::effect, |state, effect| state.effect = Some(effect))}
            <p class="tool-note">{move || view.with(|view| view.sentence.clone())}</p>
            {seed_row(host, form, view)}
            {move || status.get().map(status_line)}
            {move || found.get().map(|found| example(host, found))}
        }
        .into_any()
    }
}

fn seed_row(host: Host<Find>, form: StateForm<Find>, view: Memo<View>) -> impl IntoView {
    let seed = form.part(State::seed_text);
    let is_going = Memo::new(move |_| view.with(|view| view.is_going));
    let other = move || {
        if is_going.get() {
            view! { <button type="button" on:click=move |_| host.send(Msg::Cancel)>"Cancel"</button> }.into_any()
        } else {
            view! { <button type="button" on:click=move |_| host.send(Msg::Another)>"Find another"</button> }.into_any()
        }
    };
    let on_submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        host.send(Msg::Find);
    };
    view! {
        <form class="tool-row" novalidate on:submit=on_submit>
            <label>
                "Seed "
                <input
                    type="text"
                    inputmode="numeric"
                    size="8"
                    name="seed"
                    prop:value=move || seed.get()
                    on:change:target=move |event| {
                        let field = event.target();
                        // An empty field means what it held.
                        if field.value().trim().is_empty() {
                            field.set_value(&seed.get_untracked());
                        }
                        form.edit(|state| state.set_seed(&field.value()));
                    }
                />
            </label>
            <button class="primary" disabled=move || is_going.get()>"Find"</button>
            {other}
        </form>
    }
}

fn status_line(status: FindStatus) -> AnyView {
    match status {
        FindStatus::WrongSeed(text) => view! { <p class="verdict-bad" role="alert">{safe(&text)}</p> }.into_any(),
        FindStatus::Searching(text) | FindStatus::Stopped(text) => view! { <p class="tool-note">{text}</p> }.into_any(),
        FindStatus::GivenUp(text) => view! { <p class="verdict-bad">{text}</p> }.into_any(),
    }
}

/// The example found: what it shows, where to look, its table, and what can be done with it.
fn example(host: Host<Find>, example: Example) -> impl IntoView {
    let opens = move |how: Opening, label: &'static str| {
        view! { <button type="button" on:click=move |_| host.send(Msg::Open(how))>{label}</button> }
    };
    let changed =
        example.has_changed.then(|| (opens(Opening::Changed, "Open the changed table"), opens(Opening::Both, "Open and compare")));
    let is_dark = example.is_dark;
    view! {
        <p class="verdict-good">{safe(&example.sentence)}</p>
        <div class="tool-row">{opens(Opening::Example, "Open")} {changed}</div>
        {example.looks.into_iter().map(look).collect_view()}
        <h3>"The table"</h3>
        <ul class="tool-list">
            {example.settings.iter().map(|line| view! { <li>{safe(line)}</li> }).collect_view()}
            {example.kernels.iter().map(|of| kernel(of, is_dark)).collect_view()}
        </ul>
        <p class="tool-note">{example.count}</p>
    }
}

/// Instants, as links if their run is on screen.
fn look(look: ExampleRun) -> impl IntoView {
    let is_on_screen = look.is_on_screen;
    let moments = look.moments.into_iter().map(move |moment| {
        let time = if is_on_screen { view! { <TimeLink at=moment.at label=moment.time /> }.into_any() } else { moment.time.into_any() };
        view! { <li>{time} ": " {safe(&moment.what)}</li> }
    });
    view! {
        <h3>{safe(&look.title)}</h3>
        <ul class="tool-list">{moments.collect_view()}</ul>
    }
}

fn kernel(kernel: &Kernel, is_dark: bool) -> impl IntoView + use<> {
    let colour = palette::colour_of(kernel.row, is_dark);
    let style = format!("background:{};color:{};padding:0 .3rem;border-radius:4px", colour.css(), palette::text_on(colour).css());
    view! { <li><span style=style>{safe(&kernel.name)}</span> " " {safe(&kernel.words)}</li> }
}
