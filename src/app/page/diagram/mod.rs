//! The panel of the queue diagram.
//!
//! Depends on the page's state and on the shared diagram. Invariant: a click on an operation selects its kernel and asks about it.

mod motion;
mod texts;

use leptos::prelude::*;

use crate::app::components::{Look, QueueDiagram};
use crate::app::state::AppState;
use crate::units::OpId;

/// The panel.
#[component]
pub(super) fn Diagram() -> impl IntoView {
    let state = expect_context::<AppState>();
    let grid = NodeRef::<leptos::html::Div>::new();
    motion::animate_moves(state, grid);
    let look = Memo::new(move |_| Look { is_dark: state.settings.is_dark(), selected: state.selection.selected_row() });
    let on_select = move |op: OpId| state.selection.ask(op, None);
    view! {
        <section class="panel diagram" aria-labelledby="diagram-title">
            <div class="panel-head">
                <h2 id="diagram-title">{texts::TITLE}</h2>
                <p class="legend quiet">{texts::legend()}</p>
            </div>
            <div id="queues" tabindex="-1" class="diagram-grid" node_ref=grid>
                <QueueDiagram view=state.cursor.queues look=look on_select=on_select />
            </div>
        </section>
    }
}
