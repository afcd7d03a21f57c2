//! What the run with rules changed does.
//!
//! Depends on `learn::divergence`. Invariant: it is said of both runs which is which.

use serde::{Deserialize, Serialize};

use crate::runs::Simulation;
use blockstep_learn::divergence::{effects, first_difference};
use blockstep_sim::trace::{Rule, Trace, Variant};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence::sentence;

/// The run with rules changed, beside that of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// What is changed.
    pub changes: Vec<Change>,
    /// Where both runs part, and what comes of it; `None` if they are the same to the last step.
    pub divergence: Option<Divergence>,
}

/// A rule that is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What the rule is changed to.
    pub variant: Variant,
    /// Its name.
    pub title: String,
    /// What it does instead.
    pub sentence: String,
    /// Why one may believe it.
    pub misconception: String,
}

/// How the two runs differ from a step on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divergence {
    /// How much of both is the same.
    pub before: String,
    /// Both at that step.
    pub sides: [Side; 2],
    /// What comes of it, in sentences; empty if nothing does.
    pub effects: String,
    /// Why the changed run was stopped, if it was.
    pub cut: Option<String>,
    /// Steps applied once the run on screen has parted.
    pub position: u32,
}

/// One of the two runs, where they part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Which it is.
    pub name: String,
    /// Its step; `None` if nothing more happens.
    pub step: Option<SideStep>,
}

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStep {
    /// Time of the step, in words.
    pub time: String,
    /// By which rule.
    pub rule: Rule,
    /// What happens.
    pub sentence: String,
}

impl Changed {
    pub(super) fn new(by_the_rules: &Simulation, changed: &Simulation) -> Self {
        let (one, two) = (&*by_the_rules.run.trace, &*changed.run.trace);
        let change = |variant: Variant| Change {
            variant,
            title: variant.title().to_owned(),
            sentence: variant.sentence().to_owned(),
            misconception: variant.misconception().to_owned(),
        };
        let divergence = first_difference(one, two).map(|step| Divergence {
            before: diverge_after(step),
            sides: [Side::new("Original rules", one, step), Side::new("Changed", two, step)],
            effects: effects((one, &by_the_rules.records), (two, &changed.records)).join(" "),
            cut: two.cut().map(|cut| format!("The changed run was cut short: {}.", cut.to_string())),
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
