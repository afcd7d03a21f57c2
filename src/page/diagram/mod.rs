//! The panel of the queue diagram.
//!
//! Invariant: a click on an operation selects its kernel and asks about it.

mod motion;

use leptos::prelude::*;

use crate::components::{DiagramOptions, QueueDiagram, on_chip_key};
use crate::state::AppState;
use blockstep_sim::units::OpId;

#[component]
pub(super) fn Diagram() -> impl IntoView {
    let state = expect_context::<AppState>();
    let grid = NodeRef::<leptos::html::Div>::new();
    motion::animate_moves(state, grid);
    let look = Memo::new(move |_| DiagramOptions { is_dark: state.settings.is_dark(), selected: state.selection.selected_row() });
    let on_select = move |op: OpId| state.selection.ask(op, None);
    view! {
        <section class="panel diagram" aria-labelledby="diagram-title">
            <div class="panel-head">
                <h2 id="diagram-title">"Queues"</h2>
                <p class="legend quiet">
                    <span class="item sample">"K1"</span> " waits " <span class="item sample dispatched">"K1"</span> " partly "
                    <span class="item sample dispatched fully">"K1"</span> " fully dispatched "
                    <span class="item sample changed">"K1"</span> " changed by this step"
                </p>
            </div>
            <div
                id="queues"
                tabindex="0"
                class="diagram-grid"
                role="group"
                aria-label="Queues: the arrow down leads to what is queued"
                node_ref=grid
                on:keydown=on_chip_key
            >
                <QueueDiagram view=state.cursor.queues look=look on_select=on_select />
            </div>
        </section>
    }
}
