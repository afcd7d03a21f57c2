//! Speed of the searches of a policy of one's own: over requests the first fault, and four and five tasks closed; over times all task sets.

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
criterion::criterion_main!(native::benches);

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use blockstep_policy::Program;
    use blockstep_policy::examples::find;
    use blockstep_search::{Property, Report, Search, search};
    use blockstep_sim::work::Budget;
    use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group};

    fn program(id: &str) -> Option<Program> {
        find(id).and_then(|example| Program::new(example.text).ok())
    }

    fn closed(program: &Program, tasks: usize) -> Option<Report> {
        search(program, tasks, &Property::for_program(program)).ok()
    }

    fn searches(c: &mut Criterion) {
        let mut group = c.benchmark_group("search over requests");
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        for id in ["gcaps", "gcaps-driver-mended", "round-robin", "lottery"] {
            let Some(program) = program(id) else { continue };
            for tasks in [4, 5] {
                group.bench_function(BenchmarkId::new(id, tasks), |b| b.iter(|| closed(&program, tasks)));
            }
        }
        group.finish();
    }

    fn first_fault(c: &mut Criterion) {
        let Some(program) = program("gcaps") else { return };
        let until_a_fault = || {
            let mut search = Search::new(&program, 6, &Property::for_program(&program)).ok()?;
            while !search.report().has_fault() {
                search.advance(&mut Budget::new(20));
            }
            Some(search.report())
        };
        c.bench_function("the first fault of gcaps", |b| b.iter(until_a_fault));
    }

    /// Of edf all sets are run to their end, of hpf those after the miss in part.
    fn times(c: &mut Criterion) {
        let mut group = c.benchmark_group("search over times");
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        for id in ["edf", "hpf"] {
            let Some(program) = program(id) else { continue };
            group.bench_function(id, |b| b.iter(|| search(&program, 3, &[Property::Missed])));
        }
        group.finish();
    }

    criterion_group!(benches, searches, first_fault, times);
}
