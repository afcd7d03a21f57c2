//! Numbers of ours that stand beside a paper's: the table in `docs/papers.md` says how each came about, and these are the
//! numbers and their bands.

use std::fs;
use std::path::Path;

use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::sweep::Test;
use blockstep_batch::cases::{ASSUMED, Assumptions, CASES};
use blockstep_batch::methods::Methods;
use blockstep_batch::run::Comparison;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::Workload;
use blockstep_sim::scenario::SwitchCharge;

use super::applications::FITTED;
use super::{block_times, draft, example, responses_of, run};
use crate::analysis::{at, preset};

/// What the table should say of a number: its name, its mark, ours, and its band.
type Said = (&'static str, &'static str, String, String);

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(blockstep_testing::ROOT).join(name)).unwrap()
}

/// The rows of the table: number, the paper's, ours, mark, what decides it, where.
fn rows() -> Vec<Vec<String>> {
    let text = document("docs/papers.md");
    let lines = text.lines().skip_while(|line| *line != "## Numbers beside the papers'").filter(|line| line.starts_with("| "));
    lines.skip(1).map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Percent of 1000 sets of a study that pass its only test left.
fn share(id: &str, hundredths: u32, test: Test) -> f64 {
    let mut sweep = preset(id, 1000);
    sweep.tests = vec![test];
    let counts = at(&sweep, hundredths);
    100.0 * counts.passed[0] as f64 / counts.sets as f64
}

/// [EDF] Fig. 3(a) with timeslices of 1 ms.
fn runlist(hundredths: u32, charge: SwitchCharge, switch: u64) -> f64 {
    let is_it = |test: &Test| matches!(test, Test::RunlistRun(run) if run.timeslice == 1000);
    let mut test = preset("edf-3a", 1000).tests.into_iter().find(is_it).unwrap();
    if let Test::RunlistRun(run) = &mut test {
        (run.charge, run.switch) = (charge, switch);
    }
    share("edf-3a", hundredths, test)
}

/// [EDF] Fig. 3(d) at 0.95, in runs of so many ms.
fn edf(overhead: u64, ms: u64) -> f64 {
    share("edf-3d", 95, Test::EdfRun(EdfRun { overhead, until: ms * 1000 }))
}

/// The greatest block time of two processes beside that of two tasks, in the run of [TX2] Fig. 10 with such timeslices.
fn longer(timeslice_us: u64) -> f64 {
    let mut processes = draft("tx2-fig-9-processes");
    for process in &mut processes.processes {
        process.timeslice_ns = timeslice_us * 1000;
    }
    let [processes, tasks] = [block_times(&run(&processes)), block_times(&example("tx2-fig-9-tasks"))];
    *processes.last().unwrap() as f64 / *tasks.last().unwrap() as f64
}

/// The quartiles of a kernel's time, ms, in six processes whose kernels take so long alone.
fn turns(alone_ns: u64) -> [f64; 3] {
    let mut draft = draft("edf-six-processes");
    for row in &mut draft.kernels {
        row.block_time_ns = blockstep_sim::scenario::BlockTimes::Each(alone_ns);
    }
    let mut times = responses_of(&run(&draft), "T1");
    times.sort_unstable();
    [1, 2, 3].map(|quarter| times[times.len() * quarter / 4] as f64 / 1e6)
}

/// `CPUConcurrent` in case 2 of [MT] with so many inputs, in hundredths.
fn performance(inputs: u64) -> String {
    let assumed = Assumptions { until: ASSUMED.interval * inputs, ..ASSUMED };
    let case = &CASES[1];
    let comparison = Comparison::new(&Workload::new(case.workload(&assumed)).unwrap(), &case.arch.arch(), Methods::ALL);
    let hundredths = (comparison.performance(SchedulerId::CpuConcurrent).unwrap().thousandths() + 5) / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Every number and every band that the table should have.
fn expected() -> Vec<Said> {
    let [chosen, fresh] = &*FITTED;
    let greatest = chosen.greatest.map(|[before, after]| 100.0 * (before / after - 1.0));
    // [EDF] VI-C: constants, of two SMs shared memory and registers, and the L2 cache, at 20 GB/s; the page rounds up to 0.1 µs.
    let bytes: u64 = (64 + 2 * (48 + 32 * 4) + 512) * 1024;
    let saved = (10 * bytes).div_ceil(20_000);
    let limited = {
        let counts = at(&preset("lp-3", 100_000), 89);
        100.0 * counts.passed[5] as f64 / counts.sets as f64
    };
    let quartiles = |alone_ns| {
        let [first, second, third] = turns(alone_ns);
        format!("{first:.2}, {second:.2} and {third:.2}")
    };
    vec![
        (
            "[EDF] VI-A: late real-time jobs under the runlist",
            "fitted",
            format!("{:.1} %", chosen.late[0]),
            format!("60 fresh seeds: {:.1} %, single ones {:.1} to {:.1} %", fresh.late[0], fresh.late[1], fresh.late[2]),
        ),
        (
            "[EDF] VI-A: how much longer the worst responses are",
            "fitted",
            format!("{:.0} % and {:.0} %", chosen.better[0], chosen.better[1]),
            format!(
                "60 fresh seeds: {:.0} % and {:.0} %. The greatest of all ten: {:.0} % and {:.0} %",
                fresh.better[0], fresh.better[1], greatest[0], greatest[1]
            ),
        ),
        (
            "[EDF] Fig. 3(a): where the share drops, with 1 ms",
            "chosen",
            format!("{:.0} % at 0.5, {:.0} % at 0.6", runlist(50, SwitchCharge::Expiries, 50), runlist(60, SwitchCharge::Expiries, 50)),
            format!(
                "at 0.6 from {:.0} % with free switches to {:.0} % with every switch charged",
                runlist(60, SwitchCharge::Expiries, 0),
                runlist(60, SwitchCharge::Every, 50)
            ),
        ),
        (
            "[EDF] Fig. 3(d): sets that last at 0.95 with 1500 µs",
            "chosen",
            format!("{:.1} %", edf(1500, 1000)),
            format!("in 0.2 s {:.1} %, in 20 s {:.1} %", edf(1500, 200), edf(1500, 20_000)),
        ),
        (
            "[EDF] Fig. 3(d): the same with 500 µs",
            "chosen",
            format!("{:.1} %", edf(500, 1000)),
            format!("in 0.2 s {:.1} %, in 20 s {:.1} %", edf(500, 200), edf(500, 20_000)),
        ),
        ("[EDF] VI-C: time to save the state", "derived", format!("{}.{} µs", saved / 10, saved % 10), String::new()),
        ("[LP] Fig. 3: limited preemption at 0.89, maximum costs", "derived", format!("{limited:.2} %"), String::new()),
        (
            "[TX2] Fig. 10: worst block time of processes, to tasks",
            "chosen",
            format!("{:.2} times", longer(2000)),
            format!("with 0.5 ms {:.2} times, with 4 ms {:.2} times", longer(500), longer(4000)),
        ),
        (
            "[MT] Table III: CPUConcurrent in Case-2",
            "chosen",
            performance(15),
            format!("5 inputs: {}, 60 inputs: {}", performance(5), performance(60)),
        ),
        ("gpu_ext: quartiles of a kernel's time, ms", "fitted", quartiles(13_968_500), format!("with 13.6 ms {}", quartiles(13_600_000))),
    ]
}

#[test]
fn examples_numbers_beside_the_papers_are_marked_and_in_their_bands() {
    let (rows, expected) = (rows(), expected());
    for said in &expected {
        println!("{said:?}");
    }
    let names = |of: &[Vec<String>]| of.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!(names(&rows), expected.iter().map(|said| said.0.to_owned()).collect::<Vec<_>>());
    for (row, (name, mark, ours, band)) in rows.iter().zip(&expected) {
        assert_eq!((row[3].as_str(), &row[2]), (*mark, ours), "{name}");
        assert!(row[4].contains(band.as_str()), "{name}: the band is {band}");
        // A number that is derived has no free value; the others say where a reader meets them that they are fitted or chosen.
        let words: &[&str] = match *mark {
            "derived" => continue,
            "fitted" => &["fit"],
            _ => &["chose", "choice", "not give"],
        };
        let text = match row[5].trim_matches('`').strip_prefix("#tour=").and_then(|place| place.split_once('/')) {
            Some((id, stop)) => {
                let tour: serde_json::Value = serde_json::from_str(&document(&format!("crates/learn/src/tours/{id}.json"))).unwrap();
                tour["stops"][stop.parse::<usize>().unwrap() - 1].to_string()
            }
            None => document("docs/batches.md"),
        };
        assert!(words.iter().any(|word| text.contains(word)), "{name}: {} says none of {words:?}", row[5]);
    }
}
