//! What holds for every run.

use blockstep_sim::check::check;
use blockstep_sim::engine::{Limits, Rebuild, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::units::ClaimantId;
use blockstep_sim::work::Budget;
use proptest::prelude::*;
use proptest::sample::Index;

/// The checker accepts the run, it is rebuilt from its own words, and stepping back equals replay: whatever state is gone to from a keyframe
/// or from where the cursor stands, it is the one of the steps.
pub(super) fn is_sound_and_found_again(draft: &Draft, places: Vec<Index>) -> Result<(), TestCaseError> {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let found = check(&run.trace, &Records::new(&run.trace));
    prop_assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
    let mut words = Vec::new();
    run.trace.steps().iter().for_each(|step| run.trace.push_step_words(step, &mut words));
    let claimants = run.trace.scenario().claimants().len();
    let budgets = (0..claimants).map(|i| run.trace.budget(ClaimantId::at(i))).collect();
    let mut rebuild = Rebuild::new(run.trace.scenario(), budgets);
    let mut endless = Budget::UNLIMITED;
    prop_assert_eq!(rebuild.add(&words, &mut endless), Some(words.len()));
    let again = rebuild.finish(run.trace.end(), None);
    prop_assert_eq!(again.trace.steps(), run.trace.steps());
    let (mut forth, mut anew) = (run.replay(), again.replay());
    for place in places {
        let applied = place.index(run.trace.steps().len() + 1) as u32;
        let there = forth.seek(applied).clone();
        anew.seek(0);
        prop_assert_eq!(&there, anew.seek(applied));
    }
    Ok(())
}
