//! What a step costs where one thing is there many times over, and how long it takes to make a
//! run of many processes visible.

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
criterion::criterion_main!(native::benches);

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::hint::black_box;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use blockstep_format::{self as format, ImportOptions};
    use blockstep_sim::engine::{Limits, Run, simulate};
    use blockstep_sim::record::Records;
    use blockstep_sim::scenario::{Draft, Scenario};
    use blockstep_view::document::{Document, PasteInto, PastedCells};
    use blockstep_view::table::Table;
    use blockstep_view::timeline::Timeline;
    use criterion::{Criterion, Throughput};

    use blockstep_testing::growing::SHAPES;

    fn run(scenario: &Arc<Scenario>) -> Run {
        simulate(scenario, Limits::default())
    }

    /// Whether the words of the command line, of which criterion takes one as a filter, name this benchmark.
    fn is_asked_for(id: &str) -> bool {
        let mut filters = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
        filters.peek().is_none() || filters.any(|filter| id.contains(&filter))
    }

    /// Criterion's elements are steps; the ns a step of the fastest of a few runs are printed too.
    fn steps(c: &mut Criterion) {
        let mut group = c.benchmark_group("growth");
        for &(name, shape) in SHAPES {
            let sizes: &[u64] = if name.starts_with("streams") { &[100, 10_000, 100_000] } else { &[100, 1_000, 10_000] };
            for &n in sizes {
                if !is_asked_for(&format!("growth/{n} {name}")) {
                    continue;
                }
                let scenario = Scenario::new(&shape(n)).expect("a valid scenario");
                let mut best = f64::INFINITY;
                let mut steps = 0;
                for _ in 0..3 {
                    let start = Instant::now();
                    let run = black_box(run(&scenario));
                    steps = run.trace.steps().len();
                    best = best.min(start.elapsed().as_secs_f64() * 1e9 / steps as f64);
                }
                println!("{n} {name}: {best:.1} ns a step of {steps}");
                group.throughput(Throughput::Elements(steps as u64));
                group.bench_function(format!("{n} {name}"), |b| b.iter(|| run(black_box(&scenario))));
            }
        }
        group.finish();
    }

    /// Records and timeline of a run in which every process has something suspended.
    fn timeline(c: &mut Criterion) {
        let mut group = c.benchmark_group("timeline");
        let (_, shape) = SHAPES.iter().find(|(name, _)| name.starts_with("processes that share")).expect("it is one of the shapes");
        let trace = run(&Scenario::new(&shape(10_000)).expect("a valid scenario")).trace;
        let records = Arc::new(Records::new(&trace));
        group.throughput(Throughput::Elements(trace.steps().len() as u64));
        group.bench_function("records of 10000 processes", |b| b.iter(|| Records::new(black_box(&trace))));
        group.bench_function("timeline of 10000 processes", |b| b.iter(|| Timeline::new(black_box(&trace), &records)));
        group.finish();
    }

    /// Cells of many rows, as they are shown before they are taken, and a config of many benchmarks.
    fn input(c: &mut Criterion) {
        let mut group = c.benchmark_group("input");
        let document = Document::new(Draft::default());
        for rows in [2_000_u64, 20_000] {
            let cells: String = (0..rows).map(|i| format!("K{i}\tT{}\tS{}\t0\t1\t64\t1 ms\n", i % 5_000, i % 7_000)).collect();
            group.throughput(Throughput::Elements(rows));
            group.bench_function(format!("{rows} rows pasted"), |b| {
                b.iter(|| {
                    let sheet = PastedCells::new(Table::Kernels.columns(), 0, black_box(&cells));
                    document.preview(Table::Kernels, PasteInto::RowsFrom(0), &sheet)
                });
            });
        }
        for benchmarks in [500_u64, 2_000] {
            let one = |i| {
                format!(
                    "{{ \"filename\": \"timer_spin.so\", \"label\": \"L{i}\", \"thread_count\": 128, \"block_count\": 2, \"additional_info\": 1000 }}"
                )
            };
            let all: Vec<String> = (0..benchmarks).map(one).collect();
            let text = format!(
                "{{ \"max_iterations\": 3, \"max_time\": 0, \"sync_every_iteration\": true, \"benchmarks\": [{}] }}",
                all.join(",")
            );
            group.throughput(Throughput::Elements(benchmarks));
            group.bench_function(format!("{benchmarks} benchmarks of a config"), |b| {
                b.iter(|| Scenario::new(&format::open(black_box(&text), &ImportOptions::default()).expect("a config").draft));
            });
        }
        group.finish();
    }

    criterion::criterion_group! {
        name = benches;
        config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
        targets = steps, timeline, input
    }
}
