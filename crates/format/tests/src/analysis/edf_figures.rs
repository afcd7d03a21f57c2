//! [EDF] Fig. 3: what section VI-B and VI-C say of it.

use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::runlist::RunlistTest;
use blockstep_analysis::sweep::{Counts, Sweep, Test};
use blockstep_sim::scenario::{Choice, SwitchCharge};

use super::{at, preset};

/// Percent that pass, by test.
fn percents(counts: &Counts) -> Vec<f64> {
    counts.passed.iter().map(|k| 100.0 * *k as f64 / counts.sets as f64).collect()
}

/// The runlist studies run timeslices of 500, 1000, 2000, 4000 and 8000 µs; then come the bounds.
const ONE_MS: usize = 1;
const SLICES: usize = 5;

/// The study with another cost and charge of the schedules' switches.
fn charged(id: &str, sets: u64, charge: SwitchCharge, switch: u64) -> Sweep {
    let mut sweep = preset(id, sets);
    for test in &mut sweep.tests {
        if let Test::RunlistRun(run) = test {
            (run.charge, run.switch) = (charge, switch);
        }
    }
    sweep
}

/// "Increasing the timeslice causes a larger blocking penalty": so it is with free switches, and with 5 µs
/// of the charge of VI-C. With 50 µs timeslices of 0.5 ms do worse than those of 1.5 ms, whichever
/// switches are charged.
#[test]
fn edf_fig_3c_the_cost_of_a_switch_makes_the_hump() {
    let row = |charge, switch| {
        let row = percents(&at(&charged("edf-3c", 1000, charge, switch), 60));
        let row = [0, 1, 3, 7, 15].map(|i| row[i]);
        println!("[EDF] Fig. 3(c) at 0.6, {charge:?}, {switch} µs; 0.5, 1, 2, 4, 8 ms: {row:?}");
        row
    };
    let free = row(SwitchCharge::Expiries, 0);
    assert_eq!(free.map(|share| share.round() as u64), [57, 54, 49, 39, 18]);
    assert_eq!(row(SwitchCharge::Every, 0), free);
    assert!(row(SwitchCharge::Expiries, 5).windows(2).all(|pair| pair[0] > pair[1]));
    let (expiries, every) = (row(SwitchCharge::Expiries, 50), row(SwitchCharge::Every, 50));
    for row in [expiries, every] {
        assert!(row[0] + 10.0 < row[1] && row[1] < row[2] && row[2] > row[3]);
    }
    // The charge of VI-C leaves out the switches of those who are done.
    assert!((0..5).all(|i| every[i] <= expiries[i] && expiries[i] <= free[i]));
}

/// Set by set, so curve by curve: what passes the theorem with every switch holds in both schedules.
#[test]
fn edf_fig_3_no_bound_lies_above_its_simulation() {
    for id in ["edf-3a", "edf-3b"] {
        let bounds = preset(id, 300);
        let runs = SwitchCharge::ALL.iter().map(|&charge| charged(id, 300, charge, 50));
        for runs in runs {
            for hundredths in (5..=100).step_by(5) {
                let (bound, run) = (percents(&at(&bounds, hundredths)), percents(&at(&runs, hundredths)));
                assert!((0..SLICES).all(|i| bound[SLICES + i] <= run[i]), "{id} at {hundredths}: {bound:?} {run:?}");
            }
        }
    }
}

/// Twenty tasks, timeslices of 8 ms, 50 µs a switch, a utilization of 0.1: equation 3 passes more sets than
/// hold, and is not called a bound.
#[test]
fn edf_fig_3b_equation_3_passes_what_misses() {
    let mut sweep = charged("edf-3b", 2000, SwitchCharge::Every, 50);
    let eight_ms = |test: &Test| test.parameter() == 8000;
    sweep.tests.retain(eight_ms);
    let Test::RunlistBound(bound) = sweep.tests[1] else { panic!("{:?}", sweep.tests) };
    assert_eq!(bound.charge, SwitchCharge::Every, "the sound one is the default");
    sweep.tests.push(Test::RunlistBound(RunlistTest { charge: SwitchCharge::Expiries, ..bound }));
    let labels: Vec<_> = sweep.tests.iter().map(Test::label).collect();
    let expected =
        ["runlist run, every switch, timeslice 8000 µs", "Theorem 1, timeslice 8000 µs", "equation 3 (no bound), timeslice 8000 µs"];
    assert_eq!(labels, expected);
    let row = percents(&at(&sweep, 10));
    println!("schedule, bound, equation 3: {row:?}");
    assert_eq!(row, [94.4, 94.4, 98.9]);
    assert!(!sweep.tests[2].assumes().contains("a bound:") && sweep.tests[2].assumes().contains("not a bound"));
}

#[test]
fn edf_fig_3a_the_share_drops_above_one_half_with_five_tasks_and_1_ms() {
    let sweep = preset("edf-3a", 1000);
    let share = |hundredths| percents(&at(&sweep, hundredths))[ONE_MS];
    let row: Vec<_> = (30..=80).step_by(5).map(|u| (u, share(u))).collect();
    println!("[EDF] Fig. 3(a), 1 ms: percent by utilisation in hundredths {row:?}");
    assert!(share(40) > 95.0 && share(50) > 75.0);
    assert!(share(60) < share(50) - 25.0 && share(70) < 5.0);
}

