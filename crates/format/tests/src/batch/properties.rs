//! Properties of any workload under any scheduler on any GPU, with any methods.

use blockstep_batch::arch::{Arch, ArchId};
use blockstep_batch::command::{CommandKind, Op};
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::queues::QueueKind;
use blockstep_batch::run::run;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::simulate::BatchRun;
use blockstep_batch::state::{BatchChange, BatchState, CommandStatus, Replay};
use blockstep_batch::task::{TaskDraft, Workload, WorkloadDraft};
use blockstep_batch::{priority, simulate};
use blockstep_sim::units::Time;
use proptest::prelude::*;

use super::stage::{CPU, program};

fn a_task(name: &'static str) -> impl Strategy<Value = TaskDraft> {
    let times = (1..3000_u64, 1..6000_u64, 1..3000_u64);
    (times, 1..120_u64, prop::sample::select(vec![32_u64, 256, 1000, 1024]), 4..9000_u64, any::<bool>(), 1..9000_u64).prop_map(
        move |((copy_in, kernel, copy_out), blocks, threads_per_block, interval_ns, is_latency, allowance)| TaskDraft {
            copy_in_ns: copy_in,
            kernel_ns: kernel,
            copy_out_ns: copy_out,
            blocks,
            threads_per_block,
            interval_ns,
            deadline_ns: is_latency.then_some(allowance),
            separation_ns: (!is_latency).then_some(allowance),
            ..TaskDraft::named(name)
        },
    )
}

fn a_workload(tasks: Vec<TaskDraft>) -> Workload {
    Workload::new(WorkloadDraft { name: String::new(), until_ns: 20_000, tasks }).unwrap()
}

fn two() -> impl Strategy<Value = Workload> {
    (a_task("a"), a_task("b")).prop_map(|(a, b)| a_workload(vec![a, b]))
}

fn methods() -> impl Strategy<Value = Methods> {
    prop::collection::vec(prop::bool::weighted(0.8), Method::ALL.len())
        .prop_map(|on| Method::ALL.into_iter().zip(on).fold(Methods::NONE, |m, (method, on)| m.with(method, on)))
}

/// A GPU with costs small enough for the times above.
fn gpu(id: ArchId) -> Arch {
    let mut arch = id.arch();
    let span = blockstep_sim::units::Span;
    (arch.costs.poll, arch.costs.message, arch.costs.decision, arch.costs.launch) = (span(7), span(11), span(13), span(5));
    arch
}

fn gpus() -> impl Strategy<Value = Arch> {
    (prop::sample::select(ArchId::ALL.to_vec()), 0..3_u64).prop_map(|(id, issue)| {
        let mut arch = gpu(id);
        arch.costs.issue.0 = issue * 40;
        arch
    })
}

fn schedulers() -> impl Strategy<Value = SchedulerId> {
    prop::sample::select(SchedulerId::ALL.to_vec())
}

/// Calls with the state after each step.
fn each_state(run: &BatchRun, mut look: impl FnMut(&BatchState, &BatchChange)) {
    let mut replay = Replay::new(&run.program, &run.steps);
    for (i, step) in run.steps.iter().enumerate() {
        look(replay.go(i + 1), &step.change);
    }
}

fn total(run: &BatchRun, op: Op) -> u64 {
    let spans = run.program.commands.iter().zip(&run.spans).filter(|(c, _)| c.op() == Some(op));
    spans.filter_map(|(_, span)| span.map(|s| s.span().ns())).sum()
}

