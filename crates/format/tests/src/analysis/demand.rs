//! QPA against looking at every instant, the fast tests against QPA, and what is known by hand.

use blockstep_analysis::demand::{Demand, DemandTask};
use blockstep_analysis::edf::{EdfTest, Sections};
use blockstep_analysis::implicit::Prepared;
use blockstep_analysis::{Task, Verdict};
use blockstep_sim::scenario::Preemption;
use proptest::collection::vec;
use proptest::prelude::*;

use blockstep_testing::arbitrary::cases;

fn demand(tasks: &[(u64, u64, u64, u64)]) -> Demand {
    Demand::new(tasks.iter().map(|&(cost, period, deadline, section)| DemandTask { cost, period, deadline, section }))
}

/// The first instant up to `until` at which the demand by definition, and the longest section of a
/// task whose first deadline lies later, exceed time.
fn by_brute_force(tasks: &[DemandTask], background: u64, until: u64) -> Option<u64> {
    let first = tasks.iter().map(|t| t.deadline).min()?;
    (0..=until).find(|&t| {
        // Every job by itself, by its deadline.
        let jobs = |task: &DemandTask| (task.deadline..=t).step_by(task.period as usize).count() as u64;
        let demand: u64 = tasks.iter().map(|task| jobs(task) * task.cost).sum();
        let later = tasks.iter().filter(|task| task.deadline > t).map(|task| task.section);
        let blocking = if t < first { 0 } else { later.chain([background]).max().unwrap_or(0) };
        demand + blocking > t
    })
}

fn small() -> impl Strategy<Value = DemandTask> {
    (1..7_u64, 1..5_u64, 0..14_u64, 0..6_u64).prop_map(|(period, cost, deadline, section)| DemandTask {
        cost: cost.min(period),
        period: 2 * period,
        deadline,
        section,
    })
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn qpa_agrees_with_brute_force(tasks in vec(small(), 1..5), background in prop_oneof![Just(0), 0..6_u64]) {
        let mut demand = Demand::new([]);
        demand.set(tasks.iter().copied(), background);
        // Hyperperiods of 2, 4 .. 14 are at most 840; beyond two of them nothing new comes.
        let found = by_brute_force(&tasks, background, 1700);
        let expected = found.map_or(Verdict::Passes, |t| Verdict::Fails { at: Some(t) });
        prop_assert_eq!(demand.verdict(), expected);
    }

    #[test]
    fn the_fast_tests_say_what_qpa_says(
        set in vec((1..30_u64, 1..40_u64, any::<u64>()), 1..8),
        switch in 0..4_u64,
        per_job in 0..3_u32,
        sections in prop_oneof![
            Just(Sections::None), Just(Sections::Cost), Just(Sections::InflatedCost),
            (1..4_u32, 0..4_u32).prop_map(|(least, more)| Sections::Groups(least, least + more)),
        ],
    ) {
        let set: Vec<_> = set.into_iter().map(|(cost, more, spread)| Task { spread, ..Task::implicit(cost, cost + 3 * more) }).collect();
        let test = EdfTest { preemption: Preemption::Block, switch, per_job, sections };
        let mut prepared = Prepared::default();
        prepared.load(&set);
        prop_assert_eq!(prepared.passes(&test), test.verdict(&set).passes());
        // Twice, as what was worked out is kept.
        prop_assert_eq!(prepared.passes(&test), test.verdict(&set).passes());
    }

    #[test]
    fn the_points_are_the_demand(tasks in vec(small(), 1..5), until in 0..60_u64) {
        let demand = Demand::new(tasks.iter().copied());
        let points = demand.points(until, 1000).unwrap();
        let mut next = points.iter().peekable();
        let mut height = 0;
        for t in 0..=until {
            if let Some(point) = next.next_if(|p| p.at == t) {
                prop_assert_eq!(point.blocking, demand.blocking(t));
                height = point.demand;
            }
            prop_assert_eq!(height, demand.at(t), "at {}", t);
        }
        prop_assert!(next.next().is_none());
    }
}

