//! Speed of the schedulability tests: task sets per second, generated beforehand and generated as
//! they come, and the whole of [LP] Fig. 3.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::hint::black_box;
    use std::time::Duration;

    use blockstep_analysis::edf::{EdfTest, Overhead, table_ii_us};
    use blockstep_analysis::generate::{Drawer, Generator, Recipe};
    use blockstep_analysis::sweep::{Bench, Counter, Counts, Sweep, Test};
    use blockstep_analysis::{Task, presets};
    use blockstep_sim::scenario::Preemption;

    use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group};

    const TASKS: [u32; 4] = [2, 3, 10, 20];
    const SETS: u64 = 2000;

    fn name(preemption: Preemption) -> &'static str {
        match preemption {
            Preemption::Thread => "EDF",
            Preemption::Block => "lpEDF",
            Preemption::Kernel => "EDF by kernels",
            Preemption::None => "npEDF",
        }
    }

    /// One test by itself, with the average overhead, on one core. criterion's elements are sets.
    fn tests(c: &mut Criterion) {
        let mut group = c.benchmark_group("sets tested");
        group.throughput(Throughput::Elements(SETS));
        for tasks in TASKS {
            let recipe = Recipe { generator: Generator::UUniFast, tasks, periods: (1000, 15_000), seed: 1 };
            for hundredths in [50, 90] {
                let drawn = |index| {
                    let mut set = Vec::new();
                    assert!(recipe.draw(hundredths * 10_000, index, &mut set));
                    set
                };
                let sets: Vec<Vec<Task>> = (0..SETS).map(drawn).collect();
                for preemption in EdfTest::MODES {
                    let test = [Test::Edf(EdfTest::for_preemption(preemption, table_ii_us(preemption, Overhead::Average), (5, 500)))];
                    let mut bench = Bench::new(&test);
                    let id = format!("{}, {tasks} tasks", name(preemption));
                    group.bench_function(BenchmarkId::new(id, format!("U 0.{hundredths}")), |b| {
                        b.iter(|| {
                            let mut passed = [0];
                            sets.iter().for_each(|set| bench.test(black_box(set), &mut passed));
                            passed
                        });
                    });
                }
            }
        }
        group.finish();
    }

    /// Drawing alone.
    fn generators(c: &mut Criterion) {
        let mut group = c.benchmark_group("sets drawn");
        group.throughput(Throughput::Elements(SETS));
        for tasks in TASKS {
            let recipe = Recipe { generator: Generator::UUniFast, tasks, periods: (1000, 15_000), seed: 1 };
            let mut set = Vec::new();
            group.bench_function(format!("{tasks} tasks"), |b| {
                b.iter(|| (0..SETS).filter(|&index| black_box(recipe.draw(900_000, index, &mut set))).count());
            });
        }
        group.finish();
    }

    /// Drawing alone, of so many tasks that nearly every set by roots has a cost of zero.
    fn large_sets(c: &mut Criterion) {
        let mut group = c.benchmark_group("large sets drawn");
        group.throughput(Throughput::Elements(SETS));
        for tasks in [50, 100, 200] {
            for hundredths in [10, 50, 90] {
                let recipe = Recipe { generator: Generator::UUniFast, tasks, periods: (1000, 15_000), seed: 1 };
                let (mut drawer, mut set) = (Drawer::new(recipe, hundredths * 10_000), Vec::new());
                assert!((0..SETS).all(|index| drawer.draw(index, &mut set)), "every set is drawn");
                group.bench_function(BenchmarkId::new(format!("{tasks} tasks"), format!("U 0.{hundredths}")), |b| {
                    b.iter(|| (0..SETS).filter(|&index| black_box(drawer.draw(index, &mut set))).count());
                });
            }
        }
        group.finish();
    }

    fn preset(id: &str) -> Sweep {
        (presets::find(id).expect("a preset").sweep)()
    }

    /// Nine tests of each set, as in [LP] Fig. 3 and 4, drawn as they come, on one core.
    fn figures(c: &mut Criterion) {
        let mut group = c.benchmark_group("sets drawn and put to nine tests");
        let points: Vec<u32> = preset("lp-3").utilisation.iter().collect();
        group.throughput(Throughput::Elements(100 * points.len() as u64));
        for id in ["lp-3", "lp-4"] {
            let sweep = preset(id);
            let mut counter = Counter::new(&sweep);
            group.bench_function(id, |b| b.iter(|| points.iter().map(|&u| counter.count(u, 0..100).sets).sum::<u64>()));
        }
        group.finish();
    }

    /// [LP] Fig. 3 in full: 81 utilizations, 100,000 sets each, nine tests of every set, on as many
    /// threads as there are cores.
    fn whole(c: &mut Criterion) {
        let sweep = preset("lp-3");
        let points: Vec<u32> = sweep.utilisation.iter().collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut group = c.benchmark_group("whole");
        group.sampling_mode(SamplingMode::Flat).sample_size(10).measurement_time(Duration::from_secs(20));
        group.throughput(Throughput::Elements(sweep.sets * points.len() as u64));
        group.bench_function(format!("lp-3, {threads} threads"), |b| {
            b.iter(|| {
                let part = |first: usize| {
                    let mut sum = Counts::none(sweep.tests.len());
                    let mut counter = Counter::new(&sweep);
                    points.iter().skip(first).step_by(threads).for_each(|&u| sum.add(&counter.count(u, 0..sweep.sets)));
                    sum
                };
                std::thread::scope(|scope| {
                    let part = &part;
                    let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
                    workers.into_iter().map(|w| w.join().expect("a worker").sets).sum::<u64>()
                })
            });
        });
        group.finish();
    }

    criterion_group! {
        name = benches;
        config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        targets = tests, generators, large_sets, figures, whole
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::benches();
    criterion::Criterion::default().configure_from_args().final_summary();
}

#[cfg(target_arch = "wasm32")]
fn main() {}
