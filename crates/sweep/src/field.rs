//! A field of a scenario file by its name: `policy.kind`, `kernels[2].blocks`, `kernels[K3].blocks`.
//!
//! Depends on serde_json. Invariant: a field that is set was found in the scenario, or is a new one of an object that is there.

use serde_json::{Map, Value};

use super::error::SweepError;

/// A step of the way to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldStep {
    Name(String),
    /// A row of a list, counted from 0.
    Row(usize),
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// As it was given.
    pub(crate) name: String,
    way: Vec<FieldStep>,
}

impl Field {
    /// Finds a field in a scenario.
    pub(crate) fn find(name: &str, scenario: &Value) -> Result<Self, SweepError> {
        let no_field = || SweepError::NotAField(name.to_owned());
        let mut way = Vec::new();
        let mut at = Some(scenario);
        let mut so_far = String::new();
        for part in name.split('.') {
            let (word, rows) = part.split_once('[').map_or((part, None), |(word, rows)| (word, Some(rows)));
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(no_field());
            }
            if at.is_some_and(|value| !value.is_object()) {
                return Err(SweepError::NoFields { field: name.to_owned(), part: so_far });
            }
            at = at.and_then(|value| value.get(word));
            way.push(FieldStep::Name(word.to_owned()));
            so_far = if so_far.is_empty() { word.to_owned() } else { format!("{so_far}.{word}") };
            if let Some(row) = rows {
                let row = row.strip_suffix(']').filter(|row| !row.is_empty()).ok_or_else(no_field)?;
                let list = at.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                let place = row_of(list, row).ok_or_else(|| SweepError::NoRow {
                    field: name.to_owned(),
                    list: so_far.clone(),
                    row: row.to_owned(),
                    known: (0..list.len()).map(|place| name_of(&list[place]).unwrap_or_else(|| place.to_string())).collect(),
                })?;
                at = Some(&list[place]);
                way.push(FieldStep::Row(place));
                so_far = format!("{so_far}[{row}]");
            }
        }
        Ok(Self { name: name.to_owned(), way })
    }

    /// The way to it.
    pub(crate) fn way(&self) -> &[FieldStep] {
        &self.way
    }

    /// Whether it is a time, which may have a unit.
    pub(crate) fn is_time(&self) -> bool {
        self.name.ends_with("_ns")
    }

    /// Sets it, or leaves it out if the value is null, which files have nowhere. The scenario is the one that it was found in, perhaps with
    /// other values.
    pub(crate) fn set(&self, scenario: &mut Value, value: Value) {
        let mut at = scenario;
        for (i, place) in self.way.iter().enumerate() {
            at = match place {
                FieldStep::Name(word) => {
                    if !at.is_object() {
                        *at = Value::Object(Map::new());
                    }
                    if let (Some(object), true) = (at.as_object_mut(), value.is_null() && i + 1 == self.way.len()) {
                        object.remove(word);
                        return;
                    }
                    &mut at[word.as_str()]
                }
                FieldStep::Row(row) => match at.get_mut(*row) {
                    Some(row) => row,
                    // Another field has taken the list's place: the file's reader says what is wrong with that.
                    None => return,
                },
            };
        }
        *at = value;
    }
}

fn name_of(row: &Value) -> Option<String> {
    row.get("name").and_then(Value::as_str).map(str::to_owned)
}

/// A row by its name, or else by its number.
fn row_of(list: &[Value], row: &str) -> Option<usize> {
    let named = list.iter().position(|of| name_of(of).as_deref() == Some(row));
    named.or_else(|| row.parse().ok().filter(|place| *place < list.len()))
}
