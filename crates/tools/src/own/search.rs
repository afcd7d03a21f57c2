//! The search for what can go wrong, in portions.
//!
//! Invariant: what is kept only saves time: a search that is not here begins anew.

use super::state::State;
use blockstep_policy::Program;
use blockstep_protocol::Effect;
use blockstep_search::{PolicyTable, Property, Refused, Report, Search, Verdict};
use blockstep_sim::work::{Budget, Progress};

/// Decisions of one event: some hundredths of a second.
const PORTION: u64 = 20_000;
/// Of the first event: most faults are found by then, and are shown at once.
const FIRST_PORTION: u64 = 3_000;
/// Bytes that the states of an assignment may take in a browser, whose memory never shrinks.
const MAX_BYTES: usize = 250_000_000;

/// The search that was asked for last.
#[derive(Default)]
pub struct Searching {
    kept: Option<Kept>,
}

struct Kept {
    text: String,
    tasks: u8,
    properties: Vec<Property>,
    search: Search,
}

impl Searching {
    /// The search of this text and these choices, as far as it is.
    fn find(&self, state: &State, properties: &[Property]) -> Option<&Search> {
        let is_same = |kept: &&Kept| kept.text == state.text() && kept.tasks == state.tasks() && kept.properties == properties;
        self.kept.as_ref().filter(is_same).map(|kept| &kept.search)
    }
}

/// What is known, if it was asked for and is still here.
pub(super) fn report(state: &State, searching: &Searching, program: &Program) -> Option<Report> {
    let search = searching.find(state, &state.looked_for(program)).filter(|_| state.is_sought)?;
    Some(search.report())
}

/// Why the text cannot be searched.
pub(super) fn refused(state: &State, program: &Program) -> Option<Refused> {
    Search::new(program, state.tasks().into(), &state.looked_for(program)).err()
}

/// Makes a portion of the search, or begins it; what the page is to do then.
pub(super) fn advance(state: &mut State, searching: &mut Searching) -> Option<Effect> {
    let mut portion = PORTION;
    let begun = Program::new(state.text()).ok().and_then(|program| {
        let properties = state.looked_for(&program);
        if searching.find(state, &properties).is_none() {
            let search = Search::new(&program, state.tasks().into(), &properties).ok()?.with_max_bytes(MAX_BYTES);
            portion = FIRST_PORTION;
            // That before goes first.
            searching.kept = None;
            searching.kept = Some(Kept { text: state.text().to_owned(), tasks: state.tasks(), properties, search });
        }
        searching.kept.as_mut()
    });
    let Some(kept) = begun else {
        state.is_going = false;
        return None;
    };
    match kept.search.advance(&mut Budget::new(portion)) {
        Progress::Paused => Some(Effect::Continue),
        Progress::Done => {
            state.is_going = false;
            let faults = kept.search.report().findings.iter().filter(|finding| finding.is_fault()).count();
            Some(Effect::Announce(match faults {
                0 => "The search is over: no fault was found.".to_owned(),
                1 => "The search is over: 1 fault was found.".to_owned(),
                faults => format!("The search is over: {faults} faults were found."),
            }))
        }
    }
}

/// The requests of what was found of a property.
pub(super) fn requests_of(state: &State, searching: &Searching, word: &str) -> Option<String> {
    let program = Program::new(state.text()).ok()?;
    let Verdict::Fault(fault) = verdict(state, searching, &program, word)? else { return None };
    Some(fault.requests(&program))
}

/// The table of the task set that was found of a property.
pub(super) fn table_of(state: &State, searching: &Searching, word: &str) -> Option<PolicyTable> {
    let program = Program::new(state.text()).ok()?;
    let Verdict::TaskSet(fault) = verdict(state, searching, &program, word)? else { return None };
    Some(fault.table(program.text()))
}

fn verdict(state: &State, searching: &Searching, program: &Program, word: &str) -> Option<Verdict> {
    let property: Property = word.parse().ok()?;
    let findings = report(state, searching, program)?.findings;
    findings.into_iter().find(|finding| finding.property == property).map(|finding| finding.verdict)
}
