//! The panel of figures.
//!
//! Invariant: every control has a label and follows its own part of what is shown, so that it keeps the focus and what is being
//! typed.

use leptos::prelude::*;

use crate::components::{ChoiceField, Choices, Picture, SelectField, StepLink, TextField, TickField, TimeLink, safe};
use crate::panels::panel::{Host, Panel};
use blockstep_draw::figure::Palette;
use blockstep_report::slides::Shows;
use blockstep_sim::scenario::Choice;
use blockstep_tools::figure::{Controls, Field, Figure, FileKind, Kind, List, Msg, Part, Preview, State, StripStop, To, View};
use blockstep_tools::tool::memory;

impl Panel for Figure {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let form = Form::new(host, view);
        let kind = form.of(|state| state.figure);
        let of_kind = move || match kind.get() {
            Kind::Timeline => timeline(form, view).into_any(),
            Kind::Queues => queues(view).into_any(),
            Kind::Strip => strip(form, view).into_any(),
            Kind::Chart => chart(form, view).into_any(),
        };
        let unsaved = form.of(|state| state.unsaved.clone());
        view! {
            <div class="tool-row">
                <ChoiceField
                    label="Figure"
                    name="figure"
                    all=Kind::ALL
                    word=Kind::word
                    title=Kind::title
                    value=kind
                    on_change=move |kind| form.edit(|state| state.figure = kind)
                />
            </div>
            {of_kind}
            {look(form, view)}
            {preview(view)}
            <div data-part="image">{saves(form, view)}</div>
            <div data-part="latex">{latex(form, view)}</div>
            {move || unsaved.with(|why| (!why.is_empty()).then(|| view! { <p class="verdict-bad" role="alert">{safe(why)}</p> }))}
        }
        .into_any()
    }
}

/// What the controls hold, and how a reader changes them.
#[derive(Clone, Copy)]
struct Form {
    host: Host<Figure>,
    state: Memo<State>,
    /// With the changes that no answer tells of yet.
    latest: StoredValue<State>,
}

impl Form {
    fn new(host: Host<Figure>, view: Memo<View>) -> Self {
        let state = Memo::new(move |_| view.with(|view| memory::read::<State>(&view.state)));
        let latest = StoredValue::new(state.get_untracked());
        Effect::new(move || latest.set_value(state.get()));
        Self { host, state, latest }
    }

    fn of<T: PartialEq + Clone + Send + Sync + 'static>(self, part: fn(&State) -> T) -> Signal<T> {
        Memo::new(move |_| self.state.with(part)).into()
    }

    fn edit(self, change: impl FnOnce(&mut State)) {
        let earlier = self.latest.get_value();
        self.latest.update_value(change);
        self.host.send(Msg::Edit(self.latest.with_value(|state| state.since(&earlier))));
    }
}

/// Options and what is chosen of a list that may not be there.
fn parts(list: impl Fn() -> Option<List> + Copy + Send + Sync + 'static) -> (Signal<Choices>, Signal<String>) {
    let list = Memo::new(move |_| list().unwrap_or_default());
    (Signal::derive(move || list.with(|list| list.options.clone())), Signal::derive(move || list.with(|list| list.chosen.clone())))
}

