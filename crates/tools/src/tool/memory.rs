//! What a tool remembers, as JSON: the fields of its state that are not as they are at first. And words for tools, which are
//! names with values, as forms send them.
//!
//! Depends on serde. Invariants: what is written is read back as it was; a value that cannot be read is as if it were not
//! there, and never costs the reader the others; links of version 1 and what browsers stored before have names with values,
//! which are read by the same function.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Fields of a state.
pub type Fields = Map<String, Value>;

/// Reads a state; what is none gives the state of a tool that is new.
#[must_use]
pub fn read<S: DeserializeOwned + Default>(text: &str) -> S {
    of_fields(fields(text))
}

/// The same of a part of another state.
#[must_use]
pub fn of_value<S: DeserializeOwned + Default>(value: &Value) -> S {
    match value {
        Value::Object(fields) => of_fields(fields.clone()),
        Value::String(text) => read(text),
        _ => S::default(),
    }
}

/// The fields of a text, if only names with values: then a name that stands there more than once has a list.
#[must_use]
pub fn fields(text: &str) -> Fields {
    if text.starts_with('{') {
        return serde_json::from_str(text).unwrap_or_default();
    }
    let mut fields = Fields::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let value = Value::from(value);
        match fields.get_mut(&*name) {
            None => drop(fields.insert(name.into_owned(), value)),
            Some(Value::Array(items)) => items.push(value),
            Some(one) => *one = Value::Array(vec![one.take(), value]),
        }
    }
    fields
}

/// Whether a text has the form of what is written, now or in links of version 1.
#[must_use]
pub(super) fn is_well_formed(text: &str) -> bool {
    if text.starts_with('{') {
        return serde_json::from_str::<Fields>(text).is_ok();
    }
    text.split('&').all(|pair| pair.is_empty() || pair.contains('='))
}

// From a borrowed value everywhere: from an owned one, the readers of all states would be compiled once more.
fn of_fields<S: DeserializeOwned + Default>(fields: Fields) -> S {
    let whole = Value::Object(fields);
    if let Ok(state) = S::deserialize(&whole) {
        return state;
    }
    let Value::Object(fields) = whole else { return S::default() };
    let fitting = fields.into_iter().filter_map(|(name, value)| Some((name.clone(), fitting::<S>(&name, &value)?)));
    S::deserialize(&Value::Object(fitting.collect())).unwrap_or_default()
}

/// The value as the field can have it, of a list without the items that it cannot have.
fn fitting<S: DeserializeOwned>(name: &str, value: &Value) -> Option<Value> {
    let fits = |value: &Value| S::deserialize(&json!({ name: value })).is_ok();
    if let Some(form) = forms(value).into_iter().find(fits) {
        return Some(form);
    }
    let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let kept: Vec<Value> = items.iter().filter_map(|item| forms(item).into_iter().find(|form| fits(&json!([form])))).collect();
    (!kept.is_empty()).then_some(Value::Array(kept))
}

/// What a value can mean: names with values have numbers and flags as texts.
fn forms(value: &Value) -> Vec<Value> {
    let mut forms = vec![value.clone()];
    if let Value::String(text) = value {
        forms.extend(text.parse().map(Value::Number));
        match text.as_str() {
            "1" | "on" | "true" => forms.push(true.into()),
            "off" | "false" => forms.push(false.into()),
            _ => {}
        }
    }
    forms
}

/// Why a state cannot be written; only one that is no struct cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// It is this instead.
    #[error("What this tool remembers is no object: {0}")]
    NoObject(Value),
    /// Why it is no JSON.
    #[error("What this tool remembers could not be written: {0}")]
    Unwritten(String),
}

/// Writes a state; nothing of one that is as it is at first.
///
/// # Errors
/// If the state is no struct.
pub fn write<S: Serialize + Default>(state: &S) -> Result<String, MemoryError> {
    since(state, &S::default())
}

/// Writes the fields that differ from an earlier state, for [`edited`]: other changes may be on their way.
///
/// # Errors
/// Those of [`write()`].
pub fn since<S: Serialize>(state: &S, earlier: &S) -> Result<String, MemoryError> {
    Ok(text(&changed(state, earlier)?))
}

/// What is remembered once it has the fields that [`since`] wrote.
#[must_use]
pub fn edited(memory: &str, changes: &str) -> String {
    let mut edited = fields(memory);
    edited.extend(fields(changes));
    text(&edited)
}

/// A state as a part of another one.
///
/// # Errors
/// Those of [`write()`].
pub fn to_value<S: Serialize + Default>(state: &S) -> Result<Value, MemoryError> {
    changed(state, &S::default()).map(Value::Object)
}

/// The fields that are not as in an earlier state.
fn changed<S: Serialize>(state: &S, earlier: &S) -> Result<Fields, MemoryError> {
    let all = |state: &S| match serde_json::to_value(state) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(MemoryError::NoObject(other)),
        Err(error) => Err(MemoryError::Unwritten(error.to_string())),
    };
    let (mut fields, earlier) = (all(state)?, all(earlier)?);
    fields.retain(|name, value| earlier.get(name) != Some(value));
    Ok(fields)
}

/// Fields as a text.
#[must_use]
pub fn text(fields: &Fields) -> String {
    if fields.is_empty() { String::new() } else { json!(fields).to_string() }
}

/// The text without a field, and what that held.
#[must_use]
pub fn without(memory: &str, name: &str) -> (String, Option<String>) {
    let mut fields = fields(memory);
    match fields.remove(name) {
        Some(Value::String(value)) => (text(&fields), Some(value)),
        _ => (memory.to_owned(), None),
    }
}

/// The text with a field.
#[must_use]
pub fn with(memory: &str, name: &str, value: impl Into<Value>) -> String {
    let mut fields = fields(memory);
    fields.insert(name.to_owned(), value.into());
    text(&fields)
}

/// A state as a word of a link: names with values, of a part as such a text in turn.
///
/// # Errors
/// Those of [`write()`].
pub fn word<S: Serialize + Default>(state: &S) -> Result<String, MemoryError> {
    Ok(pairs(&changed(state, &S::default())?))
}

fn pairs(fields: &Fields) -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    for (name, value) in fields {
        let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for item in items {
            let value = match item {
                Value::String(text) => text.clone(),
                Value::Object(fields) => pairs(fields),
                other => other.to_string(),
            };
            out.append_pair(name, &value);
        }
    }
    out.finish()
}
