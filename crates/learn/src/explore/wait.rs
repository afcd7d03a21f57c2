//! Why what a card asks about waits, in two sentences.
//!
//! Depends on `why`. Invariant: what is said is what the chain of causes says; nothing is said that it does not.

use blockstep_sim::trace::Rule;
use blockstep_sim::units::{RowId, StepId};

use crate::why::{self, Moment, Standing};

/// Why a kernel waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardWhy {
    /// Two sentences at most.
    pub text: String,
    /// The rules by which it and its causes wait, each once, that of the kernel first; none if it does not wait.
    pub rules: Vec<Rule>,
    /// The step by which it goes on, if one does.
    pub goes_on: Option<StepId>,
}

/// Why the kernel of a row waits at a moment; `None` if the run issues nothing of the row.
#[must_use]
pub fn why(moment: Moment<'_>, row: RowId) -> Option<CardWhy> {
    let why = why::why(moment, why::subject(moment, row)?);
    let mut rules: Vec<Rule> = Vec::new();
    for rule in why.links.iter().filter_map(|link| link.rule) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    let is_not_issued = matches!(why.standing, Standing::NotIssued(_));
    let calls_in_turn = moment.trace.scenario().task(moment.trace.row_of(why.op).task).calls_in_turn;
    if is_not_issued && calls_in_turn && why.root.is_none() {
        // Only its thread's earlier calls are in its way.
        rules.push(Rule::T2);
    }
    Some(CardWhy { text: why::headline(moment.trace, &why), rules, goes_on: why.goes_on })
}
