//! Tables as JSON: an object with a list for each column, of which JavaScript makes rows.
//!
//! Depends on `report::columns`. Invariant: every number is one that JavaScript holds exactly.

use std::fmt::Write;

use blockstep_report::columns::Columns;

use crate::answer::{EXACT, Wrong, json};

/// A table under construction.
#[derive(Default)]
pub(crate) struct Json {
    text: String,
}

impl Json {
    /// The object.
    pub(crate) fn finish(self) -> String {
        if self.text.is_empty() { "{}".to_owned() } else { self.text + "}" }
    }

    fn begin(&mut self, name: &str) {
        // Names of columns have nothing to be escaped.
        let _ = write!(self.text, "{}\"{name}\":[", if self.text.is_empty() { "{" } else { "," });
    }

    fn end(&mut self) {
        if self.text.ends_with(',') {
            self.text.pop();
        }
        self.text.push(']');
    }

    /// A list of what is JSON already.
    fn list<W: AsRef<str>>(mut self, name: &str, values: impl Iterator<Item = W>) -> Result<Self, Wrong> {
        self.begin(name);
        for value in values {
            self.text.push_str(value.as_ref());
            self.text.push(',');
        }
        self.end();
        Ok(self)
    }
}

/// A truth as JSON.
const fn truth(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

impl Columns for Json {
    type Error = Wrong;

    fn numbers(self, name: &'static str, values: impl ExactSizeIterator<Item = u64>) -> Result<Self, Wrong> {
        self.some_numbers(name, values.map(Some))
    }

    fn some_numbers(mut self, name: &'static str, values: impl Iterator<Item = Option<u64>>) -> Result<Self, Wrong> {
        self.begin(name);
        for value in values {
            // Writing to a string cannot fail.
            let _ = match value {
                Some(value) if value > EXACT => return Err(Wrong::too_large(name, value)),
                Some(value) => write!(self.text, "{value},"),
                None => write!(self.text, "null,"),
            };
        }
        self.end();
        Ok(self)
    }

    fn small(self, name: &'static str, values: impl ExactSizeIterator<Item = u32>) -> Result<Self, Wrong> {
        self.some_numbers(name, values.map(|value| Some(value.into())))
    }

    fn truths(self, name: &'static str, values: impl Iterator<Item = bool>) -> Result<Self, Wrong> {
        self.list(name, values.map(|value| truth(Some(value))))
    }

    fn some_truths(self, name: &'static str, values: impl Iterator<Item = Option<bool>>) -> Result<Self, Wrong> {
        self.list(name, values.map(truth))
    }

    fn texts(self, name: &'static str, values: impl Iterator<Item = String>) -> Result<Self, Wrong> {
        self.list(name, values.map(|value| json(&value)))
    }

    fn some_texts(self, name: &'static str, values: impl Iterator<Item = Option<String>>) -> Result<Self, Wrong> {
        self.list(name, values.map(|value| value.map_or_else(|| "null".to_owned(), |value| json(&value))))
    }

    fn words<W: AsRef<str>>(
        self,
        name: &'static str,
        words: impl Iterator<Item = W>,
        places: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, Wrong> {
        self.some_words(name, words, places.map(Some))
    }

    fn some_words<W: AsRef<str>>(
        self,
        name: &'static str,
        words: impl Iterator<Item = W>,
        places: impl Iterator<Item = Option<usize>>,
    ) -> Result<Self, Wrong> {
        let words: Vec<String> = words.map(|word| json(word.as_ref())).collect();
        self.list(name, places.map(|place| place.and_then(|place| words.get(place)).map_or("null", String::as_str)))
    }

    fn found_words<W: AsRef<str>>(self, name: &'static str, values: impl Iterator<Item = W>) -> Result<Self, Wrong> {
        self.list(name, values.map(|value| json(value.as_ref())))
    }

    fn some_found_words<W: AsRef<str>>(self, name: &'static str, values: impl Iterator<Item = Option<W>>) -> Result<Self, Wrong> {
        self.list(name, values.map(|value| value.map_or_else(|| "null".to_owned(), |value| json(value.as_ref()))))
    }
}
