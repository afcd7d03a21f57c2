//! The timeline in tables: what runs now, and every block, operation and job of the run.
//!
//! Depends on the records of the run. Invariant: each row stands for one thing that the timeline
//! draws, with the step that began it; while a question is open nothing is told that comes after the step.

#[cfg(target_arch = "wasm32")]
mod panel;
mod rows;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::app::tool::{Context, Effects, Event, Tool, memory};
use crate::view::quantity::{format_count, format_time};

/// Rows of a table shown at once.
const PAGE: usize = 50;

/// The tool.
pub struct RunTables;

/// A table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Table {
    /// What executes at the step.
    #[default]
    Now,
    /// Every block, SM by SM.
    Blocks,
    /// Kernels and copies.
    Ops,
    /// Every job.
    Jobs,
}

impl Table {
    /// Every table, in the order of a list.
    pub const ALL: [Self; 4] = [Self::Now, Self::Blocks, Self::Ops, Self::Jobs];

    /// Its name in links.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Blocks => "blocks",
            Self::Ops => "ops",
            Self::Jobs => "jobs",
        }
    }

    /// Its title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Now => "Executing now",
            Self::Blocks => "Blocks, SM by SM",
            Self::Ops => "Kernels and copies",
            Self::Jobs => "Jobs",
        }
    }
}

impl FromStr for Table {
    type Err = ();

    fn from_str(id: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|table| table.id() == id).ok_or(())
    }
}

/// Which part of which table is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The table, if one was chosen.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    /// Which [`PAGE`] rows of it, counted from 0.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
}

/// What the reader can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Choose a table.
    Choose(Table),
    /// Turn to these rows of it, counted from 0.
    Turn(usize),
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The table.
    pub table: Table,
    /// That something is left out, if it is.
    pub notice: Option<String>,
    /// What the table holds, and how much.
    pub caption: String,
    /// The titles of its columns.
    pub head: Vec<String>,
    /// Its rows that are shown.
    pub rows: Vec<Row>,
    /// Where these are among all, if there are more.
    pub pages: Option<Pages>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Steps applied once it has begun.
    pub position: u32,
    /// Its cells; the first one leads there.
    pub cells: Vec<String>,
}

/// The pages of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// Which one it is, in words.
    pub place: String,
    /// The page before.
    pub earlier: Option<usize>,
    /// The page after.
    pub later: Option<usize>,
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
            notice: place.is_future_hidden.then(|| "What comes after this step is hidden until you have answered.".to_owned()),
            caption,
            head: head.iter().map(|&title| title.to_owned()).collect(),
            rows: rows.into_iter().skip(page * PAGE).take(PAGE).collect(),
            pages,
        })
    }
}
