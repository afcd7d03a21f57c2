//! The timeline in tables: what runs now, and every block, operation and job of the run.
//!
//! Invariant: each row stands for one thing that the timeline draws, with the step that began it; while a question is open nothing is
//! told that comes after the step.

mod rows;
mod state;
mod view;

pub use state::{RunTable, State};
pub use view::{PageRow, Pages, View};

use crate::tool::{Context, Effects, Event, NoMsg, Tool, ToolError};
use blockstep_view::quantity::{format_count, format_time};
use state::PAGE;

pub struct RunTables;

impl Tool for RunTables {
    type State = State;
    type Msg = NoMsg;
    type View = View;

    fn update(_: &mut State, _: Event<NoMsg>, _: &mut Context<'_>) -> Result<Effects, ToolError> {
        Ok(Vec::new())
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let place = &context.place;
        let table = state.table();
        let (head, rows) = rows::rows(place, table);
        let now = format_time(place.at.ns());
        let caption = match rows.len() {
            0 => format!("{} at {now}: nothing", table.title()),
            n if table == RunTable::Now => format!("{} at {now}: {n}", table.title()),
            n => format!("{}: {}", table.title(), format_count(n as u64)),
        };
        let count = rows.len().div_ceil(PAGE).max(1);
        let page = state.page.unwrap_or(0).min(count - 1);
        let pages = (count > 1).then(|| Pages {
            place: format!("page {} of {}", page + 1, format_count(count as u64)),
            earlier: page.checked_sub(1),
            later: Some(page + 1).filter(|&page| page < count),
        });
        Ok(View {
            notice: place.is_future_hidden.then(|| "Answer the question to see more.".to_owned()),
            caption,
            head: head.iter().map(|&title| title.to_owned()).collect(),
            rows: rows.into_iter().skip(page * PAGE).take(PAGE).collect(),
            pages,
        })
    }
}
