//! What the run with rules changed does.
//!
//! Invariant: it is said of both runs which is which.

use serde::{Deserialize, Serialize};

use crate::runs::Simulation;
use blockstep_learn::divergence::first_difference;
use blockstep_sim::trace::{Rule, Trace, Variant};
use blockstep_view::edit_effect::{RunWithRows, edit_effect};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence::sentence;

/// The run with rules changed, beside that of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    pub changes: Vec<RuleChange>,
    /// Where both runs part, and what comes of it; `None` if they are the same to the last step.
    pub divergence: Option<Divergence>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleChange {
    pub variant: Variant,
    pub title: String,
    pub sentence: String,
    pub misconception: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divergence {
    /// What the change does to the run, said as of an edit; empty for runs that are too large.
    pub effect: String,
    pub before: String,
    pub sides: [Side; 2],
    pub cut: Option<String>,
    /// Steps applied once the run on screen has parted.
    pub position: u32,
}

/// One of the two runs, where they part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    pub name: String,
    /// Its step; `None` if nothing more happens.
    pub step: Option<SideStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStep {
    pub time: String,
    pub rule: Rule,
    pub sentence: String,
}

impl Changed {
    pub(super) fn new(by_the_rules: &Simulation, changed: &Simulation) -> Self {
        let (one, two) = (&*by_the_rules.run.trace, &*changed.run.trace);
        let change = |variant: Variant| RuleChange {
            variant,
            title: variant.title().to_owned(),
            sentence: variant.sentence().to_owned(),
            misconception: variant.misconception().to_owned(),
        };
        let row_ids: Vec<u32> = (0..one.scenario().rows().len() as u32).collect();
        let [of_rules, of_change] =
            [by_the_rules, changed].map(|of| RunWithRows { trace: &of.run.trace, records: &of.records, row_ids: &row_ids });
        let divergence = first_difference(one, two).map(|step| Divergence {
            effect: edit_effect(of_rules, of_change).map(|effect| effect.text).unwrap_or_default(),
            before: diverge_after(step),
            sides: [Side::new("Original rules", one, step), Side::new("Changed", two, step)],
            cut: two.cut().map(|cut| format!("The changed run was cut short: {cut}.")),
            position: (step + 1).min(one.steps().len()) as u32,
        });
        Self { changes: two.variants().iter().map(change).collect(), divergence }
    }
}

impl Side {
    fn new(name: &str, trace: &Trace, step: usize) -> Self {
        let step = trace.steps().get(step).map(|step| SideStep {
            time: format_time(step.at.ns()),
            rule: step.rule,
            sentence: sentence(trace, step),
        });
        Self { name: name.to_owned(), step }
    }
}

fn diverge_after(steps: usize) -> String {
    match steps {
        0 => "The runs differ from the first step on:".to_owned(),
        1 => "After 1 identical step, the runs diverge:".to_owned(),
        steps => format!("After {} identical steps, the runs diverge:", format_count(steps as u64)),
    }
}
