//! Speed of the engine, of going to any step, and the memory a step takes.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::hint::black_box;
    use std::sync::Arc;
    use std::time::Instant;

    use blockstep_sim::engine::{Limits, Run, simulate, simulate_varied};
    use blockstep_sim::record::Records;
    use blockstep_sim::scenario::{Choice, Draft, KernelDraft, PolicyKind, Scenario};
    use blockstep_sim::trace::{Variant, Variants};

    use criterion::{BatchSize, Criterion, Throughput, criterion_group};

    use blockstep_testing::large::{large, taking_turns};

    fn run(scenario: &Arc<Scenario>) -> Run {
        simulate(scenario, Limits::default())
    }

    fn scenario(draft: &Draft) -> Arc<Scenario> {
        Scenario::new(draft).expect("a valid scenario")
    }

    /// Steps per second: criterion's elements are steps.
    fn steps(c: &mut Criterion) {
        let mut group = c.benchmark_group("steps");
        for (device, same) in [("tx2", true), ("tx2", false), ("titanv", true), ("titanv", false)] {
            let scenario = scenario(&large(device, 100_000, same));
            let steps = run(&scenario).trace.steps().len() as u64;
            group.throughput(Throughput::Elements(steps));
            let ends = if same { "ends together" } else { "ends apart" };
            group.bench_function(format!("100000 blocks, {device}, {ends}"), |b| b.iter(|| run(black_box(&scenario))));
        }
        // One kernel, one stream: nothing but blocks.
        let draft = Draft { kernels: vec![KernelDraft::named("K1", 100_000, 32, 1000)], ..Draft::default() };
        let scenario = scenario(&draft);
        group.throughput(Throughput::Elements(run(&scenario).trace.steps().len() as u64));
        group.bench_function("100000 blocks, tx2, one kernel", |b| b.iter(|| run(black_box(&scenario))));
        // No two blocks alike: as many kernels as blocks, on 1000 streams and the NULL stream.
        let mut draft = large("tx2", 100_000, true);
        draft.kernels = (0..100_000).map(single).collect();
        let scenario = self::scenario(&draft);
        group.throughput(Throughput::Elements(run(&scenario).trace.steps().len() as u64));
        group.bench_function("100000 blocks, tx2, one each kernel", |b| b.iter(|| run(black_box(&scenario))));
        group.finish();
    }

    fn single(i: u64) -> KernelDraft {
        let mut k = KernelDraft::named(format!("K{i}"), 1, 128, 1000);
        k.stream = if i % 1000 == 999 { "NULL".to_owned() } else { format!("S{}", i % 1000) };
        k
    }

    /// The policies under which processes take turns, beside `priority` on the same tables: time a
    /// step takes, as a ratio. The runs are interleaved and the fastest of each counts, so that
    /// the ratio holds on a busy machine too.
    fn turns(_: &mut Criterion) {
        for (processes, each) in [(2, 100), (8, 100), (64, 100), (8, 4), (64, 1)] {
            let kinds = [PolicyKind::Priority, PolicyKind::Runlist, PolicyKind::Edf];
            let scenarios = kinds.map(|kind| scenario(&taking_turns(kind, processes, 100_000, each)));
            let mut best = [f64::INFINITY; 3];
            for _ in 0..15 {
                for (scenario, best) in scenarios.iter().zip(&mut best) {
                    let start = Instant::now();
                    let run = black_box(run(scenario));
                    *best = best.min(start.elapsed().as_secs_f64() * 1e9 / run.trace.steps().len() as f64);
                }
            }
            for ((kind, scenario), ns) in kinds.iter().zip(&scenarios).zip(best) {
                let steps = run(scenario).trace.steps().len();
                println!(
                    "{processes} processes, kernels of {each} blocks, {}: {ns:.1} ns a step of {steps}, {:.2} times priority",
                    kind.word(),
                    ns / best[0]
                );
            }
        }
    }

    /// What the variants of the rules cost: the plain engine asked for none of them, and the engine
    /// that asks for them with one that its policy has no use for, as ratios to the plain engine.
    fn variants(_: &mut Criterion) {
        let drafts = [
            ("tx2", large("tx2", 100_000, false)),
            ("titanv", large("titanv", 100_000, false)),
            ("runlist", taking_turns(PolicyKind::Runlist, 8, 100_000, 4)),
            ("edf", taking_turns(PolicyKind::Edf, 8, 100_000, 4)),
        ];
        for (name, draft) in drafts {
            let scenario = scenario(&draft);
            let sets = [Variants::NONE, Variants::NONE, Variants::NONE.with(Variant::NoBudgets)];
            let mut best = [f64::INFINITY; 3];
            for _ in 0..15 {
                for (i, (set, best)) in sets.into_iter().zip(&mut best).enumerate() {
                    let start = Instant::now();
                    let run = if i == 0 { run(&scenario) } else { simulate_varied(&scenario, set, Limits::default()) };
                    black_box(&run);
                    *best = best.min(start.elapsed().as_secs_f64());
                }
            }
            println!("{name}: asked for no variant {:.3} times plain, with an idle one {:.3} times", best[1] / best[0], best[2] / best[0]);
        }
    }

    /// The state after a random one of a million steps, from wherever the cursor stands.
    fn seek(c: &mut Criterion) {
        for device in ["tx2", "titanv"] {
            let run = run(&scenario(&large(device, 500_000, false)));
            let steps = run.trace.steps().len();
            assert!(steps > 1_000_000);
            let mut replay = run.replay();
            let mut seed = 1_u64;
            c.bench_function(&format!("state at a random step of {steps}, {device}"), |b| {
                b.iter(|| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    black_box(replay.seek((seed >> 33) as u32 % steps as u32));
                });
            });
        }
    }

    fn records(c: &mut Criterion) {
        let run = run(&scenario(&large("tx2", 100_000, false)));
        c.bench_function("records of 100000 blocks", |b| b.iter_batched(|| (), |()| Records::new(&run.trace), BatchSize::LargeInput));
    }

    /// Bytes that a run keeps: steps, operations, keyframes and records.
    fn memory(_: &mut Criterion) {
        for device in ["tx2", "titanv"] {
            let run = run(&scenario(&large(device, 100_000, false)));
            let n = run.trace.steps().len();
            let steps = size_of_val(run.trace.steps()) + size_of_val(run.trace.ops());
            let keyframes = run.keyframes.approximate_bytes();
            let records = Records::new(&run.trace).approximate_bytes();
            let per_step = |bytes: usize| bytes as f64 / n as f64;
            println!(
                "bytes per step, {device}: {:.1} = {:.1} trace + {:.1} keyframes + {:.1} records",
                per_step(steps + keyframes + records),
                per_step(steps),
                per_step(keyframes),
                per_step(records)
            );
        }
    }

    criterion_group! {
        name = benches;
        config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(4));
        targets = memory, turns, variants, steps, seek, records
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::benches();
    criterion::Criterion::default().configure_from_args().final_summary();
}

#[cfg(target_arch = "wasm32")]
fn main() {}
