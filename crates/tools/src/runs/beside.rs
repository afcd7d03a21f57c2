//! The run that charts draw with the one on screen, and those that can be chosen.
//!
//! Invariants: what is named in no known way is no run, and no error; what can be chosen can be made.

use super::{Runs, RunsError, Simulation};
use blockstep_format as format;
use blockstep_report::figure::Beside;
use blockstep_sim::examples;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::trace::Variants;

/// The runs that can be drawn with one of the policy `own`: the key of each, for [`made`], and its name. `none` is what no
/// other run is called, `examples` the id and the name of each built-in scenario.
pub fn choices<'e>(own: PolicyKind, none: &str, examples: impl Iterator<Item = (&'e str, String)>) -> Vec<(String, String)> {
    let policies = PolicyKind::BUILT_IN.iter().filter(|&&kind| kind != own);
    let policies = policies.map(|kind| (policy_key(*kind), format!("the same under {}", named(*kind))));
    let examples = examples.map(|(id, name)| (format!("example={id}"), name));
    std::iter::once((String::new(), none.to_owned())).chain(policies).chain(examples).collect()
}

const fn named(kind: PolicyKind) -> &'static str {
    match kind {
        PolicyKind::Fifo => "FIFO",
        PolicyKind::Priority => "priority",
        PolicyKind::Runlist => "the runlist",
        PolicyKind::Edf => "EDF",
        PolicyKind::Own => "your own policy",
    }
}

/// Every key that [`made`] knows.
pub(crate) fn keys() -> Vec<String> {
    let policies = PolicyKind::ALL.iter().map(|&kind| policy_key(kind));
    policies.chain(examples::all().map(|example| format!("example={}", example.id))).collect()
}

/// The key of the same scenario under a policy.
#[must_use]
pub fn policy_key(kind: PolicyKind) -> String {
    format!("policy={}", kind.word())
}

/// Makes the run that `key` names: `policy=fifo` for the scenario, a text of our format, under another policy, or
/// `example=tx2-fig-9-tasks`.
///
/// # Errors
/// [`RunsError::Beside`].
pub fn made(key: &str, scenario: &str, runs: &mut Runs) -> Result<Option<(String, Simulation)>, RunsError> {
    let problem = |why: RunsError| RunsError::Beside(Box::new(why));
    let (name, scenario) = match key.split_once('=').unwrap_or_default() {
        ("policy", word) => {
            let Some(kind) = PolicyKind::from_word(word) else { return Ok(None) };
            let mut draft = format::read_scenario(scenario).map_err(|why| problem(why.into()))?;
            draft.policy.kind = kind;
            (format!("under {word}"), format::write_scenario(&draft))
        }
        ("example", id) => match examples::find(id) {
            Some(example) => (example.title.to_owned(), example.json.to_owned()),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let made = runs.beside(&scenario, Variants::NONE).map_err(problem)?;
    let name = if made.run.trace.cut().is_some() { format!("{name} (its beginning)") } else { name };
    Ok(Some((name, made)))
}

/// The same with its results, for a chart.
///
/// # Errors
/// As [`made`].
pub fn with_results(key: &str, scenario: &str, runs: &mut Runs) -> Result<Vec<Beside>, RunsError> {
    let made = made(key, scenario, runs)?;
    Ok(made.map(|(name, made)| Beside { name, results: runs.results(&made), trace: made.run.trace }).into_iter().collect())
}
