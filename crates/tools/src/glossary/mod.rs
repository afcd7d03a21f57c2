//! The glossary: the field's terms, to be looked up by name, by rule and by reference.
//!
//! Invariant: what is listed follows from what was typed or referred to.

use serde::{Deserialize, Serialize};

use crate::tool::{Apart, Effects, Event, NoMsg};
use blockstep_learn::glossary::{self, Term};
use blockstep_protocol::Effect;
use blockstep_sim::trace::Rule;

/// The tool.
pub struct Glossary;

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// A term, a rule's id, or words of a meaning; all terms if it is empty.
    pub find: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub count: String,
    /// The terms, in alphabetical order.
    pub terms: Vec<GlossaryEntry>,
}

/// A term as it is shown; see [`Term`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossaryEntry {
    pub name: String,
    pub slug: String,
    pub also: Vec<String>,
    pub meaning: String,
    pub rules: Vec<Rule>,
    pub see: Vec<String>,
    /// The paper it is from; empty if it is a word of the trade or ours.
    pub source: String,
}

impl Apart for Glossary {
    type State = State;
    type Msg = NoMsg;
    type View = View;

    fn update(state: &mut State, event: Event<NoMsg>) -> Effects {
        let is_new = match event {
            Event::Opened(word) => std::mem::replace(&mut state.find, word) != state.find,
            Event::Edit(_) => true,
            _ => false,
        };
        is_new.then(|| Effect::Announce(count(&glossary::matching(&state.find)))).into_iter().collect()
    }

    fn view(state: &State) -> View {
        let found = glossary::matching(&state.find);
        View { count: count(&found), terms: found.iter().map(entry).collect() }
    }
}

fn count(found: &[Term]) -> String {
    match found {
        [] => "No term has that in its name or meaning.".to_owned(),
        [term] => format!("One term: {}.", term.name),
        _ => format!("{} terms.", found.len()),
    }
}

fn entry(term: &Term) -> GlossaryEntry {
    let owned = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
    GlossaryEntry {
        name: term.name.to_owned(),
        slug: term.slug(),
        also: owned(&term.also),
        meaning: term.meaning.to_owned(),
        rules: term.rules.clone(),
        see: owned(&term.see),
        source: term.source.to_owned(),
    }
}
