//! Numbers of ours that stand beside a paper's: the table in `docs/papers.md` says how each came about, and these are the
//! numbers and their bands.

use std::fs;
use std::path::Path;

use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::sweep::Test;
use blockstep_batch::cases::{ASSUMED, Assumptions, CASES, Case};
use blockstep_batch::methods::Methods;
use blockstep_batch::run::Comparison;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::Workload;
use blockstep_sim::scenario::{BlockTimes, Draft, PolicyDraft, Scenario, SwitchCharge};
use blockstep_sim::units::written::format_count;

use super::applications::FITTED;
use super::{block_times, draft, example, responses_of, run};
use crate::analysis::{at, preset};

/// What the table should say of a number: its name, its mark, ours, and its band.
type Said = (String, &'static str, String, String);

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

/// Six processes whose kernels take so long alone.
fn six_processes(alone_ns: u64) -> Draft {
    let mut draft = draft("edf-six-processes");
    for row in &mut draft.kernels {
        row.block_time_ns = BlockTimes::Each(alone_ns);
    }
    draft
}

/// The quartiles of a kernel's time, ms, in six processes whose kernels take so long alone.
fn turns(alone_ns: u64) -> [f64; 3] {
    let mut times = responses_of(&run(&six_processes(alone_ns)), "T1");
    times.sort_unstable();
    [1, 2, 3].map(|quarter| times[times.len() * quarter / 4] as f64 / 1e6)
}

/// Two decimals of hundredths.
fn decimals(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Performance in a case of [MT] with so many inputs, of all schedulers that the paper measured beside `CPUTraditional`.
fn performance(case: &Case, inputs: u64) -> String {
    let assumed = Assumptions { until: ASSUMED.interval * inputs, ..ASSUMED };
    let comparison = Comparison::new(&Workload::new(case.workload(&assumed)).unwrap(), &case.arch.arch(), Methods::ALL);
    let of = |id: &SchedulerId| decimals((comparison.performance(*id).unwrap().thousandths() + 5) / 10);
    let measured = SchedulerId::ALL.iter().filter(|id| **id != SchedulerId::CpuTraditional && case.published(**id).is_some());
    measured.map(of).collect::<Vec<_>>().join(", ")
}

/// Performance in the cases of [MT]: 15 inputs, and as a band 5 and 60.
fn cases() -> Vec<Said> {
    let said = |case: &Case| {
        let band = format!("5 inputs: {}; 60 inputs: {}", performance(case, 5), performance(case, 60));
        (format!("{}, {}", case.source, case.name), "chosen", performance(case, 15), band)
    };
    CASES.iter().map(said).collect()
}

/// What the paper has of these.
fn published(case: &Case) -> String {
    let measured = SchedulerId::ALL.into_iter().filter(|id| *id != SchedulerId::CpuTraditional);
    measured.filter_map(|id| Some(case.published(id)?.to_string())).collect::<Vec<_>>().join(", ")
}

/// Kernels that four of six processes complete in a second, in tenths, where a kernel takes so long alone.
fn a_second(alone_ns: u64) -> String {
    let run = run(&six_processes(alone_ns));
    let tenths = 4 * 200 * 10_000_000_000 / run.trace.end().ns();
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Percent of switches of a GT 710 that take longer, by the shape that is drawn.
fn switches_beyond(ns: u64) -> String {
    let policy = PolicyDraft { switch_cost_ns: 21_500, switch_cost_max_ns: Some(79_550), ..PolicyDraft::default() };
    let scenario = Scenario::new(&Draft { policy, ..Draft::default() }).unwrap();
    let beyond = (0..1_000_000).filter(|&n| scenario.switches().draw(n).ns() >= ns).count();
    format!("{:.2} %", beyond as f64 / 10_000.0)
}

/// [LP] Figs. 3 and 4: at how many utilizations below 1 more sets pass full preemption than none, maximum costs, and the last of them.
fn full_ahead(id: &str, sets: u64) -> (usize, u32) {
    let sweep = preset(id, sets);
    let ahead = |hundredths: &u32| {
        let passed = at(&sweep, *hundredths).passed;
        passed[2] > passed[8]
    };
    let ahead: Vec<u32> = (20..100).filter(ahead).collect();
    (ahead.len(), ahead.last().copied().unwrap_or(0))
}

/// [LP] Figs. 5 and 6: up to which utilization enough sets pass, by cost of a switch and work-groups, in hundredths.
fn limits(id: &str) -> impl Fn(usize, u64) -> u64 {
    let sweep = preset(id, 10_000);
    let counts: Vec<_> = sweep.utilisation.iter().map(|u| at(&sweep, u / 10_000)).collect();
    let curves = sweep.curves(&counts);
    move |cost, groups| curves[cost].points.iter().find(|point| point.0 == groups).map_or(0, |point| u64::from(point.1.share) / 10_000)
}

/// The work-groups from which the limit with the maximum cost is that of 30 work-groups, or one step of the figure less.
fn groups_from_which_costs_decide(limit: &impl Fn(usize, u64) -> u64, less: u64) -> u64 {
    (2..=30).find(|&groups| limit(2, groups) + less >= limit(2, 30)).unwrap()
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
    let [fifth, sixth] = ["lp-5", "lp-6"].map(limits);
    let bookmarks = blockstep_sim::examples::find("tx2-table-1").unwrap().bookmarks.iter();
    let insets = bookmarks.take(5).map(|mark| format!("{}", mark.at_ns as f64 / 1e9)).collect::<Vec<_>>().join(", ");
    let seem = format_count(super::apparent_threads(&example("tx2-fig-9-processes")).into());
    let mut said = [
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
        ("gpu_ext: quartiles of a kernel's time, ms", "fitted", quartiles(13_968_500), format!("with 13.6 ms {}", quartiles(13_600_000))),
        ("gpu_ext: kernels a second of four processes", "fitted", a_second(13_968_500), format!("with 13.6 ms {}", a_second(13_600_000))),
        (
            "[LP] Fig. 1: switches in the tail",
            "chosen",
            switches_beyond(26_875),
            format!("beyond twice the average {}, beyond three times {}", switches_beyond(43_000), switches_beyond(64_500)),
        ),
        (
            "[LP] Fig. 3: full preemption ahead of none, maximum costs",
            "derived",
            format!("up to 0.{}", full_ahead("lp-3", 100_000).1),
            String::new(),
        ),
        (
            "[LP] Fig. 4: utilizations with full preemption ahead, maximum costs",
            "derived",
            format!("{} of 80", full_ahead("lp-4", 20_000).0),
            String::new(),
        ),
        (
            "[LP] Fig. 5: work-groups from which switches decide",
            "derived",
            format!("{}", groups_from_which_costs_decide(&fifth, 0)),
            format!("all but a step of 0.01 from {} on", groups_from_which_costs_decide(&fifth, 1)),
        ),
        (
            "[LP] Fig. 6: work-groups from which switches decide",
            "derived",
            format!("{}", groups_from_which_costs_decide(&sixth, 0)),
            format!("all but a step of 0.01 from {} on", groups_from_which_costs_decide(&sixth, 1)),
        ),
        (
            "[LP] Fig. 6: limit of 99 % with two work-groups",
            "chosen",
            decimals(sixth(2, 2)),
            format!("the average: {}, free switches: {}", decimals(sixth(1, 2)), decimals(sixth(0, 2))),
        ),
        ("[TX2] Fig. 4: when insets (a) to (e) are, s", "fitted", insets, "0.3 s for all".to_owned()),
        ("[TX2] Fig. 9: threads that two processes seem to have", "derived", seem, String::new()),
    ]
    .map(|(name, mark, ours, band)| (name.to_owned(), mark, ours, band))
    .to_vec();
    said.extend(cases());
    said
}

#[test]
fn examples_numbers_beside_the_papers_are_marked_and_in_their_bands() {
    let (rows, expected) = (rows(), expected());
    for said in &expected {
        println!("{said:?}");
    }
    let names = |of: &[Vec<String>]| of.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!(names(&rows), expected.iter().map(|said| said.0.clone()).collect::<Vec<_>>());
    for (row, case) in rows[rows.len() - CASES.len()..].iter().zip(&CASES) {
        assert_eq!(row[1], published(case), "{}", row[0]);
    }
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
            None => match row[5].split_once("](") {
                Some((_, name)) => document(&format!("docs/{}", name.trim_end_matches(')'))),
                None => document("docs/batches.md"),
            },
        };
        assert!(words.iter().any(|word| text.contains(word)), "{name}: {} says none of {words:?}", row[5]);
    }
}
