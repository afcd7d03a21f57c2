//! [EDF] Fig. 3: what section VI-B and VI-C say of it.

use blockstep::analysis::runlist::Charge;
use blockstep::analysis::sweep::{Counts, Test};

use super::{at, preset};

/// Percent that pass, by test.
fn percents(counts: &Counts) -> Vec<f64> {
    counts.passed.iter().map(|k| 100.0 * *k as f64 / counts.sets as f64).collect()
}

/// The runlist studies run timeslices of 500, 1000, 2000, 4000 and 8000 µs; then come the bounds.
const ONE_MS: usize = 1;
const SLICES: usize = 5;

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

/// The closed form releases the others right after each execution, whatever their periods. It is
/// below the schedule from the same start everywhere, and does not show what the paper says of its figure.
#[test]
fn edf_fig_3_is_not_the_closed_form_of_theorem_1() {
    let mut sweep = preset("edf-3a", 1000);
    for test in &mut sweep.tests {
        if let Test::RunlistBound(bound) = test {
            bound.charge = Charge::Every;
        }
    }
    for hundredths in [30, 40, 50, 60] {
        let row = percents(&at(&sweep, hundredths));
        println!("at {hundredths} hundredths: schedules {:?}, bounds {:?}", &row[..SLICES], &row[SLICES..]);
        assert!((0..SLICES).all(|i| row[i] >= row[SLICES + i]));
    }
    assert!(percents(&at(&sweep, 50))[SLICES + ONE_MS] < 30.0);
}
