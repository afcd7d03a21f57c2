//! What is simulated: a text, and what is taken instead of its own.
//!
//! Depends on `format` and `policy`. Invariant: a text that is read is a scenario of ours, a config of cuda_scheduling_examiner or a task set
//! of SimSo, as for the command line.

use std::sync::Arc;

use blockstep_format::{self as format, FormatError, ImportOptions};
use blockstep_policy::examples as policies;
use blockstep_sim::engine::Limits;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{BuiltIn, Choice, Draft, PolicyKind, Scenario};
use blockstep_view::quantity::{self, Unit};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::Wrong;

/// A scenario without mistakes.
pub(crate) struct Loaded {
    pub(crate) draft: Draft,
    pub(crate) scenario: Arc<Scenario>,
    #[cfg(feature = "runs")]
    pub(crate) source: blockstep_format::Source,
    /// What an importer assumed, what is doubtful, and how far the rules are known: a sentence each.
    pub(crate) notes: Vec<String>,
}

/// A time: a text such as `10ms`, or whole nanoseconds.
pub(crate) fn time_ns(field: &str, text: &str) -> Result<u64, Wrong> {
    text.parse().or_else(|_| quantity::parse(Unit::Time, text)).map_err(|e| Wrong::argument(field, None, e))
}

/// The one of a name, or which there are.
pub(crate) fn named<T>(field: &str, what: &str, name: &str, found: Option<T>, known: &[&str]) -> Result<T, Wrong> {
    found.ok_or_else(|| Wrong::argument(field, None, format_args!("there is no {what} \"{name}\"; there are {}", known.join(", "))))
}

/// A text to be read, and what is taken instead of its own; what is empty is left as the text has it.
pub(crate) struct Given<'a> {
    pub(crate) text: &'a str,
    /// Whether its lines are those of whoever wrote it.
    pub(crate) has_lines: bool,
    pub(crate) policy: &'a str,
    pub(crate) policy_text: &'a str,
    pub(crate) device: &'a str,
    pub(crate) duration: &'a str,
}

/// Reads and checks a scenario.
pub(crate) fn load(given: &Given<'_>) -> Result<Loaded, Wrong> {
    let &Given { text, has_lines, policy, policy_text, device, duration } = given;
    let wrong = |mut error: FormatError| {
        if !has_lines {
            error.problems.iter_mut().for_each(|problem| problem.line = None);
        }
        Wrong::from(error)
    };
    let of = |word: &str| {
        let known: Vec<&str> = PolicyKind::ALL.iter().map(|kind| kind.word()).collect();
        named("policy", "policy", word, PolicyKind::from_word(word), &known)
    };
    let known: Vec<&str> = BUILT_IN.iter().map(|device| device.id).collect();
    let policy = (!policy.is_empty()).then(|| of(policy)).transpose()?;
    let device = (!device.is_empty()).then(|| named("device", "built-in device", device, BuiltIn::find(device), &known)).transpose()?;
    let duration = (!duration.is_empty()).then(|| time_ns("duration", duration)).transpose()?;
    if duration == Some(0) {
        return Err(Wrong::argument("duration", Some(1), "is 0; a block runs for at least 1 ns"));
    }
    if format::is_batch(text) {
        return Err(Wrong::plain("a workload for batch schedulers, not a scenario; the page and the command line run it"));
    }
    let mut opened = format::open(text, &ImportOptions { default_duration_ns: duration, device }).map_err(wrong)?;
    if let Some(kind) = policy {
        opened.draft.policy.kind = kind;
    }
    if !policy_text.is_empty() {
        let text = policies::find(policy_text).map_or(policy_text, |example| example.text);
        (opened.draft.policy.kind, opened.draft.policy.text) = (PolicyKind::Own, text.to_owned());
    }
    let scenario = Scenario::new(&opened.draft).map_err(|e| wrong(opened.explain(&e, text)))?;
    let notes = opened.notes_on(&scenario, text);
    Ok(Loaded {
        #[cfg(feature = "runs")]
        source: opened.source,
        draft: opened.draft,
        scenario,
        notes,
    })
}

/// How many steps a run has at most if nothing is said.
#[wasm_bindgen]
pub fn usual_steps() -> f64 {
    Limits::default().max_steps.into()
}

/// A whole number within its limits.
pub(crate) fn whole(field: &str, value: f64, least: u32, most: u32) -> Result<u32, Wrong> {
    if value.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&value) {
        return Ok(value as u32);
    }
    let limit = if value < f64::from(least) { least } else { most };
    Err(Wrong::argument(field, Some(limit.into()), format_args!("is {value}; it is a whole number from {least} to {most}")))
}

/// The most steps that a run may have.
pub(crate) fn limits(max_steps: f64) -> Result<Limits, Wrong> {
    whole("maxSteps", max_steps, 1, Limits::MOST_STEPS).map(|max_steps| Limits { max_steps })
}
