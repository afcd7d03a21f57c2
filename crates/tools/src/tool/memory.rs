//! What a tool remembers, as names with values: the form that links of version 1 and the browser's storage have.
//!
//! Depends on the crates that write what browsers call form data. Invariants: what is written is read back as it was; a
//! value that cannot be read is as if it were not there, and never costs the reader the others.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads a state; a text that is none gives the state of a tool that is new.
#[must_use]
pub fn read<S: DeserializeOwned + Default>(pairs: &str) -> S {
    serde_html_form::from_str(pairs).unwrap_or_default()
}

/// Whether a text is what a tool could have written: it can be read, and not only as that of a tool that is new.
#[must_use]
pub fn is_readable<S: DeserializeOwned + Serialize + Default>(pairs: &str) -> bool {
    // What is written has names with values.
    if pairs.split('&').any(|pair| !pair.is_empty() && !pair.contains('=')) {
        return false;
    }
    let new = || write(&S::default()).unwrap_or_default();
    let read = serde_html_form::from_str::<S>(pairs).ok().and_then(|state| write(&state).ok());
    read.is_some_and(|read| read == pairs || read != new())
}

/// Writes a state.
///
/// # Errors
/// A sentence; only a state that is no flat struct has one.
pub fn write<S: Serialize>(state: &S) -> Result<String, String> {
    serde_html_form::to_string(state).map_err(|error| format!("What this tool remembers could not be written: {}", error.to_string()))
}

/// The pairs without those of a name, and the first value of it.
#[must_use]
pub fn without(pairs: &str, name: &str) -> (String, Option<String>) {
    let parsed = || form_urlencoded::parse(pairs.as_bytes());
    let value = parsed().find(|(n, _)| n == name).map(|(_, value)| value.into_owned());
    match value {
        None => (pairs.to_owned(), None),
        Some(_) => (form_urlencoded::Serializer::new(String::new()).extend_pairs(parsed().filter(|(n, _)| n != name)).finish(), value),
    }
}

/// The pairs with one more.
#[must_use]
pub fn with(pairs: &str, name: &str, value: &str) -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    out.extend_pairs(form_urlencoded::parse(pairs.as_bytes())).append_pair(name, value);
    out.finish()
}

/// For `#[serde(deserialize_with = "memory::word")]` on an enum whose variants are words: one that is unknown is the default.
///
/// # Errors
/// Only if the value is not a string.
pub fn word<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(option_word(deserializer)?.unwrap_or_default())
}

/// For `#[serde(deserialize_with = "memory::option_word")]` on an `Option` of such an enum: a word that is unknown is `None`.
///
/// # Errors
/// Only if the value is not a string.
pub fn option_word<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.and_then(|text| T::deserialize(IntoDeserializer::<Error>::into_deserializer(text.as_str())).ok()))
}

/// For `#[serde(deserialize_with = "memory::words")]` on a list of such an enum: words that are unknown are left out.
///
/// # Errors
/// Those of the deserializer.
pub fn words<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let known = |text: &String| T::deserialize(IntoDeserializer::<Error>::into_deserializer(text.as_str())).ok();
    Ok(texts.iter().filter_map(known).collect())
}

/// For `#[serde(deserialize_with = "memory::lenient")]`: a value that cannot be read is the default one.
///
/// # Errors
/// Only if the value is not a string.
pub fn lenient<'de, D: Deserializer<'de>, T: std::str::FromStr + Default>(deserializer: D) -> Result<T, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or_default())
}

/// For `#[serde(with = "memory::number")]` on an `Option` of a number: what is no number is `None`, and `None` is not written
/// (together with `skip_serializing_if = "Option::is_none"`).
pub mod number {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    /// Reads it.
    ///
    /// # Errors
    /// Only if the value is not a string.
    pub fn deserialize<'de, D: Deserializer<'de>, T: std::str::FromStr>(deserializer: D) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.and_then(|text| text.parse().ok()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer, T: Serialize>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

/// For `#[serde(with = "memory::flag")]` on a `bool`: `1`, or nothing (together with `skip_serializing_if = "memory::is_false"`).
pub mod flag {
    use super::{Deserialize, Deserializer, Serializer};

    /// Reads it.
    ///
    /// # Errors
    /// Only if the value is not a string.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.is_some_and(|text| !text.is_empty()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &bool, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if *value { "1" } else { "" })
    }
}

/// For `#[serde(with = "memory::list")]` on a `Vec`: a name that stands there more than once, or not at all; values that cannot
/// be read are left out.
pub mod list {
    use std::fmt::Display;
    use std::str::FromStr;

    use super::{Deserialize, Deserializer, Serializer};

    /// Reads it.
    ///
    /// # Errors
    /// Only if the value is not a list of strings.
    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<Vec<T>, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.iter().filter_map(|text| text.parse().ok()).collect())
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer, T: Display>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(T::to_string))
    }
}

/// For `skip_serializing_if`.
#[must_use]
#[allow(clippy::trivially_copy_pass_by_ref)]
pub fn is_false(value: &bool) -> bool {
    !value
}

/// For `skip_serializing_if`: a value that is read as well where nothing is written.
#[must_use]
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
