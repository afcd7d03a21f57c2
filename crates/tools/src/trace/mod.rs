//! The page of a profiler's trace: why its operations waited.
//!
//! Its worker is its own, and nothing of the run on screen is asked. Invariants: nothing of a trace is stored or put into links; the
//! file stays in the browser.

use serde::{Deserialize, Serialize};

use crate::tool::{Apart, Effects, Event, NoMsg};

pub struct Trace;

/// It remembers nothing: the file is gone with the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {}

impl Apart for Trace {
    type State = State;
    /// Its worker is told what the reader does.
    type Msg = NoMsg;
    type View = ();

    fn update(_: &mut State, _: Event<NoMsg>) -> Effects {
        Effects::new()
    }

    fn view(_: &State) {}
}
