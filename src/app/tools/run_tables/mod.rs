//! The timeline in tables: what runs now, and every block, operation and job of the run.
//!
//! Depends on the records of the run. Invariant: each row stands for one thing that the timeline
//! draws, with the step that began it; while a question is open nothing is told that comes after the step.

#[cfg(target_arch = "wasm32")]
mod panel;
mod rows;
mod state;
mod texts;
mod view;

pub use state::{State, Table};
pub use view::{Pages, Row, View};

use serde::{Deserialize, Serialize};

use crate::app::tool::{Context, Effects, Event, Tool};
use crate::view::quantity::format_time;
use state::PAGE;

/// The tool.
pub struct RunTables;

/// What the reader can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Choose a table.
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
            Event::Opened(_) | Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Closed => {}
        }
        Ok(Vec::new())
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        let place = &context.place;
        let table = state.table.unwrap_or_default();
        let (head, rows) = rows::rows(place, table);
        let now = format_time(place.at.ns());
        let caption = match rows.len() {
            0 => texts::nothing_at(table.title(), &now),
            n if table == Table::Now => texts::count_at(table.title(), &now, n),
            n => texts::count(table.title(), n),
        };
        let count = rows.len().div_ceil(PAGE).max(1);
        let page = state.page.unwrap_or(0).min(count - 1);
        let pages = (count > 1).then(|| Pages {
            place: texts::page(page + 1, count),
            earlier: page.checked_sub(1),
            later: Some(page + 1).filter(|&page| page < count),
        });
        Ok(View {
            table,
            notice: place.is_future_hidden.then(|| texts::HIDDEN.to_owned()),
            caption,
            head: head.iter().map(|&title| title.to_owned()).collect(),
            rows: rows.into_iter().skip(page * PAGE).take(PAGE).collect(),
            pages,
        })
    }
}
