//! However many processes, tasks, streams and producers there are: runs are whole. What their steps cost is
//! measured by `benches/growth.rs`, on the same shapes.

use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;

use blockstep_testing::growing;

fn run(shape: growing::Shape, n: u64) -> Run {
    simulate(&Scenario::new(&shape.1(n)).unwrap(), Limits::default())
}

/// Whatever is kept so that nobody need look at everything: runs are whole, and every job completes.
#[test]
fn growth_everything_completes() {
    for &shape in growing::SHAPES {
        let run = run(shape, 50);
        let records = Records::new(&run.trace);
        assert_eq!(run.trace.cut(), None, "{}", shape.0);
        assert!(!records.jobs.is_empty() && records.jobs.iter().all(|job| job.end.is_some()), "{}", shape.0);
    }
}
