//! The panel of the queue diagram.
//!
//! Invariant: a click on an operation selects its kernel and asks about it.

mod motion;

use leptos::prelude::*;

use crate::panels::open_tool::OpenTool;
use crate::state::AppState;
use blockstep_sim::units::OpId;
use blockstep_tools::ToolId;
use blockstep_ui::{DiagramOptions, PathDiagram, QueueDiagram, TermLink, on_chip_key};
use blockstep_view::labels::LabelTerm;

const QUEUES: &str = "Queues";
const PATH: &str = "Path";

#[component]
pub(super) fn Diagram() -> impl IntoView {
    let state = expect_context::<AppState>();
    let grid = NodeRef::<leptos::html::Div>::new();
    motion::animate_moves(state, grid);
    let look = Memo::new(move |_| DiagramOptions { is_dark: state.settings.is_dark(), selected: state.selection.selected_row() });
    let has_path = Memo::new(move |_| state.cursor.queues.with(|queues| queues.scheduler.is_some()));
    let is_path = Memo::new(move |_| has_path.get() && state.settings.is_path_shown.get());
    let on_select = move |op: OpId| state.selection.ask(op, None);
    view! {
        <section class="panel diagram" aria-labelledby="diagram-title">
            <div class="panel-head">
                <Title has_path=has_path />
                <p class="legend quiet">
                    <span class="item sample">"K1"</span> " waits " <span class="item sample dispatched">"K1"</span> " partly "
                    <span class="item sample dispatched fully">"K1"</span> " "
                    <TermLink term=LabelTerm::FullyDispatched text="fully dispatched" /> " "
                    <span class="item sample changed">"K1"</span> " changed by this step "
                    <OpenTool tool=ToolId::Glossary class="link">"Terms"</OpenTool>
                </p>
            </div>
            <div
                id="queues"
                tabindex="0"
                class="diagram-grid"
                role="group"
                aria-label=move || format!("{}: the arrow down leads to what is queued", if is_path.get() { PATH } else { QUEUES })
                node_ref=grid
                on:keydown=on_chip_key
            >
                <Show
                    when=move || is_path.get()
                    fallback=move || view! { <QueueDiagram view=state.cursor.queues look=look on_select=on_select /> }
                >
                    <PathDiagram view=state.cursor.path look=look on_select=on_select />
                </Show>
            </div>
        </section>
    }
}

/// What is shown; where processes take turns, a choice of two.
#[component]
fn Title(has_path: Memo<bool>) -> impl IntoView {
    let shown = expect_context::<AppState>().settings.is_path_shown;
    let choice = move |(title, is_path, about): (&'static str, bool, &'static str)| {
        view! {
            <button
                class="small"
                title=about
                aria-pressed=move || (shown.get() == is_path).to_string()
                data-diagram=title
                on:click=move |_| shown.set(is_path)
            >
                {title}
            </button>
        }
    };
    let choices = [
        (QUEUES, false, "Stream queues, EE and CE queues, and the GPU of each process ([TX2] Fig. 4)"),
        (PATH, true, "From the guests past the scheduler to the engines ([EDF] Fig. 2b)"),
    ];
    view! {
        <h2 id="diagram-title" class:visually-hidden=move || has_path.get()>
            {move || if has_path.get() && shown.get() { PATH } else { QUEUES }}
        </h2>
        <Show when=move || has_path.get()>
            <div class="diagram-choice" role="group" aria-label="Diagram">
                {choices.map(choice).collect_view()}
            </div>
        </Show>
    }
}
