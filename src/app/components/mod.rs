//! Components that panels and tools share.
//!
//! Depends on the page's state, reached as a context, and on view models. Invariants: a component takes typed props; what a
//! user wrote is shown through [`safe`], so that it never turns the direction of the text around it.

mod fields;
mod links;
mod picture;
mod queues;

pub(crate) use fields::{Choices, Select, SelectField};
pub(crate) use links::{Chip, OpLink, Paragraphs, StepLink, TimeLink};
pub(crate) use picture::Picture;
pub(crate) use queues::{Look, QueueDiagram};

/// A text that may hold names of a user's, without characters that turn the direction of what stands around them.
pub(crate) fn safe(text: &str) -> String {
    crate::scenario::plain(text)
}
