//! The panel of figures.
//!
//! Invariant: every control has a label and follows its own part of what is shown, so that it keeps the focus and what is being typed.

use leptos::prelude::*;

use crate::components::{Choices, Picture, SelectField, StepLink, TextField, TickField, TimeLink, safe};
use crate::panels::panel::{Host, Panel};
use blockstep_draw::figure::Palette;
use blockstep_report::slides::Shows;
use blockstep_sim::scenario::Choice;
use blockstep_tools::figure::{Controls, Figure, FileKind, Kind, List, Msg, Number, Part, Setting, StripStop, Tex, To, View};

impl Panel for Figure {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let kind = Memo::new(move |_| view.with(|view| view.kind));
        let kinds: Choices = Kind::ALL.iter().map(|kind| (kind.word().to_owned(), kind.title().to_owned())).collect();
        let of_kind = move || match kind.get() {
            Kind::Timeline => timeline(host, view).into_any(),
            Kind::Queues => queues(view).into_any(),
            Kind::Strip => strip(host, view).into_any(),
            Kind::Chart => chart(host, view).into_any(),
        };
        let unsaved = Memo::new(move |_| view.with(|view| view.unsaved.clone()));
        view! {
            <div class="tool-row">
                <SelectField
                    label="Figure"
                    name="figure"
                    choices=kinds
                    value=Signal::derive(move || kind.get().word().to_owned())
                    on_change=move |word: String| set(host, Kind::from_word(&word).map(Setting::Figure))
                />
            </div>
            {of_kind}
            {look(host, view)}
            {preview(view)}
            <div data-part="image">{saves(host, view)}</div>
            <div data-part="latex">{latex(host, view)}</div>
            {move || unsaved.get().map(|why| view! { <p class="verdict-bad" role="alert">{safe(&why)}</p> })}
        }
        .into_any()
    }
}

/// Tells what a control is to hold, if that can be.
fn set(host: Host<Figure>, setting: Option<Setting>) {
    if let Some(setting) = setting {
        host.send(Msg::Set(setting));
    }
}

/// Options and what is chosen of a list that may not be there.
fn parts(list: Memo<Option<List>>) -> (Signal<Choices>, Signal<String>) {
    let options = Signal::derive(move || list.with(|list| list.as_ref().map(|list| list.options.clone()).unwrap_or_default()));
    let chosen = Signal::derive(move || list.with(|list| list.as_ref().map(|list| list.chosen.clone()).unwrap_or_default()));
    (options, chosen)
}

fn timeline(host: Host<Figure>, view: Memo<View>) -> impl IntoView {
    let choices = Memo::new(move |_| {
        view.with(|view| match &view.controls {
            Controls::Timeline { shown, .. } => {
                let of = |part: Part, name: &str| (part.word().to_owned(), name.to_owned());
                vec![of(Part::Shown, shown), of(Part::All, "the whole run, nothing selected")]
            }
            _ => Vec::new(),
        })
    });
    let part = Memo::new(move |_| {
        view.with(|view| if let Controls::Timeline { part, .. } = view.controls { part.word() } else { Part::default().word() }.to_owned())
    });
    let line = Memo::new(move |_| {
        view.with(|view| if let Controls::Timeline { line, .. } = &view.controls { line.clone() } else { String::new() })
    });
    let has_line = Memo::new(move |_| view.with(|view| matches!(view.controls, Controls::Timeline { has_line: true, .. })));
    view! {
        <div class="tool-row">
            <SelectField
                label="Part"
                name="part"
                choices=choices
                value=part
                on_change=move |word: String| set(host, Part::from_word(&word).map(Setting::Part))
            />
            <TickField label=line name="line" value=has_line on_change=move |is_on| set(host, Some(Setting::Line(is_on))) />
        </div>
    }
}

fn queues(view: Memo<View>) -> impl IntoView {
    let said = Memo::new(move |_| view.with(|view| if let Controls::Queues(said) = &view.controls { said.clone() } else { String::new() }));
    view! { <p class="tool-note">{move || said.with(|said| safe(said))}</p> }
}

fn strip(host: Host<Figure>, view: Memo<View>) -> impl IntoView {
    let stops =
        Memo::new(move |_| view.with(|view| if let Controls::Strip { stops, .. } = &view.controls { stops.clone() } else { Vec::new() }));
    let has_some = Memo::new(move |_| stops.with(|stops| !stops.is_empty()));
    let columns = Memo::new(move |_| {
        view.with(|view| if let Controls::Strip { columns, .. } = &view.controls { Some(columns.clone()) } else { None })
    });
    let with_some = move || {
        let (choices, chosen) = parts(columns);
        let on_columns = move |word: String| set(host, Some(Setting::Columns(word.parse().ok())));
        has_some.get().then(|| {
            view! {
                <button type="button" on:click=move |_| host.send(Msg::Clear)>"Remove all"</button>
                <SelectField label="Columns" name="columns" choices=choices value=chosen on_change=on_columns />
            }
        })
    };
    let items = move || {
        let stops = stops.get();
        let last = stops.len().saturating_sub(1);
        stops.iter().enumerate().map(|(number, stop)| strip_stop(host, stop, number, last)).collect_view()
    };
    view! {
        <div class="tool-row">
            <button type="button" on:click=move |_| host.send(Msg::Add)>"Add this step"</button>
            {with_some}
        </div>
        {move || has_some.get().then(|| view! { <ol class="tool-list figure-steps">{items}</ol> })}
    }
}

