//! Work is counted, and done in portions: whatever they are, what comes of it is the same, and each costs about what it was given.

use std::sync::Arc;

use blockstep_sim::engine::{Limits, MAX_WORK, Run, Simulation, simulate, simulate_varied};
use blockstep_sim::record::{Recording, Records};
use blockstep_sim::scenario::{Draft, PolicyKind, Scenario};
use blockstep_sim::trace::{Cut, Variant, Variants};
use blockstep_sim::work::{Budget, Progress};
use blockstep_view::timeline::{Building, Timeline};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::growing;

/// The run made in portions; the work of all together, and the most beyond what a portion was given.
fn in_portions(draft: &Draft, variants: Variants, mut portion: impl FnMut() -> u64) -> (Run, u64, u64) {
    let scenario = Scenario::new(draft).unwrap();
    let mut simulation = Simulation::new(&scenario, variants, Limits::default());
    let (mut all, mut over, mut before) = (0, 0, 0);
    loop {
        let given = portion();
        let mut budget = Budget::new(given);
        let progress = simulation.run_for(&mut budget);
        all += budget.spent();
        over = over.max(budget.spent().saturating_sub(given));
        assert!(simulation.trace().steps().len() >= before);
        before = simulation.trace().steps().len();
        if progress == Progress::Done {
            return (simulation.finish(), all, over);
        }
        assert!(budget.is_spent(), "it pauses for nothing else");
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// Runs, records, timelines and work do not depend on the portions.
    #[test]
    fn portions_of_any_size_make_the_same_run(draft in any_drafts(), sizes in prop::collection::vec(1..300_u64, 1..20), varied in any::<bool>()) {
        let variants = if varied { Variants::NONE.with(Variant::WorkConserving) } else { Variants::NONE };
        let scenario = Scenario::new(&draft).unwrap();
        let whole = simulate_varied(&scenario, variants, Limits::default());
        let mut turn = 0;
        let (run, work, _) = in_portions(&draft, variants, || {
            turn += 1;
            sizes[turn % sizes.len()]
        });
        prop_assert_eq!(run.trace.steps(), whole.trace.steps());
        prop_assert_eq!((run.trace.end(), run.trace.cut()), (whole.trace.end(), whole.trace.cut()));
        prop_assert!(work >= run.trace.steps().len() as u64, "a step costs a unit at least");
        let (_, at_once, _) = in_portions(&draft, variants, || u64::MAX);
        // Where it goes on it looks again whether an instant has more.
        prop_assert!((at_once..=at_once * 3 + 50).contains(&work), "{work} in portions, {at_once} at once");
        let mut recording = Recording::new(&whole.trace);
        while recording.run_for(&whole.trace, &mut Budget::new(sizes[0])) == Progress::Paused {}
        let (trace, part, whole) = (&whole.trace, recording.finish(&whole.trace), Records::new(&whole.trace));
        prop_assert_eq!(format!("{part:?}"), format!("{whole:?}"));
        let records = Arc::new(whole);
        let mut building = Building::new(trace, &records);
        while building.run_for(&mut Budget::new(sizes[0])) == Progress::Paused {}
        let (part, whole) = (building.finish(), Timeline::new(trace, &records));
        let scale = whole.fit(900.0);
        let [part, whole] = [part, whole].map(|timeline| format!("{:?}", timeline.frame(&scale, 400.0, None, None)));
        prop_assert_eq!(part, whole);
    }
}

/// A portion does not cost much more than it was given, whatever there is much of.
#[test]
fn portions_end_where_the_work_does() {
    for &(name, shape) in growing::SHAPES {
        let draft = shape(300);
        let (run, work, over) = in_portions(&draft, Variants::NONE, || 2_000);
        assert_eq!(run.trace.cut(), None, "{name}");
        assert!(over <= 4_000, "{name}: {over} more than 2,000");
        // About what looking costs, not more than there is.
        assert!(work >= run.trace.steps().len() as u64 && work < MAX_WORK, "{name}");
    }
}

/// Work grows as what there is does, and not with its square or cube.
#[test]
fn portions_count_work_that_grows_with_the_scenario() {
    for &(name, shape) in growing::SHAPES {
        let [few, many] = [200, 800].map(|n| in_portions(&shape(n), Variants::NONE, || u64::MAX).1);
        assert!(many <= few * 8, "{name}: {few} units, and of four times as many {many}");
    }
}

/// A run that is left before its end says so.
#[test]
fn portions_that_are_left_are_cut() {
    let draft = (growing::SHAPES[0].1)(50);
    let scenario = Scenario::new(&draft).unwrap();
    let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits::default());
    assert_eq!(simulation.run_for(&mut Budget::new(0)), Progress::Paused);
    assert!(simulation.trace().steps().is_empty(), "nothing is done for nothing");
    assert_eq!(simulation.run_for(&mut Budget::new(100)), Progress::Paused);
    let run = simulation.finish();
    let whole = simulate(&scenario, Limits::default());
    assert_eq!(run.trace.steps(), &whole.trace.steps()[..run.trace.steps().len()]);
    assert!(matches!(run.trace.cut(), Some(Cut::WorkLimit { limit: 100.. })), "{:?}", run.trace.cut());
    assert!(run.trace.cut().unwrap().to_string().contains("units of work"));
}

/// Budgets of servers are found in portions, too.
#[test]
fn portions_find_budgets_of_servers() {
    let mut draft = (growing::SHAPES.iter().find(|(name, _)| *name == "processes with servers under edf").unwrap().1)(40);
    assert_eq!(draft.policy.kind, PolicyKind::Edf);
    draft.kernels[3].blocks = 50;
    let scenario = Scenario::new(&draft).unwrap();
    let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits::default());
    let mut portions = 0;
    while !simulation.has_begun() {
        assert_eq!(simulation.run_for(&mut Budget::new(7)), Progress::Paused);
        portions += 1;
    }
    assert!(portions > 40, "{portions}");
    while simulation.run_for(&mut Budget::new(1_000)) == Progress::Paused {}
    assert_eq!(simulation.finish().trace.text(), simulate(&scenario, Limits::default()).trace.text());
}

/// Of dependencies that others say already, none is walked; what is reached stays the same.
#[test]
fn portions_dependencies_that_say_nothing_new_are_left_out() {
    let shape = |name: &str| growing::SHAPES.iter().find(|(shape, _)| *shape == name).unwrap().1;
    let full = Scenario::new(&shape("dependencies of tasks that each consume all before them")(2_000)).unwrap();
    for i in 0..full.tasks().len() {
        let task = blockstep_sim::units::TaskId::at(i);
        assert_eq!(full.task(task).consumes.len(), i);
        let last = i.checked_sub(1).map(blockstep_sim::units::TaskId::at);
        assert_eq!(full.next_producers(task), last.as_slice());
    }
    let few = Scenario::new(&shape("producers of one consumer")(100)).unwrap();
    assert_eq!(few.next_producers(blockstep_sim::units::TaskId(100)).len(), 100);
}
