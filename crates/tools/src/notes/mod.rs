//! Notes: the reader's words at steps, which links take along.
//!
//! Invariants: what was typed is kept for the step that it was typed at, wherever the reader is when it arrives; a note is shown at a
//! step only while the run has the same step there, and never vanishes when it has not.

pub mod list;
mod view;

use serde::{Deserialize, Serialize};

pub use list::NoteSpot;
pub use view::{Caption, Field, NoteGroup, NoteItem, Others, Turns, View, Where};

use crate::tool::{Context, Effects, Event, ReaderPlace, Tool, ToolError, memory};
use blockstep_protocol::Effect;
use blockstep_view::quantity::format_count;
use list::{List, MAX_NOTES, MAX_TEXT, Note};

pub struct Notes;

/// Every note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    #[serde(flatten)]
    list: List,
    /// What is wrong with what was just done; it is said once.
    #[serde(skip)]
    problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Write the note of a step; an empty text takes it out.
    Write {
        /// The step that the text was typed at, as [`Field::about`] names it.
        about: NoteSpot,
        text: String,
    },
    Remove(NoteSpot),
    Restore,
    ForgetOthers,
}

impl Tool for Notes {
    type State = State;
    type Msg = Msg;
    type View = View;

    /// Links of version 1 have notes one after the other, so that what belongs together follows from the order.
    fn remembered(memory: &str) -> State {
        let state: State = if memory.starts_with('{') {
            memory::read(memory)
        } else {
            State { list: List::of_pairs(form_urlencoded::parse(memory.as_bytes())), problem: None }
        };
        State { list: state.list.bounded(), ..state }
    }

    /// Opened with `take ` and what [`carried`] gave, it takes those notes too.
    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let place = &context.place;
        // What could not be kept is tried again: there may be room now.
        if let Some(Note { spot, text }) = state.list.unsaved.take() {
            state.write(spot, &text);
        }
        let mut effects = Effects::new();
        let mut say = |text: &str| effects.push(Effect::Announce(text.to_owned()));
        match event {
            Event::Opened(word) => {
                if let Some(taken) = word.strip_prefix("take ") {
                    state.take(taken, place);
                }
            }
            Event::Message(message) => match message {
                Msg::Write { about, text } => state.write(about, &text),
                Msg::Remove(spot) if state.list.remove(&spot) => say("The note is removed."),
                Msg::Restore if state.list.restore() => say("The note is back."),
                Msg::Remove(_) | Msg::Restore => {}
                Msg::ForgetOthers => state.list.forget_others(place),
            },
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(View::new(&state.list, state.problem.as_deref(), &context.place))
    }
}

impl State {
    /// Keeps what was typed at a step; or says why it cannot, and leaves it in the text area.
    fn write(&mut self, about: NoteSpot, text: &str) {
        // Browsers send line breaks as two characters.
        let text = text.replace("\r\n", "\n");
        let count = text.chars().count();
        if self.list.unsaved.as_ref().is_some_and(|unsaved| unsaved.spot == about) {
            (self.list.unsaved, self.problem) = (None, None);
        }
        let problem = if count > MAX_TEXT {
            {
                let (count, limit) = (format_count(count as u64), format_count(MAX_TEXT as u64));
                format!("Not saved: this note has {count} characters; the maximum is {limit}. Shorten it.")
            }
        } else if self.list.set(about.clone(), text.trim_end()) {
            return;
        } else {
            format!("Not saved: there are already {MAX_NOTES} notes, the maximum. Remove one first.")
        };
        (self.problem, self.list.unsaved) = (Some(problem), Some(Note { spot: about, text }));
    }

    /// Takes the notes of a link.
    fn take(&mut self, taken: &str, place: &ReaderPlace) {
        let taken = Notes::remembered(taken).list.notes.into_iter();
        let left_out = taken.filter(|note| !self.list.merge(Note { spot: note.spot.of_run(place), ..note.clone() })).count();
        if left_out > 0 {
            self.problem = Some(format!(
                "{left_out} of the link's notes are left out: at most {MAX_NOTES} notes of {} characters each are possible.",
                format_count(MAX_TEXT as u64)
            ));
        }
    }
}

/// Of what this tool remembers, the notes about the run on screen, for a link.
#[must_use]
pub fn carried(memory: &str, place: &ReaderPlace) -> String {
    let list = Notes::remembered(memory).list.carried(place);
    memory::write(&State { list, problem: None }).unwrap_or_default()
}

/// The texts of the notes.
pub(crate) fn texts(memory: &str) -> Vec<String> {
    Notes::remembered(memory).list.notes.into_iter().map(|note| note.text).collect()
}

fn step(position: u32) -> String {
    if position == 0 { "Start".to_owned() } else { format!("Step {}", format_count(position.into())) }
}