/// A diagram of the strip, with what can be done with it.
fn strip_stop(host: Host<Figure>, stop: &StripStop, number: usize, last: usize) -> impl IntoView + use<> {
    let link = match stop.to {
        To::Step(position) => view! { <StepLink position=position label=stop.name.clone() /> }.into_any(),
        To::Time(at) => view! { <TimeLink at=at label=stop.name.clone() /> }.into_any(),
    };
    let button = |message: Msg, sign: &'static str, title: &'static str, is_edge: bool| {
        let label = format!("{title}: {}", stop.name);
        let off = is_edge.then_some("true");
        view! {
            <button
                type="button"
                class="small"
                aria-label=label
                title=title
                aria-disabled=off
                on:click=move |_| host.send(message.clone())
            >
                {sign}
            </button>
        }
    };
    view! {
        <li>
            <div class="tool-row">
                {link}
                {button(Msg::Earlier(number), "↑", "Move up", number == 0)}
                {button(Msg::Later(number), "↓", "Move down", number == last)}
                {button(Msg::Remove(number), "✕", "Remove", false)}
            </div>
            {stop.sentence.as_ref().map(|sentence| view! { <p class="tool-note">{safe(sentence)}</p> })}
        </li>
    }
}

fn chart(host: Host<Figure>, view: Memo<View>) -> impl IntoView {
    let chart = Memo::new(move |_| view.with(|view| if let Controls::Chart { chart, .. } = &view.controls { chart.clone() } else { None }));
    let beside =
        Memo::new(move |_| view.with(|view| if let Controls::Chart { beside, .. } = &view.controls { beside.clone() } else { None }));
    let has = Memo::new(move |_| (chart.with(Option::is_some), beside.with(Option::is_some)));
    let list = move |is_there: bool, label: &'static str, name: &'static str, list: Memo<Option<List>>, make: fn(String) -> Setting| {
        let (choices, chosen) = parts(list);
        is_there.then(|| {
            let on_change = move |key: String| set(host, Some(make(key)));
            view! { <SelectField label=label name=name choices=choices value=chosen on_change=on_change /> }
        })
    };
    move || {
        let (has_chart, has_beside) = has.get();
        (has_chart || has_beside).then(|| {
            view! {
                <div class="tool-row">
                    {list(has_chart, "Chart", "chart", chart, Setting::Chart)}
                    {list(has_beside, "Compare with", "beside", beside, Setting::Beside)}
                </div>
            }
        })
    }
}

fn look(host: Host<Figure>, view: Memo<View>) -> impl IntoView {
    let width = Memo::new(move |_| view.with(|view| view.width.clone()));
    let font = Memo::new(move |_| view.with(|view| view.font.clone()));
    let palette = Memo::new(move |_| view.with(|view| view.palette.word().to_owned()));
    let has_title = Memo::new(move |_| view.with(|view| view.has_title));
    let legend = Memo::new(move |_| view.with(|view| view.has_legend));
    let can_have_legend = Memo::new(move |_| legend.get().is_some());
    let title_of = |palette: Palette| match palette {
        Palette::Light => "light",
        Palette::Dark => "dark",
        Palette::Print => "print: grays and patterns",
    };
    let palettes: Choices = Palette::ALL.iter().map(|&palette| (palette.word().to_owned(), title_of(palette).to_owned())).collect();
    let legend_box = move || {
        can_have_legend.get().then(|| {
            let value = Signal::derive(move || legend.get().unwrap_or_default());
            view! { <TickField label="Legend" name="legend" value=value on_change=move |is_on| set(host, Some(Setting::Legend(is_on))) /> }
        })
    };
    view! {
        <div class="tool-row">
            {number(host, "width", "Width, px ", width, Setting::Width)}
            {number(host, "font", "Text size, px ", font, Setting::Font)}
            <SelectField
                label="Colors"
                name="palette"
                choices=palettes
                value=palette
                on_change=move |word: String| set(host, Palette::from_word(&word).map(Setting::Palette))
            />
        </div>
        <div class="tool-row">
            <TickField label="Title" name="title" value=has_title on_change=move |is_on| set(host, Some(Setting::Title(is_on))) />
            {legend_box}
        </div>
    }
}

