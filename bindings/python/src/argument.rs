//! What is given to a function, read by its type: where it has another one, the message is ours.
//!
//! Depends on `error`. Invariant: a message names the argument, what is expected, and the type or the number that was given.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use blockstep_draw::figure::WIDTHS;
use blockstep_search::MAX_SEARCHED;
use blockstep_sim::engine::Limits;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::of_argument;
use crate::policy::{Policy, PolicyGiven};

/// An exception of a value of another type than is expected, such as "a text": what is to be given.
pub(crate) fn of_type(field: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    of_argument(value.py(), field, value, None, format_args!("is of type {}; give {expected}", kind(value)))
}

/// The name of a value's type.
pub(crate) fn kind(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "unknown".to_owned(), |name| name.to_string())
}

/// A value as it stands in messages. Python itself refuses to write numbers of thousands of digits.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    match value.str().map(|text| text.to_string_lossy().into_owned()) {
        Ok(text) if text.chars().count() <= MOST => text,
        Ok(text) => text.chars().take(MOST).chain(['…']).collect(),
        Err(_) => "a number of too many digits".to_owned(),
    }
}

/// A text.
pub(crate) fn text(field: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(text) = value.cast::<PyString>() else { return Err(of_type(field, value, "a text")) };
    let broken = |_| of_argument(value.py(), field, value, None, "has half of a character: one surrogate without the other");
    text.to_str().map(str::to_owned).map_err(broken)
}

/// Whether a text is a name and no path: letters, digits, `-` and `_`.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// Texts; one may stand for itself.
pub(crate) fn texts(field: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![text(field, value)?]);
    }
    // What has no length may never end.
    let items = value.len().and_then(|_| value.try_iter()).map_err(|_| of_type(field, value, "a list of texts"))?;
    items.enumerate().map(|(place, item)| text(&format!("{field}[{place}]"), &item?)).collect()
}

/// A whole number within its limits.
pub(crate) fn whole(field: &str, value: &Bound<'_, PyAny>, within: RangeInclusive<u64>) -> PyResult<u64> {
    let (least, most) = (*within.start(), *within.end());
    if !value.hasattr("__index__")? {
        return Err(of_type(field, value, "a whole number"));
    }
    match value.extract::<u64>() {
        Ok(number) if within.contains(&number) => Ok(number),
        found => {
            let is_below = found.map_or_else(|_| value.lt(least).unwrap_or(false), |number| number < least);
            let message = format!("is {}; it is a number from {least} to {most}", shown(value));
            Err(of_argument(value.py(), field, value, Some(if is_below { least } else { most }), message))
        }
    }
}

/// Yes or no.
pub(crate) fn truth(field: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| of_type(field, value, "True or False"))
}

/// A path.
fn path_of(field: &str, value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    value.extract().map_err(|_| of_type(field, value, "a path"))
}

/// A part, `(i, n)`.
fn part_of(field: &str, value: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
    value.extract().map_err(|_| of_type(field, value, "a pair of whole numbers (i, n)"))
}

/// A policy that was read, or a word or text for one.
fn policy_of(field: &str, value: &Bound<'_, PyAny>) -> PyResult<PolicyGiven> {
    if let Ok(policy) = value.cast::<Policy>() {
        return Ok(PolicyGiven::Read(policy.get().text.clone()));
    }
    if value.is_instance_of::<PyString>() {
        return text(field, value).map(PolicyGiven::Said);
    }
    Err(of_type(field, value, "a name, a text, or what bs.policy gives"))
}

/// What may be `None`.
fn optional<T>(value: &Bound<'_, PyAny>, read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { read(value).map(Some) }
}

const ALL: RangeInclusive<u64> = 0..=u64::MAX;

/// Connections of hardware that a program may have.
const CONNECTIONS: RangeInclusive<u64> = 1..=32;

/// Functions that read the argument of their name, as PyO3 does not tell one function which argument it is for.
macro_rules! arguments {
    ($($name:ident: $kind:ty = $read:expr;)*) => {
        $(
            pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$kind> {
                $read(stringify!($name), value)
            }
        )*
    };
}

arguments! {
    policy: Option<PolicyGiven> = |field, value| optional(value, |value| policy_of(field, value));
    device: Option<String> = |field, value| optional(value, |value| text(field, value));
    gpu: Option<String> = |field, value| optional(value, |value| text(field, value));
    id: String = text;
    name: String = text;
    operation: String = text;
    figure: String = text;
    palette: String = text;
    form: String = text;
    page: String = text;
    variants: Vec<String> = texts;
    parts: Vec<String> = texts;
    properties: Option<Vec<String>> = |field, value| optional(value, |value| texts(field, value));
    path: PathBuf = path_of;
    part: Option<(u64, u64)> = |field, value| optional(value, |value| part_of(field, value));
    progress: Option<bool> = |field, value| optional(value, |value| truth(field, value));
    title: bool = truth;
    preemptive: bool = truth;
    switch: u64 = |field, value| whole(field, value, ALL);
    sets: Option<u64> = |field, value| optional(value, |value| whole(field, value, ALL));
    seed: Option<u64> = |field, value| optional(value, |value| whole(field, value, ALL));
    run: u64 = |field, value| whole(field, value, ALL);
    top: usize = |field, value| whole(field, value, 0..=u32::MAX.into()).map(|top| top as usize);
    tasks: usize = |field, value| whole(field, value, 1..=MAX_SEARCHED as u64).map(|tasks| tasks as usize);
    width: u32 = |field, value| whole(field, value, u64::from(*WIDTHS.start())..=u64::from(*WIDTHS.end())).map(|width| width as u32);
    connections: Option<u32> = |field, value| optional(value, |value| whole(field, value, CONNECTIONS).map(|count| count as u32));
    max_steps: Option<u32> = |field, value| optional(value, |value| {
        whole(field, value, 1..=Limits::MOST_STEPS.into()).map(|most| most as u32)
    });
}

/// The measure of a chart.
pub(crate) fn one_measure(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text("measure", value)
}

/// The text of a policy.
pub(crate) fn policy_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text("text", value)
}

/// How many steps a widget has.
pub(crate) fn steps_of_widget(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole("max_steps", value, 1..=Limits::MOST_STEPS.into()).map(|most| most as u32)
}
