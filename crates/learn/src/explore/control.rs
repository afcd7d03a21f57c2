//! Numbers and words in the sentence below a card, and what they change in its table.
//!
//! Depends on `view::document` and `quantity`. Invariant: a control writes what a cell of the table would hold, so that the table, the
//! list of edits and the run follow as they do when a reader types.

use blockstep_sim::scenario::{Choice, DeviceDraft, StreamPriority};
use blockstep_view::document::{Document, StreamEntry};
use blockstep_view::quantity::{self, Unit};
use blockstep_view::table::Table;

/// A value of the table with the words around it: `K1 has ‹6› blocks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The words before the value.
    pub before: &'static str,
    /// Those after it; they may be none.
    pub after: &'static str,
    /// What it changes.
    pub field: ControlField,
    /// Which values it offers.
    pub choices: Choices,
}

/// What a control changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlField {
    /// A cell: table, name of the row, field.
    Cell(Table, &'static str, &'static str),
    /// A field outside the tables, by its path, as in [`Document::top_text`].
    Top(&'static str),
    /// The built-in device.
    Device,
    /// The priority of a stream, by its name.
    StreamPriority(&'static str),
}

/// Which values a control offers, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices {
    /// Numbers, from the least to the most, so far apart.
    Range {
        /// What is counted.
        unit: Unit,
        /// The first value.
        least: u64,
        /// The last one; the step leads to it.
        most: u64,
        /// From one value to the next.
        step: u64,
    },
    /// Words, each as the document spells it, with the words that a reader sees.
    Words(&'static [(&'static str, &'static str)]),
}

impl Choices {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Range { least, most, step, .. } => usize::try_from((most - least) / step).unwrap_or(usize::MAX - 1) + 1,
            Self::Words(words) => words.len(),
        }
    }

    /// One of them as the document spells it; of a place beyond the last, the last.
    #[must_use]
    pub fn spelled(&self, place: usize) -> String {
        match self {
            Self::Range { unit, least, most, step } => quantity::format(*unit, (least + step * place as u64).min(*most)),
            Self::Words(words) => words.get(place).or(words.last()).map(|word| word.0.to_owned()).unwrap_or_default(),
        }
    }

    /// One of them as a reader sees it.
    #[must_use]
    pub fn shown(&self, place: usize) -> String {
        match self {
            Self::Range { .. } => self.spelled(place),
            Self::Words(words) => words.get(place).or(words.last()).map(|word| word.1.to_owned()).unwrap_or_default(),
        }
    }
}

impl Control {
    /// What the document holds there, as it spells it; `None` if it has no such row or stream any more.
    fn held(&self, document: &Document) -> Option<String> {
        match self.field {
            ControlField::Cell(table, row, field) => {
                let row = document.names(table).iter().position(|name| name == row)?;
                Some(document.text(table, row, table.column_of(field)?))
            }
            ControlField::Top(path) => Some(document.top_text(path)),
            ControlField::Device => Some(match &document.rest.device {
                DeviceDraft::BuiltIn(id) => id.clone(),
                DeviceDraft::Custom(device) => device.name.clone(),
            }),
            ControlField::StreamPriority(name) => Some(stream(document, name)?.priority.word().to_owned()),
        }
    }

    /// The place of the document's value among the choices; `None` if it is another one, or if there is no such row or stream.
    #[must_use]
    pub fn place(&self, document: &Document) -> Option<usize> {
        let held = self.held(document)?;
        match self.choices {
            Choices::Words(words) => words.iter().position(|word| word.0 == held),
            Choices::Range { unit, least, most, step } => {
                // An empty cell with a number stands for none.
                let value = if held.is_empty() { 0 } else { quantity::parse(unit, &held).ok()? };
                let is_choice = (least..=most).contains(&value) && (value - least).is_multiple_of(step);
                is_choice.then(|| usize::try_from((value - least) / step).ok())?
            }
        }
    }

    /// What stands between the words: the value of the document, be it a choice or another one. `None` if the document has no such row
    /// or stream any more, so that the control has nothing to change.
    #[must_use]
    pub fn shown(&self, document: &Document) -> Option<String> {
        let other = || self.held(document).map(|held| if held.is_empty() { self.empty().to_owned() } else { held });
        self.place(document).map(|place| self.choices.shown(place)).or_else(other)
    }

    /// What an empty cell stands for.
    fn empty(&self) -> &'static str {
        match self.field {
            ControlField::Cell(table, _, field) => {
                table.column_of(field).and_then(|column| table.columns()[column].empty).unwrap_or_default()
            }
            _ => "none",
        }
    }

    /// Writes a choice into the document, as if it were typed there.
    pub fn set(&self, document: &mut Document, place: usize) {
        let text = self.choices.spelled(place);
        match self.field {
            ControlField::Cell(table, row, field) => {
                let row = document.names(table).iter().position(|name| name == row);
                if let (Some(row), Some(column)) = (row, table.column_of(field)) {
                    document.set(table, row, column, &text);
                }
            }
            ControlField::Top(path) => document.set_top(path, &text),
            ControlField::Device => document.set_device(&text),
            ControlField::StreamPriority(name) => {
                if let (Some(entry), Some(priority)) = (stream(document, name), StreamPriority::from_word(&text)) {
                    document.set_stream_priority(&entry, priority);
                }
            }
        }
    }
}

/// The stream of this name that rows use.
fn stream(document: &Document, name: &str) -> Option<StreamEntry> {
    document.streams().into_iter().find(|stream| stream.used && stream.name == name)
}
