//! Several runs in one chart: [TX2] Fig. 9's four timelines and Fig. 10's four curves.

use std::sync::Arc;

use blockstep_report::figure::Beside;
use blockstep_report::{Options, results_csv, results_csv_of, results_panel};
use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_view::panels::results::ResultsPanel;
use blockstep_view::results::Results;
use blockstep_view::results::overlay::{NamedRun, Times, end, series, threads};

use super::{example, run_of, texts};

const PROCESSES: &str = "tx2-fig-9-processes";
const TASKS: &str = "tx2-fig-9-tasks";

fn two() -> [(Run, Results); 2] {
    [PROCESSES, TASKS].map(|id| {
        let run = run_of(&example(id));
        let results = Results::new(run.replay(), &Records::new(&run.trace));
        (run, results)
    })
}

fn as_runs(two: &[(Run, Results); 2]) -> Vec<NamedRun<'_>> {
    two.iter().zip(["processes", "tasks"]).map(|((run, results), name)| NamedRun { name, trace: &run.trace, results }).collect()
}

/// Fig. 9: each process seems to have 4,096 threads all the time; of the tasks, one at a time has.
#[test]
fn threads_in_flight_are_those_of_figure_9() {
    let two = two();
    let runs = as_runs(&two);
    let found = threads(&runs);
    let names: Vec<&str> = found.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["P1, processes", "P2, processes", "T1, tasks", "T2, tasks"]);
    let level = |of: usize, ms: u64| {
        let points = &found[of].levels.points;
        points.iter().rev().find(|(at, _)| at.ns() <= ms * 1_000_000).map_or(0, |&(_, level)| level)
    };
    for ms in [5, 30, 60, 90, 120] {
        let of_tasks = if ms < 66 { [4096, 0] } else { [0, 4096] };
        assert_eq!([0, 1, 2, 3].map(|of| level(of, ms)), [4096, 4096, of_tasks[0], of_tasks[1]], "at {ms} ms");
    }
    assert!(found.iter().all(|of| of.limit == 4096 && of.levels.greatest == 4096));
    assert_eq!(end(&runs), two[0].1.end.max(two[1].1.end));
    // The threads of a process are those of its tasks, here one.
    assert_eq!(two[0].1.processes[0], two[0].1.tasks[0].threads);
    assert!(two[1].1.processes.is_empty());
    // One run alone needs no name of its own.
    assert_eq!(threads(&runs[..1])[0].name, "P1");
}

/// Fig. 10: the worst block times of processes are over twice those of tasks.
#[test]
fn block_times_are_those_of_figure_10() {
    let two = two();
    let found = series(&as_runs(&two), Times::Blocks);
    let names: Vec<&str> = found.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["T1 (P1), processes", "T2 (P2), processes", "T1, tasks", "T2, tasks"]);
    let worst: Vec<u64> = found.iter().map(|of| of.sorted.last().unwrap().ns()).collect();
    assert!(worst[..2].iter().all(|&processes| worst[2..].iter().all(|&tasks| processes > 2 * tasks)), "{worst:?}");
    assert_eq!(found.iter().map(|of| of.place).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(series(&as_runs(&two), Times::Responses).len(), 4);
}

fn panel(run: &Run, beside: &[Beside]) -> ResultsPanel {
    let records = Records::new(&run.trace);
    let results = Results::new(run.replay(), &records);
    results_panel(run, &records, &results, beside, Options { is_dark: false, width_px: 800 })
}

#[test]
fn the_panel_of_results_shows_every_process() {
    let blocks = |id: &str| panel(&run_of(&example(id)), &[]).blocks.unwrap();
    let processes = blocks(PROCESSES);
    assert_eq!(processes.processes.unwrap().figure.chart.label, "Each process's threads in flight over time");
    assert!(processes.most.rows.iter().any(|row| row.name.as_deref() == Some("all of P2")));
    assert!(blocks(TASKS).processes.is_none());
}

/// The panel draws the other run's distributions and threads too, names both, and lists both in its tables.
#[test]
fn the_panel_of_results_draws_a_run_beside_it() {
    let [(processes, _), (tasks, results)] = two();
    let beside = [Beside { name: "two tasks".to_owned(), results: Arc::new(results), trace: Arc::clone(&tasks.trace) }];
    let (both, alone) = (panel(&processes, &beside), panel(&processes, &[]));
    let names = |panel: &ResultsPanel| {
        let (responses, blocks) = (panel.responses.as_ref().unwrap(), panel.blocks.as_ref().unwrap());
        let legends = [&blocks.times.as_ref().unwrap().legend];
        let legends = legends.map(|legend| legend.iter().map(|stroke| stroke.name.clone()).collect::<Vec<_>>());
        assert!(responses.times.is_none() && responses.percentiles.is_none(), "each task has a single job");
        let tables = [responses.single.as_ref().unwrap(), &blocks.percentiles];
        let tables = tables.map(|sheet| sheet.rows.iter().filter_map(|row| row.name.clone()).collect::<Vec<_>>());
        legends.into_iter().chain(tables).collect::<Vec<_>>()
    };
    // The legend of the block times, the response times and the table of the block times.
    for of in names(&both) {
        assert_eq!(of, ["T1 (P1), this run", "T2 (P2), this run", "T1, two tasks", "T2, two tasks"]);
    }
    for of in names(&alone) {
        assert_eq!(of, ["T1 (P1)", "T2 (P2)"]);
    }
    let threads = |panel: &ResultsPanel| texts(&panel.blocks.as_ref().unwrap().processes.as_ref().unwrap().figure.chart.svg);
    let names_this_run = |panel: &ResultsPanel| threads(panel).iter().any(|(text, _)| text.starts_with("P1, this run"));
    assert!(names_this_run(&both) && !names_this_run(&alone));
    let curves =
        |panel: &ResultsPanel| panel.blocks.as_ref().unwrap().times.as_ref().unwrap().figure.chart.svg.matches("<polyline").count();
    assert!(curves(&both) > curves(&alone), "{} and {}", curves(&both), curves(&alone));
}

#[test]
fn tables_have_the_points_of_the_charts() {
    let two = two();
    let records = two.each_ref().map(|(run, _)| Records::new(&run.trace));
    let rows = |text: &str| -> Vec<Vec<String>> { text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect() };
    let one = rows(&results_csv(&two[0].0, &records[0]).to_string());
    let column = |name: &str| one[0].iter().position(|head| head == name).unwrap();
    let of = |section: &str| one.iter().filter(|row| row[0] == section).collect::<Vec<_>>();
    let last = *of("block_times").last().unwrap();
    assert_eq!((last[column("count")].as_str(), last[column("of")].as_str()), ("48", "48"), "the last point is for all blocks");
    assert_eq!(last[column("value")].parse::<u64>().unwrap(), two[0].1.tasks[1].block_times.last().unwrap().ns());
    let first = of("threads")[0];
    let cells = ["process", "measure", "value", "of", "at_ns"].map(|name| first[column(name)].as_str());
    assert_eq!(cells, ["P1", "threads_of_process", "4096", "4096", "0"]);
    let all = rows(&results_csv_of(&[("processes", &two[0].0, &records[0]), ("tasks", &two[1].0, &records[1])]).to_string());
    assert_eq!((all[0][0].as_str(), all[0].len()), ("run", one[0].len() + 1));
    assert_eq!(all.iter().filter(|row| row[0] == "processes").count(), one.len() - 1);
    assert!(all.iter().any(|row| row[0] == "tasks" && row[1] == "threads"));
}
