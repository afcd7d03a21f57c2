//! What a condition needs to know, as controls.
//!
//! Invariant: what is held but is not there (any more) is offered all the same, so that what is wrong can be seen.

use serde::{Deserialize, Serialize};

use blockstep_learn::until::{Parameter, REASONS};
use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::SpaceId;

const SM: &str = "SM";

/// Names offered in a list; more are typed.
const MAX_NAMES: usize = 300;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    pub parameter: Parameter,
    pub label: String,
    pub value: String,
    pub entry: ParameterEntry,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParameterEntry {
    /// Out of these: values with their names.
    Chosen(Vec<(String, String)>),
    Typed {
        is_number: bool,
        unit: String,
    },
}

impl Control {
    pub(super) fn new(parameter: Parameter, held: &str, trace: &Trace) -> Self {
        let scenario = trace.scenario();
        let same = |name: &String| (name.clone(), name.clone());
        let (label, any, names): (&str, Option<&str>, Vec<(String, String)>) = match parameter {
            Parameter::Row => ("Kernel", None, scenario.rows().iter().map(|row| same(&row.name)).collect()),
            Parameter::AnyRow => ("of", Some("any kernel"), scenario.rows().iter().map(|row| same(&row.name)).collect()),
            Parameter::AnyTask => ("Task", Some("any task"), scenario.tasks().iter().map(|task| same(&task.name)).collect()),
            Parameter::Process => {
                ("Process", None, (0..trace.layout().spaces().len()).map(|space| same(&trace.space_name(SpaceId::at(space)))).collect())
            }
            Parameter::Sm => (SM, None, (0..scenario.device().sms).map(|sm| same(&sm.to_string())).collect()),
            Parameter::Reason => ("Reason", None, REASONS.iter().map(|(id, kind)| ((*id).to_owned(), kind.label().to_owned())).collect()),
            Parameter::Rule => (
                "Rule",
                None,
                Rule::ALL.iter().map(|rule| (rule.id().to_owned(), format!("{}: {}", rule.id(), shortened(rule.sentence())))).collect(),
            ),
            Parameter::Below => ("below", None, Vec::new()),
            Parameter::Part => ("Copy or block", None, Vec::new()),
        };
        let is_number = parameter == Parameter::Below;
        let entry = if is_number || parameter == Parameter::Part || names.len() > MAX_NAMES {
            ParameterEntry::Typed { is_number, unit: if is_number { " free threads" } else { "" }.to_owned() }
        } else {
            let any = any.map(|any| (String::new(), any.to_owned()));
            let is_there = held.is_empty() || names.iter().any(|(value, _)| value == held);
            let odd = (!is_there).then(|| (held.to_owned(), held.to_owned()));
            ParameterEntry::Chosen(any.into_iter().chain(odd).chain(names).collect())
        };
        Self { parameter, label: label.to_owned(), value: held.to_owned(), entry }
    }
}

/// The first words of a sentence, for a list.
fn shortened(sentence: &str) -> String {
    const MOST: usize = 30;
    let cut = sentence.char_indices().nth(MOST).map_or(sentence.len(), |(place, _)| place);
    if cut < sentence.len() { format!("{}…", sentence[..cut].trim_end()) } else { sentence.to_owned() }
}
