//! The page of a sweep: a number that varies, a chart of what its runs came to, their table, and each run to step through.
//!
//! Invariants: what stands in the table is text; a run is opened by its number.

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;

use crate::components::PoolProgress;
use crate::panels::panel::{Host, Panel, StateForm};
use crate::state::pool::Stage;
use crate::state::{AppState, reading};
use blockstep_tools::sweep::{Msg, PointView, Sweep, SweepView, View};
use blockstep_ui::{FilePicker, LongRows, Picture, SelectField, Shape, TextField, Window, WindowBox, safe};

impl Panel for Sweep {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let state = expect_context::<AppState>();
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let has_form = Memo::new(move |_| view.with(|view| view.form.is_some()));
        let has_table = Memo::new(move |_| view.with(|view| view.sweep.is_some()));
        let picker = move || {
            view! {
                <FilePicker
                    class="small"
                    label="Open a table…"
                    field="sweep-files"
                    name="Tables of a sweep"
                    accept=".csv,.txt,text/csv"
                    on_files=move |picked| reading::read_all(state, picked, move |files| host.send(Msg::Add(files)))
                />
            }
        };
        let content = move || {
            if has_table.get() { sweep(host, view, picker()).into_any() } else { nothing(picker()).into_any() }
        };
        view! {
            {move || has_form.get().then(|| form(host, view))}
            {progress(state)}
            {move || problem.get().map(|problem| view! { <p class="field-error" role="alert">{problem}</p> })}
            {content}
        }
        .into_any()
    }
}

/// What is to vary, and its values.
fn form(host: Host<Sweep>, view: Memo<View>) -> impl IntoView {
    let state = expect_context::<AppState>();
    let form = StateForm::new(host);
    let of = move |of: fn(&blockstep_tools::sweep::FormView) -> String| {
        Memo::new(move |_| view.with(|view| view.form.as_ref().map(of).unwrap_or_default()))
    };
    let numbers = Memo::new(move |_| view.with(|view| view.form.as_ref().map(|form| form.numbers.clone()).unwrap_or_default()));
    let problem = Memo::new(move |_| view.with(|view| view.form.as_ref().and_then(|form| form.problem.clone())));
    let (scenario, hint) = (of(|form| form.of.clone()), of(|form| form.hint.clone()));
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if !state.sweep.stage().is_under_way() {
            host.send(Msg::Run);
        }
    };
    view! {
        <form class="sweep-form" novalidate on:submit=submit>
            <p>"Runs “" {move || safe(&scenario.get())} "” once for each value, and draws what comes of it."</p>
            <div class="tool-row">
                <SelectField
                    label="Vary"
                    name="sweep-number"
                    choices=numbers
                    value=of(|form| form.number.clone())
                    on_change=move |field| host.send(Msg::Vary(field))
                />
                <TextField
                    label="Values"
                    name="sweep-values"
                    size=26
                    text=of(|form| form.values.clone())
                    is_wrong=Signal::derive(move || problem.with(Option::is_some))
                    described_by="sweep-problem"
                    on_change=form.set(|state, values| state.values = values)
                />
                {form.tick("under each policy".to_owned(), "sweep-policy", |state| state.by_policy, |state, on| state.by_policy = on)}
                <button class="primary" id="sweep-run">"Run"</button>
            </div>
            <p class="tool-note">{hint}</p>
            <p class="field-error" id="sweep-problem" role="alert">{move || problem.get().map(|problem| safe(&problem))}</p>
        </form>
    }
}

/// How many runs are made, with a way to cancel the rest.
fn progress(state: AppState) -> impl IntoView {
    let pool = state.sweep;
    let stage = Memo::new(move |_| pool.standing.with(|standing| standing.stage));
    let line = move || {
        (stage.get() != Stage::None).then(|| {
            let cancel = move || {
                let on_click = move |_| pool.finish(Stage::Cancelled);
                stage.get().is_under_way().then(|| view! { <button type="button" class="small" on:click=on_click>"Cancel"</button> })
            };
            view! {
                <div class="tool-row sweep-progress" role="group" aria-label="Progress">
                    <PoolProgress standing=pool.standing id="sweep" label="Runs made" />
                    {cancel}
                </div>
            }
        })
    };
    view! { {line} }
}

/// Where a table comes from that was made elsewhere.
fn nothing(picker: impl IntoView) -> impl IntoView {
    view! {
        <p class="tool-note">
            "The command line varies several fields at once, and makes more runs. Drop its table here: "
            <code>"blockstep sweep table1.json --vary 'kernels[K3].blocks=1..=64' > runs.csv"</code>
        </p>
        <div class="tool-row">{picker}</div>
    }
}

