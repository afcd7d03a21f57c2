//! What fields and measures are called: as the command line names them, or in words.
//!
//! Depends on the fields, the measures and the tables of `view`. Invariant: a name without words stays as it is written.

use std::collections::BTreeMap;

use super::field::{Field, FieldStep};
use super::measure::Measure;
use super::plan::Plan;
use blockstep_sim::language::{capitalized, within_sentence};
use blockstep_sim::policy;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::units::written::format_time;
use blockstep_view::table::Table;
use serde_json::Value;

/// The field of the policy.
const POLICY: &str = "policy.kind";

/// What the columns of a sweep are called.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By the names of the columns, within a sentence; none where they are as the command line has them.
    words: Option<BTreeMap<String, String>>,
}

impl Names {
    /// As the command line, its files and its options have them: `kernels[K3].blocks`, `response:K3`.
    #[must_use]
    pub fn written() -> Self {
        Self::default()
    }

    /// In words: `blocks of K3`, `largest response of K3`.
    #[must_use]
    pub fn in_words(plan: &Plan) -> Self {
        let fields = plan.fields_of().filter_map(|field| Some((field.name.clone(), words_of(field, plan.scenario_file())?)));
        let measures = plan.measures().iter().map(|measure| (measure.to_string(), within_sentence(&measure.title())));
        Self { words: Some(fields.chain(measures).collect()) }
    }

    /// A column within a sentence.
    #[must_use]
    pub fn of(&self, column: &str) -> String {
        self.words.as_ref().and_then(|words| words.get(column)).map_or_else(|| column.to_owned(), Clone::clone)
    }

    /// A column as a title.
    #[must_use]
    pub fn title(&self, column: &str) -> String {
        match &self.words {
            Some(words) if words.contains_key(column) => capitalized(&self.of(column)),
            _ => column.to_owned(),
        }
    }

    /// A cell: a time with its unit; in words a policy by its title.
    #[must_use]
    pub fn value(&self, column: &str, cell: &str) -> String {
        let is_time = column.ends_with("_ns") || column.parse::<Measure>().is_ok_and(|measure| measure.is_time());
        let policy = PolicyKind::ALL.iter().find(|kind| self.words.is_some() && column == POLICY && kind.word() == cell);
        match (policy, cell.parse()) {
            (Some(kind), _) => policy::about(*kind).title.to_owned(),
            (None, Ok(ns)) if is_time => format_time(ns),
            _ => cell.to_owned(),
        }
    }

    /// A column with one of its cells: `kernels[K3].blocks 3`; in words `blocks of K3 = 3`, and of a policy its title alone.
    #[must_use]
    pub fn pair(&self, column: &str, cell: &str) -> String {
        match (&self.words, self.value(column, cell)) {
            (None, value) => format!("{column} {value}"),
            (Some(_), title) if column == POLICY => title,
            (Some(_), value) => self.is(column, &value),
        }
    }

    /// A column with a value that is written already.
    pub(crate) fn is(&self, column: &str, value: &str) -> String {
        let is = if self.words.is_some() { " =" } else { "" };
        format!("{}{is} {value}", self.of(column))
    }
}

/// A field in words: the title of its column and the name of its row.
fn words_of(field: &Field, scenario: &Value) -> Option<String> {
    match field.way() {
        [FieldStep::Name(list), FieldStep::Row(row), FieldStep::Name(word)] => {
            let name = scenario[list][row]["name"].as_str().filter(|name| !name.is_empty())?;
            let table = Table::ALL.into_iter().find(|table| table.field() == list);
            let title = table.and_then(|table| table.columns().iter().find(|column| column.field == word)).map(|column| column.title);
            Some(format!("{} of {name}", title.map_or_else(|| spaced(word), within_sentence)))
        }
        [FieldStep::Name(list), FieldStep::Name(word)] if list == "policy" && word == "kind" => Some(list.clone()),
        [FieldStep::Name(list), FieldStep::Name(word)] if list == "policy" => Some(spaced(word)),
        _ => None,
    }
}

/// A word of a file: `switch cost` of `switch_cost_ns`.
fn spaced(word: &str) -> String {
    word.strip_suffix("_ns").unwrap_or(word).replace('_', " ")
}