#[test]
fn utilisation_of_exactly_1_is_schedulable_with_deadlines_equal_to_periods() {
    let thirds = demand(&[(1, 3, 3, 0), (1, 3, 3, 0), (1, 3, 3, 0)]);
    assert_eq!(thirds.verdict(), Verdict::Passes);
    let long = [(1_000_000_007, 2_000_000_014, 2_000_000_014, 0), (500_000_003, 1_000_000_006, 1_000_000_006, 0)];
    assert_eq!(demand(&long).verdict(), Verdict::Passes);
    // One more nanosecond of work anywhere is too much; by when it shows is found all the same.
    let mut more = long;
    more[1].0 += 1;
    let Verdict::Fails { at: Some(at) } = demand(&more).verdict() else { panic!("{:?}", demand(&more).verdict()) };
    assert!(demand(&more).at(at) > at && demand(&more).at(at - 1) < at);
}

#[test]
fn utilisation_of_exactly_1_with_an_earlier_deadline_is_decided_by_the_first_idle_instant() {
    // 5 of 10 and 5 of 10, one of them due by 5: idle first at 10.
    assert_eq!(demand(&[(5, 10, 5, 0), (5, 10, 10, 0)]).verdict(), Verdict::Passes);
    assert_eq!(demand(&[(5, 10, 4, 0), (5, 10, 10, 0)]).verdict(), Verdict::Fails { at: Some(4) });
    // It need not come within reach: then nothing is claimed.
    let (p, q) = (1_000_000_007, 998_244_353);
    let far = [(2, p, p - 1, 0), (p - 4, p, p, 0), (2 * q / 1_000_003, q, q, 0)];
    let load: f64 = far.iter().map(|t| t.0 as f64 / t.1 as f64).sum();
    assert!(load > 1.0, "an overload, for contrast: {load}");
    assert!(matches!(demand(&far).verdict(), Verdict::Fails { .. }));
    let exactly = [(1, 2 * p, p, 0), (2 * p - 1, 2 * p, 2 * p, 0), (0, q, q, 0)];
    assert_eq!(demand(&exactly).verdict(), Verdict::Passes);
}

#[test]
fn the_first_failing_instant_is_the_first() {
    // C=2 of 5 and 2 of 7, blocked for 2: 2 + 2 fit into 5; 3 do not fit beside it.
    assert_eq!(demand(&[(2, 5, 5, 0), (2, 7, 7, 3)]).verdict(), Verdict::Passes);
    assert_eq!(demand(&[(2, 5, 5, 0), (2, 7, 7, 4)]).verdict(), Verdict::Fails { at: Some(5) });
    // Not blocked at 5, where the third task's section is the only one: 4 + 7 > 10.
    assert_eq!(demand(&[(2, 5, 5, 0), (2, 7, 7, 0), (1, 100, 100, 3)]).verdict(), Verdict::Passes);
    assert_eq!(demand(&[(2, 5, 5, 0), (4, 7, 7, 0), (1, 100, 100, 2)]).verdict(), Verdict::Fails { at: Some(7) });
}

#[test]
fn numbers_at_the_end_of_64_bits_are_no_trouble() {
    let max = u64::MAX;
    assert_eq!(demand(&[(max, max, max, max), (max, max, max, 0)]).verdict(), Verdict::Fails { at: None });
    assert_eq!(demand(&[(max / 2, max, max, 0), (max / 2, max, max, 0)]).verdict(), Verdict::Passes);
    assert_eq!(demand(&[(max, 1, max, max), (max, 1, 0, max)]).verdict(), Verdict::Fails { at: Some(0) });
    assert_eq!(demand(&[(2, 2, max, 0), (1, max, max, 0)]).verdict(), Verdict::Fails { at: None });
    assert_eq!(demand(&[]).verdict(), Verdict::Passes);
    assert_eq!(demand(&[(1, 1, 1, 0)]).points(max, 10), None);
}
