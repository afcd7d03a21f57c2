//! Units of work for a second of the processor: fails where runs or searches do fewer than they should, as something that is not counted
//! has become dear. `make bench` runs it; nothing of it is in `make test`.
//!
//! The floors have a wide margin. In four tries on two busy cores, by a build that is hardly optimized (`--profile dev`), the slowest runs
//! did 8 million units for a second, and the slowest search 700 thousand decisions. The build for release is faster.

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::main();
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::sync::Arc;
    use std::time::Duration;

    use blockstep_policy::Program;
    use blockstep_policy::examples::EXAMPLES;
    use blockstep_search::{Property, Search};
    use blockstep_sim::engine::{Limits, Simulation, kinds};
    use blockstep_sim::examples;
    use blockstep_sim::scenario::{Choice, Scenario};
    use blockstep_sim::trace::Variants;
    use blockstep_sim::work::{Budget, Progress};
    use blockstep_testing::growing::SHAPES;
    use blockstep_testing::processor::{has_own_clock, processor};

    /// Fewest units of a run for a second.
    const RUNS: f64 = 1_500_000.0;
    /// Fewest decisions of a search.
    const SEARCHES: f64 = 100_000.0;
    /// Least time that is measured: what is over sooner is done again.
    const LEAST: Duration = Duration::from_millis(60);

    /// Units for a second of the better of three tries.
    fn speed(once: impl Fn() -> u64) -> f64 {
        let attempt = || {
            let (begin, mut units) = (processor(), 0);
            loop {
                units += once();
                let time = processor() - begin;
                if time >= LEAST {
                    return units as f64 / time.as_secs_f64();
                }
            }
        };
        (0..3).map(|_| attempt()).fold(0.0, f64::max)
    }

    fn run(scenario: &Arc<Scenario>) -> u64 {
        let mut budget = Budget::UNLIMITED;
        let mut simulation = Simulation::new(scenario, Variants::NONE, Limits { max_steps: 1_000_000 });
        while simulation.run_for(&mut budget) == Progress::Paused {}
        // Of a short one, what begins it is more than what is counted.
        budget.spent() + simulation.trace().steps().len() as u64 + 2_000
    }

    fn search(program: &Program) -> Option<u64> {
        let mut search = Search::new(program, 4, &Property::for_program(program)).ok()?;
        let mut budget = Budget::new(50_000);
        while search.advance(&mut budget) == Progress::Paused && !budget.is_spent() {}
        Some(budget.spent() + 100)
    }

    pub(super) fn main() {
        if !has_own_clock() {
            println!("skipped: the system does not say how long the processor works for a thread");
            return;
        }
        let mut slow = Vec::new();
        let mut judge = |name: String, speed: f64, least: f64| {
            println!("{name}: {speed:.3e} units for a second");
            if speed < least {
                slow.push(format!("{name}: {speed:.3e} units for a second, at least {least:.0e} are expected"));
            }
        };
        for (name, shape) in SHAPES {
            let scenario = Scenario::new(&shape(2_000)).expect("a valid scenario");
            judge((*name).to_owned(), speed(|| run(&scenario)), RUNS);
        }
        for kind in kinds() {
            let mut drafts = Vec::new();
            for example in examples::all() {
                let mut draft = blockstep_format::read_scenario(example.json).expect("a valid example");
                draft.policy.kind = kind;
                drafts.extend(Scenario::new(&draft));
            }
            judge(format!("examples under {}", kind.word()), speed(|| drafts.iter().map(run).sum()), RUNS);
        }
        for example in EXAMPLES {
            let Ok(program) = Program::new(example.text) else { continue };
            if search(&program).is_some() {
                judge(format!("the search of {}", example.id), speed(|| search(&program).unwrap_or(1)), SEARCHES);
            }
        }
        assert!(slow.is_empty(), "what is counted has become dearer:\n{}", slow.join("\n"));
    }
}
