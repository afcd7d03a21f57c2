//! The panel of figures.
//!
//! Invariant: every control has a label and follows its own part of what is shown, so that it keeps the focus and what is being
//! typed.

use leptos::prelude::*;

use crate::components::{StepLink, TimeLink};
use crate::panels::panel::{Host, Panel, StateForm};
use crate::state::AppState;
use crate::state::video::VideoMaker;
use blockstep_draw::figure::Palette;
use blockstep_report::slides::Shows;
use blockstep_sim::scenario::Choice;
use blockstep_tools::figure::{
    ChoiceList, Controls, Figure, FigureField, FigureKind, FigurePreview, FileKind, Msg, State, StripStop, TimelinePart, To, View,
};
use blockstep_ui::{Choices, Picture, SelectField, TextField, safe};

const FIGURES: [(FigureKind, &str); 4] = [
    (FigureKind::Timeline, "Timeline"),
    (FigureKind::Queues, "Queue diagram at this step"),
    (FigureKind::Strip, "Strip of queue diagrams"),
    (FigureKind::Chart, "Chart of the results"),
];
const PALETTES: [(Palette, &str); 3] = [(Palette::Light, "light"), (Palette::Dark, "dark"), (Palette::Print, "print: grays and patterns")];
const SHOWS: [(Shows, &str); 3] = [(Shows::Timeline, "the timeline"), (Shows::Queues, "the queue diagram"), (Shows::Both, "both")];

impl Panel for Figure {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let form = StateForm::new(host);
        let figure = form.part(|state| state.figure);
        let of_figure = move || match figure.get() {
            FigureKind::Timeline => timeline(form, view).into_any(),
            FigureKind::Queues => queues(view).into_any(),
            FigureKind::Strip => strip(host, form, view).into_any(),
            FigureKind::Chart => chart(form, view).into_any(),
        };
        let unsaved = form.part(|state| state.unsaved.clone());
        view! {
            <div class="tool-row">{form.choice("Figure", "figure", FigureKind::word, &FIGURES, |state| state.figure, |state, of| state.figure = of)}</div>
            {of_figure}
            {look(form, view)}
            {preview(view)}
            <div data-part="image">{saves(host, form, view)}</div>
            <div data-part="latex">{latex(host, form, view)}</div>
            {move || unsaved.with(|why| (!why.is_empty()).then(|| view! { <p class="verdict-bad" role="alert">{safe(why)}</p> }))}
        }
        .into_any()
    }
}

/// Options and what is chosen of a list.
fn parts(list: Signal<ChoiceList>) -> (Signal<Choices>, Signal<String>) {
    (Signal::derive(move || list.with(|list| list.options.clone())), Signal::derive(move || list.with(|list| list.chosen.clone())))
}

fn timeline(form: StateForm<Figure>, view: Memo<View>) -> impl IntoView {
    let choices = Memo::new(move |_| {
        view.with(|view| match &view.controls {
            Controls::Timeline { shown, .. } => {
                let of = |part: TimelinePart, name: &str| (part.word().to_owned(), name.to_owned());
                vec![of(TimelinePart::Shown, shown), of(TimelinePart::All, "the whole run, nothing selected")]
            }
            _ => Vec::new(),
        })
    });
    let line = Memo::new(move |_| {
        view.with(|view| if let Controls::Timeline { line, .. } = &view.controls { line.clone() } else { String::new() })
    });
    view! {
        <div class="tool-row">
            <SelectField
                label="Part"
                name="part"
                choices=choices
                value=form.part(|state| state.part.word().to_owned())
                on_change=form.set(|state, word: String| state.part = TimelinePart::from_word(&word).unwrap_or_default())
            />
            {form.tick(line, "line", State::has_line, |state, is_on| state.line = Some(is_on))}
        </div>
    }
}

fn queues(view: Memo<View>) -> impl IntoView {
    let said = Memo::new(move |_| view.with(|view| if let Controls::Queues(said) = &view.controls { said.clone() } else { String::new() }));
    view! { <p class="tool-note">{move || said.with(|said| safe(said))}</p> }
}

