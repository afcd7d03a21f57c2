//! How long the timeline of 100,000 blocks takes, and that of 100,000 stays of two processes: its
//! index, and a frame at several zooms.
#![allow(missing_docs, clippy::unwrap_used)]

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
criterion::criterion_main!(native::benches);

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::hint::black_box;
    use std::sync::Arc;

    use blockstep_draw as draw;
    use blockstep_sim::engine::{Limits, simulate};
    use blockstep_sim::record::Records;
    use blockstep_sim::scenario::{Draft, Scenario};
    use blockstep_sim::trace::Trace;
    use blockstep_view::timeline::Timeline;
    use criterion::Criterion;

    fn run(draft: &Draft) -> (Arc<Trace>, Arc<Records>) {
        let trace = simulate(&Scenario::new(draft).unwrap(), Limits::default()).trace;
        let records = Arc::new(Records::new(&trace));
        (trace, records)
    }

    fn timeline(criterion: &mut Criterion) {
        for device in ["tx2", "titanv"] {
            let (trace, records) = run(&blockstep_testing::large::scattered(device));
            assert_eq!(records.blocks.len(), 100_000);
            measure(criterion, &format!("timeline of 100,000 blocks on {device}"), &trace, &records);
        }
        let (trace, records) = run(&blockstep_testing::large::sharing(160, 1_000, 100));
        assert!(records.residency.len() >= 100_000);
        measure(criterion, "timeline of 100,000 stays", &trace, &records);
    }

    fn measure(criterion: &mut Criterion, name: &str, trace: &Arc<Trace>, records: &Arc<Records>) {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20);
        group.bench_function("records", |b| b.iter(|| Records::new(black_box(trace))));
        group.bench_function("index", |b| b.iter(|| Timeline::new(black_box(trace), records)));
        let timeline = Timeline::new(trace, records);
        let fit = timeline.fit(1_440.0);
        let height = timeline.natural_height_px(false);
        for (name, zoom) in [("frame, whole run", 1.0), ("frame, zoomed 8 times", 8.0), ("frame, zoomed 500 times", 500.0)] {
            let scale = fit.zoomed(zoom, 700.0, timeline.end());
            group.bench_function(name, |b| b.iter(|| timeline.frame(black_box(&scale), height, None, None)));
        }
        group.bench_function("hit", |b| b.iter(|| timeline.hit(black_box(&fit), height, 700.0, 50.0)));
        group.bench_function("svg", |b| b.iter(|| draw::svg(black_box(trace), records, 1_440, None, false)));
        group.finish();
    }

    criterion::criterion_group!(benches, timeline);
}
