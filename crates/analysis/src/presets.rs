//! The studies of the papers.
//!
//! Depends on `sweep`. Invariant: a preset is a study without problems. Sources: [LP] figures 3 to 6,
//! [EDF] figure 3.

use super::edf::{EdfTest, Overhead, Sections, table_ii_us};
use super::edf_run::EdfRun;
use super::generate::{Generator, Recipe};
use super::runlist::RunlistTest;
use super::signal_run::SignalRun;
use super::sweep::{Figure, Sweep, Test, Utilisations};
use super::switch_run::SwitchRun;
use blockstep_sim::scenario::{Choice, Preemption, SwitchCharge};

/// What a context switch under the runlist costs, in microseconds: what [EDF] VI-C estimates for
/// CUDA kernels. The value behind the figure is not published.
pub const RUNLIST_SWITCH_US: u64 = 50;
/// How long the runs behind [EDF] Fig. 3(d) are, in microseconds. The paper does not say; we chose one second, knowing
/// that more than 70 % of the sets last for it, as the paper states. The share depends on the length: `docs/studies.md`
/// has its band.
pub const EDF_RUN_US: u64 = 1_000_000;

/// A built-in study.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What the command line calls it.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// The study.
    pub sweep: fn() -> Sweep,
}

/// All of them.
pub const ALL: &[Preset] = &[
    Preset { id: "lp-3", title: "[LP] Fig. 3: EDF with overheads, two tasks", sweep: || lp("lp-3", 2) },
    Preset { id: "lp-4", title: "[LP] Fig. 4: EDF with overheads, three tasks", sweep: || lp("lp-4", 3) },
    Preset { id: "lp-5", title: "[LP] Fig. 5: utilization up to which 90 % pass, by work-groups per SM", sweep: || lp_groups("lp-5", 900) },
    Preset { id: "lp-6", title: "[LP] Fig. 6: utilization up to which 99 % pass, by work-groups per SM", sweep: || lp_groups("lp-6", 990) },
    Preset { id: "lp-switches", title: "[LP] III-B: switches as average, maximum and drawn, npEDF, two tasks", sweep: switches },
    Preset { id: "edf-3a", title: "[EDF] Fig. 3(a): the runlist, five tasks, by utilization", sweep: || runlist("edf-3a", 5) },
    Preset { id: "edf-3b", title: "[EDF] Fig. 3(b): the runlist, twenty tasks, by utilization", sweep: || runlist("edf-3b", 20) },
    Preset { id: "edf-3c", title: "[EDF] Fig. 3(c): the runlist, five tasks, by timeslice", sweep: timeslices },
    Preset { id: "edf-3d", title: "[EDF] Fig. 3(d): EDF, five tasks, by overhead of a preemption", sweep: overheads },
    Preset { id: "edf-signals", title: "[EDF] VI-C: signals that take time, and a charge for each preemption", sweep: signals },
];

/// The preset of this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Preset> {
    ALL.iter().find(|p| p.id == id)
}

const fn range(from: u32, to: u32, step: u32) -> Utilisations {
    Utilisations { from: from * 10_000, to: to * 10_000, step: step * 10_000 }
}

/// [LP] IV-B: periods of 1 to 15 ms, the generator behind the published numbers.
fn lp_recipe(tasks: u32) -> Recipe {
    Recipe { generator: Generator::Published, tasks, periods: (1000, 15_000), seed: 1 }
}

/// Three ways of preemption with three overheads each, in the order of the published numbers.
fn lp(name: &str, tasks: u32) -> Sweep {
    let tests = EdfTest::MODES.iter().flat_map(|&preemption| {
        Overhead::ALL.iter().map(move |&overhead| {
            let test = EdfTest::for_preemption(preemption, table_ii_us(preemption, overhead), (5, 500));
            // As the published numbers were made.
            let sections = if preemption == Preemption::None { Sections::Cost } else { test.sections };
            Test::Edf(EdfTest { sections, ..test })
        })
    });
    Sweep {
        name: name.to_owned(),
        recipe: lp_recipe(tasks),
        utilisation: range(20, 100, 1),
        sets: 100_000,
        tests: tests.collect(),
        figure: Figure::ByUtilisation,
    }
}