/// A share of what is shown, which stays as it is when another one changes.
fn part<V>(view: Memo<View>, of: impl Fn(&SweepView) -> V + Send + Sync + 'static) -> Memo<V>
where
    V: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| view.with(|view| view.sweep.as_ref().map(&of).unwrap_or_default()))
}

fn sweep(host: Host<Sweep>, view: Memo<View>, picker: impl IntoView) -> impl IntoView {
    let heading = part(view, |sweep| sweep.heading.clone());
    let about = part(view, |sweep| sweep.about.clone());
    let missing = part(view, |sweep| sweep.missing.clone());
    let measures = part(view, |sweep| sweep.measures.clone());
    let measure = part(view, |sweep| sweep.measure.clone());
    let chart = part(view, |sweep| sweep.chart.clone());
    let said = part(view, |sweep| sweep.said.clone());
    let has_chart = Memo::new(move |_| chart.with(|chart| !chart.is_empty()));
    let shown = part(view, |sweep| sweep.shown.clone());
    let label = Signal::derive(move || safe(&said.get()));
    let picture = move || {
        if has_chart.get() {
            view! { <Chart host=host view=view svg=chart label=label /> }.into_any()
        } else {
            view! { <p class="tool-note">{label}</p> }.into_any()
        }
    };
    view! {
        <div class="sweep-head">
            <h3>{move || safe(&heading.get())}</h3>
            <p>{move || safe(&about.get())}</p>
            {move || missing.get().map(|missing| view! { <p class="sweep-missing">{missing}</p> })}
        </div>
        <div class="tool-row">
            <SelectField label="Measure" name="sweep-measure" choices=measures value=measure on_change=move |of| host.send(Msg::Draw(of)) />
            <button type="button" class="small" disabled=move || !has_chart.get() on:click=move |_| host.send(Msg::SaveSvg)>"Save SVG"</button>
            <button type="button" class="small" on:click=move |_| host.send(Msg::SaveCsv)>"Save CSV"</button>
            {picker}
        </div>
        {picture}
        {table(host, view)}
        {move || shown.get().map(|shown| view! { <p class="tool-note">{shown}</p> })}
    }
}

/// How near the pointer has to be to a point, px of the picture.
const REACH_PX: f64 = 16.0;

/// The picture, whose points open their runs: by the pointer, and by a button that the arrow keys move from one to the next.
#[component]
fn Chart(host: Host<Sweep>, view: Memo<View>, svg: Memo<String>, #[prop(into)] label: Signal<String>) -> impl IntoView {
    let points = part(view, |sweep| sweep.points.clone());
    let size = part(view, |sweep| sweep.chart_px);
    let (at, place) = (RwSignal::new(0_usize), NodeRef::<Div>::new());
    let current = Memo::new(move |_| points.with(|points| points.get(at.get()).or(points.first()).cloned()));
    let nearest = move |event: &ev::MouseEvent| {
        let rect = place.get_untracked()?.get_bounding_client_rect();
        let scale = f64::from(size.get_untracked().0) / rect.width().max(1.0);
        let (x, y) = ((f64::from(event.client_x()) - rect.left()) * scale, (f64::from(event.client_y()) - rect.top()) * scale);
        let away = |point: &PointView| (f64::from(point.at.0) - x).hypot(f64::from(point.at.1) - y);
        points.with_untracked(|points| {
            let near = points.iter().map(away).enumerate().filter(|(_, away)| *away <= REACH_PX * scale.max(1.0));
            near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(place, _)| place)
        })
    };
    let open = move |place: usize| {
        if let Some(run) = points.with_untracked(|points| points.get(place).map(|point| point.run)) {
            host.send(Msg::Open(run));
        }
    };
    let on_move = move |event: ev::PointerEvent| {
        if let Some(near) = nearest(&event).filter(|near| *near != at.get_untracked()) {
            at.set(near);
        }
    };
    let on_click = move |event: ev::MouseEvent| nearest(&event).into_iter().for_each(open);
    // The next point of the curve, or the one above or below it on another curve.
    let on_key = move |event: ev::KeyboardEvent| {
        let (is_back, is_across) = match event.key().as_str() {
            "ArrowLeft" => (true, false),
            "ArrowRight" => (false, false),
            "ArrowUp" => (true, true),
            "ArrowDown" => (false, true),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        let now = at.get_untracked();
        let next = points.with_untracked(|points| {
            let x = points.get(now)?.at.0;
            let place = |by: usize| (now + if is_back { points.len() - by } else { by }) % points.len();
            (1..points.len()).map(place).find(|place| !is_across || points[*place].at.0 == x)
        });
        next.into_iter().for_each(|next| at.set(next));
    };
    let share = |part: i32, of: u32| format!("{}%", f64::from(part) * 100.0 / f64::from(of.max(1)));
    let text = move || current.with(|point| point.as_ref().map(|point| safe(&point.text)).unwrap_or_default());
    let has_points = Memo::new(move |_| current.with(Option::is_some));
    let button = move || {
        has_points.get().then(|| {
            let left = move || current.with(|point| point.as_ref().map(|point| share(point.at.0, size.get().0)));
            let top = move || current.with(|point| point.as_ref().map(|point| share(point.at.1, size.get().1)));
            let on_click = move |event: ev::MouseEvent| {
                // That of the picture looks for the point under the pointer, which Enter has not.
                event.stop_propagation();
                open(at.get_untracked());
            };
            view! {
                <button
                    type="button"
                    class="sweep-point"
                    aria-label=move || format!("Open {}", text())
                    style:left=left
                    style:top=top
                    on:click=on_click
                    on:keydown=on_key
                ></button>
            }
        })
    };
    let told = move || {
        let hint = "Click a point to open its run; the arrow keys and Enter do it, too.";
        has_points.get().then(|| view! { <p class="tool-note" id="sweep-at">{text} ". " {hint}</p> })
    };
    view! {
        <div class="sweep-chart" node_ref=place on:pointermove=on_move on:click=on_click>
            <Picture class="picture sweep-picture" svg=svg label=label />
            {button}
        </div>
        {told}
    }
}