fn number(host: Host<Figure>, name: &'static str, label: &'static str, of: Memo<Number>, make: fn(String) -> Setting) -> impl IntoView {
    let text = Memo::new(move |_| of.with(|of| of.text.clone()));
    let is_wrong = Memo::new(move |_| of.with(|of| of.is_wrong));
    let on_change = move |text| set(host, Some(make(text)));
    view! {
        <TextField label=label name=name size=5 is_number=true text=text is_wrong=is_wrong described_by="figure-problem" on_change=on_change />
    }
}

fn preview(view: Memo<View>) -> impl IntoView {
    let problem = Memo::new(move |_| view.with(|view| view.picture.as_ref().err().cloned()));
    let of = move |part: fn(&blockstep_tools::figure::Preview) -> &String| {
        Memo::new(move |_| view.with(|view| view.picture.as_ref().map(|picture| part(picture).clone()).unwrap_or_default()))
    };
    let (svg, description, size) = (of(|picture| &picture.svg), of(|picture| &picture.description), of(|picture| &picture.size));
    move || match problem.get() {
        Some(text) => view! { <p class="verdict-bad" role="alert" id="figure-problem">{safe(&text)}</p> }.into_any(),
        None => view! {
            <Picture svg=svg label=description class="figure-preview" />
            <p class="tool-note">{move || size.get()}</p>
        }
        .into_any(),
    }
}

fn save_button(host: Host<Figure>, kind: FileKind, name: &'static str, class: Option<&'static str>, is_off: Signal<bool>) -> impl IntoView {
    view! {
        <button type="button" class=class disabled=move || is_off.get() on:click=move |_| host.send(Msg::Save(kind))>{name}</button>
    }
}

fn saves(host: Host<Figure>, view: Memo<View>) -> impl IntoView {
    let is_off = Signal::from(Memo::new(move |_| view.with(|view| view.picture.is_err())));
    let scale = Memo::new(move |_| view.with(|view| view.scale.clone()));
    let scales: Choices = (1..=4).map(|n| (n.to_string(), format!("{n} ×"))).collect();
    view! {
        <div class="tool-row">
            {save_button(host, FileKind::Svg, "Save SVG", Some("primary"), is_off)}
            {save_button(host, FileKind::Png, "Save PNG", None, is_off)}
            <SelectField
                label="PNG scale"
                name="scale"
                choices=scales
                value=scale
                on_change=move |word: String| set(host, word.parse().ok().map(Setting::Scale))
            />
        </div>
    }
}

fn latex(host: Host<Figure>, view: Memo<View>) -> impl IntoView {
    let is_off = Signal::from(Memo::new(move |_| view.with(|view| view.picture.is_err())));
    let list = move |of: fn(&Tex) -> &List| parts(Memo::new(move |_| view.with(|view| Some(of(&view.tex).clone()))));
    let (widths, width) = list(|tex| &tex.width);
    let (sizes, size) = list(|tex| &tex.size);
    let (all_shows, shows) = list(|tex| &tex.shows);
    let steps = Memo::new(move |_| view.with(|view| view.tex.steps.clone()));
    let has_future = Memo::new(move |_| view.with(|view| view.tex.has_future));
    let is_fragment = Memo::new(move |_| view.with(|view| view.tex.is_fragment));
    let on_shows = move |word: String| set(host, Shows::from_word(&word).map(Setting::TexShows));
    view! {
        <div class="tool-row">
            <SelectField
                label="Width"
                name="tex-width"
                choices=widths
                value=width
                on_change=move |word: String| set(host, word.parse().ok().map(Setting::TexWidth))
            />
            <SelectField
                label="Text size"
                name="tex-size"
                choices=sizes
                value=size
                on_change=move |word: String| set(host, word.parse().ok().map(Setting::TexSize))
            />
        </div>
        <div class="tool-row">{save_button(host, FileKind::Tikz, "Save TikZ", None, is_off)}</div>
        <h3>"Slides of steps (Beamer)"</h3>
        <div class="tool-row">
            <SelectField label="Show" name="tex-shows" choices=all_shows value=shows on_change=on_shows />
            <TextField
                label="Steps"
                name="tex-steps"
                size=18
                placeholder="all, or 12, 20-30, 1.1 s".to_owned()
                text=steps
                on_change=move |text| set(host, Some(Setting::TexSteps(text)))
            />
            <TickField
                label="Include future events in the timeline"
                name="tex-future"
                value=has_future
                on_change=move |is_on| set(host, Some(Setting::TexFuture(is_on)))
            />
        </div>
        <div class="tool-row">
            {save_button(host, FileKind::Beamer, "Save Beamer slides", None, Signal::stored(false))}
            <TickField
                label="For \\input in your own document"
                name="tex-fragment"
                value=is_fragment
                on_change=move |is_on| set(host, Some(Setting::TexFragment(is_on)))
            />
        </div>
    }
}
