//! Answers as texts: `+` with what was asked for, or `-` with what is wrong, both as JSON or as they are.
//!
//! Depends on `format`. Invariant: every problem has all names, `null` where something does not apply.

use std::cell::RefCell;
use std::fmt::{Display, Write};

use blockstep_format::{FormatError, Located};
use wasm_bindgen::prelude::wasm_bindgen;

/// The largest whole number that JavaScript's numbers hold exactly, as all below it.
pub(crate) const EXACT: u64 = (1 << 53) - 1;

/// What is wrong: problems, the first one first, and all of it as a sentence.
pub(crate) struct Wrong {
    message: String,
    problems: Vec<Located>,
    /// A number that is wrong and in no argument, with which JavaScript would not be exact.
    value: Option<u64>,
}

impl Wrong {
    /// A problem with an argument, of which `limit` is what its value may be.
    pub(crate) fn argument(field: &str, limit: Option<u64>, message: impl Display) -> Self {
        let message = message.to_string();
        let problem = Located { line: None, path: field.to_owned(), message: message.clone(), limit };
        Self { message: format!("{field}: {message}"), problems: vec![problem], value: None }
    }

    /// A problem in a line of an argument.
    #[cfg(feature = "analysis")]
    pub(crate) fn in_line(field: &str, line: usize, message: impl Display) -> Self {
        let mut wrong = Self::argument(field, None, message);
        wrong.problems.iter_mut().for_each(|problem| problem.line = Some(line));
        wrong
    }

    /// A sentence alone.
    pub(crate) fn plain(message: impl Display) -> Self {
        let message = message.to_string();
        Self { problems: vec![Located { line: None, path: String::new(), message: message.clone(), limit: None }], message, value: None }
    }

    /// A number that JavaScript cannot hold.
    pub(crate) fn too_large(field: &str, value: u64) -> Self {
        let message = format!("{field} is {value}; a number of JavaScript is exact up to {EXACT}");
        let problem = Located { line: None, path: field.to_owned(), message: message.clone(), limit: Some(EXACT) };
        Self { message, problems: vec![problem], value: Some(value) }
    }

    pub(crate) fn problems_json(&self) -> String {
        let mut out = String::from("[");
        for (i, problem) in self.problems.iter().enumerate() {
            let _ = write!(out, "{}{{\"field\":", if i > 0 { "," } else { "" });
            match problem.path.as_str() {
                "" => out.push_str("null"),
                path => out.push_str(&json(path)),
            }
            let number = |value: Option<u64>| value.map_or_else(|| "null".to_owned(), |value| value.to_string());
            let line = number(problem.line.map(|line| line as u64));
            let _ = write!(out, ",\"limit\":{},\"line\":{line},\"message\":{}", number(problem.limit), json(&problem.message));
            let value = self.value.map_or_else(String::new, |value| format!(",\"value\":\"{value}\""));
            let _ = write!(out, "{value}}}");
        }
        out + "]"
    }
}

impl From<FormatError> for Wrong {
    fn from(error: FormatError) -> Self {
        Self { message: error.with_notes(), problems: error.problems, value: None }
    }
}

/// A text as JSON.
pub(crate) fn json(text: &str) -> String {
    // A text can always be written.
    serde_json::to_string(text).unwrap_or_default()
}

/// Texts as JSON.
pub(crate) fn list<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| json(text.as_ref())).collect();
    format!("[{}]", texts.join(","))
}

/// An answer as JavaScript gets it.
pub(crate) fn answer(found: Result<String, Wrong>) -> String {
    match found {
        Ok(text) => format!("+{text}"),
        Err(wrong) => format!("-{{\"message\":{},\"problems\":{}}}", json(&wrong.message), wrong.problems_json()),
    }
}

thread_local! {
    static FAULT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Has panics leave their words here. To be called once, before everything else.
#[wasm_bindgen]
pub fn begin() {
    std::panic::set_hook(Box::new(|panic| FAULT.with_borrow_mut(|fault| *fault = panic.to_string())));
}

/// What the panic said that ended the last call.
#[wasm_bindgen]
pub fn fault() -> String {
    FAULT.take()
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Panics, so that tests see what becomes of it.
#[wasm_bindgen]
#[expect(clippy::panic, reason = "that is what it is for")]
pub fn broken() -> String {
    panic!("broken on purpose")
}