fn strip(host: Host<Figure>, form: StateForm<Figure>, view: Memo<View>) -> impl IntoView {
    let stops = Memo::new(move |_| view.with(|view| if let Controls::Strip(stops) = &view.controls { stops.clone() } else { Vec::new() }));
    let has_some = Memo::new(move |_| stops.with(|stops| !stops.is_empty()));
    let (choices, chosen) = parts(form.part(State::column_choices));
    let on_columns = form.set(|state, word: String| state.columns = word.parse().ok());
    let with_some = move || {
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

fn chart(form: StateForm<Figure>, view: Memo<View>) -> impl IntoView {
    let lists = Memo::new(move |_| {
        view.with(
            |view| if let Controls::Chart { chart, beside } = &view.controls { (chart.clone(), beside.clone()) } else { (None, None) },
        )
    });
    let has = Memo::new(move |_| lists.with(|(chart, beside)| (chart.is_some(), beside.is_some())));
    let (charts, chart) = parts(Signal::derive(move || lists.with(|lists| lists.0.clone().unwrap_or_default())));
    let (runs, beside) = parts(Signal::derive(move || lists.with(|lists| lists.1.clone().unwrap_or_default())));
    let on_chart = form.set(|state, key| state.chart = key);
    let on_beside = form.set(|state, key| state.beside = key);
    move || {
        let (has_chart, has_beside) = has.get();
        let of_chart =
            has_chart.then(|| view! { <SelectField label="Chart" name="chart" choices=charts value=chart on_change=on_chart /> });
        let of_beside =
            has_beside.then(|| view! { <SelectField label="Compare with" name="beside" choices=runs value=beside on_change=on_beside /> });
        (has_chart || has_beside).then(|| view! { <div class="tool-row">{of_chart} {of_beside}</div> })
    }
}

fn look(form: StateForm<Figure>, view: Memo<View>) -> impl IntoView {
    let wrong = move |field: FigureField| {
        Memo::new(move |_| view.with(|view| view.picture.as_ref().is_err_and(|problem| problem.field == Some(field))))
    };
    let can_have_legend = form.part(|state| state.figure != FigureKind::Timeline);
    let legend =
        move || can_have_legend.get().then(|| form.tick("Legend", "legend", State::has_legend, |state, is_on| state.legend = Some(is_on)));
    view! {
        <div class="tool-row">
            <TextField
                label="Width, px "
                name="width"
                size=5
                is_number=true
                text=form.part(|state| state.width().to_owned())
                is_wrong=wrong(FigureField::Width)
                described_by="figure-problem"
                on_change=form.set(|state, text| state.width = text)
            />
            <TextField
                label="Text size, px "
                name="font"
                size=5
                is_number=true
                text=form.part(|state| state.font().to_owned())
                is_wrong=wrong(FigureField::Font)
                described_by="figure-problem"
                on_change=form.set(|state, text| state.font = text)
            />
            {form.choice("Colors", "palette", Palette::word, &PALETTES, |state| state.palette, |state, of| state.palette = of)}
        </div>
        <div class="tool-row">
            {form.tick("Title", "title", State::has_title, |state, is_on| state.title = Some(is_on))}
            {legend}
        </div>
    }
}

/// The figure, or what is wrong.
fn preview(view: Memo<View>) -> impl IntoView {
    let problem = Memo::new(move |_| view.with(|view| view.picture.as_ref().err().map(|problem| problem.text.clone())));
    let of = move |part: fn(&FigurePreview) -> &String| {
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

fn saves(host: Host<Figure>, form: StateForm<Figure>, view: Memo<View>) -> impl IntoView {
    let is_off = Signal::from(Memo::new(move |_| view.with(|view| view.picture.is_err())));
    let (delays, delay) = parts(form.part(State::gif_delays));
    let scales: Choices = (1..=4).map(|n| (n.to_string(), format!("{n} ×"))).collect();
    view! {
        <div class="tool-row">
            {save_button(host, FileKind::Svg, "Save SVG", Some("primary"), is_off)}
            {save_button(host, FileKind::Png, "Save PNG", None, is_off)}
            <SelectField
                label="Scale of PNG, GIF and video"
                name="scale"
                choices=scales
                value=form.part(|state| state.scale().to_owned())
                on_change=form.set(|state, word| state.scale = word)
            />
        </div>
        <h3>"Steps as a GIF or video"</h3>
        <div class="tool-row">
            {form.choice("Show", "gif-shows", Shows::word, &SHOWS, |state| state.gif_shows, |state, of| state.gif_shows = of)}
            <TextField
                label="Steps"
                name="gif-steps"
                size=18
                placeholder="all, or 12-30".to_owned()
                text=form.part(|state| state.gif_steps.clone())
                on_change=form.set(|state, text| state.gif_steps = text)
            />
            <SelectField
                label="Each stays"
                name="gif-delay"
                choices=delays
                value=delay
                on_change=form.set(|state, word| state.gif_delay = word)
            />
            {form.tick("Captions", "gif-captions", State::has_captions, |state, is_on| state.gif_captions = Some(is_on))}
        </div>
        <div class="tool-row">
            {save_button(host, FileKind::Gif, "Save GIF", None, is_off)}
            {VideoMaker::is_possible().then(|| video(host, is_off))}
        </div>
    }
}

/// The button that makes a video, and how far that is.
fn video(host: Host<Figure>, is_off: Signal<bool>) -> impl IntoView {
    let maker = expect_context::<AppState>().video;
    let is_making = Memo::new(move |_| maker.frame().is_some());
    let how_far = move || maker.frame().map(|(at, of)| format!("Encoding step {at} of {of}"));
    let progress = move || {
        is_making.get().then(|| {
            view! {
                <span class="busy">
                    <span role="status">{how_far}</span>
                    <button type="button" class="small" on:click=move |_| maker.cancel()>"Cancel"</button>
                </span>
            }
        })
    };
    let is_off = Signal::derive(move || is_off.get() || is_making.get());
    view! {
        {save_button(host, FileKind::Video, "Save video", None, is_off)}
        {progress}
    }
}

fn latex(host: Host<Figure>, form: StateForm<Figure>, view: Memo<View>) -> impl IntoView {
    let is_off = Signal::from(Memo::new(move |_| view.with(|view| view.picture.is_err())));
    let (widths, width) = parts(form.part(State::tex_widths));
    let (sizes, size) = parts(form.part(State::tex_sizes));
    view! {
        <div class="tool-row">
            <SelectField
                label="Width"
                name="tex-width"
                choices=widths
                value=width
                on_change=form.set(|state, word| state.tex_width = word)
            />
            <SelectField
                label="Text size"
                name="tex-size"
                choices=sizes
                value=size
                on_change=form.set(|state, word| state.tex_size = word)
            />
        </div>
        <div class="tool-row">{save_button(host, FileKind::Tikz, "Save TikZ", None, is_off)}</div>
        <h3>"Slides of steps (Beamer)"</h3>
        <div class="tool-row">
            {form.choice("Show", "tex-shows", Shows::word, &SHOWS, |state| state.tex_shows, |state, of| state.tex_shows = of)}
            <TextField
                label="Steps"
                name="tex-steps"
                size=18
                placeholder="all, or 12, 20-30, 1.1 s".to_owned()
                text=form.part(|state| state.tex_steps.clone())
                on_change=form.set(|state, text| state.tex_steps = text)
            />
            {form.tick(
                "Include future events in the timeline",
                "tex-future",
                State::has_future,
                |state, is_on| state.tex_future = Some(is_on),
            )}
        </div>
        <div class="tool-row">
            {save_button(host, FileKind::Beamer, "Save Beamer slides", None, Signal::stored(false))}
            {form.tick(
                "For \\input in your own document",
                "tex-fragment",
                State::is_fragment,
                |state, is_on| state.tex_fragment = Some(is_on),
            )}
        </div>
    }
}
