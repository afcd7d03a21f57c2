//! Schedulability tests, task-set generators and studies: against the papers, against brute force
//! and against the simulation.
//!
//! Depends on the library. One file for each of these.

mod demand;
mod draws;
mod edf_figures;
mod fractions;
mod lp_figures;
mod own;
mod rates;
mod report;
mod simulation;
mod studies;

// For the file that is compiled into `rates`.
use blockstep_analysis::Task;
use blockstep_analysis::presets;
use blockstep_analysis::sweep::{Counter, Counts, Sweep};

/// A built-in study with another number of sets.
pub(crate) fn preset(id: &str, sets: u64) -> Sweep {
    Sweep { sets, ..(presets::find(id).unwrap().sweep)() }
}

/// All of it, in one thread.
fn run(sweep: &Sweep) -> Vec<Counts> {
    assert_eq!(sweep.problems(), []);
    let mut counter = Counter::new(sweep);
    sweep.utilisation.iter().map(|u| counter.count(u, 0..sweep.sets)).collect()
}

/// What is counted at one utilization, in hundredths.
pub(crate) fn at(sweep: &Sweep, hundredths: u32) -> Counts {
    Counter::new(sweep).count(hundredths * 10_000, 0..sweep.sets)
}