/// Runs; of a long table the rows in sight exist.
const RUNS: Shape = Shape { whole: 100, items: "tbody tr[data-run]" };

fn table(host: Host<Sweep>, view: Memo<View>) -> impl IntoView {
    let rows = part(view, |sweep| sweep.rows.clone());
    let columns = part(view, |sweep| sweep.columns.clone());
    let count = Memo::new(move |_| rows.with(Vec::len));
    let window = Window::new(count, RUNS);
    let class = move |place: usize| {
        let is_number = view.with_untracked(|view| view.sweep.as_ref().is_some_and(|sweep| sweep.are_numbers.get(place) == Some(&true)));
        is_number.then_some("num")
    };
    let head = move |(place, (name, title)): (usize, (String, String))| {
        let (title, key) = (safe(&title), name.clone());
        // By the column, and whether the greatest is first.
        let order = move || {
            let sorted = view.with(|view| view.sweep.as_ref().filter(|sweep| sweep.by == key).map(|sweep| sweep.is_descending));
            match sorted {
                None => ("none", ""),
                Some(false) => ("ascending", " ▲"),
                Some(true) => ("descending", " ▼"),
            }
        };
        let arrow = order.clone();
        view! {
            <th scope="col" class=class(place) aria-sort=move || order().0>
                <button type="button" class="link" on:click=move |_| host.send(Msg::Sort(name.clone()))>
                    {title}
                    <span aria-hidden="true">{move || arrow().1}</span>
                </button>
            </th>
        }
    };
    let heads = move || {
        let heads = columns.get().into_iter().enumerate().map(head).collect_view();
        view! { <tr>{heads}</tr> }
    };
    let line = move |row: Vec<String>, number: usize| {
        let run = row.first().cloned().unwrap_or_default();
        let open = {
            let run = run.parse().unwrap_or_default();
            move |_| host.send(Msg::Open(run))
        };
        let cells = row.into_iter().enumerate().skip(1).map(|(place, cell)| view! { <td class=class(place)>{safe(&cell)}</td> });
        view! {
            <tr data-run aria-rowindex=number + 2>
                // It stays in sight while the others are scrolled.
                <th scope="row" class="num">
                    <button type="button" class="link" on:click=open>
                        "Open"
                        <span class="visually-hidden">" run"</span>
                        {format!(" {run}")}
                    </button>
                </th>
                {cells.collect_view()}
            </tr>
        }
    };
    let in_sight = move || {
        let first = window.items.get().start;
        window.in_sight(rows).into_iter().zip(first..).map(|(row, number)| line(row, number)).collect_view()
    };
    view! {
        <div role="region" aria-label="Runs">
            <WindowBox window=window classes=("tool-scroll sweep-table", "tool-scroll sweep-table")>
                <table class="tool-table" id="sweep-table" aria-rowcount=move || (count.get() + 1).to_string()>
                    <thead>{heads}</thead>
                    <LongRows window=window>{in_sight}</LongRows>
                </table>
            </WindowBox>
        </div>
    }
}
