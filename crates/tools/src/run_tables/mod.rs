//! The timeline in tables: what runs now, and every block, operation and job of the run.
//!
//! Invariant: each row stands for one thing that the timeline draws, with the step that began it; while a question is open nothing is
//! told that comes after the step.

mod rows;
mod state;
mod view;

pub use state::{State, Table};
pub use view::{PageRow, Pages, View};

use serde::{Deserialize, Serialize};

use crate::tool::{Context, Effects, Event, Tool};
use blockstep_view::quantity::{format_count, format_time};
use state::PAGE;

pub struct RunTables;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Choose(Table),
    /// Turn to these rows of it, counted from 0.
    Turn(usize),
}

impl Tool for RunTables {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, _: &mut Context<'_>) -> Result<Effects, String> {
        match event {
            Event::Message(Msg::Choose(table)) => *state = State { table: Some(table), page: None },
            Event::Message(Msg::Turn(page)) => state.page = Some(page),
            Event::Opened(_) | Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        Ok(Vec::new())
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        let place = &context.place;
        let table = state.table.unwrap_or_default();
        let (head, rows) = rows::rows(place, table);
        let now = format_time(place.at.ns());
        let caption = match rows.len() {
            0 => format!("{} at {now}: nothing", table.title()),
            n if table == Table::Now => format!("{} at {now}: {n}", table.title()),
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
            table,
            notice: place.is_future_hidden.then(|| "Everything after this step is hidden until you answer.".to_owned()),
            caption,
            head: head.iter().map(|&title| title.to_owned()).collect(),
            rows: rows.into_iter().skip(page * PAGE).take(PAGE).collect(),
            pages,
        })
    }
}
