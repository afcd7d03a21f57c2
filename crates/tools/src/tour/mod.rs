//! Tours: guided walks that drive the page.
//!
//! Invariants: the state holds the tour, the stop, what was answered, and how far every tour was walked, so that a reader can leave and
//! come back at any stop; a stop is shown whole each time it is come to; whether the reader has wandered off follows from where they
//! stand.

mod inset;
mod msg;
mod show;
mod state;
mod view;
mod walk;

pub use msg::Msg;
pub use state::State;
pub use view::{Next, Paper, StopChoice, StopMark, StopQuestion, StopVerdict, StopView, TourEntry, TourList, View};

use crate::tool::{Context, Effects, Event, Tool, ToolError};
use blockstep_learn::tour;

pub struct Tour;

impl Tool for Tour {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        walk::update(state, event, context)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(match state.walk()? {
            None => View::List(show::list(&tour::Tour::all()?, state)),
            Some(walk) => {
                let is_there = state.has_moved || state.arrive || walk.is_at(state.place(&walk), &context.place)?;
                let inset = inset::AskedInset::of(&walk, context)?;
                View::Stop(Box::new(show::stop(&walk, &state.answered(&walk), inset.map(|inset| inset.shown(state, &walk)), is_there)))
            }
        })
    }
}