#[test]
fn edf_fig_3a_and_b_longer_timeslices_are_worse_and_so_are_more_tasks() {
    let (five, twenty) = (preset("edf-3a", 1000), preset("edf-3b", 1000));
    let (five, twenty) = (percents(&at(&five, 50)), percents(&at(&twenty, 50)));
    println!("[EDF] Fig. 3(a) and (b) at 0.5, by timeslice: {:?} with five tasks, {:?} with twenty", &five[..SLICES], &twenty[..SLICES]);
    for row in [&five, &twenty] {
        assert!(row[ONE_MS..SLICES].windows(2).all(|pair| pair[0] > pair[1]), "{row:?}");
    }
    assert!((ONE_MS..SLICES).all(|i| five[i] > twenty[i]));
}

#[test]
fn edf_fig_3c_the_timeslice_has_a_significant_impact() {
    let sweep = preset("edf-3c", 500);
    for hundredths in [40, 50, 60] {
        let row = percents(&at(&sweep, hundredths));
        println!("[EDF] Fig. 3(c) at {hundredths} hundredths, 500 to 8000 µs: {row:?}");
        // Below 2 ms the switches count; from there on longer timeslices only hurt.
        assert!(row[3] > row[15] + 15.0 && row[3] > row[7] && row[7] > row[11] && row[11] > row[15]);
    }
}

#[test]
fn edf_fig_3d_over_70_percent_pass_at_0_95_with_1500_us() {
    let sweep = preset("edf-3d", 1000);
    let row = percents(&at(&sweep, 95));
    println!("[EDF] Fig. 3(d) at 0.95, 100 to 1500 µs: {row:?}");
    assert!(row[14] > 70.0);
    // "the overhead starts affecting the schedulability when it exceeds 500 µs for task sets with 0.95
    // utilization, or 1ms for slightly smaller utilizations"
    assert!(row[4] > 99.0 && row[9] < 97.0);
    let row = percents(&at(&sweep, 90));
    println!("[EDF] Fig. 3(d) at 0.90: {row:?}");
    assert!(row[9] > 99.0 && row[14] < 99.0);
}

/// The length of a run of (d) is our choice, and it decides the share: what docs/studies.md and the tour say of it.
#[test]
fn edf_fig_3d_the_share_falls_with_the_length_of_the_run() {
    let mut sweep = preset("edf-3d", 1000);
    let until = [200, 500, 1_000, 2_000, 5_000, 20_000].map(|ms| ms * 1_000);
    sweep.tests = until.into_iter().map(|until| Test::EdfRun(EdfRun { overhead: 1500, until })).collect();
    let row: Vec<f64> = percents(&at(&sweep, 95)).iter().map(|share| (share * 10.0).round() / 10.0).collect();
    assert_eq!(row, [97.7, 82.9, 71.4, 66.4, 63.6, 58.7]);
    let text = std::fs::read_to_string(std::path::Path::new(blockstep_testing::ROOT).join("docs/studies.md")).unwrap();
    let cells: Vec<String> = row.iter().map(|share| format!("{share:.1}")).collect();
    assert!(text.contains(&format!("| charged for each preemption | {} |", cells.join(" | "))));
}

/// The charge for each preemption, 100, 500, 1000 and 1500 µs, then signals that take as long.
#[test]
fn edf_vi_c_signals_cost_more_than_the_charge() {
    let sweep = preset("edf-signals", 1000);
    for hundredths in [80, 85, 90, 95] {
        let row = percents(&at(&sweep, hundredths));
        println!("[EDF] VI-C at {hundredths} hundredths: charge {:?}, signals {:?}", &row[..4], &row[4..]);
        assert!((0..4).all(|i| row[i] >= row[4 + i]), "a signal is paid for by every job, a preemption by one that preempts");
    }
    // What docs/studies.md says of it.
    let row = percents(&at(&sweep, 95));
    assert_eq!([row[3], row[5], row[6], row[7]].map(|share| (share * 10.0).round() / 10.0), [71.4, 80.4, 11.9, 0.5]);
}

/// The closed form releases the others right after each execution, whatever their periods. It is
/// below the schedule from the same start everywhere, and does not show what the paper says of its figure.
#[test]
fn edf_fig_3_is_not_the_closed_form_of_theorem_1() {
    let sweep = preset("edf-3a", 1000);
    for hundredths in [30, 40, 50, 60] {
        let row = percents(&at(&sweep, hundredths));
        println!("at {hundredths} hundredths: schedules {:?}, bounds {:?}", &row[..SLICES], &row[SLICES..]);
        assert!((0..SLICES).all(|i| row[i] >= row[SLICES + i]));
    }
    assert!(percents(&at(&sweep, 50))[SLICES + ONE_MS] < 30.0);
}
