//! Find the bug: the reader's requests are held against the properties, one after another. A text that they break is kept, to be compared
//! with a mended one.

use super::state::{HuntState, State};
use blockstep_policy::Program;
use blockstep_search::Property;

/// What the reader's requests have broken up to the step, if it is a fault: after how many, and in words.
pub(super) fn found(state: &State, program: &Program) -> Option<(usize, String)> {
    let walk = state.walk(program);
    let faults: Vec<Property> = Property::for_program(program).into_iter().filter(|property| !property.is_warning()).collect();
    (1..=(state.step as usize).min(walk.len())).find_map(|steps| Some((steps, walk.broken(steps, &faults).into_iter().next()?.1)))
}

/// Notes what the requests up to the step have broken; that stays.
pub(super) fn look(state: &mut State) {
    if Program::new(state.text()).is_ok_and(|program| found(state, &program).is_some()) {
        state.keep_broken();
        if state.hunt == HuntState::Asked {
            state.hunt = HuntState::Found;
        }
    }
}