proptest! {
    #![proptest_config(blockstep_testing::arbitrary::cases(96))]

    #[test]
    fn batch_every_program_ends_and_does_all_its_work(workload in two(), arch in gpus(), methods in methods(), id in schedulers()) {
        let program = program(&workload, &arch, methods, id);
        let run = simulate(&program, &arch).unwrap();
        for (task, of) in workload.tasks().iter().enumerate() {
            prop_assert!(run.outputs[task] <= run.end);
            let time = |op| {
                let mut spans = program.commands.iter().zip(&run.spans).filter(|(c, s)| (c.task, c.op()) == (Some(task), Some(op)) && s.is_some());
                let span = spans.next().and_then(|(_, s)| *s).unwrap();
                assert!(spans.next().is_none(), "each operation happens once");
                span
            };
            let (copy_in, kernel, copy_out) = (time(Op::CopyIn), time(Op::Kernel), time(Op::CopyOut));
            prop_assert_eq!((copy_in.span(), copy_out.span()), (of.copy_in.on(&arch), of.copy_out.on(&arch)));
            prop_assert!(copy_in.end <= kernel.start && kernel.end <= copy_out.start);
            prop_assert_eq!(copy_out.end, run.outputs[task]);
        }
    }

    #[test]
    fn batch_commands_of_a_stream_never_reorder(workload in two(), arch in gpus(), methods in methods(), id in schedulers()) {
        let run = simulate(&program(&workload, &arch, methods, id), &arch).unwrap();
        let position = |no: u32, wanted: fn(&BatchChange) -> Option<u32>| run.steps.iter().position(|s| wanted(&s.change) == Some(no));
        let issued = |change: &BatchChange| if let BatchChange::Issue(no, Some(_)) = change { Some(no.0) } else { None };
        let done = |change: &BatchChange| if let BatchChange::Done(no) = change { Some(no.0) } else { None };
        let mut streams: Vec<(u32, usize, usize)> = (0..run.program.commands.len() as u32)
            .filter_map(|no| Some((run.program.commands[no as usize].stream, position(no, issued)?, position(no, done).unwrap())))
            .collect();
        streams.sort_unstable();
        for pair in streams.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            prop_assert!(pair[0].2 < pair[1].2, "done in issue order");
        }
    }

    #[test]
    fn batch_queues_and_engines_are_those_of_the_gpu(workload in two(), arch in gpus(), methods in methods(), id in schedulers()) {
        let run = simulate(&program(&workload, &arch, methods, id), &arch).unwrap();
        each_state(&run, |state, _| {
            for kind in [QueueKind::Copy, QueueKind::Execution] {
                let count = state.queues.iter().filter(|(queue, _)| queue.kind == kind).count();
                assert!(arch.hyper_q || count <= 1, "one queue of each kind without Hyper-Q");
            }
            let running = |op| {
                let is_op = |i: &usize| run.program.commands[*i].op() == Some(op) && matches!(state.status[*i], CommandStatus::Runs(_));
                (0..state.status.len()).filter(is_op).count()
            };
            let (ins, outs) = (running(Op::CopyIn), running(Op::CopyOut));
            assert!(if arch.copy_engines == 1 { ins + outs <= 1 } else { ins <= 1 && outs <= 1 });
            let threads: u64 = (0..state.status.len())
                .map(|i| match run.program.commands[i].kind {
                    CommandKind::Kernel(launch) => u64::from(launch.threads_per_block) * u64::from(state.blocks[i].0),
                    _ => 0,
                })
                .sum();
            let scheduler = if run.program.on_gpu { u64::from(arch.costs.scheduler_threads) } else { 0 };
            assert!(threads + scheduler <= arch.threads(), "never more threads than the GPU holds");
            let blocks: u64 = state.blocks.iter().map(|b| u64::from(b.0)).sum();
            assert!(blocks <= u64::from(arch.blocks_per_sm * arch.sms));
        });
    }

    #[test]
    fn batch_it_is_the_same_every_time_and_replays_to_any_step(workload in two(), arch in gpus(), methods in methods(), id in schedulers()) {
        let program = program(&workload, &arch, methods, id);
        let run = simulate(&program, &arch).unwrap();
        prop_assert_eq!(&simulate(&program, &arch).unwrap(), &run);
        let mut replay = Replay::new(&run.program, &run.steps);
        let half = replay.go(run.steps.len() / 2).clone();
        let end = replay.go(run.steps.len()).clone();
        prop_assert_eq!(replay.go(run.steps.len() / 2), &half, "back is where it was");
        prop_assert!(end.queues.iter().all(|(_, waiting)| waiting.is_empty()));
        prop_assert!(run.steps.windows(2).all(|pair| pair[0].at <= pair[1].at));
    }

    /// [MT] section 6 measures copies and kernels by themselves: a scheduler does not change them.
    #[test]
    fn batch_of_one_task_all_cpu_schedulers_have_the_same_kernel_times(task in a_task("a"), methods in methods(), gpu_id in prop::sample::select(ArchId::ALL.to_vec())) {
        let (workload, arch) = (a_workload(vec![task]), gpu(gpu_id));
        for id in CPU {
            let run = simulate(&program(&workload, &arch, methods, id), &arch).unwrap();
            prop_assert_eq!(total(&run, Op::Kernel), workload.tasks()[0].kernel.ns(), "{}", id.name());
        }
    }

    #[test]
    fn batch_interleaving_never_beats_its_engines(workload in two(), arch in gpus(), methods in methods()) {
        let run = simulate(&program(&workload, &arch, methods, SchedulerId::CpuInterleave), &arch).unwrap();
        let (ins, outs, kernels) = (total(&run, Op::CopyIn), total(&run, Op::CopyOut), total(&run, Op::Kernel));
        let copies = if arch.copy_engines == 1 { ins + outs } else { ins.max(outs) };
        prop_assert_eq!(kernels, workload.tasks().iter().map(|t| t.kernel.ns()).sum::<u64>(), "one kernel at a time, each as long as alone");
        prop_assert!(run.end.ns() >= copies.max(kernels));
    }

    /// What is held up truly could run: it starts as soon as what holds it is gone, and never before.
    #[test]
    fn batch_holds_end_when_what_is_held_up_starts_or_is_held_otherwise(workload in two(), arch in gpus(), methods in methods(), id in schedulers()) {
        let run = simulate(&program(&workload, &arch, methods, id), &arch).unwrap();
        for hold in &run.holds {
            let span = run.spans[hold.held.index()].unwrap();
            prop_assert!(hold.time.start < hold.time.end && hold.time.end <= span.start, "{:?}", hold);
            let behind = run.steps.iter().find(|s| s.change == BatchChange::Done(hold.behind)).unwrap().at;
            prop_assert!(hold.time.end <= behind, "{:?}", hold);
        }
    }

    /// Events of an operation are recorded around it: what they report is never too short.
    #[test]
    fn batch_events_report_at_least_what_happened(workload in two(), arch in gpus(), methods in methods(), id in schedulers()) {
        let run = simulate(&program(&workload, &arch, methods, id), &arch).unwrap();
        prop_assert_eq!(run.timings().len(), 6);
        for timing in run.timings() {
            if let Some(reported) = timing.reported {
                prop_assert!(reported.start <= timing.actual.start && timing.actual.end <= reported.end, "{:?}", timing);
            }
        }
    }

    #[test]
    fn batch_every_input_is_processed_once_and_in_order(
        tasks in (a_task("a"), a_task("b"), a_task("c")), arch in gpus(), methods in methods(), id in schedulers(),
    ) {
        let workload = a_workload(vec![tasks.0, tasks.1, tasks.2]);
        let Ok(outcome) = run(&workload, &arch, methods, id) else {
            prop_assert!(id >= SchedulerId::GpuSynchronize && !arch.dynamic_parallelism);
            return Ok(());
        };
        for (place, task) in workload.tasks().iter().enumerate() {
            let jobs: Vec<u64> = outcome.jobs.iter().filter(|j| j.task == place).map(|j| j.job).collect();
            prop_assert_eq!(jobs, (0..task.jobs(workload.until())).collect::<Vec<_>>());
        }
        for (i, batch) in outcome.batches.iter().enumerate() {
            prop_assert!(!batch.tasks.is_empty() && batch.tasks.len() <= priority::BATCH);
            prop_assert!(i == 0 || outcome.batches[i - 1].end <= batch.start);
            let slack = |job: &blockstep_batch::run::Job| priority::slack(&workload.tasks()[job.task], job.job, batch.start);
            let jobs: Vec<_> = outcome.jobs.iter().filter(|j| j.batch == i).collect();
            prop_assert!(jobs.iter().all(|j| j.arrival <= batch.start && j.output <= batch.end));
            prop_assert!(jobs.windows(2).all(|pair| slack(pair[0]) <= slack(pair[1])));
        }
        prop_assert_eq!(outcome.shifted, outcome.jobs.iter().map(|j| u128::from(j.shifted.ns())).sum::<u128>());
        prop_assert!(outcome.end >= outcome.jobs.iter().map(|j| j.output).max().unwrap_or(Time::ZERO));
    }
}