fn timeline(form: Form, view: Memo<View>) -> impl IntoView {
    let choices = Memo::new(move |_| {
        view.with(|view| match &view.controls {
            Controls::Timeline { shown, .. } => {
                let of = |part: Part, name: &str| (part.word().to_owned(), name.to_owned());
                vec![of(Part::Shown, shown), of(Part::All, "the whole run, nothing selected")]
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
                value=form.of(|state| state.part.word().to_owned())
                on_change=move |word: String| form.edit(|state| state.part = Part::from_word(&word).unwrap_or_default())
            />
            <TickField
                label=line
                name="line"
                value=form.of(State::has_line)
                on_change=move |is_on| form.edit(|state| state.line = Some(is_on))
            />
        </div>
    }
}

fn queues(view: Memo<View>) -> impl IntoView {
    let said = Memo::new(move |_| view.with(|view| if let Controls::Queues(said) = &view.controls { said.clone() } else { String::new() }));
    view! { <p class="tool-note">{move || said.with(|said| safe(said))}</p> }
}

fn strip(form: Form, view: Memo<View>) -> impl IntoView {
    let host = form.host;
    let stops = Memo::new(move |_| view.with(|view| if let Controls::Strip(stops) = &view.controls { stops.clone() } else { Vec::new() }));
    let has_some = Memo::new(move |_| stops.with(|stops| !stops.is_empty()));
    let (choices, chosen) = parts(move || form.state.with(|state| Some(state.column_choices())));
    let on_columns = move |word: String| form.edit(|state| state.columns = word.parse().ok());
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

fn chart(form: Form, view: Memo<View>) -> impl IntoView {
    let lists = Memo::new(move |_| {
        view.with(
            |view| if let Controls::Chart { chart, beside } = &view.controls { (chart.clone(), beside.clone()) } else { (None, None) },
        )
    });
    let has = Memo::new(move |_| lists.with(|(chart, beside)| (chart.is_some(), beside.is_some())));
    let (charts, chart) = parts(move || lists.with(|lists| lists.0.clone()));
    let (runs, beside) = parts(move || lists.with(|lists| lists.1.clone()));
    let on_chart = move |key| form.edit(|state| state.chart = key);
    let on_beside = move |key| form.edit(|state| state.beside = key);
    move || {
        let (has_chart, has_beside) = has.get();
        let of_chart =
            has_chart.then(|| view! { <SelectField label="Chart" name="chart" choices=charts value=chart on_change=on_chart /> });
        let of_beside =
            has_beside.then(|| view! { <SelectField label="Compare with" name="beside" choices=runs value=beside on_change=on_beside /> });
        (has_chart || has_beside).then(|| view! { <div class="tool-row">{of_chart} {of_beside}</div> })
    }
}

fn look(form: Form, view: Memo<View>) -> impl IntoView {
    let wrong =
        move |field: Field| Memo::new(move |_| view.with(|view| view.picture.as_ref().is_err_and(|problem| problem.field == Some(field))));
    let title_of = |palette: Palette| match palette {
        Palette::Light => "light",
        Palette::Dark => "dark",
        Palette::Print => "print: grays and patterns",
    };
    let can_have_legend = form.of(|state| state.figure != Kind::Timeline);
    let legend = move || {
        let on_change = move |is_on| form.edit(|state| state.legend = Some(is_on));
        can_have_legend
            .get()
            .then(|| view! { <TickField label="Legend" name="legend" value=form.of(State::has_legend) on_change=on_change /> })
    };
    view! {
        <div class="tool-row">
            <TextField
                label="Width, px "
                name="width"
                size=5
                is_number=true
                text=form.of(|state| state.width().to_owned())
                is_wrong=wrong(Field::Width)
                described_by="figure-problem"
                on_change=move |text| form.edit(|state| state.width = text)
            />
            <TextField
                label="Text size, px "
                name="font"
                size=5
                is_number=true
                text=form.of(|state| state.font().to_owned())
                is_wrong=wrong(Field::Font)
                described_by="figure-problem"
                on_change=move |text| form.edit(|state| state.font = text)
            />
            <ChoiceField
                label="Colors"
                name="palette"
                all=&Palette::ALL
                word=Palette::word
                title=title_of
                value=form.of(|state| state.palette)
                on_change=move |palette| form.edit(|state| state.palette = palette)
            />
        </div>
        <div class="tool-row">
            <TickField
                label="Title"
                name="title"
                value=form.of(State::has_title)
                on_change=move |is_on| form.edit(|state| state.title = Some(is_on))
            />
            {legend}
        </div>
    }
}

/// The figure, or what is wrong.
fn preview(view: Memo<View>) -> impl IntoView {
    let problem = Memo::new(move |_| view.with(|view| view.picture.as_ref().err().map(|problem| problem.text.clone())));
    let of = move |part: fn(&Preview) -> &String| {
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

fn saves(form: Form, view: Memo<View>) -> impl IntoView {
    let is_off = Signal::from(Memo::new(move |_| view.with(|view| view.picture.is_err())));
    let scales: Choices = (1..=4).map(|n| (n.to_string(), format!("{n} ×"))).collect();
    view! {
        <div class="tool-row">
            {save_button(form.host, FileKind::Svg, "Save SVG", Some("primary"), is_off)}
            {save_button(form.host, FileKind::Png, "Save PNG", None, is_off)}
            <SelectField
                label="PNG scale"
                name="scale"
                choices=scales
                value=form.of(|state| state.scale().to_owned())
                on_change=move |word| form.edit(|state| state.scale = word)
            />
        </div>
    }
}

fn latex(form: Form, view: Memo<View>) -> impl IntoView {
    let is_off = Signal::from(Memo::new(move |_| view.with(|view| view.picture.is_err())));
    let (widths, width) = parts(move || form.state.with(|state| Some(state.tex_widths())));
    let (sizes, size) = parts(move || form.state.with(|state| Some(state.tex_sizes())));
    let title_of = |shows: Shows| match shows {
        Shows::Timeline => "the timeline",
        Shows::Queues => "the queue diagram",
        Shows::Both => "both",
    };
    view! {
        <div class="tool-row">
            <SelectField
                label="Width"
                name="tex-width"
                choices=widths
                value=width
                on_change=move |word| form.edit(|state| state.tex_width = word)
            />
            <SelectField
                label="Text size"
                name="tex-size"
                choices=sizes
                value=size
                on_change=move |word| form.edit(|state| state.tex_size = word)
            />
        </div>
        <div class="tool-row">{save_button(form.host, FileKind::Tikz, "Save TikZ", None, is_off)}</div>
        <h3>"Slides of steps (Beamer)"</h3>
        <div class="tool-row">
            <ChoiceField
                label="Show"
                name="tex-shows"
                all=&Shows::ALL
                word=Shows::word
                title=title_of
                value=form.of(|state| state.tex_shows)
                on_change=move |shows| form.edit(|state| state.tex_shows = shows)
            />
            <TextField
                label="Steps"
                name="tex-steps"
                size=18
                placeholder="all, or 12, 20-30, 1.1 s".to_owned()
                text=form.of(|state| state.tex_steps.clone())
                on_change=move |text| form.edit(|state| state.tex_steps = text)
            />
            <TickField
                label="Include future events in the timeline"
                name="tex-future"
                value=form.of(State::has_future)
                on_change=move |is_on| form.edit(|state| state.tex_future = Some(is_on))
            />
        </div>
        <div class="tool-row">
            {save_button(form.host, FileKind::Beamer, "Save Beamer slides", None, Signal::stored(false))}
            <TickField
                label="For \\input in your own document"
                name="tex-fragment"
                value=form.of(State::is_fragment)
                on_change=move |is_on| form.edit(|state| state.tex_fragment = Some(is_on))
            />
        </div>
    }
}