/// What a switch takes on a GT 710 in whole microseconds, [LP] III-B: 21.5 on average, at most 3.7 times as much.
const GT_710_US: (u64, u64) = (22, 80);

/// The tests with the average and the maximum of a GT 710, and runs with these and with drawn switches.
fn switches() -> Sweep {
    let (average, longest) = GT_710_US;
    let none = |switch| Test::Edf(EdfTest::for_preemption(Preemption::None, switch, (1, 1)));
    let run = |average, longest| Test::SwitchRun(SwitchRun { average, longest, until: EDF_RUN_US });
    Sweep {
        utilisation: range(20, 100, 2),
        sets: 1000,
        tests: vec![none(average), none(longest), run(average, average), run(longest, longest), run(average, longest)],
        ..lp("lp-switches", 2)
    }
}

/// [LP] IV-D: 2 to 30 work-groups per SM.
fn lp_groups(name: &str, above: u32) -> Sweep {
    let block = Preemption::Block;
    let test = |overhead, groups| Test::Edf(EdfTest::for_preemption(block, table_ii_us(block, overhead), (groups, groups)));
    let tests = Overhead::ALL.iter().flat_map(|&overhead| (2..=30).map(move |groups| test(overhead, groups)));
    Sweep {
        name: name.to_owned(),
        recipe: lp_recipe(3),
        utilisation: range(20, 100, 1),
        sets: 10_000,
        tests: tests.collect(),
        figure: Figure::Above(above),
    }
}

/// [EDF] VI-B: periods of 16 to 125 ms, the generator as its authors define it.
fn edf_recipe(tasks: u32) -> Recipe {
    Recipe { generator: Generator::UUniFast, tasks, periods: (16_000, 125_000), seed: 1 }
}

/// Timeslices that every task has, the lower one too.
fn slices(timeslice: u64, charge: SwitchCharge) -> RunlistTest {
    RunlistTest { timeslice, lower: timeslice, switch: RUNLIST_SWITCH_US, charge }
}

/// The schedule, with the overhead where [EDF] VI-C charges it.
fn run(timeslice: u64) -> Test {
    Test::RunlistRun(slices(timeslice, SwitchCharge::Expiries))
}

fn runlist(name: &str, tasks: u32) -> Sweep {
    let timeslices = [500, 1000, 2000, 4000, 8000];
    let runs = timeslices.iter().map(|&us| run(us));
    let bounds = timeslices.iter().map(|&us| Test::RunlistBound(slices(us, SwitchCharge::Every)));
    Sweep {
        name: name.to_owned(),
        recipe: edf_recipe(tasks),
        utilisation: range(5, 100, 5),
        sets: 1000,
        tests: runs.chain(bounds).collect(),
        figure: Figure::ByUtilisation,
    }
}

fn timeslices() -> Sweep {
    Sweep {
        utilisation: range(20, 80, 10),
        tests: (1..=16).map(|i| run(500 * i)).collect(),
        figure: Figure::ByParameter,
        ..runlist("edf-3c", 5)
    }
}

fn overheads() -> Sweep {
    Sweep {
        utilisation: range(80, 95, 5),
        tests: (1..=15).map(|i| Test::EdfRun(EdfRun { overhead: 100 * i, until: EDF_RUN_US })).collect(),
        figure: Figure::ByParameter,
        ..runlist("edf-3d", 5)
    }
}

/// The charge of Fig. 3(d) and the mechanism of III-D, side by side: curves of both over the utilization.
fn signals() -> Sweep {
    let times = [100, 500, 1000, 1500];
    let charged = times.iter().map(|&overhead| Test::EdfRun(EdfRun { overhead, until: EDF_RUN_US }));
    let told = times.iter().map(|&signal| Test::SignalRun(SignalRun { signal, until: EDF_RUN_US }));
    Sweep { utilisation: range(80, 95, 5), tests: charged.chain(told).collect(), ..runlist("edf-signals", 5) }
}
